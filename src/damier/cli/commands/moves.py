"""``damier moves``: lists the legal actions of a position."""

import argparse
import sys

from damier.cli.arguments import Parser, add_actions, add_game, add_position, chosen_game, chosen_record
from damier.cli.output import print_json, record_data

EXAMPLES = """
damier moves {game}
damier moves {game} --actions {actions} --json
damier moves {game} --position "{position}"
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game, the position and the actions to play first."""
    add_game(parser)
    add_position(parser)
    add_actions(parser)


def run(arguments: argparse.Namespace) -> None:
    """Lists the legal actions; the result of a finished game goes to stderr."""
    record = chosen_record(arguments, chosen_game(arguments))
    actions = record.actions()
    if arguments.json:
        print_json({**record_data(record, arguments.lang), "actions": actions})
        return
    for action in actions:
        print(action)
    if result := record.result:
        print(result.sentence(arguments.lang), file=sys.stderr)
