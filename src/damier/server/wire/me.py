"""Wire models of the visitor."""

from __future__ import annotations

from damier.server.wire.matches import MatchSummary
from damier.server.wire.model import WireModel


class MeData(WireModel):
    """The visitor."""

    nickname: str


class VisitData(MeData):
    """What a page itself holds about its visitor, so that it need not be requested."""

    account: str | None
    """The name of the account that is signed in, which is the nickname then."""

    lang: str
    matches: list[MatchSummary] | None
    """The last matches, those to continue first; null on pages that do not list them."""


class PrivacyData(WireModel):
    """What the privacy page says of the settings."""

    keep_days: int
    """Days after which a match without an event is deleted; 0: never."""

    is_logging: bool
    """Whether requests are logged, without what identifies visitors."""

    contact: str
    """How to reach the operator; may be empty."""
