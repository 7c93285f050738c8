"""Badia, the naive twin: slow, and written from docs/rules/contract.md alone.

The board is a dict from cell name to "B", "W" or "" (empty). History is a list of position
strings; the situation of a string is its board and its side to move, as text.

    a5 b5 c5 d5 e5      Squares: the twelve rim cells that are not arrows.
    a4          e4      Arrows: c1 a3 e3 c5.
    a3    c3    e3      Each rim cell touches the two next to it on the rim,
    a2          e2      c3 touches the four arrows.
    a1 b1 c1 d1 e1
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LEFT, TOP = ["a1", "a2", "a3", "a4"], ["a5", "b5", "c5", "d5"]
RIGHT, BOTTOM = ["e5", "e4", "e3", "e2"], ["e1", "d1", "c1", "b1"]
RIM = [*LEFT, *TOP, *RIGHT, *BOTTOM]
ARROWS = ["c1", "a3", "e3", "c5"]
SQUARES = [cell for cell in RIM if cell not in ARROWS]
CENTRE = "c3"
CELLS = [*RIM, CENTRE]
PAWN = {"b": "B", "w": "W"}
OTHER = {"b": "w", "w": "b"}


def neighbours(cell: str) -> list[str]:
    """Lists the cells that a cell touches: two along the rim, and arrows with the centre."""
    if cell == CENTRE:
        return ARROWS
    place = RIM.index(cell)
    along_the_rim = [RIM[place - 1], RIM[(place + 1) % len(RIM)]]
    return [*along_the_rim, CENTRE] if cell in ARROWS else along_the_rim


TOUCHING = {cell: neighbours(cell) for cell in CELLS}


@dataclass
class Position:
    """Holds the five fields of a position string."""

    board: dict[str, str]
    side: str
    hand: dict[str, int]
    marker: dict[str, str]
    pending: str


# Position strings


def read_board(text: str) -> dict[str, str]:
    """Reads the board field: rows from the top down, a digit for a run of empty cells."""
    for run in "54321":
        text = text.replace(run, " " * int(run))
    board: dict[str, str] = {}
    for number, row in zip("54321", text.split("/"), strict=True):
        for letter, piece in zip("abcde", row, strict=True):
            if piece != ".":
                board[letter + number] = piece.strip()
    return board


def write_board(board: dict[str, str]) -> str:
    """Writes the board field, the cells that do not exist as dots, the longest runs first."""
    rows = []
    for number in "54321":
        rows.append("".join([board.get(letter + number, ".") or " " for letter in "abcde"]))
    text = "/".join(rows)
    for run in "54321":
        text = text.replace(" " * int(run), run)
    return text


def read(text: str) -> Position:
    """Reads a position string."""
    board, side, hand, marker, pending = text.split(" ")
    black_hand, white_hand = hand.split(",")
    black_marker, white_marker = marker.split(",")
    return Position(
        board=read_board(board),
        side=side,
        hand={"b": int(black_hand), "w": int(white_hand)},
        marker={"b": black_marker, "w": white_marker},
        pending=pending,
    )


def write(position: Position) -> str:
    """Writes a position string."""
    hand = f"{position.hand['b']},{position.hand['w']}"
    marker = f"{position.marker['b']},{position.marker['w']}"
    return f"{write_board(position.board)} {position.side} {hand} {marker} {position.pending}"


# The actions a position offers, earlier situations not yet considered


def placements(position: Position) -> Iterator[str]:
    """Yields phase 1: a pawn on an empty square cell (not an arrow, not c3)."""
    for cell in SQUARES:
        if position.board[cell] == "":
            yield cell


def choices(position: Position) -> Iterator[str]:
    """Yields the owner's choice: their displaced pawn on any cell empty after the move."""
    for cell in CELLS:
        if position.board[cell] == "":
            yield f">{cell}"


def moves(position: Position) -> Iterator[str]:
    """Yields phase 2: one own pawn, not the marked one, to a touching cell without own pawn."""
    own = PAWN[position.side]
    for origin in CELLS:
        if position.board[origin] != own or origin == position.marker[position.side]:
            continue
        for target in TOUCHING[origin]:
            if position.board[target] == own:
                continue
            if position.board[target] == "":
                yield f"{origin}-{target}"
            elif target in SQUARES:
                yield f"{origin}={target}"
            elif target == CENTRE:
                yield from moves_onto_centre(position.board, origin)
            else:
                yield from moves_onto_arrow(position.board, origin, target)


def moves_onto_centre(board: dict[str, str], origin: str) -> Iterator[str]:
    """Yields enemy on c3: the mover puts it on any empty square or arrow cell."""
    # Ruling: empty is judged before the move, so the origin is no destination: it is still held.
    for cell in RIM:
        if board[cell] == "":
            yield f"{origin}-{CENTRE}>{cell}"


def moves_onto_arrow(board: dict[str, str], origin: str, target: str) -> Iterator[str]:
    """Yields enemy on an arrow: to c3 if empty, else to an empty arrow, else its owner chooses."""
    # Ruling: empty is judged before the move, so a mover leaving c3 does not make it empty.
    empty_arrows = [cell for cell in ARROWS if board[cell] == ""]
    if board[CENTRE] == "":
        yield f"{origin}-{target}>{CENTRE}"
    elif empty_arrows:
        for cell in empty_arrows:
            yield f"{origin}-{target}>{cell}"
    else:
        yield f"{origin}-{target}>?"


def candidates(position: Position) -> list[str]:
    """Lists the actions of the phase the position is in."""
    if position.pending != "-":
        return sorted(choices(position))
    if position.hand[position.side] > 0:
        return sorted(placements(position))
    return sorted(moves(position))


# What an action does


def place(position: Position, cell: str) -> None:
    """Puts a pawn from the hand on the cell, and passes the turn."""
    # Ruling: placing sets no marker.
    position.board[cell] = PAWN[position.side]
    position.hand[position.side] -= 1
    position.side = OTHER[position.side]


def choose(position: Position, cell: str) -> None:
    """Puts the owner's displaced pawn back, its marker with it; the owner stays on move."""
    position.board[cell] = PAWN[position.side]
    if position.pending == "m":
        position.marker[position.side] = cell
    position.pending = "-"


def move(position: Position, origin: str, target: str, displaced_to: str) -> None:
    """Moves a pawn with the mover's marker, and the enemy pawn on the target with its own."""
    mover_side, enemy_side = position.side, OTHER[position.side]
    is_enemy_marked = position.marker[enemy_side] == target
    position.board[origin] = ""
    position.board[target] = PAWN[mover_side]
    position.marker[mover_side] = target
    position.side = enemy_side
    if displaced_to == "?":
        position.pending = "m" if is_enemy_marked else "p"
        if is_enemy_marked:
            position.marker[enemy_side] = "-"
    elif displaced_to != "":
        position.board[displaced_to] = PAWN[enemy_side]
        if is_enemy_marked:
            position.marker[enemy_side] = displaced_to


@lru_cache(maxsize=4096)
def after(text: str, action: str) -> str:
    """Gives the position string that follows an action."""
    position = read(text)
    if action.startswith(">"):
        choose(position, action[1:])
    elif "=" in action:
        origin, target = action.split("=")
        move(position, origin, target, displaced_to=origin)
    elif "-" in action:
        origin, path = action.split("-")
        target, _, displaced_to = path.partition(">")
        move(position, origin, target, displaced_to)
    else:
        place(position, action)
    return write(position)


# The end, and the forbidden return


def has_goal(board: dict[str, str], side: str) -> bool:
    """Tells the goal: 5 own pawns in one connected block, c3 not in it, exactly one arrow in it."""
    pawns = [cell for cell in CELLS if board[cell] == PAWN[side]]
    if len(pawns) != 5 or CENTRE in pawns:
        return False
    if len([cell for cell in pawns if cell in ARROWS]) != 1:
        return False
    block = [pawns[0]]
    for cell in block:
        block += [near for near in TOUCHING[cell] if near in pawns and near not in block]
    return len(block) == 5


def shown_winner(position: Position) -> str | None:
    """Tells who has reached the goal; of both, the one who acted, taken as the one not on move."""
    # The side on move acted only when it answered with a choice. The other had not reached
    # their goal before it, or the game had ended, and a choice moves none of their pawns.
    for side in (OTHER[position.side], position.side):
        if has_goal(position.board, side):
            return side
    return None


@lru_cache(maxsize=4096)
def situation(text: str) -> str | None:
    """Gives the situation of a string, or None when it does not stand at the end of a turn."""
    # Ruling: the placement of all pawns plus the player to move, markers left out.
    board, side, _, _, pending = text.split(" ")
    return f"{board} {side}" if pending == "-" else None


def returning(history: list[str], actions: list[str]) -> set[str]:
    """Finds the actions that would complete a turn into an earlier situation."""
    earlier = {situation(text) for text in history} - {None}
    return {action for action in actions if situation(after(history[-1], action)) in earlier}


# The interface of every naive twin


def start(options: dict[str, object]) -> str:
    """Gives the start: an empty board, five pawns in each hand."""
    return "5/1...1/1.1.1/1...1/5 b 5,5 -,- -"


def mover(options: dict[str, object], position: str) -> str:
    """Tells the side to move."""
    return read(position).side


def legal(options: dict[str, object], history: list[str]) -> list[str]:
    """Lists the legal actions, sorted; none when the game is over."""
    position = read(history[-1])
    if shown_winner(position) is not None:
        return []
    actions = candidates(position)
    forbidden = returning(history, actions)
    allowed = [action for action in actions if action not in forbidden]
    # Ruling: when every cell is illegal for the choosing owner, all are allowed.
    if position.pending != "-" and not allowed:
        return actions
    return allowed


def play(options: dict[str, object], history: list[str], action: str) -> str:
    """Gives the next position string."""
    return after(history[-1], action)


def result(options: dict[str, object], history: list[str]) -> str | None:
    """Gives the winner: by the goal, or because the side to move has no legal action."""
    position = read(history[-1])
    winner = shown_winner(position)
    if winner is None and not legal(options, history):
        return OTHER[position.side]
    return winner
