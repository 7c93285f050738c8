"""Who is told what when something happens in a match."""

from __future__ import annotations

import json

import damier
from damier.core.messages import message
from damier.server.matches.clock import DAY, TimeControl
from damier.server.matches.match import OPEN, PERSON, Event, Match, Seat
from damier.server.notices import decide, notice
from damier.server.notices.notice import Notice

ANN, BOB = "a" * 32, "b" * 32
SLOW = TimeControl("correspondence", 2 * DAY, DAY, cap=4 * DAY)
FAST = TimeControl("live", 180, 2)
NAMES = {ANN: "Ann", BOB: "Bob"}
MS = 1000


def match_of(control: TimeControl | None = SLOW, people: tuple[str | None, str | None] = (ANN, BOB)) -> Match:
    game = damier.load("chefa")
    seats = [
        Seat(player, PERSON, visitor=person) if person else Seat(player, OPEN, invitation="x")
        for player, person in zip(game.players, people, strict=True)
    ]
    return Match("number", game, seats, bytes(32), ANN, "2026-11-17T12:00:00.000Z", control=control)


def happen(match: Match, event: Event) -> list[Notice]:
    match.add(event)
    return decide.of_event(match, event, NAMES.__getitem__)


def next_play(match: Match, at: int = 0) -> Event:
    return Event("play", match.record.mover, match.record.actions()[0], at=at)


def told(notices: list[Notice]) -> list[tuple[str, str, str, str]]:
    return [(each.kind, each.person, each.title.render(), each.text.render()) for each in notices]


def test_whose_turn_it_becomes_is_told() -> None:
    match = match_of()
    found = happen(match, next_play(match))
    assert told(found) == [("turn", BOB, "Your turn", "It is your turn against Ann: Chefa.")]
    assert (found[0].path, found[0].tag, found[0].seq) == ("/m/number", "match-number", 1)


def test_the_words_are_in_the_language_of_the_reader() -> None:
    match = match_of()
    found = happen(match, next_play(match))[0]
    assert found.text.render("fr") == "C’est à vous de jouer contre Ann : Chefa."
    assert found.text.render("de") == "Du bist am Zug gegen Ann: Chefa."


def test_a_match_without_a_clock_is_told_of_and_a_live_one_is_not() -> None:
    untimed, live = match_of(None), match_of(FAST)
    assert [each.kind for each in happen(untimed, next_play(untimed))] == ["turn"]
    assert happen(live, next_play(live)) == []


def test_who_plays_alone_or_waits_for_somebody_is_told_nothing() -> None:
    alone, waiting = match_of(None, (ANN, ANN)), match_of(None, (ANN, None))
    assert happen(alone, next_play(alone)) == []
    assert happen(waiting, next_play(waiting)) == []


def test_further_actions_of_a_turn_are_not_told() -> None:
    game = damier.load("renfa")
    seats = [Seat(player, PERSON, visitor=who) for player, who in zip(game.players, (ANN, BOB), strict=True)]
    match = Match("number", game, seats, bytes(32), ANN, "2026-11-17T12:00:00.000Z")
    kinds = []
    for _ in range(12):
        mover = match.record.mover
        found = happen(match, next_play(match))
        kinds.append((match.record.mover != mover, [each.kind for each in found]))
    assert all(kind == (["turn"] if is_other else []) for is_other, kind in kinds)
    assert any(is_other for is_other, _ in kinds)


def test_the_end_is_told_to_both() -> None:
    match = match_of()
    happen(match, next_play(match))
    found = happen(match, Event("resign", match.game.players[1], at=5))
    assert told(found) == [
        ("over", ANN, "You win", "Your game against Bob has ended: Chefa."),
        ("over", BOB, "You lose", "Your game against Ann has ended: Chefa."),
    ]
    offered = happen(match, Event("offer", match.game.players[0], what="rematch"))
    assert offered == []
    again = happen(match, Event("rematch", match.game.players[1], number="next"))
    assert [(each.kind, each.path) for each in again] == [("answer", "/m/next")] * 2


def test_a_draw_and_an_aborted_game_have_words_of_their_own() -> None:
    drawn, aborted = match_of(), match_of()
    happen(drawn, next_play(drawn))
    titles = [each.title.render() for each in happen(drawn, Event("draw", at=1))]
    assert titles == ["The game is drawn"] * 2
    titles = [each.title.render() for each in happen(aborted, Event("abort", aborted.game.players[0], at=1))]
    assert titles == ["The game is over"] * 2


def test_a_reminder_comes_after_most_of_the_time_of_a_turn_and_once() -> None:
    match = match_of()
    for at in (0, 10):
        match.add(next_play(match, at))
    assert match.clocks
    began, deadline = 10, 10 + 2 * DAY * MS
    assert match.clocks.deadline() == deadline
    due = match.clocks.reminder()
    assert due == began + (deadline - began) * 80 // 100
    found = decide.of_reminder(match, due, NAMES.__getitem__)
    assert told(found) == [
        ("reminder", ANN, "Your time is running out", "You have 9 hours for your turn against Bob: Chefa.")
    ]
    assert [decide.is_due(each, match) for each in found] == [True]
    match.add(next_play(match, due + 1))
    assert [decide.is_due(each, match) for each in found] == [False]
    live = match_of(FAST)
    live.add(next_play(live, 0))
    assert live.clocks
    assert live.clocks.reminder() is None


def test_nobody_is_reminded_within_a_vacation() -> None:
    match = match_of()
    for at in (0, 10):
        match.add(next_play(match, at))
    assert match.clocks
    before = match.clocks.reminder()
    assert before is not None
    back = 1010 + 7 * DAY * MS
    match.add(Event("vacation", match.record.mover, until=back, at=1010))
    due, deadline = match.clocks.reminder(), match.clocks.deadline()
    assert (due, deadline) == (before + 7 * DAY * MS, 10 + 9 * DAY * MS)
    match.add(Event("return", match.record.mover, at=2010))
    assert match.clocks.deadline() == 10 + 2 * DAY * MS + 1000
    match.add(Event("vacation", match.record.mover, until=back, at=before + 5000))
    assert match.clocks.reminder() is None  # given already


def test_a_turn_that_was_played_is_no_longer_due() -> None:
    match = match_of()
    found = happen(match, next_play(match))[0]
    assert decide.is_due(found, match)
    happen(match, next_play(match))
    assert not decide.is_due(found, match)


def test_a_live_game_of_a_tournament_is_told_for_a_minute() -> None:
    live, slow = match_of(FAST), match_of(SLOW)
    found = decide.of_tournament(live, "Cup", NAMES.__getitem__)
    assert told(found) == [
        ("tournament", ANN, "Your tournament game begins", "Cup: you play Bob, Chefa."),
        ("tournament", BOB, "Your tournament game begins", "Cup: you play Ann, Chefa."),
    ]
    assert {each.seconds for each in found} == {60}
    assert {each.seconds for each in decide.of_tournament(slow, "Cup", NAMES.__getitem__)} == {3 * DAY}


def test_every_kind_can_be_switched_off_for_each_channel() -> None:
    assert len(notice.SWITCHES) == 2 * len(notice.KINDS) == 14


def test_every_notice_comes_out_of_json_as_it_went_in() -> None:
    what = message("{game}, {clock}", game="X", clock=SLOW.message())
    made = [
        notice.of_turn(ANN, "m", "X", ["Bob"], 3),
        notice.of_reminder(ANN, "m", "X", ["Bob"], 7200, None),
        notice.of_challenge(ANN, "s", "Bob", what, is_live=True),
        notice.of_acceptance(ANN, "m", "Bob", "X", is_challenge=False),
        notice.of_refusal(ANN, "s", "Bob", "X"),
        notice.of_rematch(ANN, "m", "X", ["Bob", "Cat"]),
        notice.of_seek(ANN, "s", "Bob", what, is_live=False),
        notice.of_tournament_game(ANN, "m", "Cup", "X", ["Bob"], is_live=True),
        notice.of_end(ANN, "m", "X", ["Bob"], "won"),
    ]
    assert {each.kind for each in made} == set(notice.KINDS)
    for each in made:
        read = Notice.read(json.loads(json.dumps(each.data())))
        assert read == each
        assert read.text.render("fr") == each.text.render("fr")
