"""Standings beside naive twins, and by hand."""

from hypothesis import given
from hypothesis import strategies as st

from damier.server.tournaments import arena
from damier.server.tournaments.standings import TIE_BREAKS, Entry, PlayerStanding, Sheets, standings
from damier.server.tournaments.terms import Kind

PEOPLE = "abcdef"


@st.composite
def sheets(draw: st.DrawFn) -> dict[str, list[Entry]]:
    """Draws what people have got from each other, some games without play, and byes."""
    found: dict[str, list[Entry]] = {person: [] for person in PEOPLE[: draw(st.integers(1, 6))]}
    people = sorted(found)
    for _ in range(draw(st.integers(0, 12))):
        one, other = draw(st.sampled_from(people)), draw(st.sampled_from(people))
        if one == other:
            found[one].append(Entry(None, 1.0, is_played=False))
            continue
        score = draw(st.sampled_from((0.0, 0.5, 1.0)))
        is_played = score == 0.5 or draw(st.booleans())
        found[one].append(Entry(other, score, is_played))
        found[other].append(Entry(one, 1 - score, is_played))
    return found


def naive_values(given: Sheets, kind: Kind) -> dict[str, tuple[float, ...]]:
    """Returns points and tie-breaks of everybody, each worked out from its definition."""
    points = {}
    for person in given:
        scores = [entry.score for entry in given[person]]
        points[person] = float(naive_arena(scores)) if kind == "arena" else float(sum(scores))
    values: dict[str, tuple[float, ...]] = {person: (points[person],) for person in given}
    for name in TIE_BREAKS[kind]:
        new = {}
        for person in given:
            total = 0.0
            rivals = [other for other in given if values[other] == values[person] and other != person]
            met = {(x, e.opponent) for x in given for e in given[x] if e.is_played}
            group = [*rivals, person]
            all_met = all((x, y) in met for x in group for y in group if x != y)
            for entry in given[person]:
                if name == "wins":
                    total += 1 if entry.is_played and entry.score == 1 else 0
                elif name == "direct":
                    total += entry.score if all_met and entry.is_played and entry.opponent in rivals else 0
                else:
                    factor = entry.score if name == "sonneborn_berger" else 1
                    if entry.is_played:
                        total += factor * points[entry.opponent or ""]
                    elif entry.score == 1:
                        total += factor * points[person]
            new[person] = total
        values = {person: (*values[person], new[person]) for person in given}
    return values


def naive_arena(scores: list[float]) -> int:
    total = 0
    for place, score in enumerate(scores):
        doubles = place >= 2 and scores[place - 1] == 1 and scores[place - 2] == 1
        total += int(2 * score) * (2 if doubles else 1)
    return total


@given(sheets(), st.sampled_from(("swiss", "round_robin", "arena")))
def test_standings_are_those_of_the_naive_twin(given: dict[str, list[Entry]], kind: Kind) -> None:
    found = standings(given, kind)
    values = naive_values(given, kind)
    assert {each.person: (each.points, *each.tie_breaks.values()) for each in found} == values
    assert [values[each.person] for each in found] == sorted(values.values(), reverse=True)
    for each in found:
        assert each.rank == 1 + sum(values[other] > values[each.person] for other in given)
        played = [entry for entry in given[each.person] if entry.is_played]
        assert each.wins + each.draws + each.losses == len(played)


@given(st.lists(st.sampled_from((0.0, 0.5, 1.0))))
def test_points_of_an_arena_are_those_of_the_naive_twin(scores: list[float]) -> None:
    assert arena.points(scores) == naive_arena(scores)
    assert arena.is_on_streak(scores) == (arena.points([*scores, 1.0]) - arena.points(scores) == 4)


def test_two_wins_in_a_row_double_what_follows_until_a_game_is_not_won() -> None:
    assert arena.points([1, 1, 1, 0.5, 1]) == 2 + 2 + 4 + 2 + 2


def test_equal_points_are_decided_by_the_points_of_the_opponents() -> None:
    given = {
        "a": [Entry("c", 1.0), Entry("d", 0.0)],
        "b": [Entry("d", 1.0), Entry("c", 0.0)],
        "c": [Entry("a", 0.0), Entry("b", 1.0), Entry(None, 1.0, is_played=False)],
        "d": [Entry("b", 0.0), Entry("a", 1.0)],
    }
    found = standings(given, "swiss")
    assert [(each.rank, each.person, each.points) for each in found] == [
        (1, "c", 2.0),
        (2, "a", 1.0),
        (3, "b", 1.0),
        (4, "d", 1.0),
    ]
    assert found[1] == PlayerStanding(
        2, "a", 1.0, {"buchholz": 3.0, "sonneborn_berger": 2.0, "direct": 0.0, "wins": 1.0}, 1, 0, 1
    )
    assert dict(found[0].tie_breaks) == {"buchholz": 4.0, "sonneborn_berger": 3.0, "direct": 0.0, "wins": 1.0}
