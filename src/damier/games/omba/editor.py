"""What the position editor sets besides stacks, side and hands: the die, and the players who are out."""

from damier.core.messages import message
from damier.core.notation import Part

_DIE = {"-": message("to be rolled")} | {str(die): message("Die: {die}", die=die) for die in range(1, 7)}
PARTS = (
    Part("die", message("Die"), "choice", 3, choices=_DIE),
    Part("out", message("Players who are out, in this order"), "players", 4),
)
