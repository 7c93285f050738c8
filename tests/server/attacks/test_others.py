"""Other visitors play and read on while one visitor attacks, and the attacker is told why requests are refused."""

import pytest

from bench.served import Served
from tests.server.attacks.visitors import attacked, check_refusals, run

ATTACKS = {
    "two-analyses": 1.0,
    "analysis-sockets": 0.2,
    "computer-matches": 0.2,
    "reviews": 0.3,
    "values": 1.0,
    "invented-cookies": 1.0,
    "no-cookie": 1.0,
    "new-visitors": 1.0,
    "long-addresses": 1.0,
    "long-lines": 1.0,
    "long-records": 1.0,
    "pictures": 0.3,
    "embeds": 1.0,
    "judges": 1.0,
    "files": 1.0,
    "reconnects": 1.0,
    "hit-and-run": 1.0,
    "spectator-sockets": 0.2,
    "seat-sockets": 0.2,
    "fast-match": 1.0,
    "half-heads": 0.05,
    "half-bodies": 0.05,
    "big-bodies": 0.25,
    "random-hosts": 1.0,
}
"""The attacks and how large each is, as a share of its full size."""

LONG = ("values", "long-lines", "long-records", "pictures", "seat-sockets", "spectator-sockets")
"""Those after which the server is busy for seconds."""

SECONDS = 0.6
MOST_MEMORY = 150.0  # MB that an attack of this size may cost


@pytest.mark.parametrize("name", [pytest.param(each, marks=[pytest.mark.slow] * (each in LONG)) for each in ATTACKS])
def test_others_are_served_during(open_server: Served, name: str) -> None:
    before = open_server.memory
    attacker, others = run(attacked(open_server, name, SECONDS, ATTACKS[name]))
    assert not others.measured.errors
    assert open_server.memory - before < MOST_MEMORY
    check_refusals(attacker.answers)


def test_nothing_failed_that_an_operator_must_see(open_server: Served) -> None:
    assert "Traceback" not in open_server.log
