"""Stand-ins for public Diaballik programs, to measure the engine against.

There are two kinds: Monte-Carlo bots with some thousand random games a turn, and alpha-beta over whole turns to a small
fixed depth with an evaluation of progress, passes and blocking. Both are as strong here as their kind allows: exact
lists of turns without duplicates, an exact test for a win within the turn, compiled code. They share the rules with the
product but nothing of its search.
"""

from bench.opponents.monte_carlo import MonteCarloPlayer
from bench.opponents.turn_alphabeta import TurnAlphaBetaPlayer

__all__ = ["MonteCarloPlayer", "TurnAlphaBetaPlayer"]
