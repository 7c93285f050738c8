"""The shared place: folders and fsspec addresses, damage of every kind, and places that cannot be written."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier.cluster.shared_place import SharedPlace, parse_piece, piece_bytes
from damier.core.errors import BadArgument

HEAD = {"tier": 3, "stage": "solved", "low": 0, "high": 4}


@pytest.fixture(params=["{folder}/place", "file://{folder}/place", "memory://{unique}"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(request.param).format(folder=tmp_path, unique=uuid.uuid4().hex)


def test_pieces_are_read_as_they_were_written(address: str) -> None:
    place = SharedPlace(address, "game/version")
    assert place.names() == []
    assert place.read("a", HEAD) is None
    place.write("a", HEAD, b"first")
    place.write("a", HEAD, b"content")
    place.write("b", {}, b"")
    again = SharedPlace(address, "game/version")
    assert again.names() == ["a", "b"]
    assert again.read("a", HEAD) == b"content"
    assert again.read("b", {}) == b""
    assert SharedPlace(address, "game/other").names() == []
    again.remove("a")
    again.remove("a")
    assert place.names() == ["b"]
    place.clear()
    assert place.names() == []


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-1] + b"X", lambda _: b""])
def test_a_damaged_piece_counts_as_missing_and_is_logged(
    tmp_path: Path, damage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    place = SharedPlace(str(tmp_path), "x")
    place.write("a", HEAD, b"content")
    (file,) = tmp_path.rglob("a.piece")
    file.write_bytes(damage(file.read_bytes()))
    assert place.read("a", HEAD) is None
    assert "is damaged and not used" in caplog.text


def test_a_piece_of_something_else_counts_as_missing(tmp_path: Path) -> None:
    place = SharedPlace(str(tmp_path), "x")
    place.write("a", HEAD, b"content")
    assert place.read("a", {**HEAD, "tier": 4}) is None


@given(st.dictionaries(st.text(), st.integers() | st.text()), st.binary())
def test_any_piece_can_be_parsed(head: dict[str, Any], content: bytes) -> None:
    head.pop("sha256", None)
    assert parse_piece(piece_bytes(head, content), head) == content


@given(st.data())
def test_no_other_bytes_are_taken_for_a_piece(data: st.DataObject) -> None:
    whole = piece_bytes(HEAD, b"some content")
    low = data.draw(st.integers(0, len(whole)))
    high = data.draw(st.integers(low, len(whole)))
    changed = whole[:low] + data.draw(st.binary(max_size=20)) + whole[high:]
    try:
        assert parse_piece(changed, HEAD) == b"some content"
    except ValueError:
        return
    # What is left is the same piece, perhaps with other spaces in its description.
    assert changed.endswith(b"some content")


@given(st.binary())
def test_any_bytes_are_parsed_or_refused(data: bytes) -> None:
    for given_data in (data, b"DAMIER-PIECE 1\n" + data, b"DAMIER-PIECE 1\n" + data + b"\n"):
        with pytest.raises(ValueError):  # noqa: PT011  # whatever is wrong with it
            parse_piece(given_data, HEAD)


def test_a_description_that_is_nested_too_deeply_is_refused() -> None:
    with pytest.raises(ValueError, match=r"nested|Expecting|another"):
        parse_piece(b"DAMIER-PIECE 1\n" + b"[" * 60_000 + b"\n", HEAD)


@pytest.mark.parametrize("place", ["{file}/place", "nowhere://bucket/tables", "s3://bucket/tables"])
def test_a_place_that_cannot_be_written_is_refused_in_one_sentence(place: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    place = place.format(file=file)
    with pytest.raises(BadArgument, match=r"The shared place '.*' cannot be written: .*\.$") as refused:
        SharedPlace(place, "x")
    assert "\n" not in str(refused.value)


def test_a_disk_that_fills_up_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = SharedPlace(str(tmp_path), "x")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(place._files, "pipe_file", full)
    with pytest.raises(BadArgument, match="cannot be written: No space left on device"):
        place.write("a", HEAD, b"content")
