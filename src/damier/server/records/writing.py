"""Writes records, as text and as JSON."""

from __future__ import annotations

import json

from pydantic import ValidationError

import damier
from damier.core.errors import BadRecord
from damier.core.messages import message
from damier.core.record import Record
from damier.server.errors import MalformedRequest, malformed
from damier.server.wire.records import RecordDraft, RecordOutput, TreeNode
from damier.transcript.tree import Node, Transcript, replay, settle


def write_record(body: bytes) -> RecordOutput:
    """Returns the text of the record of a `RecordDraft` as JSON; raises `MalformedRequest`."""
    try:
        draft = RecordDraft.model_validate_json(body)
    except ValidationError as error:
        raise MalformedRequest(malformed(error.errors())) from None
    transcript = _transcript_of(draft)
    if draft.format == "json":
        return RecordOutput(text=json.dumps(transcript.to_json(), ensure_ascii=False, indent=1) + "\n")
    return RecordOutput(text=transcript.text())


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
