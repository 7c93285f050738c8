"""Spaces: actions as numbers, masks, planes and symmetries, against the rules."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.core.game import Game
from tests.games.minimal import GAME as MINIMAL
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.random_positions import random_position
from tests.games.test_rules_common import CYCLES
from tests.search.planes_as_text import position_string

every_option_set = pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
some_seed = given(seed=st.integers(0, 2**32))

#: With long lines for characters, random positions take some thousand to show every action.
LONG = [option_set for option_set in OPTION_SETS if option_set[0] == "sensei"]
QUICK = [option_set for option_set in OPTION_SETS if option_set not in LONG]

_GAMES = {name_of(option_set): damier.load(option_set[0], **option_set[1]) for option_set in OPTION_SETS}


def any_position(game: damier.Game, rng: random.Random) -> damier.Position:
    """Returns a random position, or one to three actions after it."""
    position = game.parse(random_position(game.name, dict(game.options), rng))
    for _ in range(rng.randrange(4)):
        texts = position.actions()
        choices = [text for text in texts if text.endswith("?")] or texts
        if choices:
            position = position.play(rng.choice(choices))
    return position


def loaded(option_set: OptionSet) -> damier.Game:
    return _GAMES[name_of(option_set)]


@every_option_set
def test_numbers_and_texts_of_actions_are_a_bijection(option_set: OptionSet) -> None:
    spaces = loaded(option_set).spaces
    texts = [spaces.action_text(number) for number in range(spaces.action_count)]
    assert len(set(texts)) == spaces.action_count
    assert [spaces.action_number(text) for text in texts] == list(range(spaces.action_count))


@every_option_set
@settings(max_examples=15)
@some_seed
def test_masks_are_the_actions_of_the_rules(option_set: OptionSet, seed: int) -> None:
    game = loaded(option_set)
    position = any_position(game, random.Random(seed))
    mask = game.spaces.mask(position)
    expected = [] if position.mover == "chance" else position.actions()
    assert mask.shape == (game.spaces.action_count,)
    assert sorted(game.spaces.action_text(int(number)) for number in np.flatnonzero(mask)) == expected


@every_option_set
@settings(max_examples=15)
@some_seed
def test_planes_show_the_whole_position(option_set: OptionSet, seed: int) -> None:
    game = loaded(option_set)
    position = any_position(game, random.Random(seed))
    planes = game.spaces.observe(position)
    assert planes.shape == game.spaces.shape
    assert (planes <= game.spaces.most[:, None, None]).all()
    text = str(position)
    mover = game.players.index(text.split()[1])
    assert position_string(game.spaces, planes, mover) == text


@every_option_set
def test_symmetries_are_permutations_of_actions_and_places(option_set: OptionSet) -> None:
    game = loaded(option_set)
    assert [each.name for each in game.spaces.symmetries] == [each.name for each in game.traits.symmetries]
    for symmetry in game.spaces.symmetries:
        assert sorted(symmetry.actions.tolist()) == list(range(game.spaces.action_count))
        assert sorted(symmetry.places.tolist()) == list(range(game.spaces.shape[1] * game.spaces.shape[2]))
    identity = game.spaces.symmetries[0]
    assert (identity.actions == np.arange(game.spaces.action_count)).all()
    assert (identity.places == np.arange(len(identity.places))).all()


@every_option_set
@settings(max_examples=8)
@some_seed
def test_symmetric_positions_have_symmetric_masks_and_planes(option_set: OptionSet, seed: int) -> None:
    game = loaded(option_set)
    position, spaces = any_position(game, random.Random(seed)), game.spaces
    for symmetry, trait in zip(spaces.symmetries, game.traits.symmetries, strict=True):
        state = game.kernels.permute(game.rules, position.state, list(trait.cells), trait.swaps_players)
        mirrored = damier.Position(game, state)
        assert (symmetry.turn_actions(spaces.mask(position)) == spaces.mask(mirrored)).all()
        assert (symmetry.turn_planes(spaces.observe(position)) == spaces.observe(mirrored)).all()


@pytest.mark.parametrize("option_set", [*QUICK, *(pytest.param(each, marks=pytest.mark.slow) for each in LONG)])
def test_every_number_is_legal_in_some_position(option_set: OptionSet) -> None:
    game, rng = loaded(option_set), random.Random(5)
    missing = np.ones(game.spaces.action_count, np.bool_)
    for _ in range(20_000):
        legal = np.flatnonzero(game.spaces.mask(any_position(game, rng)))
        for symmetry in game.spaces.symmetries:  # of which the test above shows that they keep actions legal
            missing[symmetry.actions[legal]] = False
        if not missing.any():
            break
    assert [game.spaces.action_text(int(number)) for number in np.flatnonzero(missing)] == []


@pytest.mark.parametrize("name", CYCLES)
def test_the_last_plane_shows_that_a_situation_has_stood_before(name: str) -> None:
    game = damier.load(name)
    text, cycle = CYCLES[name]
    record = game.record(text)
    assert game.spaces.planes[-1].name == "repeated"
    assert not game.spaces.observe(record)[-1].any()
    for action in cycle.split():
        record.play(action)
    assert (game.spaces.observe(record)[-1] == 1).all()
    assert not game.spaces.observe(record.position)[-1].any()
    assert (game.spaces.observe(record)[:-1] == game.spaces.observe(record.position)[:-1]).all()


def test_the_mask_of_a_record_leaves_out_what_its_history_forbids() -> None:
    game = damier.load("badia")
    rng, found = random.Random(2), 0
    while found < 3:
        record = game.record()
        while not record.result and record.count < 200:
            record.play(rng.choice(record.actions()))
            texts = [game.spaces.action_text(int(number)) for number in np.flatnonzero(game.spaces.mask(record))]
            assert sorted(texts) == record.actions()
            found += len(record.position.actions()) > len(texts) > 0


def test_a_roll_is_no_action_of_a_player() -> None:
    game = damier.load("omba")
    assert not game.spaces.mask(game.record()).any()
    with pytest.raises(damier.IllegalAction, match=r"^No player has the action 'roll:4' in any position\.$"):
        game.spaces.action_number("roll:4")


@pytest.mark.parametrize(("name", "text"), [("chefa", "a1-c1"), ("chefa", "c3"), ("sensei", "a1-a4"), ("badia", "c1")])
def test_an_action_that_nobody_ever_has_is_refused(name: str, text: str) -> None:
    with pytest.raises(damier.IllegalAction, match=f"No player has the action '{text}' in any position."):
        damier.load(name).spaces.action_number(text)
    with pytest.raises(damier.BadArgument, match="number takes a whole number from 0 to"):
        damier.load(name).spaces.action_text(-1)


def test_a_game_without_planes_says_so() -> None:
    with pytest.raises(damier.BadArgument, match=r"^Rows has no numbering of its actions and no planes\.$"):
        _ = Game(MINIMAL).spaces


@every_option_set
def test_the_documentation_names_every_plane(option_set: OptionSet) -> None:
    page = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
    game = loaded(option_set)
    for plane in game.spaces.planes:
        name = plane.name
        if name.startswith(("level-", "hand-", "out-")):
            name = "level-L-player-P" if name.startswith("level-") else name.split("-")[0] + "-P"
        assert f"`{name}`" in page


def test_positions_and_records_of_another_game_are_refused() -> None:
    spaces = damier.load("renfa").spaces
    for other in (damier.load("renfa", size=6), damier.load("chefa"), damier.load("omba")):
        for look in (spaces.mask, spaces.observe):
            for moment in (other.start, other.record()):
                with pytest.raises(damier.BadArgument, match="is of another game or other options"):
                    look(moment)


def test_symmetries_refuse_arrays_that_do_not_fit() -> None:
    spaces = damier.load("chefa").spaces
    symmetry = spaces.symmetries[1]
    with pytest.raises(damier.BadArgument, match=r"^values has 281 entries for each position instead of 280\.$"):
        symmetry.turn_actions(np.zeros((2, 281)))
    with pytest.raises(damier.BadArgument, match=r"^planes has 36 entries for each position instead of 25\.$"):
        symmetry.turn_planes(np.zeros((2, 6, 6)))
