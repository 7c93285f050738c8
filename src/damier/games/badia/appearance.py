"""How Badia looks: a ring of tiles whose arrows reach to the centre, black and white pawns, a pin on marked ones."""

from itertools import pairwise

from damier.core.drawing import Cell, Drawing, Look, Piece, pieces_on
from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.core.options import Options
from damier.games.badia.notation import CELLS
from damier.games.badia.rules import (
    ANSWER,
    ARROWS,
    CENTRE,
    DISPLACE,
    LEAVE,
    PAWNS,
    PLACE,
    SQUARES,
    STEP,
    SWAP,
    displacements,
    enemy_marker_of,
    is_placing,
    kind_of,
    origin_of,
    own_marker_of,
    pending,
    put_of,
    side_of,
    target_of,
)

LOOKS = {
    "b": Look(message("black pawn"), "disc", "noir", "ring", "B"),
    "w": Look(message("white pawn"), "disc", "blanc", "ring", "W"),
}
MARKS = {"marker": message("marked")}

_HALF = 0.47  # of the side of a tile: tiles have joints between them
_CENTRE_HALF = 0.62
_TIP = 1.32  # from the middle of an arrow to its point: just short of the centre


def drawing(options: Options) -> Drawing:
    """Returns the empty board."""
    return Drawing(5, 5, tuple(map(_tile, range(17))), LOOKS, MARKS, has_hands=True)


def _tile(cell: int) -> Cell:
    """Returns a tile; an arrow is a square with a point that reaches towards the middle of the board."""
    name = CELLS[cell]
    x, y = "abcde".index(name[0]) + 0.5, 5.5 - int(name[1])
    half, kind = (_CENTRE_HALF, "centre") if cell == CENTRE else (_HALF, "light")
    outline = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    if ARROWS >> cell & 1:
        kind = "arrow"
        dx, dy = (2.5 - x) / 2, (2.5 - y) / 2  # the way to the centre, of length 1
        corner = {(0.0, -1.0): 1, (1.0, 0.0): 2, (0.0, 1.0): 3, (-1.0, 0.0): 4}[dx, dy]
        outline.insert(corner, (x + _TIP * dx, y + _TIP * dy))
    corners = tuple((round(left, 3), round(top, 3)) for left, top in outline)
    is_plain = kind == "light"
    return Cell(name, x, y, corners, kind, "light" if is_plain else "dark", has_grain=is_plain)


def pieces(rules: Rules, state: State) -> list[Piece]:
    """Returns the pawns on the board, without one that waits to be put down."""
    markers = filter(None, (own_marker_of(state), enemy_marker_of(state)))
    marks = {CELLS[marker - 1]: ("marker",) for marker in markers}
    black, white = (state[1], state[0]) if side_of(state) else (state[0], state[1])
    return pieces_on(CELLS, black, "b", marks) + pieces_on(CELLS, white, "w", marks)


def hands(rules: Rules, state: State) -> tuple[int, int]:
    """Returns how many pawns each player has still to place, without a displaced one."""
    own = PAWNS - bit_count(state[0]) - (pending(state) > 0)
    enemy = PAWNS - bit_count(state[1])
    return (enemy, own) if side_of(state) else (own, enemy)


def captions(rules: Rules, state: State) -> list[Message]:
    """Returns whether a displaced pawn waits for its owner."""
    return {
        0: [],
        1: [message("A displaced pawn is to be put on an empty cell")],
        2: [message("A displaced pawn with the marker is to be put on an empty cell")],
    }[pending(state)]


def action_cells(rules: Rules, action: int) -> tuple[str, ...]:
    """Returns the cell of a placement, or origin and target of a move, then the cell of the displaced pawn."""
    kind, put, origin, to = kind_of(action), put_of(action), origin_of(action), target_of(action)
    if kind in (PLACE, ANSWER):
        return (CELLS[to],)
    path = (CELLS[origin], CELLS[to])
    return (*path, CELLS[put]) if kind == DISPLACE else path


def action_routes(rules: Rules, state: State, action: int) -> list[tuple[str, ...]]:
    """Returns the step of the pawn and then the way of a displaced one, which passes no cell."""
    clicked = action_cells(rules, action)
    return [clicked] if len(clicked) == 1 else list(pairwise(clicked))


def is_meant(rules: Rules, state: State, action: int) -> bool:
    """Tells what a click means: where a pawn is put down, or the one way to move that suits what is on the target."""
    kind, to = kind_of(action), target_of(action)
    if pending(state) or is_placing(state):
        return kind == (ANSWER if pending(state) else PLACE)
    if not state[1] & bit(to):
        return kind == STEP
    if SQUARES & bit(to):
        return kind == SWAP
    return kind == (DISPLACE if displacements(to, state[0] | state[1]) else LEAVE)


def first_click(rules: Rules, state: State) -> Message:
    """Returns what can be clicked first."""
    if pending(state):
        return message("Click an empty cell for your displaced pawn.")
    if is_placing(state):
        return message("Click an empty square cell to place a pawn.")
    if own_marker_of(state):
        return message("Click one of your pawns, but not the one with the marker.")
    return message("Click one of your pawns.")


def action_name(rules: Rules, action: int) -> Message | None:
    """Returns the text of the button that leaves the choice to the owner."""
    return message("Let its owner choose") if kind_of(action) == LEAVE else None
