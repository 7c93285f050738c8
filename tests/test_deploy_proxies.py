"""The configurations of nginx and HAProxy: both accept theirs, and pass on what the server needs."""

import re
import subprocess
from pathlib import Path

import pytest

from damier.server.front.connections import KEEP_ALIVE_SECONDS
from damier.server.front.guard import LONGEST_BODY
from damier.server.front.sockets import ALIVE
from tests.test_deploy import DEPLOY, environment
from tools import debian
from tools.proxy import CONFIGURATION, NGINX, PACKAGE, NoProxy, configuration, nginx_around


def program(package: debian.Package) -> str:
    """Returns where the program of a package is; fails where it is missing."""
    try:
        return package.find()
    except NoProxy as error:
        pytest.fail(str(error), pytrace=False)


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Returns a key and a certificate for it."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    subject = ["-subj", "/CN=damier.example.org", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*made, *subject], check=True, capture_output=True)
    return key, certificate


# nginx


def test_nginx_passes_on_what_the_server_needs() -> None:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines()]
    for name in ("Host", "Upgrade", "Connection", "X-Forwarded-For", "X-Forwarded-Proto", "X-Request-ID"):
        assert any(line.startswith(f"proxy_set_header {name} ") for line in lines)
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in lines  # what a visitor sends is not passed on
    seconds = int(re.findall(r"proxy_read_timeout (\d+)s;", text)[0])
    assert seconds > 2 * ALIVE
    assert int(re.findall(r"client_max_body_size (\d+)m;", text)[0]) * 10**6 >= LONGEST_BODY


def test_nginx_binds_nobody_to_a_server_and_repeats_nothing_that_may_have_been_done() -> None:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    assert len(re.findall(r"^\s+server 127\.0\.0\.1:\d+ max_fails=1 ", text, re.MULTILINE)) == 2
    assert re.findall(r"ip_hash|sticky|hash \$", text) == []
    assert re.findall(r"proxy_next_upstream (.+);", text) == ["error timeout"]  # without non_idempotent


def test_nginx_accepts_its_configuration(tmp_path: Path) -> None:
    key, certificate = self_signed(tmp_path)
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"ssl_certificate \S+;", f"ssl_certificate {certificate};", text)
    text = re.sub(r"ssl_certificate_key \S+;", f"ssl_certificate_key {key};", text)
    text = re.sub(r"\n +listen \[::\].*;", "", text)  # not every machine has IPv6, and ports below 1024 need root
    text = re.sub(r"listen \d+", lambda _: f"listen 127.0.0.1:{debian.free_port()}", text)
    file = tmp_path / "nginx.conf"
    file.write_text(nginx_around(tmp_path, text), encoding="utf-8")
    command = [program(NGINX), "-t", "-q", "-c", str(file), "-p", str(tmp_path), "-e", str(tmp_path / "log")]
    tested = subprocess.run(command, capture_output=True, text=True)
    assert (tested.returncode, tested.stderr) == (0, "")


# HAProxy


def haproxy_lines() -> list[str]:
    """Returns the lines of the configuration without comments."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    return [line for each in text.splitlines() if (line := each.partition("#")[0].strip())]


def test_haproxy_accepts_its_configuration_with_tls_and_without(tmp_path: Path) -> None:
    key, certificate = self_signed(tmp_path)
    both = tmp_path / "both.pem"
    both.write_text(key.read_text() + certificate.read_text())
    text = CONFIGURATION.read_text(encoding="utf-8")
    assert text.count("/etc/haproxy/certificate.pem") == 1
    file = tmp_path / "haproxy.cfg"
    for each in (text.replace("/etc/haproxy/certificate.pem", str(both)), configuration(8000, [8001, 8002, 8003])):
        file.write_text(each, encoding="utf-8")
        tested = subprocess.run([program(PACKAGE), "-c", "-q", "-f", str(file)], capture_output=True, text=True)
        assert (tested.returncode, tested.stderr) == (0, "")


def test_haproxy_binds_nobody_to_a_server_and_repeats_nothing_that_may_have_been_done() -> None:
    lines = haproxy_lines()
    assert len([line for line in lines if line.startswith("server ")]) == 2
    assert not any(line.startswith(("cookie", "stick", "balance source")) for line in lines)
    assert "http-request disable-l7-retry unless { method GET HEAD }" in lines


def test_haproxy_notices_in_time_that_a_server_drains() -> None:
    lines = haproxy_lines()
    assert "http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost" in lines
    (check,) = [line.split() for line in lines if line.startswith("default-server check")]
    seconds = int(check[check.index("inter") + 1].removesuffix("s")) * int(check[check.index("fall") + 1])
    assert 2 * seconds < int(environment()["DAMIER_DRAIN_SECONDS"])


def test_haproxy_waits_for_sockets_and_gives_connections_up_before_the_server_does() -> None:
    times = {name: int(value.removesuffix("s")) for _, name, value in map(str.split, _timeouts())}
    assert min(times["client"], times["server"], times["tunnel"]) > 2 * ALIVE
    assert times["http-keep-alive"] < KEEP_ALIVE_SECONDS


def _timeouts() -> list[str]:
    return [line for line in haproxy_lines() if line.startswith("timeout ")]
