"""Requests about games before one is played, the texts of the pages, and whether the server answers."""

from __future__ import annotations

import json
import random
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, Request
from pydantic import TypeAdapter

import damier
from damier.core.messages import LANGUAGES
from damier.core.options import CellList, option_names, option_phrase, option_title
from damier.draw.marks import last_turns
from damier.draw.svg import board_svg
from damier.engine.levels import LEVELS, NAMES
from damier.server.assets import SENTENCES, keep_for_good
from damier.server.board_data import drawing_data, previews_data, turns_data
from damier.server.dependencies import within_limits
from damier.server.visitors import language
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
    from damier.core.game import Game
    from damier.core.options import Option

router = APIRouter(prefix="/api")

_KEPT = [Depends(keep_for_good)]
_PICTURE_ACTIONS = 9
_PICTURE_SEED = 5
_EXAMPLE_STATES = 20
_OPTION: TypeAdapter[OptionData] = TypeAdapter(OptionData)


@router.get("/games", dependencies=_KEPT)
async def list_games(request: Request) -> list[GameData]:
    """All games, with their options and levels."""
    return [game_data(name, language(request)) for name in damier.games()]


@router.get("/games/{name}/drawing", dependencies=_KEPT)
async def draw_game(name: str, request: Request) -> DrawingData:
    """The empty board of a game; options in the query."""
    given = {key: value for key, value in request.query_params.items() if key not in ("lang", "v")}
    return drawing_data(damier.load(name, **given), language(request))


@router.get("/games/{name}/example", dependencies=_KEPT)
async def show_example(name: str, request: Request) -> ExampleData:
    """Some states of a game that plays itself, for an animation."""
    return example_data(name, language(request))


@router.post("/previews", dependencies=[Depends(within_limits)])
def preview_actions(wanted: PreviewsRequest, request: Request) -> PreviewsData:
    """What each legal action of a position does, as far as no history is needed."""
    position = damier.load(wanted.game, **wanted.options).parse(wanted.position)
    return previews_data(position, language(request))


@router.get("/alive", status_code=204)
async def alive() -> None:
    """Answers, so that a page that lost its connection knows when to connect again."""


@router.get("/sentences", dependencies=_KEPT)
async def list_sentences(request: Request) -> dict[str, str]:
    """The texts of the pages in a language, by key."""
    lang = language(request)
    return {key: texts[lang] for key, texts in sentences().items()}


@lru_cache(1)
def sentences() -> dict[str, dict[str, str]]:
    """Returns the texts of the pages, by key and language."""
    files = sorted(SENTENCES.glob("*.json"))
    return {key: texts for file in files for key, texts in json.loads(file.read_text("utf-8")).items()}


def prepare() -> None:
    """Gathers the data of all games, a tenth of a second, before the first visitor asks for it."""
    for name, lang in product(damier.games(), LANGUAGES):
        game_data(name, lang)


@lru_cache(64)
def game_data(name: str, lang: str) -> GameData:
    """Returns what there is to know of a game before a match."""
    game = damier.load(name)
    definition = game.definition
    return GameData(
        name=game.name,
        title=game.title,
        summary=definition.summary.render(lang),
        players=[PlayerName(player=each, name=text.render(lang)) for each, text in definition.player_names.items()],
        options=[_option_data(option, lang) for option in definition.options],
        levels=[LevelName(level=level, name=NAMES[level].render(lang)) for level in LEVELS],
        has_chance=game.traits.has_chance,
        solved=definition.solved.render(lang) if definition.solved else None,
        has_example=True,
        picture=_picture(game, lang),
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


@lru_cache(64)
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
    """Returns a board on which some actions have been played, always the same ones."""
    rng, record = random.Random(_PICTURE_SEED), game.record()
    while record.result is None and (len(record.played) < _PICTURE_ACTIONS or record.mover == "chance"):
        record.play(rng.choice(record.actions()))
    return board_svg(record.position, lang=lang, coordinates=False)
