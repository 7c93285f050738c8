"""How well each level plays, measured against its neighbours: ``python -m bench.levels``."""

from damier.core.definition import Strength

LEVELS = (
    Strength(12, 0.75, 0.35),
    Strength(700, 0.41, 0.11),
    Strength(1_700, 0.34, 0.08),
    Strength(3_500, 0.27, 0.05),
    Strength(9_000, 0.19, 0.02),
    Strength(42_000, 0.08, 0.0),
    Strength(140_000, 0.0, 0.0),
)
