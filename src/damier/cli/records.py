"""The command that plays recorded games through."""

import argparse
import re
import sys
from pathlib import Path

from damier import Position, Record
from damier.cli.output import print_json
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.score import Score
from damier.core.textboard import board_text
from damier.lab.scores import read_scores


def replay(chosen: argparse.Namespace) -> None:
    """Plays recorded games through and shows how they went."""
    scores = _read(chosen.file)
    if chosen.turn is not None:
        for score in scores:
            _check_turn(score.record(), chosen.turn)
    if chosen.json:
        print_json([score.to_json() for score in scores])
        return
    for number, score in enumerate(scores):
        if number:
            print()
        _show(score, score.record(), chosen)


def _read(file: str) -> list[Score]:
    """Returns the games in a file: text, or JSON as `damier replay --json` prints it."""
    try:
        content = _standard_input() if file == "-" else Path(file).read_bytes()
        return read_scores(content.decode("utf-8-sig"))
    except OSError as error:
        raise BadArgument(
            message("The file {file} cannot be read: {why}.", file=shown(file), why=error.strerror)
        ) from None
    except UnicodeDecodeError:
        raise BadArgument(message("The file {file} is not text in UTF-8.", file=shown(file))) from None


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed by the caller
        raise BadArgument(message("There is no standard input to read."))
    return sys.stdin.buffer.read()


def _show(score: Score, record: Record, chosen: argparse.Namespace) -> None:
    turns = _turns(record)
    print(_harmless(score.text()))
    if chosen.boards:
        moments = list(turns.values())
    elif chosen.turn is not None:
        moments = [turns[chosen.turn]]
    else:
        moments = [record.position]
    for position in moments:
        result = record.result if position is record.position else None
        print(board_text(position, colour=sys.stdout.isatty(), lang=chosen.lang, result=result))
        print(position, end="\n\n")
    if record.result and moments[-1] is not record.position:
        print(record.result.sentence(chosen.lang))


def _harmless(text: str) -> str:
    """Returns a text without what would steer the terminal."""
    return re.sub(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", "?", text)


def _check_turn(record: Record, turn: int) -> None:
    last = record.turn
    if not 0 <= turn <= last:
        raise BadArgument(message("This game has turns 0 to {last}, not {turn}.", last=last, turn=turn))


def _turns(record: Record) -> dict[int, Position]:
    """Returns the position at the end of each turn; turn 0 is the beginning."""
    turns = {0: record.start}
    for position in record.positions[1:]:
        if position.is_settled:
            turns[len(turns)] = position
    return turns
