"""The report on a solved game with a die: a page in Markdown with its pictures, all of it read from the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from damier.insight.report.chance_facts import MUCH, Choice, Choices, count_chances, judge_choices
from damier.insight.report.outcome_facts import EXAMPLES, SEED, named_cells, ordered_values
from damier.insight.report.page import ReportPage
from damier.insight.report.pictures import chance_graph, heat_map
from damier.insight.report.solution_data import chance_data
from damier.insight.report.text import check_blocks, code, codes, facts_table, player_name, share, table
from damier.solve.numbering import name_of
from damier.solve.tables import Tables, duration

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.solve.value import TableValue

    Show = Callable[[float, str], None]

_COUNTED = 0.3  # of the work, for progress


def percent(chance: float) -> str:
    """Returns a chance for people."""
    return f"{100 * chance:.2f} %"


class ChanceReport(ReportPage):
    """The parts of one report."""

    PICTURES = (
        *(f"first-{number}" for number in range(1, 7)),
        "chances",
        *(f"choice-{i + 1}" for i in range(EXAMPLES)),
    )

    def __init__(self, tables: Tables, show: Show) -> None:
        super().__init__(tables)
        self.parts = count_chances(tables, lambda done, note: show(_COUNTED * done, note))
        self.choices = judge_choices(tables, lambda done, note: show(_COUNTED + (1 - _COUNTED) * done, note))

    def blocks(self) -> list[str]:
        """Returns the page, block by block."""
        return [
            f"# {name_of(self.game)}: what its table says",
            f"*{self.game.definition.summary.render()}*",
            f"This page is written by `{self.tables.command('report')}`. A chance is that of the player who is to roll "
            "or has rolled, with best play of both.",
            *self._known(),
            *self._first(),
            *self._positions(),
            *self._choice(),
            *self._table(),
        ]

    def data(self) -> dict[str, Any]:
        """Returns what the page says as data."""
        return chance_data(self)

    def _known(self) -> list[str]:
        start, error = self.header.extra["start"], self.header.extra["error"]
        first = player_name(self.game, self.game.players[0])
        return [
            "## What is known",
            f"**With best play of both players {first}, who begins, wins {percent(start['chance'])} of all games.**",
            f"More exactly, the chance is {start['chance']:.7f}. It is proved that no chance of the table was wrong by "
            f"more than {error:.7f} before it was rounded to its 16 bits. A game with best play is expected to last "
            f"{start['actions']:.1f} actions; where actions are equally good, the longer game counts.",
        ]

    # The first roll

    def _first(self) -> list[str]:
        start = self.game.start
        rows = []
        alike: dict[str, list[str]] = {}
        for roll in sorted(start.actions()):
            rolled = start.play(roll)
            values = ordered_values(self.tables, rolled)
            best = _best(values)
            rows.append([code(roll), percent(values[best[0]].chance), codes(best)])
            alike.setdefault(repr(values), []).append(roll)
        blocks = ["## The first roll", table(["roll", "chance", "best actions"], rows, 3)]
        for number, rolls in enumerate(alike.values(), 1):
            blocks += self._entries(number, rolls)
        return blocks + self._answers()

    def _entries(self, number: int, rolls: list[str]) -> list[str]:
        """Returns the chance of every action after some rolls, on a board if each names a cell of its own."""
        rolled = self.game.start.play(rolls[0])
        values = ordered_values(self.tables, rolled)
        cells = named_cells(self.game, values)
        said = f"The actions after {codes(rolls)}"
        if cells is None:
            rows = [[code(text), percent(value.chance)] for text, value in values.items()]
            return [f"{said}:", table(["action", "chance"], rows)]
        on_cells = {cells[text]: value for text, value in values.items()}
        best = [cells[text] for text in _best(values)]
        alt = f"{said.replace('`', '')}: " + ", ".join(f"{cell} {percent(v.chance)}" for cell, v in on_cells.items())
        picture = heat_map(rolled, on_cells, best, f"{self.game.title}: first actions")
        return [f"{said}; the best have a frame.", self.picture(f"first-{number}", f"{alt}.", picture)]

    def _answers(self) -> list[str]:
        """Returns what the other player does after the best first roll and action."""
        start = self.game.start
        roll = next(iter(ordered_values(self.tables, start)))
        action = next(iter(ordered_values(self.tables, start.play(roll))))
        here = start.play(roll).play(action)
        rows = []
        for answer in sorted(here.actions()):
            rolled = here.play(answer)
            values = ordered_values(self.tables, rolled)
            rows.append([code(answer), percent(values[_best(values)[0]].chance), codes(_best(values))])
        return [
            f"### Answers to {code(roll)} {code(action)}",
            f"The chance is now that of {player_name(self.game, self.tables.player(here))}.",
            table(["roll", "chance", "best actions"], rows, 3),
        ]

    # All positions

    def _positions(self) -> list[str]:
        tiers = self.header.extra["tiers"]
        rows = [
            [each["name"], f"{each['entries']:,}", f"{each['most_turns'] - 1:.1f}", f"{each['error']:.1e}"]
            for each in tiers
        ]
        rows.append(["**all**", f"**{self.header.entries:,}**", "", f"**{self.header.extra['error']:.1e}**"])
        alt = "How many positions have which chance, in parts of 5 %."
        return [
            "## All positions",
            "Positions before a roll; those that differ only in how the board is turned or mirrored, or in the players "
            "exchanged, count once, but for some that have several numbers. Not every one can be reached.",
            self.picture("chances", alt, chance_graph(self.parts, f"{self.game.title}: positions by chance")),
            table(["part of the table", "entries", "most actions expected", "error"], rows),
        ]

    def _choice(self) -> list[str]:
        choices = self.choices
        several = choices.size - choices.lost - choices.forced
        blocks = ["## How much a choice matters", *_choice_sentences(choices, several)]
        for number, choice in enumerate(choices.examples, 1):
            blocks += self._example(number, choice)
        return blocks

    def _example(self, number: int, choice: Choice) -> list[str]:
        (best, first), (second, next_best) = list(choice.values.items())[:2]
        player = player_name(self.game, choice.position.mover)
        said = (
            f"{player}: only {code(best)} keeps {percent(first.chance)}; {code(second)}, the next best of "
            f"{len(choice.values)} actions, {percent(next_best.chance)}."
        )
        picture = self.board(f"choice-{number}", said.replace("`", ""), choice.position, best)
        return [f"### {number}. {percent(choice.cost)} to lose", code(choice.position), picture, said]

    # The table

    def _table(self) -> list[str]:
        example: Position | None = next((choice.position for choice in self.choices.examples), None)
        return [
            "## The table",
            facts_table(self.tables),
            f"It is built by `{self.tables.command('solve')}` in about {duration(self.tables.numbering)} and verified "
            f"by `{self.tables.command('verify')}`.",
            "## How to check this",
            *check_blocks(self.tables, example),
        ]


def _best(values: dict[str, TableValue]) -> list[str]:
    """Returns the best of some actions, in the order of their texts."""
    most = max(value.chance for value in values.values())
    return sorted(text for text, value in values.items() if value.chance == most)


def _choice_sentences(choices: Choices, several: int) -> list[str]:
    return [
        f"Of {choices.size:,} positions and rolls, picked at random (seed {SEED}), {choices.lost:,} "
        f"({share(choices.lost, choices.size)}) are lost because no action is possible, {choices.forced:,} "
        f"({share(choices.forced, choices.size)}) leave one action, and {several:,} a choice.",
        f"Where there is a choice, the second best action loses {percent(choices.second)} on average, and one taken at "
        f"random {percent(choices.other)}. In {choices.costly:,} ({share(choices.costly, several)}) the second best "
        f"loses {100 * MUCH:.0f} % or more. Those of the sample in which it loses most:",
    ]
