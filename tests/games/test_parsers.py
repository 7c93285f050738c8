"""Every parser against hostile text: nothing but our own errors, and nothing slow."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from tests.games.option_sets import OPTION_SETS, name_of
from tests.games.random_positions import random_position

LOADED = [damier.load(name, **options) for name, options in OPTION_SETS]
games = st.sampled_from(LOADED)
letters = st.text(alphabet="abcdefgh12345678BWGRo-=^*@>?:/., +endrolpm٣²\x00\n", max_size=90)


@given(games, st.one_of(st.text(max_size=90), letters))
def test_any_text_is_a_position_or_a_bad_position(game: damier.Game, text: str) -> None:
    try:
        position = game.parse(text)
    except damier.BadPosition as error:
        assert error.sentence().endswith(".")
    else:
        assert str(position) == text


@given(games, st.one_of(st.text(max_size=20), letters))
def test_any_text_is_an_action_or_an_illegal_action(game: damier.Game, text: str) -> None:
    try:
        action = game.parse_action(text)
    except damier.IllegalAction as error:
        assert error.sentence().endswith(".")
    else:
        assert game.action_text(action) == text


@settings(max_examples=400)
@given(st.sampled_from(OPTION_SETS), st.integers(0, 10_000), st.data())
def test_a_position_with_one_letter_changed_is_a_position_or_refused(
    option_set: tuple[str, dict[str, object]], seed: int, data: st.DataObject
) -> None:
    name, options = option_set
    game = damier.load(name, **options)
    text = random_position(name, options, random.Random(seed))
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(st.sampled_from([*"bwgrBWGRo123456789-,/. pm", ""])) + text[at + 1 :]
    try:
        position = game.parse(text)
    except damier.BadPosition as error:
        assert error.sentence("fr")
        assert error.sentence("de")
    else:
        assert str(position) == text
        for action in position.actions():
            assert game.parse(str(position.play(action)))


@given(games, st.dictionaries(st.text(max_size=8), st.one_of(st.text(max_size=20), st.integers(), st.none())))
def test_any_options_are_options_or_bad_options(game: damier.Game, options: dict[str, object]) -> None:
    try:
        damier.load(game.name, **options)
    except damier.BadOption as error:
        assert error.sentence().endswith(".")


HOSTILE = [
    "a1" * 500_000,
    "/" * 1_000_000,
    "1" * 1_000_000,
    "5/" * 300_000,
    " " * 1_000_000,
    "-," * 400_000,
    "(" * 10**6,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:4] for text in HOSTILE])
@pytest.mark.parametrize("game", LOADED, ids=[name_of(option_set) for option_set in OPTION_SETS])
def test_a_megabyte_of_text_is_refused_at_once(game: damier.Game, text: str) -> None:
    began = time.process_time()
    with pytest.raises(damier.BadPosition) as bad_position:
        game.parse(text)
    with pytest.raises(damier.IllegalAction) as illegal_action:
        game.record().play_turn(text)
    with pytest.raises(damier.BadOption) as bad_option:
        damier.load(game.name, **{text: text})
    assert time.process_time() - began < 30  # some milliseconds; what is quadratic takes hours
    for error in (bad_position, illegal_action, bad_option):
        assert len(str(error.value)) < 400
