"""What makes the site an app that can be installed: the service worker and the page without a connection.

The manifest and the icons are files of the client, made by ``tools/artwork.py``. The worker is served from the root, so
that it is in charge of all pages.
"""

from __future__ import annotations

from functools import cache
from html import escape

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from damier.core.messages import LANGUAGES
from damier.server import assets
from damier.server.games import sentences

router = APIRouter()

_CHECKED = {"Cache-Control": "no-cache"}


@router.get("/worker.js", include_in_schema=False)
async def service_worker() -> Response:
    """Serves the service worker, which is another one for every version of the program."""
    return Response(assets.page("worker.js"), media_type="text/javascript", headers=_CHECKED)


@router.get("/offline", include_in_schema=False)
async def offline_page() -> HTMLResponse:
    """Serves the page that browsers keep for when there is no connection, in all languages; it is nobody's own."""
    return HTMLResponse(_offline_page(), headers=_CHECKED)


@cache
def _offline_page() -> str:
    texts = sentences("offline")
    parts = ""
    for lang in LANGUAGES:
        title, text, retry = (escape(texts[f"offline.{name}"][lang]) for name in ("title", "text", "retry"))
        parts += (
            f'<section lang="{lang}"><h1>{title}</h1><p>{text}</p>'
            f'<button type="button" class="main">{retry}</button></section>'
        )
    return assets.page("offline.html").replace("<!-- sentences -->", parts, 1)
