"""Requests about ratings."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

import damier
from damier.core.messages import message, shown
from damier.server.dependencies import SharedServices
from damier.server.errors import NotFound
from damier.server.ratings.glicko import LISTED_DEVIATION
from damier.server.ratings.pools import Pool, parse_pool
from damier.server.ratings.rating_data import leaderboard_entry, pool_rating
from damier.server.store.store import now
from damier.server.wire.ratings import Leaderboard, PersonRatings

router = APIRouter(prefix="/api")

_PAGE = 50  # accounts
_MOST_PAGES = 1000


@router.get("/ratings/{pool}")
async def show_leaderboard(
    pool: str, services: SharedServices, page: Annotated[int, Query(ge=1, le=_MOST_PAGES)] = 1
) -> Leaderboard:
    """The best accounts of a pool, 50 on a page."""
    known_pool(pool)
    listed, count = await services.ratings.leaderboard(pool, page, _PAGE)
    first = (page - 1) * _PAGE + 1
    return Leaderboard(
        pool=pool,
        page=page,
        pages=max(1, -(-count // _PAGE)),
        entries=[leaderboard_entry(place, each) for place, each in enumerate(listed, first)],
        most_deviation=round(LISTED_DEVIATION),
    )


@router.get("/people/{name}/ratings")
async def show_ratings(name: str, services: SharedServices) -> PersonRatings:
    """All ratings of an account, with their courses."""
    account = await services.accounts.find(name)
    if account is None:
        raise NotFound(message("There is no account {name}.", name=shown(name)))
    ratings, courses = await services.ratings.of_person(account.person)
    at = now()
    found = [pool_rating(pool, rating.after(at), courses.get(pool, ())) for pool, rating in ratings.items()]
    return PersonRatings(name=account.name, pools=[each for each in found if each])


def known_pool(name: str) -> Pool:
    """Returns the pool of a name; raises `NotFound` if there is none."""
    pool = parse_pool(name)
    if pool and pool.game in damier.games():
        most = len(damier.load(pool.game).definition.player_names)
        if pool.players <= most:
            return pool
    raise NotFound(message("There are no ratings {name}.", name=shown(name)))
