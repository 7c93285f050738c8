"""Games given whole as wire models: their state, all their boards, and why something cannot be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.draw.marks import last_turns
from damier.server.board_data import board_state, last_action, play_state, turns_data
from damier.server.refusals import explain_refusal
from damier.server.replay import replay_line
from damier.server.wire.board import GameMoments, MomentState, PlayState

if TYPE_CHECKING:
    from damier.server.wire.games import GameLine
    from damier.server.wire.matches import Attempt, Refusal


def line_state(line: GameLine, lang: str) -> PlayState:
    """Returns the state after the last action."""
    return play_state(replay_line(line), lang)


def line_moments(line: GameLine, lang: str) -> GameMoments:
    """Returns the boards before the first action and after each."""
    record = replay_line(line)
    last = record.count
    found = []
    for count, position in enumerate(record.positions):
        board = board_state(position, record.result if count == last else None, lang)
        moment = MomentState(
            **vars(board),
            mover=position.mover,
            turn=record.turn_at(count) + 1,
            last=last_action(record, count),
            last_turns=turns_data(last_turns(record, count=count)),
        )
        found.append(moment)
    return GameMoments(states=found)


def line_refusal(line: GameLine, attempt: Attempt, lang: str) -> Refusal:
    """Returns why something cannot be played now."""
    return explain_refusal(replay_line(line), attempt, lang)
