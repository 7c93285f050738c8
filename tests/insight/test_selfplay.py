"""Games of self-play as arrays: what they say is what was played; files are gone on with."""

import errno
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.cluster.nodes import LocalNodes
from damier.core import folders
from damier.core.errors import BadArgument
from damier.insight.train import game_file, selfplay, task_runner
from damier.insight.train.rows_file import rows_file
from damier.insight.train.selfplay import SelfPlay, play_file
from tests.cli.calling import refused, run
from tests.cluster.failing_nodes import FailingNodes
from tests.shared import built_table
from tests.solve.small_games import small_omba

HOW = SelfPlay(nodes=30, seed=3)


def arrays_of(file: Path) -> dict[str, Any]:
    """Returns the arrays of a file as lists."""
    with np.load(file) as stored:
        return {name: stored[name].tolist() for name in stored.files}


@pytest.mark.parametrize(("name", "options"), [("chefa", {}), ("omba", {"players": 3}), ("sensei", {})])
def test_the_rows_are_games_by_the_rules(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    game = damier.load(name, **options)
    before, rows = play_file(game, 2, tmp_path / "games.npz", SelfPlay(nodes=10, max_actions=120))
    spaces, count = game.spaces, len(rows["action"])
    assert before == 0
    assert sorted(set(rows["game"].tolist())) == [0, 1]
    masks = np.unpackbits(rows["mask"], axis=1, count=spaces.action_count)
    assert (masks[np.arange(count), rows["action"]] == 1).all()
    assert rows["observation"].shape == (count, *spaces.shape)
    assert ((rows["chance"] >= 0) & (rows["chance"] <= 1)).all()
    if game.traits.has_chance:
        return  # the rolls between are not in the rows
    for number in (0, 1):
        record = game.record()
        for i in np.flatnonzero(rows["game"] == number):
            assert (rows["observation"][i] == spaces.observe(record)).all()
            assert (masks[i] == spaces.mask(record)).all()
            assert game.players[rows["mover"][i]] == record.mover
            record.play(spaces.action_text(rows["action"][i]))
        winner = record.result.winner if record.result else None
        for i in np.flatnonzero(rows["game"] == number):
            mover = game.players[rows["mover"][i]]
            assert rows["reward"][i] == (0 if winner is None else 1 if winner == mover else -1)


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
def test_a_file_is_gone_on_with_as_if_it_had_been_made_at_once(ending: str, tmp_path: Path) -> None:
    game, whole, parts = damier.load("chefa"), tmp_path / f"whole{ending}", tmp_path / f"parts{ending}"
    play_file(game, 3, whole, HOW)
    play_file(game, 1, parts, HOW)
    assert play_file(game, 3, parts, HOW)[0] == 1
    assert parts.read_bytes() == whole.read_bytes()
    assert play_file(game, 2, parts, HOW)[0] == 3
    assert {file.name for file in tmp_path.iterdir()} == {whole.name, parts.name}


def test_parquet_has_the_arrays_of_npz(tmp_path: Path) -> None:
    from pyarrow import parquet

    game = damier.load("chefa")
    _, rows = play_file(game, 2, tmp_path / "games.npz", HOW)
    play_file(game, 2, tmp_path / "games.parquet", HOW)
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table.column_names == list(rows)
    for name, array in rows.items():
        assert table[name].to_pylist() == array.reshape(len(array), -1).squeeze().tolist()
    facts = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert (facts["games"], facts["shape.observation"]) == ("2", "6 5 5")
    assert json.loads(facts["setting"])["game"] == "chefa"
    _, again = play_file(game, 2, tmp_path / "games.parquet", HOW)
    for name, array in rows.items():
        assert again[name].dtype == array.dtype
        assert (again[name] == array).all()


@pytest.mark.parametrize("name", ["chefa", "omba"])
def test_nodes_write_the_same_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "FAR", 2)
    game, how = damier.load(name), SelfPlay(nodes=10, seed=3, max_actions=60)
    play_file(game, 5, tmp_path / "alone.npz", how)
    play_file(game, 5, tmp_path / "two.npz", how, cluster=LocalNodes(2))
    play_file(game, 2, tmp_path / "lost.npz", how, cluster=LocalNodes(1))
    nodes = FailingNodes(2, {1, 3}, whole=False)
    assert play_file(game, 5, tmp_path / "lost.npz", how, cluster=nodes)[0] == 2
    assert nodes.replaced == 2
    play_file(game, 5, tmp_path / "processes.npz", how, jobs=2)
    alone = (tmp_path / "alone.npz").read_bytes()
    assert (tmp_path / "processes.npz").read_bytes() == alone
    assert (tmp_path / "two.npz").read_bytes() == alone
    assert (tmp_path / "lost.npz").read_bytes() == alone


def test_an_interruption_of_nodes_keeps_the_games_that_are_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_runner, "FAR", 1)
    game, file = damier.load("chefa"), tmp_path / "games.npz"

    def interrupt(share: float) -> None:
        if share > 0.3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_file(game, 5, file, HOW, interrupt, LocalNodes(2))
    assert arrays_of(file)["games"] == 2
    assert play_file(game, 3, file, HOW)[0] == 2


def test_exact_values_are_those_of_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = damier.load("renfa", bombs=3)
    tables = built_table(game)
    monkeypatch.setattr(folders, "table_folder", lambda: tables.folder)
    how = SelfPlay(nodes=20, seed=1, exact=True)
    _, rows = play_file(game, 4, tmp_path / "games.npz", how)
    play_file(game, 4, tmp_path / "nodes.npz", how, cluster=LocalNodes(2))
    assert (tmp_path / "nodes.npz").read_bytes() == (tmp_path / "games.npz").read_bytes()
    assert list(rows)[-2:] == ["exact_chance", "exact_plies"]
    found = set()
    for number in range(4):
        record = game.record()
        for i in np.flatnonzero(rows["game"] == number):
            value = tables.probe_value(record.position)
            assert rows["exact_chance"][i] == value.chance
            assert rows["exact_plies"][i] == (-1 if value.plies is None else value.plies)
            found.add(value.outcome)
            record.play(game.spaces.action_text(rows["action"][i]))
    assert len(found) > 1


def test_exact_values_of_a_game_with_a_die_are_chances(tmp_path: Path) -> None:
    game = small_omba(1)
    game.tables = built_table(game)
    how = SelfPlay(nodes=20, seed=1, exact=True)
    states = np.concatenate([rows["state"] for rows in selfplay._play_range(game, how, 0, 3)])
    _, rows = play_file(game, 3, tmp_path / "games.npz", how)
    exact = [game.tables.state_value((own, enemy, rest)).chance for own, enemy, rest in states.tolist()]
    assert rows["exact_chance"].tolist() == pytest.approx(exact)
    assert set(rows["exact_plies"].tolist()) == {-1}
    assert len(set(exact)) > 3


def test_exact_values_without_a_table_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    arguments = ("--games", "1", "--exact", "--out", str(tmp_path / "games.npz"))
    missing = refused("selfplay", "chefa", *arguments)
    assert missing.startswith("The table of Chefa has not been built; 'damier solve chefa' does that in")
    assert refused("selfplay", "sensei", *arguments).endswith("positions, too many for a table.")
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_keeps_the_games_that_are_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = damier.load("chefa"), tmp_path / "games.npz"
    monkeypatch.setattr(game_file, "_SAVE_AFTER", -1.0)  # after every game

    def interrupt(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_file(game, 3, file, HOW, interrupt)
    assert arrays_of(file)["games"] == 2
    assert play_file(game, 3, file, HOW)[0] == 2
    play_file(game, 3, tmp_path / "whole.npz", HOW)
    assert arrays_of(file) == arrays_of(tmp_path / "whole.npz")


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.npz"
    arguments = ("selfplay", "chefa", "--games", "1", "--nodes", "10", "--max-actions", "20", "--out", str(file))
    assert run(*arguments).startswith(f"{file}: 1 game, ")
    data = json.loads(run(*arguments, "--json"))
    assert (data["games"], data["before"], data["positions"]) == (1, 1, len(arrays_of(file)["action"]))


def test_other_files_are_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.npz"
    arguments = ("selfplay", "chefa", "--games", "1", "--max-actions", "10", "--out", str(file))
    run(*arguments, "--nodes", "10")
    content = file.read_bytes()
    sentence = "has games of other settings: name another one."
    assert refused(*arguments, "--nodes", "11").endswith(sentence)
    assert refused(*arguments, "--nodes", "10", "--seed", "1").endswith(sentence)
    assert file.read_bytes() == content
    file.write_text("a text")
    assert refused(*arguments).endswith("is not one of self-play: name another one.")
    assert file.read_text() == "a text"


def test_bad_arguments_are_refused(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "games.npz"))
    assert refused("selfplay", "chefa", "--games", "0", *out).startswith("games takes a whole number from 1 to")
    assert refused("selfplay", "chefa", "--games", "1", "--nodes", "0", *out).startswith("nodes takes a number from 1")
    missing = refused("selfplay", "chefa", "--games", "1", "--out", str(tmp_path / "none" / "games.npz"))
    assert missing.endswith("cannot be written: No such file or directory.")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "games.npz.new").mkdir()
    in_the_way = refused("selfplay", "chefa", "--games", "1", "--nodes", "1", "--max-actions", "5", *out)
    assert in_the_way.endswith("cannot be written: Is a directory.")


def test_the_ending_of_the_name_is_the_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("selfplay", "chefa", "--games", "1", "--out")
    for name in ("games", "games.csv", "games.npz.gz"):
        file = str(tmp_path / name)
        assert refused(*arguments, file) == f"The file '{name}' needs a name with one of the endings .npz, .parquet."
    file = str(tmp_path / "games.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert refused(*arguments, file) == (
        "'games.parquet' needs packages that are not installed: 'pip install \"damier[parquet]\"' installs them."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_number_of_jobs_that_cannot_be_is_refused(tmp_path: Path) -> None:
    arguments = ("selfplay", "chefa", "--games", "1", "--out", str(tmp_path / "games.npz"), "--jobs", "0")
    assert refused(*arguments).startswith("jobs takes a whole number")
    assert refused(*arguments, "--cluster", "local").startswith("jobs takes a whole number")


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
def test_damaged_files_are_refused(ending: str, tmp_path: Path) -> None:
    game, file, rng = damier.load("chefa"), tmp_path / f"games{ending}", random.Random(5)
    how = SelfPlay(nodes=10, max_actions=10)
    play_file(game, 1, file, how)
    content, setting = file.read_bytes(), rows_file(file)._read()[0]
    refusals = 0
    for _ in range(150):
        damaged = bytearray(content[: rng.choice([len(content), rng.randrange(len(content))])])
        for _ in range(rng.randrange(1, 9)):
            place = rng.randrange(len(damaged) + 1)
            damaged[place : place + rng.randrange(4)] = rng.randbytes(rng.randrange(4))
        file.write_bytes(damaged)
        try:
            rows_file(file).read(setting, selfplay._COLUMNS)
        except BadArgument as refusal:
            assert str(refusal).endswith("name another one.")
            refusals += "is not one of self-play" in str(refusal)
    assert refusals > 100


@pytest.mark.parametrize("ending", [".npz", ".parquet"])
def test_a_game_that_is_cut_off_before_anybody_acts_has_no_rows(ending: str, tmp_path: Path) -> None:
    game, file, how = damier.load("omba"), tmp_path / f"games{ending}", SelfPlay(nodes=10, max_actions=1)
    assert play_file(game, 2, file, how)[0] == 0
    before, rows = play_file(game, 3, file, how)
    assert (before, rows["mask"].shape, rows["observation"].shape) == (2, (0, 11), (0, *game.spaces.shape))


def test_a_file_with_other_arrays_is_refused_and_stays(tmp_path: Path) -> None:
    game, file = damier.load("chefa"), tmp_path / "games.npz"
    play_file(game, 1, file, HOW)
    with np.load(file) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for change in ({"action": None}, {"action": arrays["action"][1:]}, {"more": arrays["action"]}):
        changed = {name: array for name, array in {**arrays, **change}.items() if array is not None}
        np.savez(file, **changed)
        content = file.read_bytes()
        with pytest.raises(BadArgument, match="is not one of self-play: name another one"):
            play_file(game, 1, file, HOW)
        assert file.read_bytes() == content


def test_a_disk_that_is_full_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = damier.load("chefa"), tmp_path / "games.npz"
    play_file(game, 1, file, HOW)
    content = file.read_bytes()

    def fill_disk(stream: Any, **_arrays: Any) -> None:
        stream.write(b"half of it")
        raise OSError(errno.ENOSPC, "")

    monkeypatch.setattr(np, "savez_compressed", fill_disk)
    with pytest.raises(BadArgument, match="cannot be written: No space left on device"):
        play_file(game, 2, file, HOW)
    assert file.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["games.npz"]
