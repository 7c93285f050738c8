"""The table of all figures beside their targets, and the same as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.rules import Figure

_WIDTH = 46


class Report:
    """The figures of all parts, printed at the end and stored as they come."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._figures: list[tuple[str, Figure]] = []
        self._began = datetime.now(UTC).isoformat(timespec="seconds")

    def add(self, part: str, figures: Sequence[Figure]) -> None:
        """Adds the figures of a part, and stores all so far: an interruption loses none of them."""
        self._figures += [(part, figure) for figure in figures]
        if self._path:
            machine = {"cores": os.cpu_count(), "system": platform.platform(), "load": os.getloadavg()[0]}
            rows = [{"part": name, **figure.data()} for name, figure in self._figures]
            data = {"began": self._began, "machine": machine, "figures": rows}
            self._path.write_text(json.dumps(data, indent=1), encoding="utf-8")

    def table(self) -> str:
        """Returns the table: figure, target, measured, met or missed."""
        lines = [f"{'figure':{_WIDTH}} {'target':>12} {'measured':>12}  verdict"]
        part = ""
        for name, figure in self._figures:
            if name != part:
                lines += ["", name]
                part = name
            lines.append(_row(figure))
        return "\n".join(lines)

    @property
    def is_met(self) -> bool:
        """Whether no target was missed."""
        return all(figure.is_met is not False for _, figure in self._figures)


def _row(figure: Figure) -> str:
    value = "-" if figure.value is None else f"{figure.value:.2f} {figure.unit}".strip()
    if figure.at_most is not None:
        target = f"<= {figure.at_most:g}"
    else:
        target = f">= {figure.at_least:g}" if figure.at_least else ""
    verdict = {True: "met" if target else "", False: "MISSED", None: "not measured"}[figure.is_met]
    note = f"  ({figure.note})" if figure.note else ""
    return f"{figure.name:{_WIDTH}} {target:>12} {value:>12}  {verdict}{note}"
