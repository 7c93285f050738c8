"""Databases with matches that random players have played."""

import asyncio
import random
import secrets
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

import damier
from damier.server.matches.match import OPEN, PERSON, Event, Match, Seat
from damier.server.people.names import skeleton
from damier.server.store.statements import people
from damier.server.store.store import Store, now

ANN, BOB = "a" * 32, "b" * 32
"""Two visitors, as the server names them."""


def filled(database: Path | str, count: int, seed: int = 1, longest: int = 40) -> list[str]:
    """Stores some matches of all games between Ann and Bob, and returns their numbers."""

    async def fill() -> list[str]:
        store = Store(database)
        await store.open()
        try:
            await store.rename(ANN, "Ann")
            drawn = random.Random(seed)
            return [await _played(store, drawn, place, longest) for place in range(count)]
        finally:
            await store.close()

    return asyncio.run(fill())


def add_accounts(path: Path, *names: str) -> None:
    """Stores accounts that nothing leads into."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        for name in names:
            row = {"person": secrets.token_hex(16), "name": name, "skeleton": skeleton(name), "created": now()}
            assert people.add_account(connection, row)
    engine.dispose()


def downgrade(path: Path, revision: str) -> None:
    """Takes a database back to what an earlier version made."""
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "damier.server.store:migrations")
        command.downgrade(config, revision)
    engine.dispose()


async def _played(store: Store, drawn: random.Random, place: int, longest: int) -> str:
    names = damier.games()
    game = damier.load(names[place % len(names)])
    visitors = [ANN, BOB, *(f"{k}" * 32 for k in range(9))]
    seats = [Seat(player, PERSON, visitor=visitor) for player, visitor in zip(game.players, visitors, strict=False)]
    if place % 10 == 9:
        seats[1] = Seat(game.players[1], OPEN, invitation=secrets.token_urlsafe(12))
    match = Match(f"number-{place:04}", game, seats, drawn.randbytes(32), ANN, now())
    await store.add_match(match)
    for step in range(drawn.randrange(longest)):
        event = _event(match, drawn, step)
        if event is None:
            break
        mover = match.seat(event.player).visitor if event.player else None
        await store.append(match.number, match.seq + 1, [event], mover, f"r{step}" if mover else None)
        match.add(event)
    return match.number


def _event(match: Match, drawn: random.Random, step: int) -> Event | None:
    """Returns a random event that is allowed now, None at the end of the game."""
    if match.record.result:
        return None
    if roll := match.due_roll():
        return roll
    mover = match.record.mover
    if step and drawn.random() < 0.1 and match.actors:
        return Event("undo", mover, to=drawn.randrange(len(match.actors)))
    return Event("play", mover, drawn.choice(match.record.actions()))
