"""The situations of one game, counted: a hash table in plain words, for compiled code.

A table is a flat array of slots of five words: stamp, count, and the three words of a situation. A slot belongs to the
game whose number it bears as its stamp, so starting the next game clears nothing. Situations are compared word by
word, never by hash alone. There are at least twice as many slots as situations, so a search for a slot ends.
"""

from damier.core.bits import mix
from damier.core.kernels import State, Words

SLOT = 5


def slots_for(situations: int) -> int:
    """Returns how many words a table for so many situations needs."""
    return SLOT << max(4, (2 * situations).bit_length())


def find_slot(table: Words, stamp: int, key: State) -> int:
    """Returns where the situation stands in the table, or where it would."""
    mask = len(table) // SLOT - 1
    i = mix(mix(key[0]) ^ key[1] ^ key[2] << 52) & mask
    while True:
        at = i * SLOT
        if table[at] != stamp:
            return at
        if table[at + 2] == key[0] and table[at + 3] == key[1] and table[at + 4] == key[2]:
            return at
        i = i + 1 & mask


def times_seen(table: Words, stamp: int, key: State) -> int:
    """Returns how often the situation has stood in this game."""
    at = find_slot(table, stamp, key)
    return table[at + 1] if table[at] == stamp else 0


def note(table: Words, stamp: int, key: State) -> int:
    """Counts the situation once more and returns how often it has stood now."""
    at = find_slot(table, stamp, key)
    if table[at] == stamp:
        table[at + 1] += 1
    else:
        table[at] = stamp
        table[at + 1] = 1
        table[at + 2] = key[0]
        table[at + 3] = key[1]
        table[at + 4] = key[2]
    return table[at + 1]
