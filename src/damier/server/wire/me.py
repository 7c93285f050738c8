"""Wire models of the visitor."""

from __future__ import annotations

from damier.server.wire.matches import MatchSummary
from damier.server.wire.model import WireModel


class MeData(WireModel):
    """The visitor."""

    nickname: str


class VisitData(MeData):
    """What a page itself holds about its visitor, so that it need not be requested."""

    lang: str
    matches: list[MatchSummary] | None
    """The last matches, those to continue first; null on pages that do not list them."""
