"""What the position editor sets besides stones and side: the characters, and the actions left in the turn."""

from damier.core.messages import message
from damier.core.notation import Part

_LEFT = {
    "2,1": message("2 stone moves and the character"),
    "2,0": message("2 stone moves"),
    "1,1": message("1 stone move and the character"),
    "1,0": message("1 stone move"),
    "0,1": message("the character only"),
}
PARTS = (
    Part("sage", message("Sage"), "cell", 2, 0, player="g", mark="sage", can_be_none=False),
    Part("monkey", message("Monkey"), "cell", 2, 1, player="r", mark="monkey", can_be_none=False),
    Part("left", message("Left in this turn"), "choice", 3, choices=_LEFT),
)
