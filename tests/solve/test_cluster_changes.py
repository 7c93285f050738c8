"""What nodes tell each other, against naive twins; in plain Python and compiled."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.core.kernel.bind import bind
from damier.solve.cluster import changes
from damier.solve.cluster.pieces import packed, unpacked
from damier.solve.codes import DRAWN, MARKED

RULES = damier.load("renfa").definition.rules
CODES = [DRAWN, 1, 5, 127, 128, 130, MARKED, 255]


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "compiled"])
def kernels(request: pytest.FixtureRequest) -> SimpleNamespace:
    """The kernels; in plain Python they get arrays whose items are Python's integers."""
    bound = bind(RULES, changes, compiled=request.param)
    if request.param:
        return bound

    def plain(kernel: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: kernel(*(each.data if isinstance(each, np.ndarray) else each for each in given))

    names = ("has_code", "write_gaps", "put_gaps", "find_marked", "put_settled")
    return SimpleNamespace(**{name: plain(getattr(bound, name)) for name in names})


@st.composite
def arrays(draw: st.DrawFn) -> tuple[Any, int, int]:
    """Draws entries, mostly of one code, and a range of them."""
    size = draw(st.sampled_from([1, 5, 63, 64, 65, 130, 1000, 20_000]))
    values = np.full(size, draw(st.sampled_from(CODES)), np.uint8)
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    others = rng.random(size) < draw(st.sampled_from([0, 0.0003, 0.01, 0.3, 1]))
    values[others] = rng.choice(CODES, int(others.sum()))
    low = draw(st.integers(0, size))
    return values, low, draw(st.integers(low, size))


def naive_gaps(places: list[int], low: int) -> list[int]:
    """Returns the gaps between places as bytes, by arithmetic on whole numbers."""
    gaps: list[int] = []
    for before, place in zip([low - 1, *places], places, strict=False):
        gap = place - before
        while gap >= 128:
            gaps.append(128 + gap % 128)
            gap //= 128
        gaps.append(gap)
    return gaps


@given(arrays(), st.sampled_from(CODES))
def test_gaps_are_those_of_a_naive_twin_and_lead_back(
    kernels: SimpleNamespace, drawn: tuple[Any, int, int], code: int
) -> None:
    values, low, high = drawn
    places = [place for place in range(low, high) if values[place] == code]
    room = np.zeros(high - low, np.uint8)
    gaps = room[: kernels.write_gaps(values, low, high, code, room)]
    assert gaps.tolist() == naive_gaps(places, low)
    assert kernels.has_code(values, low, high, code) == bool(places)
    copy = np.zeros(len(values), np.uint8)
    assert kernels.put_gaps(copy, low, gaps, code) == len(places)
    assert np.flatnonzero(copy == code).tolist() == (places if code != DRAWN else list(range(len(values))))


@given(arrays(), arrays())
def test_marks_change_only_what_is_open(
    kernels: SimpleNamespace, drawn: tuple[Any, int, int], other: tuple[Any, int, int]
) -> None:
    values, low, high = drawn
    here = np.resize(other[0], len(values))
    room = np.zeros(high - low, np.uint8)
    gaps = room[: kernels.write_gaps(values, low, high, MARKED, room)]
    expected = here.copy()
    for place in range(low, high):
        if values[place] == MARKED and here[place] == DRAWN:
            expected[place] = MARKED
    kernels.put_gaps(here, low, gaps, MARKED)
    assert here.tolist() == expected.tolist()


@given(arrays(), st.booleans())
def test_decided_entries_arrive_where_they_were_marked(
    kernels: SimpleNamespace, drawn: tuple[Any, int, int], has_escapes: bool
) -> None:
    values, low, high = drawn
    marked = [place for place in range(low, high) if values[place] == MARKED]
    places = np.zeros(high - low, np.int64)
    assert places[: kernels.find_marked(values, low, high, places)].tolist() == marked
    codes = np.arange(len(marked)).astype(np.uint8) % 120
    escapes = np.zeros(len(values) if has_escapes else 0, np.uint8)
    expected = values.copy()
    expected[marked] = codes
    assert kernels.put_settled(values, escapes, 0, low, high, codes, codes + 1) == len(marked)
    assert values.tolist() == expected.tolist()
    if has_escapes:
        assert escapes[marked].tolist() == (codes + 1).tolist()
        assert np.delete(escapes, marked).sum() == 0


@given(arrays())
def test_entries_are_packed_and_unpacked(drawn: tuple[Any, int, int]) -> None:
    values, low, high = drawn
    data = packed(values[low:high])
    assert unpacked(data, high - low).tolist() == values[low:high].tolist()
    with pytest.raises(ValueError, match="entries"):
        unpacked(data, high - low + 1)
    if high > low:
        with pytest.raises(ValueError, match=r"decompress|entries"):
            unpacked(data[:-1], high - low)
