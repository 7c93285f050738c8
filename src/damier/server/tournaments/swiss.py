"""Swiss pairings by FIDE's Dutch rules (C.04.3; by its documentation those until January 2026), computed by py4swiss.

Equal or near scores meet, nobody meets anybody twice, nobody has a second bye, and sides are balanced. With 200 players
a round takes up to 2 s of CPU: call it in a thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["win", "draw", "loss", "forfeit_win", "forfeit_loss", "bye", "absent"]

_CODES: dict[Kind, str] = {
    "win": "1",
    "draw": "=",
    "loss": "0",
    "forfeit_win": "+",
    "forfeit_loss": "-",
    "bye": "U",
    "absent": "Z",
}
_POINTS: dict[Kind, int] = {
    "win": 10,
    "draw": 5,
    "loss": 0,
    "forfeit_win": 10,
    "forfeit_loss": 0,
    "bye": 10,
    "absent": 0,
}


class CannotPair(Exception):
    """No pairing is left by the rules: everybody has met everybody, or had a bye."""


@dataclass(frozen=True)
class SwissResult:
    """What a player did in a round."""

    kind: Kind
    opponent: str | None = None
    is_first: bool = False
    """Whether the player played first, which is FIDE's white."""


@dataclass(frozen=True)
class SwissPlayer:
    """A player with a result for every round so far."""

    person: str
    results: Sequence[SwissResult] = field(default_factory=tuple)
    is_here: bool = True
    """Whether the player is to be paired."""


def pair_round(players: Sequence[SwissPlayer], rounds: int) -> tuple[list[tuple[str, str]], list[str]]:
    """Returns the pairs of the next round, who plays first being first, and who has a bye; raises `CannotPair`.

    `players` are in the initial order, the strongest first; the tournament has `rounds` rounds.
    """
    from py4swiss.engines import DutchEngine  # takes 0.3 s
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken
    from py4swiss.trf.results import RoundResult as TrfResult
    from py4swiss.trf.sections import PlayerSection, XSection

    if not any(player.is_here for player in players):
        raise CannotPair
    numbers = {player.person: number for number, player in enumerate(players, 1)}

    def result(given: SwissResult) -> TrfResult:
        has_opponent = given.opponent is not None
        side = (ColorToken.WHITE if given.is_first else ColorToken.BLACK) if has_opponent else "-"
        opponent = numbers[given.opponent] if given.opponent is not None else 0
        return TrfResult(id=opponent, color=ColorToken(side), result=ResultToken(_CODES[given.kind]))

    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=numbers[player.person],
            points_times_ten=sum(_POINTS[each.kind] for each in player.results),
            rank=numbers[player.person],
            results=[result(each) for each in player.results],
        )
        for player in players
    ]
    away = {numbers[player.person] for player in players if not player.is_here}
    terms = XSection(number_of_rounds=rounds, zeroed_ids=away)
    try:
        found = DutchEngine.generate_pairings(ParsedTrf(player_sections=sections, x_section=terms))
    except PairingError:
        raise CannotPair from None
    people = [player.person for player in players]
    pairs = [(people[each.white - 1], people[each.black - 1]) for each in found if each.black]
    return pairs, [people[each.white - 1] for each in found if not each.black]
