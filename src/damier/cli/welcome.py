"""``damier`` without a command: what there is and how to begin."""

import argparse

from damier.games import definition, games


def welcome(chosen: argparse.Namespace) -> None:
    """Prints the games and the first commands to try."""
    print("damier: five abstract board games\n")
    for name in games():
        game = definition(name)
        print(f"  {name:8} {game.title:14} {game.summary.render(chosen.lang)}")
    first = games()[0]
    print(
        f"""
Try:
  damier rules {first}            read the rules (--lang fr, --lang de)
  damier show {first}             see the board
  damier moves {first}            list the legal actions
  damier playouts {first} 10000   play random games
  damier --help                 all commands"""
    )
