"""Draws a sample of positions from a table: the same one in every run.

Places in the table are drawn by lot, tier by tier; what stands there falls into a phase and a band (``groups.py``).
Every pair of these gets up to `SIZE` positions, in turn from all tiers that have some, if the notation accepts them and
a choice matters. In a game with a die a roll is drawn, too. At most 200,000 places of a tier are looked at. Measured on
one busy core: 4 to 7 s of CPU for 24 to 39 million entries.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from damier.core.position import Position
from damier.insight.exam.groups import PHASES, band_of, bands_of, phase_of
from damier.insight.exam.losses import is_choice
from damier.insight.exam.sample import ExamPosition, ExamSample, check_examinable
from damier.insight.exam.version import EXAM_VERSION
from damier.insight.report.entries import is_possible
from damier.solve.value import decoded

if TYPE_CHECKING:
    from damier.solve.file.header import Tier
    from damier.solve.tables import Tables
    from damier.solve.value import TableValue

    Show = Callable[[float, str], None]

SIZE = 60
"""Positions of each phase and band."""

SEED = 1

_PLACES = 200_000  # of a tier
_TRIES = 2_000  # positions of one tier and band before it is given up: mostly, every action has the same value


def draw_sample(
    tables: Tables, size: int = SIZE, seed: int = SEED, show: Show = lambda _share, _note: None
) -> ExamSample:
    """Returns a sample with `size` positions of each phase and band, fewer where there are not as many."""
    game, header = tables.game, tables.file.header
    check_examinable(game)
    lot = random.Random(f"{game.name} {game.options_text} {seed}")
    waiting: dict[tuple[str, str], list[Iterator[ExamPosition]]] = defaultdict(list)
    tiers = tables.numbering.tiers
    for number, tier in enumerate(tiers):
        for (phase, band), places in _places(tables, tier, lot).items():
            waiting[phase, band].append(_positions(tables, tier.name, phase, band, places, lot.getrandbits(32)))
        show((number + 1) / (2 * len(tiers)), "")
    groups = [(phase, band) for phase in PHASES for band in bands_of(has_chance=game.traits.has_chance)]
    found: list[ExamPosition] = []
    for number, group in enumerate(groups):
        found += _in_turn(waiting[group], size)
        show(0.5 + (number + 1) / (2 * len(groups)), "")
    lot.shuffle(found)
    return ExamSample(
        exam=EXAM_VERSION,
        game=game.name,
        options=dict(game.options),
        rules=header.rules_version,
        table=header.sha256,
        seed=seed,
        positions=found,
    )


def _places(tables: Tables, tier: Tier, lot: random.Random) -> dict[tuple[str, str], list[int]]:
    """Returns places of a tier, drawn by lot, by phase and band; with a die, the band is not known before a roll."""
    chosen = np.array(lot.sample(range(tier.first, tier.first + tier.entries), min(_PLACES, tier.entries)), np.int64)
    phase = phase_of(_position(tables, int(chosen[0])))  # the same for a whole tier
    if tables.game.traits.has_chance:
        return {(phase, band): chosen[:_TRIES].tolist() for band in bands_of(has_chance=True)}
    codes = tables.numbering.codes
    bands = [band_of(decoded(code, codes)) for code in range(codes.won)]  # a larger code: over, lost or free
    found = tables.file.read_many(chosen)
    return {
        (phase, band): chosen[np.isin(found, [code for code, each in enumerate(bands) if each == band])].tolist()
        for band in bands_of(has_chance=False)
    }


def _position(tables: Tables, place: int) -> Position:
    return Position(tables.game, tables.numbering.state(place))


def _positions(
    tables: Tables, tier: str, phase: str, band: str, places: list[int], seed: int
) -> Iterator[ExamPosition]:
    """Yields the possible positions at `places`, or after a roll there, that are in the band and have a choice."""
    lot = random.Random(seed)
    for place in places[:_TRIES]:
        position = _position(tables, place)
        if position.mover == "chance" and position.result is None:
            position = position.play(lot.choice(position.actions()))
        if position.result is None and is_possible(position):
            values = tables.action_values(position)
            if is_choice(values) and _band(values) == band:
                yield ExamPosition(position=str(position), tier=tier, phase=phase, band=band)


def _band(values: dict[str, TableValue]) -> str | None:
    return band_of(next(iter(values.values())))


def _in_turn(sources: list[Iterator[ExamPosition]], most: int) -> list[ExamPosition]:
    """Returns `most` positions, one from each source in turn, fewer if they run dry."""
    found: dict[str, ExamPosition] = {}
    left = sources[:]
    while left and len(found) < most:
        for source in left[:]:
            position = next(source, None)
            if position is None:
                left.remove(source)
            elif len(found) < most:
                found[position.position] = position
    return list(found.values())
