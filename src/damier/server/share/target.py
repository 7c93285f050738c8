"""The game that a page shows, with the title, sentence, picture and addresses for sharing it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

import damier
from damier.core.drawing import position_captions
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.learn.puzzles import find_puzzle
from damier.server.replay import replay_line
from damier.server.wire.games import GameLine

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.server.services import Services

_MATCH = re.compile(r"/(?:m|dice)/([^/]+)")
_PUZZLE = re.compile(r"/puzzles/([^/]+)/([^/]+)")
_BOARD = re.compile(r"/(?:analyse|explore)/([^/]+)")
_EMBEDDED = re.compile(r"/embed(?:/(match|puzzle))?/([^/]+)(?:/([^/]+))?")
_NOT_OPTIONS = ("lang", "theme", "position", "actions", "match")


@dataclass(frozen=True)
class SharedGame:
    """A game that a page shows."""

    record: Record
    title: str
    sentence: str
    picture: str
    """The path of its picture, with the query, as all paths here."""

    embedded: str
    """The path of the page for frames."""

    page: str
    """The path of its own page."""


async def shared_at(services: Services, path: str, query: Mapping[str, str], lang: str) -> SharedGame | None:
    """Returns the game at an address, or None if it shows none; raises a `DamierError` if there is no such game."""
    if found := _EMBEDDED.fullmatch(path):
        kind, first, second = found.groups()
        path = f"/m/{first}" if kind == "match" else f"/puzzles/{first}/{second}" if kind else f"/explore/{first}"
    if found := _BOARD.fullmatch(path):
        if "match" in query:
            path = f"/m/{query['match']}"
        elif {"position", "actions"} & set(query):
            return _board(found[1], query, lang)
    if found := _MATCH.fullmatch(path):
        return await _match(services, found[1], lang)
    if found := _PUZZLE.fullmatch(path):
        return await run_in_threadpool(_puzzle, found[1], found[2], lang)  # reads the puzzles of the game
    return None


def line_of(name: str, query: Mapping[str, str]) -> GameLine:
    """Returns the game of a query: ``position``, ``actions`` separated by commas, and options."""
    options: dict[str, int | str] = {key: value for key, value in query.items() if key not in _NOT_OPTIONS}
    actions = [text for text in query.get("actions", "").split(",") if text]
    try:
        return GameLine(game=name, options=options, start=query.get("position") or None, actions=actions)
    except ValidationError:
        raise BadArgument(message("The address does not name a position.")) from None


def _board(name: str, query: Mapping[str, str], lang: str) -> SharedGame:
    line = line_of(name, query)
    record = replay_line(line)
    given: dict[str, str] = {key: str(value) for key, value in line.options.items()}
    given |= {"position": line.start or "", "actions": ",".join(line.actions)}
    asked = urlencode({key: value for key, value in given.items() if value})
    return SharedGame(
        record,
        record.game.title,
        _said(record, lang),
        f"/api/pictures/position.png?{urlencode({'game': name})}&{asked}",
        f"/embed/{quote(name, safe='')}?{asked}",
        f"/explore/{quote(name, safe='')}?{asked}",
    )


async def _match(services: Services, number: str, lang: str) -> SharedGame:
    match = (await services.referee.find(number)).match
    at = quote(number, safe="")
    names = " – ".join(match.game.player_name(player).render(lang) for player in match.game.players)
    record = match.record
    picture = f"/api/pictures/match/{at}.png?after={len(record.played)}"
    return SharedGame(
        record, f"{match.game.title}: {names}", _said(record, lang), picture, f"/embed/match/{at}", f"/m/{at}"
    )


def _puzzle(name: str, number: str, lang: str) -> SharedGame:
    puzzle = find_puzzle(name, number)
    record = damier.load(name, **puzzle.options).record(puzzle.position)
    title = message("{game}: a puzzle", game=record.game.title).render(lang)
    asked = urlencode({"game": name, **puzzle.options, "position": puzzle.position})
    at = f"{quote(name, safe='')}/{quote(number, safe='')}"
    sentence = puzzle.task().render(lang)
    return SharedGame(
        record, title, sentence, f"/api/pictures/position.png?{asked}", f"/embed/puzzle/{at}", f"/puzzles/{at}"
    )


def _said(record: Record, lang: str) -> str:
    """Returns the result of a game, or its captions, in one line."""
    captions = position_captions(record.position, record.result)
    said = [record.result.sentence(lang)] if record.result else [caption.render(lang) for caption in captions]
    return " · ".join(said)
