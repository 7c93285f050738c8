"""Probing and fetching tables from a server that cuts connections, is slow, lies or changes."""

from __future__ import annotations

import errno
import hashlib
import random
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.core import folders
from damier.core.errors import BadArgument, DamierError
from damier.solve.file.reader import BadTable, TableFile
from damier.solve.location import download_path, has_table, unfinished_files
from damier.solve.remote import connection, fetch
from damier.solve.remote.connection import BadAnswer, RequestRefused, ServerUnreachable
from damier.solve.remote.fetch import FetchFailed
from damier.solve.remote.offers import NotOffered, offers
from damier.solve.remote.table import RemoteTable, TableChanged
from damier.solve.tables import TableMissing, Tables
from tests.shared import built_table
from tests.solve.table_server import Answer, TableServer, table_server

GAME = damier.load("renfa", bombs=3)
MIDDLE = 24 << 14  # an entry in the middle of the file, which is in no part that is read when it is opened


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(fetch, "_PAUSE", 0.0)


@pytest.fixture
def server() -> Iterator[TableServer]:
    with table_server(built_table(GAME).folder) as served:
        yield served


@pytest.fixture
def url(server: TableServer) -> str:
    return server.url(built_table(GAME).path.name)


@pytest.fixture
def here(tmp_path: Path) -> Tables:
    """The tables of a machine that has none."""
    return Tables(GAME, tmp_path / "tables")


def unseen(_share: float) -> None:
    pass


def is_one_sentence(error: BaseException) -> bool:
    assert isinstance(error, DamierError)
    return all(
        text.endswith((".", "!")) and "\n" not in text and len(text) < 500
        for text in map(error.sentence, ("en", "fr", "de"))
    )


# Probing from afar


def test_a_remote_table_has_the_entries_of_the_file(server: TableServer, url: str) -> None:
    places = np.array(random.Random(1).sample(range(765_127), 500))
    with RemoteTable(url) as table, TableFile(built_table(GAME).path) as file:
        assert table.header == file.header
        assert len(server.requests) == 2
        assert table.read_many(places).tolist() == file.read_many(places).tolist()
        asked = len(server.requests)
        assert table.read_many(places).tolist() == file.read_many(places).tolist()
        assert len(server.requests) == asked, "Blocks are cached."
        table.check()


def test_tables_probe_a_server(server: TableServer) -> None:
    own = built_table(GAME)
    with closing(Tables(GAME, remote=server.address)) as tables:
        assert tables.is_built
        assert tables.probe_value(GAME.start) == own.probe_value(GAME.start)
        assert tables.action_values(GAME.start) == own.action_values(GAME.start)
        probed = tables.probe_positions([GAME.start])
    assert [column.tolist() for column in probed] == [[0], [-1], [0.5]]


def test_a_table_that_the_server_does_not_have_is_missing(server: TableServer) -> None:
    tables = Tables(damier.load("renfa", bombs=4), remote=server.address)
    assert not tables.is_built
    assert tables.get_value(tables.game.start) is None
    with pytest.raises(TableMissing, match=r"^The server '.*' has no table of Renfa-Bomba .*\.$"):
        tables.probe_value(tables.game.start)


def test_a_table_of_another_game_is_refused(server: TableServer) -> None:
    server.files["renfa-size=5-bombs=4-last=1.table"] = next(iter(server.files.values()))
    tables = Tables(damier.load("renfa", bombs=4), remote=server.address)
    with pytest.raises(BadTable, match="cannot use"):
        tables.probe_value(tables.game.start)


def cut(answer: Answer) -> None:
    answer.sent = len(answer.body) // 2


def cut_at_once(answer: Answer) -> None:
    answer.sent = 0


def late(answer: Answer) -> None:
    answer.delay = 1.0


def wrong_bytes(answer: Answer) -> None:
    answer.body = bytes(byte ^ 1 for byte in answer.body)


def wrong_range(answer: Answer) -> None:
    found = answer.headers.get("Content-Range", "bytes 0-0/1")
    first, _, rest = found.removeprefix("bytes ").partition("-")
    answer.headers["Content-Range"] = f"bytes {int(first) + 1}-{rest}"


def no_range(answer: Answer) -> None:
    answer.headers.pop("Content-Range", None)


def shorter(answer: Answer) -> None:
    answer.body = answer.body[:-1]
    answer.headers["Content-Length"] = str(len(answer.body))


def longer(answer: Answer) -> None:
    answer.body += b"more"
    answer.headers["Content-Length"] = str(len(answer.body))


def whole(answer: Answer) -> None:
    answer.status = 200
    del answer.headers["Content-Range"]


def larger_file(answer: Answer) -> None:
    answer.headers["Content-Range"] = answer.headers["Content-Range"].rpartition("/")[0] + f"/{10**19}"


def other_tag(answer: Answer) -> None:
    answer.headers["ETag"] = '"another"'


def compressed(answer: Answer) -> None:
    answer.headers["Content-Encoding"] = "gzip"


def elsewhere(answer: Answer) -> None:
    answer.status = 302
    answer.headers["Location"] = "http://example.org/"


def broken(answer: Answer) -> None:
    answer.status = 500


def busy(answer: Answer) -> None:
    answer.status = 503
    answer.headers["Retry-After"] = "0"


def test_a_connection_that_is_cut_is_opened_again(server: TableServer, url: str) -> None:
    server.faults = [cut, cut_at_once, busy]
    with RemoteTable(url) as table:
        server.faults = [cut, busy, cut_at_once]
        assert table.read(MIDDLE) == built_table(GAME).file.read(MIDDLE)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (cut, ServerUnreachable),
        (late, ServerUnreachable),
        (wrong_bytes, BadTable),
        (wrong_range, BadAnswer),
        (no_range, BadAnswer),
        (shorter, BadAnswer),
        (longer, BadAnswer),
        (whole, BadAnswer),
        (larger_file, DamierError),
        (other_tag, TableChanged),
        (compressed, BadAnswer),
        (elsewhere, RequestRefused),
        (broken, RequestRefused),
        (busy, RequestRefused),
    ],
)
def test_a_server_that_fails_or_lies_is_refused_with_a_sentence(
    server: TableServer, url: str, fault: Any, error: type[DamierError]
) -> None:
    with RemoteTable(url, seconds=0.3) as table:
        server.always = fault
        with pytest.raises(error) as refused:
            table.read(MIDDLE)
        assert is_one_sentence(refused.value)
        server.always = lambda _answer: None
        assert table.read(MIDDLE) == built_table(GAME).file.read(MIDDLE), "The table can still be read."
    if fault is not other_tag:
        server.always = fault
        with pytest.raises(DamierError) as refused:
            RemoteTable(url, seconds=0.3)
        assert is_one_sentence(refused.value)


def test_a_table_that_changes_under_its_reader_is_a_clear_error(server: TableServer, url: str) -> None:
    with RemoteTable(url) as table:
        name = built_table(GAME).path.name
        server.files[name] = server.files[name][:-1]
        with pytest.raises(TableChanged, match=r"^The table '.*' has changed: open it again\.$"):
            table.read(MIDDLE)


def test_a_table_of_a_server_without_tags_can_be_probed(server: TableServer, url: str) -> None:
    server.always = lambda answer: answer.headers.pop("ETag")
    with RemoteTable(url) as table:
        assert table.read(MIDDLE) == built_table(GAME).file.read(MIDDLE)


@pytest.mark.parametrize("content", [b"", b"no table", bytes(200_000)])
def test_a_file_that_is_no_table_is_refused(server: TableServer, url: str, content: bytes) -> None:
    server.files[built_table(GAME).path.name] = content
    with pytest.raises(DamierError) as refused:
        RemoteTable(url)
    assert is_one_sentence(refused.value)


@pytest.mark.parametrize(
    "address",
    [
        "", "nowhere", "ftp://example.org", "http://", "http://[::1", "http://a:b", "http://a:99999", "http://a b",
        "http://user:secret@example.org", "http://example.org/?q", "http://exämple.org", "http://a\r\nHost: b",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(BadArgument, match=r"^An address is written as http://127\.0\.0\.1:8000, not ") as refused:
        Tables(GAME, remote=address).probe_value(GAME.start)
    assert is_one_sentence(refused.value)
    with pytest.raises(BadArgument):
        offers(address)


def test_a_server_that_is_not_there_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ServerUnreachable, match=r"^The server 'http://127.0.0.1:\d+' cannot be reached: .*\.$"):
            offers(address)
    with pytest.raises(ServerUnreachable) as refused:
        offers(f"http://{'a' * 70}.example")
    assert is_one_sentence(refused.value)


def test_the_python_of_the_documentation_runs(server: TableServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "table_folder", lambda: built_table(GAME).folder)
    page = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    _format, *examples = re.findall(r"(?s)```python\n(.*?)\n```", page)
    assert len(examples) == 2
    for text in examples:
        found: dict[str, Any] = {}
        text = text.replace('"chefa"', '"renfa", bombs=3').replace("http://127.0.0.1:8000", server.address)
        exec(text, found)
        assert found["game"] == GAME


# Lists


def test_a_server_lists_what_it_offers(server: TableServer) -> None:
    (offer,) = offers(server.address + "/")
    assert (offer.game, offer.options["bombs"], offer.entries) == ("renfa", 3, 765_127)
    assert offer.url == server.url(built_table(GAME).path.name)


@pytest.mark.parametrize(
    "change",
    [
        {"sha256": "none"}, {"sha256": 3}, {"bytes": -1}, {"bytes": True}, {"entries": "many"}, {"game": None},
        {"options": []}, {"address": "http://example.org/secret.table"}, {"address": 3}, {"address": "//[x"},
    ],
)  # fmt: skip
def test_a_list_that_is_none_is_refused(server: TableServer, change: dict[str, Any]) -> None:
    server.offers[0].update(change)
    with pytest.raises(BadAnswer, match=r"^The answer of '.*' is wrong: it is no list of tables\.$"):
        offers(server.address)


# Fetching


def test_a_fetched_table_is_the_same_file(server: TableServer, here: Tables) -> None:
    shares: list[float] = []
    found = fetch.fetch(here, server.address, shares.append)
    assert found.path.read_bytes() == built_table(GAME).path.read_bytes()
    assert [file.name for file in here.folder.iterdir()] == [here.path.name]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert here.probe_value(GAME.start).outcome == "draw"


def test_a_download_that_is_cut_again_and_again_is_completed(server: TableServer, here: Tables) -> None:
    server.faults = [cut, busy, cut, cut_at_once, cut, cut]
    fetch.fetch(here, server.address, unseen)
    assert here.path.read_bytes() == built_table(GAME).path.read_bytes()


def test_an_interrupted_download_is_resumed(server: TableServer, here: Tables) -> None:
    def stop(share: float) -> None:
        if share > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch.fetch(here, server.address, stop)
    assert not has_table(GAME, here.folder)
    (part,) = unfinished_files(here.path)
    size = part.stat().st_size
    assert size > 60_000
    found = fetch.fetch(here, server.address, unseen)
    assert found.resumed == size
    assert server.requests[-1][1] == f"bytes={size}-"
    assert here.path.read_bytes() == built_table(GAME).path.read_bytes()
    assert not unfinished_files(here.path)


def test_a_server_that_sends_no_parts_starts_over(server: TableServer, here: Tables) -> None:
    part = download_path(here.path, server.offers[0]["sha256"])
    part.parent.mkdir()
    part.write_bytes(b"wrong" * 1000)
    server.tags[here.path.name] = '"another"'  # so that the condition fails
    fetch.fetch(here, server.address, unseen)
    assert here.path.read_bytes() == built_table(GAME).path.read_bytes()


def test_a_download_of_another_version_is_not_continued(server: TableServer, here: Tables) -> None:
    old = download_path(here.path, "0" * 64)
    old.parent.mkdir()
    old.write_bytes(b"old")
    found = fetch.fetch(here, server.address, unseen)
    assert found.resumed == 0
    assert not old.exists()


@pytest.mark.parametrize("left", [b"damaged" * 1000, bytes(1_000_000)])
def test_a_damaged_rest_of_a_download_is_not_used(server: TableServer, here: Tables, left: bytes) -> None:
    part = download_path(here.path, server.offers[0]["sha256"])
    part.parent.mkdir()
    part.write_bytes(left)
    if len(left) < len(server.files[here.path.name]):
        with pytest.raises(FetchFailed, match="damaged"):
            fetch.fetch(here, server.address, unseen)
    fetch.fetch(here, server.address, unseen)
    assert here.path.read_bytes() == built_table(GAME).path.read_bytes()


@pytest.mark.parametrize(
    "fault", [cut_at_once, late, wrong_bytes, shorter, longer, compressed, elsewhere, broken, busy]
)
def test_a_lying_server_leaves_no_table(server: TableServer, here: Tables, fault: Any) -> None:
    server.always = fault
    with pytest.raises(DamierError) as refused:
        fetch.fetch(here, server.address, unseen, seconds=0.3)
    assert is_one_sentence(refused.value)
    assert not has_table(GAME, here.folder)
    server.always = lambda _answer: None
    fetch.fetch(here, server.address, unseen)
    assert here.path.read_bytes() == built_table(GAME).path.read_bytes()


@pytest.mark.parametrize("fault", [wrong_range, no_range])
def test_a_wrong_part_is_not_appended(server: TableServer, here: Tables, fault: Any) -> None:
    server.faults = [cut, fault]
    with pytest.raises(BadAnswer):
        fetch.fetch(here, server.address, unseen)
    found = fetch.fetch(here, server.address, unseen)
    assert found.resumed > 0


def offered(server: TableServer, content: bytes) -> None:
    """Has the server offer other bytes, with their digest."""
    server.files[built_table(GAME).path.name] = content
    server.offers[0] |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def test_a_table_with_a_damaged_block_is_refused_though_its_digest_is_right(server: TableServer, here: Tables) -> None:
    content = bytearray(built_table(GAME).path.read_bytes())
    content[90_000] ^= 255
    offered(server, bytes(content))
    with pytest.raises(BadTable, match="is damaged in block"):
        fetch.fetch(here, server.address, unseen)
    assert not list(here.folder.glob("*.table*"))


def test_what_is_no_table_is_refused_though_its_digest_is_right(server: TableServer, here: Tables) -> None:
    offered(server, b"no table")
    with pytest.raises(BadTable, match="is not a table"):
        fetch.fetch(here, server.address, unseen)
    assert not list(here.folder.glob("*.table*"))


def test_the_table_of_another_game_is_refused(server: TableServer, tmp_path: Path) -> None:
    there = Tables(damier.load("renfa", bombs=4), tmp_path)
    with pytest.raises(NotOffered, match=r"^The server '.*' has no table of Renfa-Bomba .*\.$"):
        fetch.fetch(there, server.address, unseen)
    server.offers[0]["options"] = dict(there.game.options)
    with pytest.raises(FetchFailed, match="cannot use"):
        fetch.fetch(there, server.address, unseen)
    server.offers[0]["entries"] = there.numbering.entries
    with pytest.raises(FetchFailed, match="cannot use"):
        fetch.fetch(there, server.address, unseen)
    assert not list(tmp_path.glob("*.table*"))


def test_a_full_disk_is_a_sentence(server: TableServer, here: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda _folder: shutil._ntuple_diskusage(1, 1, 0))
        with pytest.raises(BadArgument, match=r"of disk in .*, where 0 bytes are free") as refused:
            fetch.fetch(here, server.address, unseen)
        assert is_one_sentence(refused.value)

    def full(_share: float) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(BadArgument, match=r"^The disk is full: ") as refused:
        fetch.fetch(here, server.address, full)
    assert is_one_sentence(refused.value)
    assert not has_table(GAME, here.folder)
