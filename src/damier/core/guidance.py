"""What a game says to somebody who plays it for the first time: the aim, what to do now, what an action does, the end.

A game says it in its ``guidance.py``, of which every function is OPTIONAL: ``core/definition.py`` lists them. The
functions here call them and stand in for those that are missing. All sentences are neutral: several people read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.messages import Message, message

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.outcome import Result
    from damier.core.position import Position


@dataclass(frozen=True)
class Guide:
    """What the player on move can do now."""

    title: Message
    """What to do, as an imperative without a full stop: "Place a bomb on an empty cell"."""

    text: Message
    """How, in one or two sentences."""

    phase: Message | None = None
    """The part of the game or of the turn: "Placing: 3 bombs left"."""


@dataclass(frozen=True)
class Waiting:
    """A piece that waits beside the board."""

    player: str
    marks: tuple[str, ...] = ()
    """Names in `Drawing.marks`."""


def game_aim(game: Game) -> Message:
    """Returns the aim of a game in one sentence; without the hook, its summary."""
    found: Message | None = _call(game, "aim", game.rules)
    return found or game.definition.summary


def aim_position(game: Game) -> Position | None:
    """Returns a position in which the aim is reached; None without the hook."""
    found: str | None = _call(game, "aim_position", game.rules)
    return game.position(found) if found else None


def mark_legend(game: Game) -> dict[str, Message]:
    """Returns what each mark of a piece or cell means, by name; without the hook, the name of the mark."""
    found: dict[str, Message] = _call(game, "legend", game.rules) or {}
    return {**game.drawing.marks, **found}


def guide_of(position: Position) -> Guide:
    """Returns what the player on move can do; without the hook, what can be clicked, and the aim."""
    found: Guide | None = _call(position.game, "guide", position.game.rules, position.state)
    return found or Guide(position.first_click() or message("Choose an action"), game_aim(position.game))


def next_click(position: Position, clicked: Sequence[str]) -> Message:
    """Returns what to choose after clicks that begin several actions; without the hook, where the piece goes."""
    found: Message | None = _call(position.game, "next_click", position.game.rules, position.state, tuple(clicked))
    return found or message("Choose where it goes")


def action_effect(position: Position, action: int) -> Message | None:
    """Returns what a legal action gives and costs; None without the hook."""
    found: Message | None = _call(position.game, "effect", position.game.rules, position.state, action)
    return found


def vanishing_steps(position: Position, action: int, cells: Sequence[str]) -> list[list[str]]:
    """Returns the cells whose pieces vanish by a legal action, step by step; without the hook, all in one step."""
    found: list[list[str]] | None = _call(position.game, "steps", position.game.rules, position.state, action)
    return found or ([list(cells)] if cells else [])


def is_irreversible(position: Position, action: int) -> bool:
    """Tells whether a legal action deserves a question before it is played; none does without the hook."""
    return bool(_call(position.game, "is_irreversible", position.game.rules, position.state, action))


def waiting_pieces(position: Position) -> list[Waiting]:
    """Returns the pieces that wait beside the board; none without the hook."""
    found: list[Waiting] = _call(position.game, "waiting", position.game.rules, position.state) or []
    return found


def winning_cells(position: Position, result: Result | None) -> list[str]:
    """Returns the cells of the pieces that made the win which a position shows; none without the hook."""
    if result is None or not _is_by_rules(position, result):
        return []
    found: list[str] = _call(position.game, "winning", position.game.rules, position.state) or []
    return found


def end_words(position: Position, result: Result) -> Message:
    """Returns why a game ended in a few words that suit winner and loser; without the hook, the reason."""
    found: Message | None = None
    if _is_by_rules(position, result):
        found = _call(position.game, "end_words", position.game.rules, position.state)
    return found or _common_words(position.game, result) or position.game.reasons().get(result.reason, result.message)


def end_details(position: Position, result: Result) -> Message | None:
    """Returns the end that a position shows in a sentence; None without the hook."""
    if not _is_by_rules(position, result):
        return None
    found: Message | None = _call(position.game, "end_details", position.game.rules, position.state)
    return found


def cell_list(cells: Sequence[str]) -> Message | str:
    """Returns cells as a sentence lists them: "a1, b1 and c1"."""
    if len(cells) < 2:
        return "".join(cells)
    return message("{cells} and {last}", cells=", ".join(cells[:-1]), last=cells[-1])


def sentences(*parts: Message | None) -> Message:
    """Returns sentences as one message; missing ones are left out."""
    found = [part for part in parts if part]
    text = " ".join(f"{{part{number}}}" for number in range(len(found)))
    return Message(text, {f"part{number}": part for number, part in enumerate(found)})


def _common_words(game: Game, result: Result) -> Message | None:
    """Returns a reason that all games share with the name of the loser."""
    if result.winner is None or len(game.players) != 2:
        return None
    loser = game.player_name(game.opponent(result.winner))
    if result.reason == "no-action":
        return message("{player} has no action left", player=loser)
    if result.reason == "resignation":
        return message("{player} has resigned", player=loser)
    if result.reason == "time":
        return message("{player} has run out of time", player=loser)
    if result.reason == "abandonment":
        return message("{player} has left", player=loser)
    return None


def _is_by_rules(position: Position, result: Result) -> bool:
    """Tells whether the position itself shows the end, by a reason of the game's own."""
    return result.reason in position.game.definition.reasons


def _call(game: Game, name: str, *arguments: object) -> Any:
    """Returns what an OPTIONAL function of the game's guidance says, or None."""
    function = getattr(game.definition.guidance, name, None)
    return function(*arguments) if function else None
