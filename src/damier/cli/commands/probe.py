"""``damier probe``: looks up exact values in a table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from damier import Record
from damier.cli.arguments import Parser, add_actions, add_game, add_position, chosen_game, chosen_record
from damier.cli.output import print_json, value_data

if TYPE_CHECKING:
    from damier.solve.value import TableValue

EXAMPLES = """
damier probe {small}
damier probe {small} --actions {actions} --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds the position."""
    add_game(parser)
    add_position(parser)
    add_actions(parser)


def run(arguments: argparse.Namespace) -> None:
    """Prints the exact value of a position and of every action in it."""
    record = chosen_record(arguments, chosen_game(arguments))
    game = record.game
    tables = game.tables
    value = tables.probe_value(record.position)
    actions = {} if record.result else tables.action_values(record.position)
    if arguments.json:
        print_json(_probe_data(record, value, actions))
        return
    print(f"{record.position}  {value.text().render(arguments.lang)}")
    for text, each in actions.items():
        print(f"  {text:12} {each.text().render(arguments.lang)}")


def _probe_data(record: Record, value: TableValue, actions: dict[str, TableValue]) -> dict[str, Any]:
    game = record.game
    player = record.mover if record.result else game.tables.player(record.position)
    return {
        "game": game.name,
        "options": game.options,
        "position": str(record.position),
        "mover": record.mover,
        **value_data(game, player, value),
        "actions": [{"action": text, **value_data(game, player, each)} for text, each in actions.items()],
    }
