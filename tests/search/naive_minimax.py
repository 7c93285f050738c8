"""Naive twins of the searches: plain recursion over a game's naive twin, to be read rather than run fast.

A history is a list of position strings, the last one the position searched from: the root. The path is what the
search has put behind the root, with the root itself. Nothing is remembered and nothing is cut off but what a plain
`any` or `all` leaves out.
"""

from collections.abc import Callable
from types import ModuleType

Options = dict[str, object]
Evaluate = Callable[[str], int]

PLAYERS = {"renfa": "bw", "chefa": "bw", "badia": "bw", "sensei": "gr", "omba": "12"}
DRAWN_BY_REPETITION = ("renfa", "chefa", "sensei")
WIN = 30_000
CERTAIN = 10**9


def name_of(twin: ModuleType) -> str:
    """Gives the game's name: the last part of the module's."""
    return twin.__name__.split(".")[-2]


def is_settled(twin: ModuleType, position: str) -> bool:
    """Tells whether a turn has just ended; only a turn of Sensei is more than one action long."""
    return name_of(twin) != "sensei" or position.endswith(" 2,1")


def is_drawn(twin: ModuleType, path: list[str]) -> bool:
    """Tells whether the last string of the path stands on it a second time, where repetition draws."""
    if name_of(twin) not in DRAWN_BY_REPETITION or not is_settled(twin, path[-1]):
        return False
    return path[-1] in path[:-1]


def after(twin: ModuleType, options: Options, history: list[str], action: str) -> list[str]:
    """Gives the history with the position after an action."""
    return [*history, twin.play(options, history, action)]


# Who wins by force


def forced(twin: ModuleType, options: Options, history: list[str], depth: int) -> tuple[str | None, int | None]:
    """Gives who wins by force within `depth` plies and in how many: shortest for the winner, longest for the loser."""
    for distance in range(depth + 1):
        for player in PLAYERS[name_of(twin)]:
            if wins(twin, options, history, distance, player, len(history) - 1):
                return player, distance
    return None, None


def wins(twin: ModuleType, options: Options, history: list[str], depth: int, player: str, root: int) -> bool:
    """Tells whether a player wins by force within `depth` plies, whatever the opponent (or the die) does."""
    result = twin.result(options, history)
    if result is not None:
        return bool(result == player)
    if depth == 0 or is_drawn(twin, history[root:]):
        return False
    children = (
        wins(twin, options, after(twin, options, history, action), depth - 1, player, root)
        for action in twin.legal(options, history)
    )
    return any(children) if twin.mover(options, history[-1]) == player else all(children)


# What a position is worth


def minimax(twin: ModuleType, options: Options, history: list[str], depth: int, evaluate: Evaluate) -> int:
    """Gives the value for the mover: a win is 30000 less the plies it takes, a loss the negative, a draw 0."""
    return value(twin, options, history, depth, evaluate, len(history) - 1)


def value(twin: ModuleType, options: Options, history: list[str], depth: int, evaluate: Evaluate, root: int) -> int:
    """Gives the value for the mover of the last string, `len(history) - 1 - root` plies below the root."""
    mover = twin.mover(options, history[-1])
    result = twin.result(options, history)
    if result == "draw":
        return 0
    if result is not None:
        plies = len(history) - 1 - root
        return WIN - plies if result == mover else plies - WIN
    if is_drawn(twin, history[root:]):
        return 0
    if depth == 0:
        return evaluate(history[-1])
    values = []
    for action in twin.legal(options, history):
        child = after(twin, options, history, action)
        child_value = value(twin, options, child, depth - 1, evaluate, root)
        is_same_mover = twin.mover(options, child[-1]) == mover
        values.append(child_value if is_same_mover else -child_value)
    return max(values)


def expectation(twin: ModuleType, options: Options, history: list[str], depth: int, evaluate: Evaluate) -> int:
    """Gives the winning chance of player 1 in parts of 10**9, in a game of two players and a die."""
    result = twin.result(options, history)
    if result is not None:
        return CERTAIN if result == "1" else 0
    if depth == 0:
        return evaluate(history[-1])
    values = [
        expectation(twin, options, after(twin, options, history, action), depth - 1, evaluate)
        for action in twin.legal(options, history)
    ]
    mover = twin.mover(options, history[-1])
    if mover == "chance":
        return sum(values) // len(values)
    return max(values) if mover == "1" else min(values)
