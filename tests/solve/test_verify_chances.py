"""The verifier of winning chances: its own rules against a naive twin, its proof, and that no wrong entry passes it."""

import ast
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import damier
from damier import Game, Position
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import State
from damier.games.omba import check, index, rules
from damier.solve.codes import CERTAIN
from damier.solve.file.header import Tier, new_header
from damier.solve.file.reader import BadTable, TableFile
from damier.solve.file.writer import TableWriter
from damier.solve.numbering import Numbering
from damier.solve.tables import Tables
from damier.solve.verify import chance_kernels as algorithm
from damier.solve.verify import chances, verifier
from damier.solve.verify.chances import TIE, chance_text
from damier.solve.verify.verifier import WrongEntry, verify
from tests.games.omba import naive
from tests.games.random_positions import random_position
from tests.shared import built_table
from tests.solve.small_games import ignore_progress, small_omba

Codes = NDArray[np.uint16]

PLAIN: SimpleNamespace = bind(rules, subsets, index, check, algorithm)
TWO: dict[str, object] = {"players": 2}


# The rules a second time


@cache
def positions() -> list[Position]:
    """Returns positions before a roll: drawn at random, and those of random games."""
    rng = random.Random(8)
    game = damier.load("omba")
    texts = (random_position("omba", TWO, rng) for _ in range(300))
    found = [game.parse(text) for text in texts if text.endswith(" - -")]
    for _ in range(6):
        found += random_game(game, rng)
    return found


def random_game(game: Game, rng: random.Random) -> Iterator[Position]:
    position = game.start
    for _ in range(60):
        if str(position).endswith(" - -"):
            yield position
        if position.result is not None:
            return
        position = position.play(rng.choice(position.actions()))


def naive_following(position: Position) -> set[tuple[int, State]]:
    """Returns each roll with each state after it and an action."""
    found = set()
    for roll in range(1, 7):
        rolled = str(position)[: -len("- -")] + f"{roll} -"
        for action in naive.actions_after_roll(rolled):
            found.add((roll, position.game.parse(naive.play(TWO, [rolled], action)).state))
    return found


def following(kernels: Any, state: State, out: Any) -> set[tuple[int, State]]:
    count = kernels.rolled_successors([0] if isinstance(out, list) else np.zeros(1, np.int64), state, out)
    words = [int(word) for word in out[: 4 * count]]
    rows = [words[i : i + 4] for i in range(0, 4 * count, 4)]
    assert len({tuple(row[1:]) for row in rows}) == count
    return {(roll, (a, b, c)) for rolls, a, b, c in rows for roll in range(1, 7) if rolls >> roll - 1 & 1}


def test_the_second_rules_agree_with_a_naive_twin() -> None:
    assert len(positions()) > 250
    assert {check.player_on_move(position.state) for position in positions()} == {0, 1}
    out = [0] * algorithm.ROLLED_ROOM
    lost = 0
    for position in positions():
        expected = naive_following(position)
        assert following(check, position.state, out) == expected, str(position)
        lost += len({roll for roll, _ in expected}) < 6
    assert lost >= 20


def test_the_second_rules_are_the_same_compiled() -> None:
    compiled = bind(rules, subsets, index, check, algorithm, compiled=True)
    words, array = [0] * algorithm.ROLLED_ROOM, np.zeros(algorithm.ROLLED_ROOM, np.int64)
    for position in positions()[:200]:
        assert following(compiled, position.state, array) == following(check, position.state, words)


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        (check, {"damier.core.kernel.bits", "damier.core.kernel.contract", "damier.core.options"}),
        (algorithm, {"collections.abc", "damier.core.kernel.contract", "damier.solve.codes"}),
    ],
)
def test_rules_and_solver_have_no_part_in_it(module: ModuleType, allowed: set[str]) -> None:
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    assert {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} == allowed
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


def faces(position: Position) -> set[str]:
    """Returns what a position looks like from all sides, to the player whose turn it is, by its text alone."""
    board, side, hands, *rest = str(position).split(" ")
    if side == "2":
        board = board.translate(str.maketrans("12", "21"))
        hands = ",".join(reversed(hands.split(",")))
    rows = [row.split(",") for row in board.split("/")]
    found = set()
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]  # a quarter turn
        for seen in (rows, rows[::-1]):
            found.add("/".join(",".join(row) for row in seen) + " ".join(["", hands, *rest]))
    return found


def variations(position: Position) -> Iterator[Position]:
    """Yields positions that differ from one in little: turned, another owner, another hand, the other's turn."""
    text = str(position)
    board, rest = text.split(" ", 1)
    rows = board.split("/")
    candidates = ["/".join(rows[::-1]), "/".join(",".join(row.split(",")[::-1]) for row in rows)]
    candidates += [
        board.translate(str.maketrans("12", "21")),
        board.replace("12", "21", 1),
        board.replace("21", "12", 1),
    ]
    for other in candidates:
        for turn in (rest, str(3 - int(rest[0])) + rest[1:]):
            hands = turn.split(" ")[1].split(",")
            for each in (turn, turn.replace(",".join(hands), ",".join(hands[::-1]))):
                if parsed := parsed_or_none(position.game, f"{other} {each}"):
                    yield parsed


def parsed_or_none(game: Game, text: str) -> Position | None:
    try:
        return game.parse(text)
    except damier.DamierError:
        return None


def test_positions_are_the_same_exactly_if_they_look_the_same_from_some_side() -> None:
    rng = random.Random(9)
    same = other = 0
    for position in positions()[:250]:
        for compared in (*variations(position), *rng.sample(positions(), 5)):
            is_same = bool(faces(position) & faces(compared))
            assert check.is_same(position.state, compared.state) == is_same, f"{position}, {compared}"
            same, other = same + is_same, other + (not is_same)
        for symmetry in position.game.traits.symmetries:
            image = rules.permute(position.game.rules, position.state, symmetry.cells, False)
            assert check.is_same(position.state, image)
            for i in (2, 3, 17):  # a die, players out
                assert not check.is_same(position.state, (image[0], image[1], image[2] ^ 1 << i))
    assert min(same, other) > 500


# The proof

LOST_ROLL = 3  # the place after those of the following example
#: Three places. A roll of 6 loses; else 0 leads to 1 or to 2 (the same chance), 1 and 2 lead to 0.
RIVALS = [*[2, 5] * 5, 2 * LOST_ROLL + 1, *[1] * 5, 2 * LOST_ROLL + 1, *[1] * 5, 2 * LOST_ROLL + 1]
CHANCE = 5 / 11  # V = 5 / 6 * (1 - V)


def settled() -> tuple[list[float], list[float]]:
    """Returns chances and turns of the example."""
    values, turns = [0.5, 0.5, 0.5, 1.0], [10.0, 10.0, 10.0, 0.0]
    while algorithm.settle(0, 3, values, RIVALS) > 1e-13:
        pass
    for _ in range(100):
        algorithm.lengthen(0, 3, values, turns, 1e-10, RIVALS)
    return values, turns


def test_chances_and_turns_settle() -> None:
    values, turns = settled()
    assert values == pytest.approx([CHANCE] * 3 + [1.0], abs=1e-12)
    assert turns == pytest.approx([6.0] * 3 + [0.0], abs=1e-6)


def test_only_chances_within_the_margin_are_proved() -> None:
    values, turns = settled()
    assert algorithm.prove(0, 3, values, turns, 1e-10, RIVALS) == 0
    assert algorithm.prove(0, 3, values, turns, 0.0, RIVALS) == 3
    for place in range(3):
        for wrong in (-1e-8, 1e-8):
            others = [*values[:place], values[place] + wrong, *values[place + 1 :]]
            assert algorithm.prove(0, 3, others, turns, 1e-10, RIVALS) > 0
    assert algorithm.prove(0, 3, values, [1.0, 3.0, 3.0, 0.0], 1e-10, RIVALS) > 0
    assert algorithm.prove(0, 3, values, [1e6, 1e6, 1e6, 0.0], 1e-10, RIVALS) == 3  # too wide


def test_a_game_that_goes_on_for_ever_is_not_proved() -> None:
    values, turns, rivals = [0.5, 1.0], [10.0, 0.0], [1] * 6
    assert algorithm.settle(0, 1, values, rivals) == 0
    for _ in range(100):
        assert algorithm.lengthen(0, 1, values, turns, 1e-10, rivals) == pytest.approx(1)
    assert algorithm.prove(0, 1, values, turns, 1e-10, rivals) == 1


# Whole tables


@pytest.fixture(scope="module")
def tables() -> Tables:
    return built_table(small_omba(2))


@cache
def codes_of(path: Path) -> Codes:
    with TableFile(path) as file:
        return np.concatenate([np.asarray(block) for block in file.blocks()]).astype(np.uint16)


def altered(tables: Tables, folder: Path, changes: dict[int, int], tiers: tuple[Tier, ...] | None = None) -> Tables:
    """Returns a table in which some entries are others, and whose file knows of that."""
    copy = Tables(tables.game, folder)
    copy.__dict__["numbering"] = tables.numbering
    codes = codes_of(tables.path).copy()
    for place, code in changes.items():
        codes[place] = code
    header = replace(new_header(tables.numbering), tiers=tables.numbering.tiers if tiers is None else tiers)
    with TableWriter(copy.path, header, level=1) as writer:
        writer.append(codes)
        writer.finish()
    return copy


@pytest.mark.parametrize("pieces", [1, 2])
def test_a_table_that_was_built_is_right(pieces: int) -> None:
    tables = built_table(small_omba(pieces))
    shares: list[float] = []
    found = verify(tables, 2, lambda share, _: shares.append(share))
    assert found.entries == tables.numbering.entries
    assert found.error is not None
    assert 0.4 / CERTAIN < found.error < (0.5 + TIE) / CERTAIN + 1e-8
    assert found.cpu_seconds > 0
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def place_named(tables: Tables, error: WrongEntry) -> int:
    """Returns the place that a sentence tells of."""
    values = error.message.values
    firsts = {part.name: part.first for part in tables.numbering.tiers}
    place = firsts[str(values["tier"])] + int(str(values["entry"]))
    assert str(values["position"])[1:-1] == str(Position(tables.game, tables.numbering.state(place)))
    return place


CHANGES: dict[str, Callable[[int], int]] = {
    "one more": lambda code: code + 1,
    "one less": lambda code: code - 1,
    "three more": lambda code: code + 3,
    "many less": lambda code: code // 3,
    "certain": lambda _: CERTAIN,
    "impossible": lambda _: 65535,
    "none": lambda _: 0,
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_single_wrong_entry_is_found_and_named(tables: Tables, tmp_path: Path, kind: str) -> None:
    rng = random.Random(kind)
    codes = codes_of(tables.path)
    for _ in range(4):
        place = rng.randrange(len(codes))
        code = CHANGES[kind](int(codes[place]))
        wrong = altered(tables, tmp_path, {place: code})
        with pytest.raises(WrongEntry) as caught:
            verify(wrong, 1, ignore_progress)
        assert place_named(tables, caught.value) == place
        values = caught.value.message.values
        assert str(values["stored"]) == str(chance_text(code / CERTAIN))
        due = float(str(values["due"]).removesuffix(" %")) / 100
        nearness = 1 if abs(code - int(codes[place])) == 1 else 2000  # what is wrong by more leads play astray
        assert abs(due - codes[place] / CERTAIN) < nearness / CERTAIN
        assert str(wrong.path) in str(caught.value)


def test_the_first_entry_and_the_last_are_derived_too(tables: Tables, tmp_path: Path) -> None:
    last = tables.numbering.entries - 1
    for place in (0, last):
        with pytest.raises(WrongEntry) as caught:
            verify(altered(tables, tmp_path, {place: int(codes_of(tables.path)[place]) + 1}), 1, ignore_progress)
        assert place_named(tables, caught.value) == place
    assert str(Position(tables.game, tables.numbering.state(last))) == "-,-,-/-,-,-/-,-,- 1 2,2 - -"


def test_a_table_in_which_everything_is_even_is_wrong(tables: Tables, tmp_path: Path) -> None:
    changes = dict.fromkeys(range(tables.numbering.entries), CERTAIN // 2)
    with pytest.raises(WrongEntry, match=r"it says '50\.0000 %'"):
        verify(altered(tables, tmp_path, changes), 1, ignore_progress)


def run_small_chunks(
    work: Callable[[int, int, int], int], low: int, high: int, threads: int, _done: object = None
) -> None:
    def worker(number: int) -> None:
        for begin in range(low + 100 * number, high, 100 * threads):
            work(begin, min(high, begin + 100), number)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(worker, range(threads)))


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_does_not_matter(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    assert tables.numbering.tiers[0].entries > 500
    for module in (verifier, chances):
        monkeypatch.setattr(module, "run_chunks", run_small_chunks)
    assert verify(tables, threads, ignore_progress).entries == tables.numbering.entries
    with pytest.raises(WrongEntry) as caught:
        verify(altered(tables, tmp_path, {400: 9, 401: 1, 20: 14000}), threads, ignore_progress)
    assert place_named(tables, caught.value) == 401


# Numberings that are not what they should be


def renumbered(tables: Tables, folder: Path, swaps: list[tuple[int, int]]) -> Tables:
    """Returns the same table of a game in whose numbering some numbers are exchanged."""
    copy = altered(tables, folder, {})
    numbering = Numbering(tables.game)
    for one, other in swaps:
        numbering.numbers[[one, other]] = numbering.numbers[[other, one]]
    copy.__dict__["numbering"] = numbering
    return copy


RANKED = index.RANKS + 0b0011, index.RANKS + 0b0101  # two sets of two of four pieces
UNRANKED = index.OWN_SETS + index.SIZE_BEGIN[2], index.OWN_SETS + index.SIZE_BEGIN[2] + 1


@pytest.mark.parametrize("swap", [RANKED, UNRANKED])
def test_a_number_that_is_another_position_s_is_found(tables: Tables, tmp_path: Path, swap: tuple[int, int]) -> None:
    with pytest.raises(WrongEntry, match=r"it leads to .* whose number is free or another position's") as caught:
        verify(renumbered(tables, tmp_path, [swap]), 1, ignore_progress)
    values = caught.value.message.values
    position = tables.game.parse(str(values["position"])[1:-1])
    after = {
        str(position.play(roll).play(action))
        for roll in position.actions()
        if position.play(roll).result is None
        for action in position.play(roll).actions()
    }
    assert str(values["following"])[1:-1] in after


def test_entries_in_another_order_are_found(tables: Tables, tmp_path: Path) -> None:
    with pytest.raises(WrongEntry, match="it says"):
        verify(renumbered(tables, tmp_path, [RANKED, UNRANKED]), 1, ignore_progress)


def test_numbers_beyond_the_tier_or_in_a_later_one_are_found() -> None:
    numbers, firsts = [int(number) for number in index.index_numbers([2, 1])], [0, 9, 18, 19]
    state = small_omba(1).start.state
    given = [2, 1], numbers, firsts
    assert PLAIN.place_found(*given, 2, state) == 18
    assert PLAIN.place_found(*given, 1, state) == algorithm.NOWHERE
    assert PLAIN.place_found([2, 1], numbers, [0, 9, 18, 18], 2, state) == algorithm.NOWHERE


def test_a_first_position_without_its_number_is_found(tables: Tables, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(chances.ChanceVerifier, "is_found", lambda *_: False)
    with pytest.raises(WrongEntry, match="does not have the position -,-,-/-,-,-/-,-,- 1 2,2 - -"):
        verify(tables, 1, ignore_progress)


# What is refused before, and what is not proved


def test_damage_to_the_file_is_found(tables: Tables, tmp_path: Path) -> None:
    damaged = altered(tables, tmp_path, {})
    data = bytearray(damaged.path.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.path.write_bytes(data)
    with pytest.raises(BadTable, match="damaged"):
        verify(damaged, 1, ignore_progress)


def test_a_header_with_other_parts_is_found(tables: Tables, tmp_path: Path) -> None:
    first, second, *others = tables.numbering.tiers
    for tiers in ((), (replace(first, name="another"), second, *others), (second, *others)):
        with pytest.raises(BadTable, match="other parts than the game's numbering"):
            verify(altered(tables, tmp_path, {}, tiers), 1, ignore_progress)


def test_a_margin_that_is_too_small_proves_nothing(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "MARGIN", 1e-18)
    with pytest.raises(WrongEntry, match=r"The chances in '0 and 0 pieces in hand' of the table .* are not proved"):
        verify(tables, 1, ignore_progress)
