"""Trains an evaluation network in floating point, by Adam on batches, with JAX: the extra ``damier[train]``.

The network is the one of ``core/kernel/network.py``. It predicts a mixture of what a search says of a position and of
how the game ended; every mirror image of a position counts. What the blocks of inputs have in common is learned as rows
of its own. The terms begin with the weights made by hand. An epoch depends on the seed and its number alone, so a
training that was interrupted goes on after its last whole epoch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from damier.core.errors import BadArgument
from damier.core.folders import cannot_write, replacing
from damier.core.kernel.bind import bind
from damier.core.kernel.network import HIDDEN
from damier.core.messages import message
from damier.core.ranges import check_whole

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.insight.train.examples import Examples

Weights = dict[str, Any]
"""The arrays of a network in floating point, by name."""

OUTPUT_UNIT = 4.0
"""Log-odds to one of an output weight, so that all weights that are learned are of about the same size."""

_MOST_EPOCHS = 1000
_CLIP = 3.0  # largest weight of a row
_TERM_PACE = 0.3  # how fast the terms learn, beside the rest


@dataclass(frozen=True)
class Course:
    """How a network is trained."""

    epochs: int = 12
    batch: int = 4096
    rate: float = 0.002
    """Learning rate of the first step; it falls to 0 in a straight line."""

    decay: float = 1.0
    """Weight decay of the rows of inputs at each step, in learning rates."""

    result_share: float = 0.4
    """How much of what is predicted is the result of the game; the rest is the value of the search."""

    stretch: float = 1.4
    """What all outputs are multiplied by in the end: search prunes by them, and plays best if they are larger."""

    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("epochs", self.epochs, 1, _MOST_EPOCHS)
        check_whole("seed", self.seed, 0, 1 << 63)


@dataclass(frozen=True)
class Epoch:
    """How well a network predicts after an epoch: cross-entropy in nats, beyond that of a perfect prediction."""

    number: int
    loss: float
    held_out: float
    """The same for games that it does not learn from."""


def train(
    game: Game,
    examples: Examples,
    course: Course,
    report: Callable[[Epoch], None] = lambda _epoch: None,
    folder: Path | None = None,
) -> tuple[Weights, list[Epoch]]:
    """Returns the weights of a network that has learned from examples, and how it went; `folder` keeps each epoch.

    Raises `BadArgument` if all examples are held out.
    """
    import jax
    import jax.numpy as jnp

    kernels = bind(game.definition.rules, game.definition.evaluate)
    views, terms, phases, target, is_held_out = examples.arrays()
    learned, held_out = np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)
    if not len(learned):
        raise BadArgument(message("There are no positions to learn from: play more games."))
    step, measure = _step(kernels, course, np.abs(terms).max(0)), jax.jit(_loss_of(kernels))
    learning = _Learning(folder, json.dumps({**asdict(course), "examples": examples.digest, "hidden": HIDDEN}))
    weights = {name: jnp.asarray(value, jnp.float32) for name, value in _first_weights(kernels, course.seed).items()}
    first, second = (jax.tree.map(jnp.zeros_like, weights) for _ in range(2))
    weights, first, second = learning.load((weights, first, second))
    floor, held_floor = _entropy(target[learned]), _entropy(target[held_out])
    size = min(course.batch, len(learned))
    steps = len(learned) // size
    for epoch in range(len(learning.history) + 1, course.epochs + 1):
        rng, losses, number = np.random.default_rng([course.seed, epoch]), [], (epoch - 1) * steps
        for chosen in _batches(learned, size, rng):
            rate = course.rate * (1 - number / (steps * course.epochs))
            number += 1
            batch = views[rng.integers(len(views))][chosen], terms[chosen], phases[chosen], target[chosen]
            weights, first, second, value = step(weights, first, second, number, rate, *batch)
            losses.append(float(value))
        held = [
            float(measure(weights, views[0][part], terms[part], phases[part], target[part])) * len(part)
            for part in np.array_split(held_out, max(1, len(held_out) // size))
            if len(part)
        ]
        loss, held_loss = sum(losses) / len(losses) - floor, sum(held) / max(1, len(held_out)) - held_floor
        learning.keep((weights, first, second), Epoch(epoch, loss, held_loss))
        report(learning.history[-1])
    return {name: np.asarray(value) for name, value in weights.items()}, learning.history


def _loss_of(kernels: SimpleNamespace) -> Callable[..., Any]:
    """Returns the mean cross-entropy as a function of weights and examples."""
    import jax.numpy as jnp

    block, blocked = kernels.INPUT_BLOCK, kernels.INPUT_BLOCK * kernels.BLOCK_COUNT

    def hidden(w: Weights, inputs: Any) -> Any:
        rows = jnp.where((inputs >= 0)[..., None], w["rows"][inputs], 0).sum(1) + w["biases"]
        if blocked:
            is_blocked = (inputs >= 0) & (inputs < blocked)
            rows = rows + jnp.where(is_blocked[..., None], w["shared"][inputs % block], 0).sum(1)
        return jnp.clip(rows, 0, 1)

    def loss(w: Weights, inputs: Any, terms: Any, phases: Any, target: Any) -> Any:
        both = jnp.concatenate([hidden(w, inputs[:, 0]), hidden(w, inputs[:, 1])], 1)
        odds = OUTPUT_UNIT * ((both * w["outputs"][phases]).sum(1) + w["output_biases"][phases]) + terms @ w["terms"]
        return (jnp.logaddexp(0, odds) - target * odds).mean()

    return loss


def _step(kernels: SimpleNamespace, course: Course, most_terms: NDArray[Any]) -> Callable[..., Any]:
    """Returns a step of Adam as a function of weights, both moments, the step's number, the rate and a batch."""
    import jax
    import jax.numpy as jnp

    loss = _loss_of(kernels)
    # a term moves the odds by as much as it is large: its weight takes steps that are smaller by that
    paces: Weights = dict.fromkeys(_first_weights(kernels, 0), 1.0) | {"terms": _TERM_PACE / np.maximum(1, most_terms)}

    def step(w: Weights, first: Weights, second: Weights, number: Any, rate: Any, *batch: Any) -> Any:
        value, slope = jax.value_and_grad(loss)(w, *batch)
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, slope)
        scale, size = rate / (1 - 0.9**number), 1 - 0.999**number
        w = jax.tree.map(
            lambda p, m, v, pace: p - scale * pace * m / (jnp.sqrt(v / size) + 1e-8), w, first, second, paces
        )
        w["rows"] = jnp.clip(w["rows"] * (1 - rate * course.decay), -_CLIP, _CLIP)
        return w, first, second, value

    return jax.jit(step)


def _first_weights(kernels: SimpleNamespace, seed: int) -> Weights:
    """Returns small random weights, and those made by hand for the terms."""
    rng = np.random.default_rng(seed)
    return {
        "rows": rng.normal(0, 0.02 if kernels.BLOCK_COUNT else 0.1, (kernels.INPUT_COUNT, HIDDEN)),
        "shared": rng.normal(0, 0.1, (max(1, kernels.INPUT_BLOCK), HIDDEN)),
        "biases": np.full(HIDDEN, 0.3),
        "outputs": rng.normal(0, 0.02, (1, 2 * HIDDEN)).repeat(kernels.PHASE_COUNT, 0),
        "output_biases": np.zeros(kernels.PHASE_COUNT),
        "terms": np.array(kernels.WEIGHTS) / 1000,
    }


def _batches(rows: NDArray[Any], size: int, rng: np.random.Generator) -> Iterator[NDArray[Any]]:
    """Yields the rows in random order; the last ones are left out if they do not fill a batch."""
    shuffled = rng.permutation(rows)
    for begin in range(0, len(rows) - size + 1, size):
        yield shuffled[begin : begin + size]


def _entropy(target: NDArray[Any]) -> float:
    """Returns the cross-entropy of a perfect prediction."""
    if not len(target):
        return 0.0
    chance = np.clip(target.astype(float), 1e-9, 1 - 1e-9)
    return float(-(chance * np.log(chance) + (1 - chance) * np.log(1 - chance)).mean())


class _Learning:
    """What was learned after the last epoch, in a file of the folder; one of another training is left aside."""

    def __init__(self, folder: Path | None, setting: str) -> None:
        self._file = folder / "learned.npz" if folder else None
        self._setting = setting
        self.history: list[Epoch] = []

    def load(self, arrays: tuple[Weights, ...]) -> tuple[Weights, ...]:
        """Returns the arrays of the file, those given if there is none."""
        if self._file is None or not self._file.exists():
            return arrays
        try:
            with np.load(self._file) as stored:
                if str(stored["setting"]) != self._setting:
                    return arrays
                found = tuple({name: stored[f"{i} {name}"] for name in each} for i, each in enumerate(arrays))
                history = [Epoch(**each) for each in json.loads(str(stored["history"]))]
        except Exception:  # whatever a damaged file makes its reader raise: begin anew
            return arrays
        self.history = history
        return found

    def keep(self, arrays: tuple[Weights, ...], epoch: Epoch) -> None:
        """Adds an epoch and writes the file, which then has all arrays or is as it was."""
        self.history.append(epoch)
        if self._file is None:
            return
        named = {f"{i} {name}": value for i, each in enumerate(arrays) for name, value in each.items()}
        history = json.dumps([asdict(each) for each in self.history])
        try:
            with replacing(self._file) as stream:
                np.savez(stream, setting=np.array(self._setting), history=np.array(history), **named)
        except OSError as error:
            raise cannot_write(self._file, error.errno) from None
