"""Memory of the machine and of this process, on every platform."""

import sys


def total_memory() -> int:
    """Returns the bytes of memory that the machine has."""
    import psutil

    return psutil.virtual_memory().total


def peak_memory() -> int:
    """Returns the most bytes of memory that this process has used so far."""
    if sys.platform == "win32":
        import psutil

        return psutil.Process().memory_info().peak_wset
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
