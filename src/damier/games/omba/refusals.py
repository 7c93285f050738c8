"""Omba: why an action is refused and why a game is over, in sentences for players."""

from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.games.omba.notation import CELLS, stack
from damier.games.omba.rules import ENTER, ROLL, die, hand, kind_of, origin_of, target_of, turn

REASONS = {"last": message("the last player left")}


def why_illegal(rules: Rules, state: State, action: int) -> Message:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    points = die(state)
    if kind == ROLL:
        return message("The die shows {points}: use exactly that with one piece.", points=points)
    if points == 0:
        return message("First the die is rolled.")
    if kind == ENTER:
        if not hand(state, turn(state)):
            return message("You have no piece left to bring in.")
        return message("No way in from outside to {cell} costs exactly {points}.", cell=CELLS[to], points=points)
    pieces = stack(state, origin)
    cell = CELLS[origin]
    if turn(state) not in pieces:
        return message("You have no piece on {cell}.", cell=cell)
    if pieces[-1] != turn(state):
        return message("Your piece on {cell} is buried: only the top of a stack can move.", cell=cell)
    if origin == to:
        return message("A move cannot end where it began.")
    return message("No way from {cell} to {target} costs exactly {points}.", cell=cell, target=CELLS[to], points=points)


def why_stuck(rules: Rules, state: State, cell: str) -> Message:
    return message("No way from {cell} costs exactly {points}.", cell=cell, points=die(state))


def why_over(rules: Rules, state: State) -> str:
    return "last"
