"""The notebooks run from top to bottom, with smaller parameters, and store no outputs."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import examples
from damier.core import folders

FOLDER = Path(examples.__file__).parent
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PARAMETERS: dict[str, dict[str, object]] = {
    "alphazero": {"rounds": 1, "visits": 2, "bombs": 3, "at_once": 4, "tests": 20},
    "openings": {"games": 200},
    "policy_gradient": {"steps": 512, "games": 5},
    "tabular": {"games": 50},
}


def cells_of(notebook: Path) -> list[dict[str, Any]]:
    """Returns the cells of a notebook."""
    data = json.loads(notebook.read_text(encoding="utf-8"))
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 5)
    cells: list[dict[str, Any]] = data["cells"]
    return cells


def run_notebook(notebook: Path, given: dict[str, object]) -> dict[str, Any]:
    """Runs the code of a notebook, with other parameters, and returns its names."""
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells_of(notebook)):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{notebook.name}[{number}]", "exec"), names)
        if "parameters" in cell["metadata"].get("tags", ()):
            assert set(given) <= set(names)
            names.update(given)
    return names


def test_every_script_has_a_notebook() -> None:
    scripts = {file.stem for file in FOLDER.glob("*.py")} - {"__init__"}
    assert {notebook.stem for notebook in NOTEBOOKS} == scripts == set(PARAMETERS)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr(folders, "table_folder", lambda: tmp_path)
    names = run_notebook(notebook, PARAMETERS[notebook.stem])
    if notebook.stem == "openings":
        assert sum(arm.pulls for arm in names["arms"]) * names["openings"].GAMES == 200
        assert names["exact"].startswith("No exact values. The table of Chefa has not been built")
    else:
        assert -1 <= names["before"] <= 1
        assert -1 <= names["after"] <= 1
    if notebook.stem == "tabular":
        assert "The table of Chefa has not been built" in capsys.readouterr().out


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_stores_no_outputs(notebook: Path) -> None:
    cells = cells_of(notebook)
    assert cells[0]["cell_type"] == "markdown"
    assert f"[{notebook.stem}.py]({notebook.stem}.py)" in "".join(cells[0]["source"])
    for cell in cells:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            ast.parse("".join(cell["source"]))
        assert "/home/" not in "".join(cell["source"])
    assert len({cell["id"] for cell in cells}) == len(cells)
