"""Wire models of the visitor."""

from __future__ import annotations

from damier.server.wire.model import WireModel


class MeData(WireModel):
    """The visitor."""

    nickname: str
