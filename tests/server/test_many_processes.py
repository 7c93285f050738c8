"""Two servers on one database: what one of them stores is seen at the other, also if its announcement is lost."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import Mock

import pytest

import damier
from damier.server.correspondence.conditional import ConditionalTurns, check_lines
from damier.server.correspondence.vacation import Vacation
from damier.server.errors import NotNow
from damier.server.hub.hub import match_place
from damier.server.matches.clock import DAY, TimeControl
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import Match
from damier.server.services import Services
from damier.server.wire.matches import SayRequest
from tests.server.correspondence.test_conditional import drawn_line
from tests.server.ratings.rated_matches import add_account, add_match
from tests.server.stores import rows
from tests.server.timed import ANN, BOB, EVE
from tests.server.together import hub_of, two_servers, until

SLOW = TimeControl("correspondence", 2 * DAY, DAY, cap=4 * DAY)
BLITZ = TimeControl("live", 180, 2)


class Reader:
    """A page of a match that notes the messages of its chat."""

    def __init__(self, visitor: str) -> None:
        self.visitor = visitor
        self.told: list[dict[str, Any]] = []

    def send_text(self, text: str) -> None:
        self.told.append(json.loads(text))

    @property
    def chats(self) -> int:
        """How often the whole chat was sent."""
        return sum(message["type"] == "chat" for message in self.told)

    @property
    def texts(self) -> list[str]:
        """The messages that were told since the page was opened."""
        return [message["line"]["text"] for message in self.told if message["type"] == "said"]


def together(database: str, use: Callable[[Services, Services], Awaitable[None]], **settings: Any) -> None:
    """Opens two servers and uses them."""

    async def run() -> None:
        async with two_servers(database, **settings) as (one, other):
            await use(one, other)

    asyncio.run(run())


async def at_both(one: Services, other: Services, *, control: TimeControl = BLITZ) -> tuple[LiveMatch, LiveMatch]:
    """Begins a rated match of Ann and Bob, who have accounts, and loads it at both servers."""
    for person, name in ((ANN, "Ann"), (BOB, "Bob")):
        if await one.accounts.of(person) is None:
            await add_account(one.store, person, name)
    live = await one.referee.begin_between(damier.load("chefa"), [ANN, BOB], control=control, is_rated=True)
    return live, await other.referee.find(live.match.number)


# Ratings


def test_two_processes_that_rate_matches_of_one_person_at_once_lose_no_rating(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        people = [f"{number:032x}" for number in range(6)]
        for place, person in enumerate(people):
            await add_match(one.store, f"m{place}", [ANN, person], [0, 1], at=f"2026-11-10T12:00:0{place}.000Z")
        asked = [server.ratings.rate(f"m{place}") for place in range(6) for server in (one, other)]
        answers = await asyncio.gather(*asked)
        assert answers[::2] == answers[1::2]  # rated once, whoever asks
        found = await other.ratings.of(ANN, "chefa.live")
        assert found.games == 6
        first = damier.load("chefa").players[0]
        own = [change for answer in answers[::2] if answer for change in answer.changes if change.player == first]
        chain = sorted((change.before, change.after) for change in own)
        assert len(chain) == 6
        assert [before for before, _ in chain[1:]] == [after for _, after in chain[:-1]]

    together(database, use)


def test_a_rating_is_shown_at_the_other_process_and_after_a_lost_announcement(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        for is_lost in (False, True):
            live, twin = await at_both(one, other)
            hub_of(other).loses = is_lost
            for place in range(4):
                record = live.match.record
                mover = live.match.seat(record.mover).visitor or ""
                await one.referee.act(live, mover, f"r{place}", "play", action=record.actions()[place])
            await one.referee.act(live, ANN, "end", "resign")
            await until(lambda live=live: live.rated is not None)  # type: ignore[misc]
            if is_lost:
                assert twin.rated is None
                await other.referee._elsewhere.compare()
                await hub_of(other).resume()
            await until(lambda twin=twin: twin.rated is not None)  # type: ignore[misc]
            assert twin.rated == live.rated

    together(database, use)


# Chat


def say(text: str, request: str) -> SayRequest:
    return SayRequest(id=request, do="say", text=text)


def test_messages_of_two_processes_are_told_once_and_in_one_order(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live, twin = await at_both(one, other)
        readers = Reader(ANN), Reader(BOB)
        one.chats.join(live, readers[0], "en")
        other.chats.join(twin, readers[1], "en")
        await until(lambda: all(reader.chats for reader in readers))
        said = {ANN: ("The sea is calm today", "Good luck"), BOB: ("Thank you kindly", "Where are you from?")}
        await asyncio.gather(
            *(one.chats.say(live, ANN, say(text, text)) for text in said[ANN]),
            *(other.chats.say(twin, BOB, say(text, text)) for text in said[BOB]),
        )
        await until(lambda: all(len(reader.texts) == 4 for reader in readers))
        assert readers[0].texts == readers[1].texts
        late = Reader(ANN)
        other.chats.join(twin, late, "en")
        await until(lambda: bool(late.chats))
        assert [line["text"] for line in late.told[0]["lines"]] == readers[0].texts

    together(database, use)


def test_a_message_that_is_sent_again_to_another_process_is_stored_once(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live, twin = await at_both(one, other)
        await one.chats.say(live, ANN, say("Hello, Bob!", "r1"))
        for _ in range(7):  # which is no flood
            await other.chats.say(twin, ANN, say("Hello, Bob!", "r1"))
        assert len(rows(database, "SELECT number FROM chat_lines")) == 1

    together(database, use)


def test_a_lost_message_is_told_later_and_a_removed_one_is_taken_back_everywhere(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live, twin = await at_both(one, other)
        reader, hub = Reader(BOB), hub_of(other)
        other.chats.join(twin, reader, "en")
        await until(lambda: bool(reader.chats))
        hub.loses = True
        await one.chats.say(live, ANN, say("Hello, Bob!", "r1"))
        assert reader.texts == []
        await hub.sweep()
        assert reader.texts == ["Hello, Bob!"]
        hub.loses = False
        await one.chats.tell_removed(live.match.number, 7, everywhere=True)
        await until(lambda: reader.told[-1] == {"type": "unsaid", "number": 7})
        one.chats.renew([BOB], everywhere=True)
        await until(lambda: reader.chats == 2)
        one.chats.renew_matches([live.match.number], everywhere=True)
        await until(lambda: reader.chats == 3)
        await hub.resume()
        await until(lambda: reader.chats == 4)
        assert reader.texts == ["Hello, Bob!"]

    together(database, use)


# Muted and blocked people


def test_who_is_blocked_at_one_process_is_blocked_at_the_other(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        told: list[tuple[str, str]] = []
        other.avoidance.on_change(lambda person, rival: told.append((person, rival)))
        made = await one.avoidance.avoid(ANN, BOB, "block")
        await until(lambda: other.avoidance.are_blocked(BOB, ANN))
        await until(lambda: told == [(ANN, BOB)])
        hub_of(other).loses = True
        await one.avoidance.end(ANN, made.number)
        await one.avoidance.avoid(EVE, BOB, "mute")
        assert other.avoidance.are_blocked(BOB, ANN)
        await hub_of(other).resume()
        assert not other.avoidance.are_blocked(BOB, ANN)
        assert other.avoidance.hides(EVE, BOB)
        assert sorted(told[1:]) == sorted([(ANN, BOB), (EVE, BOB)])

    together(database, use)


# Sessions, names, guests


def test_who_signs_out_at_one_process_is_signed_out_at_the_other(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        await add_account(one.store, ANN, "Ann")
        sessions = [await one.accounts.sign_in(ANN, "Browser") for _ in range(3)]
        sockets = [Mock() for _ in sessions]
        pages = [Mock(person=ANN, session=number) for number, _ in sessions]
        for page in pages:
            other.notices.inbox.join(page, [])
        request = Mock(headers={}, cookies={"damier_session": sessions[0][1]})
        assert await other.credentials.find(request)
        (first, _), (second, _), (third, _) = sessions
        with (
            other.sockets.follow(sockets[0], ANN, "1.1.1.1", "m1", is_holder=True, session=first),
            other.sockets.follow(sockets[1], ANN, "1.1.1.1", "m2", is_holder=True, session=second),
            other.sockets.follow(sockets[2], ANN, "1.1.1.1", "m3", is_holder=True, session=third),
        ):
            await one.accounts.sign_out(ANN, first)
            one.changes.end_connections(ANN, session=first)
            assert [socket.sign_out.called for socket in sockets] == [True, False, False]
            assert [page.end.called for page in pages] == [True, False, False]
            assert await other.credentials.find(request) is None
            hub_of(other).loses = True
            await one.accounts.sign_out_others(ANN, third)
            one.changes.end_connections(ANN, besides=third)
            assert not sockets[1].sign_out.called
            await hub_of(other).resume()
            assert [socket.sign_out.called for socket in sockets] == [True, True, False]
            assert [page.end.called for page in pages] == [True, True, False]

    together(database, use)


def test_a_ban_or_another_name_is_known_at_the_other_process_at_once(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        _, twin = await at_both(one, other)
        _, token = await one.accounts.sign_in(ANN, "Browser")
        request = Mock(headers={}, cookies={"damier_session": token})
        assert await other.credentials.find(request)
        account = await one.accounts.of(ANN)
        assert account
        await one.accounts.change(account, banned_until="2999-01-01T00:00:00.000Z")
        found = await other.credentials.find(request)
        assert found
        assert found.account.banned_until
        await one.accounts.rename(account, "Annika")
        await until(lambda: twin.accounts[ANN].name == "Annika")

    together(database, use)


def test_a_guest_who_takes_a_name_an_account_or_leaves_does_so_everywhere(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live = await one.referee.begin_between(damier.load("chefa"), [EVE, BOB], control=None, is_rated=False)
        twin = await other.referee.find(live.match.number)
        await one.referee.rename(EVE, "Evelyn")
        await one.changes.rename(EVE, "Evelyn")
        assert twin.nicknames[EVE] == "Evelyn"
        made = await one.avoidance.avoid(EVE, BOB, "mute")
        await until(lambda: other.avoidance.hides(EVE, BOB))
        socket, page = Mock(), Mock(person=ANN, session="")
        other.notices.inbox.join(page, [])
        with other.sockets.follow(socket, EVE, "1.1.1.1", "m1", is_holder=True):
            await one.accounts.make("Evelyn", guest=EVE, person=ANN)
            one.changes.move(EVE, ANN, "session")
            assert other.avoidance.of(ANN)[BOB].number == made.number
            other.changes.end_connections(ANN, session="session")
            assert socket.sign_out.called
            one.changes.forget(ANN)
            assert page.end.called
            assert not other.avoidance.hides(ANN, BOB)

    together(database, use)


def test_the_challenge_of_a_passkey_is_answered_once_at_whatever_process(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        number, pending = await one.passkeys._begin("a" * 32, "Ann")
        assert await other.passkeys._take(number, is_sign_in=False) == pending
        number, _ = await one.passkeys._begin("")
        tried = [server.passkeys._take(number, is_sign_in=True) for server in (one, other)]
        answers = await asyncio.gather(*tried, return_exceptions=True)
        assert sorted(type(answer).__name__ for answer in answers) == ["NotNow", "Pending"]

    together(database, use)


def test_a_challenge_to_sign_in_makes_no_passkey(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        number, _ = await one.passkeys._begin("")
        with pytest.raises(NotNow):
            await other.passkeys._take(number, is_sign_in=False)

    together(database, use)


# Correspondence


def test_a_vacation_and_its_end_are_known_at_the_other_process(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live, twin = await at_both(one, other, control=SLOW)
        await one.vacations.begin(ANN, 3)
        assert other.referee.vacations[ANN] == one.referee.vacations[ANN]
        await until(lambda: twin.match.events == live.match.events)
        assert live.match.events[-1].kind == "vacation"
        hub_of(other).loses = True
        await one.vacations.end(ANN)
        await hub_of(other).sweep()
        await hub_of(other).resume()
        await until(lambda: twin.match.events == live.match.events)
        assert live.match.events[-1].kind == "return"
        assert other.referee.vacations.get(ANN) in (None, one.referee.vacations.get(ANN))

    together(database, use)


def test_a_vacation_that_a_killed_process_has_not_told_is_told_by_another(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        _, twin = await at_both(one, other, control=SLOW)

        async def nothing(vacation: Vacation) -> None:  # as the method
            """Tells nobody, as if the process was killed."""

        one.vacations._tell_all = nothing  # type: ignore[method-assign]
        await one.vacations.begin(ANN, 3)
        assert not twin.match.events
        await other.vacations._tell_untold()
        await until(lambda: bool(twin.match.events))
        assert twin.match.events[-1].kind == "vacation"

    together(database, use)


def test_conditional_turns_are_known_and_played_at_the_other_process(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live, twin = await at_both(one, other, control=SLOW)
        mover = live.match.seat(live.match.record.mover).visitor or ""
        waiting = BOB if mover == ANN else ANN
        planned = drawn_line(live.match.record, 2)
        turn = live.match.record.turn + 1
        line, player = one.planner.line(live, waiting, turn)
        lines = check_lines(line, player, (planned,))
        await one.planner.enter(live, waiting, turn, lines)
        await until(lambda: player in twin.conditional)
        for place, action in enumerate(planned[0]):
            await other.referee.act(twin, mover, f"r{place}", "play", action=action)
        played = [action for turn in planned for action in turn]
        await until(lambda: [event.action for event in twin.match.events] == played)
        await until(lambda: live.match.events == twin.match.events)

    together(database, use)


def test_conditional_turns_that_are_announced_while_a_match_is_being_read_are_not_missed(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live, twin = await at_both(one, other, control=SLOW)
        mover = live.match.seat(live.match.record.mover).visitor or ""
        waiting = BOB if mover == ANN else ANN
        turn = live.match.record.turn + 1
        line, player = one.planner.line(live, waiting, turn)
        lines = check_lines(line, player, (drawn_line(live.match.record, 2),))
        read = other.referee._conditional

        async def late(match: Match) -> dict[str, ConditionalTurns]:
            found = await read(match)
            other.referee._conditional = read  # type: ignore[method-assign]
            await one.planner.enter(live, waiting, turn, lines)
            return found

        other.referee._conditional = late  # type: ignore[method-assign]  # stored between the read and its end
        await other.planner._read_on(twin)
        await until(lambda: player in twin.conditional)

    together(database, use)


# Retention


def test_an_old_match_at_which_a_player_looks_by_another_process_is_kept(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        numbers = []
        for _ in range(2):
            live = await one.referee.begin_between(damier.load("chefa"), [ANN, BOB], control=None, is_rated=False)
            numbers.append(live.match.number)
        today = datetime.now(UTC).date()
        rows(database, "UPDATE matches SET created = '2020-01-01T00:00:00.000Z'")
        rows(database, "UPDATE retention SET day = :day, seen = :day", day=str(today))
        other.hub.enter(match_place(numbers[0]), ANN)
        assert await one.retention.delete_old(today + timedelta(days=1)) == 1
        assert [row[0] for row in rows(database, "SELECT number FROM matches")] == [numbers[0]]

    together(database, use, keep_days=30)


# Matches


def test_an_event_that_is_announced_while_a_match_is_being_loaded_is_not_missed(database: str) -> None:
    async def use(one: Services, other: Services) -> None:
        live = await one.referee.begin_between(damier.load("chefa"), [ANN, BOB], control=BLITZ, is_rated=False)
        load = other.store.load

        async def late(number: str) -> Any:
            match = await load(number)
            await one.referee.act(live, ANN, "first", "play", action=live.match.record.actions()[0])
            return match

        other.store.load = late  # type: ignore[method-assign]  # the event comes between reading and keeping
        loaded = await other.referee.find(live.match.number)
        await other.referee._elsewhere.close()  # those that are reading
        assert loaded.match.seq == live.match.seq > 0

    together(database, use)
