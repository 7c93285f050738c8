"""The command about puzzles: lists those that come with the program or stand in a file, or makes new ones."""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from damier.cli.files import check_folder, reading
from damier.cli.output import chosen_game, progress
from damier.core.atomic_file import write_whole
from damier.core.errors import BadArgument
from damier.core.game import Game
from damier.core.messages import message, shown
from damier.core.ranges import check_whole
from damier.engine.turns import joined_turns
from damier.teach.puzzles.puzzle import DIFFICULTIES, THEMES, Puzzle, puzzles_text, read_puzzles, shipped_puzzles

_MOST = 10_000


def puzzles(chosen: argparse.Namespace) -> None:
    """Lists puzzles or makes them."""
    game = chosen_game(chosen)
    _check(chosen)
    if chosen.make:
        _make(chosen, game)
        return
    there = _read(chosen.file) if chosen.file is not None else shipped_puzzles(game.name)
    _give(chosen, _filtered(chosen, game, there))


def _check(chosen: argparse.Namespace) -> None:
    """Refuses arguments that make no sense, before anything is done."""
    if chosen.count is not None:
        check_whole("count", chosen.count, 1, _MOST)
    if chosen.difficulty is not None:
        check_whole("difficulty", chosen.difficulty, DIFFICULTIES[0], DIFFICULTIES[-1])
    if chosen.theme is not None and chosen.theme not in THEMES:
        raise BadArgument(
            message("The theme is one of {themes}, not {text}.", themes=", ".join(THEMES), text=shown(chosen.theme))
        )
    if chosen.make and chosen.file is not None:
        raise BadArgument(message("Either puzzles are made or those of a file are listed, not both."))
    check_folder(chosen.out)


def _read(file: str) -> tuple[Puzzle, ...]:
    with reading(file):
        return read_puzzles(Path(file).read_bytes().decode("utf-8"))


def _filtered(chosen: argparse.Namespace, game: Game, there: Iterable[Puzzle]) -> list[Puzzle]:
    """Returns the puzzles that are asked for; of other options too if none are named."""
    found = [
        puzzle
        for puzzle in there
        if puzzle.game == game.name
        and (not chosen.options or puzzle.loaded == game)
        and chosen.theme in (None, puzzle.theme)
        and chosen.difficulty in (None, puzzle.difficulty)
    ]
    if not found:
        raise BadArgument(
            message(
                "There is no such puzzle; '{command} --make' makes new ones.", command=game.tables.command("puzzles")
            )
        )
    return found[: chosen.count]


def _make(chosen: argparse.Namespace, game: Game) -> None:
    """Makes puzzles; when it is interrupted, what was found is written if there is a file to write to."""
    from damier.teach.puzzles.maker import DEFAULT_COUNT, PuzzleMaker

    count = chosen.count or DEFAULT_COUNT
    maker = PuzzleMaker(game, chosen.seed, chosen.theme, chosen.difficulty)
    try:
        with progress(game.title) as show:
            maker.search(count, show)
    except KeyboardInterrupt:
        if chosen.out is not None:
            _write(chosen.out, maker.pick(count))
        raise
    _give(chosen, _filtered(chosen, game, maker.pick(count)))


def _write(file: str, found: list[Puzzle]) -> None:
    try:
        write_whole(Path(file), puzzles_text(found))
    except OSError as error:
        raise BadArgument(
            message("The file {file} cannot be written: {why}.", file=shown(file), why=error.strerror)
        ) from None


def _give(chosen: argparse.Namespace, found: list[Puzzle]) -> None:
    """Writes puzzles to the file that is named, or prints them."""
    if chosen.out is not None:
        _write(chosen.out, found)
        said = message("{file}: {count} puzzles.", file=chosen.out, count=len(found))
        print(json.dumps({"file": chosen.out, "puzzles": len(found)}) if chosen.json else said.render(chosen.lang))
        return
    for puzzle in found:
        print(puzzle.text() if chosen.json else _lines(puzzle, chosen.lang, chosen.answers))


def _lines(puzzle: Puzzle, lang: str, has_answer: bool) -> str:
    """Returns a puzzle for people."""
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
