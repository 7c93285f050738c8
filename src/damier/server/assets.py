"""The folders of files that the server sends as they are."""

from pathlib import Path

CLIENT = Path(__file__).parent / "client"
"""The client: modules, styles, pages and icons."""

SENTENCES = Path(__file__).parent / "sentences"
"""The texts of the pages, in three languages."""
