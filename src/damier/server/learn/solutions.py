"""Requests about solved games: what the reports say, from files that `tools/solutions.py` writes."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Depends, Request

import damier
from damier.games import definition
from damier.server.dependencies import asking
from damier.server.visitors import language

router = APIRouter(prefix="/api/solutions", dependencies=[Depends(asking)])

_BRIEF = ("options", "metric", "repetition", "value", "player", "chance", "error", "verified", "positions")


@router.get("")
async def list_solutions(request: Request) -> list[dict[str, Any]]:
    """All games, each with the most important of what is known of it."""
    lang = language(request)
    return [{**_named(name, lang), "solutions": [_brief(each) for each in solutions(name)]} for name in damier.games()]


@router.get("/{name}")
async def look(name: str, request: Request) -> dict[str, Any]:
    """Everything that is known of a game, with the options with which it has been solved."""
    return {**_named(name, language(request)), "solutions": list(solutions(damier.load(name).name))}


@lru_cache(16)
def solutions(name: str) -> tuple[dict[str, Any], ...]:
    """Returns what the files say of a game, the usual options first."""
    files = sorted((definition(name).folder / "solutions").glob("*.json"))
    found = [json.loads(file.read_text("utf-8")) for file in files]
    usual = dict(damier.load(name).options)
    return tuple(sorted(found, key=lambda each: each.get("options", usual) != usual))


def _named(name: str, lang: str) -> dict[str, Any]:
    game = damier.load(name)
    names = {player: text.render(lang) for player, text in game.definition.player_names.items()}
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.definition.summary.render(lang),
        "players": names,
        "usual": dict(game.options),
    }


def _brief(solution: dict[str, Any]) -> dict[str, Any]:
    """Returns what a list says of a solution."""
    told = {key: solution[key] for key in _BRIEF if key in solution}
    if "table" in solution:
        told |= {"entries": solution["table"]["entries"], "bytes": solution["table"]["bytes"]}
    return told
