"""Sensei for newcomers: the aim, what is left of the turn, who gets a pass, the end."""

from damier.core.guidance import Guide, cell_list, sentences
from damier.core.kernel.bits import bit_count
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, counted, message
from damier.games.sensei.notation import CELLS, NAMES
from damier.games.sensei.rules import (
    CHARACTER,
    COLUMN_A,
    COLUMN_G,
    END,
    NEIGHBOURS,
    PITS,
    SLIDES,
    TOUCHING,
    character,
    character_moves_left,
    edges,
    grow,
    is_home,
    kind_of,
    origin_of,
    outcome,
    passes,
    settled,
    side_of,
    stone_moves_left,
    stones,
    target_of,
)


def aim(rules: Rules) -> Message:
    """Returns the aim."""
    return message("Be the first to pass your character to one of your stones on the row where the opponent began.")


def aim_position(rules: Rules) -> str | None:
    """Returns a pass that has won; none for boards with pits, which lie where they were chosen to lie."""
    return None if rules[PITS] else "RGRRRRR/7/7/4G2/1R5/7/G1GG1GG g b7,d7 1,0"


def legend(rules: Rules) -> dict[str, Message]:
    """Returns what the two characters are."""
    return {
        "sage": message(
            "The sage is Green's character. The stone under it cannot move; it is passed to a stone in line."
        ),
        "monkey": message(
            "The monkey is Red's character. The stone under it cannot move; it is passed to a stone in line."
        ),
    }


def guide(rules: Rules, state: State) -> Guide:
    """Returns what to do, from what is left of the turn and possible."""
    can_move, can_pass, can_end = _can_move(rules, state), _can_pass(state), not settled(rules, state)
    how = sentences(_stone_rule(rules) if can_move else None, _pass_rule(state) if can_pass else None)
    return Guide(
        _title(can_move, can_pass, can_end),
        how if can_move or can_pass else message("Nothing else is possible."),
        _phase(state),
    )


def next_click(rules: Rules, state: State, clicked: tuple[str, ...]) -> Message:
    """Returns what to choose after the character or a stone."""
    if CELLS[character(state[0])] == clicked[0]:
        return message("Choose the stone that gets the character")
    if rules[SLIDES]:
        return message("Choose an empty cell in its row or column")
    return message("Choose an empty cell beside it")


def effect(rules: Rules, state: State, action: int) -> Message:
    """Returns what an action does and whether it is the last of the turn."""
    side, kind = side_of(state), kind_of(action)
    player, enemy = NAMES[side], NAMES[1 - side]
    if kind == END:
        return message("{player} ends the turn; {enemy} is next.", player=player, enemy=enemy)
    cell, target = CELLS[origin_of(action)], CELLS[target_of(action)]
    if kind == CHARACTER:
        done = _pass_sentence(side, cell, target)
    else:
        done = message("{player} moves a stone from {cell} to {target}.", player=player, cell=cell, target=target)
    is_last = stone_moves_left(state) + character_moves_left(state) == 1
    return sentences(done, message("This ends the turn; {enemy} is next.", enemy=enemy) if is_last else None)


def winning(rules: Rules, state: State) -> list[str]:
    """Returns the stone of the character that is home, or the stones that touch the chain of unfair play."""
    winner = outcome(rules, state)
    own = state[0] if winner == side_of(state) else state[1]
    if is_home(own, winner):
        return [CELLS[character(own)]]
    return _names_of(edges(_chain(rules, state)) & stones(own))


def end_words(rules: Rules, state: State) -> Message:
    """Returns where the character is, or that a chain is unfair."""
    winner = outcome(rules, state)
    if is_home(state[0] if winner == side_of(state) else state[1], winner):
        return message("the monkey is on row 1") if winner else message("the sage is on row 7")
    return message("unfair play by {player}", player=NAMES[1 - winner])


def end_details(rules: Rules, state: State) -> Message:
    """Returns the stone that carries the character home, or the chain and the stones that touch it."""
    winner, cells = outcome(rules, state), winning(rules, state)
    if is_home(state[0] if winner == side_of(state) else state[1], winner):
        return message(
            "{player}'s character is on {cell}, on the row where {enemy} began.",
            player=NAMES[winner],
            enemy=NAMES[1 - winner],
            cell=cells[0],
        )
    return message(
        "{enemy}'s chain {chain} spans the board, and stones of {player} touch it on {cells}.",
        enemy=NAMES[1 - winner],
        chain=cell_list(_names_of(_chain(rules, state))),
        player=NAMES[winner],
        cells=cell_list(cells),
    )


def _title(can_move: bool, can_pass: bool, can_end: bool) -> Message:
    if can_move and can_pass:
        if can_end:
            return message("Move a stone, pass the character, or end the turn")
        return message("Choose a stone to move, or the character to pass")
    if can_move:
        return message("Move a stone or end the turn") if can_end else message("Choose a stone to move")
    if can_pass:
        return message("Pass the character or end the turn") if can_end else message("Pass the character")
    return message("End the turn")


def _phase(state: State) -> Message:
    count, has_pass = stone_moves_left(state), character_moves_left(state)
    if not count:
        return message("Left in this turn: a pass")
    if has_pass:
        return counted(
            "Left in this turn: {count} stone move and a pass",
            "Left in this turn: {count} stone moves and a pass",
            count=count,
        )
    return counted("Left in this turn: {count} stone move", "Left in this turn: {count} stone moves", count=count)


def _stone_rule(rules: Rules) -> Message:
    if not rules[SLIDES]:
        return message("A stone moves one cell along its row or column; the one with the character stays.")
    if rules[PITS]:
        return message(
            "A stone slides along its row or column over empty cells, never over a pit; "
            "the one with the character stays."
        )
    return message("A stone slides along its row or column over empty cells; the one with the character stays.")


def _pass_rule(state: State) -> Message:
    return message(
        "The character is passed to a stone of {player} in a straight line, diagonals too; "
        "only stones of {enemy} block it.",
        player=NAMES[side_of(state)],
        enemy=NAMES[1 - side_of(state)],
    )


def _pass_sentence(side: int, cell: str, target: str) -> Message:
    """Returns who gets the character, and over which cells it goes."""
    between = _between(cell, target)
    values = {"cell": cell, "target": target, "cells": cell_list(between)}
    if not between:
        if side:
            return message("The monkey is passed from {cell} to the stone on {target}.", **values)
        return message("The sage is passed from {cell} to the stone on {target}.", **values)
    if side:
        return message("The monkey is passed from {cell} over {cells} to the stone on {target}.", **values)
    return message("The sage is passed from {cell} over {cells} to the stone on {target}.", **values)


def _between(cell: str, target: str) -> list[str]:
    """Returns the cells between two cells in line."""
    first, last = CELLS.index(cell), CELLS.index(target)
    across, up = last % 7 - first % 7, last // 7 - first // 7
    length = max(abs(across), abs(up))
    return [CELLS[first + step * (across // length + 7 * (up // length))] for step in range(1, length)]


def _can_move(rules: Rules, state: State) -> bool:
    """Tells whether a stone can move: the first cell of its way is a neighbour in every variant."""
    own, blocked = stones(state[0]), stones(state[0]) | stones(state[1]) | rules[PITS]
    movable = own & ~(1 << character(state[0]))
    return bool(stone_moves_left(state)) and any(
        movable >> cell & 1 and NEIGHBOURS[cell] & ~blocked for cell in range(49)
    )


def _can_pass(state: State) -> bool:
    own, enemy = stones(state[0]), stones(state[1])
    return bool(character_moves_left(state) and passes(character(state[0]), own, enemy))


def _chain(rules: Rules, state: State) -> int:
    """Returns the chain, pits included, by which the loser has lost."""
    is_own = outcome(rules, state) != side_of(state)
    blocker, enemy = (state[0], state[1]) if is_own else (state[1], state[0])
    wall = stones(blocker) | rules[PITS]
    seeds = wall & COLUMN_A
    while seeds:
        group = grow(seeds & -seeds, wall)
        if group & COLUMN_G and bit_count(edges(group) & stones(enemy)) >= TOUCHING:
            return group
        seeds &= ~group
    return 0


def _names_of(cells: int) -> list[str]:
    return [name for cell, name in enumerate(CELLS) if cells >> cell & 1]
