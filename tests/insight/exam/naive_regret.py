"""A naive twin of the regret: from the values of the positions after each action, with no code of the exam."""

from __future__ import annotations

import damier
from damier.solve.tables import Tables


def worth(tables: Tables, position: damier.Position, player: str) -> float:
    """Returns 1, 0 or -1 for the player, or the chance to win where a die decides."""
    if position.result:
        won = position.result.winner
        if tables.game.traits.has_chance:
            return float(won == player)
        return 0 if won is None else 1 if won == player else -1
    value = tables.probe_value(position)
    is_own = tables.player(position) == player
    if tables.game.traits.has_chance:
        return value.chance if is_own else 1 - value.chance
    return {"win": 1, "draw": 0, "loss": -1}[value.outcome] * (1 if is_own else -1)


def plies_after(tables: Tables, position: damier.Position) -> int | None:
    """Returns the distance to the end after an action."""
    return 0 if position.result else tables.probe_value(position).plies


def naive_losses(tables: Tables, position: damier.Position) -> dict[str, tuple[float, int | None]]:
    """Returns the value lost by each action, and the plies if it keeps a win or a loss."""
    after = {action: position.play(action) for action in position.actions()}
    worths = {action: worth(tables, each, position.mover) for action, each in after.items()}
    best = max(worths.values())
    found: dict[str, tuple[float, int | None]] = {}
    has_plies = best != 0 and not tables.game.traits.has_chance
    kept = {action: plies_after(tables, after[action]) or 0 for action in worths if worths[action] == best}
    ideal = min(kept.values()) if best > 0 else max(kept.values())
    for action, value in worths.items():
        plies = abs(kept[action] - ideal) if has_plies and action in kept else None
        found[action] = best - value, plies
    return found
