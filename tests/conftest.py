"""Settings of all tests."""

import os

import pytest
from hypothesis import settings

from damier.core import folders
from tests.shared import begin_run, end_run

# No deadline: the machine may be busy. In CI always the same examples, so that a run can be repeated.
settings.register_profile("damier", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("damier")


def pytest_configure(config: pytest.Config) -> None:
    """Makes the folder that all workers of this run share; homes made by tests share the compiled kernels."""
    os.environ["DAMIER_CACHE"] = str(folders.cache_folder())
    if begin_run():
        config.add_cleanup(end_run)
