"""A game being played: the actions so far, with the history that repetition rules look at."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument, IllegalAction
from damier.core.kernel.contract import REPETITION_DRAWS, REPETITION_FORBIDDEN, State
from damier.core.messages import Message, message, shown
from damier.core.outcome import DRAWING_ACTS, WINNING_ACTS, Result, aborted
from damier.core.position import Position

if TYPE_CHECKING:
    from damier.core.game import Game


_JUDGED = 8  # positions of a record that keep their legal actions
OUT = "out:"
"""How the act begins that takes a player out of a game of three or more, among the actions of a record."""


def eliminated(game: Game, text: str) -> str | None:
    """Returns the player whom a text among the actions of a record takes out of the game, or None."""
    player = text.removeprefix(OUT)
    return player if player != text and len(game.players) > 2 and player in game.players else None


def position_after(position: Position, text: str) -> Position:
    """Returns the position after a legal action, or after an act that takes a player out."""
    game = position.game
    if player := eliminated(game, text):
        seat = game.players.index(player)
        return Position(game, game.kernels.eliminate(game.rules, position.state, seat))
    return position.after(game.parse_action(text))


def ends_turn(before: Position, after: Position, text: str) -> bool:
    """Tells whether an action, or an act that takes a player out, has completed a turn."""
    return after.is_settled and not (before.is_settled and eliminated(after.game, text))


class Record:
    """A game being played, from its first position to the present one.

    >>> import damier
    >>> record = damier.load(damier.games()[1]).record()
    >>> record.play("a1")
    >>> record.mover, len(record.actions())
    ('w', 23)
    """

    def __init__(self, start: Position) -> None:
        self.start = start
        self._positions = [start]
        self._played: list[str] = []
        self._turns = [0]
        self._seen: dict[State, list[int]] = {}
        self._act: Result | None = None
        self._judgement: tuple[Result | None, list[int]] | None = None
        self._undone: tuple[int, str, Position] | None = None
        """What was taken back last: its place, and the position after it, which need not be worked out again."""

        self._note()

    def copy(self) -> Record:
        """Returns an independent copy."""
        twin = Record(self.start)
        twin._positions, twin._played, twin._turns = self._positions[:], self._played[:], self._turns[:]
        twin._seen = {key: turns[:] for key, turns in self._seen.items()}
        twin._act, twin._judgement = self._act, self._judgement
        return twin

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.start.game

    @property
    def position(self) -> Position:
        """The present position."""
        return self._positions[-1]

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions from the first to the present one: one more than actions."""
        return tuple(self._positions)

    @property
    def played(self) -> tuple[str, ...]:
        """The actions so far, rolls of the die included."""
        return tuple(self._played)

    @property
    def count(self) -> int:
        """How many actions have been played; the cost does not grow with them, unlike that of `played`."""
        return len(self._played)

    def position_before(self, place: int) -> Position:
        """Returns the position in which the action at index `place` of `played` was played."""
        return self._positions[place]

    def action_at(self, place: int) -> str:
        """Returns the action at index `place` of `played`."""
        return self._played[place]

    def turn_at(self, place: int) -> int:
        """Returns how many turns had been completed before the action at index `place` of `played`."""
        return self._turns[place]

    @property
    def turn(self) -> int:
        """How many turns have been completed."""
        return self._turns[-1]

    @property
    def repeated(self) -> list[Position]:
        """The positions at the end of a turn whose situation has stood at least twice, each once."""
        turns = [turns[0] for turns in self._seen.values() if len(turns) > 1]
        return [self._positions[bisect_left(self._turns, turn)] for turn in turns]

    @property
    def turns(self) -> tuple[int, ...]:
        """How many turns had been completed before each action: actions of one turn have the same number."""
        return tuple(self._turns[:-1])

    @property
    def mover(self) -> str:
        """Who acts next: a player as in the notation, or ``chance`` when the die is due."""
        return self.position.mover

    @property
    def result(self) -> Result | None:
        """None while the game goes on, else how it ended: by the rules or by an act of the players."""
        return self._act or self._judged()[0]

    def actions(self) -> list[str]:
        """Returns the legal actions as text, sorted; none when the game is over."""
        if self._act:
            return []
        return sorted(self.game.action_text(code) for code in self._judged()[1])

    def codes(self) -> list[int]:
        """Returns the legal actions as numbers, in the order of the rules; none when the game is over."""
        return [] if self._act else list(self._judged()[1])

    def legal_code(self, text: str) -> int:
        """Returns the number of an action that is legal now; raises `IllegalAction` with the reason."""
        action = self.game.parse_action(text)
        self._refuse_if_over()
        if action not in self._judged()[1]:
            self.position.legal_code(text)  # says why, unless only the history forbids it
            raise IllegalAction(self._return_refusal(action))
        return action

    def play(self, text: str) -> None:
        """Plays one action; raises `IllegalAction` with the reason and then changes nothing."""
        if player := eliminated(self.game, text):
            self.eliminate(player)
            return
        action = self.legal_code(text)
        known, self._undone = self._undone, None
        is_known = known is not None and known[:2] == (self.count, text)
        self._positions.append(known[2] if known and is_known else self.position.after(action))
        if len(self._positions) > _JUDGED:  # legal actions take most of the memory, and are found again when needed
            self._positions[-_JUDGED - 1]._judgement = None
        self._played.append(self.game.action_text(action))
        self._note()

    def play_turn(self, text: str) -> None:
        """Plays the actions of a turn written with ``+``: all of them, or none if one is refused."""
        done, turn = 0, self.turn
        try:
            for part in text.split("+", 8):
                if self.turn != turn:
                    raise IllegalAction(message("The turn is over before {action}.", action=shown(part)))
                self.play(part)
                done += 1
        except IllegalAction:
            for _ in range(done):
                self.undo()
            raise

    def undo(self) -> None:
        """Takes back the last action, or the act that ended the game."""
        if self._act:
            self._act = None
            return
        if not self._played:
            raise IllegalAction(message("There is no action to take back."))
        key = self._key(self.position)
        if key is not None:
            self._seen[key].pop()
        self._judgement = None
        position, text = self._positions.pop(), self._played.pop()
        self._turns.pop()
        self._undone = self.count, text, position

    def resign(self, player: str) -> None:
        """Ends a game of two by the resignation of a player; of more, the player is out and the others go on."""
        self._give_up(player, "resignation")

    def lose_on_time(self, player: str) -> None:
        """Ends a game of two because a player's time has run out; of more, the player is out and the others go on."""
        self._give_up(player, "time")

    def abandon(self, player: str) -> None:
        """Ends a game of two because a player has left; of more, the player is out and the others go on."""
        self._give_up(player, "abandonment")

    def eliminate(self, player: str) -> None:
        """Takes a player out of a game of three or more: an act, written ``out:PLAYER`` among the actions."""
        self._refuse_if_over()
        following = self._without(player)
        if following is None:
            raise IllegalAction(message("{player} is out already.", player=self.game.player_name(player)))
        self._turns.append(self.turn + ends_turn(self.position, following, OUT + player))
        self._positions.append(following)
        self._played.append(OUT + player)
        self._note()

    def is_in(self, player: str) -> bool:
        """Tells whether a player is still in the game, as all are while a game of two goes on."""
        return self.result is None and (len(self.game.players) == 2 or self._without(player) is not None)

    def abort(self) -> None:
        """Ends the game without a result."""
        self._refuse_if_over()
        self._act = aborted()

    def order(self) -> list[list[str]]:
        """Returns the players of a game that is over, the best first; equal ones are together. None if aborted."""
        result = self.result
        if result is None or result.is_aborted:
            return []
        players, kernels = self.game.players, self.game.kernels
        if result.winner is None:
            return [list(players)]
        places = [kernels.standing(self.game.rules, self.position.state, seat) for seat in range(len(players))]
        if len(players) == 2:
            places = [player != result.winner for player in players]
        ordered = sorted(set(places))
        return [[player for player, place in zip(players, places, strict=True) if place == each] for each in ordered]

    def agree_draw(self) -> None:
        """Ends the game as a draw that the players agree on."""
        self.end_by_act(None, "agreement")

    def stop_at_limit(self) -> None:
        """Ends the game as a draw because it has reached the limit of turns that its match allows."""
        self.end_by_act(None, "limit")

    def end_by_act(self, winner: str | None, reason: str) -> None:
        """Ends the game by an act of the match given as a result: who won, and one of the reasons in `ACTS`."""
        is_draw = winner is None
        if reason not in (DRAWING_ACTS if is_draw else WINNING_ACTS) or not (is_draw or winner in self.game.players):
            raise BadArgument(
                message(
                    "A game ends by an act with a winner and one of {winning}, or as a draw with one of {drawing}.",
                    winning=", ".join(WINNING_ACTS),
                    drawing=", ".join(DRAWING_ACTS),
                )
            )
        if not is_draw and len(self.game.players) > 2:
            raise BadArgument(message("With more than two players, one who gives up does not end the game."))
        self._refuse_if_over()
        self._act = self.game.result(winner, reason)

    def _give_up(self, player: str, reason: str) -> None:
        """Ends a game of two by an act that makes a player lose; of more, the player is out."""
        if player not in self.game.players:
            players = ", ".join(self.game.players)
            raise BadArgument(
                message("The player is one of {players}, not {text}.", players=players, text=shown(player))
            )
        if len(self.game.players) > 2:
            self.eliminate(player)
        else:
            self.end_by_act(self.game.opponent(player), reason)

    def _without(self, player: str) -> Position | None:
        """Returns the position in which a player is out; None if that is so already."""
        state, seat = self.position.state, self.game.players.index(player)
        following = self.game.kernels.eliminate(self.game.rules, state, seat)
        return None if following == state else Position(self.game, following)

    def _refuse_if_over(self) -> None:
        if result := self.result:
            raise IllegalAction(message("The game is over. {result}", result=result.message))

    def _judged(self) -> tuple[Result | None, list[int]]:
        """Returns the result by the rules, if any, and the legal actions."""
        if self._judgement is None:
            self._judgement = self._judge()
        return self._judgement

    def _judge(self) -> tuple[Result | None, list[int]]:
        position = self.position
        result, codes = position.judged()
        if result:
            return result, []
        repetition = self.game.traits.repetition
        if repetition == REPETITION_DRAWS:
            key = self._key(position)
            if key is not None and len(self._seen[key]) >= 3:
                return self.game.result(None, "repetition"), []
        elif repetition == REPETITION_FORBIDDEN:
            allowed = [code for code in codes if self._return_turn(code) is None]
            if not allowed and self.game.kernels.must_answer(self.game.rules, position.state):
                return None, codes
            if not allowed:
                return self.game.lost_without_action(position.mover), []
            codes = allowed
        return None, codes

    def _return_turn(self, action: int) -> int | None:
        """Returns the turn after which the situation arose that an action would repeat, or None."""
        key = self._key(self.position.after(action))
        turns = self._seen.get(key, []) if key is not None else []
        return turns[0] if turns else None

    def _return_refusal(self, action: int) -> Message:
        turn = self._return_turn(action)
        if turn == 0:
            return message("This would repeat the situation at the start.")
        return message("This would repeat the situation after turn {turn}.", turn=turn)

    def _key(self, position: Position) -> State | None:
        """Returns what repetition compares, or None in the middle of a turn."""
        if not position.is_settled:
            return None
        key: State = self.game.kernels.situation(self.game.rules, position.state)
        return key

    def _note(self) -> None:
        """Counts the present situation, and the turn if one has been completed."""
        self._judgement = None
        key = self._key(self.position)
        if len(self._positions) > len(self._turns):
            self._turns.append(self.turn + (key is not None))
        if key is not None:
            self._seen.setdefault(key, []).append(self.turn)
