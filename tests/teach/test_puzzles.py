"""Puzzles: the judge, their files, how they are made, and the command."""

import json
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core import folders
from damier.core.errors import IllegalAction
from damier.core.record import Record
from damier.solve.tables import TableMissing
from damier.teach.puzzles import maker
from damier.teach.puzzles.hints import ACTION, PLACE, hint
from damier.teach.puzzles.judge import RIGHT, SOLVED, WRONG, judge
from damier.teach.puzzles.maker import PuzzleMaker
from damier.teach.puzzles.puzzle import (
    COUNTED,
    BadPuzzle,
    Puzzle,
    puzzles_text,
    read_puzzles,
    shipped_puzzles,
)
from damier.teach.puzzles.reasons import reasons_of
from tests.cli.calling import called, refused, run
from tests.shared import built_table
from tests.teach.puzzle_force import Force
from tests.teach.puzzle_samples import EVERY, IN_TURNS, named, right_actions, sampled

# The judge


@pytest.mark.parametrize("puzzle", EVERY, ids=named)
def test_the_judge_leads_through_the_line(puzzle: Puzzle) -> None:
    solver, record = puzzle.start.mover, puzzle.loaded.record(puzzle.position)
    waiting: tuple[str, ...] = ()
    if puzzle.theme in COUNTED:
        assert judge(puzzle, [puzzle.answer]).kind == SOLVED
    for number, action in enumerate(puzzle.line, 1):
        if record.mover != solver:
            assert (action, *waiting[1:]) == waiting
            waiting = waiting[1:]
            record.play(action)
            continue
        assert not waiting
        record.play(action)
        verdict = judge(puzzle, puzzle.line[:number])
        waiting = verdict.reply
        assert verdict.kind == (SOLVED if number + len(waiting) == len(puzzle.line) else RIGHT)
    assert not waiting


ONE_ANSWER = [puzzle for puzzle in EVERY if puzzle.theme not in ("turn_easy", *COUNTED)]


@pytest.mark.parametrize("puzzle", sampled(ONE_ANSWER, 4))
def test_the_judge_refutes_wrong_answers_with_what_can_be_played(puzzle: Puzzle) -> None:
    position = puzzle.start
    texts = position.actions() if puzzle.unit == "plies" else position.actions()[::6]
    kinds = set()
    for text in texts:
        verdict = judge(puzzle, [text])
        kinds.add(verdict.kind)
        if puzzle.unit == "plies":
            assert (verdict.kind != WRONG) == (text in right_actions(puzzle))
        record = puzzle.loaded.record(puzzle.position)
        for action in (text, *verdict.reply, *verdict.refutation):
            record.play(action)
        assert verdict.said.render("en")
        if verdict.value == "-2":
            assert record.result is not None
            assert record.result.winner != position.mover
    assert WRONG in kinds


@pytest.mark.parametrize("puzzle", sampled([p for p in IN_TURNS if p.goal], 6))
def test_the_order_of_a_turn_does_not_matter(puzzle: Puzzle) -> None:
    first = puzzle.answer.split("+")
    game, ends = puzzle.loaded, 0
    for swapped in ([*first[1::-1], *first[2:]], [first[0], *first[:0:-1]], first):
        record = game.record(puzzle.position)
        try:
            for action in swapped:
                record.play(action)
        except IllegalAction:
            continue
        if str(record.position) == puzzle.goal:
            ends += 1
            assert judge(puzzle, swapped).kind == (RIGHT if puzzle.value.startswith("+") else SOLVED)
    assert ends


def test_a_value_that_only_the_table_says_is_marked_where_returns_are_forbidden() -> None:
    by_theme: dict[str, Puzzle] = {puzzle.theme: puzzle for puzzle in shipped_puzzles("badia") if puzzle.tree}
    mark = "by the table, which knows no forbidden return"
    for theme, is_marked in (("win", True), ("only_draw", False)):
        puzzle = by_theme[theme]
        assert puzzle.tree
        wrong = sorted(set(puzzle.start.actions()) - right_actions(puzzle))
        values = {action: puzzle.tree.refutation(action)[0] for action in wrong}
        said = {action: str(judge(puzzle, [action]).said) for action in wrong}
        for action, value in values.items():
            assert (mark in said[action]) == (is_marked and value not in ("-1", "-2")), (puzzle.id, action, value)
        assert any(mark in each for each in said.values()) == is_marked


def test_the_judge_refuses_what_was_not_asked() -> None:
    puzzle = next(each for each in shipped_puzzles("chefa") if each.distance == 3 and each.theme == "win")
    first, reply, last = puzzle.line
    legal = puzzle.start.play(first).actions()
    with pytest.raises(IllegalAction):
        judge(puzzle, [])
    with pytest.raises(IllegalAction):
        judge(puzzle, ["z9"])
    with pytest.raises(IllegalAction, match="reply"):
        judge(puzzle, [first, next(text for text in legal if text != reply), last])
    with pytest.raises(IllegalAction, match="over before"):
        judge(puzzle, [*puzzle.line, first])
    assert judge(puzzle, [first, reply]).reply == (reply,)


def played(puzzle: Puzzle, actions: Iterable[str]) -> Record:
    """Returns the record of a puzzle after some actions, which must be legal."""
    record = puzzle.loaded.record(puzzle.position)
    for action in actions:
        record.play(action)
    return record


def test_a_wrong_number_is_refuted_by_a_roll() -> None:
    for puzzle in [each for each in EVERY if each.theme in COUNTED][::5]:
        for number in puzzle.choices:
            verdict = judge(puzzle, [number])
            if number == puzzle.answer:
                assert verdict.kind == SOLVED
                continue
            assert verdict.kind == WRONG
            after = played(puzzle, verdict.refutation)
            roll = played(puzzle, verdict.refutation[:1])
            is_more = int(number) < int(puzzle.answer)
            assert (roll.result is None and roll.mover == puzzle.solver) == is_more
            assert len(after.played) == (2 if is_more else 1)
        for odd in (["x"], ["7"], [puzzle.answer, "1"]):
            with pytest.raises(IllegalAction):
                judge(puzzle, odd)


def test_any_win_solves_an_easy_one_and_a_turn_without_it_is_wrong() -> None:
    puzzle = next(each for each in EVERY if each.theme == "turn_easy" and len(each.line) == 2)
    moves = [text for text in puzzle.start.actions() if text != puzzle.line[0]]
    still = [text for text in moves if judge(puzzle, [text]).kind == RIGHT]
    assert still
    assert {judge(puzzle, [text, "end"]).kind for text in still} == {WRONG}
    assert judge(puzzle, list(puzzle.line)).kind == SOLVED


# Hints and reasons


@pytest.mark.parametrize("puzzle", sampled([p for p in EVERY if p.theme not in COUNTED], 1))
def test_hints_lead_to_the_solution(puzzle: Puzzle) -> None:
    actions: list[str] = []
    for _ in range(60):
        place, action = hint(puzzle, actions, PLACE), hint(puzzle, actions, ACTION)
        assert place.action is None
        assert action.action is not None
        cells = [cell for cell in puzzle.loaded.action_cells(action.action) if cell != "@"]
        assert len(cells) <= 1 or place.cells == (cells[0],) or "@" in puzzle.loaded.action_cells(action.action)
        assert len(cells) != 1 or "@" in puzzle.loaded.action_cells(action.action) or cells[0] in place.cells
        actions.append(action.action)
        verdict = judge(puzzle, actions)
        assert verdict.kind in (RIGHT, SOLVED)
        actions += verdict.reply
        if verdict.kind == SOLVED:
            break
    assert verdict.kind == SOLVED
    with pytest.raises(IllegalAction):
        hint(puzzle, actions, PLACE)


def test_the_hints_of_a_number_name_rolls_that_can_be_played() -> None:
    puzzle = next(each for each in EVERY if each.theme in COUNTED)
    first, second = hint(puzzle, [], PLACE), hint(puzzle, [], ACTION)
    assert (first.action, second.action) == (None, puzzle.answer)
    assert str(second.said).count(",") == int(puzzle.answer) - 1


def test_after_a_wrong_action_there_is_no_hint() -> None:
    puzzle = next(each for each in EVERY if each.theme == "only_draw")
    wrong = next(text for text in puzzle.start.actions() if text not in right_actions(puzzle))
    with pytest.raises(IllegalAction, match="try again"):
        hint(puzzle, [wrong], PLACE)


@pytest.mark.parametrize("puzzle", sampled(EVERY, 1))
def test_the_reasons_name_every_other_action_and_can_be_played(puzzle: Puzzle) -> None:
    why = reasons_of(puzzle)
    assert why.said
    for each in why.tries:
        played(puzzle, each.line)
        assert puzzle.theme in COUNTED or "+".join(each.line).startswith(each.actions[0])
    named_ones = [action for each in why.tries for action in each.actions]
    if puzzle.tree is not None:
        assert sorted(named_ones) == sorted(set(puzzle.start.actions()) - right_actions(puzzle))
    elif puzzle.theme in COUNTED:
        assert named_ones == ["1", "2", "3", "4", "5", "6"]
    else:
        assert all(judge(puzzle, turn.split("+")).kind == WRONG for turn in named_ones)
        assert bool(named_ones) <= (puzzle.goal is not None)


def test_reasons_count_the_actions_that_keep_the_result() -> None:
    puzzle = next(each for each in shipped_puzzles("chefa") if each.theme == "only_draw")
    said = str(reasons_of(puzzle).said[0])
    assert said == f"Legal actions: {puzzle.actions}; winning: 0, drawing: 1, losing: {puzzle.actions - 1}."
    forbidding = next(each for each in shipped_puzzles("badia") if each.theme == "only_draw")
    assert "by the table" in str(reasons_of(forbidding).said[0])


def test_the_rating_of_a_puzzle_grows_with_its_difficulty() -> None:
    ratings: dict[int, list[int]] = {}
    for puzzle in EVERY:
        ratings.setdefault(puzzle.difficulty, []).append(puzzle.rating)
    for difficulty, found in ratings.items():
        assert 600 + 200 * difficulty <= min(found)
        assert max(found) <= 720 + 200 * difficulty


# Files


def test_a_file_is_read_as_it_was_written() -> None:
    for name in damier.games():
        puzzles = shipped_puzzles(name)
        text = puzzles_text(puzzles)
        assert read_puzzles(text) == puzzles
        assert len(text.splitlines()) == len(puzzles) + 2


def damaged(data: Any, chance: random.Random) -> Any:
    """Returns data in which something is replaced, left out or cut."""
    odd: list[Any] = [None, -1, 0, 10**30, "", "x", "=", [], {}, [[]], True, 1.5, "a1-a2", {"right": {}}]
    if isinstance(data, dict) and data and chance.random() < 0.85:
        key = chance.choice(list(data))
        if chance.random() < 0.2:
            return {name: value for name, value in data.items() if name != key}
        return {**data, key: damaged(data[key], chance)}
    if isinstance(data, list) and data and chance.random() < 0.7:
        place = chance.randrange(len(data))
        return [damaged(each, chance) if i == place else each for i, each in enumerate(data)]
    return chance.choice(odd)


@pytest.mark.parametrize("name", damier.games())
def test_a_damaged_puzzle_is_refused_in_one_sentence_or_harmless(name: str) -> None:
    chance = random.Random(name)
    samples = [puzzle.data() for puzzle in shipped_puzzles(name)[::9]]
    refusals = 0
    for _ in range(300):
        text = json.dumps({"format": 1, "puzzles": [damaged(chance.choice(samples), chance)]})
        try:
            read_puzzles(text)
        except BadPuzzle as error:
            refusals += 1
            assert str(error)
            assert "\n" not in str(error)
    assert refusals > 200


def test_a_damaged_text_is_refused_in_one_sentence() -> None:
    text = puzzles_text(shipped_puzzles("chefa")[:3])
    chance = random.Random(1)
    for _ in range(300):
        place = chance.randrange(len(text))
        broken = text[:place] + chance.choice(["", "}", "[", '"', "9", "\x00", "é"]) + text[place + 1 :]
        try:
            read_puzzles(broken)
        except BadPuzzle as error:
            assert "\n" not in str(error)
    for other in ("", "[]", "{}", '{"puzzles": [], "format": 2}', "[" * 100_000, text[:-20]):
        with pytest.raises(BadPuzzle):
            read_puzzles(other)
    first = text.splitlines()[1].rstrip(",")
    with pytest.raises(BadPuzzle, match="twice"):
        read_puzzles(f'{{"format":1,"puzzles":[{first},{first}]}}')


# Making


@pytest.fixture(scope="module")
def small_table() -> Path:
    return built_table(damier.load("renfa", bombs=3)).folder


@pytest.mark.slow
def test_puzzles_are_made_from_a_table(small_table: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(folders, "table_folder", lambda: small_table)
    file = tmp_path / "made.json"
    options = ["-o", "bombs=3", "--make", "--count", "2", "--seed", "3"]
    assert "2 puzzles" in run("puzzles", "renfa", *options, "--out", str(file))
    made = read_puzzles(file.read_text(encoding="utf-8"))
    assert len(made) == 2
    for puzzle in made:
        assert puzzle.options["bombs"] == 3
        if puzzle.value.startswith("+") and (puzzle.distance or 0) <= 5:
            found = Force(puzzle.loaded)
            position, plies = puzzle.start, puzzle.distance or 0
            winning = {text for text in position.actions() if found.wins(position, text, plies)}
            assert winning == right_actions(puzzle)
    again = run("puzzles", "renfa", *options, "--json")
    assert [json.loads(line)["id"] for line in again.splitlines()] == [puzzle.id for puzzle in made]
    assert len(run("puzzles", "renfa", "--file", str(file)).splitlines()) == 4


def test_an_interrupted_search_keeps_what_it_has_found(
    small_table: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(folders, "table_folder", lambda: small_table)
    games = []
    search = PuzzleMaker._add_game

    def interrupted(self: PuzzleMaker, count: int) -> None:
        games.append(count)
        if len(games) > 12:
            raise KeyboardInterrupt
        search(self, count)

    monkeypatch.setattr(maker.PuzzleMaker, "_add_game", interrupted)
    file = tmp_path / "made.json"
    status, out, err = called("puzzles", "renfa", "-o", "bombs=3", "--make", "--count", "50", "--out", str(file))
    assert (status, out, err) == (130, "", "damier: stopped.\n")
    assert 0 < len(read_puzzles(file.read_text(encoding="utf-8"))) < 50


def test_without_a_table_the_command_says_how_to_build_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(folders, "table_folder", lambda: tmp_path)
    assert "'damier solve renfa -o bombs=4'" in refused("puzzles", "renfa", "-o", "bombs=4", "--make")
    assert "cannot be solved" in refused("puzzles", "renfa", "-o", "size=6", "--make")
    assert "cannot be solved" in refused("puzzles", "omba", "-o", "players=3", "--make")
    with pytest.raises(TableMissing):
        PuzzleMaker(damier.load("chefa"))


# The command


def test_the_command_lists_what_is_asked_for() -> None:
    lines = run("puzzles", "chefa", "--theme", "win", "--difficulty", "2", "--count", "3", "--json").splitlines()
    assert len(lines) == 3
    for line in lines:
        data = json.loads(line)
        assert (data["theme"], data["difficulty"]) == ("win", 2)
    text = run("puzzles", "badia", "--count", "2", "--lang", "fr")
    assert len(text.splitlines()) == 4
    with_answers = run("puzzles", "badia", "--count", "2", "--answers")
    assert shipped_puzzles("badia")[0].answer in with_answers
    assert len(with_answers.splitlines()) == 6


def test_every_puzzle_of_a_list_is_one_line_of_json() -> None:
    for name in damier.games():
        lines = run("puzzles", name, "--json").splitlines()
        assert [json.loads(line)["id"] for line in lines] == [puzzle.id for puzzle in shipped_puzzles(name)]


def test_the_command_refuses_in_one_sentence(tmp_path: Path) -> None:
    assert "theme" in refused("puzzles", "chefa", "--theme", "x")
    assert "difficulty" in refused("puzzles", "chefa", "--difficulty", "6")
    assert "count" in refused("puzzles", "chefa", "--count", "0")
    assert "--make" in refused("puzzles", "renfa", "-o", "bombs=7")
    assert "not both" in refused("puzzles", "chefa", "--make", "--file", "x")
    assert "cannot be read" in refused("puzzles", "chefa", "--file", str(tmp_path / "none"))
    assert "cannot be written" in refused("puzzles", "chefa", "--out", str(tmp_path / "none" / "x"))
    assert "cannot be written" in refused("puzzles", "chefa", "--out", str(tmp_path))
    (tmp_path / "odd").write_bytes(b"\xff\xfe")
    assert "UTF-8" in refused("puzzles", "chefa", "--file", str(tmp_path / "odd"))
    (tmp_path / "odd").write_text("{}")
    assert "not a file of puzzles" in refused("puzzles", "chefa", "--file", str(tmp_path / "odd"))


def test_a_reader_that_has_seen_enough_ends_the_list_quietly() -> None:
    command = [sys.executable, "-m", "damier", "puzzles", "chefa", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert json.loads(process.stdout.readline())
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
