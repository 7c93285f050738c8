"""Limits processes to a share of a core, by a control group of Linux.

On a machine with two cores two servers, the database, Redis and the clients compete, and two servers cannot be twice as
fast as one. With half a core or less for each server there is room for all, and what is compared is one server of this
size with two of this size.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_PERIOD = 20_000  # microseconds; short, so that a process that has used its share waits for milliseconds


class NoLimits(Exception):
    """This machine does not let this program limit processes."""


@contextlib.contextmanager
def limited(processes: Sequence[int], share: float) -> Iterator[None]:
    """Gives each process at most a share of a core; raises `NoLimits`."""
    with contextlib.ExitStack() as stack:
        for process in processes:
            stack.enter_context(_limited(process, share))
        yield


@contextlib.contextmanager
def _limited(process: int, share: float) -> Iterator[None]:
    above = _ROOT / "cpu" if (_ROOT / "cpu" / "cpu.cfs_quota_us").exists() else _ROOT
    group = above / f"damier-bench-{os.getpid()}-{process}"
    quota = int(share * _PERIOD)
    try:
        group.mkdir()
        if (group / "cpu.cfs_quota_us").exists():
            (group / "cpu.cfs_period_us").write_text(str(_PERIOD))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {_PERIOD}")
        (group / "cgroup.procs").write_text(str(process))
    except OSError as error:
        with contextlib.suppress(OSError):
            group.rmdir()
        raise NoLimits(f"processes cannot be limited to a share of a core: {error}") from None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # the process has ended
            (above / "cgroup.procs").write_text(str(process))
        with contextlib.suppress(OSError):
            group.rmdir()
