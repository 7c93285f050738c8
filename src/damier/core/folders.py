"""The user's folders for the kernel cache and for tables."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Returns the folder for what can be rebuilt: ``DAMIER_CACHE``, ``cache`` in ``DAMIER_HOME``, or the platform's."""
    if cache := os.environ.get("DAMIER_CACHE"):
        return Path(cache)
    if home := os.environ.get("DAMIER_HOME"):
        return Path(home) / "cache"
    import platformdirs  # costs 10 ms: only where a folder is needed

    return platformdirs.user_cache_path("damier", appauthor=False)


def data_folder() -> Path:
    """Returns the folder for data that must be kept: ``DAMIER_HOME``, or the platform's."""
    if home := os.environ.get("DAMIER_HOME"):
        return Path(home)
    import platformdirs

    return platformdirs.user_data_path("damier", appauthor=False)


def table_folder() -> Path:
    """Returns the folder for tables of exact values."""
    return data_folder() / "tables"
