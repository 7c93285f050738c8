"""Converts SVG to PNG in a process of its own, because the library holds the interpreter's lock while it draws."""

from __future__ import annotations

import asyncio
import logging
import sys

from damier.core.messages import message
from damier.server.errors import ServerFailed

_log = logging.getLogger(__name__)

_LIMIT = asyncio.Semaphore(2)
_PROGRAM = (
    "import sys, resvg_py\n"
    "sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode())))"
)


class PictureFailed(ServerFailed):
    """A picture could not be drawn."""


async def png(svg: str) -> bytes:
    """Returns a picture as PNG, with the fonts of the system; raises `PictureFailed`."""
    async with _LIMIT:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _PROGRAM),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        found, errors = await process.communicate(svg.encode())
    if process.returncode:
        lines = errors.decode(errors="replace").strip().splitlines() or ["no reason given"]
        extra = {"status": process.returncode}
        _log.error("Drawing a PNG failed with status %s: %s", process.returncode, lines[-1], extra=extra)
        raise PictureFailed(message("The picture could not be drawn."))
    return found
