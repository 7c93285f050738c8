"""The engine solves the tactics files: forced wins that brute force has found."""

from pathlib import Path

import pytest

import damier
from damier.engine.engine import Engine
from damier.engine.limit import Limit

FILES = sorted(Path(__file__).parent.glob("*/tactics.txt"))
NODES = 2_000_000  # about half a second on an idle core


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_the_engine_solves_every_position(file: Path) -> None:
    game = damier.load(file.parent.name)
    engine = Engine(game)
    engine.warm_up()
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) >= 50
    for line in lines:
        position, player, *_, best = line.split("; ")
        record = game.record(position)
        *_, last = engine.analyse(record, Limit(nodes=NODES), 1)
        assert last.mover == player
        if len(game.players) == 2 and not game.traits.has_chance:
            assert last.best.value.winner == player, line
            after = record.copy()
            after.play(last.best.actions[0])
        else:
            assert last.best.actions[0] in best.split(), line
