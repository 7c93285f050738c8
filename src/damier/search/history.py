"""The situations of one game, counted: a hash table in plain words, for compiled code.

A table is a flat array of an index and, twice as long, the records: four words each, the count and the three words of a
situation, one after the other as they came. A place in the index bears the number of a game, its stamp, and that of a
record, so starting the next game clears nothing; record 0 says in the same way how many the game has. Only the index
is searched at random, so a short game in a long table stays within the processor's cache. Situations are compared word
by word, never by hash alone. There are at least twice as many places as situations, so a search for one ends.
"""

from damier.core.kernel.bits import mix
from damier.core.kernel.contract import State, Words

PLACES = 3  # words of a table for each place in its index
RECORD = 4
NUMBER = 24  # bits for the number of a record, below the stamp: a game has at most 16 million situations


def slots_for(situations: int) -> int:
    """Returns the size in words of a table for this many situations."""
    return PLACES << max(4, (2 * situations).bit_length())


def find_place(table: Words, stamp: int, key: State) -> int:
    """Returns the slot of a situation in the index, or the slot where it would be inserted."""
    size = len(table) // PLACES
    i = mix(mix(key[0]) ^ key[1] ^ key[2] << 52) & size - 1
    while table[i] >> NUMBER == stamp:
        at = record(size, table[i])
        if table[at + 1] == key[0] and table[at + 2] == key[1] and table[at + 3] == key[2]:
            break
        i = i + 1 & size - 1
    return i


def record(size: int, place: int) -> int:
    """Returns where the record stands that a place in an index of this size names."""
    return size + RECORD * (place & (1 << NUMBER) - 1)


def times_seen(table: Words, stamp: int, key: State) -> int:
    """Returns how often the situation has occurred in this game."""
    i = find_place(table, stamp, key)
    return table[record(len(table) // PLACES, table[i])] if table[i] >> NUMBER == stamp else 0


def note(table: Words, stamp: int, key: State) -> int:
    """Counts the situation once more and returns its count."""
    size = len(table) // PLACES
    i = find_place(table, stamp, key)
    if table[i] >> NUMBER != stamp:
        last = table[size] if table[size] >> NUMBER == stamp else stamp << NUMBER
        table[size] = table[i] = last + 1
        at = record(size, last + 1)
        table[at], table[at + 1], table[at + 2], table[at + 3] = 0, key[0], key[1], key[2]
    at = record(size, table[i])
    table[at] += 1
    return table[at]
