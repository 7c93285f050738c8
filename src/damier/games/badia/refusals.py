"""Badia: why an action is refused and why a game is over, in sentences for players."""

from damier.core.kernel.bits import bit
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.games.badia.notation import CELLS
from damier.games.badia.rules import (
    ANSWER,
    ARROWS,
    CENTRE,
    DISPLACE,
    LEAVE,
    PLACE,
    SQUARES,
    STEP,
    SWAP,
    TOUCHING,
    displacements,
    is_placing,
    kind_of,
    origin_of,
    own_marker_of,
    pending,
    put_of,
    target_of,
)

REASONS = {"block": message("five pawns in a block with one arrow")}


def why_illegal(rules: Rules, state: State, action: int) -> Message:
    kind, to = kind_of(action), target_of(action)
    if pending(state):
        if kind != ANSWER:
            return message("First put down your displaced pawn, such as >e5; then comes your turn.")
        return message("There is already a pawn on {cell}.", cell=CELLS[to])
    if kind == ANSWER:
        return message("No displaced pawn of yours waits to be put down.")
    if is_placing(state) != (kind == PLACE):
        if kind == PLACE:
            return message("All pawns are placed: now move a pawn, such as a1-a2.")
        return message("All pawns must be placed before any can move.")
    if kind == PLACE:
        if not SQUARES & bit(to):
            return message("Pawns are placed on square cells, and {cell} is not one.", cell=CELLS[to])
        return message("There is already a pawn on {cell}.", cell=CELLS[to])
    return _why_no_move(state, action)


def _why_no_move(state: State, action: int) -> Message:
    own, enemy, marker = state[0], state[1], own_marker_of(state)
    origin, to = origin_of(action), target_of(action)
    cell, target = CELLS[origin], CELLS[to]
    if enemy & bit(origin):
        return message("The pawn on {cell} is not yours.", cell=cell)
    if not own & bit(origin):
        return message("There is no pawn on {cell}.", cell=cell)
    if marker == origin + 1:
        return message("The pawn on {cell} carries your marker: you moved it last, so another must move.", cell=cell)
    if not TOUCHING[origin] & bit(to):
        return message("{target} does not touch {cell}.", target=target, cell=cell)
    if own & bit(to):
        return message("There is a pawn of your own on {cell}.", cell=target)
    if not enemy & bit(to):
        return message("{target} is empty: a step is written {step}.", target=target, step=f"{cell}-{target}")
    return _why_not_so(state, action)


def _why_not_so(state: State, action: int) -> Message:
    """Returns why the enemy pawn on the target cannot be treated in the way the action says."""
    kind, put, origin, to = kind_of(action), put_of(action), origin_of(action), target_of(action)
    path = f"{CELLS[origin]}-{CELLS[to]}"
    if SQUARES & bit(to):
        swap = f"{CELLS[origin]}={CELLS[to]}"
        return message("There is an enemy pawn on {target}: a swap is written {swap}.", target=CELLS[to], swap=swap)
    choices = displacements(to, state[0] | state[1])
    if kind in (STEP, SWAP):
        example = f"{path}>{CELLS[choices.bit_length() - 1] if choices else '?'}"
        return message(
            "There is an enemy pawn on {target}: say where it goes, as in {example}.", target=CELLS[to], example=example
        )
    if not choices:
        return message(
            "The centre and all arrows are full, so the owner chooses where the pawn goes: {action}.",
            action=f"{path}>?",
        )
    if kind == LEAVE:
        return message("The choice is yours: say where the enemy pawn goes, as in {example}.",
                       example=f"{path}>{CELLS[choices.bit_length() - 1]}")  # fmt: skip
    assert kind == DISPLACE
    if choices == bit(CENTRE):
        return message(
            "The centre is empty, so the pawn on {target} goes there: {action}.", target=CELLS[to], action=f"{path}>c3"
        )
    if to == CENTRE:
        return message("The pawn on c3 goes to an empty square or arrow, and {put} is not one.", put=CELLS[put])
    assert choices & ARROWS
    return message("The centre is full, so the pawn goes to an empty arrow, and {put} is not one.", put=CELLS[put])


def why_stuck(rules: Rules, state: State, cell: str) -> Message:
    return message("The pawn on {cell} cannot move: your own pawns stand on all cells that it touches.", cell=cell)


def why_over(rules: Rules, state: State) -> str:
    return "block"
