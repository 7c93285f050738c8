"""The transposition table: search results by 64-bit position hash, in plain words for compiled code.

Four entries of two words share a bucket. Threads use one table without locks: an entry's first word is the hash xor its
second, so an entry torn by two writers does not match any position. The second word holds, from the low bits up, the
best action (18 bits), the depth (7), the bound (2), the generation (4) and the value (32, shifted to be positive). A
new entry replaces the shallowest in its bucket, those of earlier generations first.
"""

from damier.core.kernel.contract import Words

BUCKET = 4
ACTION_BITS = 18
DEPTH_AT, BOUND_AT, GENERATION_AT, VALUE_AT = 18, 25, 27, 31
GENERATIONS = 16
ZERO = 1 << 31  # what is added to a value

# What a value says of a position.
LOWER, UPPER, EXACT = 1, 2, 3


def entry_action(data: int) -> int:
    """Returns the best action of an entry."""
    return data & (1 << ACTION_BITS) - 1


def entry_depth(data: int) -> int:
    """Returns the depth of an entry."""
    return data >> DEPTH_AT & 127


def entry_bound(data: int) -> int:
    """Returns whether the value of an entry is LOWER, UPPER or EXACT."""
    return data >> BOUND_AT & 3


def entry_value(data: int) -> int:
    """Returns the value of an entry."""
    return (data >> VALUE_AT) - ZERO


def bucket_of(table: Words, key: int) -> int:
    """Returns where the bucket of a hash begins."""
    return (key & len(table) // (2 * BUCKET) - 1) * 2 * BUCKET


def probe(table: Words, key: int) -> int:
    """Returns the second word of a position's entry, or 0."""
    at = bucket_of(table, key)
    for i in range(at, at + 2 * BUCKET, 2):
        data = table[i + 1]
        if table[i] ^ data == key and data:
            return data
    return 0


def keep(table: Words, generation: int, key: int, action: int, depth: int, bound: int, value: int) -> None:
    """Stores an entry."""
    at = bucket_of(table, key)
    place = at
    least = 1 << 20
    for i in range(at, at + 2 * BUCKET, 2):
        data = table[i + 1]
        if table[i] ^ data == key:
            place = i
            break
        worth = entry_depth(data)
        if data == 0:
            worth = -2
        elif data >> GENERATION_AT & GENERATIONS - 1 != generation:
            worth = -1
        if worth < least:
            least = worth
            place = i
    data = action | max(depth, 0) << DEPTH_AT | bound << BOUND_AT
    data |= generation << GENERATION_AT | value + ZERO << VALUE_AT
    table[place] = key ^ data
    table[place + 1] = data
