"""Renfa-Bomba, from the rule sheet by Patrik Carpentier (2008)."""

from damier.core.definition import Definition
from damier.core.kernel.cells import square_symmetries
from damier.core.messages import Message, message
from damier.core.options import Options, WholeNumber, refusal
from damier.core.traits import Symmetry, Traits
from damier.games.renfa import appearance, evaluate, guidance, index, notation, refusals, rules

OPTIONS = (
    WholeNumber(
        "size",
        5,
        5,
        8,
        message("Cells on a side of the board."),
        title=message("Size"),
        phrase=message("board of {value} × {value}"),
    ),
    WholeNumber(
        "bombs",
        6,
        3,
        32,
        message("Bombs of each player, up to half the cells of the board."),
        title=message("Bombs"),
        phrase=message("{value} bombs"),
    ),
    WholeNumber(
        "last",
        1,
        0,
        1,
        message("A player left with this many bombs or fewer has lost: 1, or 0 for a longer game."),
        title=message("A player loses with"),
        phrase=message("a player loses with {value}"),
        names={1: message("one bomb or none"), 0: message("no bomb left")},
    ),
)


def complete(given: Options) -> Options:
    options = {option.name: given.get(option.name, option.default) for option in OPTIONS}
    most = int(options["size"]) ** 2 // 2
    if int(options["bombs"]) > most:
        takes = message(
            "a whole number from 3 to {most} on a board with {size} cells a side", most=most, size=options["size"]
        )
        raise refusal("bombs", takes, options["bombs"])
    return options


def numbers(options: Options) -> list[int]:
    return rules.numbers(int(options["size"]), int(options["bombs"]), int(options["last"]))


def traits(options: Options) -> Traits:
    symmetries = square_symmetries(int(options["size"]))
    return Traits(
        players=notation.PLAYERS,
        repetition=rules.REPETITION,
        symmetries=tuple(Symmetry(name, tuple(cells)) for name, cells in symmetries.items()),
    )


def why_unsolvable(options: Options) -> Message | None:
    if options["size"] == 5 and int(options["bombs"]) <= 7:
        return None
    return message("only 5 cells a side and up to 7 bombs can be solved, which is 9.5 billion positions already")


GAME = Definition(
    name="renfa",
    title="Renfa-Bomba",
    summary=message("Place, slide, then light the fuse."),
    options=OPTIONS,
    complete=complete,
    numbers=numbers,
    traits=traits,
    player_names=dict(zip(notation.PLAYERS, notation.NAMES, strict=True)),
    reasons=refusals.REASONS,
    rules=rules,
    evaluate=evaluate,
    index=index,
    why_unsolvable=why_unsolvable,
    solved=message("Nobody wins with best play, whether with 5 or with 6 bombs."),
    notation=notation,
    refusals=refusals,
    appearance=appearance,
    drawing=appearance.drawing,
    guidance=guidance,
)
