"""What a Renfa-Bomba player looks at: bombs left, what a detonation would cost both sides, who would be the first.

A *mixed* group holds bombs of both players: whoever is on move may detonate it. A player's own groups are safe until an
enemy bomb joins them. While bombs are placed, terms count more the nearer the end of the placing is.
"""

from damier.core.bits import bit, bit_count, lowest
from damier.core.kernels import Rules, State, Words
from damier.games.renfa.rules import BOMBS, LAST, NEIGHBOURS, chain, reach

TERMS = (
    "bombs ahead, in hundredths of those that may be lost",
    "who has more bombs",
    "to be on move",
    "own bombs in mixed groups",
    "the best exchange",
    "what is left of it after the opponent's best",
    "the largest group of one's own",
    "the largest group, by the bombs to spare",
    "empty cells next to bombs",
    "bombs at the edge",
    "the opponent's best exchange",
    "placing: groups of one's own",
    "placing: to be on move",
    "placing: bombs at the edge",
    "placing: cells that bombs reach",
    "placing: the best exchange",
    "placing: the opponent's best exchange",
    "placing: the largest group of one's own",
)
AHEAD, MORE, TURN, MIXED, BEST, BALANCE, LARGEST, LARGEST_SPARE, ROOM, EDGES, WORST = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
PLACING = 11  # where the terms of placing begin
TERM_COUNT = 18

# Fitted on 2026-11-15 to self-play; a fit with more games is due.
WEIGHTS = [66, 890, 54, -697, 882, -987, -657, 87, 64, 44, 184, 38, 29, 98, 2, 5, -8, -26]


def quick_win(rules: Rules, state: State) -> int:
    return 1 if has_winning_blast(rules, state[0], state[1], state[2] >> 1) else 0


def has_threat(rules: Rules, state: State) -> bool:
    return has_winning_blast(rules, state[1], state[0], state[2] >> 1)


def has_winning_blast(rules: Rules, own: int, enemy: int, hand: int) -> bool:
    """Tells whether a player could detonate a group that leaves only the other with too few bombs."""
    if hand:
        return False
    spare, needed = bit_count(own) - rules[LAST], bit_count(enemy) - rules[LAST]
    left = enemy
    while left and bit_count(left) >= needed:
        group = chain(rules, lowest(left), own | enemy)
        cost = bit_count(group & own)
        if 0 < cost < spare and bit_count(group & enemy) >= needed:
            return True
        left &= ~group
    return False


def terms(rules: Rules, state: State, out: Words) -> int:
    own, enemy, is_placing = state[0], state[1], state[2] >> 1
    bombs = own | enemy
    for i in range(TERM_COUNT):
        out[i] = 0
    left = bombs
    best = worst = mixed = own_largest = enemy_largest = groups = 0
    while left:
        group = chain(rules, lowest(left), left)
        left &= ~group
        mine, theirs = bit_count(group & own), bit_count(group & enemy)
        if mine and theirs:
            best = max(best, theirs - mine)
            worst = max(worst, mine - theirs)
            mixed += mine - theirs
        elif mine:
            own_largest = max(own_largest, mine)
            groups += 1
        else:
            enemy_largest = max(enemy_largest, theirs)
            groups -= 1
    largest = own_largest - enemy_largest
    edges = edge_count(rules, own) - edge_count(rules, enemy)
    if is_placing:
        placed = 8 * bit_count(bombs) // rules[BOMBS]
        out[PLACING] = groups * placed
        out[PLACING + 1] = placed
        out[PLACING + 2] = edges
        out[PLACING + 3] = (reach_count(rules, own, enemy) - reach_count(rules, enemy, own)) * placed
        out[PLACING + 4] = best * placed
        out[PLACING + 5] = worst * placed
        out[PLACING + 6] = largest
        return TERM_COUNT
    mine, theirs = bit_count(own), bit_count(enemy)
    ahead = mine - theirs
    # The words may use bit 63, but their counts are small: these may be divided and compared as they are.
    out[AHEAD] = 100 * abs(ahead) // max(1, mine + theirs - 2 * rules[LAST]) * (1 if ahead > 0 else -1)
    out[MORE] = (ahead > 0) - (ahead < 0)
    out[TURN] = 1
    out[MIXED] = mixed
    out[BEST] = best
    out[BALANCE] = min(best, worst)
    out[LARGEST] = largest
    out[LARGEST_SPARE] = largest * (min(mine, theirs) - rules[LAST])
    out[ROOM] = bit_count(next_to(rules, own) & ~bombs) - bit_count(next_to(rules, enemy) & ~bombs)
    out[EDGES] = edges
    out[WORST] = worst
    return TERM_COUNT


def edge_count(rules: Rules, bombs: int) -> int:
    """Returns how many bombs stand at the edge of the board."""
    count = 0
    while bombs:
        cell = lowest(bombs)
        bombs ^= bit(cell)
        count += bit_count(rules[NEIGHBOURS + cell]) < 4
    return count


def next_to(rules: Rules, bombs: int) -> int:
    """Returns the neighbours of some bombs."""
    cells = 0
    while bombs:
        cell = lowest(bombs)
        bombs ^= bit(cell)
        cells |= rules[NEIGHBOURS + cell]
    return cells


def reach_count(rules: Rules, own: int, enemy: int) -> int:
    """Returns how many moves a player's bombs would have."""
    count = 0
    bombs = own
    while bombs:
        cell = lowest(bombs)
        bombs ^= bit(cell)
        if bit_count(rules[NEIGHBOURS + cell] & enemy) < 2:
            count += bit_count(reach(rules, cell, own | enemy))
    return count
