"""The tests.

filelock is imported here, before anything uses it, without its audit hook: Python 3.11 cannot trace a thread that
starts while another thread runs an audit hook written in Python, and such a thread dies. Coverage traces every thread.
"""

import sys
from unittest import mock

with mock.patch.object(sys, "addaudithook"):
    import filelock  # noqa: F401  # for its effect, see above
