"""``damier review``: finds the mistakes in a recorded game."""

import argparse
import shutil
import sys
from typing import Any

from damier.cli.arguments import Parser, add_limit, add_record_file, add_theme, whole_number
from damier.cli.files import check_folder, read_games, write_text
from damier.cli.output import chances_data, print_json, progress
from damier.core.errors import BadArgument
from damier.core.messages import Message, Number, counted, message, plain
from damier.engine.limit import Limit
from damier.insight.review.graph import chance_svg, chance_text, marked_mistakes
from damier.insight.review.review import DEFAULT_LIMIT, MISTAKE, Review, ReviewedAction, annotated, percent
from damier.insight.review.review import review as review_game
from damier.solve.location import has_table
from damier.solve.returns.repetition import forbids_returns, history_note
from damier.transcript.tree import Transcript

EXAMPLES = """
damier match {game} --a level:2 --b level:1 --games 4 --max-turns 50 --save games.txt
damier review games.txt --nodes 500
damier review games.txt --seconds 0.05 --svg chances.svg
damier review games.txt --game 3 --nodes 500 --annotate annotated.txt --lang de
"""

_LONGEST_NAME = 40  # letters of a person's name


def add_arguments(parser: Parser) -> None:
    """Adds the file, the limits of the search and what to write."""
    add_record_file(parser)
    parser.add_argument("--game", metavar="N", type=whole_number, default=1, help="which game of the file (default: 1)")
    add_limit(parser, "the search of each position")
    parser.add_argument("--svg", metavar="FILE", help="write the graph as an SVG picture to FILE")
    add_theme(parser)
    parser.add_argument("--annotate", metavar="FILE", help="write the game with mistakes and better lines to FILE")


def run(arguments: argparse.Namespace) -> None:
    """Finds the mistakes of a recorded game and shows how the winning chances changed."""
    transcript = _chosen_transcript(arguments)
    limit = Limit(arguments.seconds, arguments.nodes)
    for file in (arguments.svg, arguments.annotate):
        check_folder(file)
    with progress(transcript.game.title) as show:
        found = review_game(transcript, DEFAULT_LIMIT if limit == Limit() else limit, show)
    if arguments.svg is not None:
        write_text(arguments.svg, chance_svg(found, theme=arguments.theme, lang=arguments.lang))
    if arguments.annotate is not None:
        write_text(arguments.annotate, annotated(found, arguments.lang).text())
    if "-" in (arguments.svg, arguments.annotate):
        return
    if arguments.json:
        print_json(_data(found))
        return
    for line in _sentences(found):
        print(line.render(arguments.lang))
    print()
    print(chance_text(found, _width(), arguments.lang, is_ascii=not _can_draw()))


def _chosen_transcript(arguments: argparse.Namespace) -> Transcript:
    transcripts = read_games(arguments.file)
    if not 1 <= arguments.game <= len(transcripts):
        raise BadArgument(
            counted(
                "This file has only {count} game, not a game {number}.",
                "This file has games 1 to {count}, not {number}.",
                count=len(transcripts),
                number=arguments.game,
            )
        )
    transcript: Transcript = transcripts[arguments.game - 1]
    return transcript


def _sentences(found: Review) -> list[Message]:
    """Returns the mistakes, the average loss and the accuracy of each player, the luck of the die and the result."""
    lines = [_mistake(found, number, step) for number, step in enumerate(marked_mistakes(found), 1)]
    if not lines:
        lines.append(message("No action gave away {least} % of the winning chance or more.", least=percent(MISTAKE)))
    for player, loss in found.average_losses.items():
        shown = Number(100 * loss, ".1f")
        lines.append(message("{player} gave away {loss} % an action.", player=_who(found, player), loss=shown))
    for player, share in found.accuracies.items():
        shown = Number(100 * share, ".1f")
        lines.append(message("Accuracy of {player}: {accuracy} %.", player=_who(found, player), accuracy=shown))
    for player, luck in found.luck.items():
        shown = Number(100 * luck, "+.0f")
        lines.append(
            message("The die changed the chance of {player} by {luck} %.", player=_who(found, player), luck=shown)
        )
    if found.transcript.result:
        lines.append(found.transcript.result.message)
    if has_table(found.game) and forbids_returns(found.game) and (note := history_note(found.game)):
        lines.append(note)
    return lines


def _mistake(found: Review, number: int, step: ReviewedAction) -> Message:
    return message(
        "{number}. Turn {turn}, {player}: {played} was a mistake, from {before} % to {after} %; better was {better}.",
        number=number,
        turn=step.turn,
        player=_who(found, step.mover),
        played=found.played_text(step),
        before=percent(found.chance_before(step)),
        after=percent(found.chance_after(step)),
        better=found.better_text(step),
    )


def _who(found: Review, player: str) -> Message:
    """Returns the player, with the name in the record if there is one."""
    called = found.game.player_name(player)
    if not found.transcript.players:
        return called
    name = found.transcript.players[found.game.players.index(player)]
    return message("{player} ({name})", player=called, name=plain(name, _LONGEST_NAME))


def _data(found: Review) -> dict[str, Any]:
    """Returns a review as data for JSON."""
    result = found.transcript.result
    return {
        "game": found.game.name,
        "options": found.game.options,
        "players": list(found.transcript.players),
        "result": result and {"winner": result.winner, "reason": result.reason},
        "chances": [chances_data(found.game, chances) for chances in found.chances],
        "actions": [_step_data(found, step) for step in found.steps],
        "mistakes": [step.number for step in found.mistakes],
        "average_losses": {player: round(loss, 6) for player, loss in found.average_losses.items()},
        "accuracies": {player: round(share, 6) for player, share in found.accuracies.items()},
        "luck": {player: round(luck, 6) for player, luck in found.luck.items()},
    }


def _step_data(found: Review, step: ReviewedAction) -> dict[str, Any]:
    return {
        "turn": step.turn,
        "mover": step.mover,
        "action": step.action,
        "before": chances_data(found.game, step.before),
        "after": chances_data(found.game, step.after),
        "loss": None if step.loss is None else round(step.loss, 6),
        "mark": step.mark,
        "better": list(step.better),
        "luck": step.luck and chances_data(found.game, step.luck),
    }


def _width() -> int:
    """Returns the width of the terminal in characters, or 80."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 80


def _can_draw() -> bool:
    """Tells whether the encoding of stdout has block characters."""
    try:
        "█▁│".encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
