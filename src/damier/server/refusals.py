"""Why something cannot be played, with the address of the rule that says so.

Clicks that fit no action could stand for several illegal ones. The reason is that of the action which the game says is
meant by them. A click that no action begins with gets the reason that all actions from that cell share, and what can be
clicked instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from damier.core.drawing import HAND
from damier.core.errors import DamierError
from damier.core.messages import Message, message
from damier.server.wire.matches import Refusal
from damier.teach.material import find_material
from damier.teach.rules.blocks import rule_id

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.server.wire.matches import Attempt

_MOST_LISTED = 12  # cells


def explain_refusal(record: Record, attempt: Attempt, lang: str) -> Refusal:
    """Returns why an attempt cannot be played, and where the rules explain it."""
    if attempt.action is None:
        sentences = explain_clicks(record, attempt.cells)
    else:
        sentences = [*_reasons(record, [attempt.action]), message("This action is possible now: try again.")][:1]
    sentence = " ".join(each.render(lang) for each in sentences)
    return Refusal(sentence=sentence, rules=_rule_address(record.game.name, sentences[0]))


def _rule_address(name: str, refusal: Message) -> str | None:
    if find_material(name, "rules.en.md") is None:
        return None
    section = rule_id(name, refusal)
    return f"/rules/{name}" + (f"#{section}" if section else "")


def explain_clicks(record: Record, cells: Sequence[str]) -> list[Message]:
    """Returns why no action is chosen by these clicks and, if there is only one, what can be clicked."""
    if record.result:
        return [message("The game is over. {result}", result=record.result.message)]
    advice = record.position.first_click() or _first_cells(record)
    if not cells:
        return [advice]
    if following := _following(record, cells):
        return [message("The action is not complete: click one of {cells}.", cells=_listed(following))]
    reason = _reason(record, cells)
    return [reason] if len(cells) > 1 or advice == reason else [reason, advice]


def likely_actions(record: Record, cells: Sequence[str]) -> list[str]:
    """Returns the actions, legal or not, that clicks most likely mean; a single cell may be where a piece comes in."""
    meant, others = _guesses(record, cells)
    return meant or others


def _guesses(record: Record, cells: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns the actions with these cells, legal or not: those that the clicks mean, and the others."""
    guesses = record.game.guess_actions(cells)
    if len(cells) == 1:
        guesses += record.game.guess_actions([HAND, *cells])
    meant = [text for text in guesses if record.position.is_meant(text)]
    return meant, [text for text in guesses if text not in meant]


def _reason(record: Record, cells: Sequence[str]) -> Message:
    """Returns why no action is chosen by these clicks."""
    names = [cell.name for cell in record.game.drawing.cells]
    for cell in cells:
        if cell not in (*names, HAND):
            return message("There is no cell {cell} on this board.", cell=cell)
    meant, others = _guesses(record, cells)
    longer = (text for name in names for text in likely_actions(record, [*cells, name]))
    return (
        next(_reasons(record, meant), None)
        or _shared_reason(record, tuple(longer))
        or (None if len(cells) == 1 else next(_reasons(record, others), None))
        or _why_stuck(record, cells[-1])
    )


def _why_stuck(record: Record, cell: str) -> Message:
    """Returns why nothing can be played from a cell."""
    why = getattr(record.game.definition.refusals, "why_stuck", None)
    if why and any(piece.cell == cell and piece.player == record.mover for piece in record.position.pieces()):
        found: Message = why(record.game.rules, record.position.state, cell)
        return found
    return message("Nothing can be played from {cell} now.", cell=cell)


def _reasons(record: Record, texts: Sequence[str]) -> Iterator[Message]:
    """Yields why actions are refused."""
    for text in texts:
        try:
            record.copy().play(text)
        except DamierError as error:
            yield error.message


def _shared_reason(record: Record, texts: Sequence[str]) -> Message | None:
    """Returns the only reason for which actions are refused; one that only the history forbids counts alone."""
    legal_alone = record.position.actions()
    for chosen in ([text for text in texts if text in legal_alone], texts):
        reasons = list(_reasons(record, chosen))
        if len({str(reason) for reason in reasons}) == 1:
            return reasons[0]
    return None


def _following(record: Record, cells: Sequence[str]) -> list[str]:
    """Returns the cells that legal actions have after these, each once."""
    chosen = tuple(cells)
    clicks = (record.game.action_cells(text) for text in record.actions())
    return list(
        dict.fromkeys(each[len(chosen)] for each in clicks if len(each) > len(chosen) and each[: len(chosen)] == chosen)
    )


def _first_cells(record: Record) -> Message:
    """Returns what can be clicked first, for games that do not say it themselves."""
    first = _following(record, ())
    cells = [cell for cell in first if cell != HAND]
    if not cells:
        return message("Bring in a piece.") if first else message("Use the buttons under the board.")
    if HAND in first:
        return message("Bring in a piece, or click one of {cells}.", cells=_listed(cells))
    return message("Click one of {cells}.", cells=_listed(cells))


def _listed(cells: Sequence[str]) -> str:
    return ", ".join(cells[:_MOST_LISTED]) + (", …" if len(cells) > _MOST_LISTED else "")
