"""Exact regret: how much a policy loses by the exact values of a solved game.

    regret(game, policy)          what it loses in the positions of the published sample, or in others
    play_perfect(game, policy)    what it loses in games against the perfect opponent
    action_losses(values)         what each action costs, given the values of `game.tables.action_values`
    exam_sample(game)             the published positions
    Exam(game, agent)             all of it for an agent such as ``level:3``, as ``damier exam`` does

A policy is a function from a record to an action, or to a mapping of actions to probabilities.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.engine.policy import Policy
    from damier.insight.exam.decision import Decision, LossSummary
    from damier.insight.exam.exam import Exam, ExamResult
    from damier.insight.exam.losses import ActionLoss, action_losses
    from damier.insight.exam.perfect_play import PerfectPlay, play_perfect
    from damier.insight.exam.regret import Regret, exam_sample, regret
    from damier.insight.exam.sample import ExamSample
    from damier.insight.exam.version import EXAM_VERSION

__all__ = [
    "EXAM_VERSION",
    "ActionLoss",
    "Decision",
    "Exam",
    "ExamResult",
    "ExamSample",
    "LossSummary",
    "PerfectPlay",
    "Policy",
    "Regret",
    "action_losses",
    "exam_sample",
    "play_perfect",
    "regret",
]

_MODULES = {
    "EXAM_VERSION": "insight.exam.version",
    "ActionLoss": "insight.exam.losses",
    "Decision": "insight.exam.decision",
    "Exam": "insight.exam.exam",
    "ExamResult": "insight.exam.exam",
    "ExamSample": "insight.exam.sample",
    "LossSummary": "insight.exam.decision",
    "PerfectPlay": "insight.exam.perfect_play",
    "Policy": "engine.policy",
    "Regret": "insight.exam.regret",
    "action_losses": "insight.exam.losses",
    "exam_sample": "insight.exam.regret",
    "play_perfect": "insight.exam.perfect_play",
    "regret": "insight.exam.regret",
}
"""The modules of the names, imported on first use: importing this module imports none of them."""


if not TYPE_CHECKING:  # checkers know the names from above

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"damier.{_MODULES[name]}"), name)
