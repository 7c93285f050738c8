"""One match of a bot, in a thread of its own: follows the match and plays the turns of its seats with an engine.

The record is built from the history of the match, so that repetitions count. What the engine has chosen is sent action
by action; if the match has changed meanwhile, because something was taken back, the rest is dropped and the engine is
asked again.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import damier
from damier.bot.budget import turn_seconds
from damier.client.errors import CallRefused, LimitReached
from damier.core.errors import DamierError, IllegalAction
from damier.core.messages import Number, message
from damier.engine.fault import EngineFault
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.bot.journal import Journal
    from damier.client.client import Client
    from damier.client.data import MatchView
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.arena.entrants import Entrant
    from damier.engine.player import Player

_MOST_FAULTS = 3  # of an engine in one match, after which the bot resigns
_PAUSE = 1.0  # seconds after a fault of the engine


class BotMatch:
    """A match that a bot plays."""

    def __init__(
        self,
        client: Client,
        number: str,
        entrant: Entrant,
        limit: Limit,
        journal: Journal,
        on_end: Callable[[BotMatch], None],
    ) -> None:
        """`limit` is for a turn without a clock; `on_end` is called at the end, in the thread of the match."""
        self.number, self.is_over = number, False
        self._client, self._entrant, self._limit, self._journal, self._on_end = client, entrant, limit, journal, on_end
        self._stream = client.follow(number)
        self._stopped = threading.Event()
        self._player: Player | None = None
        self._faults = self._refusals = 0
        self._thread = threading.Thread(target=self._run, name=f"match {number}", daemon=True)
        self.error: DamierError | None = None
        """Why the bot plays no further in this match, if it gave up."""

    def start(self) -> None:
        """Begins to play."""
        self._thread.start()

    def stop(self) -> None:
        """Has the match left as it is; an action that is being sent is finished."""
        self._stopped.set()
        if self._player:
            self._player.stop()
        self._stream.close()

    def wait(self, seconds: float) -> bool:
        """Waits until the bot has left the match; tells whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    # In the thread of the match

    def _run(self) -> None:
        try:
            self._follow()
        except DamierError as error:
            if not self._stopped.is_set():
                self.error = error
                self._journal.note(
                    "failed",
                    message("Match {number}: the bot gives up: {why}", number=self.number, why=error.message),
                    match=self.number,
                )
        finally:
            self._stream.close()
            if self._player:
                self._player.close()
            self._client.let_go()
            self._on_end(self)

    def _follow(self) -> None:
        done = -1
        for match in self._stream:
            self.is_over = match.is_over
            if match.is_over or self._stopped.is_set():
                return
            if match.seq < done:
                continue  # an action of ours, which others followed already
            if match.offer and "answer" in match.can:
                self._answer(match)
            elif match.is_my_turn:
                done = max(done, self._play_turn(match))

    def _answer(self, match: MatchView) -> None:
        """Agrees to take-backs where they were agreed on, and to nothing else."""
        assert match.offer
        yes = match.offer.what == "undo" and match.has_help
        sentence = (
            message("Match {number}: accepts a take-back.", number=self.number)
            if yes
            else message("Match {number}: declines an offer.", number=self.number)
        )
        self._journal.note("answered", sentence, match=self.number, what=match.offer.what, yes=yes)
        try:
            self._client.answer(self.number, yes)
        except CallRefused as error:
            self._note_refusal(error)  # withdrawn meanwhile

    def _play_turn(self, match: MatchView) -> int:
        """Plays what the engine chooses; returns the number of the last event, -1 if nothing was played."""
        began, chosen = time.monotonic(), []
        try:
            record, player = record_of(match), self._engine(match)
            chosen = self._chosen(record, player, self._turn_limit(match))
        except DamierError as error:
            return self._handle_fault(error, match)
        if self._stopped.is_set():
            return -1  # what a stopped engine answers is not its best
        done = -1
        for action in chosen:  # all of them, even if the bot is to stop: a turn is not left half played
            try:
                done = self._client.play(self.number, action)
            except LimitReached:
                raise
            except CallRefused as error:  # the match has changed
                self._note_refusal(error)
                self._refusals += 1
                if self._refusals >= _MOST_FAULTS:
                    raise
                return max(done, self._look_again())
        self._refusals = 0
        self._journal.note(
            "played",
            message(
                "Match {number}: plays {actions} after {seconds} s.",
                number=self.number,
                actions="+".join(chosen),
                seconds=Number(time.monotonic() - began, ".1f"),
            ),
            match=self.number,
            actions=chosen,
        )
        return done

    def _turn_limit(self, match: MatchView) -> Limit:
        """Returns the limit of a turn: by the clock, if there is one."""
        limit = self._entrant.limit or self._limit
        if match.clocks is None:
            return limit
        most = math.inf if limit.seconds is None else limit.seconds
        return replace(limit, seconds=turn_seconds(match, match.mover, most))

    def _chosen(self, record: Record, player: Player, limit: Limit) -> list[str]:
        """Returns the legal actions that the engine chooses for this turn; raises `DamierError` if there are none."""
        moment, chosen = (record.turn, record.mover), []
        for action in player.choose(record, limit):
            if record.result or (record.turn, record.mover) != moment:
                break  # the engine has gone on after the end of the turn
            record.play(action)
            chosen.append(action)
        if not chosen:
            raise EngineFault(message("The engine chose no action."))
        return chosen

    def _look_again(self) -> int:
        """Plays on from the match as it stands, after a pause."""
        if self._stopped.wait(_PAUSE):
            return -1
        match = self._client.match(self.number)
        return self._play_turn(match) if match.is_my_turn and not match.is_over else -1

    def _engine(self, match: MatchView) -> Player:
        """Returns the engine, which is started with the first turn."""
        if self._player is None:
            seed = int.from_bytes(self.number.encode()[:4], "big")
            self._player = self._entrant.make(game_of(match), seed)
            self._player.new_game()
        return self._player

    def _handle_fault(self, error: DamierError, match: MatchView) -> int:
        """Starts the engine anew after a fault; resigns after several."""
        if self._stopped.is_set():
            return -1
        self._faults += 1
        self._journal.note(
            "fault",
            message("Match {number}: the engine failed: {why}", number=self.number, why=error.message),
            match=self.number,
        )
        if self._player:
            self._player.close()
            self._player = None
        if self._faults >= _MOST_FAULTS:
            if "resign" in match.can:
                self._client.resign(self.number)
            raise error
        return self._look_again()

    def _note_refusal(self, error: CallRefused) -> None:
        self._journal.note(
            "refused",
            message("Match {number}: refused: {why}", number=self.number, why=error.message),
            match=self.number,
        )


def game_of(match: MatchView) -> Game:
    """Returns the game of a match with its options; raises `DamierError` if this version has no such game."""
    return damier.load(match.game, **match.options)


def record_of(match: MatchView) -> Record:
    """Returns the record of a match: of all its actions, or from its position if they do not lead there.

    They do not if the server has left out the oldest.
    """
    game = game_of(match)
    record = game.record()
    try:
        for action in match.history:
            record.play(action)
    except IllegalAction:
        return game.record(match.position)
    return record if str(record.position) == match.position else game.record(match.position)
