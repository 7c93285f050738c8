"""Two friends play by a link, one of them with a bad connection, and a third watches."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import WebSocketRoute, expect

from tests.browser.accessibility import check
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]

# A watcher who does not keep to what the page offers.
FORCE = """(number) => new Promise((answer, fail) => {
  const socket = new WebSocket(`ws://${location.host}/api/matches/${number}/live?lang=en`);
  socket.onmessage = ({data}) => {
    const message = JSON.parse(data);
    if (message.type === "snapshot") socket.send(JSON.stringify({id: "1", do: "play", action: "a1"}));
    if (message.id === "1") { socket.close(); answer(message); }
  };
  socket.onclose = () => fail(new Error("The server closed the connection."));
})"""


class Wire:
    """The connection of a visitor, which can be cut."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.is_cut = False
        self.open: list[WebSocketRoute] = []
        visitor.page.route_web_socket(lambda url: url.startswith("ws") and "/live" in url, self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        if self.is_cut:
            route.close()
        else:
            route.connect_to_server()
            self.open.append(route)

    def cut(self) -> None:
        """Ends the connection, until `mend`."""
        self.is_cut = self.visitor.may_fail = True
        self.visitor.context.set_offline(True)
        while self.open:
            self.open.pop().close()
        expect(self.visitor.page.get_by_text("Connecting…")).to_be_visible()

    def mend(self) -> None:
        """Lets the page connect again."""
        self.visitor.context.set_offline(False)
        self.is_cut = False
        expect(self.visitor.page.get_by_text("Connecting…")).to_be_hidden()
        self.visitor.may_fail = False  # the browser tells of a failed connection only after it


def invited(host: Visitor, guest: Visitor, *, allows_help: bool = False) -> str:
    """Begins a match by link from the first page, as Black; the guest takes the seat of the link. Returns the link."""
    page = host.page
    page.goto("/")
    page.get_by_role("button", name="Renfa-Bomba: choose").click()
    page.get_by_role("radio", name="Friend by link").check()
    page.get_by_label("Allow hints, values and take-backs").set_checked(allows_help)
    page.get_by_role("button", name="Start").click()
    link = page.get_by_label("To play as White").input_value()
    guest.page.goto(link)
    expect(guest.page.get_by_text("You are invited to play as White.")).to_be_visible()
    allowed = "allowed" if allows_help else "off"
    expect(guest.page.get_by_text(f"Hints, values and take-backs are {allowed} in this match.")).to_be_visible()
    guest.page.get_by_role("button", name="Take the seat").click()
    guest.wait_for_board()
    expect(page.get_by_label("To play as White")).to_have_count(0)
    assert "#" not in guest.page.url
    return link


def history(visitor: Visitor, after: int) -> list[str]:
    return [step["action"] for step in visitor.state(after)["history"]]


def test_a_connection_that_is_lost_loses_nothing(arrive: Arrive) -> None:
    black, white, watcher = arrive(), arrive(), arrive()
    wire = Wire(black)
    invited(black, white)
    watcher.page.goto(black.page.url)
    watcher.wait_for_board()
    black.click("c3")
    white.wait_until_drawn(white.state(after=0))
    expect(white.page.locator(".status .now")).to_have_text("Your turn: place a bomb on an empty cell")
    wire.cut()
    white.click("d4")  # while Black sees nothing
    white.wait_until_drawn(white.state(after=1))
    expect(black.page.get_by_text("Connecting…")).to_be_visible()
    wire.mend()
    black.wait_until_drawn(white.state())
    expect(black.cell("d4")).to_have_attribute("aria-label", re.compile("^d4, white bomb"))
    wire.cut()
    black.click("b2")  # while the server hears nothing
    expect(black.page.locator(".board .pending")).to_have_count(1)
    assert history(white, after=1) == ["c3", "d4"]
    wire.mend()
    assert history(white, after=2) == ["c3", "d4", "b2"]
    for visitor in (black, white, watcher):
        visitor.wait_until_drawn(visitor.state())
        expect(visitor.cell("b2")).to_have_attribute("aria-label", re.compile("^b2, black bomb"))


def test_who_only_watches_cannot_act(arrive: Arrive) -> None:
    black, white, watcher = arrive(), arrive(), arrive()
    invited(black, white)
    number = black.number()
    watcher.page.goto(f"/m/{number}")
    watcher.wait_for_board()
    watcher.click("c3")
    expect(watcher.page.get_by_role("alert").filter(visible=True)).to_have_text("You are watching this match.")
    for name in ("Undo", "Resign", "Hint", "Offer draw"):
        expect(watcher.page.get_by_role("button", name=name)).to_have_count(0)
    assert watcher.page.evaluate(FORCE, number)["type"] == "refused"
    assert history(black, after=-1) == []


def test_a_draw_is_offered_and_taken(arrive: Arrive) -> None:
    black, white = arrive(), arrive()
    invited(black, white)
    black.page.get_by_role("button", name="Offer draw").click()
    white.page.get_by_role("button", name="Accept").click()
    for visitor in (black, white):
        expect(visitor.page.locator(".status.over .now")).to_contain_text("draw", ignore_case=True)


def test_a_used_invitation_offers_to_watch(arrive: Arrive) -> None:
    black, white, late = arrive(), arrive(), arrive()
    late.page.goto(invited(black, white))
    expect(late.page.get_by_role("alert")).to_have_text("Another player has taken this seat.")
    check(late)
    late.page.get_by_role("button", name="Watch the match").click()
    late.wait_for_board()
    expect(late.page.locator(".status > .soft")).to_contain_text("You are watching this match.")
    assert "#" not in late.page.url
    for visitor in (black, late):
        visitor.from_menu("Let others watch")
        expect(visitor.page.get_by_label("To watch")).to_have_value(late.page.url)


def resign(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Resign").click()
    visitor.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(visitor.page.locator(".status.over")).to_be_visible()


def test_a_rematch_is_offered_and_a_spectator_can_follow(arrive: Arrive) -> None:
    black, white, watcher = arrive(), arrive(), arrive()
    invited(black, white)
    first = black.page.url
    watcher.page.goto(first)
    watcher.wait_for_board()
    resign(black)
    offered = black.page.get_by_role("alert").get_by_text("White offers a rematch.")
    waiting = white.page.get_by_text("Waiting for an answer: Black")
    white.page.get_by_role("button", name="Offer rematch").click()
    expect(waiting).to_be_visible()
    expect(white.page.get_by_role("button", name="Offer rematch")).to_have_count(0)
    expect(offered).to_be_visible()
    check(black)
    white.page.get_by_role("button", name="Withdraw").click()
    expect(offered).to_have_count(0)
    white.page.get_by_role("button", name="Offer rematch").click()
    black.page.get_by_role("button", name="Decline").click()
    expect(white.page.get_by_text("The offer was declined.")).to_be_visible()
    expect(black.page.get_by_role("button", name="Accept")).to_have_count(0)
    white.page.get_by_role("button", name="Offer rematch").click()
    expect(watcher.page.locator(".offer").get_by_text("White offers a rematch.")).to_be_visible()
    expect(watcher.page.get_by_role("button", name="Accept")).to_have_count(0)
    black.page.get_by_role("button", name="Accept").click()
    expect(white.page.locator(".status .now")).to_have_text(
        "Your turn: place a bomb on an empty cell"
    )  # the sides have changed
    expect(black.page.locator(".status .now")).to_have_text("Black’s turn: place a bomb on an empty cell")
    assert black.page.url == white.page.url != first
    watcher.page.get_by_role("link", name="Watch the next game").click()
    expect(watcher.page.locator(".status.over")).to_have_count(0)
    assert watcher.page.url == black.page.url
    black.page.goto(first)  # who comes back to the finished match finds the next one
    black.page.get_by_role("link", name="Go to the next game").click()
    expect(black.page.locator(".status.over")).to_have_count(0)
    assert black.page.url == white.page.url


def test_help_is_off_between_friends_unless_it_was_agreed(arrive: Arrive) -> None:
    black, white = arrive(), arrive()
    for allows in (False, True):
        invited(black, white, allows_help=allows)
        said = "allowed" if allows else "off"
        for visitor in (black, white):
            note = visitor.page.locator(".match-title").get_by_text(
                f"Hints, values and take-backs are {said} in this match."
            )
            expect(note).to_be_visible()
            visitor.page.get_by_role("tab", name="Values").click()
            expect(visitor.page.get_by_role("switch", name="Values")).to_have_count(int(allows))
            expect(visitor.page.get_by_role("button", name="Hint")).to_have_count(int(allows))
        black.click("c3")
        white.wait_until_drawn(white.state(after=0))
        if not allows:
            expect(black.page.get_by_role("button", name="Undo")).to_be_disabled()
    black.page.get_by_role("button", name="Undo").click()
    white.page.get_by_role("button", name="Accept").click()
    black.wait_until_drawn({"history": []})
