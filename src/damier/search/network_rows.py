"""The inputs, phases and terms of many states at once, as an algorithm that is bound to a game: for training."""

from collections.abc import Sequence

from damier.core.kernel.contract import Rules, State, Words, inputs, mover, permute, phase, terms


def write_inputs(rules: Rules, state: State, out: Words, at: int, width: int, room: Words) -> None:
    """Writes the inputs as the player on move sees a state, then as the other one does; -1 where there are fewer."""
    for view in range(2):
        n = inputs(rules, state, mover(rules, state) ^ view, room)
        for i in range(width):
            out[at + view * width + i] = room[i] if i < n else -1


def input_rows(
    rules: Rules, states: Words, count: int, cells: Sequence[int], out: Words, width: int, room: Words
) -> None:
    """Writes the inputs of `count` states after a symmetry of the board, `width` for each of both views."""
    for i in range(count):
        state = permute(rules, (states[3 * i], states[3 * i + 1], states[3 * i + 2]), cells, False)
        write_inputs(rules, state, out, 2 * width * i, width, room)


def term_rows(rules: Rules, states: Words, count: int, phases: Words, out: Words, width: int, room: Words) -> None:
    """Writes the phase and the `width` terms of `count` states."""
    for i in range(count):
        state = (states[3 * i], states[3 * i + 1], states[3 * i + 2])
        phases[i] = phase(rules, state)
        terms(rules, state, room)
        for j in range(width):
            out[width * i + j] = room[j]
