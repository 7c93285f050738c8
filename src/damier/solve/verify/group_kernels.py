"""Kernels that derive every entry of a table of outcomes again, group by group; for tables of one byte an entry.

Some positions differ only in what is forbidden: a swap that was just made, a piece that moved last. They are a *group*.
Its *leader* has all actions; every other member lacks a range of them, one after the other as `successors` writes them.
So the successors are found once for a group. Their codes are made *merits*, numbers of which the largest is the best
for the player who leads there; the best that a member has is the largest of the merits before and behind its range.

The number of every successor and of every member must unrank to the same position, up to symmetry, as
``outcome_kernels.py`` has it, and must not be free. An entry that was compared is marked as derived. When all groups
are done, an entry must be free exactly if it is not marked. So nothing is left out, whichever leaders a game names.

Places are computed first and read then, so that the memory accesses overlap; marks are bits, which stay in the cache.
Measured for a group with 5 members and 10 successors: 1.4 us without these two, 1.1 us with them, 4 us entry by entry.

What ``check.py`` provides is documented in the contract: `leads_group` and `group_members`, besides what
``outcome_kernels.py`` needs.
"""

from collections.abc import MutableSequence, Sequence

from damier.core.kernel.contract import (
    Rules,
    State,
    Words,
    group_members,
    image_hint,
    leads_group,
    player_on_move,
    rank,
    shown_result,
    successors,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, LOST, MARKED, WON
from damier.solve.verify.family_kernels import DRAW, MERITS, NO_VALUE, due_code
from damier.solve.verify.outcome_kernels import MISTAKEN, MOST_FOLLOWING, POSITIVE, own_place, place_found, result_code

MOST_MEMBERS = 32  # of a group, besides the leader
MEMBER_WORDS = 5  # of a member: its state, the first action that it lacks and the first one behind these
MEMBERS = 3 * MOST_FOLLOWING  # in `out`, behind the states of the successors
PLACES = MEMBERS + MEMBER_WORDS * MOST_MEMBERS
BEHIND = PLACES + MOST_FOLLOWING  # the largest merit from each successor on
HINTS = BEHIND + MOST_FOLLOWING + 1  # by `image_hint`: the symmetry that was the right one last
DUE = HINTS + 4096  # the place of each entry of the group and the code that is due there
ROOM = DUE + 1 + MOST_MEMBERS
DUE_BITS = 20  # of a code; TOO_FAR has 17
MISTAKEN_MEMBER = MISTAKEN + 1

#: By the code of a position, plus 256 if the same player is on move there: what it is worth to the player before it.
ALL_MERITS = [*MERITS] + [
    NO_VALUE if code >= MARKED or code == WON - 1
    else 1 + code - LOST if code >= LOST
    else DRAW if code == DRAWN
    else NO_VALUE - 1 if code == WON
    else NO_VALUE - 1 - code
    for code in range(256)
]  # fmt: skip


def first_wrong_group(
    given: Rules,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    derived: MutableSequence[int],
    number: int,
    low: int,
    high: int,
    out: Words,
) -> int:
    """Returns the first entry of a tier in ``[low, high)`` whose group does not follow from other entries, or -1."""
    for entry in range(low, high):
        place = firsts[number] + entry
        if derived[place >> 3 & POSITIVE] >> (place & 7) & 1:
            continue
        state = unrank(rules, numbers, number, entry)
        if not leads_group(given, state) or tier(rules, state) != number or rank(rules, numbers, state) != entry:
            continue
        if wrong_in_group(given, rules, numbers, firsts, entries, derived, place, state, out) != 0:
            return entry
    return -1


def wrong_in_group(
    given: Rules,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    derived: MutableSequence[int],
    place: int,
    leader: State,
    out: Words,
) -> int:
    """Derives the entries of the group of the leader at a place, and marks them; returns 0 if they are right.

    Returns 1 + the place of a wrong entry; or MISTAKEN if the number of a successor is not its own, MISTAKEN_MEMBER if
    that of a member is not, whose three words are then at the beginning of `out`.
    """
    # Step 1. The places of the successors, whose merits are read together, so that the memory accesses overlap.
    result = shown_result(given, leader)
    n = successors(given, leader, out)
    count = group_members(given, leader, n, out, MEMBERS)
    best = 0
    if not result:
        for i in range(n):
            following = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
            hint = HINTS + (image_hint(following) & 4095)
            found = place_found(given, rules, numbers, firsts, following, out[hint])
            if found == MISTAKEN:
                write_first(following, out)
                return MISTAKEN
            out[hint] = found & 7
            out[PLACES + i] = found >> 3 << 1 | (player_on_move(following) == player_on_move(leader))
        for i in range(n):
            there = out[PLACES + i] >> 1
            code = entries[there & POSITIVE] if there >= 0 else -1 - there
            out[PLACES + i] = ALL_MERITS[code | (out[PLACES + i] & 1) << 8]
        for i in range(n - 1, -1, -1):
            out[BEHIND + i] = best
            best = max(best, out[PLACES + i])
    # Step 2. The places of the members, and what is due there.
    due = result_code(result) if result else due_code(best)
    out[DUE] = place << DUE_BITS | due
    at = before = 0
    for i in range(count):
        words = MEMBERS + MEMBER_WORDS * i
        member = (out[words], out[words + 1], out[words + 2])
        hint = HINTS + (image_hint(member) & 4095)
        found = own_place(rules, numbers, firsts, member, out[hint])
        if found == MISTAKEN:
            write_first(member, out)
            return MISTAKEN_MEMBER
        out[hint] = found & 7
        if not result:
            while at < out[words + 3]:
                before = max(before, out[PLACES + at])
                at += 1
            last = out[words + 4]
            due = due_code(max(before, max(out[PLACES + last], out[BEHIND + last]) if last < n else 0))
        out[DUE + 1 + i] = found >> 3 << DUE_BITS | due
    # Step 3. The entries, which are read together likewise.
    wrong = 0
    for i in range(DUE, DUE + 1 + count):
        there = out[i] >> DUE_BITS
        if wrong == 0 and entries[there & POSITIVE] != out[i] & (1 << DUE_BITS) - 1:
            wrong = 1 + there
        derived[there >> 3 & POSITIVE] |= 1 << (there & 7)
    return wrong


def write_first(state: State, out: Words) -> None:
    """Writes a state to the beginning of `out`."""
    out[0], out[1], out[2] = state[0], state[1], state[2]
