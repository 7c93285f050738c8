"""What sockets are sent of a match: events say what is new, are encoded once, and do not grow with the match."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import damier
from bench.live import long_game, match_of
from damier.core.messages import LANGUAGES
from damier.server.matches import live_match
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import PERSON, Event, Match, Seat
from damier.server.matches.match_data import common_state, own_state
from damier.server.wire.matches import EventMessage, MatchSnapshot
from damier.server.wire.model import WireModel
from tests.games.option_sets import OPTION_SETS
from tests.server.pages import state_after

WATCHER = "eve"


class Heard:
    """A connection that keeps what it is sent."""

    lag = 0

    def __init__(self, live: LiveMatch, visitor: str, lang: str = "en") -> None:
        self.visitor, self._live, self._lang = visitor, live, lang
        self.texts: list[str] = []
        live.join(self, lang)

    def send_text(self, text: str) -> None:
        self.texts.append(text)

    def handle_event(self, seq: int, event: Event) -> None:
        self.send_text(self._live.event_text(seq, event, self.visitor, self._lang))

    @property
    def last(self) -> dict[str, Any]:
        """The last message."""
        found: dict[str, Any] = json.loads(self.texts[-1])
        return found

    def messages(self, kind: str) -> list[dict[str, Any]]:
        return [message for text in self.texts if (message := json.loads(text))["type"] == kind]


def tell(live: LiveMatch, event: Event) -> None:
    """Applies an event and informs all connections, as the referee does."""
    live.match.add(event)
    for listener in tuple(live.listeners):
        listener.handle_event(live.match.seq, event)


def events(match: Match, count: int) -> Iterator[Event]:
    """Yields events of a random game: actions, rolls, take-backs, offers and the end."""
    rng = random.Random(3)
    for number in range(count):
        record, player = match.record, match.seats[number % len(match.seats)].player
        if record.result or (number % 9 == 8 and record.count > 3):
            yield Event("undo", player, to=record.count - 3)
        elif number % 7 == 6:
            yield Event("offer", player, what="draw")
        elif record.mover == "chance":
            yield Event("roll", action=rng.choice(record.actions()))
        else:
            yield Event("play", record.mover, rng.choice(record.actions()))
    if not match.record.result:
        yield Event("draw")


@pytest.mark.parametrize(("name", "options"), OPTION_SETS, ids=str)
def test_a_page_that_adds_what_is_new_has_the_state_of_a_snapshot(name: str, options: dict[str, Any]) -> None:
    game = damier.load(name, **options)
    seats = [Seat(player, PERSON, visitor=f"visitor {player}") for player in game.players]
    live = LiveMatch(Match("x", game, seats, bytes(32), "visitor 1", "", allows_help=True))
    pages = [Heard(live, seat.visitor or "", lang) for seat, lang in zip(seats, LANGUAGES * 2, strict=False)]
    pages.append(Heard(live, WATCHER))
    states = [page.messages("snapshot")[0]["state"] for page in pages]
    for event in events(live.match, 40):
        tell(live, event)
        for place, page in enumerate(pages):
            EventMessage.model_validate_json(page.texts[-1])
            states[place] = state_after(states[place], page.last)
            lang = (LANGUAGES * 2)[place] if place < len(seats) else "en"
            assert states[place] == json.loads(live.snapshot(page.visitor, lang).model_dump_json())["state"]


def test_an_event_costs_one_encoding_for_all_spectators_of_a_language(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []

    def counted(part: Callable[[Match, str], WireModel]) -> Callable[[Match, str], WireModel]:
        def make(match: Match, name: str) -> WireModel:
            encoded.append(name)
            return part(match, name)

        return make

    monkeypatch.setattr(live_match, "common_state", counted(common_state))
    monkeypatch.setattr(live_match, "own_state", counted(own_state))
    live = LiveMatch(match_of(long_game("chefa", 4)))
    players = [Heard(live, seat.visitor or "") for seat in live.match.seats]
    watchers = [Heard(live, f"watcher {number}", "fr" if number % 2 else "en") for number in range(40)]
    encoded.clear()
    tell(live, Event("play", live.match.record.mover, live.match.record.actions()[0]))
    assert sorted(name.split()[0] for name in encoded) == ["en", "fr", "visitor", "visitor", "watcher"]
    assert len({watcher.texts[-1] for watcher in watchers}) == 2
    assert all(watcher.texts[-1] is watchers[0].texts[-1] for watcher in watchers[::2])
    assert players[0].last["state"]["is_my_turn"] != players[1].last["state"]["is_my_turn"]


@pytest.mark.parametrize("name", ["chefa", "sensei", "omba"])
def test_an_event_is_as_large_after_2000_actions_as_after_20_and_no_growing_list_is_walked(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {}
    for length in (20, 2_000):
        match = match_of(long_game(name, length))
        live = LiveMatch(match)
        page = Heard(live, match.seats[0].visitor or "")
        with monkeypatch.context() as patch:
            for walked in ("played", "positions", "turns", "copy"):
                patch.delattr(damier.Record, walked)
            action = match.record.actions()[0]
            match.decide(match.seat(match.record.mover).visitor or "", "play", action=action)
            tell(live, Event("play", match.record.mover, action))
        assert page.last["history"]["kept"] == match.record.count - 1 >= length
        assert [entry["action"] for entry in page.last["history"]["added"]] == [action]
        sizes[length] = len(page.texts[-1])
    assert sizes[2_000] < 2 * sizes[20]


def test_a_snapshot_says_how_many_older_actions_it_leaves_out() -> None:
    match = match_of(long_game("chefa", 2_200))
    live = LiveMatch(match)
    shot: MatchSnapshot = live.snapshot("", "en")
    assert (len(shot.state.history), shot.state.older) == (2_000, 200)
    assert [entry.action for entry in shot.state.history] == list(match.record.played[200:])


def test_presence_is_told_when_it_changes_and_only_then() -> None:
    live = LiveMatch(match_of(long_game("chefa", 4)))
    seats = live.match.seats
    black = Heard(live, seats[0].visitor or "")
    watchers = [Heard(live, f"watcher {number}") for number in range(20)]
    again = Heard(live, seats[0].visitor or "")
    live.leave(again)
    assert [message["seats"] for message in black.messages("here")] == [["b"]]
    white = Heard(live, seats[1].visitor or "")
    live.leave(black)
    assert [message["seats"] for message in watchers[0].messages("here")] == [["b", "w"], ["w"]]
    for listener in (white, *watchers):
        live.leave(listener)
    assert live.listeners == set()
    assert not any(seat.is_here for seat in live.snapshot("", "en").seats)
