"""The naive twin of Sensei: slow, and written from docs/rules/contract.md alone, to be read beside it.

A position is unpacked into a dict from cell name ("c3") to what stands there ("G", "R" or "o" for
a pit; empty cells are absent), the side to move, each player's character cell, and what is left of
the turn. Every rule is one small function; the five public ones are at the end.
"""

from dataclasses import dataclass

COLUMNS = "abcdefg"
ROWS = "1234567"
CELLS = [column + row for row in ROWS for column in COLUMNS]

STONE = {"g": "G", "r": "R"}
OTHER = {"g": "r", "r": "g"}
PIT = "o"
GOAL_ROW = {"g": "7", "r": "1"}

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]

FULL_TURN = (2, 1)  # stone moves, character moves

DEFAULT_PITS = "c3,e3,c5,e5"
FACE_TO_FACE = 3
REPETITIONS = 3

START_ROWS = {
    "shizukana": ("RRRRRRR", "GGGGGGG"),
    "shizukana-variant": ("RGRRRGR", "GRGGGRG"),
    "arashi": ("RRRRRRR", "GGGGGGG"),
    "arashi-expert": ("RRRRRRR", "GGGGGGG"),
}
ANY_DISTANCE = {"arashi", "arashi-expert"}


def ray(cell: str, step: tuple[int, int]) -> list[str]:
    """Lists the cells met when leaving a cell in one direction, nearest first."""
    column = COLUMNS.index(cell[0]) + step[0]
    row = ROWS.index(cell[1]) + step[1]
    cells = []
    while 0 <= column < 7 and 0 <= row < 7:
        cells.append(COLUMNS[column] + ROWS[row])
        column += step[0]
        row += step[1]
    return cells


STRAIGHT_RAYS = {cell: [ray(cell, step) for step in STRAIGHT] for cell in CELLS}
ALL_RAYS = {cell: [ray(cell, step) for step in STRAIGHT + DIAGONAL] for cell in CELLS}
EDGE_NEIGHBOURS = {cell: [line[0] for line in STRAIGHT_RAYS[cell] if line] for cell in CELLS}
ALL_NEIGHBOURS = {cell: [line[0] for line in ALL_RAYS[cell] if line] for cell in CELLS}


@dataclass
class Position:
    """What a position string says."""

    board: dict[str, str]
    side: str
    characters: dict[str, str]
    left: tuple[int, int]


# Position strings


def parse(text: str) -> Position:
    """Reads a position string: board, side, characters, left."""
    board_text, side, characters, left = text.split(" ")
    board = {}
    for row, row_text in zip(reversed(ROWS), board_text.split("/"), strict=True):
        column = 0
        for sign in row_text:
            if sign.isdigit():
                column += int(sign)
            else:
                board[COLUMNS[column] + row] = sign
                column += 1
    green, red = characters.split(",")
    stone_moves, character_moves = left.split(",")
    return Position(board, side, {"g": green, "r": red}, (int(stone_moves), int(character_moves)))


def position_text(position: Position) -> str:
    """Writes a position string, top row first, a digit for each run of empty cells."""
    rows = []
    for row in reversed(ROWS):
        row_text = "".join(position.board.get(column + row, ".") for column in COLUMNS)
        for run in (7, 6, 5, 4, 3, 2, 1):
            row_text = row_text.replace("." * run, str(run))
        rows.append(row_text)
    characters = f"{position.characters['g']},{position.characters['r']}"
    return f"{'/'.join(rows)} {position.side} {characters} {position.left[0]},{position.left[1]}"


# Options


def variant_of(options: dict[str, object]) -> str:
    """Gives the variant, shizukana by default."""
    return str(options.get("variant", "shizukana"))


def pits_of(options: dict[str, object]) -> list[str]:
    """Gives the cells of the pits, which only arashi-expert has."""
    if variant_of(options) != "arashi-expert":
        return []
    # Ruling: the sheet's figure is missing; c3, e3, c5 and e5 unless the option says otherwise.
    return [cell for cell in str(options.get("pits", DEFAULT_PITS)).split(",") if cell]


# Actions


def stone_moves(position: Position, any_distance: bool) -> list[str]:
    """Stone move: straight, onto and through empty cells, one cell or (arashi) any distance."""
    actions = []
    for cell, sign in position.board.items():
        if sign != STONE[position.side]:
            continue
        if cell == position.characters[position.side]:
            continue  # a stone carrying its character does not move
        for line in STRAIGHT_RAYS[cell]:
            for target in line if any_distance else line[:1]:
                if target in position.board:
                    break  # never over or onto a stone or a pit
                actions.append(f"{cell}-{target}")
    return actions


def character_moves(position: Position) -> list[str]:
    """Character move: to another own stone in line, with no enemy stone between."""
    cell = position.characters[position.side]
    actions = []
    for line in ALL_RAYS[cell]:
        for target in line:
            sign = position.board.get(target)
            if sign == STONE[OTHER[position.side]]:
                break
            if sign == STONE[position.side]:
                actions.append(f"{cell}^{target}")  # and on: own stones do not block
    return actions


def actions_of(options: dict[str, object], position: Position) -> list[str]:
    """A turn: up to two stone moves and one character move; `end` once an action has been made."""
    actions = []
    stones_left, characters_left = position.left
    if stones_left > 0:
        actions += stone_moves(position, variant_of(options) in ANY_DISTANCE)
    if characters_left > 0:
        actions += character_moves(position)
    if not is_between_turns(position):
        actions.append("end")
    return actions


# The end of a game


def is_between_turns(position: Position) -> bool:
    """Tells whether no action of this turn has been made, so that a turn has just ended."""
    return position.left == FULL_TURN


def has_goal(position: Position, player: str) -> bool:
    """Goal: the own character on an own stone on the opponent's start row."""
    cell = position.characters[player]
    return position.board.get(cell) == STONE[player] and cell[1] == GOAL_ROW[player]


def goal_winner(position: Position) -> str | None:
    """Names the player whose goal is reached, which wins at once, in the middle of a turn too."""
    # Ruling: if a string shows both goals, the player not on move is taken as the one who acted.
    for player in (OTHER[position.side], position.side):
        if has_goal(position, player):
            return player
    return None


def chain_from(position: Position, player: str, first: str) -> set[str]:
    """Collects the edge-or-corner-connected group of a player's stones and pits around a cell."""
    chain = {first}
    waiting = [first]
    while waiting:
        for cell in ALL_NEIGHBOURS[waiting.pop()]:
            if cell not in chain and position.board.get(cell) in (STONE[player], PIT):
                chain.add(cell)
                waiting.append(cell)
    return chain


def blocking_chains(position: Position, player: str) -> list[set[str]]:
    """Blocking: lists the player's chains that reach from column a to column g."""
    chains: list[set[str]] = []
    for row in ROWS:
        cell = "a" + row
        if position.board.get(cell) not in (STONE[player], PIT):
            continue
        chain = chain_from(position, player, cell)
        if any("g" + end in chain for end in ROWS):
            chains.append(chain)
    return chains


def is_unfair(position: Position, player: str) -> bool:
    """Unfair play: a blocking chain of the player has at least 3 enemy stones face to face."""
    enemy = STONE[OTHER[player]]
    for chain in blocking_chains(position, player):
        # Ruling: face to face means by an edge; the whole chain counts, its pits included.
        faced = {
            neighbour for cell in chain for neighbour in EDGE_NEIGHBOURS[cell] if position.board.get(neighbour) == enemy
        }
        if len(faced) >= FACE_TO_FACE:
            return True
    return False


def unfair_winner(position: Position) -> str | None:
    """Unfair play, at the end of a turn: the blocker loses; if both do, who ended the turn wins."""
    # Ruling: the test is automatic, no claim is needed.
    if not is_between_turns(position):
        return None
    ended = OTHER[position.side]
    if is_unfair(position, position.side):
        return ended
    if is_unfair(position, ended):
        return position.side
    return None


def is_repeated(history: list[str]) -> bool:
    """Repetition: the same string for the third time at the end of a turn."""
    # Ruling: strings in the middle of a turn do not count.
    if not is_between_turns(parse(history[-1])):
        return False
    return history.count(history[-1]) >= REPETITIONS


# The interface of every twin


def start(options: dict[str, object]) -> str:
    """Gives the start position."""
    top, bottom = START_ROWS[variant_of(options)]
    board = {column + "7": sign for column, sign in zip(COLUMNS, top, strict=True)}
    board |= {column + "1": sign for column, sign in zip(COLUMNS, bottom, strict=True)}
    board |= dict.fromkeys(pits_of(options), PIT)
    return position_text(Position(board, "g", {"g": "d1", "r": "d7"}, FULL_TURN))


def mover(options: dict[str, object], position: str) -> str:
    """Names the player to move."""
    return parse(position).side


def legal(options: dict[str, object], history: list[str]) -> list[str]:
    """Lists the legal actions at the end of the history, sorted; none once the game is over."""
    if result(options, history) is not None:
        return []
    return sorted(actions_of(options, parse(history[-1])))


def play(options: dict[str, object], history: list[str], action: str) -> str:
    """Gives the position after a legal action; the turn ends by itself when nothing is left."""
    position = parse(history[-1])
    stones_left, characters_left = position.left
    if "-" in action:
        source, target = action.split("-")
        position.board[target] = position.board.pop(source)
        position.left = (stones_left - 1, characters_left)
    elif "^" in action:
        position.characters[position.side] = action.split("^")[1]
        position.left = (stones_left, characters_left - 1)
    if action == "end" or position.left == (0, 0):
        position.side = OTHER[position.side]
        position.left = FULL_TURN
    return position_text(position)


def result(options: dict[str, object], history: list[str]) -> str | None:
    """Judges the game: goal, unfair play, repetition, then a mover without an action."""
    position = parse(history[-1])
    winner = goal_winner(position) or unfair_winner(position)
    if winner is not None:
        return winner
    if is_repeated(history):
        return "draw"
    # Ruling: a player with no legal action loses.
    if not actions_of(options, position):
        return OTHER[position.side]
    return None
