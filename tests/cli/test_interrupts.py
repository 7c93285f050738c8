"""Ctrl-C in the middle of a callback, whose errors Python drops."""

import os
import subprocess
import sys

import pytest

_PROGRAM = """
import os, signal, sys, time, weakref
from damier.cli.interrupts import keep_interrupts

keep_interrupts()

class Thing: ...

def callback(reference):
    if sys.argv[1] == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)  # is interrupted: the error is raised here, and lost
    raise ValueError("an ordinary error")

thing = Thing()
reference = weakref.ref(thing, callback)
try:
    del thing
    time.sleep(20 if sys.argv[1] == "interrupt" else 0)
    print("ended by itself")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends a process of Windows")
@pytest.mark.parametrize(
    ("what", "out", "err"), [("interrupt", "interrupted", ""), ("raise", "ended by itself", "an ordinary error")]
)
def test_ctrl_c_in_a_callback_is_not_lost(what: str, out: str, err: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, what], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"{out}\n"
    assert err in done.stderr
    assert "KeyboardInterrupt" not in done.stderr
