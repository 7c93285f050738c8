"""Runs commands in this process and in a terminal."""

import io
import os
import pty
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout

from damier.cli import main


def called(*arguments: str) -> tuple[int, str, str]:
    """Runs a command and returns its exit status and what it prints on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    return status, out.getvalue(), err.getvalue()


def run(*arguments: str) -> str:
    """Runs a command that must succeed and returns what it prints."""
    status, out, err = called(*arguments)
    assert (status, err) == (0, "")
    return out


def refused(*arguments: str) -> str:
    """Runs a command that must fail and returns the one line that it says."""
    status, out, err = called(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("damier: ")
    return err.removeprefix("damier: ").strip()


def in_terminal(*arguments: str) -> str:
    """Runs a command in a terminal of its own and returns what it shows."""
    controller, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    command = [sys.executable, "-m", "damier", *arguments]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as process:
        os.close(terminal)
        shown = b""
        try:
            while piece := os.read(controller, 65536):
                shown += piece
        except OSError:  # the terminal is closed when the command ends
            pass
    os.close(controller)
    assert process.returncode == 0, shown
    return shown.decode()
