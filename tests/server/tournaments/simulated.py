"""A tournament without a server: what is due is done at once, games end as they are told to."""

from damier.server.matches.clock import TimeControl
from damier.server.tournaments.due import next_time, what_is_due
from damier.server.tournaments.pairing import next_pairs
from damier.server.tournaments.terms import Kind, TournamentTerms
from damier.server.tournaments.times import later
from damier.server.tournaments.tournament import Tournament, TournamentEvent, TournamentGame

START = "2026-11-17T12:00:00.000Z"
LIVE = TimeControl("live", 180, 2)
DAYS = TimeControl("correspondence", 172_800, 86_400, cap=345_600)


def terms(kind: Kind, rounds: int = 1, control: TimeControl = LIVE, **given: object) -> TournamentTerms:
    """Returns the terms of a tournament."""
    if kind == "arena":
        return TournamentTerms("Cup", kind, "chefa", control, minutes=30, **given)  # type: ignore[arg-type]
    return TournamentTerms("Cup", kind, "chefa", control, rounds=rounds, **given)  # type: ignore[arg-type]


class Simulated:
    """A tournament and its time."""

    def __init__(self, given: TournamentTerms, players: str = "") -> None:
        self.tournament = Tournament("1", given, "maker", START)
        self.now = START
        for person in players:
            self.ask(person, "join")

    def ask(self, person: str, do: str, rating: int = 1500) -> None:
        """Sends a request of a person."""
        self.apply(self.tournament.decide(person, do, self.now, rating))

    def start(self) -> None:
        self.ask("maker", "start")
        self.settle()

    def apply(self, events: list[TournamentEvent]) -> None:
        for event in events:
            self.tournament.add(event)

    def settle(self) -> None:
        """Does all that is due now."""
        while due := what_is_due(self.tournament, self.now):
            if due == "begin":
                for game in self.tournament.unbegun:
                    self.apply([TournamentEvent("begin", self.now, game=game.number, match=f"m{game.number}")])
                continue
            if due == "pair":
                events = next_pairs(self.tournament, self.now)
                if not events:
                    return
                self.apply(events)
                continue
            self.apply([TournamentEvent(due, self.now)])

    def wait(self, seconds: float) -> None:
        """Lets time pass, and does at each moment what is due then."""
        until = later(self.now, seconds)
        while (time := next_time(self.tournament, self.now)) and time <= until:
            self.now = time
            self.settle()
        self.now = until
        self.settle()

    def finish(self, game: TournamentGame, score: float, absent: str | None = None) -> None:
        """Ends a game; the score is that of who plays first."""
        winner = None if score == 0.5 else game.people[0] if score else game.people[1]
        self.apply(self.tournament.result_events(game, winner, absent, self.now))
        self.settle()

    def miss(self, game: TournamentGame, person: str) -> None:
        """Ends a game to which a person did not come."""
        self.finish(game, float(game.people[1] == person), person)

    def pairs(self) -> list[tuple[str, str]]:
        """Returns the pairs of the last round."""
        return [game.people for game in self.tournament.rounds[-1].games]
