"""Naive twin of Chefa: slow, plain, written to be read beside docs/rules/contract.md."""

Board = dict[str, str]  # cell name -> "B" or "W"; an empty cell is no key
Options = dict[str, object]

SIZE = 5
PAWNS = 4
HOLE = "c3"
PIECE = {"b": "B", "w": "W"}
OTHER = {"b": "w", "w": "b"}
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


# ---- cells -----------------------------------------------------------------------------------


def cell_name(column: int, row: int) -> str:
    """Column letter from a at the left, row number from 1 at the bottom."""
    return "abcde"[column] + str(row + 1)


def line_from(column: int, row: int, right: int, up: int) -> list[str]:
    """The cells met one after the other from a cell in one direction up to the edge."""
    line = []
    column, row = column + right, row + up
    while 0 <= column < SIZE and 0 <= row < SIZE:
        line.append(cell_name(column, row))
        column, row = column + right, row + up
    return line


# Every cell, in the order a position string writes them: top row down, left to right.
CELLS = [cell_name(column, row) for row in reversed(range(SIZE)) for column in range(SIZE)]

# For each cell the four lines along its row and its column.
LINES = {
    cell_name(column, row): [line_from(column, row, right, up) for right, up in DIRECTIONS]
    for column in range(SIZE)
    for row in range(SIZE)
}

# Edge neighbours: the first cell of each line that has any.
NEIGHBOURS = {cell: [line[0] for line in lines if line] for cell, lines in LINES.items()}

# The 2x2 squares of the board.
SQUARES = [
    {cell_name(c, r), cell_name(c + 1, r), cell_name(c, r + 1), cell_name(c + 1, r + 1)}
    for c in range(SIZE - 1)
    for r in range(SIZE - 1)
]


# ---- position strings ------------------------------------------------------------------------


def read(position: str) -> tuple[Board, str, dict[str, int], str]:
    """`board side hand ko`: the board, who is on move, the pawns still to place, the ko."""
    rows, side, hand, ko = position.split(" ")
    letters = ""
    for letter in rows.replace("/", ""):
        letters += "." * int(letter) if letter.isdigit() else letter
    pairs = zip(CELLS, letters, strict=True)
    board = {cell: letter for cell, letter in pairs if letter != "."}
    black, white = hand.split(",")
    return board, side, {"b": int(black), "w": int(white)}, ko


def write(board: Board, side: str, hand: dict[str, int], ko: str) -> str:
    """The one string of a position: top row first, a digit for a run of empty cells, c3 empty."""
    letters = [board.get(cell, ".") for cell in CELLS]
    rows = []
    for first in range(0, SIZE * SIZE, SIZE):
        row = "".join(letters[first : first + SIZE])
        for run in range(SIZE, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    return f"{'/'.join(rows)} {side} {hand['b']},{hand['w']} {ko}"


def ko_of(origin: str, target: str) -> str:
    """The ko is written as the two cells of the swap in alphabetical order."""
    return ",".join(sorted([origin, target]))


# ---- rules -----------------------------------------------------------------------------------


def placing(hand: dict[str, int]) -> bool:
    """Phase 1 lasts until all eight pawns are placed."""
    return hand["b"] > 0 or hand["w"] > 0


def own_cells(board: Board, side: str) -> list[str]:
    """The cells of a player's pawns."""
    return [cell for cell, piece in board.items() if piece == PIECE[side]]


def placements(board: Board) -> list[str]:
    """Phase 1: a pawn is put on an empty cell other than c3."""
    return [cell for cell in CELLS if cell not in board and cell != HOLE]


def steps(board: Board, side: str) -> list[str]:
    """Phase 2: an own pawn goes to an edge-neighbouring empty cell, not c3."""
    return [
        f"{cell}-{target}"
        for cell in own_cells(board, side)
        for target in NEIGHBOURS[cell]
        if target not in board and target != HOLE
    ]


def first_pawn(board: Board, line: list[str]) -> str | None:
    """The first occupied cell of a line; c3 counts as empty, so it is looked over."""
    for cell in line:
        if cell in board:
            return cell
    return None


def swaps(board: Board, side: str, ko: str) -> list[str]:
    """Phase 2: an own pawn exchanges places with an enemy in line, only empty cells between."""
    found = []
    for cell in own_cells(board, side):
        for line in LINES[cell]:
            target = first_pawn(board, line)
            if target is None or board[target] == PIECE[side]:
                continue
            if not forbidden_by_ko(cell, target, ko):
                found.append(f"{cell}={target}")
    return found


def forbidden_by_ko(origin: str, target: str, ko: str) -> bool:
    """Ko: a player may not undo the swap the opponent has just made."""
    return ko_of(origin, target) == ko


def actions(board: Board, side: str, hand: dict[str, int], ko: str) -> list[str]:
    """The actions of the phase, sorted, whether or not the game is over."""
    if placing(hand):
        return sorted(placements(board))
    return sorted(steps(board, side) + swaps(board, side, ko))


def aligned(cells: list[str]) -> bool:
    """All the cells lie in one row or in one column."""
    # Ruling: a gap is allowed, the pawns need not be adjacent.
    one_column = len({cell[0] for cell in cells}) == 1
    one_row = len({cell[1] for cell in cells}) == 1
    return one_row or one_column


def goal(board: Board, side: str) -> bool:
    """All 4 own pawns in one row or one column, or all 4 in a 2x2 square."""
    cells = own_cells(board, side)
    if len(cells) < PAWNS:
        return False
    return aligned(cells) or set(cells) in SQUARES


def shown_winner(board: Board, side: str) -> str | None:
    """Win test after every action, placements included; the player not on move has acted."""
    acted = OTHER[side]
    # Ruling: if both goals are complete the one who acted wins; if only the other's, the other.
    if goal(board, acted):
        return acted
    if goal(board, side):
        return side
    return None


def repeated(history: list[str]) -> bool:
    """The same position string stands for the third time; here every action ends a turn."""
    # Ruling: the sheet has no end for it, so it is a draw. (The first of the history is counted.)
    return history.count(history[-1]) >= 3


def ended(board: Board, side: str, history: list[str]) -> str | None:
    """The result by what the board shows, else by repetition."""
    return shown_winner(board, side) or ("draw" if repeated(history) else None)


# ---- interface -------------------------------------------------------------------------------


def start(options: Options) -> str:
    """An empty board, Black on move, four pawns in each hand, no ko."""
    # Ruling: Black starts.
    return write({}, "b", {"b": PAWNS, "w": PAWNS}, "-")


def mover(options: Options, position: str) -> str:
    """Whoever is on move per the string."""
    return position.split(" ")[1]


def legal(options: Options, history: list[str]) -> list[str]:
    """The sorted actions at the last position, none if the game is over."""
    board, side, hand, ko = read(history[-1])
    if ended(board, side, history) is not None:
        return []
    return actions(board, side, hand, ko)


def play(options: Options, history: list[str], action: str) -> str:
    """The position after a legal action; then the other player is on move, a ko for one turn."""
    board, side, hand, _ = read(history[-1])
    ko = "-"
    if "=" in action:
        origin, target = action.split("=")
        board[origin], board[target] = board[target], board[origin]
        ko = ko_of(origin, target)
    elif "-" in action:
        origin, target = action.split("-")
        board[target] = board.pop(origin)
    else:
        board[action] = PIECE[side]
        hand[side] -= 1
    return write(board, OTHER[side], hand, ko)


def result(options: Options, history: list[str]) -> str | None:
    """None while playing, "draw", or the winner's letter."""
    board, side, hand, ko = read(history[-1])
    outcome = ended(board, side, history)
    # Ruling: a player without a legal action on their turn loses.
    if outcome is None and not actions(board, side, hand, ko):
        return OTHER[side]
    return outcome
