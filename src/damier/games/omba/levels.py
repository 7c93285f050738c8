"""How well each level plays, measured against its neighbours: ``python -m bench.levels``."""

from damier.core.definition import Strength

LEVELS = (
    Strength(8, 0.85, 0.5),
    Strength(30, 0.75, 0.35),
    Strength(90, 0.6, 0.2),
    Strength(270, 0.49, 0.13),
    Strength(1_300, 0.36, 0.06),
    Strength(10_000, 0.2, 0.0),
    Strength(100_000, 0.0, 0.0),
)
