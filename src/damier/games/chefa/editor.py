"""What the position editor sets besides pawns, side and hands: the swap that may not be undone."""

from damier.core.messages import message
from damier.core.notation import Part

PARTS = (Part("ko", message("Swap just made"), "pair", 3, mark="ko"),)
