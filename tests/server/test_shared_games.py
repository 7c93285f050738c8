"""Matches of one game share its object; games that differ do not."""

import pytest

import damier
from damier.core.game import Game
from damier.server.matches import shared_games
from damier.server.matches.shared_games import shared_game


def test_equal_games_are_one_object_and_others_are_not() -> None:
    first, second = (shared_game(damier.load("renfa", bombs=5)) for _ in range(2))
    assert first is second
    assert shared_game(damier.load("renfa", bombs=6)) is not first
    assert shared_game(damier.load("chefa")) is not first


def test_few_games_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_games, "_KEPT", 2)
    monkeypatch.setattr(shared_games, "_games", type(shared_games._games)())
    first, second, third = (shared_game(damier.load("renfa", bombs=bombs)) for bombs in (4, 5, 6))
    assert shared_game(damier.load("renfa", bombs=6)) is third
    assert shared_game(damier.load("renfa", bombs=5)) is second
    assert shared_game(damier.load("renfa", bombs=4)) is not first


def test_a_game_that_is_registered_anew_is_another_one() -> None:
    game = damier.load("chefa")
    other = Game(type(game.definition)(**{**vars(game.definition)}))
    assert other == game
    assert shared_game(other) is not shared_game(game)
