"""What batches are compared with: every peer makes steps, and a project that is not installed is named."""

import sys

import pytest

from bench import peers
from damier.adapters import pettingzoo


def test_every_peer_makes_steps_and_missing_projects_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "STEPS", 60)
    monkeypatch.setattr(peers, "ROUND", 0.0)
    for package in ("pygame", "pgx"):
        monkeypatch.setitem(sys.modules, package, None)
    said: list[str] = []
    found = peers.all_peers(8, said.append)
    assert said == [
        "pygame is not installed, so the games of PettingZoo are left out: pip install pettingzoo pygame",
        "pgx is not installed, so the games of pgx are left out: pip install pgx",
    ]
    assert {title.split()[0] for title in (peer.title for peer in found)} == {"damier", "OpenSpiel"}
    for peer in found:
        steps, spent = peer.run()
        assert steps >= 8
        assert spent > 0


def test_environments_are_stepped_through_the_ends_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "STEPS", 40)
    env = pettingzoo.raw_env("renfa", max_actions=15)
    steps, spent = peers.pettingzoo_run(env)()
    assert steps == 40
    assert spent > 0
    assert env.unwrapped.played.record.count == 40 % 15
