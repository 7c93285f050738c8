"""Boards and games being played as wire models, in the language of a visitor."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from damier.core.drawing import die_shown, hand_captions, piece_label, position_captions
from damier.core.guidance import (
    aim_position,
    end_details,
    end_words,
    game_aim,
    guide_of,
    mark_legend,
    next_click,
    waiting_pieces,
    winning_cells,
)
from damier.core.record import eliminated
from damier.draw.artwork import board_artwork, piece_artwork
from damier.draw.marks import action_marks, last_turns
from damier.draw.previews import action_preview
from damier.server.wire.board import (
    ActionData,
    ActionMarksData,
    BoardArtworkData,
    BoardState,
    CellData,
    DrawingData,
    GoalData,
    GuideData,
    LabelledPiece,
    LastAction,
    LookData,
    PieceArtworkData,
    PieceData,
    PlayState,
    PreviewData,
    PreviewsData,
    ResultData,
    RouteData,
    TurnMarksData,
    WaitingPiece,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.core.drawing import Drawing, Look, Piece
    from damier.core.game import Game
    from damier.core.guidance import Waiting
    from damier.core.messages import Message
    from damier.core.outcome import Result
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.draw.marks import ActionMarks, PieceRoute, TurnMarks
    from damier.draw.previews import Preview


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
        aim=game_aim(game).render(lang),
        goal=_goal_data(game),
        legend={name: text.render(lang) for name, text in mark_legend(game).items()},
    )


def _goal_data(game: Game) -> GoalData | None:
    position = aim_position(game)
    if position is None:
        return None
    pieces = [
        PieceData(player=piece.player, cell=piece.cell, level=piece.level, marks=list(piece.marks))
        for piece in position.pieces()
    ]
    return GoalData(pieces=pieces, winning=winning_cells(position, position.result))


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
    return BoardState(**_board_fields(position, result, lang))


def _board_fields(position: Position, result: Result | None, lang: str) -> dict[str, Any]:
    captions = position_captions(position, result)
    return {
        "position": str(position),
        "pieces": [_labelled(position.game, piece, lang) for piece in position.pieces()],
        "marks": {cell: [mark] for cell, mark in position.cell_marks().items()},
        "hands": {player: _said(text, lang) for player, text in hand_captions(position).items()},
        "hand_counts": position.hands() if position.game.drawing.has_hands else {},
        "waiting": [_waiting_piece(position.game.drawing, piece, lang) for piece in waiting_pieces(position)],
        "winning": winning_cells(position, result),
        "captions": [_said(text, lang) for text in captions],
        "die": die_shown(captions),
        "result": result_data(position, result, lang),
    }


@lru_cache(20_000)  # most pieces of a state stood there in the state before it
def _labelled(game: Game, piece: Piece, lang: str) -> LabelledPiece:
    label = piece_label(game.drawing, piece, lang)
    return LabelledPiece(player=piece.player, cell=piece.cell, level=piece.level, marks=list(piece.marks), label=label)


def _waiting_piece(drawing: Drawing, piece: Waiting, lang: str) -> WaitingPiece:
    said = [drawing.looks[piece.player].name, *(drawing.marks[mark] for mark in piece.marks)]
    label = ", ".join(part.render(lang) for part in said)
    return WaitingPiece(player=piece.player, marks=list(piece.marks), label=label)


def result_data(position: Position, result: Result | None, lang: str) -> ResultData | None:
    """Returns how a game ended, if it did."""
    if result is None:
        return None
    details = end_details(position, result)
    return ResultData(
        winner=result.winner,
        reason=result.reason,
        sentence=result.sentence(lang),
        words=None if result.is_aborted else end_words(position, result).render(lang),
        details=details.render(lang) if details else None,
    )


def play_state(record: Record, lang: str) -> PlayState:
    """Returns the state of a game being played: the board, whose turn it is, and the legal actions."""
    return PlayState(**play_fields(record, lang), last_turns=turns_data(last_turns(record)))


def play_fields(record: Record, lang: str) -> dict[str, Any]:
    """Returns the fields of a `PlayState` without `last_turns`, which depend on who looks."""
    game, mover = record.game, record.mover
    actions = [action_data(game, text, lang) for text in record.actions()]
    return {
        **_board_fields(record.position, record.result, lang),
        "mover": mover,
        "mover_name": _said(game.player_name(mover), lang) if mover in game.players else None,
        "turn": record.turn + 1,
        "actions": actions,
        "guide": _guide_data(record.position, actions, lang) if actions and mover in game.players else None,
        "last": last_action(record, record.count),
    }


def _guide_data(position: Position, actions: Sequence[ActionData], lang: str) -> GuideData:
    """Returns what the player on move can do."""
    guide = guide_of(position)
    begun = {tuple(action.cells[:count]) for action in actions for count in range(1, len(action.cells))}
    return GuideData(
        phase=_said(guide.phase, lang) if guide.phase else None,
        title=_said(guide.title, lang),
        text=_said(guide.text, lang),
        next={" ".join(clicked): _said(next_click(position, clicked), lang) for clicked in sorted(begun)},
    )


@lru_cache(5_000)  # the sentences of a guide are few: half of the time that it would take
def _said(text: Message, lang: str) -> str:
    return text.render(lang)


def previews_data(position: Position, lang: str) -> PreviewsData:
    """Returns what the legal actions of a position do; nothing when the die is due."""
    actions = position.actions() if position.mover in position.game.players else []
    return PreviewsData(previews={text: _preview_data(action_preview(position, text), lang) for text in actions})


def _preview_data(preview: Preview, lang: str) -> PreviewData:
    return PreviewData(
        sentence=preview.sentence.render(lang) if preview.sentence else None,
        gone=preview.gone,
        moved=list(map(_route_data, preview.moved)),
        placed=preview.placed,
        is_irreversible=preview.is_irreversible,
        ends_turn=preview.ends_turn,
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
    text = record.action_at(count - 1)
    mover = record.position_before(count - 1).mover
    game = record.game
    if player := eliminated(game, text):
        return LastAction(action=text, cells=[], player=player, points=None)
    return LastAction(action=text, cells=list(game.action_cells(text)), player=mover, points=game.die_points(text))


def turns_data(turns: Sequence[TurnMarks]) -> list[TurnMarksData]:
    """Returns the turns that a board marks."""
    return [TurnMarksData(player=turn.player, actions=list(map(_marks_data, turn.actions))) for turn in turns]


def action_marks_data(position: Position, action: str) -> ActionMarksData:
    """Returns the cells of a legal action, to draw it before it is played."""
    return _marks_data(action_marks(position, action))


@lru_cache(2_000)  # states of a game mark the same actions again and again
def _marks_data(marks: ActionMarks) -> ActionMarksData:
    return ActionMarksData(
        player=marks.player,
        action=marks.action,
        routes=list(map(_route_data, marks.routes)),
        changed=list(marks.changed),
    )


def _route_data(route: PieceRoute) -> RouteData:
    return RouteData(origin=route.origin, path=list(route.path), target=route.target)
