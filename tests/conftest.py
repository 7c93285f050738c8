"""Settings of all tests."""

import os

from hypothesis import settings

# No deadline: the machine may be busy. In CI always the same examples, so that a run can be repeated.
settings.register_profile("damier", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("damier")
