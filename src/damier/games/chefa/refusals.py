"""Chefa: why an action is refused and why a game is over, in sentences for players."""

from damier.core.kernel.bits import bit, lowest
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.games.chefa.notation import CELLS
from damier.games.chefa.rules import (
    HOLE,
    NEIGHBOURS,
    PLACE,
    SQUARE,
    STEP,
    has_goal,
    is_open_line,
    is_placing,
    kind_of,
    ko_of,
    origin_of,
    pair,
    target_of,
)

REASONS = {
    "line": message("four pawns in a line"),
    "square": message("four pawns in a square"),
}
_IN_HOLE = message("The centre c3 is not a cell: no pawn can enter it.")


def why_illegal(rules: Rules, state: State, action: int) -> Message:
    own, enemy = state[0], state[1]
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    cell, target = CELLS[origin], CELLS[to]
    if is_placing(own) != (kind == PLACE):
        if kind == PLACE:
            return message("All pawns are placed: now move a pawn, such as a1-a2, or swap two, such as a1=a4.")
        return message("All pawns must be placed before any can move.")
    if HOLE & bit(to if kind == PLACE else origin):
        return _IN_HOLE
    if kind == PLACE:
        return message("There is already a pawn on {cell}.", cell=target)
    if not own & bit(origin):
        if enemy & bit(origin):
            return message("The pawn on {cell} is not yours.", cell=cell)
        return message("There is no pawn on {cell}.", cell=cell)
    if HOLE & bit(to):
        return _IN_HOLE
    if kind == STEP:
        return _why_no_step(state, origin, to)
    return _why_no_swap(state, origin, to)


def _why_no_step(state: State, origin: int, to: int) -> Message:
    cell, target = CELLS[origin], CELLS[to]
    if state[1] & bit(to):
        is_open = is_open_line(origin, to, state[0] | state[1])
        if not is_open or ko_of(state) == pair(origin, to):
            return _why_no_swap(state, origin, to)
        return message(
            "There is an enemy pawn on {target}: a swap is written {swap}.", target=target, swap=f"{cell}={target}"
        )
    if state[0] & bit(to):
        return message("There is already a pawn on {cell}.", cell=target)
    assert not NEIGHBOURS[origin] & bit(to)
    return message("A pawn steps to a neighbouring cell, and {target} is not beside {cell}.", target=target, cell=cell)


def _why_no_swap(state: State, origin: int, to: int) -> Message:
    cell, target = CELLS[origin], CELLS[to]
    if not state[1] & bit(to):
        return message("There is no enemy pawn on {target} to swap with.", target=target)
    if origin % 5 != to % 5 and origin // 5 != to // 5:
        return message(
            "A swap needs one row or column, and {cell} and {target} share neither.", cell=cell, target=target
        )
    if not is_open_line(origin, to, state[0] | state[1]):
        return message("A pawn stands between {cell} and {target}.", cell=cell, target=target)
    return message(
        "The swap of {cell} and {target} has just been made and may not be undone at once.", cell=cell, target=target
    )


def why_stuck(rules: Rules, state: State, cell: str) -> Message:
    return message("The pawn on {cell} can neither step nor swap now.", cell=cell)


def why_over(rules: Rules, state: State) -> str:
    winner = state[1] if has_goal(state[1]) else state[0]
    return "square" if winner == SQUARE[lowest(winner)] else "line"
