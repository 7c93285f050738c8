"""The terms on which a bot plays, and which challenges they allow. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from damier.client.events import Challenge


@dataclass(frozen=True)
class BotTerms:
    """What a bot accepts."""

    games: frozenset[str]
    """Names of games; none: all."""

    at_once: int = 4
    """Matches; those that it already plays count."""

    people_only: bool = False
    """Whether it declines the challenges of other programs."""

    def accepted(self, challenge: Challenge, playing: int) -> int | None:
        """Returns which of the ways to play a challenge offers to take, by its place; None to decline.

        >>> way = {"game": "g", "options": {}, "clock": None, "is_rated": False}
        >>> BotTerms(frozenset({"g"}), at_once=2).accepted(Challenge("N", "Ann", False, (way,)), playing=1)
        0
        """
        if self.people_only and challenge.is_program:
            return None
        ways = enumerate(challenge.terms)
        return next((place for place, way in ways if self.has_room(way["game"], playing)), None)

    def has_room(self, game: str, playing: int) -> bool:
        """Tells whether one more match of a game may begin beside those that are being played."""
        return playing < self.at_once and (not self.games or game in self.games)
