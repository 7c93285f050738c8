"""Bots against a real server: whole games of every game, restarts, other engines, terms and clocks."""

import contextlib
import dataclasses
import json
import re
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.bot.budget import turn_seconds
from damier.bot.entries import Entries, enter
from damier.bot.journal import Journal
from damier.bot.seat import record_of
from damier.bot.seeking import BotSeek, Seeking, parse_clock
from damier.bot.terms import BotTerms
from damier.client import (
    CallRefused,
    Challenge,
    Client,
    ClockView,
    LimitReached,
    MatchView,
    SeekResult,
    TimesLeft,
)
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.engine.arena.entrants import Entrant, parse_entrant
from damier.engine.limit import Limit
from damier.server.front.connections import Connections
from damier.server.lobby.seeks import owners
from tests.bot.playing import GREEDY, Running, check_history, free_port, killable, links
from tests.engine.fake_players import Fake
from tests.server.listening import Listening, listening
from tests.server.streaming import Visitor

GAME = "chefa"
LONG = {"badia", "sensei"}  # games between players at random last long


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    home = tmp_path_factory.mktemp("home")
    with listening(home, Connections(1000, 1000, ()), workers=1) as served:
        yield served
        served.services.stop_streams()


class Clients:
    """Makes clients and closes them."""

    def __init__(self, address: str) -> None:
        self._address, self._made = address, list[Client]()

    def new(self, cookie: str = "", token: str | None = None) -> Client:
        self._made.append(Client(self._address, token, cookie=cookie, patience=120))
        return self._made[-1]

    def close(self) -> None:
        for client in self._made:
            client.close()


@pytest.fixture
def clients(server: Listening) -> Iterator[Clients]:
    with contextlib.closing(Clients(f"http://127.0.0.1:{server.port}")) as made:
        yield made


def test_a_bot_with_a_token_accepts_a_rated_challenge_with_a_clock_and_plays_it(
    server: Listening, clients: Clients
) -> None:
    names, programs = [], []
    for _ in range(2):
        with contextlib.closing(Visitor(server.port)) as account:
            names.append(account.sign_up())
            programs.append(clients.new(token=account.new_token("play", "challenge")["token"]))
    bots = [Running(client).start(games=1) for client in programs]
    for bot in bots:
        bot.wait_for("Ready")
    programs[0].challenge(names[1], GAME, clock=ClockView("live", 180, 2), is_rated=True)
    for bot in bots:
        bot.wait()
    assert any(f"Accepts the challenge of {names[0]}." in line for line in bots[1].lines)
    while not (pools := ratings(server, names[1])):  # the match is rated when it is over; a hang is ended by pytest
        time.sleep(0.05)
    assert [(pool["game"], pool["games"]) for pool in pools] == [(GAME, 1)]


def ratings(server: Listening, name: str) -> list[dict[str, Any]]:
    """Returns the ratings of an account."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/api/people/{name}/ratings") as answer:
        found: list[dict[str, Any]] = json.load(answer)["pools"]
        return found


@pytest.mark.untraced  # several times as slow while coverage is measured
@pytest.mark.parametrize("name", damier.games())
def test_bots_play_a_whole_game_of(clients: Clients, name: str) -> None:
    entrant = parse_entrant("level:4@seconds=0.2") if name in LONG else GREEDY
    first, *others = [clients.new() for _ in damier.load(name).players]
    bots = [Running(client, entrant).start(games=1) for client in (first, *others)]
    match = first.begin(name, ["me"] + ["open"] * len(others))
    for client, link in zip(others, links(first, match), strict=True):
        client.take_seat(link)
    for bot in bots:
        bot.wait()
        assert any(f"Match {match.number} is over." in line for line in bot.lines)
    check_history(clients.new().match(match.number))
    for bot in bots:
        bot.stop()
        assert bot.lines[-1] == "Leaves no match."


def test_a_bot_plays_several_matches_at_once_and_is_told_its_rematch(clients: Clients) -> None:
    ann, client = clients.new(), clients.new()
    bot = Running(client).start()
    matches = [ann.begin(GAME, ["open", "me"]) for _ in range(3)]
    for match in matches:
        client.take_seat(links(ann, match)[0])
    bot.wait_for("plays", 3)
    for match in matches:
        assert ann.match(match.number).history
    ann.resign(matches[0].number)
    bot.wait_for(f"Match {matches[0].number} is over.")
    ann.rematch(matches[0].number)
    bot.wait_for("accepts a rematch")
    following = ann.match(matches[0].number).rematch
    assert following
    ann.play(following, "a1")
    bot.wait_for(f"Match {following}: plays")
    bot.stop()
    left = next(line for line in bot.lines if line.startswith("Leaves"))
    assert left.startswith("Leaves 3 matches: ")
    assert set(left.removeprefix("Leaves 3 matches: ").partition(".")[0].split(", ")) == {
        matches[1].number,
        matches[2].number,
        following,
    }


def test_a_bot_that_is_started_again_plays_on(clients: Clients) -> None:
    ann, client = clients.new(), clients.new()
    match = ann.begin(GAME, ["me", "open"])
    client.take_seat(links(ann, match)[0])
    first = Running(client).start()
    first.wait_for("Ready")
    first.stop()
    ann.play(match.number, "a1")
    again = Running(clients.new(client.cookie)).start()
    again.wait_for(f"Match {match.number}: plays")
    assert len(ann.match(match.number).history) == 2
    again.stop()


def test_a_bot_answers_offers(clients: Clients) -> None:
    ann, client = clients.new(), clients.new()
    match = ann.begin(GAME, ["me", "open"], allows_help=True)
    client.take_seat(links(ann, match)[0])
    bot = Running(client).start()
    ann.offer_draw(match.number)
    bot.wait_for("declines an offer")
    ann.play(match.number, "a1")
    bot.wait_for("plays")
    ann.undo(match.number)
    bot.wait_for("accepts a take-back")
    stream = ann.follow(match.number)
    assert next(state for state in stream if state.history == ()).is_my_turn
    stream.close()
    bot.stop()


@pytest.mark.slow
def test_a_server_that_is_killed_and_started_again_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.client.retry._LONGEST_PAUSE", 1.0)
    port = free_port()
    ann, bob = [Client(f"http://127.0.0.1:{port}", patience=600) for _ in range(2)]
    bots: list[Running] = []
    slowly = Entrant("slow", slow)
    for kill in range(3):
        with killable(tmp_path / "matches.sqlite", port):
            if not bots:
                bots = [Running(client, slowly).start(games=1) for client in (ann, bob)]
                match = ann.begin(GAME, ["me", "open"])
                bob.take_seat(links(ann, match)[0])
            if kill < 2:
                for bot in bots:
                    bot.wait_for("plays", 2 * kill + 1)
            else:
                MOVING.set()
                for bot in bots:
                    bot.wait()
                check_history(ann.match(match.number))
    ann.close()
    bob.close()
    for bot in bots:
        assert any(line.startswith("Connects again: ") for line in bot.lines)
        bot.stop()


MOVING = threading.Event()


def slow(game: damier.Game, seed: int) -> Fake:
    """Returns a player that lasts long enough for a server to be killed meanwhile."""
    return Slow("greedy", seed)


class Slow(Fake):
    """Waits before it wins."""

    def choose(self, record: damier.Record, limit: Limit) -> list[str]:
        MOVING.wait(0.2)
        if MOVING.is_set():
            return super().choose(record, limit)
        quiet = [action for action in record.actions() if record.position.play(action).result is None]
        return [self._random.choice(quiet or record.actions())]


def test_another_program_plays_as_a_bot(clients: Clients) -> None:
    command = f"ugi:{sys.executable} -m damier engine {GAME}@seconds=0.05"
    ann, bob = clients.new(), clients.new()
    bots = [Running(ann, parse_entrant(command)).start(games=1), Running(bob).start(games=1)]
    match = ann.begin(GAME, ["me", "open"])
    bob.take_seat(links(ann, match)[0])
    for bot in bots:
        bot.wait()
        bot.stop()
    check_history(clients.new().match(match.number))


@pytest.mark.parametrize("kind", ["illegal", "lazy"])
def test_an_engine_that_fails_again_and_again_resigns(
    clients: Clients, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.bot.seat._PAUSE", 0.01)

    def make(game: damier.Game, seed: int) -> Fake:
        player = Fake(kind, seed)
        player.turns = 10
        return player

    client = clients.new()
    bot = Running(client, Entrant(kind, make)).start(games=1)
    match = client.begin(GAME, ["me", 1])
    bot.wait()
    bot.stop()
    result = clients.new().match(match.number).result
    assert result
    assert result.reason == "resignation"
    assert sum("the engine failed" in line for line in bot.lines) == 3


# BotTerms


def program(server: Listening, clients: Clients) -> tuple[str, Client]:
    """Returns the name and the client of a new account with a token."""
    with contextlib.closing(Visitor(server.port)) as account:
        name = account.sign_up()
        return name, clients.new(token=account.new_token("play", "challenge", "tournament")["token"])


def test_bots_that_seek_with_a_live_clock_find_each_other_again_and_again(
    server: Listening, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owners, "GRACE", 0.0)  # what keeps the seek is the stream
    bots = []
    for _ in range(2):
        _, client = program(server, clients)
        journal: list[str] = []
        seeking = Seeking(client, BotSeek(GAME, parse_clock("3+2"), is_rated=True), Journal(journal.append))
        bots.append(Running(client, seeking=seeking).start(games=2))
        bots[-1].wait_for("Ready")
        time.sleep(1.5)  # in which the lobby looks for seeks whose owners have gone
    for bot in bots:
        bot.wait()
        bot.stop()
        assert sum(" is over. " in line for line in bot.lines) == 2
        assert not any("aborted" in line for line in bot.lines)
    assert server.services.lobby.feed.state_text().count('"seeks":[]') == 1  # nothing waits any more


def test_a_seek_that_the_server_limits_is_made_later(clients: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    client, lines, tries = clients.new(), list[str](), list[str]()

    def seek(game: str, **_given: Any) -> SeekResult:
        tries.append(game)
        if len(tries) == 1:
            raise LimitReached(message("Wait a while."), 429, "matches_per_hour", 0.01)
        if len(tries) == 2:
            raise CallRefused(message("You are banned."), 403)
        raise AssertionError

    monkeypatch.setattr(client, "seek", seek)
    seeking = Seeking(client, BotSeek(GAME), Journal(lines.append))
    seeking.look()
    end = time.monotonic() + 60
    while len(lines) < 2:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert lines == ["Seeks again later: Wait a while.", "Seeks no longer: You are banned."]


def test_bots_enter_a_tournament_and_end_with_it(
    server: Listening, clients: Clients, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.bot.entries._PAUSE", 0.2)
    people = [program(server, clients) for _ in range(4)]
    maker = people[0][1]
    cup = maker.make_tournament("Cup", "swiss", GAME, ClockView("live", 60, 1), rounds=1)
    bots = []
    for _, client in people:
        lines: list[str] = []
        for _ in range(2):  # the second time it plays in it already
            enter(client, cup.number, GREEDY, Journal(lines.append))
        assert lines == [f"Gets ready for {GAME}.", "Plays in the tournament Cup."] * 2
        bot = Running(client)
        entries = Entries(client, [cup.number], Journal(bot.lines.append), bot.bot.finish)
        bots.append(bot.start())
        bot.wait_for("Ready")
        entries.start()
    maker.start_tournament(cup.number)
    for bot in bots:
        bot.wait()
        bot.stop()
        assert any(re.match("The tournament Cup is over: place [1-4] of 4.", line) for line in bot.lines), bot.lines
    ended = maker.tournament(cup.number)
    assert ended.is_over
    assert sum(each.points for each in ended.standings) == 2


def test_a_bot_that_is_to_finish_plays_its_matches_to_their_end(clients: Clients) -> None:
    ann, bob = clients.new(), clients.new()
    match = ann.begin(GAME, ["me", "open"])
    bob.take_seat(links(ann, match)[0])
    bots = [Running(client).start() for client in (ann, bob)]
    for bot in bots:
        bot.wait_for(f"Match {match.number}")
        bot.bot.finish()
    for bot in bots:
        bot.wait()
        bot.stop()
        assert bot.lines[-1] == "Leaves no match."
    check_history(clients.new().match(match.number))


def test_a_clock_is_written_as_minutes_and_seconds() -> None:
    assert parse_clock("3+2") == ClockView("live", 180, 2)
    assert parse_clock("5d12") == ClockView("live", 300, 0, 12)
    for text in ("", "3", "3+", "+2", "3+2+1", "3 + 2", "1000+0", "٣+2"):
        with pytest.raises(BadArgument, match=r"^A clock is minutes and the seconds"):
            parse_clock(text)


def challenge(*games: str, is_program: bool = False) -> Challenge:
    ways: tuple[dict[str, Any], ...] = tuple(
        {"game": game, "options": {}, "clock": None, "is_rated": False} for game in games
    )
    return Challenge("S", "Ann", is_program, ways)


def test_a_bot_accepts_by_its_terms() -> None:
    terms = BotTerms(frozenset({GAME}), at_once=2, people_only=True)
    assert terms.accepted(challenge("renfa", GAME), 1) == 1
    assert terms.accepted(challenge("renfa"), 1) is None
    assert terms.accepted(challenge(GAME), 2) is None
    assert terms.accepted(challenge(GAME, is_program=True), 0) is None
    assert BotTerms(frozenset()).accepted(challenge("renfa", is_program=True), 3) == 0


# Time


def timed(clock: ClockView | None, clocks: TimesLeft | None) -> MatchView:
    return MatchView(
        number="N",
        game=GAME,
        options={},
        seats=(),
        seq=0,
        position=str(damier.load(GAME).start),
        mover="b",
        turn=1,
        is_my_turn=True,
        actions=(),
        history=(),
        clock=clock,
        clocks=clocks,
    )


@given(
    left=st.floats(0, 10_000),
    increment=st.integers(0, 60),
    delay=st.integers(0, 60),
    first=st.none() | st.floats(0, 60),
    most=st.floats(0.02, 1000),
)
def test_a_turn_never_takes_all_that_is_left(
    left: float, increment: int, delay: int, first: float | None, most: float
) -> None:
    clocks = TimesLeft({"b": left, "w": 5.0}, float(delay), first)
    seconds = turn_seconds(timed(ClockView("live", 300, increment, delay), clocks), "b", most)
    assert 0.02 <= seconds <= max(0.02, most)
    assert seconds <= max(0.02, left + delay - 0.5)
    assert first is None or seconds <= max(0.02, 0.3 * first)


def test_time_is_spent_by_the_clock() -> None:
    def seconds(left: float, increment: int = 0) -> float:
        clocks = TimesLeft({"b": left, "w": 1.0})
        return turn_seconds(timed(ClockView("live", 300, increment), clocks), "b", 60.0)

    assert seconds(300) == pytest.approx(10.0)
    assert seconds(30) == pytest.approx(1.0)
    assert seconds(30, 2) == pytest.approx(2.4)
    assert seconds(0.4) == 0.02
    assert turn_seconds(timed(None, None), "b", 3.0) == 3.0


def test_games_with_a_clock_that_simulated_time_runs_down_are_not_lost_by_it() -> None:
    clock, left = ClockView("live", 180, 2), 180.0
    for _ in range(500):
        left -= turn_seconds(timed(clock, TimesLeft({"b": left})), "b", 60.0) + 0.3  # with the way to the server
        assert left > 0
        left += clock.increment


# Records and journal


def test_the_record_of_a_long_match_begins_at_its_position() -> None:
    match = timed(None, None)
    assert record_of(match).played == ()
    for history in (("a1",), ("z9",)):
        shortened = dataclasses.replace(match, history=history, older=3)
        assert (record_of(shortened).played, str(record_of(shortened).position)) == ((), match.position)


def test_a_journal_as_json_has_the_sentence_in_a_language() -> None:
    lines: list[str] = []
    Journal(lines.append, "de", is_json=True).note("left", message("Leaves no match."), matches=[])
    assert json.loads(lines[0]) == {"event": "left", "matches": [], "sentence": "Verlässt keine Partie."}
