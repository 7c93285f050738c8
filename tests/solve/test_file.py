"""Table files: what is written is read back, from any thread; what is damaged is refused and never read as values."""

import errno
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from damier.core.messages import LANGUAGES
from damier.solve.file.header import (
    BLOCK_ENTRIES,
    FOOTER,
    HEAD,
    HEADER_MAGIC,
    SEEK_ENTRY,
    SUM_SIZE,
    IndexScheme,
    TableHeader,
    Tier,
    parse_header,
    sum_frame,
)
from damier.solve.file.reader import BadTable, Entries, TableFile
from damier.solve.file.writer import TableWriter

ROOT = Path(__file__).parents[2]
HEADER = TableHeader(
    game="tictactoe",
    options={"size": 3},
    rules_version=1,
    index=IndexScheme("cells", 2),
    metric="plies",
    coding="distance",
    entry_bytes=1,
    solver="0.0",
)
LENGTHS = (0, 1, BLOCK_ENTRIES - 1, BLOCK_ENTRIES, BLOCK_ENTRIES + 1, 100_000)

every_size = pytest.mark.parametrize("width", [1, 2])
every_length = pytest.mark.parametrize("length", LENGTHS)


def some_entries(length: int, width: int = 1, seed: int = 0) -> Entries:
    """Returns entries with runs and noise, as in a table."""
    random = np.random.default_rng(seed)
    values = np.repeat(random.integers(0, 256**width, length // 20 + 1), 20)[:length]
    noise = random.integers(0, 4, length)
    return np.asarray((values + noise) % 256**width, np.dtype(f"u{width}"))


def write(path: Path, entries: Entries, parts: int = 1, **settings: Any) -> TableHeader:
    header = replace(HEADER, entry_bytes=entries.dtype.itemsize)
    with TableWriter(path, header, **{"level": 1, **settings}) as writer:
        for part in np.array_split(entries, parts):
            writer.append(part)
        return writer.finish(counts={"win": 7}, longest=9, extra={"note": "é"})


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Entries]:
    """A table of four blocks that is only read."""
    path = tmp_path_factory.mktemp("table") / "sound.table"
    entries = some_entries(50_000)
    write(path, entries, reserve=200)
    return path, entries


# What is written is read back


@every_size
@every_length
def test_a_table_is_read_as_it_was_written(tmp_path: Path, width: int, length: int) -> None:
    entries = some_entries(length, width)
    path = tmp_path / "a.table"
    written = write(path, entries)
    assert [file.name for file in tmp_path.iterdir()] == ["a.table"]
    with TableFile(path) as table:
        assert table.header == written
        assert len(table) == length == written.entries
        assert written.sha256 == hashlib.sha256(entries.tobytes()).hexdigest()
        assert (written.counts, written.longest, written.extra) == ({"win": 7}, 9, {"note": "é"})
        shares: list[float] = []
        table.check(shares.append)
        assert shares == sorted(shares)
        assert shares[-1:] == [1.0] * bool(length)
        blocks = list(table.blocks())
        assert len(blocks) == written.blocks
        assert [block.dtype for block in blocks] == [entries.dtype] * len(blocks)
        assert np.array_equal(np.concatenate([entries[:0], *blocks]), entries)
        everything = table.read_many(np.arange(length))
        assert everything.dtype == entries.dtype
        assert np.array_equal(everything, entries)
        for index in {0, 1, length // 2, BLOCK_ENTRIES - 1, BLOCK_ENTRIES, length - 1} & set(range(length)):
            assert table.read(index) == entries[index]
            assert type(table.read(index)) is int
        for index in (-1, length, length + BLOCK_ENTRIES, -(1 << 70), 1 << 70):
            with pytest.raises(IndexError, match=f"no entry {index}$"):
                table.read(index)


@every_size
def test_entries_are_read_at_random_with_a_small_cache(tmp_path: Path, width: int) -> None:
    entries = some_entries(100_000, width)
    path = tmp_path / "a.table"
    write(path, entries)
    with TableFile(path, cache_blocks=2) as table:
        for index in np.random.default_rng(1).integers(0, len(entries), 500):
            assert table.read(index) == entries[index]
        for length in (0, 1, 3, 20_000):
            indices = np.random.default_rng(length).integers(0, len(entries), length)
            assert np.array_equal(table.read_many(indices), entries[indices])
            assert np.array_equal(table.read_many(indices.astype(np.uint32)), entries[indices])
        indices = np.array([99_999, 5, 5, 40_000, 0, 5, 99_999])
        assert table.read_many(indices).tolist() == entries[indices].tolist()
        assert table.read_many(np.array([])).tolist() == []
        for wrong in (-1, 100_000):
            with pytest.raises(IndexError, match=f"no entry {wrong}$"):
                table.read_many(np.array([7, wrong, 8]))
        for array in (np.array([0.5]), np.zeros((2, 2), np.int64)):
            with pytest.raises(TypeError):
                table.read_many(array)


def test_what_is_read_cannot_be_changed(sound: tuple[Path, Entries]) -> None:
    with TableFile(sound[0]) as table:
        assert not any(block.flags.writeable for block in table.blocks())


def test_a_large_batch_leaves_the_cache_alone(sound: tuple[Path, Entries], monkeypatch: pytest.MonkeyPatch) -> None:
    path, entries = sound
    loaded: list[int] = []
    plain = TableFile._decompressed

    def listed(table: TableFile, block: int) -> bytes:
        loaded.append(block)
        return plain(table, block)

    monkeypatch.setattr(TableFile, "_decompressed", listed)
    with TableFile(path, cache_blocks=2) as table:
        table.read_many(np.array([1, 20_000, 2]))
        table.read(20_001)
        assert loaded == [0, 1]
        shuffled = np.random.default_rng(0).permutation(len(entries))
        table.read_many(shuffled)
        assert loaded == [0, 1, 0, 1, 2, 3]
        table.read(0)
        assert loaded == [0, 1, 0, 1, 2, 3]


def test_many_threads_read_at_once(sound: tuple[Path, Entries]) -> None:
    path, entries = sound

    def work(seed: int) -> bool:
        indices = np.random.default_rng(seed).integers(0, len(entries), 300)
        single = [table.read(int(index)) for index in indices]
        return np.array_equal(single, entries[indices]) and np.array_equal(table.read_many(indices), entries[indices])

    with TableFile(path, cache_blocks=1) as table, ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(30)))


def test_a_closed_table_cannot_be_read(sound: tuple[Path, Entries]) -> None:
    table = TableFile(sound[0])
    table.read(0)
    table.close()
    table.close()
    with pytest.raises(ValueError, match="closed"):
        table.read(0)


# The bytes of the file


@every_size
def test_the_bytes_do_not_depend_on_threads_or_parts(tmp_path: Path, width: int) -> None:
    entries = np.resize(some_entries(100_000, width), 5_300_001)  # six groups of blocks
    settings = [(1, 1), (1, 7), (2, 1), (3, 50)]
    files = [tmp_path / f"{threads}-{parts}" for threads, parts in settings]
    for file, (threads, parts) in zip(files, settings, strict=True):
        write(file, entries, parts, threads=threads)
    assert len({file.read_bytes() for file in files}) == 1


@every_size
@every_length
def test_plain_zstd_restores_the_array(tmp_path: Path, width: int, length: int) -> None:
    entries = some_entries(length, width)
    path = tmp_path / "a.table"
    write(path, entries)
    with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(path.read_bytes()), read_across_frames=True) as stream:
        assert stream.read() == entries.tobytes()
    program = shutil.which("zstd")
    if program:
        subprocess.run([program, "-q", "-d", path, "-o", tmp_path / "array.raw"], check=True)
        assert (tmp_path / "array.raw").read_bytes() == entries.tobytes()


def read_without_damier(*arguments: object) -> tuple[int, str, str]:
    """Runs the second reader, which cannot import damier."""
    command = [sys.executable, "-I", str(ROOT / "tools" / "read_table.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


@every_size
def test_the_second_reader_agrees(tmp_path: Path, width: int) -> None:
    entries = some_entries(BLOCK_ENTRIES + 5, width)
    path = tmp_path / "a.table"
    header = write(path, entries)
    status, out, _ = read_without_damier(path)
    assert (status, json.loads(out)) == (0, json.loads(header.text()))
    indices = [0, BLOCK_ENTRIES, 5, BLOCK_ENTRIES + 4, BLOCK_ENTRIES - 1]
    status, out, _ = read_without_damier(path, *indices)
    assert (status, out.split()) == (0, [str(entries[index]) for index in indices])
    assert read_without_damier(path, "--check")[:2] == (0, "16389 entries in 2 blocks: every sum is right\n")
    for arguments in ([path, len(entries)], [path, -1], [tmp_path / "missing"], [__file__]):
        status, out, error = read_without_damier(*arguments)
        assert (status, out, error.count("\n")) == (2, "", 1)


def test_the_second_reader_refuses_damage(sound: tuple[Path, Entries], tmp_path: Path) -> None:
    content = sound[0].read_bytes()
    for name, flipped in regions(content).items():
        path = tmp_path / "damaged.table"
        path.write_bytes(with_flip(content, flipped[0], 3))
        status, _, error = read_without_damier(path, "--check")
        assert (status, error.count("\n")) == (2, 1), name
    path.write_bytes(content[:-1])
    assert read_without_damier(path)[0] == 2


def test_the_example_of_the_specification_is_what_is_written(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    path = tmp_path / "example.table"
    header = replace(HEADER, game="noughts", options={}, tiers=(Tier("all", 0, 5),))
    with TableWriter(path, header, reserve=128) as writer:
        writer.append(np.array([0, 1, 3, 1, 2], np.uint8))
        writer.finish(counts={"draw": 1, "loss": 1, "win": 3}, longest=2)
    content = path.read_bytes()
    lines = re.findall(r"(?m)^([0-9a-f]{4})  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?:  |$)", page)
    shown = {int(offset, 16): bytes.fromhex(text) for offset, text in lines}
    (text,) = re.findall(r"(?s)```json\n(.*?)\n```", page)
    shown[16] = text.replace("\n", " ").encode()
    end = max(offset + len(part) for offset, part in shown.items())
    assert end == len(content)
    picture = bytearray(b" " * end)  # what is not shown is padding
    for offset, part in shown.items():
        picture[offset : offset + len(part)] = part
    assert bytes(picture) == content


def test_a_header_is_what_its_text_says() -> None:
    header = replace(HEADER, tiers=(Tier("one", 0, 5), Tier("two", 7, 3)), entries=10, extra={"a": [1, None, "ö"]})
    assert parse_header(header.text()) == header
    assert parse_header(json.dumps({**json.loads(header.text()), "from the future": 1})) == header
    for tiers in ((Tier("one", 0, 5), Tier("two", 4, 3)), (Tier("one", 0, 11),)):
        with pytest.raises(ValueError, match="tiers"):
            parse_header(replace(header, tiers=tiers).text())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", 2),
        ("format", True),
        ("game", 1),
        ("options", []),
        ("rules_version", -1),
        ("index", {"name": "cells"}),
        ("index", {"name": 1, "version": 1}),
        ("entry_bytes", 4),
        ("entries", 50_001.0),
        ("tiers", [{"name": "one", "first": 0}]),
        ("tiers", [1]),
        ("counts", {"win": "many"}),
        ("longest", "far"),
        ("sha256", None),
        ("block_entries", 8192),
        ("extra", None),
    ],
)
def test_a_header_that_cannot_be_used_is_refused(
    sound: tuple[Path, Entries], tmp_path: Path, name: str, value: object
) -> None:
    path = tmp_path / "a.table"
    data = header_data(sound[0])
    path.write_bytes(with_header(sound[0].read_bytes(), json.dumps({**data, name: value})))
    assert f"no {name} that" in refusal(path)
    del data[name]
    path.write_bytes(with_header(sound[0].read_bytes(), json.dumps(data)))
    assert f"no {name} that" in refusal(path)


@pytest.mark.parametrize("text", ["", "[]", "1", "{", "[" * 100_000, "\x00", '{"format": ' + "9" * 5000 + "}"])
def test_a_header_that_is_no_json_object_is_refused(sound: tuple[Path, Entries], tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.table"
    path.write_bytes(with_header(sound[0].read_bytes(), text))
    assert re.search("no (JSON|format) that", refusal(path))


@pytest.mark.parametrize("entries", [0, 49_999, 50_001, BLOCK_ENTRIES, 1 << 40, 1 << 80])
def test_a_header_with_another_number_of_entries_is_refused(
    sound: tuple[Path, Entries], tmp_path: Path, entries: int
) -> None:
    path = tmp_path / "a.table"
    path.write_bytes(
        with_header(sound[0].read_bytes(), json.dumps({**header_data(sound[0]), "entries": entries, "tiers": []}))
    )
    assert "list of blocks" in refusal(path)


# Damage


def header_data(path: Path) -> dict[str, Any]:
    with TableFile(path) as table:
        return dict(json.loads(table.header.text()))


def with_header(content: bytes, text: str) -> bytes:
    """Returns a file with another header, whose sum is right."""
    _, length = HEAD.unpack(content[: HEAD.size])
    body = content[HEAD.size : HEAD.size + 8] + text.encode().ljust(length - 8)
    frame = HEAD.pack(HEADER_MAGIC, len(body)) + body
    rest = bytearray(content[HEAD.size + length + SUM_SIZE :])
    seek_table = len(rest) - FOOTER.size - SEEK_ENTRY.size * FOOTER.unpack(rest[-FOOTER.size :])[0]
    rest[seek_table : seek_table + 4] = len(frame).to_bytes(4, "little")
    return frame + sum_frame(frame) + bytes(rest)


def with_flip(content: bytes, offset: int, bit: int) -> bytes:
    damaged = bytearray(content)
    damaged[offset] ^= 1 << bit
    return bytes(damaged)


def regions(content: bytes) -> dict[str, range]:
    """Returns the parts of a file."""
    first = HEAD.size + HEAD.unpack(content[: HEAD.size])[1]
    size = len(content)
    entries = size - FOOTER.size - SEEK_ENTRY.size * FOOTER.unpack(content[-FOOTER.size :])[0]
    return {
        "magic": range(4),
        "length": range(4, 8),
        "signature": range(8, 16),
        "text": range(16, first),
        "sum": range(first, first + SUM_SIZE),
        "blocks": range(first + SUM_SIZE, entries - HEAD.size),
        "head of the seek table": range(entries - HEAD.size, entries),
        "seek table": range(entries, size - FOOTER.size),
        "footer": range(size - FOOTER.size, size),
    }


def refusal(path: Path) -> str:
    """Returns the sentence by which a table is refused, here or where all of it is checked."""
    with pytest.raises(BadTable) as caught, TableFile(path) as table:
        table.check()
    for lang in LANGUAGES:
        assert f"'{path}'" in caught.value.sentence(lang)
    return str(caught.value)


REGIONS = {
    "magic": "is not a table",
    "length": "cut short|in its header",
    "signature": "is not a table",
    "text": "in its header",
    "sum": "in its header",
    "blocks": r"in block \d",
    "head of the seek table": "list of blocks",
    "seek table": r"list of blocks|in block \d",
    "footer": "list of blocks|at its end",
}


@pytest.mark.parametrize("region", REGIONS)
def test_a_flipped_bit_is_refused_wherever_it_is(sound: tuple[Path, Entries], tmp_path: Path, region: str) -> None:
    content = sound[0].read_bytes()
    path = tmp_path / "damaged.table"
    places = regions(content)[region]
    for offset in places[:: max(1, len(places) // 50)]:
        path.write_bytes(with_flip(content, offset, offset % 8))
        assert re.search(REGIONS[region], refusal(path)), (offset, offset % 8)


def test_a_damaged_block_is_named_and_the_others_can_be_read(sound: tuple[Path, Entries], tmp_path: Path) -> None:
    path, entries = tmp_path / "damaged.table", sound[1]
    content = sound[0].read_bytes()
    places = regions(content)["blocks"]
    path.write_bytes(with_flip(content, places[len(places) * 3 // 8], 0))
    sentence = f"The table '{path}' is damaged in block 1, which has the entries 16384 to 32767."
    attempts: list[Callable[[TableFile], object]] = [
        lambda table: table.read(20_000),
        lambda table: table.read_many(np.array([3, 32_767])),
        lambda table: list(table.blocks()),
        TableFile.check,
    ]
    with TableFile(path) as table:
        for attempt in attempts * 2:
            with pytest.raises(BadTable, match=re.escape(sentence)):
                attempt(table)
        good = np.delete(np.arange(len(entries)), slice(16384, 32768))
        assert np.array_equal(table.read_many(good), entries[good])
        assert table.read(32_768) == entries[32_768]


@given(st.data())
def test_damage_is_refused_or_changes_nothing(sound: tuple[Path, Entries], data: st.DataObject) -> None:
    """Some bits of a zstd frame have no meaning; all others must be noticed."""
    path, entries = sound
    content = bytearray(path.read_bytes())
    places = regions(bytes(content))[data.draw(st.sampled_from(sorted(REGIONS)))]
    flips = data.draw(st.lists(st.tuples(st.sampled_from(places), st.integers(0, 7)), min_size=1, max_size=3))
    for offset, bit in flips:
        content[offset] ^= 1 << bit
    damaged = path.with_name("damaged.table")
    damaged.write_bytes(content)
    try:
        with TableFile(damaged) as table:
            for block in range(4):
                first = block * BLOCK_ENTRIES
                places = range(first, min(first + BLOCK_ENTRIES, len(entries)))
                try:
                    values = table.read_many(np.array(places))
                except BadTable:
                    continue
                assert np.array_equal(values, entries[first : first + BLOCK_ENTRIES])
                assert table.read(places[-1]) == entries[places[-1]]
            table.check()
            assert table.header == TableFile(path).header
    except BadTable as error:
        assert f"'{damaged}'" in str(error)


def test_blocks_that_have_changed_places_are_noticed_by_the_check(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    entries = np.tile(np.arange(256, dtype=np.uint8), 128)
    entries[BLOCK_ENTRIES:] += 1
    write(path, entries)
    content = path.read_bytes()
    places = regions(content)
    blocks, rows = places["blocks"], places["seek table"][2 * SEEK_ENTRY.size :]
    size, _, _ = SEEK_ENTRY.unpack(content[rows[0] : rows[0] + SEEK_ENTRY.size])
    swapped = content[blocks[0] + size : blocks[-1] + 1] + content[blocks[0] : blocks[0] + size]
    table = content[rows[SEEK_ENTRY.size] : rows[-1] + 1] + content[rows[0] : rows[SEEK_ENTRY.size]]
    path.write_bytes(
        content[: blocks[0]] + swapped + content[blocks[-1] + 1 : rows[0]] + table + content[rows[-1] + 1 :]
    )
    assert "do not match the SHA-256 in its header" in refusal(path)


def test_a_file_cut_short_is_refused_whatever_its_length(sound: tuple[Path, Entries], tmp_path: Path) -> None:
    content = sound[0].read_bytes()
    path = tmp_path / "short.table"
    lengths = set(range(0, len(content), 997)) | set(range(70)) | set(range(len(content) - 130, len(content)))
    for places in regions(content).values():
        lengths |= {places[0], places[0] + 1, places[-1]}
    for length in sorted(lengths):
        path.write_bytes(content[:length])
        wanted = "is not a table" if length < 16 else "cut short"
        assert wanted in refusal(path), length
    path.write_bytes(content + b"\0")
    assert "at its end" in refusal(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"P", b"a text\n" * 50, zstandard.ZstdCompressor().compress(b"x" * 100), bytes(1000), b"P*M\x18" + bytes(99)],
    ids=["empty", "one byte", "text", "plain zstd", "zeros", "another frame that is skipped"],
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    assert "is not a table of exact values" in refusal(path)


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    assert "cannot be read: No such file" in refusal(tmp_path / "missing")
    assert "cannot be read" in refusal(tmp_path)


# A writer that does not come to its end


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_writer_leaves_nothing_behind(tmp_path: Path, threads: int) -> None:
    path, entries = tmp_path / "a.table", some_entries(2_200_000)
    for before in (None, b"as it was"):
        if before:
            path.write_bytes(before)
        with pytest.raises(KeyboardInterrupt), TableWriter(path, HEADER, level=1, threads=threads) as writer:  # noqa: PT012  # Ctrl-C
            writer.append(entries)
            assert (tmp_path / "a.table.part").exists()
            raise KeyboardInterrupt
        with pytest.raises(RuntimeError, match="neither finished nor"), TableWriter(path, HEADER) as writer:
            writer.append(entries[:5])
        with TableWriter(path, HEADER) as writer:
            writer.discard()
        assert not (tmp_path / "a.table.part").exists()
        assert (path.read_bytes() if path.exists() else None) == before


class FullDisk(io.RawIOBase):
    """A file on a disk that takes nothing more."""

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def write(self, _data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def fileno(self) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    with pytest.raises(OSError, match="No space"), TableWriter(path, HEADER) as writer:  # noqa: PT012  # must be left open
        writer._stream.close()
        writer._stream = io.BufferedWriter(FullDisk())
        writer.append(some_entries(100))
        writer.finish()
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_cannot_get_its_name_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    path.mkdir()
    with pytest.raises(OSError, match=r"a\.table"):
        write(path, some_entries(5))
    assert list(tmp_path.iterdir()) == [path]


def test_an_unfinished_file_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    with TableWriter(path, HEADER, level=1) as writer:
        writer.append(some_entries(2_000_000))
        writer._stream.flush()
        assert "is not a table" in refusal(writer._part)
        writer.discard()


def test_a_writer_takes_the_place_of_an_older_file(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    (tmp_path / "a.table.part").write_bytes(b"left by a process that was killed" * 10_000)
    write(path, some_entries(100, seed=1))
    with TableFile(path) as old:
        write(path, some_entries(100, seed=2))
        with TableFile(path) as new:
            assert np.array_equal(old.read_many(np.arange(100)), some_entries(100, seed=1))
            assert np.array_equal(new.read_many(np.arange(100)), some_entries(100, seed=2))


def test_a_writer_refuses_what_does_not_fit(tmp_path: Path) -> None:
    path = tmp_path / "a.table"
    for wrong in ({"entry_bytes": 3}, {"tiers": (Tier("a", 0, 5), Tier("b", 4, 1))}, {"rules_version": "1"}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            TableWriter(path, replace(HEADER, **wrong))
    with TableWriter(path, replace(HEADER, tiers=(Tier("a", 0, 5),)), reserve=200) as writer:
        for array in (np.zeros(3, np.uint16), np.zeros(3, np.int8), np.zeros((3, 3), np.uint8)):
            with pytest.raises(TypeError):
                writer.append(array)  # type: ignore[arg-type]  # that is what is refused
        writer.append(some_entries(4))
        with pytest.raises(ValueError, match="tiers"):
            writer.finish()
        writer.append(some_entries(10)[::2])
        with pytest.raises(ValueError, match="reserved"):
            writer.finish(extra={"note": "x" * 200})
        writer.finish(extra={"note": "x"})
        with pytest.raises(ValueError, match="finished"):
            writer.append(some_entries(1))
    with TableFile(path) as table:
        assert next(table.blocks()).tolist() == [*some_entries(4), *some_entries(10)[::2]]
        table.check()
    with pytest.raises(FileNotFoundError):
        TableWriter(tmp_path / "missing" / "a.table", HEADER)


def test_entries_of_the_other_byte_order_are_the_same_entries(tmp_path: Path) -> None:
    path, entries = tmp_path / "a.table", some_entries(1000, 2)
    swapped = entries.astype(">u2")
    with TableWriter(path, replace(HEADER, entry_bytes=2)) as writer:
        writer.append(swapped)
        writer.finish()
    with TableFile(path) as table:
        assert np.array_equal(table.read_many(np.arange(1000)), entries)


def test_the_python_of_the_specification_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    text, *_others = re.findall(r"(?s)```python\n(.*?)\n```", page)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(text, names)
    with TableFile("noughts.table") as table:
        assert table.read_many(np.array([4, 0, 2])).tolist() == [2, 0, 3]
