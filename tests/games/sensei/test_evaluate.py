"""What Sensei's evaluation says at a glance, against playing it out."""

import random

import pytest

import damier
from damier.core.kernel.bind import bind
from tests.games.random_positions import random_position

VARIANTS = ["shizukana", "shizukana-variant", "arashi", "arashi-expert"]


def some_positions(variant: str, count: int, seed: int) -> list[damier.Position]:
    """Returns undecided positions, random ones and ones of random games, in the middle of a turn too."""
    game, rng = damier.load("sensei", variant=variant), random.Random(seed)
    found: list[damier.Position] = []
    while len(found) < count:
        position = game.parse(random_position("sensei", {"variant": variant}, rng))
        for _ in range(rng.randrange(3)):
            if position.result is None:
                position = position.play(rng.choice(position.actions()))
        if position.result is None:
            found.append(position)
    return found


def plies_home(position: damier.Position, most: int) -> int:
    """Returns in how many actions of this turn the mover's character gets home, or 0."""
    frontier = [position]
    for plies in range(1, most + 1):
        following = []
        for each in frontier:
            for action in each.actions():
                after = each.play(action)
                if after.result and after.result.winner == position.mover and after.result.reason == "home":
                    return plies
                if after.result is None and after.mover == position.mover and not after.is_settled:
                    following.append(after)
        frontier = list(set(following))
    return 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_quick_wins_are_those_that_playing_the_turn_finds(variant: str) -> None:
    kernels = bind(damier.load("sensei").definition.rules, damier.load("sensei").definition.evaluate)
    wins = 0
    for position in some_positions(variant, 60 if variant.startswith("shi") else 25, seed=4):
        expected = plies_home(position, 3)
        assert kernels.quick_win(position.game.rules, position.state) == expected, str(position)
        wins += expected > 0
    assert wins


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_threat_is_a_quick_win_of_the_other_side(variant: str) -> None:
    game = damier.load("sensei", variant=variant)
    kernels = bind(game.definition.rules, game.definition.evaluate)
    for position in some_positions(variant, 300, seed=5):
        own, enemy, word = position.state
        turned = (enemy, own, 2 << 1 | 1 << 3 | 1 - (word & 1))
        assert kernels.has_threat(game.rules, position.state) == (kernels.quick_win(game.rules, turned) > 0)


@pytest.mark.parametrize("variant", VARIANTS)
def test_terms_are_the_same_in_the_mirror_and_turn_round_with_the_players(variant: str) -> None:
    game = damier.load("sensei", variant=variant)
    kernels = bind(game.definition.rules, game.definition.evaluate)
    for position in some_positions(variant, 100, seed=6):
        out, mirrored = [0] * 64, [0] * 64
        n = kernels.terms(game.rules, position.state, out)
        assert n == len(kernels.WEIGHTS)
        for symmetry in game.traits.symmetries:
            image = kernels.permute(game.rules, position.state, symmetry.cells, symmetry.swaps_players)
            kernels.terms(game.rules, image, mirrored)
            assert mirrored == out, (str(position), symmetry.name)
