"""The command that plays recorded games through."""

import argparse
import re
import sys

from damier import Position, Record
from damier.cli.files import read_games
from damier.cli.output import print_json
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.draw.textboard import board_text
from damier.transcript.tree import Transcript


def replay(chosen: argparse.Namespace) -> None:
    """Plays recorded games through and shows how they went."""
    transcripts = read_games(chosen.file)
    if chosen.turn is not None:
        for transcript in transcripts:
            _check_turn(transcript.record(), chosen.turn)
    if chosen.json:
        print_json([transcript.to_json() for transcript in transcripts])
        return
    for number, transcript in enumerate(transcripts):
        if number:
            print()
        _show(transcript, transcript.record(), chosen)


def _show(transcript: Transcript, record: Record, chosen: argparse.Namespace) -> None:
    turns = _turns(record)
    print(_harmless(transcript.text()))
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
