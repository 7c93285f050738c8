"""Starts child processes that Ctrl-C in the terminal does not reach: their parent decides when they end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence


def start_detached(
    command: Sequence[str], *, stdout: int | None = subprocess.PIPE, stderr: int | None = None
) -> subprocess.Popen[bytes]:
    """Starts a command with a pipe to its standard input; the other streams are as for `subprocess.Popen`."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, creationflags=flags)
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, start_new_session=True)
