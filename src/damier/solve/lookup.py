"""Kernels that map states to their numbers in the whole table."""

from typing import Any

from damier.core.kernel.contract import Rules, State, Words, rank, tier


def place(rules: Rules, numbers: Words, firsts: Words, state: State) -> int:
    """Returns the number of a state in the whole table."""
    return firsts[tier(rules, state)] + rank(rules, numbers, state)


def find_places(rules: Rules, numbers: Words, firsts: Words, states: Any, places: Words) -> None:
    """Writes the number of each state, a row of three words, into `places`."""
    for i in range(len(places)):
        places[i] = place(rules, numbers, firsts, (states[i, 0], states[i, 1], states[i, 2]))
