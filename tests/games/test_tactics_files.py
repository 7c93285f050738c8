"""The tactics files, written by ``tools/tactics.py``: they can be read, and the naive search confirms a sample."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import damier
from tests.search import naive_minimax as minimax

FOLDER = Path(__file__).parent
FORCED = ["renfa", "chefa", "badia", "sensei"]
FEWEST = 50  # positions of a file
MOST_TRIVIAL = 1 / 5  # of the positions of a game with long turns are won within the first

# What plain Python can go through: how many positions, at most, of which game and distance.
SAMPLE = [
    ("renfa", 3, 20),
    ("renfa", 5, 2),
    pytest.param("renfa", 5, 6, marks=pytest.mark.slow),
    ("chefa", 3, 20),
    ("chefa", 5, 3),
    pytest.param("chefa", 5, 8, marks=pytest.mark.slow),
    ("badia", 3, 20),
    ("badia", 5, 5),
    pytest.param("badia", 5, 20, marks=pytest.mark.slow),
    ("badia", 7, 1),
    ("sensei", 3, 10),
    pytest.param("sensei", 5, 1, marks=pytest.mark.slow),
]


class Tactic(NamedTuple):
    """A line of a file; the distance is None where the file gives none."""

    position: str
    winner: str
    distance: int | None
    winning: list[str]


def tactics(name: str) -> list[Tactic]:
    """Reads a file."""
    found = []
    for line in (FOLDER / name / "tactics.txt").read_text().splitlines():
        if not line.startswith("#"):
            position, winner, *distance, winning = line.split("; ")
            found.append(Tactic(position, winner, int(distance[0]) if distance else None, winning.split(" ")))
    return found


def twin_of(name: str) -> ModuleType:
    """Gives a game's naive twin."""
    return importlib.import_module(f"tests.games.{name}.naive")


def winning_actions(twin: ModuleType, tactic: Tactic, distance: int) -> list[str]:
    """Lists the first actions that win by force within a number of plies, by the naive search."""
    history = [tactic.position]
    return [
        action
        for action in twin.legal({}, history)
        if minimax.wins(twin, {}, minimax.after(twin, {}, history, action), distance - 1, tactic.winner, root=0)
    ]


@pytest.mark.parametrize("name", damier.games())
def test_every_line_is_an_undecided_position_with_some_of_its_actions(name: str) -> None:
    game = damier.load(name)
    found = tactics(name)
    assert len(found) >= FEWEST
    assert len({tactic.position for tactic in found}) == len(found)
    for tactic in found:
        position = game.parse(tactic.position)
        actions = position.actions()
        assert position.result is None, tactic
        assert position.mover == tactic.winner, tactic
        assert tactic.winning == sorted(set(tactic.winning)), tactic
        assert set(tactic.winning) <= set(actions), tactic
        assert 0 < len(tactic.winning) <= min(10, len(actions) // 2), tactic


@pytest.mark.parametrize("name", FORCED)
def test_distances_are_spread(name: str) -> None:
    distances = [tactic.distance for tactic in tactics(name)]
    assert {3, 5, 7} <= set(distances) <= set(range(3, 10))


def test_few_wins_take_only_one_turn_of_three_actions() -> None:
    distances = [tactic.distance or 0 for tactic in tactics("sensei")]
    assert sum(distance <= 3 for distance in distances) <= MOST_TRIVIAL * len(distances)


@pytest.mark.parametrize(("name", "distance", "most"), SAMPLE)
def test_the_naive_search_finds_the_same_distance_and_actions(name: str, distance: int, most: int) -> None:
    twin = twin_of(name)
    sample = [tactic for tactic in tactics(name) if tactic.distance == distance][:most]
    assert sample
    for tactic in sample:
        assert minimax.forced(twin, {}, [tactic.position], distance) == (tactic.winner, distance), tactic
        assert winning_actions(twin, tactic, distance) == tactic.winning, tactic


@pytest.mark.parametrize("name", FORCED)
def test_naive_minimax_gives_the_distance_too(name: str) -> None:
    tactic = next(tactic for tactic in tactics(name) if tactic.distance == 3)
    value = minimax.minimax(twin_of(name), {}, [tactic.position], 3, lambda _: 0)
    assert value == minimax.WIN - 3


def test_the_naive_search_confirms_the_wins_that_are_certain_whatever_is_rolled() -> None:
    twin = twin_of("omba")
    for tactic in tactics("omba"):
        assert minimax.forced(twin, {}, [tactic.position], 1) == (None, None), tactic
        assert winning_actions(twin, tactic, 2) == tactic.winning, tactic
        value = minimax.expectation(twin, {}, [tactic.position], 2, lambda _: minimax.CERTAIN // 2)
        assert value == (minimax.CERTAIN if tactic.winner == "1" else 0), tactic
