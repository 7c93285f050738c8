"""Training a network: rows by the rules, the same network after an interruption, integers near the floats, refusals."""

import hashlib
import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.errors import BadArgument
from damier.core.kernel.bind import bind
from damier.engine.engine import Engine
from damier.engine.methods.evaluation import LEARNED, network_size, rules_for
from damier.insight.train import learn
from damier.insight.train.examples import Examples
from damier.insight.train.learn import Course, Epoch, train
from damier.insight.train.positions import UNKNOWN, Play, play_positions
from damier.insight.train.quantise import quantised
from tests.cli.calling import refused, run

PLAY = Play(nodes=40, seed=5)
COURSE = Course(epochs=3, batch=64, rate=0.01)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Plays some games of self-play; one more than twenty, so that the second one that is held out is there."""
    return play_positions(damier.load("sensei"), 21, tmp_path_factory.mktemp("games") / "rows.npz", PLAY)[1]


def examples_of(rows: dict[str, Any], share: float = 0.0) -> Examples:
    game = damier.load("sensei")
    examples = Examples(game, share)
    examples.add(game, rows)
    return examples


def test_rows_are_positions_in_which_nothing_wins_at_once(rows: dict[str, Any]) -> None:
    game = damier.load("sensei")
    kernels = bind(game.definition.rules, game.definition.evaluate)
    for state in rows["state"].tolist():
        assert game.parse(str(damier.Position(game, tuple(state)))).result is None
        assert not kernels.quick_win(game.rules, tuple(state))
        assert not kernels.has_threat(game.rules, tuple(state))
    assert set(rows["result"].tolist()) >= {-1, 1, UNKNOWN}
    assert sorted(set(rows["game"].tolist())) == list(range(21))


def test_self_play_goes_on_as_if_it_had_not_been_interrupted(rows: dict[str, Any], tmp_path: Path) -> None:
    game = damier.load("sensei")
    play_positions(game, 1, tmp_path / "rows.npz", PLAY)
    before, found = play_positions(game, 3, tmp_path / "rows.npz", PLAY)
    assert before == 1
    count = int((rows["game"] < 3).sum())
    assert all((found[name] == rows[name][:count]).all() for name in rows)
    with pytest.raises(BadArgument, match="has games of other settings"):
        play_positions(game, 3, tmp_path / "rows.npz", Play(nodes=41, seed=5))


def test_processes_play_the_same_games_and_a_teacher_judges_otherwise(rows: dict[str, Any], tmp_path: Path) -> None:
    game = damier.load("sensei")
    _, found = play_positions(game, 9, tmp_path / "rows.npz", PLAY, jobs=2)
    assert found["state"].tolist() == rows["state"][rows["game"] < 9].tolist()
    assert found["value"].tolist() == rows["value"][rows["game"] < 9].tolist()
    taught = Play(nodes=PLAY.nodes, seed=PLAY.seed, teacher=LEARNED)
    _, others = play_positions(game, 1, tmp_path / "taught.npz", taught)
    assert others["value"][0] != rows["value"][0]


def test_both_mirror_images_count_and_results_only_where_there_are_any(rows: dict[str, Any]) -> None:
    game = damier.load("sensei")
    (mirror,) = [each for each in game.traits.symmetries if each.name == "mirror-left-right"]
    kernels = bind(game.definition.rules, game.definition.evaluate)
    images = [kernels.permute(game.rules, tuple(state), mirror.cells, False) for state in rows["state"].tolist()]
    views, *_ = examples_of(rows).arrays()
    mirrored, *_ = examples_of({**rows, "state": np.array(images)}).arrays()
    assert np.sort(views[0]).tolist() == np.sort(mirrored[1]).tolist()
    by_result = examples_of(rows, 1.0).arrays()[3]
    known = rows["result"] != UNKNOWN
    assert by_result[known].tolist() == ((rows["result"][known] + 1) / 2).tolist()
    assert by_result[~known] == pytest.approx(1 / (1 + np.exp(-np.clip(rows["value"][~known], -8000, 8000) / 1000)))


def test_a_network_learns_and_goes_on_after_an_interruption(
    rows: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, examples = damier.load("sensei"), examples_of(rows)
    expected, history = train(game, examples, COURSE)
    assert history[-1].loss < history[0].loss
    assert len(history) == COURSE.epochs

    def interrupt(epoch: Epoch) -> None:
        if epoch.number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(game, examples, COURSE, interrupt, tmp_path)
    reported: list[int] = []
    weights, again = train(game, examples, COURSE, lambda epoch: reported.append(epoch.number), tmp_path)
    assert (reported, again) == ([3], history)
    assert all((weights[name] == expected[name]).all() for name in expected)
    (tmp_path / "learned.npz").write_bytes(b"damaged")
    assert train(game, examples, Course(epochs=1), folder=tmp_path)[1][0].number == 1
    assert {file.name for file in tmp_path.iterdir()} == {"learned.npz"}


def test_integers_say_about_what_the_floats_say(rows: dict[str, Any], tmp_path: Path) -> None:
    game, examples = damier.load("sensei"), examples_of(rows)
    weights, _ = train(game, examples, COURSE)
    words = quantised(game, weights, examples.width, 2.0)
    assert len(words) == network_size(game)
    kernels = bind(game.definition.rules, game.definition.evaluate)
    views, terms, phases, *_ = examples.arrays()
    blocked = kernels.INPUT_BLOCK * kernels.BLOCK_COUNT
    table = weights["rows"].copy()
    table[:blocked] += np.tile(weights["shared"], (kernels.BLOCK_COUNT, 1))
    hidden = np.clip(table[views[0]].sum(2) + weights["biases"], 0, 1).reshape(len(terms), -1)
    odds = (hidden * weights["outputs"][phases]).sum(1) + weights["output_biases"][phases]
    odds = learn.OUTPUT_UNIT * odds + terms @ weights["terms"]
    sums, out = [0] * 64, [0] * 160
    for state, value in list(zip(rows["state"].tolist(), odds, strict=True))[:200]:
        found = kernels.judged([*game.rules, *words], sums, 0, tuple(state), out)
        assert found == pytest.approx(2000 * value, abs=40)


def test_the_command_writes_a_network_that_plays_and_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "small.bin"
    words = ["train", "sensei", "--games", "3", "--nodes", "20", "--epochs", "1", "--out", str(file), "--json"]
    found = json.loads(run(*words))
    log = json.loads(file.with_suffix(".json").read_text())
    assert found["positions"] == sum(each["positions"] for each in log["sources"])
    assert found["games"] == 6
    assert [each["teacher"] for each in log["sources"]] == ["hand-made"] * 2
    content = file.read_bytes()
    assert json.loads(run(*words)) == found
    assert file.read_bytes() == content
    game = damier.load("sensei", variant="shizukana-variant")
    assert len(rules_for(game, str(file), False)) == len(game.rules) + network_size(game)
    match = run("match", "sensei", "--a", f"full:{file}", "--b", "full:hand-made", "--nodes", "20", "--games", "2")
    assert "Elo difference" in match


def test_games_of_another_training_are_learned_from_too(tmp_path: Path) -> None:
    first, second, third = (str(tmp_path / f"{name}.bin") for name in ("first", "second", "third"))
    words = ["train", "sensei", "--games", "2", "--nodes", "20", "--epochs", "1", "--json"]
    before = json.loads(run(*words, "--out", first))
    after = json.loads(run(*words, "--out", second, "--teacher", first, "--more", f"{first}.training"))
    log = json.loads(Path(second).with_suffix(".json").read_text())
    teacher = hashlib.sha256(Path(first).read_bytes()).hexdigest()
    assert [each["teacher"] for each in log["sources"]] == ["hand-made", "hand-made", teacher, teacher]
    assert [each["games"] for each in log["sources"]] == [2] * 4
    assert after["games"] == 2 * before["games"]
    assert after["positions"] == sum(each["positions"] for each in log["sources"])
    assert after["positions"] > before["positions"]
    said = refused(*words, "--out", third, "--more", str(tmp_path / "none"))
    assert "cannot be used: No such file" in said
    slides = ["-o", "variant=arashi", "--out", third, "--more", f"{first}.training"]
    assert "cannot be used" in refused(*words, *slides)
    folder = tmp_path / "first.bin.training"
    (folder / "arashi.npz").write_bytes((folder / "shizukana.npz").read_bytes())
    assert "has games of other settings" in refused(*words, *slides)
    (folder / "arashi.npz").write_bytes(b"damaged")
    assert "is not one of self-play" in refused(*words, *slides)
    for setting in ("{", "3", "null"):
        np.savez(folder / "arashi.npz", setting=np.array(setting), games=np.array(1), value=np.array([1]))
        assert "is not one of self-play" in refused(*words, *slides)
    assert not (tmp_path / "third.bin.training").exists()


def test_what_cannot_be_trained_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = str(tmp_path / "network.bin")
    assert refused("train", "chefa", "--out", file) == "Chefa is not judged by a network."
    assert refused("train", "sensei", "--out", file, "--epochs", "0").startswith("epochs takes a whole number")
    assert refused("train", "sensei", "--out", file, "--jobs", "0").startswith("jobs takes a whole number")
    assert "is not the file of a network" in refused("train", "sensei", "--out", file, "--teacher", "none.bin")
    assert "cannot be written" in refused("train", "sensei", "--out", str(tmp_path / "none" / "network.bin"))
    (tmp_path / "file").write_text("")
    folder = str(tmp_path / "file" / "inside")
    assert "cannot be written" in refused("train", "sensei", "--out", file, "--folder", folder, "--games", "2")
    assert refused("train", "sensei", "--out", file, "--games", "1").startswith("games takes a whole number from 2 to")
    assert refused("train", "sensei", "--out", file, "--seed", "-1").startswith("seed takes a whole number from 0 to")
    for name in ("network.json", "network", ".bin", "", "-", "."):
        assert "needs a name with one of the endings .bin" in refused("train", "sensei", "--out", name)
    for name in ("folder.bin", "log.json"):
        (tmp_path / name).mkdir()
        said = refused("train", "sensei", "--out", str(tmp_path / name.replace(".json", ".bin")))
        assert said.endswith("cannot be written: Is a directory.")
    os.mkfifo(tmp_path / "pipe.bin")
    assert refused("train", "sensei", "--out", str(tmp_path / "pipe.bin")).endswith("cannot be written: File exists.")
    more = ["--more", f"{tmp_path}/x", "--more", f"{tmp_path}/./x"]
    assert refused("train", "sensei", "--out", file, *more).endswith("is named twice.")
    assert refused("train", "sensei", "--out", file, "--more", f"{file}.training").endswith("is named twice.")
    assert not (tmp_path / "network.bin.training").exists()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert refused("train", "sensei", "--out", file) == "Training needs a further package: damier[train]."


def test_a_player_is_refused_a_network_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("other.bin")
    against = ("--b", "random", "--games", "2")
    for content in (None, b"", b"damier-network1\n" + bytes(8), bytes(1000)):
        if content is not None:
            file.write_bytes(content)
        said = refused("match", "sensei", "--a", f"full:{file}", *against)
        assert said == f"'{file}' is not the file of a network for Sensei."
    assert refused("match", "chefa", "--a", f"full:{LEARNED}", *against) == "Chefa is not judged by a network."
    Engine(damier.load("chefa"), evaluation="hand-made")  # every game has that


def test_without_a_position_to_learn_from_nothing_is_trained(rows: dict[str, Any]) -> None:
    held_out = {name: array[rows["game"] == 0] for name, array in rows.items()}
    with pytest.raises(BadArgument, match="There are no positions to learn from"):
        train(damier.load("sensei"), examples_of(held_out), COURSE)


def test_what_was_learned_from_other_examples_is_not_gone_on_with(rows: dict[str, Any]) -> None:
    assert examples_of(rows).digest == examples_of(rows).digest
    assert examples_of(rows).digest != examples_of({**rows, "value": -rows["value"]}).digest


@pytest.mark.parametrize("content", ["other", "array", "history"])
def test_a_file_of_what_was_learned_that_is_none_is_left_aside(content: str, tmp_path: Path) -> None:
    learning, weights = learn._Learning(tmp_path, "setting"), ({"rows": np.zeros(3)},)
    learning.keep(weights, Epoch(1, 0.5, 0.5))
    again = learn._Learning(tmp_path, "setting")
    assert again.load(({"rows": np.ones(3)},))[0]["rows"].tolist() == [0, 0, 0]
    assert again.history == learning.history
    setting = "other" if content == "other" else "setting"
    arrays = {"setting": np.array(setting), "history": np.array("[3]"), "0 rows": np.zeros(3)}
    with (tmp_path / "learned.npz").open("wb") as stream:
        if content == "array":
            np.save(stream, np.zeros(3))
        else:
            np.savez(stream, **arrays)  # type: ignore[arg-type]  # names of arrays are free
    anew = learn._Learning(tmp_path, "setting")
    assert anew.load(({"rows": np.ones(3)},))[0]["rows"].tolist() == [1, 1, 1]
    assert anew.history == []
