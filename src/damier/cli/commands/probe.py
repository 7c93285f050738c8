"""``damier probe``: looks up exact values in a table, on this machine or on a server."""

from __future__ import annotations

import argparse
import contextlib
from typing import TYPE_CHECKING, Any

from damier import Record
from damier.cli.arguments import Parser, add_actions, add_game, add_position, add_server, chosen_game, chosen_record
from damier.cli.output import print_json, value_data
from damier.core.messages import Message, message
from damier.solve.returns.repetition import history_note

if TYPE_CHECKING:
    from damier.solve.value import TableValue

EXAMPLES = """
damier probe {small}
damier probe {small} --actions {actions} --json
damier probe {small} --from http://127.0.0.1:8000
"""


def add_arguments(parser: Parser) -> None:
    """Adds the position."""
    add_game(parser)
    add_position(parser)
    add_actions(parser)
    add_server(parser, "probe the table of a damier server instead of one on this machine")


def run(arguments: argparse.Namespace) -> None:
    """Prints the exact value of a position and of every legal action in it, and which of them the history may spoil."""
    from damier.solve.covering import CoveringTables, tables_for
    from damier.solve.history_values import HistoryValues, is_proved
    from damier.solve.numbering import name_of

    record = chosen_record(arguments, chosen_game(arguments))
    with contextlib.closing(tables_for(record.position, remote=arguments.server)) as tables:
        values = HistoryValues(tables)
        value, actions = values.value(record), values.actions(record)
        proved = values.proved(record, actions)
    table = tables.covering.game if isinstance(tables, CoveringTables) else record.game
    is_certain = not actions or record.mover == "chance" or is_proved(value, actions, proved)
    if arguments.json:
        print_json(_probe_data(record, value, actions, proved, is_certain) | {"table": table.options})
        return
    print(f"{record.position}  {_text(value, is_certain).render(arguments.lang)}")
    for text, each in actions.items():
        print(f"  {text:12} {_text(each, text in proved).render(arguments.lang)}")
    if table != record.game:
        print(message("The values are from the table of {game}.", game=name_of(table)).render(arguments.lang))
    if len(proved) < len(actions) and (note := history_note(record.game)):
        print(note.render(arguments.lang))


def _text(value: TableValue, is_certain: bool) -> Message:
    return value.text() if is_certain else message("{value}, not proved", value=value.text())


def _probe_data(
    record: Record, value: TableValue, actions: dict[str, TableValue], proved: set[str], is_certain: bool
) -> dict[str, Any]:
    game = record.game
    player = record.mover if record.result else game.tables.player(record.position)
    return {
        "game": game.name,
        "options": game.options,
        "position": str(record.position),
        "mover": record.mover,
        **value_data(game, player, value),
        "proved": is_certain,
        "actions": [
            {"action": text, **value_data(game, player, each), "proved": text in proved}
            for text, each in actions.items()
        ],
    }
