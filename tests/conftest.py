"""Settings of all tests."""

import os

import pytest
from hypothesis import settings

from damier.core.folders import cache_folder
from tests.shared import begin_run, end_run

# No deadline: the machine may be busy. In CI always the same examples, so that a run can be repeated.
settings.register_profile("damier", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("damier")


def pytest_configure(config: pytest.Config) -> None:
    """Makes the folder that all workers of this run share; homes made by tests share the compiled kernels."""
    os.environ["DAMIER_CACHE"] = str(cache_folder())
    if begin_run():
        config.add_cleanup(end_run)


#: Tests that run kernels in plain Python, which takes several times as long while coverage is measured.
_NOT_MEASURED = ("bench", "games", "search", "solve")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the tests of kernels out of the coverage: the others reach every module."""
    folders = [config.rootpath / "tests" / name for name in _NOT_MEASURED]
    for item in items:
        if any(folder in item.path.parents for folder in folders):
            item.add_marker(pytest.mark.no_cover)
