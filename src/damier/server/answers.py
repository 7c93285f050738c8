"""Answers to refused requests: one sentence in the visitor's language, and a status."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse, JSONResponse

from damier.core.errors import DamierError, UnknownGame
from damier.core.messages import Message, message
from damier.engine.fault import EngineFault
from damier.engine.pool.pool import QueueFull
from damier.server.assets import digest
from damier.server.errors import (
    AddressTooLong,
    BodyLate,
    BodyTooLong,
    LengthMissing,
    MalformedRequest,
    NotAllowed,
    NotFound,
    ServerFailed,
    TooManyRequests,
)
from damier.server.front.visitors import language
from damier.server.wire.model import ErrorAnswer, LimitAnswer
from damier.solve.tables import TableMissing
from damier.teach.material import MaterialMissing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import HTTPConnection
    from starlette.responses import Response

_STATUSES = (
    (NotFound, 404),
    (UnknownGame, 404),
    (MaterialMissing, 404),
    (TableMissing, 404),
    (NotAllowed, 403),
    (BodyLate, 408),
    (LengthMissing, 411),
    (BodyTooLong, 413),
    (AddressTooLong, 414),
    (MalformedRequest, 422),
    (TooManyRequests, 429),
    (ServerFailed, 503),
    (QueueFull, 503),
    (EngineFault, 503),
)
_AGAIN = message("Try again")
_RETRY_AFTER = 2.0  # seconds after a failure or a full queue
DECLARED: dict[int | str, dict[str, Any]] = {
    **{status: {"model": ErrorAnswer} for status in (400, 403, 404, 422, 503)},
    429: {"model": LimitAnswer},
}
"""The refusals that every route may answer with, for the description of the interface."""


def error_answer(
    sentence: Message, request: HTTPConnection, status: int, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Returns an answer with one sentence."""
    return JSONResponse(ErrorAnswer(error=sentence.render(language(request))).model_dump(), status, headers)


def json_refusal(request: HTTPConnection, error: DamierError) -> JSONResponse:
    """Returns the answer to a refused request as JSON; one beyond a limit says which limit, and how long to wait."""
    headers = refusal_headers(error)
    if isinstance(error, TooManyRequests):
        sentence, seconds = error.sentence(language(request)), int(headers["Retry-After"])
        answer = LimitAnswer(error=sentence, limit=error.limit, seconds=seconds)
        return JSONResponse(answer.model_dump(), status_of(error), headers)
    return error_answer(error.message, request, status_of(error), headers)


def refusal(request: HTTPConnection, error: DamierError) -> Response:
    """Returns the answer to a refused request: a page without scripts for a person who asked for one, else JSON."""
    status, headers = status_of(error), refusal_headers(error)
    if not is_for_people(request):
        return json_refusal(request, error)
    return HTMLResponse(_refusal_page(error, status, language(request)), status, headers)


def _refusal_page(error: DamierError, status: int, lang: str) -> str:
    """Returns a page with the sentence of a refusal, and a link to the same address if it may be answered later."""
    files = f"/static/{digest()}"
    again = f'<a class="as-button" href="">{_AGAIN.render(lang)}</a>' if status in (429, 503) else ""
    return (
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        '<meta name="viewport" content="width=device-width"><title>damier</title>'
        f'<link rel="icon" href="{files}/icon.svg"><link rel="stylesheet" href="{files}/styles/palette.css">'
        f'<link rel="stylesheet" href="{files}/styles/base.css">'
        f'<main class="note"><h1>damier</h1><p>{escape(error.sentence(lang))}</p>{again}</main></html>'
    )


def refusal_headers(error: DamierError) -> dict[str, str]:
    """Returns the headers of a refusal: when to try again, and the end of a connection whose body is late."""
    headers = {}
    seconds = getattr(error, "retry_after", _RETRY_AFTER if status_of(error) == 503 else None)
    if seconds is not None:
        headers["Retry-After"] = str(max(1, math.ceil(seconds)))
    if isinstance(error, BodyLate):
        headers["Connection"] = "close"
    return headers


def is_for_people(request: HTTPConnection) -> bool:
    """Tells whether a browser asks for a page, rather than a program for data."""
    return "text/html" in request.headers.get("accept", "") and not request.scope["path"].startswith(
        ("/api/", "/static/")
    )


def status_of(error: DamierError) -> int:
    """Returns the HTTP status of a refusal."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 400)
