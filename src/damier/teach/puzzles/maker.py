"""Makes puzzles: plays games, finds positions with a unique answer in them, and picks a varied set.

How an answer is proved depends on the game: by its table, with a path search where returns are forbidden
(``from_table.py``); or, where a turn is several actions and there is no table, by exhaustive search
(``from_turns.py``). Numbers are counted by the rules (``counting.py``).
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from damier.cluster.nodes import Task, run_in_order
from damier.teach.puzzles.counting import CountFinder
from damier.teach.puzzles.from_table import TablePuzzleFinder
from damier.teach.puzzles.from_turns import TurnPuzzleFinder
from damier.teach.puzzles.puzzle import COUNTED, Puzzle
from damier.teach.puzzles.rating import Rater
from damier.teach.puzzles.source_games import SourceGames

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.teach.puzzles.from_table import UnratedPuzzle

    Show = Callable[[float, str], None]
    Kind = tuple[str, int | None]

DEFAULT_COUNT = 100

_GAMES = 30  # played at most for each puzzle that is picked
_FROM_GAME = 2  # puzzles at most from one game

#: Largest share of puzzles that are won at once, in one ply or one turn, by theme.
_AT_ONCE = {"win": 0.1, "only_win": 0.1, "turn_win": 0.3}

_COUNTED = 0.3  # largest share of puzzles with the same number for an answer


class PuzzleMaker:
    """Makes puzzles of one game; raises `TableMissing` or `NotSolvable` where it cannot."""

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        theme: str | None = None,
        difficulty: int | None = None,
        distance: int | None = None,
    ) -> None:
        """Keeps only puzzles of this theme, difficulty and distance, if given."""
        self.game, self._theme, self._difficulty, self._distance = game, theme, difficulty, distance
        has_turns = game.definition.index is None and game.traits.has_long_turns and len(game.players) == 2
        self._finder = TurnPuzzleFinder(game, theme, distance) if has_turns else TablePuzzleFinder(game)
        self._counting = CountFinder() if game.traits.has_chance else None
        self._games, self._rater = SourceGames(game, seed), Rater(game)
        self._kinds: dict[Kind, list[Puzzle]] = defaultdict(list)
        self._seen: set[object] = set()
        self._ahead: Iterator[tuple[list[Position], list[UnratedPuzzle | Puzzle | None]]] | None = None

    def search(self, count: int, show: Show, cluster: Nodes | None = None) -> None:
        """Finds more puzzles than `count`, to pick from; may be interrupted at any time.

        The nodes of a cluster look at games ahead; what is found is the same.
        """
        if cluster is not None:
            self._ahead = self._look_ahead(cluster)
        wanted = self._finder.surplus * count
        for number in range(_GAMES * count):
            found = sum(min(len(puzzles), self._room(kind, count)) for kind, puzzles in self._kinds.items())
            if found >= wanted:
                return
            show(max(number / (_GAMES * count), found / wanted), str(found))
            self._add_game(count)

    def _room(self, kind: Kind, count: int) -> int:
        """Returns how many puzzles of a kind to keep."""
        return round(self._finder.surplus * count * _share(kind))

    def _add_game(self, count: int) -> None:
        """Plays a game and keeps a few of its puzzles, the last positions first: they are the richest."""
        kept = 0
        positions, answers = next(self._ahead) if self._ahead else (self._games.positions(), [])
        known = dict(zip(reversed(positions), answers, strict=False))
        for position in reversed(positions):
            symmetry_key = self._finder.symmetry_key(position)
            if symmetry_key in self._seen:
                continue
            self._seen.add(symmetry_key)
            found = known[position] if position in known else self._find(position)
            if found is None or self._theme not in (None, found.theme) or self._distance not in (None, found.distance):
                continue
            kind = _kind(found)
            if len(self._kinds[kind]) < self._room(kind, count):
                puzzle = found if isinstance(found, Puzzle) else self._rater.rated(found)
                if self._difficulty in (None, puzzle.difficulty):
                    self._kinds[kind].append(puzzle)
                    kept += 1
            if kept == _FROM_GAME:
                return

    def _look_ahead(self, cluster: Nodes) -> Iterator[tuple[list[Position], list[UnratedPuzzle | Puzzle | None]]]:
        """Plays games and has nodes look at them; yields them with what was found, the last positions first."""
        games: deque[list[Position]] = deque()

        def tasks() -> Iterator[Task[list[UnratedPuzzle | Puzzle | None]]]:
            wanted = self.game, self._theme, self._difficulty, self._distance
            for number in itertools.count():
                games.append(self._games.positions())
                texts = [str(position) for position in reversed(games[-1])]
                yield Task(f"puzzles in game {number}", look_at_game, (*wanted, texts))

        for answers in run_in_order(cluster, tasks()):
            yield games.popleft(), answers

    def look_at(self, texts: list[str]) -> list[UnratedPuzzle | Puzzle | None]:
        """Returns what is found in the positions of a game, in all of them or until there is enough for one game.

        Nothing is rated: a rating depends a little on what the engine has rated before.
        """
        answers: list[UnratedPuzzle | Puzzle | None] = []
        kept = 0
        for text in texts:
            found = self._find(self.game.position(text))
            answers.append(found)
            if found is not None and self._theme in (None, found.theme) and self._distance in (None, found.distance):
                kept += 1
            if kept == _FROM_GAME and self._difficulty is None:
                break
        return answers

    def _find(self, position: Position) -> UnratedPuzzle | Puzzle | None:
        """Returns the puzzle in a position, if there is one; the die's have their difficulty already."""
        if self._counting is not None and position.mover == "chance":
            return self._counting.find(position) if self._theme in (None, *COUNTED) else None
        return self._finder.find(position) if self._theme not in COUNTED else None

    def pick(self, count: int) -> list[Puzzle]:
        """Returns a varied set, easy ones first: round-robin over kinds, each time the rarest difficulty."""
        rest = {kind: list(puzzles) for kind, puzzles in self._kinds.items() if puzzles}
        picked: list[Puzzle] = []
        taken: Counter[int] = Counter()
        while rest and len(picked) < count:
            for kind in sorted(rest, key=str):
                of_kind = sum(_kind(each) == kind for each in picked)
                if not rest[kind] or of_kind >= _share(kind) * count:
                    del rest[kind]
                elif len(picked) < count:
                    puzzle = min(rest[kind], key=lambda each: taken[each.difficulty])
                    rest[kind].remove(puzzle)
                    taken[puzzle.difficulty] += 1
                    picked.append(puzzle)
        return sorted(picked, key=lambda each: (each.difficulty, each.distance or 0, each.id))


@functools.cache
def _maker(*wanted: Any) -> PuzzleMaker:
    """Returns the maker of this process, if it is a node of a cluster."""
    game, theme, difficulty, distance = wanted
    return PuzzleMaker(game, 0, theme, difficulty, distance)


def look_at_game(
    game: Game, theme: str | None, difficulty: int | None, distance: int | None, texts: list[str]
) -> list[UnratedPuzzle | Puzzle | None]:
    """Looks at the positions of a game as a task of a cluster."""
    return _maker(game, theme, difficulty, distance).look_at(texts)


def _kind(puzzle: UnratedPuzzle | Puzzle) -> Kind:
    """Returns the theme with the distance, or with the number that is asked for."""
    return puzzle.theme, int(puzzle.answer) if puzzle.theme in COUNTED else puzzle.distance


def _share(kind: Kind) -> float:
    """Returns the largest share of puzzles of a kind."""
    theme, distance = kind
    if theme in COUNTED:
        return _COUNTED
    return _AT_ONCE.get(theme, 1.0) if distance == 1 else 1.0
