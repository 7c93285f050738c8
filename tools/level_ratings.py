"""Measures the ratings of the computer's levels by matches between neighbours.

    python -m tools.level_ratings [GAME ...] [--cpu 70] [--nodes 400000] [--pairs 40]

For each game, every level plays the one below in pairs of games from one balanced opening, with sides exchanged. The
meeting with the least CPU time so far goes next, until the games have used --cpu seconds each or every meeting has
--pairs pairs. Ratings follow from the scores, anchored at one level (``engine/level_ratings.py``). They are written to
``games/<name>/level_ratings.json`` after every pair, with all scores: a run that is stopped, or run again with more
time, goes on where it was, as long as the limit is the same. The limit is in nodes, so that a busy machine measures the
same: levels below full strength search fewer, and play as they always do; full strength has --nodes for a search.
"""

import argparse
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import damier
from damier.core.game import Game
from damier.engine.arena.one_game import play_game
from damier.engine.arena.openings import Opening, opening_turns, openings
from damier.engine.judge import EngineJudge
from damier.engine.level_ratings import ANCHOR_LEVEL, ANCHOR_VALUE, FILE, fitted_levels
from damier.engine.levels import LEVELS, LevelPlayer
from damier.engine.limit import Limit

MAX_TURNS = 120  # of a game; a longer one is a draw


class Measurement:
    """The scores of the levels of one game, in its file."""

    def __init__(self, game: Game, path: Path, nodes: int) -> None:
        self.game, self.path, self.nodes = game, path, nodes
        known = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        is_same = known.get("nodes") == nodes and known.get("max_turns") == MAX_TURNS
        self.pairs: dict[int, list[float]] = {level: [] for level in LEVELS[1:]}
        self.cpu = dict.fromkeys(LEVELS[1:], 0.0)
        """CPU seconds that went into each meeting."""

        for each in known.get("meetings", []) if is_same else []:
            self.pairs[each["level"]], self.cpu[each["level"]] = each["scores"], each["cpu"]
        self._openings = {level: self._begins(level) for level in LEVELS[1:]}
        self._players: dict[tuple[int, int], LevelPlayer] = {}

    def _begins(self, level: int) -> Iterator[Opening]:
        """Returns the openings of a meeting that have not been played."""
        begins = openings(self.game, opening_turns(self.game), 7 * level, EngineJudge(self.game))
        return islice(begins, len(self.pairs[level]), None)

    def measure(self, cpu: float, most: int) -> None:
        """Plays pairs until the game has used some CPU seconds or every meeting has `most` pairs."""
        while sum(self.cpu.values()) < cpu:
            left = [level for level in LEVELS[1:] if len(self.pairs[level]) < most]
            if not left:
                return
            level = min(left, key=lambda each: (len(self.pairs[each]) > 1, self.cpu[each]))
            for side in (level, level - 1):
                for seat in range(len(self.game.players)):
                    self._player(side, seat)  # compiled kernels are loaded before the time counts
            began = time.process_time()
            score = self._pair(level, next(self._openings[level]))
            self.cpu[level] = round(self.cpu[level] + time.process_time() - began, 2)
            self.pairs[level].append(score)
            if all(self.pairs.values()):
                self.write()

    def _pair(self, level: int, opening: Opening) -> float:
        """Plays an opening with both sides and returns the score of the upper level, 0 to 1."""
        number, points = len(self.pairs[level]), 0.0
        for side in (0, 1):
            is_upper = [(seat + side) % 2 == 0 for seat in range(len(self.game.players))]
            players = [self._player(level if upper else level - 1, seat) for seat, upper in enumerate(is_upper)]
            mine = [player for player, upper in zip(self.game.players, is_upper, strict=True) if upper]
            dice = f"{level} {number}"
            limit = Limit(nodes=self.nodes)
            played = play_game(self.game, players, limit, opening=opening, dice=dice, max_turns=MAX_TURNS)
            points += played.points(mine)
        return points / 2

    def _player(self, level: int, seat: int) -> LevelPlayer:
        if (level, seat) not in self._players:
            player = LevelPlayer(self.game, level, 100 * level + seat)
            player.warm_up()
            self._players[level, seat] = player
        return self._players[level, seat]

    def data(self) -> dict[str, Any]:
        """Returns what the file holds."""
        levels = [
            {"level": level, "value": rating.value, "error": rating.error}
            for level, rating in fitted_levels(self.pairs).items()
        ]
        meetings = [
            {"level": level, "against": level - 1, "cpu": self.cpu[level], "scores": scores}
            for level, scores in self.pairs.items()
        ]
        return {
            "anchor": {"level": ANCHOR_LEVEL, "value": ANCHOR_VALUE},
            "measured": f"{datetime.now(UTC):%Y-%m-%d}",
            "options": dict(self.game.options),
            "nodes": self.nodes,
            "max_turns": MAX_TURNS,
            "levels": levels,
            "meetings": meetings,
        }

    def write(self) -> None:
        """Writes the file, so that a killed run leaves the old or the new one."""
        text = json.dumps(self.data(), separators=(", ", ": "))
        for key in ("measured", "options", "nodes", "max_turns", "levels", "meetings"):
            text = text.replace(f'"{key}": ', f'\n "{key}": ', 1)
        text = text.replace('{"level": ', '\n  {"level": ').replace('"anchor": \n  {', '"anchor": {')
        draft = self.path.with_suffix(".draft")
        draft.write_text(text + "\n", "utf-8")
        draft.replace(self.path)


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="*", default=damier.games())
    parser.add_argument("--cpu", type=float, default=70.0, help="CPU seconds for each game, in all runs")
    parser.add_argument("--nodes", type=int, default=400_000, help="for a search at full strength")
    parser.add_argument("--pairs", type=int, default=40, help="for each two neighbours at most")
    chosen = parser.parse_args()
    for name in chosen.game:
        game = damier.load(name)
        run = Measurement(game, game.definition.folder / FILE, chosen.nodes)
        run.measure(chosen.cpu, chosen.pairs)
        shown = ", ".join(f"{each['level']}: {each['value']} ± {each['error']}" for each in run.data()["levels"])
        print(f"{name}: {shown} ({sum(map(len, run.pairs.values()))} pairs, {sum(run.cpu.values()):.0f} s)", flush=True)


if __name__ == "__main__":
    main()
