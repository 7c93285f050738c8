"""Tasks on nodes: answers as they come and in order, nodes that get lost, and results that are the same without."""

import itertools
from pathlib import Path

import pytest

import damier
from damier.cluster.nodes import LocalNodes, NoNodes, Task, run_in_order, run_tasks
from damier.core import folders
from damier.core.errors import BadArgument
from damier.engine.arena.entrants import parse_entrant
from damier.engine.arena.match import play_match
from damier.engine.arena.tournament import play_round_robin
from damier.engine.limit import Limit
from damier.insight.train.fit import fit
from damier.insight.train.tune import tune
from damier.search import batch
from damier.teach.puzzles.maker import PuzzleMaker
from tests.cluster.failing_nodes import FailingNodes
from tests.shared import built_table
from tests.solve.small_games import ignore_progress


def squared(number: int) -> int:
    if number < 0:
        raise BadArgument(damier.core.messages.message("A number is not negative."))
    return number * number


def tasks(count: int) -> list[Task[int]]:
    return [Task(f"square {number}", squared, (number,)) for number in range(count)]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_task_is_answered_once(count: int) -> None:
    nodes = LocalNodes(count)
    found = {task.name: answer for task, answer in run_tasks(nodes, tasks(20))}
    assert found == {f"square {number}": number * number for number in range(20)}
    assert list(run_in_order(nodes, tasks(20))) == [number * number for number in range(20)]
    assert list(run_tasks(nodes, [])) == []
    nodes.close()


def test_tasks_are_taken_only_when_a_node_is_free() -> None:
    taken = itertools.count()
    endless = (Task("square", squared, (next(taken),)) for _ in itertools.repeat(None))
    answers = run_tasks(LocalNodes(2), endless)
    assert len(list(itertools.islice(answers, 5))) == 5
    assert next(taken) <= 8


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("before", [False, True])
def test_tasks_of_lost_nodes_are_run_again(whole: bool, before: bool) -> None:
    nodes = FailingNodes(4, {2, 9, 17}, whole=whole, before=before)
    assert list(run_in_order(nodes, tasks(20))) == [number * number for number in range(20)]
    assert nodes.replaced == 3
    assert len(nodes.submitted) == 23
    assert len(nodes.threads) == (1 if whole else 4)


def test_a_task_that_no_node_survives_ends_the_work() -> None:
    nodes = FailingNodes(1, set(range(1, 100)), whole=False)
    with pytest.raises(BadArgument, match="5 nodes were lost, one after the other, at 'square 0'"):
        list(run_tasks(nodes, tasks(3)))
    with pytest.raises(NoNodes, match="the same command goes on"):
        list(run_tasks(FailingNodes(2, set(range(1, 100)), whole=True), tasks(3)))


def test_an_error_of_a_task_is_raised() -> None:
    with pytest.raises(BadArgument, match="not negative"):
        list(run_tasks(LocalNodes(2), [*tasks(3), Task("square -1", squared, (-1,))]))


def test_random_games_are_those_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_TASK", 70)
    for name in ("renfa", "omba"):
        game = damier.load(name)
        setting = 300, 7, game.start, 10_000, 1
        alone, together = batch.playouts(game, *setting), batch.playouts(game, *setting, None, LocalNodes(3))
        assert (alone.results == together.results).all()
        assert (alone.lengths == together.lengths).all()
    assert len(batch.playouts(game, 0, 7, game.start, 10_000, 1, None, LocalNodes(1)).results) == 0


@pytest.mark.slow
def test_a_match_is_that_of_processes() -> None:
    game = damier.load("chefa")
    players = [parse_entrant("level:2"), parse_entrant("random")]
    alone, together = (
        play_match(game, *players, games=6, limit=Limit(nodes=20), max_turns=40, jobs=1, cluster=cluster)
        for cluster in (None, LocalNodes(1))
    )
    assert alone.pairs == together.pairs
    table = play_round_robin(game, players, games=6, limit=Limit(nodes=20), max_turns=40, cluster=LocalNodes(1))
    assert table.matches[0].pairs == together.pairs


def test_fitted_weights_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.insight.train.fit._TASK", 2)
    game = damier.load("chefa")
    assert fit(game, 5, 20) == fit(game, 5, 20, cluster=LocalNodes(2))


@pytest.mark.slow
def test_tuned_weights_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.insight.train.tune._CHUNK", 2)
    game = damier.load("chefa")
    assert list(tune(game, 2, 4, 10)) == list(tune(game, 2, 4, 10, cluster=LocalNodes(2)))


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", [None, 2])
def test_puzzles_are_the_same(monkeypatch: pytest.MonkeyPatch, difficulty: int | None) -> None:
    tables = built_table(damier.load("renfa", bombs=3))
    monkeypatch.setattr(folders, "table_folder", lambda: Path(tables.folder))
    made = []
    for cluster in (None, LocalNodes(1)):  # a node's maker is its own: one thread
        maker = PuzzleMaker(tables.game, 3, difficulty=difficulty)
        maker.search(3, ignore_progress, cluster)
        made.append(maker.pick(3))
    assert made[0] == made[1]
    assert made[0]
