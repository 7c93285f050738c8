"""The reasons of hints: every claim is checked by the naive twins of the rules, written from the contract alone."""

import importlib
import random
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import damier
from damier.core.game import Game
from damier.core.record import Record
from damier.engine.analysis import Analysis, Line, Value
from damier.server.analysis import reasons
from damier.server.analysis.reasons import hint_reason

PREVENTS = re.compile(r"It prevents a win such as (\S+) \(.+\): (\d+) of the (\d+) other actions allow \w+ one\.")
THREATENS = re.compile(r"It threatens a win such as (\S+) \(.+\): after (\d+) of (\d+) answers \w+ can win at once\.")
WINS = re.compile(r"It wins at once: .+\.")
GAMES = 6  # random games, whose last states are looked at


def estimated(record: Record, action: str) -> Analysis:
    """Returns an analysis that recommends an action and has proved nothing."""
    other = next(text for text in record.actions() if text != action)
    value = Value((0.5,) * len(record.game.players))
    return Analysis(record.mover, 1, 1, 0.0, (Line((action,), value), Line((other,), value)))


def wins(twin: ModuleType, options: dict[str, Any], history: list[str]) -> list[str]:
    """Returns the actions with which the player on move wins at once."""
    mover = twin.mover(options, history[-1])
    found = []
    for action in twin.legal(options, history):
        then = [*history, twin.play(options, history, action)]
        if twin.result(options, then) == mover:
            found.append(action)
    return found


def is_open(twin: ModuleType, options: dict[str, Any], history: list[str], mover: str) -> bool:
    """Tells whether the game goes on with this player on move."""
    return twin.result(options, history) is None and twin.mover(options, history[-1]) == mover


def last_states(game: Game, rng: random.Random) -> Iterator[tuple[Record, str]]:
    """Yields states shortly before the end of random games, with the action that was played and with another."""
    for _ in range(GAMES):
        record = game.record()
        while record.result is None and len(record.played) < 400:
            record.play(rng.choice(record.actions()))
        for _ in range(4):
            played = record.played[-1]
            record.undo()
            for action in {played, rng.choice(record.actions())}:
                if len(record.actions()) > 1 and record.mover in game.players:
                    yield record.copy(), action


@pytest.mark.parametrize(
    ("name", "options"), [("renfa", {"bombs": 3}), ("chefa", {}), ("badia", {})], ids=["renfa", "chefa", "badia"]
)
def test_what_a_hint_claims_by_the_rules_is_so(name: str, options: dict[str, Any]) -> None:
    game, twin = damier.load(name, **options), importlib.import_module(f"tests.games.{name}.naive")
    kinds = set()
    for record, action in last_states(game, random.Random(f"reasons {name}")):
        mover, enemy = record.mover, game.opponent(record.mover)
        before = [str(position) for position in record.positions]
        history = [*before, twin.play(options, before, action)]
        reason = str(hint_reason(record, estimated(record, action)))
        if WINS.match(reason):
            kinds.add("wins")
            assert action in wins(twin, options, before)
        elif claim := PREVENTS.match(reason):
            kinds.add("prevents")
            others = [text for text in twin.legal(options, before) if text != action]
            after = [[*before, twin.play(options, before, other)] for other in others]
            found = [wins(twin, options, each) if is_open(twin, options, each, enemy) else [] for each in after]
            assert (int(claim[2]), int(claim[3])) == (sum(map(bool, found)), len(others))
            assert claim[1] in [text for texts in found for text in texts]
            assert not wins(twin, options, history)
        elif claim := THREATENS.match(reason):
            kinds.add("threatens")
            answers = twin.legal(options, history)
            after = [[*history, twin.play(options, history, answer)] for answer in answers]
            found = [wins(twin, options, each) if is_open(twin, options, each, mover) else [] for each in after]
            assert (int(claim[2]), int(claim[3])) == (sum(map(bool, found)), len(answers))
            assert claim[1] in [text for texts in found for text in texts]
        else:
            kinds.add("estimate")
            assert "No win is proved; the computer gives" in reason
            assert "about 50 %" in reason
            assert action not in wins(twin, options, before)
    assert kinds >= {"wins", "estimate"}
    assert kinds & {"prevents", "threatens"}


def test_a_hint_that_would_take_too_long_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    record = damier.load("chefa").record("3WW/5/3W1/1BB1B/2WB1 w 0,0 -")
    analysis = estimated(record, "c1=d1")
    claim = "It prevents a win such as d1-d2 (four in row 2): 8 of the 10 other actions allow Black one."
    assert str(hint_reason(record, analysis)) == claim
    monkeypatch.setattr(reasons, "MOST_TRIED", 5)
    assert str(hint_reason(record, analysis)) == "No win is proved; the computer gives White about 50 %."


def test_a_win_within_a_long_turn_is_told_whole() -> None:
    record = damier.load("sensei").record("R1RRRRR/RG5/7/4G2/7/7/G1GG1GG g e4,d7 2,1")
    line = ("b6-b7", "e4^b7")
    value = Value((1.0, 0.0), "g", 2, is_proved=True)
    analysis = Analysis("g", 2, 1, 0.0, (Line(line, value), Line(("a1-a2",), value)))
    assert str(hint_reason(record, analysis)) == "It wins in this turn: b6-b7+e4^b7, the sage is on row 7."


def test_a_blast_is_told_with_its_price() -> None:
    record = damier.load("renfa").record("W4/5/WWB2/1B3/BW1WB b 0,0")
    reason = str(hint_reason(record, estimated(record, "*b3")))
    assert reason == (
        "No win is proved; the computer gives Black about 50 %. "
        "Takes b1, a3 and b3 from White, costs Black a1, b2 and c3. Bombs left: White 2, Black 1."
    )


def test_rolls_that_win_are_counted() -> None:
    game, rng = damier.load("omba"), random.Random(11)
    twin = importlib.import_module("tests.games.omba.naive")
    told = 0
    for record, action in last_states(game, rng):
        reason = str(hint_reason(record, estimated(record, action)))
        before = [str(record.position)]
        history = [*before, twin.play({}, before, action)]
        ends = [twin.result({}, [*history, twin.play({}, history, f"roll:{number}")]) for number in range(1, 7)]
        count = ends.count(record.mover)
        told += count > 0
        assert (reason == f"It wins at once on {count} of 6 rolls of the die.") == (count > 0)
    assert told


def table(record: Record, *values: tuple[str | None, int | None]) -> Analysis:
    """Returns an analysis from a table with these winners and distances for the actions in their order."""
    lines = [
        Line((action,), Value((0.5, 0.5), winner, plies, is_proved=True))
        for action, (winner, plies) in zip(record.actions(), values, strict=True)
    ]
    return Analysis(record.mover, 1, 1, 0.0, tuple(lines), is_from_table=True)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            [("b", 9), ("b", 9), ("b", 11)] + [(None, None)] * 21,
            "3 of 24 actions keep the win; none wins sooner than this one, in 9 plies.",
        ),
        ([("b", 9)] + [("w", 8)] * 23, "It is the only action that keeps the win, in 9 plies."),
        ([(None, None)] * 2 + [("w", 8)] * 22, "2 of 24 actions keep the draw; the others lose."),
        ([(None, None)] + [("w", 8)] * 23, "It is the only action that keeps the draw."),
        ([(None, None)] * 24, "With best play the game stays a draw, whichever action is played."),
        (
            [("w", 12)] + [("w", 8)] * 23,
            "All actions lose against best play; none holds out longer than this one: 12 plies.",
        ),
    ],
)
def test_a_table_says_how_many_actions_keep_the_result(
    values: list[tuple[str | None, int | None]], sentence: str
) -> None:
    record = damier.load("chefa").record()
    assert str(hint_reason(record, table(record, *values))) == sentence


def test_values_that_a_history_may_spoil_are_not_counted() -> None:
    record = damier.load("chefa").record()
    lines = table(record, *[("b", 9)] * 24).lines
    spoilt = Line(lines[5].actions, Value((0.5, 0.5), "b", 9, is_proved=False))
    analysis = Analysis("b", 1, 1, 0.0, (*lines[:5], spoilt, *lines[6:]), is_from_table=True)
    assert str(hint_reason(record, analysis)) == "It wins by force, in at most 9 plies."


def test_the_only_action_needs_no_other_reason() -> None:
    record, rng = damier.load("omba").record(), random.Random(2)
    while record.mover == "chance" or len(record.actions()) > 1:
        record.play(rng.choice(record.actions()))
    [action] = record.actions()
    found = hint_reason(record, Analysis(record.mover, 1, 1, 0.0, (Line((action,), Value((0.5, 0.5))),)))
    assert str(found) == "It is the only action."
