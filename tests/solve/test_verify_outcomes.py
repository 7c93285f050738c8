"""The verifier of tables: its own rules against the game's, and that no wrong entry passes it."""

import argparse
import ast
import copy
import dataclasses
import functools
import importlib
import json
import random
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import damier
from damier import Game, Position
from damier.cli.commands.verify import run as verify_command
from damier.core import folders
from damier.core.errors import BadArgument
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import State
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, WON
from damier.solve.file.header import TableHeader
from damier.solve.file.reader import BadTable, TableFile
from damier.solve.file.writer import TableWriter
from damier.solve.numbering import Numbering, family_module
from damier.solve.tables import Tables
from damier.solve.verify import outcome_kernels as algorithm
from damier.solve.verify.outcomes import code_text, counts, longest
from damier.solve.verify.verifier import WrongEntry, verify
from tests.games.option_sets import OptionSet, name_of
from tests.games.random_positions import random_position
from tests.shared import built_table
from tests.solve.small_games import ignore_progress

Codes = NDArray[np.uint8]

RENFA: list[OptionSet] = [("renfa", {"bombs": bombs, "last": last}) for bombs in (3, 5, 6) for last in (0, 1)]
WIDE: list[OptionSet] = [
    ("renfa", {"size": 6, "bombs": bombs, "last": last}) for bombs, last in ((3, 1), (4, 0), (5, 1))
]
GAMES: list[OptionSet] = [("chefa", {}), ("badia", {}), *RENFA, *WIDE]
POSITIONS = {"chefa": 2000, "badia": 2000, "renfa": 334}
DECIDED = {
    "badia": [
        "W1W1W/1...1/1.1.1/W...W/BBBBB b 0,0 -,- -",
        "W1W1W/1...1/1.1.1/W...W/BBBBB w 0,0 -,- -",
        "BBBB1/B...1/1.W.1/W...1/WW2W b 0,0 a5,- -",
        "WWWW1/W...1/1.1.1/1...1/BBBBB b 0,0 -,- -",
        "2W1W/1...1/W.1.W/1...1/BBBBB w 0,0 c1,- p",
    ]
}


def check_of(game: Game) -> types.ModuleType:
    modules = game.definition.table_modules(game.options)
    assert modules is not None
    return importlib.import_module(f"damier.games.{game.name}.{modules.check}")


# Positions of every kind


def sample(game: Game, rng: random.Random) -> Iterator[Position]:
    """Yields positions drawn at random, with one that follows each, and those of random games."""
    while True:
        for _ in range(4):
            position = game.parse(random_position(game.name, dict(game.options), rng))
            yield position
            if texts := position.actions():
                left = [text for text in texts if text.endswith(">?")]
                yield position.play(rng.choice(left or texts))
        yield from list(random_game(game, rng))[:: rng.randint(5, 9)]


def random_game(game: Game, rng: random.Random) -> Iterator[Position]:
    position = game.start
    for _ in range(40):
        yield position
        texts = position.actions()
        if not texts:
            return
        position = position.play(rng.choice(texts))


@functools.cache
def positions(name: str, **options: int) -> list[Position]:
    game = damier.load(name, **options)
    found = sample(game, random.Random(f"{name} {options.get('bombs', 0)} {options.get('last', 0)}"))
    decided = [game.parse(text) for text in DECIDED.get(name, [])]
    return [*decided, *(next(found) for _ in range(POSITIONS[name]))]


def result_of(position: Position) -> int:
    """Returns the result as the verifier numbers it; a player without an action has not lost yet by what is shown."""
    result = position.result
    if result is None or result.reason == "no-action":
        return 0
    if result.winner is None:
        return 3
    return 1 if result.winner == position.mover else 2


@pytest.mark.parametrize("option_set", GAMES, ids=name_of)
def test_the_second_rules_agree_with_the_first(option_set: OptionSet) -> None:
    game = damier.load(option_set[0], **option_set[1])
    check = check_of(game)
    given, out = check.numbers(game.options), [0] * 3 * algorithm.MOST_FOLLOWING
    for position in positions(option_set[0], **option_set[1]):
        assert check.player_on_move(position.state) == game.players.index(position.mover)
        assert check.shown_result(given, position.state) == result_of(position), str(position)
        if not result_of(position):
            n = check.successors(given, position.state, out)
            following = {tuple(out[3 * i : 3 * i + 3]) for i in range(n)}
            assert following == {position.play(text).state for text in position.actions()}, str(position)


def test_the_positions_compared_are_of_every_kind() -> None:
    chefa, badia = positions("chefa"), positions("badia")
    assert sum(not str(position).endswith(" -") for position in chefa) > 300
    assert sum(str(position).endswith(" p") for position in badia) > 100
    assert sum(str(position).endswith(" m") for position in badia) >= 10
    for each in (chefa, badia, positions("renfa", bombs=3, last=1)):
        assert {result_of(position) for position in each} >= {0, 1, 2}
    assert any(result_of(position) == 3 for position in positions("renfa", bombs=3, last=1))


@pytest.mark.parametrize("option_set", [("chefa", {}), ("badia", {}), RENFA[3], WIDE[1]], ids=name_of)
def test_the_second_rules_are_the_same_compiled(option_set: OptionSet) -> None:
    game = damier.load(option_set[0], **option_set[1])
    check = check_of(game)
    compiled = bind(game.definition.rules, check, compiled=True)
    given = check.numbers(game.options)
    words, array = [0] * 3 * algorithm.MOST_FOLLOWING, np.zeros(3 * algorithm.MOST_FOLLOWING, np.int64)
    for position in positions(option_set[0], **option_set[1])[:300]:
        state = position.state
        assert compiled.shown_result(np.array(given), state) == check.shown_result(given, state)
        if not check.shown_result(given, state):
            n = check.successors(given, state, words)
            assert compiled.successors(np.array(given), state, array) == n
            assert array[: 3 * n].tolist() == words[: 3 * n]
        assert compiled.is_same(state, (state[0], state[1], state[2] ^ 1))


@pytest.mark.parametrize("option_set", [("chefa", {}), ("badia", {}), RENFA[0], WIDE[0]], ids=name_of)
def test_the_second_rules_share_nothing_with_the_first(option_set: OptionSet) -> None:
    tree = ast.parse(Path(str(check_of(damier.load(option_set[0], **option_set[1])).__file__)).read_text("utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"damier.core.kernel.bits", "damier.core.kernel.contract", "damier.core.options"}
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


@pytest.mark.parametrize("size", [5, 6])
def test_the_second_description_of_a_numbering_shares_nothing_with_the_first(size: int) -> None:
    game = damier.load("renfa", bombs=3, size=size)
    module = family_module(Numbering(game), 1)
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    imported = {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name.startswith("damier.games")} == {check_of(game).__name__}
    assert not any("index" in name or "families" in name or "solve" in name for name in imported)


# Symmetries


def images(position: Position) -> list[State]:
    """Returns what the symmetries and an exchange of colours make of a position, by the game's own kernels."""
    game = position.game
    return [
        game.kernels.permute(game.rules, position.state, symmetry.cells, swap)
        for symmetry in game.traits.symmetries
        for swap in (False, True)
    ]


@pytest.mark.parametrize("option_set", [("chefa", {}), ("badia", {}), RENFA[3], WIDE[1]], ids=name_of)
def test_positions_are_the_same_exactly_if_a_symmetry_says_so(option_set: OptionSet) -> None:
    rng = random.Random(5)
    is_same = check_of(damier.load(option_set[0], **option_set[1])).is_same
    sampled = positions(option_set[0], **option_set[1])
    compared = 0
    for position in sampled[:300]:
        turned = images(position)
        assert all(is_same(position.state, image) for image in turned)
        twice = [position.play(text).play(back) for text in position.actions()[:2] for back in backs(position, text)]
        others = [each.state for each in (*rng.sample(sampled, 20), *twice)]
        for own, enemy, rest in (*others, *variations(position)):
            is_image = (own, enemy, rest) in turned or (own, enemy, rest ^ 1) in turned
            assert is_same(position.state, (own, enemy, rest)) == is_image
            assert is_same((own, enemy, rest), position.state) == is_image
            compared += not is_image
    assert compared > 5000


def backs(position: Position, text: str) -> list[str]:
    return position.play(text).actions()[:3]


def variations(position: Position) -> list[State]:
    """Returns states that differ from a position in little: a piece, the colours, each bit of the third word."""
    own, enemy, rest = position.state
    moved = own & own - 1 | 1 << next(cell for cell in range(25) if not (own | enemy) >> cell & 1)
    return [(moved, enemy, rest), (enemy, own, rest), *((own, enemy, rest ^ 1 << i) for i in range(1, 12))]


# What follows from the entries


class Entries:
    """Entries of which all are drawn but those that are set."""

    def __init__(self) -> None:
        self.codes: dict[int, int] = {}

    def __getitem__(self, number: int) -> int:
        return self.codes.get(number, DRAWN)


class Checked:
    """A game's numbering and the verifier in plain Python."""

    def __init__(self, game: Game) -> None:
        self.game, self.numbering = game, Numbering(game)
        check = check_of(game)
        self.kernels = bind(game.definition.rules, subsets, self.numbering.index, check, algorithm)
        self.given = check.numbers(game.options)

    def due(self, text: str, entries: Any, kernels: types.SimpleNamespace | None = None) -> int:
        """Returns the code that a position should have."""
        place = self.numbering.place(self.game.parse(text).state)
        number = int(self.numbering.firsts.searchsorted(place, "right")) - 1
        return int(
            (kernels or self.kernels).code_due(
                self.given,
                self.game.rules,
                self.numbering.numbers.data,
                self.numbering.firsts.data,
                entries,
                number,
                place - int(self.numbering.firsts[number]),
                [0] * algorithm.ROOM,
            )
        )

    def entries(self, text: str, code: int, *, every: bool = False) -> Entries:
        """Returns drawn entries but for one, or for every, position that follows."""
        entries = Entries()
        position = self.game.parse(text)
        for action in position.actions() if every else position.actions()[:1]:
            entries.codes[self.numbering.place(position.play(action).state)] = code
        return entries


@functools.cache
def checked(name: str) -> Checked:
    return Checked(damier.load(name))


MOVING = "B1W1B/5/1B1W1/W4/B3W b 0,0 -"
WAITING = "1BBB1/1...1/W.W.W/1...1/BWW2 b 0,0 d5,e3 p"


@pytest.mark.parametrize(
    ("code", "due"), [(DRAWN, DRAWN), (LOST + 4, 5), (LOST, 1), (3, DRAWN), (WON, DRAWN), (LOST + 125, 126)]
)
def test_a_lost_position_that_follows_makes_a_win(code: int, due: int) -> None:
    chefa = checked("chefa")
    assert chefa.due(MOVING, chefa.entries(MOVING, code)) == due


def test_only_won_positions_that_follow_make_a_loss_as_long_as_the_longest() -> None:
    chefa = checked("chefa")
    assert chefa.due(MOVING, chefa.entries(MOVING, 3, every=True)) == LOST + 4
    longer = chefa.entries(MOVING, 3, every=True)
    longer.codes[min(longer.codes)] = 7
    assert chefa.due(MOVING, longer) == LOST + 8
    assert chefa.due(MOVING, chefa.entries(MOVING, 125, every=True)) == algorithm.TOO_FAR
    assert chefa.due(MOVING, chefa.entries(MOVING, 126, every=True)) == algorithm.TOO_FAR


def test_a_number_that_is_free_for_a_position_that_follows_is_found() -> None:
    chefa = checked("chefa")
    for code in (FREE, MARKED):
        assert chefa.due(MOVING, chefa.entries(MOVING, code)) < 0


@pytest.mark.parametrize(("code", "due"), [(DRAWN, DRAWN), (4, 5), (LOST + 4, DRAWN)])
def test_a_player_who_has_chosen_for_a_waiting_pawn_goes_on(code: int, due: int) -> None:
    badia = checked("badia")
    assert badia.due(WAITING, badia.entries(WAITING, code)) == due
    assert badia.due(WAITING, badia.entries(WAITING, LOST + 4, every=True)) == LOST + 5


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("BB1BB/5/WW3/5/1W2W w 0,0 -", LOST),
        ("BB1BB/5/WW3/5/1W2W b 0,0 -", WON),
        ("BB1BB/5/WW3/WW3/5 b 0,0 -", LOST),  # both: the player who has acted has won
        ("BB1BB/5/W4/WW3/5 w 0,1 -", LOST),
    ],
)
def test_what_a_decided_position_shows_is_due(text: str, due: int) -> None:
    assert checked("chefa").due(text, Entries()) == due


def test_a_numbering_that_takes_a_position_for_another_is_found() -> None:
    chefa = checked("chefa")
    faulty = types.ModuleType("faulty")
    number = chefa.numbering.place(chefa.game.parse(MOVING).state)
    exec(f"def rank(rules, numbers, state):\n    return {number}", faulty.__dict__)
    modules = (subsets, chefa.numbering.index, faulty, check_of(chefa.game), algorithm)
    assert chefa.due(MOVING, Entries()) == DRAWN
    assert chefa.due(MOVING, Entries(), bind(chefa.game.definition.rules, *modules)) < 0


# Whole tables


def renfa(last: int) -> Game:
    return damier.load("renfa", bombs=3, last=last)


@pytest.fixture(scope="module")
def tables() -> Tables:
    return built_table(renfa(1))


@functools.cache
def codes_of(path: Path) -> Codes:
    with TableFile(path) as file:
        return np.concatenate([np.asarray(block) for block in file.blocks()]).astype(np.uint8)


def altered(tables: Tables, folder: Path, changes: dict[int, int], **header: Any) -> Tables:
    """Returns a table in which some entries are others, and whose file and header know of that."""
    other = Tables(tables.game, folder)
    other.__dict__["numbering"] = tables.numbering
    codes = codes_of(tables.path).copy()
    for place, code in changes.items():
        codes[place] = code
    found = np.bincount(codes, minlength=256)
    about = dataclasses.replace(tables.file.header, extra={})
    told = {"counts": counts(found), "longest": longest(found), **header}
    with TableWriter(other.path, about, level=1) as writer:
        writer.append(codes)
        writer.finish(**told)
    return other


def test_a_table_that_was_built_is_right(tables: Tables) -> None:
    shares: list[float] = []
    found = verify(tables, 2, lambda share, _: shares.append(share))
    assert found.entries == tables.numbering.entries
    assert found.seconds > 0
    assert found.cpu_seconds > 0
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


KINDS: dict[str, tuple[Callable[[int], bool], Callable[[int], int]]] = {
    "a win that is longer": (lambda code: 1 < code < 100, lambda code: code + 1),
    "a win that is shorter": (lambda code: 2 < code < 100, lambda code: code - 1),
    "a loss that is longer": (lambda code: LOST < code < 240, lambda code: code + 1),
    "a draw for a win": (lambda code: 0 < code < 100, lambda _: DRAWN),
    "a draw for a loss": (lambda code: LOST < code < 240, lambda _: DRAWN),
    "a win for a draw": (lambda code: code == DRAWN, lambda _: 3),
    "a loss for a draw": (lambda code: code == DRAWN, lambda _: LOST + 2),
    "a loss for a win": (lambda code: 0 < code < 100, lambda code: code + LOST),
    "already won": (lambda code: 0 < code < 100, lambda _: WON),
    "already lost": (lambda code: code == DRAWN, lambda _: LOST),
    "free for a position": (lambda code: code < MARKED, lambda _: FREE),
    "a position for free": (lambda code: code == FREE, lambda _: DRAWN),
    "no value": (lambda code: code < MARKED, lambda _: MARKED),
}


def test_a_table_with_another_option_is_right(tmp_path: Path) -> None:
    tables = built_table(renfa(0))
    assert verify(tables, 2, ignore_progress).entries == tables.numbering.entries


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_wrong_entry_is_found_and_named(tables: Tables, tmp_path: Path, kind: str) -> None:
    rng = random.Random(f"{kind} {tables.game.options_text}")
    fits, change = KINDS[kind]
    codes = codes_of(tables.path)
    suited = {code for code in range(256) if fits(code)}
    tiers = [tier for tier in tables.numbering.tiers if suited & set(codes_in(codes, tier).tolist())]
    tier = rng.choice(tiers)
    offsets = np.flatnonzero(np.isin(codes_in(codes, tier), list(suited)))
    place = tier.first + int(rng.choice(offsets.tolist()))
    wrong = altered(tables, tmp_path, {place: change(int(codes[place]))})
    with pytest.raises(WrongEntry) as caught:
        verify(wrong, 2, ignore_progress)
    values = caught.value.message.values
    named = {part.name: part.first for part in tables.numbering.tiers}[str(values["tier"])] + int(str(values["entry"]))
    assert str(wrong.path) in str(caught.value)
    assert str(values["position"])[1:-1] == str(Position(tables.game, tables.numbering.state(named)))
    if named == place and "stored" in values:
        assert str(values["stored"]) == str(code_text(change(int(codes[place]))))
        assert str(values["due"]) == str(code_text(int(codes[place])))
    else:  # a position that leads to the wrong one, with a lower number
        assert named == place or place in following_places(tables, named)


def codes_in(codes: Codes, tier: Any) -> Codes:
    return codes[tier.first : tier.first + tier.entries]


def following_places(tables: Tables, place: int) -> set[int]:
    position = Position(tables.game, tables.numbering.state(place))
    following = [position.play(text) for text in position.actions()]
    return {tables.numbering.place(each.state) for each in following if each.result is None}


def test_the_last_entry_and_the_first_are_derived_too(tables: Tables, tmp_path: Path) -> None:
    last = tables.numbering.entries - 1
    with pytest.raises(WrongEntry, match=r"'5/5/5/5/5 b 3,3': it says 'win in 9 plies', and .* it is 'draw'"):
        verify(altered(tables, tmp_path, {last: 9}), 1, ignore_progress)
    with pytest.raises(WrongEntry, match=r"does not have the position 5/5/5/5/5 b 3,3"):
        verify(altered(tables, tmp_path, {last: FREE}), 1, ignore_progress)
    with pytest.raises(WrongEntry, match="entry 0, "):
        verify(altered(tables, tmp_path, {0: 77}), 1, ignore_progress)


def test_the_same_entry_is_named_for_any_number_of_threads(tables: Tables, tmp_path: Path) -> None:
    tier = max(tables.numbering.tiers, key=lambda each: each.entries)
    changes = {tier.first + i: 99 for i in range(tier.entries // 3, tier.entries, 5000)}
    wrong = altered(tables, tmp_path, changes)
    sentences = set()
    for threads in (1, 2, 5):
        with pytest.raises(WrongEntry) as caught:
            verify(wrong, threads, ignore_progress)
        sentences.add(str(caught.value))
    assert len(sentences) == 1


@pytest.mark.parametrize("which", ["the class of a set", "a set", "the cells of a class"])
def test_a_numbering_that_is_not_as_specified_is_found_by_families(tables: Tables, tmp_path: Path, which: str) -> None:
    numbering = tables.numbering
    index = numbering.index
    block = index.block_of(2, 3)
    column = {
        "the class of a set": index.OWN_CLASSES,
        "a set": index.ENEMY_SETS,
        "the cells of a class": index.OWN_KINDS,
    }
    faulty = copy.copy(numbering)
    faulty.numbers = numbering.numbers.copy()
    at = int(numbering.numbers[block + column[which]]) + 8
    faulty.numbers[at] = numbering.numbers[at + 4]
    assert faulty.numbers[at] != numbering.numbers[at]
    wrong = altered(tables, tmp_path, {})
    wrong.__dict__["numbering"] = faulty
    with pytest.raises(WrongEntry):
        verify(wrong, 1, ignore_progress)


# What is refused before


def test_a_header_that_is_not_true_is_found(tables: Tables, tmp_path: Path) -> None:
    right = tables.file.header
    told = {**right.counts, "win": right.counts["win"] - 1, "draw": right.counts["draw"] + 1}
    with pytest.raises(BadTable, match="wrong about 'win' in the whole table"):
        verify(altered(tables, tmp_path, {}, counts=told), 1, ignore_progress)
    with pytest.raises(BadTable, match="wrong about 'longest' in the whole table"):
        verify(altered(tables, tmp_path, {}, longest=12), 1, ignore_progress)


def test_damage_to_the_file_is_found(tables: Tables, tmp_path: Path) -> None:
    damaged = altered(tables, tmp_path, {})
    data = bytearray(damaged.path.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.path.write_bytes(data)
    with pytest.raises(BadTable, match="damaged"):
        verify(damaged, 1, ignore_progress)


def test_a_table_of_another_kind_is_refused(tmp_path: Path) -> None:
    tables = Tables(renfa(1), tmp_path)
    about = TableHeader(
        game="renfa", options=dict(tables.game.options), rules_version=1, index=tables.numbering.scheme,
        metric="probability", coding="share-16", entry_bytes=2, solver="0",
    )  # fmt: skip
    with TableWriter(tables.path, about) as writer:
        writer.append(np.zeros(10, np.uint16))
        writer.finish(counts={}, longest=None)
    tables.__dict__["file"] = TableFile(tables.path)
    with pytest.raises(BadArgument, match="values of the kind 'share-16', which cannot be verified"):
        verify(tables, 1, ignore_progress)


def test_a_game_without_second_rules_is_refused(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "damier.games.renfa.check", None)
    with pytest.raises(BadArgument, match="cannot be verified yet"):
        verify(tables, 1, ignore_progress)


def test_a_game_without_a_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match=r"^Sensei .* cannot be solved: it has about"):
        verify(Tables(damier.load("sensei"), tmp_path), 1, ignore_progress)


# The command


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_tells_that_all_entries_follow(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    monkeypatch.setattr(folders, "table_folder", lambda: tables.folder)
    monkeypatch.setattr("damier.cli.commands.verify.chosen_game", lambda _: tables.game)
    verify_command(argparse.Namespace(threads=1, cluster=None, json=as_json, lang="en"))
    printed = capsys.readouterr().out
    if as_json:
        data = json.loads(printed)
        assert (data["game"], data["entries"], data["verified"]) == ("renfa", tables.numbering.entries, True)
        assert data["file"] == str(tables.path)
    else:
        assert printed.startswith(f"All {tables.numbering.entries:,} entries of {tables.path} follow from")


def test_the_command_refuses_a_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = argparse.Namespace(game="chefa", options=[], threads=0, json=False, lang="en")
    with pytest.raises(BadArgument, match="threads takes a whole number from 1 to 256"):
        verify_command(chosen)
