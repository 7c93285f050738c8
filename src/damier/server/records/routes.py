"""Requests about records: reading and writing them, pictures of a board, and positions that somebody sets up."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field

import damier
from damier.core.errors import BadPosition, BadRecord
from damier.core.messages import message
from damier.core.outcome import ACTS
from damier.core.record import Record
from damier.draw.svg import board_svg
from damier.server.analysis.routes import record_of
from damier.server.dependencies import asking
from damier.server.records.editor import fields_of, set_up
from damier.server.view import board_state
from damier.server.visitors import language
from damier.server.wire import Chosen, Played
from damier.transcript.json_format import parse_json_transcripts
from damier.transcript.text_format import parse_transcripts
from damier.transcript.tree import Node, Transcript, replay, settle

router = APIRouter(prefix="/api/records", dependencies=[Depends(asking)])

_LONGEST_TEXT = 400_000
_MOST_ACTIONS = 20_000
_JSON = re.compile(r'\s*(\{\s*["}]|\[\s*[{"\]])')  # how a text begins that is JSON and not a tag or a comment


class Source(BaseModel):
    """A record to be read; a list of actions alone needs the game in which they were played."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=_LONGEST_TEXT)
    number: int = Field(default=1, ge=1)
    """Which of several games."""

    game: str = Field(default="", max_length=32)
    options: dict[str, int | str] = Field(default_factory=dict, max_length=16)
    start: str | None = Field(default=None, max_length=400)


class Branch(BaseModel):
    """One action in a tree of variations; the first of them stands for the beginning."""

    model_config = ConfigDict(extra="forbid")
    parent: int | None = None
    action: str = Field(default="", max_length=32)
    comment: str = Field(default="", max_length=4000)


class Written(Chosen):
    """A record to be written."""

    start: str | None = Field(default=None, max_length=400)
    tree: list[Branch] = Field(min_length=1, max_length=_MOST_ACTIONS)
    format: Literal["text", "json"] = "text"
    players: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=4)
    date: str = Field(default="", max_length=10)
    tags: dict[str, Annotated[str, Field(max_length=400)]] = Field(default_factory=dict, max_length=32)
    result: str | None = Field(default=None, max_length=8)
    reason: str | None = Field(default=None, max_length=32)


class Pictured(Played):
    """A moment of a game to be drawn."""

    theme: str = Field(default="light", max_length=16)
    size: int = 960
    coordinates: bool = True
    flip: bool = False


class Placed(BaseModel):
    """A piece that somebody set down."""

    model_config = ConfigDict(extra="forbid")
    player: str = Field(max_length=4)
    cell: str = Field(max_length=4)


class SetUp(Chosen):
    """A position as far as it is set up: a text alone, or one that gets other pieces, side and hands."""

    position: str | None = Field(default=None, max_length=400)
    pieces: list[Placed] | None = Field(default=None, max_length=128)
    side: str | None = Field(default=None, max_length=8)
    hands: list[Annotated[int, Field(ge=0, le=99)]] | None = Field(default=None, max_length=4)


# Reading


@router.post("/read")
async def read(source: Source) -> dict[str, Any]:
    """What a record holds, after a check by the rules."""
    return await run_in_threadpool(_read, source)


def _read(source: Source) -> dict[str, Any]:
    transcripts = _transcripts(source)
    if source.number > len(transcripts):
        raise BadRecord(message("There are {count} games in this file.", count=len(transcripts)))
    return {**_record_data(transcripts[source.number - 1]), "count": len(transcripts)}


def _transcripts(source: Source) -> list[Transcript]:
    text = source.text
    if _JSON.match(text):
        actions = _list_of_actions(text)
        if actions is None:
            return parse_json_transcripts(text, damier.load)
        text = actions
    if not text.lstrip("\ufeff \t\r\n").startswith("["):
        text = _with_tags(text, source)
    return list(parse_transcripts(text, damier.load))


def _list_of_actions(text: str) -> str | None:
    """Returns the actions of a JSON text that is a list of them and nothing more."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    is_list = isinstance(data, list) and data and all(isinstance(each, str) for each in data)
    return " ".join(data) if is_list else None


def _with_tags(text: str, source: Source) -> str:
    """Returns a record of actions that have no tags; they stay in their lines, which an error may name."""
    if not text.strip() or not source.game:
        raise BadRecord(message("There is no game in this file."))
    game = damier.load(source.game, **source.options)
    tags = f'[Game "{game.name}"] [Options "{game.options_text}"]'
    if source.start is not None:
        tags += f' [Position "{game.parse(source.start)}"]'
    return f"{tags} {text if '{' in text else re.sub('[,;]', ' ', text)}"


def _record_data(transcript: Transcript) -> dict[str, Any]:
    result = transcript.result if transcript.result and transcript.result.reason in ACTS else None
    return {
        "game": transcript.game.name,
        "options": dict(transcript.game.options),
        "start": None if transcript.start == transcript.game.start else str(transcript.start),
        "tree": _tree_data(transcript),
        "players": list(transcript.players),
        "date": transcript.date,
        "tags": transcript.tags,
        "result": result.text if result else None,
        "reason": result.reason if result else None,
    }


def _tree_data(transcript: Transcript) -> list[dict[str, Any]]:
    """Returns the nodes, each after its parent and the variations in their order, with their turn and player."""
    data: list[dict[str, Any]] = [{"parent": None, "action": "", "comment": transcript.root.comment}]
    todo = [(child, 0, transcript.start, 0) for child in reversed(transcript.root.children)]
    while todo:
        node, parent, before, turns = todo.pop()
        branch = {"parent": parent, "action": node.action, "turn": turns + 1, "player": before.mover}
        data.append({**branch, "comment": node.comment})
        position = before.after(transcript.game.parse_action(node.action))
        number, turns = len(data) - 1, turns + position.is_settled
        todo += [(child, number, position, turns) for child in reversed(node.children)]
    return data


# Writing


@router.post("/write")
async def write(written: Written) -> dict[str, str]:
    """The text of a record."""
    return {"text": await run_in_threadpool(_write, written)}


def _write(written: Written) -> str:
    transcript = _transcript_of(written)
    if written.format == "json":
        return json.dumps(transcript.to_json(), ensure_ascii=False, indent=1) + "\n"
    return transcript.text()


def _transcript_of(written: Written) -> Transcript:
    """Returns a record that somebody made, after a check by the rules."""
    start = damier.load(written.game, **written.options).position(written.start)
    root = _root_of(written.tree)
    record = Record(start)
    for node, _ in replay(root, record):
        record.play(node.action)
    result = settle(record, written.result, written.reason)
    return Transcript(start, root, result, tuple(written.players), written.date, dict(written.tags))


def _root_of(tree: list[Branch]) -> Node:
    nodes: list[Node] = []
    for number, branch in enumerate(tree):
        node = Node(branch.action, branch.comment)
        if number:
            if branch.parent is None or not 0 <= branch.parent < number:
                raise BadRecord(
                    message("Action {number} of the tree does not say after which it comes.", number=number)
                )
            nodes[branch.parent].children.append(node)
        nodes.append(node)
    return nodes[0]


# Pictures and positions


@router.post("/picture")
async def picture(pictured: Pictured, request: Request) -> dict[str, str]:
    """A picture of the board as SVG."""
    return {"picture": await run_in_threadpool(_picture, pictured, language(request))}


def _picture(pictured: Pictured, lang: str) -> str:
    record = record_of(pictured)
    return board_svg(
        record.position,
        theme=pictured.theme,
        size=pictured.size,
        last=record.played[-1] if record.played else None,
        coordinates=pictured.coordinates,
        flip=pictured.flip,
        lang=lang,
        result=record.result,
    )


@router.post("/setup")
async def setup(wanted: SetUp, request: Request) -> dict[str, Any]:
    """The position string of a board that is being set up, and what is still wrong with it.

    What a string says besides pieces, side and hands is kept, or else as at the start where only that goes.
    """
    game, lang = damier.load(wanted.game, **wanted.options), language(request)
    texts = [str(game.start) if wanted.position is None else wanted.position]
    if wanted.pieces is not None:
        pieces = [(each.player, each.cell) for each in wanted.pieces]
        texts = [set_up(game, base, pieces, wanted.side, wanted.hands) for base in (*texts, None)]
    problems = []
    for text in texts:
        try:
            position = game.parse(text)
        except BadPosition as error:
            problems.append(error.sentence(lang))
            continue
        state = board_state(position, position.result, lang)
        return {"position": text, "side": fields_of(game, text)[1], "problem": None, "state": state}
    return {"position": texts[0], "side": fields_of(game, texts[0])[1], "problem": problems[0], "state": None}
