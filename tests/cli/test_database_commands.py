"""`damier backup`, `restore` and `check`."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from damier.server.store.store import Store
from tests.cli.calling import called
from tests.server.databases import ANN, filled


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a database with ten matches."""
    file = tmp_path_factory.mktemp("whole") / "matches.sqlite"
    filled(file, 10)
    return file.read_bytes()


@pytest.fixture
def database(whole: bytes, tmp_path: Path) -> Path:
    """A database that no server uses."""
    file = tmp_path / "matches.sqlite"
    file.write_bytes(whole)
    return file


def count(file: Path, table: str = "matches") -> int:
    connection = sqlite3.connect(file)
    (number,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    connection.close()
    return int(number)


def files(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def refusal(*words: str) -> str:
    status, out, err = called(*words)
    assert (status, out) == (2, "")
    return err


# Backup


def test_a_backup_has_the_date_in_its_name_and_all_matches(database: Path) -> None:
    status, out, err = called("backup", "--database", str(database), "--json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    backup = Path(data["file"])
    assert backup.parent == database.parent
    assert backup.name.startswith("matches-backup-2")
    assert data == {"file": str(backup), "bytes": backup.stat().st_size, "matches": 10}
    assert count(backup, "events") == count(database, "events")
    assert backup.stat().st_mode & 0o777 == 0o600
    assert files(database.parent) == {database.name, backup.name}


def test_a_backup_is_told_in_the_language_that_is_asked_for(database: Path, tmp_path: Path) -> None:
    _, out, _ = called("backup", str(tmp_path / "b.sqlite"), "--database", str(database), "--lang", "de")
    assert out.startswith(f"Die Sicherung ist {tmp_path / 'b.sqlite'}: 10 Partien, ")


def test_a_backup_is_made_while_a_server_uses_the_database(database: Path, tmp_path: Path) -> None:
    async def back_up() -> int:
        store = Store(database)
        await store.open()
        await store.rename(ANN, "Anna")  # in the write-ahead log
        found = await asyncio.to_thread(called, "backup", str(tmp_path / "b.sqlite"), "--database", str(database))
        await store.rename(ANN, "Annika")
        await store.close()
        return found[0]

    assert asyncio.run(back_up()) == 0
    connection = sqlite3.connect(tmp_path / "b.sqlite")
    assert connection.execute("SELECT nickname FROM nicknames").fetchall() == [("Anna",)]
    connection.close()


def test_a_backup_never_overwrites(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "b.sqlite"
    target.write_text("precious")
    err = refusal("backup", str(target), "--database", str(database))
    assert "exists: choose another name, or remove it first." in err
    assert target.read_text() == "precious"


def test_two_backups_in_one_second_have_two_names(database: Path) -> None:
    for _ in range(3):
        assert called("backup", "--database", str(database))[0] == 0
    assert len(files(database.parent)) == 4


def test_a_damaged_database_gives_no_backup(database: Path, tmp_path: Path) -> None:
    content = database.read_bytes()
    database.write_bytes(content[:20000] + b"\xff" * 3000 + content[23000:])
    assert "is damaged: " in refusal("backup", str(tmp_path / "b.sqlite"), "--database", str(database))
    assert files(tmp_path) == {database.name}


def test_a_database_that_is_missing_or_foreign_gives_no_backup(tmp_path: Path) -> None:
    missing, foreign = tmp_path / "no.sqlite", tmp_path / "foreign.sqlite"
    assert refusal("backup", "--database", str(missing)).startswith("damier: There is no database '")
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE songs (title)")
    connection.close()
    assert "belongs to another program." in refusal("backup", "--database", str(foreign))
    assert files(tmp_path) == {"foreign.sqlite"}


def test_a_backup_into_a_folder_that_does_not_exist_is_refused(database: Path, tmp_path: Path) -> None:
    err = refusal("backup", str(tmp_path / "no" / "b.sqlite"), "--database", str(database))
    assert "cannot be written: No such file or directory." in err


# Restore


def test_a_backup_is_restored_and_the_replaced_database_is_kept(database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "b.sqlite"
    assert called("backup", str(backup), "--database", str(database))[0] == 0
    connection = sqlite3.connect(database)
    connection.execute("UPDATE nicknames SET nickname = 'Later'")
    connection.commit()
    connection.close()
    database.with_name("matches.sqlite-wal").write_bytes(b"stale")
    database.with_name("matches.sqlite-shm").write_bytes(b"stale")
    status, out, err = called("restore", str(backup), "--database", str(database), "--json")
    assert (status, err) == (0, "")
    data = json.loads(out)
    replaced = Path(data["replaced"])
    assert data["matches"] == 10
    assert replaced.name.startswith("matches-replaced-2")
    assert replaced.with_name(replaced.name + "-wal").read_bytes() == b"stale"
    replaced.with_name(replaced.name + "-wal").unlink()
    assert {name for name in files(tmp_path) if not name.endswith(".lock")} == {
        database.name,
        backup.name,
        replaced.name,
    }
    for file, name in ((database, "Ann"), (replaced, "Later")):
        connection = sqlite3.connect(file)
        assert connection.execute("SELECT nickname FROM nicknames").fetchall() == [(name,)]
        connection.close()


def test_what_was_in_the_log_of_the_replaced_database_is_kept_with_it(database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "b.sqlite"
    assert called("backup", str(backup), "--database", str(database))[0] == 0
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("UPDATE nicknames SET nickname = 'Later'")
    connection.commit()
    log = database.with_name("matches.sqlite-wal").read_bytes()  # closing the connection would remove it
    connection.close()
    database.write_bytes(backup.read_bytes())
    database.with_name("matches.sqlite-wal").write_bytes(log)
    data = json.loads(called("restore", str(backup), "--database", str(database), "--json")[1])
    assert Path(data["replaced"] + "-wal").read_bytes() == log
    assert not database.with_name("matches.sqlite-wal").exists()


def test_a_backup_is_restored_where_no_database_is(database: Path, tmp_path: Path) -> None:
    target = tmp_path / "new" / "matches.sqlite"
    status, out, _ = called("restore", str(database), "--database", str(target))
    assert (status, out) == (0, f"The database {target} is restored: 10 matches.\n")
    assert count(target) == 10


def test_nothing_is_restored_while_a_server_uses_the_database(database: Path, tmp_path: Path) -> None:
    backup = tmp_path / "b.sqlite"
    assert called("backup", str(backup), "--database", str(database))[0] == 0

    async def restore() -> str:
        store = Store(database)
        await store.open()
        found = await asyncio.to_thread(refusal, "restore", str(backup), "--database", str(database))
        await store.close()
        return found

    assert "Another damier uses the database" in asyncio.run(restore())


def test_a_backup_that_is_damaged_newer_or_the_database_itself_is_not_restored(database: Path, tmp_path: Path) -> None:
    content, backup = database.read_bytes(), tmp_path / "b.sqlite"
    link = tmp_path / "link.sqlite"
    link.symlink_to(database)
    assert "is the database itself." in refusal("restore", str(link), "--database", str(database))
    backup.write_bytes(content[:20000] + b"\xff" * 3000 + content[23000:])
    assert "is damaged: " in refusal("restore", str(backup), "--database", str(database))
    backup.write_bytes(content)
    connection = sqlite3.connect(backup)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    assert "was written by a newer version of damier" in refusal("restore", str(backup), "--database", str(database))
    assert database.read_bytes() == content
    assert not [name for name in files(tmp_path) if "replaced" in name or ".part" in name]


# Check


def test_a_whole_database_is_told_to_be_whole(database: Path) -> None:
    events = count(database, "events")
    status, out, err = called("check", "--database", str(database))
    assert (status, out, err) == (0, f"The database {database} is whole: 10 matches, {events} events.\n", "")


def test_damaged_matches_are_listed(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("UPDATE events SET data = '{}' WHERE match = 'number-0001' AND seq = 1")
    connection.execute("UPDATE matches SET game = 'chess' WHERE number = 'number-0003'")
    connection.commit()
    connection.close()
    status, out, err = called("check", "--database", str(database))
    assert status == 2
    first, second = out.splitlines()
    assert first.startswith("number-0001: event 1: ")
    assert second.startswith("number-0003: the match itself: ")
    assert err.count("\n") == 1
    assert err.endswith("is damaged: 2 matches of 10 cannot be read. Go back to a backup with damier restore.\n")
    data = json.loads(called("check", "--database", str(database), "--json")[1])
    assert [each["number"] for each in data["damaged"]] == ["number-0001", "number-0003"]
    assert data["problems"] == []


def test_damage_to_the_file_and_lost_rows_are_listed(database: Path) -> None:
    connection = sqlite3.connect(database)
    connection.execute("DELETE FROM matches WHERE number = 'number-0000'")
    connection.commit()
    connection.close()
    status, out, _ = called("check", "--database", str(database), "--json")
    assert status == 2
    assert any("of events belongs to no row of matches" in problem for problem in json.loads(out)["problems"])
    content = database.read_bytes()
    database.write_bytes(content[:100] + b"\xff" * 3000 + content[3100:])
    status, out, _ = called("check", "--database", str(database), "--json")
    assert status == 2
    assert json.loads(out)["problems"]


def test_a_database_that_is_missing_cannot_be_checked(tmp_path: Path) -> None:
    assert refusal("check", "--database", str(tmp_path / "no.sqlite")).startswith("damier: There is no database '")
    assert files(tmp_path) == set()
