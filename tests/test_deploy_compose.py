"""The compose file: services fit each other, do not run as root, and have settings that exist; it holds no secret."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from damier.server.settings import ServerSettings
from tests.test_deploy import DEPLOY, GRACE, KNOWN

TEXT = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
FILE: dict[str, Any] = YAML(typ="safe").load(TEXT)
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
SERVERS = [name for name, service in SERVICES.items() if service["image"] == "damier"]
GIVEN = {"DAMIER_SITE": "damier.example.org", "DATABASE_PASSWORD": "a secret", "DAMIER_CONTACT": ""}
"""What an operator writes into the file ``.env``."""


def filled(text: str) -> str:
    """Returns a value with the variables of the file ``.env``."""
    return re.sub(r"\$\{([A-Z_]+)(:[?-][^}]*)?\}", lambda found: GIVEN[found[1]], text)


def test_there_are_two_servers_a_proxy_a_database_and_a_redis() -> None:
    assert SERVERS == ["server-1", "server-2"]
    assert sorted(SERVICES) == ["postgresql", "proxy", "redis", "server-1", "server-2"]


def test_the_settings_of_the_servers_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("DAMIER_")]:
        monkeypatch.delenv(name)
    for name, value in SERVICES["server-1"]["environment"].items():
        assert name == "PGPASSWORD" or name.removeprefix("DAMIER_") in KNOWN
        monkeypatch.setenv(name, filled(value))
    settings = ServerSettings.read({})
    assert settings.origin == "https://damier.example.org"
    assert "@postgresql:" in settings.database
    assert "//redis:" in settings.redis
    assert [settings.trusted_proxies] == [each["subnet"] for each in FILE["networks"]["front"]["ipam"]["config"]]
    assert SERVICES["server-1"]["environment"] == SERVICES["server-2"]["environment"]


def test_servers_have_time_to_drain_before_they_are_killed() -> None:
    for name in SERVERS:
        grace = int(SERVICES[name]["stop_grace_period"].removesuffix("s"))
        assert grace > int(SERVICES[name]["environment"]["DAMIER_DRAIN_SECONDS"]) + GRACE


def test_nothing_runs_with_more_rights_than_it_needs() -> None:
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "cap_add" not in service, name
        assert "user" in service or (name in SERVERS and "\nUSER 10001\n" in image) or name == "proxy", name
    assert SERVICES["proxy"]["image"].startswith("haproxy:")  # whose image does not run as root


def test_everything_but_a_server_has_a_check_of_its_health_and_servers_have_that_of_the_image() -> None:
    assert [name for name, service in SERVICES.items() if "healthcheck" not in service] == SERVERS
    assert "HEALTHCHECK" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_servers_start_when_database_and_redis_are_healthy() -> None:
    for name in SERVERS:
        waits = SERVICES[name]["depends_on"]
        assert {other: each["condition"] for other, each in waits.items()} == dict.fromkeys(
            ("postgresql", "redis"), "service_healthy"
        )


def test_only_the_proxy_can_be_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert FILE["networks"]["back"]["internal"]
    assert [name for name, service in SERVICES.items() if service["networks"] == ["back"]] == ["postgresql", "redis"]


def test_what_must_be_kept_is_in_volumes_that_exist() -> None:
    mounts = [mount.split(":")[:2] for service in SERVICES.values() for mount in service.get("volumes", ())]
    named = {source for source, _ in mounts if not source.startswith(".")}
    assert named == set(FILE["volumes"])
    assert {"/var/lib/postgresql/data", "/var/lib/damier"} < {target for _, target in mounts}
    assert all((DEPLOY / source).is_file() for source, _ in mounts if source.startswith("."))


def test_the_proxy_knows_the_servers() -> None:
    addresses = {f"DAMIER_SERVER_{number}": f"{name}:8000" for number, name in enumerate(SERVERS, 1)}
    assert SERVICES["proxy"]["environment"] == addresses
    known = re.findall(r"presetenv (\S+)", (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8"))
    assert known == list(addresses)
    assert "DAMIER_PORT=8000" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_no_secret_is_in_the_file() -> None:
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            if "PASSWORD" in name:
                assert re.fullmatch(r"\$\{[A-Z_]+:\?[^}]+\}", value), name  # without it nothing starts
    assert re.fullmatch(r"\$\{[A-Z_]+:\?[^}]+\}", FILE["secrets"]["certificate"]["file"])
    ignored = Path(DEPLOY.parent, ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "deploy/.env" in ignored
