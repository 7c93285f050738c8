"""What there is to know of games before one is played, as wire models."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

import damier
from damier.core.options import CellList, option_names, option_phrase, option_title
from damier.draw.marks import last_turns
from damier.draw.svg import board_svg
from damier.engine.level_ratings import LevelRating, level_ratings
from damier.engine.levels import LEVELS, NAMES
from damier.server.board_data import drawing_data, previews_data, turns_data
from damier.server.wire.board import DrawingData, PieceData, PreviewsData
from damier.server.wire.games import (
    ExampleAction,
    ExampleData,
    ExampleState,
    GameData,
    LevelName,
    OptionData,
    PlayerName,
    PreviewsRequest,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.core.game import Game
    from damier.core.options import Option

_PICTURE_ACTIONS = 9
_PICTURE_SEED = 5
_EXAMPLE_STATES = 20
_OPTION: TypeAdapter[OptionData] = TypeAdapter(OptionData)


def all_games(lang: str) -> list[GameData]:
    """Returns all games, with their options and levels."""
    return [game_data(name, lang) for name in damier.games()]


def empty_board(name: str, options: Sequence[tuple[str, str]], lang: str) -> DrawingData:
    """Returns the empty board of a game with some options."""
    return drawing_data(damier.load(name, **dict(options)), lang)


def action_previews(wanted: PreviewsRequest, lang: str) -> PreviewsData:
    """Returns what each legal action of a position does, as far as no history is needed."""
    return previews_data(damier.load(wanted.game, **wanted.options).parse(wanted.position), lang)


def game_data(name: str, lang: str) -> GameData:
    """Returns what there is to know of a game before a match."""
    game = damier.load(name)
    definition = game.definition
    ratings = level_ratings(definition)
    return GameData(
        name=game.name,
        title=game.title,
        summary=definition.summary.render(lang),
        players=[PlayerName(player=each, name=text.render(lang)) for each, text in definition.player_names.items()],
        options=[_option_data(option, lang) for option in definition.options],
        levels=[_level_name(level, ratings.get(level), lang) for level in LEVELS],
        has_chance=game.traits.has_chance,
        solved=definition.solved.render(lang) if definition.solved else None,
        has_example=True,
        picture=_picture(game, lang),
    )


def _level_name(level: int, rating: LevelRating | None, lang: str) -> LevelName:
    return LevelName(
        level=level,
        name=NAMES[level].render(lang),
        rating=rating.value if rating and rating.is_certain else None,
        rating_error=rating.error if rating and rating.is_certain else None,
    )


def _option_data(option: Option, lang: str) -> OptionData:
    words = {
        "title": option_title(option).render(lang),
        "phrase": option_phrase(option, "{value}").render(lang),
        "help": option.help.render(lang),
        "names": {value: text.render(lang) for value, text in option_names(option).items()},
    }
    form = {"needs": option.needs, "partners": option.partners} if isinstance(option, CellList) else {}
    return _OPTION.validate_python({**option.declaration(), **words, **form})


def example_data(name: str, lang: str) -> ExampleData:
    """Returns some states of a game that plays itself, always the same ones."""
    game = damier.load(name)
    rng, record = random.Random(_PICTURE_SEED), game.record()
    states: list[ExampleState] = []
    last = None
    while record.result is None and len(states) < _EXAMPLE_STATES:
        action = rng.choice(record.actions())
        if record.mover != "chance":
            pieces = game.definition.appearance.pieces(game.rules, record.position.state)
            shown = [PieceData(**vars(piece)) for piece in pieces]
            marked = turns_data(last_turns(record))
            states.append(ExampleState(pieces=shown, marks={}, last=last, last_turns=marked))
            last = ExampleAction(cells=list(game.action_cells(action)))
        record.play(action)
    drawing = drawing_data(game, lang).model_copy(update={"goal": None})  # the first page is small
    return ExampleData(drawing=drawing, states=states)


def _picture(game: Game, lang: str) -> str:
    """Returns a board on which some actions have been played, always the same ones; small, for the first page."""
    rng, record = random.Random(_PICTURE_SEED), game.record()
    while record.result is None and (len(record.played) < _PICTURE_ACTIONS or record.mover == "chance"):
        record.play(rng.choice(record.actions()))
    return board_svg(record.position, lang=lang, coordinates=False, has_grain=False)
