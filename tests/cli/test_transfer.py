"""`damier export` and `import`: everything or nothing, between any two databases."""

import asyncio
import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from damier.server.store import transfer
from damier.server.store.maintenance import vacuum
from damier.server.store.refusals import BadDatabase
from damier.server.store.store import Store
from damier.server.store.transfer import export_store, import_store
from tests.cli.calling import called
from tests.server.databases import ANN, filled
from tests.server.stores import KINDS, new_database, new_postgresql, rows


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with ten matches."""
    file = tmp_path_factory.mktemp("source") / "matches.sqlite"
    filled(file, 10)
    return file


@pytest.fixture(scope="module")
def lines(source: Path) -> list[bytes]:
    """The lines of its export."""
    return exported(source)


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database, once of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "empty.sqlite")
        return
    with new_postgresql() as address:
        yield address


def exported(database: Path | str) -> list[bytes]:
    out = io.BytesIO()
    export_store(database, out.write)
    return out.getvalue().splitlines(keepends=True)


def imported(database: str, lines: list[bytes]) -> dict[str, int]:
    return import_store(database, io.BytesIO(b"".join(lines)), "export")


def is_untouched(database: str) -> bool:
    if "://" not in database:
        return not Path(database).exists()
    return not rows(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")


def refusal(*words: str) -> str:
    status, out, err = called(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err


def test_an_export_goes_into_any_empty_database_and_comes_out_the_same(lines: list[bytes], empty: str) -> None:
    counts = imported(empty, lines)
    assert (counts["matches"], counts["nicknames"], counts["signing_keys"]) == (10, 1, 1)
    again = exported(empty)
    assert again[0] == lines[0]
    assert sorted(again[:-1]) == sorted(lines[:-1])


def test_an_imported_database_is_ready_for_a_server(source: Path, lines: list[bytes], empty: str) -> None:
    imported(empty, lines)
    key = sqlite3.connect(source).execute("SELECT key FROM signing_keys").fetchall()

    async def use() -> None:
        store = Store(empty)
        await store.open()
        assert store.signing_keys == [key[0][0]]
        assert await store.nicknames([ANN]) == {ANN: "Ann"}
        assert await store.recent(ANN)
        await store.close()

    asyncio.run(use())
    rows(empty, "INSERT INTO signing_keys (key, created) VALUES ('newer', '')")  # which gets the next number
    assert [row.number for row in rows(empty, "SELECT number FROM signing_keys ORDER BY number")] == [1, 2]


def test_the_commands_write_and_read_a_file_for_its_owner_alone(source: Path, tmp_path: Path) -> None:
    file, target = tmp_path / "export.jsonl", tmp_path / "target.sqlite"
    status, out, err = called("export", str(file), "--database", str(source))
    assert (status, err) == (0, "")
    assert out.startswith(f"The export is {file}: 10 matches, ")
    assert file.stat().st_mode & 0o777 == 0o600
    status, out, err = called("import", str(file), "--database", str(target), "--json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    assert (data["database"], data["rows"]["matches"]) == (str(target), 10)
    assert target.stat().st_mode & 0o777 == 0o600
    assert {each.name for each in tmp_path.iterdir()} == {"export.jsonl", "target.sqlite", "target.sqlite.lock"}
    assert "exists: choose another name, or remove it first." in refusal("export", str(file), "--database", str(source))


def test_an_export_is_made_while_a_server_uses_the_database(tmp_path: Path) -> None:
    for kind in KINDS:
        with new_database(kind, tmp_path) as place:
            filled(place, 1)

            async def export(place: str = place) -> list[bytes]:
                store = Store(place)
                await store.open()
                await store.rename(ANN, "Anna")
                found = await asyncio.to_thread(exported, place)
                await store.rename(ANN, "Annika")
                await store.close()
                return found

            assert any(b'"nickname":"Anna"' in line for line in asyncio.run(export()))


def test_a_database_that_is_not_empty_is_not_filled(lines: list[bytes], empty: str) -> None:
    filled(empty, 0)
    with pytest.raises(BadDatabase, match="is not empty: import into a new one"):
        imported(empty, lines)
    assert rows(empty, "SELECT count(*) FROM matches")[0][0] == 0


def test_an_export_that_is_cut_off_anywhere_is_refused_and_nothing_is_changed(lines: list[bytes], empty: str) -> None:
    for cut in (lines[:-1], [*lines[:-1], lines[-1][:-1]], lines[:1], lines[:50], [*lines[:50], lines[50][:20]]):
        with pytest.raises(BadDatabase, match="is damaged or cut off at line"):
            imported(empty, cut)
        assert is_untouched(empty)


def changed(lines: list[bytes], place: int, old: bytes, new: bytes) -> list[bytes]:
    assert old in lines[place]
    return [*lines[:place], lines[place].replace(old, new), *lines[place + 1 :]]


def test_an_export_that_is_damaged_is_refused_and_nothing_is_changed(lines: list[bytes], empty: str) -> None:
    event = next(place for place, line in enumerate(lines) if b'"table":"events"' in line)
    damages = [
        changed(lines, event, b'"seq":1', b'"seq":77'),  # which only the digest shows
        changed(lines, event, b'"seq":1', b'"sequel":1'),
        changed(lines, event, b'"table":"events"', b'"table":"songs"'),
        changed(lines, event, b'"row":{', b'"row":['),
        changed(lines, 1, b'"base64":"', b'"base64":"!'),
        changed(lines, 0, b'"matches":10', b'"matches":11'),
        changed(lines, 0, b'"matches":10', b'"matches":"10"'),
        changed(lines, 0, b'"matches":10', b'"songs":10'),
        [*lines[:event], b"\xff\n", *lines[event:]],
        [*lines[:event], *lines[event + 1 :]],
        [*lines, b"\n"],
    ]
    for damaged in damages:
        with pytest.raises(BadDatabase, match="is damaged or cut off at line"):
            imported(empty, damaged)
        assert is_untouched(empty)


def test_a_row_that_the_database_refuses_is_a_sentence_and_nothing_is_changed(lines: list[bytes], empty: str) -> None:
    event = next(place for place, line in enumerate(lines) if b'"table":"events"' in line)
    with pytest.raises(BadDatabase, match="cannot be used: "):
        imported(empty, [*lines[: event + 1], *lines[event:]])
    assert is_untouched(empty)


def test_a_line_that_never_ends_is_refused(lines: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_LONGEST_LINE", len(lines[0]) + 1)  # the first line still fits
    with pytest.raises(BadDatabase, match="is damaged or cut off at line 2: nothing was imported"):
        imported(str(tmp_path / "new.sqlite"), lines)


@pytest.mark.parametrize("text", [b"", b"[]\n", b"{}\n", b"no json\n", b'{"format": "other"}\n', b"\xff" * 100])
def test_a_file_of_something_else_is_no_export(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(text)
    said = refusal("import", str(file), "--database", str(tmp_path / "new.sqlite"))
    assert said.endswith("is no export of damier.\n")
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize(("key", "value"), [("version", 2), ("revision", "9999")])
def test_an_export_of_a_newer_version_is_refused(tmp_path: Path, lines: list[bytes], key: str, value: Any) -> None:
    head = json.dumps({**json.loads(lines[0]), key: value}).encode() + b"\n"
    with pytest.raises(BadDatabase, match="newer version"):
        imported(str(tmp_path / "new.sqlite"), [head, *lines[1:]])


def test_what_cannot_be_exported_is_a_sentence(tmp_path: Path) -> None:
    target = str(tmp_path / "export.jsonl")
    missing, foreign = tmp_path / "no.sqlite", tmp_path / "foreign.sqlite"
    assert refusal("export", target, "--database", str(missing)).startswith("damier: There is no database '")
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE songs (title)")
    connection.close()
    assert refusal("export", target, "--database", str(foreign)).endswith("belongs to another program.\n")
    assert "cannot be read: No such file or directory." in refusal("import", target, "--database", str(missing))
    assert not Path(target).exists()
    assert not missing.exists()


def test_a_server_that_uses_the_database_keeps_an_import_out(lines: list[bytes], tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"

    async def keep_out() -> None:
        store = Store(file)
        await store.open()
        with pytest.raises(BadDatabase, match="Another damier uses the database"):
            await asyncio.to_thread(imported, str(file), lines)
        await store.close()

    asyncio.run(keep_out())


def test_vacuuming_gives_the_room_of_deleted_rows_back(tmp_path: Path) -> None:
    for kind in KINDS:
        with new_database(kind, tmp_path) as place:
            filled(place, 10)
            rows(place, "DELETE FROM events")
            before, after = vacuum(place)
            assert after < before if kind == "sqlite" else after > 0
            assert rows(place, "SELECT count(*) FROM matches")[0][0] == 10
    with pytest.raises(BadDatabase, match="There is no database"):
        vacuum(tmp_path / "no.sqlite")
