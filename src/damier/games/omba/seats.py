"""Numbers the positions of Omba before a roll for any number of players, up to symmetry of the board.

`index.py` numbers those for two and is several times as fast there; this module is for three and four, and for fewer
pieces each than the rules give: `rules` are players and pieces each.

A position is seen by the player to roll. *Seats* count those still in, from that player on in the order of play. The
pieces of all who are out can never be moved: they are *obstacles*, whoever owned them, and what these players have in
hand no longer matters. So a position is how many are in, their hands, and for each piece on the board a role: its
owner's seat, or OBSTACLE.

Tier    first those with two in, then with three, then with four; within these by obstacles, then by the sum of the
        hands. Going out leads to fewer players, bringing in to a smaller sum, moving stays in the tier.
Part    the positions of a tier with the same hands, seat by seat.
Entry   part by part; in a part kind by kind (`index.py` says what a kind is); in a kind by the roles of the pieces,
        stack after stack, each from bottom to top, in lexicographic order, the last piece first.

Where a symmetry leaves the shape of a kind as it is, equal positions have several numbers, with equal values.

The rank of the roles is a sum of two table look-ups, for the first six pieces and for the others. An action permutes
the pieces of all positions of a kind alike: three tables of 256 words, made once for a kind and an action, turn roles
two bits each into those after it. Measured: 4 ns for each follower.

`index_numbers` returns what `index.py` has, and after it

    LOW         for each number of pieces up to six: the rank of their roles among those with the same content
    PART_OF     for players in, obstacles and hands: the part
    TIERS       for each tier: its first part, how many parts it has
    ROWS        for each part: a row of numbers, as named below
    and for each part the ranks of the seventh and later pieces (HIGH), the roles in order (ROLES), and for each slice
    of them and each piece which have that piece as the roller's (WITH)
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import factorial, prod
from typing import Any

from damier.core.kernel.contract import Rules, State, Words
from damier.games.omba import index
from damier.games.omba.index import (
    CHOSEN_BEGIN,
    CHOSEN_ROW,
    KIND_COUNT,
    NEW_PIECE,
    POSITIVE,
    SHAPES,
    SHAPES_ROW,
    chosen_heights,
    chosen_row,
    kind_and_symmetry,
    reach,
    rolls_of,
    turned,
)
from damier.games.omba.rules import (
    OUTSIDE,
    PIECES,
    PLAYERS,
    hand,
    height,
    is_out,
    out_count,
    prefix,
    turn,
)

MOST_PIECES = 12  # on the board
OBSTACLE = 3  # the role of a piece whose owner is out; with four in, it is the fourth seat
HALF = 6  # pieces of a look-up
HALF_ROLES = 1 << 2 * HALF
HANDS = 4096  # three bits each

# From where `index.py` ends.
LOW = 0
PART_OF = LOW + (HALF + 1) * HALF_ROLES
OBSTACLES = 9
TIERS = PART_OF + 3 * OBSTACLES * HANDS
TIER_ROW = 2

# The row of a part.
P_IN, P_HANDS, P_COUNT, P_WAYS, P_FIRST, P_HIGH, P_ROLES, P_WITH, PART_ROW = 0, 1, 2, 3, 4, 5, 6, 7, 8

# For `followers` and `fallen`.
MOST_TOGETHER = 2048
IMAGES = 2 + 81 * 3 + 81 * MOST_TOGETHER * 2
FOLLOWER_ROOM = IMAGES + 3 * 256


# The parts


def parts_of(rules: Rules) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Returns players in, obstacles and hands of every part in order."""
    players, pieces = rules[PLAYERS], rules[PIECES]
    for count in range(2, players + 1):
        for obstacles in range((players - count) * pieces + 1):
            hands = itertools.product(range(pieces + 1), repeat=count)
            for each in sorted(hands, key=lambda hand: (sum(hand), hand)):
                yield count, obstacles, each


def content(rules: Rules, obstacles: int, hands: Sequence[int]) -> tuple[int, int, int, int]:
    """Returns how many pieces on the board have each role."""
    roles = [rules[PIECES] - each for each in hands]
    roles += [0] * (4 - len(roles))
    roles[OBSTACLE] += obstacles
    return roles[0], roles[1], roles[2], roles[3]


def arrangements(roles: Sequence[int]) -> int:
    """Returns in how many orders pieces with these roles can be."""
    return factorial(sum(roles)) // prod(factorial(each) for each in roles)


def kind_total(count: int) -> int:
    """Returns how many kinds of shapes `count` pieces have, by counting what each symmetry leaves as it is (Burnside).

    Half turns and mirrors permute the cells in cycles of two but for one or three cells, quarter turns in cycles of
    four but for one.
    """
    cycles = [[1] * 9, [1] + [4, 4], [1] + [4, 4], [1] + [2] * 4] + [[1] * 3 + [2] * 3] * 4
    total = 0
    for lengths in cycles:
        ways = [1] + [0] * count
        for length in lengths:
            for pieces in range(length, count + 1):
                ways[pieces] += ways[pieces - length]
        total += ways[count]
    return total // 8


def tier_sizes(rules: Rules) -> list[tuple[int, int]]:
    """Returns players in and entries of every tier, without numbering anything."""
    sizes: dict[tuple[int, int, int], int] = {}
    for count, obstacles, hands in parts_of(rules):
        roles = content(rules, obstacles, hands)
        key = count, obstacles, sum(hands)
        sizes[key] = sizes.get(key, 0) + kind_total(sum(roles)) * arrangements(roles)
    return [(key[0], entries) for key, entries in sizes.items()]


def index_numbers(rules: Rules) -> Words:
    import numpy as np

    first: Any = index.index_numbers([2, _half_of_all(rules)])
    begin = len(first)
    parts = list(parts_of(rules))
    part_of = np.full((3, OBSTACLES, HANDS), -1, np.int32)
    tiers = np.zeros((tier_count(rules), TIER_ROW), np.int32)
    rows = np.zeros((len(parts), PART_ROW), np.int32)
    lists: list[Any] = []
    at = begin + TIERS + tiers.size + rows.size
    entries = 0
    for part, (count, obstacles, hands) in enumerate(parts):
        roles = content(rules, obstacles, hands)
        packed = sum(each << 3 * seat for seat, each in enumerate(hands))
        part_of[count - 2, obstacles, packed] = part
        number = tier_of(rules, count, obstacles, sum(hands))
        if tiers[number, 1] == 0:
            tiers[number, 0] = part
            entries = 0
        tiers[number, 1] += 1
        ways = arrangements(roles)
        rows[part, :P_HIGH] = count, packed, sum(roles), ways, entries
        entries += int(first[SHAPES + sum(roles) * SHAPES_ROW + KIND_COUNT]) * ways
        if entries >= 1 << 31:
            raise ValueError(f"A tier has {entries:,} entries and more, which 31 bits cannot number.")
        for field, numbers in zip((P_HIGH, P_ROLES, P_WITH), _lists(roles), strict=True):
            rows[part, field] = at
            if field == P_WITH:
                numbers[: _list_begins(roles)] += at
            lists.append(numbers)
            at += len(numbers)
    whole: Any = np.concatenate(
        [first, *(each.ravel().astype(np.int32) for each in (_low_ranks(), part_of, tiers, rows, *lists))]
    )
    words: Words = whole
    return words


def _low_ranks() -> Any:
    """Returns LOW."""
    import numpy as np

    ranks = np.zeros((HALF + 1, HALF_ROLES), np.int32)
    for count in range(HALF + 1):
        seen: dict[tuple[int, ...], int] = {}
        for word in range(4**count):
            roles = [word >> 2 * i & 3 for i in range(count)]
            key = tuple(roles.count(role) for role in range(4))
            ranks[count, word] = seen.get(key, 0)
            seen[key] = seen.get(key, 0) + 1
    return ranks


def _role_counts(words: Any, count: int) -> Any:
    """Returns how many of the first `count` pieces have each role, a row for each word."""
    import numpy as np

    fields = words[:, None] >> 2 * np.arange(count)[None] & 3
    return (fields[:, :, None] == np.arange(4)).sum(axis=1)


def _lists(roles: Sequence[int]) -> tuple[Any, Any, Any]:
    """Returns HIGH, ROLES and WITH of a part, the beginnings in WITH counted from its own."""
    import numpy as np

    count = sum(roles)
    tops = np.arange(4 ** max(0, count - HALF))
    left = np.array(roles)[None] - _role_counts(tops, max(0, count - HALF))
    factorials = np.array([factorial(i) for i in range(MOST_PIECES + 1)])
    fits = (left >= 0).all(axis=1)
    ways = np.where(fits, factorials[min(count, HALF)] // factorials[left.clip(0)].prod(axis=1), 0)
    high = np.cumsum(ways) - ways
    lows = np.arange(4 ** min(count, HALF))
    low_counts = _role_counts(lows, min(count, HALF))
    words: Any = np.concatenate(
        [lows[(low_counts == left[top]).all(axis=1)] | top << 2 * HALF for top in np.flatnonzero(fits)]
    )
    begins, found = [_list_begins(roles)], []
    for low in range(0, len(words), MOST_TOGETHER):
        for piece in range(count):
            places = np.flatnonzero(words[low : low + MOST_TOGETHER] >> 2 * piece & 3 == 0)
            found.append(places)
            begins.append(begins[-1] + len(places))
    return high, words, np.concatenate([np.array(begins), *found]).astype(np.int64)


def _list_begins(roles: Sequence[int]) -> int:
    """Returns how many numbers stand before the lists of WITH: where each begins, and where the last ends."""
    slices = -(-arrangements(roles) // MOST_TOGETHER)
    return slices * sum(roles) + 1


def _half_of_all(rules: Rules) -> int:
    """Returns how many pieces each of two players would have, to have all pieces and one more at most."""
    return (rules[PLAYERS] * rules[PIECES] + 1) // 2


def own_begin(rules: Rules, numbers: Words) -> int:
    """Returns where the numbers of `index.py` end."""
    row = SHAPES + 2 * ((rules[PLAYERS] * rules[PIECES] + 1) // 2) * SHAPES_ROW
    return numbers[row + CHOSEN_BEGIN] + CHOSEN_ROW * numbers[row + KIND_COUNT]


# Tiers


def tier_count(rules: Rules) -> int:
    return tier_of(rules, rules[PLAYERS] + 1, 0, 0)


def tier_of(rules: Rules, count: int, obstacles: int, in_hand: int) -> int:
    """Returns the tier of positions with `count` players in, that many obstacles and pieces in all hands together."""
    number = obstacles * (count * rules[PIECES] + 1) + in_hand
    for fewer in range(2, count):
        number += ((rules[PLAYERS] - fewer) * rules[PIECES] + 1) * (fewer * rules[PIECES] + 1)
    return number


def tier(rules: Rules, state: State) -> int:
    obstacles, in_hand = 0, 0
    for player in range(rules[PLAYERS]):
        if is_out(state, player):
            obstacles += rules[PIECES] - hand(state, player)
        else:
            in_hand += hand(state, player)
    return tier_of(rules, rules[PLAYERS] - out_count(state), obstacles, in_hand)


def tier_seats(rules: Rules, number: int) -> int:
    for count in range(2, rules[PLAYERS]):
        if number < tier_of(rules, count + 1, 0, 0):
            return count
    return rules[PLAYERS]


def tier_obstacles(rules: Rules, number: int) -> int:
    """Returns how many obstacles the positions of a tier have."""
    count = tier_seats(rules, number)
    return (number - tier_of(rules, count, 0, 0)) // (count * rules[PIECES] + 1)


def tier_entries(rules: Rules, numbers: Words, number: int) -> int:
    at = own_begin(rules, numbers) + TIERS + number * TIER_ROW
    row = part_row(rules, numbers, numbers[at] + numbers[at + 1] - 1)
    return numbers[row + P_FIRST] + part_entries(numbers, row)


def part_row(rules: Rules, numbers: Words, part: int) -> int:
    """Returns where the row of a part begins."""
    return own_begin(rules, numbers) + TIERS + tier_count(rules) * TIER_ROW + part * PART_ROW


def part_entries(numbers: Words, row: int) -> int:
    """Returns how many entries a part has."""
    return numbers[SHAPES + numbers[row + P_COUNT] * SHAPES_ROW + KIND_COUNT] * numbers[row + P_WAYS]


def find_part(rules: Rules, numbers: Words, count: int, obstacles: int, hands: int) -> int:
    """Returns where the row of the part begins that has these players in, obstacles and hands, three bits each."""
    at = own_begin(rules, numbers) + PART_OF + ((count - 2) * OBSTACLES + obstacles) * HANDS + hands
    return part_row(rules, numbers, numbers[at])


def row_at(rules: Rules, numbers: Words, number: int, entry: int) -> int:
    """Returns where the row of the part begins that has an entry of a tier."""
    at = own_begin(rules, numbers) + TIERS + number * TIER_ROW
    row = part_row(rules, numbers, numbers[at])
    for _ in range(numbers[at + 1] - 1):
        if entry >= numbers[row + PART_ROW + P_FIRST]:
            row += PART_ROW
    return row


def rank_of_roles(rules: Rules, numbers: Words, row: int, roles: int) -> int:
    """Returns the rank of the roles of all pieces, two bits each, among those of a part."""
    low = own_begin(rules, numbers) + LOW + min(HALF, numbers[row + P_COUNT]) * HALF_ROLES
    return numbers[numbers[row + P_HIGH] + (roles >> 2 * HALF)] + numbers[low + (roles & HALF_ROLES - 1)]


# Positions


def rank(rules: Rules, numbers: Words, state: State) -> int:
    count, hands, seat, seats, obstacles = rules[PLAYERS], 0, 0, 0, 0
    for i in range(count):
        player = (turn(state) + i) % count
        if is_out(state, player):
            seats |= OBSTACLE << 2 * player
            obstacles += rules[PIECES] - hand(state, player)
        else:
            seats |= seat << 2 * player
            hands |= hand(state, player) << 3 * seat
            seat += 1
    pieces = prefix(state[0], 8)
    roles = 0
    for i in range(pieces):
        roles |= (seats >> 2 * (state[1] >> 2 * i & 3) & 3) << 2 * i
    found = kind_and_symmetry(numbers, state[0], pieces)
    chosen = chosen_heights(numbers, chosen_row(numbers, pieces, found >> 3))
    row = find_part(rules, numbers, seat, obstacles, hands)
    least = rank_of_roles(rules, numbers, row, turned(state[0], found & 7, chosen, roles, 2))
    return numbers[row + P_FIRST] + (found >> 3) * numbers[row + P_WAYS] + least


def unrank(rules: Rules, numbers: Words, number: int, entry: int) -> State:
    """Returns a state in which the player in the first seat is the first player, and so on; the others are out."""
    row = row_at(rules, numbers, number, entry)
    count, pieces, ways = numbers[row + P_IN], numbers[row + P_COUNT], numbers[row + P_WAYS]
    kind = (entry - numbers[row + P_FIRST]) // ways
    roles = numbers[numbers[row + P_ROLES] + entry - numbers[row + P_FIRST] - kind * ways]
    word = numbers[row + P_HANDS] | (rules[PLAYERS] - count) << 12
    for player in range(count, rules[PLAYERS]):
        word |= player << 14 + 2 * (player - count) | rules[PIECES] << 3 * player
    word <<= 5
    owners = 0
    out = count  # who owns the next obstacle
    for i in range(pieces):
        role = roles >> 2 * i & 3
        if role == OBSTACLE and count < 4:
            while word >> 5 + 3 * out & 7 == 0:
                out += 1
            word -= 1 << 5 + 3 * out
            role = out
        owners |= role << 2 * i
    return chosen_heights(numbers, chosen_row(numbers, pieces, kind)), owners, word


# Followers: the positions after a roll and an action, and after a roll without one


def followers(rules: Rules, numbers: Words, number: int, entry: int, out: Words) -> int:
    row = row_at(rules, numbers, number, entry)
    ways, pieces = numbers[row + P_WAYS], numbers[row + P_COUNT]
    first = numbers[row + P_FIRST]
    kind = (entry - first) // ways
    heights = chosen_heights(numbers, chosen_row(numbers, pieces, kind))
    part_slice = (entry - first - kind * ways) // MOST_TOGETHER
    first += kind * ways + part_slice * MOST_TOGETHER
    size = min(MOST_TOGETHER, (kind + 1) * ways + numbers[row + P_FIRST] - first)
    out[0] = first
    out[1] = 0
    at = 2
    for piece in range(10):
        origin = piece - 1 if piece else OUTSIDE  # in the order of the actions
        if numbers[row + P_HANDS] & 7 if origin == OUTSIDE else height(heights, origin):
            at = add_actions(rules, numbers, number, row, heights, origin, part_slice, size, out, at)
    return first + size


def add_actions(
    rules: Rules,
    numbers: Words,
    number: int,
    row: int,
    heights: int,
    origin: int,
    part_slice: int,
    size: int,
    out: Words,
    at: int,
) -> int:
    """Adds the actions of the piece on top of a cell, or of one from outside; returns where they end."""
    count, hands = numbers[row + P_IN], numbers[row + P_HANDS]
    level, there, chosen = 0, number, 0
    if origin == OUTSIDE:
        hands -= 1
        there -= 1
    else:
        level = height(heights, origin) - 1
        lists = numbers[row + P_WITH] + part_slice * numbers[row + P_COUNT] + prefix(heights, origin) - 1
        chosen, size = numbers[lists], numbers[lists + 1] - numbers[lists]
    hands = hands >> 3 | (hands & 7) << 3 * (count - 1)
    to_row = find_part(rules, numbers, count, tier_obstacles(rules, number), hands)
    cells = reach(heights, origin, level)
    for to in range(9):
        rolls = rolls_of(cells, to)
        if rolls and size:
            out[1] += 1
            out[at] = rolls
            out[at + 1] = there
            out[at + 2] = size
            first = learn_action(rules, numbers, row, to_row, heights, origin, to, out)
            roles = numbers[row + P_ROLES] + part_slice * MOST_TOGETHER
            high = numbers[to_row + P_HIGH]
            low = own_begin(rules, numbers) + LOW + min(HALF, numbers[to_row + P_COUNT]) * HALF_ROLES
            add_followers(numbers, roles, origin == OUTSIDE, chosen, size, first, high, low, out, at + 3)
            at += 3 + 2 * size
    return at


def add_followers(
    numbers: Words,
    roles: int,
    is_every: bool,
    chosen: int,
    size: int,
    first: int,
    high: int,
    low: int,
    out: Words,
    at: int,
) -> None:
    """Writes where an action leads from each of the chosen roles of a slice, or from every one."""
    for i in range(size):
        place = i if is_every else numbers[chosen + i & POSITIVE]
        image = image_of(numbers[roles + place & POSITIVE], out)
        out[at + 2 * i & POSITIVE] = place
        out[at + 2 * i + 1 & POSITIVE] = (
            first + numbers[high + (image >> 2 * HALF) & POSITIVE] + numbers[low + (image & HALF_ROLES - 1) & POSITIVE]
        )


def image_of(roles: int, out: Words) -> int:
    """Returns the roles after an action that has been learned."""
    return out[IMAGES + (roles & 255)] + out[IMAGES + 256 + (roles >> 8 & 255)] + out[IMAGES + 512 + (roles >> 16)]


def learn_action(
    rules: Rules, numbers: Words, row: int, to_row: int, heights: int, origin: int, to: int, out: Words
) -> int:
    """Writes the images of roles under an action; returns the first entry of the kind it leads to."""
    pieces = 0xBA9876543210  # the pieces by number, in their order
    moved = NEW_PIECE
    if origin != OUTSIDE:
        moved = prefix(heights, origin) - 1
        pieces = pieces & (1 << 4 * moved) - 1 | pieces >> 4 * moved + 4 << 4 * moved
        heights -= 1 << 4 * origin
    place = 4 * prefix(heights, to)
    pieces = pieces & (1 << place) - 1 | moved << place | pieces >> place << place + 4
    heights += 1 << 4 * to
    count, seats = numbers[to_row + P_COUNT], numbers[row + P_IN]
    found = kind_and_symmetry(numbers, heights, count)
    chosen = chosen_heights(numbers, chosen_row(numbers, count, found >> 3))
    # The roller comes last now, everybody else one seat earlier.
    roles = 0 | (seats - 1)
    for role in range(1, 4):
        roles |= (role - 1 if role < seats else role) << 2 * role
    learn_roles(count, turned(heights, found & 7, chosen, pieces, 4), roles, out)
    return numbers[to_row + P_FIRST] + (found >> 3) * numbers[to_row + P_WAYS]


def learn_roles(count: int, pieces: int, roles: int, out: Words) -> None:
    """Writes IMAGES: roles of pieces after an action, from four pieces each before it; the three parts add up.

    `pieces` are the numbers before the action in the order after it; `roles` has two bits for what each role becomes.
    """
    places, added = 0, 0
    for place in range(count):
        piece = pieces >> 4 * place & 15
        if piece == NEW_PIECE:
            added = (roles & 3) << 2 * place
        else:
            places |= (place + 1) << 4 * piece
    for part in range(3):
        at = IMAGES + 256 * part
        out[at] = 0 if part else added
        for i in range(4):
            place, known = (places >> 4 * (4 * part + i) & 15) - 1, 1 << 2 * i
            for role in range(3, -1, -1):
                addend = (roles >> 2 * role & 3) << 2 * place if place >= 0 else 0
                for some in range(known):
                    out[at + role * known + some & POSITIVE] = out[at + some & POSITIVE] + addend


def fallen(rules: Rules, numbers: Words, number: int, entry: int, out: Words) -> int:
    row = row_at(rules, numbers, number, entry)
    ways, pieces, count = numbers[row + P_WAYS], numbers[row + P_COUNT], numbers[row + P_IN]
    first = numbers[row + P_FIRST]
    kind = (entry - first) // ways
    part_slice = (entry - first - kind * ways) // MOST_TOGETHER
    first += kind * ways + part_slice * MOST_TOGETHER
    size = min(MOST_TOGETHER, (kind + 1) * ways + numbers[row + P_FIRST] - first)
    obstacles = tier_obstacles(rules, number) + rules[PIECES] - (numbers[row + P_HANDS] & 7)
    hands = numbers[row + P_HANDS] >> 3
    to_row = find_part(rules, numbers, count - 1, obstacles, hands)
    roles = OBSTACLE
    for role in range(1, 4):
        roles |= (role - 1 if role < count else role) << 2 * role
    learn_roles(pieces, 0xBA9876543210, roles, out)
    in_hand = (hands & 7) + (hands >> 3 & 7) + (hands >> 6 & 7)
    out[0] = tier_of(rules, count - 1, obstacles, in_hand)
    begin = numbers[to_row + P_FIRST] + kind * numbers[to_row + P_WAYS]
    before = numbers[row + P_ROLES] + part_slice * MOST_TOGETHER
    for i in range(size):
        out[1 + i] = begin + rank_of_roles(rules, numbers, to_row, image_of(numbers[before + i], out))
    return size
