"""``damier games``: lists the games with their options."""

import argparse
from typing import Any

from damier import Game, games, load
from damier.cli.arguments import Parser
from damier.cli.output import print_json

EXAMPLES = """
damier games
damier games --json
"""


def add_arguments(parser: Parser) -> None:
    """Adds nothing: the command has only the common arguments."""


def run(arguments: argparse.Namespace) -> None:
    """Lists the games with their options."""
    loaded = [load(name) for name in games()]
    if arguments.json:
        print_json([_game_data(game, arguments.lang) for game in loaded])
        return
    for game in loaded:
        print(f"{game.name:8} {game.title}: {game.definition.summary.render(arguments.lang)}")
        for option in game.definition.options:
            takes, default = option.takes.render(arguments.lang), option.default
            print(f"         -o {option.name}={default}: {takes}. {option.help.render(arguments.lang)}")


def _game_data(game: Game, lang: str) -> dict[str, Any]:
    options = [{**option.declaration(), "help": option.help.render(lang)} for option in game.definition.options]
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.definition.summary.render(lang),
        "players": list(game.players),
        "options": options,
        "start": str(game.start),
    }
