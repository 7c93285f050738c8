"""Conditional turns on a server: played at once, seen by nobody else, never lost or doubled."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from damier.core.messages import message
from damier.server.correspondence.conditional import Line, check_lines
from damier.server.errors import NotNow
from damier.server.matches.live_match import LiveMatch
from damier.server.store.statements.forgetting import forget
from damier.server.store.statements.moving import move
from damier.server.store.store import Store, StoreFailed
from tests.server.correspondence.slow_matches import begun
from tests.server.correspondence.test_conditional import drawn_line
from tests.server.stores import rows
from tests.server.timed import ANN, BOB, EVE, Hall, in_hall

STORED = "SELECT match, player, person, base FROM conditional_turns"


async def plan(hall: Hall, live: LiveMatch, person: str, *lines: Line) -> None:
    """Enters lines, as the route does."""
    turn = live.match.record.turn + 1
    line, player = hall.services.planner.line(live, person, turn)
    await hall.services.planner.enter(live, person, turn, check_lines(line, player, lines))


async def play(hall: Hall, live: LiveMatch, *actions: str) -> None:
    for action in actions:
        visitor = live.match.seat(live.match.record.mover).visitor or ""
        await hall.act(live, visitor, "play", action=action)


def flat(line: Line) -> tuple[str, ...]:
    return tuple(action for turn in line for action in turn)


@pytest.mark.parametrize("game", ["chefa", "sensei"])
def test_an_answer_is_played_at_once_and_the_rest_stays(database: str, game: str) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall, game)  # Ann is to act
        record = live.match.record
        base, line = record.count, drawn_line(record, 4)
        await plan(hall, live, BOB, line, drawn_line(record, 2, seed=7))
        await play(hall, live, *line[0])
        assert record.played[base:] == flat(line[:2])
        assert [event.kind for event in live.match.events[base:]] == ["play"] * (record.count - base)
        assert rows(database, STORED)[0].base == record.count
        twin = await hall.services.store.load(live.match.number)
        assert twin
        assert (twin.clocks, twin.events) == (live.match.clocks, live.match.events)
        await play(hall, live, *line[2])
        assert record.played[base:] == flat(line)
        assert not live.conditional
        assert not rows(database, STORED)

    in_hall(database, run)


def test_two_players_answer_each_other(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        line = drawn_line(live.match.record, 6)
        await plan(hall, live, BOB, line)
        other = line[0][0]
        await play(hall, live, other)  # Bob has answered, and Ann's turn begins
        await play(hall, live, line[2][0])
        assert live.match.record.played[-4:] == flat(line[:4])
        assert live.match.record.mover in live.match.players_of(ANN)

    in_hall(tmp_path / "matches.sqlite", run)


def test_a_mismatch_an_accepted_take_back_and_the_end_clear_all(database: str) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        record = live.match.record
        line = drawn_line(record, 2)
        await plan(hall, live, BOB, line)
        await play(hall, live, next(action for action in record.actions() if action != line[0][0]))
        assert not live.conditional
        assert not rows(database, STORED)
        await plan(hall, live, ANN, drawn_line(record, 2))
        await hall.act(live, BOB, "resign")
        assert not live.conditional
        assert not rows(database, STORED)

    async def take_back(hall: Hall) -> None:
        live = await hall.referee.begin(
            (await begun(hall)).match.game,
            ["me", "open"],
            ANN,
            allows_help=True,
            control=(await begun(hall)).match.control,
        )
        (invitation,) = [seat.invitation for seat in live.match.seats if seat.invitation]
        await hall.referee.take_seat(live, BOB, invitation)
        await hall.play(live)
        await hall.play(live)
        await plan(hall, live, BOB, drawn_line(live.match.record, 2))
        await hall.act(live, BOB, "undo")
        assert live.conditional
        await hall.act(live, ANN, "answer", yes=True)
        assert not live.conditional
        assert not rows(database, STORED)

    in_hall(database, run)
    in_hall(database, take_back)


def test_lines_are_refused_where_they_make_no_sense(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        line = drawn_line(live.match.record, 2)
        turn = live.match.record.turn + 1
        with pytest.raises(NotNow, match=r"^Conditional turns can be entered while the other player is to act\.$"):
            await plan(hall, live, ANN, line)
        with pytest.raises(NotNow, match=r"^The game has gone on: look at the board, and plan again\.$"):
            hall.services.planner.line(live, BOB, turn - 1)
        timed = await hall.between(ANN, BOB)
        with pytest.raises(NotNow, match=r"^Conditional turns are for correspondence matches of two without a die\.$"):
            hall.services.planner.line(timed, BOB, 1)
        alone = await hall.between(ANN, ANN, control=live.match.control)
        with pytest.raises(NotNow, match=r"^You play both sides: there is nobody whose turn you wait for\.$"):
            hall.services.planner.line(alone, ANN, 1)
        await hall.act(live, ANN, "resign")
        with pytest.raises(NotNow, match=r"^The game is over\."):
            hall.services.planner.line(live, BOB, turn)

    in_hall(tmp_path / "matches.sqlite", run)


def failing(hall: Hall, after: int, is_stored: bool) -> Callable[[], None]:
    """Has the store fail after some events, which it has stored or not; returns what ends that."""
    store, whole = hall.services.store, hall.services.store.append
    count = 0

    async def append(*given: Any, **more: Any) -> None:
        nonlocal count
        count += 1
        if count <= after or is_stored:
            await whole(*given, **more)
        if count > after:
            raise StoreFailed(message("The database does not answer."))

    store.append = append  # type: ignore[method-assign]

    def end() -> None:
        store.append = whole  # type: ignore[method-assign]

    return end


@pytest.mark.parametrize("is_stored", [False, True])
@pytest.mark.parametrize("after", [0, 1])
def test_a_restart_within_an_answer_neither_loses_nor_doubles_it(database: str, after: int, is_stored: bool) -> None:
    """Fails at the first or second action of Bob's answer; the server ends, and the next one goes on."""

    async def first(hall: Hall) -> tuple[str, tuple[str, ...]]:
        live = await begun(hall, "sensei")
        line = drawn_line(live.match.record, 2)
        assert len(line[1]) > 1
        await plan(hall, live, BOB, line)
        expected = live.match.record.played + flat(line)
        failing(hall, len(line[0]) + after, is_stored)
        await play(hall, live, *line[0])
        assert live.match.record.played != expected
        return live.match.number, expected

    async def second(hall: Hall) -> None:
        while rows(database, STORED):
            await hall.services.store.read_once()
        stored = await hall.services.store.load(number)
        assert stored
        assert stored.record.played == expected

    number, expected = in_hall(database, first)
    in_hall(database, second)


def test_a_failing_database_is_tried_again_while_the_server_runs(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        line = drawn_line(live.match.record, 2)
        await plan(hall, live, BOB, line)
        end = failing(hall, 1, is_stored=False)
        await play(hall, live, *line[0])
        end()
        async with asyncio.timeout(60):
            while live.match.record.played[-1] != line[1][0]:
                await asyncio.sleep(0.05)

    in_hall(tmp_path / "matches.sqlite", run)


def test_lines_move_to_an_account_and_go_with_the_person(database: str) -> None:
    async def run(hall: Hall) -> str:
        live = await begun(hall)
        await plan(hall, live, BOB, drawn_line(live.match.record, 2))
        return live.match.number

    async def change(work: Any, *given: Any) -> None:
        store = Store(database)
        await store.open()
        await store.write("test", "", lambda connection: work(connection, *given))
        await store.close()

    number = in_hall(database, run)
    asyncio.run(change(move, BOB, EVE))
    assert [(row.match, row.person) for row in rows(database, STORED)] == [(number, EVE)]
    asyncio.run(change(forget, EVE))
    assert not rows(database, STORED)


def test_a_forgotten_player_answers_no_more(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        line = drawn_line(live.match.record, 2)
        await plan(hall, live, BOB, line)
        await hall.referee.forget(BOB)
        await play(hall, live, *line[0])
        assert live.match.record.played[-1] == line[0][-1]

    in_hall(tmp_path / "matches.sqlite", run)


def test_random_lines_of_both_players_never_leave_an_answer_out(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        for seed in range(4):
            live, rng = await begun(hall, ("chefa", "sensei")[seed % 2]), random.Random(seed)
            for _ in range(8):
                record = live.match.record
                if record.result:
                    break
                waiting = BOB if record.mover in live.match.players_of(ANN) else ANN
                line = drawn_line(record, 4, rng.randrange(100))
                await plan(hall, live, waiting, line)
                is_right, before = rng.random() < 0.7, record.count
                turn = line[0] if is_right else drawn_line(record, 1, rng.randrange(100))[0]
                await play(hall, live, *turn)
                expected = flat(line[:2]) if turn == line[0] else turn
                assert record.played[before:] == expected

    in_hall(tmp_path / "matches.sqlite", run)
