"""A position: one moment of a game, without its history."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from damier.core.drawing import Piece
from damier.core.errors import IllegalAction
from damier.core.kernel.contract import CHANCE, DRAW, PLAYING, State
from damier.core.messages import Message, message
from damier.core.outcome import Result

if TYPE_CHECKING:
    from damier.core.game import Game


class Position:
    """One moment of a game, without its history; `str()` is its position string. Immutable.

    >>> import damier
    >>> position = damier.load(damier.games()[1]).parse("5/5/5/5/5 b 4,4 -")
    >>> str(position.play("a1"))
    '5/5/5/5/B4 w 3,4 -'
    """

    __slots__ = ("_judgement", "game", "state")

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state
        self._judgement: tuple[Result | None, list[int]] | None = None

    def __str__(self) -> str:
        return self.game.definition.notation.position_text(self.game.rules, self.state)

    def __repr__(self) -> str:
        return f"<{self.game.name} position {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.state == other.state and self.game == other.game

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))

    @property
    def mover(self) -> str:
        """Who acts next: a player as in the notation, or ``chance`` when the die is due."""
        player = self.game.kernels.mover(self.game.rules, self.state)
        return "chance" if player == CHANCE else self.game.players[player]

    @property
    def is_settled(self) -> bool:
        """Whether the position stands at the end of a turn rather than in the middle of one."""
        return bool(self.game.kernels.settled(self.game.rules, self.state))

    @property
    def result(self) -> Result | None:
        """None while the game goes on, else how it ended, from what the position shows."""
        return self.judged()[0]

    def actions(self) -> list[str]:
        """Returns the legal actions as text, sorted; none when the game is over."""
        return sorted(self.game.action_text(code) for code in self.judged()[1])

    def play(self, text: str) -> Position:
        """Returns the position after an action; raises `IllegalAction` with the reason."""
        return self.after(self.legal_code(text))

    def legal_code(self, text: str) -> int:
        """Returns the number of an action that is legal here; raises `IllegalAction` with the reason."""
        action = self.game.parse_action(text)
        result, codes = self.judged()
        if result is not None:
            raise IllegalAction(message("The game is over. {result}", result=result.message))
        if action not in codes:
            raise IllegalAction(self.game.definition.refusals.why_illegal(self.game.rules, self.state, action))
        return action

    def after(self, action: int) -> Position:
        """Returns the position after a legal action given as a number."""
        return Position(self.game, self.game.kernels.apply(self.game.rules, self.state, action))

    def pieces(self) -> list[Piece]:
        """Returns the pieces on the board, for drawing; lower ones of a stack first."""
        return list(_pieces(self))

    def cell_marks(self) -> dict[str, str]:
        """Returns the cells with something special that no piece shows, and the name of the mark."""
        found: dict[str, str] = self._optional("cell_marks") or {}
        return found

    def hands(self) -> dict[str, int]:
        """Returns how many pieces each player has not yet put on the board."""
        numbers = self._optional("hands") or [0] * len(self.game.players)
        return dict(zip(self.game.players, numbers, strict=True))

    def captions(self) -> list[Message]:
        """Returns what the game writes beside the board, besides whose turn it is."""
        found: list[Message] = self._optional("captions") or []
        return found

    def is_meant(self, text: str) -> bool:
        """Tells whether clicks on the cells of an action can mean it here; all can if the game does not say."""
        function = getattr(self.game.definition.appearance, "is_meant", None)
        return function is None or bool(function(self.game.rules, self.state, self.game.parse_action(text)))

    def first_click(self) -> Message | None:
        """Returns what can be clicked first, or None if the game does not say."""
        found: Message | None = self._optional("first_click")
        return found

    def _optional(self, name: str) -> Any:
        """Returns what an OPTIONAL function of the appearance says of this position, or None."""
        function = getattr(self.game.definition.appearance, name, None)
        return function(self.game.rules, self.state) if function else None

    def judged(self) -> tuple[Result | None, list[int]]:
        """Returns the result, if any, and the legal actions as numbers in no particular order."""
        if self._judgement is None:
            self._judgement = self._judge()
        return self._judgement

    def _judge(self) -> tuple[Result | None, list[int]]:
        game = self.game
        outcome = game.kernels.outcome(game.rules, self.state)
        if outcome != PLAYING:
            reason = game.definition.refusals.why_over(game.rules, self.state)
            return game.result(None if outcome == DRAW else game.players[outcome], reason), []
        out = [0] * game.kernels.MAX_ACTIONS
        codes = out[: game.kernels.actions(game.rules, self.state, out)]
        if not codes:
            return game.lost_without_action(self.mover), []
        return None, codes


@lru_cache(4_000)  # a server needs them for the board and for what the next action changes
def _pieces(position: Position) -> tuple[Piece, ...]:
    return tuple(position.game.definition.appearance.pieces(position.game.rules, position.state))
