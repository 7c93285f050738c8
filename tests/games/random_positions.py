"""Random positions that play from the start seldom reaches, written as strings from docs/rules/contract.md alone."""

import random
import re
from typing import Any

RING = ["a1", "b1", "c1", "d1", "e1", "e2", "e3", "e4", "e5", "d5", "c5", "b5", "a5", "a4", "a3", "a2"]
ARROWS = ("c1", "e3", "c5", "a3")


def random_position(game: str, options: dict[str, Any], rng: random.Random) -> str:
    """Returns a random position of a game, of any phase, decided or not."""
    return {"renfa": _renfa, "chefa": _chefa, "badia": _badia, "sensei": _sensei, "omba": _omba}[game](options, rng)


def board_text(size: int, pieces: dict[str, str]) -> str:
    """Returns the board field for pieces by cell name."""
    rows = ["".join(pieces.get("abcdefgh"[x] + str(y), " ") for x in range(size)) for y in range(size, 0, -1)]
    return re.sub(" +", lambda run: str(len(run.group())), "/".join(rows))


def _cells(size: int) -> list[str]:
    return ["abcdefgh"[x] + str(y) for y in range(1, size + 1) for x in range(size)]


def _placed(rng: random.Random, pieces: int) -> tuple[int, int, str]:
    """Returns how many pieces Black and White have placed and who is on move: all of them in most cases."""
    plies = rng.choice([2 * pieces, 2 * pieces, rng.randrange(2 * pieces)])
    side = "bw"[plies % 2] if plies < 2 * pieces else rng.choice("bw")
    return plies - plies // 2, plies // 2, side


def _renfa(options: dict[str, Any], rng: random.Random) -> str:
    size, bombs = options.get("size", 5), options.get("bombs", 6)
    black, white, side = _placed(rng, bombs)
    hand = f"{bombs - black},{bombs - white}"
    if black == white == bombs:
        black, white = rng.randint(0, bombs), rng.randint(0, bombs)
    cells = rng.sample(_cells(size), black + white)
    return f"{board_text(size, dict(zip(cells, 'B' * black + 'W' * white, strict=True)))} {side} {hand}"


def _chefa(options: dict[str, Any], rng: random.Random) -> str:
    black, white, side = _placed(rng, 4)
    cells = rng.sample([cell for cell in _cells(5) if cell != "c3"], black + white)
    if rng.random() < 0.3:  # many in one row or square, so that goals are frequent
        cells = rng.sample(
            [cell for cell in _cells(5) if cell in ["a1", "b1", "d1", "e1", "a2", "b2", "d2", "e2", "a3", "b3", "d3"]],
            black + white,
        )
    pieces = dict(zip(cells, "B" * black + "W" * white, strict=True))
    ko = "-"
    if black == white == 4 and rng.random() < 0.5:
        ko = _swappable(pieces, rng)
    return f"{board_text(5, pieces)} {side} {4 - black},{4 - white} {ko}"


def _swappable(pieces: dict[str, str], rng: random.Random) -> str:
    pairs = []
    for first in pieces:
        for second in pieces:
            same_column, same_row = first[0] == second[0], first[1] == second[1]
            if first < second and pieces[first] != pieces[second] and same_column != same_row:
                between = [
                    cell
                    for cell in pieces
                    if (same_column and cell[0] == first[0] and first[1] < cell[1] < second[1])
                    or (same_row and cell[1] == first[1] and first[0] < cell[0] < second[0])
                ]
                before = {**pieces, first: pieces[second], second: pieces[first]}
                if not between and not any(_is_goal(before, colour) for colour in "BW"):
                    pairs.append(f"{first},{second}")
    return rng.choice(pairs) if pairs else "-"


def _is_goal(pieces: dict[str, str], colour: str) -> bool:
    """Tells whether four pawns are in one row, one column or a square."""
    columns, rows = zip(*(cell for cell in pieces if pieces[cell] == colour), strict=True)
    is_square = max(map(ord, columns)) - min(map(ord, columns)) == max(map(int, rows)) - min(map(int, rows)) == 1
    return len(set(columns)) == 1 or len(set(rows)) == 1 or is_square


def _badia(options: dict[str, Any], rng: random.Random) -> str:
    black, white, side = _placed(rng, 5)
    if black + white < 10:
        cells = rng.sample([cell for cell in RING if cell not in ARROWS], black + white)
        return _badia_text(
            dict(zip(cells, "B" * black + "W" * white, strict=True)), side, (5 - black, 5 - white), "-,-"
        )
    if rng.random() < 0.5:
        cells = [*ARROWS, "c3", *rng.sample([cell for cell in RING if cell not in ARROWS], 5)]
        rng.shuffle(cells)
    elif rng.random() < 0.3:  # Black nearly in a block
        first = rng.randrange(16)
        block = [RING[(first + i) % 16] for i in range(5)]
        others = rng.sample([cell for cell in [*RING, "c3"] if cell not in block], 5)
        cells = block + others
        i, j = rng.randrange(5), rng.randrange(5, 10)
        cells[i], cells[j] = cells[j], cells[i]
    else:
        cells = rng.sample([*RING, "c3"], 10)
    markers = ",".join(rng.choice(["-", rng.choice(part)]) for part in (cells[:5], cells[5:]))
    return _badia_text(dict(zip(cells, "B" * 5 + "W" * 5, strict=True)), side, (0, 0), markers)


def _badia_text(pieces: dict[str, str], side: str, hand: tuple[int, int], markers: str) -> str:
    missing = {cell: "." for cell in _cells(5) if cell not in RING and cell != "c3"}
    return f"{board_text(5, {**missing, **pieces})} {side} {hand[0]},{hand[1]} {markers} -"


def _sensei(options: dict[str, Any], rng: random.Random) -> str:
    default = "c3,e3,c5,e5" if options.get("variant") == "arashi-expert" else ""
    pits = [cell for cell in str(options.get("pits", default)).split(",") if cell]
    free = [cell for cell in _cells(7) if cell not in pits]
    green = rng.sample(free, 7)
    if rng.random() < 0.5:  # a chain from side to side, for unfair play
        row, green = rng.randint(2, 6), []
        for column in "abcdefg":
            row = min(7, max(1, row + rng.choice((-1, 0, 0, 1))))
            cell = f"{column}{row}"
            green.append(cell if cell in free else rng.choice([other for other in free if other not in green]))
        green = list(dict.fromkeys(green))
        green += rng.sample([cell for cell in free if cell not in green], 7 - len(green))
    near = [cell for cell in free if cell not in green and any(_beside(cell, other) for other in green)]
    rest = [cell for cell in free if cell not in green and cell not in near]
    count = min(len(near), rng.choice((0, 2, 3, 4, 7)))
    red = rng.sample(near, count) + rng.sample(rest, min(7 - count, len(rest)))
    red += rng.sample([cell for cell in near if cell not in red], 7 - len(red))
    sides = [green, red]
    rng.shuffle(sides)
    pieces = dict.fromkeys(pits, "o") | dict.fromkeys(sides[0], "G") | dict.fromkeys(sides[1], "R")
    characters = ",".join(_mostly_away(cells, home, rng) for cells, home in zip(sides, "71", strict=True))
    left = rng.choice(("2,1", "2,1", "2,1", "2,0", "1,1", "1,0", "0,1"))
    return f"{board_text(7, pieces)} {rng.choice('gr')} {characters} {left}"


def _mostly_away(cells: list[str], goal: str, rng: random.Random) -> str:
    """Returns a cell for a character that is seldom already on its goal row."""
    away = [cell for cell in cells if cell[1] != goal]
    return rng.choice(away if away and rng.random() < 0.97 else cells)


def _beside(first: str, second: str) -> bool:
    return abs(ord(first[0]) - ord(second[0])) + abs(int(first[1]) - int(second[1])) == 1


def _omba(options: dict[str, Any], rng: random.Random) -> str:
    players = options.get("players", 2)
    pieces = 12 // players
    on_board = [rng.randint(0, pieces) for _ in range(players)]
    owners = [str(player + 1) for player in range(players) for _ in range(on_board[player])]
    rng.shuffle(owners)
    cells = rng.sample(range(9), rng.randint(1, 9))
    stacks = [""] * 9
    for owner in owners:
        stacks[rng.choice(cells)] += owner
    board = "/".join(",".join(stacks[row + column] or "-" for column in range(3)) for row in (6, 3, 0))
    out = rng.sample(range(players), rng.choice((0, 0, rng.randrange(players))))
    side = rng.choice([player for player in range(players) if player not in out])
    hands = ",".join(str(pieces - count) for count in on_board)
    return f"{board} {side + 1} {hands} - {','.join(str(player + 1) for player in out) or '-'}"
