"""The proxies of `deploy/haproxy.cfg` and `deploy/nginx.conf` on this machine, in front of servers on this machine.

python -m tools.proxy              install Debian's haproxy, and unpack its nginx, where they are missing
"""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tools import debian

_DEPLOY = Path(__file__).parent.parent / "deploy"
CONFIGURATION, NGINX_CONFIGURATION = _DEPLOY / "haproxy.cfg", _DEPLOY / "nginx.conf"


class NoProxy(Exception):
    """HAProxy or nginx is not installed, or does not start."""


PACKAGE = debian.Package(
    "HAProxy", "haproxy", "haproxy", needed_by="the tests of several servers", error=NoProxy, folders="usr/sbin"
)
NGINX = debian.Package(  # unpacked: as a service it would listen on port 80
    "nginx", "nginx", "nginx", needed_by="the tests of deploy/nginx.conf", error=NoProxy, is_unpacked=True
)


def configuration(port: int, servers: Sequence[int]) -> str:
    """Returns the configuration without TLS: for a port of 127.0.0.1, in front of servers on other ports."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    text = re.sub(r"\n *bind .*", "", text)
    text = re.sub(r"\n *http-request redirect .*", f"\n    bind 127.0.0.1:{port}", text)
    text = re.sub(r"\n *(resolvers names|parse-resolv-conf|default-server resolvers).*", "", text)
    text = re.sub(r"\n *server .*", "", text)
    lines = (f"    server server-{number} 127.0.0.1:{each}\n" for number, each in enumerate(servers, 1))
    return f"{text.rstrip()}\n{''.join(lines)}"


def start(folder: Path, port: int, servers: Sequence[int]) -> subprocess.Popen[str]:
    """Starts the proxy with its configuration and its log in an existing folder."""
    file = folder / CONFIGURATION.name
    file.write_text(configuration(port, servers), encoding="utf-8")
    return PACKAGE.start([PACKAGE.find(), "-db", "-f", str(file)], folder / "log", lambda: is_listening(port))


def nginx_configuration(folder: Path, port: int, servers: Sequence[int]) -> str:
    """Returns the configuration of nginx without TLS and with all its files in a folder: else as `configuration`."""
    text = NGINX_CONFIGURATION.read_text(encoding="utf-8")
    text = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", text, flags=re.DOTALL)  # leads to TLS
    text = re.sub(r"\n *(ssl_|listen \[).*", "", text)
    text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    settings = re.findall(r"\n *server [0-9.]+:\d+(.*);", text)[0]
    text = re.sub(r"\n *server [0-9.]+:\d+.*", "", text)
    lines = "".join(f"    server 127.0.0.1:{each}{settings};\n" for each in servers)
    text = text.replace("    least_conn;\n", f"    least_conn;\n{lines}")
    return nginx_around(folder, text)


def nginx_around(folder: Path, text: str) -> str:
    """Returns a whole configuration of nginx, in one process with all its files in a folder, from a part of it."""
    places = "".join(f"{name}_temp_path {folder};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    first = f"daemon off;\nmaster_process off;\npid {folder}/pid;\nevents {{}}\n"
    return f"{first}http {{\naccess_log off;\n{places}{text}}}\n"


def start_nginx(folder: Path, port: int, servers: Sequence[int]) -> subprocess.Popen[str]:
    """Starts nginx with its configuration and its logs in an existing folder."""
    file = folder / NGINX_CONFIGURATION.name
    file.write_text(nginx_configuration(folder, port, servers), encoding="utf-8")
    command = [NGINX.find(), "-c", str(file), "-p", str(folder), "-e", str(folder / "errors")]
    return NGINX.start(command, folder / "log", lambda: is_listening(port))


def is_listening(port: int) -> bool:
    """Tells whether something accepts connections on a port of this machine."""
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def stop(proxy: subprocess.Popen[str]) -> None:
    """Ends the proxy and its connections."""
    proxy.kill()
    proxy.wait()


if __name__ == "__main__":
    for package in (PACKAGE, NGINX):
        package.ensure_or_tell()
