"""``damier rules``: shows the rules of a game."""

import argparse
import sys

from damier.cli.arguments import Parser, add_game, chosen_game
from damier.cli.output import print_json
from damier.teach.rules.pages import page_for_terminal, rule_page

EXAMPLES = """
damier rules {game}
damier rules {game} --lang fr
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game."""
    add_game(parser)


def run(arguments: argparse.Namespace) -> None:
    """Shows the rule page of a game: formatted in a terminal, as Markdown in a pipe."""
    game = chosen_game(arguments)
    page = rule_page(game.name, arguments.lang)
    if arguments.json:
        print_json({"game": game.name, "lang": arguments.lang, "markdown": page})
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page_for_terminal(game.name, page, arguments.lang)))
    else:
        print(page)
