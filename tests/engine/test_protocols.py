"""The engine protocols: transcripts of conversations, other programs as players, and what may go wrong with either.

A transcript is a file of ``protocol_transcripts``. Its name begins with the protocol; its first line is the game with
its options, and `` real`` for the real engine instead of the made-up one. Then ``> line`` is sent, and ``< line`` must
be the next line of the answer; ``<~`` precedes a pattern for it, and ``<*`` one for any number of lines before it.
"""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.core.errors import BadArgument
from damier.engine.analysis import Analysis, Line, Value
from damier.engine.fault import EngineFault
from damier.engine.limit import Limit
from damier.engine.player import Player, RandomPlayer
from damier.engine.protocols.gtp import run_gtp
from damier.engine.protocols.programs import GtpPlayer, Program, UgiPlayer
from damier.engine.protocols.session import PlayerSettings, make_player
from damier.engine.protocols.ugi import centipawns, run_ugi
from tests.engine.conversation import Conversation, follow, load, said
from tests.engine.made_up_engine import PATIENCE, MadeUpEngine, at_random, made_up, playing

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = sorted((Path(__file__).parent / "protocol_transcripts").glob("*.txt"))
assert TRANSCRIPTS


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=[file.stem for file in TRANSCRIPTS])
def test_a_conversation_goes_as_written(file: Path) -> None:
    first, *lines = file.read_text(encoding="utf-8").splitlines()
    make = make_player if first.endswith(" real") else made_up
    follow(file.stem.split("-")[0], load(first.removesuffix(" real")), make, lines)


def test_the_examples_of_the_documentation_go_as_written() -> None:
    """With the engine itself: what it finds need not be what it found when the page was written."""
    page = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
    examples = re.findall(r"(?ms)^```(ugi|gtp) (\w+)\n(.*?)^```$", page)
    assert len(examples) == 4
    for protocol, name, text in examples:
        loose = re.sub(r"(?m)^< id name .*$", r"<~ id name damier \\S+", text)
        loose = re.sub(r"(?m)^(> go .*(?:nodes|depth).*)$", r"\1\n<* info depth .*", loose)
        loose = re.sub(r"(?m)^< info depth .*\n", "", loose)
        loose = re.sub(r"(?m)^< bestmove (?!none).*$", r"<~ bestmove \\S+", loose)
        loose = re.sub(r"(?m)^(> genmove .*)\n<.*$", r"\1\n<~ = \\S+", loose)
        follow(protocol, load(name), make_player, loose.splitlines())


WORDS = (
    "ugi isready uginewgame setoption name value Hash Lines bombs 5 -1 0 position startpos fen moves a1 e5 c3 a1-a2 "
    "5/5/5/5/5 b 6,6 go movetime depth nodes infinite p1time p2time 1 2 stop query gameover p1turn result fen chance "
    "legalmoves islegal play genmove undo w black showboard level boardsize clear_board time_settings time_left 12 # + "
    "damier-position damier-legal_moves known_command list_commands \x00 \x7f é"
)
LINES = st.lists(st.lists(st.sampled_from(WORDS.split()) | st.text(max_size=3), max_size=6).map(" ".join), max_size=12)


@given(LINES)
@settings(max_examples=150)
def test_no_line_ends_a_server(lines: list[str]) -> None:
    for answer in said(load("renfa"), *lines, "stop", "isready")[:-1]:
        assert re.match("(id|option|ugiok|readyok|info|bestmove|response)\\b", answer), answer
        assert answer.isprintable()
        assert "fault of the program" not in answer
    answers = said(load("renfa"), *lines, "name", run=run_gtp)
    assert answers[-1] == "= damier\n"
    assert all(re.fullmatch("[=?]\\d*( .+|\n.+)?(\n.+)*\n", answer) for answer in answers)
    assert not any("fault of the program" in answer for answer in answers)


def limits_of(game: damier.Game, *lines: str) -> list[Limit]:
    """Returns the limits of the searches that lines lead to."""
    MadeUpEngine.made.clear()
    said(game, *lines)
    return MadeUpEngine.made[-1].limits


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("p1time 50000 p2time 1000 p1inc 0 p2inc 0", 2.0),
        ("p1time 50000 p2time 1000 p1inc 1000 p2inc 5000", 2.8),
        ("p1time 3000 p2time 1000 p1inc 60000 p2inc 0", 1.0),
        ("p1time 50000", 2.0),
        ("p1time 50000 movetime 10", 0.01),
        ("movetime 1500", 1.5),
        ("p1time -20 p1inc 1000", 0.0),
    ],
)
def test_the_clock_gives_a_part_of_the_own_time(words: str, seconds: float) -> None:
    (limit,) = limits_of(load("chefa"), f"go {words}")
    assert limit.seconds == pytest.approx(seconds)
    assert limit.nodes is limit.depth is None


def test_the_second_player_uses_the_second_clock() -> None:
    lines = "position startpos moves a1", "go p1time 1 p2time 50000 p1inc 0 p2inc 1000"
    assert [limit.seconds for limit in limits_of(load("chefa"), *lines)] == [pytest.approx(2.8)]


def test_a_depth_beyond_all_bounds_is_the_greatest() -> None:
    assert limits_of(load("chefa"), "go depth 100000") == [Limit(depth=100)]


def test_the_rest_of_a_turn_is_searched_with_what_is_left() -> None:
    assert limits_of(load("sensei"), "go nodes 2000") == [Limit(nodes=n) for n in (2000, 1990, 1980)]
    assert limits_of(load("sensei"), "go nodes 5") == [Limit(nodes=n) for n in (5, 1000, 1000)]
    first, *others = limits_of(load("sensei"), "go movetime 10000")
    assert first == Limit(seconds=9)
    assert len(others) == 2
    assert all(other.seconds is not None and 0 < other.seconds < 10 for other in others)


def test_the_rest_of_a_turn_comes_soon_after_a_stop() -> None:
    MadeUpEngine.made.clear()
    conversation = Conversation(run_ugi, load("sensei"))
    conversation.send("go infinite")
    assert conversation.receive() == "info depth 1 nodes 10 nps 0 time 0 score cp 41 pv a1-a2"
    conversation.send("stop")
    assert conversation.receive() == "bestmove a1-a2+a2-a1+d1^a1"
    assert conversation.rest() == []
    assert MadeUpEngine.made[-1].limits == [Limit(), Limit(nodes=1000), Limit(nodes=1000)]


@pytest.mark.parametrize("ending", [(), ("quit",)], ids=["end of input", "quit"])
def test_a_search_that_the_end_interrupts_still_gives_its_move(ending: tuple[str, ...]) -> None:
    assert said(load("chefa"), "go infinite", *ending)[-1] == "bestmove a1"


def test_windows_line_ends_and_odd_spaces_are_read() -> None:
    assert said(load("chefa"), "position  startpos\tmoves a1 \r\n", "query fen\r\n") == ["response 5/5/5/5/B4 w 3,4 -"]


def test_options_reach_the_engine() -> None:
    MadeUpEngine.made.clear()
    said(
        load("renfa"),
        "isready",
        "setoption name Hash value 256",
        "setoption name Threads value 3",
        "isready",
        "isready",
        "uginewgame",
        "setoption name bombs value 5",
        "go depth 1",
    )
    first, second, third = MadeUpEngine.made
    assert first.settings == PlayerSettings()
    assert second.settings == third.settings == PlayerSettings(memory=256, threads=3)
    assert (first.games, second.games) == (0, 1)
    assert third.game == load("renfa bombs=5")
    assert first.is_closed
    assert second.is_closed
    assert third.is_closed


def test_centipawns_are_log_odds() -> None:
    chances = (0.5, 0.6, 0.25, 0.999999, 1.0, 0.000001, 0.0)
    assert [centipawns(chance) for chance in chances] == [0, 41, -110, 1000, 1000, -1000, -1000]


class Prophet(MadeUpEngine):
    """Knows how a game ends."""

    values = (
        Value((1.0, 0.0), "b", 5, is_proved=True),
        Value((0.5, 0.5), None, 8, is_proved=True),
        Value((0.0, 1.0), "w", 4, is_proved=True),
        Value((0.0, 1.0), "w", 3),
    )

    def analyse(self, start: damier.Record | damier.Position, *_: object) -> Iterator[Analysis]:
        found = zip(start.actions(), self.values, strict=False)
        yield Analysis(start.mover, 9, 1000, 0.5, tuple(Line((action,), value) for action, value in found))


def test_what_is_proved_is_said_as_such() -> None:
    def prophet(game: damier.Game, settings: PlayerSettings) -> Player:
        return playing(Prophet(game, settings))

    lines = "setoption name Lines value 4", "go nodes 1000", "stop", "position startpos moves c1", "go nodes 1000"
    assert said(load("chefa"), *lines, make=prophet) == [
        "info depth 9 multipv 1 nodes 1000 nps 2000 time 500 score win 5 pv a1",
        "info depth 9 multipv 2 nodes 1000 nps 2000 time 500 score draw pv a2",
        "info depth 9 multipv 3 nodes 1000 nps 2000 time 500 score loss 4 pv a3",
        "info depth 9 multipv 4 nodes 1000 nps 2000 time 500 score cp -1000 pv a4",
        "bestmove a1",
        "info depth 9 multipv 1 nodes 1000 nps 2000 time 500 score loss 5 pv a1",
        "info depth 9 multipv 2 nodes 1000 nps 2000 time 500 score draw pv a2",
        "info depth 9 multipv 3 nodes 1000 nps 2000 time 500 score win 4 pv a3",
        "info depth 9 multipv 4 nodes 1000 nps 2000 time 500 score cp 1000 pv a4",
        "bestmove a1",
    ]


class Silent(MadeUpEngine):
    """Finds nothing at all."""

    def analyse(self, *_: object) -> Iterator[Analysis]:
        yield from ()


class Broken(MadeUpEngine):
    """Fails whenever it is asked."""

    def analyse(self, *_: object) -> Iterator[Analysis]:
        raise RuntimeError("a bug")


def test_an_engine_that_finds_nothing_plays_something_legal() -> None:
    def silent(game: damier.Game, settings: PlayerSettings) -> Player:
        return playing(Silent(game, settings))

    assert said(load("sensei"), "go depth 1", make=silent) == ["bestmove a1-a2+a2-a1+d1^a1"]


def test_a_fault_of_the_engine_does_not_end_the_server() -> None:
    def broken(game: damier.Game, settings: PlayerSettings) -> Player:
        return playing(Broken(game, settings))

    fault = "The search met a fault of the program: RuntimeError('a bug')."
    assert said(load("chefa"), "go depth 1", "stop", "isready", make=broken) == [
        f"info string {fault}",
        "bestmove none",
        "readyok",
    ]
    answers = said(load("chefa"), "genmove b", "name", run=run_gtp, make=broken)
    assert answers == ["? this command met a fault of the program: RuntimeError('a bug')\n", "= damier\n"]


def test_an_engine_that_cannot_be_made_does_not_end_the_server() -> None:
    def none(game: damier.Game, settings: PlayerSettings) -> Player:
        raise MemoryError("too much")

    sentence = "info string This line met a fault of the program: MemoryError('too much')."
    assert said(load("chefa"), "isready", "go depth 1", "query chance", make=none) == [
        "readyok",
        sentence,
        sentence,
        "response false",
    ]


class Cold(RandomPlayer):
    """A player that has to be compiled first."""

    is_compiled = False

    @property
    def must_compile(self) -> bool:
        return not self.is_compiled

    def warm_up(self) -> None:
        self.is_compiled = True


def test_isready_compiles_first_and_says_so() -> None:
    said_before = "info string The engine is being compiled, once for this version: this takes a while."
    answers = said(load("chefa"), "isready", "isready", make=lambda *_: Cold())
    assert answers == [said_before, "readyok", "readyok"]


@pytest.mark.parametrize("run", [run_ugi, run_gtp])
def test_a_listener_who_has_gone_is_no_fault(run: Callable[..., None]) -> None:
    def write(line: str) -> None:
        raise BrokenPipeError

    run(load("chefa"), ["name", "ugi", "isready", "go infinite", "genmove b"], write, make=made_up)


def test_gtp_shares_out_the_time() -> None:
    game = load("chefa")

    def limits(*lines: str) -> list[Limit]:
        MadeUpEngine.made.clear()
        run_gtp(game, lines, lambda *_: None, make=made_up, limit=Limit(nodes=7))
        return MadeUpEngine.made[-1].limits

    assert limits("genmove b") == [Limit(nodes=7)]
    assert limits("time_settings 0 10 0", "genmove b") == [Limit(nodes=7)]
    assert limits("time_settings 0 0 0", "genmove b") == [Limit(nodes=7)]
    assert limits("time_settings 0 10 1", "genmove b", "genmove w") == [Limit(seconds=9.0)] * 2
    assert limits("time_settings 0 10 2", "genmove b") == [Limit(seconds=4.5)]
    assert limits("time_settings 100 0 0", "genmove b") == [Limit(seconds=4.0)]
    assert limits("time_settings 100 10 2", "time_left b 50 0", "genmove b") == [Limit(seconds=2.0)]
    assert limits("time_settings 100 10 2", "time_left b 6 2", "genmove b") == [Limit(seconds=2.7)]
    assert limits("time_settings 100 0 0", "time_left b 1 0", "clear_board", "genmove b") == [Limit(seconds=4.0)]
    first, second = limits("time_settings 100 0 0", "genmove b", "play w e5", "genmove b")
    assert first == Limit(seconds=4.0)
    assert second.seconds is not None
    assert second.seconds < 4.0
    spent = limits("time_settings 0 10 2", *["genmove b", "genmove w"] * 3)
    assert spent[0].seconds == spent[4].seconds == 4.5
    assert limits("time_left b 0 0", "genmove b", "play w e5", "genmove b") == [Limit(seconds=0)] * 2


def cutegames(game: damier.Game, engines: Sequence[Conversation], start: str) -> tuple[str, list[str]]:
    """Plays a game as the match runner cutegames does, with the lines that it sends; returns result and moves."""
    moves: list[str] = []

    def ask(engine: Conversation, line: str, word: str) -> str:
        engine.send(line)
        while True:
            words = (engine.receive() or "").split()
            if len(words) == 2 and words[0] == word:
                return words[1]

    def tell_position(engine: Conversation) -> None:
        place = "position startpos" if start == "startpos" else f"position fen {start}"
        engine.send(place + (" moves " + " ".join(moves) if moves else ""))

    def query(engine: Conversation, what: str) -> str:
        tell_position(engine)
        return ask(engine, f"query {what}", "response")

    def wait_for(engine: Conversation, line: str, answer: str) -> None:
        engine.send(line)
        while engine.receive() != answer:
            pass

    for engine in engines:
        wait_for(engine, "ugi", "ugiok")
        wait_for(engine, "isready", "readyok")
        engine.send("uginewgame")
    while True:
        is_first = query(engines[0], "p1turn") == "true"
        us, them = engines if is_first else reversed(engines)
        wait_for(us, "isready", "readyok")
        tell_position(us)
        if query(us, "gameover") == "true":
            assert query(them, "gameover") == "true"
            break
        moves.append(ask(us, "go p1time 10000 p2time 10000 p1inc 100 p2inc 100", "bestmove"))
    results = {query(engine, "result") for engine in engines}
    assert len(results) == 1
    return results.pop(), moves


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("renfa bombs=5", "startpos"),
        ("chefa", "B3W/5/1B1WW/5/B1W1B b 0,0 -"),
        ("badia", "W1W1W/1...1/B.B.W/1...B/1BW1B b 0,0 -,- -"),
        ("sensei", "startpos"),
    ],
)
def test_cutegames_can_play_a_whole_game(text: str, start: str) -> None:
    game = load(text)
    engines = [Conversation(run_ugi, game, at_random) for _ in range(2)]
    result, moves = cutegames(game, engines, start)
    record = game.record(None if start == "startpos" else start)
    for move in moves:
        record.play_turn(move)
    assert record.result
    assert result == ("draw" if record.result.winner is None else f"p{game.players.index(record.result.winner) + 1}win")
    for engine in engines:
        assert engine.rest() == []


def play(game: damier.Game, players: Sequence[UgiPlayer | GtpPlayer], limit: Limit, most: int = 60) -> damier.Record:
    """Plays a game, or its first actions, between other programs."""
    record, dice = game.record(), random.Random(1)
    while not record.result and len(record.played) < most:
        if record.mover == "chance":
            record.play(dice.choice(record.actions()))
            continue
        before = record.played
        actions = players[game.players.index(record.mover)].choose(record, limit)
        assert record.played == before
        assert actions
        for action in actions:
            record.play(action)
    return record


@pytest.mark.parametrize("text", ["renfa size=6 bombs=8", "chefa", "badia", "sensei", "omba", "omba players=3"])
@pytest.mark.parametrize(("kind", "run"), [(UgiPlayer, run_ugi), (GtpPlayer, run_gtp)])
def test_players_drive_servers_through_a_game(
    text: str, kind: type[UgiPlayer] | type[GtpPlayer], run: Callable[..., None]
) -> None:
    game = load(text)
    server_game = damier.load(game.name) if run is run_ugi else game  # the options are the player's to set

    def connect(command: Sequence[str], name: str) -> Conversation:
        return Conversation(run, server_game, at_random)

    players = [kind(game, "ours", connect=connect) for _ in game.players]
    assert players[0].name.startswith("damier")
    for _ in range(2):
        for player in players:
            player.new_game()
        assert len(play(game, players, Limit(nodes=100)).played) >= 12
    for player in players:
        player.close()


@pytest.mark.parametrize(("kind", "run"), [(UgiPlayer, run_ugi), (GtpPlayer, run_gtp)])
def test_a_player_finds_its_way_into_any_record(
    kind: type[UgiPlayer] | type[GtpPlayer], run: Callable[..., None]
) -> None:
    game = load("sensei")
    player = kind(game, "ours", "Ann", connect=lambda *_: Conversation(run, game, made_up))
    assert player.name == "Ann"
    record = game.record("RRRRRRR/7/7/7/G6/7/1GGGGGG g d1,d7 1,0")
    assert player.choose(record, Limit(seconds=0.01)) == ["a3-a2"] or kind is GtpPlayer
    record.play_turn("a3-a4")
    record.play_turn("a7-a6")
    assert player.choose(record, Limit(depth=1, seconds=3)) == ["a6-a5", "d7^b7"]
    record.undo()
    record.play_turn("b7-b6")
    assert player.choose(record, Limit(depth=1)) == ["a7-a6", "d7^c7"]
    assert player.choose(game.record(), Limit(depth=1)) == ["a1-a2", "a2-a1", "d1^a1"]
    player.close()


PROGRAM = """
import os, sys, time
def say(text):
    print(text, flush=True)
for line in sys.stdin:
    words = line.split()
    with open({log!r}, "a") as log:
        log.write(line)
    if words == ["ugi"]:
        say("id name Fake 1")
        say("option name Threads type spin default 4 min 1 max 8")
        say("option name BOMBS type spin default 6 min 3 max 9")
        say("ugiok")
    elif words == ["isready"]:
        say("readyok")
    elif words == ["quit"]:
        break
    elif words[0] == "go":
        {go}
"""


def fake(folder: Path, go: str) -> list[str]:
    """Returns the command of a program that does something when it is to search."""
    file = folder / "fake.py"
    file.write_text(PROGRAM.format(log=str(folder / "log"), go=go), encoding="utf-8")
    return [sys.executable, str(file)]


def test_a_program_is_told_what_it_needs_to_know(tmp_path: Path) -> None:
    game = load("renfa bombs=5")
    player = UgiPlayer(game, fake(tmp_path, "say('info depth 1'); say('bestmove b2 ponder c3')"))
    assert player.name == "Fake 1"
    player.new_game()
    record = game.record()
    assert player.choose(record, Limit(seconds=0.25)) == ["b2"]
    record.play("a1")
    assert player.choose(record, Limit(nodes=50, depth=3)) == ["b2"]
    player.close()
    assert (tmp_path / "log").read_text().splitlines() == [
        "ugi",
        "setoption name Threads value 1",
        "setoption name BOMBS value 5",
        "isready",
        "uginewgame",
        "isready",
        "position startpos",
        "isready",
        "go movetime 250",
        "position startpos moves a1",
        "isready",
        "go nodes 50 depth 3",
        "quit",
    ]


def fault_of(game: str, command: list[str], limit: Limit | None = None) -> str:
    """Returns what a program is blamed for when it is asked for its first move."""
    player = UgiPlayer(load(game), command, "Bob", grace=0.05)
    try:
        with pytest.raises(EngineFault) as error:
            player.choose(player_record(game), limit or Limit(seconds=0.01))
        return str(error.value)
    finally:
        player.close()


def player_record(game: str) -> damier.Record:
    return load(game).record()


@pytest.mark.parametrize(
    ("go", "sentence"),
    [
        ("pass", "The program 'Bob' did not answer 'go movetime 10' in time."),
        ("sys.exit(3)", "The program 'Bob' has ended with status 3."),
        (
            "print('no more memory', file=sys.stderr); sys.exit(1)",
            "The program 'Bob' has ended with status 1; its last words were 'no more memory'.",
        ),
        (
            "say('bestmove c3')",
            "The program 'Bob' played 'c3', which is refused: The centre c3 is not a cell: no pawn can enter it.",
        ),
        (
            "say('bestmove a1+b1')",
            "The program 'Bob' played 'a1+b1', which is refused: The turn is over before 'b1'.",
        ),
        ("say('bestmove')", "The program 'Bob' gave no move, though the game goes on."),
        ("say('bestmove none')", "The program 'Bob' gave no move, though the game goes on."),
    ],
)
def test_what_a_program_does_wrong_is_said_and_logged_in_a_sentence(
    tmp_path: Path, go: str, sentence: str, caplog: pytest.LogCaptureFixture
) -> None:
    long = Limit(seconds=0.01) if go == "pass" else Limit(nodes=1)
    assert fault_of("chefa", fake(tmp_path, go), long) == sentence
    assert caplog.messages == [sentence]


def test_a_program_that_talks_without_end_is_not_waited_for(tmp_path: Path) -> None:
    endless = "[say('info string thinking') for _ in range(10**9)]"
    assert fault_of("chefa", fake(tmp_path, endless)) == "The program 'Bob' did not answer 'go movetime 10' in time."


def test_a_program_may_say_much_before_its_move(tmp_path: Path) -> None:
    player = UgiPlayer(load("chefa"), fake(tmp_path, "[say('info x') for _ in range(12000)]; say('bestmove a1')"))
    assert player.choose(load("chefa").record(), Limit(nodes=1)) == ["a1"]
    player.close()


def test_a_program_that_died_is_started_again_by_a_new_game(tmp_path: Path) -> None:
    go = "say('bestmove a1') if os.path.exists({0!r}) else (open({0!r}, 'w').close(), sys.exit(3))"
    player = UgiPlayer(load("chefa"), fake(tmp_path, go.format(str(tmp_path / "was here"))), "Bob")
    record = load("chefa").record()
    for _ in range(2):
        with pytest.raises(EngineFault, match="has ended with status 3"):
            player.choose(record, Limit(nodes=1))
    player.new_game()
    assert player.choose(record, Limit(nodes=1)) == ["a1"]
    player.close()
    with pytest.raises(EngineFault, match="The program 'Bob' is not running: a new game starts it again"):
        player.choose(record, Limit(nodes=1))
    player.close()


def test_a_program_needs_a_limit(tmp_path: Path) -> None:
    player = UgiPlayer(load("chefa"), fake(tmp_path, "pass"))
    with pytest.raises(BadArgument, match="A program needs a limit: seconds, nodes or depth"):
        player.choose(load("chefa").record(), Limit())
    player.close()


@pytest.mark.parametrize("kind", [UgiPlayer, GtpPlayer])
def test_a_program_that_does_not_start_is_named(
    kind: type[UgiPlayer] | type[GtpPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("chefa")
    with pytest.raises(EngineFault, match="The program 'no-such-program --x' does not start: "):
        kind(game, "no-such-program --x")
    with pytest.raises(EngineFault, match="has ended with status 7"):
        kind(game, [sys.executable, "-c", "raise SystemExit(7)"])
    with pytest.raises(EngineFault, match="has ended with status 1; its last words were 'ZeroDivisionError: division"):
        kind(game, [sys.executable, "-c", "1/0"])
    commands: list[str | list[str]] = ["", [], "'never closed"]
    for command in commands:
        with pytest.raises(BadArgument, match="A program is started by a command"):
            kind(game, command)
    monkeypatch.setattr("damier.engine.protocols.programs.START_SECONDS", 0.05)
    with pytest.raises(EngineFault, match=r"^The program 'Bob' did not answer '(ugi|name)' in time[.]$"):
        kind(game, [sys.executable, "-c", "import sys; sys.stdin.read()"], "Bob")


def test_a_program_that_does_not_want_to_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.engine.protocols.programs._END_SECONDS", 0.05)
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(600)"
    )
    program = Program([sys.executable, "-c", stubborn], "Bob")
    assert program.receive(PATIENCE) == "1"
    lived = program.is_running
    program.close()
    assert lived
    assert not program.is_running
    program.close()


GTP_PROGRAM = """
import sys
for line in sys.stdin:
    words = line.split()
    answer = dict(name="Fake", list_commands="play", genmove={move!r}).get(words[0], "")
    print("? not now" if words[0] == {refused!r} else "= " + answer, end="\\n\\n", flush=True)
    if words[0] == "quit":
        break
"""


@pytest.mark.parametrize(
    ("move", "refused", "sentence"),
    [
        (
            "C3",
            "",
            "The program 'Fake' played 'c3', which is refused: The centre c3 is not a cell: no pawn can enter it.",
        ),
        ("resign", "", "The program 'Fake' played 'resign', which is refused: 'resign' is not an action"),
        ("b1", "genmove", "The program 'Fake' refused 'genmove w': not now"),
        ("b1", "play", "The program 'Fake' refused 'play b a1': not now"),
        ("", "", "The program 'Fake' played '', which is refused: '' is not an action"),
    ],
)
def test_what_a_gtp_program_does_wrong_is_said_in_a_sentence(move: str, refused: str, sentence: str) -> None:
    game = load("chefa")
    player = GtpPlayer(game, [sys.executable, "-c", GTP_PROGRAM.format(move=move, refused=refused)])
    assert player.name == "Fake"
    record = game.record()
    record.play("a1")
    with pytest.raises(EngineFault) as error:
        player.choose(record, Limit(seconds=1))
    assert str(error.value).startswith(sentence)
    player.close()


def test_a_gtp_program_that_knows_no_positions_says_so() -> None:
    game = load("chefa")
    program = GTP_PROGRAM.format(move="a1-a2", refused="damier-position")
    player = GtpPlayer(game, [sys.executable, "-c", program])
    with pytest.raises(EngineFault, match="refused 'damier-position B3W/5/1B1WW/5/B1W1B b 0…': not now"):
        player.choose(game.record("B3W/5/1B1WW/5/B1W1B b 0,0 -"), Limit(seconds=1))
    player.close()


SERVER = """
import damier
from damier.engine.protocols.{protocol} import run_{protocol}
from tests.engine.made_up_engine import made_up
run_{protocol}(damier.load({game!r}), make=made_up)
"""


def spoken(protocol: str, game: str, exchanges: Iterable[tuple[bytes, bytes]]) -> int:
    """Runs a server as a process; each answer must come before the next line is sent. Returns its exit status."""
    command = [sys.executable, "-c", SERVER.format(protocol=protocol, game=game)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin
        assert process.stdout
        for sent, expected in exchanges:
            process.stdin.write(sent)
            process.stdin.flush()
            assert process.stdout.read(len(expected)) == expected
        process.stdin.close()
        assert process.stdout.read() == b""
    return process.returncode


def test_the_server_flushes_every_line_and_reads_any_bytes() -> None:
    nonsense = ", the commands are ugi, isready, uginewgame, setoption, position, go, stop, query, quit."
    exchanges = [
        (b"isready\n", b"readyok\n"),
        (b"isready\r\n", b"readyok\n"),
        (b"\xff\x00\n", f"info string There is no command '\ufffd?'{nonsense}\n".replace(",", ":", 1).encode()),
        (b"position startpos moves a1\nquery p1turn\n", b"response false\n"),
        (b"go movetime 1\n", b"info depth 1 nodes 10 nps 0 time 0 score cp -41 pv a2\nbestmove a2\n"),
        (b"query gameover\n", b"response false\n"),
        (b"quit\n", b""),
    ]
    assert spoken("ugi", "chefa", exchanges) == 0


def test_open_spiel_can_drive_the_server() -> None:
    """The bytes that OpenSpiel's GTPBot sends, which reads up to an empty line."""
    exchanges = [
        (b"name\n", b"= damier\n\n"),
        (b"clear_board\n", b"=\n\n"),
        (b"play b a1-a2\n", b"=\n\n"),
        (b"play b end\n", b"=\n\n"),
        (b"genmove w\n", b"= a7-a6\n\n"),
        (b"genmove w\n", b"= a6-a5\n\n"),
        (b"genmove w\n", b"= d7^b7\n\n"),
        (b"quit\n", b"=\n\n"),
    ]
    assert spoken("gtp", "sensei", exchanges) == 0
