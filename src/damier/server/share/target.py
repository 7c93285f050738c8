"""The game that a page shows, with the title, sentence, picture and addresses for sharing it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from pydantic import ValidationError

import damier
from damier.core.drawing import position_captions
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.learn.puzzle_data import find_puzzle
from damier.server.replay import replay_line
from damier.server.wire.games import GameLine
from damier.server.wire.model import WireModel

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.server.dependencies import Pages
    from damier.server.matches.match import Match
    from damier.server.services import Services

_MATCH = re.compile(r"/(?:m|dice)/([^/]+)")
_PUZZLE = re.compile(r"/puzzles/([^/]+)/([^/]+)")
_BOARD = re.compile(r"/(?:analyse|explore)/([^/]+)")
_EMBEDDED = re.compile(r"/embed(?:/(match|puzzle))?/([^/]+)(?:/([^/]+))?")
_NOT_OPTIONS = ("lang", "theme", "position", "actions", "match")


class SharedGame(WireModel):
    """A game that a page shows."""

    title: str
    sentence: str
    picture: str
    """The path of its picture, with the query, as all paths here."""

    embedded: str
    """The path of the page for frames."""

    page: str
    """The path of its own page."""


async def shared_at(
    services: Services, pages: Pages, path: str, query: Mapping[str, str], lang: str
) -> SharedGame | None:
    """Returns the game at an address, or None if it shows none; raises a `DamierError` if there is no such game."""
    if found := _EMBEDDED.fullmatch(path):
        kind, first, second = found.groups()
        path = f"/m/{first}" if kind == "match" else f"/puzzles/{first}/{second}" if kind else f"/explore/{first}"
    if found := _BOARD.fullmatch(path):
        if "match" in query:
            path = f"/m/{query['match']}"
        elif {"position", "actions"} & set(query):
            return SharedGame.model_validate_json(await pages.run(shared_board, line_of(found[1], query), lang))
    if found := _MATCH.fullmatch(path):
        return _shared_match((await services.referee.find(found[1])).match, lang)
    if found := _PUZZLE.fullmatch(path):
        return SharedGame.model_validate_json(await pages.run(shared_puzzle, found[1], found[2], lang))
    return None


def line_of(name: str, query: Mapping[str, str]) -> GameLine:
    """Returns the game of a query: ``position``, ``actions`` separated by commas, and options."""
    options: dict[str, int | str] = {key: value for key, value in query.items() if key not in _NOT_OPTIONS}
    actions = [text for text in query.get("actions", "").split(",") if text]
    try:
        return GameLine(game=name, options=options, start=query.get("position") or None, actions=actions)
    except ValidationError:
        raise BadArgument(message("The address does not name a position.")) from None


def shared_board(line: GameLine, lang: str) -> SharedGame:
    """Returns a game given whole; in a process of the pages."""
    record, name = replay_line(line), line.game
    given: dict[str, str] = {key: str(value) for key, value in line.options.items()}
    given |= {"position": line.start or "", "actions": ",".join(line.actions)}
    asked = urlencode({key: value for key, value in given.items() if value})
    return SharedGame(
        title=record.game.title,
        sentence=_said(record, lang),
        picture=f"/api/pictures/position.png?{urlencode({'game': name})}&{asked}",
        embedded=f"/embed/{quote(name, safe='')}?{asked}",
        page=f"/explore/{quote(name, safe='')}?{asked}",
    )


def _shared_match(match: Match, lang: str) -> SharedGame:
    at = quote(match.number, safe="")
    names = " – ".join(match.game.player_name(player).render(lang) for player in match.game.players)
    return SharedGame(
        title=f"{match.game.title}: {names}",
        sentence=_said(match.record, lang),
        picture=f"/api/pictures/match/{at}.png?after={len(match.record.played)}",
        embedded=f"/embed/match/{at}",
        page=f"/m/{at}",
    )


def shared_puzzle(name: str, number: str, lang: str) -> SharedGame:
    """Returns a puzzle; in a process of the pages."""
    puzzle = find_puzzle(name, number)
    at = f"{quote(name, safe='')}/{quote(number, safe='')}"
    asked = urlencode({"game": name, **puzzle.options, "position": puzzle.position})
    return SharedGame(
        title=message("{game}: a puzzle", game=damier.load(name).title).render(lang),
        sentence=puzzle.task().render(lang),
        picture=f"/api/pictures/position.png?{asked}",
        embedded=f"/embed/puzzle/{at}",
        page=f"/puzzles/{at}",
    )


def _said(record: Record, lang: str) -> str:
    """Returns the result of a game, or its captions, in one line."""
    captions = position_captions(record.position, record.result)
    said = [record.result.sentence(lang)] if record.result else [caption.render(lang) for caption in captions]
    return " · ".join(said)
