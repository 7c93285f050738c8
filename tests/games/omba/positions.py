"""Positions of Omba for two before a roll, as tests write them."""

import itertools

from damier.core.kernel.contract import State

Position = tuple[tuple[str, ...], int, int]  # nine stacks of o(wn) and e(nemy) pieces, own hand, enemy hand


def all_positions(pieces: int) -> list[Position]:
    """Returns all positions with `pieces` pieces of each player, on the board or in hand; a player is to roll."""
    found = []
    for own, enemy in itertools.product(range(pieces + 1), repeat=2):
        for order in sorted(set(itertools.permutations("o" * own + "e" * enemy))):
            for cuts in itertools.combinations_with_replacement(range(own + enemy + 1), 8):
                borders = [0, *cuts, own + enemy]
                stacks = tuple("".join(order[a:b]) for a, b in itertools.pairwise(borders))
                found.append((stacks, pieces - own, pieces - enemy))
    return found


def state_of(position: Position, player: int = 0) -> State:
    """Returns the state of a position in which a player is to roll."""
    stacks, own_hand, enemy_hand = position
    heights = sum(len(stack) << 4 * cell for cell, stack in enumerate(stacks))
    owners = [player if piece == "o" else 1 - player for piece in "".join(stacks)]
    hands = (own_hand, enemy_hand) if player == 0 else (enemy_hand, own_hand)
    return heights, sum(owner << 2 * i for i, owner in enumerate(owners)), player | hands[0] << 5 | hands[1] << 8
