"""Building and verifying on nodes in this process: the same bytes as without, whatever is lost, damaged or refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

import damier
from damier.cluster.nodes import LocalNodes, NodeLost, Nodes
from damier.cluster.shared_place import SharedPlace
from damier.core.errors import BadArgument
from damier.solve.cluster import outcomes
from damier.solve.cluster.outcomes import ClusterBuilder
from damier.solve.cluster.pieces import TierStore
from damier.solve.cluster.replica import OutcomeReplica
from damier.solve.cluster.solver import node_needs
from damier.solve.cluster.verifier import ClusterVerifier
from damier.solve.file.writer import TableWriter
from damier.solve.tables import Tables
from damier.solve.verify.outcomes import OutcomeVerifier
from damier.solve.verify.verifier import WrongEntry
from tests.cluster.failing_nodes import FailingNodes
from tests.shared import built_table
from tests.solve.small_games import ignore_progress

WHOLE = 20_000  # entries: the larger tiers of this game are cut
GAME = damier.load("renfa", bombs=3)


@pytest.fixture(scope="module")
def table() -> Tables:
    return built_table(GAME)


@pytest.fixture(autouse=True)
def every_tier_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "WHOLE", WHOLE)


def built(table: Tables, folder: Path, nodes: Nodes) -> bytes:
    """Builds the table on nodes, with a shared place in the folder; returns its bytes."""
    path = folder / "t.table"
    store = TierStore(SharedPlace(str(folder), "tiers"))
    ClusterBuilder(table.numbering, path, nodes, store, ignore_progress).run()
    return path.read_bytes()


@pytest.mark.parametrize(("count", "threads"), [(1, 1), (2, 1), (3, 2)])
def test_the_table_is_the_same_on_any_number_of_nodes(table: Tables, tmp_path: Path, count: int, threads: int) -> None:
    assert built(table, tmp_path, LocalNodes(count, threads)) == table.path.read_bytes()


def test_small_tiers_are_solved_by_one_node(table: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "WHOLE", 1 << 40)
    nodes = FailingNodes(2, set(), whole=False)
    assert built(table, tmp_path, nodes) == table.path.read_bytes()
    assert "solve 3 against 3 bombs 0-491260" in nodes.submitted
    assert not any(name.startswith("begin") for name in nodes.submitted)


def test_tasks_have_names_for_dashboards(calls: list[str]) -> None:
    assert "begin 3 against 3 bombs 0-65536" in calls
    assert "reach back 3 against 3 bombs, 4 plies, 1-1 of 2" in calls
    assert any(name.startswith("settle 3 against 3 bombs, 4 plies, ") for name in calls)


@pytest.fixture(scope="module")
def calls(table: Tables, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names of all calls of a build in which nothing is lost."""
    nodes = FailingNodes(2, set(), whole=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outcomes, "WHOLE", WHOLE)
        built(table, tmp_path_factory.mktemp("calm"), nodes)
    return nodes.submitted


LOSSES = [(False, True), *(pytest.param(*each, marks=pytest.mark.slow) for each in [(False, False), (True, True)])]


@pytest.mark.parametrize(("whole", "before"), LOSSES)
@pytest.mark.parametrize("step", ["begin", "load", "reach back", "merge", "settle", "finish", "solve"])
def test_a_node_lost_in_any_step_changes_nothing(
    table: Tables, tmp_path: Path, calls: list[str], whole: bool, before: bool, step: str
) -> None:
    steps = [number for number, name in enumerate(calls, 1) if name.startswith(step)]
    losses = {steps[len(steps) // 2]} | ({steps[-1]} if not whole else set())
    nodes = FailingNodes(2, losses, whole=whole, before=before)
    assert built(table, tmp_path, nodes) == table.path.read_bytes()
    assert nodes.replaced >= 1


@pytest.mark.parametrize("stores", [False, True])
def test_a_new_driver_goes_on_where_the_last_one_was(
    table: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stores: bool
) -> None:
    """The driver is interrupted again and again, after more and more steps; each goes on from the shared place."""
    if stores:
        monkeypatch.setattr(outcomes, "STORED", 0)
        monkeypatch.setattr(outcomes, "SAVING", 0.0)

    class Stopped(Exception):
        pass

    class StoppedNodes(FailingNodes):
        def submit(self, *given: object, **named: object) -> object:  # type: ignore[override]  # passes all on
            if len(self.submitted) == self.most:
                raise Stopped
            return super().submit(*given, **named)  # type: ignore[arg-type]  # as they came

        most = 0

    submitted: list[list[str]] = []
    for most in range(60, 100_000, 60):
        nodes = StoppedNodes(2, set(), whole=False)
        nodes.most = most if not stores else 60
        try:
            found = built(table, tmp_path, nodes)
            break
        except Stopped:
            submitted.append(nodes.submitted)
    assert found == table.path.read_bytes()
    assert len(submitted) > 2
    if stores:  # nothing but loading is repeated
        begun = [name for each in submitted for name in each if name.startswith("begin")]
        assert len(begun) - len(set(begun)) <= 4 * len(submitted)
    left = {path.name.split("-")[1] for path in (tmp_path / "tiers").iterdir()}
    assert left == {"solved"}


def damage(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-3] ^= 1
    file.write_bytes(data)


@pytest.mark.parametrize("change", [damage, Path.unlink, lambda file: file.write_bytes(file.read_bytes()[:100])])
def test_a_damaged_tier_is_found_and_solved_again(
    table: Tables, tmp_path: Path, change: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    built(table, tmp_path, LocalNodes(1))
    (file,) = (tmp_path / "tiers").glob("001-solved-*")
    change(file)
    nodes = FailingNodes(2, set(), whole=False)
    assert built(table, tmp_path, nodes) == table.path.read_bytes()
    assert ("is damaged and not used" in caplog.text) == (change is not Path.unlink)
    assert {name for name in nodes.submitted if name.startswith(("begin", "solve "))} == {
        name for name in nodes.submitted if "2 against 3 bombs" in name and name.startswith("begin")
    }
    nodes = FailingNodes(2, set(), whole=False)
    built(table, tmp_path, nodes)
    assert nodes.submitted == []  # all is there


def test_a_damaged_range_or_snapshot_is_not_used(
    table: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcomes, "STORED", 0)
    monkeypatch.setattr(outcomes, "SAVING", 0.0)

    class Interrupted(Exception):
        pass

    def interrupted(self: ClusterBuilder, *given: object) -> None:
        steps.append(1)
        if len(steps) == 6:
            raise Interrupted
        distance(self, *given)  # type: ignore[arg-type]  # as they came

    distance, steps = ClusterBuilder._distance, list[int]()
    monkeypatch.setattr(ClusterBuilder, "_distance", interrupted)
    with pytest.raises(Interrupted):
        built(table, tmp_path, LocalNodes(2))
    (snapshot,) = (tmp_path / "tiers").glob("*-plies-*")
    damage(snapshot)
    assert built(table, tmp_path, LocalNodes(2)) == table.path.read_bytes()


def test_verifying_on_nodes_finds_what_is_wrong(table: Tables, tmp_path: Path) -> None:
    assert ClusterVerifier(table, LocalNodes(2), ignore_progress).run().entries == table.numbering.entries
    file = table.file
    wrong = Tables(GAME, tmp_path)
    with TableWriter(wrong.path, file.header) as writer:
        for number, block in enumerate(file.blocks()):
            changed = block.copy()
            if number in (5, 30):
                changed[100] = 0 if changed[100] else 3
            writer.append(changed)
        writer.finish()
    said = [
        derived(ClusterVerifier(wrong, LocalNodes(3), ignore_progress)),
        derived(OutcomeVerifier(wrong, 1, ignore_progress)),
    ]
    assert said[0] == said[1]
    assert "by the rules and the other entries it is" in said[0]


def derived(verifier: OutcomeVerifier) -> str:
    """Derives all entries, without looking at the counts of the header; returns what is wrong."""
    verifier.load()
    try:
        for number, tier in enumerate(verifier.numbering.tiers):
            verifier.derive(number, tier)
    except WrongEntry as error:
        return str(error)
    return ""


@pytest.mark.parametrize("whole", [False, True])
def test_verifying_goes_on_without_a_lost_node(table: Tables, whole: bool) -> None:
    nodes = FailingNodes(3, {4, 12}, whole=whole)
    assert ClusterVerifier(table, nodes, ignore_progress).run().entries == table.numbering.entries
    assert nodes.replaced == 2


def test_the_memory_of_a_node_is_known_before(table: Tables) -> None:
    need, verifying = node_needs(table), node_needs(table, is_built=True)
    assert verifying.memory < need.memory
    assert need.worker > table.numbering.entries + max(tier.entries for tier in table.numbering.tiers)
    with pytest.raises(BadArgument, match="has a die; its table is built and verified on one machine"):
        node_needs(Tables(damier.load("omba")))


def test_a_lost_answer_of_another_node_is_a_lost_node() -> None:
    nodes = FailingNodes(2, {1}, whole=False)
    nodes.start(OutcomeReplica, GAME)
    first = nodes.submit(0, "begin", 0, 0, 10, name="begin")
    second = nodes.submit(1, "load", 0, 0, 10, first, name="load")
    with pytest.raises(NodeLost):
        second.answer()
