"""Sweeps over the positions of a game with a die for any number of players, as an algorithm bound to a game.

An entry is a position before a roll. It has a number for each *seat*: the chance, in units of 1 / `one`, that the
player in it wins. Seat 0 is the player to roll, then the others still in, in the order of play. After an action of the
roller the player in seat s is in seat s - 1, the roller in the last. A roll without an action puts the roller out; the
last player left wins. All tiers share one array: the numbers of a tier begin at its item of `begins`, an entry's side
by side.

`bound` computes what a player can force, as a two-person game of that seat against all others, one game for each seat
at once: the player takes the maximum, and the others the minimum (coalition) or the maximum, too (help). Play that
never ends counts as lost.

    Lower bounds L: from 0 on, a new number is strictly less than the mean over the rolls, or 0. So, while the chance is
    not 0, it grows along the player's choices by at least 1 / (6 one) a turn on average, and never exceeds 1: play
    ends, and L is at most the chance to win.
    Upper bounds U: from certainty on, a new number is at least the mean. A function that is nowhere less than the mean
    of what follows is at least the chance to win.

Both conditions hold for the numbers as they stand, whatever the order of the sweeps that led there; `check_bound` tests
them, with successors from the rules.

`respond` computes values of one *profile*, a way to play for every seat, read off a vector for each entry. The roller
wants the greatest own number, and is nearly indifferent between actions that are less than `tie` below it: the
likelihood of an action falls evenly from that of the best one to 0 at `tie` below. So the profile is a continuous
function of the vectors, which a rule with a jump would not be, and vectors that reproduce themselves exist (Brouwer).
With `tilt`, what the roller wants is the own number plus or minus a small share of the next player's.

The numbers are those of everybody playing so (a sweep of max-n, if they are the vectors themselves), or of a player who
is free to depart from it while all others keep to it (a best response), bounded as above.
"""

from damier.core.kernel.bits import lowest
from damier.core.kernel.contract import (
    CHANCE,
    PLAYING,
    Rules,
    Words,
    actions,
    apply,
    fallen,
    followers,
    mover,
    outcome,
    rank,
    tier,
    tier_seats,
    unrank,
)

SIDES = 6
MOST_SEATS = 4

# What the others do.
COALITION, HELP = 0, 1

# Which bound a sweep keeps, or none.
LOWER, UPPER, NEAREST = 0, 1, 2

WEIGHT = 1024  # of the best action
TILT = 128  # what the next player gets counts for one part of so many, times `tilt`

# Who chooses by the numbers themselves.
NOBODY, ROLLER = 0, 1

LONGEST_QUIET = 3  # rests in a row that are counted

_POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative
_NONE = -1
_NO_ACTION = -(1 << 40)


def bound(
    rules: Rules,
    numbers: Words,
    begins: Words,
    here: int,
    low: int,
    high: int,
    values: Words,
    one: int,
    others: int,
    side: int,
    rests: Words,
    is_full: bool,
    room: Words,
    out: Words,
) -> int:
    """Improves the bounds of ``[low, high)``, which are whole groups; returns how many numbers have changed.

    A group of entries that has not changed rests, for 1, 3, 7 and again 7 sweeps, unless the sweep `is_full`. `rests`
    has 16 bits at the first entry of each group: in three for how many sweeps it still rests, in two how often it has
    rested in a row, then its size less 1.
    """
    seats = tier_seats(rules, here)
    changed = 0
    entry = low
    while entry < high:
        if rests[entry] & 7 and not is_full:
            rests[entry] -= 1
            entry += (rests[entry] >> 5) + 1
            continue
        following = followers(rules, numbers, here, entry, out)
        first = out[0]
        size = following - first
        for i in range(SIDES * seats * size):
            room[i & _POSITIVE] = _NONE
        at = 2
        for _ in range(out[1]):
            extremes(begins[out[at + 1]], seats, others, values, room, out, at)
            at += 3 + 2 * out[at + 2]
        news = write_bounds(rules, numbers, begins, here, first, size, seats, values, one, side, room, out)
        quiet = 0 if news else min(LONGEST_QUIET, (rests[first] >> 3 & 3) + 1)
        rests[first] = (size - 1) << 5 | quiet << 3 | (1 << quiet) - 1
        changed += news
        entry = following
    return changed


def extremes(there: int, seats: int, others: int, values: Words, room: Words, out: Words, at: int) -> None:
    """Takes the successors of an action into account: `room` has the extreme so far by entry, roll and seat."""
    for i in range(out[at + 2]):
        place = there + seats * out[at + 4 + 2 * i & _POSITIVE]
        known = SIDES * seats * out[at + 3 + 2 * i & _POSITIVE]
        left = out[at]
        while left:
            roll = known + seats * lowest(left)
            room[roll & _POSITIVE] = max(room[roll & _POSITIVE], values[place + seats - 1 & _POSITIVE])
            for seat in range(1, seats):
                old, new = room[roll + seat & _POSITIVE], values[place + seat - 1 & _POSITIVE]
                if old == _NONE or (new > old if others == HELP else new < old):
                    room[roll + seat & _POSITIVE] = new
            left &= left - 1


def write_bounds(
    rules: Rules,
    numbers: Words,
    begins: Words,
    here: int,
    first: int,
    size: int,
    seats: int,
    values: Words,
    one: int,
    side: int,
    room: Words,
    out: Words,
) -> int:
    """Writes the new bounds of a group where they are better; returns how many are."""
    there = 0
    if seats > 2:
        fallen(rules, numbers, here, first, out)
        there = begins[out[0]]
    changed = 0
    for i in range(size):
        for seat in range(seats):
            out_value = value_out(seats, seat, there, one, values, out, i)
            total = 0
            for roll in range(SIDES):
                each = room[(SIDES * i + roll) * seats + seat & _POSITIVE]
                total += out_value if each == _NONE else each
            place = begins[here] + (first + i) * seats + seat & _POSITIVE
            if side == LOWER:
                new = max(0, total - 1) // SIDES
                if new > values[place]:
                    values[place] = new
                    changed += 1
            else:
                new = (total + SIDES - 1) // SIDES
                if new < values[place]:
                    values[place] = new
                    changed += 1
    return changed


def value_out(seats: int, seat: int, there: int, one: int, values: Words, out: Words, i: int) -> int:
    """Returns the number of a seat after the roller has gone out, where `fallen` has written where that leads."""
    if seat == 0:
        return 0
    if seats == 2:
        return one
    return values[there + out[1 + i] * (seats - 1) + seat - 1 & _POSITIVE] + 0


def respond(
    rules: Rules,
    numbers: Words,
    begins: Words,
    here: int,
    low: int,
    high: int,
    guides: Words,
    tie: int,
    tilt: int,
    values: Words,
    one: int,
    chooser: int,
    side: int,
    damping: int,
    room: Words,
    out: Words,
) -> int:
    """Writes new values of ``[low, high)``, which are whole groups; returns the greatest difference to the means.

    `guides` has the vectors of the profile; it may be `values`. The chooser is the ROLLER, for best responses, or
    NOBODY. A value goes one part in `damping` of the way to its mean, which is all of it for bounds. `room` has for
    each entry and roll: the best guide, the sum of the weights, the greatest own value, a weighted sum for each seat.
    """
    seats = tier_seats(rules, here)
    width = 3 + seats
    change = 0
    entry = low
    while entry < high:
        following = followers(rules, numbers, here, entry, out)
        first = out[0]
        size = following - first
        for i in range(SIDES * size):
            for j in range(width):
                room[i * width + j & _POSITIVE] = 0
            room[i * width & _POSITIVE] = _NO_ACTION
        for is_second in range(2):
            at = 2
            for _ in range(out[1]):
                add_action(is_second, begins[out[at + 1]], seats, guides, tie, tilt, values, room, out, at)
                at += 3 + 2 * out[at + 2]
        there = 0
        if seats > 2:
            fallen(rules, numbers, here, first, out)
            there = begins[out[0]]
        for i in range(size):
            for seat in range(seats):
                place = begins[here] + (first + i) * seats + seat & _POSITIVE
                old = values[place] + 0
                new = mean(seats, seat, there, values, one, chooser, side, room, out, i)
                if side == LOWER:
                    new = max(new, old)
                if side == UPPER:
                    new = min(new, old)
                change = max(change, abs(new - old))
                values[place] = old + (new - old) // damping
        entry = following
    return change


def add_action(
    is_second: int,
    there: int,
    seats: int,
    guides: Words,
    tie: int,
    tilt: int,
    values: Words,
    room: Words,
    out: Words,
    at: int,
) -> None:
    """Takes an action into account: at first for what is best, the second time with its weight."""
    width = 3 + seats
    for i in range(out[at + 2]):
        place = there + seats * out[at + 4 + 2 * i & _POSITIVE]
        own = guides[place + seats - 1 & _POSITIVE] + tilt * guides[place & _POSITIVE] // TILT
        left = out[at]
        while left:
            known = width * (SIDES * out[at + 3 + 2 * i & _POSITIVE] + lowest(left)) & _POSITIVE
            if not is_second:
                room[known] = max(room[known], own)
                room[known + 2] = max(room[known + 2], values[place + seats - 1 & _POSITIVE])
            elif own > room[known] - tie:
                weight = WEIGHT * (own + tie - room[known]) // tie
                room[known + 1] += weight
                room[known + 3] += weight * values[place + seats - 1 & _POSITIVE]
                for seat in range(1, seats):
                    room[known + 3 + seat & _POSITIVE] += weight * values[place + seat - 1 & _POSITIVE]
            left &= left - 1


def mean(
    seats: int,
    seat: int,
    there: int,
    values: Words,
    one: int,
    chooser: int,
    side: int,
    room: Words,
    out: Words,
    i: int,
) -> int:
    """Returns the mean of a seat over the rolls, rounded as a bound or to the nearest."""
    total = 0
    for roll in range(SIDES):
        known = (3 + seats) * (SIDES * i + roll) & _POSITIVE
        weights, weighted = room[known + 1] + 0, room[known + 3 + seat & _POSITIVE] + 0
        if room[known] == _NO_ACTION:
            total += value_out(seats, seat, there, one, values, out, i)
        elif chooser == ROLLER and seat == 0:
            total += room[known + 2]
        elif side == LOWER:
            total += weighted // weights
        elif side == UPPER:
            total += (weighted + weights - 1) // weights
        else:
            total += (2 * weighted + weights) // (2 * weights)
    if side == LOWER:
        return max(0, total - 1) // SIDES
    if side == UPPER:
        return (total + SIDES - 1) // SIDES
    return (2 * total + SIDES) // (2 * SIDES)


def check_bound(
    rules: Rules,
    numbers: Words,
    begins: Words,
    here: int,
    low: int,
    high: int,
    values: Words,
    one: int,
    others: int,
    side: int,
    rolls: Words,
    room: Words,
    out: Words,
) -> int:
    """Returns how many numbers of ``[low, high)`` are no bounds by the rules and the numbers of what follows."""
    seats = tier_seats(rules, here)
    failed = 0
    for entry in range(low, high):
        state = unrank(rules, numbers, here, entry)
        for seat in range(seats):
            room[seat] = 0
        for i in range(actions(rules, state, rolls)):
            rolled = apply(rules, state, rolls[i])
            if outcome(rules, rolled) != PLAYING:
                room[1] += one
            elif mover(rules, rolled) == CHANCE:
                place = begins[tier(rules, rolled)] + rank(rules, numbers, rolled) * (seats - 1)
                for seat in range(1, seats):
                    room[seat] += values[place + seat - 1]
            else:
                n = actions(rules, rolled, out)
                for seat in range(seats):
                    room[MOST_SEATS + seat] = _NONE
                for j in range(n):
                    following = apply(rules, rolled, out[j])
                    place = begins[tier(rules, following)] + rank(rules, numbers, following) * seats
                    for seat in range(seats):
                        new, old = values[place + (seat - 1) % seats], room[MOST_SEATS + seat]
                        is_most = seat == 0 or others == HELP
                        if old == _NONE or (new > old if is_most else new < old):
                            room[MOST_SEATS + seat] = new
                for seat in range(seats):
                    room[seat] += room[MOST_SEATS + seat]
        for seat in range(seats):
            value = values[begins[here] + entry * seats + seat]
            if side == LOWER:
                if value > 0 and SIDES * value >= room[seat]:
                    failed += 1
            elif SIDES * value < room[seat]:
                failed += 1
    return failed
