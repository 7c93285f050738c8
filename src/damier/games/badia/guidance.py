"""Badia for newcomers: the aim, what to do in each phase, where a pushed pawn goes, the pawn that waits, the end."""

from damier.core.guidance import Guide, Waiting, cell_list, sentences
from damier.core.kernel.bits import bit_count
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, counted, message
from damier.games.badia.notation import CELLS, NAMES, PLAYERS
from damier.games.badia.rules import (
    ANSWER,
    ARROWS,
    DISPLACE,
    ONE_ARROW,
    PAWNS,
    PLACE,
    STEP,
    SWAP,
    is_placing,
    kind_of,
    origin_of,
    outcome,
    own_marker_of,
    pending,
    put_of,
    side_of,
    target_of,
)


def aim(rules: Rules) -> Message:
    """Returns the aim."""
    return message(
        "Be the first to have all five pawns side by side around the ring, with exactly one arrow among them."
    )


def aim_position(rules: Rules) -> str:
    """Returns a block that has won, around a corner."""
    return "W1W1W/1...1/1.W.1/B...W/BBBB1 w 0,0 c1,c3 -"


def legend(rules: Rules) -> dict[str, Message]:
    """Returns what the pin of a marked pawn means."""
    return {"marker": message("The marker: this pawn was the last one that its owner moved. Another must move next.")}


def guide(rules: Rules, state: State) -> Guide:
    """Returns what to do: put down a displaced pawn, place one, or move one."""
    player = NAMES[side_of(state)]
    if pending(state):
        how = message(
            "The centre and all arrows were full, so {player} chooses any empty cell, the centre included. Then it is "
            "still {player}'s turn.",
            player=player,
        )
        kept = message("The pawn keeps its marker.") if pending(state) == 2 else None
        return Guide(
            message("Put the displaced pawn on an empty cell"), sentences(how, kept), message("Displaced pawn")
        )
    if is_placing(state):
        return Guide(
            message("Place a pawn on an empty square cell"),
            message("Pawns are not placed on the arrows or in the centre."),
            counted("Placing: {count} pawn left", "Placing: {count} pawns left", count=PAWNS - bit_count(state[0])),
        )
    how = message(
        "A pawn moves to a touching cell. It changes places with an enemy pawn on a square cell, and pushes one away "
        "from an arrow or the centre."
    )
    again = message("No earlier situation may come back.")
    if own_marker_of(state):
        return Guide(message("Move a pawn, but not the one with the marker"), sentences(how, again), message("Moving"))
    return Guide(message("Move a pawn to a cell that it touches"), sentences(how, again), message("Moving"))


def next_click(rules: Rules, state: State, clicked: tuple[str, ...]) -> Message:
    """Returns what to choose after a pawn, and after the enemy pawn that it pushes away."""
    if len(clicked) == 1:
        return message("Choose a touching cell: empty, or with an enemy pawn")
    return message("Choose where the pawn of {player} goes", player=NAMES[1 - side_of(state)])


def effect(rules: Rules, state: State, action: int) -> Message:
    """Returns what an action does and where a pushed pawn goes."""
    player, enemy = NAMES[side_of(state)], NAMES[1 - side_of(state)]
    kind, cell, target = kind_of(action), CELLS[origin_of(action)], CELLS[target_of(action)]
    if kind == PLACE:
        left = PAWNS - bit_count(state[0]) - 1
        return message(
            "{player} places a pawn on {cell}; still to place: {left}.", player=player, cell=target, left=left
        )
    if kind == ANSWER:
        return message("{player} puts the displaced pawn on {cell} and then plays.", player=player, cell=target)
    if kind == STEP:
        return message("{player} moves a pawn from {cell} to {target}.", player=player, cell=cell, target=target)
    if kind == SWAP:
        return message(
            "{player} goes from {cell} to {target}, {enemy} from {target} to {cell}.",
            player=player,
            enemy=enemy,
            cell=cell,
            target=target,
        )
    if kind == DISPLACE:
        return message(
            "{player} goes from {cell} to {target} and pushes the pawn of {enemy} to {put}.",
            player=player,
            enemy=enemy,
            cell=cell,
            target=target,
            put=CELLS[put_of(action)],
        )
    return message(
        "{player} goes from {cell} to {target}; {enemy} puts the pushed pawn on an empty cell and then plays.",
        player=player,
        enemy=enemy,
        cell=cell,
        target=target,
    )


def waiting(rules: Rules, state: State) -> list[Waiting]:
    """Returns the displaced pawn that its owner has to put down."""
    if not pending(state):
        return []
    return [Waiting(PLAYERS[side_of(state)], ("marker",) if pending(state) == 2 else ())]


def winning(rules: Rules, state: State) -> list[str]:
    """Returns the five pawns of the winner, in their order around the ring."""
    pawns = state[0] if outcome(rules, state) == side_of(state) else state[1]
    for first in range(16):
        run = [(first + step) % 16 for step in range(PAWNS)]
        if ONE_ARROW >> first & 1 and all(pawns >> cell & 1 for cell in run):
            return [CELLS[cell] for cell in run]
    return []


def end_words(rules: Rules, state: State) -> Message:
    """Returns the goal in a few words."""
    return message("five in a block")


def end_details(rules: Rules, state: State) -> Message:
    """Returns where the block is and which arrow is in it."""
    cells = winning(rules, state)
    arrow = next(cell for cell in cells if ARROWS >> CELLS.index(cell) & 1)
    return message(
        "{player} has pawns on {cells}, with the arrow on {arrow}.",
        player=NAMES[outcome(rules, state)],
        cells=cell_list(cells),
        arrow=arrow,
    )
