"""The part of a file that a request wants: one range of bytes, as RFC 9110 has it."""

from __future__ import annotations

import re
from email.utils import formatdate

_RANGE = re.compile(r"bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*", re.ASCII | re.IGNORECASE)
_LONGEST = 100  # characters of a header that is looked at


class RangeNotSatisfiable(ValueError):
    """The range begins behind the end of the file."""


def parse_range(header: str, size: int) -> tuple[int, int] | None:
    """Returns the first byte and the end of a range; None for the whole file.

    A header that is malformed or has several ranges counts as none. Raises `RangeNotSatisfiable`.
    """
    found = _RANGE.fullmatch(header) if len(header) <= _LONGEST else None
    if not found or found[1] == found[2] == "":
        return None
    if not found[1]:  # the last bytes
        start, end = max(0, size - int(found[2])), size
    else:
        start, end = int(found[1]), size
        if found[2]:
            if int(found[2]) < start:
                return None
            end = min(size, int(found[2]) + 1)
    if start >= end:
        raise RangeNotSatisfiable
    return start, end


def http_date(modified: int) -> str:
    """Returns a time in nanoseconds as HTTP writes it."""
    return formatdate(modified // 10**9, usegmt=True)
