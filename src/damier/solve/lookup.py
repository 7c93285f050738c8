"""Kernels that map states to their numbers in the whole table."""

from typing import Any

from damier.core.kernel.contract import CHANCE, DRAW, PLAYING, Rules, State, Words, mover, outcome, rank, tier

NO_ENTRY = -1
"""Stands for the number of a state that the table does not have."""


def place(rules: Rules, numbers: Words, firsts: Words, state: State) -> int:
    """Returns the number of a state in the whole table."""
    return firsts[tier(rules, state)] + rank(rules, numbers, state)


def find_places(rules: Rules, numbers: Words, firsts: Words, states: Any, places: Words) -> None:
    """Writes the number of each state, a row of three words, into `places`."""
    for i in range(len(places)):
        places[i] = place(rules, numbers, firsts, (states[i, 0], states[i, 1], states[i, 2]))


def entry(rules: Rules, numbers: Words, firsts: Words, has_chance: bool, state: State) -> int:
    """Returns the number of a state in the whole table, or NO_ENTRY.

    A state has no entry when the game is over or, in a game with a die, after a roll.
    """
    if outcome(rules, state) != PLAYING or (has_chance and mover(rules, state) != CHANCE):
        return NO_ENTRY
    return place(rules, numbers, firsts, state)


def final_result(rules: Rules, state: State) -> int:
    """Returns 1 if the player on move has won, -1 if not; 0 for a draw and for a game that goes on."""
    result = outcome(rules, state)
    if result in (PLAYING, DRAW):
        return 0
    return 1 if result == mover(rules, state) else -1


def find_entries(
    rules: Rules, numbers: Words, firsts: Words, has_chance: bool, states: Any, places: Words, results: Any
) -> None:
    """Writes the `entry` of each state, a row of three words, into `places`, and its `final_result` into `results`."""
    for i in range(len(places)):
        state = (states[i, 0], states[i, 1], states[i, 2])
        places[i] = entry(rules, numbers, firsts, has_chance, state)
        if places[i] == NO_ENTRY:
            results[i] = final_result(rules, state)
