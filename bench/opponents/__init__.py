"""Stand-ins for the Diaballik programs that the public can get, to measure the engine against.

Two kinds of them are found: Monte-Carlo bots of some thousand random games a turn, and alpha-beta over whole turns to
a small fixed depth with an evaluation of progress, passes and blocking. Both are written here as strong as their kind
allows: exact lists of turns without doubles, an exact test for a win within the turn, compiled code. They share the
rules with the product and nothing of its search.
"""

from bench.opponents.monte_carlo import MonteCarloPlayer
from bench.opponents.turn_alphabeta import TurnAlphaBetaPlayer

__all__ = ["MonteCarloPlayer", "TurnAlphaBetaPlayer"]
