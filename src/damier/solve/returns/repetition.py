"""What the rules of a game make of repetition, and so what a table, which has no history, does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.kernel.contract import REPETITION_DRAWS, REPETITION_FORBIDDEN
from damier.core.messages import Message, message

if TYPE_CHECKING:
    from damier.core.game import Game


def forbids_returns(game: Game) -> bool:
    """Tells whether the rules forbid a return, of which a table knows nothing."""
    return game.traits.repetition == REPETITION_FORBIDDEN


def compares_positions(game: Game) -> bool:
    """Tells whether repetition compares whole positions; then all wins of a table survive (``path_search.py``)."""
    return not hasattr(game.definition.rules, "situation")


def by_table(game: Game, value: Message) -> Message:
    """Returns a value of a table in words, marked if the rules forbid returns, so that a history may change it."""
    if not forbids_returns(game):
        return value
    return message("{value} by the table, which knows no forbidden return", value=value)


def history_note(game: Game) -> Message | None:
    """Returns what to say with values that are not proved, because the table knows no history; None if all are."""
    if game.traits.repetition == REPETITION_FORBIDDEN:
        return message(
            "The table knows no forbidden return. A value is proved where a search with all situations of this game "
            "has found it again; another win may fail, and a draw only means that nobody can force a win without "
            "repeating a situation."
        )
    if game.traits.repetition == REPETITION_DRAWS:
        return message(
            "The table does not know which positions have stood twice: a win is not proved if its way may lead to one."
        )
    return None
