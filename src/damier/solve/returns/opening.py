"""How long nobody can force a win from the first position, if the rules forbid a return.

As long as every action raises the `stage` (a piece is placed), no situation can come again. So positions of this
*opening* need no history, and those that symmetry makes of one another count once. After the opening, in the *leaves*,
the history is fresh: every earlier situation is of a lower stage. The path search (``path_search.py``) decides them.

`forces` is the search of this graph. It asks for a leaf only when it needs it: the player who holds out needs one
action, and tries the one that has held for the fewer plies first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.kernel.contract import PLAYING
from damier.solve.returns.path_search import PROVED, REFUTED, STOPPED

if TYPE_CHECKING:
    from damier.core.kernel.contract import State
    from damier.solve.numbering import Numbering

    AskLeaf = Callable[[int, bool, int], int]
    """Returns the answer of the path search for a place, whether the player on move is the winner, and a bound."""


@dataclass(frozen=True)
class Step:
    """Where an action of the opening leads."""

    place: int
    """The place of the position, or -1 if the game is over."""

    is_same: bool
    """Whether the player on move is the same, or has won if the game is over."""


class Opening:
    """The opening of a game, from its first position on."""

    def __init__(self, numbering: Numbering, ask_leaf: AskLeaf) -> None:
        self._numbering, self._ask_leaf = numbering, ask_leaf
        self._game = numbering.game
        self._steps: dict[int, tuple[Step, ...]] = {}
        self._answers: dict[tuple[int, bool, int], int] = {}
        self._held: dict[tuple[int, bool], Step] = {}  # what the player who holds out did last
        self.leaves: set[int] = set()
        """The places of the leaves that have been searched."""

    def forces(self, place: int, is_mover: bool, plies: int) -> int:
        """Tells whether the player on move, or else the other, can force a win in `plies`: as the path search."""
        key = place, is_mover, plies
        if key not in self._answers:
            self._answers[key] = self._search(place, is_mover, plies)
        return self._answers[key]

    def _search(self, place: int, is_mover: bool, plies: int) -> int:
        steps = self._following(place)
        if not steps:
            self.leaves.add(place)
            return self._ask_leaf(place, is_mover, plies)
        if plies == 0:
            return REFUTED
        decisive, found = (PROVED, REFUTED) if is_mover else (REFUTED, PROVED)
        last = self._held.get((place, is_mover))
        for step in sorted(steps, key=lambda step: step != last):
            answer = self._after(step, is_mover, plies - 1)
            if answer == decisive:
                self._held[place, is_mover] = step
                return answer
            if answer == STOPPED:
                found = STOPPED
        return found

    def _after(self, step: Step, is_mover: bool, plies: int) -> int:
        if step.place < 0:
            return PROVED if step.is_same == is_mover else REFUTED
        return self.forces(step.place, is_mover == step.is_same, plies)

    def _following(self, place: int) -> tuple[Step, ...]:
        """Returns where the actions of a position lead, each place once; nothing if one keeps the stage."""
        if place not in self._steps:
            self._steps[place] = self._find_following(self._numbering.state(place))
        return self._steps[place]

    def _find_following(self, state: State) -> tuple[Step, ...]:
        kernels, rules = self._game.kernels, self._game.rules
        out = [0] * kernels.MAX_ACTIONS
        states = [kernels.apply(rules, state, action) for action in out[: kernels.actions(rules, state, out)]]
        if any(kernels.stage(rules, each) <= kernels.stage(rules, state) for each in states):
            return ()
        player, steps = kernels.mover(rules, state), []
        for each in states:
            result = kernels.outcome(rules, each)
            if result == PLAYING:
                steps.append(Step(self._numbering.place(each), kernels.mover(rules, each) == player))
            else:
                steps.append(Step(-1, result == player))
        return tuple(dict.fromkeys(steps))
