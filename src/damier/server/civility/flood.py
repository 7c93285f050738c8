"""Floods: at most five messages in ten seconds, and not nearly the same one again within half a minute.

The clock is monotonic. Two messages are nearly the same if their skeletons are (no case, marks, signs or repeated
letters), or if these have most of their groups of three letters in common.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from damier.core.messages import counted
from damier.server.errors import TooManyRequests
from damier.server.people.names import skeleton

MOST, SECONDS = 5, 10.0
"""Messages, and in how many seconds."""

SAME_SECONDS = 30.0
"""For which nearly the same message is refused."""

LIMIT = "chat"
"""The name of the limit, for programs."""

_LIKENESS = 0.6  # share of common groups of letters of two messages that count as the same
_SHORT = 8  # letters; shorter messages are compared as a whole
_REMEMBERED = 10_000  # people


class TooManyMessages(TooManyRequests):
    """A person wrote faster than a person reads, or the same again."""


@dataclass(frozen=True)
class Said:
    """A message that a person has written."""

    at: float
    core: str
    request: tuple[str, str]
    """The match and the id of the request."""


def core_of(text: str) -> str:
    """Returns what nearly equal messages have in common."""
    letters = [letter for letter in skeleton(text) if letter.isalnum()] or list(text)
    return "".join(letter for place, letter in enumerate(letters) if place == 0 or letters[place - 1] != letter)


def are_alike(one: str, other: str) -> bool:
    """Tells whether two messages are nearly the same, by their cores."""
    if one == other or min(len(one), len(other)) < _SHORT:
        return one == other
    groups = [{text[place : place + 3] for place in range(len(text) - 2)} for text in (one, other)]
    return len(groups[0] & groups[1]) >= _LIKENESS * len(groups[0] | groups[1])


def wait_after(said: Sequence[Said], at: float) -> float:
    """Returns the seconds until a person who has written these messages may write again."""
    counted_ones = [each.at for each in said if at - each.at < SECONDS]
    return counted_ones[-MOST] + SECONDS - at if len(counted_ones) >= MOST else 0.0


def wait_alike(said: Sequence[Said], core: str, at: float) -> float:
    """Returns the seconds until a person may write this again."""
    alike = [each.at for each in said if at - each.at < SAME_SECONDS and are_alike(each.core, core)]
    return alike[-1] + SAME_SECONDS - at if alike else 0.0


class FloodGate:
    """The last messages of each person."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: OrderedDict[str, list[Said]] = OrderedDict()

    def has_passed(self, person: str, request: tuple[str, str]) -> bool:
        """Tells whether a request was let through a moment ago: it was sent again."""
        return any(each.request == request for each in self._said.get(person, ()))

    def enter(self, person: str, text: str, request: tuple[str, str]) -> None:
        """Notes a message; raises `TooManyMessages` with the seconds to wait."""
        at, core = self._clock(), core_of(text)
        said = [each for each in self._said.get(person, ()) if at - each.at < SAME_SECONDS]
        if wait := math.ceil(wait_after(said, at)):
            sentence = counted(
                "You have written {most} messages in {seconds} seconds: wait {count} second.",
                "You have written {most} messages in {seconds} seconds: wait {count} seconds.",
                count=wait,
                most=MOST,
                seconds=round(SECONDS),
            )
            raise TooManyMessages(sentence, wait, LIMIT)
        if wait := math.ceil(wait_alike(said, core, at)):
            sentence = counted(
                "You wrote nearly the same a moment ago: wait {count} second, or write something else.",
                "You wrote nearly the same a moment ago: wait {count} seconds, or write something else.",
                count=wait,
            )
            raise TooManyMessages(sentence, wait, LIMIT)
        self._said[person] = [*said, Said(at, core, request)]
        self._said.move_to_end(person)
        if len(self._said) > _REMEMBERED:
            self._said.popitem(last=False)
