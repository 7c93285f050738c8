"""A tournament follows from its events; what is due follows, too."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damier.core.errors import BadArgument, DamierError
from damier.server.errors import NotAllowed, NotNow
from damier.server.tournaments.arena import GRACE_SECONDS
from damier.server.tournaments.due import BREAK_SECONDS, PATIENCE_SECONDS, WAVE_SECONDS, next_time
from damier.server.tournaments.pairing import annulled, sheets_of
from damier.server.tournaments.standings import standings
from damier.server.tournaments.terms import Kind, TournamentTerms, parse_terms
from damier.server.tournaments.times import later
from damier.server.tournaments.tournament import Tournament, TournamentEvent
from tests.server.tournaments.simulated import DAYS, LIVE, START, Simulated, terms


def refusal(of: Simulated, person: str, do: str) -> str:
    before = of.tournament.seq
    with pytest.raises((NotNow, NotAllowed)) as refused:
        of.ask(person, do)
    assert of.tournament.seq == before
    return str(refused.value)


# TournamentTerms


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"kind": "round_robin", "rounds": 3}, "In a round robin everybody meets once or twice."),
        ({"kind": "swiss", "rounds": 16}, "A Swiss tournament has 1 to 15 rounds."),
        ({"kind": "arena", "minutes": 0}, "An arena lasts 1 to 720 minutes."),
        ({"kind": "arena", "minutes": 60, "control": DAYS}, "An arena needs live clocks."),
        ({"kind": "swiss", "rounds": 3, "title": ""}, "The title of a tournament has 1 to 60 characters."),
        ({"kind": "swiss", "rounds": 3, "starts": "tomorrow"}, "This is not a time: 'tomorrow'."),
        (
            {"kind": "swiss", "rounds": 3, "round_seconds": 60},
            "Fixed times of rounds go with correspondence clocks: live rounds follow each other.",
        ),
        (
            {"kind": "swiss", "rounds": 3, "control": DAYS, "round_seconds": 10**9},
            "The next round begins within 60 days.",
        ),
    ],
)
def test_terms_that_do_not_fit_are_refused(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadArgument) as refused:
        TournamentTerms(**{"title": "Cup", "game": "chefa", "control": LIVE, **given})  # type: ignore[arg-type]
    assert str(refused.value) == sentence


def test_terms_can_be_stored() -> None:
    chosen = TournamentTerms("Cup", "swiss", "omba", DAYS, {"players": 2}, True, 5, 0, START, 86_400)
    assert parse_terms(json.loads(json.dumps(chosen.data()))) == chosen


# Joining and starting


def test_joining_twice_changes_nothing() -> None:
    cup = Simulated(terms("swiss"), "aab")
    assert (cup.tournament.active, cup.tournament.seq) == (["a", "b"], 2)


def test_who_withdraws_before_the_start_is_gone() -> None:
    cup = Simulated(terms("swiss"), "ab")
    cup.ask("a", "withdraw")
    assert list(cup.tournament.players) == ["b"]
    assert refusal(cup, "a", "withdraw") == "You do not play in this tournament."


def test_a_full_tournament_cannot_be_joined() -> None:
    cup = Simulated(terms("round_robin"), "abcdefghijklmnop")
    assert refusal(cup, "q", "join") == "The tournament is full: it has 16 players."


def test_only_the_maker_starts_and_cancels() -> None:
    cup = Simulated(terms("swiss"), "a")
    assert refusal(cup, "a", "start") == "Only its maker can start the tournament."
    assert refusal(cup, "a", "cancel") == "Only its maker can cancel the tournament."
    assert refusal(cup, "maker", "start") == "A tournament needs at least two players."
    cup.ask("b", "join")
    cup.start()
    assert refusal(cup, "maker", "start") == "The tournament has begun already."
    assert refusal(cup, "maker", "cancel") == "The tournament has begun already and cannot be cancelled."


def test_a_cancelled_tournament_is_over() -> None:
    cup = Simulated(terms("swiss"), "ab")
    cup.ask("maker", "cancel")
    assert cup.tournament.status == "cancelled"
    assert refusal(cup, "c", "join") == "The tournament is over."


def test_a_tournament_starts_at_its_time() -> None:
    cup = Simulated(terms("swiss", starts=later(START, 60)), "ab")
    cup.wait(59)
    assert cup.tournament.status == "waiting"
    cup.wait(1)
    assert cup.tournament.started == later(START, 60)
    assert cup.pairs() == [("a", "b")]


def test_a_tournament_that_too_few_have_joined_is_cancelled_at_its_time() -> None:
    cup = Simulated(terms("swiss", starts=later(START, 60)), "a")
    cup.wait(60)
    assert cup.tournament.status == "cancelled"


def test_a_tournament_that_nobody_starts_is_cancelled_in_the_end() -> None:
    cup = Simulated(terms("swiss"), "ab")
    cup.wait(PATIENCE_SECONDS)
    assert cup.tournament.status == "cancelled"


# Rounds


def test_a_round_begins_some_seconds_after_the_last_one() -> None:
    cup = Simulated(terms("round_robin"), "abcd")
    cup.start()
    first, second = cup.tournament.running
    cup.finish(first, 1)
    cup.wait(1000)
    assert len(cup.tournament.rounds) == 1
    cup.finish(second, 0.5)
    cup.wait(BREAK_SECONDS - 1)
    assert len(cup.tournament.rounds) == 1
    cup.wait(1)
    assert len(cup.tournament.rounds) == 2


def test_a_round_with_correspondence_clocks_begins_at_its_time_while_games_go_on() -> None:
    cup = Simulated(terms("swiss", 3, DAYS, round_seconds=1000), "abcd")
    cup.start()
    cup.finish(cup.tournament.running[0], 1)
    cup.wait(999)
    assert len(cup.tournament.rounds) == 1
    cup.wait(1)
    assert len(cup.tournament.rounds) == 2
    met = Counter(frozenset(game.people) for game in cup.tournament.games)
    assert max(met.values()) == 1


def test_who_joins_a_round_robin_late_plays_at_once_who_has_a_bye() -> None:
    cup = Simulated(terms("round_robin"), "abc")
    cup.start()
    assert (cup.pairs(), cup.tournament.rounds[0].byes) == ([("b", "a")], ["c"])
    cup.ask("d", "join")
    cup.settle()
    assert (cup.pairs(), cup.tournament.rounds[0].byes) == ([("b", "a"), ("d", "c")], [])
    cup.ask("e", "join")
    cup.settle()
    for game in cup.tournament.running:
        cup.finish(game, 1)
    cup.wait(BREAK_SECONDS)
    assert cup.tournament.round_total == 5
    sentence = "A round robin cannot be joined once its second round has begun."
    assert refusal(cup, "f", "join") == sentence


def test_who_leaves_a_round_robin_early_counts_as_never_there() -> None:
    cup = Simulated(terms("round_robin"), "abcd")
    cup.start()
    assert cup.pairs() == [("a", "d"), ("c", "b")]
    for game in cup.tournament.running:
        cup.finish(game, 1)
    cup.ask("d", "withdraw")
    assert annulled(cup.tournament) == {"d"}
    cup.wait(BREAK_SECONDS)
    assert cup.pairs() == [("c", "a"), ("b", "d")]
    assert [game.is_over for game in cup.tournament.rounds[-1].games] == [False, True]
    cup.finish(cup.tournament.running[0], 0.5)
    cup.wait(BREAK_SECONDS)
    cup.finish(cup.tournament.running[0], 1)
    assert cup.tournament.status == "ended"
    found = {each.person: each.points for each in standings(sheets_of(cup.tournament), "round_robin")}
    assert found == {"a": 1.5, "c": 1.5, "b": 0.0, "d": 0.0}


def test_who_leaves_a_round_robin_late_loses_what_is_left() -> None:
    cup = Simulated(terms("round_robin"), "abcd")
    cup.start()
    for pause in (BREAK_SECONDS, 0):
        for game in cup.tournament.running:
            cup.finish(game, 1)
        cup.wait(pause)
    cup.ask("d", "withdraw")
    cup.wait(BREAK_SECONDS)
    assert cup.pairs() == [("a", "b"), ("d", "c")]
    cup.finish(cup.tournament.running[0], 1)
    found = {each.person: each.points for each in standings(sheets_of(cup.tournament), "round_robin")}
    assert found == {"a": 2.0, "b": 1.0, "c": 3.0, "d": 0.0}
    assert refusal(cup, "d", "join") == "The tournament is over."


def test_who_has_withdrawn_from_a_round_robin_cannot_come_back() -> None:
    cup = Simulated(terms("round_robin"), "abcd")
    cup.start()
    cup.ask("a", "withdraw")
    assert refusal(cup, "a", "join") == "You have withdrawn from this round robin and cannot join it again."


def test_who_joins_a_swiss_tournament_late_is_paired_from_then_on() -> None:
    cup = Simulated(terms("swiss", 3), "abcd")
    cup.start()
    cup.ask("e", "join", 2000)
    for game in cup.tournament.running:
        cup.finish(game, 1)
    cup.wait(BREAK_SECONDS)
    here = {*cup.tournament.rounds[-1].byes, *(person for pair in cup.pairs() for person in pair)}
    assert here == set("abcde")


def test_the_last_round_of_a_swiss_tournament_cannot_be_joined() -> None:
    cup = Simulated(terms("swiss", 1), "abc")
    cup.start()
    assert refusal(cup, "d", "join") == "The last round has begun: nobody can join any more."


def test_a_bye_of_a_swiss_tournament_is_a_point() -> None:
    cup = Simulated(terms("swiss", 1), "abc")
    cup.start()
    cup.finish(cup.tournament.running[0], 0.5)
    assert [each.points for each in standings(sheets_of(cup.tournament), "swiss")] == [1.0, 0.5, 0.5]


def test_who_does_not_come_loses_and_after_the_second_time_is_withdrawn() -> None:
    cup = Simulated(terms("swiss", 5), "abcdef")
    cup.start()
    for _ in range(2):
        assert "a" in cup.tournament.active
        for game in cup.tournament.running:
            if "a" in game.people:
                cup.miss(game, "a")
            else:
                cup.finish(game, 1)
        cup.wait(BREAK_SECONDS)
    assert "a" not in cup.tournament.active
    assert "a" not in {person for pair in cup.pairs() for person in pair}
    assert dict(Counter(game.absent for game in cup.tournament.finished))["a"] == 2
    cup.ask("a", "join")
    assert "a" in cup.tournament.active


# Arena


def test_an_arena_pairs_who_is_free_until_its_time_is_up() -> None:
    cup = Simulated(terms("arena"), "abcd")
    cup.start()
    assert cup.pairs() == [("a", "b"), ("c", "d")]
    first, second = cup.tournament.running
    cup.wait(60)
    cup.finish(first, 1)
    assert cup.tournament.running == [second]
    cup.finish(second, 1)
    assert {frozenset(game.people) for game in cup.tournament.running} == {frozenset("ac"), frozenset("bd")}
    cup.finish(cup.tournament.running[0], 1)
    cup.finish(cup.tournament.running[0], 1)
    assert not cup.tournament.running  # a moment ago they were paired
    cup.wait(WAVE_SECONDS)
    assert len(cup.tournament.running) == 2
    cup.wait(30 * 60)
    assert cup.tournament.events[-1].kind != "end"
    last = cup.tournament.running
    cup.finish(last[0], 1)
    cup.wait(GRACE_SECONDS)
    assert cup.tournament.events[-1].kind == "end"
    assert cup.tournament.result_events(last[1], None, None, cup.now) == []
    assert refusal(cup, "e", "join") == "The tournament is over."


def test_an_arena_whose_time_is_up_cannot_be_joined() -> None:
    cup = Simulated(terms("arena"), "ab")
    cup.start()
    cup.wait(30 * 60)
    assert refusal(cup, "c", "join") == "The time is up: nobody can join any more."


# Anything


@pytest.mark.untraced  # several times as slow while coverage is measured
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(("round_robin", "swiss", "arena")), st.integers(1, 2), st.data())
def test_whatever_happens_a_tournament_comes_to_its_end(kind: Kind, rounds: int, data: st.DataObject) -> None:
    """Players come, go, miss games and play; no game is counted twice, and replaying the events gives the same."""
    cup = Simulated(terms(kind, rounds), "abcde"[: data.draw(st.integers(2, 5))])
    cup.start()
    steps = 0
    while cup.tournament.status == "running":
        steps += 1
        assert steps < 2000
        person = data.draw(st.sampled_from("abcdefg")) if steps < 40 else "a"
        do = data.draw(st.sampled_from(("join", "withdraw", *["play"] * 6))) if steps < 40 else "play"
        running = cup.tournament.running
        if do != "play":
            try:
                cup.ask(person, do)
            except DamierError:
                continue
            cup.settle()
        elif running:
            game = running[data.draw(st.integers(0, len(running) - 1))] if steps < 40 else running[0]
            cup.wait(7)
            if data.draw(st.integers(0, 5)) if steps < 40 else True:
                cup.finish(game, data.draw(st.sampled_from((0, 0.5, 1))) if steps < 40 else 1)
            else:
                cup.miss(game, data.draw(st.sampled_from(game.people)))
        else:
            time = next_time(cup.tournament, cup.now)
            assert time is not None, "nothing would ever happen again"
            cup.now = time
            cup.settle()
    check(cup.tournament)


def check(tournament: Tournament) -> None:
    """Checks what holds at the end of every tournament."""
    twin = Tournament(tournament.number, tournament.terms, tournament.maker, tournament.created)
    for event in tournament.events:
        twin.add(TournamentEvent(**json.loads(json.dumps(event.data()))))
    assert (twin.games, twin.players, twin.rounds) == (tournament.games, tournament.players, tournament.rounds)
    results = [event.game for event in tournament.events if event.kind == "result"]
    assert len(set(results)) == len(results)
    met = Counter(frozenset(game.people) for game in tournament.games if game.absent is None)
    most = {"round_robin": tournament.terms.rounds, "swiss": 1, "arena": len(tournament.games)}[tournament.terms.kind]
    assert max(met.values(), default=0) <= most
    if tournament.terms.kind == "arena":
        return
    for each in tournament.rounds:
        people = [person for game in each.games for person in game.people] + each.byes
        assert len(set(people)) == len(people)
