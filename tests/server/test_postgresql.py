"""PostgreSQL: what is refused at start, one server at a time, and connections that are lost."""

import asyncio
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.cli import main
from damier.server.app import create_app
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store import dialect
from damier.server.store.refusals import BadDatabase
from damier.server.store.store import Store, StoreFailed
from tests.cli.calling import called
from tests.server.databases import ANN, filled
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS
from tests.server.stores import new_postgresql, rows

_END_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND {which}"
_ALL = "pid <> pg_backend_pid()"
_LOCK = "pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')"


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a new database without tables."""
    with new_postgresql() as address:
        yield address


def refusal(*words: str) -> str:
    """Returns the one line with which a command is refused."""
    status, out, err = called(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    return err.removeprefix("damier: ").rstrip()


def serve(address: str) -> str:
    return refusal("serve", "--no-browser", "--database", address)


def end_connections(address: str, which: str = _ALL) -> None:
    """Ends connections of a server, as a restart of PostgreSQL does."""
    assert rows(address, _END_OTHERS.format(which=which))


@pytest.mark.parametrize("text", ["mysql://ann:secret@host/name", "postgresql://host", "postgresql://host:x/name"])
def test_an_address_of_something_else_is_refused_without_its_password(text: str) -> None:
    scheme = text.partition("://")[0]
    assert serve(text) == (
        f"'{scheme}://…' is no database: give a file, or an address such as postgresql://user@host:5432/name."
    )


def test_a_server_that_cannot_be_reached_is_refused_without_its_password() -> None:
    said = serve("postgresql://ann:secret@127.0.0.1:1/name")
    assert said.startswith("The database 'postgresql://ann:***@127.0.0.1:1/name' cannot be used: connection failed: ")
    assert "secret" not in said


def test_a_database_that_does_not_exist_is_refused(address: str) -> None:
    assert serve(f"{address}_not").endswith('_not" does not exist.')


def test_without_the_package_the_refusal_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert serve("postgresql://ann@127.0.0.1:1/name") == (
        "A database at an address needs a further package: damier[postgresql]."
    )


def test_a_file_needs_no_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    filled(tmp_path / "matches.sqlite", 1)


def test_a_database_of_a_newer_version_or_of_another_program_is_refused(address: str) -> None:
    filled(address, 0)
    rows(address, "UPDATE alembic_version SET version_num = '9999'")
    assert "was written by a newer version of damier: update damier or choose another database." in serve(address)
    rows(address, "DROP TABLE matches CASCADE")
    assert serve(address).endswith("belongs to another program.")
    with new_postgresql() as other:
        rows(other, "CREATE TABLE things (a int)")
        assert serve(other).endswith("belongs to another program.")
        assert rows(other, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")[0][0] == 1


def test_a_database_without_unicode_is_refused() -> None:
    with new_postgresql("template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'") as address:
        assert serve(address).endswith("has the encoding LATIN1: create one with UTF8.")


def test_two_servers_cannot_have_one_database(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect, "_PATIENCE", 0.0)

    async def open_twice() -> None:
        first, second = Store(address), Store(address)
        await first.open()
        with pytest.raises(BadDatabase, match=r"Another damier uses the database .*: end that one, or choose another"):
            await second.open()
        await first.close()
        await second.open()
        await second.close()

    asyncio.run(open_twice())


@pytest.mark.parametrize("command", [("backup",), ("restore", "b.sqlite"), ("check",)])
def test_commands_for_files_say_what_to_use_instead(command: tuple[str, ...]) -> None:
    assert refusal(*command, "--database", "postgresql://ann@127.0.0.1:1/name") == (
        "This works on a database in a file: for 'postgresql://ann@127.0.0.1:1/name' use pg_dump of PostgreSQL, or "
        "damier export and damier import."
    )


def test_a_restart_of_the_database_holds_nobody_up(address: str) -> None:
    services = Services(ServerSettings.read({**SETTINGS, "database": address}))
    with TestClient(create_app(services)) as client:
        number = begin(client, "chefa", "me", "me")["number"]
        with live(client, number) as socket:
            player = Player(socket)
            player.play("a1")
            end_connections(address)
            player.play("b1")
        assert client.get("/healthz").status_code == 200
        assert client.get("/api/matches/a%00b").status_code == 404


def test_a_connection_lost_within_a_transaction_is_refused_once(address: str) -> None:
    async def lose() -> None:
        store = Store(address)
        await store.open()

        def work(connection: Any) -> None:
            end_connections(address, f"pid = {connection.exec_driver_sql('SELECT pg_backend_pid()').scalar_one()}")
            connection.exec_driver_sql("SELECT 1")

        with pytest.raises(StoreFailed):
            await store.write("lose the connection", "", work)
        await store.rename(ANN, "Ann")
        assert await store.nicknames([ANN]) == {ANN: "Ann"}
        await store.close()

    asyncio.run(lose())


def test_a_server_that_has_lost_its_lock_to_another_stores_nothing(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def lose() -> None:
        first, second = Store(address), Store(address)
        await first.open()
        end_connections(address, _LOCK)
        await second.open()
        with pytest.raises(StoreFailed):
            await first.rename(ANN, "Ann")
        await second.close()
        assert await first.nicknames([ANN]) == {}
        await first.rename(ANN, "Anna")
        await first.close()

    asyncio.run(lose())
    assert "cannot store a nickname: Another damier uses the database" in caplog.text


def test_the_size_of_the_database_is_a_metric(address: str) -> None:
    store = Store(address)
    assert store.size() > 1_000_000
    unreachable = Store("postgresql://ann@127.0.0.1:1/name")
    assert not unreachable.size() > 0
    for each in (store, unreachable):
        asyncio.run(each.close())


def test_the_refusal_is_in_the_language_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("serve", "--no-browser", "--database", "mysql://host/name", "--lang", "de")) == 2
    assert "ist keine Datenbank" in capsys.readouterr().err
