"""Measures what an event of a match costs the server without its store: deciding, applying, encoding and sending.

Run as ``python -m bench.live``. Matches of random actions, 20, 200 and 2,000 long, followed by 2 and by 50 sockets: the
players, the rest spectators. Prints the CPU time for each event by step, and the size of a message. The sockets are
those of the server, on a connection that keeps nothing.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import MutableMapping
from types import SimpleNamespace
from typing import Any, cast

from starlette.websockets import WebSocket

import damier
from damier.core.record import Record
from damier.server.civility.chats import Chats
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import PERSON, Event, Match, Seat
from damier.server.matches.referee import Referee
from damier.server.matches.socket import MatchSocket

GAMES = ("chefa", "sensei", "omba")
LENGTHS = (20, 200, 2_000)
LISTENERS = (2, 50)
EVENTS = 60  # that are measured, after as many that are not
LONGEST_STEP_BACK = 12  # actions that are taken back when a game is over before it is long enough


def long_game(name: str, length: int, seed: int = 0) -> Record:
    """Returns a game of `length` random actions that is not over."""
    rng, record = random.Random(seed), damier.load(name).record()
    while len(record.played) < length or record.result or record.mover == "chance":
        if record.result or len(record.played) > length:
            for _ in range(min(rng.randrange(1, LONGEST_STEP_BACK), len(record.played))):
                record.undo()
        else:
            record.play(rng.choice(record.actions()))
    return record


def match_of(record: Record) -> Match:
    """Returns a match between as many persons as the game has players, with the actions of a game played."""
    game = record.game
    seats = [Seat(player, PERSON, visitor=f"visitor {player}") for player in game.players]
    match = Match("bench", game, seats, bytes(32), "visitor 0", "2026-01-01T00:00:00Z")
    for action in record.played:
        mover = match.record.mover
        match.add(Event("roll", action=action) if mover == "chance" else Event("play", mover, action))
    return match


class Connection:
    """The far end of a socket: counts what it is sent."""

    def __init__(self) -> None:
        self.messages, self.bytes = 0, 0
        self._is_connected = False

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Takes a message of the server."""
        if message["type"] == "websocket.send":
            self.messages += 1
            self.bytes = len(message["text"].encode())

    async def receive(self) -> MutableMapping[str, Any]:
        """Connects, then sends nothing."""
        if not self._is_connected:
            self._is_connected = True
            return {"type": "websocket.connect"}
        await asyncio.Event().wait()
        raise AssertionError


async def follow(live: LiveMatch, count: int) -> tuple[list[Connection], list[asyncio.Task[None]]]:
    """Connects `count` sockets to a match, the players first."""
    connections, tasks = [Connection() for _ in range(count)], []
    for number, connection in enumerate(connections):
        seats = live.match.seats
        visitor = seats[number].visitor if number < len(seats) else f"spectator {number}"
        socket = WebSocket({"type": "websocket", "headers": []}, connection.receive, connection.send)
        await socket.accept()
        chats = cast(Chats, SimpleNamespace(join=lambda *_: None, leave=lambda *_: None))  # nobody talks
        listener = MatchSocket(socket, cast(Referee, None), live, visitor or "", "en", chats)
        tasks.append(asyncio.create_task(listener.run(lambda: None)))
    before = -1
    while before < (before := sum(connection.messages for connection in connections)):
        await asyncio.sleep(0.2)
    return connections, tasks


async def measure(record: Record, listeners: int) -> tuple[dict[str, float], float]:
    """Returns the CPU milliseconds for each event by step, and the mean size of a message in bytes."""
    live, rng = LiveMatch(match_of(record)), random.Random(1)
    match = live.match
    connections, tasks = await follow(live, listeners)
    spent, size, measured = dict.fromkeys(("decide", "apply", "send"), 0.0), 0, 0
    for number in range(2 * EVENTS):
        while match.record.result:
            match.add(Event("undo", match.seats[0].player, to=len(match.actors) - 5))
        if match.record.mover == "chance":
            event, decided = Event("roll", action=rng.choice(match.record.actions())), 0.0
        else:
            action = rng.choice(match.record.actions())
            began = time.process_time()
            event = match.decide(match.seat(match.record.mover).visitor or "", "play", action=action)
            decided = time.process_time() - began
        before = [connection.messages for connection in connections]
        began = time.process_time()
        match.add(event)
        applied = time.process_time()
        for listener in tuple(live.listeners):
            listener.handle_event(match.seq, event)
        while any(connection.messages == count for connection, count in zip(connections, before, strict=True)):
            await asyncio.sleep(0)
        sent = time.process_time()
        if number >= EVENTS:
            measured += 1
            size += connections[0].bytes
            steps = {"decide": decided, "apply": applied - began, "send": sent - applied}
            spent = {name: spent[name] + steps[name] for name in spent}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {name: 1000 * value / measured for name, value in spent.items()}, size / measured


def main() -> None:
    """Measures and prints."""
    print("game    actions sockets   decide    apply     send      all ms   message")
    for name in GAMES:
        for length in LENGTHS:
            record = long_game(name, length)
            for listeners in LISTENERS:
                spent, size = asyncio.run(measure(record, listeners))
                times = "".join(f"{value:9.3f}" for value in (*spent.values(), sum(spent.values())))
                print(f"{name:8}{length:7,}{listeners:8}{times}{size:8,.0f} bytes", flush=True)


if __name__ == "__main__":
    main()
