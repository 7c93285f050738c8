"""Forced wins by brute force, which leaves repetition to the record, and positions to try it on."""

import random

import damier
from damier.core.position import Position
from damier.core.record import Record

GAME = damier.load("badia")


def forces(record: Record, winner: str, plies: int) -> bool:
    """Tells whether `winner` can force a win in `plies` plies: the naive twin, which leaves returns to the record."""
    if record.result:
        return record.result.winner == winner
    if plies == 0:
        return False
    is_winner = record.mover == winner
    for action in record.actions():
        record.play(action)
        is_forced = forces(record, winner, plies - 1)
        record.undo()
        if is_forced == is_winner:
            return is_forced
    return not is_winner


def nearly_won(rng: random.Random) -> Position:
    """Returns an undecided position in which a player has five pawns in a row on the ring but for small gaps."""
    first, before, after = rng.randrange(16), rng.randrange(3), rng.randrange(3)
    block = [(first + i) % 16 for i in (-before, 1, 2, 3, 4 + after)]
    others = rng.sample([cell for cell in range(17) if cell not in block], 5)
    own, enemy = (block, others) if rng.random() < 0.5 else (others, block)
    markers = [rng.choice([0, *(cell + 1 for cell in pawns)]) for pawns in (own, enemy)]
    word = markers[1] << 6 | markers[0] << 1 | rng.randrange(2)
    position = Position(GAME, (sum(1 << cell for cell in own), sum(1 << cell for cell in enemy), word))
    return nearly_won(rng) if position.result else position
