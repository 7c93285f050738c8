"""A naive solver of Omba for three with one piece each: from the naive twin of the rules, with position strings and
floating-point numbers.

A position is a string before a roll, with the players of the game: nobody is renamed. Of the strings that symmetries of
the board make of one another, the first stands for all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from tests.games.omba import naive

PLAYERS = ["1", "2", "3"]
ENOUGH = 1e-10

Vector = tuple[float, ...]  # by player


def players_in(text: str) -> list[str]:
    return naive.players_left(naive.read(text))


def turned(text: str) -> str:
    """Returns the first of the eight images of a position."""
    board, rest = text.split(" ", 1)
    rows = [row.split(",") for row in board.split("/")]
    images = []
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]  # a quarter turn
        images += [rows, [row[::-1] for row in rows]]
    return min("/".join(",".join(row) for row in image) for image in images) + " " + rest


@dataclass
class Node:
    """A position and what follows, by numbers in the list of all positions."""

    side: int
    """The player to roll, from 0."""

    outs: list[int]
    """Where each roll without an action leads."""

    afters: list[list[int]]
    """Where the actions lead, for each roll that has some."""


@cache
def nodes() -> dict[str, Node]:
    """Returns every position that can arise; a finished game has no rolls, and its winner as `side`."""
    waiting = [turned("-,-,-/-,-,-/-,-,- 1 1,1,1 - -")]
    numbers = {waiting[0]: 0}
    found: dict[str, Node] = {}

    def number(text: str) -> int:
        text = turned(text)
        if text not in numbers:
            numbers[text] = len(numbers)
            waiting.append(text)
        return numbers[text]

    for text in waiting:  # which grows
        node = found[text] = Node(int(naive.read(text).side) - 1, [], [])
        for roll in naive.ROLLS if len(players_in(text)) > 1 else []:
            rolled = naive.play({}, [text], roll)
            if naive.read(rolled).die == "-":
                node.outs.append(number(rolled))
            else:
                node.afters.append([number(naive.play({}, [rolled], each)) for each in naive.legal({}, [rolled])])
    return found


def iterated(chosen: Callable[[int, list[Vector]], Vector]) -> dict[str, Vector]:
    """Returns the numbers that reproduce themselves, from 0 on; `chosen` makes one vector of those of all actions."""
    everybody = range(len(PLAYERS))
    values: list[Vector] = [
        tuple(float(player == node.side and not node.outs and not node.afters) for player in everybody)
        for node in nodes().values()
    ]
    change = 1.0
    while change > ENOUGH:
        change = 0.0
        for place, node in enumerate(nodes().values()):
            if not node.outs and not node.afters:
                continue
            vectors = [values[after] for after in node.outs]
            vectors += [chosen(node.side, [values[after] for after in afters]) for afters in node.afters]
            new = tuple(sum(numbers) / 6 for numbers in zip(*vectors, strict=True))
            change = max(change, *(abs(a - b) for a, b in zip(new, values[place], strict=True)))
            values[place] = new
    return dict(zip(nodes(), values, strict=True))


def guaranteed(side: int, vectors: list[Vector]) -> Vector:
    """The side to move takes what is best for itself, and in the game of any other player what is worst for them."""
    return tuple(
        max(numbers) if player == side else min(numbers) for player, numbers in enumerate(zip(*vectors, strict=True))
    )


def helped(_side: int, vectors: list[Vector]) -> Vector:
    return tuple(max(numbers) for numbers in zip(*vectors, strict=True))


def nearly_tied(tie: float) -> Callable[[int, list[Vector]], Vector]:
    """Returns the rule of max-n: likelihoods fall evenly, from the best action to one that is `tie` worse."""

    def chosen(side: int, vectors: list[Vector]) -> Vector:
        best = max(vector[side] for vector in vectors)
        weights = [max(0.0, 1 - (best - vector[side]) / tie) for vector in vectors]
        return tuple(
            sum(weight * number for weight, number in zip(weights, numbers, strict=True)) / sum(weights)
            for numbers in zip(*vectors, strict=True)
        )

    return chosen
