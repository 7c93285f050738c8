"""Kernels that look a state up in a table in memory, where a search can end: *leaves*.

The table is one array of int64 words, so that a search takes one argument more and processes share a mapped file
(``leaves.py``):

    HEAD       the words below
    rules      those of the options that the table was built for
    firsts     the number of the first entry of each tier
    numbers    what `index_numbers` returns for these options
    codes      the entries, eight to a word, the first one in the lowest byte
"""

from damier.core.kernel.contract import NO_LEAF, State, Words, covered_tier, rank
from damier.solve.codes import DRAWN, LOST, WON

TIERS = 0  # how many tiers of the table are here; 0 for no table
RULES_FROM, FIRSTS_FROM, NUMBERS_FROM, CODES_FROM = 1, 2, 3, 4
CHECKSUM = 5  # CRC-32 of all other words
DIGEST = 6  # of the table: the first 8 bytes of its SHA-256
VERSION = 7  # of this layout
HEAD = 8


def leaf(leaves: Words, state: State) -> int:
    """Returns what the table says of an undecided state: 1 + plies to a win, -1 - plies to a loss, 0, or NO_LEAF."""
    if leaves[TIERS] == 0:
        return NO_LEAF
    table = leaves[leaves[RULES_FROM] : leaves[FIRSTS_FROM]]
    number = covered_tier(table, state)
    if number < 0 or number >= leaves[TIERS]:
        return NO_LEAF
    entry = leaves[leaves[FIRSTS_FROM] + number]
    entry += rank(table, leaves[leaves[NUMBERS_FROM] : leaves[CODES_FROM]], state)
    code = leaves[leaves[CODES_FROM] + (entry >> 3)] >> ((entry & 7) << 3) & 255
    if code == DRAWN:
        return 0
    if code >= LOST:
        return LOST - 1 - code
    return 1 if code == WON else 1 + code


def find_leaves(leaves: Words, states: Words, found: Words) -> None:
    """Writes the `leaf` of each state, three words of `states` each, into `found`."""
    for i in range(len(found)):
        found[i] = leaf(leaves, (states[3 * i], states[3 * i + 1], states[3 * i + 2]))
