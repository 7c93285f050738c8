"""A small file system in memory that can be filled up and emptied again, as a disk that runs full."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

_FILLER = "filler"


class NoSmallDisk(Exception):
    """This program may not mount a file system: a sentence says why."""


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Mounts an empty file system of this size at an existing folder; needs root, raises `NoSmallDisk` otherwise."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0711", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True)
    if done.returncode:
        raise NoSmallDisk(f"A full disk cannot be tried: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> None:
    """Takes all free space of the file system of a folder."""
    handle = os.open(folder / _FILLER, os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        size = 0
        for step in (2**24, 2**20, 2**12):
            with contextlib.suppress(OSError):
                while True:
                    os.posix_fallocate(handle, size, step)
                    size += step
    finally:
        os.close(handle)


def empty(folder: Path) -> None:
    """Gives the space back."""
    (folder / _FILLER).unlink(missing_ok=True)
