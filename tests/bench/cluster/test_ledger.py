"""The ledger finds every promise that was not kept; each test breaks one."""

from dataclasses import replace

import pytest

from bench.cluster.ledger import (
    Heard,
    ListenerLedger,
    MatchLedger,
    Problem,
    Request,
    Snapshot,
    StoredEvent,
    StoredMatch,
    problems,
)

ACTIONS = ("a1", "b2", "c3", "d4")
VISITORS = {"b": "ann", "w": "bob"}


def kept_ledger() -> MatchLedger:
    """Returns what clients know of a match in which every promise was kept: a seat taken, then four actions."""
    ledger = MatchLedger("match", dict(VISITORS))
    for place, action in enumerate(ACTIONS):
        player, seq = "bw"[place % 2], place + 2
        ledger.requests.append(Request(f"r{place}", player, action, 10.0 + place, seq, 10.1 + place))
    for name, mine in (("first", "b"), ("second", "w"), ("spectator", "")):
        told: list[Snapshot | Heard] = [Snapshot(1, (), 0, tuple(mine))]
        told += [Heard(place + 2, "play", "bw"[place % 2], action) for place, action in enumerate(ACTIONS)]
        told += [Snapshot(5, ACTIONS[1:], 1, tuple(mine))]  # connected again; the history is not whole
        ledger.listeners.append(ListenerLedger(name, tuple(mine), told))
    return ledger


def stored_events() -> list[StoredEvent]:
    seat = StoredEvent(1, "seat", "w", visitor="bob", at=9_000)
    plays = [
        StoredEvent(
            place + 2, "play", "bw"[place % 2], action, VISITORS["bw"[place % 2]], f"r{place}", 10_050 + 1000 * place
        )
        for place, action in enumerate(ACTIONS)
    ]
    return [seat, *plays]


def found(
    ledger: MatchLedger, events: list[StoredEvent] | None = None, visitors: dict[str, str | None] | None = None
) -> list[Problem]:
    match = StoredMatch("match", visitors or dict(VISITORS), stored_events() if events is None else events)
    return problems([ledger], {"match": match})


def kinds(*given: object) -> set[str]:
    return {problem.what for problem in found(*given)}  # type: ignore[arg-type]


def test_a_match_whose_promises_were_kept_has_no_problem() -> None:
    assert found(kept_ledger()) == []


def test_a_match_that_is_not_stored_is_lost() -> None:
    (problem,) = problems([kept_ledger()], {})
    assert str(problem) == "match match: lost: the match is not in the database"


def test_a_confirmed_action_that_is_not_stored_is_lost() -> None:
    sentences = [str(problem) for problem in found(kept_ledger(), stored_events()[:-1])]
    assert "match match: lost: request r3, w plays d4: confirmed as event 5, and not stored" in sentences


def test_an_action_that_was_not_confirmed_may_be_stored_or_not() -> None:
    ledger = kept_ledger()
    ledger.requests[-1].seq = None
    assert found(ledger) == []
    for listener in ledger.listeners:
        listener.told = listener.told[:-2]
    assert found(ledger, stored_events()[:-1]) == []


def test_a_request_that_is_stored_twice_is_doubled() -> None:
    events = [*stored_events(), StoredEvent(6, "play", "b", "a1", "ann", "r0", 14_000)]
    assert "request r0 is stored 2 times" in [problem.sentence for problem in found(kept_ledger(), events)]


def test_an_action_that_nobody_sent_is_doubled() -> None:
    events = [*stored_events(), StoredEvent(6, "play", "b", "a1", "ann", None, 14_000)]
    assert "doubled" in kinds(kept_ledger(), events)


def test_an_action_that_is_stored_as_another_is_lost() -> None:
    events = stored_events()
    events[2] = replace(events[2], action="e5")
    assert "lost" in kinds(kept_ledger(), events)


def test_actions_stored_in_another_order_than_confirmed_are_found() -> None:
    events = stored_events()
    events[1], events[3] = replace(events[3], seq=2), replace(events[1], seq=4)
    sentences = [problem.sentence for problem in found(kept_ledger(), events) if problem.what == "order"]
    assert sentences == [
        "request r0, b plays a1: confirmed as event 2, stored as 4",
        "request r2, b plays c3: confirmed as event 4, stored as 2",
    ]


def test_actions_of_a_player_confirmed_in_another_order_than_sent_are_found() -> None:
    ledger = kept_ledger()
    ledger.requests[0], ledger.requests[2] = ledger.requests[2], ledger.requests[0]
    assert kinds(ledger) == {"order"}


def test_a_gap_in_the_numbers_of_stored_events_is_found() -> None:
    events = stored_events()
    events[-1] = replace(events[-1], seq=6)
    assert "event 5 of the database has the number 6" in [problem.sentence for problem in found(kept_ledger(), events)]


@pytest.mark.parametrize("place", range(3))
def test_an_event_that_a_listener_missed_is_found(place: int) -> None:
    ledger = kept_ledger()
    del ledger.listeners[place].told[2]
    (problem,) = found(ledger)
    assert problem.sentence == f"{ledger.listeners[place].name} heard event 4 after event 2"


def test_an_event_that_a_listener_heard_twice_is_found() -> None:
    ledger = kept_ledger()
    ledger.listeners[0].told.insert(2, ledger.listeners[0].told[1])
    assert kinds(ledger) == {"heard"}


def test_an_event_that_a_listener_heard_and_that_is_not_stored_is_found() -> None:
    ledger = kept_ledger()
    ledger.listeners[1].told[1] = Heard(2, "play", "b", "e5")
    assert kinds(ledger) == {"heard"}


def test_a_snapshot_with_other_actions_than_are_stored_is_found() -> None:
    ledger = kept_ledger()
    ledger.listeners[2].told[-1] = Snapshot(5, ("b2", "c3", "e5"), 1, ())
    assert kinds(ledger) == {"heard"}
    ledger.listeners[2].told[-1] = Snapshot(6, (*ACTIONS, "e5"), 0, ())
    assert "heard" in kinds(ledger)


def test_a_listener_that_did_not_hear_the_end_is_found_unless_it_left() -> None:
    ledger = kept_ledger()
    ledger.listeners[0].told = ledger.listeners[0].told[:-2]
    (problem,) = found(ledger)
    assert (problem.what, problem.sentence) == ("stuck", "first has heard of 4 events of 5")
    ledger.is_left = True
    assert found(ledger) == []


def test_a_listener_that_was_closed_for_good_is_found() -> None:
    ledger = kept_ledger()
    ledger.listeners[0].is_closed_for_good = "There is no such match."
    assert kinds(ledger) == {"stuck"}


@pytest.mark.parametrize("visitor", [None, "cid"])
def test_a_seat_that_is_lost_in_the_database_is_found(visitor: str | None) -> None:
    assert kinds(kept_ledger(), None, {"b": "ann", "w": visitor}) == {"seat"}


def test_a_seat_that_is_lost_in_a_snapshot_is_found() -> None:
    ledger = kept_ledger()
    ledger.listeners[1].told[-1] = Snapshot(5, ACTIONS, 0, ())
    assert kinds(ledger) == {"seat"}


def test_an_action_of_somebody_else_is_found() -> None:
    events = stored_events()
    events[1] = replace(events[1], visitor="cid")
    assert kinds(kept_ledger(), events) == {"seat"}


@pytest.mark.parametrize("kind", ["flag", "abort", "claim"])
def test_a_clock_that_has_run_out_is_found(kind: str) -> None:
    events = [*stored_events(), StoredEvent(6, kind, "b", at=14_000)]
    assert "clock" in kinds(kept_ledger(), events)


def test_time_that_goes_back_is_found() -> None:
    events = stored_events()
    events[-1] = replace(events[-1], at=12_000)
    assert kinds(kept_ledger(), events) == {"clock"}


def test_time_that_runs_ahead_is_found() -> None:
    events = stored_events()
    events[-1] = replace(events[-1], at=20_000)
    (problem,) = found(kept_ledger(), events)
    assert problem.sentence == "7950 ms between events 4 and 5, of which 1100 have passed"
