"""Reads a table of exact values without damier: an independent implementation of docs/tables.md.

python tools/read_table.py FILE                     print the header
python tools/read_table.py FILE INDEX [INDEX ...]   print these entries, one a line
python tools/read_table.py FILE --check             check every checksum of the file
"""

import argparse
import hashlib
import json
import struct
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import zstandard

BLOCK = 16384  # entries


class Refused(Exception):
    """The file is not a table, or is damaged."""


class PlainTable:
    """A table in an open file."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.size = stream.seek(0, 2)
        self.header = self.read_header()
        self.blocks = self.read_blocks()
        self.decompressor = zstandard.ZstdDecompressor()

    def part(self, start: int, size: int) -> bytes:
        """Returns bytes of the file."""
        self.stream.seek(start)
        data = self.stream.read(size) if start >= 0 else b""
        if len(data) < size:
            raise Refused("it is cut short")
        return data

    def read_header(self) -> dict[str, Any]:
        """Reads the header and checks its checksum."""
        beginning = self.part(0, min(16, self.size))
        if len(beginning) < 16 or beginning[:4] != b"\x50\x2a\x4d\x18" or beginning[8:] != b"DAMIER01":
            raise Refused("it is not a table")
        (length,) = struct.unpack("<I", beginning[4:8])
        if 8 + length + 40 > self.size:
            raise Refused("it is cut short")
        frame, after = self.part(0, 8 + length), self.part(8 + length, 40)
        if after != b"\x51\x2a\x4d\x18\x20\0\0\0" + hashlib.sha256(frame).digest():
            raise Refused("its header is damaged")
        self.first = len(frame) + len(after)
        try:
            header: dict[str, Any] = json.loads(frame[16:].decode("utf-8"))
            is_known = header["format"] == 1 and header["entry_bytes"] in (1, 2) and header["block_entries"] == BLOCK
            if not is_known or type(header["entries"]) is not int or header["entries"] < 0:
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise Refused("its header is not that of a table of format 1") from None
        return header

    def read_blocks(self) -> list[tuple[int, int, int, int]]:
        """Reads the seek table: offset, compressed size, decompressed size and checksum of each block."""
        footer = self.part(self.size - 9, 9)
        if footer[5:] != b"\xb1\xea\x92\x8f":
            raise Refused("it is cut short, or damaged at its end")
        blocks = -(-self.header["entries"] // BLOCK)
        count, descriptor = struct.unpack("<IB", footer[:5])
        if (count, descriptor) != (blocks + 2, 0x80):
            raise Refused("its seek table is damaged")
        length = count * 12 + 9
        start = self.size - length - 8
        table = self.part(start, length + 8)
        rows = [(0, 0, 0, 0)]
        for compressed, plain, checksum in struct.iter_unpack("<III", table[8:-9]):
            rows.append((rows[-1][0] + rows[-1][1], compressed, plain, checksum))
        heads = [(0, self.first - 40, 0, 0x51D8E999), (self.first - 40, 40, 0, 0x51D8E999)]
        sizes = [self.size_of(block) for block in range(blocks)]
        is_sound = rows[1:3] == heads and [row[2] for row in rows[3:]] == sizes
        is_sound &= table[:8] == b"\x5e\x2a\x4d\x18" + struct.pack("<I", length) and sum(rows[-1][:2]) == start
        if not is_sound:
            raise Refused("its seek table is damaged")
        return rows[3:]

    def size_of(self, block: int) -> int:
        """Returns the decompressed size of a block in bytes."""
        return int(min(BLOCK, self.header["entries"] - block * BLOCK) * self.header["entry_bytes"])

    def block(self, number: int) -> bytes:
        """Returns a block decompressed."""
        start, compressed, plain, checksum = self.blocks[number]
        frame = self.part(start, compressed)
        try:
            about = zstandard.get_frame_parameters(frame)
            is_sound = about.content_size == plain and about.has_checksum and about.dict_id == 0
            if is_sound and frame[-4:] == struct.pack("<I", checksum):
                return self.decompressor.decompress(frame, allow_extra_data=False)
        except zstandard.ZstdError:
            pass
        raise Refused(f"its block {number} is damaged")

    def entry(self, index: int) -> int:
        """Returns an entry."""
        if not 0 <= index < self.header["entries"]:
            raise Refused(f"it has {self.header['entries']} entries, and none with the number {index}")
        width = self.header["entry_bytes"]
        at = index % BLOCK * width
        return int.from_bytes(self.block(index // BLOCK)[at : at + width], "little")

    def check(self) -> None:
        """Checks every block, and the SHA-256 of all."""
        digest = hashlib.sha256()
        for number in range(len(self.blocks)):
            digest.update(self.block(number))
        if digest.hexdigest() != self.header.get("sha256"):
            raise Refused("its blocks do not have the SHA-256 of its header")


def answers(table: PlainTable, indices: list[int], is_check: bool) -> Iterator[str]:
    """Yields the lines to print."""
    if is_check:
        table.check()
        yield f"{table.header['entries']} entries in {len(table.blocks)} blocks: every sum is right"
    elif not indices:
        yield json.dumps(table.header, indent=1, ensure_ascii=False)
    for index in indices:
        yield str(table.entry(index))


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description="Reads a table of exact values.")
    parser.add_argument("file")
    parser.add_argument("index", type=int, nargs="*", help="the number of an entry to print")
    parser.add_argument("--check", action="store_true", help="check every checksum of the file")
    given = parser.parse_args()
    try:
        with open(given.file, "rb") as stream:
            for line in answers(PlainTable(stream), given.index, given.check):
                print(line)
    except Refused as error:
        print(f"The file {given.file} is refused: {error}.", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"The file {given.file} cannot be read: {error.strerror or error}.", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
