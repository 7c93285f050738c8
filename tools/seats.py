"""Solves Omba for three and four players, with all pieces or fewer each: what each player can force, and max-n.

python -m tools.seats --players 3 --pieces 2 --folder DIR            everything, and print it
python -m tools.seats --players 3 --pieces 3 --folder DIR --only guaranteed-low guaranteed-high
python -m tools.seats --players 3 --pieces 4 --plan                  entries, memory and disk, without solving

Arrays and results are kept in the folder, one file for each quantity, and what is there is not computed again. After
Ctrl-C the tier that was interrupted begins again. ``docs/omba-players.md`` explains what is computed.

guaranteed-low, guaranteed-high   bounds of the chance that a player can force against all others
helped-low                        a lower bound of the chance that a player has when all others help
max-n                             chances when everybody plays for themselves; also with `+` and `-`: among nearly equal
                                  actions one prefers what is good, or bad, for the next player
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from damier.games.omba import index, rules, seats
from damier.solve.seats.solver import COALITION, HELP, LOWER, ONE, UPPER, Seats, SeatSolver, SolvedSeats

BOUNDS = {
    "guaranteed-low": (COALITION, LOWER),
    "guaranteed-high": (COALITION, UPPER),
    "helped-low": (HELP, LOWER),
}
TILTS = {"max-n": 0, "max-n+": 1, "max-n-": -1}
SHORT_ONE = 64_800
"""Certainty with `--short`, in two bytes."""


class Work:
    """What is computed of one game, in a folder."""

    def __init__(self, players: int, pieces: int, folder: Path, is_short: bool) -> None:
        self.players, self.folder = players, folder
        self.one = SHORT_ONE if is_short else ONE
        self.type: Any = np.uint16 if is_short else np.int32
        self.name = f"{players}-{pieces}" + ("-short" if is_short else "")
        self.seats = Seats(rules, (index, seats), [players, pieces])
        self.solver = SeatSolver(self.seats, self._report)
        self.start = self.seats.place(self.seats.start)
        self.file = folder / f"seats-{self.name}.json"
        self.results: dict[str, Any] = json.loads(self.file.read_text("utf-8")) if self.file.exists() else {}
        self._what, self._note, self._began = "", Path(), 0.0

    def compute(self, what: str) -> None:
        """Computes a quantity, unless it is there."""
        if what not in self.results:
            began = time.process_time()
            self._what = what
            result = self._bounds(what) if what in BOUNDS else self._max_n(TILTS[what])
            self.results[what] = result | {"cpu_seconds": round(time.process_time() - began, 1)}
            self.file.write_text(json.dumps(self.results, indent=1), "utf-8")
        print(what, json.dumps(self.results[what]), flush=True)

    def _array(self, what: str) -> tuple[Any, int]:
        """Returns the array of a quantity and how many of its tiers are solved."""
        path = self.folder / f"seats-{self.name}-{what}.npy"
        self._note = path.with_suffix(".tiers")
        done = int(self._note.read_text("utf-8")) if self._note.exists() and path.exists() else 0
        shape = (int(self.seats.begins[-1]),)
        return np.lib.format.open_memmap(path, "r+" if done else "w+", self.type, shape), done

    def _bounds(self, what: str) -> dict[str, Any]:
        others, side = BOUNDS[what]
        lower = None
        if what == "guaranteed-high" and "guaranteed-low" in self.results:
            lower = SolvedSeats(self._array("guaranteed-low")[0], self.one, 0, 0)
        array, done = self._array(what)
        solved = self.solver.bounds(others, side, one=self.one, lower=lower, values=array, first_tier=done)
        array.flush()
        began = time.process_time()
        failures = self.solver.count_failures(solved, others, side)
        return {
            "chances": solved.chances(self.start, self.players),
            "most_sweeps": solved.sweeps,
            "failures": failures,
            "check_seconds": round(time.process_time() - began, 1),
        }

    def _max_n(self, tilt: int) -> dict[str, Any]:
        solved = self.solver.max_n(tilt)
        free = self.solver.responses(solved, UPPER, is_free=True, tilt=tilt)
        kept = self.solver.responses(solved, LOWER, is_free=False, tilt=tilt)
        gains = free.values - kept.values
        return {
            "chances": solved.chances(self.start, self.players),
            "played": kept.chances(self.start, self.players),
            "best_responses": free.chances(self.start, self.players),
            "most_sweeps": solved.sweeps,
            "change": solved.change / solved.one,
            "most_gain": int(gains.max()) / solved.one,
            "mean_gain": float(gains.mean()) / solved.one,
        }

    def _report(self, number: int, sweep: int, change: int) -> None:
        if sweep == 1 and self._what in BOUNDS:  # all tiers before this one are solved
            self._note.write_text(str(number), "utf-8")
        if time.monotonic() > self._began + 10:
            self._began = time.monotonic()
            text = f"{self._what}: tier {number} of {len(self.seats.sizes)}, sweep {sweep}, {change:,} changes"
            print(text, file=sys.stderr, flush=True)


def plan(players: int, pieces: int) -> str:
    """Returns what solving a game takes, without numbering it."""
    sizes = seats.tier_sizes([players, pieces])
    numbers = sum(count * entries for count, entries in sizes)
    largest = [max(entries for each, entries in sizes if each == count) for count in range(2, players + 1)]
    needed = sum(count * entries for count, entries in enumerate(largest[-2:], players - len(largest[-2:]) + 1))
    lines = [f"{players} players with {pieces} pieces each"]
    for count in range(2, players + 1):
        lines.append(f"  {count} in: {sum(entries for each, entries in sizes if each == count):,} positions")
    for size, name in ((4, ""), (2, ", with --short")):
        disk, memory = size * numbers / 2**30, (size * needed + 2 * max(largest)) / 2**30
        lines.append(f"  an array takes {disk:.1f} GB of disk{name}, solving it {memory:.1f} GB of memory")
    return "\n".join(lines)


def main() -> None:
    """Computes what is asked for, or prints the plan."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=3)
    parser.add_argument("--pieces", type=int, choices=(1, 2, 3, 4, 5, 6), default=2)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", nargs="+", choices=[*BOUNDS, *TILTS], default=[*BOUNDS, *TILTS])
    parser.add_argument("--short", action="store_true", help="bounds in two bytes, in units of 1 / 64,800")
    parser.add_argument("--plan", action="store_true", help="print what it takes")
    given = parser.parse_args()
    if given.players * given.pieces > 12:
        parser.error("The board of the solver holds 12 pieces: give fewer --pieces.")
    print(plan(given.players, given.pieces))
    if given.plan:
        return
    if given.folder is None:
        parser.error("Give a --folder for arrays and results.")
    given.folder.mkdir(parents=True, exist_ok=True)
    work = Work(given.players, given.pieces, given.folder, given.short)
    for what in given.only:
        work.compute(what)


if __name__ == "__main__":
    main()
