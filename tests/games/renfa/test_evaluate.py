"""What Renfa-Bomba's evaluation says at a glance, against playing it out; and its terms against exchange of roles."""

import random

import numpy as np
import pytest

import damier
from damier.core.kernel.bind import bind
from damier.core.kernel.bits import bit_count
from damier.core.kernel.contract import State
from damier.games.renfa import evaluate
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.random_positions import random_position

RENFA = [option_set for option_set in OPTION_SETS if option_set[0] == "renfa"]
WORD = (1 << 64) - 1

#: Terms that stay as they are when the players exchange roles, and pairs of terms that change places; the others change
#: their sign.
SAME = ("placing: on move", "equal: on move", "equal: both detonations", "unequal: on move")
PAIRS = [
    (f"{kind}: best detonation", f"{kind}: opponent's best detonation") for kind in ("placing", "equal", "unequal")
]


def some_positions(option_set: OptionSet, count: int, seed: int) -> list[damier.Position]:
    """Returns undecided positions, random ones and ones of random games, half and half."""
    name, options = option_set
    game, rng = damier.load(name, **options), random.Random(seed)
    found: list[damier.Position] = []
    while len(found) < count:
        position = game.parse(random_position(name, options, rng))
        if len(found) % 2:
            position = game.start
            for _ in range(rng.randrange(3 * int(game.options["bombs"]))):
                if position.result is None:
                    position = position.play(rng.choice(position.actions()))
        if position.result is None:
            found.append(position)
    return found


def wins_by_detonation(position: damier.Position) -> bool:
    for action in position.actions():
        if action.startswith("*"):
            result = position.play(action).result
            if result and result.winner == position.mover:
                return True
    return False


def with_roles_exchanged(state: State) -> State:
    return state[1], state[0], state[2] ^ 1


@pytest.mark.parametrize("option_set", RENFA, ids=name_of)
def test_quick_wins_are_the_detonations_that_win_at_once(option_set: OptionSet) -> None:
    for position in some_positions(option_set, 300, seed=1):
        kernels = bind(position.game.definition.rules, evaluate)
        expected = wins_by_detonation(position)
        assert kernels.quick_win(position.game.rules, position.state) == expected, str(position)


@pytest.mark.parametrize("option_set", RENFA, ids=name_of)
def test_a_threat_is_a_detonation_that_would_win_if_it_were_the_opponents_turn(option_set: OptionSet) -> None:
    for position in some_positions(option_set, 300, seed=2):
        kernels = bind(position.game.definition.rules, evaluate)
        board, side, hand = str(position).split()
        expected = False
        if hand == "0,0":
            expected = wins_by_detonation(position.game.parse(f"{board} {'w' if side == 'b' else 'b'} {hand}"))
        assert kernels.has_threat(position.game.rules, position.state) == expected, str(position)


def test_both_answers_occur_among_the_positions_compared() -> None:
    answers = {wins_by_detonation(position) for position in some_positions(RENFA[0], 300, seed=1)}
    assert answers == {False, True}


@pytest.mark.parametrize("option_set", RENFA, ids=name_of)
def test_exchanging_roles_turns_the_terms_round(option_set: OptionSet) -> None:
    for position in some_positions(option_set, 100, seed=3):
        rules = position.game.rules
        kernels = bind(position.game.definition.rules, evaluate)
        out, turned = [0] * 64, [0] * 64
        n = kernels.terms(rules, position.state, out)
        assert n == kernels.terms(rules, with_roles_exchanged(position.state), turned)
        assert n == len(evaluate.WEIGHTS) == len(evaluate.TERMS)
        one = dict(zip(evaluate.TERMS, out, strict=False))
        other = dict(zip(evaluate.TERMS, turned, strict=False))
        for first, second in PAIRS:
            assert (one.pop(first), one.pop(second)) == (other.pop(second), other.pop(first)), str(position)
        for name, value in one.items():
            assert other[name] == (value if name in SAME else -value), (str(position), name)


@pytest.mark.parametrize("option_set", RENFA, ids=name_of)
def test_terms_are_the_same_in_every_mirror(option_set: OptionSet) -> None:
    for position in some_positions(option_set, 60, seed=4):
        rules = position.game.rules
        kernels = bind(position.game.definition.rules, evaluate)
        out = [0] * 64
        n = kernels.terms(rules, position.state, out)
        for symmetry in position.game.traits.symmetries:
            mirrored = [0] * 64
            kernels.terms(rules, kernels.permute(rules, position.state, symmetry.cells, False), mirrored)
            assert mirrored[:n] == out[:n], (str(position), symmetry.name)


def test_a_position_in_which_nobody_can_win_is_worth_nothing() -> None:
    game = damier.load("renfa")
    kernels = bind(game.definition.rules, evaluate)
    for text in ("BB3/5/W4/5/4W b 0,0", "BW3/5/5/5/3BW w 0,0"):
        out = [1] * 64
        n = kernels.terms(game.rules, game.parse(text).state, out)
        assert not any(out[:n])


@pytest.mark.parametrize("option_set", [RENFA[0], RENFA[-2], RENFA[-1]], ids=name_of)
def test_plain_and_compiled_evaluation_agree(option_set: OptionSet) -> None:
    game = damier.load(option_set[0], **option_set[1])
    plain = bind(game.definition.rules, evaluate)
    compiled = bind(game.definition.rules, evaluate, compiled=True)
    rules, words = np.array(game.rules), np.zeros(64, np.int64)
    for position in some_positions(option_set, 150, seed=5):
        out = [0] * 64
        n = plain.terms(game.rules, position.state, out)
        assert compiled.terms(rules, position.state, words) == n
        assert list(words[:n]) == out[:n], str(position)
        assert compiled.quick_win(rules, position.state) == plain.quick_win(game.rules, position.state)
        assert compiled.has_threat(rules, position.state) == plain.has_threat(game.rules, position.state)


def test_the_last_cell_of_the_largest_board_is_seen() -> None:
    game = damier.load("renfa", size=8, bombs=3)
    position = game.parse("6WB/7W/8/8/8/8/B7/7B b 0,0")
    kernels = bind(game.definition.rules, evaluate)
    assert bit_count(position.state[0] & WORD) == 3
    assert kernels.quick_win(game.rules, position.state) == wins_by_detonation(position) == 1
