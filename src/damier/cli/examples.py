"""Help examples that can be pasted and run: placeholders stand for a game, because nothing here may name one."""

from damier import Game, games, load
from damier.core.options import WholeNumber

_PLIES = 12  # to the position that examples show


def fill_in(examples: str) -> str:
    """Replaces the placeholders of command lines.

    ``{game}`` is the first game, ``{actions}`` its first two turns, ``{position}`` a position in the middle of a game;
    ``{small}`` is a game with options whose table is built in seconds, ``{learner}`` the first one with a network.
    """
    if "{" not in examples:
        return examples
    name = games()[0]
    return examples.format(
        game=name,
        actions=" ".join(_first_actions(load(name), 2)),
        position=_middle_position(load(name)),
        small=_small_game() if "{small}" in examples else "",
        learner=_learner() if "{learner}" in examples else "",
    )


def _first_actions(game: Game, count: int) -> list[str]:
    record = game.record()
    while len(record.played) < count:
        record.play(record.actions()[0])
    return list(record.played)


def _middle_position(game: Game) -> str:
    """Returns the position after a few actions from all over the list of legal ones."""
    record = game.record()
    while len(record.played) < _PLIES and not record.result:
        actions = record.actions()
        record.play(actions[len(record.played) * 7 % len(actions)])
    return str(record.position)


def _small_game() -> str:
    """Returns the first game that can be solved with an option at its lowest value, and the option."""
    for name in games():
        game = load(name)
        for option in game.definition.options:
            if isinstance(option, WholeNumber) and option.low != option.default:
                small = load(name, **{option.name: option.low})
                if small.definition.why_unsolvable(small.options) is None:
                    return f"{name} -o {option.name}={option.low}"
    return games()[0]


def _learner() -> str:
    """Returns the first game that has a network."""
    return next(name for name in games() if load(name).definition.network(load(name).options))
