"""Requests about games before one is played, the texts of the pages, and whether the server answers."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic_core import to_json

from damier.core.messages import message
from damier.server.assets import SENTENCES, kept_for_good
from damier.server.dependencies import PageDesk
from damier.server.errors import NotFound
from damier.server.front.visitors import language
from damier.server.game_data import action_previews, all_games, empty_board, example_data
from damier.server.wire.board import DrawingData, PreviewsData
from damier.server.wire.games import ExampleData, GameData, PreviewsRequest

router = APIRouter(prefix="/api")


@router.get("/games", response_model=list[GameData])
async def list_games(request: Request, desk: PageDesk) -> Response:
    """All games, with their options and levels."""
    return kept_for_good(request, await desk.answer_once(all_games, language(request)))


@router.get("/games/{name}/drawing", response_model=DrawingData)
async def draw_game(name: str, request: Request, desk: PageDesk) -> Response:
    """The empty board of a game; options in the query."""
    given = sorted((key, value) for key, value in request.query_params.items() if key not in ("lang", "v"))
    return kept_for_good(request, await desk.answer_once(empty_board, name, tuple(given), language(request)))


@router.get("/games/{name}/example", response_model=ExampleData)
async def show_example(name: str, request: Request, desk: PageDesk) -> Response:
    """Some states of a game that plays itself, for an animation."""
    return kept_for_good(request, await desk.answer_once(example_data, name, language(request)))


@router.post("/previews", response_model=PreviewsData)
async def preview_actions(wanted: PreviewsRequest, request: Request, desk: PageDesk) -> Response:
    """What each legal action of a position does, as far as no history is needed."""
    return await desk.answer(action_previews, wanted, language(request))


@router.get("/alive", status_code=204)
async def alive() -> None:
    """Answers, so that a page that lost its connection knows when to connect again."""


@router.get("/sentences", response_model=dict[str, str])
async def list_sentences(request: Request, part: Annotated[str, Query(max_length=40)] = "") -> Response:
    """The texts of the pages in a language, by key: those of every page, or a part that some pages load later."""
    if part and part not in later_parts():
        raise NotFound(message("There is no such part of the sentences."))
    encoded = _encoded_sentences(language(request), part)
    return kept_for_good(request, Response(encoded, media_type="application/json"))


@lru_cache(64)
def _encoded_sentences(lang: str, part: str) -> bytes:
    return to_json({key: texts[lang] for key, texts in sentences(part).items()})


@lru_cache(32)
def sentences(part: str = "") -> dict[str, dict[str, str]]:
    """Returns the texts of the pages, by key and language: those of every page, or a part that is loaded later."""
    files = [SENTENCES / "later" / f"{part}.json"] if part else sorted(SENTENCES.glob("*.json"))
    return {key: texts for file in files for key, texts in json.loads(file.read_text("utf-8")).items()}


@lru_cache(1)
def later_parts() -> list[str]:
    """Returns the names of the parts of the sentences that pages load when they need them."""
    return sorted(file.stem for file in SENTENCES.glob("later/*.json"))
