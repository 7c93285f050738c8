"""The command that shows the rules of a game."""

import argparse
import sys

from damier.cli.output import chosen_game, print_json
from damier.teach.rules.pages import page_for_terminal, rule_page


def rules(chosen: argparse.Namespace) -> None:
    """Shows the rule page of a game: laid out in a terminal, as Markdown in a pipe."""
    game = chosen_game(chosen)
    page = rule_page(game.name, chosen.lang)
    if chosen.json:
        print_json({"game": game.name, "lang": chosen.lang, "markdown": page})
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(page_for_terminal(game.name, page, chosen.lang)))
    else:
        print(page)
