"""``damier bench``: measures speed with the benchmarks of a checkout."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import damier
from damier.cli.arguments import Parser
from damier.core.errors import BadArgument
from damier.core.messages import message

EXAMPLES = """
damier bench
damier bench --quick --json
"""

_SOURCES = Path(damier.__file__).parents[1]
_CHECKOUT = _SOURCES.parent


def add_arguments(parser: Parser) -> None:
    """Adds how thoroughly to measure."""
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: noisier, done in a minute")


def run(arguments: argparse.Namespace) -> None:
    """Runs ``python -m bench.rules`` in the checkout that this package is part of."""
    if not (_CHECKOUT / "bench" / "rules.py").exists():
        raise BadArgument(
            message("The benchmarks come with the source, not with the installed package: use make bench in a clone.")
        )
    flags = [flag for flag, is_given in (("--quick", arguments.quick), ("--json", arguments.json)) if is_given]
    paths = [str(_SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-m", "bench.rules", *flags],
        cwd=_CHECKOUT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        check=False,
    )
    if done.returncode:
        raise BadArgument(message("The benchmark failed with exit status {status}.", status=done.returncode))
