"""The command line: ``damier COMMAND ...``. Costs little to start: commands import what they need when they run."""

import os
import sys
from collections.abc import Sequence

from damier.cli.parser import parse
from damier.core.errors import DamierError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit status: 0, or 2 after one line on stderr that says what was wrong."""
    lang = "en"
    try:
        chosen = parse(sys.argv[1:] if arguments is None else arguments)
        lang = chosen.lang
        chosen.run(chosen)
        sys.stdout.flush()
    except DamierError as error:
        print(f"damier: {error.sentence(lang)}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("damier: stopped.", file=sys.stderr)
        return 130
    return 0
