"""Naive twin of Renfa-Bomba: slow, plain, written to be read beside docs/rules/contract.md."""

from functools import cache

Board = dict[str, str]  # cell name -> "B" or "W"; an empty cell is no key
Options = dict[str, object]

PIECE = {"b": "B", "w": "W"}
OTHER = {"b": "w", "w": "b"}
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


# ---- options and cells -----------------------------------------------------------------------


def option(options: Options, name: str, default: int) -> int:
    """Options may be partial: a missing one has its default."""
    value = options.get(name, default)
    assert isinstance(value, int)
    return value


def cell_name(column: int, row: int) -> str:
    """Column letter from a at the left, row number from 1 at the bottom."""
    return "abcdefgh"[column] + str(row + 1)


@cache
def all_cells(size: int) -> list[str]:
    """Every cell, in the order a position string writes them: top row down, left to right."""
    return [cell_name(column, row) for row in reversed(range(size)) for column in range(size)]


@cache
def lines_from(size: int) -> dict[str, list[list[str]]]:
    """For each cell the four lines of a rook: the cells met one after the other up to the edge."""
    lines: dict[str, list[list[str]]] = {}
    for column in range(size):
        for row in range(size):
            lines[cell_name(column, row)] = []
            for right, up in DIRECTIONS:
                line = []
                c, r = column + right, row + up
                while 0 <= c < size and 0 <= r < size:
                    line.append(cell_name(c, r))
                    c, r = c + right, r + up
                lines[cell_name(column, row)].append(line)
    return lines


@cache
def neighbours(size: int) -> dict[str, list[str]]:
    """Neighbours share an edge: the first cell of each line that has any."""
    return {cell: [line[0] for line in lines if line] for cell, lines in lines_from(size).items()}


# ---- position strings ------------------------------------------------------------------------


def read(size: int, position: str) -> tuple[Board, str, dict[str, int]]:
    """`board side hand`: the board, who is on move, the bombs still to place."""
    rows, side, hand = position.split(" ")
    letters = ""
    for letter in rows.replace("/", ""):
        letters += "." * int(letter) if letter.isdigit() else letter
    pairs = zip(all_cells(size), letters, strict=True)
    board = {cell: letter for cell, letter in pairs if letter != "."}
    black, white = hand.split(",")
    return board, side, {"b": int(black), "w": int(white)}


def write(size: int, board: Board, side: str, hand: dict[str, int]) -> str:
    """The one string of a position: top row first, a digit for a run of empty cells."""
    letters = [board.get(cell, ".") for cell in all_cells(size)]
    rows = []
    for first in range(0, size * size, size):
        row = "".join(letters[first : first + size])
        for run in range(size, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    return f"{'/'.join(rows)} {side} {hand['b']},{hand['w']}"


# ---- rules -----------------------------------------------------------------------------------


def placing(hand: dict[str, int]) -> bool:
    """Phase 1 lasts until all bombs of both players are placed."""
    return hand["b"] > 0 or hand["w"] > 0


def placements(size: int, board: Board) -> list[str]:
    """Phase 1: a bomb is put on an empty cell."""
    return [cell for cell in all_cells(size) if cell not in board]


def touching(size: int, board: Board, cell: str, piece: str) -> int:
    """How many neighbours of the cell hold a bomb of this colour."""
    return sum(1 for near in neighbours(size)[cell] if board.get(near) == piece)


def pinned(size: int, board: Board, cell: str, enemy: str) -> bool:
    """A bomb with two or more enemy neighbours is pinned."""
    return touching(size, board, cell, enemy) >= 2


def moves(size: int, board: Board, side: str) -> list[str]:
    """Phase 2: an own bomb that is not pinned moves like a rook over and onto empty cells only."""
    found = []
    for cell, piece in board.items():
        if piece != PIECE[side] or pinned(size, board, cell, PIECE[OTHER[side]]):
            continue
        for line in lines_from(size)[cell]:
            for target in line:
                if target in board:
                    break
                found.append(f"{cell}-{target}")
    return found


def detonations(size: int, board: Board, side: str) -> list[str]:
    """Phase 2: any enemy bomb with a bomb of the mover, pinned or not, as a neighbour."""
    return [
        f"*{cell}"
        for cell, piece in board.items()
        if piece == PIECE[OTHER[side]] and touching(size, board, cell, PIECE[side]) >= 1
    ]


def group(size: int, board: Board, cell: str) -> set[str]:
    """A bomb sets off its neighbours of either colour, those theirs, and so on."""
    exploded = {cell}
    waiting = [cell]
    while waiting:
        for near in neighbours(size)[waiting.pop()]:
            if near in board and near not in exploded:
                exploded.add(near)
                waiting.append(near)
    return exploded


def actions(size: int, board: Board, side: str, hand: dict[str, int]) -> list[str]:
    """The actions of the phase, sorted, whether or not the game is over."""
    if placing(hand):
        return sorted(placements(size, board))
    return sorted(moves(size, board, side) + detonations(size, board, side))


def shown_result(last: int, board: Board, hand: dict[str, int]) -> str | None:
    """Once all are placed, a player with `last` bombs or fewer has lost."""
    if placing(hand):
        return None
    pieces = list(board.values())
    black_lost = pieces.count("B") <= last
    white_lost = pieces.count("W") <= last
    # Ruling: if both have lost, the game is drawn; the one who detonated has no advantage.
    if black_lost and white_lost:
        return "draw"
    if black_lost:
        return "w"
    if white_lost:
        return "b"
    return None


def repeated(history: list[str]) -> bool:
    """The same position string stands for the third time; here every action ends a turn."""
    # Ruling: the sheet has no end for it, so it is a draw. (The first of the history is counted.)
    return history.count(history[-1]) >= 3


def ended(last: int, board: Board, hand: dict[str, int], history: list[str]) -> str | None:
    """The result by what the board shows, else by repetition."""
    return shown_result(last, board, hand) or ("draw" if repeated(history) else None)


# ---- interface -------------------------------------------------------------------------------


def start(options: Options) -> str:
    """An empty board, Black on move, all bombs in hand."""
    # Ruling: Black starts.
    bombs = option(options, "bombs", 6)
    return write(option(options, "size", 5), {}, "b", {"b": bombs, "w": bombs})


def mover(options: Options, position: str) -> str:
    """Whoever is on move per the string."""
    return position.split(" ")[1]


def legal(options: Options, history: list[str]) -> list[str]:
    """The sorted actions at the last position, none if the game is over."""
    size, last = option(options, "size", 5), option(options, "last", 1)
    board, side, hand = read(size, history[-1])
    if ended(last, board, hand, history) is not None:
        return []
    return actions(size, board, side, hand)


def play(options: Options, history: list[str], action: str) -> str:
    """The position after a legal action; then the other player is on move."""
    size = option(options, "size", 5)
    board, side, hand = read(size, history[-1])
    if action.startswith("*"):
        for cell in group(size, board, action[1:]):
            del board[cell]
    elif "-" in action:
        origin, target = action.split("-")
        board[target] = board.pop(origin)
    else:
        board[action] = PIECE[side]
        hand[side] -= 1
    return write(size, board, OTHER[side], hand)


def result(options: Options, history: list[str]) -> str | None:
    """None while playing, "draw", or the winner's letter."""
    size, last = option(options, "size", 5), option(options, "last", 1)
    board, side, hand = read(size, history[-1])
    outcome = ended(last, board, hand, history)
    # Ruling: a player without a legal action on their turn loses.
    if outcome is None and not actions(size, board, side, hand):
        return OTHER[side]
    return outcome
