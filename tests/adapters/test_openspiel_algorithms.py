"""Algorithms of OpenSpiel on the games: what they find agrees with the rules and with each other."""

from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, evaluate_bots, exploitability, mcts, minimax

import damier
from damier.adapters import openspiel

#: Positions of Omba in which a player may be out soon, by the number of players.
NEAR_THE_END = {2: "-,1,-/2212,1122,-/-,-,21 1 1,0 - -", 3: "3213,23,-/-,-,12/-,1213,- 1 0,0,0 - -"}
TACTICS = Path(__file__).parent.parent / "games" / "chefa" / "tactics.txt"


def omba(players: int, max_actions: int) -> openspiel.SpielGame:
    parameters = {"players": players, "position": NEAR_THE_END[players], "max_actions": max_actions}
    game: openspiel.SpielGame = pyspiel.load_game("damier_omba", parameters)
    return game


def best_value(record: damier.Record, left: int) -> float:
    """Returns what the first player can expect with best play within `left` actions: a naive twin of expectiminimax."""
    if record.result:
        return 0.0 if record.result.winner is None else 1.0 if record.result.winner == "1" else -1.0
    if left == 0:
        return 0.0
    values, mover = [], record.mover
    for text in record.actions():
        record.play(text)
        values.append(best_value(record, left - 1))
        record.undo()
    if mover == "chance":
        return sum(values) / len(values)
    return max(values) if mover == "1" else min(values)


def optimal_policy(game: openspiel.SpielGame) -> policy.TabularPolicy:
    """Returns the policy that takes the action with the best value of expectiminimax in every state."""
    found = policy.TabularPolicy(game)
    for state in found.states:
        player = state.current_player()
        children = [(minimax.expectiminimax(state.child(a), 99, None, player)[0], a) for a in state.legal_actions()]
        probabilities = found.policy_for_key(state.information_state_string(player))
        probabilities[:] = 0.0
        probabilities[max(children)[1]] = 1.0
    return found


def test_expectiminimax_finds_the_value_of_a_game_with_a_die() -> None:
    value, _ = minimax.expectiminimax(omba(2, 5).new_initial_state(), 99, None, 0)
    assert value == pytest.approx(best_value(damier.load("omba").record(NEAR_THE_END[2]), 5))
    assert 0.0 < value < 1.0


def test_best_play_cannot_be_exploited_and_random_play_can() -> None:
    game = omba(2, 4)
    assert exploitability.exploitability(game, optimal_policy(game)) == pytest.approx(0.0, abs=1e-9)
    assert exploitability.exploitability(game, policy.UniformRandomPolicy(game)) > 0.01


def test_random_play_of_three_can_be_exploited() -> None:
    game = omba(3, 5)
    assert exploitability.nash_conv(game, policy.UniformRandomPolicy(game)) > 0.01


@pytest.mark.slow
def test_regret_minimization_approaches_best_play() -> None:
    game = omba(2, 4)
    solver = cfr.CFRSolver(game)
    conv = []
    for _ in range(20):
        solver.evaluate_and_update_policy()
        conv.append(exploitability.nash_conv(game, solver.average_policy()))
    assert conv[-1] < conv[0] / 10


def test_tree_search_finds_the_best_action() -> None:
    game = omba(2, 5)
    state = game.new_initial_state()
    state.apply_action(0)
    values = {
        state.action_to_string(action): minimax.expectiminimax(state.child(action), 99, None, 0)[0]
        for action in state.legal_actions()
    }
    assert max(values, key=lambda text: values[text]) == "b3-c3"
    rng = np.random.RandomState(1)
    in_python = mcts.MCTSBot(game, 1.0, 600, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    in_cpp = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.0, 600, 50, False, 1, False)
    assert state.action_to_string(in_python.step(state)) == "b3-c3"
    assert state.action_to_string(in_cpp.mcts_search(state).best_child().action) == "b3-c3"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_tree_searches_play_against_each_other_to_the_end(players: int) -> None:
    game = pyspiel.load_game(f"damier_omba(players={players})")
    rng = np.random.RandomState(4)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(game, 1.4, 5, evaluator, random_state=rng) for _ in range(players)]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)
    assert sorted(returns) == pytest.approx([-1 / (players - 1)] * (players - 1) + [1.0])


def test_alpha_beta_finds_forced_wins_that_exhaustive_search_has_found() -> None:
    lines = [line.split("; ") for line in TACTICS.read_text().splitlines() if not line.startswith("#")]
    for position, winner, distance, actions in [line for line in lines if line[2] == "3"][:4]:
        game = pyspiel.load_game("damier_chefa", {"position": position, "max_actions": int(distance)})
        value, action = minimax.alpha_beta_search(game)
        state = game.new_initial_state()
        assert game.game.players[state.current_player()] == winner
        assert value == 1.0
        assert state.action_to_string(action) in actions.split()
