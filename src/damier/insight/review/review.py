"""Reviews a played game: the winning chances before every action, and what each action cost.

Every position of the main line is searched with the same limit. The loss of an action is the mover's chance after the
best action minus the chance after the one played. Two searches one action apart differ even if nothing was lost, so
where an action looks worse than the best, the position after the best one is searched too, and positions at the same
distance are compared. A roll of the die costs nothing: what it changes is luck. `grading` turns losses into marks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from damier.core.errors import IllegalAction
from damier.core.messages import Message, Number, message
from damier.core.record import Record, eliminated
from damier.engine.engine import Engine
from damier.engine.judge import overall_chances
from damier.engine.limit import Limit
from damier.engine.turns import joined_turns
from damier.insight.review.grading import INACCURACY, Mark, accuracy, mark_of
from damier.transcript.tree import Node, Transcript, extend

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.outcome import Result
    from damier.engine.analysis import Analysis

DEFAULT_LIMIT = Limit(nodes=50_000)
"""The default limit for each position."""

MISTAKE = INACCURACY
"""The least loss of winning chance for which an action is listed as a mistake; its mark says how bad it is."""

LINES = 2
"""The lines that a review asks a search for: the best, and what the next best action costs."""

_SEEMING_LOSS = 0.01  # above which the position after the best action is searched too

Chances = tuple[float, ...]
"""The winning chance of each player, in the order of the game's players."""


@dataclass(frozen=True)
class ReviewedAction:
    """One action of a reviewed game."""

    number: int
    """How many actions were played before it."""

    turn: int
    """The turn in which it was played, counted from 1."""

    mover: str
    """Whose action it was, as in the notation, or ``chance``."""

    action: str
    before: Chances
    """The chances with the best action, or before a roll."""

    after: Chances
    loss: float | None
    """How much of the mover's chance it cost, 0 to 1; None for a roll."""

    better: tuple[str, ...] = ()
    """The best line instead, if the action cost something."""

    luck: Chances | None = None
    """How a roll changed the chance of each player; None for an action."""

    choices: int = 1
    """The number of legal actions."""

    margin: float | None = None
    """What the best of the other actions would have cost, if this is the best one and that is known."""

    @property
    def mark(self) -> Mark | None:
        """How good or bad it is, by `grading`."""
        return mark_of(self.loss, self.margin, self.choices)

    @property
    def is_mistake(self) -> bool:
        """Whether it is a mistake."""
        return self.loss is not None and self.loss >= MISTAKE


@dataclass(frozen=True)
class Review:
    """What a review found."""

    transcript: Transcript
    record: Record
    """The main line, without a resignation or the like that ended the game."""

    chances: tuple[Chances, ...]
    """Before the first action, and after each."""

    turns: tuple[int, ...]
    """The number of completed turns before the first action, and after each."""

    steps: tuple[ReviewedAction, ...]

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.record.game

    @property
    def mistakes(self) -> list[ReviewedAction]:
        """The mistakes, the biggest first."""
        return sorted((step for step in self.steps if step.is_mistake), key=lambda step: -(step.loss or 0.0))

    @property
    def average_losses(self) -> dict[str, float]:
        """The mean loss of each player's actions, by player; without players who did not act."""
        losses = {player: [s.loss or 0.0 for s in self.steps if s.mover == player] for player in self.game.players}
        return {player: sum(given) / len(given) for player, given in losses.items() if given}

    @property
    def accuracies(self) -> dict[str, float]:
        """The accuracy of each player, 0 to 1, by player; without players who never had a choice."""
        found = {
            player: accuracy([s.loss or 0.0 for s in self.steps if s.mover == player and s.choices > 1])
            for player in self.game.players
        }
        return {player: share for player, share in found.items() if share is not None}

    @property
    def luck(self) -> dict[str, float]:
        """The sum of the luck of all rolls, by player; empty in a game without a die."""
        if not self.game.traits.has_chance:
            return {}
        rolls = [step.luck for step in self.steps if step.luck]
        return {player: sum(roll[i] for roll in rolls) for i, player in enumerate(self.game.players)}

    def chance_before(self, step: ReviewedAction) -> float:
        """Returns the mover's chance with the best action."""
        return step.before[self.game.players.index(step.mover)]

    def chance_after(self, step: ReviewedAction) -> float:
        """Returns the mover's chance after the action that was played."""
        return step.after[self.game.players.index(step.mover)]

    def played_text(self, step: ReviewedAction) -> str:
        """Returns what was played from this action to the end of its turn."""
        return joined_turns(self.record.positions[step.number], self.record.played[step.number :])[0]

    def better_text(self, step: ReviewedAction) -> str:
        """Returns the better line, turn by turn."""
        return " ".join(joined_turns(self.record.positions[step.number], step.better))


Search = Callable[[Record, Limit], "Analysis"]
"""Searches the position of a game that is not over."""


def review(
    transcript: Transcript, limit: Limit = DEFAULT_LIMIT, progress: Callable[[float], None] | None = None
) -> Review:
    """Returns the review of a game; `limit` is for each position, `progress` is called with the share that is done."""
    reviewer = Reviewer(Record(transcript.start), limit, _search_of(transcript.game))
    actions = [node.action for node in transcript.main_line()]
    chances, turns, steps = [reviewer.look()], [0], []
    for number, action in enumerate(actions):
        if progress:
            progress((number + 1) / (len(actions) + 1))
        step = reviewer.play(action)
        steps.append(step)
        chances.append(step.after)
        turns.append(reviewer.record.turn)
    return Review(transcript, reviewer.record, tuple(chances), tuple(turns), tuple(steps))


def _search_of(game: Game) -> Search:
    """Returns the search of a new engine."""
    engine = Engine(game, uses_tables=True)

    def search(record: Record, limit: Limit) -> Analysis:
        *_, found = engine.analyse(record, limit, LINES)
        return found

    return search


class Reviewer:
    """Plays through a game and judges each action."""

    def __init__(self, record: Record, limit: Limit, search: Search) -> None:
        self.record = record
        self._limit, self._search = limit, search
        self._found: Analysis | None = None
        """The analysis of the current position; None if the game is over."""

    def look(self) -> Chances:
        """Searches the current position and returns its chances."""
        record = self.record
        self._found = None
        if record.result:
            return chances_of_result(record.game, record.result)
        self._found = self._search(record, self._limit)
        return overall_chances(self._found)

    def play(self, action: str) -> ReviewedAction:
        """Plays an action in a position that has been searched, and judges it."""
        record, found = self.record, self._found
        if found is None:
            record.play(action)  # raises: the game is over
        assert found
        number, turn, before = len(record.played), record.turn + 1, overall_chances(found)
        choices = len(record.actions())
        record.play(action)
        after = self.look()
        if player_out := eliminated(record.game, action):
            return ReviewedAction(number, turn, player_out, action, before, after, None)
        if found.mover == "chance":
            rolled = next(line.value.chances for line in found.lines if line.actions[0] == action)
            luck = tuple(now - then for now, then in zip(rolled, before, strict=True))
            return ReviewedAction(number, turn, found.mover, action, before, after, None, luck=luck)
        player = record.game.players.index(found.mover)
        best = found.best
        judged = partial(ReviewedAction, number, turn, found.mover, action, choices=choices)
        if best.actions[0] == action:
            return judged(after, after, 0.0, margin=_margin(found, player))
        if best.value.winner != found.mover and before[player] - after[player] > _SEEMING_LOSS:
            before = self._after_instead(best.actions[0])
        loss = max(0.0, before[player] - after[player])
        if not loss:
            return judged(after, after, 0.0)
        return judged(before, after, loss, self._legal_part(best.actions))

    def _after_instead(self, action: str) -> Chances:
        """Returns the chances after `action` instead of the last one."""
        record, found = self.record, self._found
        played = record.played[-1]
        record.undo()
        record.play(action)
        chances = self.look()
        record.undo()
        record.play(played)
        self._found = found
        return chances

    def _legal_part(self, line: Sequence[str]) -> tuple[str, ...]:
        """Returns the part of a line instead of the last action that the history of the game allows."""
        record = self.record
        played = record.played[-1]
        record.undo()
        part: list[str] = []
        try:
            for action in line:
                record.play(action)
                part.append(action)
        except IllegalAction:
            pass
        for _ in part:
            record.undo()
        record.play(played)
        return tuple(part)


def _margin(found: Analysis, player: int) -> float | None:
    """Returns by how much the best line is better than the next one, None if only one was searched for."""
    if len(found.lines) < LINES:
        return None
    best, next_best = (line.value.chances[player] for line in found.lines[:LINES])
    return best - next_best


def chances_of_result(game: Game, result: Result) -> Chances:
    """Returns the chances in a finished game: 1 for the winner, or an equal share for each in a draw."""
    if result.winner is None:
        return (1 / len(game.players),) * len(game.players)
    return tuple(float(player == result.winner) for player in game.players)


def percent(share: float) -> Number:
    """Returns a share in percent, without the sign."""
    return Number(100 * share, ".0f")


def annotated(review: Review, lang: str = "en") -> Transcript:
    """Returns the transcript with a comment on each mistake and the better line as a variation."""
    transcript = Transcript.from_json(review.transcript.to_json(), lambda *_name, **_options: review.game)
    line = [transcript.root, *transcript.main_line()]
    for step in review.steps:
        if step.is_mistake:
            said = mistake_comment(review, step).render(lang)
            node = line[step.number + 1]
            node.comment = f"{node.comment}\n{said}" if node.comment else said
            _add_variation(line[step.number], step.better)
    return transcript


def mistake_comment(review: Review, step: ReviewedAction) -> Message:
    """Returns the comment on a mistake."""
    return message(
        "Mistake: the winning chance of {player} falls from {before} % to {after} %.",
        player=review.game.player_name(step.mover),
        before=percent(review.chance_before(step)),
        after=percent(review.chance_after(step)),
    )


def _add_variation(node: Node, actions: Sequence[str]) -> None:
    """Adds a line after a node, sharing the part that is already there."""
    rest = list(actions)
    while rest and (same := [child for child in node.children if child.action == rest[0]]):
        node = same[0]
        rest.pop(0)
    extend(node, rest)
