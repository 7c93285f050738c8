"""Turns an SVG into a PNG in a process of its own: the library holds the interpreter's lock while it draws.

This file is also the program of that process: it reads the SVG and writes the PNG.
"""

from __future__ import annotations

import asyncio
import sys

_AT_ONCE = asyncio.Semaphore(2)


class NoPicture(Exception):
    """A picture could not be drawn."""


async def png(svg: str) -> bytes:
    """Returns a picture as PNG, with the fonts of the system."""
    async with _AT_ONCE:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", __file__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        found, _ = await process.communicate(svg.encode())
    if process.returncode:
        raise NoPicture(f"The program that draws pictures ended with {process.returncode}.")
    return found


if __name__ == "__main__":
    import resvg_py

    sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=sys.stdin.buffer.read().decode())))
