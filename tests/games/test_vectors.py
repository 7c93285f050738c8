"""The recorded games and counts of an independent reference implementation, replayed step by step."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import damier

VECTORS = Path(__file__).parent / "vectors"
GAMES: list[dict[str, Any]] = json.loads(gzip.decompress((VECTORS / "games.json.gz").read_bytes()))
COUNTS: list[dict[str, Any]] = json.loads((VECTORS / "perft.json").read_text())


@pytest.mark.parametrize("vector", GAMES, ids=[f"{i} {game['game']} {game['tag']}" for i, game in enumerate(GAMES)])
def test_a_recorded_game_replays_step_by_step(vector: dict[str, Any]) -> None:
    game = damier.load(vector["game"], **vector["options"])
    record = game.record(vector["start"])
    for step in vector["steps"]:
        assert str(record.position) == step["position"]
        assert record.actions() == step["legal"]
        assert record.result is None
        record.play(step["action"])
    assert str(record.position) == vector["final"]
    assert record.actions() == vector["final_legal"]
    assert (record.result.text if record.result else None) == vector["result"]


@pytest.mark.parametrize("vector", COUNTS, ids=[f"{count['game']} {count['label']}" for count in COUNTS])
def test_perft_counts_agree(vector: dict[str, Any]) -> None:
    game = damier.load(vector["game"], **vector["options"])
    assert [game.perft(vector["position"], depth) for depth in range(len(vector["perft"]))] == vector["perft"]
