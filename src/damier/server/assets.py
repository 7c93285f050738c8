"""The files that the server sends as they are, and how long browsers may keep them.

A page names its files as ``/static/DIGEST/…``. The digest covers the whole package, so that browsers keep what has it
for good: a repeat visit asks for the page alone. Modules import each other by relative paths and need not know it.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import Request, Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

PACKAGE = Path(__file__).parent.parent
CLIENT = Path(__file__).parent / "client"
"""The client: modules, styles, pages and icons."""

SENTENCES = Path(__file__).parent / "sentences"
"""The texts of the pages, in three languages."""

mimetypes.add_type("font/woff2", ".woff2")  # which not every system knows
mimetypes.add_type("application/manifest+json", ".webmanifest")

SHORTEST_COMPRESSED = 1000  # bytes
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


class ClientFiles:
    """The client's files, by their path or by the digest and their path: an ASGI application.

    All of them are read and compressed when the server starts, 1.5 MB: a file from memory takes a fifth of the time
    that one from the disk takes.
    """

    def __init__(self, folder: Path = CLIENT) -> None:
        files = (file for file in folder.rglob("*") if file.is_file())
        self._files = {file.relative_to(folder).as_posix(): _File.read(file) for file in files}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a file; a page of another version, still open after an upgrade, gets today's files unkept."""
        request = Request(scope)
        path = scope["path"].removeprefix(scope["root_path"]).removeprefix("/")
        named = _NAMED.fullmatch(path)
        file = self._files.get(named[2] if named else path)
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if file is None:
            raise HTTPException(404)
        kept = _FOR_GOOD if named and named[1] == digest() else _CHECKED
        await file.answer(request, kept)(scope, receive, send)


@dataclass(frozen=True)
class _File:
    """A file in memory."""

    media_type: str
    tag: str
    content: bytes
    compressed: bytes | None
    """With gzip; None if that does not make it smaller."""

    @classmethod
    def read(cls, file: Path) -> _File:
        content = file.read_bytes()
        compressed = gzip.compress(content, mtime=0) if len(content) >= SHORTEST_COMPRESSED else content
        return cls(
            mimetypes.guess_type(file.name)[0] or "application/octet-stream",
            f'"{hashlib.sha256(content).hexdigest()[:16]}"',
            content,
            compressed if len(compressed) < 0.9 * len(content) else None,
        )

    def answer(self, request: Request, kept: str) -> Response:
        """Returns the file, compressed if the browser accepts that, or that the browser has it already."""
        headers = {"Cache-Control": kept, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        content = self.content
        if self.compressed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            content = self.compressed
        return Response(content, media_type=self.media_type, headers=headers)
