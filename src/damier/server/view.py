"""What a page is told of games and matches: data, in a language, for one visitor. See ``docs/server.md``."""

from __future__ import annotations

import contextlib
import random
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import damier
from damier.core.drawing import hand_captions, piece_label, position_captions
from damier.core.errors import DamierError
from damier.draw.artwork import board_artwork, piece_artwork
from damier.draw.svg import board_svg
from damier.engine.levels import LEVELS, NAMES
from damier.server.matches.dice import seed_hash

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.outcome import Result
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.server.matches.match import Match
    from damier.server.matches.referee import Table

_PICTURE_ACTIONS = 9
_PICTURE_SEED = 5
_EXAMPLE_STATES = 30
_LONG_AGO = 1_000  # actions of a history that are told


@lru_cache(64)
def game_data(name: str, lang: str) -> dict[str, Any]:
    """Returns what there is to know of a game before a match."""
    game = damier.load(name)
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.definition.summary.render(lang),
        "players": [{"player": each, "name": text.render(lang)} for each, text in game.definition.player_names.items()],
        "options": [{**option.declaration(), "help": option.help.render(lang)} for option in game.definition.options],
        "levels": [{"level": level, "name": NAMES[level].render(lang)} for level in LEVELS],
        "has_chance": game.traits.has_chance,
        "solved": solved.render(lang) if (solved := game.definition.solved) else None,
        "has_example": True,
        "picture": _picture(game, lang),
    }


@lru_cache(64)
def example_data(name: str, lang: str) -> dict[str, Any]:
    """Returns some states of a game that plays itself, always the same one, for a picture that moves."""
    game = damier.load(name)
    rng, record = random.Random(_PICTURE_SEED), game.record()
    states: list[dict[str, Any]] = []
    last = None
    while record.result is None and len(states) < _EXAMPLE_STATES:
        action = rng.choice(record.actions())
        if record.mover != "chance":
            pieces = game.definition.appearance.pieces(game.rules, record.position.state)
            states.append({"pieces": [vars(piece) for piece in pieces], "marks": {}, "last": last})
            last = {"cells": list(game.action_cells(action))}
        record.play(action)
    return {"drawing": drawing_data(game, lang), "states": states}


def _picture(game: Game, lang: str) -> str:
    """Returns a board on which some actions have been played, always the same ones."""
    rng, record = random.Random(_PICTURE_SEED), game.record()
    while record.result is None and (len(record.played) < _PICTURE_ACTIONS or record.mover == "chance"):
        record.play(rng.choice(record.actions()))
    return board_svg(record.position, lang=lang, coordinates=False)


def drawing_data(game: Game, lang: str) -> dict[str, Any]:
    """Returns the empty board of a game."""
    drawing = game.drawing
    return {
        "width": drawing.width,
        "height": drawing.height,
        "view": drawing.view,
        "has_hands": drawing.has_hands,
        "cells": [vars(cell) for cell in drawing.cells],
        "looks": {
            player: {**vars(look), "name": look.name.render(lang), "artwork": vars(piece_artwork(game, look))}
            for player, look in drawing.looks.items()
        },
        "artwork": vars(board_artwork(game)),
        "marks": {name: text.render(lang) for name, text in drawing.marks.items()},
        "example": _example_action(game),
    }


def _example_action(game: Game) -> str:
    """Returns an action as players write it."""
    record = game.record()
    while record.mover == "chance":
        record.play(record.actions()[0])
    return record.actions()[0]


def snapshot_data(table: Table, visitor: str, lang: str) -> dict[str, Any]:
    """Returns all that a visitor may know of a match."""
    match, here = table.match, table.here
    game, state = match.game, state_data(table, visitor, lang)
    seats = [
        {
            "player": seat.player,
            "name": game.player_name(seat.player).render(lang),
            "kind": seat.kind,
            "level": seat.level,
            "is_mine": seat.visitor == visitor,
            "is_here": seat.visitor in here,
        }
        for seat in match.seats
    ]
    invitations = {seat.player: seat.invitation for seat in match.seats if seat.kind == "open"}
    return {
        "number": match.number,
        "game": game.name,
        "options": dict(game.options),
        "options_text": game.options_text,
        "created": match.created,
        "seats": seats,
        "invitations": invitations if visitor == match.creator else {},
        "dice": state["dice"],
        "seq": match.seq,
        "state": state,
    }


def _dice_data(match: Match) -> dict[str, Any] | None:
    if not match.game.traits.has_chance:
        return None
    rolls = [text for text, actor in zip(match.record.played, match.actors, strict=True) if actor == "chance"]
    return {
        "hash": seed_hash(match.seed),
        "seed": match.seed.hex() if match.record.result else None,
        "rolls": rolls,
    }


def state_data(table: Table, visitor: str, lang: str) -> dict[str, Any]:
    """Returns the state of a match for a visitor."""
    return {**table.common_state(lang), **own_state(table.match, visitor)}


def common_state(match: Match, lang: str) -> dict[str, Any]:
    """Returns what is the same for everybody."""
    steps = zip(match.record.played, match.actors, match.turns, strict=True)
    return {
        **record_state(match.record, lang),
        "history": [{"action": text, "player": actor, "turn": turn + 1} for text, actor, turn in steps][-_LONG_AGO:],
        "dice": _dice_data(match),
    }


def record_state(record: Record, lang: str) -> dict[str, Any]:
    """Returns how a game stands that is being played: the board, whose turn it is, and what may be done."""
    game, mover = record.game, record.mover
    return {
        **board_state(record.position, record.result, lang),
        "mover": mover,
        "mover_name": game.player_name(mover).render(lang) if mover in game.players else None,
        "turn": record.turn + 1,
        "actions": [{"action": text, "cells": list(game.action_cells(text))} for text in record.actions()],
        "last": last_data(record, len(record.played)),
    }


def board_state(position: Position, result: Result | None, lang: str) -> dict[str, Any]:
    """Returns a position as a board shows it."""
    game, appearance = position.game, position.game.definition.appearance
    return {
        "position": str(position),
        "pieces": [
            {**vars(piece), "label": piece_label(game.drawing, piece, lang)}
            for piece in appearance.pieces(game.rules, position.state)
        ],
        "marks": {cell: [mark] for cell, mark in appearance.cell_marks(game.rules, position.state).items()},
        "hands": {player: text.render(lang) for player, text in hand_captions(position).items()},
        "hand_counts": _hand_counts(position),
        "captions": [text.render(lang) for text in position_captions(position, result)],
        "result": result and {"winner": result.winner, "reason": result.reason, "sentence": result.sentence(lang)},
    }


def _hand_counts(position: Position) -> dict[str, int]:
    game = position.game
    if not game.drawing.has_hands:
        return {}
    return dict(zip(game.players, game.definition.appearance.hands(game.rules, position.state), strict=True))


def last_data(record: Record, count: int) -> dict[str, Any] | None:
    """Returns the last of the first so many actions of a game."""
    if not count:
        return None
    text = record.played[count - 1]
    return {
        "action": text,
        "cells": list(record.game.action_cells(text)),
        "player": record.positions[count - 1].mover,
    }


def own_state(match: Match, visitor: str) -> dict[str, Any]:
    """Returns what a visitor may do."""
    mine, record = match.players_of(visitor), match.record
    is_over, offer = record.result is not None, match.offer
    has_played = any(actor in mine for actor in match.actors)
    computers = any(seat.kind == "computer" for seat in match.seats)
    return {
        "is_my_turn": not is_over and record.mover in mine,
        "offer": offer and {"what": offer.what, "player": offer.player, "is_mine": offer.player in mine},
        "can": {
            "undo": has_played and (match.is_alone(visitor) or not is_over),
            "resign": bool(mine) and not is_over and len(match.seats) == 2,
            "offer_draw": bool(mine) and not is_over and not computers,
            "answer": bool(mine) and offer is not None and offer.player not in mine,
            "rematch": bool(mine) and is_over,
        },
    }


_FORMS = {1: ("{}", "*{}", ">{}"), 2: ("{}-{}", "{}={}", "{}^{}", "{}{}"), 3: ("{}-{}>{}",)}
"""How actions are written that name so many cells, in whatever game."""


def action_guesses(game: Game, cells: list[str]) -> list[str]:
    """Returns actions, legal or not, that are chosen by these cells."""
    found = []
    for form in _FORMS.get(len(cells), ()):
        text = form.format(*cells)
        with contextlib.suppress(DamierError):
            if game.action_cells(text) == tuple(cells):
                found.append(text)
    return found
