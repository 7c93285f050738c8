"""Round robin: everybody meets everybody, by the circle method.

Players sit on the seats of a circle, seat 0 in its middle; an empty seat gives a bye. In each round, seat i plays seat
n-1-i, and afterwards all but seat 0 move on by one:

    round 1   0 1 2      round 2   0 5 1      round 3   0 4 5
              5 4 3                4 3 2                3 2 1

An even seat plays first, an odd one second, so that who moves on alternates; seat 0 alternates by itself. In the second
half of a double round robin the sides are exchanged.

Who joins during the first round takes the empty seat, and so plays at once who has a bye; if there is none, two seats
are added in the middle, one of them empty, which leaves the pairs of the first round as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[str, str]
"""Who plays first, and who plays second."""


def seating(players: Sequence[str], late: Sequence[str] = ()) -> list[str | None]:
    """Returns who sits where: those who were there at the start, then those who joined during the first round."""
    seats: list[str | None] = [*players]
    if len(seats) % 2:
        seats.insert(0, None)
    for player in late:
        if None in seats:
            seats[seats.index(None)] = player
        else:
            middle = len(seats) // 2
            seats[middle:middle] = [player, None]
    return seats


def round_count(seats: Sequence[str | None], times: int) -> int:
    """Returns the number of rounds if everybody meets `times` times."""
    return times * (len(seats) - 1)


def round_pairs(seats: Sequence[str | None], number: int) -> tuple[list[Pair], list[str]]:
    """Returns the pairs of a round, from 1 on, and who has a bye."""
    half, step = divmod(number - 1, len(seats) - 1)
    moving = list(seats[1:])
    turned = [seats[0], *moving[len(moving) - step :], *moving[: len(moving) - step]]
    pairs: list[Pair] = []
    byes: list[str] = []
    for place in range(len(seats) // 2):
        one, other = turned[place], turned[len(seats) - 1 - place]
        is_first = step % 2 == 0 if place == 0 else place % 2 == 0
        if one is None or other is None:
            byes += [player for player in (one, other) if player is not None]
        else:
            pairs.append((one, other) if is_first == (half % 2 == 0) else (other, one))
    return pairs, byes
