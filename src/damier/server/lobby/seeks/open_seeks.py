"""The open seeks and challenges in memory, and the lists that pages have of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from damier.server.lobby.pairing import Seek
from damier.server.lobby.terms import read_stored_terms, terms_data
from damier.server.wire.lobby import MineMessage, SeekData

if TYPE_CHECKING:
    from damier.server.lobby.feed import Feed
    from damier.server.lobby.pairing import Terms
    from damier.server.lobby.people import People
    from damier.server.store.statements.seeks import StoredSeek

_REMEMBERED = 5000  # closed seeks


@dataclass(frozen=True)
class OpenSeek:
    """An open seek in memory: as it is stored, as it is paired, and as pages see it."""

    row: StoredSeek
    seek: Seek
    data: SeekData


class OpenSeeks:
    """All open seeks."""

    def __init__(self, people: People, feed: Feed) -> None:
        self._people, self._feed = people, feed
        self._open: dict[str, OpenSeek] = {}
        self._of_person: dict[str, dict[str, None]] = {}
        """The numbers of the seeks that a person has made or is challenged by."""

        self._closed: OrderedDict[str, None] = OrderedDict()
        """The numbers of the last seeks that were closed: none of them is opened again."""

    def get(self, number: str) -> OpenSeek | None:
        """Returns an open seek."""
        return self._open.get(number)

    def keys(self) -> set[tuple[str, str, str | None]]:
        """Returns the numbers of all open seeks, with their owners and those whom they challenge."""
        return {(each.row.number, each.row.person, each.row.rival) for each in self._open.values()}

    def is_closed(self, number: str) -> bool:
        """Tells whether a seek is known to be closed."""
        return number in self._closed

    def waiting(self) -> list[Seek]:
        """Returns the seeks that anybody may be paired with."""
        return [each.seek for each in self._open.values() if each.row.kind == "open"]

    def owners(self) -> set[str]:
        """Returns those who have an open seek."""
        return {each.row.person for each in self._open.values()}

    def live_owners(self) -> set[str]:
        """Returns those who have a seek that ends with the last page."""
        return {each.row.person for each in self._open.values() if each.row.is_live}

    def concerning(self, person: str) -> list[OpenSeek]:
        """Returns the seeks that a person has made or is challenged by."""
        return [self._open[number] for number in self._of_person.get(person, ())]

    def live_of(self, person: str) -> list[OpenSeek]:
        """Returns a person's own seeks that end with the last page."""
        return [each for each in self.concerning(person) if each.row.person == person and each.row.is_live]

    def mine(self, person: str) -> MineMessage:
        """Returns what a person is told of their own seeks and challenges."""
        own = self.concerning(person)
        return MineMessage(
            type="mine",
            seeks=[each.data for each in own if each.row.person == person],
            challenges=[each.data for each in own if each.row.rival == person],
        )

    async def read(self, row: StoredSeek) -> OpenSeek:
        """Returns a stored seek with the names and ratings that it is shown and paired with."""
        terms = read_stored_terms(row.terms)
        since = datetime.fromisoformat(row.created).timestamp()
        ratings = await self._people.ratings_on(row.person, terms)
        seek = Seek(row.number, row.person, terms, since, row.side, row.reach, ratings)
        return OpenSeek(row, seek, await self._data(row, terms))

    async def _data(self, row: StoredSeek, terms: Sequence[Terms]) -> SeekData:
        names = await self._people.data([row.person, *([row.rival] if row.rival else [])])
        return SeekData.model_validate(
            {
                "number": row.number,
                "kind": row.kind,
                "owner": names[row.person],
                "rating": await self._people.rating_data(row.person, terms[0]),
                "rival": names[row.rival] if row.rival else None,
                "terms": [terms_data(each) for each in terms],
                "side": row.side,
                "reach": row.reach,
                "is_live": row.is_live,
                "created": row.created,
            }
        )

    def add(self, made: OpenSeek) -> bool:
        """Lists a seek, in the place of what was known of it; returns False if it is closed by now."""
        if made.row.number in self._closed:
            return False
        if before := self._open.get(made.row.number):
            self._forget_people(before)
        self._open[made.row.number] = made
        for person in _concerned(made):
            self._of_person.setdefault(person, {})[made.row.number] = None
            self._feed.tell_own(person, partial(self.mine, person))
        if made.row.kind == "open":
            self._feed.add_seek(made.data)
        return True

    async def rename(self, person: str) -> None:
        """Shows the seeks that concern a person under the new name."""
        for each in self.concerning(person):
            renamed = await self.read(each.row)
            if each.row.number in self._open:  # still
                self.add(renamed)

    def remove(self, number: str) -> None:
        """Takes a seek that is closed off the lists, if it is there."""
        self._closed[number] = None
        if len(self._closed) > _REMEMBERED:
            self._closed.popitem(last=False)
        made = self._open.pop(number, None)
        if made:
            self._forget_people(made)
            self._feed.remove_seek(number)

    def _forget_people(self, made: OpenSeek) -> None:
        for person in _concerned(made):
            del self._of_person[person][made.row.number]
            if not self._of_person[person]:
                del self._of_person[person]
            self._feed.tell_own(person, partial(self.mine, person))


def _concerned(made: OpenSeek) -> list[str]:
    return [made.row.person, *([made.row.rival] if made.row.rival else [])]
