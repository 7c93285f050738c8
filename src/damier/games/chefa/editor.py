"""What the position editor sets besides pawns, side and hands: the swap that may not be undone."""

from damier.core.messages import message
from damier.core.options import Options
from damier.core.setting_up import Part


def parts(options: Options) -> tuple[Part, ...]:
    """Returns the one part."""
    return (Part("ko", message("Swap just made"), "pair", 3, mark="ko"),)
