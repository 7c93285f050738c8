"""What every game must offer, checked over every game and option set; a game that lacks its files fails."""

import copy
import functools
import pickle
import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.core.kernel.contract import CHANCE
from damier.core.messages import LANGUAGES
from damier.games import definition
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.random_positions import random_position

TESTS = Path(__file__).parent
SOURCE = TESTS.parents[1] / "src" / "damier"

MOST_POSITIONS = 500

every_option_set = pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
every_game = pytest.mark.parametrize("name", damier.games())


def loaded(option_set: OptionSet) -> damier.Game:
    return damier.load(option_set[0], **option_set[1])


def positions(option_set: OptionSet, count: int) -> list[damier.Position]:
    """Returns the first `count` random positions of an option set, the same for every test."""
    return _positions(name_of(option_set))[:count]


@functools.cache
def _positions(name: str) -> list[damier.Position]:
    option_set = next(each for each in OPTION_SETS if name_of(each) == name)
    rng = random.Random(name)
    return [any_position(option_set, rng) for _ in range(MOST_POSITIONS)]


def any_position(option_set: OptionSet, rng: random.Random) -> damier.Position:
    """Returns a random position or one to three actions after it: dice rolled, turns begun, choices left to owners."""
    position = loaded(option_set).parse(random_position(*option_set, rng))
    for _ in range(rng.randrange(4)):
        actions = position.actions()
        choices = [action for action in actions if action.endswith("?")] or actions
        if choices:
            position = position.play(rng.choice(choices))
    return position


@every_game
def test_perft_tables_hold(name: str) -> None:
    lines = (TESTS / name / "perft.txt").read_text().splitlines()
    assert len(lines) >= 7
    for line in lines:
        options, position, counts = line.split(" | ")
        game = damier.load(name, **options_of(options))
        assert [game.perft(position, depth) for depth in range(len(counts.split()))] == list(map(int, counts.split()))


@every_game
def test_playthroughs_replay(name: str) -> None:
    record: damier.Record | None = None
    steps = 0
    for line in (TESTS / name / "playthrough.txt").read_text().splitlines():
        what, _, text = line.partition(": ")
        if what == "options":
            record = damier.load(name, **options_of(text)).record()
            continue
        assert record
        if what == "position":
            assert str(record.position) == text
        elif what == "mover":
            assert record.mover == text
        elif what == "actions":
            assert record.actions() == text.split(" ")
        elif what == "play":
            record.play(text)
            steps += 1
        elif what == "result":
            assert (record.result.sentence() if record.result else "-") == text
    assert steps >= 60


def options_of(text: str) -> dict[str, str]:
    return {} if text == "-" else dict(option.split("=", 1) for option in text.split(" "))


@every_game
def test_every_rule_page_exists(name: str) -> None:
    for lang in LANGUAGES:
        page = SOURCE / "games" / name / f"rules.{lang}.md"
        assert page.read_text(encoding="utf-8").startswith(f"# {definition(name).title}\n")


@every_option_set
def test_the_start_position_round_trips(option_set: OptionSet) -> None:
    game = loaded(option_set)
    assert game.parse(str(game.start)) == game.start
    assert game.start.result is None
    assert game == damier.load(game.name, **game.options)


@every_option_set
def test_position_texts_round_trip(option_set: OptionSet) -> None:
    for position in positions(option_set, 200):
        assert position.game.parse(str(position)) == position


@every_option_set
def test_action_texts_round_trip_and_are_distinct(option_set: OptionSet) -> None:
    for position in positions(option_set, 200):
        result, codes = position.judged()
        texts = [position.game.action_text(code) for code in codes]
        assert [position.game.parse_action(text) for text in texts] == codes
        assert len(set(texts)) == len(texts)
        assert position.actions() == sorted(texts)
        assert (result is None) == bool(texts)


@every_option_set
def test_the_board_of_actions_is_never_too_small(option_set: OptionSet) -> None:
    most = loaded(option_set).kernels.MAX_ACTIONS
    assert max(len(position.judged()[1]) for position in positions(option_set, 500)) <= most


@every_option_set
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_symmetric_positions_have_symmetric_actions(option_set: OptionSet, seed: int) -> None:
    game = loaded(option_set)
    kernels, rules = game.kernels, game.rules
    assert game.traits.symmetries[0].name == "identity"
    position = any_position(option_set, random.Random(seed))
    for symmetry in game.traits.symmetries:
        image = list(symmetry.cells)
        mirrored = damier.Position(game, kernels.permute(rules, position.state, image, symmetry.swaps_players))
        assert game.parse(str(mirrored)) == mirrored
        codes = position.judged()[1]
        assert sorted(kernels.permute_action(rules, code, image) for code in codes) == sorted(mirrored.judged()[1])
        outcome, mirror_outcome = kernels.outcome(rules, position.state), kernels.outcome(rules, mirrored.state)
        assert (1 - outcome if symmetry.swaps_players and outcome >= 0 else outcome) == mirror_outcome
        for code in codes[:5]:
            following = position.after(code).state
            expected = kernels.permute(rules, following, image, symmetry.swaps_players)
            assert mirrored.after(kernels.permute_action(rules, code, image)).state == expected


@every_option_set
def test_players_act_by_turns_exactly_where_the_traits_say_so(option_set: OptionSet) -> None:
    found = [(each, each.actions()) for each in positions(option_set, 500)]
    pairs = [(each.mover, each.play(actions[-1])) for each, actions in found if actions]
    is_other = [after.mover != mover for mover, after in pairs if after.result is None]
    alternates = loaded(option_set).traits.alternates
    assert all(is_other) if alternates else not all(is_other) or loaded(option_set).traits.has_chance


@every_option_set
def test_symmetries_form_a_group(option_set: OptionSet) -> None:
    images = {symmetry.cells for symmetry in loaded(option_set).traits.symmetries}
    for first, second in product(images, images):
        assert tuple(second[cell] for cell in first) in images


@every_option_set
def test_every_state_is_three_int64_words(option_set: OptionSet) -> None:
    for position in positions(option_set, 100):
        assert len(position.state) == 3
        assert all(-(2**63) <= word < 2**63 for word in position.state)


@every_option_set
def test_chance_is_on_move_only_in_games_of_chance(option_set: OptionSet) -> None:
    game = loaded(option_set)
    movers = {game.kernels.mover(game.rules, position.state) for position in positions(option_set, 100)}
    assert (CHANCE in movers) == game.traits.has_chance


@every_option_set
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32))
def test_undo_restores_everything(option_set: OptionSet, seed: int) -> None:
    rng = random.Random(seed)
    record = loaded(option_set).record(any_position(option_set, rng) if seed % 2 else None)
    seen = []
    while not record.result and len(record.played) < 120:
        seen.append((str(record.position), record.actions(), record.mover, record.turn))
        record.play(rng.choice(record.actions()))
    while seen:
        record.undo()
        assert (str(record.position), record.actions(), record.mover, record.turn) == seen.pop()
    with pytest.raises(damier.IllegalAction, match="no action to take back"):
        record.undo()


@every_option_set
def test_refusals_are_sentences_in_every_language_and_change_nothing(option_set: OptionSet) -> None:
    """Every action of the notation that is not legal is refused with a reason."""
    game = loaded(option_set)
    rng = random.Random(f"refusals {name_of(option_set)}")
    texts = every_text(game)
    for position in positions(option_set, 15):
        record = game.record(position)
        legal = set(record.actions())
        for text in rng.sample(texts, 60):
            if text in legal:
                continue
            with pytest.raises(damier.IllegalAction) as refusal:
                record.play(text)
            for lang in LANGUAGES:
                assert re.fullmatch(r"\S.*[.]", refusal.value.sentence(lang)), refusal.value.sentence(lang)
            assert record.position == position
            assert record.played == ()


def every_text(game: damier.Game) -> list[str]:
    """Returns texts of all shapes that the notations know, over the cells of a game."""
    cells = [cell.name for cell in game.drawing.cells if cell.can_hold]
    pairs = [(first, second) for first in cells for second in cells]
    shapes = [*cells, *(f"{a}-{b}" for a, b in pairs), *(f"{a}={b}" for a, b in pairs), *(f"*{a}" for a in cells)]
    shapes += [*(f"{a}^{b}" for a, b in pairs), *(f"@{a}" for a in cells), *(f">{a}" for a in cells), "end"]
    shapes += [f"{a}-{b}>{cells[i % len(cells)]}" for i, (a, b) in enumerate(pairs)] + [f"{a}-{b}>?" for a, b in pairs]
    shapes += [f"roll:{number}" for number in range(8)]
    return shapes


#: What only one game writes in its actions, as code that takes actions apart would have it: a roll of the die, a
#: detonation, a choice left to the owner, a piece from the hand, and templates of actions.
NOTATION = re.compile(r"""\broll:(?=["'`$({\[\\\d])|\^\\\*|>\\\?|["'`/^]>\?|["'`]@(?=[a-z]\d|\$\{|\{)|\{\}[-=^>]\{\}""")


def sources_outside_the_games() -> Iterator[tuple[Path, str]]:
    """Yields every file that the program runs, reads or shows, except the games' own and the catalogue."""
    for file in sorted(SOURCE.rglob("*")):
        is_text = file.suffix in (".py", ".js", ".css", ".html", ".json", ".toml", ".j2", ".svg")
        if is_text and file.relative_to(SOURCE).parts[0] != "games":
            yield file, file.read_text(encoding="utf-8")


def test_no_source_outside_the_games_names_a_game() -> None:
    names = re.compile(rf"\b({'|'.join(damier.games())})\b", re.IGNORECASE)
    named = [str(file.relative_to(SOURCE)) for file, text in sources_outside_the_games() if names.search(text)]
    assert named == []


def test_no_source_outside_the_games_knows_the_notation_of_one() -> None:
    found = [
        f"{file.relative_to(SOURCE)}: {match.group()}"
        for file, text in sources_outside_the_games()
        for match in NOTATION.finditer(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        'text = f"roll:{points}"',
        "/^roll:(\\d)$/.exec(action)",
        '"action.roll:1": "Roll 1"',
        "[/^\\*(\\w+)$/, key]",
        "/>\\?$/.test(action)",
        "const text = `@${cell}`",
        '("{}-{}", "{}={}")',
    ],
)
def test_code_that_takes_actions_apart_is_noticed(code: str) -> None:
    assert NOTATION.search(code)


@pytest.mark.parametrize(
    "code", ["const PAUSES = { roll: 650 };", "scroll: true", "(roll: int)", "before a roll: nothing else", "a >? b"]
)
def test_other_code_is_left_alone(code: str) -> None:
    assert not NOTATION.search(code)


@every_option_set
def test_games_positions_and_records_travel_to_another_process(option_set: OptionSet) -> None:
    game = loaded(option_set)
    record = game.record()
    record.play(record.actions()[0])
    there = pickle.loads(pickle.dumps(record))
    assert (there.game, there.position, there.played) == (game, record.position, record.played)
    assert there.actions() == record.actions()
    copied = copy.deepcopy(record)
    copied.undo()
    assert record.played
    assert not copied.played


def test_a_position_of_another_game_or_other_options_is_refused() -> None:
    six, five = damier.load("renfa"), damier.load("renfa", bombs=5)
    with pytest.raises(damier.BadArgument, match="of another game or other options"):
        five.record(six.start)
    with pytest.raises(damier.BadArgument, match="of another game or other options"):
        five.perft(six.start, 1)
    with pytest.raises(damier.BadArgument, match="of another game or other options"):
        five.playouts(1, position=six.start)
    with pytest.raises(damier.BadPosition, match="A position has 3 fields"):
        six.playouts(1, position="")
    with pytest.raises(damier.BadArgument, match="one opponent"):
        damier.load("omba", players=3).opponent("1")


def test_results_can_be_kept_in_sets() -> None:
    game = damier.load("chefa")
    ended = game.parse("5/5/BB1W1/BB1W1/1W2W w 0,0 -").result
    assert {ended, game.result("b", "square")} == {ended}


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(damier.UnknownGame, match="There is no game 'chess': the games are renfa, chefa"):
        damier.load("chess")
