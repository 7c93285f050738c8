"""Soak: the memory of servers and Redis while matches are played for a long time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from bench.cluster.crew import Crew
from bench.cluster.installation import running
from bench.load import percentile
from bench.rules import Figure

GROWTH = 5.0  # target: per cent
SAMPLE = 10.0  # seconds between two samples
WARM = 0.2  # the share of the time that is not judged
MATCHES = 60


def soak(folder: Path, minutes: float, servers: int = 2, matches: int = MATCHES) -> Iterator[Figure]:
    """Plays for `minutes`, with an action a second in each match; the memory after warming up must not grow."""
    samples: list[dict[str, float]] = []
    with running(folder, servers) as installation:
        print(f"soak: {minutes:g} minutes, {matches} matches, {servers} servers", flush=True)
        crew = Crew("load", 1, installation.addresses, 1.0)
        actions, errors = 0, 0
        try:
            crew.begin(matches)
            end, shown = time.monotonic() + 60 * minutes, time.monotonic()
            while time.monotonic() < end:
                time.sleep(min(SAMPLE, 60 * minutes / 10))
                samples.append(installation.memory)
                if time.monotonic() - shown > 60:
                    shown, taken = time.monotonic(), crew.take()
                    actions, errors = actions + len(taken.times), errors + taken.errors.total()
                    sizes = ", ".join(f"{name} {size:.1f} MB" for name, size in samples[-1].items())
                    slow = percentile(taken.times, 0.99)
                    print(f"  {sizes}; {len(taken.times)} actions, 99 % within {slow:.0f} ms", flush=True)
            taken = crew.take()
            actions, errors = actions + len(taken.times), errors + taken.errors.total()
            crew.end()
        finally:
            crew.kill()
    for name in samples[0]:
        growth, sizes = growth_of([sample[name] for sample in samples])
        yield Figure(f"{name}: growth of memory", growth, "%", at_most=GROWTH, note=sizes)
    yield Figure("errors", errors, "", at_most=0, note=f"{actions} actions in {minutes:g} minutes")


def growth_of(sizes: list[float]) -> tuple[float, str]:
    """Returns the growth from the first fifth after warming up to the last fifth, in per cent, and the sizes."""
    judged = sizes[int(len(sizes) * WARM) :]
    part = max(1, len(judged) // 5)
    first, last = (sum(some) / part for some in (judged[:part], judged[-part:]))
    return 100 * (last / first - 1), f"{first:.1f} to {last:.1f} MB, at most {max(judged):.1f}"
