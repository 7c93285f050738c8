"""Pieces of a tier's entries: compressed to travel and to be stored, and kept in a shared place by tier and stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import zstandard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.cluster.shared_place import SharedPlace
    from damier.solve.file.header import Tier

    Codes = NDArray[np.uint8]

PIECE = 1 << 24
"""Entries of a piece, at most."""

BEGUN, SOLVED = "begun", "solved"
"""Stages of a tier besides distances: some ranges initialised, all done."""

_LEVEL = 1  # compression: the network is the slower part, but the processor has other work


def packed(codes: Codes) -> Codes:
    """Returns entries compressed; an array, which Ray hands over without copying."""
    data = zstandard.ZstdCompressor(level=_LEVEL).compress(np.ascontiguousarray(codes).data)
    return np.frombuffer(data, np.uint8)


def unpacked(data: Codes, count: int) -> Codes:
    """Returns `count` compressed entries; raises `ValueError` if these are others."""
    try:
        found = zstandard.ZstdDecompressor().decompress(data.data, max_output_size=count)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(found) != count:
        raise ValueError(f"{len(found)} entries instead of {count}")
    return np.frombuffer(found, np.uint8)


def cut(entries: int, size: int) -> list[tuple[int, int]]:
    """Returns the ranges of at most `size` into which `entries` are cut.

    >>> cut(10, 4)
    [(0, 4), (4, 8), (8, 10)]
    """
    return [(low, min(low + size, entries)) for low in range(0, entries, size)]


class TierStore:
    """The tiers of one table in a shared place."""

    def __init__(self, place: SharedPlace) -> None:
        self._place = place

    def write(self, number: int, stage: str, low: int, high: int, data: Codes) -> None:
        """Stores the compressed entries of a range."""
        name, head = _described(number, stage, low, high)
        self._place.write(name, head, data.tobytes())

    def read(self, number: int, stage: str, low: int, high: int) -> Codes | None:
        """Returns the compressed entries of a range; None if they are missing or damaged."""
        content = self._place.read(*_described(number, stage, low, high))
        return None if content is None else np.frombuffer(content, np.uint8)

    def write_tier(self, number: int, stage: str, codes: Codes) -> None:
        """Stores all entries of a tier."""
        for low, high in cut(len(codes), PIECE):
            self.write(number, stage, low, high, packed(codes[low:high]))

    def pieces(self, number: int, tier: Tier, stage: str) -> Iterator[tuple[int, int, Codes | None]]:
        """Yields the ranges of a tier with their compressed entries, None for what is missing or damaged."""
        for low, high in cut(tier.entries, PIECE):
            yield low, high, self.read(number, stage, low, high)

    def is_whole(self, number: int, tier: Tier, stage: str) -> bool:
        """Tells whether all entries of a tier are stored, undamaged."""
        return all(data is not None for _, _, data in self.pieces(number, tier, stage))

    def distances(self, number: int) -> list[int]:
        """Returns the distances at which the tier has been stored, whole or not, the last one first."""
        start = f"{number:03}-plies-"
        found = {name[len(start) :].split("-")[0] for name in self._place.names() if name.startswith(start)}
        return sorted((int(plies) for plies in found if plies.isdecimal()), reverse=True)

    def forget(self, number: int, *kept: str) -> None:
        """Removes what is stored of a tier but for these stages."""
        starts = tuple(f"{number:03}-{stage}-" for stage in kept)
        for name in self._place.names():
            if name.startswith(f"{number:03}-") and not name.startswith(starts):
                self._place.remove(name)

    def clear(self) -> None:
        """Removes everything."""
        self._place.clear()


def at_distance(plies: int) -> str:
    """Returns the stage of a tier whose entries are known up to a distance."""
    return f"plies-{plies:03}"


def _described(number: int, stage: str, low: int, high: int) -> tuple[str, dict[str, Any]]:
    """Returns the name of a piece and what it says about itself."""
    head = {"tier": number, "stage": stage, "low": low, "high": high}
    return f"{number:03}-{stage}-{low}-{high}", head
