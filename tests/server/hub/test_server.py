"""A server with a Redis: it plays as without one, also while Redis is gone, and refuses a wrong one with a sentence."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.hub.local import LocalHub
from damier.server.hub.redis_hub import RedisHub
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.served import SETTINGS, another_browser
from tools.redis import start, stop


def settings(folder: Path, redis: str = "", **more: object) -> ServerSettings:
    return ServerSettings.read({**SETTINGS, "database": str(folder / "matches.sqlite"), "redis": redis, **more})


def test_a_server_plays_on_while_redis_is_gone(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="damier-redis-") as folder:
        redis, address = start(Path(folder))
        services = Services(settings(tmp_path, address, matches_per_hour=2, matches_per_address=2))
        assert isinstance(services.hub, RedisHub)
        with TestClient(create_app(services)) as client:
            wanted = {"game": "chefa", "seats": ["me", "me"]}
            begun = client.post("/api/matches", json=wanted).json()
            stop(redis)
            found = client.get(f"/api/matches/{begun['number']}")
            assert found.status_code == 200
            other = another_browser(client)
            statuses = [other.post("/api/matches", json=wanted).status_code for _ in range(4)]
            assert statuses[-1] == 429  # from the server's own buckets
        assert redis.poll() != 0


def test_without_a_redis_nothing_of_it_is_imported() -> None:
    code = "import sys; import damier.server.app; sys.exit('redis' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_hub_is_that_of_one_process_by_default(tmp_path: Path) -> None:
    assert type(Services(settings(tmp_path)).hub) is LocalHub


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("redis://127.0.0.1:1/0", "Redis cannot be used: "),
        ("http://here", "'http://…' is no Redis: give an address such as redis://host:6379/0."),
    ],
)
def test_a_wrong_redis_ends_the_command_with_one_sentence(tmp_path: Path, address: str, sentence: str) -> None:
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--redis", address]
    ended = subprocess.run(
        [*command, "--database", str(tmp_path / "x.sqlite")], capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 2
    assert sentence in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1
