"""Position strings from observations, written from docs/research.md and docs/rules/contract.md alone.

A string that comes back shows that the planes mean what is written and that nothing is lost.
"""

from collections.abc import Callable, Sequence
from typing import Any

from damier.search.spaces import Spaces
from tests.games.random_positions import ARROWS, RING, board_text

Planes = dict[str, list[list[int]]]
"""The rows of each plane by its name, the row of the first player first."""


def position_string(spaces: Spaces, observation: Any, mover: int) -> str:
    """Returns the position that a player sees."""
    names = [plane.name for plane in spaces.planes]
    planes = dict(zip(names, observation.tolist(), strict=True))
    return _STRINGS[spaces.game.name](planes, mover, len(spaces.game.players))


def _cells(plane: list[list[int]]) -> list[str]:
    """Returns the names of the cells where a plane is 1."""
    return sorted("abcdefgh"[x] + str(y + 1) for y, row in enumerate(plane) for x, value in enumerate(row) if value)


def _number(plane: list[list[int]]) -> int:
    """Returns the one number of a plane."""
    (number,) = {value for row in plane for value in row}
    return number


def _pieces(planes: Planes, what: str, letters: Sequence[str]) -> dict[str, str]:
    """Returns the letter of the piece on each cell; the first letter is that of the player on move."""
    own = dict.fromkeys(_cells(planes[f"own-{what}"]), letters[0])
    return own | dict.fromkeys(_cells(planes[f"enemy-{what}"]), letters[1])


def _ordered(mover: int, own: object, enemy: object) -> str:
    """Returns what two players have, the first player's first."""
    return f"{enemy},{own}" if mover else f"{own},{enemy}"


def _hands(planes: Planes, mover: int) -> str:
    return _ordered(mover, _number(planes["own-hand"]), _number(planes["enemy-hand"]))


def _renfa(planes: Planes, mover: int, players: int) -> str:
    pieces = _pieces(planes, "bombs", "WB" if mover else "BW")
    return f"{board_text(len(planes['own-bombs']), pieces)} {'bw'[mover]} {_hands(planes, mover)}"


def _chefa(planes: Planes, mover: int, players: int) -> str:
    pieces = _pieces(planes, "pawns", "WB" if mover else "BW")
    return f"{board_text(5, pieces)} {'bw'[mover]} {_hands(planes, mover)} {','.join(_cells(planes['ko'])) or '-'}"


def _badia(planes: Planes, mover: int, players: int) -> str:
    pieces = _pieces(planes, "pawns", "WB" if mover else "BW")
    dots = {column + row: "." for column in "abcde" for row in "12345"}
    dots = {cell: dot for cell, dot in dots.items() if cell not in [*RING, *ARROWS, "c3"]}
    own, enemy = (",".join(_cells(planes[f"{who}-marker"])) or "-" for who in ("own", "enemy"))
    waiting = "-pm"[_number(planes["waiting"])]
    board = board_text(5, dots | pieces)
    return f"{board} {'bw'[mover]} {_hands(planes, mover)} {_ordered(mover, own, enemy)} {waiting}"


def _sensei(planes: Planes, mover: int, players: int) -> str:
    pieces = _pieces(planes, "stones", "RG" if mover else "GR") | dict.fromkeys(_cells(planes["pits"]), "o")
    assert _cells(planes["goal"]) == [column + "71"[mover] for column in "abcdefg"]
    characters = _ordered(mover, *(_cells(planes[f"{who}-character"])[0] for who in ("own", "enemy")))
    left = f"{_number(planes['stone-moves-left'])},{_number(planes['character-moves-left'])}"
    return f"{board_text(7, pieces)} {'gr'[mover]} {characters} {left}"


def _omba(planes: Planes, mover: int, players: int) -> str:
    digits = [str((mover + i) % players + 1) for i in range(players)]
    stacks: dict[str, str] = {}
    for level in range(12):
        for i, digit in enumerate(digits):
            for cell in _cells(planes[f"level-{level}-player-{i + 1}"]):
                assert len(stacks.get(cell, "")) == level
                stacks[cell] = stacks.get(cell, "") + digit
    board = "/".join(",".join(stacks.get(column + row, "-") for column in "abc") for row in "321")
    hands = {digit: _number(planes[f"hand-{i + 1}"]) for i, digit in enumerate(digits)}
    out = {_number(planes[f"out-{i + 1}"]): digit for i, digit in enumerate(digits)}
    gone = ",".join(out[place] for place in sorted(out) if place)
    in_hand = ",".join(str(hands[digit]) for digit in sorted(digits))
    return f"{board} {digits[0]} {in_hand} {_number(planes['die']) or '-'} {gone or '-'}"


_STRINGS: dict[str, Callable[[Planes, int, int], str]] = {
    "renfa": _renfa,
    "chefa": _chefa,
    "badia": _badia,
    "sensei": _sensei,
    "omba": _omba,
}
