"""Policies: Python functions that choose actions, as agents of exams and as players of matches.

A policy is a function from a record to an action, or to a mapping of actions to probabilities. It is called with a copy
of the record. What it answers is checked: an agent that breaks the rules is named in one sentence.
"""

from __future__ import annotations

import importlib
import logging
import math
import os
import random
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from damier.core.errors import BadArgument, DamierError, IllegalAction
from damier.core.messages import Number, message, plain, shown
from damier.engine.fault import EngineFault
from damier.engine.player import Player

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.limit import Limit

Policy = Callable[["Record"], "str | Mapping[str, float]"]
"""Returns the action to play in a record, or the probability of each action."""

_ROUNDING = 1e-3  # how far from 1 probabilities may add up, as those of networks do
_LONGEST_REASON = 200  # letters
_log = logging.getLogger(__name__)


def load_policy(module: str, function: str) -> Policy:
    """Imports a module, also from the current folder, and returns its function; raises `BadArgument`."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), function, None)
    except (Exception, SystemExit) as error:
        raise BadArgument(
            message("The module {module} cannot be imported: {why}.", module=shown(module), why=_what(error))
        ) from error
    if not callable(found):
        raise BadArgument(
            message("The module {module} has no function {function}.", module=shown(module), function=shown(function))
        )
    return cast(Policy, found)


def probabilities(policy: Policy, record: Record, name: str) -> dict[str, float]:
    """Returns the probability of each action that a policy plays in a record; raises `EngineFault` with its name."""
    try:
        answer: Any = policy(record.copy())
    except (Exception, SystemExit) as error:
        if isinstance(error, DamierError) and not isinstance(error, IllegalAction):
            raise  # a sentence about what the agent needs, such as a table
        _log.info("the agent %s failed", name, exc_info=error)
        raise _fault(
            message("The agent {agent} failed in the position {position}: {why}.", why=_what(error)), name, record
        ) from error
    chances = _numbers(answer)
    if chances is None:
        raise _fault(
            message(
                "The agent {agent} returned {answer} in the position {position}, neither an action nor probabilities "
                "of actions.",
                answer=shown(_repr(answer)),
            ),
            name,
            record,
        )
    for action in chances:
        _check_legal(action, record, name)
    total = sum(chances.values())
    if not (abs(total - 1) <= _ROUNDING and min(chances.values()) >= 0):
        raise _fault(
            message(
                "The probabilities that the agent {agent} returned in the position {position} add up to {total}, or "
                "one is below 0.",
                total=Number(total, "g"),
            ),
            name,
            record,
        )
    return {action: chance / total for action, chance in chances.items() if chance}


def _numbers(answer: Any) -> dict[str, float] | None:
    """Returns an answer as probabilities of actions; None if it is something else."""
    if isinstance(answer, str):
        return {str(answer): 1.0}
    if not (isinstance(answer, Mapping) and answer and all(isinstance(action, str) for action in answer)):
        return None
    try:
        found = {str(action): float(chance) for action, chance in answer.items()}
    except (TypeError, ValueError, OverflowError):
        return None
    return found if all(map(math.isfinite, found.values())) else None


def _check_legal(action: str, record: Record, name: str) -> None:
    if action in record.actions():
        return
    try:
        record.copy().play(action)
    except IllegalAction as error:
        raise _fault(
            message(
                "The agent {agent} returned {action} in the position {position}, which is refused: {reason}",
                action=shown(action),
                reason=error.message,
            ),
            name,
            record,
        ) from None


def _fault(sentence: Any, name: str, record: Record) -> EngineFault:
    """Returns the error for a fault of an agent; fills in its name and the position."""
    values = {**sentence.values, "agent": shown(name), "position": str(record.position)}
    return EngineFault(type(sentence)(sentence.text, values))


def begin_game(policy: Policy, name: str) -> None:
    """Tells a policy that a new game begins, if it has a method `new_game`; raises `EngineFault` with its name."""
    new_game = getattr(policy, "new_game", None)
    if new_game is None:
        return
    try:
        new_game()
    except (Exception, SystemExit) as error:
        if isinstance(error, DamierError):
            raise
        sentence = message("The agent {agent} failed before a game: {why}.", agent=shown(name), why=_what(error))
        raise EngineFault(sentence) from error


def _repr(answer: object) -> str:
    try:
        return repr(answer)
    except Exception:  # of a class of the agent
        return f"<{type(answer).__name__}>"


def _what(error: BaseException) -> str:
    return plain(f"{type(error).__name__}: {error}", _LONGEST_REASON).rstrip(".")


class PolicyPlayer(Player):
    """A player that plays a policy; where it gives probabilities, the action is drawn by lot."""

    def __init__(self, policy: Policy, name: str, seed: int = 0) -> None:
        self.name, self.policy = name, policy
        self._random = random.Random(seed)

    def choose(self, record: Record, limit: Limit) -> list[str]:  # noqa: ARG002  # the function limits itself
        """Returns one action."""
        chances = probabilities(self.policy, record, self.name)
        return self._random.choices(list(chances), list(chances.values()))
