"""The commands that list games and actions and show boards."""

import argparse
import sys
from typing import Any

from damier import Game, Record
from damier.cli.files import write_text
from damier.cli.output import chosen_game, chosen_record, print_json
from damier.games import games as game_names
from damier.games import load


def games(chosen: argparse.Namespace) -> None:
    """Lists the games with their options."""
    loaded = [load(name) for name in game_names()]
    if chosen.json:
        print_json([_game_data(game, chosen.lang) for game in loaded])
        return
    for game in loaded:
        print(f"{game.name:8} {game.title}: {game.definition.summary.render(chosen.lang)}")
        for option in game.definition.options:
            takes, default = option.takes.render(chosen.lang), option.default
            print(f"         -o {option.name}={default}: {takes}. {option.help.render(chosen.lang)}")


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


def moves(chosen: argparse.Namespace) -> None:
    """Lists the legal actions of a position."""
    record = chosen_record(chosen, chosen_game(chosen))
    actions = record.actions()
    if chosen.json:
        print_json({**_record_data(record, chosen.lang), "actions": actions})
        return
    for action in actions:
        print(action)
    if result := record.result:
        print(result.sentence(chosen.lang), file=sys.stderr)


def _record_data(record: Record, lang: str) -> dict[str, Any]:
    result = record.result
    return {
        "game": record.game.name,
        "options": record.game.options,
        "position": str(record.position),
        "mover": None if result else record.mover,
        "result": result and {"winner": result.winner, "reason": result.reason, "sentence": result.sentence(lang)},
    }


def show(chosen: argparse.Namespace) -> None:
    """Shows the board of a position."""
    from damier.core.drawing import position_captions
    from damier.draw.svg import board_svg
    from damier.draw.textboard import board_text

    record = chosen_record(chosen, chosen_game(chosen))
    position, result = record.position, record.result
    if chosen.svg is not None:
        last = record.played[-1] if record.played else None
        picture = board_svg(position, theme=chosen.theme, flip=chosen.flip, last=last, lang=chosen.lang, result=result)
        if chosen.svg == "-":
            print(picture)
            return
        write_text(chosen.svg, picture)
    if chosen.json:
        board = {
            "pieces": [vars(piece) for piece in position.pieces()],
            "hands": position.hands(),
            "marks": position.cell_marks(),
            "captions": [caption.render(chosen.lang) for caption in position_captions(position, result)],
        }
        print_json({**_record_data(record, chosen.lang), **board})
    elif chosen.svg is None:
        is_colour = sys.stdout.isatty()
        print(board_text(position, colour=is_colour, lang=chosen.lang, flip=chosen.flip, result=result))
        print(position)
