"""Files that are written whole or not at all, whatever ends the program."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Puts a text in the place of a file when all of it is on the disk."""
    draft = path.with_name(path.name + ".new")
    with draft.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
