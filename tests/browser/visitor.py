"""A visitor of the pages: clicks the cells of actions, and records every error of the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, Response, expect

from tools.browser import State, play

Action = dict[str, Any]
HAND = "@"
MENU = "More actions"

# A point at which a click on what is visible means this cell: in the middle, else the first of a grid of points.
POINT = """(name) => {
  const at = (x, y) => document.elementFromPoint(x, y)?.closest?.("[data-cell]")?.dataset.cell === name;
  for (const node of [...document.querySelectorAll(`.board [data-cell="${name}"]`)].reverse()) {
    node.scrollIntoView({block: "nearest"});
    const box = node.getBoundingClientRect();
    for (const i of [10, 5, 15, 2, 8, 12, 18, 1, 3, 7, 9, 11, 13, 17, 19])
      for (const j of [10, 5, 15, 2, 8, 12, 18, 1, 3, 7, 9, 11, 13, 17, 19]) {
        const [x, y] = [box.x + box.width * j / 20, box.y + box.height * i / 20];
        if (at(x, y)) return [x, y];
      }
  }
  return null;
}"""


# Returns the state of a match once it has more than `after` actions and no die is due.
STATE = """async ([number, after]) => {
  for (let tries = 0; tries < 400; tries++) {
    const {state} = await (await fetch(`/api/matches/${number}?lang=en`)).json();
    if (state.history.length > after && (state.result || state.mover !== "chance")) return state;
    await new Promise((next) => setTimeout(next, 50));
  }
  return null;
}"""

_HARMLESS = ("blocked by Playwright", "WebSocket is closed before the connection is established")
"""What the console says of a test that blocks requests, and of a page that is left while its socket is opening."""


class Visitor:
    """A browser context with one page."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.context, self.address = context, address
        self.problems: list[str] = []
        self.may_fail = False
        self.page: Page = context.new_page()
        self.page.set_default_timeout(30_000)
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("response", self._answered)
        self.page.on("requestfailed", self._failed)

    def _heard(self, message: ConsoleMessage) -> None:
        is_problem = message.type in ("error", "warning") and not any(each in message.text for each in _HARMLESS)
        if is_problem:
            self._note(message.text)

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._note(f"{response.url}: {response.status}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left before the answer came
            self._note(f"{request.url}: {request.failure}")

    def _note(self, problem: str) -> None:
        if not self.may_fail:
            self.problems.append(problem)

    # Matches ----------------------------------------------------------------------------------------------------------

    def begin(self, game: str, seats: list[Any], **options: Any) -> str:
        """Begins a match and opens its page; returns its number."""
        body = {"game": game, "seats": seats, "options": options}
        answer = self.context.request.post("/api/matches", data=body, headers={"Origin": self.address})
        assert answer.ok, answer.text()
        number: str = answer.json()["number"]
        self.page.goto(f"/m/{number}")
        self.wait_for_board()
        return number

    def play_at_once(self, choose: Callable[[State], str | None]) -> None:
        """Plays without the page, then loads it again; `choose` returns an action, or None to stop."""
        play(self.context, self.address, self.number(), choose)
        self.page.reload()
        self.wait_until_drawn(self.state())

    def number(self) -> str:
        """The number of the match on the page."""
        return self.page.url.split("#")[0].rsplit("/", 1)[1]

    def wait_for_board(self) -> None:
        expect(self.page.get_by_role("grid")).to_be_visible()

    def state(self, after: int = -1) -> State:
        """The state of the match on the page as the server has it, once more than `after` actions are played."""
        found: State | None = self.page.evaluate(STATE, [self.number(), after])
        assert found, f"Nothing happened after {after} actions."
        return found

    def wait_until_drawn(self, state: State) -> None:
        """Waits until the page shows all actions of this state."""
        self.page.wait_for_function(
            """(count) => Number(document.querySelector(".history")?.dataset.count ?? 0) === count""",
            arg=len(state["history"]),
        )

    def from_menu(self, name: str, role: Literal["menuitem", "menuitemcheckbox"] = "menuitem") -> None:
        """Chooses from the menu of a match."""
        self.page.get_by_role("button", name=MENU).click()
        self.page.get_by_role(role, name=name).click()

    # Choosing ---------------------------------------------------------------------------------------------------------

    def cell(self, name: str) -> Locator:
        """Returns a cell of the board as screen readers find it."""
        return self.page.locator(f'.board [role="gridcell"][data-cell="{name}"]')

    def click(self, name: str) -> None:
        """Clicks a visible point of a cell; if a stack hides all of it, its row in the list beside the board."""
        point = self.page.evaluate(POINT, name)
        if point:
            self.page.mouse.click(*point)
        else:
            self.page.locator(f'.stacks [data-name="{name}"]').click()

    def play(self, actions: list[Action], text: str) -> None:
        """Plays an action with the clicks that it takes."""
        cells = next(action["cells"] for action in actions if action["action"] == text)
        for count, cell in enumerate(cells, 1):
            self._pick(cell)
            left = [action for action in actions if action["cells"][:count] == cells[:count]]
            if len(left) == 1 and (count > 1 or count == len(cells)):
                self.confirm()
                return
        name = "End turn" if text == "end" else text
        self.page.locator(".under").get_by_role("button", name=name, exact=True).click()

    def confirm(self) -> None:
        """Says yes if the board asks before the action that was just chosen."""
        self.page.wait_for_selector(".board-place:not([aria-busy])")
        if self.page.locator(".preview.asks").count():
            self.page.locator(".preview.asks button.main").click()

    def _pick(self, cell: str) -> None:
        tray = self.page.locator(".tray")
        if cell != HAND:
            self.click(cell)
        elif tray.get_attribute("aria-pressed") == "false":
            tray.click()
