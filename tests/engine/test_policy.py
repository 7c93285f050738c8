"""Python functions as players of matches, and settings of entrants that exams use."""

from __future__ import annotations

import pytest

import damier
from damier.core.errors import BadArgument
from damier.engine.arena.entrants import parse_entrant
from damier.engine.arena.one_game import play_game
from damier.engine.levels import EnginePlayer, LevelPlayer
from damier.engine.limit import Limit
from damier.engine.methods.mcts import TreeSearch
from damier.engine.policy import PolicyPlayer

AGENTS = "python:tests.insight.exam.agents_for_exams:"
GAME = damier.load("renfa", bombs=3)


def test_a_function_plays_a_whole_game() -> None:
    players = [parse_entrant(AGENTS + name).make(GAME, 1) for name in ("first", "even")]
    played = play_game(GAME, players, Limit(), max_turns=40)
    assert played.culprit is None
    assert played.record.count > 6


def test_actions_are_drawn_by_their_probabilities_and_the_seed() -> None:
    def mostly(record: damier.Record) -> dict[str, float]:
        first, second, *_ = record.actions()
        return {first: 0.9, second: 0.1}

    draws = [
        [PolicyPlayer(mostly, "mostly", seed).choose(GAME.record(), Limit())[0] for seed in range(200)] for _ in "ab"
    ]
    assert draws[0] == draws[1]
    assert 160 < draws[0].count(GAME.record().actions()[0]) < 195


def test_a_function_that_fails_loses_the_game() -> None:
    players = [parse_entrant(AGENTS + name).make(GAME, 1) for name in ("broken", "first")]
    played = play_game(GAME, players, Limit())
    assert played.culprit == "b"
    assert played.note.startswith(f"The agent '{plain_name('broken')}' failed in the position ")


def plain_name(function: str) -> str:
    """Returns the name of an agent as sentences quote it: cut to 40 characters."""
    text = AGENTS + function
    return text if len(text) <= 40 else text[:39] + "…"


def test_simulations_limit_a_tree_search() -> None:
    entrant = parse_entrant("mcts@simulations=50,memory=4")
    assert entrant.limit == Limit()
    player = entrant.make(GAME, 0)
    assert isinstance(player, EnginePlayer)
    assert isinstance(player.engine.method, TreeSearch)
    *_, last = player.engine.analyse(GAME.record(), Limit())
    assert 50 <= last.nodes < 50 * 700
    assert player.choose(GAME.record(), Limit())[0] in GAME.start.actions()
    assert parse_entrant("mcts@simulations=50,nodes=9").limit == Limit(nodes=9)
    with pytest.raises(BadArgument, match="takes each of seconds, nodes, depth, threads, memory once"):
        parse_entrant("full@simulations=50")
    with pytest.raises(BadArgument, match="simulations takes a whole number from 1 to"):
        parse_entrant("mcts@simulations=0")


def test_an_entrant_may_be_denied_tables() -> None:
    for text in ("full", "level:8"):
        with_tables = parse_entrant(text).make(GAME, 0)
        without = parse_entrant(text, uses_tables=False).make(GAME, 0)
        for player, uses in ((with_tables, True), (without, False)):
            engine = player.engine if isinstance(player, EnginePlayer) else None
            if isinstance(player, LevelPlayer):
                engine = player._engine
            assert engine is not None
            assert engine._uses_tables == uses
