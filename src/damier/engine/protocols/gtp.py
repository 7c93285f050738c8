"""A server of the Go Text Protocol (GTP), version 2, described in ``docs/protocols.md``.

It is for tools that drive any game with ``play`` and ``genmove``. A move is one action, so that tools need not know of
longer turns: the next ``genmove`` of the same player continues the turn as it was planned when the turn began.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.core.messages import plain
from damier.draw.textboard import board_text
from damier.engine.levels import FULL_STRENGTH
from damier.engine.limit import Limit
from damier.engine.protocols.session import (
    MakePlayer,
    PlayerSettings,
    Session,
    make_player,
    standard_input,
    write_standard_output,
)
from damier.engine.turns import TurnSearch

if TYPE_CHECKING:
    from damier.core.game import Game

_MOVES_LEFT = 25  # turns for which the main time should last
_SHARE_OF_STONE = 0.9  # of the time for one move of a period
_STANDARD = "b", "w"  # the colours of the protocol, for the first and the second player


_log = logging.getLogger(__name__)


class _Failure(Exception):
    """A command fails: the words of the protocol for it, and a sentence."""

    def __init__(self, words: str, sentence: object = "") -> None:
        super().__init__(f"{words}: {sentence}" if sentence else words)


def run_gtp(
    game: Game,
    lines: Iterable[str] | None = None,
    write: Callable[[str], None] | None = None,
    *,
    limit: Limit | None = None,
    make: MakePlayer = make_player,
) -> None:
    """Serves a game until ``quit`` or the end of the input; `limit` is for a turn while no clock is set."""
    server = _GtpServer(game, limit or Limit(seconds=1.0), make)
    write = write or write_standard_output
    try:
        for line in standard_input() if lines is None else lines:
            answer, goes_on = server.answer(line)
            if answer:
                with contextlib.suppress(OSError):  # the reader has gone: the end of the input follows
                    write(answer)
            if not goes_on:
                break
    finally:
        server.close()


class _Clocks:
    """The time left to each player, as sent by the controller or counted since."""

    def __init__(self) -> None:
        self._main, self._period, self._stones = 0.0, 0.0, 0
        self._left: dict[str, tuple[float, int]] = {}

    def set(self, main: int, period: int, stones: int) -> None:
        """Sets the time of a game: `main` seconds, then periods of `period` seconds for `stones` moves."""
        self._main, self._period, self._stones = float(main), float(period), stones
        self._left = {}

    def set_left(self, player: str, seconds: int, stones: int) -> None:
        """Sets the time left to a player: of the main time, or for the next `stones` moves."""
        self._left[player] = float(seconds), stones

    def restart(self) -> None:
        """Resets the clocks for a new game."""
        self._left = {}

    def limit(self, player: str) -> Limit | None:
        """Returns the limit for a turn, or None without a clock."""
        if player not in self._left and self._period > 0 and self._stones == 0:
            return None  # in this protocol: no limit
        if player not in self._left and self._main == self._period == 0:
            return None
        seconds, stones = self._of(player)
        return Limit(seconds=seconds / stones * _SHARE_OF_STONE if stones else seconds / _MOVES_LEFT)

    def spend(self, player: str, seconds: float) -> None:
        """Takes `seconds` from the clock of a player."""
        if self.limit(player):
            left, stones = self._of(player)
            if stones:
                self._left[player] = (max(left - seconds, 0.0), stones - 1) if stones > 1 else self._new_period()
            else:
                self._left[player] = (left - seconds, 0) if left > seconds else self._new_period()

    def _of(self, player: str) -> tuple[float, int]:
        return self._left.get(player) or ((self._main, 0) if self._main else self._new_period())

    def _new_period(self) -> tuple[float, int]:
        return self._period, self._stones


class _GtpServer:
    def __init__(self, game: Game, limit: Limit, make: MakePlayer) -> None:
        self._session = Session(game, PlayerSettings(), make)
        self._limit = limit
        self._clocks = _Clocks()
        self._plan: list[str] = []
        """The actions left of the turn that the last search found."""
        self._planned_at: tuple[str, ...] = ()
        """The actions of the game after which the plan continues."""
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "damier",
            "version": lambda _: importlib.metadata.version("damier"),
            "known_command": lambda words: "true" if words[:1] and words[0] in self._commands else "false",
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": lambda _: "",
            "boardsize": self._board_size,
            "clear_board": self._clear_board,
            "play": self._play,
            "genmove": self._generate_move,
            "undo": self._undo,
            "showboard": self._show_board,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "level": self._level,
            "damier-position": self._position,
            "damier-legal_moves": lambda _: " ".join(self._session.record.actions()),
        }

    def close(self) -> None:
        """Closes the player."""
        self._session.close()

    def answer(self, line: str) -> tuple[str, bool]:
        """Returns the answer to a line, empty for an empty one, and whether to go on."""
        words = _cleaned(line).split()
        number = words.pop(0) if words and re.fullmatch("[0-9]+", words[0], re.ASCII) else ""
        if not words:
            return (f"?{number} syntax error\n" if number else ""), True
        try:
            if words[0] not in self._commands:
                raise _Failure("unknown command")
            text = self._commands[words[0]](words[1:])
        except (DamierError, _Failure) as failure:
            return f"?{number} {plain(str(failure), 400)}\n", True
        except Exception as error:  # the process goes on
            _log.exception("GTP command failed: %s", plain(line, 200))
            return f"?{number} this command met a fault of the program: {plain(repr(error), 400)}\n", True
        space = "" if text.startswith("\n") else " "
        return f"={number}{space}{text}".rstrip() + "\n", words[0] != "quit"

    def _board_size(self, words: list[str]) -> str:
        (size,) = _whole_numbers(words, 1)
        own = len({cell.x for cell in self._session.game.drawing.cells})
        if size != own:
            raise _Failure("unacceptable size", f"this game is played on {own} columns")
        return self._clear_board([])

    def _clear_board(self, words: list[str]) -> str:  # noqa: ARG002
        self._session.new_game()
        self._clocks.restart()
        self._plan = []
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) != 2:
            raise _Failure("syntax error", "play takes a colour and an action")
        record = self._session.record
        colour, action = words[0].lower(), words[1].lower()
        is_roll = record.mover == "chance"
        if not (is_roll and colour == "chance"):
            player = self._player(colour)
            if not is_roll and player != record.mover and not record.result:
                raise _Failure("illegal move", self._whose_turn())
        try:
            record.play_turn(action)
        except DamierError as error:
            raise _Failure("illegal move", error) from None
        return ""

    def _generate_move(self, words: list[str]) -> str:
        if len(words) != 1:
            raise _Failure("syntax error", "genmove takes a colour")
        player, record = self._player(words[0].lower()), self._session.record
        if record.result:
            raise _Failure("the game is over", record.result.sentence())
        if player != record.mover:
            raise _Failure("cannot move", self._whose_turn())
        if not self._plan or self._planned_at != record.played:
            began = time.monotonic()
            limit = self._clocks.limit(player) or self._limit
            self._plan = TurnSearch(self._session.player(), record, limit).run()
            self._clocks.spend(player, time.monotonic() - began)
        action = self._plan.pop(0)
        record.play(action)
        self._planned_at = record.played
        return action.lower()

    def _undo(self, words: list[str]) -> str:  # noqa: ARG002
        if not self._session.record.played:
            raise _Failure("cannot undo")
        self._session.record.undo()
        return ""

    def _show_board(self, words: list[str]) -> str:  # noqa: ARG002
        record = self._session.record
        lines = board_text(record.position, result=record.result).splitlines()
        return "\n" + "\n".join([*filter(None, lines), str(record.position)])  # an empty line would end the answer

    def _time_settings(self, words: list[str]) -> str:
        main, period, stones = _whole_numbers(words, 3)
        self._clocks.set(main, period, stones)
        self._session.player().warm_up()  # before a clock runs
        return ""

    def _time_left(self, words: list[str]) -> str:
        player = self._player(words[0].lower() if words else "")
        seconds, stones = _whole_numbers(words[1:], 2)
        self._clocks.set_left(player, seconds, stones)
        return ""

    def _level(self, words: list[str]) -> str:
        (level,) = _whole_numbers(words, 1)
        if not 1 <= level <= FULL_STRENGTH:
            raise _Failure("unacceptable level", f"the levels are 1 to {FULL_STRENGTH}")
        self._session.set_settings(level=level)
        self._plan = []
        return ""

    def _position(self, words: list[str]) -> str:
        self._session.record = self._session.game.record(" ".join(words))
        self._plan = []
        return ""

    def _player(self, colour: str) -> str:
        """Returns the player of a colour: its name in the notation or in English, or b and w for the first two."""
        game = self._session.game
        names = dict(zip(("black", "white", *_STANDARD), (*game.players[:2], *game.players[:2]), strict=True))
        names |= {str(game.player_name(player)).lower(): player for player in game.players}
        names |= {player: player for player in game.players}
        if colour not in names:
            known = ", ".join(name for name in names if " " not in name)
            raise _Failure("syntax error", f"the colours are {known}")
        return names[colour]

    def _whose_turn(self) -> str:
        record = self._session.record
        if record.mover == "chance":
            return f"a roll of the die is due: play one of {', '.join(record.actions())}"
        return f"it is the turn of {record.mover}"


def _cleaned(line: str) -> str:
    """Returns a line without its comment and control characters."""
    return re.sub("[\x00-\x08\x0a-\x1f\x7f]", "", line.split("#", 1)[0].replace("\n", " "))


def _whole_numbers(words: Sequence[str], count: int) -> list[int]:
    if len(words) != count or not all(re.fullmatch("[0-9]{1,7}", word, re.ASCII) for word in words):
        raise _Failure("syntax error", f"{count} whole number{'s' if count > 1 else ''} expected")
    return [int(word) for word in words]
