"""Previews of actions: whether they end the turn."""

from __future__ import annotations

import random

import pytest

import damier
from damier.draw.previews import action_preview
from tests.games.option_sets import OPTION_SETS, name_of

PLIES = 60


@pytest.mark.parametrize(("game", "options"), OPTION_SETS, ids=map(name_of, OPTION_SETS))
def test_an_action_ends_the_turn_if_the_next_one_is_of_another_turn(game: str, options: dict[str, object]) -> None:
    chance = random.Random(7)
    record = damier.load(game, **options).record()
    ends: list[bool] = []
    for _ in range(PLIES):
        if record.result:
            break
        text = chance.choice(record.actions())
        is_roll = record.mover == "chance"
        preview = action_preview(record.position, text)
        before = record.turn
        record.play(text)
        if not is_roll:
            assert preview.ends_turn == (record.turn != before or record.result is not None), (
                text,
                str(record.position),
            )
            ends.append(preview.ends_turn)
    assert any(ends)
