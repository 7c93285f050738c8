"""How well each level plays, measured against its neighbours: ``python -m bench.levels``."""

from damier.core.definition import Strength
from damier.core.options import Options

LEVELS = (
    Strength(8, 0.85, 0.5),
    Strength(270, 0.49, 0.13),
    Strength(1_300, 0.36, 0.06),
    Strength(3_600, 0.28, 0.03),
    Strength(17_000, 0.15, 0.0),
    Strength(80_000, 0.02, 0.0),
    Strength(230_000, 0.0, 0.0),
)


def levels(options: Options) -> tuple[Strength, ...]:
    return LEVELS
