"""The command line, as a person and as a program use it."""

import json
import socket
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

import damier
from damier.cli import commands, main
from damier.server.settings import ServerSettings
from tests.cli.calling import called, in_terminal, refused, run

MIDDLE = "B3W/5/1B1WW/5/B1W1B b 0,0 -"


def test_without_a_command_it_serves_and_opens_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[tuple[ServerSettings, bool]] = []

    def serve(settings: ServerSettings, *, opens_browser: bool, tell: Callable[[str], None]) -> None:
        tell("http://localhost:1/")
        served.append((settings, opens_browser))

    monkeypatch.setattr("damier.server.run.serve", serve)
    assert run() == "damier is at http://localhost:1/ (Ctrl-C ends it)\n"
    assert "http://localhost:1/" in run("serve", "--port", "8000", "--no-browser", "--lang", "fr")
    assert served == [(ServerSettings.read({}), True), (ServerSettings.read({"port": 8000}), False)]


def test_a_busy_port_and_an_unusable_file_are_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = str(busy.getsockname()[1])
        said = refused("serve", "--no-browser", "--port", port, "--database", str(tmp_path / "matches.sqlite"))
        assert said.startswith(f"The server cannot listen on 127.0.0.1, port {port}: ")
    (tmp_path / "a").write_bytes(b"no database at all, " * 100)
    assert "cannot be used" in refused("serve", "--no-browser", "--database", str(tmp_path))
    said = refused("serve", "--no-browser", "--database", str(tmp_path / "a"))
    assert "is damaged: file is not a database. See what can be read with damier check" in said
    assert "cannot be used" in refused("serve", "--no-browser", "--database", str(tmp_path / "a" / "b"))


def test_games_lists_every_game_with_its_options() -> None:
    text, data = run("games"), json.loads(run("games", "--json"))
    assert tuple(game["name"] for game in data) == damier.games()
    assert all(game["title"] in text for game in data)
    assert data[0]["options"][0] == {
        "name": "size",
        "type": "integer",
        "default": 5,
        "low": 5,
        "high": 8,
        "help": "Cells on a side of the board.",
    }


def test_moves_prints_one_action_a_line() -> None:
    assert run("moves", "chefa", "--position", MIDDLE).split("\n")[:3] == ["a1-a2", "a1-b1", "a1=c1"]
    assert run("moves", "omba") == "".join(f"roll:{number}\n" for number in range(1, 7))


def test_moves_plays_actions_and_whole_turns_first() -> None:
    data = json.loads(run("moves", "sensei", "--actions", "a1-a2+d1^c1+end", "a7-a6", "--json"))
    assert data["position"] == "1RRRRRR/R6/7/7/7/G6/1GGGGGG r c1,d7 1,1"
    assert data["mover"] == "r"
    assert data["result"] is None
    assert data["actions"] == sorted(data["actions"])


def test_moves_knows_the_history_of_its_actions() -> None:
    position = "BW1WB/1...W/1.1.1/1...W/BBW1B b 0,0 -,- -"
    game = damier.load("badia")
    record = game.record(position)
    played: list[str] = []
    while len(played) < 12:
        played.append(record.actions()[0])
        record.play(played[-1])
    assert run("moves", "badia", "--position", position, "--actions", *played).split() == record.actions()


def test_moves_of_a_finished_game_are_none() -> None:
    position = "5/5/BB1W1/BB1W1/1W2W w 0,0 -"
    assert called("moves", "chefa", "--position", position) == (0, "", "Black wins: four pawns in a square.\n")
    data = json.loads(run("moves", "chefa", "--position", position, "--json", "--lang", "fr"))
    assert (data["actions"], data["mover"], data["result"]["winner"], data["result"]["reason"]) == (
        [],
        None,
        "b",
        "square",
    )
    assert data["result"]["sentence"] != "Black wins: four pawns in a square."


def test_a_position_may_begin_with_a_dash() -> None:
    assert run("perft", "omba", "2", "--position", "-,-,-/-,-,-/-,-,- 1 6,6 - -") == "27\n"


@pytest.mark.parametrize(
    ("arguments", "count"),
    [(("sensei", "6"), 1661832), (("chefa", "5"), 5100480), (("omba", "8", "-o", "players=3"), 736440)],
)
def test_perft_prints_the_count(arguments: tuple[str, ...], count: int) -> None:
    assert run("perft", *arguments) == f"{count}\n"
    assert json.loads(run("perft", *arguments, "--json"))["count"] == count


def test_perft_divides_by_first_action() -> None:
    lines = run("perft", "chefa", "3", "--divide").splitlines()
    assert lines[0] == "a1 506"
    assert lines[-1] == "12144"


def test_playouts_tells_results_lengths_and_speed() -> None:
    data = json.loads(run("playouts", "badia", "2000", "--json", "--threads", "2"))
    assert sum(data["results"].values()) == data["games"] == 2000
    assert data["lengths"]["min"] <= data["lengths"]["mean"] <= data["lengths"]["max"]
    assert data["actions_per_second"] > 0
    text = run("playouts", "omba", "500", "-o", "players=4", "--seed", "3")
    assert "M actions/s" in text
    assert run("playouts", "omba", "0").startswith("1 ")


def test_show_draws_the_board_as_text() -> None:
    text = run("show", "chefa", "--position", MIDDLE)
    assert MIDDLE in text
    assert "a   b   c   d   e" in text
    data = json.loads(run("show", "chefa", "--position", MIDDLE, "--json"))
    assert {"player": "b", "cell": "a1", "level": 0, "marks": []} in data["pieces"]


@pytest.mark.parametrize("name", damier.games())
def test_show_writes_a_picture(name: str, tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert run("show", name, "--svg", str(file), "--theme", "dark", "--flip") == ""
    assert ET.parse(file).getroot().tag.endswith("svg")
    assert ET.fromstring(run("show", name, "--svg", "-")).tag.endswith("svg")


def test_rules_are_markdown_in_a_pipe() -> None:
    assert run("rules", "chefa", "--lang", "fr").startswith("# Chefa\n")
    assert json.loads(run("rules", "chefa", "--lang", "de", "--json"))["lang"] == "de"


def test_rules_are_laid_out_in_a_terminal() -> None:
    shown = in_terminal("rules", "renfa", "--lang", "de")
    assert "Renfa-Bomba" in shown
    assert "![" not in shown
    assert "\x1b[" in shown


def test_a_board_in_a_terminal_has_colours() -> None:
    assert "\x1b[" in in_terminal("show", "sensei")
    assert "\x1b[" not in run("show", "sensei")


RECORD = (
    '[Game "chefa"]\n[Players "Ann; Bob"]\n\n1. a1 2. e5 3. b1 4. d5 5. a2 6. e4 7. c2 8. c4 {all placed} 9. a2-a3\n'
)


def test_replay_shows_a_recorded_game(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD + "\n" + RECORD)
    text = run("replay", str(file))
    assert text.count("Ann") == 2
    assert "9. a2-a3" in text
    assert run("replay", str(file), "--turn", "2").count("3,3 -") == 2
    assert run("replay", str(file), "--boards").count("a   b   c   d   e") == 20
    data = json.loads(run("replay", str(file), "--json"))
    assert [record["actions"][-1] for record in data] == ["a2-a3", "a2-a3"]
    for written in (data[0], data):
        file.write_text(json.dumps(written))
        assert "9. a2-a3" in run("replay", str(file))
    file.write_text(json.dumps([data[0], {**data[1], "actions": ["c3"]}]))
    assert refused("replay", str(file)).startswith("Record 2: ")
    file.write_bytes(b"\xff\xfe")
    assert refused("replay", str(file)).endswith("is not text in UTF-8.")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("moves", "chess"), "There is no game 'chess': the games are renfa, chefa, badia, sensei, omba."),
        (
            ("moves", "chefa", "--position", "9/5/5/5/5 b 4,4 -"),
            "Row 5 of the board has '9', which is neither one of B W nor a number of empty cells from 1 to 5.",
        ),
        (("moves", "chefa", "--actions", "c3"), "The centre c3 is not a cell: no pawn can enter it."),
        (("moves", "renfa", "-o", "size=9"), "The option size takes a whole number from 5 to 8, not '9'."),
        (("moves", "renfa", "-o", "colour=red"), "There is no option 'colour': this game has size, bombs, last."),
        (("moves", "chefa", "-o", "size=5"), "There is no option 'size': this game has none."),
        (("moves", "renfa", "-o", "size"), "An option is written NAME=VALUE, not 'size'."),
        (("moves", "renfa", "-o", "size=5", "-o", "size=6"), "The option 'size' is given twice."),
        (("perft", "chefa", "-1"), "depth takes a whole number from 0 to 1000, not '-1'."),
        (("perft", "chefa", "two"), "Argument DEPTH: a whole number is needed, not 'two'; see damier perft --help."),
        (("perft", "chefa"), "The following arguments are required: DEPTH; see damier perft --help."),
        (("playouts", "chefa", "-5"), "n takes a whole number from 0 to 1000000000, not '-5'."),
        (("playouts", "chefa", "5", "--threads", "0"), "threads takes a whole number from 1 to 1024, not '0'."),
        (("show", "chefa", "--svg", "/no/such/folder/x.svg"),
         "The file '/no/such/folder/x.svg' cannot be written: No such file or directory."),
        (("replay", "/no/such/file"), "The file '/no/such/file' cannot be read: No such file or directory."),
        (("rules", "go"), "There is no game 'go': the games are renfa, chefa, badia, sensei, omba."),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_exit_status_2(arguments: tuple[str, ...], sentence: str) -> None:
    assert refused(*arguments) == sentence


def test_unknown_commands_and_options_are_refused() -> None:
    assert "invalid choice: 'nonsense'" in refused("nonsense")
    assert "--nonsense" in refused("moves", "chefa", "--nonsense")
    assert "invalid choice: 'es'" in refused("moves", "chefa", "--lang", "es")


def test_a_sentence_comes_in_the_chosen_language() -> None:
    sentences = {lang: refused("moves", "chefa", "--actions", "c3", "--lang", lang) for lang in ("en", "fr", "de")}
    assert len(set(sentences.values())) == 3
    assert all("c3" in sentence for sentence in sentences.values())


@pytest.mark.parametrize("command", ["games", "rules", "moves", "show", "perft", "playouts", "replay", "bench"])
def test_every_command_has_help_with_examples(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert "--json" in text


def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"{sys.executable} -m damier perft renfa 4 --divide | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("a1 12144\n", "")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom damier.cli import main\nfrom damier.cli.commands import COMMANDS\n"
        "for words in [[], *([name] for name in COMMANDS)]:\n"
        "    try:\n        main([*words, '--help'])\n    except SystemExit:\n        pass\n"
        "main(['moves', 'chefa'])\n"
        "heavy = {'numpy', 'numba', 'rich', 'platformdirs', 'fastapi', 'sqlalchemy', 'jinja2'}\n"
        "sys.exit(str(heavy & set(sys.modules) or ''))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60).stderr == b"\n"


@pytest.mark.parametrize(
    ("lang", "share", "actions", "plan"),
    [
        ("en", "100.00 %", "actions in ", "1,991,320,743 positions, 2.7 GB of memory, "),
        ("fr", "100,00\u00a0%", "actions en ", "1\u202f991\u202f320\u202f743 positions, 2,7\u00a0Go de mémoire, "),
        ("de", "100,00\u00a0%", "Aktionen in ", "1.991.320.743 Stellungen, 2,7\u00a0GB Speicher, "),
    ],
)
def test_numbers_are_written_in_the_chosen_language(lang: str, share: str, actions: str, plan: str) -> None:
    said = run("playouts", "chefa", "1", "--seed", "1", "--lang", lang)
    assert share in said
    assert actions in said
    assert run("solve", "renfa", "--plan", "--lang", lang).startswith(plan)
    data = json.loads(run("solve", "renfa", "--plan", "--json", "--lang", lang))
    assert (data["entries"], data["time"]) == (1991320743, "8 minutes")


def test_every_command_has_a_module() -> None:
    folder = Path(commands.__file__).parent
    assert {file.stem for file in folder.glob("*.py")} - {"__init__"} == set(commands.COMMANDS)


def shell(command: str) -> tuple[int, str, str]:
    """Runs a command line in a shell; `damier` is this checkout's."""
    command = command.replace("damier", f"{sys.executable} -m damier")
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("damier games > /dev/full", "This cannot be written: No space left on device."),
        ("damier replay - <&-", "There is no standard input to read."),
        (
            "damier perft chefa 3 --position ''",
            "A position has 4 fields separated by one space (board side hand ko), not ''.",
        ),
        ("ulimit -v 4000000; damier playouts omba 1000000000", "There is not enough memory for this."),
    ],
)
def test_trouble_with_streams_and_memory_is_one_sentence(command: str, sentence: str) -> None:
    assert shell(command) == (2, "", f"damier: {sentence}\n")


def test_closed_and_narrow_streams_do_no_harm() -> None:
    assert shell("damier games >&-") == (0, "", "")
    status, out, err = shell("PYTHONIOENCODING=ascii damier rules chefa --lang fr")
    assert (status, err) == (0, "")
    assert "\\xca" in out


def test_complaints_about_arguments_are_one_short_line() -> None:
    assert refused("moves", "chefa", "a\nb") == "Unrecognized arguments: a?b; see damier --help."
    assert len(refused("moves", "chefa", "x" * 100_000)) < 300
    assert "too large" in refused("perft", "chefa", "9" * 30)
    english, french = refused("perft", "chefa", "x"), refused("perft", "chefa", "x", "--lang=fr")
    assert english != french == refused("perft", "chefa", "x", "--lang", "fr")


def test_a_game_ended_by_its_history_is_shown_as_ended() -> None:
    loop = ["a1-a2", "c1-c2", "a2-a1", "c2-c1"]
    arguments = ["chefa", "--position", MIDDLE, "--actions", *loop, *loop]
    text = run("show", *arguments)
    assert text.count("A draw: the same position for the third time") == 1
    assert "to move" not in text
    assert "A draw: the same position" in run("show", *arguments, "--svg", "-")
    assert json.loads(run("show", *arguments, "--json"))["captions"] == [
        "A draw: the same position for the third time."
    ]


def test_show_writes_a_picture_and_data_at_once(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    position = "B3W/5/1W1BW/5/B1W1B w 0,0 b3,d3"
    data = json.loads(run("show", "chefa", "--position", position, "--svg", str(file), "--json"))
    assert data["marks"] == {"b3": "ko", "d3": "ko"}
    assert file.exists()


def test_replay_refuses_turns_and_files_alike_with_json(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD)
    assert refused("replay", str(file), "--turn", "99", "--json") == "This game has turns 0 to 9, not 99."
    file.write_text("[]")
    assert refused("replay", str(file)) == "There is no game in this file."
    file.write_text('[Game "chefa"]\n[Event "\x1b[31m"]\n\n1. a1 {\x1b[2J}\n')
    assert "\x1b" not in run("replay", str(file))
    file.write_text('{"format":"damier-record","version":1,"game":"chefa","players":["\\ud800","x"],"actions":["a1"]}')
    assert refused("replay", str(file)) == "The field players must be a list of texts."


def test_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    import signal
    import time

    import psutil

    process = subprocess.Popen(
        [sys.executable, "-m", "damier", "perft", "renfa", "12"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while psutil.Process(process.pid).cpu_times().user < 2.5:  # started, with compiled code, and counting
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (130, "", "damier: stopped.\n")
