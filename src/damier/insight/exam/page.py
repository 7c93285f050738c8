"""The page about the exam: Markdown and plots, rendered from the samples and the results alone.

``templates/exam.md.j2`` has the words. Equal results give equal bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from damier.insight.exam import losses
from damier.insight.exam.agents import DEFAULT_LIMIT
from damier.insight.exam.perfect_play import GAMES, MOST_ACTIONS
from damier.insight.exam.plots import error_map, loss_plot
from damier.insight.exam.version import EXAM_VERSION
from damier.insight.report.page import markdown_environment, report_name
from damier.solve.numbering import name_of
from damier.solve.returns.repetition import forbids_returns

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.insight.exam.exam import ExamResult
    from damier.insight.exam.sample import ExamSample


class ExamPage:
    """The page with its plots."""

    def __init__(self, games: Mapping[Game, tuple[ExamSample, list[ExamResult]]]) -> None:
        self.games = games

    @cached_property
    def text(self) -> str:
        """The page in Markdown."""
        environment = markdown_environment(Path(__file__).parent / "templates")
        environment.filters |= {"percent": lambda share: f"{100 * share:.1f} %", "digits": _digits}
        rendered = environment.get_template("exam.md.j2").render(
            version=EXAM_VERSION,
            example=next(iter(self.games)).name,
            nodes=f"{DEFAULT_LIMIT.nodes:,}",
            games_of_an_exam=GAMES,
            most_actions=MOST_ACTIONS,
            least=f"{100 * losses.LEAST_CHANCE:g} %",
            choice=f"{100 * losses.CHOICE_CHANCE:g} %",
            examined=[
                {
                    "name": name_of(game),
                    "file": report_name(game),
                    "command": game.tables.command("exam"),
                    "sample": sample,
                    "path": f"games/{game.name}/exam/{report_name(game)}.json",
                    "results": results,
                    "missing": [agent for agent in self._agents if agent not in {each.agent for each in results}],
                    "has_chance": game.traits.has_chance,
                    "forbids_returns": forbids_returns(game),
                    "players": {player: game.player_name(player).render() for player in game.players},
                }
                for game, (sample, results) in self.games.items()
            ],
        )
        return re.sub(r"\n{3,}", "\n\n", rendered).strip() + "\n"

    @property
    def _agents(self) -> list[str]:
        """The agents that have a result in any game."""
        return list(dict.fromkeys(each.agent for _, results in self.games.values() for each in results))

    def files(self) -> dict[str, str]:
        """Returns the page and its plots by their paths in the folder of the documentation."""
        found = {"exam.md": self.text}
        for game, (_, results) in self.games.items():
            name, title = report_name(game), name_of(game)
            if results:
                found[f"exam/{name}-losses.svg"] = loss_plot(results, f"{title}: mean value lost in a decision")
                found[f"exam/{name}-errors.svg"] = error_map(
                    results, f"{title}: errors in the sample", has_chance=game.traits.has_chance
                )
        return found


def _digits(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
