"""Requests about records: reading and writing them, pictures of a board, and setting up positions."""

from __future__ import annotations

import contextlib
import json
import re

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool

import damier
from damier.core.errors import BadPosition, BadRecord
from damier.core.game import Game
from damier.core.messages import counted, message
from damier.core.outcome import ACTS
from damier.core.record import Record
from damier.draw.marks import last_turns
from damier.draw.svg import board_svg
from damier.server.board_data import board_state
from damier.server.dependencies import within_limits
from damier.server.records.editor import fields_of, parts_of, set_up
from damier.server.replay import replay_line
from damier.server.visitors import language
from damier.server.wire.board import BoardState
from damier.server.wire.records import (
    PartData,
    PictureData,
    PictureRequest,
    RecordData,
    RecordDraft,
    RecordOutput,
    RecordText,
    SetupData,
    SetupRequest,
    TreeAction,
    TreeNode,
    TreeRoot,
)
from damier.transcript.json_format import parse_json_transcripts
from damier.transcript.text_format import parse_transcripts
from damier.transcript.tree import Node, Transcript, replay, settle

router = APIRouter(prefix="/api/records", dependencies=[Depends(within_limits)])

_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*[{"\]])')  # the beginning of JSON, not of a tag or a comment


# Reading


@router.post("/read")
async def read(source: RecordText) -> RecordData:
    """The contents of a record, checked by the rules."""
    return await run_in_threadpool(_read, source)


def _read(source: RecordText) -> RecordData:
    transcripts = _transcripts(source)
    if source.number > len(transcripts):
        raise BadRecord(
            counted(
                "There is only {count} game in this file.",
                "There are only {count} games in this file.",
                count=len(transcripts),
            )
        )
    return _record_data(transcripts[source.number - 1], len(transcripts))


def _transcripts(source: RecordText) -> list[Transcript]:
    text = source.text
    if _JSON.match(text):
        actions = _list_of_actions(text)
        if actions is None:
            return parse_json_transcripts(text, damier.load)
        text = actions
    if text.lstrip("\ufeff \t\r\n").startswith("["):
        return list(parse_transcripts(text, damier.load))
    if not text.strip():
        raise BadRecord(message("There is no game in this file."))
    return _bare_transcripts(text, source)


def _list_of_actions(text: str) -> str | None:
    """Returns the actions of a JSON text that is a plain list of them."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_list = isinstance(data, list) and data and all(isinstance(each, str) for each in data)
    return " ".join(data) if is_list else None


def _bare_transcripts(text: str, source: RecordText) -> list[Transcript]:
    """Returns the record of actions without tags, of the game named with them or the only one that they fit."""
    if source.game:
        return _with_tags(text, damier.load(source.game, **source.options), source.start)
    found: dict[str, list[Transcript]] = {}
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


def _with_tags(text: str, game: Game, start: str | None) -> list[Transcript]:
    """Returns the record of actions without tags; they stay on their lines, which an error may name."""
    tags = f'[Game "{game.name}"] [Options "{game.options_text}"]'
    if start is not None:
        tags += f' [Position "{game.parse(start)}"]'
    bare = text if "{" in text else re.sub("[,;]", " ", text)
    return list(parse_transcripts(f"{tags} {bare}", damier.load))


def _record_data(transcript: Transcript, count: int) -> RecordData:
    result = transcript.result if transcript.result and transcript.result.reason in ACTS else None
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
                player=before.mover,
                comment=node.comment,
                points=transcript.game.die_points(node.action),
            )
        )
        position = before.after(transcript.game.parse_action(node.action))
        number, turns = len(data) - 1, turns + position.is_settled
        todo += [(child, number, position, turns) for child in reversed(node.children)]
    return data


# Writing


@router.post("/write")
async def write(draft: RecordDraft) -> RecordOutput:
    """The text of a record."""
    return RecordOutput(text=await run_in_threadpool(_write, draft))


def _write(draft: RecordDraft) -> str:
    transcript = _transcript_of(draft)
    if draft.format == "json":
        return json.dumps(transcript.to_json(), ensure_ascii=False, indent=1) + "\n"
    return transcript.text()


def _transcript_of(draft: RecordDraft) -> Transcript:
    """Returns the record of a draft, checked by the rules."""
    start = damier.load(draft.game, **draft.options).position(draft.start)
    root = _root_of(draft.tree)
    record = Record(start)
    for node, _ in replay(root, record):
        record.play(node.action)
    result = settle(record, draft.result, draft.reason)
    return Transcript(start, root, result, tuple(draft.players), draft.date, dict(draft.tags))


def _root_of(tree: list[TreeNode]) -> Node:
    nodes: list[Node] = []
    for number, branch in enumerate(tree):
        node = Node(branch.action, branch.comment)
        if number:
            if branch.parent is None or not 0 <= branch.parent < number:
                raise BadRecord(message("Action {number} of the tree has no valid parent.", number=number))
            nodes[branch.parent].children.append(node)
        nodes.append(node)
    return nodes[0]


# Pictures and positions


@router.post("/picture")
async def picture(wanted: PictureRequest, request: Request) -> PictureData:
    """A picture of the board as SVG."""
    return PictureData(picture=await run_in_threadpool(_picture, wanted, language(request)))


def _picture(wanted: PictureRequest, lang: str) -> str:
    record = replay_line(wanted)
    return board_svg(
        record.position,
        theme=wanted.theme,
        size=wanted.size,
        last=last_turns(record),
        coordinates=wanted.coordinates,
        flip=wanted.flip,
        lang=lang,
        result=record.result,
    )


@router.post("/setup")
async def setup(wanted: SetupRequest, request: Request) -> SetupData:
    """The position string of a board that is being set up, and what is still wrong with it.

    Parts that are not given are kept, or taken from the first position where they are wrong.
    """
    game, lang = damier.load(wanted.game, **wanted.options), language(request)
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
