"""Plays matches of Sensei against stand-ins for public Diaballik programs and counts the score.

Run as ``python -m bench.strength --opponent turns --games 100 --seconds 1 --log FILE``. Games come in pairs: the same
opening with sides exchanged. The first pair begins at the start of the game, the others after a random turn of each
side that leaves the chances about equal. A game is determined by the seed and its number, if its players are.

Every finished game is a line in the log, with its actions. An interrupted match is resumed: games in the log are not
played again.
"""

import argparse
import json
import multiprocessing
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import damier
from bench.opponents import MonteCarloPlayer, TurnAlphaBetaPlayer
from bench.opponents.turn_lists import Turns
from damier.engine.limit import Limit
from damier.engine.player import Player, RandomPlayer
from damier.games.sensei import VARIANTS

OPPONENTS = ("mc", "tree", "turns")
PLAYERS = ("engine", *OPPONENTS, "random")

LONGEST = 400  # turns; a game is a draw then
BALANCED = 25  # most value of an opening for the opponent "turns": about a stone advanced by two rows
SIGHT = 2  # turns of its search for that


@dataclass(frozen=True)
class Match:
    """The settings of a match, without the number of games."""

    player: str
    opponent: str
    variant: str
    seconds: float
    """For a turn of a player with a time limit."""
    seed: int


def made_player(kind: str, game: damier.Game, seed: int) -> Player:
    """Returns a player of a kind at the strength that is measured."""
    if kind == "engine":
        from damier.engine.levels import EnginePlayer

        player = EnginePlayer(game)
        player.warm_up()
        return player
    if kind == "random":
        return RandomPlayer(seed)
    if kind == "turns":
        return TurnAlphaBetaPlayer(game, seed=seed)
    return MonteCarloPlayer(game, seed=seed, tree=kind == "tree")


def opening(game: damier.Game, seed: int, pair: int) -> list[str]:
    """Returns the actions with which both games of a pair begin: none for the first pair, else a turn of each side."""
    if pair == 0:
        return []
    rng = random.Random(f"{seed} {pair}")
    turns, judge = Turns(game), TurnAlphaBetaPlayer(game, depth=SIGHT)
    while True:
        record = game.record()
        for _ in range(2):
            if record.result is None:
                for text in rng.choice(turns.listed(record.position.state))[1]:
                    record.play(text)
        if record.result is None and abs(judge.value(record)) <= BALANCED:
            return list(record.played)


def played_game(match: Match, number: int) -> dict[str, Any]:
    """Plays one game of a match and returns it as its line in the log."""
    game = damier.load("sensei", variant=match.variant)
    seed = random.Random(f"{match.seed} game {number}").randrange(1 << 32)
    players = [made_player(match.player, game, seed), made_player(match.opponent, game, seed + 1)]
    if number % 2:
        players.reverse()
    record = game.record()
    for text in opening(game, match.seed, number // 2):
        record.play(text)
    limit, spent, turns = Limit(seconds=match.seconds), [0.0, 0.0], [0, 0]
    try:
        while record.result is None and record.turn < LONGEST:
            side, turn = game.players.index(record.mover), record.turn
            began = time.perf_counter()
            while record.result is None and record.turn == turn:
                for text in players[side].choose(record, limit):
                    record.play(text)
            spent[side] += time.perf_counter() - began
            turns[side] += 1
    finally:
        for player in players:
            player.close()
    mine = number % 2
    result = record.result
    winner = "draw" if result is None or result.winner is None else "opponent"
    if result and result.winner == game.players[mine]:
        winner = "player"
    return {
        **asdict(match),
        "game": number,
        "side": game.players[mine],
        "winner": winner,
        "reason": result.reason if result else "length",
        "turns": record.turn,
        "player_ms": round(1000 * spent[mine] / max(1, turns[mine])),
        "opponent_ms": round(1000 * spent[1 - mine] / max(1, turns[1 - mine])),
        "actions": " ".join(record.played),
    }


def logged_games(log: Path | None, match: Match) -> dict[int, dict[str, Any]]:
    """Returns the games of a match in a log, by number; a line cut off by an interruption does not count."""
    games: dict[int, dict[str, Any]] = {}
    for line in log.read_text("utf-8").splitlines() if log and log.exists() else ():
        try:
            game = json.loads(line)
        except json.JSONDecodeError:
            continue
        if {name: game.get(name) for name in asdict(match)} == asdict(match):
            games[game["game"]] = game
    return games


def add_to_log(log: Path, game: dict[str, Any]) -> None:
    """Appends a finished game to a log."""
    is_cut = log.exists() and not log.read_bytes().endswith(b"\n") and log.stat().st_size > 0
    with log.open("a", encoding="utf-8") as file:
        file.write(("\n" if is_cut else "") + json.dumps(game) + "\n")


def games_of(match: Match, numbers: Sequence[int], jobs: int) -> Iterator[dict[str, Any]]:
    """Plays games of a match, `jobs` at a time, and yields each as it ends."""
    if jobs == 1 or len(numbers) < 2:
        for number in numbers:
            yield played_game(match, number)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        try:
            for game in as_completed([pool.submit(played_game, match, number) for number in numbers]):
                yield game.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def line_of(game: dict[str, Any]) -> str:
    """Returns a game as a line to read."""
    times = f"{game['player_ms']} and {game['opponent_ms']} ms a turn"
    return (
        f"game {game['game']:3} as {game['side']}: {game['winner']:8} by {game['reason']:10} "
        f"in {game['turns']:3} turns, {times}"
    )


def summary_of(match: Match, games: Sequence[dict[str, Any]]) -> str:
    """Returns the score of a match and the average time of a turn."""
    wins, draws, losses = (sum(game["winner"] == who for game in games) for who in ("player", "draw", "opponent"))
    score = 100 * (wins + draws / 2) / max(1, len(games))
    costs = [sum(game[name] for game in games) / max(1, len(games)) for name in ("player_ms", "opponent_ms")]
    return (
        f"{match.player} against {match.opponent}, {match.variant}: {wins} won, {draws} drawn, {losses} lost "
        f"of {len(games)}, {score:.1f} %; {costs[0]:.0f} and {costs[1]:.0f} ms a turn"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays a match, or the rest of one, and prints a line for each game and the score."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description="Plays matches of Sensei.")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0, help="for a turn of the engine")
    parser.add_argument("--opponent", choices=OPPONENTS, default="turns")
    parser.add_argument("--player", choices=PLAYERS, default="engine", help="whose wins are counted")
    parser.add_argument("--variant", choices=VARIANTS, default=VARIANTS[0])
    parser.add_argument("--jobs", type=int, default=2, help="games played at the same time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", type=Path, help="a file of games played, to go on from")
    chosen = parser.parse_args(arguments)
    match = Match(chosen.player, chosen.opponent, chosen.variant, chosen.seconds, chosen.seed)
    games = {number: game for number, game in logged_games(chosen.log, match).items() if number < chosen.games}
    for number in sorted(games):
        print(line_of(games[number]), "(from the log)")
    missing = [number for number in range(chosen.games) if number not in games]
    for game in games_of(match, missing, chosen.jobs):
        games[game["game"]] = game
        if chosen.log:
            add_to_log(chosen.log, game)
        print(line_of(game), flush=True)
    print(summary_of(match, list(games.values())))


if __name__ == "__main__":
    main()
