"""What evaluation says at a glance, against playing it out; and terms against symmetry and exchange of roles."""

import random
from types import SimpleNamespace

import pytest

import damier
from damier.core.kernel.bind import bind
from damier.engine.engine import Engine
from damier.engine.methods.alphabeta_thread import plain
from damier.engine.methods.buffers import SearchBuffers
from damier.search import scratch
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.random_positions import random_position

SHORT_TURNS = [option_set for option_set in OPTION_SETS if option_set[0] in ("renfa", "chefa", "badia")]


def kernels_of(game: damier.Game) -> SimpleNamespace:
    return bind(game.definition.rules, game.definition.evaluate)


def some_positions(option_set: OptionSet, count: int, seed: int) -> list[damier.Position]:
    """Returns undecided positions, random ones and ones of random games, half and half."""
    name, options = option_set
    game, rng = damier.load(name, **options), random.Random(seed)
    found: list[damier.Position] = []
    while len(found) < count:
        position = game.start
        if len(found) % 2:
            position = game.parse(random_position(name, options, rng))
        else:
            for _ in range(rng.randrange(40)):
                if position.result is None:
                    position = position.play(rng.choice(position.actions()))
        if position.result is None:
            found.append(position)
    return found


def wins_at_once(position: damier.Position) -> bool:
    for action in position.actions():
        result = position.play(action).result
        if result and result.winner == position.mover and result.reason != "no-action":
            return True
    return False


@pytest.mark.parametrize("option_set", SHORT_TURNS, ids=name_of)
def test_quick_wins_are_those_that_playing_finds(option_set: OptionSet) -> None:
    seen = set()
    for position in some_positions(option_set, 250, seed=1):
        expected = wins_at_once(position)
        assert kernels_of(position.game).quick_win(position.game.rules, position.state) == expected, str(position)
        seen.add(expected)
    assert False in seen


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_terms_are_the_same_in_every_mirror(option_set: OptionSet) -> None:
    for position in some_positions(option_set, 60, seed=2):
        game, kernels = position.game, kernels_of(position.game)
        out, mirrored = [0] * 64, [0] * 64
        n = kernels.terms(game.rules, position.state, out)
        assert n in (0, len(kernels.WEIGHTS))
        for symmetry in game.traits.symmetries:
            if symmetry.swaps_players:
                continue
            image = kernels.permute(game.rules, position.state, symmetry.cells, False)
            kernels.terms(game.rules, image, mirrored)
            assert mirrored[:n] == out[:n], (str(position), symmetry.name)


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_every_weight_has_a_name(option_set: OptionSet) -> None:
    kernels = kernels_of(damier.load(option_set[0], **option_set[1]))
    assert len(kernels.WEIGHTS) % len(kernels.TERMS) == 0


@pytest.mark.parametrize("name", ["renfa", "chefa", "badia", "sensei"])
def test_plain_and_compiled_estimates_agree(name: str) -> None:
    game = damier.load(name)
    engine = Engine(game, memory=1)
    engine.warm_up()
    compiled, slow = engine.method.loader.load(), plain(game)
    entries = memoryview(bytearray(64)).cast("q")
    fast, reference = (SearchBuffers(game, kernels, entries, scratch.FREE, None) for kernels in (compiled, slow))
    rules = fast.rules
    for position in some_positions((name, {}), 200, seed=3):
        estimates = [
            place.kernels.estimate(place.rules, place.work, position.state, place.out) for place in (fast, reference)
        ]
        assert estimates[0] == estimates[1]
        assert compiled.quick_win(rules, position.state) == slow.quick_win(game.rules, position.state)
        assert compiled.has_threat(rules, position.state) == slow.has_threat(game.rules, position.state)


def test_a_threat_in_chefa_and_badia_is_a_quick_win_with_the_sides_exchanged() -> None:
    for position in some_positions(("chefa", {}), 400, seed=4):
        own, enemy, word = position.state
        kernels = kernels_of(position.game)
        turned = kernels.quick_win(position.game.rules, (enemy, own, 1 - (word & 1)))
        assert kernels.has_threat(position.game.rules, position.state) == turned
    for position in some_positions(("badia", {}), 400, seed=5):
        own, enemy, word = position.state
        if word >> 11:
            continue
        kernels = kernels_of(position.game)
        turned_word = (word >> 6 & 31) << 1 | (word >> 1 & 31) << 6 | 1 - (word & 1)
        turned = kernels.quick_win(position.game.rules, (enemy, own, turned_word))
        assert kernels.has_threat(position.game.rules, position.state) == turned
