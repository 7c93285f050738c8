"""The options of the benchmark of several servers."""

import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bench.cluster.__main__ import FAULTS, main
from bench.cluster.faults import Faults


def test_every_fault_can_be_chosen() -> None:
    installation = cast(Any, SimpleNamespace(has_small_disk=True))
    assert set(Faults(installation, cast(Any, None), random.Random(1)).kinds) == set(FAULTS)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--rounds", "0"], "rounds are 1 to 1000, servers 1 to 8, matches 1 to 5000"),
        (["--matches", "50000"], "rounds are 1 to 1000, servers 1 to 8, matches 1 to 5000"),
        (["--soak", "0"], "the soak is at most 600 minutes, a measurement 1 to 300 seconds, a share 0.05 to 1"),
        (["--share", "2"], "the soak is at most 600 minutes, a measurement 1 to 300 seconds, a share 0.05 to 1"),
    ],
)
def test_what_is_out_of_bounds_is_refused(given: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err
