"""The commands that search a position and that serve the engine to other programs."""

import argparse
import contextlib
import errno
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from damier import Record
from damier.cli.output import chosen_game, chosen_record
from damier.core.drawing import position_captions
from damier.core.errors import BadArgument
from damier.core.messages import Message, message
from damier.engine.analysis import Analysis, Value
from damier.engine.engine import Engine
from damier.engine.judge import overall_chances
from damier.engine.limit import Limit
from damier.engine.turns import joined_turns, player_to_act

_SECONDS = 5.0  # of an analysis that nothing limits


def analyse(chosen: argparse.Namespace) -> None:
    """Searches a position: the table grows in a terminal, JSON lines come one by one, else the last state counts."""
    record = chosen_record(chosen, chosen_game(chosen))
    limit = Limit(chosen.seconds, chosen.nodes, chosen.depth)
    engine = _engine(chosen, record)
    growing = engine.analyse(record, Limit(seconds=_SECONDS) if limit == Limit() else limit, chosen.lines)
    if record.result:
        _print_result(chosen, record)
        return
    last: Analysis | None = None
    try:
        with _display(chosen, record) as show:
            for analysis in growing:
                last = analysis
                show(last)
    except KeyboardInterrupt:
        engine.stop()
        if last:
            _print_last(chosen, record, last)
        raise
    assert last, "an undecided position has an analysis"
    _print_last(chosen, record, last)


def _engine(chosen: argparse.Namespace, record: Record) -> Engine:
    try:
        return Engine(
            record.game,
            threads=chosen.threads,
            memory=chosen.memory,
            method=chosen.method,
            uses_tables=chosen.method is None,
        )
    except OSError as error:  # more memory than there is
        raise MemoryError if error.errno == errno.ENOMEM else error from None


@contextlib.contextmanager
def _display(chosen: argparse.Namespace, record: Record) -> Iterator[Callable[[Analysis], None]]:
    """Yields what shows a search that goes on."""
    if chosen.json:
        yield lambda analysis: print(json.dumps(_data(record, analysis, is_final=False)), flush=True)
    elif sys.stdout.isatty():
        from rich.live import Live
        from rich.text import Text

        with Live(transient=True) as live:
            yield lambda analysis: live.update(
                Text("\n".join(_lines(record, analysis, chosen.lang)), no_wrap=True, overflow="ellipsis")
            )
    else:
        yield lambda _analysis: None


def _print_last(chosen: argparse.Namespace, record: Record, analysis: Analysis) -> None:
    if chosen.json:
        print(json.dumps(_data(record, analysis, is_final=True)), flush=True)
    else:
        print("\n".join(_lines(record, analysis, chosen.lang)), flush=True)


def _print_result(chosen: argparse.Namespace, record: Record) -> None:
    result = record.result
    assert result
    sentence = result.sentence(chosen.lang)
    if chosen.json:
        found = {"winner": result.winner, "reason": result.reason, "sentence": sentence}
        print(json.dumps({**_head(record), "mover": None, "result": found, "lines": [], "final": True}))
    else:
        print(sentence)


def _head(record: Record) -> dict[str, Any]:
    return {"game": record.game.name, "options": record.game.options, "position": str(record.position)}


def _data(record: Record, analysis: Analysis, *, is_final: bool) -> dict[str, Any]:
    """Returns the state of a search as data for JSON."""
    players = record.game.players
    return {
        **_head(record),
        "mover": analysis.mover,
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 4),
        "nodes_per_second": analysis.nodes_per_second,
        "chances": _by_player(players, overall_chances(analysis)),
        "lines": [
            {
                "actions": list(line.actions),
                "chances": _by_player(players, line.value.chances),
                "winner": line.value.winner,
                "distance": line.value.distance,
            }
            for line in analysis.lines
        ],
        "exact": analysis.is_exact,
        "final": is_final,
    }


def _by_player(players: tuple[str, ...], chances: tuple[float, ...]) -> dict[str, float]:
    return {player: round(chance, 6) for player, chance in zip(players, chances, strict=True)}


def _lines(record: Record, analysis: Analysis, lang: str) -> list[str]:
    """Returns the state of a search as text: how far it has looked, then the lines."""
    who = position_captions(record.position, None)[0]
    if analysis.is_exact:
        head = message("exact, from a table  {who}", who=who)
    else:
        head = message(
            "depth {depth}  {nodes} nodes  {rate} nodes/s  {seconds} s  {who}",
            depth=analysis.depth,
            nodes=f"{analysis.nodes:,}",
            rate=_short(analysis.nodes_per_second),
            seconds=f"{analysis.seconds:.1f}",
            who=who,
        )
    ends = [_end(record, line.value) for line in analysis.lines]
    words = [end.render(lang) if end else "" for end in ends]
    width = max(map(len, words), default=0)
    rows = [head.render(lang)]
    for line, word in zip(analysis.lines, words, strict=True):
        turns = " ".join(joined_turns(record.position, line.actions))
        rows.append("  ".join(filter(None, [_chances(record, line.value), word.ljust(width), turns])))
    return rows


def _chances(record: Record, value: Value) -> str:
    """Returns the chance of the player on move or about to roll; of all players, if they are more than two."""
    players = record.game.players
    if len(players) > 2:
        return "  ".join(f"{name} {_percent(chance)}" for name, chance in zip(players, value.chances, strict=True))
    player = player_to_act(record.position)
    assert player, "of two players one always acts"
    return _percent(value.chances[players.index(player)])


def _percent(chance: float) -> str:
    return f"{100 * chance:5.1f} %"


def _end(record: Record, value: Value) -> Message | None:
    """Returns how far the end is if that is forced."""
    plies = value.distance
    if plies is None:
        return None
    if value.winner is None:
        return message("draw in 1 ply") if plies == 1 else message("draw in {plies} plies", plies=plies)
    if value.winner == record.mover:
        return message("wins in 1 ply") if plies == 1 else message("wins in {plies} plies", plies=plies)
    return message("loses in 1 ply") if plies == 1 else message("loses in {plies} plies", plies=plies)


def _short(count: int) -> str:
    """Returns a large number as one says it: 2.1 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return str(count)


def engine(chosen: argparse.Namespace) -> None:
    """Serves the engine to another program until that program ends it."""
    game = chosen_game(chosen)
    if sys.stdin is None:  # closed by the caller
        raise BadArgument(message("There is no standard input to read."))
    if chosen.protocol == "gtp":
        from damier.engine.protocols.gtp import run_gtp

        run_gtp(game)
    else:
        from damier.engine.protocols.ugi import run_ugi

        run_ugi(game)
