"""A server of the Universal Game Interface (UGI), described in ``docs/protocols.md``.

The loop reads one line at a time and answers it at once; a search runs in a thread, so that ``isready``, ``query`` and
``stop`` are answered meanwhile. A lock keeps lines of output whole; each is flushed. A line with a mistake is answered
with one ``info string`` and changes nothing.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import math
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument, BadOption, DamierError, IllegalAction
from damier.core.game import Game
from damier.core.messages import message, plain, shown
from damier.core.options import CellList, Choice, Option, WholeNumber
from damier.engine.levels import FULL_STRENGTH
from damier.engine.limit import MOST_DEPTH, Limit
from damier.engine.protocols.session import (
    MakePlayer,
    PlayerSettings,
    Session,
    make_player,
    standard_input,
    write_standard_output,
)
from damier.engine.turns import TurnSearch, joined_turns, player_to_act

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Line

NO_MOVE = "none"

_log = logging.getLogger(__name__)

_HASH = WholeNumber("Hash", 64, 1, 65536, message("Memory for the search, in MB."))
_THREADS = WholeNumber("Threads", 1, 1, 64, message("Threads that search."))
_LEVEL = WholeNumber(
    "Level", FULL_STRENGTH, 1, FULL_STRENGTH, message("How well to play; {full} is full strength.", full=FULL_STRENGTH)
)
_SEED = WholeNumber("Seed", 0, 0, 999_999_999, message("What the chance of the lower levels begins with."))
_LINES = WholeNumber("Lines", 1, 1, 100, message("How many of the best lines to show."))
_ACTIONS = Choice("Actions", "turns", ("turns", "single"), message("Whether a move is a whole turn or one action."))
_OPTIONS: tuple[Option, ...] = (_HASH, _THREADS, _LEVEL, _SEED, _LINES, _ACTIONS)
_SETTINGS = {"Hash": "memory", "Threads": "threads", "Level": "level", "Seed": "seed"}
_EMPTY = "<empty>"  # how UCI writes an empty text

_CLOCK = ("p1time", "p2time", "p1inc", "p2inc")
_LIMITS = (*_CLOCK, "movetime", "depth", "nodes")
_MOVES_LEFT = 25  # turns for which the time on the clock should last
_OF_INCREMENT = 0.8
_MOST_OF_CLOCK = 3  # at most a third of the clock for one turn
_MOST_CENTIPAWNS = 1000

_END_SECONDS = 10.0  # for a search with a limit to end after quit or the end of the input, for scripts


def run_ugi(
    game: Game,
    lines: Iterable[str] | None = None,
    write: Callable[[str], None] | None = None,
    *,
    make: MakePlayer = make_player,
) -> None:
    """Serves a game until ``quit`` or the end of the input, on the standard streams if no others are given."""
    server = _UgiServer(game, write or write_standard_output, make)
    try:
        for line in standard_input() if lines is None else lines:
            if not server.handle(line):
                break
    finally:
        server.close()


class _UgiServer:
    def __init__(self, game: Game, write: Callable[[str], None], make: MakePlayer) -> None:
        self._session = Session(game, PlayerSettings(), make)
        self._write = write
        self._lock = threading.Lock()
        self._search: TurnSearch | None = None
        self._thread: threading.Thread | None = None
        self._is_endless = False
        self._followed: tuple[Record | None, list[str], list[str]] = None, [], []
        """The last record with the words that led to it: match runners send the whole game with every request."""
        self._lines = _LINES.default
        self._actions = _ACTIONS.default

    def handle(self, line: str) -> bool:
        """Handles one line; returns whether to go on."""
        words = line.split()
        if words == ["quit"]:
            return False
        try:
            if words:
                self._command(words[0])(words[1:])
        except DamierError as error:
            self._explain(str(error))
        except Exception as error:  # the process goes on
            _log.exception("UGI line failed: %s", plain(line, 200))
            self._explain(f"This line met a fault of the program: {error!r}.")
        return True

    def close(self) -> None:
        """Lets a search with a limit end if that is soon, stops any other, and closes the player."""
        if self._thread and not self._is_endless:
            self._thread.join(_END_SECONDS)
        self._stop([])
        self._session.close()

    def _command(self, name: str) -> Callable[[Sequence[str]], None]:
        commands = {
            "ugi": self._ugi,
            "isready": self._is_ready,
            "uginewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "query": self._query,
        }
        if name not in commands:
            raise BadArgument(
                message(
                    "There is no command {name}: the commands are {names}.",
                    name=shown(name),
                    names=", ".join([*commands, "quit"]),
                )
            )
        return commands[name]

    def _say(self, line: str) -> None:
        with self._lock, contextlib.suppress(OSError):  # the reader has gone: the end of the input follows
            self._write(line)

    def _explain(self, sentence: str) -> None:
        self._say(f"info string {plain(sentence, 400)}")

    def _refuse_while_searching(self) -> None:
        if self._search:
            raise BadArgument(message("A search is going on: send stop first."))
        if self._thread:
            self._thread.join()  # it is about to send its move

    def _ugi(self, words: Sequence[str]) -> None:  # noqa: ARG002
        self._say(f"id name damier {importlib.metadata.version('damier')}")
        self._say("id author the authors of damier")
        for option in _OPTIONS:
            self._say(_declaration(option, option.default))
        game = self._session.game
        for option in game.definition.options:
            self._say(_declaration(option, game.options.get(option.name, option.default)))
        self._say("ugiok")

    def _set_option(self, words: Sequence[str]) -> None:
        found = re.fullmatch(r"name (\S+) value ?(.*)", " ".join(words))
        if not found:
            raise BadArgument(message("An option is set with: setoption name NAME value VALUE."))
        self._refuse_while_searching()
        name, value = found[1], "" if found[2] == _EMPTY else found[2]
        options = {option.name.lower(): option for option in (*_OPTIONS, *self._session.game.definition.options)}
        if name.lower() not in options:
            names = ", ".join(option.name for option in options.values())
            raise BadOption(message("There is no option {name}: there are {names}.", name=shown(name), names=names))
        option = options[name.lower()]
        number_or_word = option.parse(value)
        if option.name in _SETTINGS:
            self._session.set_settings(**{_SETTINGS[option.name]: int(number_or_word)})
        elif option is _LINES:
            self._lines = int(number_or_word)
        elif option is _ACTIONS:
            self._actions = str(number_or_word)
        else:
            self._set_game_option(option.name, number_or_word)

    def _set_game_option(self, name: str, value: int | str) -> None:
        old = self._session.game
        new = _with_option(old, name, value)
        self._session.set_game(new)
        for other, kept in old.options.items():
            if other != name and new.options.get(other) != kept:
                self._explain(f"The option {other} has gone back to {new.options.get(other, 'its default')}.")

    def _new_game(self, words: Sequence[str]) -> None:  # noqa: ARG002
        self._refuse_while_searching()
        self._session.new_game()

    def _position(self, words: Sequence[str]) -> None:
        self._refuse_while_searching()
        parts = list(words)
        cut = parts.index("moves") if "moves" in parts else len(parts)
        place, moves = parts[:cut], parts[cut + 1 :]
        record, old_place, old_moves = self._followed
        if record is self._session.record and place == old_place and moves[: len(old_moves)] == old_moves:
            new = moves[len(old_moves) :]
        else:
            record, new = self._record_at(place), moves
        known = len(record.played)
        try:
            for move in new:
                record.play_turn(move)
        except DamierError:
            while len(record.played) > known:
                record.undo()
            raise
        self._session.record = record
        self._followed = record, place, moves

    def _record_at(self, place: Sequence[str]) -> Record:
        if place == ["startpos"]:
            return self._session.game.record()
        if place[:1] == ["fen"]:
            return self._session.game.record(" ".join(place[1:]))
        raise BadArgument(message("A position is startpos, or fen and a position string."))

    def _query(self, words: Sequence[str]) -> None:
        queries: dict[str, Callable[[Record], str]] = {
            "gameover": lambda record: _yes_or_no(record.result is not None),
            "p1turn": _is_first_to_act,
            "result": _result,
            "legalmoves": lambda record: " ".join(record.actions()) or NO_MOVE,
            "fen": lambda record: str(record.position),
            "chance": lambda record: _yes_or_no(record.mover == "chance"),
        }
        record = self._session.record
        if len(words) == 2 and words[0] == "islegal":
            answer = _yes_or_no(_is_legal(record, words[1]))
        elif len(words) == 1 and words[0] in queries:
            answer = queries[words[0]](record)
        else:
            names = ", ".join([*queries, "islegal MOVE"])
            raise BadArgument(
                message("There is no query {text}: there are {names}.", text=shown(" ".join(words)), names=names)
            )
        self._say(f"response {answer}")

    def _is_ready(self, words: Sequence[str]) -> None:  # noqa: ARG002
        try:
            if not self._search:
                player = self._session.player()
                if player.must_compile:
                    self._explain("The engine is being compiled, once for this version: this takes a while.")
                player.warm_up()
        finally:
            self._say("readyok")

    def _go(self, words: Sequence[str]) -> None:
        self._refuse_while_searching()
        record = self._session.record
        if obstacle := _why_no_move(record):
            self._explain(obstacle)
            self._say(f"bestmove {NO_MOVE}")
            return
        limit = _limit(words, record)
        self._is_endless = "infinite" in words or limit == Limit()
        search = TurnSearch(
            self._session.player(),
            record,
            limit,
            lines=self._lines,
            is_whole_turn=self._actions == _ACTIONS.default,
            report=self._report,
        )
        self._search = search
        self._thread = threading.Thread(target=self._run, args=(search, self._is_endless), daemon=True)
        self._thread.start()

    def _run(self, search: TurnSearch, is_endless: bool) -> None:
        """Searches and sends the move, in the search thread."""
        move = NO_MOVE
        try:
            move = "+".join(search.run())
        except Exception as error:  # the process goes on
            _log.exception("UGI search failed")
            self._explain(f"The search met a fault of the program: {error!r}.")
        if is_endless:
            search.wait_for_stop()
        self._search = None  # before the move is sent: the next line may be a position
        self._say(f"bestmove {move}")

    def _stop(self, words: Sequence[str]) -> None:  # noqa: ARG002
        if search := self._search:
            search.stop()
        if self._thread:
            self._thread.join()

    def _report(self, analysis: Analysis) -> None:
        for number, line in enumerate(analysis.lines, 1):
            self._say(self._info(analysis, number, line))

    def _info(self, analysis: Analysis, number: int, line: Line) -> str:
        record = self._session.record
        is_turns = self._actions == _ACTIONS.default
        moves = joined_turns(record.position, line.actions) if is_turns else line.actions
        return " ".join(
            [
                f"info depth {analysis.depth}",
                *([f"multipv {number}"] if self._lines > 1 else []),
                f"nodes {analysis.nodes} nps {analysis.nodes_per_second} time {round(analysis.seconds * 1000)}",
                f"score {_score(analysis.mover, line, record.game.players)} pv",
                *moves,
            ]
        )


def _declaration(option: Option, default: int | str) -> str:
    """Returns the line that declares an option, as in UCI."""
    begin = f"option name {option.name} type"
    if isinstance(option, WholeNumber):
        return f"{begin} spin default {default} min {option.low} max {option.high}"
    if isinstance(option, CellList):
        return f"{begin} string default {default or _EMPTY}"
    return f"{begin} combo default {default} " + " ".join(f"var {choice}" for choice in option.choices)


def _with_option(game: Game, name: str, value: int | str) -> Game:
    """Returns a game with an option changed; another option that does not allow it is reset to its default."""
    try:
        return Game(game.definition, **{**game.options, name: value})
    except BadOption as error:
        for other in game.options:
            rest = {kept: text for kept, text in game.options.items() if kept not in (name, other)}
            with contextlib.suppress(BadOption):
                return Game(game.definition, **{**rest, name: value})
        raise error


def _limit(words: Sequence[str], record: Record) -> Limit:
    """Returns the limit in the words of ``go``."""
    numbers = _numbers(words)
    seconds = [numbers["movetime"] / 1000] if "movetime" in numbers else []
    if any(name in numbers for name in _CLOCK):
        seconds.append(_share_of_clock(numbers, record))
    return Limit(
        seconds=max(min(seconds), 0) if seconds else None,
        nodes=numbers.get("nodes"),
        depth=min(numbers["depth"], MOST_DEPTH) if "depth" in numbers else None,
    )


def _numbers(words: Sequence[str]) -> dict[str, int]:
    """Returns the numbers in the words of ``go`` by name."""
    numbers: dict[str, int] = {}
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            continue
        if word not in _LIMITS:
            names = ", ".join([*_LIMITS, "infinite"])
            raise BadArgument(message("go does not know {word}: it takes {names}.", word=shown(word), names=names))
        text = next(rest, "")
        if not re.fullmatch("-?[0-9]{1,15}", text, re.ASCII):
            raise BadArgument(message("{word} takes a whole number, not {text}.", word=word, text=shown(text)))
        numbers[word] = int(text)
    return numbers


def _share_of_clock(numbers: dict[str, int], record: Record) -> float:
    """Returns the seconds for this turn from the clock of the player on move."""
    players = record.game.players
    if len(players) != 2:
        raise BadArgument(message("The clocks of go are for games of two players: use movetime, nodes or depth."))
    own = "p1" if record.mover == players[0] else "p2"
    if f"{own}time" not in numbers:
        raise BadArgument(message("go needs {name}, the time of the player on move.", name=f"{own}time"))
    left = numbers[f"{own}time"] / 1000
    return min(left / _MOVES_LEFT + _OF_INCREMENT * numbers.get(f"{own}inc", 0) / 1000, left / _MOST_OF_CLOCK)


def _why_no_move(record: Record) -> str:
    """Returns why there is nothing to search, or an empty text."""
    if record.result:
        return f"The game is over. {record.result.sentence()}"
    if record.mover == "chance":
        return f"A roll of the die is due, and the runner rolls: add one of {', '.join(record.actions())} to the moves."
    return ""


def _score(mover: str, line: Line, players: Sequence[str]) -> str:
    """Returns the value of a line for the player on move, as in UGI."""
    value = line.value
    if value.is_forced:
        if value.winner is None:
            return "draw"
        return f"{'win' if value.winner == mover else 'loss'} {value.distance}"
    return f"cp {centipawns(value.chances[players.index(mover)])}"


def centipawns(chance: float) -> int:
    """Returns 100 times the log-odds of a winning chance, rounded, within 1000 either way."""
    if not 0 < chance < 1:
        return _MOST_CENTIPAWNS if chance >= 1 else -_MOST_CENTIPAWNS
    number = round(100 * math.log(chance / (1 - chance)))
    return max(-_MOST_CENTIPAWNS, min(_MOST_CENTIPAWNS, number))


def _yes_or_no(answer: bool) -> str:
    return "true" if answer else "false"


def _check_two(record: Record) -> None:
    if len(record.game.players) != 2:
        raise BadArgument(message("The queries p1turn and result are for games of two players."))


def _is_first_to_act(record: Record) -> str:
    _check_two(record)
    return _yes_or_no(player_to_act(record.position) == record.game.players[0])


def _result(record: Record) -> str:
    _check_two(record)
    if not record.result:
        return NO_MOVE
    winner = record.result.winner
    return "draw" if winner is None else f"p{record.game.players.index(winner) + 1}win"


def _is_legal(record: Record, move: str) -> bool:
    try:
        record.copy().play_turn(move)
    except IllegalAction:
        return False
    return True
