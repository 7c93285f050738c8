"""The command line: ``damier COMMAND ...``. Starts quickly: only the command that runs is imported."""

import contextlib
import io
import os
import sys
from collections.abc import Sequence

from damier.cli.interrupts import keep_interrupts
from damier.cli.parser import chosen_language, parse
from damier.core.errors import BadArgument, DamierError
from damier.core.logs import configure_logging
from damier.core.messages import message


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit status: 0, or 2 after one line on stderr that says what was wrong."""
    words = sys.argv[1:] if arguments is None else arguments
    if arguments is None:
        keep_interrupts()
    lang = chosen_language(words)
    try:
        _prepare_streams()
        chosen = parse(words)
        configure_logging(chosen.log_level, chosen.log_format)
        chosen.run(chosen)
        sys.stdout.flush()
    except DamierError as error:
        return _complain(error, lang)
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        _forget_output()
        return 0
    except MemoryError:
        return _complain(BadArgument(message("There is not enough memory for this.")), lang)
    except OSError as error:  # such as a full disk behind standard output
        _forget_output()
        return _complain(BadArgument(message("This cannot be written: {why}.", why=error.strerror or error)), lang)
    except KeyboardInterrupt:
        _say("damier: stopped.")
        return 130
    return 0


def _prepare_streams() -> None:
    """Replaces missing streams, and makes streams escape what they cannot encode."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # lives as long as the process
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # lives as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _complain(error: DamierError, lang: str) -> int:
    _say(f"damier: {error.sentence(lang)}")
    return 2


def _say(line: str) -> None:
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr)


def _forget_output() -> None:
    """Discards unwritten output, so that flushing it at exit does not fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
