"""Sensei: why an action is refused and why a game is over, in sentences for players."""

from damier.core.kernel.bits import bit
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.games.sensei.notation import CELLS
from damier.games.sensei.rules import (
    CHARACTER,
    END,
    NEIGHBOURS,
    PITS,
    SLIDES,
    character,
    character_moves_left,
    is_home,
    kind_of,
    origin_of,
    side_of,
    slide,
    stone_moves_left,
    stones,
    target_of,
)

REASONS = {
    "home": message("the character has reached the far row"),
    "unfair": message("three or more stones touch the opponent's blocking chain"),
}


def why_illegal(rules: Rules, state: State, action: int) -> Message:
    kind, origin = kind_of(action), origin_of(action)
    if kind == END:
        return message("A turn has at least one action: move a stone or the character before ending it.")
    if kind == CHARACTER:
        return _why_no_pass(state, origin, target_of(action))
    return _why_no_move(rules, state, origin, target_of(action))


def _why_no_move(rules: Rules, state: State, origin: int, to: int) -> Message:
    own, enemy = stones(state[0]), stones(state[1])
    cell, target = CELLS[origin], CELLS[to]
    if refusal := _why_not_yours(own, enemy, origin):
        return refusal
    if not stone_moves_left(state):
        return message("Both stone moves of this turn are used.")
    if character(state[0]) == origin:
        return message("The stone on {cell} carries its character and cannot move.", cell=cell)
    if rules[PITS] & bit(to):
        return message("There is a pit on {cell}: no stone can enter it.", cell=target)
    if (own | enemy) & bit(to):
        return message("There is already a stone on {cell}.", cell=target)
    if origin % 7 != to % 7 and origin // 7 != to // 7:
        return message("A stone moves along its row or column, and {target} is on neither.", target=target)
    if not rules[SLIDES]:
        assert not NEIGHBOURS[origin] & bit(to)
        return message("A stone moves one cell, and {target} is not beside {cell}.", target=target, cell=cell)
    if slide(origin, own | enemy) & bit(to):
        return message("A pit lies between {cell} and {target}.", cell=cell, target=target)
    return message("A stone stands between {cell} and {target}.", cell=cell, target=target)


def _why_no_pass(state: State, origin: int, to: int) -> Message:
    own, enemy = stones(state[0]), stones(state[1])
    cell, target = CELLS[origin], CELLS[to]
    if refusal := _why_not_yours(own, enemy, origin):
        return refusal
    if character(state[0]) != origin:
        carrier = CELLS[character(state[0])]
        return message("Your character is not on {cell} but on {carrier}.", cell=cell, carrier=carrier)
    if not character_moves_left(state):
        return message("The character has already moved in this turn.")
    if origin == to:
        return message("The character is already on {cell}.", cell=cell)
    if not own & bit(to):
        return message("The character goes to a stone of your own, and there is none on {target}.", target=target)
    if not _line(origin, to):
        return message("{cell} and {target} are not in one line.", cell=cell, target=target)
    return message("An enemy stone stands between {cell} and {target}.", cell=cell, target=target)


def _why_not_yours(own: int, enemy: int, cell: int) -> Message | None:
    if own & bit(cell):
        return None
    if enemy & bit(cell):
        return message("The stone on {cell} is not yours.", cell=CELLS[cell])
    return message("There is no stone on {cell}.", cell=CELLS[cell])


def _line(first: int, second: int) -> bool:
    """Tells whether two cells share a row, a column or a diagonal."""
    across, up = abs(first % 7 - second % 7), abs(first // 7 - second // 7)
    return across == 0 or up == 0 or across == up


def why_stuck(rules: Rules, state: State, cell: str) -> Message:
    if character(state[0]) == CELLS.index(cell):
        return message("The character on {cell} cannot move: no other stone of yours is in line with it.", cell=cell)
    return message("The stone on {cell} cannot move: there is no empty cell beside it.", cell=cell)


def why_over(rules: Rules, state: State) -> str:
    side = side_of(state)
    return "home" if is_home(state[0], side) or is_home(state[1], 1 - side) else "unfair"
