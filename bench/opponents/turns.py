"""Whole turns of Sensei as an algorithm: lists all turns, and tests whether one wins.

A turn only changes the word of its own side (stones and character), so a turn is identified by the word it leaves, its
*result*. `list_turns` visits the states within the turn breadth first. A hash table detects duplicates: for each word a
bit for every combination of actions left with which it has been met, so that no state is visited twice.

    lists    results; codes: up to three actions of 14 bits, the last one lowest, each counted from 1, without `end`
    table    word 0: the stamp of the present list; then pairs: a word, and stamp << 8 | the combinations met
    queue    triples: a word, the actions left (word 2 of the state without its side), the code of the actions so far
    out      the actions of one state

The list of a position costs some 20 microseconds (600 turns), with stones that slide some 100 (3,000 turns).
"""

from damier.core.kernel.bits import bit_count, highest, lowest, mix
from damier.core.kernel.contract import Rules, State, Words, actions, apply, settled
from damier.games.sensei.rules import (
    BOARD,
    COLUMN_A,
    COLUMN_G,
    END,
    FIRST,
    FRESH,
    LAST,
    NORTH_EAST_OF,
    NORTH_OF,
    NORTH_WEST_OF,
    PITS,
    ROW_1,
    ROW_7,
    SLIDES,
    SOUTH_EAST_OF,
    SOUTH_OF,
    SOUTH_WEST_OF,
    TOUCHING,
    character,
    edges,
    grow,
    is_home,
    is_unfair,
    slide,
    stones,
)

# A turn moves one of 7 stones twice (to 12 cells, or 48 where stones slide), two stones once (4 or 12 cells each), or
# leaves them where they are, and leaves the character on one of 7.
MOST_TURNS = 7 * (7 * 12 + 21 * 4 * 4 + 1)
MOST_SLIDING_TURNS = 7 * (7 * 48 + 21 * 12 * 12 + 1)

Lists = tuple[Words, Words]
Scratch = tuple[Words, Words, Words]

ACTION = 14  # bits of an action in a code
WHOLE = FRESH >> 1  # the actions left in a fresh turn


def list_turns(rules: Rules, state: State, base: int, lists: Lists, scratch: Scratch) -> int:
    """Writes the turns from a state that is not decided to `lists`, from place `base` on, and returns how many."""
    words, codes = lists
    table, queue, out = scratch
    side, enemy = state[2] & 1, state[1]
    table[0] += 1
    stamp = table[0] << 8
    n = 0
    queue[0], queue[1], queue[2] = state[0], state[2] >> 1, 0
    done, waiting = 0, 3
    if not settled(rules, state):  # the turn may end here
        words[base], codes[base] = state[0], 0
        n = 1
        at = find_word(table, stamp, state[0])
        table[at], table[at + 1] = state[0], stamp | 1 << (state[2] >> 1)
    while done < waiting:
        own, left, code = queue[done], queue[done + 1], queue[done + 2]
        done += 3
        for i in range(actions(rules, (own, enemy, left << 1 | side), out)):
            if out[i] >> 12 == END:
                continue
            after = apply(rules, (own, enemy, left << 1 | side), out[i])
            word, still = after[0], after[2] >> 1
            if after[2] & 1 != side:
                word, still = after[1], 0
            if is_home(word, side):
                still = 0  # won: nothing follows
            at = find_word(table, stamp, word)
            met = table[at + 1] if table[at + 1] >> 8 == stamp >> 8 else 0
            if met >> still & 1:
                continue
            following = code << ACTION | out[i] + 1
            if met == 0:
                words[base + n], codes[base + n] = word, following
                n += 1
            table[at], table[at + 1] = word, stamp | met & 255 | 1 << still
            if still:
                queue[waiting], queue[waiting + 1], queue[waiting + 2] = word, still, following
                waiting += 3
    return n


def find_word(table: Words, stamp: int, word: int) -> int:
    """Returns where the pair of a word stands in the table, or where it would."""
    last = len(table) - 2  # twice a power of 2
    at = mix(word) & last - 2
    while table[at + 3] >> 8 == stamp >> 8 and table[at + 2] != word:
        at = at + 2 & last - 2
    return at + 2


def aim(cell: int, enemy: int, side: int) -> int:
    """Returns the cells of the far row that a character sees: those on which a pass from its cell would win."""
    if side:
        cells = SOUTH_OF[cell] & ~SOUTH_OF[highest(SOUTH_OF[cell] & enemy | FIRST)]
        cells |= SOUTH_WEST_OF[cell] & ~SOUTH_WEST_OF[highest(SOUTH_WEST_OF[cell] & enemy | FIRST)]
        cells |= SOUTH_EAST_OF[cell] & ~SOUTH_EAST_OF[highest(SOUTH_EAST_OF[cell] & enemy | FIRST)]
        return cells & ROW_1 & ~enemy
    cells = NORTH_OF[cell] & ~NORTH_OF[lowest(NORTH_OF[cell] & enemy | LAST)]
    cells |= NORTH_EAST_OF[cell] & ~NORTH_EAST_OF[lowest(NORTH_EAST_OF[cell] & enemy | LAST)]
    cells |= NORTH_WEST_OF[cell] & ~NORTH_WEST_OF[lowest(NORTH_WEST_OF[cell] & enemy | LAST)]
    return cells & ROW_7 & ~enemy


def can_pass_home(rules: Rules, own: int, enemy: int, left: int, side: int) -> bool:
    """Tells whether a player can bring the character home in this turn, given their words and the actions left.

    The carrier stays where it is, so one stone has to come into its sight on the far row. No other stone needs to make
    way for that one: it could go there itself.
    """
    if left >> 2 == 0:
        return False
    mine, moves = stones(own), left & 3
    targets = aim(character(own), stones(enemy), side)
    if targets & mine:
        return True
    if targets == 0 or moves == 0:
        return False
    movable = mine & ~(1 << character(own))
    blocked = mine | stones(enemy) | rules[PITS]
    if rules[SLIDES]:
        reached = 0
        while movable:
            reached |= slide(lowest(movable), blocked)
            movable &= movable - 1
        near = targets
        if moves == 2:
            while targets:
                near |= slide(lowest(targets), blocked)
                targets &= targets - 1
        return near & reached != 0
    empty = BOARD & ~blocked
    reached = edges(movable) & empty
    if moves == 2:
        reached |= edges(reached) & empty
    return reached & targets != 0


def result_of(rules: Rules, own: int, enemy: int, side: int) -> int:
    """Returns 1 if a turn that left the player with this word has won, -1 if it has lost, 0 if the game goes on."""
    if is_home(own, side):
        return 1
    if is_unfair(stones(enemy), stones(own), rules[PITS]):
        return 1
    if is_unfair(stones(own), stones(enemy), rules[PITS]):
        return -1
    return 0


def is_exposed(rules: Rules, own: int, enemy: int) -> bool:
    """Tells whether a player's chain spans the board so that two stone moves may make it unfair."""
    wall = stones(own) | rules[PITS]
    seeds = wall & COLUMN_A
    while seeds:
        group = grow(seeds & -seeds, wall)
        if group & COLUMN_G and bit_count(edges(group) & stones(enemy)) + 2 >= TOUCHING:
            return True
        seeds &= ~group
    return False


def can_win(rules: Rules, state: State, base: int, lists: Lists, scratch: Scratch) -> bool:
    """Tells whether the player on move can win in this turn, by the character or because the enemy plays unfairly."""
    side = state[2] & 1
    if can_pass_home(rules, state[0], state[1], state[2] >> 1, side):
        return True
    if is_exposed(rules, state[1], state[0]):
        for i in range(list_turns(rules, state, base, lists, scratch)):
            if result_of(rules, lists[0][base + i], state[1], side) > 0:
                return True
    return False
