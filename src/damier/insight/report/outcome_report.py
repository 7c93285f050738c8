"""The report on a solved game without chance: a page in Markdown with its pictures, all of it read from the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damier.insight.report.chance_report import ChanceReport
from damier.insight.report.outcome_facts import (
    EXAMPLES,
    SEED,
    Entries,
    best_actions,
    best_line,
    distances,
    first_choice,
    named_cells,
    ordered_values,
    pick_entries,
)
from damier.insight.report.page import ReportPage
from damier.insight.report.pictures import distance_graph, heat_map
from damier.insight.report.returns import PICTURES as RETURN_PICTURES
from damier.insight.report.returns import Returns, judge_returns, returns_blocks
from damier.insight.report.sample import Only, Sample, judge_sample
from damier.insight.report.solution_data import distance_data
from damier.insight.report.text import (
    certainty,
    check_blocks,
    code,
    codes,
    counts_table,
    distances_table,
    facts_table,
    grouped,
    line_blocks,
    only_sentence,
    player_name,
    plies,
    sample_blocks,
    table,
    verdict,
)
from damier.solve.codes import CHANCE_CODING
from damier.solve.numbering import name_of
from damier.solve.returns.survival import forbids_returns
from damier.solve.tables import Tables, duration
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from damier.core.position import Position

    Show = Callable[[float, str], None]

_SCANNED, _JUDGED = 0.2, 0.95  # of the work, for progress
_FIRST = 0.1  # of it, where returns have to be judged after that


def write_report(tables: Tables, folder: Path, show: Show) -> Path:
    """Writes the report on a game into a folder and returns its page; raises `TableMissing` without a table."""
    return make_report(tables, show).write(folder)


def make_report(tables: Tables, show: Show) -> ReportPage:
    """Returns the report on a game; raises `TableMissing` without a table."""
    report: ReportPage
    if tables.file.header.coding == CHANCE_CODING:
        report = ChanceReport(tables, show)
    else:
        scanned, judged = _SCANNED, _JUDGED
        if forbids_returns(tables.game):
            scanned, judged = _FIRST * scanned, _FIRST * judged
        entries = pick_entries(tables, lambda done, note: show(scanned * done, note))
        sample = judge_sample(
            tables, entries.sample, lambda done, note: show(scanned + (judged - scanned) * done, note)
        )
        returns = judge_returns(tables, entries.sample, lambda done, note: show(judged + (1 - judged) * done, note))
        report = Report(tables, entries, sample, returns)
    show(1.0, "")
    return report


class Report(ReportPage):
    """The parts of one report."""

    PICTURES = (
        *("end", "first", "answers", "choice", "plies", *RETURN_PICTURES),
        *(f"{kind}-{number}" for kind in ("longest", "only") for number in range(1, EXAMPLES + 1)),
    )

    def __init__(self, tables: Tables, entries: Entries, sample: Sample, returns: Returns | None) -> None:
        super().__init__(tables)
        self.entries, self.sample, self.returns = entries, sample, returns

    def blocks(self) -> list[str]:
        """Returns the page, block by block."""
        return [
            f"# {name_of(self.game)}: what its table says",
            f"*{self.game.definition.summary.render()}*",
            f"This page is written by `{self.tables.command('report')}`. A ply is one action of one player. A value "
            "holds for the player on move, with best play of both: the winner makes the game short, the loser makes it "
            "long.",
            *self._known(),
            *self._first(),
            *self._counts(),
            *self._longest(),
            *(returns_blocks(self, self.returns) if self.returns else []),
            *self._only(),
            *self._table(),
            *self._check(),
        ]

    def data(self) -> dict[str, Any]:
        """Returns what the page says as data."""
        return distance_data(self)

    def _known(self) -> list[str]:
        start = self.game.start
        blocks = ["## What is known", f"**{verdict(self.tables)}**", *certainty(self.tables)]
        if self.tables.probe_value(start).outcome != "draw":
            line = best_line(self.tables, start)
            blocks += [
                "One such game, in which both play the first of the best actions. The number after an action is how "
                "many plies are left.",
                *line_blocks(line),
                self.board(
                    "end", f"The end of this game: {line.result.sentence()}", line.end, last=line.steps[-1].action
                ),
            ]
        return blocks

    # First actions

    def _first(self) -> list[str]:
        start = self.game.start
        values = ordered_values(self.tables, start)
        best = best_actions(values)[0]
        after = start.play(best)
        blocks = ["## First actions", *self._actions("first", start, values)]
        if after.result is None and after.mover != start.mover:
            blocks += [
                f"### Answers to {code(best)}",
                f"After {code(best)}, the first of the best actions:",
                *self._actions("answers", after, ordered_values(self.tables, after)),
            ]
        return blocks + self._choice()

    def _choice(self) -> list[str]:
        """Returns where best play first meets actions that are not equally good, unless that is shown already."""
        played, position = first_choice(self.tables) or ([], self.game.start)
        if len(played) < 2:
            return []
        return [
            "### The first choice that matters",
            f"Until then no action changes how the game ends. After {codes(played)}, the first of the best actions, it "
            "does matter:",
            *self._actions("choice", position, ordered_values(self.tables, position)),
        ]

    def _actions(self, name: str, position: Position, values: dict[str, TableValue]) -> list[str]:
        """Returns the values of all actions: on a board if each names a cell of its own, else as a table."""
        player, best, cells = (
            player_name(self.game, position.mover),
            best_actions(values),
            named_cells(self.game, values),
        )
        groups = grouped(values)
        if cells is None:
            rows = [
                [code(text), value.text().render(), "best" if text in best else ""] for text, value in values.items()
            ]
            return [f"The actions of {player}:", table(["action", "value", ""], rows, 3)]
        if len(groups) == 1:
            blocks = [f"All {len(values)} actions of {player} are equally good: {next(iter(groups))}."]
        else:
            blocks = ["\n".join(f"- {said}: {codes(texts)}" for said, texts in groups.items())]
        if len(best) < len(values):
            blocks.insert(0, f"The actions of {player}; the best have a frame.")
        alt = f"Actions of {player}: {', '.join(f'{len(texts)} {said}' for said, texts in groups.items())}."
        on_cells = {cells[text]: value for text, value in values.items()}
        title = f"{self.game.title}: actions of {player}"
        picture = heat_map(position, on_cells, [cells[text] for text in best], title)
        return [*blocks, self.picture(name, alt, picture)]

    # All positions

    def _counts(self) -> list[str]:
        wins, losses = distances(self.tables, "wins"), distances(self.tables, "losses")
        blocks = [
            "## All positions",
            "Positions that differ only in how the board is turned or mirrored, or in colours exchanged, count once. "
            "Not every position that is counted can be reached from the first.",
            counts_table(self.header),
        ]
        if wins or losses:
            title = f"{self.game.title}: positions by distance"
            alt = f"How many positions are won or lost in how many plies, from 1 to {self.header.longest}."
            blocks += [
                "How far the end is, where the game is neither over nor drawn. The scale is logarithmic.",
                self.picture("plies", alt, distance_graph(wins, losses, title)),
                distances_table(self.tables),
            ]
        return blocks

    def _longest(self) -> list[str]:
        if not self.entries.longest:
            return []
        longest = self.header.longest or 0
        count = sum(distances(self.tables, name).get(longest, 0) for name in ("wins", "losses"))
        are = "position is" if count == 1 else "positions are"
        blocks = [
            "## The longest wins",
            f"No win of the table is longer than {plies(longest)}; {count:,} {are} that far from the end. "
            "The first of them by their numbers that are different situations, played out with best play of both. The "
            "number after an action is how many plies are left.",
        ]
        for number, position in enumerate(self.entries.longest, 1):
            line = best_line(self.tables, position)
            winner = player_name(self.game, line.result.winner or "")
            said = f"{winner} wins in {plies(longest)}" + (" by the table" if line.forbidden else "")
            blocks += [
                f"### {number}. {said}",
                code(position),
                self.board(f"longest-{number}", f"{said}.", position, line.steps[0].action),
                *line_blocks(line),
            ]
        return blocks

    def _only(self) -> list[str]:
        blocks = [
            "## Where only one action holds",
            *sample_blocks(self.sample, self.entries.undecided, SEED),
        ]
        if self.sample.examples:
            blocks.append("Examples with many actions:")
        for number, only in enumerate(self.sample.examples, 1):
            blocks += self._example(number, only)
        return blocks

    def _example(self, number: int, only: Only) -> list[str]:
        said = only_sentence(only)
        picture = self.board(f"only-{number}", said.replace("`", ""), only.position, only.action)
        return [f"### {number}. One action of {len(only.values)}", code(only.position), picture, said]

    # The table

    def _table(self) -> list[str]:
        return [
            "## The table",
            facts_table(self.tables),
            f"It is built by `{self.tables.command('solve')}` in about {duration(self.tables.numbering)} and verified "
            f"by `{self.tables.command('verify')}`.",
        ]

    def _check(self) -> list[str]:
        return ["## How to check this", *check_blocks(self.tables, next(iter(self.entries.longest), None))]
