"""Now playing: the best match of each game, live on the page of the lobby.

The best is the one whose players have the highest ratings, of those that were active in the last minutes; else the one
that was active last. While somebody follows the lobby, the choice is made anew every few seconds. Only matches of the
lobby and of tournaments are shown: a match by link is for those who have the link.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.server.lobby.people import rating_data
from damier.server.ratings.pools import pool_of
from damier.server.store.statements.listed_matches import MatchLine, count_running, running
from damier.server.wire.board import PieceData
from damier.server.wire.clocks import ClockTerms
from damier.server.wire.lobby import PlayingData

if TYPE_CHECKING:
    from damier.server.lobby.feed import Feed
    from damier.server.lobby.people import People
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.match import Event
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store
    from damier.server.wire.ratings import RatingData

_log = logging.getLogger(__name__)

_PAUSE = 3.0  # seconds between two choices
_LOOKED_AT = 200  # matches, the ones that were active last
_RECENT = timedelta(minutes=10)  # within which the rating decides


class _Watcher:
    """Shows the board of one match in the feed."""

    visitor, lag = "", 0

    def __init__(self, live: LiveMatch, names: list[str], ratings: list[RatingData | None], feed: Feed) -> None:
        self.live, self._names, self._ratings, self._feed = live, names, ratings, feed
        live.listeners.add(self)
        self._show()

    def send_text(self, text: str) -> None:
        """Ignores messages: the board is read from the match."""

    def handle_event(self, seq: int, event: Event) -> None:  # noqa: ARG002  # the board says it all
        """Shows the board after an event."""
        self._show()

    def stop(self) -> None:
        """Follows the match no longer."""
        self.live.listeners.discard(self)

    def _show(self) -> None:
        match = self.live.match
        position = match.record.position
        data = PlayingData(
            number=match.number,
            game=match.game.name,
            options=dict(match.game.options),
            names=self._names,
            ratings=self._ratings,
            clock=ClockTerms(**match.control.data()) if match.control else None,
            is_rated=match.is_rated,
            turn=match.record.turn,
            mover=match.record.mover,
            pieces=[
                PieceData(player=piece.player, cell=piece.cell, level=piece.level, marks=list(piece.marks))
                for piece in position.pieces()
            ],
            marks={cell: [mark] for cell, mark in position.cell_marks().items()},
        )
        self._feed.set_playing(match.game.name, data)


class NowPlaying:
    """Chooses and follows the best match of each game while somebody looks."""

    def __init__(self, store: Store, referee: Referee, people: People, feed: Feed) -> None:
        self._store, self._referee, self._people, self._feed = store, referee, people, feed
        self._shown: dict[str, _Watcher] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_awake = asyncio.Event()

    def wake(self) -> None:
        """Has the choice made soon."""
        self._is_awake.set()
        if self._task is None and self._feed.listeners:
            self._task = asyncio.create_task(self._choose_always())

    def close(self) -> None:
        """Follows nothing any more."""
        if self._task:
            self._task.cancel()
            self._task = None
        self._drop()

    def _drop(self) -> None:
        for game, watcher in self._shown.items():
            watcher.stop()
            self._feed.set_playing(game, None)
        self._shown = {}

    async def _choose_always(self) -> None:
        while self._feed.listeners:
            self._is_awake.clear()
            try:
                await self.choose()
            except DamierError:
                pass  # the store has logged it; tried again
            except Exception:
                _log.exception("The lobby could not choose the matches to show.")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PAUSE):  # which never swallows that the task is cancelled
                    await self._is_awake.wait()
        self._task = None
        self._drop()

    async def choose(self) -> None:
        """Chooses the best match of each game and follows it."""
        lines = await self._store.read("list matches", "", partial(running, count=_LOOKED_AT))
        self._feed.set_matches(await self._store.read("count matches", "", count_running))
        games: dict[str, list[MatchLine]] = {}
        for line in lines:
            games.setdefault(line.game, []).append(line)
        for game in [game for game in self._shown if game not in games]:
            self._shown.pop(game).stop()
            self._feed.set_playing(game, None)
        for game, candidates in games.items():
            await self._show_best(game, candidates)

    async def _show_best(self, game: str, candidates: Sequence[MatchLine]) -> None:
        best = await self._best(candidates)
        shown = self._shown.get(game)
        if shown and shown.live.match.number == best.number:
            return
        live = await self._referee.find(best.number)
        people = [seat.visitor for seat in live.match.seats if seat.visitor]
        names = await self._people.data(people)
        pool = pool_of(live.match)
        ratings = await self._people.ratings.many(people, pool) if pool else {}
        seats = live.match.seats
        if shown:
            shown.stop()
        self._shown[game] = _Watcher(
            live,
            [
                names[seat.visitor].name if seat.visitor else live.match.game.player_name(seat.player).render()
                for seat in seats
            ],
            [rating_data(ratings.get(seat.visitor)) if seat.visitor else None for seat in seats],
            self._feed,
        )

    async def _best(self, candidates: Sequence[MatchLine]) -> MatchLine:
        """Returns the best of the matches of one game, which are in the order of activity."""
        since = (datetime.now(UTC) - _RECENT).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        recent = [line for line in candidates if line.updated >= since]
        best, highest = candidates[0], float("-inf")
        people: dict[str, list[str]] = {}
        pools: dict[str, str] = {}
        for line in recent:
            people[line.number] = [seat["visitor"] for seat in line.seat_list if seat.get("visitor")]
            pools[line.number] = _pool(line)
        for pool in sorted(set(pools.values()) - {""}):
            lines = [line for line in recent if pools[line.number] == pool]
            everybody = {person for line in lines for person in people[line.number]}
            ratings = await self._people.ratings.many(everybody, pool)
            for line in lines:
                values = [ratings[person].value for person in people[line.number] if ratings[person].games]
                mean = sum(values) / len(values) if len(values) == len(line.seat_list) else float("-inf")
                if mean > highest:
                    best, highest = line, mean
        return best


def _pool(line: MatchLine) -> str:
    """Returns the pool of ratings of a match of two, "" without a clock."""
    if line.clock is None or len(line.seat_list) != 2:
        return ""
    return f"{line.game}.{json.loads(line.clock)['kind']}"
