"""Marks of actions and the accuracy of players: one definition, by winning chances."""

import random

import pytest

import damier
from damier.engine.limit import Limit
from damier.engine.turns import turns_of
from damier.insight.review.grading import accuracy, mark_of
from damier.insight.review.review import review
from damier.transcript.tree import Transcript
from tests.games.option_sets import OPTION_SETS


@pytest.mark.parametrize(
    ("loss", "mark"),
    [
        (None, None),
        (0.0, None),
        (0.049, None),
        (0.05, "?!"),
        (0.149, "?!"),
        (0.15, "?"),
        (0.5, "?"),  # win to draw, draw to loss
        (0.51, "??"),
        (1.0, "??"),  # win to loss
    ],
)
def test_a_loss_has_a_mark(loss: float | None, mark: str | None) -> None:
    assert mark_of(loss, None, 9) == mark


@pytest.mark.parametrize(
    ("margin", "choices", "mark"),
    [(0.5, 3, "!"), (0.15, 3, "!"), (0.14, 3, None), (1.0, 2, None), (1.0, 1, None), (None, 9, None)],
)
def test_the_only_action_that_keeps_the_result_has_a_mark(margin: float | None, choices: int, mark: str | None) -> None:
    assert mark_of(0.0, margin, choices) == mark


def test_accuracy_is_what_was_kept_on_average() -> None:
    assert accuracy([]) is None
    assert accuracy([0.0, 0.0]) == 1.0
    assert accuracy([0.0, 0.5, 1.0]) == 0.5


def test_a_missed_defence_and_the_only_win_are_marked() -> None:
    text = '[Game "chefa"]\n[Position "5/5/W3W/B1B2/BB1WW w 0,0 -"]\n\n1. d1-c1 2. c2-b2\n'
    (transcript,) = damier.read_transcripts(text)
    found = review(transcript, Limit(nodes=2000))
    assert found.steps[0].mark in ("?", "??")
    assert found.steps[1].mark == "!", "Black wins at once; every other action lets White defend."
    assert found.accuracies["b"] == 1.0
    assert found.accuracies["w"] < 0.9


@pytest.mark.parametrize(("name", "options"), OPTION_SETS[::3])
def test_better_lines_of_a_review_can_be_played(name: str, options: dict[str, int | str]) -> None:
    rng, record = random.Random(f"{name} {options}"), damier.load(name, **options).record()
    while not record.result and len(record.played) < 14:
        record.play(rng.choice(record.actions()))
    found = review(Transcript.of(record), Limit(nodes=60))
    for step in found.steps:
        again = damier.load(name, **options).record()
        for action in (*record.played[: step.number], *step.better):
            again.play(action)
        turns = turns_of(record.positions[step.number], step.better)
        assert [action for turn in turns for action in turn] == list(step.better)
