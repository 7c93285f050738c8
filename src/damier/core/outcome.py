"""How a game ended: the winner, or a draw, and why."""

from dataclasses import dataclass

from damier.core.messages import Message, message

#: Why any game may end, by code: by rules that all games share, and by acts of the players in a match.
COMMON_REASONS = {
    "no-action": message("the opponent has no action left"),
    "repetition": message("the same position for the third time"),
    "resignation": message("the opponent has resigned"),
    "agreement": message("agreed by the players"),
    "time": message("the opponent's time has run out"),
    "limit": message("stopped at the limit of turns"),
    "abandonment": message("a player has left"),
}

#: The reasons that are acts of a match, which no position shows: those with a winner, those for a draw, and all.
WINNING_ACTS = ("resignation", "time", "abandonment")
DRAWING_ACTS = ("agreement", "limit", "abandonment")
ACTS = ("resignation", "agreement", "time", "limit", "abandonment")

#: The reason of a game that was stopped before it had really begun, and has no result.
ABORT = "abort"

#: The result in one word of a game that has none.
UNFINISHED = "*"


@dataclass(frozen=True)
class Result:
    """The end of a game."""

    winner: str | None
    """The winner as in the notation, None for a draw and for a game that was aborted."""

    reason: str
    """Why, as a code that does not change: ``line``, ``repetition``, ``resignation`` and so on."""

    message: Message
    """The result as a sentence."""

    def sentence(self, lang: str = "en") -> str:
        """Returns the result as a sentence: "Black wins: four pawns in a line."."""
        return self.message.render(lang)

    @property
    def text(self) -> str:
        """The result in one word: the winner as in the notation, ``draw``, or ``*`` for a game that was aborted."""
        return self.winner or (UNFINISHED if self.is_aborted else "draw")

    @property
    def is_aborted(self) -> bool:
        """Whether the game was stopped without a result."""
        return self.reason == ABORT


def aborted() -> Result:
    """Returns the end of a game that has no result."""
    return Result(None, ABORT, message("The game was aborted: it has no result."))
