"""Logging: the standard library's, configured once, by the command line.

Modules log to ``logging.getLogger(__name__)``, which is below the logger ``damier``. A program that uses the package
configures logging itself. Other libraries are limited to warnings and errors: numba writes thousands of debug records
when it compiles.
"""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

LEVELS = ("debug", "info", "warning", "error")
FORMATS = ("text", "json")

_OWN = ("damier", "uvicorn")
_STANDARD_FIELDS = {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message"}

request_name: ContextVar[str] = ContextVar("request_name", default="")
"""The name of the request that is being answered, for all records that it causes; "" outside of one."""


def configure_logging(level: str = LEVELS[2], form: str = FORMATS[0]) -> None:
    """Writes records of `level` and above to stderr, as text or as JSON lines; replaces an earlier configuration."""
    handler = _StderrHandler()
    text = TextFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonFormatter() if form == "json" else text)
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, _StderrHandler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    for name in _OWN:
        logging.getLogger(name).setLevel(level.upper())


class TextFormatter(logging.Formatter):
    """Formats a record as text, with the name of the request after the message."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the name of the standard library
        """Returns the line without the exception."""
        line, name = super().formatMessage(record), request_name.get()
        return f"{line} (request {name})" if name else line


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON: time, level, logger, message, what ``extra`` adds, and the exception."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        data: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if name := request_name.get():
            data["request"] = name
        data.update((name, value) for name, value in vars(record).items() if _is_extra(name))
        if record.exc_info:
            data["exception"] = self.formatException(record.exc_info)
        return json.dumps(data, ensure_ascii=False, default=str)


def _is_extra(field: str) -> bool:
    """Returns whether a caller added the field; libraries that change all records, such as Ray, use an underscore."""
    return field not in _STANDARD_FIELDS and not field.startswith("_")


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Writes to what `sys.stderr` is at the moment, not when the handler was made."""

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a record."""
        self.stream = sys.stderr
        super().emit(record)
