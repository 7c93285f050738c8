"""``damier analyse``: searches a position."""

import argparse
import contextlib
import errno
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from damier import Record
from damier.cli.arguments import (
    Parser,
    add_actions,
    add_depth,
    add_game,
    add_limit,
    add_position,
    chosen_game,
    chosen_record,
    whole_number,
)
from damier.cli.output import chances_data
from damier.core.drawing import position_captions
from damier.core.messages import Message, Number, counted, message
from damier.engine.analysis import Analysis, Value
from damier.engine.engine import LEAF_MEMORY, Engine
from damier.engine.judge import overall_chances
from damier.engine.limit import Limit
from damier.engine.turns import joined_turns, player_to_act
from damier.solve.returns.repetition import history_note

EXAMPLES = """
damier analyse {game} --seconds 2
damier analyse {game} --actions {actions} --nodes 10000 --lines 5
damier analyse {game} --position "{position}" --depth 3 --json
"""

_DEFAULT_LIMIT = Limit(seconds=5)


def add_arguments(parser: Parser) -> None:
    """Adds the position, the limits of the search and how to search."""
    add_game(parser)
    add_position(parser)
    add_actions(parser)
    add_limit(parser, "the search", " (default: 5, if there is no other limit)")
    add_depth(parser, "the search")
    parser.add_argument(
        "--lines", metavar="N", type=whole_number, default=3, help="how many of the best lines (default: 3)"
    )
    parser.add_argument("--threads", metavar="T", type=whole_number, default=1, help="how many threads (default: 1)")
    parser.add_argument(
        "--memory", metavar="MB", type=whole_number, default=64, help="memory of the search (default: 64 MB)"
    )
    parser.add_argument(
        "--leaf-memory",
        metavar="MB",
        type=whole_number,
        default=LEAF_MEMORY,
        help=f"memory for tables of other options, at whose positions the search ends (default: {LEAF_MEMORY} MB)",
    )
    parser.add_argument(
        "--method", metavar="M", help="alphabeta, expectimax or mcts (default: what suits the game best)"
    )


def run(arguments: argparse.Namespace) -> None:
    """Searches a position: live in a terminal, as JSON lines with ``--json``, else the last state alone."""
    record = chosen_record(arguments, chosen_game(arguments))
    limit = Limit(arguments.seconds, arguments.nodes, arguments.depth)
    engine = _engine(arguments, record)
    growing = engine.analyse(record, _DEFAULT_LIMIT if limit == Limit() else limit, arguments.lines)
    if record.result:
        _print_result(arguments, record)
        return
    last: Analysis | None = None
    try:
        with _display(arguments, record) as show:
            for analysis in growing:
                last = analysis
                show(last)
    except KeyboardInterrupt:
        engine.stop()
        if last:
            _print_last(arguments, record, last)
        raise
    assert last, "an undecided position has an analysis"
    _print_last(arguments, record, last)


def _engine(arguments: argparse.Namespace, record: Record) -> Engine:
    try:
        return Engine(
            record.game,
            threads=arguments.threads,
            memory=arguments.memory,
            method=arguments.method,
            uses_tables=arguments.method is None,
            leaf_memory=arguments.leaf_memory,
        )
    except OSError as error:  # more memory than there is
        raise MemoryError if error.errno == errno.ENOMEM else error from None


@contextlib.contextmanager
def _display(arguments: argparse.Namespace, record: Record) -> Iterator[Callable[[Analysis], None]]:
    """Yields a function that shows the state of a running search."""
    if arguments.json:
        yield lambda analysis: print(json.dumps(_data(record, analysis, is_final=False)), flush=True)
    elif sys.stdout.isatty():
        from rich.live import Live
        from rich.text import Text

        with Live(transient=True) as live:
            yield lambda analysis: live.update(
                Text("\n".join(_lines(record, analysis, arguments.lang)), no_wrap=True, overflow="ellipsis")
            )
    else:
        yield lambda _analysis: None


def _print_last(arguments: argparse.Namespace, record: Record, analysis: Analysis) -> None:
    if arguments.json:
        print(json.dumps(_data(record, analysis, is_final=True)), flush=True)
    else:
        print("\n".join(_lines(record, analysis, arguments.lang)), flush=True)


def _print_result(arguments: argparse.Namespace, record: Record) -> None:
    result = record.result
    assert result
    sentence = result.sentence(arguments.lang)
    if arguments.json:
        found = {"winner": result.winner, "reason": result.reason, "sentence": sentence}
        print(json.dumps({**_head(record), "mover": None, "result": found, "lines": [], "final": True}))
    else:
        print(sentence)


def _head(record: Record) -> dict[str, Any]:
    return {"game": record.game.name, "options": record.game.options, "position": str(record.position)}


def _data(record: Record, analysis: Analysis, *, is_final: bool) -> dict[str, Any]:
    """Returns the state of a search as data for JSON."""
    return {
        **_head(record),
        "mover": analysis.mover,
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 4),
        "nodes_per_second": analysis.nodes_per_second,
        "chances": chances_data(record.game, overall_chances(analysis)),
        "lines": [
            {
                "actions": list(line.actions),
                "chances": chances_data(record.game, line.value.chances),
                "winner": line.value.winner,
                "distance": line.value.distance,
                "proved": line.value.is_proved,
            }
            for line in analysis.lines
        ],
        "table": analysis.is_from_table,
        "exact": analysis.is_exact,
        "final": is_final,
    }


def _lines(record: Record, analysis: Analysis, lang: str) -> list[str]:
    """Returns the state of a search as text: depth, nodes and time, then the lines."""
    who = position_captions(record.position, None)[0]
    if analysis.is_exact:
        head = message("exact, from a table  {who}", who=who)
    elif analysis.is_from_table:
        head = message("from a table that knows no history  {who}", who=who)
    else:
        head = message(
            "depth {depth}  {nodes} nodes  {rate} nodes/s  {seconds} s  {who}",
            depth=analysis.depth,
            nodes=Number(analysis.nodes),
            rate=_short(analysis.nodes_per_second),
            seconds=Number(analysis.seconds, ".1f"),
            who=who,
        )
    ends = [_end(record, line.value, analysis.is_from_table) for line in analysis.lines]
    words = [end.render(lang) if end else "" for end in ends]
    width = max(map(len, words), default=0)
    rows = [head.render(lang)]
    for line, word in zip(analysis.lines, words, strict=True):
        turns = " ".join(joined_turns(record.position, line.actions))
        rows.append("  ".join(filter(None, [_chances(record, line.value, lang), word.ljust(width), turns])))
    if analysis.is_from_table and not analysis.is_exact and (note := history_note(record.game)):
        rows.append(note.render(lang))
    return rows


def _chances(record: Record, value: Value, lang: str) -> str:
    """Returns the chance of the player to act; of every player, if there are more than two."""
    players = record.game.players
    if len(players) > 2:
        named = zip(players, value.chances, strict=True)
        return "  ".join(f"{name} {_percent(chance, lang)}" for name, chance in named)
    player = player_to_act(record.position)
    assert player, "of two players one always acts"
    return _percent(value.chances[players.index(player)], lang)


def _percent(chance: float, lang: str) -> str:
    return message("{percent} %", percent=Number(100 * chance, "5.1f")).render(lang)


def _end(record: Record, value: Value, is_from_table: bool) -> Message | None:
    """Returns the distance to a forced end, and whether that is not proved; None if no end is known."""
    end = _forced_end(record, value)
    if value.is_proved or not (end or is_from_table):
        return end
    return message("{value}, not proved", value=end or message("draw"))


def _forced_end(record: Record, value: Value) -> Message | None:
    """Returns the distance to a forced end; None if none is known."""
    plies = value.distance
    if plies is None:
        return None
    if value.winner is None:
        return counted("draw in {count} ply", "draw in {count} plies", count=plies)
    if value.winner == record.mover:
        return counted("wins in {count} ply", "wins in {count} plies", count=plies)
    return counted("loses in {count} ply", "loses in {count} plies", count=plies)


def _short(count: int) -> Message:
    """Returns a large number in short, such as 2.1 M."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= size:
            return Message("{number} {unit}", {"number": Number(count / size, ".1f"), "unit": unit})
    return Message("{number}", {"number": count})
