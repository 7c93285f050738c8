"""Batches: games stepped together against records played one by one, threads, plain and compiled code, refusals."""

import copy
import pickle
import random
from array import array
from collections import Counter
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.game import Game
from damier.core.kernel.bind import bind
from damier.core.kernel.bits import advance, below, mix
from damier.search import history, stepping
from damier.search.game_batch import Batch
from tests.amounts import quick_and_slow
from tests.games.minimal import GAME as MINIMAL
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.test_rules_common import CYCLES

every_option_set = pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
every_game = pytest.mark.parametrize("name", damier.games())

CUT = 25  # actions of a game in a quick comparison with records: some end, others are cut off


class OneGame:
    """The naive twin of a game of a batch: a record, and dice from the same stream."""

    def __init__(self, game: damier.Game, seed: int, index: int, max_actions: int) -> None:
        self.game, self.max_actions = game, max_actions
        self._stream = mix(mix(seed) ^ index)
        self.record = game.record()
        self._roll()

    def step(self, text: str) -> tuple[bool, int, int]:
        """Plays an action; returns whether a game has ended, its result and its length."""
        self.record.play(text)
        self._roll()
        result, length = self.record.result, self.record.count
        if result is None and length < self.max_actions:
            return False, -2, 0
        self.record = self.game.record()
        self._roll()
        if result is None:
            return True, -2, length
        return True, -1 if result.winner is None else self.game.players.index(result.winner), length

    def _roll(self) -> None:
        while not self.record.result and self.record.mover == "chance" and self.record.count < self.max_actions:
            codes = self.record.codes()
            self._stream = advance(self._stream)
            self.record.play(self.game.action_text(codes[below(self._stream, len(codes))]))


@pytest.mark.parametrize("steps", quick_and_slow(40, 1500))
@every_option_set
def test_a_batch_plays_what_records_play(option_set: OptionSet, steps: int) -> None:
    game, n, seed = damier.load(option_set[0], **option_set[1]), 3, 12
    longest = CUT if steps < 100 else 20 * CUT
    batch, rng = game.batch(n, seed=seed, max_actions=longest), random.Random(name_of(option_set))
    twins = [OneGame(game, seed, index, longest) for index in range(n)]
    repeats = 0.0
    for _ in range(steps):
        planes, mask = batch.observe(), batch.mask()
        chosen = []
        for i, twin in enumerate(twins):
            assert str(batch.position(i)) == str(twin.record.position)
            assert (mask[i] == game.spaces.mask(twin.record)).all()
            assert (planes[i] == game.spaces.observe(twin.record)).all()
            assert game.players[batch.movers[i]] == twin.record.mover
            legal = np.flatnonzero(mask[i])
            chosen.append(rng.choice(legal if rng.random() < repeats else legal[:2]))
        repeats = rng.random()
        batch.step(np.array(chosen))
        for i, twin in enumerate(twins):
            done, result, length = twin.step(game.spaces.action_text(chosen[i]))
            assert (batch.done[i], batch.results[i], batch.lengths[i]) == (done, result, length)
            assert batch.rewards[i].tolist() == pytest.approx(rewards(result, len(game.players)))


def rewards(result: int, players: int) -> list[float]:
    """Returns what each player gets for a result."""
    if result < 0:
        return [0.0] * players
    return [1.0 if player == result else -1 / (players - 1) for player in range(players)]


@every_game
def test_games_do_not_depend_on_the_number_of_threads_or_of_games(name: str) -> None:
    game = damier.load(name)
    batches = [game.batch(n, seed=4, max_actions=60, threads=threads) for n, threads in ((1300, 1), (1300, 3), (50, 2))]
    ended = 0
    for _ in range(80):
        for batch in batches:
            batch.step(batch.sample())
        first = batches[0]
        ended += int(first.done.sum())
        for other in batches[1:]:
            assert (other.lengths == first.lengths[: other.n]).all()
            assert (other.results == first.results[: other.n]).all()
            assert (other.rewards == first.rewards[: other.n]).all()
            assert (other.movers == first.movers[: other.n]).all()
            assert (other.mask() == first.mask()[: other.n]).all()
    assert (batches[0].observe() == batches[1].observe()).all()
    assert ended >= 1300


@pytest.mark.parametrize("steps", quick_and_slow(60, 1200))
@every_game
def test_plain_and_compiled_steps_agree(name: str, steps: int) -> None:
    game, n, longest = damier.load(name), 2, 400
    batch, plain = game.batch(n, seed=8, max_actions=longest), PlainBatch(game, n, 8, longest)
    for _ in range(steps):
        chosen = batch.sample()
        batch.step(chosen)
        plain.step(chosen.tolist())
        assert plain.mask == batch.mask().astype(int).tolist()
        assert (plain.done, plain.results) == (batch.done.astype(int).tolist(), batch.results.tolist())
        assert (plain.lengths, plain.movers) == (batch.lengths.tolist(), batch.movers.tolist())
        assert plain.observe() == batch.observe().reshape(n, -1).tolist()


class PlainBatch:
    """A batch on lists, stepped by the kernels in plain Python."""

    def __init__(self, game: damier.Game, n: int, seed: int, max_actions: int) -> None:
        module = game.definition.spaces
        assert module
        self._game = game
        self._kernels = bind(game.definition.rules, history, stepping, module)
        self._setting = [*game.start.state, max_actions]
        self._games = [[0] * stepping.FIELDS for _ in range(n)]
        for i, words in enumerate(self._games):
            words[stepping.DICE] = mix(mix(seed) ^ i)
        room = bytes(8 * history.slots_for(max_actions + 1))
        self._tables = [memoryview(array("q", room)) for _ in range(n)]  # parts of a list would be copies
        self._legal = [[0] * self._kernels.MAX_ACTIONS for _ in range(n)]
        self.mask = [[0] * game.spaces.action_count for _ in range(n)]
        self.done, self.results, self.lengths, self.movers = ([0] * n for _ in range(4))
        self.step([stepping.BEGIN] * n)

    def step(self, chosen: list[int]) -> None:
        spaces = self._game.spaces
        self._kernels.step_games(
            self._game.rules,
            self._setting,
            chosen,
            spaces.codes.tolist(),
            spaces.numbers.tolist(),
            self._games,
            self._tables,
            self._legal,
            self.mask,
            [0] * self._kernels.MAX_ACTIONS,
            self.done,
            self.results,
            self.lengths,
            self.movers,
        )

    def observe(self) -> list[list[int]]:
        spaces = self._game.spaces
        out = [[0] * (len(spaces.planes) * len(spaces.cells)) for _ in self._games]
        words = [0] * len(spaces.planes)
        self._kernels.observe_games(
            self._game.rules, spaces.kinds.tolist(), spaces.cells.tolist(), self._games, words, out
        )
        return out


@pytest.mark.parametrize("name", CYCLES)
def test_the_third_occurrence_of_a_situation_is_a_draw(name: str) -> None:
    game = damier.load(name)
    text, cycle = CYCLES[name]
    batch = game.batch(2, position=text)
    actions = [game.spaces.action_number(action) for action in cycle.split()]
    for place, action in enumerate([*actions, *actions], 1):
        assert not batch.done.any()
        batch.step([action, action])
        if place == len(actions):
            assert (batch.observe()[:, -1] == 1).all()
    assert batch.done.all()
    assert batch.results.tolist() == [-1, -1]
    assert batch.lengths.tolist() == [2 * len(actions)] * 2
    assert not batch.rewards.any()
    assert str(batch.position(0)) == text
    assert not batch.observe()[:, -1].any()


def test_a_growing_history_counts_like_a_dictionary() -> None:
    rng, size = random.Random(1), stepping.FIRST_SIZE
    room: Any = memoryview(array("q", bytes(8 * history.slots_for(3000))))
    for stamp in range(1, 4):
        size, counts = stepping.FIRST_SIZE, Counter[tuple[int, int, int]]()
        for _ in range(3000):
            key = (rng.randrange(1 << 40), rng.randrange(40), rng.randrange(2))
            key = rng.choice(list(counts)) if counts and rng.random() < 0.05 else key
            if room[size] == stamp << history.NUMBER | size // 2 - 1:
                size *= 2
                stepping.grow(room[: history.PLACES * size], stamp)
            counts[key] += 1
            assert history.note(room[: history.PLACES * size], stamp, key) == counts[key]
        for key, times in counts.items():
            assert history.times_seen(room[: history.PLACES * size], stamp, key) == times


def test_what_is_sampled_does_not_change_the_dice() -> None:
    game = damier.load("omba")
    batch, other = game.batch(20, seed=3), game.batch(20, seed=3)
    for _ in range(30):
        other.sample()
        chosen = batch.sample()
        batch.step(chosen)
        other.step(chosen)
        assert (batch.observe() == other.observe()).all()
    assert (game.batch(20, seed=4).observe() != game.batch(20, seed=3).observe()).any()


def state_of(batch: Batch) -> list[Any]:
    """Returns everything that a batch shows."""
    shown = [batch.observe(), batch.mask(), batch.done, batch.results, batch.lengths, batch.movers, batch.rewards]
    return [array.tolist() for array in shown]


def test_an_illegal_action_is_refused_and_nothing_has_changed() -> None:
    game = damier.load("chefa")
    batch = game.batch(3)
    batch.step([0, 1, 2])
    before = state_of(batch)
    for action in (1, -1, game.spaces.action_count, 2**40):
        with pytest.raises(
            damier.IllegalAction, match=rf"^The action {action} of game 1 is not legal: its mask has those that are\.$"
        ):
            batch.step([5, action, 5])
        assert state_of(batch) == before


@pytest.mark.parametrize(
    ("actions", "problem"),
    [
        ([0, 1], r"^actions takes an array of 3 whole numbers, not one of shape \(2,\) and type int64\.$"),
        ([0.0, 1.0, 2.0], r"^actions takes an array of 3 whole numbers, not one of shape \(3,\) and type float64\.$"),
        ([[0, 1, 2]], r"^actions takes an array of 3 whole numbers, not one of shape \(1, 3\) and type int64\.$"),
        ([[0], [1, 2], 3], r"^actions takes an array of 3 whole numbers, not one of shape \(\) and type object\.$"),
        ([True, False, True], r"^actions takes an array of 3 whole numbers, not one of shape \(3,\) and type bool\.$"),
    ],
)
def test_what_is_no_array_of_actions_is_refused(actions: list[Any], problem: str) -> None:
    batch = damier.load("chefa").batch(3)
    before = state_of(batch)
    with pytest.raises(damier.BadArgument, match=problem):
        batch.step(actions)
    assert state_of(batch) == before


def test_arrays_are_filled_in_place() -> None:
    batch = damier.load("sensei").batch(4)
    planes, mask, done = batch.observe(), batch.mask(), batch.done
    own_planes, own_mask = np.empty_like(planes), np.empty_like(mask)
    batch.step(batch.sample())
    assert batch.observe() is planes
    assert batch.mask().base is mask.base
    assert batch.done is done
    assert batch.observe(own_planes) is own_planes
    assert batch.mask(own_mask) is own_mask
    assert (own_planes == planes).all()
    assert (own_mask == mask).all()
    with pytest.raises(ValueError, match="read-only"):
        mask[0, 0] = True


def test_an_array_that_does_not_fit_is_refused() -> None:
    batch = damier.load("chefa").batch(4)
    sentence = r"^out takes a contiguous array of shape \(4, 6, 5, 5\) and type uint8 that can be written\.$"
    unfit: list[Any] = [np.zeros((4, 6, 5), np.uint8), np.zeros((4, 6, 5, 5)), np.zeros((8, 6, 5, 5), np.uint8)[::2]]
    for out in unfit:
        with pytest.raises(damier.BadArgument, match=sentence):
            batch.observe(out)
    mask: Any = np.zeros((4, 280), np.uint8)
    with pytest.raises(damier.BadArgument, match=r"shape \(4, 280\) and type bool that can be written\.$"):
        batch.mask(mask)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"n": 0}, "n takes a whole number from 1 to 1000000, not '0'."),
        ({"n": 1, "seed": 0.5}, "seed takes a whole number"),
        ({"n": 1, "max_actions": 3}, "max_actions takes a whole number from 10 to 1000000, not '3'."),
        ({"n": 1, "threads": 0}, "threads takes a whole number from 1 to 1024, not '0'."),
        ({"n": 1, "position": "5"}, "A position has 4 fields"),
        (
            {"n": 1, "position": "5/5/BB1W1/BB1W1/1W2W w 0,0 -"},
            "A batch begins where a player can act, not at '5/5/BB1W1/BB1W1/1W2W w 0,0 -'.",
        ),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(damier.DamierError, match=problem):
        damier.load("chefa").batch(**arguments)


def test_more_games_than_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "slots_for", lambda _situations: 1 << 50)
    with pytest.raises(damier.BadArgument, match=r"^There is not enough memory for 9 games of up to 50 actions: take"):
        damier.load("chefa").batch(9, max_actions=50)


def test_actions_may_be_any_array_of_whole_numbers() -> None:
    game = damier.load("chefa")
    frozen = np.array([3, 3])
    frozen.flags.writeable = False
    for actions in (frozen, np.array([3, 3], np.uint8), np.array([3, 9, 3, 9])[::2], [3, 3]):
        batch = game.batch(2)
        batch.step(actions)
        assert str(batch.position(1)) == str(game.start.play("d1"))
    assert len(batch._kernels.step_games.signatures) == 1


def test_a_position_before_a_roll_that_lets_nobody_act_is_refused() -> None:
    game = damier.load("omba")
    text = "-,-,-/112,112,122/1,-,- 1 0,2 - -"
    batch = game.batch(30, position=text)
    assert {str(batch.position(i)).split()[0] for i in range(30)} == {text.split()[0]}
    over = "-,-,-/-,-,-/-,-,- 1 6,6 - 2"
    with pytest.raises(damier.BadArgument, match="A batch begins where a player can act, not at"):
        game.batch(1, position=over)


def test_a_game_without_planes_has_no_batches() -> None:
    with pytest.raises(damier.BadArgument, match=r"^Rows has no numbering of its actions and no planes\.$"):
        Game(MINIMAL).batch(1)


@pytest.mark.parametrize("n", [3, 2000])
def test_a_copy_of_a_batch_goes_on_as_the_batch_does(n: int) -> None:
    batch = damier.load("omba").batch(n, seed=4, threads=2)
    for _ in range(5):
        batch.step(batch.sample())
    copies = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    for each in (batch, *copies):
        each.step(each.sample())
        assert (each.observe() == batch.observe()).all()
        assert (each.mask() == batch.mask()).all()
    assert not np.shares_memory(copies[0].mask(), batch.mask())
