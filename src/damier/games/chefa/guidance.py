"""Chefa for newcomers: the aim, what to do in each phase, what a step or a swap does, the end."""

from damier.core.guidance import Guide, cell_list, sentences
from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, counted, message
from damier.games.chefa.notation import CELLS, NAMES
from damier.games.chefa.rules import (
    COLUMN,
    NEIGHBOURS,
    PAWNS,
    PLACE,
    ROW,
    SQUARE,
    STEP,
    is_open_line,
    is_placing,
    kind_of,
    ko_of,
    origin_of,
    outcome,
    pair,
    side_of,
    target_of,
)


def aim(rules: Rules) -> Message:
    """Returns the aim."""
    return message("Be the first to have all four pawns in one row or column, gaps allowed, or in a square of 2 × 2.")


def aim_position(rules: Rules) -> str:
    """Returns four in a row with a gap."""
    return "W4/3W1/1W3/BB1BB/4W w 0,0 -"


def legend(rules: Rules) -> dict[str, Message]:
    """Returns what the mark of a ko means."""
    return {"ko": message("Ko: the pawns on these two cells have just changed places. That may not be undone at once.")}


def guide(rules: Rules, state: State) -> Guide:
    """Returns what to do: place a pawn, later step or swap."""
    if is_placing(state[0]):
        return Guide(
            message("Place a pawn on an empty cell"),
            message(
                "Any empty cell will do except the hole in the centre. Four in a line or in a square win already now."
            ),
            counted("Placing: {count} pawn left", "Placing: {count} pawns left", count=PAWNS - bit_count(state[0])),
        )
    how = message(
        "A pawn steps to an empty cell beside it, or changes places with an enemy pawn in its row or column if no pawn "
        "is between them."
    )
    ko = ko_of(state)
    held = message("{cell} and {target} may not be swapped back now.", cell=CELLS[ko >> 5], target=CELLS[ko & 31])
    return Guide(
        message("Step with a pawn or swap it with an enemy pawn"),
        sentences(how, held if ko else None),
        message("Moving"),
    )


def next_click(rules: Rules, state: State, clicked: tuple[str, ...]) -> Message:
    """Returns what to choose after a pawn: what it can do."""
    cell, pawns = CELLS.index(clicked[0]), state[0] | state[1]
    can_step = bool(NEIGHBOURS[cell] & ~pawns)
    can_swap = any(
        state[1] & bit(other) and is_open_line(cell, other, pawns) and pair(cell, other) != ko_of(state)
        for other in range(25)
    )
    if can_step and can_swap:
        return message("Choose an empty cell beside it, or an enemy pawn to swap with")
    if can_step:
        return message("Choose an empty cell beside it")
    return message("Choose an enemy pawn to swap with")


def effect(rules: Rules, state: State, action: int) -> Message:
    """Returns what an action does."""
    player, enemy = NAMES[side_of(state)], NAMES[1 - side_of(state)]
    kind, cell, target = kind_of(action), CELLS[origin_of(action)], CELLS[target_of(action)]
    if kind == PLACE:
        left = PAWNS - bit_count(state[0]) - 1
        return message(
            "{player} places a pawn on {cell}; still to place: {left}.", player=player, cell=target, left=left
        )
    if kind == STEP:
        return message("{player} moves a pawn from {cell} to {target}.", player=player, cell=cell, target=target)
    return message(
        "{player} goes from {cell} to {target}, {enemy} from {target} to {cell}; {enemy} may not undo it at once.",
        player=player,
        enemy=enemy,
        cell=cell,
        target=target,
    )


def winning(rules: Rules, state: State) -> list[str]:
    """Returns the four pawns of the winner."""
    pawns = _winners_pawns(rules, state)
    return [name for cell, name in enumerate(CELLS) if pawns & bit(cell)]


def end_words(rules: Rules, state: State) -> Message:
    """Returns what the four pawns form."""
    pawns = _winners_pawns(rules, state)
    first = lowest(pawns)
    if pawns == SQUARE[first]:
        return message("four in a square")
    if pawns & ~ROW[first] == 0:
        return message("four in row {row}", row=CELLS[first][1])
    assert pawns & ~COLUMN[first] == 0
    return message("four in column {column}", column=CELLS[first][0])


def end_details(rules: Rules, state: State) -> Message:
    """Returns where the four pawns are."""
    player = NAMES[outcome(rules, state)]
    return message("{player} has pawns on {cells}.", player=player, cells=cell_list(winning(rules, state)))


def _winners_pawns(rules: Rules, state: State) -> int:
    return state[0] if outcome(rules, state) == side_of(state) else state[1]
