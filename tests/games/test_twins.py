"""The rules against the naive twins ``tests/games/*/naive.py``, written by another hand from docs/rules/contract.md."""

import importlib
import random
from types import ModuleType
from typing import Any

import pytest

import damier
from tests.amounts import quick_and_slow
from tests.games.option_sets import OPTION_SETS, name_of
from tests.games.random_positions import random_position

POSITIONS = 20_000  # compared for each option set: half in games from the start, half from random positions
SAMPLE = 400  # of them in a quick run
LONGEST = 400  # actions of a game; a game is cut off there


@pytest.mark.parametrize("positions", quick_and_slow(SAMPLE, POSITIONS))
@pytest.mark.parametrize("from_start", [True, False], ids=["from the start", "from random positions"])
@pytest.mark.parametrize(("name", "options"), OPTION_SETS, ids=[name_of(option_set) for option_set in OPTION_SETS])
def test_rules_and_naive_twin_agree(name: str, options: dict[str, Any], from_start: bool, positions: int) -> None:
    game = damier.load(name, **options)
    twin = importlib.import_module(f"tests.games.{name}.naive")
    rng = random.Random(f"{name} {options} {from_start}")
    assert str(game.start) == twin.start(options)
    compared = 0
    ended = 0
    while compared < positions // 2:
        start = str(game.start) if from_start else random_position(name, options, rng)
        count, is_over = compare_game(game, twin, options, start, rng, LONGEST if from_start else 12)
        compared += count
        ended += is_over
    assert ended > 0 or positions == SAMPLE


def compare_game(
    game: damier.Game, twin: ModuleType, options: dict[str, Any], start: str, rng: random.Random, longest: int
) -> tuple[int, bool]:
    """Plays a random game in both and returns how many positions were compared and whether it came to an end."""
    record = game.record(start)
    history = [start]
    for count in range(1, longest + 1):
        result = record.result
        expected = twin.result(options, history)
        assert (result.text if result else None) == expected, history
        actions = record.actions()
        assert actions == twin.legal(options, history), history
        assert record.mover == twin.mover(options, history[-1]), history
        assert str(game.parse(history[-1])) == history[-1]
        if expected:
            return count, True
        action = rng.choice(actions)
        record.play(action)
        history.append(twin.play(options, history, action))
        assert str(record.position) == history[-1], (history, action)
    return longest, False
