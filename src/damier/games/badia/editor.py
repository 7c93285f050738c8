"""What the position editor sets besides pawns, side and hands: the markers, and a pawn that waits for its owner."""

from damier.core.messages import message
from damier.core.notation import Part

_WAITING = {
    "-": message("none"),
    "p": message("a pawn of the side to move"),
    "m": message("a pawn of the side to move, with its marker"),
}
PARTS = (
    Part("black-marker", message("Marker of Black"), "cell", 3, 0, player="b", mark="marker"),
    Part("white-marker", message("Marker of White"), "cell", 3, 1, player="w", mark="marker"),
    Part("waiting", message("Waiting pawn"), "choice", 4, choices=_WAITING),
)
