"""Swiss pairings: published ones come out, and whatever the results, the rules hold."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damier.server.tournaments.swiss import CannotPair, Kind, SwissPlayer, SwissResult, pair_round

KINDS: dict[str, Kind] = {"1": "win", "=": "draw", "0": "loss", "+": "forfeit_win", "-": "forfeit_loss"}
RESULTS: list[Kind] = ["win", "draw", "loss"]
OPPOSITE: dict[Kind, Kind] = {"win": "loss", "draw": "draw", "loss": "win"}


def published() -> tuple[list[SwissPlayer], list[tuple[str, str]]]:
    """Returns the players of the published tournament with 14 rounds, and the pairs of the next one."""
    lines = (Path(__file__).parent / "dutch_60.txt").read_text("utf-8").splitlines()
    *players, last = [line for line in lines if not line.startswith("#")]
    found = [
        SwissPlayer(str(number), [SwissResult(KINDS[t[-1]], t[:-2], t[-2] == "w") for t in line.split()])
        for number, line in enumerate(players, 1)
    ]
    return found, [(a, b) for a, b in (pair.split("-") for pair in last.split())]


def test_the_published_results_fit_together() -> None:
    players, _ = published()
    by_number = {player.person: player.results for player in players}
    for player in players:
        for number, result in enumerate(player.results):
            other = by_number[str(result.opponent)][number]
            assert (other.opponent, other.is_first) == (player.person, not result.is_first)
            assert {result.kind, other.kind} in ({"win", "loss"}, {"draw"}, {"forfeit_win", "forfeit_loss"})


def test_the_published_fifteenth_round_comes_out() -> None:
    players, expected = published()
    assert pair_round(players, 15) == (expected, [])


def test_the_published_earlier_rounds_come_out() -> None:
    players, _ = published()
    for number in range(1, 15):
        before = [SwissPlayer(player.person, player.results[: number - 1]) for player in players]
        pairs, byes = pair_round(before, 15)
        paired = {(player.person, player.results[number - 1].opponent) for player in players}
        is_first = {player.person: player.results[number - 1].is_first for player in players}
        is_lot = number == 1  # the side of the first player is drawn by lot, and was the second one there
        expected = {pair for pair in paired if is_first[pair[0]] != is_lot}
        assert (set(pairs), byes) == (expected, [])


def test_the_published_example_with_a_late_player_comes_out() -> None:
    results: list[list[SwissResult]] = [
        [SwissResult("win", "3", True)],
        [SwissResult("win", "4")],
        [SwissResult("loss", "1")],
        [SwissResult("loss", "2", True)],
        [SwissResult("absent")],
    ]
    players = [SwissPlayer(str(number), each) for number, each in enumerate(results, 1)]
    assert pair_round(players, 3) == ([("2", "1"), ("3", "5")], ["4"])


def play_on(players: dict[str, list[SwissResult]], rounds: int, draw: st.DataObject) -> None:
    """Plays all rounds with results that are drawn; some players stay away from a round."""
    for number in range(rounds):
        away = draw.draw(st.sets(st.sampled_from(sorted(players)), max_size=1)) if number else set()
        here = [SwissPlayer(person, tuple(each), person not in away) for person, each in players.items()]
        try:
            pairs, byes = pair_round(here, rounds)
        except CannotPair:
            return
        assert sorted([*byes, *away, *(person for pair in pairs for person in pair)]) == sorted(players)
        for first, second in pairs:
            kind: Kind = draw.draw(st.sampled_from(RESULTS))
            players[first].append(SwissResult(kind, second, True))
            players[second].append(SwissResult(OPPOSITE[kind], first))
        for person in byes:
            players[person].append(SwissResult("bye"))
        for person in away:
            players[person].append(SwissResult("absent"))


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 13), st.integers(1, 7), st.data())
def test_nobody_meets_twice_has_two_byes_or_one_side_too_often(count: int, rounds: int, data: st.DataObject) -> None:
    players: dict[str, list[SwissResult]] = {f"p{number:02}": [] for number in range(count)}
    play_on(players, min(rounds, count - 1), data)
    for results in players.values():
        opponents = [result.opponent for result in results if result.opponent]
        assert len(set(opponents)) == len(opponents)
        assert [result.kind for result in results].count("bye") <= 1
        assert abs(balance(results)) <= 3  # of who fights for the first place in the last round, else 2
        before = results[: min(rounds, count - 1) - 1]
        assert abs(balance(before)) <= 2
        sides = [result.is_first for result in before if result.opponent]
        assert all(len(set(sides[place : place + 3])) > 1 for place in range(len(sides) - 2))


def balance(results: list[SwissResult]) -> int:
    return sum(1 if result.is_first else -1 for result in results if result.opponent)


def test_who_has_met_everybody_cannot_be_paired() -> None:
    two = [SwissPlayer("a", [SwissResult("win", "b", True)]), SwissPlayer("b", [SwissResult("loss", "a")])]
    with pytest.raises(CannotPair):
        pair_round(two, 2)
    with pytest.raises(CannotPair):
        pair_round([], 2)
