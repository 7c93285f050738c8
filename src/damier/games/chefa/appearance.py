"""How Chefa looks: a chequered board with a hole in the centre, black and white pawns, a mark on the cells of a ko."""

from damier.core.drawing import Drawing, Look, Piece, pieces_on, square_cells
from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.core.options import Options
from damier.games.chefa.notation import CELLS
from damier.games.chefa.rules import PAWNS, PLACE, SWAP, is_placing, kind_of, ko_of, origin_of, side_of, target_of

LOOKS = {
    "b": Look(message("black pawn"), "disc", "noir", "ring", "B"),
    "w": Look(message("white pawn"), "disc", "blanc", "ring", "W"),
}
MARKS = {"ko": message("ko")}


def drawing(options: Options) -> Drawing:
    """Returns the empty board."""
    return Drawing(5, 5, square_cells(5, {"c3": "hole"}), LOOKS, MARKS, has_hands=True)


def pieces(rules: Rules, state: State) -> list[Piece]:
    """Returns the pawns."""
    black, white = (state[1], state[0]) if side_of(state) else (state[0], state[1])
    return pieces_on(CELLS, black, "b") + pieces_on(CELLS, white, "w")


def cell_marks(rules: Rules, state: State) -> dict[str, str]:
    """Returns the two cells whose swap cannot be undone now."""
    ko = ko_of(state)
    return {CELLS[ko >> 5]: "ko", CELLS[ko & 31]: "ko"} if ko else {}


def hands(rules: Rules, state: State) -> tuple[int, int]:
    """Returns how many pawns each player has still to place."""
    own, enemy = PAWNS - bit_count(state[0]), PAWNS - bit_count(state[1])
    return (enemy, own) if side_of(state) else (own, enemy)


def action_cells(rules: Rules, action: int) -> tuple[str, ...]:
    """Returns the cell of a placement, or the two of a step or swap, the own pawn first."""
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    return (CELLS[to],) if kind == PLACE else (CELLS[origin], CELLS[to])


def is_meant(rules: Rules, state: State, action: int) -> bool:
    """Tells what a click means: a placement, later a swap where the target is an enemy pawn, else a step."""
    kind = kind_of(action)
    if is_placing(state[0]) or kind == PLACE:
        return is_placing(state[0]) and kind == PLACE
    return (kind == SWAP) == bool(state[1] & bit(target_of(action)))


def first_click(rules: Rules, state: State) -> Message:
    """Returns what can be clicked first."""
    if is_placing(state[0]):
        return message("Click an empty cell to place a pawn.")
    return message("Click one of your pawns.")
