"""How well each level plays, measured against its neighbours: ``python -m bench.levels``."""

from damier.core.definition import Strength
from damier.core.options import Options

LEVELS = (
    Strength(30, 0.6, 0.20),
    Strength(60, 0.45, 0.12),
    Strength(150, 0.3, 0.08),
    Strength(400, 0.2, 0.05),
    Strength(1_000, 0.1, 0.03),
    Strength(3_000, 0.05, 0.02),
    Strength(10_000, 0.0, 0.01),
)


def levels(options: Options) -> tuple[Strength, ...]:
    return LEVELS
