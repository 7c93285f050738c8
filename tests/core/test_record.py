"""Records: what they know of the positions that have come more than once."""

import damier


def test_positions_that_have_stood_twice_are_known() -> None:
    record = damier.load("chefa").record("B1B1B/1B3/5/3W1/W1W1W b 0,0 -")
    there_and_back = ["b4-a4", "d2-e2", "a4-b4", "e2-d2"]
    assert record.repeated == []
    for action in there_and_back:
        record.play(action)
    assert record.repeated == [record.start]
    record.undo()
    assert record.repeated == []
