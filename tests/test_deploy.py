"""The files for those who run a server: every name in them exists, and their own checkers find nothing."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from damier.cli.parser import parse
from damier.server.operations.metrics import Metrics
from damier.server.settings import ServerSettings

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "damier@.service"
GRACE = 10
"""Seconds that a server needs at most to end, after it was drained."""

KNOWN = {*map(str.upper, ServerSettings.model_fields), "HOME", "CACHE"}
"""The settings that can be given in the environment, after ``DAMIER_``."""

_METRIC = re.compile(r"\b(?:damier|process)_[a-z_]+\b")


def samples() -> set[str]:
    """Returns the names of all samples that a server gives."""
    metrics = Metrics()
    metrics.answered("/", "GET", 200, 0.1)
    return {
        name + suffix
        for family in metrics.registry.collect()
        for name, suffixes in (
            (
                family.name,
                {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum"), "info": ("_info",)}.get(
                    family.type, ("",)
                ),
            ),
        )
        for suffix in suffixes
    }


def test_every_metric_of_the_dashboard_exists() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [each["query"] for each in board["templating"]["list"] if each["type"] == "query"]
    named = {name for text in asked for name in _METRIC.findall(text)}
    assert len(named) > 15
    assert named - samples() == set()


def test_every_metric_of_the_server_is_on_the_dashboard() -> None:
    text = (DEPLOY / "grafana.json").read_text(encoding="utf-8")
    families = [family.name for family in Metrics().registry.collect() if family.name.startswith("damier_")]
    assert len(families) > 12
    assert [name for name in families if name not in text] == []


def test_the_panels_of_the_dashboard_do_not_overlap() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places)
    assert len({panel["id"] for panel in board["panels"]}) == len(places)


def test_the_dashboard_is_for_one_server_and_for_several() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text(encoding="utf-8"))
    (instance,) = [each for each in board["templating"]["list"] if each["name"] == "instance"]
    assert instance["includeAll"]
    assert instance["multi"]
    for panel in board["panels"]:
        for target in panel["targets"]:
            text, legend = target["expr"], target["legendFormat"]
            metrics = _METRIC.findall(text)
            assert text.count('instance=~"$instance"') == len(metrics), text
            is_one_line = re.match(r"(histogram_quantile\([0-9.]+, )?(sum|max|count)\b", text)
            assert is_one_line or "{{instance}}" in legend, text  # else a line for each server has no name


# The image


def test_the_linter_of_dockerfiles_finds_nothing() -> None:
    hadolint = Path(sysconfig.get_path("scripts")) / "hadolint"
    found = subprocess.run([hadolint, DEPLOY / "Dockerfile"], capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (0, "")


def test_the_image_copies_what_exists_and_what_is_sent_to_the_builder() -> None:
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] == "!"}
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    copied = {word for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE) for word in line.split()[:-1]}
    assert copied == sent
    assert all((ROOT / name).exists() for name in copied)


def test_the_image_has_the_drivers_of_postgresql_and_redis() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    (extras,) = re.findall(r'"\.\[([a-z,]+)\]"', text)
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {"postgresql", "redis"} <= set(extras.split(",")) <= set(known)


def test_the_image_does_not_run_as_root_and_its_settings_exist() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    last = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER (?!0$|root$)\S+$", last, re.MULTILINE)
    assert set(re.findall(r"\bDAMIER_([A-Z_]+)=", last)) <= KNOWN


def test_the_image_lets_its_user_write_where_compiled_kernels_are() -> None:
    last = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[2]
    (user,) = re.findall(r"^USER (\d+)$", last, re.MULTILINE)
    (folder,) = re.findall(r"DAMIER_CACHE=(\S+)", last)
    assert f"COPY --from=build --chown={user}:{user} /build/cache {folder}\n" in last  # else none of them is used


# The unit


def unit() -> dict[str, dict[str, list[str]]]:
    """Returns the settings of the systemd unit by section and name; a name may occur several times."""
    found: dict[str, dict[str, list[str]]] = {}
    section: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            name, equals, value = line.partition("=")
            assert equals, line
            section.setdefault(name, []).append(value)
    return found


def environment() -> dict[str, str]:
    """Returns the settings that all servers of a machine have."""
    lines = (DEPLOY / "environment").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_unit_starts_a_command_that_exists_and_not_as_root() -> None:
    service = unit()["Service"]
    (command,) = service["ExecStart"]
    program, *words = command.replace("%i", "8001").split()
    assert program == "/opt/damier/bin/damier"
    given = parse(words)  # raises if it is wrong
    assert (given.browser, given.port) == (False, 8001)
    assert service["User"] == ["damier"]
    assert {each.removeprefix("DAMIER_").partition("=")[0] for each in service["Environment"]} <= KNOWN


def test_a_server_has_time_to_drain_before_systemd_kills_it() -> None:
    (seconds,) = unit()["Service"]["TimeoutStopSec"]
    assert int(seconds) > int(environment()["DAMIER_DRAIN_SECONDS"]) + GRACE


@pytest.mark.skipif(sys.platform != "linux", reason="systemd runs on Linux alone")
def test_the_checker_of_systemd_finds_nothing(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    assert analyze or os.environ.get("CI") != "true", "The tests of the unit need systemd."
    if analyze:
        text = UNIT.read_text(encoding="utf-8")
        here = text.replace("/opt/damier/bin/damier", sys.executable).replace("=damier\n", "=root\n", 2)
        file = tmp_path / "damier@8001.service"
        file.write_text(here, encoding="utf-8")
        found = subprocess.run([analyze, "verify", "--man=no", str(file)], capture_output=True, text=True)
        assert [line for line in found.stderr.splitlines() if "damier" in line] == []


def test_the_settings_of_the_unit_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment().items():
        assert name.removeprefix("DAMIER_") in KNOWN
        monkeypatch.setenv(name, value)
    settings = ServerSettings.read({})
    assert settings.origin == "https://damier.example.org"
    assert settings.trusted_proxies == "127.0.0.1"
    assert settings.redis
