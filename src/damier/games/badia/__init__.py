"""Badia, from the rule sheet by Patrik Carpentier (2009)."""

from damier.core.definition import Definition
from damier.core.kernel.cells import square_symmetries
from damier.core.messages import message
from damier.core.options import Options
from damier.core.traits import Symmetry, Traits
from damier.games.badia import appearance, editor, evaluate, guidance, index, notation, refusals, rules, spaces


def traits(options: Options) -> Traits:
    """Returns the traits; the symmetries are those of the square, in the numbers of the ring."""
    on_grid = [notation.GRID.index(name) for name in notation.CELLS]
    return Traits(
        players=notation.PLAYERS,
        has_answers=True,
        repetition=rules.REPETITION,
        symmetries=tuple(
            Symmetry(name, tuple(on_grid.index(image[cell]) for cell in on_grid))
            for name, image in square_symmetries(5).items()
        ),
    )


GAME = Definition(
    name="badia",
    title="Badia",
    summary=message("Five in a block around the ring."),
    traits=traits,
    player_names=dict(zip(notation.PLAYERS, notation.NAMES, strict=True)),
    reasons=refusals.REASONS,
    rules=rules,
    evaluate=evaluate,
    spaces=spaces,
    index=index,
    solved=message("Nobody can force a win from the start, unless the forbidden return makes one."),
    notation=notation,
    parts=editor.PARTS,
    refusals=refusals,
    appearance=appearance,
    drawing=appearance.drawing,
    guidance=guidance,
)
