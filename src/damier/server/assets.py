"""The files that the server sends as they are, and how long browsers may keep them.

A page names its files as ``/static/DIGEST/…``. The digest covers the whole package, so that browsers keep what has it
for good: a repeat visit asks for the page alone. Modules import each other by relative paths and need not know it.
"""

import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path

from fastapi import Request, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

PACKAGE = Path(__file__).parent.parent
CLIENT = Path(__file__).parent / "client"
"""The client: modules, styles, pages and icons."""

SENTENCES = Path(__file__).parent / "sentences"
"""The texts of the pages, in three languages."""

mimetypes.add_type("font/woff2", ".woff2")  # which not every system knows

_FOR_GOOD = "public, max-age=31536000, immutable"
_CHECKED = "no-cache"  # kept, but checked at each use
_NAMED = re.compile(r"([0-9a-f]{12})/(.+)", re.DOTALL)


@cache
def digest() -> str:
    """Returns the hash of the package: what the pages are made of and what the server answers about games."""
    found = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            found.update(f"{file.relative_to(PACKAGE)} {file.stat().st_size} ".encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:12]


@cache
def page(name: str) -> str:
    """Returns a page of the client whose files browsers may keep."""
    return (CLIENT / name).read_text("utf-8").replace('"/static/', f'"/static/{digest()}/')


def kept_for_good(request: Request, response: Response) -> Response:
    """Lets browsers keep an answer that is the same for everybody, if the query has `lang` and the digest as `v`."""
    query = request.query_params
    response.headers["Cache-Control"] = _FOR_GOOD if query.get("v") == digest() and "lang" in query else _CHECKED
    return response


class ClientFiles(StaticFiles):
    """The client's files, by their path or by the digest and their path."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Serves a file; a page of another version, still open after an upgrade, gets today's files unkept."""
        named = _NAMED.fullmatch(path)
        response = await super().get_response(named[2] if named else path, scope)
        response.headers["Cache-Control"] = _FOR_GOOD if named and named[1] == digest() else _CHECKED
        return response
