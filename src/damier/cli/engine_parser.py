"""The arguments and help texts of the commands that search: analyse, review, engine, match, fit."""

from damier.cli.arguments import (
    Commands,
    Parser,
    add_actions,
    add_command,
    add_game,
    add_position,
    add_theme,
    number,
    seconds,
)

_WHO = "level:1 to level:8, full, mcts, random, ugi:COMMAND, gtp:COMMAND, with a limit as in full@seconds=0.5"


def add_engine_commands(commands: "Commands[Parser]") -> None:
    """Adds the commands that search."""
    for add in (_analyse, _review, _match, _engine, _fit):
        add(commands)


def _add_limit(parser: Parser, what: str, default: str) -> None:
    parser.add_argument("--seconds", metavar="S", type=seconds, help=f"how long {what} may take{default}")
    parser.add_argument("--nodes", metavar="N", type=number, help=f"how many positions {what} may look at")


def _add_depth(parser: Parser, what: str) -> None:
    parser.add_argument("--depth", metavar="D", type=number, help=f"how many actions ahead {what} may look")


def _analyse(commands: "Commands[Parser]") -> None:
    examples = """
        damier analyse GAME --seconds 2
        damier analyse GAME --actions a1 e5 --nodes 100000 --lines 5
        damier analyse GAME --position "B3W/5/1B1WW/5/B1W1B b 0,0 -" --depth 6 --json
    """
    summary = "Search a position and show the best lines with their winning chances."
    parser = add_command(commands, "analyse", summary, examples, "engines")
    add_game(parser)
    add_position(parser)
    add_actions(parser)
    _add_limit(parser, "the search", " (default: 5, if nothing else limits it)")
    _add_depth(parser, "the search")
    parser.add_argument("--lines", metavar="N", type=number, default=3, help="how many of the best lines (default: 3)")
    parser.add_argument("--threads", metavar="T", type=number, default=1, help="how many threads (default: 1)")
    parser.add_argument("--memory", metavar="MB", type=number, default=64, help="memory of the search (default: 64 MB)")
    parser.add_argument(
        "--method", metavar="M", help="alphabeta, expectimax or mcts (default: what suits the game best)"
    )


def _review(commands: "Commands[Parser]") -> None:
    examples = """
        damier review game.txt
        damier review game.txt --seconds 1 --svg chances.svg
        damier review games.txt --game 3 --annotate annotated.txt --lang de
    """
    summary = "Find the mistakes in a recorded game and show how the winning chances went."
    parser = add_command(commands, "review", summary, examples, "reviews")
    parser.add_argument("file", metavar="FILE", help="records as text or JSON ('-' for standard input)")
    parser.add_argument("--game", metavar="N", type=number, default=1, help="which game of the file (default: 1)")
    _add_limit(parser, "the search of each position", "")
    parser.add_argument("--svg", metavar="FILE", help="write the graph as an SVG picture to FILE")
    add_theme(parser)
    parser.add_argument("--annotate", metavar="FILE", help="write the record with mistakes and better lines to FILE")


def _match(commands: "Commands[Parser]") -> None:
    examples = """
        damier match GAME --a level:8 --b level:5 --games 200
        damier match GAME --a full@nodes=20000 --b mcts@nodes=20000 --sprt=-10,10 --games 4000
        damier match GAME --a full --b "ugi:./engine --fast" --seconds 0.5 --save games.txt
        damier match GAME --round-robin level:1 level:2 level:3 random --games 100
    """
    summary = "Let two players play a match, or many a tournament."
    parser = add_command(commands, "match", summary, examples, "matches")
    add_game(parser)
    parser.add_argument("--a", metavar="WHO", help=_WHO)
    parser.add_argument("--b", metavar="WHO", help="the other player")
    parser.add_argument("--round-robin", metavar="WHO", nargs="+", help="every one of these plays every other")
    parser.add_argument(
        "--games", metavar="N", type=number, default=200, help="how many games, of each two players (default: 200)"
    )
    _add_limit(parser, "a turn", " (default: 1, if nothing else limits it)")
    _add_depth(parser, "a turn's search")
    parser.add_argument(
        "--openings",
        metavar="N",
        type=number,
        help="random turns before the players begin (default: 4, or 2 long ones)",
    )
    parser.add_argument("--seed", type=number, default=0, help="same seed, same openings and dice (default: 0)")
    parser.add_argument("--jobs", metavar="N", type=number, help="how many games at a time (default: one a core)")
    parser.add_argument(
        "--max-turns", metavar="N", type=number, default=400, help="a longer game is a draw (default: 400)"
    )
    parser.add_argument(
        "--sprt", metavar="ELO0,ELO1", help="stop when a sequential test has decided between these Elo differences"
    )
    parser.add_argument("--save", metavar="FILE", help="write the games to FILE and the result to FILE.json")
    parser.add_argument("--resume", action="store_true", help="go on with a match that was saved")


def _engine(commands: "Commands[Parser]") -> None:
    examples = """
        damier engine GAME
        damier engine GAME --protocol gtp
        damier match GAME --a full --b "ugi:damier engine GAME" --games 10
    """
    summary = "Serve the engine to another program, line by line on the standard streams."
    parser = add_command(commands, "engine", summary, examples, "engines", has_json=False)
    add_game(parser)
    parser.add_argument("--protocol", choices=("ugi", "gtp"), default="ugi", help="what is spoken (default: ugi)")


def _fit(commands: "Commands[Parser]") -> None:
    examples = """
        damier fit GAME --games 2000 --nodes 500
        damier fit GAME --by matches --games 12000 --nodes 5000 --jobs 2
    """
    summary = "Fit the weights of a game's evaluation to games that the engine plays against itself."
    parser = add_command(commands, "fit", summary, examples, "fits")
    add_game(parser)
    parser.add_argument(
        "--by",
        choices=("results", "matches"),
        default="results",
        help="fit what goes with winning, or find what wins by games with changed weights (default: results)",
    )
    parser.add_argument("--games", metavar="N", type=number, default=2000, help="how many games (default: 2000)")
    parser.add_argument("--jobs", metavar="N", type=number, default=1, help="processes that play matches (default: 1)")
    parser.add_argument("--nodes", metavar="N", type=number, default=500, help="positions looked at (default: 500)")
    parser.add_argument("--seed", type=number, default=0, help="same seed, same games (default: 0)")
