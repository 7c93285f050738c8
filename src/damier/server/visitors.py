"""Visitors: their cookie, their language, and the origin of their requests."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from damier.core.messages import LANGUAGES

COOKIE = "damier_visitor"

_YEAR = 365 * 24 * 3600  # seconds
_COOKIE_FORM = re.compile(r"[A-Za-z0-9_-]{22,64}")


def new_cookie() -> str:
    """Returns the cookie of a new visitor."""
    return secrets.token_urlsafe(24)


def visitor_of(cookie: str | None) -> str:
    """Returns the visitor of a cookie, or "". It is a hash of the cookie: a visitor's name cannot be used to act."""
    if cookie is None or not _COOKIE_FORM.fullmatch(cookie):
        return ""
    return hashlib.sha256(cookie.encode()).hexdigest()[:32]


def recognised(request: Request, response: Response) -> str:
    """Returns the visitor of a request; the response gives a cookie to one who has none."""
    visitor = visitor_of(request.cookies.get(COOKIE))
    if visitor:
        return visitor
    cookie = new_cookie()
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, cookie, max_age=_YEAR, httponly=True, samesite="lax", secure=secure)
    return visitor_of(cookie)


def language(request: HTTPConnection) -> str:
    """Returns the language of a request: of its query, else of its headers, else English."""
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        return asked
    for part in request.headers.get("accept-language", "").split(","):
        if part.strip()[:2].lower() in LANGUAGES:
            return part.strip()[:2].lower()
    return LANGUAGES[0]


def is_same_origin(headers: Mapping[str, str], origin: str) -> bool:
    """Tells whether a request comes from a page of this server, or from no page at all."""
    given = headers.get("origin")
    return given is None or given == origin or given.partition("://")[2] == headers.get("host")
