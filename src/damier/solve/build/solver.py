"""Solves a game: estimates and checks the resources, locks the table and builds it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import Message, Number, counted, message, shown
from damier.solve.codes import CHANCE_CODING
from damier.solve.file.header import TableHeader
from damier.solve.location import locked
from damier.solve.memory import peak_memory
from damier.solve.numbering import has_families, name_of
from damier.solve.tables import Tables, duration, minutes

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.solve.build.chances import ChanceBuilder
    from damier.solve.build.outcomes import OutcomeBuilder
    from damier.solve.numbering import Numbering

_PROGRAM = 300 * 2**20  # bytes of memory besides the entries
_TABLE_SHARE = 0.25  # largest compression ratio seen


@dataclass(frozen=True)
class Needs:
    """The resources that solving a game takes."""

    entries: int
    memory: int
    disk: int
    """Bytes, during the build."""

    time: Message
    """An estimate in words."""

    minutes: float


@dataclass(frozen=True)
class Solved:
    """A table that has been built."""

    header: TableHeader
    path: Path
    size: int
    seconds: float | None = None
    """Wall-clock time without compiling; None for a table built before, as are the next two."""

    cpu_seconds: float | None = None
    """CPU time of all threads."""

    memory: int | None = None
    """Peak memory in bytes."""


def needs(tables: Tables) -> Needs:
    """Returns the resources that solving a game takes; raises `NotSolvable` if it cannot be solved."""
    from damier.solve.build.chances import chance_memory

    numbering = tables.numbering
    entries = numbering.entries
    if numbering.coding == CHANCE_CODING:
        memory, disk = chance_memory(numbering), entries * 10
    else:
        largest = max(tier.entries for tier in numbering.tiers)
        size = entries * numbering.codes.entry_bytes
        memory, disk = size + largest, round(size * (1 + _TABLE_SHARE))
    return Needs(
        entries, memory + numbering.numbers.nbytes + _PROGRAM, disk, duration(numbering), round(minutes(numbering), 2)
    )


def solve(
    game: Game, *, threads: int, memory: int, folder: Path | None = None, show: Callable[[float, str], None]
) -> Solved:
    """Builds the table of a game, resuming an interrupted build."""
    tables = Tables(game, folder)
    need = needs(tables)
    if need.memory > memory:
        raise BadArgument(
            message(
                "Solving {game} needs {needed} of memory, and it may use {limit}: give it more with {option}.",
                game=name_of(game),
                needed=size_text(need.memory),
                limit=size_text(memory),
                option="--memory",
            )
        )
    with locked(tables.path):
        check_disk(tables, need)
        builder = _builder(tables.numbering)(tables.numbering, tables.path, threads, show)
        began, worked = time.perf_counter(), time.process_time()
        header = builder.run()
    return Solved(
        header,
        tables.path,
        tables.path.stat().st_size,
        round(time.perf_counter() - began, 1),
        round(time.process_time() - worked, 1),
        peak_memory(),
    )


def _builder(numbering: Numbering) -> type[ChanceBuilder | OutcomeBuilder]:
    """Returns the class that builds the table of a numbering."""
    from damier.solve.build.chances import ChanceBuilder
    from damier.solve.build.family_outcomes import FamilyBuilder
    from damier.solve.build.outcomes import OutcomeBuilder

    if numbering.coding == CHANCE_CODING:
        return ChanceBuilder
    return FamilyBuilder if has_families(numbering, 0) else OutcomeBuilder


def check_disk(tables: Tables, need: Needs) -> None:
    """Raises `BadArgument` if the folder of the table has less room than the work takes."""
    folder = tables.path.parent
    free = shutil.disk_usage(folder).free
    if need.disk > free:
        raise BadArgument(
            message(
                "Solving {game} needs {needed} of disk in {folder}, where {free} are free.",
                game=name_of(tables.game),
                needed=size_text(need.disk),
                folder=shown(str(folder)),
                free=size_text(free),
            )
        )


def size_text(size: float) -> Message:
    """Returns a number of bytes with its unit."""
    if size >= 2**30:
        return message("{size} GB", size=Number(size / 2**30, ".1f"))
    if size >= 2**20:
        return message("{size} MB", size=Number(size / 2**20, ".1f"))
    if size >= 2**10:
        return message("{size} kB", size=Number(size / 2**10, ".1f"))
    return counted("{count} byte", "{count} bytes", count=round(size))


def parse_size(text: str) -> int:
    """Parses a size such as 8G or 500M into bytes."""
    factors = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in factors else (text, "")
    try:
        size = float(number) * factors.get(unit, 1)
    except ValueError:
        size = 0.0
    if not 1 <= size < 2**60:
        raise BadArgument(message("A size is written as {example}, not {text}.", example="8G", text=shown(text)))
    return int(size)
