"""Renfa-Bomba, from the rule sheet by Patrik Carpentier (2008)."""

from damier.core.definition import Definition, TableModules
from damier.core.kernel.cells import square_symmetries
from damier.core.messages import Message, message
from damier.core.options import Options, WholeNumber, refusal
from damier.core.traits import Symmetry, Traits
from damier.games.renfa import appearance, evaluate, guidance, index, notation, refusals, rules, spaces, wide_index

LEAST_BOMBS = 3

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
        LEAST_BOMBS,
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


def other_table_modules(options: Options) -> TableModules | None:
    return TableModules(wide_index, "wide_check") if options["size"] == wide_index.SIDE else None


def why_unsolvable(options: Options) -> Message | None:
    most = {5: index.MOST_BOMBS, wide_index.SIDE: wide_index.MOST_BOMBS}
    if int(options["bombs"]) <= most.get(int(options["size"]), 0):
        return None
    return message(
        "only up to 7 bombs on 5 cells a side and up to 5 bombs on 6 can be solved, up to 13.7 billion positions"
    )


def covered_by(options: Options) -> list[Options]:
    """Returns the same game with another number of bombs: the next higher ones, then those with fewer bombs.

    All positions with all bombs placed are in a table for more bombs; one for fewer has those in which neither player
    has more bombs than that. Leaves of a search have one byte for each entry, so only tables of 5x5 cells serve.
    """
    if options["size"] != 5:
        return []
    bombs = int(options["bombs"])
    more, fewer = range(bombs + 1, index.MOST_BOMBS + 1), range(min(bombs - 1, index.MOST_BOMBS), LEAST_BOMBS - 1, -1)
    return [{**options, "bombs": count} for count in (*more, *fewer)]


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
    spaces=spaces,
    index=index,
    other_table_modules=other_table_modules,
    why_unsolvable=why_unsolvable,
    covered_by=covered_by,
    solved=message("Nobody wins with best play, with 5, 6 or 7 bombs."),
    notation=notation,
    refusals=refusals,
    appearance=appearance,
    drawing=appearance.drawing,
    guidance=guidance,
)
