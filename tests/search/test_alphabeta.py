"""Alpha-beta against plain minimax without a table, without cuts, without anything."""

import random
from types import SimpleNamespace

import pytest

import damier
from damier import Game
from damier.core.kernel.contract import DRAW, PLAYING, REPETITION_DRAWS, REPETITION_FORBIDDEN, State
from damier.engine.limit import Limit
from damier.engine.methods.alphabeta import AlphaBeta
from damier.engine.methods.alphabeta_thread import AlphaBetaThread, plain
from damier.engine.methods.evaluation import rules_for
from damier.engine.methods.transposition import TranspositionTable
from damier.search import alphabeta, scratch
from tests.amounts import quick_and_slow
from tests.games.badia import naive as badia
from tests.games.chefa import naive as chefa
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.random_positions import random_position
from tests.games.renfa import naive as renfa
from tests.games.sensei import naive as sensei
from tests.search import naive_minimax as minimax

WIN = alphabeta.WIN
TWINS = {"renfa": renfa, "chefa": chefa, "badia": badia, "sensei": sensei}
TWO_PLAYERS = [option_set for option_set in OPTION_SETS if option_set[0] != "omba"]


class Naive:
    """Minimax over a game's kernels, with the path that repetition looks at."""

    def __init__(self, game: Game) -> None:
        self.game, self.kernels = game, plain(game)
        self.rules, self.sums, self.out = rules_for(game, None, False), [0] * scratch.MOST_SUMS, [0] * 64

    def value(self, path: list[State], depth: int) -> int:
        k, rules, state = self.kernels, self.game.rules, path[-1]
        ply = len(path) - 1
        player, result = k.mover(rules, state), k.outcome(rules, state)
        if result != PLAYING:
            return 0 if result == DRAW else (WIN - ply) * (1 if result == player else -1)
        key = self.key(state)
        if k.REPETITION == REPETITION_DRAWS and key is not None and key in map(self.key, path[:-1]):
            return 0
        codes = self.legal(path)
        if not codes:
            return ply - WIN
        if depth == 0:
            return max(-alphabeta.PROVED, min(alphabeta.PROVED, self.estimate(state)))
        best = -2 * WIN
        for code in codes:
            child = k.apply(rules, state, code)
            value = self.value([*path, child], depth - 1)
            best = max(best, value if k.mover(rules, child) == player else -value)
        return best

    def estimate(self, state: State) -> int:
        k, out = self.kernels, self.out
        if len(self.rules) > len(self.game.rules):  # a network, which has a twin of its own
            return int(k.judged(self.rules, self.sums, 0, state, out))
        terms = out[: k.terms(self.rules, state, out)]
        return sum(weight * term for weight, term in zip(k.WEIGHTS, terms, strict=False))

    def key(self, state: State) -> State | None:
        k, rules = self.kernels, self.game.rules
        return k.situation(rules, state) if k.settled(rules, state) else None

    def legal(self, path: list[State]) -> list[int]:
        k, rules, state = self.kernels, self.game.rules, path[-1]
        out = [0] * k.MAX_ACTIONS
        codes = out[: k.actions(rules, state, out)]
        if k.REPETITION != REPETITION_FORBIDDEN:
            return codes
        seen = {self.key(each) for each in path} - {None}
        allowed = [code for code in codes if self.key(k.apply(rules, state, code)) not in seen]
        return codes if not allowed and k.must_answer(rules, state) else allowed


def positions(option_set: OptionSet, count: int, most_actions: int, seed: int) -> list[damier.Position]:
    """Returns undecided positions with not too many actions: random ones and ones of random games, half and half."""
    name, options = option_set
    game, rng = damier.load(name, **options), random.Random(seed)
    found: list[damier.Position] = []
    while len(found) < count:
        if len(found) % 2:
            position = game.parse(random_position(name, options, rng))
        else:
            record = game.record()
            for _ in range(rng.randrange(60)):
                if record.result is None:
                    record.play(rng.choice(record.actions()))
            position = record.position
        if position.result is None and len(position.actions()) <= most_actions:
            found.append(position)
    return found


def exact_thread(game: Game, kernels: SimpleNamespace, position: damier.Position) -> AlphaBetaThread:
    record = game.record(position)
    thread = AlphaBetaThread(
        game, kernels, record, record.codes(), TranspositionTable(1).entries_for(Limit(nodes=5_000)), None
    )
    thread.work[alphabeta.IS_EXACT] = 1
    return thread


@pytest.mark.parametrize(
    ("count", "seed"), [(3, 1), *(pytest.param(30, seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
@pytest.mark.parametrize("option_set", TWO_PLAYERS, ids=name_of)
def test_values_and_distances_are_those_of_minimax(option_set: OptionSet, count: int, seed: int) -> None:
    """Depth by depth with one table, so that what it remembers is tested too."""
    game = damier.load(option_set[0], **option_set[1])
    kernels, naive = AlphaBeta(game).loader.load(), Naive(game)
    for position in positions(option_set, count, 16, seed=seed):
        thread = exact_thread(game, kernels, position)
        for depth in range(1, 4 if len(position.actions()) <= 7 else 3):
            thread.search(depth, 0, 0)
            assert thread.value == naive.value([position.state], depth), (str(position), depth)


@pytest.mark.parametrize("count", quick_and_slow(2, 8))
@pytest.mark.parametrize("name", TWINS)
def test_deeper_searches_agree_with_minimax_too(name: str, count: int) -> None:
    """Four plies are enough for repetitions and returns on the path."""
    game = damier.load(name)
    kernels, naive = AlphaBeta(game).loader.load(), Naive(game)
    for position in positions((name, {}), count, 8, seed=2):
        thread = exact_thread(game, kernels, position)
        for depth in range(1, 5):
            thread.search(depth, 0, 0)
        assert thread.value == naive.value([position.state], 4), str(position)


@pytest.mark.parametrize("count", quick_and_slow(5, 60))
@pytest.mark.parametrize("name", TWINS)
def test_forced_wins_are_those_of_the_naive_twin(name: str, count: int) -> None:
    """The real search, with reductions and extensions: what it claims is true, and it misses nothing so near."""
    game = damier.load(name)
    method = AlphaBeta(game)
    kernels = method.loader.load()
    for position in positions((name, {}), count, 12, seed=3):
        winner, distance = minimax.forced(TWINS[name], {}, [str(position)], 2)
        *_, last = method.run(kernels, game.record(position), Limit(depth=6), 1)
        value = last.best.value
        if winner is not None:
            assert (value.winner, value.distance) == (winner, distance), str(position)
        elif value.distance is not None:
            assert value.distance > 2, str(position)
