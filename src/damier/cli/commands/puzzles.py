"""``damier puzzles``: lists the puzzles of the package or of a file, or makes new ones."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from damier.cli.arguments import Parser, add_cluster, add_game, chosen_game, chosen_workers, whole_number
from damier.cli.files import check_folder, reading
from damier.cli.output import progress
from damier.core.errors import BadArgument
from damier.core.folders import cannot_write, write_whole
from damier.core.game import Game
from damier.core.messages import counted, message, shown
from damier.core.ranges import check_whole
from damier.engine.turns import joined_turns
from damier.teach.puzzles.puzzle import DIFFICULTIES, THEMES, Puzzle, puzzles_text, read_puzzles, shipped_puzzles

EXAMPLES = """
damier puzzles {game}
damier puzzles {game} --difficulty 3 --count 5 --answers
damier puzzles {game} --theme win --json
damier puzzles {small} --make --count 2 --seed 7 --out puzzles.json
damier puzzles {small} --file puzzles.json
"""

_MOST = 10_000


def add_arguments(parser: Parser) -> None:
    """Adds which puzzles to list or to make, and where to write them."""
    add_game(parser)
    parser.add_argument(
        "--count", metavar="N", type=whole_number, help="at most N puzzles (default: all, or 100 to make)"
    )
    parser.add_argument("--theme", metavar="T", help="only puzzles of this theme, such as win or only_draw")
    parser.add_argument("--difficulty", metavar="D", type=whole_number, help="only puzzles of this difficulty, 1 to 5")
    parser.add_argument("--distance", metavar="N", type=whole_number, help="only puzzles of this distance")
    parser.add_argument("--answers", action="store_true", help="show the answers with the lines that follow")
    parser.add_argument("--make", action="store_true", help="make new puzzles instead of listing existing ones")
    parser.add_argument("--seed", type=whole_number, default=0, help="for --make: same seed, same puzzles (default: 0)")
    add_cluster(parser)
    parser.add_argument("--file", metavar="FILE", help="list the puzzles of a file written by --out")
    parser.add_argument("--out", metavar="FILE", help="write the puzzles to a file; Ctrl-C keeps those found so far")


def run(arguments: argparse.Namespace) -> None:
    """Lists puzzles or makes them."""
    game = chosen_game(arguments)
    _check(arguments)
    if arguments.make:
        _make(arguments, game)
        return
    found = _read(arguments.file) if arguments.file is not None else shipped_puzzles(game.name)
    _give(arguments, _filtered(arguments, game, found))


def _check(arguments: argparse.Namespace) -> None:
    """Refuses bad arguments before any work is done."""
    if arguments.count is not None:
        check_whole("count", arguments.count, 1, _MOST)
    if arguments.difficulty is not None:
        check_whole("difficulty", arguments.difficulty, DIFFICULTIES[0], DIFFICULTIES[-1])
    if arguments.theme is not None and arguments.theme not in THEMES:
        raise BadArgument(
            message("The theme is one of {themes}, not {text}.", themes=", ".join(THEMES), text=shown(arguments.theme))
        )
    if arguments.make and arguments.file is not None:
        raise BadArgument(message("Give either {first} or {second}, not both.", first="--make", second="--file"))
    if arguments.cluster is not None and not arguments.make:
        raise BadArgument(message("{option} needs {other}.", option="--cluster", other="--make"))
    check_folder(arguments.out)


def _read(file: str) -> tuple[Puzzle, ...]:
    with reading(file):
        return read_puzzles(Path(file).read_bytes().decode("utf-8"))


def _filtered(arguments: argparse.Namespace, game: Game, puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Returns the puzzles that match the arguments; with any options of the game if none are given."""
    found = [
        puzzle
        for puzzle in puzzles
        if puzzle.game == game.name
        and (not arguments.options or puzzle.loaded == game)
        and arguments.theme in (None, puzzle.theme)
        and arguments.difficulty in (None, puzzle.difficulty)
        and arguments.distance in (None, puzzle.distance)
    ]
    if not found:
        raise BadArgument(
            message(
                "There is no such puzzle; '{command} --make' makes new ones.", command=game.tables.command("puzzles")
            )
        )
    return found[: arguments.count]


def _make(arguments: argparse.Namespace, game: Game) -> None:
    """Makes puzzles; Ctrl-C writes those found so far if there is a file to write to."""
    from damier.teach.puzzles.maker import DEFAULT_COUNT, PuzzleMaker

    count = arguments.count or DEFAULT_COUNT
    maker = PuzzleMaker(game, arguments.seed, arguments.theme, arguments.difficulty, arguments.distance)
    try:
        with chosen_workers(arguments, None) as cluster, progress(game.title) as show:
            maker.search(count, show, cluster)
    except KeyboardInterrupt:
        if arguments.out is not None:
            _write(arguments.out, maker.pick(count))
        raise
    _give(arguments, _filtered(arguments, game, maker.pick(count)))


def _write(file: str, found: list[Puzzle]) -> None:
    try:
        write_whole(Path(file), puzzles_text(found))
    except OSError as error:
        raise cannot_write(file, error.errno) from None


def _give(arguments: argparse.Namespace, found: list[Puzzle]) -> None:
    """Writes puzzles to the output file, or prints them."""
    if arguments.out is not None:
        _write(arguments.out, found)
        said = counted("{file}: {count} puzzle.", "{file}: {count} puzzles.", file=arguments.out, count=len(found))
        print(
            json.dumps({"file": arguments.out, "puzzles": len(found)})
            if arguments.json
            else said.render(arguments.lang)
        )
        return
    for puzzle in found:
        print(puzzle.text() if arguments.json else _lines(puzzle, arguments.lang, arguments.answers))


def _lines(puzzle: Puzzle, lang: str, has_answer: bool) -> str:
    """Returns a puzzle as text."""
    head = message(
        "{id}  difficulty {difficulty}  {player}: {task}",
        id=puzzle.id,
        difficulty=puzzle.difficulty,
        player=puzzle.loaded.player_name(puzzle.start.mover),
        task=puzzle.task(),
    )
    lines = [head.render(lang), f"  {puzzle.position}"]
    if puzzle.options != Game(puzzle.loaded.definition).options:
        lines[1] += f"  ({puzzle.loaded.options_text})"
    if has_answer:
        lines.append(f"  {' '.join(joined_turns(puzzle.start, puzzle.line))}")
    return "\n".join(lines)
