"""Omba for newcomers: the aim, how to use the die, what a move covers and uncovers, the end."""

from damier.core.guidance import Guide, sentences
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, counted, message
from damier.games.omba.appearance import action_routes
from damier.games.omba.notation import CELLS, out_players, player_name, stack
from damier.games.omba.rules import (
    ENTER,
    OUTSIDE,
    PLAYERS,
    ROLL,
    die,
    ends,
    hand,
    height,
    is_top,
    kind_of,
    origin_of,
    target_of,
    turn,
)


def aim(rules: Rules) -> Message:
    """Returns the aim."""
    return message("Be the last who can still move: whoever cannot use the number rolled is out.")


def aim_position(rules: Rules) -> str | None:
    """Returns a player who could not move, where two play."""
    return "-,-,111112/-,-,-/-,21,- 2 0,4 - 1" if rules[PLAYERS] == 2 else None


def guide(rules: Rules, state: State) -> Guide:
    """Returns what to do with the number rolled."""
    points, player = die(state), turn(state)
    can_enter = bool(hand(state, player) and ends(state[0], OUTSIDE, 0, points, True))
    can_move = any(_can_move(state, cell) for cell in range(9))
    step = message("A step to a neighbouring cell costs 1 point and 1 more for each level up or down; no cell twice.")
    entry = message("A piece comes in by the middle of a side: 1 point and 1 more for each piece there.")
    return Guide(
        _title(points, can_enter, can_move),
        sentences(step, entry if can_enter else None),
        message("The die shows {points}", points=points),
    )


def next_click(rules: Rules, state: State, clicked: tuple[str, ...]) -> Message:
    """Returns what to choose after a piece or the hand."""
    return counted(
        "Choose the cell where it ends after exactly {count} point",
        "Choose the cell where it ends after exactly {count} points",
        count=die(state),
    )


def effect(rules: Rules, state: State, action: int) -> Message | None:
    """Returns which way the piece goes, what it covers and what it uncovers."""
    kind = kind_of(action)
    if kind == ROLL:
        return None
    player, way = turn(state), action_routes(rules, state, action)[0]
    values = {"player": player_name(player), "cell": way[0], "way": " – ".join(way[1:])}
    if kind == ENTER:
        done = counted(
            "{player} brings in a piece for {count} point: {way}. Still in hand: {left}.",
            "{player} brings in a piece for {count} points: {way}. Still in hand: {left}.",
            count=die(state),
            left=hand(state, player) - 1,
            **values,
        )
        return sentences(done, _covered(state, target_of(action)))
    done = counted(
        "{player} moves from {cell} for {count} point: {way}.",
        "{player} moves from {cell} for {count} points: {way}.",
        count=die(state),
        **values,
    )
    return sentences(done, _uncovered(state, origin_of(action)), _covered(state, target_of(action)))


def winning(rules: Rules, state: State) -> list[str]:
    """Returns the cells on which the winner's pieces are on top."""
    return [CELLS[cell] for cell in range(9) if is_top(state, cell, turn(state))]


def end_words(rules: Rules, state: State) -> Message:
    """Returns who is out."""
    if rules[PLAYERS] == 2:
        return message("{player} is out", player=player_name(out_players(state)[0]))
    return message("all others are out")


def end_details(rules: Rules, state: State) -> Message:
    """Returns who could not move, in their order."""
    losers = [player_name(player) for player in out_players(state)]
    if len(losers) == 1:
        return message("{player} could not use the number rolled.", player=losers[0])
    if len(losers) == 2:
        return message("Out, in this order: {first}, {second}.", first=losers[0], second=losers[1])
    return message(
        "Out, in this order: {first}, {second}, {third}.", first=losers[0], second=losers[1], third=losers[2]
    )


def _title(points: int, can_enter: bool, can_move: bool) -> Message:
    if can_enter and can_move:
        return counted(
            "Use exactly {count} point: move a piece that is on top, or bring one in",
            "Use exactly {count} points: move a piece that is on top, or bring one in",
            count=points,
        )
    if can_enter:
        return counted(
            "Bring in a piece with exactly {count} point", "Bring in a piece with exactly {count} points", count=points
        )
    return counted(
        "Move a piece that is on top with exactly {count} point",
        "Move a piece that is on top with exactly {count} points",
        count=points,
    )


def _can_move(state: State, cell: int) -> bool:
    level = height(state[0], cell) - 1
    return is_top(state, cell, turn(state)) and ends(state[0], cell, level, die(state), True) != 0


def _covered(state: State, cell: int) -> Message | None:
    """Returns whose piece is buried on the cell where a piece ends."""
    pieces = stack(state, cell)
    return message("Covers a piece of {player}.", player=player_name(pieces[-1])) if pieces else None


def _uncovered(state: State, cell: int) -> Message | None:
    """Returns whose piece is free again when the top of a stack leaves."""
    pieces = stack(state, cell)
    return message("Uncovers a piece of {player}.", player=player_name(pieces[-2])) if len(pieces) > 1 else None
