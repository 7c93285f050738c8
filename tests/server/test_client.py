"""The unit tests of the browser client, which Node runs; and that the client names no game."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import damier
from damier.server.assets import CLIENT, SENTENCES
from damier.server.games import later_parts, sentences
from tools.node import NoNode, node

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for kind in ("js", "ts", "css", "html") for path in CLIENT.rglob(f"*.{kind}"))


def test_the_unit_tests_of_the_client_pass() -> None:
    try:
        command = [node(), "--test", "--test-reporter=spec", *sorted(map(str, (ROOT / "tests/js").glob("*.test.js")))]
    except NoNode as error:
        pytest.fail(str(error), pytrace=False)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]


@pytest.mark.parametrize("path", [*SOURCES, *sorted(SENTENCES.rglob("*.json"))], ids=lambda path: str(path.name))
def test_the_client_names_no_game(path: Path) -> None:
    text = path.read_text("utf-8").lower()
    assert [name for name in damier.games() if name in text] == []


def test_files_of_the_client_have_names_in_kebab_case_and_folders_are_small() -> None:
    names = [path.name for path in SOURCES]
    assert [name for name in names if name != name.lower() or "_" in name] == []
    folders = {path.parent for path in SOURCES}
    assert {folder.name: count for folder in folders if (count := len(list(folder.glob("*.*")))) > 16} == {}


def test_every_sentence_is_in_every_language_with_the_same_places() -> None:
    def places(text: str) -> list[str]:
        return sorted(part.split("}")[0] for part in text.split("{")[1:])

    for part in ["", *later_parts()]:
        for key, texts in sentences(part).items():
            assert set(texts) == {"en", "fr", "de"}, key
            assert len({tuple(places(text)) for text in texts.values()}) == 1, key
