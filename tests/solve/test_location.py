"""Where tables are, and whether they are there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import damier
from damier.solve.location import has_table, table_path
from damier.solve.tables import Tables


def test_a_table_exists_once_its_file_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    game = damier.load("renfa", bombs=3)
    assert not has_table(game)
    assert not Tables(game).is_built
    table_path(game).parent.mkdir()
    table_path(game).touch()
    assert not has_table(game), "An empty file is no table."
    table_path(game).write_bytes(b"something")
    assert has_table(game)
    assert Tables(game).is_built
    assert not has_table(damier.load("renfa", bombs=4))
    assert not has_table(game, tmp_path / "elsewhere")


def test_asking_whether_there_is_a_table_does_not_import_numpy(tmp_path: Path) -> None:
    program = (
        "import sys, damier; from damier.solve.location import has_table; "
        "assert not has_table(damier.load('renfa')); assert 'numpy' not in sys.modules"
    )
    environment = {**os.environ, "DAMIER_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
