"""Starts child processes that Ctrl-C in the terminal does not reach: their parent decides when they end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence


def start_detached(
    command: Sequence[str], *, stdout: int | None = subprocess.PIPE, stderr: int | None = None
) -> subprocess.Popen[bytes]:
    """Starts a command with a pipe to its standard input; the other streams are as for `subprocess.Popen`.

    It has a process group of its own, not a session: Linux shares the processor among sessions before it looks at
    niceness (autogroups), so that a session of its own would make a nice process as important as its parent.
    """
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, creationflags=flags)
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, process_group=0)
