"""The command that plays recorded games through."""

import argparse
import re
import sys
from pathlib import Path

from damier import Position, Record, load
from damier.cli.output import print_json
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.score import Score
from damier.core.score_json import parse_json_scores
from damier.core.score_text import parse_scores
from damier.core.textboard import board_text


def replay(chosen: argparse.Namespace) -> None:
    """Plays recorded games through and shows how they went."""
    scores = _read(chosen.file)
    if chosen.json:
        print_json([score.to_json() for score in scores])
        return
    for number, score in enumerate(scores):
        if number:
            print()
        _show(score, chosen)


def _read(file: str) -> list[Score]:
    """Returns the games in a file: text, or JSON as `damier replay --json` prints it."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise BadArgument(
            message("The file {file} cannot be read: {why}.", file=shown(file), why=error.strerror)
        ) from None
    except UnicodeDecodeError:
        raise BadArgument(message("The file {file} is not text in UTF-8.", file=shown(file))) from None
    if re.match(r"\s*(\{|\[\s*[{\]])", text):
        return parse_json_scores(text, load)
    return list(parse_scores(text, load))


def _show(score: Score, chosen: argparse.Namespace) -> None:
    record = score.record()
    turns = _turns(record)
    if chosen.turn is not None and chosen.turn not in turns:
        raise BadArgument(
            message("This game has turns 0 to {last}, not {turn}.", last=len(turns) - 1, turn=chosen.turn)
        )
    print(score.text())
    if chosen.boards:
        moments = list(turns.values())
    elif chosen.turn is not None:
        moments = [turns[chosen.turn]]
    else:
        moments = [record.position]
    for position in moments:
        print(board_text(position, colour=sys.stdout.isatty(), lang=chosen.lang))
        print(position, end="\n\n")
    if record.result:
        print(record.result.sentence(chosen.lang))


def _turns(record: Record) -> dict[int, Position]:
    """Returns the position at the end of each turn; turn 0 is the beginning."""
    turns = {0: record.start}
    for position in record.positions[1:]:
        if position.is_settled:
            turns[len(turns)] = position
    return turns
