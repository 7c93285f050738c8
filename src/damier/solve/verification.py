"""Verifies a table: that its file is whole, that its header is true, and that every entry follows from others.

The idea is in ``verify.py``. It takes a byte of memory for each entry. Measured on a busy machine: 1.5 us of CPU for an
entry where 12 positions follow on average, 0.9 us where 9 do.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core import subsets
from damier.core.bind import bind
from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Message, message, plain
from damier.solve import verify as algorithm
from damier.solve.codes import CODING, DRAWN, FREE, LOST, MARKED, WON
from damier.solve.numbering import name_of
from damier.solve.table_file import BadTable, Tier
from damier.solve.tables import decoded
from damier.solve.workshop import run_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.kernels import State
    from damier.solve.tables import Tables

    Codes = NDArray[np.uint8]
    Show = Callable[[float, str], None]

_SHOWN = 200  # characters of a path that a sentence repeats


@dataclass(frozen=True)
class Verified:
    """A table all of whose entries have been found right."""

    entries: int
    seconds: float
    """Without compiling; ..."""

    cpu_seconds: float
    """... and what of it the processors worked."""


class WrongEntry(DamierError):
    """An entry of a table does not follow from those of the positions after it."""


class _Found(Exception):
    """Ends the work of all threads: one has found a wrong entry."""


def verify(tables: Tables, threads: int, show: Show) -> Verified:
    """Derives every entry of a table a second time; raises `BadTable` or `WrongEntry` with what is wrong."""
    verifier = _Verifier(tables, threads, show)
    began, worked = time.perf_counter(), time.process_time()
    verifier.run()
    return Verified(len(verifier.entries), time.perf_counter() - began, time.process_time() - worked)


class _Verifier:
    """The work on one table."""

    def __init__(self, tables: Tables, threads: int, show: Show) -> None:
        self.threads, self.show = threads, show
        self.game, self.numbering = tables.game, tables.numbering
        self.check = self._check()
        self.file = tables.file
        self.name = f"'{plain(str(tables.path), _SHOWN)}'"
        self._refuse_other_kinds()
        self.entries: Codes = np.zeros(0, np.uint8)
        self.outs = [np.zeros(3 * algorithm.MOST_FOLLOWING, np.int64) for _ in range(threads)]
        self.given = np.array(self.check.check_numbers(self.game.options), np.int64)
        self.kernels = self._bound(compiled=True)
        self._first_wrong(0, 0, 0, self.outs[0])  # compiles

    def run(self) -> None:
        """Does all of it."""
        self.show(0.0, "")
        self.file.check()
        self._load()
        self._compare_header()
        self._find_start()
        for number, tier in enumerate(self.numbering.tiers):
            self._derive(number, tier)
        self.show(1.0, "")

    def _refuse_other_kinds(self) -> None:
        header = self.file.header
        if header.coding != CODING or header.entry_bytes != 1:
            raise BadArgument(
                message(
                    "The table {file} has values of the kind {kind}; only wins, draws and losses can be verified yet.",
                    file=self.name,
                    kind=f"'{plain(header.coding, _SHOWN)}'",
                )
            )

    def _check(self) -> ModuleType:
        """Returns the rules of the game a second time."""
        name = f"{self.game.definition.rules.__package__}.check"
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            raise BadArgument(message("The table of {game} cannot be verified yet.", game=name_of(self.game))) from None

    def _bound(self, *, compiled: bool) -> SimpleNamespace:
        numbering = self.numbering
        return bind(self.game.definition.rules, subsets, numbering.index, self.check, algorithm, compiled=compiled)

    def _load(self) -> None:
        """Reads all entries."""
        self.entries = np.empty(self.file.header.entries, np.uint8)
        first = 0
        for block in self.file.blocks():
            self.entries[first : first + len(block)] = block
            first += len(block)

    def _compare_header(self) -> None:
        """Makes sure that the header tells what is there."""
        header = self.file.header
        if (header.entries, header.tiers) != (self.numbering.entries, self.numbering.tiers):
            raise BadTable(message("The table {file} has other parts than the game's numbering.", file=self.name))
        parts = [np.bincount(self._part(tier), minlength=256) for tier in header.tiers]
        whole = np.sum(parts, axis=0)
        told = {**header.counts, "longest": header.longest}
        self._compare_counts(message("the whole table"), told, {**counts(whole), "longest": longest(whole)})
        for tier, told, part in zip(header.tiers, header.extra.get("tiers", []), parts, strict=False):
            found = {**counts(part), **distances(part)}
            self._compare_counts(f"'{tier.name}'", told, {kind: found[kind] for kind in found if kind in told})

    def _part(self, tier: Tier) -> Codes:
        return self.entries[tier.first : tier.first + tier.entries]

    def _compare_counts(self, part: Message | str, told: dict[str, Any], found: dict[str, Any]) -> None:
        for kind, number in found.items():
            if told.get(kind) != number:
                raise BadTable(
                    message(
                        "The header of the table {file} is wrong about '{kind}' in {part}.",
                        file=self.name,
                        kind=kind,
                        part=part,
                    )
                )

    def _find_start(self) -> None:
        """Makes sure that the position in which a game begins is in the table."""
        if self._bound(compiled=False).code_found(*self._plain(), self.game.start.state) == algorithm.MISTAKEN:
            raise WrongEntry(
                message(
                    "The table {file} does not have the position {position}.", file=self.name, position=self.game.start
                )
            )

    def _derive(self, number: int, tier: Tier) -> None:
        """Derives the entries of a tier."""
        wrong: list[int] = []

        def work(low: int, high: int, thread: int) -> int:
            entry = -1 if wrong and low > min(wrong) else self._first_wrong(number, low, high, self.outs[thread])
            if entry >= 0:
                wrong.append(entry)
            if wrong:
                raise _Found
            return 0

        def done(entries: int) -> None:
            self.show((tier.first + entries) / len(self.entries), tier.name)

        try:
            run_chunks(work, 0, tier.entries, self.threads, done)
        except _Found:
            raise self._wrong_entry(number, tier, min(wrong)) from None

    def _first_wrong(self, number: int, low: int, high: int, out: NDArray[np.int64]) -> int:
        numbering = self.numbering
        given = (self.given, numbering.rules, numbering.numbers, numbering.firsts, self.entries)
        return int(self.kernels.first_wrong(*given, number, low, high, out))

    def _wrong_entry(self, number: int, tier: Tier, entry: int) -> WrongEntry:
        """Returns what is wrong with an entry."""
        kernels, out = self._bound(compiled=False), [0] * len(self.outs[0])
        due = kernels.code_due(*self._plain(), number, entry, out)
        where = {"file": self.name, "tier": tier.name, "entry": entry}
        state = kernels.unrank(self.game.rules, self._plain()[2], number, entry)
        if due < 0:
            own, enemy, rest = out[3 * (-1 - due) :][:3]
            return WrongEntry(
                message(
                    "The table {file} is wrong in '{tier}', entry {entry}, position {position}: "
                    "it leads to {following}, whose number is free or another position's.",
                    position=self._position(state),
                    following=self._position((own, enemy, rest)),
                    **where,
                )
            )
        return WrongEntry(
            message(
                "The table {file} is wrong in '{tier}', entry {entry}, position {position}: "
                "it says '{stored}', and by the rules and the other entries it is '{due}'.",
                position=self._position(state),
                stored=code_text(int(self._part(tier)[entry])),
                due=code_text(due),
                **where,
            )
        )

    def _position(self, state: State) -> str:
        return f"'{self.game.definition.notation.position_text(self.game.rules, state)}'"

    def _plain(self) -> tuple[Any, ...]:
        """Returns what functions in plain Python take first: arrays whose items are Python's integers."""
        numbering = self.numbering
        given = self.given.tolist()
        return given, self.game.rules, numbering.numbers.data, numbering.firsts.data, self.entries.data


def counts(codes: NDArray[np.int64]) -> dict[str, int]:
    """Returns how many entries there are of each kind, from how many have each code."""
    sums = {
        "win": codes[DRAWN + 1 : WON + 1],
        "draw": codes[DRAWN : DRAWN + 1],
        "loss": codes[LOST:MARKED],
        "free": codes[FREE:],
    }
    return {kind: int(each.sum()) for kind, each in sums.items()}


def distances(codes: NDArray[np.int64]) -> dict[str, Any]:
    """Returns how many wins and losses there are by distance, from how many entries have each code."""
    wins = {str(plies): int(codes[plies]) for plies in range(1, WON) if codes[plies]}
    losses = {str(code - LOST): int(codes[code]) for code in range(LOST, MARKED) if codes[code]}
    return {"already won": int(codes[WON]), "wins": wins, "losses": losses}


def longest(codes: NDArray[np.int64]) -> int:
    """Returns the longest distance there is, from how many entries have each code."""
    wins, losses = np.flatnonzero(codes[:WON]), np.flatnonzero(codes[LOST:MARKED])
    return int(max(wins.max(initial=0), losses.max(initial=0)))


def code_text(code: int) -> Message:
    """Returns in words what a byte of a table says, or should say."""
    if code == FREE:
        return message("no position")
    if code in (MARKED, algorithm.TOO_FAR):
        return message("no value")
    value = decoded(code)
    if value.plies is None:
        return message("draw")
    if value.outcome == "win":
        return message("win in 1 ply") if value.plies == 1 else message("win in {plies} plies", plies=value.plies)
    return message("loss in 1 ply") if value.plies == 1 else message("loss in {plies} plies", plies=value.plies)
