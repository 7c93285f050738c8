"""Omba's terms against the rules played out, and the two searches of games with a die against plain recursion."""

import random
from typing import Any

import pytest

import damier
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import CHANCE
from damier.engine.limit import Limit
from damier.engine.methods.expectimax import Expectimax, ExpectimaxThread
from damier.engine.methods.expectimax import plain as plain_expectimax
from damier.engine.methods.mcts import TreeSearch
from damier.engine.methods.mcts import plain as plain_mcts
from damier.engine.methods.transposition import TranspositionTable
from damier.games.omba import evaluate
from damier.search import mcts
from damier.search import scratch as words
from damier.search.expectimax import CERTAIN
from tests.amounts import quick_and_slow
from tests.games.random_positions import random_position


def some_positions(players: int, count: int, seed: int, is_rolled: bool | None = None) -> list[damier.Position]:
    """Returns undecided positions, before and after a roll, or only one of them."""
    game, rng = damier.load("omba", players=players), random.Random(seed)
    found: list[damier.Position] = []
    while len(found) < count:
        position = game.parse(random_position("omba", {"players": players}, rng))
        if position.result is None and rng.random() < 0.5:
            position = position.play(rng.choice(position.actions()))
        if position.result is None and is_rolled in (None, position.mover != "chance"):
            found.append(position)
    return found


def exchanged(position: damier.Position) -> damier.Position:
    """Returns a position with the two players exchanged."""
    board, side, hands, die, out = str(position).split()
    swap = str.maketrans("12", "21")
    text = f"{board.translate(swap)} {side.translate(swap)} {','.join(hands.split(',')[::-1])} {die} {out}"
    return position.game.parse(text)


def terms_of(position: damier.Position) -> list[int]:
    kernels = bind(position.game.definition.rules, evaluate)
    out = [0] * 64
    return out[: kernels.terms(position.game.rules, position.state, out)]


def usable_numbers(position: damier.Position, player: str) -> int:
    """Returns for how many rolls a player would have an action, if it were their roll."""
    board, _, hands, _, out = str(position).split()
    before = position.game.parse(f"{board} {player} {hands} - {out}")
    return sum(before.play(roll).mover == player for roll in before.actions())


def test_numbers_that_can_be_used_are_those_that_rolling_finds() -> None:
    for position in some_positions(2, 200, seed=1, is_rolled=False):
        expected = usable_numbers(position, "1") - usable_numbers(position, "2")
        assert terms_of(position)[evaluate.NUMBERS] == expected, str(position)


def test_terms_are_the_first_players_before_a_roll_and_the_movers_after_it() -> None:
    for position in some_positions(2, 300, seed=2):
        here, there = terms_of(position), terms_of(exchanged(position))
        assert len(here) == len(evaluate.WEIGHTS) == len(evaluate.TERMS)
        sign = -1 if position.mover == "chance" else 1
        assert there == [sign * term for term in here], str(position)


def test_terms_are_the_same_in_every_mirror() -> None:
    for position in some_positions(2, 100, seed=3):
        kernels, rules = bind(position.game.definition.rules, evaluate), position.game.rules
        for symmetry in position.game.traits.symmetries:
            out = [0] * 64
            n = kernels.terms(rules, kernels.permute(rules, position.state, symmetry.cells, False), out)
            assert out[:n] == terms_of(position), (str(position), symmetry.name)


@pytest.mark.parametrize("players", [3, 4])
def test_more_than_two_players_have_no_terms(players: int) -> None:
    assert all(terms_of(position) == [] for position in some_positions(players, 20, seed=4))


def test_plain_and_compiled_terms_agree() -> None:
    import numpy as np

    game = damier.load("omba")
    compiled = bind(game.definition.rules, evaluate, compiled=True)
    rules, words = np.array(game.rules), np.zeros(64, np.int64)
    for position in some_positions(2, 200, seed=5):
        n = compiled.terms(rules, position.state, words)
        assert list(words[:n]) == terms_of(position)


# Expectimax


def expectation(position: damier.Position, depth: int) -> int:
    """Returns the first player's winning chance in parts of CERTAIN, without a table and without cuts."""
    if position.result is not None:
        return CERTAIN if position.result.winner == "1" else 0
    if depth == 0:
        kernels = plain_expectimax(position.game)
        work = [0] * words.TERM_WEIGHTS + list(evaluate.WEIGHTS)
        return int(kernels.first_chance(position.game.rules, work, position.state, [0] * 64))
    values = [expectation(position.play(action), depth - 1) for action in position.actions()]
    if position.mover == "chance":
        return sum(values) // len(values)
    return max(values) if position.mover == "1" else min(values)


@pytest.mark.parametrize(("depth", "count"), [(1, 120), (2, 80), (3, 12), (4, 4)])
def test_expectimax_gives_the_plain_expectation(depth: int, count: int) -> None:
    game = damier.load("omba")
    search = ExpectimaxThread(
        game, plain_expectimax(game), game.record(), [], TranspositionTable(1).entries_for(Limit(nodes=1)), None
    )
    few = [each for each in some_positions(2, 6 * count, seed=6) if len(each.actions()) <= 6][:count]
    for position in few:
        assert search.expect(position.state, depth, -1, CERTAIN + 1) == expectation(position, depth), str(position)


def test_expectimax_with_a_window_gives_the_value_or_a_bound() -> None:
    game, rng = damier.load("omba"), random.Random(7)
    for position in some_positions(2, 60, seed=7):
        search = ExpectimaxThread(
            game, plain_expectimax(game), game.record(), [], TranspositionTable(1).entries_for(Limit(nodes=1)), None
        )
        exact = expectation(position, 2)
        low, high = sorted(rng.sample(range(CERTAIN), 2))
        value = search.expect(position.state, 2, low, high)
        if exact <= low:
            assert exact <= value <= low
        elif exact >= high:
            assert high <= value <= exact
        else:
            assert value == exact


def test_expectimax_in_plain_python_and_compiled_code_agree() -> None:
    method = Expectimax(damier.load("omba"), memory=1)
    compiled = method.loader.load()
    for position in some_positions(2, 40, seed=8):
        values = []
        for kernels in (method.loader.plain, compiled):
            search = ExpectimaxThread(
                method.game, kernels, method.game.record(), [], TranspositionTable(1).entries_for(Limit(nodes=1)), None
            )
            values.append(search.expect(position.state, 3, -1, CERTAIN + 1))
        assert values[0] == values[1]


# Tree search


def grown(
    position: damier.Position, simulations: int, *, stream: int = 1, overlooked: int = 0, is_compiled: bool = False
) -> list[int]:
    """Returns the words of a tree after `simulations` simulations."""
    method = TreeSearch(position.game, memory=1)
    method.stream, method.overlooked = stream, overlooked
    kernels = method.loader.load() if is_compiled else plain_mcts(position.game)
    tree, work, call = method._plant(kernels, damier.Record(position), Limit())
    call(simulations)
    return [int(word) for word in tree[: int(work[mcts.USED])]]


def children(tree: list[int], node: int) -> list[int]:
    return [tree[node + mcts.FIRST] + i * mcts.NODE for i in range(max(tree[node + mcts.COUNT], 0))]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_visits_and_results_add_up_in_every_node(players: int) -> None:
    for position in some_positions(players, 6, seed=9):
        tree = grown(position, 150)
        assert tree[mcts.VISITS] == 150
        for node in range(0, len(tree), mcts.NODE):
            below = sum(tree[child + mcts.VISITS] for child in children(tree, node))
            if children(tree, node):
                assert tree[node + mcts.VISITS] == below + (1 if node else 0)
            results = tree[node + mcts.SUMS : node + mcts.SUMS + players]
            assert sum(results) == tree[node + mcts.VISITS] * mcts.WHOLE


def test_a_win_in_one_is_seen() -> None:
    game = damier.load("renfa")
    for text in ("BW3/1W3/5/3B1/4B b 0,0", "B4/WW3/5/3B1/4B b 0,0"):
        position = game.parse(text)
        winning = {
            game.parse_action(action)
            for action in position.actions()
            if (after := position.play(action).result) and after.winner == "b"
        }
        tree = grown(position, 600)
        best = max(children(tree, 0), key=lambda child: tree[child + mcts.VISITS])
        assert tree[best + mcts.ACTION] in winning


def test_the_same_seed_gives_the_same_tree() -> None:
    position = damier.load("omba", players=3).start
    assert grown(position, 200) == grown(position, 200)
    assert grown(position, 200) != grown(position, 200, stream=2)


@pytest.mark.parametrize(("name", "options"), [("omba", {"players": 2}), ("omba", {"players": 4}), ("badia", {})])
def test_plain_and_compiled_trees_are_the_same(name: str, options: dict[str, Any]) -> None:
    position = damier.load(name, **options).start
    for overlooked in (0, 400):
        plain = grown(position, 120, overlooked=overlooked)
        assert plain == grown(position, 120, overlooked=overlooked, is_compiled=True)


def seen_actions(tree: list[int]) -> list[int]:
    """Returns how many actions were seen at each node below the root at which a player has been on move."""
    nodes = range(mcts.NODE, len(tree), mcts.NODE)
    return [tree[at + mcts.COUNT] for at in nodes if tree[at + mcts.COUNT] > 0 and tree[at + mcts.MOVER] != CHANCE]


@pytest.mark.parametrize("count", quick_and_slow(2, 8))
def test_a_weak_player_overlooks_the_same_actions_each_time_but_none_at_the_root_and_never_all(count: int) -> None:
    full: list[int] = []
    weak: list[int] = []
    for position in some_positions(3, count, seed=10, is_rolled=True):
        tree = grown(position, 400, overlooked=700)
        assert tree == grown(position, 400, overlooked=700)
        assert len(children(tree, 0)) == len(position.actions())
        full += seen_actions(grown(position, 400))
        weak += seen_actions(tree)
        assert set(seen_actions(grown(position, 200, overlooked=1024))) <= {1}
    assert sum(weak) / len(weak) < sum(full) / len(full)
