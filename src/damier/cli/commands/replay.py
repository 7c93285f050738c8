"""``damier replay``: replays recorded games."""

import argparse
import re
import sys

from damier import Position, Record, Transcript
from damier.cli.arguments import Parser, add_record_file, whole_number
from damier.cli.files import read_games
from damier.cli.output import print_json
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.draw.textboard import board_text

EXAMPLES = """
damier match {game} --a level:2 --b level:1 --games 4 --max-turns 50 --save games.txt
damier replay games.txt
damier replay games.txt --turn 2
damier replay games.txt --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the file and which boards to show."""
    add_record_file(parser)
    parser.add_argument(
        "--turn", metavar="N", type=whole_number, help="show the board after turn N instead of the last"
    )
    parser.add_argument("--boards", action="store_true", help="show the board after every turn")


def run(arguments: argparse.Namespace) -> None:
    """Replays every game of a file and shows it."""
    transcripts = read_games(arguments.file)
    if arguments.turn is not None:
        for transcript in transcripts:
            _check_turn(transcript.record(), arguments.turn)
    if arguments.json:
        print_json([transcript.to_json() for transcript in transcripts])
        return
    for index, transcript in enumerate(transcripts):
        if index:
            print()
        _show(transcript, transcript.record(), arguments)


def _show(transcript: Transcript, record: Record, arguments: argparse.Namespace) -> None:
    turns = _turns(record)
    print(_without_controls(transcript.text()))
    if arguments.boards:
        moments = list(turns.values())
    elif arguments.turn is not None:
        moments = [turns[arguments.turn]]
    else:
        moments = [record.position]
    for position in moments:
        result = record.result if position is record.position else None
        print(board_text(position, colour=sys.stdout.isatty(), lang=arguments.lang, result=result))
        print(position, end="\n\n")
    if record.result and moments[-1] is not record.position:
        print(record.result.sentence(arguments.lang))


def _without_controls(text: str) -> str:
    """Replaces control characters, which could steer the terminal."""
    return re.sub(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", "?", text)


def _check_turn(record: Record, turn: int) -> None:
    last = record.turn
    if not 0 <= turn <= last:
        raise BadArgument(message("This game has turns 0 to {last}, not {turn}.", last=last, turn=turn))


def _turns(record: Record) -> dict[int, Position]:
    """Returns the position at the end of each turn; turn 0 is the start."""
    turns = {0: record.start}
    for position in record.positions[1:]:
        if position.is_settled:
            turns[len(turns)] = position
    return turns
