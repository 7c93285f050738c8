"""What a bot says: one line for each event, as text or as JSON."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

from damier.core.messages import Message


class Journal:
    """Writes lines; several threads may."""

    def __init__(self, write: Callable[[str], None], lang: str = "en", *, is_json: bool = False) -> None:
        self._write, self._lang, self._is_json = write, lang, is_json
        self._lock = threading.Lock()

    def note(self, event: str, sentence: Message, **data: Any) -> None:
        """Writes a line about an event; JSON has its name and data besides the sentence."""
        text = sentence.render(self._lang)
        line = json.dumps({"event": event, **data, "sentence": text}, ensure_ascii=False) if self._is_json else text
        with self._lock:
            self._write(line)
