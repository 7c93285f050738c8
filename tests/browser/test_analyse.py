"""The analysis board: a tree of variations, records, links, positions set up, and the engine."""

from __future__ import annotations

import contextlib
import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, WebSocketRoute, expect
from playwright.sync_api import TimeoutError as NotInTime

import damier
from damier.transcript.text_format import parse_transcript
from damier.transcript.tree import Transcript
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]

TEXT = """[Game "chefa"]
[Players "Ann; Bob"]

1. a1 2. e5 {so far} (2. b2 3. c1) 3. b2
"""


def analyse(arrive: Arrive, address: str, **settings: Any) -> Visitor:
    """Comes to an analysis board and waits until one can play on it."""
    visitor = arrive(reduced_motion="reduce", **settings)
    visitor.page.goto(f"/analyse/{address}")
    ready(visitor.page)
    return visitor


def ready(page: Page) -> None:
    expect(page.locator(".board .open").or_(page.locator(".under button")).first).to_be_visible()


def moves(page: Page) -> list[str]:
    return page.locator(".moves .move").all_inner_texts()


def now(page: Page) -> str:
    return page.locator(".moves [aria-current]").inner_text()


def play(visitor: Visitor, *cells: str) -> None:
    """Clicks cells, each of which is an action."""
    for cell in cells:
        ready(visitor.page)
        visitor.click(cell)
        expect(visitor.page.locator(".moves [aria-current]")).to_have_text(cell)


def step(page: Page, key: str, at: str | None) -> None:
    page.keyboard.press(key)
    here = page.locator(".moves [aria-current]")
    expect(here).to_have_text(at) if at else expect(here).to_have_count(0)


def tab(page: Page, name: str) -> None:
    """Shows a part of the analysis; the page on which one chooses a game has no tabs."""
    found = page.get_by_role("tab", name=name, exact=True)
    if found.count():
        found.click()


def set_up(page: Page) -> None:
    tab(page, "Edit")
    page.get_by_role("button", name="Set up a position").click()


def read(page: Page, text: str) -> None:
    """Opens a record that is pasted."""
    tab(page, "Save")
    fold = page.locator("details").filter(has=page.get_by_text("Open a record", exact=True))
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    fold.get_by_label("Record").fill(text)
    fold.get_by_role("button", name="Open", exact=True).click()


def fold(page: Page, name: str) -> None:
    summary = page.locator("summary").get_by_text(name, exact=True)
    for _ in range(6):
        tab(page, "Save")
        with contextlib.suppress(NotInTime):  # the page may just be drawn anew, with its first tab
            summary.click(timeout=5_000)
            return
    raise AssertionError(f"{name} is not shown")


def downloaded(page: Page, button: str) -> bytes:
    """Clicks a button and returns the file that it saves."""
    with page.expect_download() as waiting, tempfile.TemporaryDirectory() as folder:
        page.get_by_role("button", name=button).click()
        waiting.value.save_as(Path(folder) / "file")
        return (Path(folder) / "file").read_bytes()


def written(page: Page) -> Transcript:
    """The record as a text file."""
    return parse_transcript(downloaded(page, "Text file").decode(), damier.load)


# The tree by itself

TREE = """async () => {
  const tree = await import("/static/pages/analyse/tree.js");
  const {add, alternative, fromBranches, isMain, makeRoot, nodesOf, paragraphs, path, promote, toBranches} = tree;
  const names = (nodes) => nodes.map(({action}) => action).join(" ");
  const root = makeRoot();
  const a = add(root, {action: "a", turn: 1}), b = add(a, {action: "b", turn: 1}), c = add(b, {action: "c", turn: 2});
  const x = add(a, {action: "x", turn: 1, comment: "other"}), y = add(x, {action: "y", turn: 2});
  const found = {again: add(a, {action: "x"}) === x, path: names(path(y)), line: names(tree.lineThrough(a))};
  found.all = names(nodesOf(root));
  const turnText = ({turn, isFirst, nodes}) => turn + (isFirst ? "." : "…") + " " + names(nodes);
  const print = () => paragraphs(root).map(({depth, turns}) => depth + ": " + turns.map(turnText).join(" "));
  found.printed = print();
  found.down = alternative(c, 1)?.action;
  found.up = alternative(y, -1)?.action;
  found.none = alternative(a, 1);
  found.isMain = [isMain(c), isMain(y)];
  const taken = tree.remove(b);
  found.without = print();
  tree.restore(taken);
  found.promoted = [promote(y), promote(y)];
  found.after = print();
  const twin = fromBranches(JSON.parse(JSON.stringify(toBranches(root))))[0];
  found.twin = JSON.stringify(toBranches(twin)) === JSON.stringify(toBranches(root));
  let deep = makeRoot();
  const top = deep;
  for (let i = 0; i < 5000; i++) {
    const child = add(deep, {action: "m" + i, turn: i + 1});
    if (i % 2) add(deep, {action: "v" + i, turn: i + 1});
    deep = child;
  }
  found.deep = [nodesOf(top).length, paragraphs(top).length, fromBranches(toBranches(top)).length, path(deep).length];
  return found;
}"""


def test_a_tree_is_gone_about_and_changed(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.page.goto("/analyse")
    expect(visitor.page.locator("a.card")).to_have_count(5)
    assert visitor.page.evaluate(TREE) == {
        "again": True,
        "path": "a x y",
        "line": "a b c",
        "all": " a b c x y",
        "printed": ["0: 1. a b", "1: 1… x 2. y", "0: 2. c"],
        "down": "x",
        "up": "b",
        "none": None,
        "isMain": [True, False],
        "without": ["0: 1. a x 2. y"],
        "promoted": [True, False],
        "after": ["0: 1. a x", "1: 1… b 2. c", "0: 2. y"],
        "twin": True,
        "deep": [7501, 5000, 7501, 5000],
    }


# Playing


def test_other_ways_become_variations(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    play(visitor, "a1", "b2", "c1")
    step(page, "ArrowLeft", "b2")
    step(page, "ArrowLeft", "a1")
    play(visitor, "e5")
    assert moves(page) == ["a1", "b2", "e5", "c1"]
    expect(page.locator(".moves .depth-1 .move")).to_have_text("e5")
    step(page, "ArrowUp", "b2")
    step(page, "End", "c1")
    step(page, "Home", None)
    step(page, "ArrowRight", "a1")
    play(visitor, "e5")
    assert moves(page) == ["a1", "b2", "e5", "c1"], "What is known is not added again."
    page.get_by_role("button", name="Move up").click()
    expect(page.locator(".moves .depth-1 .move")).to_have_text(["b2", "c1"])
    page.get_by_label("Comment").fill("the other corner")
    page.get_by_label("Comment").blur()
    expect(page.locator(".moves .comment")).to_have_text("the other corner")
    step(page, "Delete", "a1")
    assert moves(page) == ["a1", "b2", "c1"]
    page.get_by_role("button", name="Bring back").click()
    expect(page.locator(".moves [aria-current]")).to_have_text("e5")
    fold(page, "Save and share")
    transcript = written(page)
    assert transcript.text().split("\n\n")[1] == "1. a1 2. e5 {the other corner} (2. b2 3. c1)\n"


def test_arrows_go_from_cell_to_cell_for_one_who_came_by_keys(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    play(visitor, "a1", "b2")
    step(page, "ArrowLeft", "a1")
    page.keyboard.press("Tab")
    visitor.cell("c5").focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.cell") == "b5"
    page.keyboard.press("Enter")
    expect(page.locator(".moves [aria-current]")).to_have_text("b5")


def test_the_actions_of_a_turn_stand_together(arrive: Arrive) -> None:
    visitor = analyse(arrive, "sensei")
    page = visitor.page
    for first, second, text in (("a1", "a2", "a1-a2"), ("d1", "c1", "d1^c1")):
        ready(page)
        visitor.click(first)
        visitor.click(second)
        expect(page.locator(".moves [aria-current]")).to_have_text(text)
    page.get_by_role("button", name="End turn").click()
    expect(page.locator(".moves [aria-current]")).to_have_text("end")
    ready(page)
    visitor.click("g7")
    visitor.click("g6")
    expect(page.locator(".moves .turn")).to_have_text(["1.a1-a2d1^c1end", "2.g7-g6"])


def test_rolls_are_chosen_and_shown_as_dice(arrive: Arrive) -> None:
    visitor = analyse(arrive, "omba?players=3")
    page = visitor.page
    page.get_by_role("button", name="Roll 3").click()
    expect(page.locator(".moves .die")).to_have_attribute("aria-label", re.compile("3"))
    expect(page.locator(".tray")).to_be_visible()
    field = page.get_by_label("Type an action")
    field.fill("@b3")
    field.press("Enter")
    expect(page.get_by_role("button", name="Roll 6")).to_be_visible()
    expect(page.locator(".moves [aria-current]")).to_have_text("@b3")
    expect(page.locator(".dice .die")).to_have_count(0)
    page.get_by_role("button", name="One back").click()
    expect(page.locator(".dice .die")).to_be_visible()


def test_what_cannot_be_played_is_answered_with_the_reason(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    visitor.click("c3")
    expect(visitor.page.locator(".board-place").get_by_role("alert")).to_contain_text("centre")


def test_options_are_in_the_address_and_in_a_form(arrive: Arrive) -> None:
    visitor = analyse(arrive, "renfa?bombs=3")
    page = visitor.page
    play(visitor, "a1", "b1", "c1", "d1", "e1", "a3")
    expect(page.locator(".moves .move")).to_have_count(6)
    tab(page, "Edit")
    page.get_by_text("Options of the game").click()
    page.get_by_label("size").fill("9")
    page.get_by_role("button", name="Begin with these options").click(force=True)
    expect(page).to_have_url(re.compile(r"bombs=3$"))
    page.get_by_label("size").fill("6")
    page.get_by_role("button", name="Begin with these options").click()
    expect(page).to_have_url(re.compile(r"/analyse/renfa\?size=6&bombs=3$"))
    expect(visitor.cell("f6")).to_be_attached()


def test_a_language_can_be_chosen_without_a_loss(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    play(visitor, "a1", "b2")
    visitor.page.locator("select[name=lang]").select_option("de")
    expect(visitor.page.get_by_role("button", name="Ab hier löschen")).to_be_visible()
    assert moves(visitor.page) == ["a1", "b2"]
    expect(visitor.page.locator(".moves [aria-current]")).to_have_text("b2")


def long_game(name: str, length: int) -> list[str]:
    """Returns a random game of `length` actions."""
    for seed in range(1000):
        rng, record = random.Random(seed), damier.load(name).record()
        while not record.result and len(record.played) < length:
            record.play(rng.choice(record.actions()))
        if len(record.played) == length:
            return list(record.played)
    raise AssertionError


def test_a_long_game_is_asked_for_once(arrive: Arrive) -> None:
    visitor = analyse(arrive, "sensei")
    page = visitor.page
    read(page, " ".join(long_game("sensei", 200)))
    expect(page.locator(".moves .move")).to_have_count(200)
    ready(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    shown = page.evaluate(
        """async () => {
          const shown = new Set();
          const key = {key: "ArrowRight", bubbles: true, cancelable: true};
          for (let i = 0; i < 200; i++) {
            document.body.dispatchEvent(new KeyboardEvent("keydown", key));
            await new Promise((next) => requestAnimationFrame(next));
            shown.add(document.querySelector(".moves [aria-current]")?.dataset.node);
          }
          return shown.size;
        }"""
    )
    assert shown >= 199
    expect(page.locator(".moves .move").last).to_have_attribute("aria-current", "step")
    assert not [url for url in asked if "lines/states" in url], "The boards of the line came when it was opened."


# Positions


def test_a_position_is_set_up_by_clicks(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    set_up(page)
    dialog = page.get_by_role("dialog")
    text, use = dialog.get_by_label("Position string"), dialog.get_by_role("button", name="Use this position")
    cell = dialog.locator('[role="gridcell"]')
    expect(text).to_have_value("5/5/5/5/5 b 4,4 -")
    dialog.locator('[data-cell="a1"]').click()
    expect(text).to_have_value("5/5/5/5/B4 b 3,4 -")
    expect(dialog.get_by_role("status")).to_contain_text("do not fit the side to move")
    expect(use).to_be_disabled()
    dialog.get_by_label("To move").select_option("w")
    expect(text).to_have_value("5/5/5/5/B4 w 3,4 -")
    expect(use).to_be_enabled()
    assert cell.count() == 25
    use.click()
    expect(page.locator(".status .now")).to_have_text("White to move")
    expect(visitor.cell("a1")).to_have_attribute("aria-label", "a1, black pawn")
    play(visitor, "e5")
    fold(page, "Save and share")
    assert str(written(page).start) == "5/5/5/5/B4 w 3,4 -"


def test_stacks_are_set_up_and_a_wrong_text_is_refused_with_the_reason(arrive: Arrive) -> None:
    visitor = analyse(arrive, "omba")
    page = visitor.page
    set_up(page)
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_label("Position string")
    expect(text).to_have_value("-,-,-/-,-,-/-,-,- 1 6,6 - -")
    for look in ("blue piece", "yellow piece"):
        dialog.get_by_label(look).check(force=True)
        dialog.locator('[role="gridcell"][data-cell="b1"]').click()
    expect(text).to_have_value("-,-,-/-,-,-/-,12,- 1 5,5 - -")
    dialog.get_by_label("Remove").check(force=True)
    dialog.locator('[role="gridcell"][data-cell="b1"]').click()
    expect(text).to_have_value("-,-,-/-,-,-/-,1,- 1 5,6 - -")
    text.fill("-,-,-/-,-,-/-,1,- 1 5,6 7 -")
    expect(dialog.get_by_role("status")).to_have_text("The die is - or a number from 1 to 6, not '7'.")
    text.fill("-,-,-/-,-,-/-,1,- 2 5,6 4 -")
    expect(dialog.get_by_label("To move")).to_have_value("2")
    dialog.get_by_role("button", name="Use this position").click()
    expect(page.locator(".status")).to_contain_text("Die: 4")


# Every part of a position, set once by the tools alone: the tool, then the cells; a field, then its choice.
SETTING = {
    "renfa?bombs=3": (
        [("black bomb", "a1"), ("white bomb", "b2")],
        [("Black: in hand", "0"), ("White: in hand", "0"), ("To move", "w")],
        "5/5/5/1W3/B4 w 0,0",
    ),
    "chefa": (
        [("black pawn", "a1 b2 d4 e4"), ("white pawn", "a5 b5 d1 e2"), ("Swap just made", "a1 d1")],
        [("To move", "w")],
        "WW3/3BB/5/1B2W/B2W1 w 0,0 a1,d1",
    ),
    "badia": (
        [
            ("black pawn", "a1 c1 e1 b1 d1"),
            ("white pawn", "a5 e3 c5 a3"),
            ("Marker of Black", "c1"),
            ("Marker of White", "a5"),
        ],
        [("To move", "w"), ("White: in hand", "0"), ("Waiting pawn", "p")],
        None,
    ),
    "sensei": (
        [("Remove", "a1 a7"), ("green stone", "a2"), ("red stone", "a6"), ("Sage", "a2"), ("Monkey", "a6")],
        [("Left in this turn", "1,0"), ("To move", "r")],
        None,
    ),
    "omba?players=3": (
        [("blue piece", "b1 c1"), ("yellow piece", "b1")],
        [("Player 3", ""), ("To move", "2"), ("Die", "1")],
        None,
    ),
}


@contextlib.contextmanager
def answered(page: Page) -> Iterator[None]:
    """Waits until the editor has shown the answer to what is done meanwhile."""
    with page.expect_response("**/api/records/setup*"):
        yield
    page.wait_for_timeout(60)


@pytest.mark.parametrize("board", SETTING)
def test_every_part_of_a_position_is_set_by_a_tool(arrive: Arrive, board: str) -> None:
    placed, chosen, wanted = SETTING[board]
    visitor = analyse(arrive, board)
    page = visitor.page
    set_up(page)
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_label("Position string")
    expect(text).not_to_have_value("")
    first = text.input_value()
    for tool, cells in placed:
        dialog.locator(".looks label", has_text=tool).locator("input").check(force=True)
        for cell in cells.split():
            with answered(page):
                dialog.locator(f'[role="gridcell"][data-cell="{cell}"]').click(force=True)
    for label, value in chosen:
        field = dialog.locator("label.field").filter(has=page.get_by_text(label, exact=True))
        with answered(page):
            if not value:
                dialog.get_by_role("button", name=label).click()
            elif label.endswith("in hand"):
                field.locator("input").fill(value)
                field.locator("input").blur()
            else:
                field.locator("select").select_option(value)
    expect(dialog.locator(".problem")).to_have_text("")
    use = dialog.get_by_role("button", name="Use this position")
    expect(use).to_be_enabled()
    found = text.input_value()
    changed = [after != before for after, before in zip(found.split(" "), first.split(" "), strict=True)]
    assert all(changed), "Every field of the string is another one than at the start."
    if wanted:
        assert found == wanted
    use.click()
    fold(page, "Save and share")
    assert str(written(page).start) == found


# Records and links


def test_a_record_is_opened_and_saved_again(arrive: Arrive) -> None:
    visitor = analyse(arrive, "badia")
    page = visitor.page
    read(page, TEXT)
    expect(page).to_have_url(re.compile("/analyse/chefa$"))
    expect(page.locator(".moves .move")).to_have_text(["a1", "e5", "b2", "c1", "b2"])
    ready(page)
    fold(page, "Save and share")
    assert written(page) == parse_transcript(TEXT, damier.load)
    data = json.loads(downloaded(page, "JSON file"))
    assert Transcript.from_json(data, damier.load) == parse_transcript(TEXT, damier.load)
    read(page, json.dumps(data))
    expect(page.locator(".moves .comment")).to_have_text("so far")


def test_a_damaged_record_is_refused_in_one_sentence(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    visitor.may_fail = True
    read(visitor.page, "a1 b2\na1")
    expect(visitor.page.get_by_text("Line 2: the action a1 is refused: There is already a pawn on a1.")).to_be_visible()
    assert moves(visitor.page) == []


def test_a_list_of_actions_is_opened_without_naming_its_game(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    page.goto("/analyse")
    visitor.may_fail = True
    read(page, "a1 e5")
    expect(page.get_by_text("These actions fit several games: Renfa-Bomba, Chefa, Badia.")).to_be_visible()
    visitor.may_fail = False
    page.get_by_label("Game, for a plain list of actions").select_option("Badia")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page).to_have_url(re.compile("/analyse/badia$"))
    expect(page.locator(".moves .move")).to_have_text(["a1", "e5"])
    ready(page)
    page.goto("/analyse")
    read(page, "a1-a2 end")
    expect(page).to_have_url(re.compile("/analyse/sensei$"))
    ready(page)


def test_a_file_may_hold_several_games_and_be_dropped(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    page.goto("/analyse")
    page.get_by_text("Open a record", exact=True).click()
    both = TEXT + '\n[Game "badia"]\n\n1. a1 2. b1\n'
    page.get_by_label("File").set_input_files({"name": "two.txt", "mimeType": "text/plain", "buffer": both.encode()})
    page.get_by_label("There are 2 games in it.").select_option("2")
    page.get_by_role("button", name="Open this one").click()
    expect(page).to_have_url(re.compile("/analyse/badia$"))
    expect(page.locator(".moves .move")).to_have_text(["a1", "b1"])
    ready(page)
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "one.txt"));
          const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
          document.querySelector(".table").dispatchEvent(drop);
        }""",
        TEXT,
    )
    expect(page.locator(".moves .move")).to_have_count(5)
    ready(page)


def test_a_link_carries_the_whole_tree(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    read(page, TEXT)
    expect(page.locator(".moves .move")).to_have_count(5)
    ready(page)
    fold(page, "Save and share")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Link to this analysis").input_value()
    friend = arrive()
    friend.page.goto(link)
    expect(friend.page.locator(".moves .move")).to_have_text(["a1", "e5", "b2", "c1", "b2"])
    expect(friend.page.locator(".moves .comment")).to_have_text("so far")
    ready(friend.page)
    for damaged in (link[:-12], link.split("#")[0] + "#r=%%%", link.split("#")[0] + "#r="):
        other = arrive()
        other.may_fail = True
        other.page.goto(damaged)
        expect(other.page.locator("a.card")).to_have_count(5)
        if not damaged.endswith("="):
            expect(other.page.get_by_role("alert")).to_contain_text("The link is damaged")


def test_the_board_is_saved_as_a_picture(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    play(visitor, "a1")
    fold(page, "Save and share")
    files = {kind: downloaded(page, f"Picture as {kind}") for kind in ("SVG", "PNG")}
    assert b"black pawn" in files["SVG"]
    assert files["PNG"].startswith(b"\x89PNG")
    assert len(files["PNG"]) > 5000


def test_a_match_is_analysed(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    number = visitor.begin("renfa", ["me", "me"], bombs=5)
    for count, cell in enumerate(("a1", "b1", "c1")):
        visitor.click(cell)
        visitor.wait_until_drawn(visitor.state(after=count))
    visitor.from_menu("Analyse")
    expect(visitor.page).to_have_url(re.compile(f"/analyse/renfa.match={number}$"))
    expect(visitor.page.locator(".moves .move")).to_have_text(["a1", "b1", "c1"])
    step(visitor.page, "End", "c1")
    ready(visitor.page)


# The engine


def test_lines_are_found_and_played_into_the_tree(arrive: Arrive) -> None:
    visitor = analyse(arrive, "renfa?bombs=4")
    page = visitor.page
    panel = page.get_by_role("region", name="Best lines")
    panel.get_by_label("Lines").select_option("2")
    panel.get_by_role("button", name="Start").click()
    lines = panel.locator("li button")
    expect(lines).to_have_count(2, timeout=60_000)
    expect(panel).to_contain_text("The engine's opinion")
    expect(panel).to_contain_text("positions/s")
    expect(lines.first).to_contain_text("about")
    expect(panel.locator(".value.about").first).to_be_attached()
    expect(panel.locator(".value.exact")).to_have_count(0)
    panel.locator("li").first.locator(".said").nth(1).wait_for()
    lines.first.click()
    expect(page.locator(".moves .move").nth(1)).to_be_attached()
    assert now(page) == moves(page)[0]
    panel.get_by_role("button", name="Stop").click()
    expect(lines).to_have_count(0)


def test_the_best_lines_are_arrows_and_turns_that_the_rules_allow(arrive: Arrive) -> None:
    visitor = analyse(arrive, "sensei")
    page = visitor.page
    bar = page.locator(".evaluation")
    expect(bar).to_have_attribute("aria-label", re.compile("^Not evaluated yet"))
    panel = page.get_by_role("region", name="Best lines")
    panel.get_by_role("button", name="Start").click()
    rows = panel.locator("li button")
    expect(rows).to_have_count(3, timeout=60_000)
    expect(rows.first.locator(".said").first).to_contain_text("+", timeout=60_000)
    lines, drawn = page.evaluate(
        """() => [
          [...document.querySelectorAll(".lines-found li")].map(
            (row) => [...row.querySelectorAll(".said")].map((turn) => turn.textContent)),
          [...document.querySelectorAll(".best-arrow")].map((arrow) => arrow.dataset.action),
        ]"""
    )
    assert sorted(drawn) == sorted(line[0].split("+")[0] for line in lines)
    for line in lines:
        record = damier.load("sensei").record()
        for action in (action for turn in line for action in turn.split("+")):
            record.play(action)
    arrows = page.locator(".best-arrow")
    expect(bar).to_have_attribute("aria-label", re.compile(r"^Evaluation: about Green \d+\s%, Red \d+\s%$"))
    panel.get_by_role("switch", name="Arrows").click()
    expect(arrows).to_have_count(0)
    rows.first.focus()
    expect(arrows).to_have_count(1)
    panel.get_by_role("switch", name="Arrows").focus()
    expect(arrows).to_have_count(0)


def test_tabs_are_gone_through_by_arrows_and_moves_are_not(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    play(visitor, "a1")
    page.get_by_role("tab", name="Moves").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Save")).to_be_focused()
    expect(page.get_by_role("tab", name="Save")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.get_by_role("tab", name="Moves")).to_be_focused()
    assert now(page) == "a1", "The keys belong to the tabs, not to the tree."


def test_a_lost_analysis_is_tried_again_at_once(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.may_fail = True
    page = visitor.page
    is_down = [False]
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        if is_down[0]:
            socket.close()
            return
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket("**/api/lines/live*", connect)
    page.route("**/api/alive*", lambda route: route.abort() if is_down[0] else route.continue_())
    page.clock.install()
    page.goto("/analyse/sensei")  # its search does not end by itself
    ready(page)
    panel = page.get_by_role("region", name="Best lines")
    panel.get_by_role("button", name="Start").click()
    expect(panel.locator("li button").first).to_be_visible(timeout=60_000)
    is_down[0] = True
    sockets[-1].close()
    retry = panel.get_by_role("button", name="Try again now")
    expect(retry).to_be_visible()
    page.clock.pause_at(datetime.now() + timedelta(minutes=1))  # from now on no timer tries again, only the button
    tried = len(sockets)
    is_down[0] = False
    retry.dispatch_event("click")  # nothing moves while the clock stands still
    expect(retry).to_be_hidden()
    assert len(sockets) > tried


def test_exact_values_are_told_apart(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    exact = {"value": "win", "distance": 9, "unit": "plies", "chance": 1.0, "is_proved": True, "text": "win in 9 plies"}
    values: dict[str, Any] = {"is_from_table": True, "is_exact": True, "values": {"a1": exact}, "note": None}
    page.route("**/api/lines/values*", lambda route: route.fulfill(json=values))
    page.goto("/analyse/chefa")
    ready(page)
    page.get_by_role("switch", name="Values").click()
    expect(page.get_by_text("Exact values")).to_be_visible()
    expect(page.locator(".value-list")).to_have_text("a1win in 9 plies")
    expect(page.locator(".value.exact").first).to_be_attached()
    expect(page.locator(".value.about")).to_have_count(0)
    values |= {"is_exact": False, "values": {"a1": exact | {"is_proved": False}}, "note": "The table knows no history."}
    page.reload()
    expect(page.get_by_text("Values by the table")).to_be_visible()
    expect(page.locator(".value-list")).to_have_text("a1win in 9 plies, not proved")
    expect(page.get_by_text("The table knows no history.")).to_be_visible()
    expect(page.locator(".value.exact")).to_have_count(0)


# Black wins by force before the fifth action, and does not after it.
MISSED = "a1 b2 c1 d4 e5 a4"


def test_a_review_adds_what_was_better(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    read(page, MISSED)
    expect(page.locator(".moves .move")).to_have_count(6)
    ready(page)
    tab(page, "Review")
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".reviewed").get_by_text("better was").first).to_be_visible(timeout=120_000)
    comment = page.locator(".moves .comment").filter(has_text="A mistake, according to the engine").first
    expect(comment).to_contain_text("about", timeout=120_000)
    expect(page.locator(".reviewed .accuracy tbody td").first).to_contain_text("%")
    expect(page.locator(".course .course-graph")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("^Evaluation: "))).to_be_visible()
    tab(page, "Moves")
    expect(page.locator(".moves .depth-1 .comment").filter(has_text="The engine prefers this").first).to_be_visible()
    expect(page.locator(".moves .depth-0 .move", has_text="e5").locator(".grade")).to_have_text(re.compile(r"^\?"))
    tab(page, "Review")
    before = len(moves(page))
    page.get_by_role("button", name="Try again from here").first.click()
    expect(page.get_by_text("the engine answers")).to_be_visible()
    ready(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("the engine answers")).to_have_count(0)
    assert len(moves(page)) == before


def test_the_engine_answers_on_the_board(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    tab(page, "Review")
    page.get_by_role("button", name="Play against the engine").click()
    expect(page.get_by_text("You are Black; the engine answers.")).to_be_visible()
    visitor.click("a1")
    expect(page.locator(".moves .move")).to_have_count(2, timeout=60_000)
    expect(page.locator(".status .now")).to_have_text("Black to move")
    ready(page)


def test_nothing_is_wider_than_a_phone(arrive: Arrive) -> None:
    for lang in ("en-GB", "fr-FR", "de-DE"):
        visitor = analyse(arrive, "omba", viewport={"width": 360, "height": 740}, locale=lang)
        for each in visitor.page.get_by_role("tab").all():
            each.click()
            for summary in visitor.page.locator("summary").all():
                if summary.is_visible():
                    summary.click()
            assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 360


def requests_of(page: Page, path: str) -> list[Request]:
    """Notes the requests of a page from now on."""
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if path in request.url else None)
    return found


def test_going_through_a_line_asks_little(arrive: Arrive) -> None:
    visitor = analyse(arrive, "chefa")
    page = visitor.page
    play(visitor, "a1", "b2", "c1", "d4")
    asked = requests_of(page, "/api/lines/")
    for key, at in (("ArrowLeft", "c1"), ("ArrowLeft", "b2"), ("ArrowRight", "c1"), ("ArrowRight", "d4")):
        step(page, key, at)
    assert asked == []
