"""What a person is told: its kind, its words, and where it leads. Pure.

The words are messages, so that each browser and each e-mail has its own language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from damier.core.messages import Message, counted, message, message_data, read_message

Kind = Literal["turn", "reminder", "challenge", "answer", "seek", "tournament", "over"]
Channel = Literal["push", "email"]
KINDS: tuple[Kind, ...] = get_args(Kind)
CHANNELS: tuple[Channel, ...] = get_args(Channel)
SWITCHES = tuple(f"{kind}.{channel}" for kind in KINDS for channel in CHANNELS)
"""What can be switched off."""

MINUTE, HOUR, DAY = 60, 3600, 86_400
_KEPT = 3 * DAY  # seconds for which a push service keeps a notice for a browser that is off


@dataclass(frozen=True)
class Notice:
    """Something that one person is told."""

    kind: Kind
    person: str
    title: Message
    text: Message
    path: str
    """The page that it leads to."""

    tag: str
    """A newer notice with the same tag replaces an older one."""

    seconds: int = _KEPT
    """For how long it is worth telling."""

    match: str = ""
    """The match that it is about: who looks at it is not told."""

    seq: int | None = None
    """Of a turn, the number of the event that began it: once another has begun, nobody is told."""

    def data(self) -> dict[str, Any]:
        """Returns data for JSON."""
        words = {"title": message_data(self.title), "text": message_data(self.text)}
        return {each.name: getattr(self, each.name) for each in fields(self)} | words

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Notice:
        """Returns the notice of some data."""
        return cls(**{**data, "title": read_message(data["title"]), "text": read_message(data["text"])})

    def to(self, person: str) -> Notice:
        """Returns the same for another person."""
        return replace(self, person=person)


def turn_tag(match: str) -> str:
    """Returns the tag of the notices about a match."""
    return f"match-{match}"


def challenge_tag(seek: str) -> str:
    """Returns the tag of the notices about a seek or a challenge."""
    return f"seek-{seek}"


def listed(names: Sequence[str]) -> str:
    """Returns names as a list."""
    return ", ".join(names)


def of_turn(person: str, match: str, game: str, names: Sequence[str], seq: int | None = None) -> Notice:
    """It is the person's turn."""
    text = message("It is your turn against {names}: {game}.", names=listed(names), game=game)
    return Notice("turn", person, message("Your turn"), text, f"/m/{match}", turn_tag(match), match=match, seq=seq)


def of_reminder(person: str, match: str, game: str, names: Sequence[str], left: int, seq: int | None) -> Notice:
    """Most of the time of a turn is used; `left` are the seconds that remain."""
    text = message(
        "You have {left} for your turn against {names}: {game}.", left=_duration(left), names=listed(names), game=game
    )
    title = message("Your time is running out")
    return Notice("reminder", person, title, text, f"/m/{match}", turn_tag(match), max(MINUTE, left), match, seq)


def _duration(seconds: int) -> Message:
    if seconds < HOUR:
        return counted("{count} minute", "{count} minutes", count=max(1, seconds // MINUTE))
    if seconds < 2 * DAY:
        return counted("{count} hour", "{count} hours", count=seconds // HOUR)
    return counted("{count} day", "{count} days", count=seconds // DAY)


def of_challenge(person: str, seek: str, name: str, what: Message, *, is_live: bool) -> Notice:
    """Somebody challenges the person; `what` are game and clock."""
    text = message("{name} challenges you: {what}.", name=name, what=what)
    seconds = 10 * MINUTE if is_live else _KEPT
    return Notice("challenge", person, message("A challenge"), text, f"/lobby/{seek}", challenge_tag(seek), seconds)


def of_acceptance(person: str, match: str, name: str, game: str, *, is_challenge: bool) -> Notice:
    """Somebody accepts the person's challenge or seek: a match has begun."""
    title = message("Your challenge is accepted") if is_challenge else message("Somebody plays with you")
    text = message("{name} accepts: {game}.", name=name, game=game)
    return Notice("answer", person, title, text, f"/m/{match}", turn_tag(match), match=match)


def of_refusal(person: str, seek: str, name: str, game: str) -> Notice:
    """Somebody declines the person's challenge."""
    text = message("{name} declines: {game}.", name=name, game=game)
    title = message("Your challenge is declined")
    return Notice("answer", person, title, text, f"/lobby/{seek}", challenge_tag(seek))


def of_rematch(person: str, match: str, game: str, names: Sequence[str]) -> Notice:
    """A rematch has begun."""
    text = message("You play {names} again: {game}.", names=listed(names), game=game)
    return Notice("answer", person, message("A rematch"), text, f"/m/{match}", turn_tag(match), match=match)


def of_seek(person: str, seek: str, name: str, what: Message, *, is_live: bool) -> Notice:
    """Somebody seeks a game that the person wants to be told of."""
    text = message("{name} seeks an opponent: {what}.", name=name, what=what)
    title, path = message("Somebody seeks a game"), f"/lobby/{seek}"
    return Notice("seek", person, title, text, path, challenge_tag(seek), 5 * MINUTE if is_live else DAY)


def of_tournament_game(
    person: str, match: str, tournament: str, game: str, names: Sequence[str], *, is_live: bool
) -> Notice:
    """A game of the person in a tournament begins."""
    title = message("Your tournament game begins")
    text = message("{tournament}: you play {names}, {game}.", tournament=tournament, names=listed(names), game=game)
    seconds = MINUTE if is_live else _KEPT  # a live game waits for half a minute
    return Notice("tournament", person, title, text, f"/m/{match}", turn_tag(match), seconds, match)


def of_end(person: str, match: str, game: str, names: Sequence[str], outcome: str) -> Notice:
    """A match is over; `outcome` is ``won``, ``lost``, ``drawn`` or ``over``."""
    titles = {
        "won": message("You win"),
        "lost": message("You lose"),
        "drawn": message("The game is drawn"),
        "over": message("The game is over"),
    }
    text = message("Your game against {names} has ended: {game}.", names=listed(names), game=game)
    return Notice("over", person, titles[outcome], text, f"/m/{match}", turn_tag(match), match=match)
