"""Doubt whether memory has all that the database has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Doubted(Protocol):
    """Something in memory that is also stored."""

    is_doubtful: bool
    """Whether the database may have more, because storing failed or another process stored."""


@contextmanager
def reading_anew(live: Doubted) -> Iterator[None]:
    """Ends the doubt while the database is read; if that fails, the doubt is back.

    It ends before the first read: what is stored and announced during the read sets it again, and is not missed.
    """
    live.is_doubtful = False
    try:
        yield
    except BaseException:
        live.is_doubtful = True
        raise
