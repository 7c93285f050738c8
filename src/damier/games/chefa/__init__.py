"""Chefa, from the rule sheet by Patrik Carpentier (2008)."""

from damier.core.definition import Definition
from damier.core.kernel.cells import square_symmetries
from damier.core.messages import message
from damier.core.traits import Symmetry, Traits
from damier.games.chefa import appearance, editor, evaluate, guidance, index, notation, refusals, rules, spaces

GAME = Definition(
    name="chefa",
    title="Chefa",
    summary=message("Line up four or make a square."),
    traits=lambda options: Traits(
        players=notation.PLAYERS,
        repetition=rules.REPETITION,
        symmetries=tuple(Symmetry(name, tuple(cells)) for name, cells in square_symmetries(5).items()),
    ),
    player_names=dict(zip(notation.PLAYERS, notation.NAMES, strict=True)),
    reasons=refusals.REASONS,
    rules=rules,
    evaluate=evaluate,
    spaces=spaces,
    index=index,
    solved=message("Black, who begins, wins in 9 plies with best play."),
    notation=notation,
    parts=editor.PARTS,
    refusals=refusals,
    appearance=appearance,
    drawing=appearance.drawing,
    guidance=guidance,
)
