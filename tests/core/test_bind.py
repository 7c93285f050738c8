"""The binder: plain and compiled kernels agree, and the cache on disk is safe to use."""

import importlib
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import damier
from damier.core.kernel import bits
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import UnboundKernel, actions
from damier.search import history, playout
from damier.search import perft as perft_algorithm
from damier.search.batch import compiled_kernels, warm_up
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of

pytestmark = pytest.mark.untraced  # several times as slow while coverage is measured

SOURCE = Path(damier.__file__).parent
ROOT = Path(__file__).parents[2]

#: Plays games of the smallest game, whose kernels are soon compiled.
COUNT = textwrap.dedent(
    """
    from damier.core.game import Game
    from damier.search.batch import compiled_kernels, warm_up
    from tests.games.minimal import GAME
    game = Game(GAME)
    warm_up(game)
    games = game.playouts(200, seed=5)
    kernel = compiled_kernels(game).play_batch
    hits = sum(kernel.stats.cache_hits.values())
    print(int(games.lengths.sum()), hits, len(kernel.signatures))
    """
)


def environment_of(home: Path, tests: Path = ROOT) -> dict[str, str]:
    """Returns the environment of a process with a cache of its own, and the folder from which it imports tests."""
    path = os.pathsep.join(map(str, (SOURCE.parent, tests)))
    return {**os.environ, "DAMIER_HOME": str(home), "DAMIER_CACHE": "", "PYTHONPATH": path}


def run(code: str, home: Path, tests: Path = ROOT) -> list[str]:
    """Runs a program in another process with a cache of its own and returns the words it prints."""
    command, environment = [sys.executable, "-P", "-c", code], environment_of(home, tests)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_plain_and_compiled_random_games_agree(option_set: OptionSet) -> None:
    game = damier.load(option_set[0], **option_set[1])
    plain = bind(game.definition.rules, history, playout)
    limit = 300
    results, lengths = [0] * 8, [0] * 8
    out, seen = [0] * plain.MAX_ACTIONS, [0] * history.slots_for(limit + 1)
    plain.play_batch(game.rules, game.start.state, 3, 0, limit, out, seen, results, lengths)
    warm_up(game)
    games = game.playouts(8, seed=3, max_actions=limit)
    assert games.results.tolist() == results
    assert games.lengths.tolist() == lengths


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_plain_and_compiled_perft_agree(option_set: OptionSet) -> None:
    game = damier.load(option_set[0], **option_set[1])
    plain, compiled = bind(game.definition.rules, perft_algorithm), compiled_kernels(game)
    size = perft_algorithm.stack_for(3, plain.MAX_ACTIONS)
    stack, out = [0] * size, [0] * plain.MAX_ACTIONS
    plain.begin(game.rules, game.start.state, stack, out)
    words, words_out, rules = np.array(stack), np.array(out), np.array(game.rules)
    assert plain.count_on(game.rules, 3, stack, out, 10**9)
    assert compiled.count_on(rules, 3, words, words_out, 10**9)
    assert int(words[1]) == stack[1]


@pytest.mark.parametrize("name", damier.games())
def test_every_kernel_has_one_signature(name: str) -> None:
    game = damier.load(name)
    warm_up(game)
    game.perft(game.start, 6 if game.traits.has_chance else 5)
    for kernel, value in vars(compiled_kernels(game)).items():
        assert len(getattr(value, "signatures", [])) <= 1, kernel


def test_primitives_mean_the_same_compiled() -> None:
    from numba import njit

    words = [1, 2, 3, -1, 1 << 62, -(1 << 63), 0x0123456789ABCDEF, -0x0123456789ABCDEF]
    for name in ("bit_count", "lowest", "highest", "advance", "mix"):
        function = getattr(bits, name)
        compiled = njit(lambda x, function=function: function(x))
        assert [compiled(word) for word in words] == [function(word) for word in words]
    below, bit = njit(lambda x, n: bits.below(x, n)), njit(lambda i: bits.bit(i))
    assert [below(word, 7) for word in words] == [bits.below(word, 7) for word in words]
    assert [bit(i) for i in range(64)] == [bits.bit(i) for i in range(64)]


def test_a_kernel_outside_a_game_says_so() -> None:
    with pytest.raises(UnboundKernel, match="actions was called outside"):
        actions([], (0, 0, 0), [])


def test_a_second_process_uses_the_cache(tmp_path: Path) -> None:
    first, second = (run(COUNT, tmp_path) for _ in range(2))
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("0", "1")


@pytest.mark.slow
def test_one_of_two_processes_compiles_and_the_other_waits_for_it(tmp_path: Path) -> None:
    environment = environment_of(tmp_path)
    both = [
        subprocess.Popen([sys.executable, "-c", COUNT], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=300)[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert outputs[0][0] == outputs[1][0]
    assert sorted(output[1] for output in outputs) == ["0", "1"]  # hits of the cache
    assert run(COUNT, tmp_path)[:2] == [outputs[0][0], "1"]


@pytest.mark.slow
def test_a_changed_kernel_is_noticed(tmp_path: Path) -> None:
    """The cache must not answer with code of an earlier source, even when only a callee in another file changed."""
    copy = tmp_path / "source"
    game = Path("tests", "games", "minimal")
    shutil.copytree(ROOT / game, copy / game, ignore=shutil.ignore_patterns("__pycache__"))
    before = run(COUNT, tmp_path, copy)
    rules = copy / game / "rules.py"
    text = rules.read_text()
    assert "state[1] & LINES[i] == LINES[i]" in text
    rules.write_text(text.replace("state[1] & LINES[i] == LINES[i]", "False"))  # a row no longer wins
    after = run(COUNT, tmp_path, copy)
    assert after[1] == "0"
    assert int(after[0]) > int(before[0])


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["truncated", "garbage", "empty"])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, damage: str) -> None:
    before = run(COUNT, tmp_path)
    files = [file for file in tmp_path.rglob("*.nb?") if file.is_file()]
    assert files
    for file in files:
        content = file.read_bytes()
        file.write_bytes(
            {"truncated": content[: len(content) // 2], "garbage": b"\x80garbage" * 9, "empty": b""}[damage]
        )
    assert run(COUNT, tmp_path)[0] == before[0]


def test_a_home_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be: not even root can write below it")
    assert run(COUNT, blocked)[1] == "0"


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = "import sys, damier; r = damier.load('chefa').record(); r.play('a1'); r.actions(); " \
           "print(sum(name in sys.modules for name in ('numpy', 'numba', 'rich')))"  # fmt: skip
    assert run(code, Path(os.devnull)) == ["0"]


def test_old_folders_of_the_cache_are_removed(tmp_path: Path) -> None:
    from damier.core.kernel.compile import make_room

    for i in range(8):
        folder = tmp_path / f"game-digest{i}"
        make_room(folder)
        folder.mkdir()
        os.utime(folder, (i, i))
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["game-digest3", "game-digest4", "game-digest5", "game-digest6", "game-digest7"]


def test_what_a_game_sets_stands_wherever_an_algorithm_imports_the_default() -> None:
    from damier.core.kernel import contract, subsets
    from damier.games.badia import index, rules
    from damier.solve.build import retrograde

    for modules in ((subsets, index, retrograde), (subsets, retrograde, index)):
        assert bind(rules, *modules).ALTERNATES is False
    assert contract.ALTERNATES is True


FIRST = """
from damier.core.kernel.bits import bit
from damier.core.kernel.contract import Rules, State, apply, mover

SCALE = 10
TABLE = [1, 2, 3]


def helper(x: int) -> int:
    return SCALE * x + TABLE[2]


def first(rules: Rules, state: State) -> int:
    return helper(mover(rules, state)) + bit(7)
"""

SECOND = """
from damier.core.kernel.contract import Rules, State, mover as player
from {first} import first, helper as other_helper

SCALE = 1000
TABLE = [4, 5, 6]


def helper(x: int) -> int:
    return SCALE * x + TABLE[2]


def mover(x: int) -> int:
    return 100_000 * x


def second(rules: Rules, state: State) -> int:
    return first(rules, state) + helper(player(rules, state)) + other_helper(2) + mover(3)
"""


@pytest.mark.parametrize("compiled", [False, True])
def test_two_modules_may_use_one_name_for_two_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """Private helpers, constants and tables of one name keep apart; even a contract's name may be used privately."""
    first_name, second_name = (f"bound_{which}_{compiled}".lower() for which in ("first", "second"))
    (tmp_path / f"{first_name}.py").write_text(FIRST)
    (tmp_path / f"{second_name}.py").write_text(SECOND.format(first=first_name))
    monkeypatch.syspath_prepend(tmp_path)
    first, second = importlib.import_module(first_name), importlib.import_module(second_name)
    game = damier.load("chefa")
    rules = np.array(game.rules) if compiled else game.rules
    state = game.start.play("a1").state
    for modules in ((first, second), (second, first)):
        kernels = bind(game.definition.rules, *modules, compiled=compiled)
        assert kernels.mover(rules, state) == 1
        assert kernels.first(rules, state) == 13 + 128
        assert kernels.second(rules, state) == 13 + 128 + 1006 + 23 + 300_000
        assert not hasattr(kernels, "helper"), "which of the two would be anybody's guess"
        assert not hasattr(kernels, "SCALE")


def test_a_module_that_has_not_been_bound_keeps_its_own_functions() -> None:
    rules = damier.load("chefa").definition.rules
    assert bind(rules).bit is bits.bit
    assert bind(rules).actions is not rules.actions
    assert bind(rules).actions.__globals__["apply"] is bind(rules).apply
