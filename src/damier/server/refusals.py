"""Why something cannot be played, with the address of the rule that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.core.messages import Message, message
from damier.server.wire.matches import Refusal
from damier.teach.material import find_material
from damier.teach.rules.blocks import rule_id

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.server.wire.matches import Attempt


def explain_refusal(record: Record, attempt: Attempt, lang: str) -> Refusal:
    """Returns why an attempt cannot be played, and where the rules explain it."""
    name, refusal = record.game.name, _refusal(record, attempt)
    return Refusal(sentence=refusal.render(lang), rules=_rule_address(name, refusal))


def _rule_address(name: str, refusal: Message) -> str | None:
    if find_material(name, "rules.en.md") is None:
        return None
    section = rule_id(name, refusal)
    return f"/rules/{name}" + (f"#{section}" if section else "")


def _refusal(record: Record, attempt: Attempt) -> Message:
    texts = [attempt.action] if attempt.action is not None else record.game.guess_actions(attempt.cells)
    for text in texts:
        try:
            record.copy().play(text)
        except DamierError as error:
            return error.message
    return message("No action of this game is chosen that way.")
