"""The example of ``docs/api.md`` runs as it is written, and the page names every line, call and limit there is."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from damier.client import Client
from damier.server.front.connections import Connections
from damier.server.wire.streams import EndMessage, PersonLine
from tests.server.listening import Listening, listening

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Listening]:
    with listening(tmp_path, Connections(100, 100, ()), workers=1) as served:
        yield served
        served.services.stop_streams()


def test_the_python_of_the_page_plays_a_match(server: Listening, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"(?s)```python\n(.*?)```", PAGE)
    exec(program.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{server.port}"), {})
    out = capsys.readouterr().out.splitlines()
    assert len(out) >= 4
    assert " wins: " in out[-1]


def test_the_page_names_every_kind_of_line() -> None:
    union, *_ = get_args(PersonLine)
    for model in get_args(union):
        (kind,) = get_args(model.model_fields["type"].annotation)
        assert f'"type": "{kind}"' in PAGE
    for why in get_args(EndMessage.model_fields["why"].annotation):
        assert f"`{why}`" in PAGE


def test_the_page_names_every_call_of_the_client() -> None:
    calls = [name for name, value in vars(Client).items() if callable(value) and not name.startswith("_")]
    assert [name for name in calls if f"`{name}" not in PAGE and name not in ("close", "let_go")] == []
