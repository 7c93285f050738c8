"""Reads records: as text, as JSON, or as a bare list of actions."""

from __future__ import annotations

import contextlib
import json
import re

import damier
from damier.core.errors import BadRecord
from damier.core.game import Game
from damier.core.messages import counted, message
from damier.core.outcome import ACTS
from damier.core.record import eliminated, ends_turn, position_after
from damier.server.wire.records import MOST_ACTIONS, RecordData, RecordText, TreeAction, TreeRoot
from damier.transcript.json_format import pick_json_transcript
from damier.transcript.text_format import pick_transcript
from damier.transcript.tree import Transcript

_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*[{"\]])')  # the beginning of JSON, not of a tag or a comment


def read_record(source: RecordText) -> RecordData:
    """Returns the contents of a record, checked by the rules; of several games, only the one that is asked for."""
    transcript, count = _picked(source)
    if transcript is None:
        raise BadRecord(
            counted(
                "There is only {count} game in this file.",
                "There are only {count} games in this file.",
                count=count,
            )
        )
    return _record_data(transcript, count)


def _picked(source: RecordText) -> tuple[Transcript | None, int]:
    """Returns the game that is asked for, and how many games there are."""
    text = source.text
    if _JSON.match(text):
        actions = _list_of_actions(text)
        if actions is None:
            return pick_json_transcript(text, damier.load, source.number, MOST_ACTIONS)
        text = actions
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        return pick_transcript(text, damier.load, source.number, MOST_ACTIONS)
    if not text.strip():
        raise BadRecord(message("There is no game in this file."))
    return _bare_transcript(text, source) if source.number == 1 else None, 1


def _list_of_actions(text: str) -> str | None:
    """Returns the actions of a JSON text that is a plain list of them."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_list = isinstance(data, list) and data and all(isinstance(each, str) for each in data)
    return " ".join(data) if is_list else None


def _bare_transcript(text: str, source: RecordText) -> Transcript:
    """Returns the record of actions without tags, of the game named with them or the only one that they fit."""
    if source.game:
        return _with_tags(text, damier.load(source.game, **source.options), source.start)
    found: dict[str, Transcript] = {}
    for game in map(damier.load, damier.games()):
        with contextlib.suppress(BadRecord):
            found[game.title] = _with_tags(text, game, None)
    if not found:
        raise BadRecord(
            message("These actions fit no game with its usual options. Choose the game to see what is wrong.")
        )
    if len(found) > 1:
        raise BadRecord(
            message("These actions fit several games: {games}. Choose one of them.", games=", ".join(found))
        )
    return next(iter(found.values()))


def _with_tags(text: str, game: Game, start: str | None) -> Transcript:
    """Returns the record of actions without tags; they stay on their lines, which an error may name."""
    tags = f'[Game "{game.name}"] [Options "{game.options_text}"]'
    if start is not None:
        tags += f' [Position "{game.parse(start)}"]'
    bare = text if "{" in text else re.sub("[,;]", " ", text)
    transcript, _ = pick_transcript(f"{tags} {bare}", damier.load, 1, MOST_ACTIONS)
    assert transcript
    return transcript


def _record_data(transcript: Transcript, count: int) -> RecordData:
    ending = transcript.result
    result = ending if ending and (ending.reason in ACTS or ending.is_aborted) else None
    return RecordData(
        game=transcript.game.name,
        options=dict(transcript.game.options),
        start=None if transcript.start == transcript.game.start else str(transcript.start),
        tree=_tree_data(transcript),
        players=list(transcript.players),
        date=transcript.date,
        tags=transcript.tags,
        result=result.text if result else None,
        reason=result.reason if result else None,
        count=count,
    )


def _tree_data(transcript: Transcript) -> list[TreeRoot | TreeAction]:
    """Returns the nodes, each after its parent and variations in their order, with their turn and player."""
    data: list[TreeRoot | TreeAction] = [TreeRoot(parent=None, action="", comment=transcript.root.comment)]
    todo = [(child, 0, transcript.start, 0) for child in reversed(transcript.root.children)]
    while todo:
        node, parent, before, turns = todo.pop()
        data.append(
            TreeAction(
                parent=parent,
                action=node.action,
                turn=turns + 1,
                player=eliminated(transcript.game, node.action) or before.mover,
                comment=node.comment,
                points=transcript.game.die_points(node.action) if before.mover == "chance" else None,
            )
        )
        position = position_after(before, node.action)
        number, turns = len(data) - 1, turns + ends_turn(before, position, node.action)
        todo += [(child, number, position, turns) for child in reversed(node.children)]
    return data
