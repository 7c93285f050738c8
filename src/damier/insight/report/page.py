"""The page about a solved game: Markdown and pictures, rendered from its facts alone.

``templates/report.md.j2`` has the words, this module what it calls: filters for numbers, lines replayed by the rules,
and pictures, which are drawn when the template shows them. Equal facts give equal bytes. The pictures are in the
folder ``img`` beside the page; those of boards have the position in their title, as on the rule pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damier.insight.report.best_play import ReplayedAction, action_targets, best_actions, replay
from damier.insight.report.entries import EXAMPLES
from damier.insight.report.facts import (
    ActionChance,
    BestPlay,
    ChanceSolution,
    OnlyActionExample,
    OpeningChoice,
    OutcomeFact,
    OutcomeSolution,
    RollGroup,
)
from damier.insight.report.pictures import board, chance_graph, distance_graph, heat_map
from damier.solve.build.solver import size_text
from damier.solve.numbering import name_of
from damier.solve.tables import duration_text
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from jinja2 import Environment

    from damier.core.game import Game
    from damier.core.position import Position

_VERBS = {"win": ("wins", "win"), "draw": ("draws", "draw"), "loss": ("loses", "lose")}


class Report:
    """A page with its pictures."""

    PICTURES = (
        *("end", "first", "answers", "choice", "plies", "failed", "new", "chances"),
        *(f"{kind}-{number}" for kind in ("longest", "only", "choice") for number in range(1, EXAMPLES + 1)),
        *(f"first-{number}" for number in range(1, 7)),
    )
    """All names that a picture of a page may have, after the name of the page."""

    def __init__(self, game: Game, facts: OutcomeSolution | ChanceSolution) -> None:
        self.game, self.facts, self.name = game, facts, report_name(game)
        self.pictures: dict[str, str] = {}
        """The pictures by name, filled by `text`."""

    @cached_property
    def text(self) -> str:
        """The page in Markdown."""
        rendered = self._environment().get_template("report.md.j2").render()
        return re.sub(r"\n{3,}", "\n\n", rendered).strip() + "\n"

    def data(self) -> dict[str, Any]:
        """Returns the facts, ready for JSON."""
        return self.facts.data()

    def files(self) -> dict[str, str]:
        """Returns the page and its pictures by their paths."""
        page = {f"{self.name}.md": self.text}
        return page | {f"img/{self.name}-{name}.svg": svg for name, svg in self.pictures.items()}

    def write(self, folder: Path) -> Path:
        """Writes the page and its pictures into a folder, removes old pictures, and returns the path of the page."""
        files = self.files()
        (folder / "img").mkdir(parents=True, exist_ok=True)
        for name in self.PICTURES:
            (folder / "img" / f"{self.name}-{name}.svg").unlink(missing_ok=True)
        for path, content in files.items():
            (folder / path).write_text(content, encoding="utf-8")
        return folder / f"{self.name}.md"

    def _environment(self) -> Environment:
        """Returns what the template can use."""
        environment = markdown_environment(Path(__file__).parent / "templates")
        environment.globals |= {
            "facts": self.facts,
            "name": name_of(self.game),
            "summary": self.game.definition.summary.render(),
            "players": {player: self.game.player_name(player).render() for player in self.game.players},
            "opponent": self.game.opponent,
            "example": self._first_example(),
            "has_targets": lambda actions: action_targets(self.game, actions) is not None,
            "best_of": lambda choice: best_actions(_values(choice)),
            "best_by_chance": _best_by_chance,
            "by_roll": lambda groups: sorted((roll, group) for group in groups for roll in group.rolls),
            "within": self._within,
            "replayed": self._replayed,
            "only_sentence": self._only_sentence,
            "board": self._board,
            "end_board": self._end_board,
            "outcome_map": self._outcome_map,
            "chance_map": self._chance_map,
            "distance_plot": self._distance_plot,
            "chance_plot": self._chance_plot,
        }
        environment.filters |= {
            "number": lambda count: f"{count:,}",
            "share": lambda part, whole: f"{100 * part / max(1, whole):.1f} %",
            "percent": percent,
            "plies": plies,
            "size": lambda size: str(size_text(size)),
            "duration": lambda minutes: str(duration_text(minutes)),
            "code": code,
            "codes": lambda texts: ", ".join(map(code, texts)),
            "value": value_text,
            "total": lambda counts: sum(counts.values()),
        }
        return environment

    # Words

    def _first_example(self) -> str | None:
        """Returns the first position of an example on the page, if any."""
        if isinstance(self.facts, ChanceSolution):
            return next((each.position for each in self.facts.cost.examples), None)
        return next((line.start for line in self.facts.longest_wins.lines), None)

    def _within(self, most: int) -> int:
        """Returns how many undecided positions are won or lost within `most` plies."""
        assert isinstance(self.facts, OutcomeSolution)
        return sum(
            count for counts in (self.facts.wins, self.facts.losses) for plies, count in counts.items() if plies <= most
        )

    def _replayed(self, play: BestPlay) -> tuple[list[list[str]], str, ReplayedAction | None]:
        """Returns a line in rows with a column for each player, its result, and the action that may be forbidden."""
        steps, end = replay(self.game, play)
        rows: list[list[str]] = []
        last = len(self.game.players)
        for step in steps:
            column = self.game.players.index(step.player)
            if column < last or not rows:
                rows.append([""] * len(self.game.players))
            rows[-1][column] = f"{rows[-1][column]} {code(step.action)} {step.left}".strip()
            last = column
        assert end.result
        return rows, end.result.sentence(), steps[play.forbidden - 1] if play.forbidden else None

    def _only_sentence(self, example: OnlyActionExample) -> str:
        """Returns what the only good action does, and the others."""
        others = example.actions - 1
        held = _VERBS[example.value.outcome][0]
        if example.value.outcome == "win":
            held += f", in {plies(example.value.plies)}"
        rest = " or ".join(_VERBS[outcome][others > 1] for outcome in example.others)
        other = f"the {others} others {rest}" if others > 1 else f"the other {rest}"
        player = self.game.player_name(example.player).render()
        return f"{player}: only {code(example.action)} {held}; {other}."

    # Pictures

    def _picture(self, name: str, alt: str, svg: str, title: str = "") -> str:
        """Keeps a picture and returns the Markdown that shows it."""
        assert name in self.PICTURES
        self.pictures[name] = svg
        return f"![{alt}](img/{self.name}-{name}.svg{title})"

    def _board(self, name: str, alt: str, position: Position | str, *actions: str, last: str | None = None) -> str:
        """Shows a position with actions highlighted; the title says what is shown."""
        shown = self.game.position(position)
        title = [str(shown), " ".join(actions), self.game.options_text]
        while not title[-1]:
            title.pop()
        return self._picture(name, alt, board(shown, *actions, last=last), f' "{"; ".join(title)}"')

    def _end_board(self, play: BestPlay) -> str:
        """Shows the end of a line."""
        _, end = replay(self.game, play)
        assert end.result
        return self._board("end", f"The end of this game: {end.result.sentence()}", end, last=play.actions[-1])

    def _outcome_map(self, name: str, choice: OpeningChoice) -> str:
        """Shows the values of the actions of a choice on their cells."""
        player = self.game.player_name(choice.player).render()
        counts = ", ".join(f"{len(group.actions)} {value_text(group.value)}" for group in choice.values)
        title = f"{self.game.title}: actions of {player}"
        svg = self._map(self._after(choice.played), _values(choice), title)
        return self._picture(name, f"Actions of {player}: {counts}.", svg)

    def _chance_map(self, name: str, group: RollGroup) -> str:
        """Shows the chances of the actions after a roll on their cells."""
        targets = action_targets(self.game, [action for action, _ in group.values]) or {}
        chances = ", ".join(f"{targets[action]} {percent(chance)}" for action, chance in group.values)
        values = {action: TableValue("chance", None, chance) for action, chance in group.values}
        svg = self._map(self._after(group.rolls[:1]), values, f"{self.game.title}: first actions")
        return self._picture(name, f"The actions after {', '.join(group.rolls)}: {chances}.", svg)

    def _map(self, position: Position, values: dict[str, TableValue], title: str) -> str:
        targets = action_targets(self.game, values) or {}
        best = [targets[action] for action in best_actions(values)]
        return heat_map(position, {targets[action]: value for action, value in values.items()}, best, title)

    def _after(self, actions: Iterable[str]) -> Position:
        position = self.game.start
        for action in actions:
            position = position.play(action)
        return position

    def _distance_plot(self) -> str:
        assert isinstance(self.facts, OutcomeSolution)
        svg = distance_graph(self.facts.wins, self.facts.losses, f"{self.game.title}: positions by distance")
        longest = self.facts.longest_wins.plies
        alt = f"How many positions are won or lost in how many plies, from 1 to {longest}."
        return self._picture("plies", alt, svg)

    def _chance_plot(self) -> str:
        assert isinstance(self.facts, ChanceSolution)
        svg = chance_graph(self.facts.parts, f"{self.game.title}: positions by chance")
        return self._picture("chances", "How many positions have which chance, in parts of 5 %.", svg)


def markdown_environment(folder: Path) -> Environment:
    """Returns what renders the templates of a folder as Markdown."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # the page is Markdown
    )


def report_name(game: Game) -> str:
    """Returns the name of a report: the game, and the options that differ from the defaults."""
    default = type(game)(game.definition).options
    return game.name + "".join(f"-{name}={value}" for name, value in game.options.items() if default.get(name) != value)


def code(text: object) -> str:
    """Returns a text as Markdown code."""
    return f"`{text}`"


def plies(count: int | None) -> str:
    """Returns a number of plies with its unit."""
    return "1 ply" if count == 1 else f"{count} plies"


def percent(chance: float) -> str:
    """Returns a chance in percent."""
    return f"{100 * chance:.2f} %"


def value_text(value: OutcomeFact) -> str:
    """Returns a value in words."""
    return TableValue(value.outcome, value.plies).text().render()


def _values(choice: OpeningChoice) -> dict[str, TableValue]:
    """Returns the value of every action, best first."""
    return {
        action: TableValue(group.value.outcome, group.value.plies)
        for group in choice.values
        for action in group.actions
    }


def _best_by_chance(values: list[ActionChance]) -> list[str]:
    """Returns the best actions, sorted."""
    return sorted(action for action, chance in values if chance == values[0][1])
