"""Omba for learners: its actions by number, and what a player sees of a position as planes of 3x3.

Actions: entries, then moves, each in the order of the cells that they name; rolls belong to chance. Players are counted
from the one whose turn it is: 1 is the player on move, 2 the next one, and so on. Planes: for each level, from the
ground up, and each player the pieces there; for each player the pieces in hand, and as which one they went out, 0 for a
player still in; the die, 0 before the roll.
"""

from damier.core.kernel.contract import Rules, State, Words
from damier.core.traits import Plane
from damier.games.omba.rules import (
    ENTER,
    MOVE,
    PIECES,
    PLAYERS,
    die,
    hand,
    height,
    out_count,
    out_player,
    turn,
)

LEVELS = 12  # no stack is higher: these are all pieces


def action_codes(rules: Rules) -> list[int]:
    moves = [MOVE << 8 | cell << 4 | to for cell in range(9) for to in range(9) if cell != to]
    return [*(ENTER << 8 | cell for cell in range(9)), *moves]


def plane_list(rules: Rules) -> list[Plane]:
    players = range(1, rules[PLAYERS] + 1)
    return [
        *(Plane(f"level-{level}-player-{player}") for level in range(LEVELS) for player in players),
        *(Plane(f"hand-{player}", is_number=True, most=rules[PIECES]) for player in players),
        *(Plane(f"out-{player}", is_number=True, most=rules[PLAYERS] - 1) for player in players),
        Plane("die", is_number=True, most=6),
    ]


def grid(rules: Rules) -> list[list[int]]:
    return [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def planes(rules: Rules, state: State, out: Words) -> int:
    players, first, owners = rules[PLAYERS], turn(state), state[1]
    for i in range(LEVELS * players):
        out[i] = 0
    for cell in range(9):
        for level in range(height(state[0], cell)):
            out[level * players + seat(owners & 3, first, players)] |= 1 << cell
            owners >>= 2
    n = LEVELS * players
    for i in range(players):
        out[n + seat(i, first, players)] = hand(state, i)
        out[n + players + i] = 0
    for i in range(out_count(state)):
        out[n + players + seat(out_player(state, i), first, players)] = i + 1
    out[n + 2 * players] = die(state)
    return n + 2 * players + 1


def seat(player: int, first: int, players: int) -> int:
    """Returns how many players after the first a player comes."""
    return player - first if player >= first else player - first + players
