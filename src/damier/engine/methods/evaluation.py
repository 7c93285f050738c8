"""What judges positions in a search: the weights made by hand, or a network that has learned from games."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument
from damier.core.kernel.bind import bind
from damier.core.kernel.network import read_network, word_count
from damier.core.messages import message, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.core.game import Game

HAND_MADE = "hand-made"
"""The weights of ``evaluate.py``."""

LEARNED = "learned"
"""The game's network, even where it is not what the game plays with. Any other text is the file of a network."""


def check_evaluation(game: Game, evaluation: str | None) -> None:
    """Refuses an evaluation that the game does not have."""
    network_words(game, evaluation)


@functools.lru_cache(maxsize=32)
def rules_for(game: Game, evaluation: str | None, is_compiled: bool) -> Any:
    """Returns the numbers that a search takes as rules, with the words of the network behind them if there is one."""
    numbers = [*game.rules, *network_words(game, evaluation)]
    if not is_compiled:
        return numbers
    import numpy as np

    return np.array(numbers)


def network_words(game: Game, evaluation: str | None) -> Sequence[int]:
    """Returns the words of the network that judges positions, none if the weights made by hand do."""
    network = game.definition.network(game.options)
    if evaluation == HAND_MADE or (evaluation is None and not (network and network.is_used)):
        return ()
    if network is None:
        raise BadArgument(message("{game} is not judged by a network.", game=game.title))
    file = Path(evaluation) if evaluation not in (None, LEARNED) else network.file
    try:
        return read_network(file, network_size(game))
    except (OSError, ValueError):
        raise BadArgument(
            message("{file} is not the file of a network for {game}.", file=shown(str(file)), game=game.title)
        ) from None


def network_size(game: Game) -> int:
    """Returns how many words a network of a game has."""
    kernels = bind(game.definition.rules, game.definition.evaluate)
    return word_count(kernels.INPUT_COUNT, kernels.PHASE_COUNT, len(kernels.WEIGHTS))
