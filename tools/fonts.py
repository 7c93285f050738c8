"""Makes the two fonts of the client, `client/fonts`: subsets of Inter and Source Serif 4, under the Open Font License.

They hold the letters of English, French and German and what the pages write beside them. Inter keeps its weights from
400 to 700; of Source Serif only 700 is left, for titles. The names inside are dropped, as the licence reserves "Source"
for the original: the pages call them Damier Sans and Damier Serif.

python -m tools.fonts PYTHON     PYTHON is an interpreter with fonttools 4.68.0 and brotli 1.2.1; needs npm
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

from damier.server.assets import CLIENT
from tools.node import node

FOLDER = CLIENT / "fonts"
SAME = {**os.environ, "SOURCE_DATE_EPOCH": "0", "PYTHONHASHSEED": "0"}  # the same bytes at every run
LETTERS = (
    "U+0020-007E,U+00A0-00FF,U+0152-0153,U+0178,U+1E9E,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+202F,U+2030,"
    "U+2032-2033,U+2039-203A,U+20AC,U+2190-2193,U+2212,U+2248,U+2264-2265"
)


class Source(NamedTuple):
    """A font as npm has it, and what is kept of it."""

    package: str
    file: str
    weights: str
    features: str
    copyright: str


SOURCES = {
    "inter": Source(
        "@fontsource-variable/inter@5.3.0",
        "inter-latin-wght-normal",
        "400:700",
        "kern,tnum,ccmp,mark",
        "Copyright 2016 The Inter Project Authors (https://github.com/rsms/inter)",
    ),
    "source-serif": Source(
        "@fontsource-variable/source-serif-4@5.3.1",
        "source-serif-4-latin-wght-normal",
        "700",
        "kern,ccmp,mark",
        "© 2014 - 2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'.",
    ),
}


def main() -> None:
    """Writes the fonts and their licences."""
    FOLDER.mkdir(exist_ok=True)
    for name, source in SOURCES.items():
        with tempfile.TemporaryDirectory() as scratch:
            make(name, source, sys.argv[1], Path(scratch))
        print(f"{name}.woff2: {(FOLDER / name).with_suffix('.woff2').stat().st_size} bytes")


def make(name: str, source: Source, python: str, scratch: Path) -> None:
    """Writes one font and its licence."""
    npm = [node(), str(Path(node()).with_name("npm").resolve()), "pack", "--silent", "--ignore-scripts"]
    subprocess.run([*npm, source.package], cwd=scratch, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(next(scratch.glob("*.tgz"))) as archive:
        archive.extractall(scratch, filter="data")
    files, narrowed = scratch / "package" / "files", scratch / "narrowed.ttf"
    run = [python, "-m", "fontTools"]
    limits = [str(files / f"{source.file}.woff2"), f"wght={source.weights}", "-o", str(narrowed)]
    subprocess.run([*run, "varLib.instancer", "-q", *limits], check=True, env=SAME)
    kept = [f"--unicodes={LETTERS}", f"--layout-features={source.features}", "--name-IDs=0,13,14", "--no-hinting"]
    target = f"--output-file={FOLDER / name}.woff2"
    subprocess.run([*run, "subset", str(narrowed), *kept, "--flavor=woff2", target], check=True, env=SAME)
    lines = (scratch / "package" / "LICENSE").read_text("utf-8").splitlines()[1:]  # the first is the copyright
    licence = "\n".join([source.copyright, *(line.rstrip() for line in lines)])
    (FOLDER / f"{name}-OFL.txt").write_text(licence + "\n", "utf-8")


if __name__ == "__main__":
    main()
