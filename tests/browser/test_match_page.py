"""The page of a match: the coach, the end, the history, the menu, the tab of the browser, small windows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.accessibility import check
from tests.browser.played import GAMES
from tests.browser.visitor import MENU, Visitor
from tools.browser import State

Arrive = Callable[..., Visitor]
ZOOMED = {"width": 640, "height": 400}  # a window of 1280 x 800 at 200 %
ROLLED = 12  # actions of a game with a die

# What is drawn on the board, by the names of the legend.
DRAWN = """() => {
  const signs = {
    can: ".sign.halo", picked: ".sign.origin", next: ".sign.dot, .sign.goal", place: ".sign.place",
    single: ".sign.single", hint: ".sign.hint", gone: ".sign.doom", goes: ".way", waits: ".waiting-place",
    last: ".tints .last", value: ".values > *",
  };
  const board = document.querySelector(".board");
  const found = Object.keys(signs).filter((name) => board.querySelector(signs[name]));
  for (const mark of board.querySelectorAll("[class^=mark-]")) found.push(mark.getAttribute("class"));
  return [...new Set(found)].sort();
}"""
EXPLAINED = '() => [...document.querySelectorAll("[data-explains]")].map((each) => each.dataset.explains).sort()'


def title_of(state: State, whose: str) -> str:
    """Returns what the card says of the player on move."""
    title = state["guide"]["title"]
    return f"{whose}: {title[0].lower()}{title[1:]}"


def see_legend(page: Page, state: State) -> None:
    """The legend explains all marks on the board, and no other."""
    page.wait_for_function(
        "() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(() => next(true))))"
    )
    cells = {f"mark-{mark}" for marks in state["marks"].values() for mark in marks}
    assert page.evaluate(EXPLAINED) == sorted({*page.evaluate(DRAWN), *cells})


def see_coach(visitor: Visitor, state: State) -> None:
    """The card says what the server has the player do now, then what to do after a first click."""
    page, guide = visitor.page, state["guide"]
    visitor.wait_until_drawn(state)
    expect(page.locator(".status .now")).to_have_text(title_of(state, f"{state['mover_name']}’s turn"))
    expect(page.locator(".status > .soft")).to_contain_text(guide["phase"] or "")
    expect(page.locator(".coach-text")).to_have_text(guide["text"])
    see_legend(page, state)
    firsts = [cell for cell in guide["next"] if len(cell) == len("a1")]
    if firsts:
        visitor.cell(firsts[0]).focus()
        page.keyboard.press("Enter")
        expect(page.locator(".coach-text")).to_have_text(guide["next"][firsts[0]])
        see_legend(page, state)
        page.keyboard.press("Escape")
        expect(page.locator(".coach-text")).to_have_text(guide["text"])


@pytest.mark.parametrize("game", [*GAMES, "omba"])
def test_the_coach_says_what_to_do_in_every_phase(arrive: Arrive, game: str) -> None:
    visitor = arrive(reduced_motion="reduce")
    visitor.begin(game, ["me", "me"])
    expect(visitor.page.locator(".match-title")).to_contain_text(
        visitor.context.request.get(f"/api/games/{game}/drawing?lang=en").json()["aim"]
    )
    actions = dict(enumerate(GAMES.get(game, "").split()))
    seen: set[str] = set()

    def choose(state: State) -> str | None:
        if state["guide"]["title"] not in seen or (not actions and len(state["history"]) >= ROLLED):
            return None
        last: str = state["actions"][-1]["action"]
        return actions.get(len(state["history"]), last)

    while not (state := visitor.state())["result"] and state["guide"]["title"] not in seen:
        see_coach(visitor, state)
        seen.add(state["guide"]["title"])
        visitor.play_at_once(choose)
    assert len(seen) > (game in GAMES)


def test_the_coach_is_hidden_with_a_click_and_stays_so(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    visitor.begin("renfa", ["me", {"level": 1}])
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".coach-text")).to_have_text(re.compile(r"^Try [a-e]\d\. \S"))
    expect(page.locator(".at-board")).to_be_hidden()
    page.get_by_role("button", name="Hide help").click()
    expect(page.locator(".coach")).to_be_hidden()
    expect(page.locator(".status .now")).to_contain_text("Your turn: ")
    page.reload()
    expect(page.get_by_role("button", name="Show help")).to_be_visible()
    expect(page.locator(".coach")).to_be_hidden()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".at-board")).to_contain_text(re.compile(r"Try [a-e]\d\. "))
    page.get_by_role("button", name="Show help").click()
    expect(page.locator(".coach")).to_be_visible()


def test_the_coach_is_there_until_a_match_of_the_game_is_finished(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    visitor.begin("chefa", ["me", {"level": 1}])
    expect(page.locator(".coach")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".status.over .now")).to_have_text("You lose: Black has resigned")
    visitor.begin("chefa", ["me", {"level": 1}])
    expect(page.locator(".coach")).to_be_hidden()
    visitor.begin("badia", ["me", {"level": 1}])
    expect(page.locator(".coach")).to_be_visible()


def seated(arrive: Arrive, game: str) -> tuple[Visitor, Visitor, Visitor]:
    """Returns two visitors who play a match by link, and one who watches."""
    black, white, watcher = arrive(), arrive(), arrive()
    black.begin(game, ["me", "open"])
    white.page.goto(black.page.get_by_label("To play as").input_value())
    white.page.get_by_role("button", name="Take the seat").click()
    watcher.page.goto(black.page.url)
    for visitor in (white, watcher):
        visitor.wait_for_board()
    return black, white, watcher


def test_turns_offers_and_the_end_are_told_to_each_in_the_right_person(arrive: Arrive) -> None:
    black, white, watcher = seated(arrive, "renfa")
    icon = 'link[rel="icon"]'
    expect(black.page).to_have_title("● Your turn · Renfa-Bomba")
    expect(white.page).to_have_title("Renfa-Bomba · damier")
    expect(black.page.locator(icon)).to_have_attribute("href", re.compile("icon-turn.svg$"))
    black.click("c3")
    state = white.state(after=0)
    white.wait_until_drawn(state)
    expect(white.page.locator(".status .now")).to_have_text(title_of(state, "Your turn"))
    expect(white.page).to_have_title("● Your turn · Renfa-Bomba")
    for other in (black, watcher):
        expect(other.page.locator(".status .now")).to_have_text(title_of(state, "White’s turn"))
        expect(other.page).to_have_title("Renfa-Bomba · damier")
        expect(other.page.locator(icon)).to_have_attribute("href", re.compile("icon.svg$"))
    white.page.get_by_role("button", name="Offer draw").click()
    expect(white.page.locator("#spoken")).to_contain_text("You have offered a draw.")
    expect(white.page.locator("#spoken")).not_to_contain_text("White offers")
    black.page.get_by_role("button", name="Decline").click()
    expect(white.page.get_by_text("The offer was declined.")).to_be_visible()
    white.click("d4")
    black.wait_until_drawn(black.state(after=1))
    black.page.get_by_role("button", name="Resign").click()
    black.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ends = {black: "You lose: Black has resigned", white: "You win: Black has resigned"}
    for visitor, text in ends.items():
        expect(visitor.page.locator(".status.over .now")).to_have_text(text)
        expect(visitor.page.locator(".status > .soft")).to_have_text("After 1 turn.")
        expect(visitor.page.locator(".end-course .course-line")).to_have_attribute("d", re.compile("L.*L"))
        expect(visitor.page.locator("#spoken")).to_contain_text(text)
    expect(watcher.page.locator(".status.over .now")).to_have_text(black.state()["result"]["sentence"])
    check(white)
    first = white.page.locator(".status .buttons > *").first
    expect(first).to_have_text("Review the game")
    first.click()
    expect(white.page).to_have_url(re.compile(r"/analyse/renfa\?match="))
    expect(white.page.locator("details.course")).to_have_attribute("open", "")  # the review has begun


def test_the_history_has_fixed_columns_and_breaks_no_action(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    visitor.begin("sensei", ["me", "me"])
    actions = GAMES["sensei"].split()
    visitor.play_at_once(lambda state: dict(enumerate(actions[:-1])).get(len(state["history"])))
    rows = page.locator(".turns tbody tr")
    cells = rows.first.locator("td")
    expect(cells).to_have_text(["g1-g2g2-g3end", "g7-g6g6-f6end"])
    expect(rows).to_have_count(3)
    expect(page.locator(".last-turn [aria-current]")).to_have_text("end")
    boxes = "(all) => all.every((each) => each.getClientRects().length === 1 && each.offsetHeight < 40)"
    assert page.locator(".turns button").evaluate_all(boxes)
    lefts = "(rows) => rows.map((row) => row.lastElementChild.getBoundingClientRect().left)"
    assert len(set(rows.evaluate_all(lefts))) == 1
    cells.last.get_by_role("button").first.click()
    expect(page.locator(".status .now")).to_have_text("After 4 of 17")
    expect(page.locator(".turns [aria-current]")).to_have_text("g7-g6")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".status .now")).to_have_text("After 5 of 17")
    page.locator(".status").get_by_role("button", name="Back to the game").click()
    expect(page.locator(".status .now")).to_contain_text("Green’s turn")


def test_the_menu_is_used_by_keys_alone(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    visitor.begin("omba", ["me", "me"])
    button = page.get_by_role("button", name=MENU)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Turn the board")).to_be_focused()
    check(visitor)
    page.keyboard.press("ArrowDown")
    coordinates = page.get_by_role("menuitemcheckbox", name="Coordinates")
    expect(coordinates).to_be_focused()
    page.keyboard.press("Enter")
    expect(coordinates).to_have_attribute("aria-checked", "false")
    expect(page.locator(".board .coordinates")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("menuitem", name="New game")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".fair summary")).to_be_focused()
    expect(page.locator(".fair dl")).to_be_visible()


@pytest.mark.parametrize("game", [*GAMES, "omba"])
def test_at_200_percent_the_whole_board_is_seen(arrive: Arrive, game: str) -> None:
    visitor = arrive(viewport=ZOOMED)
    visitor.begin(game, ["me", {"level": 1}])
    wide, high = visitor.page.evaluate("() => [document.documentElement.scrollWidth, innerHeight]")
    box = visitor.page.get_by_role("grid").bounding_box()
    assert wide <= ZOOMED["width"]
    assert box
    assert box["y"] + box["height"] <= high
    corner = [box["x"] + box["width"] / 2, box["y"] + box["height"] - 2]
    assert visitor.page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y)?.closest('.board-place') !== null", corner
    )


def test_four_players_sit_around_the_board_and_a_phone_shows_all(arrive: Arrive) -> None:
    visitor = arrive(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    visitor.begin("omba", ["me", "me", "me", "me"], players=4)
    expect(visitor.page.locator(".players.above li")).to_have_count(2)
    expect(visitor.page.locator(".players.below li")).to_have_count(2)
    expect(visitor.page.locator(".players [aria-current]")).to_have_count(1)
    assert visitor.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    check(visitor)


def test_a_turn_of_the_computer_that_is_late_is_told_once_and_until_it_comes(arrive: Arrive) -> None:
    page = (visitor := arrive()).page
    held: list[tuple[WebSocketRoute, str | bytes]] = []

    def connect(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def receive(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "event" and message["event"].get("player") == "w":
                held.append((socket, text))
                return
            socket.send(text)
            if message["type"] == "event":
                for _ in range(2):
                    socket.send(json.dumps({"type": "delayed", "player": "w", "why": "busy"}))

        server.on_message(receive)

    page.route_web_socket(lambda url: url.startswith("ws") and "/live" in url, connect)
    visitor.begin("chefa", ["me", {"level": 1}])
    visitor.click("a1")
    late = "The computer is busy with other games: it moves as soon as it can."
    expect(page.locator(".status")).to_contain_text(late)
    expect(page.locator("#spoken p").filter(has_text=late)).to_have_count(1)
    visitor.state(after=1)
    while not held:
        page.wait_for_timeout(20)
    held[0][0].send(held[0][1])
    expect(page.locator(".status")).not_to_contain_text(late)


def test_a_connection_that_the_server_refuses_is_told_with_its_sentence(arrive: Arrive) -> None:
    page = (visitor := arrive()).page
    page.route_web_socket(
        lambda url: url.startswith("ws") and "/live" in url,
        lambda socket: socket.close(code=1008, reason="You have opened newer pages: this one is closed."),
    )
    visitor.begin("chefa", ["me", "me"])
    expect(page.locator(".status")).to_contain_text("You have opened newer pages: this one is closed.")
    expect(page.get_by_role("button", name="Try again now")).to_be_visible()


def cut_history(snapshot: State) -> str:
    """Returns a snapshot without its first actions, as that of a match too long to be sent whole."""
    older = len(snapshot["state"]["history"]) - 4
    state = {**snapshot["state"], "history": snapshot["state"]["history"][older:], "older": older}
    return json.dumps({**snapshot, "state": state})


def test_a_match_too_long_to_be_replayed_is_shown_as_it_stands(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    number, page = visitor.begin("omba", ["me", "me"]), visitor.page
    visitor.play_at_once(lambda state: state["actions"][0]["action"])
    pieces = len(visitor.state()["pieces"])

    def cut_messages(route: WebSocketRoute) -> None:
        def send(message: str | bytes) -> None:
            data = json.loads(message)
            route.send(cut_history(data) if data["type"] == "snapshot" else message)

        route.connect_to_server().on_message(send)

    page.route(
        re.compile(f"/api/matches/{number}\\?"), lambda route: route.fulfill(body=cut_history(route.fetch().json()))
    )
    page.route_web_socket(re.compile("/live"), cut_messages)
    page.reload()
    visitor.wait_for_board()
    page.get_by_role("button", name="To the start").click()
    expect(page.get_by_text("This game is too long to be replayed.").first).to_be_visible()
    expect(page.locator(".status.over")).to_be_visible()
    expect(page.locator(".course-line")).to_have_count(0)

    page.goto(f"/dice/{number}")
    expect(page.locator(".outcome .right")).to_have_count(2)
    for address in (f"/analyse/omba?match={number}", f"/embed/match/{number}"):
        page.goto(address)
        expect(page.locator(".board .piece")).to_have_count(pieces)
