"""The header of a table file and the layout of its frames, as ``docs/tables.md`` specifies them."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from damier.core.version import __version__
from damier.solve.codes import CHANCE_CODING

if TYPE_CHECKING:
    from damier.solve.numbering import Numbering

FORMAT = 1
BLOCK_SHIFT = 14
BLOCK_ENTRIES = 1 << BLOCK_SHIFT

# The parts of a file; all numbers are little-endian.
HEAD = struct.Struct("<II")  # of a skippable frame: magic number, length of its content
HEADER_MAGIC = 0x184D2A50
SUM_MAGIC = 0x184D2A51
SEEK_MAGIC = 0x184D2A5E
SIGNATURE = b"DAMIER01"
SUM_SIZE = HEAD.size + hashlib.sha256().digest_size  # bytes of the frame with the SHA-256 of the header
SEEK_ENTRY = struct.Struct("<III")  # compressed size, decompressed size, checksum
FOOTER = struct.Struct("<IBI")  # number of frames, descriptor, magic number
FOOTER_MAGIC = 0x8F92EAB1
WITH_CHECKSUMS = 0x80  # the descriptor
SUM_OF_NOTHING = 0x51D8E999  # the checksum of the frames that hold no entries

RULES_VERSION = 1
PLIES, PROBABILITY = "plies", "probability"  # what a value measures


@dataclass(frozen=True)
class IndexScheme:
    """The name and version of a numbering of positions."""

    name: str
    version: int


@dataclass(frozen=True)
class Tier:
    """A named range of entries."""

    name: str
    first: int
    entries: int


@dataclass(frozen=True, kw_only=True)
class TableHeader:
    """The header of a table file. The writer fills in `entries` and `sha256`."""

    game: str
    options: dict[str, Any]
    rules_version: int
    index: IndexScheme
    metric: str
    """What a value measures, such as ``plies`` or ``probability``."""
    coding: str
    """The name of the encoding of values, such as ``win-draw-loss-8``."""
    entry_bytes: int
    """1 or 2."""
    solver: str
    tiers: tuple[Tier, ...] = ()
    """In order and without overlap."""
    entries: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    longest: int | None = None
    sha256: str = ""
    """SHA-256 of the whole decompressed array, in hexadecimal."""
    extra: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT
    block_entries: int = BLOCK_ENTRIES

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return -(-self.entries // BLOCK_ENTRIES)

    def text(self) -> str:
        """Returns the header as the JSON text of the file."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, allow_nan=False)


HEADER_FIELDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("format", "entry_bytes", "block_entries", "rules_version", "entries"), (int,)),
    **dict.fromkeys(("game", "metric", "coding", "solver", "sha256"), (str,)),
    **dict.fromkeys(("options", "index", "counts", "extra"), (dict,)),
    "tiers": (list,),
    "longest": (int, type(None)),
}
_CHOICES = {"format": (FORMAT,), "entry_bytes": (1, 2), "block_entries": (BLOCK_ENTRIES,)}


def parse_header(text: str) -> TableHeader:
    """Parses the JSON text of a header; raises `ValueError` with the name of an invalid field."""
    data = json.loads(text)
    if type(data) is not dict:
        raise ValueError("JSON")
    try:
        for name, kinds in HEADER_FIELDS.items():
            value = data[name]
            if type(value) not in kinds or value not in _CHOICES.get(name, (value,)):
                raise ValueError
            if type(value) is int:
                _number(value)
        values = {name: data[name] for name in HEADER_FIELDS}
        name = "index"
        values[name] = IndexScheme(_text(data[name]["name"]), _number(data[name]["version"]))
        name = "counts"
        values[name] = {key: _number(value) for key, value in data[name].items()}
        name = "tiers"
        values[name] = tuple(
            Tier(_text(tier["name"]), _number(tier["first"]), _number(tier["entries"])) for tier in data[name]
        )
        end = 0
        for tier in values[name]:
            if tier.first < end:
                raise ValueError
            end = tier.first + tier.entries
        if end > values["entries"]:
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise ValueError(name) from None
    return TableHeader(**values)


def _text(value: object) -> str:
    if type(value) is not str:
        raise ValueError
    return value


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def sum_frame(header_frame: bytes) -> bytes:
    """Returns the frame after the header, which holds its SHA-256."""
    digest = hashlib.sha256(header_frame).digest()
    return HEAD.pack(SUM_MAGIC, len(digest)) + digest


def new_header(numbering: Numbering) -> TableHeader:
    """Returns the header of a game's table before its entries are known."""
    game, is_chance = numbering.game, numbering.coding == CHANCE_CODING
    return TableHeader(
        game=game.name,
        options=dict(game.options),
        rules_version=RULES_VERSION,
        index=numbering.scheme,
        metric=PROBABILITY if is_chance else PLIES,
        coding=numbering.coding,
        entry_bytes=2 if is_chance else numbering.codes.entry_bytes,
        solver=__version__,
        tiers=numbering.tiers,
    )
