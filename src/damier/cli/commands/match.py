"""``damier match``: plays matches and tournaments between engines."""

import argparse
import math
import sys
from typing import Any

from damier.cli.arguments import (
    PLAYERS,
    Parser,
    add_cluster,
    add_depth,
    add_game,
    add_limit,
    chosen_game,
    chosen_workers,
    whole_number,
)
from damier.cli.output import print_json, progress
from damier.core.errors import BadArgument
from damier.core.game import Game
from damier.core.messages import Message, Number, counted, message, shown
from damier.engine.arena.elo import Estimate, Sprt, SprtRun
from damier.engine.arena.entrants import Entrant, parse_entrant
from damier.engine.arena.match import DEFAULT_LIMIT, MatchResult, play_match
from damier.engine.arena.tournament import RoundRobinResult, play_round_robin
from damier.engine.engine import Engine
from damier.engine.judge import EngineJudge
from damier.engine.limit import Limit

EXAMPLES = """
damier match {game} --a level:3 --b level:1 --games 4 --max-turns 100
damier match {game} --a full@nodes=200 --b mcts@nodes=200 --sprt=0,200 --games 10
damier match {game} --a full --b "ugi:damier engine {game}" --nodes 100 --games 2 --max-turns 50 --save match.txt
damier match {learner} --a full --b full:hand-made --nodes 200 --games 2
damier match {game} --round-robin level:1 level:2 random --games 2 --max-turns 100 --json
"""

_MOST_FAULTS = 10  # printed


def add_arguments(parser: Parser) -> None:
    """Adds the players, the limits of their searches and how the match is played and stored."""
    add_game(parser)
    parser.add_argument("--a", metavar="PLAYER", help=PLAYERS)
    parser.add_argument("--b", metavar="PLAYER", help="the other player")
    parser.add_argument("--round-robin", metavar="PLAYER", nargs="+", help="a tournament of these players")
    parser.add_argument(
        "--games",
        metavar="N",
        type=whole_number,
        default=200,
        help="how many games, for each pair of players (default: 200)",
    )
    add_limit(parser, "a turn", " (default: 1, if there is no other limit)")
    add_depth(parser, "a turn")
    parser.add_argument(
        "--openings",
        metavar="N",
        type=whole_number,
        help="random turns before the players begin (default: 4, or 2 long ones)",
    )
    parser.add_argument("--seed", type=whole_number, default=0, help="same seed, same openings and dice (default: 0)")
    parser.add_argument("--jobs", metavar="N", type=whole_number, help="games in parallel (default: one per core)")
    add_cluster(parser)
    parser.add_argument(
        "--max-turns", metavar="N", type=whole_number, default=400, help="a longer game is a draw (default: 400)"
    )
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop when a sequential test has decided between these Elo differences"
    )
    parser.add_argument("--save", metavar="FILE", help="write the games to FILE and the result to FILE.json")
    parser.add_argument("--resume", action="store_true", help="resume a match that was saved")


def run(arguments: argparse.Namespace) -> None:
    """Plays a match, or with ``--round-robin`` a tournament, and prints the result, even after Ctrl-C."""
    game = chosen_game(arguments)
    entrants = _entrants(arguments)
    sprt = _sprt(arguments.sprt) if arguments.sprt is not None else None
    if sprt and arguments.round_robin:
        raise BadArgument(message("A sequential test is for a match of two, not for a round robin."))
    settings: dict[str, Any] = {
        "games": arguments.games,
        "limit": _limit(arguments),
        "openings": arguments.openings,
        "seed": arguments.seed,
        "jobs": arguments.jobs,
        "max_turns": arguments.max_turns,
        "judge": EngineJudge(game) if arguments.openings != 0 else None,
        "save": arguments.save,
        "resume": arguments.resume,
    }
    _compile_first(game, arguments.lang)
    latest: list[MatchResult | RoundRobinResult] = []
    total = arguments.games * (len(entrants) * (len(entrants) - 1) // 2)
    try:
        names = " - ".join(entrant.name for entrant in entrants)
        with chosen_workers(arguments, arguments.jobs) as cluster, progress(names) as show:

            def on_pair(result: MatchResult | RoundRobinResult) -> None:
                latest[:] = [result]
                show(result.games / total, _running_score(result))

            if arguments.round_robin:
                play_round_robin(game, entrants, **settings, cluster=cluster, on_pair=on_pair)
            else:
                play_match(game, *entrants, **settings, sprt=sprt, cluster=cluster, on_pair=on_pair)
    except BaseException:  # Ctrl-C or not: what has been played counts
        if latest and latest[0].games:
            _print(arguments, latest[0])
        raise
    _print(arguments, latest[0])


def _compile_first(game: Game, lang: str) -> None:
    """Has the engine compiled before any clock starts, and says so on stderr: it takes ten seconds or more."""
    engine = Engine(game, memory=1)
    if engine.must_compile:
        sentence = message("The engine is being compiled, once for this version: this takes a while.")
        print(sentence.render(lang), file=sys.stderr, flush=True)
        engine.method.loader.fill_cache()


def _running_score(result: MatchResult | RoundRobinResult) -> str:
    """Returns the wins, draws and losses of the first player so far."""
    return f"+{result.wins} ={result.draws} -{result.losses}" if isinstance(result, MatchResult) else ""


def _entrants(arguments: argparse.Namespace) -> list[Entrant]:
    if arguments.round_robin:
        if arguments.a is not None or arguments.b is not None:
            raise BadArgument(
                message(
                    "Give either {first} and {second} or {third}, not both.",
                    first="--a",
                    second="--b",
                    third="--round-robin",
                )
            )
        return [parse_entrant(text) for text in arguments.round_robin]
    if arguments.a is None or arguments.b is None:
        raise BadArgument(
            message(
                "A match needs {first} and {second}, or {third} with several players.",
                first="--a",
                second="--b",
                third="--round-robin",
            )
        )
    return [parse_entrant(arguments.a), parse_entrant(arguments.b)]


def _limit(arguments: argparse.Namespace) -> Limit:
    limit = Limit(arguments.seconds, arguments.nodes, arguments.depth)
    return DEFAULT_LIMIT if limit == Limit() else limit


def _sprt(text: str) -> Sprt:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise BadArgument(
            message(
                "A sequential test takes two Elo differences as in {example}, not {text}.",
                example="0,10",
                text=shown(text),
            )
        ) from None
    return Sprt(low, high)


def _print(arguments: argparse.Namespace, result: MatchResult | RoundRobinResult) -> None:
    if arguments.json:
        game = chosen_game(arguments)
        head = {"game": game.name, "options": game.options, "seed": arguments.seed}
        rate = {"seconds": round(result.seconds, 3), "games_per_second": round(result.games_per_second, 3)}
        print_json({**head, **result.data(), **rate})
        return
    lines = _match_lines(result) if isinstance(result, MatchResult) else _table_lines(result, arguments.lang)
    for line in lines:
        print(line.render(arguments.lang) if isinstance(line, Message) else line)
    if result.too_long:
        count = result.too_long
        said = counted(
            "Drawn because it was too long: {count} game.",
            "Drawn because they were too long: {count} games.",
            count=count,
        )
        print(said.render(arguments.lang))
    for fault in result.faults[:_MOST_FAULTS]:
        print(fault)
    if len(result.faults) > _MOST_FAULTS:
        more = len(result.faults) - _MOST_FAULTS
        said = counted("Lost by faults besides: {count} game.", "Lost by faults besides: {count} games.", count=more)
        print(said.render(arguments.lang))


def _match_lines(result: MatchResult) -> list[Message | str]:
    found = result.estimate
    lines: list[Message | str] = [
        message(
            "{first} against {second}: {wins} won, {draws} drawn, {losses} lost, {score} % (equal players: 50 %).",
            first=result.first,
            second=result.second,
            wins=result.wins,
            draws=result.draws,
            losses=result.losses,
            score=Number(100 * result.score, ".1f"),
        ),
        _elo_line(found),
        message(
            "Likelihood that {first} is the stronger: {share} %.",
            first=result.first,
            share=Number(100 * found.superiority, ".1f"),
        ),
    ]
    if result.sprt:
        lines.append(_sprt_line(result.sprt))
    return [*lines, _rate_line(result, result.length)]


def _elo_line(found: Estimate) -> Message:
    low, high = (Number(value, "+.0f") for value in (found.low, found.high))
    if math.isinf(found.low) and math.isinf(found.high):
        return message("Elo difference: not known yet.")
    if math.isinf(found.high):
        return message("Elo difference: above {low} (95 %).", low=low)
    if math.isinf(found.low):
        return message("Elo difference: below {high} (95 %).", high=high)
    elo, error = Number(found.elo, "+.0f"), Number(found.error, ".0f")
    return message("Elo difference: {elo} ± {error} (95 %: {low} to {high}).", elo=elo, error=error, low=low, high=high)


def _sprt_line(test: SprtRun) -> Message:
    low, high = test.sprt.bounds
    values = {
        "elo0": Number(test.sprt.elo0, "g"),
        "elo1": Number(test.sprt.elo1, "g"),
        "llr": Number(test.llr, ".2f"),
    }
    if test.verdict is None:
        return message(
            "The sequential test of {elo0} and {elo1} Elo is open: LLR {llr} between {low} and {high}.",
            **values,
            low=Number(low, ".2f"),
            high=Number(high, ".2f"),
        )
    return counted(
        "The sequential test of {elo0} and {elo1} Elo accepts {accepted} after {count} pair: LLR {llr}.",
        "The sequential test of {elo0} and {elo1} Elo accepts {accepted} after {count} pairs: LLR {llr}.",
        count=test.seen,
        **values,
        accepted=values[test.verdict],
    )


def _rate_line(result: MatchResult | RoundRobinResult, length: float) -> Message:
    return message(
        "{games}, {length} turns each, {rate} games/s.",
        games=counted("{count} game", "{count} games", count=result.games),
        length=Number(length, ".1f"),
        rate=Number(result.games_per_second, ".3g"),
    )


def _table_lines(result: RoundRobinResult, lang: str) -> list[Message | str]:
    def percent(score: float) -> str:
        return Number(100 * score, ".1f").render(lang)

    standings = result.standings()
    width = max(len(standing.name) for standing in standings)
    numbers = "".join(f"{number:>6}" for number in range(1, len(standings) + 1))
    lines: list[Message | str] = [f"    {'':{width}} {'Elo':>6} {'±':>5} {'%':>6}   {numbers}"]
    for number, standing in enumerate(standings, 1):
        scores = [result.score_between(standing.name, other.name) for other in standings]
        cells = "".join(f"{'-' if score is None else percent(score):>6}" for score in scores)
        rating = f"{standing.elo:+6.0f} {standing.error:5.0f} {percent(standing.score):>6}"
        lines.append(f"{number:3} {standing.name:{width}} {rating}   {cells}")
    if result.ratings().is_tamed:
        lines.append(
            message(
                "Some players won or lost every game: to rate them, one drawn pair was added to each of their meetings."
            )
        )
    turns = sum(match.length * match.games for match in result.matches)
    return [*lines, _rate_line(result, turns / max(result.games, 1))]
