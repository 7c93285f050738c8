"""How Omba looks: a board seen at an angle, stacks of numbered drums in the colour and pattern of their owners."""

from damier.core.drawing import HAND, Drawing, Look, Piece, shared_piece, square_cells
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message
from damier.core.options import Options
from damier.games.omba.notation import CELLS, DIGITS, out_players, player_name, stack
from damier.games.omba.rules import (
    ENTER,
    OUTSIDE,
    PLAYERS,
    ROLL,
    WALK_BEGIN,
    WALK_CELL,
    WALK_LENGTH,
    WALK_SKIP,
    die,
    hand,
    height,
    is_top,
    kind_of,
    origin_of,
    out_count,
    target_of,
    turn,
)

LOOKS = {
    "1": Look(message("blue piece"), "drum", "blue", "solid", "1"),
    "2": Look(message("yellow piece"), "drum", "yellow", "stripes", "2"),
    "3": Look(message("green piece"), "drum", "green", "dots", "3"),
    "4": Look(message("mauve piece"), "drum", "mauve", "crosses", "4"),
}


def drawing(options: Options) -> Drawing:
    """Returns the empty board."""
    looks = {player: look for player, look in LOOKS.items() if int(player) <= int(options["players"])}
    return Drawing(3, 3, square_cells(3), looks, view="isometric", has_hands=True)


def pieces(rules: Rules, state: State) -> list[Piece]:
    """Returns the pieces, stack after stack, each from bottom to top."""
    return [
        shared_piece(DIGITS[owner], name, level)
        for cell, name in enumerate(CELLS)
        for level, owner in enumerate(stack(state, cell))
    ]


def hands(rules: Rules, state: State) -> list[int]:
    """Returns how many pieces each player has not yet brought in."""
    return [hand(state, player) for player in range(rules[PLAYERS])]


def captions(rules: Rules, state: State) -> list[Message]:
    """Returns the die, or who is to roll it, and who is out."""
    found = []
    if die(state):
        found.append(message("Die: {die}", die=die(state)))
    elif out_count(state) < rules[PLAYERS] - 1:
        found.append(message("{player} to roll the die", player=player_name(turn(state))))
    return found + [message("{player} is out", player=player_name(player)) for player in out_players(state)]


def action_cells(rules: Rules, action: int) -> tuple[str, ...]:
    """Returns the hand and a cell for bringing in, the two cells of a move; a roll is a button."""
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == ROLL:
        return ()
    return (HAND if kind == ENTER else CELLS[origin], CELLS[to])


def action_routes(rules: Rules, state: State, action: int) -> list[tuple[str, ...]]:
    """Returns the walk of the piece; where several use exactly the points of the die, one with the fewest steps."""
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == ROLL:
        return []
    is_entry = kind == ENTER
    level = 0 if is_entry else height(state[0], origin) - 1
    walk = _shortest_walk(state[0], OUTSIDE if is_entry else origin, level, to, die(state))
    return [(HAND if is_entry else CELLS[origin], *(CELLS[cell] for cell in walk))]


def _shortest_walk(heights: int, origin: int, level: int, to: int, points: int) -> tuple[int, ...]:
    """Returns the cells of a walk to a cell that costs exactly `points` points."""
    best: tuple[int, ...] = ()
    cells, costs, levels = [origin], [0], [level]  # of the present walk, step by step
    node = WALK_BEGIN[origin]
    while node < WALK_BEGIN[origin + 1]:
        steps, cell = WALK_LENGTH[node], WALK_CELL[node]
        del cells[steps:], costs[steps:], levels[steps:]
        cells.append(cell)
        levels.append(height(heights, cell))
        costs.append(costs[-1] + 1 + abs(levels[-2] - levels[-1]))
        if cell == to and costs[-1] == points and (not best or steps < len(best)):
            best = tuple(cells[1:])
        node = node + 1 if costs[-1] < points else WALK_SKIP[node]
    return best


def is_meant(rules: Rules, state: State, action: int) -> bool:
    """Tells what a click means: a move where a stack has an own piece, else bringing one in."""
    if kind_of(action) == ENTER:
        return turn(state) not in stack(state, target_of(action))
    return kind_of(action) != ROLL


def first_click(rules: Rules, state: State) -> Message:
    """Returns what can be clicked first."""
    player = turn(state)
    if not die(state):
        return message("First the die is rolled.")
    if not any(is_top(state, cell, player) for cell in range(len(CELLS))):
        return message("Bring in a piece: click the cell on which it ends.")
    if not hand(state, player):
        return message("Click one of your pieces that is on top of a stack.")
    return message("Click one of your pieces that is on top of a stack, or bring in a piece.")


def action_name(rules: Rules, action: int) -> Message | None:
    """Returns the text of the button for a roll."""
    points = die_points(rules, action)
    return message("Roll {points}", points=points) if points else None


def die_points(rules: Rules, action: int) -> int | None:
    """Returns the points of a roll, None for another action."""
    return target_of(action) if kind_of(action) == ROLL else None
