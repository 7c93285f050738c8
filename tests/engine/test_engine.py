"""The engine under every limit: legal answers, the same answers, answers in time, and a sane table after threads."""

import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import damier
from damier import Game
from damier.core.errors import BadArgument
from damier.core.kernel.bind import bind
from damier.engine.analysis import Analysis
from damier.engine.engine import Engine
from damier.engine.levels import LEVELS, NAMES, EnginePlayer, LevelPlayer
from damier.engine.limit import Limit
from damier.engine.methods import kernel_loader
from damier.engine.methods.alphabeta import AlphaBeta
from damier.engine.methods.mcts import TreeSearch
from damier.search import table
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of

TWO_PLAYERS = ["renfa", "chefa", "badia", "sensei"]
METHODS = [*((name, "alphabeta") for name in TWO_PLAYERS), ("omba", "expectimax"), ("omba", "mcts"), ("badia", "mcts")]


def some_record(game: Game, seed: int, most: int = 60) -> damier.Record:
    """Returns an undecided game after some random actions."""
    rng = random.Random(seed)
    while True:
        record = game.record()
        for _ in range(rng.randrange(most)):
            if record.result is None:
                record.play(rng.choice(record.actions()))
        if record.result is None:
            return record


def last_of(engine: Engine, record: damier.Record, limit: Limit, lines: int = 1) -> Analysis:
    """Returns what a search ends with, having checked everything on the way."""
    last = None
    for last in engine.analyse(record, limit, lines):
        check(record, last, not isinstance(engine.method, TreeSearch))
    assert last is not None
    return last


def check(record: damier.Record, analysis: Analysis, is_by_value: bool = True) -> None:
    """Checks that lines are legal to the end and have different first actions, best first (by visits in a tree)."""
    assert analysis.mover == record.mover
    firsts = [line.actions[0] for line in analysis.lines]
    assert firsts
    assert len(set(firsts)) == len(firsts)
    for line in analysis.lines:
        after = record.copy()
        for action in line.actions:
            after.play(action)
        assert sum(line.value.chances) == pytest.approx(1)
        if line.value.winner is not None and after.result is not None and after.result.winner is not None:
            assert after.result.winner == line.value.winner
    if is_by_value and record.mover != "chance" and len(record.game.players) == 2:
        mover = record.game.players.index(record.mover)
        chances = [line.value.chances[mover] for line in analysis.lines]
        assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize(("name", "method"), METHODS)
@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(seconds=0.0), Limit(seconds=0.001), Limit(depth=1)], ids=str)
def test_the_shortest_limit_still_gives_a_legal_action(name: str, method: str, limit: Limit) -> None:
    game = damier.load(name)
    engine = Engine(game, memory=1, method=method)
    engine.warm_up()
    if method == "mcts" and limit.depth:
        limit = Limit(nodes=300)  # a tree has no depth to stop at
    for seed in range(5):
        last_of(engine, some_record(game, seed), limit, lines=2)


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_lines_are_legal_to_the_end_in_every_variant(option_set: OptionSet) -> None:
    game = damier.load(option_set[0], **option_set[1])
    engine = Engine(game, memory=2)
    engine.warm_up()
    for seed in range(4):
        last_of(engine, some_record(game, seed), Limit(nodes=20_000), lines=4)


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_a_node_limit_always_gives_the_same_answer(name: str, method: str) -> None:
    game = damier.load(name)
    record = some_record(game, 3)
    answers = []
    engine = Engine(game, memory=2, method=method)
    engine.warm_up()
    for _ in range(2):
        answers.append(last_of(engine, record, Limit(nodes=3_000), lines=3))
        last_of(engine, some_record(game, 8), Limit(nodes=10_000))  # what the table holds must not matter
    assert answers[0].lines == answers[1].lines
    assert answers[0].nodes == answers[1].nodes


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_plain_python_and_compiled_code_give_the_same_answer(name: str, method: str) -> None:
    game = damier.load(name)
    record, limit = some_record(game, 5), Limit(nodes=1_500)
    search = Engine(game, memory=1, method=method).method
    *_, plain = search.run(search.loader.plain, record, limit, 2)
    *_, compiled = search.run(search.loader.load(), record, limit, 2)
    assert (plain.lines, plain.nodes, plain.depth) == (compiled.lines, compiled.nodes, compiled.depth)


@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_threads_find_the_same_wins_and_leave_the_table_sane(name: str) -> None:
    game = damier.load(name)
    method = AlphaBeta(game, threads=3, memory=1)
    kernels = method.loader.load()
    for seed in range(6):
        record = some_record(game, seed)
        *_, alone = AlphaBeta(game, memory=1).run(kernels, record, Limit(depth=6), 1)
        *_, together = method.run(kernels, record, Limit(depth=6), 1)
        check(record, together)
        if alone.best.value.is_forced:
            assert together.best.value.winner == alone.best.value.winner
    entries = method.table._words
    for at in range(0, len(entries), 2):
        data = entries[at + 1]
        if data:
            assert 1 <= data >> table.BOUND_AT & 3 <= 3
            assert abs((data >> table.VALUE_AT) - table.ZERO) <= 30_000 + 200


def test_a_search_without_a_limit_ends_when_it_is_told_to() -> None:
    game = damier.load("sensei")
    engine = Engine(game, memory=4)
    engine.warm_up()
    seen = []
    for analysis in engine.analyse(game.start, Limit()):
        seen.append(analysis)
        if len(seen) == 3:
            threading.Timer(0.05, engine.stop).start()
    assert len(seen) >= 3
    assert last_of(engine, game.record(), Limit(nodes=500))  # and the engine can go on


def test_stopping_before_the_search_has_begun_ends_it_too() -> None:
    engine = Engine(damier.load("sensei"), memory=1)
    analyses = engine.analyse(engine.game.start, Limit())
    engine.stop()
    assert len(list(analyses)) <= 1


def test_a_finished_game_has_no_analysis() -> None:
    game = damier.load("chefa")
    over = game.parse("4W/4W/3W1/4W/BBBB1 w 0,0 -")
    assert list(Engine(game).analyse(over, Limit(nodes=10))) == []


def test_an_action_that_repeats_a_position_for_the_third_time_is_a_draw() -> None:
    game = damier.load("sensei")
    record = game.record()
    for turn in ("d1^e1+end", "d7^e7+end", "e1^d1+end", "e7^d7+end", "d1^e1+end", "d7^e7+end", "e1^d1+end"):
        record.play_turn(turn)
    record.play("e7^d7")
    assert record.result is None
    engine = Engine(game, memory=1)
    engine.warm_up()
    *_, last = engine.analyse(record, Limit(depth=2), 30)
    values = {line.actions[0]: line.value.chances for line in last.lines}
    assert values["end"] == (0.5, 0.5)


def test_the_engine_refuses_what_it_cannot_do() -> None:
    game = damier.load("chefa")
    for bad in ({"threads": 0}, {"threads": 65}, {"memory": 0}, {"method": "expectimax"}, {"method": "magic"}):
        with pytest.raises(BadArgument):
            Engine(game, **bad)
    engine = Engine(game)
    with pytest.raises(BadArgument):
        engine.analyse(damier.load("badia").start, Limit(nodes=1))
    with pytest.raises(BadArgument):
        engine.analyse(game.start, Limit(nodes=1), 0)
    for limit in ({"seconds": -1}, {"seconds": float("nan")}, {"nodes": 0}, {"depth": 101}):
        with pytest.raises(BadArgument):
            Limit(**limit)


@pytest.mark.parametrize("name", [*TWO_PLAYERS, "omba"])
def test_full_strength_gives_whole_turns(name: str) -> None:
    game = damier.load(name)
    player = EnginePlayer(game, memory=1)
    player.warm_up()
    for seed in range(5):
        record = some_record(game, seed)
        if record.mover == "chance":
            continue
        mover, turn = record.mover, record.turn
        for action in player.choose(record, Limit(nodes=2_000)):
            assert record.mover == mover
            assert record.turn == turn
            record.play(action)
        assert record.result is not None or record.mover != mover or record.turn != turn
    player.close()


@pytest.mark.parametrize(
    "option_set", [("chefa", {}), ("sensei", {}), ("omba", {}), ("omba", {"players": 4})], ids=name_of
)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_legal_actions(option_set: OptionSet, level: int) -> None:
    game = damier.load(option_set[0], **option_set[1])
    player = LevelPlayer(game, level, seed=1)
    player.warm_up()
    assert level in NAMES
    for seed in range(3):
        record = some_record(game, seed)
        if record.mover == "chance":
            record.play(record.actions()[0])
        if record.result is None and record.mover != "chance":
            assert player.choose(record, Limit(seconds=0.05))[0] in record.actions()


def test_the_first_level_sees_its_own_win() -> None:
    game = damier.load("chefa")
    record = game.record("4W/1W3/W3W/3B1/BBB2 b 0,0 -")
    for seed in range(10):
        record_after = record.copy()
        record_after.play(LevelPlayer(game, 1, seed).choose(record, Limit())[0])
        assert record_after.result is not None
        assert record_after.result.winner == "b"


@pytest.mark.parametrize("seeds", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_a_level_is_the_same_for_the_same_seed_and_differs_for_others(seeds: int) -> None:
    game = damier.load("sensei")
    record = some_record(game, 1)
    chosen = [LevelPlayer(game, 2, seed).choose(record, Limit())[0] for seed in (*range(seeds), *range(seeds))]
    assert chosen[:seeds] == chosen[seeds:]
    assert len(set(chosen)) > 1


def test_full_strength_as_an_opponent_varies_its_openings() -> None:
    game, limit, seeds = damier.load("sensei"), Limit(nodes=3000), range(12)
    best = EnginePlayer(game).choose(game.record(), limit)
    chosen = [tuple(LevelPlayer(game, 8, seed).choose(game.record(), limit)) for seed in (*seeds, *seeds)]
    assert chosen[: len(seeds)] == chosen[len(seeds) :]
    assert len(set(chosen)) > 1
    player = EnginePlayer(game)
    *_, found = player.engine.analyse(game.record(), limit, 4)
    good = [line.actions[0] for line in found.lines if line.value.chances[0] >= found.best.value.chances[0] - 0.01]
    assert {turn[0] for turn in chosen} <= set(good)
    assert all(EnginePlayer(game).choose(game.record(), limit) == best for _ in seeds)


def test_later_and_from_a_position_that_was_set_up_full_strength_plays_its_best() -> None:
    game, limit = damier.load("sensei"), Limit(nodes=2000)
    record = game.record()
    while record.count < 12:
        for action in EnginePlayer(game).choose(record, limit):
            record.play(action)
    set_up = game.record(str(record.position))
    for each in (record, set_up):
        expected = EnginePlayer(game).choose(each, limit)
        assert all(LevelPlayer(game, 8, seed).choose(each, limit) == expected for seed in range(4))


def test_no_level_nine() -> None:
    with pytest.raises(BadArgument):
        LevelPlayer(damier.load("chefa"), 9)


def test_kernels_that_do_not_compile_leave_a_record_and_plain_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def without_compiler(*modules: ModuleType, compiled: bool = False) -> SimpleNamespace:
        if compiled:
            raise RuntimeError("no compiler")
        return bind(*modules)

    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-such-python"))
    monkeypatch.setattr(kernel_loader, "bind", without_compiler)
    game = damier.load("chefa")
    engine = Engine(game)
    *_, last = engine.analyse(game.start, Limit(seconds=0.3))
    assert last.seconds > 0.05
    assert last.best.actions[0] in game.start.actions()
    no_process, no_kernels = caplog.records
    assert no_process.getMessage().startswith("no process to compile the kernels of chefa: ")
    assert no_kernels.getMessage() == "kernels of chefa do not compile; the engine stays with plain Python"
    assert no_kernels.exc_info


def test_a_cold_cache_is_answered_in_plain_python_and_filled_behind(tmp_path: Path) -> None:
    code = (
        "import damier, sys; from damier.engine.engine import Engine; from damier.engine.limit import Limit; "
        "game = damier.load('chefa'); engine = Engine(game); "
        "*_, last = engine.analyse(game.start, Limit(seconds=0.5)); "
        "print(last.best.actions[0] in game.start.actions(), 'numba' in sys.modules)"
    )
    environment = {**os.environ, "DAMIER_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["True", "False"]
