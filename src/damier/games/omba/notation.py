"""Omba as text. Position: ``board side hand die out``; actions: ``roll:4``, ``@c3``, ``a1-c2``."""

import re

from damier.core.errors import BadPosition
from damier.core.kernel.cells import cell_names
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message, shown
from damier.core.notation import check_total, malformed, parse_cell, parse_numbers, parse_side, split_fields
from damier.games.omba.rules import (
    ENTER,
    MOVE,
    PIECES,
    PLAYERS,
    ROLL,
    die,
    hand,
    has_action,
    height,
    kind_of,
    origin_of,
    out_count,
    out_player,
    prefix,
    target_of,
    turn,
)

DIGITS = ("1", "2", "3", "4")
CELLS = cell_names(3)
FORMS = {2: ("{}-{}", "{}{}")}
_ACTION = re.compile(r"roll:([1-6])|@([a-z][0-9])|([a-z][0-9])-([a-z][0-9])", re.ASCII)


def stack(state: State, cell: int) -> list[int]:
    """Returns the owners of the pieces on a cell, bottom first."""
    size = height(state[0], cell)
    first = prefix(state[0], cell) - size
    return [state[1] >> 2 * i & 3 for i in range(first, first + size)]


def out_players(state: State) -> list[int]:
    """Returns the players who are out, in the order they went."""
    return [out_player(state, i) for i in range(out_count(state))]


def position_text(rules: Rules, state: State) -> str:
    stacks = ["".join(DIGITS[owner] for owner in stack(state, cell)) or "-" for cell in range(9)]
    board = "/".join(",".join(stacks[row : row + 3]) for row in (6, 3, 0))
    hands = ",".join(str(hand(state, player)) for player in range(rules[PLAYERS]))
    out = ",".join(DIGITS[player] for player in out_players(state))
    return f"{board} {DIGITS[turn(state)]} {hands} {die(state) or '-'} {out or '-'}"


def parse_position(rules: Rules, text: str) -> State:
    board_text, side_text, hand_text, die_text, out_text = split_fields(text, "board side hand die out")
    players = DIGITS[: rules[PLAYERS]]
    stacks = _parse_stacks(board_text, players)
    side = parse_side(side_text, players)
    hands = parse_numbers(hand_text, len(players), rules[PIECES], message("The hand"))
    for player, in_hand in enumerate(hands):
        check_total(player_name(player), "".join(stacks).count(players[player]), in_hand, rules[PIECES])
    if die_text not in ("-", "1", "2", "3", "4", "5", "6"):
        raise BadPosition(message("The die is - or a number from 1 to 6, not {text}.", text=shown(die_text)))
    out = _parse_out(out_text, players, side)
    heights, owners, count = 0, 0, 0
    for cell, digits in enumerate(stacks):
        heights |= len(digits) << 4 * cell
        for digit in digits:
            owners |= players.index(digit) << 2 * count
            count += 1
    word = side | len(out) << 17
    for player, in_hand in enumerate(hands):
        word |= in_hand << 5 + 3 * player
    for i, player in enumerate(out):
        word |= player << 19 + 2 * i
    if die_text != "-":
        if len(out) == len(players) - 1:
            raise BadPosition(message("Only one player is left: the game is over and the die is written -."))
        if not has_action(rules, (heights, owners, word), int(die_text)):
            raise BadPosition(
                message(
                    "{player} has no action for a {die}: such a roll puts a player out at once.",
                    player=player_name(side),
                    die=die_text,
                )
            )
        word |= int(die_text) << 2
    return heights, owners, word


def player_name(player: int) -> Message:
    """Returns the name of a player."""
    return message("Player {number}", number=player + 1)


def _parse_stacks(text: str, players: tuple[str, ...]) -> list[str]:
    rows = [row.split(",") for row in text.split("/")]
    if len(rows) != 3 or any(len(row) != 3 for row in rows):
        raise BadPosition(message("The board has 3 rows separated by / of 3 stacks separated by commas."))
    stacks = [stack for row in reversed(rows) for stack in row]
    for i, digits in enumerate(stacks):
        if digits != "-" and (not digits or any(digit not in players for digit in digits)):
            raise BadPosition(
                message(
                    "The stack on {cell} is - or the owners from bottom to top ({players}), not {text}.",
                    cell=CELLS[i],
                    players=" ".join(players),
                    text=shown(digits),
                )
            )
    return ["" if digits == "-" else digits for digits in stacks]


def _parse_out(text: str, players: tuple[str, ...], side: int) -> list[int]:
    if text == "-":
        return []
    digits = text.split(",", len(players))
    if any(digit not in players for digit in digits) or len(set(digits)) < len(digits):
        raise BadPosition(
            message("The players out are - or some of {players}, separated by commas, not {text}.",
                    players=" ".join(players), text=shown(text))
        )  # fmt: skip
    if players[side] in digits:
        raise BadPosition(message("{player} is out and cannot be to move.", player=player_name(side)))
    return [players.index(digit) for digit in digits]


def action_text(rules: Rules, action: int) -> str:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == ROLL:
        return f"roll:{to}"
    return f"@{CELLS[to]}" if kind == ENTER else f"{CELLS[origin]}-{CELLS[to]}"


def parse_action(rules: Rules, text: str) -> int:
    match = _ACTION.fullmatch(text)
    if not match:
        raise malformed(text, "roll:4, @c3, a1-c2")
    number, entry, origin, to = match.groups()
    if number:
        return ROLL << 8 | int(number)
    if entry:
        return ENTER << 8 | parse_cell(entry, CELLS)
    return MOVE << 8 | parse_cell(origin, CELLS) << 4 | parse_cell(to, CELLS)
