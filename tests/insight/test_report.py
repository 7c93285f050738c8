"""Reports on solved games: what the page says is what the table says, and every line on it can be played."""

import argparse
import dataclasses
import json
import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from xml.etree import ElementTree

import pytest

import damier
from damier.cli.commands import report as report_command
from damier.core.errors import BadArgument
from damier.core.game import Game
from damier.core.kernel.contract import REPETITION_FORBIDDEN
from damier.core.options import Options
from damier.core.position import Position
from damier.core.traits import Traits
from damier.insight.report.best_play import best_actions, best_line
from damier.insight.report.entries import EXAMPLES, SAMPLE, pick_entries
from damier.insight.report.facts import OutcomeFact, OutcomeSolution
from damier.insight.report.page import Report, report_name
from damier.insight.report.pictures import distance_graph, heat_map
from damier.insight.report.report import make_report, write_report
from damier.insight.report.sample import judge_sample
from damier.solve.codes import FREE
from damier.solve.tables import TableMissing, Tables
from damier.solve.value import TableValue
from damier.teach.rules.pages import pictures
from tests.shared import built_table

GAME = damier.load("renfa", bombs=3)
SVG = "{http://www.w3.org/2000/svg}"


def shown(_share: float, _note: str = "") -> None:
    pass


@pytest.fixture(scope="module")
def tables() -> Tables:
    return built_table(GAME)


@pytest.fixture(scope="module")
def facts(tables: Tables) -> OutcomeSolution:
    facts = make_report(tables, shown).facts
    assert isinstance(facts, OutcomeSolution)
    return facts


@pytest.fixture(scope="module")
def page(facts: OutcomeSolution, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Report(GAME, facts).write(tmp_path_factory.mktemp("solutions"))


def with_game(tables: Tables, **changes: Any) -> Tables:
    """Returns the same table for a game that differs in something."""
    return Tables(Game(dataclasses.replace(GAME.definition, **changes), **GAME.options), tables.folder)


def forbidding(options: Options) -> Traits:
    """Returns the traits of a game that forbids returns."""
    return dataclasses.replace(GAME.definition.traits(options), repetition=REPETITION_FORBIDDEN)


def contents(folder: Path) -> dict[str, bytes]:
    """Returns all files of a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def section(page: Path, title: str) -> str:
    """Returns what stands under a title."""
    parts = re.split(r"(?m)^## ", page.read_text(encoding="utf-8"))
    return next(part for part in parts if part.startswith(title))


def line_of(text: str) -> list[tuple[str, int]]:
    """Returns the actions of a line with the plies that are left after each."""
    rows = re.findall(r"(?m)^\| \d+ \|.*$", text)
    return [(action, int(left)) for row in rows for action, left in re.findall(r"`([^`]+)` (\d+)", row)]


def test_the_page_says_the_value_that_the_table_says(tables: Tables, page: Path) -> None:
    value = tables.probe_value(GAME.start)
    assert value.outcome == "draw"
    assert "**With best play by both players, nobody wins: the game is a draw.**" in section(page, "What is known")
    assert f"All {len(GAME.start.actions())} actions of Black are equally good: draw." in section(page, "First actions")
    assert page.name == "renfa-bombs=3.md" == f"{report_name(GAME)}.md"
    assert report_name(damier.load(GAME.name)) == "renfa"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (OutcomeFact(outcome="win", plies=9), "Black, who moves first, wins in 9 plies."),
        (OutcomeFact(outcome="loss", plies=1), "White, who moves second, wins in 1 ply."),
    ],
)
def test_who_wins_is_said(value: OutcomeFact, said: str, facts: OutcomeSolution) -> None:
    text = Report(GAME, facts.model_copy(update={"value": value})).text
    assert f"\n\n**With best play by both players, {said}**\n\n" in text


def test_every_position_parses_and_its_actions_are_legal(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    positions = re.findall(r"(?m)^`([^`]+)`$", text) + re.findall(r'--position "(.+)"', text)
    assert len(positions) >= 2
    for position in positions:
        assert str(GAME.parse(position)) == position
    boards = pictures(GAME.name, text)
    assert {str(picture.position) for picture in boards} == set(positions)
    for picture in boards:
        assert set(picture.actions) <= set(picture.position.actions())


def test_every_line_is_legal_and_as_long_as_said(tables: Tables, page: Path) -> None:
    parts = re.split(r"(?m)^### ", section(page, "The longest wins"))[1:]
    assert 1 <= len(parts) <= EXAMPLES
    for part in parts:
        winner, length = re.findall(r"^\d+\. (\w+) wins in (\d+) plies", part)[0]
        record = GAME.record(re.findall(r"(?m)^`([^`]+)`$", part)[0])
        line = line_of(part)
        assert int(length) == len(line) == tables.file.header.longest
        for action, left in line:
            assert action == best_actions(tables.action_values(record.position))[0]
            record.play(action)
            assert tables.probe_value(record.position).plies == left
        assert record.result
        assert record.result.sentence() in part
        assert record.result.winner
        assert GAME.player_name(record.result.winner).render() == winner


def test_only_one_action_holds_where_that_is_said(tables: Tables, page: Path) -> None:
    parts = re.split(r"(?m)^### ", section(page, "Where only one action holds"))[1:]
    assert len(parts) == EXAMPLES
    for part in parts:
        position = re.findall(r"(?m)^`([^`]+)`$", part)[0]
        action, verb, count = re.findall(r"(?m)^\w+: only `(.+)` (wins|draws).*; the (\d+) others", part)[0]
        outcomes = {text: value.outcome for text, value in tables.action_values(position).items()}
        assert outcomes.pop(action) == {"wins": "win", "draws": "draw"}[verb]
        assert set(outcomes.values()) <= ({"draw", "loss"} if verb == "wins" else {"loss"})
        assert len(outcomes) == int(count)


def test_numbers_are_those_of_the_header(tables: Tables, page: Path) -> None:
    header, text = tables.file.header, page.read_text(encoding="utf-8")
    total = re.findall(r"(?m)^\| \*\*all\*\* \|(.*)\|$", text)[0]
    positions, won, drawn, lost, over, longest = (int(count.strip(" *").replace(",", "")) for count in total.split("|"))
    assert positions == won + drawn + lost + over == header.entries - header.counts["free"]
    assert (drawn, longest) == (header.counts["draw"], header.longest)
    assert won + lost + over == header.counts["win"] + header.counts["loss"]
    assert header.sha256 in text
    assert f"{tables.path.stat().st_size:,} bytes" in text
    for command in ("solve", "verify", "probe", "report"):
        assert f"damier {command} renfa -o bombs=3" in text


def test_pictures_are_well_formed_and_all_are_used(page: Path) -> None:
    used = re.findall(r"\]\((img/[^ )]+)", page.read_text(encoding="utf-8"))
    drawn = {f"img/{file.name}": file for file in (page.parent / "img").iterdir()}
    assert sorted(used) == sorted(drawn)
    ids: list[str] = []
    for file in drawn.values():
        tree = ElementTree.parse(file)
        assert tree.getroot().tag == f"{SVG}svg"
        ids += [element.get("id", "") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.slow
def test_the_same_table_gives_the_same_bytes_and_old_pictures_go(tables: Tables, page: Path, tmp_path: Path) -> None:
    images = tmp_path / "img"
    images.mkdir()
    old = [images / f"{page.stem}-{name}.svg" for name in Report.PICTURES]
    other = images / f"{GAME.name}-first.svg"
    for file in (*old, other):
        file.write_text("old")
    again = write_report(tables, tmp_path, shown)
    assert other.read_text() == "old"
    other.unlink()
    assert contents(again.parent) == contents(page.parent)


def test_a_cell_tells_its_value_in_words_and_by_shape() -> None:
    values = {"a1": TableValue("win", 3), "b2": TableValue("draw", None), "c3": TableValue("loss", 2)}
    root = ElementTree.fromstring(heat_map(GAME.start, values, ["a1"], "Test"))
    group = next(each for each in root.iter(f"{SVG}g") if each.get("class") == "values")
    cells = dict(zip(values, group, strict=True))
    for name, cell in cells.items():
        assert cell.findtext(f"{SVG}title") == f"{name}: {values[name].text().render()}"
    words = [[text.text for text in cell.iter(f"{SVG}text")] for cell in cells.values()]
    assert words == [["win", "in 3"], ["draw"], ["loss", "in 2"]]
    shapes = {path.get("d") for cell in cells.values() for path in cell.findall(f"{SVG}g/{SVG}path")}
    assert len(shapes) == 3
    assert [len(cell.findall(f"{SVG}path")) for cell in cells.values()] == [2, 1, 1]  # the best has a frame


def test_the_graph_tells_every_count_and_tells_losses_by_pattern() -> None:
    root = ElementTree.fromstring(distance_graph({1: 1, 3: 12_000}, {2: 30, 3: 7}, "Test"))
    bars = {
        (group.findtext(f"{SVG}title") or ""): group[1]
        for group in root.iter(f"{SVG}g")
        if group.get("class") in ("win", "loss")
    }
    assert set(bars) == {"1 win in 1", "12,000 win in 3", "30 lose in 2", "7 lose in 3"}
    assert float(bars["1 win in 1"].get("height", "0")) > 3
    for said, bar in bars.items():
        assert bar.get("fill", "").startswith("url(#") == ("lose" in said)
    ElementTree.fromstring(distance_graph({plies: plies for plies in range(1, 126)}, {}, "Test"))


@pytest.mark.slow
def test_without_cells_actions_are_listed(tables: Tables, tmp_path: Path) -> None:
    looks = SimpleNamespace(**vars(GAME.definition.appearance))
    looks.action_cells = lambda _rules, _action: ()
    other = with_game(tables, appearance=cast(Any, looks))
    text = write_report(other, tmp_path, shown).read_text(encoding="utf-8")
    assert "| `a1` | draw | best |" in text
    assert not list((tmp_path / "img").glob("*-first.svg"))


def beginning(tables: Tables, position: str) -> Tables:
    """Returns the same table for a game that begins with another position."""
    other = with_game(tables)
    vars(other.game)["start"] = other.game.parse(position)
    return other


@pytest.mark.slow
def test_a_game_that_is_won_is_played_out(tables: Tables, tmp_path: Path) -> None:
    start = pick_entries(tables, shown).longest[0]
    path = write_report(beginning(tables, str(start)), tmp_path, shown)
    text = section(path, "What is known")
    length = tables.file.header.longest
    assert f"Black, who moves first, wins in {length} plies." in text
    record = GAME.record(start)
    for action, _ in line_of(text):
        record.play(action)
    assert len(record.played) == length
    assert record.result
    assert f"\n{record.result.sentence()}\n" in text
    assert [str(picture.position) for picture in pictures(GAME.name, text)] == [str(record.position)]


@pytest.mark.slow
def test_the_first_choice_that_matters_is_shown(tables: Tables, tmp_path: Path) -> None:
    other = beginning(tables, "5/5/W4/5/B4 b 2,2")
    text = section(write_report(other, tmp_path, shown), "First actions").split("### The first choice that matters")[1]
    record = other.game.record()
    for action in re.findall("`([^`]+)`", text.split("each the first of the best actions")[0]):
        assert len({value.outcome for value in tables.action_values(str(record.position)).values()}) == 1
        record.play(action)
    values = tables.action_values(str(record.position))
    said = {value: re.findall("`([^`]+)`", texts) for value, texts in re.findall(r"(?m)^- (.*?): (.*)$", text)}
    assert {action: value for value, actions in said.items() for action in actions} == {
        action: value.text().render() for action, value in values.items()
    }
    assert len({value.outcome for value in values.values()}) > 1
    assert (tmp_path / "img" / f"{report_name(other.game)}-choice.svg").exists()


def test_a_line_that_returns_is_said_not_to_be_playable(
    tables: Tables, facts: OutcomeSolution, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = with_game(tables, traits=forbidding)
    start = pick_entries(other, shown).longest[0]
    assert best_line(other, start).forbidden is None
    monkeypatch.setattr(other.game.kernels, "situation", lambda _rules, _state: (0, 0, 0))  # all are alike
    line = best_line(other, start)
    assert line.forbidden == 1
    assert len(line.actions) == other.file.header.longest
    longest = facts.longest_wins.model_copy(update={"lines": [line]})
    text = Report(GAME, facts.model_copy(update={"longest_wins": longest})).text
    assert f"**But this line cannot be played:** action 1, `{line.actions[0]}` by Black, " in text


def test_a_rule_against_returns_is_minded(tables: Tables, tmp_path: Path) -> None:
    other = with_game(tables, traits=forbidding)
    text = write_report(other, tmp_path, shown).read_text(encoding="utf-8")
    assert "**By the table, with best play by both players, nobody wins: the game is a draw.**" in text
    assert "A win within 3 plies is certain" in text
    assert "No action of this line returns to an earlier situation." in text


def test_the_pass_over_all_entries_picks_what_a_plain_loop_finds(tables: Tables) -> None:
    entries = pick_entries(tables, shown)
    longest, undecided = [], set()
    for place in range(len(tables.file)):
        code = tables.file.read(place)
        if code not in (FREE, 127, 128):
            undecided.add(place)
            if code % 128 == tables.file.header.longest:
                longest.append(Position(GAME, tables.numbering.state(place)))
    assert entries.undecided == len(undecided)
    assert len(set(entries.sample)) == len(entries.sample) == SAMPLE
    assert set(entries.sample) <= undecided
    assert list(entries.longest) == longest[:EXAMPLES]


def test_the_sample_is_judged_as_one_position_after_another_would_be(tables: Tables) -> None:
    places = sorted(random.Random(5).sample(pick_entries(tables, shown).sample, 300))
    found = judge_sample(tables, places, len(places), shown)
    wins = draws = quick = 0
    for place in places:
        values = list(tables.action_values(Position(GAME, tables.numbering.state(place))).values())
        outcomes = [value.outcome for value in values]
        if len(values) > 1 and outcomes.count("win") == 1:
            wins += 1
            quick += any(value == TableValue("win", 1) for value in values)
        elif len(values) > 1 and outcomes.count("win") == 0 and outcomes.count("draw") == 1:
            draws += 1
    assert (found.size, found.wins, found.quick, found.draws) == (300, wins, quick, draws)
    assert wins
    assert draws


def test_a_draw_at_once_is_as_good_as_any_draw() -> None:
    values = {"b": TableValue("draw", 1), "a": TableValue("draw", None), "c": TableValue("loss", 8)}
    assert best_actions(values) == ["a", "b"]


def chosen(folder: Path, *, is_json: bool = False) -> argparse.Namespace:
    return argparse.Namespace(game=GAME.name, options=["bombs=3"], folder=str(folder), json=is_json, lang="en")


def test_the_command_writes_the_page_and_tells_the_facts(
    tables: Tables, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(tables.folder.parent))
    report_command.run(chosen(tmp_path / "new" / "folder", is_json=True))
    told = json.loads(capsys.readouterr().out)
    assert Path(told["page"]).read_bytes() == page.read_bytes()
    for_black = {"player": "b", "chance": 0.5}
    assert told["value"] == {"value": "draw", "winner": None, "distance": None, "unit": "plies", **for_black}
    assert told["sha256"] == tables.file.header.sha256
    report_command.run(chosen(tmp_path))
    assert capsys.readouterr().out == f"{tmp_path / page.name}\nValue of the first position: draw.\n"
    with pytest.raises(BadArgument, match=r"^The folder .* cannot be written: "):
        report_command.run(chosen(tmp_path / page.name))


def test_without_a_table_the_command_says_how_to_build_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    said = r"^The table of .* has not been built; 'damier solve renfa -o bombs=3' does that in about a minute\.$"
    with pytest.raises(TableMissing, match=said):
        report_command.run(chosen(tmp_path / "solutions"))
    with pytest.raises(TableMissing, match=said):
        write_report(Tables(GAME, tmp_path), tmp_path / "solutions", shown)
    assert list(tmp_path.iterdir()) == []
