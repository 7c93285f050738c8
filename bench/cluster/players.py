"""Tables at which two visitors play match after match through faults, and spectators watch; each keeps its ledger."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bench.cluster.ledger import ListenerLedger, MatchLedger
from bench.cluster.pages import SteadyPage, Visitor, pause_before
from bench.load import GAMES, Answer, player_address
from damier.server.front.visitors import visitor_of

CLOCK = {"kind": "live", "base": 60, "increment": 5}  # short, so that a clock that runs on is noticed
PLAYERS = ("first", "second")
LAST_SECONDS = 10.0  # for the last event of a match to reach all pages, and for what was sent to be confirmed


class Table:
    """Two visitors at different servers, and spectators. Each player acts about `every` seconds after the other."""

    def __init__(self, number: int, addresses: Sequence[str], every: float, watchers: int) -> None:
        self._rng = random.Random(number)
        self._every = every
        self._game = GAMES[number % len(GAMES)]
        source = player_address(number)
        names = [*PLAYERS, *(f"spectator {place + 1}" for place in range(watchers))]
        self._names = names
        self._visitors = [Visitor(addresses, source, number + place, self._rng) for place in range(len(names))]
        self._pages: list[SteadyPage] = []
        self.ledgers: list[MatchLedger] = []
        self.refusals: Counter[str] = Counter()
        self.times: list[float] = []
        """Seconds from sending each action to its confirmation."""

        self.lost = 0
        """Connections that were lost."""

        self._fault_ended = 0.0
        self.whole_at: float | None = None
        """When an action that was confirmed after the last fault had reached all pages."""

    async def run(self, until: asyncio.Event) -> None:
        """Plays until the event is set, then waits until every page knows the end."""
        while not until.is_set():
            match = await self._begin(until)
            if match is None:
                return
            players = [asyncio.create_task(self._play(place, match, until)) for place in range(len(PLAYERS))]
            try:
                await asyncio.gather(*players)
                await self._settle()
            finally:
                for player in players:
                    player.cancel()
                await asyncio.gather(*(page.close() for page in self._pages))
                for visitor in self._visitors:
                    visitor.close()

    # Beginning

    async def _begin(self, until: asyncio.Event) -> MatchLedger | None:
        """Begins a match and opens all pages; None if the time is up before that."""
        asked = {"game": self._game, "seats": ["me", "open"], "clock": CLOCK}
        answer = await self._insist(0, "POST", "/api/matches", asked, until)
        if answer is None:
            return None
        snapshot = answer.data
        (invitation,) = snapshot["invitations"].values()
        players = [seat["player"] for seat in snapshot["seats"]]
        match = MatchLedger(snapshot["number"], {players[0]: visitor_of(self._visitors[0].token)})
        self.ledgers.append(match)
        taken = await self._insist(1, "POST", f"/api/matches/{match.number}/seats", {"invitation": invitation}, until)
        if taken is None:
            return None
        match.visitors[players[1]] = visitor_of(self._visitors[1].token)
        self._pages = []
        for place, (name, visitor) in enumerate(zip(self._names, self._visitors, strict=True)):
            ledger = ListenerLedger(name, tuple(players[place : place + 1]))
            self._pages.append(SteadyPage(visitor, match, ledger, self._rng, self._note, self._lose))
        return match

    async def _insist(self, place: int, method: str, path: str, body: object, until: asyncio.Event) -> Answer | None:
        """Asks until a server does it; None if the time is up. Raises `RuntimeError` if it is refused."""
        visitor, attempt = self._visitors[place], 0
        while not until.is_set():
            answer = await visitor.ask(method, path, body)
            if answer and answer.status < 300:
                return answer
            if answer:
                self.refusals[f"{method} {path.split('/')[-1]}: {answer.status} {answer.body.decode()[:100]}"] += 1
            await asyncio.sleep(pause_before(attempt, self._rng))
            attempt += 1
            visitor.go_elsewhere()
        return None

    # Playing

    async def _play(self, place: int, match: MatchLedger, until: asyncio.Event) -> None:
        page = self._pages[place]
        (player,) = match.listeners[place].mine
        while not until.is_set():
            turn = asyncio.create_task(page.until(lambda state: state["result"] or _may_play(page, state)))
            stop = asyncio.create_task(until.wait())
            await asyncio.wait([turn, stop], return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            if not turn.done():
                turn.cancel()
                return
            if turn.result()["result"]:
                return
            await asyncio.sleep(self._every * self._rng.uniform(0.5, 1.5))
            state = page.state
            if _may_play(page, state) and not until.is_set():
                await self._act(page, player, state)

    async def _act(self, page: SteadyPage, player: str, state: dict[str, Any]) -> None:
        request = await page.play(player, self._rng.choice(state["actions"])["action"])
        if request.seq is None:
            self.refusals[request.refusal] += 1
        else:
            self.times.append(request.confirmed - request.sent)
            self._note()

    async def _settle(self) -> None:
        """Waits until all pages have heard the same, and a moment longer."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                while len({page.seq for page in self._pages}) > 1 or not all(p.has_snapshot for p in self._pages):
                    await asyncio.sleep(0.05)
                await asyncio.sleep(0.2)

    # Faults

    def fault_ended(self, at: float) -> None:
        """Waits from now on for an action that is confirmed after a moment and reaches all pages."""
        self._fault_ended, self.whole_at = at, None

    def _lose(self) -> None:
        self.lost += 1

    def _note(self) -> None:
        """Looks whether the table is whole again; called for everything that a page hears."""
        if self.whole_at is not None or not self.ledgers:
            return
        for request in reversed(self.ledgers[-1].requests[-4:]):
            if request.seq is not None and request.confirmed >= self._fault_ended:
                if all(page.has_snapshot and page.seq >= request.seq for page in self._pages):
                    self.whole_at = time.monotonic()
                return


def _may_play(page: SteadyPage, state: dict[str, Any]) -> bool:
    """Tells whether a page lets its player act: the first event is that the second player has come."""
    return bool(state["is_my_turn"] and state["actions"] and page.seq > 0)
