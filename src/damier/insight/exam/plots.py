"""The plots of the page about the exam: what each agent loses, and a map of where it errs.

Plots have a panel of their own, so that they can be read on a dark page too. Every number that is drawn is also text.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from damier.draw.markup import label, number
from damier.draw.palette import THEMES
from damier.insight.exam.groups import PHASES, bands_of

if TYPE_CHECKING:
    from damier.insight.exam.exam import ExamResult

_THEME = THEMES["light"]
_WIDTH, _NAMES, _RIGHT = 620, 190, 600  # of the plot; where its field begins and ends
_TOP, _ROW = 62, 22
_PALE, _STRONG = 0.06, 0.62  # opacity of a group without errors, and of one with errors only


def loss_plot(results: Sequence[ExamResult], title: str) -> str:
    """Returns bars: the mean value that each agent loses in the sample and in a decision of play."""
    most = max((max(each.sample.all.value_lost, each.play.all.value_lost) for each in results), default=0) or 1
    scale = (_RIGHT - 46 - _NAMES) / most
    rows = []
    for place, each in enumerate(results):
        y = _TOP + place * _ROW
        rows.append(label(_NAMES - 8, y + 13, _short(each.agent), _THEME.ink, 12, "end"))
        for half, (kind, group) in enumerate((("sample", each.sample.all), ("play", each.play.all))):
            width = group.value_lost * scale
            rows.append(
                f"<g><title>{escape(f'{each.agent}, {kind}: {group.value_lost:.4f}')}</title>"
                f'<rect x="{_NAMES}" y="{y + 1 + 9 * half}" width="{number(max(width, 0.6))}" height="8" '
                f'fill="{_colour(kind)}"/></g>'
            )
        rows.append(label(_RIGHT, y + 13, f"{each.sample.all.value_lost:.4f}", _THEME.soft, 11, "end"))
    legend = [
        f'<rect x="{x}" y="36" width="14" height="8" fill="{_colour(kind)}"/>'
        + label(x + 20, 44, text, _THEME.soft, 11)
        for x, kind, text in ((_NAMES, "sample", "in the sample"), (_NAMES + 120, "play", "in play"))
    ]
    said = "; ".join(
        f"{each.agent}: {each.sample.all.value_lost:.4f} in the sample, {each.play.all.value_lost:.4f} in play"
        for each in results
    )
    return _document(title, said, len(results), [*legend, *rows])


def error_map(results: Sequence[ExamResult], title: str, *, has_chance: bool) -> str:
    """Returns a map with a row for each agent and a column for each group of the sample: the share of errors."""
    groups = [name for name in (*PHASES, *bands_of(has_chance=has_chance)) if _has(results, name)]
    step = (_RIGHT - _NAMES) / max(1, len(groups))
    drawn = [label(_NAMES - 8, 57, "positions", _THEME.soft, 11, "end")]
    for place, name in enumerate(groups):
        count = max(each.sample.groups[name].decisions for each in results if name in each.sample.groups)
        middle = _NAMES + (place + 0.5) * step
        drawn.append(label(middle, 43, name, _THEME.soft, 11, "middle"))
        drawn.append(label(middle, 57, f"{count}", _THEME.soft, 11, "middle"))
    said = []
    for row, each in enumerate(results):
        y = _TOP + row * _ROW
        drawn.append(label(_NAMES - 8, y + 15, _short(each.agent), _THEME.ink, 12, "end"))
        for place, name in enumerate(groups):
            if group := each.sample.groups.get(name):
                x, share = _NAMES + place * step, f"{100 * group.errors:.0f} %"
                drawn.append(
                    f"<g><title>{escape(f'{each.agent}, {name}: {share}')}</title>"
                    f'<rect x="{number(x + 1)}" y="{y}" width="{number(step - 2)}" height="{_ROW - 2}" '
                    f'fill="{_THEME.accent}" fill-opacity="{number(_PALE + (_STRONG - _PALE) * group.errors)}"/></g>'
                )
                drawn.append(label(x + step / 2, y + 14, share, _THEME.ink, 11, "middle"))
        shares = ", ".join(f"{name} {100 * group.errors:.0f} %" for name, group in each.sample.groups.items())
        said.append(f"{each.agent}: {shares}")
    return _document(title, "; ".join(said), len(results), drawn)


def _short(agent: str) -> str:
    """Returns an agent as a row has room for it: a Python function without its packages."""
    kind, _, function = agent.partition(":")
    return function.rpartition(".")[2] if kind == "python" else agent


def _has(results: Sequence[ExamResult], name: str) -> bool:
    return any(name in each.sample.groups for each in results)


def _colour(kind: str) -> str:
    return _THEME.target if kind == "sample" else _THEME.accent


def _document(title: str, said: str, rows: int, parts: Sequence[str]) -> str:
    height = _TOP + rows * _ROW + 14
    prefix = "damier-" + sha256(f"{title} {said}".encode()).hexdigest()[:10]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-labelledby="{prefix}-title {prefix}-desc">\n'
        f'<title id="{prefix}-title">{escape(title)}</title>\n<desc id="{prefix}-desc">{escape(said)}.</desc>\n'
        f'<rect width="{_WIDTH}" height="{height}" rx="12" fill="{_THEME.panel}"/>\n'
        + "\n".join([label(14, 24, title, _THEME.ink, 14), *parts])
        + "\n</svg>\n"
    )
