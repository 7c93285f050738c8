"""The commands that search: analyse, review, match, engine, fit."""

import errno
import io
import json
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.cli import main
from damier.cli.commands import analyse as analyse_command
from damier.cli.commands import fit as fit_command
from damier.cli.commands import review as review_command
from damier.engine import Engine, Limit, analyse
from damier.engine.judge import EngineJudge, overall_chances
from damier.engine.methods.kernel_loader import KernelLoader
from damier.insight.review.review import review as review_game
from damier.insight.train.fit import Fit
from tests.cli.calling import called, in_terminal, refused, run

WIN = "5/5/W3W/B1B2/BB1WW b 0,0 -"
HEAD = r"depth \d+  [\d,]+ nodes  [\d.]+( [kM])? nodes/s  [\d.]+ s  "
BLUNDER = '[Game "chefa"]\n[Position "3WW/2W1W/5/B1B2/BB3 b 0,0 -"]\n[Players "Ann; Bob"]\n\n1. b1-c1 2. c4-d4\n'
QUIET = '[Game "chefa"]\n\n1. a1 2. e5\n'
DICE = '[Game "omba"]\n[Options "players=3"]\n\n1. roll:1 @b1 2. roll:2 @b1\n'


@pytest.mark.parametrize("command", ["analyse", "review", "match", "engine", "fit"])
def test_every_command_has_help_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert ("--json" in text) == (command != "engine")


def test_the_engine_of_the_package_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys, damier, damier.engine\n"
        "print([name for name in sys.modules if name.startswith('damier.engine.')])\n"
        "print(damier.engine.Limit(nodes=5).nodes, 'damier.engine.engine' in sys.modules)\n"
        "print(damier.engine.LevelPlayer.__name__, any(name in sys.modules for name in ('numpy', 'numba', 'rich')))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n5 False\nLevelPlayer False\n"
    with pytest.raises(AttributeError):
        damier.engine.Nothing  # type: ignore[attr-defined]  # noqa: B018


# analyse


def test_analyse_is_a_function_too() -> None:
    record = damier.load("chefa").record(WIN)
    *_, last = analyse(record, Limit(nodes=200), lines=2)
    assert (len(last.lines), last.best.actions) == (2, ("c2-b2",))
    assert [state.best.actions for state in analyse(record.position, Limit(depth=1))] == [("c2-b2",)]


def test_analyse_prints_the_last_state() -> None:
    head, *rows = run("analyse", "chefa", "--position", WIN, "--nodes", "200").splitlines()
    assert re.fullmatch(HEAD + "Black to move", head)
    assert rows[0] == "100.0 %  wins in 1 ply  c2-b2"
    assert len(rows) == 3
    assert all(re.match(r" [ \d]\d\.\d %  ", row) for row in rows[1:])


def test_analyse_tells_how_far_a_loss_is() -> None:
    rows = run("analyse", "chefa", "--position", "5/5/W3W/B1B2/BB1WW w 0,0 -", "--depth", "3", "--lines", "99")
    assert "  0.0 %  loses in 2 plies  e3-e4" in rows


def test_analyse_joins_the_actions_of_a_turn() -> None:
    rows = run("analyse", "sensei", "--actions", "a1-a2", "--depth", "3", "--lines", "1").splitlines()
    assert len(rows) == 2
    assert "+" in rows[1]
    assert "Green to move" in rows[0]


def test_analyse_shows_the_outcomes_of_a_die_with_the_best_answers() -> None:
    head, *rows = run("analyse", "omba", "--depth", "2").splitlines()
    assert head.endswith("  Player 1 to roll the die")
    assert [re.search(r"roll:\d @", row) is not None for row in rows] == [True] * 6


def test_analyse_shows_the_chances_of_all_if_they_are_many() -> None:
    head, *rows = run("analyse", "omba", "-o", "players=3", "--actions", "roll:3", "--nodes", "900").splitlines()
    assert head.endswith("Player 1 to move")
    assert all(re.match(r"1 +[\d.]+ %  2 +[\d.]+ %  3 +[\d.]+ %  @", row) for row in rows)


def test_analyse_of_a_finished_game_is_its_result() -> None:
    over = ("analyse", "chefa", "--position", "5/5/BB1W1/BB1W1/1W2W w 0,0 -")
    assert run(*over) == "Black wins: four pawns in a square.\n"
    data = json.loads(run(*over, "--json"))
    assert (data["result"]["winner"], data["lines"], data["final"]) == ("b", [], True)


def test_analyse_prints_json_lines_as_it_grows() -> None:
    lines = run("analyse", "chefa", "--position", WIN, "--nodes", "300", "--lines", "2", "--json").splitlines()
    data = [json.loads(line) for line in lines]
    assert [state["final"] for state in data] == [False] * (len(data) - 1) + [True]
    assert data[-1] == {**data[-2], "final": True}
    best = data[-1]["lines"][0]
    assert best == {"actions": ["c2-b2"], "chances": {"b": 1.0, "w": 0.0}, "winner": "b", "distance": 1, "proved": True}
    assert data[-1]["chances"] == {"b": 1.0, "w": 0.0}
    assert set(data[-1]) > {"game", "options", "position", "mover", "depth", "nodes", "seconds", "nodes_per_second"}


def test_analyse_takes_what_the_engine_takes() -> None:
    text = run("analyse", "chefa", "--nodes", "300", "--method", "mcts", "--threads", "2", "--memory", "8")
    assert re.match(HEAD, text)


def test_analyse_grows_in_a_terminal() -> None:
    shown = in_terminal("analyse", "chefa", "--position", WIN, "--nodes", "200")
    assert "\x1b[" in shown
    assert shown.count("wins in 1 ply  c2-b2") >= 2


def test_analyse_of_five_seconds_if_nothing_limits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Limit] = []
    real = Engine.analyse

    def noted(self: Engine, start: Any, limit: Limit, lines: int = 3) -> Any:
        asked.append(limit)
        return real(self, start, Limit(nodes=50), lines)

    monkeypatch.setattr(Engine, "analyse", noted)
    run("analyse", "chefa")
    run("analyse", "chefa", "--depth", "4")
    assert asked == [Limit(seconds=5), Limit(depth=4)]


def test_ctrl_c_prints_the_last_state() -> None:
    command = [sys.executable, "-m", "damier", "analyse", "chefa", "--seconds", "600", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    first = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err, first["final"]) == (130, "damier: stopped.\n", False)
    assert json.loads(out.splitlines()[-1])["final"] is True


def test_more_memory_than_there_is_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: Any, **_settings: Any) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(analyse_command, "Engine", full)
    assert refused("analyse", "chefa", "--memory", "1000000") == "There is not enough memory for this."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--seconds", "-1"), "seconds takes a number from 0 to 1e+07, not '-1.0'."),
        (
            ("--seconds", "soon"),
            "Argument --seconds: a number of seconds such as 0.5 is needed, not 'soon'; see damier analyse --help.",
        ),
        (
            ("--seconds", "nan"),
            "Argument --seconds: a number of seconds such as 0.5 is needed, not 'nan'; see damier analyse --help.",
        ),
        (("--nodes", "0"), "nodes takes a number from 1 to 1e+15, not '0'."),
        (("--nodes", "1.5"), "Argument --nodes: a whole number is needed, not '1.5'; see damier analyse --help."),
        (("--depth", "101"), "depth takes a number from 1 to 100, not '101'."),
        (("--lines", "0"), "lines takes a whole number from 1 to 1000, not '0'."),
        (("--threads", "0"), "threads takes a whole number from 1 to 64, not '0'."),
        (("--memory", "0"), "memory takes a whole number from 1 to 1048576, not '0'."),
        (("--method", "guess"), "The method is one of alphabeta, expectimax, mcts, not 'guess'."),
        (("--method", "expectimax"), "The method expectimax does not suit this game."),
        (("--actions", "c3"), "The centre c3 is not a cell: no pawn can enter it."),
    ],
)
def test_mistakes_of_analyse_are_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    assert refused("analyse", "chefa", *arguments) == sentence


# review


@pytest.fixture
def games(tmp_path: Path) -> str:
    """Returns a file of three games."""
    file = tmp_path / "games.txt"
    file.write_text("\n".join((BLUNDER, QUIET, DICE)))
    return str(file)


def test_review_names_the_mistake_and_draws_the_graph(games: str) -> None:
    lines = run("review", games, "--nodes", "150").splitlines()
    assert lines[0] == "1. Turn 1, Black (Ann): b1-c1 was a mistake, from 100 % to 0 %; better was c2-b2."
    assert lines[1:6] == [
        "Black (Ann) gave away 100.0 % an action.",
        "White (Bob) gave away 0.0 % an action.",
        "Accuracy of Black (Ann): 0.0 %.",
        "Accuracy of White (Bob): 100.0 %.",
        "White wins: four pawns in a square.",
    ]
    assert lines[7].startswith(" 100 % │████")
    assert lines[-1] == "Filled: the winning chance of Black; empty: that of White."


def test_review_of_a_game_without_mistakes_says_so(games: str) -> None:
    lines = run("review", games, "--game", "2", "--nodes", "30").splitlines()
    assert lines[0] == "No action gave away 5 % of the winning chance or more."


def test_review_tells_the_luck_of_the_die(games: str) -> None:
    text = run("review", games, "--game", "3", "--nodes", "150")
    assert len(re.findall(r"(?m)^The die changed the chance of Player \d by [+-]\d+ %\.$", text)) == 3
    assert "█ Player 1  ▓ Player 2  ▒ Player 3" in text


def test_review_prints_json(games: str) -> None:
    data = json.loads(run("review", games, "--nodes", "150", "--json"))
    assert data["mistakes"] == [0]
    assert data["actions"][0] == {
        "turn": 1,
        "mover": "b",
        "action": "b1-c1",
        "before": {"b": 1.0, "w": 0.0},
        "after": {"b": 0.0, "w": 1.0},
        "loss": 1.0,
        "mark": "??",
        "better": ["c2-b2"],
        "luck": None,
    }
    assert data["average_losses"] == {"b": 1.0, "w": 0.0}
    assert data["accuracies"] == {"b": 0.0, "w": 1.0}
    assert (len(data["chances"]), data["result"]) == (3, {"winner": "w", "reason": "square"})


def test_review_writes_a_picture_and_an_annotated_record(games: str, tmp_path: Path) -> None:
    picture, record = tmp_path / "chances.svg", tmp_path / "annotated.txt"
    arguments = ("--nodes", "150", "--svg", str(picture), "--theme", "dark", "--annotate", str(record))
    assert run("review", games, *arguments).startswith("1. Turn 1, ")
    assert ET.parse(picture).getroot().tag.endswith("svg")
    (score,) = damier.read_transcripts(record.read_text())
    assert [node.action for node in score.root.children] == ["b1-c1", "c2-b2"]
    assert "(1. c2-b2)" in run("replay", str(record))


def test_review_writes_to_standard_output_instead_of_its_report(games: str) -> None:
    assert ET.fromstring(run("review", games, "--nodes", "30", "--svg", "-")).tag.endswith("svg")
    (score,) = damier.read_transcripts(run("review", games, "--nodes", "150", "--annotate", "-"))
    assert len(score.root.children) == 2


def test_review_draws_with_plain_letters_where_there_are_no_others(games: str) -> None:
    command = [sys.executable, "-m", "damier", "review", games, "--nodes", "30"]
    done = subprocess.run(command, capture_output=True, timeout=60, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"# Black  = White" in done.stdout
    assert b"\\u" not in done.stdout


def test_review_of_50000_nodes_if_nothing_limits_it(games: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Limit] = []
    real = review_game

    def noted(score: damier.Transcript, limit: Limit, progress: Any) -> Any:
        asked.append(limit)
        return real(score, Limit(nodes=30), progress)

    monkeypatch.setattr(review_command, "review_game", noted)
    for arguments in ((), ("--seconds", "2"), ("--nodes", "7")):
        run("review", games, *arguments)
    assert asked == [Limit(nodes=50_000), Limit(seconds=2), Limit(nodes=7)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--game", "4"), "This file has games 1 to 3, not 4."),
        (("--game", "0"), "This file has games 1 to 3, not 0."),
        (("--nodes", "0"), "nodes takes a number from 1 to 1e+15, not '0'."),
        (("--svg", "/no/folder/x.svg"), "The file '/no/folder/x.svg' cannot be written: No such file or directory."),
        (("--annotate", "/no/x.txt"), "The file '/no/x.txt' cannot be written: No such file or directory."),
    ],
)
def test_mistakes_of_review_are_one_sentence(games: str, arguments: tuple[str, ...], sentence: str) -> None:
    assert refused("review", games, *arguments) == sentence


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path, games: str) -> None:
    assert refused("review", "/no/such/file") == "The file '/no/such/file' cannot be read: No such file or directory."
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert refused("review", str(tmp_path / "bytes")).endswith("is not text in UTF-8.")
    (tmp_path / "bad.txt").write_text('[Game "chefa"]\n\n1. c3\n')
    assert refused("review", str(tmp_path / "bad.txt")).startswith("Line 3: the action c3 is refused: ")
    assert refused("review", games, "--nodes", "30", "--svg", str(tmp_path)).endswith("written: Is a directory.")


# match


def test_match_plays_and_tells_how_it_went() -> None:
    arguments = ("--a", "level:1", "--b", "random", "--games", "2", "--nodes", "50", "--jobs", "1", "--max-turns", "12")
    text = run("match", "chefa", *arguments)
    assert re.match(r"level:1 against random: \d won, \d drawn, \d lost, [\d.]+ % \(equal players: 50 %\)\.\n", text)
    data = json.loads(run("match", "chefa", *arguments, "--openings", "0", "--json"))
    assert (data["games"], data["first"]) == (2, "level:1")


def test_the_judge_tells_the_chance_of_whoever_acts() -> None:
    chefa, omba, many = damier.load("chefa"), damier.load("omba"), damier.load("omba", players=3)
    judge = EngineJudge(chefa)
    assert judge(chefa.record(WIN)) == 1.0
    assert judge(chefa.record("3WW/2W1W/5/B1B2/BB3 w 0,0 -")) == 1.0
    assert 0.2 < EngineJudge(omba)(omba.record()) < 0.8
    judge = EngineJudge(many)
    record = many.record()
    first = judge(record)
    assert 0.0 < first < 1.0
    assert judge(record) == first
    record.play("roll:2")
    assert 0.0 < judge(record) < 1.0


def test_at_a_die_the_chances_are_the_mean_of_all_rolls() -> None:
    omba = damier.load("omba")
    *_, last = analyse(omba.start, Limit(depth=3))
    chances = overall_chances(last)
    assert sum(chances) == pytest.approx(1.0)
    assert chances[0] == pytest.approx(sum(line.value.chances[0] for line in last.lines) / 6)


def test_match_compiles_before_the_clock_starts_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    filled: list[KernelLoader] = []
    monkeypatch.setattr(KernelLoader, "is_cached", False)
    monkeypatch.setattr(KernelLoader, "compiled", None)
    monkeypatch.setattr(KernelLoader, "fill_cache", lambda loader: filled.append(loader))
    arguments = ("--a", "random", "--b", "random", "--games", "2", "--openings", "0", "--max-turns", "10")
    status, out, err = called("match", "chefa", *arguments)
    assert (status, len(filled)) == (0, 1)
    assert err == "The engine is being compiled, once for this version: this takes a while.\n"
    assert "random against random" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "A match needs --a and --b, or --round-robin with several players."),
        (("--a", "random", "--b", "random", "--games", "3"), "Games come in pairs, so their number is even, not 3."),
        (("--a", "random", "--b", "random", "--seconds", "-2"), "seconds takes a number from 0 to 1e+07, not '-2.0'."),
        (
            ("--a", "random", "--b", "random", "--games", "x"),
            "Argument --games: a whole number is needed, not 'x'; see damier match --help.",
        ),
    ],
)
def test_mistakes_of_match_are_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    assert refused("match", "chefa", *arguments) == sentence


# engine


class Input:
    """A standard input."""

    def __init__(self, text: str) -> None:
        self.buffer = io.BytesIO(text.encode())


def test_engine_serves_both_protocols(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Input(f"ugi\nposition fen {WIN}\ngo nodes 50\nquit\n"))
    lines = run("engine", "chefa").splitlines()
    assert "ugiok" in lines
    assert lines[-1] == "bestmove c2-b2"
    monkeypatch.setattr(sys, "stdin", Input("protocol_version\nquit\n"))
    assert run("engine", "chefa", "--protocol", "gtp") == "= 2\n\n=\n\n"


def test_engine_needs_a_protocol_and_an_input(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "invalid choice: 'uci'" in refused("engine", "chefa", "--protocol", "uci")
    monkeypatch.setattr(sys, "stdin", None)
    assert refused("engine", "chefa") == "There is no standard input to read."


# fit


def test_fit_prints_terms_and_a_line_to_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    game = damier.load("sensei")
    old = game.definition.evaluate.WEIGHTS
    new = tuple(range(len(old)))
    monkeypatch.setattr("damier.insight.train.fit.fit", lambda *_arguments: Fit(new, 40, 900, 0.61, 0.65))
    *rows, summary, paste = run("fit", "sensei", "--games", "40").splitlines()
    assert summary == "40 games, 900 positions: loss 0.6500 before, 0.6100 after; knowing nothing, 0.6931."
    assert paste == f"WEIGHTS = {list(new)}"
    assert [[int(number) for number in row.split()[-2:]] for row in rows] == [
        list(pair) for pair in zip(old, new, strict=True)
    ]
    data = json.loads(run("fit", "sensei", "--json"))
    assert [term["new"] for term in data["terms"]] == list(new)
    assert len({term["name"] for term in data["terms"]}) == len(new)
    assert (data["positions"], data["loss"], data["loss_before"]) == (900, 0.61, 0.65)


def test_fit_plays_games_and_fits_to_them() -> None:
    data = json.loads(run("fit", "renfa", "--games", "2", "--nodes", "20", "--json"))
    assert (data["games"], data["nodes"], data["seed"]) == (2, 20, 0)
    assert data["positions"] > 0
    assert data["loss"] > 0


@pytest.mark.slow
def test_fit_by_matches_moves_the_weights_that_occur() -> None:
    data = json.loads(run("fit", "sensei", "--by", "matches", "--games", "8", "--nodes", "20", "--json"))
    assert (data["games"], data["rounds"], data["by"]) == (8, 1, "matches")
    assert data["noise"] > 0
    changed = [term["old"] != term["new"] for term in data["terms"]]
    half = len(changed) // 2
    assert any(changed[:half])
    assert not any(changed[half:])  # stones do not slide in this variant
    assert refused("fit", "sensei", "--jobs", "0") == "jobs takes a whole number from 1 to 256, not '0'."


def test_terms_without_names_have_numbers() -> None:
    assert fit_command._term_names((), 3) == ["1", "2", "3"]
    assert fit_command._term_names(("a", "b"), 4) == ["a", "b", "a (2)", "b (2)"]


def test_mistakes_of_fit_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "games takes a whole number from 1 to 10000000, not '0'."
    assert refused("fit", "sensei", "--games", "0") == sentence
    assert refused("fit", "sensei", "--nodes", "0") == "nodes takes a number from 1 to 1e+15, not '0'."
    only_two = "Weights are tuned by matches only for two players."
    assert refused("fit", "omba", "-o", "players=3", "--by", "matches") == only_two
    monkeypatch.delattr(damier.load("sensei").definition.evaluate, "terms")
    assert called("fit", "sensei") == (2, "", "damier: The evaluation of Sensei has no terms to fit.\n")


def test_the_table_of_a_round_robin_is_written_in_the_chosen_language() -> None:
    said = run(
        "match", "chefa", "--round-robin", "random", "level:1", "--games", "2", "--max-turns", "4", "--lang", "de"
    )
    assert said.count("50,0") == 4
    assert "2 Partien mit je 4,0 Zügen" in said
    assert "Wegen Überlänge remis gewertete Partien: 2." in said
