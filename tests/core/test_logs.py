"""Logging, as text and as JSON lines."""

import json
import logging
from collections.abc import Iterator

import pytest

from damier.core.logs import FORMATS, LEVELS, JsonFormatter, configure_logging
from tests.cli.calling import called, refused

log = logging.getLogger("damier.tests")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Restores the usual configuration."""
    yield
    configure_logging()


def test_it_is_quiet_below_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging()
    log.info("nothing to see")
    assert capsys.readouterr().err == ""
    log.warning("the disk is %s", "full")
    assert capsys.readouterr().err.endswith(" WARNING damier.tests: the disk is full\n")


def test_json_lines_carry_extra_fields_and_the_exception(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("debug", "json")
    try:
        raise OSError("no space")
    except OSError:
        log.exception("the store failed", extra={"match": "abc"})
    log.debug("a\nb")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["message"] for line in lines] == ["the store failed", "a\nb"]
    assert (lines[0]["level"], lines[0]["logger"], lines[0]["match"]) == ("error", "damier.tests", "abc")
    assert lines[0]["exception"].endswith("OSError: no space")
    assert lines[0]["time"].endswith("+00:00")
    assert set(lines[1]) == {"time", "level", "logger", "message"}


def test_fields_that_libraries_add_to_every_record_are_left_out() -> None:
    record = logging.makeLogRecord({"msg": "hello", "match": "abc", "_ray_timestamp_ns": 1})
    assert set(json.loads(JsonFormatter().format(record))) == {"time", "level", "logger", "message", "match"}


def test_other_libraries_are_heard_from_warnings_upwards(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("debug")
    logging.getLogger("numba").info("compiling")
    assert capsys.readouterr().err == ""
    logging.getLogger("sqlalchemy").warning("slow")
    assert "sqlalchemy: slow" in capsys.readouterr().err


@pytest.mark.parametrize("before", [True, False])
def test_every_command_takes_level_and_format(before: bool) -> None:
    flags = ("--log-level", "debug", "--log-format", "json")
    words = (*flags, "moves", "chefa") if before else ("moves", "chefa", *flags)
    status, _, err = called(*words)
    assert status == 0
    assert all(json.loads(line)["logger"].startswith("damier") for line in err.splitlines())
    assert logging.getLogger("damier").level == logging.DEBUG
    called("moves", "chefa")
    assert logging.getLogger("damier").level == logging.WARNING
    assert "invalid choice: 'loud'" in refused("games", "--log-level", "loud")


def test_levels_and_formats_are_those_of_the_help() -> None:
    assert LEVELS == ("debug", "info", "warning", "error")
    assert FORMATS == ("text", "json")
