"""Writes the golden files of the tests: perft tables and playthroughs of every game and option set.

    python -m tools.goldens

The tests compare with these files, so a change in them is a change of the rules: read the diff.
"""

import random
from pathlib import Path

import damier
from tests.games.option_sets import OPTION_SETS, OptionSet
from tests.games.random_positions import random_position

TESTS = Path(__file__).parent.parent / "tests" / "games"
_MOST = 300_000  # action sequences; limits the depth
_LONGEST = 60  # actions of a playthrough


def perft_lines(option_set: OptionSet) -> list[str]:
    """Returns lines of position and counts, from the start and from random positions of all phases."""
    name, options = option_set
    game = damier.load(name, **options)
    rng = random.Random(f"perft {option_set}")
    lines = []
    for position in [str(game.start), *(random_position(name, options, rng) for _ in range(6))]:
        counts = [1]
        while len(counts) < 6 and counts[-1] * 30 < _MOST and (len(counts) < 2 or counts[-1]):
            counts.append(game.perft(position, len(counts)))
        lines.append(f"{game.options_text or '-'} | {position} | {' '.join(map(str, counts))}")
    return lines


def playthrough_lines(option_set: OptionSet) -> list[str]:
    """Returns a random game line by line: position, actions, the action chosen; then how it ended."""
    name, options = option_set
    game = damier.load(name, **options)
    rng = random.Random(f"playthrough {option_set}")
    record = game.record()
    lines = [f"options: {game.options_text or '-'}"]
    while not record.result and len(record.played) < _LONGEST:
        actions = record.actions()
        action = rng.choice(actions)
        lines += [f"position: {record.position}", f"mover: {record.mover}", f"actions: {' '.join(actions)}"]
        lines.append(f"play: {action}")
        record.play(action)
    lines += [f"position: {record.position}", f"result: {record.result.sentence() if record.result else '-'}", ""]
    return lines


def main() -> None:
    """Writes the files."""
    for name in damier.games():
        sets = [option_set for option_set in OPTION_SETS if option_set[0] == name]
        perft = [line for option_set in sets for line in perft_lines(option_set)]
        (TESTS / name / "perft.txt").write_text("\n".join(perft) + "\n")
        plays = [line for option_set in sets for line in playthrough_lines(option_set)]
        (TESTS / name / "playthrough.txt").write_text("\n".join(plays))


if __name__ == "__main__":
    main()
