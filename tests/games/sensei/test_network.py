"""Sensei's networks: against a naive twin that reads the documented file, plain against compiled, by symmetry."""

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import damier
from damier.core.kernel.bind import bind
from damier.core.kernel.network import HIDDEN, MAGIC, SCALE_BITS, TOP, ZERO, network_bytes, packed
from damier.engine.engine import Engine
from damier.engine.methods.alphabeta_thread import plain
from damier.engine.methods.evaluation import rules_for
from damier.search import scratch

VARIANTS = ["shizukana", "shizukana-variant", "arashi", "arashi-expert"]
INPUTS, PHASES, TERMS = 49 * 98 + 98, 5, 42
MOST_INPUTS = 16
MOST_BYTES = 1 << 20
LEFT = {(2, 1): 0, (1, 1): 1, (0, 1): 2, (2, 0): 3, (1, 0): 4}  # the phase by stone moves and character moves left


class NaiveNetwork:
    """The network as ``core/kernel/network.py`` describes its file, without a kernel of the game but `terms`."""

    def __init__(self, content: bytes) -> None:
        assert content.startswith(MAGIC)
        words = [int.from_bytes(content[i : i + 8], "little", signed=True) for i in range(len(MAGIC), len(content), 8)]
        per_row = HIDDEN // 4
        rows = [self.unpacked(words[i * per_row : (i + 1) * per_row]) for i in range(INPUTS)]
        self.rows = np.array(rows)
        at = (INPUTS + 1) * per_row
        self.biases = np.array(self.unpacked(words[INPUTS * per_row : at])) - ZERO
        self.outputs = np.array(words[at : at + PHASES * (2 * HIDDEN + 1)]).reshape(PHASES, -1)
        self.terms = words[at + self.outputs.size :]
        assert len(self.terms) == TERMS

    @staticmethod
    def unpacked(words: list[int]) -> list[int]:
        """Returns the numbers of a row, from the lowest 16 bits of each word on; what is left over is carried."""
        found = []
        for word in words:
            for _ in range(4):
                number = (word + 0x8000 & 0xFFFF) - 0x8000
                found.append(number)
                word = word - number >> 16
            assert word == 0
        return found

    def value(self, position: damier.Position, terms: list[int]) -> int:
        """Returns what the network says of a position, whose terms are given."""
        side, left, cells = position.state[2] & 1, position.state[2] >> 1, {}
        for player, word in ((side, position.state[0]), (1 - side, position.state[1])):
            cells[player] = [cell for cell in range(49) if word >> cell & 1], word >> 49
        outputs = self.outputs[LEFT[left & 3, left >> 2]]
        total = int(outputs[-1]) + sum(weight * term for weight, term in zip(self.terms, terms, strict=True))
        for half, player in enumerate((side, 1 - side)):
            hidden = self.biases.copy()
            for number in self.inputs(cells, player):
                hidden += self.rows[number]
            cut = np.clip(hidden, 0, TOP)
            total += int((cut * outputs[half * HIDDEN : (half + 1) * HIDDEN]).sum())
        return total // (1 << SCALE_BITS)

    @staticmethod
    def inputs(cells: dict[int, tuple[list[int], int]], player: int) -> Iterator[int]:
        """Yields the inputs that are on, as a player sees the board."""

        def turned(cell: int) -> int:
            return cell if player == 0 else 48 - cell

        (own, own_character), (enemy, enemy_character) = cells[player], cells[1 - player]
        block = 98 * turned(own_character)
        yield from (block + turned(cell) for cell in own)
        yield from (block + 49 + turned(cell) for cell in enemy)
        yield 49 * 98 + turned(own_character)
        yield 49 * 98 + 49 + turned(enemy_character)


def made_up_network(seed: int) -> list[int]:
    """Returns the words of a network with weights as large as they may be."""
    rng = np.random.default_rng(seed)
    most = (ZERO - 1 - 200) // MOST_INPUTS
    rows = rng.integers(-most, most + 1, (INPUTS, HIDDEN)) // rng.integers(1, 40, (INPUTS, 1))
    numbers = np.vstack([rows, rng.integers(-200, 201, HIDDEN) + ZERO])
    words = [packed(four.tolist()) for four in numbers.reshape(-1, 4)]
    return [*words, *map(int, rng.integers(-5000, 5000, PHASES * (2 * HIDDEN + 1) + TERMS))]


def walk(game: damier.Game, count: int, seed: int) -> list[damier.Position]:
    """Returns undecided positions of random games, most of them an action apart."""
    found: list[damier.Position] = []
    rng, position = random.Random(seed), game.start
    while len(found) < count:
        found.append(position)
        after = position.play(rng.choice(position.actions()))
        position = game.start if after.result or rng.random() < 0.01 else after
    return found


@pytest.fixture
def made_up(tmp_path: Path) -> Path:
    file = tmp_path / "made-up.bin"
    file.write_bytes(network_bytes(made_up_network(3)))
    return file


@pytest.mark.parametrize("variant", VARIANTS)
def test_plain_and_compiled_code_say_what_the_file_says(variant: str, made_up: Path) -> None:
    game = damier.load("sensei", variant=variant)
    shipped = game.definition.network(game.options)
    assert shipped
    for file in (made_up, shipped.file):
        naive, slow = NaiveNetwork(file.read_bytes()), plain(game)
        engine = Engine(game, memory=1, evaluation=str(file))
        engine.warm_up()
        fast = engine.method.loader.load()
        numbers, words = rules_for(game, str(file), False), rules_for(game, str(file), True)
        work, fast_work = [0] * scratch.FREE, np.zeros(scratch.FREE, np.int64)
        out, fast_out = [0] * 160, np.zeros(160, np.int64)
        values = set()
        for position in walk(game, 300, seed=8):
            n = slow.terms(game.rules, position.state, out)
            expected = naive.value(position, out[:n])
            assert slow.estimate(numbers, work, position.state, out) == expected, str(position)
            assert fast.estimate(words, fast_work, position.state, fast_out) == expected, str(position)
            values.add(expected)
        assert len(values) > 100


def test_what_came_before_does_not_matter(made_up: Path) -> None:
    game = damier.load("sensei")
    kernels, numbers = plain(game), rules_for(game, str(made_up), False)
    kept, out = [0] * scratch.FREE, [0] * 160
    positions = walk(game, 200, seed=9)
    random.Random(9).shuffle(positions)
    for position in positions:
        anew = kernels.estimate(numbers, [0] * scratch.FREE, position.state, out)
        assert kernels.estimate(numbers, kept, position.state, out) == anew


def test_both_players_see_the_same_from_their_own_side(made_up: Path) -> None:
    game = damier.load("sensei")
    kernels, numbers, out = plain(game), rules_for(game, str(made_up), False), [0] * 160
    (turn,) = [each for each in game.traits.symmetries if each.name == "half-turn"]
    for position in walk(game, 100, seed=10):
        turned = kernels.permute(game.rules, position.state, turn.cells, True)
        here, there = ([0] * scratch.FREE for _ in range(2))
        assert kernels.estimate(numbers, here, position.state, out) == kernels.estimate(numbers, there, turned, out)


def test_the_inputs_for_training_are_those_of_the_twin() -> None:
    game = damier.load("sensei", variant="arashi")
    kernels, out = bind(game.definition.rules, game.definition.evaluate), [0] * 160
    for position in walk(game, 100, seed=11):
        own, enemy, word = position.state
        cells = {}
        for player, each in ((word & 1, own), (1 - (word & 1), enemy)):
            cells[player] = [cell for cell in range(49) if each >> cell & 1], each >> 49
        for player in (0, 1):
            n = kernels.inputs(game.rules, position.state, player, out)
            assert sorted(out[:n]) == sorted(NaiveNetwork.inputs(cells, player))
        assert kernels.phase(game.rules, position.state) == LEFT[word >> 1 & 3, word >> 3]


def test_no_sum_of_a_shipped_network_leaves_its_16_bits() -> None:
    for variant in VARIANTS:
        game = damier.load("sensei", variant=variant)
        network = game.definition.network(game.options)
        assert network
        naive = NaiveNetwork(network.file.read_bytes())
        assert MOST_INPUTS * np.abs(naive.rows).max() + np.abs(naive.biases).max() < ZERO


def test_the_shipped_networks_are_small_and_their_logs_are_about_them() -> None:
    games = [damier.load("sensei", variant=variant) for variant in VARIANTS]
    files = {network.file for game in games if (network := game.definition.network(game.options))}
    assert len(files) == 2
    assert sum(file.stat().st_size + file.with_suffix(".json").stat().st_size for file in files) <= MOST_BYTES
    for file in files:
        log = json.loads(file.with_suffix(".json").read_text())
        assert log["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
        assert log["epochs"][-1]["held_out"] < log["epochs"][0]["held_out"]
