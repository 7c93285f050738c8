"""The ratings of the computer's levels: fitted from the scores in the files of the games."""

import json
from pathlib import Path

import pytest

import damier
from damier.engine.level_ratings import ANCHOR_LEVEL, ANCHOR_VALUE, FILE, fitted_levels, level_ratings
from damier.engine.levels import LEVELS
from tools.level_ratings import Measurement


@pytest.mark.parametrize("name", damier.games())
def test_the_ratings_of_a_game_follow_from_its_scores(name: str) -> None:
    definition = damier.load(name).definition
    data = json.loads((definition.folder / FILE).read_text("utf-8"))
    pairs = {each["level"]: each["scores"] for each in data["meetings"]}
    assert list(pairs) == list(LEVELS[1:])
    assert level_ratings(definition) == fitted_levels(pairs)
    assert data["anchor"] == {"level": ANCHOR_LEVEL, "value": ANCHOR_VALUE}


def test_errors_grow_with_the_distance_from_the_anchor() -> None:
    found = fitted_levels({level: [0.5, 0.75, 1.0, 0.5] for level in LEVELS[1:]})
    assert list(found) == list(LEVELS)
    assert found[ANCHOR_LEVEL].error == 0
    values = [rating.value for rating in found.values()]
    assert values == sorted(values)
    assert found[8].error > found[7].error > found[6].error > 0 < found[4].error < found[3].error
    assert values[5] - values[4] == pytest.approx(137, abs=1)  # of a score of 0.6875


def test_a_level_that_wins_every_game_has_a_finite_rating() -> None:
    found = fitted_levels({level: [1.0] for level in LEVELS[1:]})
    assert all(abs(rating.value) < 5000 for rating in found.values())
    assert not found[8].is_certain


def test_a_measurement_goes_on_where_it_was(tmp_path: Path) -> None:
    game, path = damier.load("chefa"), tmp_path / FILE
    first = Measurement(game, path, 100)
    for level in LEVELS[1:]:
        first.pairs[level], first.cpu[level] = [0.5, 1.0], 1.5
    first.write()
    again = Measurement(game, path, 100)
    assert (again.pairs, again.cpu) == (first.pairs, first.cpu)
    assert not any(Measurement(game, path, 200).pairs.values())  # another limit measures something else
    again.measure(cpu=1.0, most=40)  # the time is used up
    assert again.pairs == first.pairs
