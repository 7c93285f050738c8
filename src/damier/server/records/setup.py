"""Pictures of a board, and positions that are being set up, as wire models."""

from __future__ import annotations

import damier
from damier.core.errors import BadPosition
from damier.core.game import Game
from damier.draw.marks import last_turns
from damier.draw.svg import board_svg
from damier.server.board_data import board_state
from damier.server.records.editor import fields_of, parts_of, set_up
from damier.server.replay import replay_line
from damier.server.wire.board import BoardState
from damier.server.wire.records import PartData, PictureData, PictureRequest, SetupData, SetupRequest


def board_picture(wanted: PictureRequest, lang: str) -> PictureData:
    """Returns a picture of the board as SVG."""
    record = replay_line(wanted)
    picture = board_svg(
        record.position,
        theme=wanted.theme,
        size=wanted.size,
        last=last_turns(record),
        coordinates=wanted.coordinates,
        flip=wanted.flip,
        lang=lang,
        result=record.result,
    )
    return PictureData(picture=picture)


def set_up_position(wanted: SetupRequest, lang: str) -> SetupData:
    """Returns the position string of a board that is being set up, and what is still wrong with it.

    Parts that are not given are kept, or taken from the first position where they are wrong.
    """
    game = damier.load(wanted.game, **wanted.options)
    texts = [str(game.start) if wanted.position is None else wanted.position]
    if wanted.pieces is not None:
        pieces = [(each.player, each.cell) for each in wanted.pieces]
        bases = (*texts, None) if wanted.parts is None else texts
        texts = [set_up(game, base, pieces, wanted.side, wanted.hands, wanted.parts) for base in bases]
    problems = []
    for text in texts:
        try:
            position = game.parse(text)
        except BadPosition as error:
            problems.append(error.sentence(lang))
            continue
        return _setup_data(game, text, lang, state=board_state(position, position.result, lang))
    return _setup_data(game, texts[0], lang, problem=problems[0])


def _setup_data(
    game: Game, text: str, lang: str, *, problem: str | None = None, state: BoardState | None = None
) -> SetupData:
    tools = [
        PartData(
            name=part.name,
            title=part.title.render(lang),
            kind=part.kind,
            choices={choice: said.render(lang) for choice, said in part.choices.items()},
            player=part.player,
            mark=part.mark,
            can_be_none=part.can_be_none,
        )
        for part in game.parts
    ]
    side, parts = fields_of(game, text)[1], parts_of(game, text)
    return SetupData(position=text, side=side, problem=problem, state=state, parts=parts, tools=tools)
