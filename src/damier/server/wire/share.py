"""Wire models of sharing."""

from __future__ import annotations

from typing import Literal

from damier.server.wire.model import WireModel


class OEmbedAnswer(WireModel):
    """What other sites show for an address of ours: see https://oembed.com."""

    version: Literal["1.0"]
    type: Literal["rich"]
    provider_name: str
    provider_url: str
    title: str
    cache_age: int
    width: int
    height: int
    html: str
    thumbnail_url: str
    thumbnail_width: int
    thumbnail_height: int
