"""The arguments and help texts of the commands about exact values: solve, probe, verify, report."""

import os

from damier.cli.arguments import Commands, Parser, add_actions, add_command, add_game, add_position, number


def add_solve_commands(commands: "Commands[Parser]") -> None:
    """Adds the commands about exact values."""
    for add in (_solve, _probe, _verify, _report):
        add(commands)


def _solve(commands: "Commands[Parser]") -> None:
    examples = """
        damier solve GAME
        damier solve GAME -o bombs=5 --threads 2 --memory 8G
        damier solve GAME --plan
    """
    summary = "Solve a game exactly and keep the table; an interrupted solve goes on where it was."
    parser = add_command(commands, "solve", summary, examples, "solves")
    add_game(parser)
    _add_threads(parser)
    parser.add_argument("--memory", metavar="SIZE", help="how much memory it may use, as 8G (default: the machine's)")
    parser.add_argument("--plan", action="store_true", help="only tell what it would take")
    parser.add_argument("--again", action="store_true", help="build a table anew that is there")


def _add_threads(parser: Parser) -> None:
    cores = os.cpu_count() or 1
    parser.add_argument(
        "--threads", metavar="N", type=number, default=cores, help=f"how many threads (default: {cores})"
    )


def _probe(commands: "Commands[Parser]") -> None:
    examples = """
        damier probe GAME --json
        damier probe GAME --actions a1 e5
        damier probe GAME --position "B3W/5/1B1WW/5/B1W1B b 0,0 -"
    """
    summary = "Tell the exact value of a position and of every action, from a table."
    parser = add_command(commands, "probe", summary, examples, "solves")
    add_game(parser)
    add_position(parser)
    add_actions(parser)


def _verify(commands: "Commands[Parser]") -> None:
    examples = "damier verify GAME\ndamier verify GAME -o bombs=5 --threads 2 --json"
    summary = "Check a table: its sums, and every entry against those that follow, by rules of its own."
    parser = add_command(commands, "verify", summary, examples, "verifies")
    add_game(parser)
    _add_threads(parser)


def _report(commands: "Commands[Parser]") -> None:
    examples = "damier report GAME\ndamier report GAME -o bombs=5 --folder pages"
    summary = "Write a page with pictures about what a table says of a game."
    parser = add_command(commands, "report", summary, examples, "reports")
    add_game(parser)
    parser.add_argument(
        "--folder", metavar="DIR", default="docs/solutions", help="where to write it (default: docs/solutions)"
    )
