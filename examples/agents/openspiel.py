"""OpenSpiel's Monte Carlo tree search as agents of the exam, for every game.

    damier exam chefa --agent python:examples.agents.openspiel:mcts_100

The search is `MCTSBot` in Python with the settings of OpenSpiel's own example: one random game for each simulation, an
exploration constant of 2, and proven results kept (`solve`). Only random games are shorter: one that is not over after
60 actions, 120 with rolls, is a draw, as in the games of the exam. Every decision is a new search with the same seed:
the same record gets the same action. A simulation takes 2 to 5 ms, as the games are in Python there. Needs
``pip install "damier[research]"``.
"""

import functools
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

import damier
from damier.adapters.openspiel import PREFIX

EXPLORATION = 2
LONGEST = 60  # actions of a random game, and as many rolls
SEED = 0


def mcts_10(record: damier.Record) -> str:
    """Returns the action that a search with 10 random games chooses."""
    return search(record, 10)


def mcts_100(record: damier.Record) -> str:
    """Returns the action that a search with 100 random games chooses."""
    return search(record, 100)


def search(record: damier.Record, simulations: int) -> str:
    """Returns the action that a search with `simulations` random games chooses."""
    random, state = np.random.RandomState(SEED), spiel_state(record)
    longest = LONGEST * (2 if record.game.traits.has_chance else 1)
    evaluator = RandomRolloutEvaluator(random_state=random, max_length=longest)
    bot = MCTSBot(state.get_game(), EXPLORATION, simulations, evaluator, random_state=random)
    text: str = state.action_to_string(bot.step(state))
    return text


def spiel_state(record: damier.Record) -> Any:
    """Returns a record as a state of OpenSpiel, with its history."""
    state = spiel_game(record.game).new_initial_state(str(record.start))
    for text in record.played:
        state.apply_action(state.string_to_action(text))
    return state


@functools.cache
def spiel_game(game: damier.Game) -> Any:
    """Returns a game with its options as a game of OpenSpiel."""
    return pyspiel.load_game(PREFIX + game.name, dict(game.options))
