"""OpenSpiel: its own tests for every game and option set, and what its states say of a game."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.tests import games_sim_test

import damier
from damier.adapters import openspiel
from damier.games import register, unregister
from tests.games.minimal import GAME as MINIMAL
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of

TESTS = Path(__file__).parent.parent / "games"

every_game = pytest.mark.parametrize("name", damier.games())
every_option_set = pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)


def loaded(option_set: OptionSet, **parameters: object) -> openspiel.SpielGame:
    name, options = option_set
    game: openspiel.SpielGame = pyspiel.load_game(f"damier_{name}", {**options, **parameters})
    return game


def state_after(game: openspiel.SpielGame, actions: str) -> openspiel.SpielState:
    state = game.new_initial_state()
    for text in actions.split():
        state.apply_action(state.string_to_action(text))
    return state


@every_option_set
def test_games_pass_the_random_simulation(option_set: OptionSet) -> None:
    pyspiel.random_sim_test(loaded(option_set), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@every_option_set
def test_games_pass_more_random_simulations(option_set: OptionSet) -> None:
    pyspiel.random_sim_test(loaded(option_set), num_sims=4, serialize=True, verbose=False)


@every_option_set
def test_games_pass_the_simulation_in_python(option_set: OptionSet) -> None:
    np.random.seed(3)  # of OpenSpiel's test
    games_sim_test.GamesSimTest().sim_game(loaded(option_set))


@every_game
def test_playthroughs_of_openspiel_replay(name: str, tmp_path: Path) -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    file = tmp_path / "playthrough.txt"
    file.write_text(generate_playthrough.playthrough(f"damier_{name}(max_actions=40)", None, seed=5), encoding="utf-8")
    original, replayed = generate_playthrough.replay(str(file))
    assert original == replayed
    assert "# State 20\n" in original or "IsTerminal() = True" in original


@every_game
def test_playthroughs_of_the_rules_replay(name: str) -> None:
    state = None
    for line in (TESTS / name / "playthrough.txt").read_text().splitlines():
        what, _, text = line.partition(": ")
        if what == "options":
            parameters = text.strip("-").replace(",", ";").replace(" ", ",")
            game = pyspiel.load_game(f"damier_{name}({parameters})")
            state = game.new_initial_state()
            continue
        assert state is not None
        if what == "position":
            assert str(state).removesuffix(" repeated") == text
        elif what == "mover":
            players = game.game.players
            assert state.is_chance_node() == (text == "chance")
            assert state.is_terminal() or state.is_chance_node() or players[state.current_player()] == text
        elif what == "actions":
            assert sorted(state.action_to_string(action) for action in state.legal_actions()) == text.split(" ")
        elif what == "play":
            state.apply_action(state.string_to_action(text))
        elif what == "result":
            assert state.is_terminal() == (text != "-")
            assert any(state.returns()) == (" wins: " in text)


@every_option_set
def test_observations_are_the_planes_and_the_position(option_set: OptionSet) -> None:
    game = loaded(option_set)
    state = game.new_initial_state()
    rng = np.random.default_rng(1)
    for _ in range(12):
        if state.is_terminal():
            break
        state.apply_action(int(rng.choice(state.legal_actions())))
    record = state.played.record
    planes = game.game.spaces.observe(record)
    assert game.observation_tensor_shape() == list(planes.shape)
    for player in range(game.num_players()):
        assert (np.array(state.observation_tensor(player)).reshape(planes.shape) == planes).all()
        assert state.observation_string(player) == str(record.position)
        assert state.information_state_string(player) == state.history_str()


def test_a_roll_is_a_chance_node() -> None:
    state = pyspiel.load_game("damier_omba").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(number, pytest.approx(1 / 6)) for number in range(6)]
    assert [state.action_to_string(number) for number in state.legal_actions()] == [f"roll:{n}" for n in range(1, 7)]
    state.apply_action(3)
    assert str(state) == "-,-,-/-,-,-/-,-,- 1 6,6 4 -"
    assert state.current_player() == 0


def test_a_player_acts_several_times_in_a_turn() -> None:
    game = pyspiel.load_game("damier_sensei")
    assert state_after(game, "a1-a2").current_player() == 0
    assert state_after(game, "a1-a2 b1-b2").current_player() == 0
    assert state_after(game, "a1-a2 end").current_player() == 1
    assert state_after(game, "a1-a2 b1-b2 d1^c1").current_player() == 1


def test_the_owner_of_a_displaced_pawn_answers_and_then_plays() -> None:
    game = pyspiel.load_game("damier_badia", {"position": "W1B1B/1...1/B.W.B/1...1/WBW1W b 0,0 -,- -"})
    state = state_after(game, "b1-c1>?")
    assert state.current_player() == 1
    assert all(state.action_to_string(action).startswith(">") for action in state.legal_actions())
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 1


def test_a_third_occurrence_is_a_draw() -> None:
    game = pyspiel.load_game("damier_sensei")
    cycle = "a1-a2 end a7-a6 end a2-a1 end a6-a7 end "
    state = state_after(game, cycle)
    assert str(state).endswith(" repeated")
    assert not state.is_terminal()
    clone = state.clone()
    for text in cycle.split():
        assert not clone.is_terminal()
        clone.apply_action(clone.string_to_action(text))
    assert clone.is_terminal()
    assert clone.returns() == [0.0, 0.0]
    assert not state.is_terminal()
    assert state.history() == clone.history()[: len(state.history())]


def test_a_forbidden_return_is_not_legal() -> None:
    game, found = pyspiel.load_game("damier_badia"), 0
    rng = np.random.default_rng(2)
    while found < 3:
        state = game.new_initial_state()
        while not state.is_terminal() and len(state.history()) < 200:
            state.apply_action(int(rng.choice(state.legal_actions())))
            record = state.played.record
            texts = sorted(state.action_to_string(action) for action in state.legal_actions())
            assert state.is_terminal() or texts == record.actions()
            found += len(record.position.actions()) > len(texts) > 0


def test_a_long_game_is_cut_off_without_a_winner() -> None:
    state = state_after(pyspiel.load_game("damier_omba(players=3,max_actions=4)"), "roll:1 @b1 roll:1")
    assert not state.is_terminal()
    state.apply_action(state.legal_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0, 0.0]
    assert state.legal_actions() == []


def test_a_win_is_shared_out_among_the_others() -> None:
    game = pyspiel.load_game("damier_omba(players=4)")
    rng = np.random.default_rng(6)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert sorted(state.returns()) == pytest.approx([-1 / 3] * 3 + [1.0])
    assert (game.min_utility(), game.max_utility()) == (pytest.approx(-1 / 3), 1.0)


def test_values_with_commas_are_written_with_semicolons() -> None:
    position = "B3W/1W1B1/5/1W1B1/W3B b 0,0 -"
    given = pyspiel.load_game("damier_chefa", {"position": position})
    assert str(given) == "damier_chefa(position=B3W/1W1B1/5/1W1B1/W3B b 0;0 -)"
    assert str(pyspiel.load_game(str(given)).new_initial_state()) == position
    assert str(pyspiel.load_game("damier_chefa").new_initial_state(position)) == position
    pits = pyspiel.load_game("damier_sensei(variant=arashi-expert,pits=c3;e5)")
    assert pits.game.options == {"variant": "arashi-expert", "pits": "c3,e5"}


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(damier.BadOption, match="The option bombs takes a whole number from 3 to 12 on a board with 5"):
        pyspiel.load_game("damier_renfa(bombs=13)")
    with pytest.raises(damier.BadOption, match="The option pits goes with the variant arashi-expert only"):
        pyspiel.load_game("damier_sensei(pits=c3;e5)")
    with pytest.raises(damier.BadArgument, match="max_actions takes a whole number from 1"):
        pyspiel.load_game("damier_chefa(max_actions=0)")
    with pytest.raises(damier.BadPosition):
        pyspiel.load_game("damier_chefa(position=nonsense)")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'colour'"):
        pyspiel.load_game("damier_chefa(colour=2)")


def test_an_illegal_action_is_refused() -> None:
    state = state_after(pyspiel.load_game("damier_chefa"), "a1")
    with pytest.raises(damier.IllegalAction, match="There is already a pawn on a1"):
        state.apply_action(0)
    assert state.history() == [0]


def test_a_pickled_state_goes_on_in_another_process() -> None:
    """The other process also ends in peace, though OpenSpiel keeps what was registered until after Python's end."""
    game = pyspiel.load_game("damier_omba(players=3)")
    state = state_after(game, "roll:4 @c3 roll:2")
    program = (
        "import pickle, sys\n"
        "game, state = pickle.load(sys.stdin.buffer)\n"
        "state.apply_action(state.legal_actions()[0])\n"
        "print(game, state.history(), state)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps((game, state)), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    state.apply_action(state.legal_actions()[0])
    assert done.stdout.decode().strip() == f"damier_omba(players=3) {state.history()} {state}"


def test_a_game_registered_later_is_registered_here_too() -> None:
    register(MINIMAL)
    try:
        openspiel.register(MINIMAL.name)
    finally:
        unregister(MINIMAL.name)
    assert f"damier_{MINIMAL.name}" in pyspiel.registered_names()
    with pytest.raises(damier.BadArgument, match=r"^Rows has no numbering of its actions and no planes\.$"):
        pyspiel.load_game(f"damier_{MINIMAL.name}")


def test_a_number_that_stands_for_nothing_is_refused() -> None:
    state = pyspiel.load_game("damier_omba").new_initial_state()
    with pytest.raises(damier.BadArgument, match="action takes a whole number from 0 to 5, not '6'"):
        state.apply_action(6)
    with pytest.raises(damier.BadArgument, match="number takes a whole number from 0 to 279"):
        pyspiel.load_game("damier_chefa").new_initial_state().apply_action(280)
