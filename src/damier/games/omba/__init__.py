"""Omba, from its rule sheet; the game is also known as Docker."""

from damier.core.definition import Definition
from damier.core.kernel.cells import square_symmetries
from damier.core.messages import Message, message
from damier.core.options import Options, WholeNumber
from damier.core.traits import Symmetry, Traits
from damier.games.omba import appearance, editor, evaluate, guidance, index, levels, notation, refusals, rules, spaces

OPTIONS = (
    WholeNumber(
        "players",
        2,
        2,
        4,
        message("How many play: 6, 4 or 3 pieces each for 2, 3 or 4."),
        title=message("Players"),
        phrase=message("{value} players"),
    ),
)


def traits(options: Options) -> Traits:
    return Traits(
        players=notation.DIGITS[: int(options["players"])],
        has_chance=True,
        symmetries=tuple(Symmetry(name, tuple(cells)) for name, cells in square_symmetries(3).items()),
    )


def why_unsolvable(options: Options) -> Message | None:
    if options["players"] == 2:
        return None
    return message("with more than two players, what is best for one depends on whom the others help")


GAME = Definition(
    name="omba",
    title="Omba",
    summary=message("Roll, climb, bury. Last to move wins."),
    options=OPTIONS,
    numbers=lambda options: rules.numbers(int(options["players"])),
    traits=traits,
    player_names={digit: notation.player_name(player) for player, digit in enumerate(notation.DIGITS)},
    reasons=refusals.REASONS,
    rules=rules,
    evaluate=evaluate,
    spaces=spaces,
    levels=levels.LEVELS,
    index=index,
    why_unsolvable=why_unsolvable,
    solved=message("With best play, who begins wins 48.84 % of the games for two."),
    notation=notation,
    parts=editor.PARTS,
    refusals=refusals,
    appearance=appearance,
    drawing=appearance.drawing,
    guidance=guidance,
)
