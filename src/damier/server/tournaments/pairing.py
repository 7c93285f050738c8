"""The next pairs of a tournament, and the sheets of its players, from what has been played.

Rulings: who withdraws from a round robin before half of their games are played counts as if never there; later, the
games that are left are won by the others. A correspondence game that goes on when the next round begins counts as a
draw for the pairing of that round.
"""

from __future__ import annotations

from damier.server.tournaments.arena import FreePlayer, pair_free
from damier.server.tournaments.round_robin import round_pairs
from damier.server.tournaments.standings import Entry, PlayerStanding, standings
from damier.server.tournaments.swiss import CannotPair, SwissPlayer, SwissResult, pair_round
from damier.server.tournaments.tournament import Tournament, TournamentEvent, TournamentRound


def next_pairs(tournament: Tournament, at: str) -> list[TournamentEvent]:
    """Returns the events that pair a round, or those who are free in an arena; the end if nobody can be paired."""
    if tournament.terms.kind == "round_robin":
        return _round_robin(tournament, at)
    if tournament.terms.kind == "swiss":
        return _swiss(tournament, at)
    return _arena(tournament, at)


def missing_pairs(tournament: Tournament) -> list[list[str]]:
    """Returns the pairs of the first round of a round robin that late players make possible."""
    if tournament.terms.kind != "round_robin" or len(tournament.rounds) != 1:
        return []
    paired = {game.people for game in tournament.rounds[0].games}
    active = set(tournament.active)
    pairs, _ = round_pairs(tournament.seats, 1)
    return [list(pair) for pair in pairs if pair not in paired and active.issuperset(pair)]


def _round_robin(tournament: Tournament, at: str) -> list[TournamentEvent]:
    if late := missing_pairs(tournament):
        return [TournamentEvent("pair", at, round=1, pairs=late)]
    number, here = len(tournament.rounds) + 1, set(tournament.active)
    if number > tournament.round_total or len(here) < 2:
        return [TournamentEvent("end", at)]
    pairs, byes = round_pairs(tournament.seats, number)
    pairs = [pair for pair in pairs if here.intersection(pair)]
    byes = [person for person in byes if person in here]
    events = [TournamentEvent("pair", at, round=number, pairs=[list(pair) for pair in pairs], byes=byes)]
    for game, pair in enumerate(pairs, len(tournament.games) + 1):
        if not here.issuperset(pair):
            winner, absent = pair if pair[0] in here else pair[::-1]
            events.append(TournamentEvent("result", at, game=game, winner=winner, absent=absent))
    return events


def _swiss(tournament: Tournament, at: str) -> list[TournamentEvent]:
    number = len(tournament.rounds) + 1
    if number > tournament.round_total or len(tournament.active) < 2:
        return [TournamentEvent("end", at)]
    try:
        pairs, byes = pair_round(swiss_players(tournament), tournament.round_total)
    except CannotPair:
        return [TournamentEvent("end", at)]
    return [TournamentEvent("pair", at, round=number, pairs=[list(pair) for pair in pairs], byes=byes)]


def _arena(tournament: Tournament, at: str) -> list[TournamentEvent]:
    free = free_players(tournament)
    pairs = pair_free(free, is_last_pair=len(tournament.active) == 2)
    if not pairs:
        return []
    number = len(tournament.rounds) + 1
    return [TournamentEvent("pair", at, round=number, pairs=[list(pair) for pair in pairs])]


# Views of what has been played


def swiss_players(tournament: Tournament) -> list[SwissPlayer]:
    """Returns the players of a Swiss tournament, the strongest first, with a result for each round."""
    order = {person: place for place, person in enumerate(tournament.players)}
    ranked = sorted(tournament.players.values(), key=lambda player: (-player.rating, order[player.person]))
    return [
        SwissPlayer(
            player.person,
            [_round_result(each, player.person) for each in tournament.rounds],
            is_here=not player.is_withdrawn,
        )
        for player in ranked
    ]


def _round_result(played: TournamentRound, person: str) -> SwissResult:
    game = next((game for game in played.games if person in game.people), None)
    if game is None:
        return SwissResult("bye" if person in played.byes else "absent")
    opponent, is_first = game.opponent(person), game.people[0] == person
    if game.absent is not None:
        return SwissResult("forfeit_loss" if game.absent == person else "forfeit_win", opponent, is_first)
    score = game.score(person) if game.is_over else 0.5
    return SwissResult("win" if score == 1 else "draw" if score == 0.5 else "loss", opponent, is_first)


def free_players(tournament: Tournament) -> list[FreePlayer]:
    """Returns the players of an arena who wait for a game."""
    busy = {person for game in tournament.running for person in game.people}
    ranks = {each.person: each.rank for each in current_standings(tournament)}
    last: dict[str, str] = {}
    sides: dict[str, list[bool]] = {person: [] for person in tournament.players}
    for game in tournament.games:
        for person in game.people:
            last[person] = game.opponent(person)
            sides[person].append(game.people[0] == person)
    return [
        FreePlayer(
            person,
            ranks[person],
            tournament.players[person].rating,
            last.get(person),
            2 * sum(sides[person]) - len(sides[person]),
            bool(sides[person]) and sides[person][-1],
        )
        for person in tournament.active
        if person not in busy
    ]


def current_standings(tournament: Tournament) -> list[PlayerStanding]:
    """Returns the standings after the last event."""
    known = tournament.known_standings
    if known is None or known[0] != tournament.seq:
        known = tournament.seq, standings(sheets_of(tournament), tournament.terms.kind)
        tournament.known_standings = known
    return known[1]


def sheets_of(tournament: Tournament) -> dict[str, list[Entry]]:
    """Returns what everybody has got so far, by player, in the order of joining."""
    sheets: dict[str, list[Entry]] = {person: [] for person in tournament.players}
    left_out = annulled(tournament)
    if tournament.terms.kind == "swiss":
        for each in tournament.rounds:
            for person in each.byes:
                sheets[person].append(Entry(None, 1.0, is_played=False))
    for game in tournament.finished:
        if left_out.intersection(game.people):
            continue
        for person in game.people:
            entry = Entry(game.opponent(person), game.score(person), is_played=game.absent is None)
            sheets[person].append(entry)
    return sheets


def annulled(tournament: Tournament) -> set[str]:
    """Returns who has left a round robin before half of their games were played."""
    if tournament.terms.kind != "round_robin":
        return set()
    games = tournament.terms.rounds * (len(tournament.players) - 1)
    played = [person for game in tournament.finished if game.absent is None for person in game.people]
    return {
        player.person
        for player in tournament.players.values()
        if player.is_withdrawn and 2 * played.count(player.person) < games
    }
