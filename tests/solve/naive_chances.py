"""A naive solver of Omba for two with one or two pieces each, written from docs/rules/contract.md.

A position is seen by the player to roll.
"""

from functools import cache

from tests.games.omba.positions import Position, all_positions

Chances = dict[Position, float]
Choices = dict[Position, list[list[Position]]]  # for each roll, what the actions lead to

NEIGHBOURS = [[b for b in range(9) if abs(a % 3 - b % 3) + abs(a // 3 - b // 3) == 1] for a in range(9)]
ENTRIES = [1, 3, 5, 7]


def ends(stacks: tuple[str, ...], targets: list[int], level: int, points: int, visited: list[int]) -> set[int]:
    """Returns where a piece can end that goes on from a level to one of the targets, using all the points."""
    found: set[int] = set()
    for target in targets:
        cost = 1 + abs(level - len(stacks[target]))
        if target not in visited and cost == points:
            found.add(target)
        elif target not in visited and cost < points:
            found |= ends(stacks, NEIGHBOURS[target], len(stacks[target]), points - cost, [*visited, target])
    return found


def after(stacks: tuple[str, ...], origin: int | None, to: int) -> tuple[str, ...]:
    """Returns the stacks after an action, seen by the other player."""
    changed = list(stacks)
    if origin is not None:
        changed[origin] = changed[origin][:-1]
    changed[to] += "o"
    return tuple(stack.translate(str.maketrans("oe", "eo")) for stack in changed)


def choices(position: Position) -> list[list[Position]]:
    stacks, own_hand, enemy_hand = position
    found: list[list[Position]] = []
    for roll in range(1, 7):
        here: list[Position] = []
        if own_hand:
            cells = ends(stacks, ENTRIES, 0, roll, [])
            here += [(after(stacks, None, to), enemy_hand, own_hand - 1) for to in cells]
        for origin in range(9):
            if stacks[origin].endswith("o"):
                cells = ends(stacks, NEIGHBOURS[origin], len(stacks[origin]) - 1, roll, [origin])
                here += [(after(stacks, origin, to), enemy_hand, own_hand) for to in cells]
        found.append(here)
    return found


@cache
def naive_choices(pieces: int) -> Choices:
    return {position: choices(position) for position in all_positions(pieces)}


@cache
def numbered_choices(pieces: int) -> list[list[list[int]]]:
    """Returns the choices with each position as its number in their order: a position takes long to hash."""
    numbers = {position: number for number, position in enumerate(naive_choices(pieces))}
    return [[[numbers[each] for each in roll] for roll in rolls] for rolls in naive_choices(pieces).values()]


@cache
def naive_chances(pieces: int) -> Chances:
    """Returns the chance of the player to roll in every position."""
    chances = [0.5] * len(naive_choices(pieces))
    change = 1.0
    while change > 1e-13:
        change = 0.0
        for number, rolls in enumerate(numbered_choices(pieces)):
            chance = sum(1 - min(chances[follower] for follower in roll) for roll in rolls if roll) / 6
            change = max(change, abs(chance - chances[number]))
            chances[number] = chance
    return dict(zip(naive_choices(pieces), chances, strict=True))


@cache
def naive_turns(pieces: int) -> Chances:
    """Returns the turns expected when best play that is equally good chooses the longer game."""
    chances = list(naive_chances(pieces).values())
    best = [
        [[f for f in roll if chances[f] < min(map(chances.__getitem__, roll)) + 1e-9] for roll in rolls]
        for rolls in numbered_choices(pieces)
    ]
    turns = [1.0] * len(chances)
    change = 1.0
    while change > 1e-9:
        change = 0.0
        for number, rolls in enumerate(best):
            expected = 1 + sum(max(turns[follower] for follower in roll) for roll in rolls if roll) / 6
            change = max(change, abs(expected - turns[number]))
            turns[number] = expected
    return dict(zip(naive_choices(pieces), turns, strict=True))
