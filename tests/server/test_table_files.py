"""Tables of a server: the list, the files with their ranges, and probing many positions at once."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.requests import ClientDisconnect
from starlette.types import Message

import damier
from damier.core.errors import BadArgument
from damier.engine.limit import Limit
from damier.engine.pool.request import EngineCache
from damier.server.analysis import tables
from damier.server.analysis.byte_range import RangeNotSatisfiable, parse_range
from damier.server.analysis.offers import FileVersion, OfferedTable, OfferedTables
from damier.server.analysis.requests import ValuesRequest
from damier.server.front.connections import Connections
from damier.server.front.slots import Slots
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.wire.games import GameLine
from damier.solve.location import table_path
from damier.solve.remote import connection
from damier.solve.remote.fetch import fetch
from damier.solve.tables import Tables
from tests.server.listening import Listening, listening, request
from tests.server.served import served
from tests.shared import built_table
from tests.solve.table_server import table_server

GAME = damier.load("renfa", bombs=3)
CHOICE = {"game": "renfa", "options": {"bombs": 3}}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a server with one table, a damaged one and a secret."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(built_table(GAME).folder, home / "tables")
    (home / "secret").write_text("secret")
    (home / "tables" / "chefa.table").write_bytes(b"damaged")
    (home / "tables" / "notes.txt").write_text("secret")
    shutil.copy(built_table(GAME).path, home / "tables" / "copy.table")
    return home


@pytest.fixture(scope="module")
def client(home: Path) -> Iterator[TestClient]:
    with served(home) as client:
        yield client


@pytest.fixture(scope="module")
def content() -> bytes:
    return built_table(GAME).path.read_bytes()


@pytest.fixture(scope="module")
def address(client: TestClient) -> str:
    found: str = client.get("/api/tables").json()["tables"][0]["address"]
    return found


def test_the_list_has_the_tables_that_can_be_read(client: TestClient, content: bytes) -> None:
    (table,) = client.get("/api/tables").json()["tables"]
    assert table == {
        "game": "renfa",
        "options": dict(GAME.options),
        "entries": 765_127,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "address": f"/api/tables/{quote(table_path(GAME).name)}",
    }


def test_a_file_is_sent_whole(client: TestClient, address: str, content: bytes) -> None:
    answer = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.content) == (200, content)
    headers = answer.headers
    assert headers["ETag"] == f'"{hashlib.sha256(content).hexdigest()}"'
    assert headers["Accept-Ranges"] == "bytes"
    assert headers["Content-Type"] == "application/zstd"
    assert headers["Content-Length"] == str(len(content))
    assert "Content-Encoding" not in headers
    assert parsedate_to_datetime(headers["Last-Modified"])
    again = client.get(address, headers={"If-None-Match": headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_head_of_a_file_has_its_length_and_no_body(client: TestClient, address: str, content: bytes) -> None:
    answer = client.head(address)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Length"] == str(len(content))
    part = client.head(address, headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.headers["Content-Length"]) == (206, "10")


@pytest.mark.parametrize(
    ("wanted", "start", "end"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=100-199", 100, 200),
        ("Bytes= 100-199 ", 100, 200),
        ("bytes=0-", 0, None),
        ("bytes=1000-", 1000, None),
        ("bytes=-1", -1, None),
        ("bytes=-99999999999999999999999", 0, None),
        ("bytes=5-99999999999999999999999", 5, None),
    ],
)
def test_a_range_is_sent(
    client: TestClient, address: str, content: bytes, wanted: str, start: int, end: int | None
) -> None:
    answer = client.get(address, headers={"Range": wanted, "Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.content) == (206, content[start:end])
    first = start % len(content)
    last = first + len(answer.content) - 1
    assert answer.headers["Content-Range"] == f"bytes {first}-{last}/{len(content)}"


@pytest.mark.parametrize(
    "wanted",
    [
        "", "bytes", "bytes=", "bytes=-", "bytes=9-3", "bytes=a-b", "bytes=0-1,5-6", "lines=0-1", "bytes=٣-",
        "bytes=" + "1" * 500 + "-",
    ],
)  # fmt: skip
def test_what_is_no_single_range_counts_as_none(client: TestClient, address: str, content: bytes, wanted: str) -> None:
    answer = client.get(address, headers={b"Range": wanted.encode()})
    assert (answer.status_code, answer.content) == (200, content)


@pytest.mark.parametrize("wanted", ["bytes={size}-", "bytes=99999999-99999999", "bytes=-0"])
def test_a_range_behind_the_end_is_a_416(client: TestClient, address: str, content: bytes, wanted: str) -> None:
    answer = client.get(address, headers={"Range": wanted.format(size=len(content))})
    assert answer.status_code == 416
    assert answer.headers["Content-Range"] == f"bytes */{len(content)}"
    assert answer.json()["error"] == f"The file has {len(content)} bytes: there is no such part of it."


def test_a_range_on_condition_of_another_version_is_the_whole_file(
    client: TestClient, address: str, content: bytes
) -> None:
    about = client.head(address).headers
    for condition in (about["ETag"], about["Last-Modified"]):
        answer = client.get(address, headers={"Range": "bytes=0-9", "If-Range": condition})
        assert (answer.status_code, answer.content) == (206, content[:10])
    for condition in ('"another"', f"W/{about['ETag']}", "Thu, 01 Jan 1970 00:00:00 GMT", ""):
        answer = client.get(address, headers={"Range": "bytes=0-9", "If-Range": condition})
        assert (answer.status_code, len(answer.content)) == (200, len(content))


@given(
    st.integers(1, 300), st.one_of(st.text(max_size=30), st.from_regex(r"bytes=[0-9]{0,4}-[0-9]{0,4}", fullmatch=True))
)
@example(1, "bytes=-1")
@example(300, "bytes=" + "9" * 5000 + "-")
def test_any_range_is_a_part_of_the_file_or_none(size: int, wanted: str) -> None:
    try:
        found = parse_range(wanted, size)
    except RangeNotSatisfiable:
        return
    assert found is None or 0 <= found[0] < found[1] <= size


@given(st.one_of(st.binary(max_size=60), st.from_regex(rb"bytes=[0-9]{0,7}-[0-9]{0,7}(,.*)?", fullmatch=True)))
def test_whatever_range_is_asked_for_is_answered(
    client: TestClient, address: str, content: bytes, wanted: bytes
) -> None:
    if b"\r" in wanted or b"\n" in wanted or b"\0" in wanted:
        return
    answer = client.get(address, headers={b"Range": wanted})
    assert answer.status_code in (200, 206, 416)
    if answer.status_code == 206:
        first, _, rest = answer.headers["Content-Range"].removeprefix("bytes ").partition("-")
        assert answer.content == content[int(first) : int(rest.partition("/")[0]) + 1]


@pytest.mark.parametrize(
    "name",
    [
        "..%2Fsecret", "../secret", "..", ".", "%2e%2e%2fsecret", "..%5Csecret", "notes.txt", "chefa.table",
        "copy.table", "%00", "/etc/passwd", "%2Fetc%2Fpasswd", "nothing.table", "look", "x" * 300, "tables/notes.txt",
    ],
)  # fmt: skip
def test_only_tables_are_sent(client: TestClient, name: str) -> None:
    for path in (f"/api/tables/{name}", f"/api/tables/{quote(name, safe='')}"):
        answer = client.get(path)
        assert answer.status_code == 404 or answer.json().keys() == {"tables"}
        assert answer.content != b"secret"


def test_a_table_that_is_replaced_is_noticed(home: Path, client: TestClient, address: str) -> None:
    path = home / "tables" / table_path(GAME).name
    before, old = client.head(address).headers["ETag"], path.read_bytes()
    changed = path.with_name("new")
    try:
        changed.write_bytes(old)
        os.utime(changed, (0, 0))
        changed.replace(path)
        assert client.head(address).headers["ETag"] == before
        assert client.head(address).headers["Last-Modified"] == "Thu, 01 Jan 1970 00:00:00 GMT"
        path.write_bytes(b"damaged")
        assert client.get(address).status_code == 404
    finally:
        path.write_bytes(old)
    assert client.get(address).content == old


def test_a_server_can_keep_its_tables(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(home / "tables", tmp_path / "tables")
    monkeypatch.setenv("DAMIER_OFFER_TABLES", "false")
    with served(tmp_path) as client:
        for path in ("/api/tables", f"/api/tables/{quote(table_path(GAME).name)}"):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["error"]) == (404, "This server does not offer its tables.")


def test_a_long_file_is_sent_piece_by_piece(
    client: TestClient, address: str, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_CHUNK", 1000)
    assert client.get(address, headers={"Accept-Encoding": "gzip"}).content == content
    assert client.get(address, headers={"Range": "bytes=777-"}).content == content[777:]
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    assert not services.downloads._taken
    monkeypatch.setattr(services, "downloads", Slots(0, 0))
    refused = client.get(address)
    assert (refused.status_code, "Retry-After" in refused.headers) == (503, True)
    assert refused.json()["error"] == "Too many requests are waiting: try again in a moment."


def test_a_client_that_goes_away_frees_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.table"
    with path.open("wb") as stream:
        stream.truncate(64_000_000)  # more than buffers hold
    table = OfferedTable(FileVersion.of(path, path.stat()), GAME, 1)
    monkeypatch.setattr(OfferedTables, "_look", lambda _self: [table])

    async def come_and_go(server: Listening) -> None:
        reader, writer = await server.connect()
        writer.write(request("/api/tables/long.table").encode())
        await reader.readexactly(1000)
        assert server.services.downloads._taken.total() == 1
        writer.close()
        async with asyncio.timeout(20):
            while server.services.downloads._taken:
                await asyncio.sleep(0.01)

    with listening(tmp_path, Connections(100, 100, ())) as server:
        asyncio.run(come_and_go(server))


def test_a_client_that_is_gone_before_the_first_byte_frees_its_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(1000))
    slots = Slots(1, 1)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_part: Message) -> None:
        raise OSError

    with contextlib.ExitStack() as held:
        held.enter_context(slots.enter("ann"))
        stream = held.enter_context((tmp_path / "file").open("rb"))
        download = tables._Download(held.pop_all(), tables._parts(stream, 1000), 200, {}, tables.ZSTD)
    assert slots._taken.total() == 1
    with pytest.raises(ClientDisconnect):
        asyncio.run(download({"type": "http", "asgi": {"spec_version": "2.4"}}, receive, send))
    assert stream.closed
    assert not slots._taken


def test_many_positions_are_probed_at_once(client: TestClient) -> None:
    positions = [str(GAME.start.play(action)) for action in GAME.start.actions()] + ["B4/5/5/5/WW3 b 0,0"]
    answer = client.post("/api/tables/probe", json={**CHOICE, "positions": positions})
    values = [built_table(GAME).probe_value(position) for position in positions]
    assert answer.json() == {
        "outcomes": [{"win": 1, "draw": 0, "loss": -1}[value.outcome] for value in values],
        "plies": [value.plies for value in values],
        "chances": [value.chance for value in values],
    }
    assert client.post("/api/tables/probe", json={**CHOICE, "positions": []}).json()["plies"] == []


def test_a_probe_that_cannot_be_answered_is_a_sentence(client: TestClient) -> None:
    start = str(GAME.start)
    for status, body in (
        (404, {"game": "renfa", "options": {"bombs": 4}, "positions": []}),
        (404, {"game": "nothing", "positions": []}),
        (400, {"game": "sensei", "positions": []}),
        (400, {**CHOICE, "positions": ["nowhere"]}),
        (422, {**CHOICE, "positions": [start] * 1001}),
        (422, {**CHOICE, "positions": ["5" * 401]}),
        (422, CHOICE),
    ):
        answer = client.post("/api/tables/probe", json=body)
        assert answer.status_code == status, answer.text
        assert answer.json()["error"].endswith(".")


def test_a_table_is_fetched_and_probed_from_a_real_server(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(home))
    with listening(tmp_path, Connections(100, 100, ())) as server:
        address = f"http://127.0.0.1:{server.port}"
        own = Tables(GAME, tmp_path / "tables")
        assert fetch(own, address, lambda _share: None).path.read_bytes() == content
        remote = Tables(GAME, remote=address)
        assert remote.action_values(GAME.start) == built_table(GAME).action_values(GAME.start)
        remote.close()


def values_by(engines: EngineCache, line: GameLine, server: str) -> dict[str, Any]:
    """Returns the answer of a process without tables that may use those of a server."""
    request = ValuesRequest(line, "en", Limit(nodes=50), server=server)
    found: dict[str, Any] = json.loads(request.answer(engines, lambda _: None))
    return found


def test_pages_use_the_tables_of_another_server(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = built_table(GAME).folder
    first, later = (
        GameLine(game=GAME.name, options=dict(GAME.options), actions=actions)
        for actions in ([], ["a1", "a2", "a3", "b2", "c3"])
    )
    monkeypatch.setenv("DAMIER_HOME", str(home))
    with contextlib.closing(EngineCache(16)) as engines:
        expected = values_by(engines, first, "")
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    with contextlib.closing(EngineCache(16)) as engines:
        with table_server(folder) as server:
            found = values_by(engines, first, server.address)
            assert (found["is_from_table"], found["is_exact"]) == (True, True)
            assert found == expected
            assert not values_by(engines, first, "")["is_from_table"]
            for line in (GameLine(game="chefa", actions=[]), GameLine(game="sensei", actions=[])):
                assert not values_by(engines, line, server.address)["is_from_table"], "not offered"
        assert not caplog.records
        # The server is gone: the engine searches, and does not try again at once.
        monkeypatch.setattr(connection, "_PAUSES", ())
        assert not values_by(engines, later, server.address)["is_from_table"]
        asked = len(caplog.records)
        assert not values_by(engines, later, server.address)["is_from_table"]
    assert [len(caplog.records), asked] == [1, 1]
    assert "on another server cannot be used" in caplog.records[0].message


def test_an_address_of_tables_that_is_none_is_refused() -> None:
    with pytest.raises(BadArgument, match=r"^An address is written as http://127\.0\.0\.1:8000, not 'nowhere'\.$"):
        ServerSettings.read({"tables_from": "nowhere"})
