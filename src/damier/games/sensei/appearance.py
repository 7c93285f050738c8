"""How Sensei looks: striped green and dotted red stones, one of each carrying its character, a sage or a monkey."""

from damier.core.drawing import Drawing, Look, Piece, pieces_on, square_cells
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.core.options import Options
from damier.games.sensei.notation import CELLS
from damier.games.sensei.rules import (
    CHARACTER,
    END,
    character,
    character_moves_left,
    kind_of,
    origin_of,
    settled,
    side_of,
    stone_moves_left,
    stones,
    target_of,
)

LOOKS = {
    "g": Look(message("green stone"), "stone", "green", "stripes", "G"),
    "r": Look(message("red stone"), "stone", "red", "dots", "R"),
}
MARKS = {"sage": message("with the sage"), "monkey": message("with the monkey")}
SIGNS = {"sage": "()", "monkey": "()", "pit": "o"}


def drawing(options: Options) -> Drawing:
    """Returns the empty board."""
    pits = dict.fromkeys(str(options.get("pits", "")).split(","), "pit")
    return Drawing(7, 7, square_cells(7, pits), LOOKS, MARKS, SIGNS)


def pieces(rules: Rules, state: State) -> list[Piece]:
    """Returns the stones."""
    green, red = (state[1], state[0]) if side_of(state) else (state[0], state[1])
    return [
        piece
        for player, word, mark in (("g", green, "sage"), ("r", red, "monkey"))
        for piece in pieces_on(CELLS, stones(word), player, {CELLS[character(word)]: (mark,)})
    ]


def captions(rules: Rules, state: State) -> list[Message]:
    """Returns how many moves are left in the turn."""
    return [
        message("Stone moves left: {count}", count=stone_moves_left(state)),
        message("Character moves left: {count}", count=character_moves_left(state)),
    ]


def action_cells(rules: Rules, action: int) -> tuple[str, ...]:
    """Returns the two cells of a move of a stone or a character; the end of a turn is a button."""
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    return () if kind == END else (CELLS[origin], CELLS[to])


def is_meant(rules: Rules, state: State, action: int) -> bool:
    """Tells what a click means: a move of the character if it is on the first cell, else of a stone."""
    return (kind_of(action) == CHARACTER) == (character(state[0]) == origin_of(action))


def first_click(rules: Rules, state: State) -> Message:
    """Returns what can be clicked first, and whether the turn can be ended."""
    if settled(rules, state):
        return message("Click one of your stones or your character.")
    if not character_moves_left(state):
        return message("Click one of your stones, but not the one with the character, or end the turn.")
    if not stone_moves_left(state):
        return message("Click your character, or end the turn.")
    return message("Click one of your stones or your character, or end the turn.")


def action_name(rules: Rules, action: int) -> Message | None:
    """Returns the text of the button that ends the turn."""
    return message("End turn") if kind_of(action) == END else None
