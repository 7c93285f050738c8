"""Groups of decisions: by the phase of the game, and by the value of the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.messages import Message, counted, message

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.solve.value import TableValue

PHASES = ("placing", "moving")
"""While a player has pieces in hand, and after that."""

_LAST_PLIES = (1, 3, 7, 15)  # of each band of distances; the last band has no end
_PARTS = 5  # of the chance to win


def _distance_bands() -> list[str]:
    lows = [1, *(last + 1 for last in _LAST_PLIES)]
    spans = [f"{low}-{last}" if low < last else f"{low}" for low, last in zip(lows, _LAST_PLIES, strict=False)]
    return [f"win {span}" for span in (*spans, f"{lows[-1]}+")]


def _chance_bands() -> list[str]:
    return [f"{100 * part // _PARTS}-{100 * (part + 1) // _PARTS} %" for part in range(_PARTS)]


OUTCOME_BANDS = (*_distance_bands(), "draw")
"""A win of the player on move by its distance in plies, or a draw; in a lost position no action costs anything."""

CHANCE_BANDS = tuple(_chance_bands())
"""The chance to win with the best action."""


def bands_of(*, has_chance: bool) -> tuple[str, ...]:
    """Returns the bands of a game with a die or without one."""
    return CHANCE_BANDS if has_chance else OUTCOME_BANDS


def phase_of(position: Position) -> str:
    """Returns the phase of a position."""
    return PHASES[0] if any(position.hands().values()) else PHASES[1]


def band_of(best: TableValue) -> str | None:
    """Returns the band of a position with this value for the player on move; None if it is lost."""
    if best.outcome == "chance":
        return CHANCE_BANDS[min(int(best.chance * _PARTS), _PARTS - 1)]
    if best.outcome == "win":
        assert best.plies is not None
        return OUTCOME_BANDS[sum(best.plies > last for last in _LAST_PLIES)]
    return "draw" if best.outcome == "draw" else None


def group_name(group: str) -> Message:
    """Returns the name of a phase or a band for people."""
    kind, _, span = group.partition(" ")
    if kind == "win":
        return (
            counted("win in {count} ply", "win in {count} plies", count=1)
            if span == "1"
            else message("win in {plies} plies", plies=span)
        )
    if span:  # of chances
        return message("{chances} to win", chances=group)
    return {"placing": message("placing"), "moving": message("moving"), "draw": message("draw")}[group]
