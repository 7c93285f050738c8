"""The sentences and tables of a report, in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from damier.core.kernel.contract import REPETITION_DRAWS, REPETITION_FORBIDDEN
from damier.insight.report.outcome_facts import Line, distances, over_already
from damier.insight.report.sample import Only, Sample
from damier.solve.build.solver import size_text

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.solve.file.reader import TableHeader
    from damier.solve.tables import Tables
    from damier.solve.value import TableValue

CERTAIN_PLIES = 3
"""A win within so many plies cannot be spoiled by a forbidden return: its last position is new, as nobody had won."""

RETURNS_TITLE = "Wins and the forbidden return"

_VERBS = {"win": ("wins", "win"), "draw": ("draws", "draw"), "loss": ("loses", "lose")}


def player_name(game: Game, player: str) -> str:
    """Returns what one calls a player."""
    return game.player_name(player).render()


def code(text: object) -> str:
    """Returns a text as it is typed."""
    return f"`{text}`"


def codes(texts: Iterable[str]) -> str:
    """Returns texts as they are typed, in a row."""
    return ", ".join(map(code, texts))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int = 1) -> str:
    """Returns a table; its columns are set to the right from a number on."""
    marks = ["---" if column < numbers_from else "---:" for column in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, marks, *rows))


def plies(count: int | None) -> str:
    """Returns a number of plies."""
    return "1 ply" if count == 1 else f"{count} plies"


def share(part: int, whole: int) -> str:
    """Returns a share in percent."""
    return f"{100 * part / whole:.1f} %"


# What is known -------------------------------------------------------------------------------------------------------


def verdict(tables: Tables) -> str:
    """Returns in one sentence how the game ends with best play."""
    game, value = tables.game, tables.probe_value(tables.game.start)
    said = "By the table, with" if game.traits.repetition == REPETITION_FORBIDDEN else "With"
    mover = game.start.mover
    if value.outcome == "draw":
        return f"{said} best play of both players nobody wins: the first position is a draw."
    winner, role = (mover, "begins") if value.outcome == "win" else (game.opponent(mover), "answers")
    return f"{said} best play of both players {player_name(game, winner)}, who {role}, wins in {plies(value.plies)}."


def certainty(tables: Tables) -> list[str]:
    """Returns what the table assumes of positions that come again, and what its values are worth therefore."""
    repetition = tables.game.traits.repetition
    if repetition == REPETITION_FORBIDDEN:
        return _forbidden(tables)
    rule = "The rules do not end a game in which positions come again."
    if repetition == REPETITION_DRAWS:
        rule = "By the rules a position that comes for the third time is a draw."
    return [
        f"{rule} The table counts a game without end as a draw. Whoever can win comes nearer to the end with every "
        "action and never needs a position twice. So each value is exact for a game that begins with its position."
    ]


def _forbidden(tables: Tables) -> list[str]:
    counts = [*distances(tables, "wins").items(), *distances(tables, "losses").items()]
    certain = sum(count for distance, count in counts if distance <= CERTAIN_PLIES)
    forced = sum(count for _, count in counts)
    return [
        "The rules forbid an action that returns to an earlier situation. The table knows no history: it lets "
        "positions come again and counts a game without end as a draw. So its values are not the last word:",
        f"- A win within {CERTAIN_PLIES} plies is certain if the game begins with the position. That is so in "
        f"{certain:,} of the {forced:,} undecided positions that it has as won or lost.\n"
        "- A longer win may fail: the rule may forbid the winner an action that it needs. How many do not is told "
        f"under *{RETURNS_TITLE}*.\n"
        "- A draw only means that nobody can force a win without a repetition. Who wins when nobody may return is not "
        "known.",
    ]


def grouped(values: Mapping[str, TableValue]) -> dict[str, list[str]]:
    """Returns actions by their values in words, the best first."""
    groups: dict[str, list[str]] = {}
    for text, value in values.items():
        groups.setdefault(value.text().render(), []).append(text)
    return {said: sorted(texts) for said, texts in groups.items()}


# Lines and examples --------------------------------------------------------------------------------------------------


def line_blocks(line: Line) -> list[str]:
    """Returns a line as a table with a column for each player, and how it ends."""
    game = line.start.game
    rows: list[list[str]] = []
    last = len(game.players)
    for step in line.steps:
        column = game.players.index(step.player)
        if column < last or not rows:
            rows.append([str(len(rows) + 1), *[""] * len(game.players)])
        rows[-1][1 + column] = f"{rows[-1][1 + column]} {code(step.action)} {step.left}".strip()
        last = column
    head = ["", *(player_name(game, player) for player in game.players)]
    return [table(head, rows, len(head)), line.result.sentence() + _legality(line)]


def _legality(line: Line) -> str:
    """Returns what the rule against returns says of a line, where there is one."""
    game = line.start.game
    if game.traits.repetition != REPETITION_FORBIDDEN:
        return ""
    if not line.forbidden:
        return " No action of this line returns to an earlier situation."
    step = line.steps[line.forbidden - 1]
    return (
        f" **But this line cannot be played:** action {line.forbidden}, {code(step.action)} of "
        f"{player_name(game, step.player)}, and any other as good would return to an earlier situation."
    )


def sample_blocks(sample: Sample, undecided: int, seed: int) -> list[str]:
    """Returns in how many positions of a sample one action alone holds."""
    alone = sample.wins + sample.draws
    return [
        f"Of {sample.size:,} undecided positions, picked at random (seed {seed}) from {undecided:,}, "
        f"{alone:,} ({share(alone, sample.size)}) have one action that must be found:",
        f"- {sample.wins:,} ({share(sample.wins, sample.size)}) have one action that wins, and no other does; "
        f"{sample.quick:,} of these win at once.\n"
        f"- {sample.draws:,} ({share(sample.draws, sample.size)}) have one action that draws, and all others lose.",
    ]


def only_sentence(only: Only) -> str:
    """Returns what only one action does."""
    value, others = only.values[only.action], len(only.values) - 1
    held = _VERBS[value.outcome][0] + (f", in {plies(value.plies)}" if value.outcome == "win" else "")
    rest = " or ".join(_VERBS[outcome][len(only.values) > 2] for outcome in ("draw", "loss") if outcome in only.others)
    other = f"the {others} others {rest}" if others > 1 else f"the other {rest}"
    return f"{player_name(only.position.game, only.position.mover)}: only {code(only.action)} {held}; {other}."


# Tables --------------------------------------------------------------------------------------------------------------


def counts_table(header: TableHeader) -> str:
    """Returns how many positions of each part of the table are won, drawn and lost."""
    rows = []
    sums = [0] * 5
    for tier in header.extra["tiers"]:
        over = over_already(tier)
        won, lost = tier["win"] - tier["already won"], tier["loss"] - tier["losses"].get("0", 0)
        counts = [won + tier["draw"] + lost + over, won, tier["draw"], lost, over]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        longest = max((int(distance) for name in ("wins", "losses") for distance in tier[name]), default=0)
        rows.append([tier["name"], *(f"{count:,}" for count in counts), str(longest or "")])
    rows.append(["**all**", *(f"**{count:,}**" for count in sums), f"**{header.longest}**"])
    rows.append(["", "", *(share(count, sums[0]) for count in sums[1:]), ""])
    return table(["part of the table", "positions", "won", "drawn", "lost", "over already", "longest"], rows)


def distances_table(tables: Tables) -> str:
    """Returns how many positions end in so many plies, folded up."""
    wins, losses = distances(tables, "wins"), distances(tables, "losses")
    rows = [
        [str(distance), *(f"{counts[distance]:,}" if distance in counts else "" for counts in (wins, losses))]
        for distance in sorted({*wins, *losses})
    ]
    numbers = table(["plies", "won", "lost"], rows, 0)
    return f"<details>\n<summary>The numbers of this picture</summary>\n\n{numbers}\n\n</details>"


def facts_table(tables: Tables) -> str:
    """Returns what there is to know of the file."""
    header, size = tables.file.header, tables.path.stat().st_size
    shared = "one for each position up to symmetry"
    if free := header.counts.get("free"):
        shared += f" and {free:,} left free"
    rows = [
        ["file", f"{code(tables.path.name)}, {size_text(size)} ({size:,} bytes)"],
        ["entries", f"{header.entries:,}, {shared}"],
        ["entry", f"{size_text(header.entry_bytes)}; {header.metric}, coded as {code(header.coding)}"],
        ["SHA-256 of the entries", code(header.sha256)],
        [
            "versions",
            f"rules {header.rules_version}, numbering {code(header.index.name)} {header.index.version}, "
            f"format {header.format}, made by damier {header.solver}",
        ],
    ]
    return table(["", ""], rows, 2)


def check_blocks(tables: Tables, position: Position | None) -> list[str]:
    """Returns the commands that check a report, one of them for a position of it."""
    command = tables.command
    lines = [
        ("builds the table, unless it is there, and prints where it is", command("solve")),
        ("derives every entry a second time, by rules that were written down a second time", command("verify")),
        ("prints the values of the first position and of all first actions", command("probe")),
        ("prints those of the first example above", f'{command("probe")} --position "{position}"'),
        ("prints the SHA-256 of the entries; FILE is the table", "zstd -dc FILE | sha256sum"),
        ("writes this page again, byte by byte", command("report")),
    ]
    shown = "\n".join(f"{typed}\n    {what}" for what, typed in lines if position or "--position" not in typed)
    return [
        f"```\n{shown}\n```",
        "What a byte of the table means and how positions are numbered is told in `docs/tables.md`.",
    ]
