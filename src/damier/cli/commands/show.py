"""``damier show``: shows a board in the terminal or writes it as a picture."""

import argparse
import sys

from damier.cli.arguments import Parser, add_actions, add_game, add_position, add_theme, chosen_game, chosen_record
from damier.cli.files import write_text
from damier.cli.output import print_json, record_data
from damier.core.drawing import position_captions
from damier.draw.marks import last_turns
from damier.draw.svg import board_svg
from damier.draw.textboard import board_text

EXAMPLES = """
damier show {game} --actions {actions}
damier show {game} --position "{position}" --svg board.svg --theme dark
"""


def add_arguments(parser: Parser) -> None:
    """Adds the position and how to draw it."""
    add_game(parser)
    add_position(parser)
    add_actions(parser)
    parser.add_argument("--svg", metavar="FILE", help="write an SVG picture to FILE ('-' for standard output)")
    add_theme(parser)
    parser.add_argument("--flip", action="store_true", help="turn the board round")


def run(arguments: argparse.Namespace) -> None:
    """Shows the board as text, SVG or JSON."""
    record = chosen_record(arguments, chosen_game(arguments))
    position, result, lang = record.position, record.result, arguments.lang
    if arguments.svg is not None:
        last = last_turns(record)
        picture = board_svg(position, theme=arguments.theme, flip=arguments.flip, last=last, lang=lang, result=result)
        if arguments.svg == "-":
            print(picture)
            return
        write_text(arguments.svg, picture)
    if arguments.json:
        board = {
            "pieces": [vars(piece) for piece in position.pieces()],
            "hands": position.hands(),
            "marks": position.cell_marks(),
            "captions": [caption.render(lang) for caption in position_captions(position, result)],
        }
        print_json({**record_data(record, lang), **board})
    elif arguments.svg is None:
        print(board_text(position, colour=sys.stdout.isatty(), lang=lang, flip=arguments.flip, result=result))
        print(position)
