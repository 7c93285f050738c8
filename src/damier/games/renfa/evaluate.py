"""What a Renfa-Bomba player looks at: which groups can be set off, by whom with profit, how loosely the bombs stand.

A group of both colours can be set off by either player, so it helps whoever loses less by it, and of two such groups
the player on move takes the first. Few separate bombs are safer than many in a heap. One bomb more decides most games,
and among equals every exchange is a step towards a draw: with `last` + 1 bombs each nobody can win any more, since a
detonation costs at least one. So the terms are of three kinds, of which all but one are 0: placement, weighted by how
many bombs are on the board; equal numbers, weighted by how many are left to exchange; unequal numbers.
"""

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.games.renfa.rules import BOMBS, LAST, NEIGHBOURS, chain, to_place

FULL = 8  # the weight of a full board: of all bombs of one player placed, or of none exchanged

# Where the terms of each kind begin.
PLACING, EQUAL, UNEQUAL, ALL = 0, 6, 13, 21

TERMS = (
    "placing: separate groups of one colour",
    "placing: on move",
    "placing: bombs at the side",
    "placing: empty cells beside bombs",
    "placing: best detonation",
    "placing: opponent's best detonation",
    "equal: on move",
    "equal: separate groups of one colour",
    "equal: best detonation",
    "equal: opponent's best detonation",
    "equal: both detonations",
    "equal: neighbours of one colour",
    "equal: empty cells beside bombs",
    "unequal: on move",
    "unequal: separate groups of one colour",
    "unequal: best detonation",
    "unequal: opponent's best detonation",
    "unequal: largest group of one colour",
    "unequal: empty cells beside bombs",
    "unequal: more bombs, by how few there are",
    "unequal: more bombs, by how many there are",
)

# Fitted on 2026-11-16 to 6,000 games of 1,000 nodes a turn, each ended when nobody could win (83,313 rows, loss 0.595).
WEIGHTS = [32, 23, 49, 44, 4, -7, 10, 36, 124, -5, -111, -5, 5, 288, 735, 1558, -802, -614, 56, 61, 92]


def quick_win(rules: Rules, state: State) -> int:
    return 1 if has_winning_detonation(rules, state[0], state[1], to_place(state)) else 0


def has_threat(rules: Rules, state: State) -> bool:
    return has_winning_detonation(rules, state[1], state[0], to_place(state))


def has_winning_detonation(rules: Rules, own: int, enemy: int, hand: int) -> bool:
    """Tells whether a player can set off a group that leaves the enemy, but not them, with too few bombs."""
    if hand:
        return False
    spare = bit_count(own) - rules[LAST]
    needed = bit_count(enemy) - rules[LAST]
    left = enemy
    while left and bit_count(left) >= needed:
        group = chain(rules, lowest(left), own | enemy)
        if 0 < bit_count(group & own) < spare and bit_count(group & enemy) >= needed:
            return True
        left &= ~group
    return False


def terms(rules: Rules, state: State, out: Words) -> int:
    for i in range(ALL):
        out[i] = 0
    own, enemy, is_placing = state[0], state[1], to_place(state) > 0
    lead = bit_count(own) - bit_count(enemy)
    spare = min(bit_count(own), bit_count(enemy)) - rules[LAST] - 1
    if not is_placing and lead == 0 and spare == 0:
        return ALL  # nobody can win any more
    bombs = own | enemy
    best = worst = groups = own_most = enemy_most = 0
    beside_own = beside_enemy = pairs = sides = 0
    left = bombs
    while left:
        group = fresh = bit(lowest(left))
        while fresh:
            cell = lowest(fresh)
            fresh ^= bit(cell)
            near = rules[NEIGHBOURS + cell]
            caught = near & left & ~group
            group |= caught
            fresh |= caught
            if own & bit(cell):
                beside_own |= near
                pairs += bit_count(near & own)
                sides += 4 - bit_count(near) > 0
            else:
                beside_enemy |= near
                pairs -= bit_count(near & enemy)
                sides -= 4 - bit_count(near) > 0
        left &= ~group
        ours, theirs = bit_count(group & own), bit_count(group & enemy)
        if ours and theirs:
            best = max(best, theirs - ours)
            worst = max(worst, ours - theirs)
        elif ours:
            groups += 1
            own_most = max(own_most, ours)
        else:
            groups -= 1
            enemy_most = max(enemy_most, theirs)
    room = bit_count(beside_own & ~bombs) - bit_count(beside_enemy & ~bombs)
    if is_placing:
        placed = FULL * bit_count(bombs) // rules[BOMBS]
        out[PLACING] = groups * placed
        out[PLACING + 1] = placed
        out[PLACING + 2] = sides
        out[PLACING + 3] = room
        out[PLACING + 4] = best * placed
        out[PLACING + 5] = worst * placed
    elif lead == 0:
        rest = FULL * spare // (rules[BOMBS] - rules[LAST] - 1)
        out[EQUAL] = rest
        out[EQUAL + 1] = groups * rest
        out[EQUAL + 2] = best * rest
        out[EQUAL + 3] = worst * rest
        out[EQUAL + 4] = min(best, worst) * rest
        out[EQUAL + 5] = pairs // 2 * rest
        out[EQUAL + 6] = room * rest
    else:
        out[UNEQUAL] = 1
        out[UNEQUAL + 1] = groups
        out[UNEQUAL + 2] = best
        out[UNEQUAL + 3] = worst
        out[UNEQUAL + 4] = own_most - enemy_most
        out[UNEQUAL + 5] = room
        out[UNEQUAL + 6] = lead * (100 // (bit_count(bombs) - 2 * rules[LAST]))
        out[UNEQUAL + 7] = lead * (FULL * bit_count(bombs) // rules[BOMBS])
    return ALL
