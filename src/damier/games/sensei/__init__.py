"""Sensei, from the rule sheet of the edition by Biboum; the game is also known as Diaballik, by Philippe Lefrançois."""

from math import comb
from pathlib import Path

from damier.core.definition import Definition, NetworkFile
from damier.core.errors import BadOption
from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.cells import cell_names, permuted, square_symmetries
from damier.core.messages import Message, message
from damier.core.options import CellList, Choice, Options
from damier.core.traits import Symmetry, Traits
from damier.games.sensei import appearance, editor, evaluate, guidance, levels, notation, refusals, rules, spaces

VARIANTS = ("shizukana", "shizukana-variant", "arashi", "arashi-expert")
WITH_PITS = "arashi-expert"
LEARNED: tuple[str, ...] = VARIANTS
"""Where the network judges by default: it has won 60 % of 400 games, at 0.1 s and at 1 s (docs/performance.md)."""

OPTIONS = (
    Choice(
        "variant",
        VARIANTS[0],
        VARIANTS,
        message("How stones move and where they start."),
        title=message("Variant"),
        phrase=message("{value}"),
        names={
            "shizukana": message("Shizukana"),
            "shizukana-variant": message("Shizukana, columns exchanged"),
            "arashi": message("Arashi"),
            "arashi-expert": message("Arashi for experts, with pits"),
        },
    ),
    CellList(
        "pits",
        "c3,e3,c5,e5",
        tuple(cell_names(7)),
        message("The pits, with the variant arashi-expert only."),
        title=message("Pits"),
        phrase=message("pits {value}"),
        needs={"variant": WITH_PITS},
        partners=dict(zip(cell_names(7), reversed(cell_names(7)), strict=True)),
    ),
)


def complete(given: Options) -> Options:
    variant = given.get("variant", VARIANTS[0])
    if variant != WITH_PITS:
        if "pits" in given:
            raise BadOption(message("The option pits goes with the variant {variant} only.", variant=WITH_PITS))
        return {"variant": variant}
    pits = str(given.get("pits", OPTIONS[1].default))
    check_pits(pits.split(",") if pits else [])
    return {"variant": variant, "pits": pits}


def check_pits(names: list[str]) -> None:
    """Refuses pits on a start row, pits that favour a side, and pits that alone span the board."""
    pits = rules.numbers(WITH_PITS, names)[rules.PITS]
    if pits & (rules.ROW_1 | rules.ROW_7):
        raise BadOption(message("The option pits leaves rows 1 and 7 free."))
    if permuted(pits, square_symmetries(7)["half-turn"]) != pits:
        raise BadOption(message("The option pits takes a set that a half turn of the board leaves unchanged."))
    for cell in range(0, 49, 7):
        if pits & bit(cell) and rules.grow(bit(cell), pits) & rules.COLUMN_G:
            raise BadOption(message("The option pits takes no set that spans the board from column a to column g."))


def numbers(options: Options) -> list[int]:
    pits = str(options.get("pits", ""))
    return rules.numbers(str(options["variant"]), pits.split(",") if pits else [])


def traits(options: Options) -> Traits:
    """Returns the traits; the ends of the board are the players', so turning it round exchanges them."""
    images, pits = square_symmetries(7), numbers(options)[rules.PITS]
    ends = {"identity": False, "mirror-left-right": False, "half-turn": True, "mirror-top-bottom": True}
    return Traits(
        players=notation.PLAYERS,
        has_long_turns=True,
        repetition=rules.REPETITION,
        symmetries=tuple(
            Symmetry(name, tuple(images[name]), swaps_players=swaps)
            for name, swaps in ends.items()
            if permuted(pits, images[name]) == pits
        ),
    )


def network(options: Options) -> NetworkFile:
    """Returns the network for stones that move by steps, or the one for stones that slide."""
    slides = numbers(options)[rules.SLIDES]
    file = Path(__file__).with_name("network_slides.bin" if slides else "network_steps.bin")
    played = VARIANTS[2:] if slides else VARIANTS[:2]
    return NetworkFile(file, tuple(complete({"variant": each}) for each in played), options["variant"] in LEARNED)


def why_unsolvable(options: Options) -> Message:
    """Counts the positions between turns: seven stones each, both characters, the player on move."""
    cells = 49 - bit_count(numbers(options)[rules.PITS])
    positions = comb(cells, 7) * comb(cells - 7, 7) * 7 * 7 * 2
    digit, power = f"{positions:.0e}".split("e+")
    return message("it has about {count} positions, too many for a table", count=f"{digit} x 10^{power}")


GAME = Definition(
    name="sensei",
    title="Sensei",
    summary=message("Carry your master to the far side."),
    options=OPTIONS,
    complete=complete,
    numbers=numbers,
    traits=traits,
    player_names=dict(zip(notation.PLAYERS, notation.NAMES, strict=True)),
    reasons=refusals.REASONS,
    rules=rules,
    evaluate=evaluate,
    network=network,
    spaces=spaces,
    levels=levels.LEVELS,
    why_unsolvable=why_unsolvable,
    notation=notation,
    parts=editor.PARTS,
    refusals=refusals,
    appearance=appearance,
    drawing=appearance.drawing,
    guidance=guidance,
)
