"""How Renfa-Bomba looks: a chequered board, black and white bombs, a lock on those that are pinned."""

from damier.core.drawing import Drawing, Look, Piece, pieces_on, square_cells
from damier.core.kernel.bits import bit
from damier.core.kernel.cells import cell_names
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.core.options import Options
from damier.games.renfa.rules import (
    DETONATE,
    MOVE,
    PLACE,
    SIZE,
    is_pinned,
    kind_of,
    origin_of,
    side_of,
    target_of,
    to_place,
)

LOOKS = {
    "b": Look(message("black bomb"), "bomb", "noir", "solid", "B"),
    "w": Look(message("white bomb"), "bomb", "blanc", "solid", "W"),
}
MARKS = {"pinned": message("pinned")}


def drawing(options: Options) -> Drawing:
    """Returns the empty board."""
    size = int(options["size"])
    return Drawing(size, size, square_cells(size), LOOKS, MARKS, has_hands=True)


def pieces(rules: Rules, state: State) -> list[Piece]:
    """Returns the bombs; none is pinned before all are placed."""
    is_placing, names = bool(to_place(state)), cell_names(rules[SIZE])
    black, white = (state[1], state[0]) if side_of(state) else (state[0], state[1])
    found: list[Piece] = []
    for player, own, enemy in (("b", black, white), ("w", white, black)):
        pinned = [name for cell, name in enumerate(names) if is_pinned(rules, cell, enemy)]
        found += pieces_on(names, own, player, {} if is_placing else dict.fromkeys(pinned, ("pinned",)))
    return found


def hands(rules: Rules, state: State) -> tuple[int, int]:
    """Returns how many bombs each player has still to place; the player on move may have one more."""
    more, less = to_place(state) + 1 >> 1, to_place(state) >> 1
    return (less, more) if side_of(state) else (more, less)


def action_cells(rules: Rules, action: int) -> tuple[str, ...]:
    """Returns the cell of a placement or a detonation, or the two of a move."""
    names, kind, origin, to = cell_names(rules[SIZE]), kind_of(action), origin_of(action), target_of(action)
    return (names[origin], names[to]) if kind == MOVE else (names[to],)


def is_meant(rules: Rules, state: State, action: int) -> bool:
    """Tells what a click means: a placement, later a detonation on an enemy bomb and a move from any other cell."""
    kind = kind_of(action)
    if to_place(state):
        return kind == PLACE
    if kind == DETONATE:
        return bool(state[1] & bit(target_of(action)))
    return kind == MOVE and not state[1] & bit(origin_of(action))


def first_click(rules: Rules, state: State) -> Message:
    """Returns what can be clicked first."""
    if to_place(state):
        return message("Click an empty cell to place a bomb.")
    return message("Click one of your bombs to move it, or an enemy bomb that touches yours to detonate it.")


def action_name(rules: Rules, action: int) -> Message | None:
    """Returns the text of the button for a detonation."""
    if kind_of(action) != DETONATE:
        return None
    return message("Detonate {cell}", cell=cell_names(rules[SIZE])[target_of(action)])
