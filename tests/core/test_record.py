"""Records: what they know of positions that have come more than once, and what they keep in memory."""

import random

import pytest

import damier
from damier.core.record import _JUDGED


def test_positions_that_have_stood_twice_are_known() -> None:
    record = damier.load("chefa").record("B1B1B/1B3/5/3W1/W1W1W b 0,0 -")
    there_and_back = ["b4-a4", "d2-e2", "a4-b4", "e2-d2"]
    assert record.repeated == []
    for action in there_and_back:
        record.play(action)
    assert record.repeated == [record.start]
    record.undo()
    assert record.repeated == []


@pytest.mark.parametrize("name", damier.games())
def test_positions_that_lie_back_forget_their_legal_actions_and_find_them_again(name: str) -> None:
    record, rng = damier.load(name).record(), random.Random(name)
    offered = [record.actions()]
    while record.result is None and record.count < 30:
        record.play(rng.choice(offered[-1]))
        offered.append(record.actions())
    kept = [position._judgement is not None for position in record.positions]
    assert not any(kept[:-_JUDGED])
    assert kept[-1]
    for actions in reversed(offered):
        assert record.actions() == actions
        if record.count:
            record.undo()
