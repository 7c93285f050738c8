"""Ctrl-C that Python lost comes again.

Ctrl-C raises ``KeyboardInterrupt`` wherever the main thread is. In a callback of a weak reference or a ``__del__``, of
which numba has many, Python prints the error and goes on: the command would not stop.
"""

import _thread
import signal
import sys
import threading

_PAUSE = 0.05  # seconds until it comes again: by then the callback has returned


def keep_interrupts() -> None:
    """From now on, Ctrl-C that is lost in a callback is sent again, until it stops the command."""
    others = sys.unraisablehook

    def hook(lost: "sys.UnraisableHookArgs") -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            others(lost)
            return
        again = threading.Timer(_PAUSE, _interrupt_main_thread)
        again.daemon = True
        again.start()

    sys.unraisablehook = hook


def _interrupt_main_thread() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)  # wakes it from waiting, too
    else:
        _thread.interrupt_main()
