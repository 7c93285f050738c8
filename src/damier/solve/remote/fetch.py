"""Downloads a table: resumes where an earlier download stopped, checks everything, then renames it into place.

The download grows in ``NAME.DIGEST.part``, where DIGEST begins the SHA-256 that the server states for the file. Until
that digest is confirmed, and after it every checksum of the table, nothing has the name of a table.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import http.client
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message, shown
from damier.solve.build.solver import size_text
from damier.solve.file.reader import BadTable, TableFile, quoted
from damier.solve.file.writer import sync_folder
from damier.solve.location import download_path, locked, unfinished_files
from damier.solve.numbering import name_of
from damier.solve.remote.connection import SECONDS, ConnectionCut, RetryLater, ServerConnection, request_path
from damier.solve.remote.offers import Offer, find_offer

if TYPE_CHECKING:
    from damier.solve.tables import Tables

Show = Callable[[float], None]
"""Receives the share done so far."""

_TRIES = 5  # in a row that bring nothing
_MOST_TRIES = 200
_PAUSE = 0.2  # seconds, doubled after each try that brings nothing
_DOWNLOADING = 0.8  # share of the work, for progress; the rest is checking


class FetchFailed(DamierError):
    """A table could not be downloaded, or is not what the server said."""


@dataclass(frozen=True)
class Fetched:
    """A table that has been downloaded."""

    path: Path
    bytes: int
    resumed: int
    """Bytes that an earlier download had left."""

    seconds: float


def fetch(tables: Tables, server: str, show: Show, seconds: float = SECONDS) -> Fetched:
    """Downloads the table of a game from a server and replaces the one that is there; `seconds` is the time-out."""
    began = time.monotonic()
    expected = tables.numbering.entries  # raises `NotSolvable`
    offer = find_offer(tables.game, server)
    if offer.entries != expected:
        raise _unusable(tables, server)
    with locked(tables.path), _writing(tables.path):
        part = download_path(tables.path, offer.sha256)
        for file in unfinished_files(tables.path):
            if file != part and file.name.endswith(".part"):
                file.unlink()
        resumed = _download(offer, part, show, seconds)
        _check(tables, server, part, lambda share: show(_DOWNLOADING + (1 - _DOWNLOADING) * share))
        part.replace(tables.path)
        sync_folder(tables.path.parent)
    return Fetched(tables.path, offer.bytes, resumed, round(time.monotonic() - began, 1))


def _download(offer: Offer, part: Path, show: Show, seconds: float) -> int:
    """Downloads what is missing of a file and confirms its digest; returns how many bytes were there before."""
    with part.open("a+b") as stream:
        if stream.seek(0, os.SEEK_END) > offer.bytes:
            stream.truncate(0)
        before = stream.seek(0, os.SEEK_END)
        _check_disk(part.parent, offer.bytes - before)
        connection = ServerConnection(offer.url, seconds)
        try:
            _receive(connection, offer, stream, show)
        finally:
            connection.close()
        stream.flush()
        os.fsync(stream.fileno())
        stream.seek(0)
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != offer.sha256:
        part.unlink()
        raise FetchFailed(
            message(
                "The download of {file} is damaged, or the table has changed on the server: fetch it again.",
                file=quoted(offer.url),
            )
        )
    return before


def _receive(connection: ServerConnection, offer: Offer, stream: BinaryIO, show: Show) -> None:
    """Appends to a file what is missing; a connection that is cut is opened again where it stopped."""
    fruitless = 0
    for _ in range(_MOST_TRIES):
        begin = stream.seek(0, os.SEEK_END)
        if begin == offer.bytes:
            return
        pause = 0.0
        try:
            for chunk in connection.parts(_opened(connection, offer, stream)):
                if stream.tell() + len(chunk) > offer.bytes:
                    raise connection.wrong(message("it is too long"))
                stream.write(chunk)
                show(_DOWNLOADING * stream.tell() / offer.bytes)
            if stream.tell() < offer.bytes and stream.tell() <= begin:
                raise connection.wrong(message("its length is not the stated one"))
        except (ConnectionCut, RetryLater) as error:
            fruitless = fruitless + 1 if stream.tell() <= begin else 0
            if fruitless >= _TRIES:
                raise
            pause = max(getattr(error, "pause", 0.0), _PAUSE * 2**fruitless if fruitless else 0.0)
        time.sleep(pause)
    raise FetchFailed(message("The connection to {server} was cut.", server=connection.name))


def _opened(connection: ServerConnection, offer: Offer, stream: BinaryIO) -> http.client.HTTPResponse:
    """Requests the rest of a file; empties the stream if the server sends the whole file instead."""
    path, begin = request_path(offer.url), stream.tell()
    headers = {"Range": f"bytes={begin}-", "If-Range": f'"{offer.sha256}"'} if begin else {}
    response = connection.open(path, headers)
    if response.status == 416:
        raise connection.wrong(message("it is another part of the file"))
    if response.status == 200:
        stream.truncate(0)
        stream.seek(0)
        begin = 0
    elif response.headers.get("Content-Range") != f"bytes {begin}-{offer.bytes - 1}/{offer.bytes}":
        raise connection.wrong(message("it is another part of the file"))
    if response.length not in (None, offer.bytes - begin):
        raise connection.wrong(message("its length is not the stated one"))
    return response


def _check(tables: Tables, server: str, part: Path, show: Show) -> None:
    """Checks a downloaded table, all of it; deletes one that is refused."""
    try:
        with TableFile(part) as table:
            if not tables.fits(table.header) or table.header.entries != tables.numbering.entries:
                raise _unusable(tables, server)
            table.check(show)
    except (BadTable, FetchFailed):
        part.unlink()
        raise


def _unusable(tables: Tables, server: str) -> FetchFailed:
    return FetchFailed(
        message(
            "The server {server} has a table of {game} that this program cannot use.",
            server=quoted(server),
            game=name_of(tables.game),
        )
    )


def _check_disk(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise _disk_full(folder, needed, free)


def _disk_full(folder: Path, needed: int, free: int) -> BadArgument:
    return BadArgument(
        message(
            "The download needs {needed} of disk in {folder}, where {free} are free.",
            needed=size_text(needed),
            folder=shown(str(folder)),
            free=size_text(free),
        )
    )


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Turns errors of the file system into sentences."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        if error.errno == errno.ENOSPC:
            raise BadArgument(
                message(
                    "The disk is full: make room in {folder} and fetch the table again.", folder=shown(str(path.parent))
                )
            ) from None
        raise BadArgument(
            message("The folder {folder} cannot be written: {why}.", folder=shown(str(path.parent)), why=why)
        ) from None
