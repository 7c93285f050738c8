"""Lines and values after a history: every line can be played to its end, and what is called proved is proved."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest

import damier
from damier.core.record import Record
from damier.engine.analysis import Analysis
from damier.engine.engine import METHODS, Engine
from damier.engine.exact import Exact
from damier.engine.limit import Limit
from damier.solve.history_values import HistoryValues
from damier.solve.tables import Tables
from tests.amounts import quick_and_slow
from tests.cli.calling import called, run
from tests.shared import built_table
from tests.solve.forced_wins import GAME as BADIA
from tests.solve.forced_wins import forces, nearly_won

RENFA = damier.load("renfa", bombs=3)

FAILS = "W1W2/W...1/W.1.1/W...B/BB1BB b 0,0 b1,a5 -"
"""White wins in 4 plies by the table: Black exchanges a1 and a2, White exchanges them back, and so returns."""


def played(start: damier.Position, plies: int, rng: random.Random) -> Record:
    """Returns a random game of at most so many plies that is not over; it often goes back to where it was."""
    record = Record(start)
    for _ in range(plies):
        before = set(record.positions)
        actions = record.actions()
        back = [action for action in actions if record.position.play(action) in before]
        record.play(rng.choice(back if back and rng.random() < 0.7 else actions))
        if record.result:
            record.undo()
            break
    return record


def replay(record: Record, analysis: Analysis) -> None:
    """Plays every line of an analysis."""
    assert analysis.lines
    for line in analysis.lines:
        then = record.copy()
        for action in line.actions:
            then.play(action)  # raises if it is illegal or the game is over
        if line.value.is_proved and line.value.winner and analysis.is_from_table:
            assert then.result
            assert then.result.winner == line.value.winner
            assert len(line.actions) <= (line.value.distance or 0)


def methods(game: damier.Game) -> list[str]:
    """Returns the search methods that suit a game."""
    found = []
    for name in METHODS:
        try:
            Engine(game, memory=1, method=name)
        except damier.DamierError:
            continue
        found.append(name)
    return found


@pytest.mark.parametrize("count", quick_and_slow(3, 60))
@pytest.mark.parametrize("name", damier.games())
def test_every_line_of_a_search_can_be_played_to_its_end(name: str, count: int) -> None:
    game, rng = damier.load(name), random.Random(count)
    for method in methods(game):
        engine = Engine(game, memory=1, method=method)
        for _ in range(count):
            record = played(game.start, rng.randrange(60), rng)
            for analysis in engine.analyse(record, Limit(nodes=600), lines=3):
                replay(record, analysis)


def test_a_line_ends_where_a_position_comes_for_the_third_time() -> None:
    record = damier.load("chefa").record("2BB1/WW2W/3B1/B3W/5 b 0,0 -")
    engine = Engine(record.game, memory=1)
    there_and_back = ["c5-b5", "e4-e5", "b5-c5", "e5-e4"]
    for action in (there_and_back * 2)[:-1]:
        record.play(action)
    list(engine.analyse(record.position, Limit(depth=4), lines=50))  # now the transposition table knows how to go on
    *_, last = engine.analyse(record, Limit(depth=3), lines=50)
    replay(record, last)
    assert [line.actions for line in last.lines if line.actions[0] == "e5-e4"] == [("e5-e4",)]
    assert max(len(line.actions) for line in last.lines) > 1


# Tables


@pytest.fixture(scope="module")
def tables() -> Tables:
    return built_table(BADIA)


@pytest.fixture
def at_home(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of Badia is that of the user."""
    monkeypatch.setenv("DAMIER_HOME", str(tables.folder.parent))


def starts(game: damier.Game, rng: random.Random) -> damier.Position:
    """Returns a position from which to play: of Badia mostly one in which a win is near."""
    return nearly_won(rng) if game == BADIA and rng.random() < 0.8 else game.start


@pytest.mark.parametrize(
    ("game", "count"),
    [
        *((game, 25) for game in (BADIA, RENFA)),
        *(pytest.param(game, 400, marks=pytest.mark.slow) for game in (BADIA, RENFA, damier.load("chefa"))),
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_every_line_of_a_table_can_be_played_to_its_end(
    game: damier.Game, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(built_table(game).folder.parent))
    game = damier.load(game.name, **game.options)
    exact, rng = Exact(game), random.Random(count)
    found: Counter[bool] = Counter()
    for _ in range(count):
        record = played(starts(game, rng), rng.randrange(40), rng)
        analysis = exact.analysis(record, exact.actions(record), 3)
        replay(record, analysis)
        found.update(line.value.is_proved for line in analysis.lines)
    assert found[True]


@pytest.mark.usefixtures("at_home")
def test_a_win_that_would_have_to_return_is_neither_shown_nor_called_exact() -> None:
    game = damier.load("badia")
    exact, record = Exact(game), game.record(FAILS)
    values = exact.actions(record)
    analysis = exact.analysis(record, {"a1=a2": values["a1=a2"]}, 1)
    replay(record, analysis)
    (line,) = analysis.lines
    assert (line.value.winner, line.value.distance, line.value.is_proved) == ("w", 4, False)
    assert line.actions == ("a1=a2",)  # all that White could win with returns
    assert analysis.is_from_table
    assert not analysis.is_exact
    record.play("a1=a2")
    assert "a1=a2" in record.position.actions()
    assert "a1=a2" not in exact.actions(record)


def proved_values(game: damier.Game, tables: Tables, record: Record) -> list[tuple[str, str, int]]:
    """Returns the actions with a proved win or loss in at most four plies, with winner and distance."""
    values = HistoryValues(tables)
    actions = values.actions(record)
    proved = values.proved(record, actions)
    return [
        (action, record.mover if value.outcome == "win" else game.opponent(record.mover), value.plies or 0)
        for action, value in actions.items()
        if action in proved and value.outcome != "draw" and (value.plies or 0) <= 4
    ]


@pytest.mark.parametrize("count", quick_and_slow(40, 600))
@pytest.mark.parametrize("game", [BADIA, RENFA], ids=lambda game: game.name)
def test_what_is_called_proved_is_found_by_brute_force(game: damier.Game, count: int) -> None:
    tables, rng = built_table(game), random.Random(count)
    found: Counter[int] = Counter()
    for _ in range(count):
        record = played(starts(game, rng), rng.randrange(30), rng)
        for action, winner, plies in proved_values(game, tables, record)[:6]:
            then = record.copy()
            then.play(action)
            assert forces(then, winner, plies - 1), (str(record.start), record.played, action)
            found[plies] += 1
    assert found[2] > 0
    assert game != BADIA or found[4] > 0


def test_short_wins_and_losses_of_the_table_are_proved(tables: Tables) -> None:
    values, rng = HistoryValues(tables), random.Random(1)
    found: Counter[bool] = Counter()
    for _ in range(30):
        record = Record(nearly_won(rng))
        actions = values.actions(record)
        proved = values.proved(record, actions)
        for action, value in actions.items():
            is_short = value.plies is not None and value.plies <= (3 if value.outcome == "win" else 2)
            if is_short and len(proved) < 5:
                found[action in proved] += 1
            assert value.outcome != "draw" or action not in proved
    assert found[True] > 3 * found[False]


@pytest.mark.slow
def test_a_position_that_has_stood_twice_may_spoil_a_win(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = built_table(RENFA)
    monkeypatch.setenv("DAMIER_HOME", str(tables.folder.parent))
    values, rng = HistoryValues(tables), random.Random(3)
    unproved = drawn = 0
    for _ in range(300):
        record = played(RENFA.start, 60, rng)
        if not record.repeated:
            continue
        actions = values.actions(record)
        proved = values.proved(record, actions)
        for action, value in actions.items():
            unproved += action not in proved
            if value.outcome == "draw" and value.plies == 1 and record.position.play(action).result is None:
                then = record.copy()
                then.play(action)
                assert then.result
                assert then.result.reason == "repetition"
                drawn += 1
    assert drawn > 0
    assert unproved > 0


# What is said


def test_a_win_of_a_search_is_proved_only_if_no_history_can_spoil_it() -> None:
    rng = random.Random(5)
    engine = Engine(BADIA, memory=1)
    found: Counter[bool] = Counter()
    for _ in range(25):
        record = played(nearly_won(rng), rng.randrange(4), rng)
        *_, last = engine.analyse(record, Limit(nodes=1500), lines=4)
        for line in last.lines:
            if line.value.winner is None or line.value.distance is None:
                assert not line.value.is_proved
                continue
            found[line.value.is_proved] += 1
            if line.value.is_proved:
                then = record.copy()
                then.play(line.actions[0])
                assert forces(then, line.value.winner, line.value.distance - 1)
    assert found[True] > 0
    assert found[False] > 0


@pytest.mark.usefixtures("at_home")
def test_the_command_line_says_what_is_not_proved() -> None:
    text = run("analyse", "badia", "--position", FAILS, "--lines", "30")
    head, *lines, note = text.splitlines()
    assert head.startswith("from a table that knows no history")
    assert note.startswith("The table knows no forbidden return.")
    assert any("not proved" in line for line in lines)
    data = json.loads(run("analyse", "badia", "--position", FAILS, "--lines", "30", "--json").splitlines()[-1])
    assert (data["table"], data["exact"]) == (True, False)
    for line in data["lines"]:
        status, _, _ = called("moves", "badia", "--position", FAILS, "--actions", *line["actions"])
        assert status == 0
    text = run("probe", "badia", "--position", FAILS, "--actions", "a1=a2")
    assert "  a1=a2 " not in text
    assert "not proved" in text
    data = json.loads(run("probe", "badia", "--position", FAILS, "--json"))
    (action,) = [each for each in data["actions"] if each["action"] == "a1=a2"]
    assert (action["value"], action["distance"], action["proved"]) == ("loss", 4, False)


@pytest.mark.usefixtures("at_home")
def test_a_review_by_a_table_says_what_the_table_does_not_know(tmp_path: Path) -> None:
    record = damier.load("badia").record(FAILS)
    for action in ("a1=a2", "c5-d5"):
        record.play(action)
    file = tmp_path / "game.txt"
    file.write_text(damier.Transcript.of(record).text(), "utf-8")
    assert "The table knows no forbidden return." in run("review", str(file))
