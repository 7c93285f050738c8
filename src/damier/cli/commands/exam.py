"""``damier exam``: measures how much an agent loses by the exact values of a solved game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from damier.cli.arguments import PLAYERS, Parser, add_depth, add_game, add_limit, chosen_game, whole_number
from damier.cli.output import games_text, print_json, progress
from damier.core.messages import Message, Number, counted, message

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.insight.exam.decision import LossSummary
    from damier.insight.exam.exam import Exam, ExamResult
    from damier.insight.exam.perfect_play import SeatSummary

EXAMPLES = """
damier exam {small} --agent level:3
damier exam {small} --agent mcts@simulations=20 --positions 50 --games 2
damier exam {small} --agent "ugi:damier engine {small}" --nodes 50 --positions 10 --games 2 --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game, the agent, and how much it is asked."""
    add_game(parser)
    parser.add_argument("--agent", required=True, metavar="AGENT", help=PLAYERS)
    parser.add_argument(
        "--positions", metavar="N", type=whole_number, help="how many positions of the sample (default: all)"
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=whole_number,
        default=20,
        help="how many games against the perfect opponent, in both seats by turns (default: 20)",
    )
    add_limit(parser, "a turn", " (default: 300,000 nodes; a level searches as far as it always does)")
    add_depth(parser, "a turn")
    parser.add_argument("--seed", type=whole_number, default=0, help="same seed, same dice and opponent (default: 0)")


def run(arguments: argparse.Namespace) -> None:
    """Examines an agent and prints what it loses, even after Ctrl-C; the engine of damier does without tables."""
    from damier.engine.limit import Limit
    from damier.insight.exam.exam import Exam

    limit = Limit(arguments.seconds, arguments.nodes, arguments.depth)
    exam = Exam(
        chosen_game(arguments),
        arguments.agent,
        limit=None if limit == Limit() else limit,
        positions=arguments.positions,
        games=arguments.games,
        seed=arguments.seed,
    )
    try:
        with progress(arguments.agent) as show:

            def tell(share: float, rate: float) -> None:
                note = message("{rate} decisions/s", rate=Number(rate, ",.1f"))
                show(share, note.render(arguments.lang))

            exam.run(tell)
    except KeyboardInterrupt:  # what has been done counts
        _print(exam, arguments)
        raise
    _print(exam, arguments)


def _print(exam: Exam, arguments: argparse.Namespace) -> None:
    result = exam.result()
    if arguments.json:
        decisions = [each.data() for each in exam.decisions]
        games = [
            {
                "player": each.player,
                "score": each.score,
                "actions": list(each.actions),
                "value_lost": round(each.value_lost, 6),
                "first_error": each.first_error,
            }
            for each in exam.games
        ]
        print_json({**result.data(), "decisions": decisions, "played": games})
        return
    for line in _lines(exam.game, result, arguments.lang):
        print(line.render(arguments.lang) if isinstance(line, Message) else line)


def _lines(game: Game, result: ExamResult, lang: str) -> list[Message | str]:
    from damier.insight.exam.groups import group_name
    from damier.solve.numbering import name_of
    from damier.solve.returns.repetition import forbids_returns

    sample, play = result.sample, result.play
    lines: list[Message | str] = [
        message(
            "{agent} in {game}: exam {version}, sample {digest}.",
            agent=result.agent,
            game=name_of(game),
            version=result.exam,
            digest=sample.digest[:12],
        )
    ]
    if not sample.is_published:
        lines.append(message("These options have no published sample: one was drawn from the table, always the same."))
    lines.append(
        message("Value lost is in chances to win, from 0 to 1.")
        if result.unit == "chance"
        else message("Value lost is in game value: a win is 1, a draw 0, a loss -1.")
    )
    if forbids_returns(game):
        lines.append(
            message(
                "The table leaves the forbidden return aside, and so do the losses; by that rule even the perfect "
                "opponent may lose."
            )
        )
    head = [message("positions"), message("errors"), message("value lost"), message("plies lost")]
    rows = {message("all positions"): sample.all} | {group_name(name): each for name, each in sample.groups.items()}
    lines += ["", *_table(lang, head, {name.render(lang): _losses(each, lang) for name, each in rows.items()})]
    if not play.games:
        return lines
    lines += ["", message("{games} against the perfect opponent:", games=games_text(play.games, lang)), ""]
    head = [
        *(message("won"), message("drawn"), message("lost"), message("best play")),
        *(message("errors a game"), message("value lost a game"), message("first error at ply")),
    ]
    seats = {game.player_name(seat.player).render(lang): _seat(seat, lang) for seat in play.seats}
    lines += _table(lang, head, seats)
    said = counted(
        "In {count} decision of these games the choice mattered: {errors} % errors, {lost} lost on average.",
        "In {count} decisions of these games the choice mattered: {errors} % errors, {lost} lost on average.",
        count=play.all.decisions,
        errors=Number(100 * play.all.errors, ".1f"),
        lost=Number(play.all.value_lost, ".4f"),
    )
    return [*lines, said]


def _losses(group: LossSummary, lang: str) -> list[str]:
    return [
        Number(group.decisions, ",").render(lang),
        Number(100 * group.errors, ".1f").render(lang) + " %",
        Number(group.value_lost, ".4f").render(lang),
        "-" if group.plies_lost is None else Number(group.plies_lost, ".2f").render(lang),
    ]


def _seat(seat: SeatSummary, lang: str) -> list[str]:
    return [
        *(str(count) for count in (seat.won, seat.drawn, seat.lost)),
        Number(seat.value, ".4g").render(lang),
        Number(seat.errors, ".2f").render(lang),
        Number(seat.value_lost, ".4f").render(lang),
        "-" if seat.first_error is None else Number(seat.first_error, ".1f").render(lang),
    ]


def _table(lang: str, head: list[Message], rows: dict[str, list[str]]) -> list[str]:
    """Returns the lines of a table with aligned columns."""
    titles = [title.render(lang) for title in head]
    first = max(map(len, rows), default=0)
    widths = [max(len(title), *(len(row[i]) for row in rows.values())) for i, title in enumerate(titles)]
    cells = {"": titles, **rows}
    return [
        f"  {name:{first}}  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for name, row in cells.items()
    ]
