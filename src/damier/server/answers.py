"""Answers to refused requests: one sentence in the visitor's language, and a status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fastapi.responses import JSONResponse

from damier.core.errors import DamierError, UnknownGame
from damier.core.messages import Message, message, plain
from damier.engine.fault import EngineFault
from damier.server.errors import NotAllowed, NotFound, ServerFailed, TooManyRequests
from damier.server.visitors import language
from damier.server.wire.model import ErrorAnswer
from damier.teach.material import MaterialMissing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import Request

_STATUSES = (
    (NotFound, 404),
    (UnknownGame, 404),
    (MaterialMissing, 404),
    (NotAllowed, 403),
    (TooManyRequests, 429),
    (ServerFailed, 503),
    (EngineFault, 503),
)
DECLARED: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 403, 404, 422, 429, 503)
}
"""The refusals that every route may answer with, for the description of the interface."""


def error_answer(
    sentence: Message, request: Request, status: int, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Returns an answer with one sentence."""
    return JSONResponse(ErrorAnswer(error=sentence.render(language(request))).model_dump(), status, headers)


def status_of(error: DamierError) -> int:
    """Returns the HTTP status of a refusal."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 400)


def malformed(errors: Sequence[Any]) -> Message:
    """Returns what is wrong with a request, from the errors of pydantic."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"]) or "body"
    return message("The request is wrong at {where}: {why}.", where=plain(where, 60), why=first["msg"])
