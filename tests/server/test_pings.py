"""The lag of a connection, as the server measures it."""

from damier.server.matches.pings import Pings


def test_the_lag_is_the_mean_of_the_last_four_answers() -> None:
    pings = Pings()
    assert pings.lag == 0
    for seconds in (9.0, 0.1, 0.2, 0.3, 0.4):
        assert pings.receive(pings.send(100.0), 100.0 + seconds)
    assert pings.lag == 250


def test_an_answer_that_was_not_asked_for_counts_nothing() -> None:
    pings = Pings()
    first = pings.send(0.0)
    second = pings.send(4.0)
    assert not pings.receive(first, 4.1)
    assert not pings.receive("made up", 4.1)
    assert pings.receive(second, 4.1)
    assert not pings.receive(second, 9.0)
    assert pings.lag in (99, 100)  # as floats have it
