"""Renfa-Bomba for newcomers: the aim, what to do in each phase, what a blast takes and costs, the end."""

from collections.abc import Iterator

from damier.core.guidance import Guide, cell_list, sentences
from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.cells import cell_names
from damier.core.kernel.contract import DRAW, Rules, State
from damier.core.messages import Message, counted, message
from damier.games.renfa.notation import NAMES
from damier.games.renfa.rules import (
    DETONATE,
    LAST,
    MOVE,
    NEIGHBOURS,
    PLACE,
    SIZE,
    apply,
    chain,
    is_pinned,
    kind_of,
    origin_of,
    outcome,
    reach,
    side_of,
    target_of,
    to_place,
)


def aim(rules: Rules) -> Message:
    """Returns the aim, which depends on how many bombs are too few."""
    if rules[LAST]:
        return message("Blow up the opponent's bombs and keep your own: whoever has one bomb or none left loses.")
    return message("Blow up the opponent's bombs and keep your own: whoever has no bomb left loses.")


def aim_position(rules: Rules) -> str:
    """Returns a board on which White has too few bombs left."""
    size = rules[SIZE]
    rows = [f"{size}"] * (size - 4) + [
        f"1B1B{size - 4}",
        f"{size}",
        f"2W{size - 3}" if rules[LAST] else f"{size}",
        f"B{size - 1}",
    ]
    return f"{'/'.join(rows)} w 0,0"


def legend(rules: Rules) -> dict[str, Message]:
    """Returns what the lock means."""
    return {
        "pinned": message(
            "Pinned: it cannot move, because two or more enemy bombs are beside it. It can still set off one."
        )
    }


def guide(rules: Rules, state: State) -> Guide:
    """Returns what to do: place a bomb; later slide one or blow one up, as far as possible."""
    player, enemy = _names(state)
    if to_place(state):
        left = to_place(state) + 1 >> 1
        return Guide(
            message("Place a bomb on an empty cell"),
            message("Nothing explodes before all bombs are placed. Then they slide, and enemy bombs can be blown up."),
            counted("Placing: {count} bomb left", "Placing: {count} bombs left", count=left),
        )
    can_slide, can_blow_up = _can_slide(rules, state), _can_blow_up(rules, state)
    slide = message("A bomb slides along its row or column, over and onto empty cells; a pinned one cannot.")
    blast = message(
        "A bomb of {enemy} beside one of {player} can be blown up: all bombs connected with it vanish, "
        "whoever they belong to.",
        enemy=enemy,
        player=player,
    )
    if can_slide and can_blow_up:
        return Guide(message("Slide a bomb or blow one up"), sentences(slide, blast), message("Sliding and blowing up"))
    if can_slide:
        return Guide(message("Slide a bomb"), sentences(slide, blast), message("Sliding and blowing up"))
    return Guide(message("Blow up an enemy bomb"), blast, message("Sliding and blowing up"))


def next_click(rules: Rules, state: State, clicked: tuple[str, ...]) -> Message:
    """Returns what to choose after a bomb."""
    return message("Choose an empty cell in its row or column")


def effect(rules: Rules, state: State, action: int) -> Message:
    """Returns what an action takes and costs."""
    player, enemy = _names(state)
    names, kind, to = cell_names(rules[SIZE]), kind_of(action), target_of(action)
    if kind == PLACE:
        left = (to_place(state) + 1 >> 1) - 1
        return message(
            "{player} places a bomb on {cell}; still to place: {left}.", player=player, cell=names[to], left=left
        )
    if kind == MOVE:
        moved = message(
            "{player} slides a bomb from {cell} to {target}.",
            player=player,
            cell=names[origin_of(action)],
            target=names[to],
        )
        return sentences(moved, _contact(rules, state, to))
    group, after = chain(rules, to, state[0] | state[1]), apply(rules, state, action)
    return sentences(
        message(
            "Takes {taken} from {enemy}, costs {player} {lost}.",
            taken=cell_list(_cells(rules, group & state[1])),
            enemy=enemy,
            player=player,
            lost=cell_list(_cells(rules, group & state[0])),
        ),
        message(
            "Bombs left: {enemy} {theirs}, {player} {ours}.",
            enemy=enemy,
            theirs=bit_count(after[0]),
            player=player,
            ours=bit_count(after[1]),
        ),
    )


def steps(rules: Rules, state: State, action: int) -> list[list[str]]:
    """Returns the blast: the bomb that is blown up, its neighbours, theirs, and so on."""
    if kind_of(action) != DETONATE:
        return []
    names, bombs = cell_names(rules[SIZE]), state[0] | state[1]
    ring, seen, found = [target_of(action)], bit(target_of(action)), []
    while ring:
        found.append([names[cell] for cell in ring])
        caught = 0
        for cell in ring:
            caught |= rules[NEIGHBOURS + cell] & bombs & ~seen
        seen |= caught
        ring = list(_each(caught))
    return found


def is_irreversible(rules: Rules, state: State, action: int) -> bool:
    """Tells whether bombs vanish."""
    return kind_of(action) == DETONATE


def winning(rules: Rules, state: State) -> list[str]:
    """Returns the bombs that the winner has left."""
    winner = outcome(rules, state)
    if winner == DRAW:
        return []
    return _cells(rules, state[0] if winner == side_of(state) else state[1])


def end_words(rules: Rules, state: State) -> Message | None:
    """Returns how many bombs the loser has left; of a draw, the reason is enough."""
    winner = outcome(rules, state)
    if winner == DRAW:
        return None
    left = bit_count(state[1] if winner == side_of(state) else state[0])
    if left:
        return message("{player} has only one bomb left", player=NAMES[1 - winner])
    return message("{player} has no bomb left", player=NAMES[1 - winner])


def end_details(rules: Rules, state: State) -> Message:
    """Returns how many bombs both have left."""
    player, enemy = _names(state)
    return message(
        "Bombs left: {enemy} {theirs}, {player} {ours}.",
        enemy=enemy,
        theirs=bit_count(state[1]),
        player=player,
        ours=bit_count(state[0]),
    )


def _names(state: State) -> tuple[Message, Message]:
    """Returns the names of the player on move and of the other."""
    return NAMES[side_of(state)], NAMES[1 - side_of(state)]


def _cells(rules: Rules, bombs: int) -> list[str]:
    names = cell_names(rules[SIZE])
    return [names[cell] for cell in _each(bombs)]


def _can_slide(rules: Rules, state: State) -> bool:
    own, enemy = state[0], state[1]
    return any(not is_pinned(rules, cell, enemy) and reach(rules, cell, own | enemy) for cell in _each(own))


def _can_blow_up(rules: Rules, state: State) -> bool:
    return any(rules[NEIGHBOURS + cell] & state[0] for cell in _each(state[1]))


def _each(bombs: int) -> Iterator[int]:
    """Yields the cells of bombs."""
    while bombs:
        cell = lowest(bombs)
        bombs ^= bit(cell)
        yield cell


def _contact(rules: Rules, state: State, to: int) -> Message | None:
    """Returns what a bomb touches on the cell that it slides to."""
    touched = rules[NEIGHBOURS + to] & state[1]
    if not touched:
        return None
    cells, enemy = cell_list(_cells(rules, touched)), _names(state)[1]
    if is_pinned(rules, to, state[1]):
        return message("There it touches {enemy} on {cells} and is pinned.", enemy=enemy, cells=cells)
    return message("There it touches {enemy} on {cells}.", enemy=enemy, cells=cells)
