"""Renfa-Bomba: why an action is refused and why a game is over, in sentences for players."""

from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.cells import cell_name
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.games.renfa.rules import (
    DETONATE,
    EAST_OF,
    LAST,
    NEIGHBOURS,
    NORTH_OF,
    PLACE,
    SIZE,
    SOUTH_OF,
    WEST_OF,
    is_pinned,
    kind_of,
    origin_of,
    target_of,
    to_place,
)

REASONS = {
    "bombs": message("the opponent has too few bombs left"),
    "destruction": message("both players have too few bombs left"),
}


def why_illegal(rules: Rules, state: State, action: int) -> Message:
    own, enemy = state[0], state[1]
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    cell, target = cell_name(rules[SIZE], origin), cell_name(rules[SIZE], to)
    if (to_place(state) > 0) != (kind == PLACE):
        if kind == PLACE:
            return message("All bombs are placed: now move a bomb, such as a1-a4, or detonate one, such as *c3.")
        return message("All bombs must be placed before any can move or be detonated.")
    if kind == PLACE:
        return message("There is already a bomb on {cell}.", cell=target)
    if kind == DETONATE:
        if own & bit(to):
            return message("The bomb on {cell} is your own: only enemy bombs can be detonated.", cell=target)
        if not enemy & bit(to):
            return message("There is no bomb on {cell}.", cell=target)
        return message("None of your bombs touches the bomb on {cell}.", cell=target)
    if enemy & bit(origin):
        return message("The bomb on {cell} is not yours.", cell=cell)
    if not own & bit(origin):
        return message("There is no bomb on {cell}.", cell=cell)
    if is_pinned(rules, origin, enemy):
        return _why_pinned(rules, origin, enemy)
    if (own | enemy) & bit(to):
        return message("There is already a bomb on {cell}.", cell=target)
    rays = [rules[table + origin] for table in (EAST_OF, NORTH_OF, WEST_OF, SOUTH_OF)]
    if not any(ray & bit(to) for ray in rays):
        return message("A bomb moves along its row or column, and {target} is on neither.", target=target)
    return message("A bomb stands between {cell} and {target}.", cell=cell, target=target)


def _why_pinned(rules: Rules, cell: int, enemy: int) -> Message:
    name = cell_name(rules[SIZE], cell)
    count = bit_count(rules[NEIGHBOURS + cell] & enemy)
    if count == 2:
        return message("The bomb on {cell} is pinned: two enemy bombs touch it.", cell=name)
    if count == 3:
        return message("The bomb on {cell} is pinned: three enemy bombs touch it.", cell=name)
    return message("The bomb on {cell} is pinned: four enemy bombs touch it.", cell=name)


def why_stuck(rules: Rules, state: State, cell: str) -> Message:
    return message("The bomb on {cell} cannot move: there is no empty cell beside it.", cell=cell)


def why_over(rules: Rules, state: State) -> str:
    return "destruction" if max(bit_count(state[0]), bit_count(state[1])) <= rules[LAST] else "bombs"
