"""Settings of all tests."""

import os
import signal
import sys
import threading
from collections.abc import Iterator

import pytest
from hypothesis import settings

from damier.core.folders import cache_folder
from tests.shared import begin_run, end_run, run_folder

_EXAMPLES = os.environ.get("DAMIER_EXAMPLES")  # of each property, for hypothesis

# No deadline: the machine may be busy. In CI always the same examples, so that a run can be repeated; more of them, and
# others every time, are for the nightly run.
settings.register_profile(
    "damier",
    deadline=None,
    derandomize=bool(os.environ.get("CI")) and not _EXAMPLES,
    max_examples=int(_EXAMPLES or 50),
)
settings.load_profile("damier")


def pytest_configure(config: pytest.Config) -> None:
    """Makes the folder that all workers of this run share; homes made by tests share the compiled kernels.

    The home of all tests is in that folder: tables that somebody has built on this machine change no test.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; tests of Ctrl-C need it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["DAMIER_CACHE"] = str(cache_folder())
    if begin_run():
        config.add_cleanup(end_run)
    os.environ["DAMIER_HOME"] = str(run_folder() / "home")


#: Tests that run kernels or examples in plain Python, which takes six times as long while coverage is measured.
_NOT_MEASURED = ("bench", "examples", "games", "search")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Leaves the tests of kernels out of the coverage, and those marked `untraced`: the others reach every module.

    pytest-cov has a marker `no_cover` for this, which has no effect in a worker of pytest-xdist.
    """
    folders = [item.config.rootpath / "tests" / name for name in _NOT_MEASURED]
    is_measured = not any(folder in item.path.parents for folder in folders)
    if is_measured and not item.get_closest_marker("untraced"):
        yield
        return
    tracers = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    yield
    sys.settrace(tracers[0])
    threading.settrace(tracers[1])
