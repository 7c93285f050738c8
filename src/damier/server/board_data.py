"""Boards and games being played as wire models, in the language of a visitor."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from damier.core.drawing import hand_captions, piece_label, position_captions
from damier.draw.artwork import board_artwork, piece_artwork
from damier.draw.marks import action_marks, last_turns
from damier.server.wire.board import (
    ActionData,
    ActionMarksData,
    BoardArtworkData,
    BoardState,
    CellData,
    DrawingData,
    LabelledPiece,
    LastAction,
    LookData,
    PieceArtworkData,
    PlayState,
    ResultData,
    RouteData,
    TurnMarksData,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.core.drawing import Drawing, Look, Piece
    from damier.core.game import Game
    from damier.core.outcome import Result
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.draw.marks import ActionMarks, TurnMarks


def drawing_data(game: Game, lang: str) -> DrawingData:
    """Returns the empty board of a game."""
    drawing = game.drawing
    return DrawingData(
        width=drawing.width,
        height=drawing.height,
        view=drawing.view,
        has_hands=drawing.has_hands,
        cells=[CellData(**vars(cell)) for cell in drawing.cells],
        looks={player: _look_data(game, look, lang) for player, look in drawing.looks.items()},
        artwork=BoardArtworkData(**vars(board_artwork(game))),
        marks={name: text.render(lang) for name, text in drawing.marks.items()},
        example=_example_action(game),
        rolls=_rolls(game),
    )


def _look_data(game: Game, look: Look, lang: str) -> LookData:
    artwork = PieceArtworkData(**vars(piece_artwork(game, look)))
    return LookData(**{**vars(look), "name": look.name.render(lang), "artwork": artwork})


def _example_action(game: Game) -> str:
    """Returns a legal action of the first position, as players write it."""
    record = game.record()
    while record.mover == "chance":
        record.play(record.actions()[0])
    return record.actions()[0]


def _rolls(game: Game) -> dict[str, int]:
    """Returns the points of each roll of the die, which are the same whenever it is rolled."""
    if not game.traits.has_chance:
        return {}
    record = game.record()
    while record.mover != "chance":
        record.play(record.actions()[0])
    points = {text: game.die_points(text) for text in record.actions()}
    return {text: number for text, number in points.items() if number is not None}


def board_state(position: Position, result: Result | None, lang: str) -> BoardState:
    """Returns a position as a board shows it."""
    return BoardState(
        position=str(position),
        pieces=[_labelled(position.game.drawing, piece, lang) for piece in position.pieces()],
        marks={cell: [mark] for cell, mark in position.cell_marks().items()},
        hands={player: text.render(lang) for player, text in hand_captions(position).items()},
        hand_counts=position.hands() if position.game.drawing.has_hands else {},
        captions=[text.render(lang) for text in position_captions(position, result)],
        result=result_data(result, lang),
    )


def _labelled(drawing: Drawing, piece: Piece, lang: str) -> LabelledPiece:
    label = piece_label(drawing, piece, lang)
    return LabelledPiece(player=piece.player, cell=piece.cell, level=piece.level, marks=list(piece.marks), label=label)


def result_data(result: Result | None, lang: str) -> ResultData | None:
    """Returns how a game ended, if it did."""
    if result is None:
        return None
    return ResultData(winner=result.winner, reason=result.reason, sentence=result.sentence(lang))


def play_state(record: Record, lang: str) -> PlayState:
    """Returns the state of a game being played: the board, whose turn it is, and the legal actions."""
    game, mover = record.game, record.mover
    board = board_state(record.position, record.result, lang)
    return PlayState(
        **vars(board),
        mover=mover,
        mover_name=game.player_name(mover).render(lang) if mover in game.players else None,
        turn=record.turn + 1,
        actions=[action_data(game, text, lang) for text in record.actions()],
        last=last_action(record, len(record.played)),
        last_turns=turns_data(last_turns(record)),
    )


@lru_cache(20_000)  # a third of the time that a state takes
def action_data(game: Game, text: str, lang: str) -> ActionData:
    """Returns an action with the cells to choose for it and its name."""
    name = game.action_name(text)
    return ActionData(
        action=text,
        cells=list(game.action_cells(text)),
        name=name.render(lang) if name else None,
        points=game.die_points(text),
    )


def last_action(record: Record, count: int) -> LastAction | None:
    """Returns the action at index `count - 1`, or None before the first action."""
    if not count:
        return None
    text = record.played[count - 1]
    mover = record.positions[count - 1].mover
    game = record.game
    return LastAction(action=text, cells=list(game.action_cells(text)), player=mover, points=game.die_points(text))


def turns_data(turns: Sequence[TurnMarks]) -> list[TurnMarksData]:
    """Returns the turns that a board marks."""
    return [TurnMarksData(player=turn.player, actions=list(map(_marks_data, turn.actions))) for turn in turns]


def action_marks_data(position: Position, action: str) -> ActionMarksData:
    """Returns the cells of a legal action, to draw it before it is played."""
    return _marks_data(action_marks(position, action))


@lru_cache(10_000)  # states of a game mark the same actions again and again
def _marks_data(marks: ActionMarks) -> ActionMarksData:
    return ActionMarksData(
        player=marks.player,
        action=marks.action,
        routes=[RouteData(origin=each.origin, path=list(each.path), target=each.target) for each in marks.routes],
        changed=list(marks.changed),
    )
