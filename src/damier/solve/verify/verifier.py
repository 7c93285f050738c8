"""Verifies a table: its checksums, its header, its numbering, and every entry by independent rules."""

from __future__ import annotations

import importlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.errors import BadArgument, DamierError
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.messages import Message, message, plain
from damier.solve.codes import CHANCE_CODING, CODING, LONG_CODING
from damier.solve.file.header import Tier
from damier.solve.file.reader import BadTable
from damier.solve.numbering import name_of
from damier.solve.parallel import run_chunks

if TYPE_CHECKING:
    from damier.core.kernel.contract import State
    from damier.solve.file.reader import Entries
    from damier.solve.numbering import Numbering
    from damier.solve.tables import Tables

    Show = Callable[[float, str], None]
    Search = Callable[[int, int, int], int]
    """Searches ``[low, high)`` on `thread`; returns the first wrong entry or -1."""

_SHOWN = 200  # characters of a path that a sentence repeats


@dataclass(frozen=True)
class Verified:
    """The result of a verification that found no error."""

    entries: int
    seconds: float
    """Wall-clock time without compiling."""

    cpu_seconds: float
    """CPU time of all threads."""

    error: float | None = None
    """Proved bound of the error of every chance; None for a table of wins, draws and losses."""


class WrongEntry(DamierError):
    """An entry of a table does not follow from those of its successors."""


class Found(Exception):
    """Stops all threads: one has found a wrong entry."""


def verify(tables: Tables, threads: int, show: Show) -> Verified:
    """Derives every entry of a table a second time; raises `BadTable` or `WrongEntry` with what is wrong."""
    from damier.solve.verify.chances import ChanceVerifier
    from damier.solve.verify.outcomes import OutcomeVerifier

    verifiers: dict[tuple[str, int], type[Verifier]] = {
        (CODING, 1): OutcomeVerifier,
        (LONG_CODING, 2): OutcomeVerifier,
        (CHANCE_CODING, 2): ChanceVerifier,
    }
    header = tables.file.header
    verifier = verifiers.get((header.coding, header.entry_bytes))
    if verifier is None:
        raise BadArgument(
            message(
                "The table {file} has values of the kind {kind}, which cannot be verified.",
                file=quoted(str(tables.path)),
                kind=quoted(header.coding),
            )
        )
    return verifier(tables, threads, show).run()


class Verifier(ABC):
    """Verifies one table; subclasses know its coding."""

    algorithm: ModuleType
    """The kernels to bind to the game's numbering and its independent rules."""

    def __init__(self, tables: Tables, threads: int, show: Show) -> None:
        self.threads, self.show = threads, show
        self.game, self.numbering = tables.game, tables.numbering
        self.file, self.name = tables.file, quoted(str(tables.path))
        self.check = check_module(self.numbering)
        self.given = np.array(self.check.numbers(self.game.options), np.int64)
        self.kernels = self.bound(compiled=True)
        self.error: float | None = None
        self.entries: Entries = np.zeros(0, f"u{self.file.header.entry_bytes}")
        self.compile()

    def run(self) -> Verified:
        """Verifies the whole table; raises `BadTable` or `WrongEntry` with what is wrong."""
        began, worked = time.perf_counter(), time.process_time()
        self.show(0.0, "")
        self.file.check()
        self.load()
        self.compare_header()
        self.find_start()
        self.derive_all()
        self.show(1.0, "")
        return Verified(len(self.entries), time.perf_counter() - began, time.process_time() - worked, self.error)

    @abstractmethod
    def compile(self) -> None:
        """Compiles the kernels, before timing starts."""

    @abstractmethod
    def is_found(self, state: State) -> bool:
        """Tells whether the number of a state is its own."""

    def derive_all(self) -> None:
        """Derives the entries of all tiers."""
        for number, tier in enumerate(self.numbering.tiers):
            self.derive(number, tier)

    @abstractmethod
    def derive(self, number: int, tier: Tier) -> None:
        """Derives the entries of a tier."""

    def compare_header(self) -> None:
        """Raises `BadTable` if the header does not fit the game's numbering."""
        header = self.file.header
        if (header.entries, header.tiers) != (self.numbering.entries, self.numbering.tiers):
            raise BadTable(message("The table {file} has other parts than the game's numbering.", file=self.name))

    def find_start(self) -> None:
        """Raises `WrongEntry` if the start position is not in the table."""
        if not self.is_found(self.game.start.state):
            raise self.not_found(str(self.game.start))

    def bound(self, *, compiled: bool) -> SimpleNamespace:
        """Returns the kernels bound to the game."""
        return bound(self.numbering, self.algorithm, compiled=compiled)

    def load(self) -> None:
        """Reads all entries."""
        self.entries = np.empty(self.file.header.entries, self.entries.dtype)
        first = 0
        for block in self.file.blocks():
            self.entries[first : first + len(block)] = block
            first += len(block)

    def part(self, tier: Tier) -> Entries:
        """Returns the entries of a tier."""
        return self.entries[tier.first : tier.first + tier.entries]

    def first_wrong(self, tier: Tier, search: Search, share: float = 1.0) -> int:
        """Searches a tier in all threads, which is `share` of the work on it; returns the first wrong entry or -1."""
        wrong: list[int] = []

        def work(low: int, high: int, thread: int) -> int:
            entry = -1 if wrong and low > min(wrong) else search(low, high, thread)
            if entry >= 0:
                wrong.append(entry)
            if wrong:
                raise Found
            return 0

        def done(entries: int) -> None:
            self.show_done(tier, share * entries)

        try:
            run_chunks(work, 0, tier.entries, self.threads, done)
        except Found:
            return min(wrong)
        return -1

    def show_done(self, tier: Tier, entries: float) -> None:
        """Shows that `entries` of a tier are done."""
        self.show((tier.first + entries) / len(self.entries), tier.name)

    def wrong_value(self, tier: Tier, entry: int, stored: Message, due: Message) -> WrongEntry:
        """Returns the error of an entry with a wrong value."""
        return WrongEntry(
            message(
                "The table {file} is wrong in '{tier}', entry {entry}, position {position}: "
                "it says '{stored}', and by the rules and the other entries it is '{due}'.",
                stored=stored,
                due=due,
                **self._where(tier, entry),
            )
        )

    def wrong_number(self, tier: Tier, entry: int, following: State) -> WrongEntry:
        """Returns the error of an entry with a successor whose number is not its own."""
        return WrongEntry(
            message(
                "The table {file} is wrong in '{tier}', entry {entry}, position {position}: "
                "it leads to {following}, whose number is free or another position's.",
                following=self.position(following),
                **self._where(tier, entry),
            )
        )

    def misplaced(self, tier: Tier, entry: int) -> WrongEntry:
        """Returns the error of an entry that is not numbered as specified."""
        return WrongEntry(
            message(
                "The table {file} is wrong in '{tier}', entry {entry}: by the specification of the numbering it is not "
                "the entry of {position}.",
                **self._where(tier, entry),
            )
        )

    def not_found(self, position: str) -> WrongEntry:
        """Returns the error of a position that is not where its number says."""
        return WrongEntry(
            message("The table {file} does not have the position {position}.", file=self.name, position=position)
        )

    def _where(self, tier: Tier, entry: int) -> dict[str, object]:
        """Returns the values with which messages identify an entry."""
        position = self.position(self.state(tier, entry))
        return {"file": self.name, "tier": tier.name, "entry": entry, "position": position}

    def state(self, tier: Tier, entry: int) -> State:
        """Returns the state of an entry."""
        number = self.numbering.tiers.index(tier)
        state: State = self.bound(compiled=False).unrank(self.game.rules, self.numbering.numbers.data, number, entry)
        return state

    def position(self, state: State) -> str:
        """Returns a state as a quoted position string."""
        return f"'{self.game.definition.notation.position_text(self.game.rules, state)}'"

    def plain(self) -> tuple[Any, ...]:
        """Returns the first arguments of kernels run in plain Python: arrays whose items are Python integers."""
        numbering = self.numbering
        given = self.given.tolist()
        return given, self.game.rules, numbering.numbers.data, numbering.firsts.data, self.entries.data


def check_module(numbering: Numbering) -> ModuleType:
    """Returns the independent rules of a game with its options."""
    game = numbering.game
    name = f"{game.definition.rules.__package__}.{numbering.check}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise BadArgument(message("The table of {game} cannot be verified yet.", game=name_of(game))) from None


def bound(numbering: Numbering, *algorithms: ModuleType, compiled: bool) -> SimpleNamespace:
    """Returns kernels bound to a game's numbering and to its independent rules."""
    game = numbering.game
    return bind(
        game.definition.rules, subsets, numbering.index, check_module(numbering), *algorithms, compiled=compiled
    )


def quoted(text: str) -> str:
    """Returns a path or name quoted for a sentence."""
    return f"'{plain(text, _SHOWN)}'"
