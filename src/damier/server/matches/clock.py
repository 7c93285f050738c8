"""Clocks: what is left to each player of a timed match, from its events alone. Pure; times are server time in ms.

A clock belongs to a player and runs for the whole turn. Every action charges its player; what a turn adds is added
once, when the turn ends. Before each player has made a first turn no clock runs: a first turn has a time of its own,
after which the match is aborted. While a roll is due, for some milliseconds, no clock runs either. In correspondence a
clock stands still while its player is on vacation, whose end is known when it begins.

Lag: of the time between two events the server forgives what it has itself measured as the way to the player and back,
as long as the player's quota lasts. The quota grows with every turn: by 150 ms and 4 ms for each second of the
estimated length of a game, at most 1 s. It begins with three times that and has at most seven times that.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from damier.core.errors import BadArgument
from damier.core.messages import counted, message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from damier.core.messages import Message
    from damier.server.matches.match import Event

Kind = Literal["live", "correspondence"]

MINUTE, HOUR, DAY = 60, 3600, 86400
_EXPECTED_TURNS = 40  # of a player in a game, for the estimated length
_LONGEST_LIVE, _LONGEST_INCREMENT, _LONGEST_DELAY = 3 * HOUR, 3 * MINUTE, MINUTE
_SHORTEST_DAYS, _LONGEST_DAYS = HOUR, 60 * DAY

# By the estimated length of a game in seconds, the first that is longer: seconds for a first turn, and seconds of
# absence on one's own turn after which others may claim the game.
_PACES = ((30, 15, 60), (3 * MINUTE, 20, 60), (8 * MINUTE, 25, 60), (25 * MINUTE, 30, 120), (DAY, 35, 300))
CLAIM_AFTER_GOODBYE = 10_000
"""Milliseconds of absence after which others may claim the game, if the player has closed the page."""

_REMINDED = 80  # per cent of the time of a correspondence turn after which its player is reminded
_LAG_GAIN, _LAG_GAIN_PER_SECOND, _MOST_LAG_GAIN = 150, 4, 1000  # ms
_FIRST_QUOTA, _MOST_QUOTA = 3, 7  # times the gain


@dataclass(frozen=True)
class TimeControl:
    """How much time the players have, in seconds."""

    kind: Kind
    base: int
    """At the start."""

    increment: int = 0
    """What a turn adds."""

    delay: int = 0
    """How much of every turn is free; for games with a die."""

    cap: int | None = None
    """How much a turn may fill a clock up to; for correspondence."""

    @property
    def speed(self) -> Kind:
        """The speed that ratings tell apart."""
        return self.kind

    @property
    def estimated(self) -> int:
        """How long a player is expected to take for a game, in seconds."""
        return self.base + _EXPECTED_TURNS * (self.increment + self.delay)

    @property
    def first_turn(self) -> int:
        """How long a first turn may take, in milliseconds."""
        return 1000 * (self.base if self.kind == "correspondence" else self._pace()[0])

    @property
    def claim_after(self) -> int | None:
        """After how many milliseconds of absence on one's own turn others may claim the game; None if never."""
        return None if self.kind == "correspondence" else 1000 * self._pace()[1]

    @property
    def lag_gain(self) -> int:
        """By how much a turn raises the quota of lag, in milliseconds."""
        if self.kind == "correspondence":
            return 0
        return min(_MOST_LAG_GAIN, _LAG_GAIN + _LAG_GAIN_PER_SECOND * self.estimated)

    def _pace(self) -> tuple[int, int]:
        found = next((pace for pace in _PACES if self.estimated < pace[0]), _PACES[-1])
        return found[1], found[2]

    def data(self) -> dict[str, Any]:
        """Returns the control as data for JSON."""
        return asdict(self)

    def text(self, lang: str = "en") -> str:
        """Returns the control in a few characters: "3+2", "2 days + 1 day/turn"."""
        return self.message().render(lang)

    def message(self) -> Message:
        """Returns the control in a few characters, to be rendered in a language."""
        if self.kind == "correspondence":
            base, gift = _duration(self.base), _duration(self.increment)
            return message("{base} + {gift}/turn", base=base, gift=gift) if self.increment else base
        base_text = f"{self.base // MINUTE}" if self.base % MINUTE == 0 else f"{self.base} s"
        if self.delay:
            return message("{base}, {count} s free each turn", base=base_text, count=self.delay)
        return message("{base}+{increment}", base=base_text, increment=self.increment)


LIVE_PRESETS = tuple(
    TimeControl("live", minutes * MINUTE, seconds) for minutes, seconds in ((3, 2), (5, 3), (10, 5), (15, 10))
)
DELAY_PRESETS = tuple(
    TimeControl("live", minutes * MINUTE, delay=seconds) for minutes, seconds in ((3, 8), (5, 12), (10, 12))
)
"""Instead of the live ones, for games with a die."""

CORRESPONDENCE_PRESETS = (
    TimeControl("correspondence", 2 * DAY, DAY, cap=4 * DAY),
    TimeControl("correspondence", DAY, DAY // 2, cap=2 * DAY),
    TimeControl("correspondence", 5 * DAY, 2 * DAY, cap=10 * DAY),
)


def parse_control(data: Mapping[str, Any]) -> TimeControl:
    """Returns a time control from its data; raises `BadArgument`."""
    names = ("kind", "base", "increment", "delay", "cap")
    control = TimeControl(**{name: data[name] for name in names if name in data})
    check_control(control)
    return control


def check_control(control: TimeControl) -> None:
    """Raises `BadArgument` for a time control that cannot be played."""
    numbers = (control.base, control.increment, control.delay, control.cap or 0)
    is_whole = all(type(number) is int and number >= 0 for number in numbers)
    if not is_whole or control.kind not in ("live", "correspondence"):
        raise BadArgument(message("A clock is live or for correspondence, and its times are whole numbers of seconds."))
    if control.kind == "live":
        _check_live(control)
    else:
        _check_correspondence(control)


def _check_live(control: TimeControl) -> None:
    is_short = 1 <= control.base <= _LONGEST_LIVE and control.increment <= _LONGEST_INCREMENT
    if not is_short or control.delay > _LONGEST_DELAY or control.cap is not None:
        raise BadArgument(
            message(
                "A live clock has 1 second to {hours} hours, and {increment} s a turn or {delay} s of delay at most.",
                hours=_LONGEST_LIVE // HOUR,
                increment=_LONGEST_INCREMENT,
                delay=_LONGEST_DELAY,
            )
        )
    if control.increment and control.delay:
        raise BadArgument(message("A clock has an increment or a delay, not both."))


def _check_correspondence(control: TimeControl) -> None:
    cap = control.cap if control.cap is not None else control.base
    is_fit = _SHORTEST_DAYS <= control.base <= cap <= _LONGEST_DAYS and control.increment <= cap
    if not is_fit or control.delay:
        raise BadArgument(
            message(
                "A clock for correspondence has 1 hour to {days} days, a gift for each turn, and no lower cap.",
                days=_LONGEST_DAYS // DAY,
            )
        )


def check_clock(control: TimeControl | None, *, has_chance: bool) -> None:
    """Raises `BadArgument` for a time control that does not suit a game."""
    if control is None:
        return
    check_control(control)
    if control.delay and not has_chance:
        raise BadArgument(message("A delay is for games with a die: choose an increment."))


def _duration(seconds: int) -> Message:
    if seconds % DAY == 0 and seconds:
        return counted("{count} day", "{count} days", count=seconds // DAY)
    return counted("{count} hour", "{count} hours", count=seconds // HOUR)


class Moment(NamedTuple):
    """What clocks need to know of the game between two events."""

    mover: str | None
    """The player to act; None while a roll is due and when the game is over."""

    turn: int
    """How many turns have been completed."""


GAME_EVENTS = frozenset(["play", "roll", "undo", "resign", "draw", "flag", "abort", "claim"])
"""The kinds of events that change the game."""

VACATION_EVENTS = frozenset(["vacation", "return"])
"""The kinds of events that only stop a clock, or let it run again."""


@dataclass
class Clocks:
    """The clocks of a match."""

    control: TimeControl
    left: dict[str, int]
    """Milliseconds by player, when the running clock was charged last."""

    quotas: dict[str, int]
    """How much lag may still be forgiven, by player."""

    waiting: int
    """How many seats have to be taken before the match begins."""

    running: str | None = None
    """The player whose time runs."""

    since: int = 0
    """Up to when the running clock has been charged."""

    turn: int = -1
    turn_began: int = 0
    owner: str | None = None
    """Whose turn it is, even while another player answers within it."""

    free: int = 0
    """What is left of the delay of this turn."""

    is_first: bool = True
    """Whether the turn is the first one of its player, which has a time of its own."""

    away: Mapping[str, int] = field(default_factory=dict)
    """Until when players are on vacation; replaced, never changed."""

    @classmethod
    def new(cls, control: TimeControl, players: Sequence[str], waiting: int) -> Clocks:
        """Returns the clocks of a match that has not begun."""
        quota = _FIRST_QUOTA * control.lag_gain
        return cls(control, dict.fromkeys(players, 1000 * control.base), dict.fromkeys(players, quota), waiting)

    def copy(self) -> Clocks:
        """Returns an independent copy."""
        return replace(self, left=dict(self.left), quotas=dict(self.quotas))

    def charge(self, at: int, lag: int = 0) -> None:
        """Takes the time since the last charge from the running clock, without `lag`."""
        if self.running is None:
            return
        elapsed = max(0, at - self.since)
        stood = min(elapsed, self._standing()) if self.away else 0
        self.since = max(at, self.since)
        if self.is_first:
            self.turn_began += stood
            return
        used = max(0, elapsed - stood - lag)
        free = min(self.free, used)
        self.free -= free
        self.left[self.running] = max(0, self.left[self.running] - (used - free))
        self.quotas[self.running] -= min(lag, elapsed)

    def _standing(self) -> int:
        """Returns for how long the running clock stands still, because of a vacation, after it was charged last."""
        return max(0, self.away.get(self.running or "", 0) - self.since)

    def end_turn(self) -> None:
        """Adds what a turn adds to the clock of its owner; nothing for a first turn."""
        player, control = self.owner, self.control
        if self.is_first or player is None:
            return
        filled = self.left[player] + 1000 * control.increment
        if control.cap is not None:
            filled = max(self.left[player], min(1000 * control.cap, filled))
        self.left[player] = filled
        self.quotas[player] = min(_MOST_QUOTA * control.lag_gain, self.quotas[player] + control.lag_gain)

    def run(self, player: str | None, at: int, turn: int) -> None:
        """Lets the clock of a player run from now on, in the turn with this number; None: nobody's."""
        self.running = player if self.waiting == 0 else None
        self.since = at
        self.is_first = turn < len(self.left)
        if turn != self.turn:
            self.turn, self.turn_began, self.free, self.owner = turn, at, 1000 * self.control.delay, None
        self.owner = self.owner or player

    def note(self, event: Event, before: Moment, after: Moment) -> None:
        """Follows an event."""
        at = event.at if event.at is not None else self.since
        if event.kind == "seat":
            self.waiting = max(0, self.waiting - 1)
            self.turn = -1  # the first turn begins when all are here
            self.run(after.mover, at, after.turn)
        elif event.kind in GAME_EVENTS:
            self.charge(at, event.lag or 0)
            if event.kind == "play" and after.turn > before.turn:
                self.end_turn()
            self.run(after.mover, at, after.turn)
        elif event.kind in VACATION_EVENTS and event.player is not None:
            self.charge(at)
            others = {player: until for player, until in self.away.items() if player != event.player}
            self.away = others if event.until is None else {**others, event.player: event.until}

    def deadline(self) -> int | None:
        """Returns when the running time is over, None if none runs."""
        if self.running is None:
            return None
        if self.is_first:
            return self.turn_began + self.control.first_turn + self._standing()
        return self.since + self._standing() + self.free + self.left[self.running]

    def reminder(self) -> int | None:
        """Returns when the player of a correspondence turn is reminded: after 80 % of its time, unless that is past.

        The time of a vacation does not count, and nobody is reminded within one.
        """
        deadline = self.deadline()
        if deadline is None or self.control.kind != "correspondence":
            return None
        standing = self._standing()
        at = deadline - (deadline - self.turn_began - standing) * (100 - _REMINDED) // 100
        return at if at > self.since + standing else None

    def forgiven(self, at: int, measured: int) -> int:
        """Returns how much lag is forgiven for an action now, of what was measured."""
        if self.running is None or self.is_first:
            return 0
        return max(0, min(measured, self.quotas[self.running], at - self.since))

    def flag_time(self, measured: int = 0) -> int | None:
        """Returns when the flag falls, None if no clock runs: an action on its way may be forgiven lag."""
        deadline = self.deadline()
        if deadline is None or self.running is None or self.is_first:
            return deadline
        return deadline + max(0, min(measured, self.quotas[self.running]))

    def left_at(self, at: int) -> dict[str, int]:
        """Returns what is left to each player at a time."""
        twin = self.copy()
        twin.charge(at)
        return twin.left

    def away_at(self, at: int) -> dict[str, int]:
        """Returns for how long players are still on vacation at a time."""
        return {player: until - at for player, until in self.away.items() if until > at}
