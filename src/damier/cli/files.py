"""Files that commands read and write; ``-`` means the standard streams."""

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from damier.core.errors import BadArgument
from damier.core.folders import cannot_write
from damier.core.messages import message, shown
from damier.transcript.read import read_transcripts
from damier.transcript.tree import Transcript


def read_games(file: str) -> list[Transcript]:
    """Returns the recorded games in a file, written as text or as JSON."""
    with reading(file):
        content = _standard_input() if file == "-" else Path(file).read_bytes()
        return read_transcripts(content.decode("utf-8-sig"))


@contextmanager
def reading(file: str) -> Iterator[None]:
    """Raises `BadArgument` if a file cannot be read as text."""
    try:
        yield
    except OSError as error:
        raise BadArgument(
            message("The file {file} cannot be read: {why}.", file=shown(file), why=error.strerror)
        ) from None
    except UnicodeDecodeError:
        raise BadArgument(message("The file {file} is not text in UTF-8.", file=shown(file))) from None


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed by the caller
        raise BadArgument(message("There is no standard input to read."))
    return sys.stdin.buffer.read()


def write_text(file: str, text: str) -> None:
    """Writes text to a file."""
    if file == "-":
        print(text, end="")
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(file, error.errno) from None


def check_folder(file: str | None) -> None:
    """Refuses a file whose folder does not exist, before there is anything to write."""
    if file not in (None, "-") and not Path(file).parent.is_dir():
        raise cannot_write(file, errno.ENOENT)
