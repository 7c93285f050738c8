"""Omba, the naive twin: slow, and written from docs/rules/contract.md alone.

The board is a dict from cell name to a stack: player digits from bottom to top, "" when empty.

    a3 b3 c3
    a2 b2 c2      Entry cells: b1 a2 c2 b3.
    a1 b1 c1
"""

from dataclasses import dataclass
from functools import lru_cache

CELLS = [letter + number for letter in "abc" for number in "123"]
ENTRIES = ["b1", "a2", "c2", "b3"]
PIECES_EACH = {2: 6, 3: 4, 4: 3}
ROLLS = ["roll:1", "roll:2", "roll:3", "roll:4", "roll:5", "roll:6"]
NEIGHBOURS = {
    "a1": ["a2", "b1"],
    "b1": ["a1", "b2", "c1"],
    "c1": ["b1", "c2"],
    "a2": ["a1", "a3", "b2"],
    "b2": ["a2", "b1", "b3", "c2"],
    "c2": ["b2", "c1", "c3"],
    "a3": ["a2", "b3"],
    "b3": ["a3", "b2", "c3"],
    "c3": ["b3", "c2"],
}


@dataclass
class Position:
    """Holds the five fields of a position string; players are digits, as in the stacks."""

    board: dict[str, str]
    side: str
    hand: dict[str, int]
    die: str
    out: list[str]


# Position strings


def read(text: str) -> Position:
    """Reads a position string."""
    board_text, side, hand_text, die, out_text = text.split(" ")
    board: dict[str, str] = {}
    for number, row in zip("321", board_text.split("/"), strict=True):
        for letter, stack in zip("abc", row.split(","), strict=True):
            board[letter + number] = "" if stack == "-" else stack
    counts = [int(count) for count in hand_text.split(",")]
    return Position(
        board=board,
        side=side,
        hand={str(player): count for player, count in enumerate(counts, start=1)},
        die=die,
        out=[] if out_text == "-" else out_text.split(","),
    )


def write(position: Position) -> str:
    """Writes a position string."""
    rows = []
    for number in "321":
        rows.append(",".join(position.board[letter + number] or "-" for letter in "abc"))
    hand = ",".join(str(count) for count in position.hand.values())
    out = ",".join(position.out) or "-"
    return f"{'/'.join(rows)} {position.side} {hand} {position.die} {out}"


# The players in and out


def players_left(position: Position) -> list[str]:
    """Lists the players who are not out."""
    return [player for player in position.hand if player not in position.out]


def shown_winner(position: Position) -> str | None:
    """Tells the last player left, who wins."""
    left = players_left(position)
    return left[0] if len(left) == 1 else None


def pass_turn(position: Position) -> None:
    """Gives the turn to the next player still in, who is to roll."""
    players = list(position.hand)
    place = players.index(position.side)
    in_turn_order = players[place + 1 :] + players[: place + 1]
    position.side = next(player for player in in_turn_order if player not in position.out)
    position.die = "-"


# The actions for the number rolled


def ends(board: dict[str, str], targets: list[str], level: int, points: int, visited: list[str]) -> set[str]:
    """Finds where a piece at a level can end that steps to one of the targets and goes on."""
    found: set[str] = set()
    for target in targets:
        # Ruling: no cell twice in one move, the starting cell included.
        if target in visited:
            continue
        height = len(board[target])
        cost = 1 + abs(level - height)
        if cost == points:
            found.add(target)
        elif cost < points:
            onward = NEIGHBOURS[target]
            found |= ends(board, onward, height, points - cost, [*visited, target])
    return found


def arrivals(position: Position) -> list[str]:
    """Lists the actions that bring in a piece from the hand, using exactly the points rolled."""
    if position.hand[position.side] == 0:
        return []
    # Ruling: coming in counts as a step from level 0 outside onto any entry cell.
    reached = ends(position.board, ENTRIES, level=0, points=int(position.die), visited=[])
    return [f"@{cell}" for cell in reached]


def moves(position: Position) -> list[str]:
    """Lists the moves of own pieces on top of their stacks, using exactly the points rolled."""
    actions = []
    for origin in CELLS:
        stack = position.board[origin]
        if not stack.endswith(position.side):
            continue
        level = len(stack) - 1
        points = int(position.die)
        for cell in ends(position.board, NEIGHBOURS[origin], level, points, visited=[origin]):
            actions.append(f"{origin}-{cell}")
    return actions


@lru_cache(maxsize=4096)
def actions_after_roll(text: str) -> list[str]:
    """Lists the actions of the side to move for the number rolled, sorted."""
    position = read(text)
    return sorted(arrivals(position) + moves(position))


# What an action does


def roll(position: Position, number: str) -> None:
    """Sets the die; a roll that leaves its player without an action puts them out at once."""
    position.die = number
    if not actions_after_roll(write(position)):
        position.out.append(position.side)
        pass_turn(position)


def bring_in(position: Position, cell: str) -> None:
    """Puts a piece from the hand on top of the stack where it ends, and passes the turn."""
    position.hand[position.side] -= 1
    position.board[cell] += position.side
    pass_turn(position)


def move(position: Position, origin: str, cell: str) -> None:
    """Takes the top piece of one stack to the top of another, and passes the turn."""
    position.board[origin] = position.board[origin][:-1]
    position.board[cell] += position.side
    pass_turn(position)


# The interface of every naive twin


def start(options: dict[str, object]) -> str:
    """Gives the start: an empty board, 6, 4 or 3 pieces in the hands of 2, 3 or 4 players."""
    players = options.get("players", 2)
    assert isinstance(players, int)
    hand = ",".join([str(PIECES_EACH[players])] * players)
    return f"-,-,-/-,-,-/-,-,- 1 {hand} - -"


def mover(options: dict[str, object], position: str) -> str:
    """Tells the side to move, or "chance" when the die is due; the winner in a finished game."""
    now = read(position)
    if now.die == "-" and shown_winner(now) is None:
        return "chance"
    return now.side


def legal(options: dict[str, object], history: list[str]) -> list[str]:
    """Lists the legal actions, sorted; none when the game is over."""
    position = read(history[-1])
    if shown_winner(position) is not None:
        return []
    if position.die == "-":
        return list(ROLLS)
    return list(actions_after_roll(history[-1]))


def eliminate(position: str, player: str) -> str:
    """Gives the position string after a player of three or four has resigned or run out of time."""
    now = read(position)
    now.out.append(player)
    if now.side == player:
        pass_turn(now)
    elif len(players_left(now)) == 1:  # the winner, who needs no roll any more
        now.die = "-"
    return write(now)


def play(options: dict[str, object], history: list[str], action: str) -> str:
    """Gives the next position string."""
    position = read(history[-1])
    if action.startswith("roll:"):
        roll(position, action.removeprefix("roll:"))
    elif action.startswith("@"):
        bring_in(position, action.removeprefix("@"))
    else:
        origin, cell = action.split("-")
        move(position, origin, cell)
    return write(position)


def result(options: dict[str, object], history: list[str]) -> str | None:
    """Gives the winner, or None while two players or more are left."""
    return shown_winner(read(history[-1]))
