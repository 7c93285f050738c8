"""Games of self-play as arrays: what they say is what was played; files are gone on with."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.insight.train import selfplay
from damier.insight.train.selfplay import SelfPlay, play_file
from tests.cli.calling import refused, run

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


def test_a_file_is_gone_on_with_as_if_it_had_been_made_at_once(tmp_path: Path) -> None:
    game = damier.load("chefa")
    play_file(game, 3, tmp_path / "whole.npz", HOW)
    play_file(game, 1, tmp_path / "parts.npz", HOW)
    assert play_file(game, 3, tmp_path / "parts.npz", HOW)[0] == 1
    assert arrays_of(tmp_path / "parts.npz") == arrays_of(tmp_path / "whole.npz")
    assert play_file(game, 2, tmp_path / "parts.npz", HOW)[0] == 3
    assert {file.name for file in tmp_path.iterdir()} == {"whole.npz", "parts.npz"}


def test_an_interruption_keeps_the_games_that_are_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = damier.load("chefa"), tmp_path / "games.npz"
    monkeypatch.setattr(selfplay, "_SAVE_AFTER", -1.0)  # after every game

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
    (tmp_path / "games.npz.unfinished").mkdir()
    in_the_way = refused("selfplay", "chefa", "--games", "1", "--nodes", "1", "--max-actions", "5", *out)
    assert in_the_way.endswith("cannot be written: Is a directory.")
