"""Tournaments as wire models: what one visitor sees of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.server.people.nicknames import given_nickname
from damier.server.tournaments.arena import is_on_streak
from damier.server.tournaments.due import round_time
from damier.server.tournaments.pairing import current_standings, sheets_of
from damier.server.tournaments.standings import TIE_BREAKS
from damier.server.wire.clocks import ClockTerms
from damier.server.wire.tournaments import (
    OwnTournament,
    StandingData,
    TournamentData,
    TournamentGameData,
    TournamentRoundData,
    TournamentSummary,
)

if TYPE_CHECKING:
    from damier.server.people.account import AccountName
    from damier.server.store.statements.tournaments import ListedTournament
    from damier.server.tournaments.terms import TournamentTerms
    from damier.server.tournaments.tournament import Tournament, TournamentGame

_LAST_GAMES = 20  # of an arena that are shown


@dataclass(frozen=True)
class Names:
    """The names of people; those without an account have the ones that they would be given."""

    accounts: Mapping[str, AccountName]

    def of(self, person: str) -> str:
        """Returns a person's name."""
        return self.accounts[person].name if person in self.accounts else given_nickname(person)

    def is_program(self, person: str) -> bool:
        """Tells whether an account is a program's."""
        return person in self.accounts and self.accounts[person].is_program


def people_of(tournament: Tournament) -> set[str]:
    """Returns everybody whose name is shown."""
    return {tournament.maker, *tournament.players}


def summary_data(listed: ListedTournament | Tournament, players: int, names: Names) -> TournamentSummary:
    """Returns what a list says of a tournament."""
    return TournamentSummary.model_validate(
        {
            **_terms_data(listed.terms),
            "number": listed.number,
            "status": listed.status,
            "created": listed.created,
            "maker": names.of(listed.maker),
            "players": players,
        }
    )


def tournament_data(
    tournament: Tournament, names: Names, person: str, is_signed_in: bool, now: str, shown: int | None = None
) -> TournamentData:
    """Returns a tournament with a round of it, by default the last one."""
    terms, is_arena = tournament.terms, tournament.terms.kind == "arena"
    time = round_time(tournament) if tournament.status == "running" and not is_arena else None
    is_last = bool(tournament.rounds) and tournament.rounds[-1].number >= tournament.round_total
    return TournamentData(
        **vars(summary_data(tournament, len(tournament.players), names)),
        version=tournament.seq,
        started=tournament.started,
        ends=tournament.ends,
        ended=tournament.ended,
        round=0 if is_arena else len(tournament.rounds),
        round_total=tournament.round_total,
        next_round=None if is_last else time,
        tie_breaks=list(TIE_BREAKS[terms.kind]),
        standings=_standings(tournament, names, person),
        pairings=_last_games(tournament, names) if is_arena else _round_data(tournament, names, shown),
        own=_own(tournament, person, is_signed_in, now),
    )


def _terms_data(terms: TournamentTerms) -> dict[str, object]:
    data = terms.data()
    data["clock"] = ClockTerms(**data.pop("control"))
    return data


def _standings(tournament: Tournament, names: Names, person: str) -> list[StandingData]:
    is_arena = tournament.terms.kind == "arena"
    sheets = sheets_of(tournament) if is_arena else {}
    busy = {each for game in tournament.running for each in game.people}
    return [
        StandingData(
            rank=each.rank,
            name=names.of(each.person),
            is_program=names.is_program(each.person),
            is_me=each.person == person,
            rating=tournament.players[each.person].rating,
            points=each.points,
            tie_breaks=dict(each.tie_breaks),
            wins=each.wins,
            draws=each.draws,
            losses=each.losses,
            is_withdrawn=tournament.players[each.person].is_withdrawn,
            is_playing=each.person in busy,
            is_on_streak=is_arena and is_on_streak([entry.score for entry in sheets[each.person]]),
        )
        for each in current_standings(tournament)
    ]


def _round_data(tournament: Tournament, names: Names, shown: int | None) -> TournamentRoundData | None:
    number = len(tournament.rounds) if shown is None else shown
    if not 1 <= number <= len(tournament.rounds):
        return None
    found = tournament.rounds[number - 1]
    byes = [names.of(person) for person in found.byes]
    return TournamentRoundData(number=number, games=[_game(game, names) for game in found.games], byes=byes)


def _last_games(tournament: Tournament, names: Names) -> TournamentRoundData | None:
    """Returns the last games of an arena, those that are played first, the newest before others."""
    if not tournament.games:
        return None
    last = sorted(tournament.games[-_LAST_GAMES:], key=lambda game: (game.is_over, -game.number))
    return TournamentRoundData(number=0, games=[_game(game, names) for game in last], byes=[])


def _game(game: TournamentGame, names: Names) -> TournamentGameData:
    first, second = (names.of(person) for person in game.people)
    result = None
    if game.is_over:
        result = {None: "draw", game.people[0]: "first", game.people[1]: "second"}[game.winner]
    return TournamentGameData.model_validate(
        {
            "first": first,
            "second": second,
            "match": game.match,
            "result": result,
            "is_forfeit": game.absent is not None,
        }
    )


def _own(tournament: Tournament, person: str, is_signed_in: bool, now: str) -> OwnTournament:
    player = tournament.players.get(person)
    matches = [game.match for game in tournament.running if person in game.people and game.match is not None]

    def can(do: str) -> bool:
        try:
            return is_signed_in and bool(tournament.decide(person, do, now))
        except DamierError:
            return False

    return OwnTournament(
        is_signed_in=is_signed_in,
        is_playing=player is not None and not player.is_withdrawn,
        match=matches[-1] if matches else None,
        can_join=can("join"),
        can_withdraw=can("withdraw"),
        can_start=can("start"),
        can_cancel=can("cancel"),
    )
