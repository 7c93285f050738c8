"""``damier tables`` and ``damier probe --from``: what they do, and the sentence for every mistake."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import damier
from damier.core import folders
from damier.solve.location import table_path
from tests.cli.calling import refused, run
from tests.shared import built_table
from tests.solve.table_server import TableServer, table_server

GAME = damier.load("renfa", bombs=3)
SMALL = ("renfa", "-o", "bombs=3")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of tables."""
    folder = tmp_path / "tables"
    monkeypatch.setattr(folders, "table_folder", lambda: folder)
    return folder


@pytest.fixture(scope="module")
def served() -> Iterator[TableServer]:
    with table_server(built_table(GAME).folder) as server:
        yield server


@pytest.fixture
def server(served: TableServer) -> str:
    return served.address


def test_tables_are_fetched_listed_and_removed(folder: Path, server: str) -> None:
    assert run("tables", "list").startswith("There are no tables in ")
    assert json.loads(run("tables", "list", "--json")) == []
    text = run("tables", "fetch", *SMALL, "--from", server)
    assert "all checksums are right" in text
    assert run("tables", "list") == f"{'renfa -o bombs=3':40} 765,127 positions, 170.8 kB\n"
    (table,) = json.loads(run("tables", "list", "--json"))
    assert (table["game"], table["status"], table["problem"]) == ("renfa", "built", None)
    assert table["bytes"] == table_path(GAME).stat().st_size
    text = run("tables", "remove", *SMALL)
    assert text == "Removed the table of Renfa-Bomba (size=5 bombs=3 last=1): 170.8 kB freed.\n"
    assert list(folder.iterdir()) == []
    assert (
        refused("tables", "remove", *SMALL)
        == "There is no table of Renfa-Bomba (size=5 bombs=3 last=1) on this machine."
    )


def test_a_server_is_asked_for_its_list(server: str) -> None:
    (offer,) = json.loads(run("tables", "list", "--from", server, "--json"))
    assert (offer["game"], offer["entries"]) == ("renfa", 765_127)
    assert "765.127 Stellungen" in run("tables", "list", "--from", server, "--lang", "de")


def test_a_table_that_is_there_is_replaced_only_when_told_to(folder: Path, server: str) -> None:
    folder.mkdir()
    shutil.copy(built_table(GAME).path, folder)
    before = table_path(GAME).stat().st_mtime_ns
    assert "is there already" in run("tables", "fetch", *SMALL, "--from", server)
    assert json.loads(run("tables", "fetch", *SMALL, "--from", server, "--json"))["seconds"] is None
    assert table_path(GAME).stat().st_mtime_ns == before
    table_path(GAME).write_bytes(b"damaged")
    assert "is not a table" in refused("tables", "fetch", *SMALL, "--from", server)
    assert json.loads(run("tables", "fetch", *SMALL, "--from", server, "--again", "--json"))["entries"] == 765_127


def test_a_damaged_table_is_listed_with_what_is_wrong(folder: Path) -> None:
    folder.mkdir()
    table_path(GAME).write_bytes(built_table(GAME).path.read_bytes()[:-1])
    shutil.copy(built_table(GAME).path, folder / "another.table")
    assert run("tables", "list").count("\n") == 2
    other, damaged = json.loads(run("tables", "list", "--json"))
    assert "has another name than its game" in other["problem"]
    assert "cut short" in damaged["problem"]
    assert {other["status"], damaged["status"]} == {"damaged"}


def test_removing_takes_what_unfinished_work_has_left(folder: Path) -> None:
    folder.mkdir()
    name = table_path(GAME).name
    left = [f"{name}{end}" for end in (".part", ".work", ".work.json", ".0123456789abcdef.part")]
    kept = [f"{name}.mine", "chefa.table", f"{name}.zzz.part"]
    for file in (*left, *kept):
        (folder / file).write_bytes(b"12345")
    found = json.loads(run("tables", "remove", *SMALL, "--json"))
    assert found["bytes"] == 20
    assert sorted(file.name for file in folder.iterdir()) == sorted(kept)


def test_a_position_is_probed_from_afar(folder: Path, server: str) -> None:
    text = run("probe", *SMALL, "--from", server)
    assert text.startswith("5/5/5/5/5 b 3,3  draw")
    assert not folder.exists()
    assert "has no table of" in refused("probe", "renfa", "-o", "bombs=4", "--from", server)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("list", "renfa"), "All tables are listed: name no game."),
        (("fetch",), "Name the game whose table you mean."),
        (("remove",), "Name the game whose table you mean."),
        (("fetch", "renfa"), "Name the server with --from URL."),
        (("remove", "renfa", "--from", "http://localhost"), "Only tables on this machine can be removed."),
        (("list", "--again"), "Only fetching takes --again."),
        (("fetch", "renfa", "--from", "nowhere"), "An address is written as http://127.0.0.1:8000, not 'nowhere'."),
        (("list", "--from", "http://a:b"), "An address is written as http://127.0.0.1:8000, not 'http://a:b'."),
        (("fetch", "nothing", "--from", "http://localhost"), "There is no game 'nothing': "),
        (("fetch", "sensei", "--from", "http://localhost"), "Sensei (variant=shizukana) cannot be solved: "),
        (("list", "--from", "http://127.0.0.1:1"), "The server 'http://127.0.0.1:1' cannot be reached: "),
        (("sing",), ""),
    ],
)
def test_a_mistake_is_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    assert refused("tables", *words).startswith(sentence)


def test_a_table_that_the_server_does_not_have_is_a_sentence(server: str) -> None:
    sentence = refused("tables", "fetch", "renfa", "-o", "bombs=4", "--from", server)
    assert sentence == f"The server '{server}' has no table of Renfa-Bomba (size=5 bombs=4 last=1)."


def test_a_folder_that_cannot_be_written_is_a_sentence(folder: Path, server: str) -> None:
    folder.write_text("a file")
    assert "cannot be written" in refused("tables", "fetch", *SMALL, "--from", server)
