"""Omba for players in sides: who is on move and who has won are numbers of sides, so that a search plays for a side.

A module for the binder, to be bound with the game's own rules. `rules` has one more number: the side of each player,
two bits each. Two players who are out or in stay two players; only what they play for is shared.
"""

from damier.core.kernel.contract import CHANCE, PLAYING, Rules, State
from damier.games.omba.rules import mover as player_on_move
from damier.games.omba.rules import outcome as winning_player

TEAMS = 2


def mover(rules: Rules, state: State) -> int:
    """Returns the side that is on move, or CHANCE."""
    player = player_on_move(rules, state)
    return CHANCE if player == CHANCE else rules[TEAMS] >> 2 * player & 3


def outcome(rules: Rules, state: State) -> int:
    """Returns the side that has won, or PLAYING."""
    winner = winning_player(rules, state)
    return PLAYING if winner == PLAYING else rules[TEAMS] >> 2 * winner & 3
