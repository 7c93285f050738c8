"""Options: every range, default and refusal, through `damier.load` with values as they come from code and from text."""

import pytest

import damier
from damier.core.messages import message
from damier.core.options import WholeNumber, option_phrase, option_title
from damier.games import definition


def refusal(name: str, **options: object) -> str:
    """Loads a game that must be refused and returns the sentence."""
    with pytest.raises(damier.BadOption) as caught:
        damier.load(name, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("renfa", {"size": 5, "bombs": 6, "last": 1}),
        ("chefa", {}),
        ("badia", {}),
        ("sensei", {"variant": "shizukana"}),
        ("omba", {"players": 2}),
    ],
)
def test_every_option_has_its_default(name: str, options: dict[str, object]) -> None:
    """Options: the defaults of the rules."""
    assert damier.load(name).options == options
    assert damier.load(name) == damier.load(name, **options)


@pytest.mark.parametrize("name", ["Renfa", "go", "", "renfa "])
def test_a_game_that_does_not_exist_is_refused(name: str) -> None:
    """The five games are renfa, chefa, badia, sensei, omba."""
    with pytest.raises(damier.UnknownGame) as caught:
        damier.load(name)
    assert str(caught.value) == f"There is no game '{name}': the games are renfa, chefa, badia, sensei, omba."
    assert damier.games() == ("renfa", "chefa", "badia", "sensei", "omba")


# Unknown options


@pytest.mark.parametrize("name", ["chefa", "badia"])
def test_a_game_without_options_refuses_any(name: str) -> None:
    """Chefa and Badia: no options."""
    assert refusal(name, size=5) == "There is no option 'size': this game has none."


@pytest.mark.parametrize(
    ("name", "names"), [("renfa", "size, bombs, last"), ("sensei", "variant, pits"), ("omba", "players")]
)
def test_an_unknown_option_is_refused_with_those_there_are(name: str, names: str) -> None:
    """An option that the game does not have is named, with those it has."""
    assert refusal(name, colour="red") == f"There is no option 'colour': this game has {names}."


# Renfa-Bomba


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_the_size_goes_from_5_to_8(size: int) -> None:
    """Option size 5 to 8, as a number or as text."""
    assert damier.load("renfa", size=size).options["size"] == size
    assert damier.load("renfa", size=str(size)) == damier.load("renfa", size=size)


@pytest.mark.parametrize("size", [4, 9, 0, -5, "4", "9", "-5", "", "five", "5.0", 5.0, True, None, " 5", "٥", "9" * 30])
def test_other_sizes_are_refused(size: object) -> None:
    """Option size: a whole number of the range and nothing that merely looks like one."""
    assert refusal("renfa", size=size) == f"The option size takes a whole number from 5 to 8, not '{size}'."


@pytest.mark.parametrize(("size", "most"), [(5, 12), (6, 18), (7, 24), (8, 32)])
def test_bombs_go_from_3_to_half_the_cells(size: int, most: int) -> None:
    """Option bombs: from 3 up to half the cells, rounded down."""
    for bombs in (3, most):
        game = damier.load("renfa", size=size, bombs=bombs)
        assert str(game.start).endswith(f" b {bombs},{bombs}")
        assert damier.load("renfa", size=str(size), bombs=str(bombs)) == game
    with pytest.raises(damier.BadOption):
        damier.load("renfa", size=size, bombs=most + 1)
    with pytest.raises(damier.BadOption):
        damier.load("renfa", size=size, bombs=2)


@pytest.mark.parametrize("bombs", [5, 6, 7])
def test_the_numbers_of_bombs_that_the_sheet_names(bombs: int) -> None:
    """The sheet names 5, 6 and 7 for 5x5."""
    assert str(damier.load("renfa", bombs=bombs).start) == f"5/5/5/5/5 b {bombs},{bombs}"


def test_other_numbers_of_bombs_are_refused_with_the_reason() -> None:
    """Option bombs: the most depends on the size."""
    within = "The option bombs takes a whole number from 3 to {} on a board with {} cells a side, not '{}'."
    assert refusal("renfa", bombs=13) == within.format(12, 5, 13)
    assert refusal("renfa", size=6, bombs="19") == within.format(18, 6, 19)
    assert refusal("renfa", size=7, bombs=25) == within.format(24, 7, 25)
    assert refusal("renfa", size=8, bombs=33) == "The option bombs takes a whole number from 3 to 32, not '33'."
    assert refusal("renfa", size=8, bombs=2) == "The option bombs takes a whole number from 3 to 32, not '2'."
    assert refusal("renfa", size=8, bombs="many") == "The option bombs takes a whole number from 3 to 32, not 'many'."


@pytest.mark.parametrize("last", [0, 1, "0", "1"])
def test_the_last_bomb_is_1_or_0(last: object) -> None:
    """Option last 1 or 0."""
    assert damier.load("renfa", last=last).options["last"] == int(str(last))


@pytest.mark.parametrize("last", [2, -1, "2", "yes", False])
def test_other_values_of_last_are_refused(last: object) -> None:
    """Option last 1 or 0."""
    assert refusal("renfa", last=last) == f"The option last takes a whole number from 0 to 1, not '{last}'."


# Sensei


@pytest.mark.parametrize("variant", ["shizukana", "shizukana-variant", "arashi"])
def test_variants_without_pits(variant: str) -> None:
    """Option variant; pits with a variant other than arashi-expert is refused."""
    assert damier.load("sensei", variant=variant).options == {"variant": variant}
    sentence = "The option pits goes with the variant arashi-expert only."
    assert refusal("sensei", variant=variant, pits="c3,e3,c5,e5") == sentence
    assert refusal("sensei", variant=variant, pits="") == sentence
    assert refusal("sensei", pits="c3,e3,c5,e5") == sentence


def test_the_expert_has_its_default_pits() -> None:
    """Ruling: pits on c3, e3, c5, e5 by default."""
    game = damier.load("sensei", variant="arashi-expert")
    assert game.options == {"variant": "arashi-expert", "pits": "c3,e3,c5,e5"}
    assert game.options_text == "variant=arashi-expert pits=c3,e3,c5,e5"


@pytest.mark.parametrize("variant", ["Arashi", "expert", "", 1, None])
def test_other_variants_are_refused(variant: object) -> None:
    """Option variant: one of four words."""
    choices = "shizukana, shizukana-variant, arashi, arashi-expert"
    assert refusal("sensei", variant=variant) == f"The option variant takes one of {choices}, not '{variant}'."


@pytest.mark.parametrize(
    ("pits", "kept"),
    [
        ("c3,e3,c5,e5", "c3,e3,c5,e5"),
        ("e5,c5,e3,c3", "c3,e3,c5,e5"),
        (["e5", "c3"], "c3,e5"),
        ({"a4", "g4"}, "a4,g4"),
        ("d4", "d4"),
        ("b2,f6", "b2,f6"),
        ("", ""),
        ("a4,b4,c4,e4,f4,g4", "a4,b4,c4,e4,f4,g4"),
        ("a2,b3,c4,e4,f5,g6", "a2,b3,c4,e4,f5,g6"),
    ],
)
def test_pits_take_any_set_of_cells_that_fits(pits: object, kept: str) -> None:
    """Option pits: any set of cells that is symmetric under a half turn, in any order; kept in that of the board."""
    assert damier.load("sensei", variant="arashi-expert", pits=pits).options["pits"] == kept


@pytest.mark.parametrize("pits", ["c3,c3", "c3,", "c3;e3", "h4", "c8", "C3", "c3, e3", 7, "x" * 10])
def test_what_is_no_set_of_cells_is_refused(pits: object) -> None:
    """Option pits: cells, each once."""
    sentence = f"The option pits takes cells separated by commas, such as c3,e3,c5,e5, not '{pits}'."
    assert refusal("sensei", variant="arashi-expert", pits=pits) == sentence


@pytest.mark.parametrize("pits", ["c1,e7", "a1,g7", "d7,d1"])
def test_pits_leave_the_start_rows_free(pits: str) -> None:
    """Option pits: leaves rows 1 and 7 free."""
    assert refusal("sensei", variant="arashi-expert", pits=pits) == "The option pits leaves rows 1 and 7 free."


@pytest.mark.parametrize("pits", ["c3", "c3,c5", "c3,e3", "a2,a6", "c3,e5,d5"])
def test_pits_are_symmetric_under_a_half_turn(pits: str) -> None:
    """Option pits: symmetric under a half turn; a mirror is not enough."""
    sentence = "The option pits takes a set that a half turn of the board leaves unchanged."
    assert refusal("sensei", variant="arashi-expert", pits=pits) == sentence


@pytest.mark.parametrize("pits", ["a4,b4,c4,d4,e4,f4,g4", "a2,b3,c4,d4,e4,f5,g6", "a3,b3,c3,d4,e5,f5,g5"])
def test_pits_do_not_by_themselves_span_the_board(pits: str) -> None:
    """Option pits: does not by itself span the board, by edges or corners."""
    sentence = "The option pits takes no set that spans the board from column a to column g."
    assert refusal("sensei", variant="arashi-expert", pits=pits) == sentence


# Omba


@pytest.mark.parametrize(("players", "pieces"), [(2, 6), (3, 4), (4, 3)])
def test_two_to_four_play_omba(players: int, pieces: int) -> None:
    """Option players: 2, 3, 4, with 6, 4, 3 pieces each."""
    game = damier.load("omba", players=players)
    assert str(game.start).split(" ")[2] == ",".join([str(pieces)] * players)
    assert damier.load("omba", players=str(players)) == game


@pytest.mark.parametrize("players", [1, 5, "1", "two", 2.0])
def test_other_numbers_of_players_are_refused(players: object) -> None:
    """Option players: 2, 3, 4."""
    assert refusal("omba", players=players) == f"The option players takes a whole number from 2 to 4, not '{players}'."


# Games with options


def test_games_differ_by_their_options() -> None:
    """A position belongs to a game with its options."""
    assert damier.load("renfa") != damier.load("renfa", bombs=5)
    assert damier.load("renfa", last=0).start != damier.load("renfa").start
    assert damier.load("renfa", last=0, size="5") == damier.load("renfa", size=5, last="0")
    assert damier.load("renfa").options_text == "size=5 bombs=6 last=1"


def test_needless_zeros_are_refused() -> None:
    assert refusal("renfa", size="05") == "The option size takes a whole number from 5 to 8, not '05'."


def test_an_option_is_said_with_its_value() -> None:
    options = {option.name: option for name in ("renfa", "sensei") for option in definition(name).options}
    assert str(option_title(options["bombs"])) == "Bombs"
    assert option_phrase(options["bombs"], 5).render("de") == "5 Bomben"
    assert option_phrase(options["size"], 6).render("en") == "board of 6 × 6"
    assert option_phrase(options["variant"], "arashi").render("fr") == "Arashi"
    assert option_phrase(options["variant"], "shizukana-variant").render("en") == "Shizukana, columns exchanged"
    assert option_phrase(options["last"], 0).render("de") == "verloren hat man erst ohne Bomben"
    assert str(option_title(WholeNumber("depth", 1, 1, 9, message("Depth.")))) == "depth"
