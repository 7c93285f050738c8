"""People as the lobby names them: by account or nickname, with their ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.server.lobby.terms import pool_of_terms
from damier.server.people.nicknames import given_nickname
from damier.server.wire.lobby import LobbyPerson
from damier.server.wire.ratings import RatingData

if TYPE_CHECKING:
    from damier.server.lobby.pairing import Terms
    from damier.server.people.accounts import Accounts
    from damier.server.ratings.glicko import Rating
    from damier.server.ratings.ratings import MatchRater
    from damier.server.store.store import Store


@dataclass
class People:
    """Names and ratings of people."""

    store: Store
    accounts: Accounts
    ratings: MatchRater

    async def data(self, people: Collection[str]) -> dict[str, LobbyPerson]:
        """Returns persons as others see them."""
        names = await self.accounts.names(people)
        guests = [person for person in people if person not in names]
        nicknames = await self.store.nicknames(guests) if guests else {}
        found = {}
        for person in people:
            account = names.get(person)
            found[person] = LobbyPerson(
                name=account.name if account else nicknames.get(person) or given_nickname(person),
                is_program=account.is_program if account else False,
                has_account=account is not None,
            )
        return found

    async def ratings_on(self, person: str, terms: Sequence[Terms]) -> dict[Terms, float]:
        """Returns a person's ratings on some terms; who has played no rated game there has none."""
        found: dict[Terms, float] = {}
        for each in terms:
            rating = await self._rating(person, each)
            if rating and rating.games:
                found[each] = rating.value
        return found

    async def rating_data(self, person: str, terms: Terms) -> RatingData | None:
        """Returns a person's rating on some terms, as others see it."""
        return rating_data(await self._rating(person, terms))

    async def _rating(self, person: str, terms: Terms) -> Rating | None:
        pool = pool_of_terms(terms)
        return await self.ratings.of(person, pool) if pool else None


def rating_data(rating: Rating | None) -> RatingData | None:
    """Returns a rating as others see it: none before the first rated game."""
    if rating is None or not rating.games:
        return None
    return RatingData(value=round(rating.value), is_provisional=rating.is_provisional)
