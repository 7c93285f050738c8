"""Wins where a return is forbidden: the search against a plain one on records, and what is said of a table."""

import functools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.position import Position
from damier.games.badia import check
from damier.insight.report.best_play import replay
from damier.insight.report.facts import OutcomeSolution, ReturnFacts, read_solution
from damier.insight.report.page import Report
from damier.insight.report.returns import judge_returns
from damier.solve.codes import LOST
from damier.solve.returns import path_search
from damier.solve.returns.opening import Opening
from damier.solve.returns.path_search import PROVED, REFUTED, STOPPED
from damier.solve.returns.repetition import by_table, compares_positions, forbids_returns, history_note
from damier.solve.returns.survival import (
    FAILED,
    FAILED_TWICE,
    KEPT,
    OPEN,
    VERDICTS,
    NewWins,
    PathSearch,
    StartResult,
)
from damier.solve.tables import Tables
from damier.solve.value import TableValue
from damier.teach.rules.pages import pictures
from tests.shared import built_table
from tests.solve import checked_returns
from tests.solve.forced_wins import GAME, forces, nearly_won
from tests.solve.small_games import ignore_progress

INDEX: Any = GAME.definition.index
PLAIN = bind(GAME.definition.rules, subsets, INDEX, path_search)
ROOM = path_search.path_words(40, PLAIN.MAX_ACTIONS)

FAILS = "W1W2/W...1/W.1.1/W...B/BB1BB b 0,0 b1,a5 -"
"""White wins in 4 plies by the table: Black exchanges a1 and a2, White exchanges them back, and so returns."""

NEW = "W1W1W/1...W/1.1.B/1...W/B1BBB b 0,0 a1,c5 -"
"""A draw by the table; but Black wins in 3 plies, for White would have to return."""


class Unknown:
    """A table that knows nothing: all is drawn. A search that tries everything does not need more."""

    def __getitem__(self, _place: int) -> int:
        return 0


@functools.cache
def numbers() -> Any:
    """Returns the tables of the numbering for plain Python."""
    return INDEX.index_numbers(GAME.rules).data


def plain_answer(position: Position, winner: str, plies: int, limit: int = 10**6) -> int:
    """Returns what the search says in plain Python without a table, all actions tried."""
    work, out = [0] * ROOM, [0] * PLAIN.MAX_ACTIONS
    work[path_search.NODE_LIMIT] = limit
    given = GAME.rules, numbers(), Unknown(), [0] * 15
    return int(PLAIN.force(*given, position.state, GAME.players.index(winner), 0, plies, plies, work, [0], out))


@pytest.mark.untraced  # several times as slow while coverage is measured
@pytest.mark.parametrize("plies", [1, 2, 3, 4, 5])
def test_without_a_table_the_search_says_what_a_plain_one_says(plies: int) -> None:
    rng = random.Random(plies)
    found: Counter[bool] = Counter()
    for _ in range(200 if plies < 3 else 50):
        position = nearly_won(rng)
        for winner in GAME.players:
            expected = forces(GAME.record(position), winner, plies)
            assert plain_answer(position, winner, plies) == (PROVED if expected else REFUTED), position
            found[expected] += 1
    assert min(found[True], found[False]) > 0


def test_who_may_not_return_does_not_win() -> None:
    record = GAME.record(FAILS)
    record.play("a1=a2")
    assert "a1=a2" in record.position.actions()
    assert "a1=a2" not in record.actions()
    assert forces(GAME.record(record.position), "w", 3)  # with a history of its own
    assert not forces(record, "w", 3)
    assert plain_answer(GAME.parse(FAILS), "w", 4) == plain_answer(GAME.parse(FAILS), "w", 6) == REFUTED


def test_who_may_not_return_does_not_hold() -> None:
    assert [forces(GAME.record(NEW), "b", plies) for plies in (2, 3)] == [False, True]
    assert [plain_answer(GAME.parse(NEW), "b", plies) for plies in (2, 3)] == [REFUTED, PROVED]


def test_a_search_that_is_stopped_says_so() -> None:
    assert [plain_answer(GAME.parse(FAILS), "w", 4, limit) for limit in (1, 10**6)] == [STOPPED, REFUTED]


@pytest.mark.parametrize(
    ("position", "must_answer"),
    [("1WWW1/1...1/B.1.B/B...1/BBW1W b 0,0 -,c1 -", False), ("1WWW1/1...1/B.B.B/1...1/B1W1W b 0,0 -,c1 p", True)],
)
def test_all_is_allowed_where_a_player_must_answer(position: str, must_answer: bool) -> None:
    state = GAME.parse(position).state
    work, out = [0] * ROOM, [0] * PLAIN.MAX_ACTIONS
    count = PLAIN.actions(GAME.rules, state, out)
    following = [PLAIN.apply(GAME.rules, state, action) for action in out[:count]]
    for ply, each in enumerate(following[1:]):
        PLAIN.enter_path(GAME.rules, each, ply, work)
    assert PLAIN.allowed_actions(GAME.rules, state, count - 2, 64, work, out) == 1
    PLAIN.enter_path(GAME.rules, following[0], count - 1, work)
    assert PLAIN.allowed_actions(GAME.rules, state, count - 1, 64, work, out) == (count if must_answer else 0)


# With the table ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables() -> Tables:
    return built_table(GAME)


@pytest.fixture(scope="module")
def search(tables: Tables) -> PathSearch:
    return PathSearch(tables, 2)


def picked(search: PathSearch, count: int = 20) -> Any:
    """Returns the places of `count` wins and losses of each short distance, as far as there are."""
    rng = random.Random(1)
    codes = [*range(1, 7), *range(LOST + 2, LOST + 8)]
    places = [np.flatnonzero(search.entries == code).tolist() for code in codes]
    return np.array(sorted(place for each in places for place in rng.sample(each, min(count, len(each)))))


@pytest.mark.slow
@pytest.mark.parametrize("count", [20])
def test_what_survives_is_what_a_plain_search_wins(tables: Tables, search: PathSearch, count: int) -> None:
    places = picked(search, count)
    survival = search.survival(places, ignore_progress)
    failed = []
    for place in places.tolist():
        position = Position(GAME, tables.numbering.state(place))
        value = tables.probe_value(position)
        winner = position.mover if value.outcome == "win" else GAME.opponent(position.mover)
        if not forces(GAME.record(position), winner, value.plies or 0):
            failed.append(place)
    assert sorted(survival.failed) == failed
    assert len(places) > 7.5 * count
    assert 0.5 * count < len(failed) < 5 * count
    assert survival.total(*VERDICTS) == len(places)
    assert survival.total(KEPT) == len(places) - len(failed)
    assert survival.total(OPEN) == 0
    assert min(plies for verdict in (FAILED, FAILED_TWICE) for plies in survival.counts[verdict]) > 3


@pytest.mark.slow
def test_wins_that_keep_to_the_table_are_wins_whatever_is_tried(search: PathSearch) -> None:
    places = search.forced_places()[::40]
    codes = search.entries[places].astype(np.int64)
    winners, plies = (codes < LOST).astype(np.int64), codes & 127
    is_short = plies < 8
    narrow = search.answers(places, winners, plies, np.zeros_like(plies))
    wide = search.answers(places[is_short], winners[is_short], plies[is_short], plies[is_short])
    assert STOPPED not in narrow
    assert set(narrow[is_short][wide == REFUTED].tolist()) == {REFUTED}
    assert (wide == PROVED).sum() >= (narrow[is_short] == PROVED).sum() > 1000
    assert (narrow[plies < 4] == PROVED).all()


def test_answers_do_not_depend_on_the_number_of_threads(tables: Tables, search: PathSearch) -> None:
    places = picked(search)
    assert PathSearch(tables, 1).survival(places, ignore_progress) == search.survival(places, ignore_progress)


def test_draws_may_be_wins_and_the_first_position_is_searched(tables: Tables, search: PathSearch) -> None:
    new, first = (tables.numbering.place(each.state) for each in (GAME.parse(NEW), GAME.start))
    assert search.new_wins([new, first, int(search.forced_places()[0])]) == NewWins(2, (new,), ())
    assert search.start(10) == StartResult(10, None)


def test_positions_of_one_situation_share_answers_that_each_has_alone(search: PathSearch) -> None:
    places = np.concatenate([np.flatnonzero(search.entries == code)[::40] for code in (7, LOST + 8)])
    codes = search.entries[places].astype(np.int64)
    tasks = places, (codes < LOST).astype(np.int64), codes & 127, codes & 127
    together = search.group_answers(*tasks)
    assert together.tolist() == search.answers(*tasks, nodes=10**7).tolist()
    assert set(together.tolist()) == {PROVED, REFUTED}


@pytest.mark.parametrize("plies", [11, 12, 13])
def test_the_opening_needs_no_history(tables: Tables, search: PathSearch, plies: int) -> None:
    """A search that carries every situation since the first position says the same."""
    place, bound = np.array([tables.numbering.place(GAME.start.state)]), np.array([plies])
    opening = Opening(tables.numbering, search.leaf_answer)
    for is_mover in (True, False):
        whole = search.answers(place, np.array([int(is_mover)]), bound, bound, 10**8)
        assert opening.forces(int(place[0]), is_mover, plies) == whole[0] == REFUTED
    assert 100 < len(opening.leaves) < 1000
    assert all(sum(map(int.bit_count, tables.numbering.state(leaf)[:2])) == 10 for leaf in opening.leaves)


def _say(said: int, _place: int, _is_mover: bool, _plies: int) -> int:
    return said


def test_an_opening_says_what_its_leaves_say(tables: Tables) -> None:
    place = tables.numbering.place(GAME.start.state)
    for said in (PROVED, REFUTED, STOPPED):
        opening = Opening(tables.numbering, functools.partial(_say, said))
        assert opening.forces(place, True, 20) == said
        assert opening.forces(place, True, 9) == REFUTED  # nobody wins while pawns are placed


def test_no_action_lowers_the_stage_and_equal_situations_share_it() -> None:
    rng = random.Random(5)
    stages: dict[Any, int] = {}
    for _ in range(20):
        record = GAME.record()
        while not record.result and len(record.positions) < 60:
            before = PLAIN.stage(GAME.rules, record.position.state)
            record.play(rng.choice(list(record.actions())))
            state = record.position.state
            now = PLAIN.stage(GAME.rules, state)
            assert now >= before
            if record.position.is_settled:
                assert stages.setdefault(PLAIN.situation(GAME.rules, state), now) == now
    assert set(stages.values()) == set(range(1, 11))


class CheckedSearch:
    """The search of ``checked_returns.py`` with the entries of a table."""

    def __init__(self, tables: Tables, entries: Any) -> None:
        self._numbering, self._entries = tables.numbering, entries
        kernels = bind(GAME.definition.rules, subsets, INDEX, check, checked_returns, compiled=True)
        self._forced, self._given = kernels.forced, np.array(check.numbers(GAME.options), np.int64)
        self._path = np.zeros(checked_returns.ROW * checked_returns.PLIES, np.int64)
        self._out = np.zeros(3 * checked_returns.MOST + 64, np.int64)

    def forces(self, place: int, plies: int) -> bool:
        """Tells whether the player who wins by the table can force it in `plies`, from a fresh history."""
        numbering = self._numbering
        state = numbering.state(place)
        winner = check.player_on_move(state) ^ int(self._entries[place] >= LOST)
        given = self._given, numbering.rules, numbering.numbers, numbering.firsts, self._entries
        return bool(self._forced(*given, state, winner, 0, plies, self._path, self._out))


@pytest.mark.parametrize(
    ("count", "longest"),
    [(4, 9), pytest.param(30, 9, marks=pytest.mark.slow), pytest.param(20, 13, marks=pytest.mark.slow)],
)
def test_other_rules_with_the_whole_history_give_the_same_answers(
    tables: Tables, search: PathSearch, count: int, longest: int
) -> None:
    """The rules of ``check.py`` and a search of its own, without a cache."""
    rng = random.Random(longest)
    codes = [code for plies in range(4, longest + 1) for code in (plies, LOST + plies)]
    found = [np.flatnonzero(search.entries == code).tolist() for code in codes]
    places = np.array([place for each in found for place in rng.sample(each, min(count, len(each)))])
    entries = search.entries[places].astype(np.int64)
    plies = entries & 127
    answers = search.group_answers(places, (entries < LOST).astype(np.int64), plies, plies)
    checked = CheckedSearch(tables, search.entries)
    assert [checked.forces(place, length) for place, length in zip(places.tolist(), plies.tolist(), strict=True)] == (
        answers == PROVED
    ).tolist()
    assert {PROVED, REFUTED} == set(answers.tolist())


@pytest.fixture
def found(tables: Tables, search: PathSearch, monkeypatch: pytest.MonkeyPatch) -> ReturnFacts:
    """What the report has found, of few positions."""
    monkeypatch.setattr(PathSearch, "forced_places", picked)
    monkeypatch.setattr(PathSearch, "start", lambda _: StartResult(10, None))
    found = judge_returns(tables, [tables.numbering.place(GAME.parse(NEW).state)], ignore_progress)
    assert found
    return found


def test_the_report_shows_where_the_return_is(found: ReturnFacts) -> None:
    line = found.failed
    assert line
    assert line.forbidden
    record = GAME.record(line.start)
    for action in line.actions[: line.forbidden - 1]:
        record.play(action)
    forbidden = replay(GAME, line)[0][line.forbidden - 1]
    assert forbidden.player == record.mover == line.winner
    assert forbidden.action in set(record.position.actions()) - set(record.actions())
    assert not forces(GAME.record(line.start), record.mover, len(line.actions))


def test_the_report_tells_what_is_proved(found: ReturnFacts) -> None:
    facts = read_solution(GAME.definition.folder / "solutions" / "badia.json")
    assert isinstance(facts, OutcomeSolution)
    report = Report(GAME, facts.model_copy(update={"returns": found}))
    text = report.text.split("## Wins and the forbidden return")[1].split("\n## ")[0]
    kept, longer, refuted, refuted_twice, unsettled = (sum(counts.values()) for counts in found.counts)
    assert f"{kept:,} are won in no more plies than the table says: proved." in text
    assert unsettled == 0
    assert f"| **{kept}** | **{longer}** | **{refuted + refuted_twice}** | **0** |" in text
    assert "In 1 of 1 drawn positions, those of the sample below, a player can force a win in 5 plies or fewer" in text
    assert "From the first position nobody can force a win in 10 plies or fewer, with the rule in force" in text
    assert {str(picture.position) for picture in pictures(GAME.name, text)} == {
        found.failed and found.failed.start,
        found.won and found.won.position,
    }
    assert {"failed", "new"} <= set(report.pictures)


def test_where_positions_are_compared_all_wins_survive() -> None:
    renfa = damier.load("renfa")
    assert compares_positions(renfa)
    assert not forbids_returns(renfa)
    assert forbids_returns(GAME)
    assert not compares_positions(GAME)
    assert judge_returns(Tables(renfa), [], ignore_progress) is None


def test_a_value_of_the_table_alone_says_so() -> None:
    value = TableValue("draw", None).text()
    assert str(by_table(GAME, value)) == "draw by the table, which knows no forbidden return"
    assert str(by_table(damier.load("renfa"), value)) == "draw"
    assert [name for name in damier.games() if history_note(damier.load(name)) is None] == ["omba"]
