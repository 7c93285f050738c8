"""Maps positions to their numbers in a table and back. Tiers follow each other in one array."""

from __future__ import annotations

import functools
import importlib
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.messages import Message, message
from damier.solve import lookup
from damier.solve.codes import CHANCE_CODING, CODING, outcome_codes
from damier.solve.file.header import IndexScheme, Tier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from damier.core.game import Game
    from damier.core.kernel.contract import State


_FEW = 2000  # positions that plain Python looks up in the time that loading compiled code takes


class NotSolvable(BadArgument):
    """A game cannot be solved, or not with these options."""


class Numbering:
    """The numbering of one game with its options."""

    def __init__(self, game: Game) -> None:
        import numpy as np

        modules = game.definition.table_modules(game.options)
        reason = game.definition.why_unsolvable(game.options)
        if modules is None or reason is not None:
            reason = reason or message("its positions have no numbering")
            raise NotSolvable(message("{game} cannot be solved: {reason}.", game=name_of(game), reason=reason))
        index = modules.index
        self.game, self.index, self.check = game, index, modules.check
        self.rules = np.array(game.rules, np.int64)
        self.numbers = np.asarray(index.index_numbers(game.rules))
        self._plain = bind(game.definition.rules, subsets, index, lookup)
        self._plain_numbers: Any = self.numbers.data  # whose items are Python's integers
        self._plain_probes = 0
        tiers = range(self._plain.tier_count(game.rules))
        sizes = [self._plain.tier_entries(game.rules, self._plain_numbers, number) for number in tiers]
        self.firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        self.tiers = tuple(
            Tier(str(index.tier_name(game.rules, number)), int(self.firsts[number]), size)
            for number, size in enumerate(sizes)
        )
        self.entries = int(self.firsts[-1])
        self.scheme = IndexScheme(*index.INDEX)
        self.codes = outcome_codes(index)
        """The codes of a table of wins, draws and losses."""
        self.coding = coding_of(game)

    @functools.cached_property
    def kernels(self) -> SimpleNamespace:
        """The compiled kernels of the numbering."""
        return bind(self.game.definition.rules, subsets, self.index, lookup, compiled=True)

    def place(self, state: State) -> int:
        """Returns the number of a state in the whole table; the first calls run in plain Python, ready at once."""
        if self._plain_probes < _FEW:
            self._plain_probes += 1
            firsts = self.firsts.data
            return int(self._plain.place(self.game.rules, self._plain_numbers, firsts, state))
        return int(self.kernels.place(self.rules, self.numbers, self.firsts, state))

    def places(self, states: NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the number of each state of an array with rows of three words."""
        import numpy as np

        places = np.zeros(len(states), np.int64)
        self.kernels.find_places(self.rules, self.numbers, self.firsts, np.ascontiguousarray(states), places)
        return places

    def entries_of(self, states: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        """Returns the number of each state, NO_ENTRY where the table has none, and the results of finished games.

        The first few run in plain Python, ready at once.
        """
        import numpy as np

        has_chance, rows = self.game.traits.has_chance, np.ascontiguousarray(states)
        if self._plain_probes + len(rows) <= _FEW and "kernels" not in self.__dict__:
            self._plain_probes += len(rows)
            plain, given = self._plain, [(own, enemy, rest) for own, enemy, rest in rows.tolist()]
            numbers = self.game.rules, self._plain_numbers, self.firsts.data, has_chance
            return (
                np.array([plain.entry(*numbers, state) for state in given], np.int64),
                np.array([plain.final_result(self.game.rules, state) for state in given], np.int8),
            )
        places, results = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int8)
        self.kernels.find_entries(self.rules, self.numbers, self.firsts, has_chance, rows, places, results)
        return places, results

    def state(self, place: int) -> State:
        """Returns the state with this number in the whole table."""
        tier = int(self.firsts.searchsorted(place, "right")) - 1
        entry = place - int(self.firsts[tier])
        found: Any = self.kernels.unrank(self.rules, self.numbers, tier, entry)
        return int(found[0]), int(found[1]), int(found[2])


def has_families(numbering: Numbering, which: int) -> bool:
    """Tells whether a numbering is described by families, too, which make solving (0) and verifying (1) faster."""
    return getattr(numbering.index, "FAMILIES", (None, None))[which] is not None


def family_module(numbering: Numbering, which: int) -> ModuleType:
    """Returns the module with the families of a numbering: for the solver (0) or for the verifier (1)."""
    package = numbering.index.__name__.rpartition(".")[0]
    return importlib.import_module(f"{package}.{numbering.index.FAMILIES[which]}")


def coding_of(game: Game) -> str:
    """Returns the encoding of values in a game's table."""
    if game.traits.has_chance:
        return CHANCE_CODING
    modules = game.definition.table_modules(game.options)
    return outcome_codes(modules.index).coding if modules else CODING


def name_of(game: Game) -> str:
    """Returns the title of a game with its options, for use in a sentence."""
    return f"{game.title} ({game.options_text})" if game.options_text else game.title


def tier_names(game: Game) -> dict[str, Message]:
    """Returns the names of the tiers of a game, by their English text as table files and reports have it."""
    modules = game.definition.table_modules(game.options)
    if modules is None:
        return {}
    index = modules.index
    count = bind(game.definition.rules, subsets, index).tier_count(game.rules)
    names: list[Message] = [index.tier_name(game.rules, number) for number in range(count)]
    return {str(name): name for name in names}
