"""Atomic writes: a file has its old text or its new one, whatever ends the program."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Atomically replaces a file with a text: written beside it, synced to the disk, renamed."""
    draft = path.with_name(path.name + ".new")
    with draft.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)
