"""Kernels for what nodes tell each other while they build a tier: which entries have changed, in few bytes.

Every node has all entries of the tier. The entries with one code are written as the gaps between them, in groups of
seven bits, the low ones first; bit 7 says that more follow. A gap of g takes at most g bytes, so the gaps of a range
fit into as many bytes as the range has entries; typical are one or two bytes for an entry that has changed.

Decided entries need no places: all nodes have the same entries marked, so codes in the order of the marked entries are
enough.
"""

from damier.core.kernel.contract import Words
from damier.solve.codes import DRAWN, MARKED

_BLOCK = 64  # entries that `has_code` compares at once
_POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative


def has_code(values: Words, low: int, high: int, code: int) -> bool:
    """Tells whether an entry of ``[low, high)`` has `code`; quick, because no branch depends on an entry."""
    is_there = False
    low &= _POSITIVE  # lets the compiler vectorise the loop
    for i in range(high - low):
        is_there |= values[low + i] == code
    return is_there


def write_gaps(values: Words, low: int, high: int, code: int, gaps: Words) -> int:
    """Writes the gaps between the places of ``[low, high)`` with `code`; returns how many bytes."""
    size = 0
    last = low - 1
    for block in range(low, high, _BLOCK):
        end = min(block + _BLOCK, high)
        if not has_code(values, block, end, code):
            continue
        for at in range(block, end):
            if values[at & _POSITIVE] == code:
                gap = at - last
                while gap >= 128:
                    gaps[size & _POSITIVE] = gap & 127 | 128
                    gap >>= 7
                    size += 1
                gaps[size & _POSITIVE] = gap
                size += 1
                last = at
    return size


def put_gaps(values: Words, low: int, gaps: Words, code: int) -> int:
    """Writes `code` at the places with these gaps from `low` on; MARKED only where the entry is DRAWN.

    Returns how many places there are.
    """
    at, count = low - 1, 0
    gap, shift = 0, 0
    for i in range(len(gaps)):
        part = gaps[i] + 0
        gap |= (part & 127) << shift
        shift += 7
        if part < 128:
            at += gap
            if code != MARKED or values[at & _POSITIVE] == DRAWN:
                values[at & _POSITIVE] = code
            count += 1
            gap, shift = 0, 0
    return count


def find_marked(values: Words, low: int, high: int, places: Words) -> int:
    """Writes the marked places of ``[low, high)``; returns how many."""
    count = 0
    for block in range(low, high, _BLOCK):
        end = min(block + _BLOCK, high)
        if not has_code(values, block, end, MARKED):
            continue
        for at in range(block, end):
            if values[at & _POSITIVE] == MARKED:
                places[count & _POSITIVE] = at
                count += 1
    return count


def put_settled(values: Words, escapes: Words, first: int, low: int, high: int, codes: Words, found: Words) -> int:
    """Writes the codes of the marked places of ``[low, high)``, in order, and the escapes found; returns how many.

    `escapes` is empty for whoever needs none.
    """
    count = 0
    for block in range(low, high, _BLOCK):
        end = min(block + _BLOCK, high)
        if not has_code(values, block, end, MARKED):
            continue
        for at in range(block, end):
            if values[at & _POSITIVE] == MARKED:
                values[at & _POSITIVE] = codes[count & _POSITIVE]
                if len(escapes):
                    escapes[at - first & _POSITIVE] = found[count & _POSITIVE]
                count += 1
    return count
