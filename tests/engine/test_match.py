"""Matches: fair seats and dice, the same games from the same seed, faults, dying processes, files, tournaments."""

import argparse
import functools
import io
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.cli.commands import match as match_command
from damier.core.errors import BadArgument, DamierError
from damier.engine.arena import match_file
from damier.engine.arena.elo import Sprt
from damier.engine.arena.entrants import Entrant, parse_entrant
from damier.engine.arena.match import MatchResult, play_match
from damier.engine.arena.one_game import PlayedGame, play_game
from damier.engine.arena.openings import opening_turns, openings
from damier.engine.arena.pairs import MatchPlan, PairRunner, PairTask, seats_of_first
from damier.engine.arena.tournament import RoundRobinResult, play_round_robin
from damier.engine.limit import Limit
from damier.engine.player import RandomPlayer
from damier.engine.pool.pool import Workers
from damier.transcript.text_format import parse_transcripts
from tests.engine.fake_players import RANDOM, Fake, entrant, fake, mortal, program
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of

NO_LIMIT = Limit()
every_option_set = pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)


def loaded(option_set: OptionSet) -> damier.Game:
    return damier.load(option_set[0], **option_set[1])


def plan(game: damier.Game, *entrants: Entrant, **changes: Any) -> MatchPlan:
    settings: dict[str, Any] = {"limit": NO_LIMIT, "openings": 2, "seed": 1, "max_turns": 60, "pairs": 4, **changes}
    return MatchPlan(game, entrants, ((0, 1),), **settings)


def outcome(result: MatchResult) -> tuple[Any, ...]:
    """Returns all of a result but how long it took."""
    return result.pairs, result.sprt, result.data()


# One game


@every_option_set
def test_a_game_between_random_players_ends(option_set: OptionSet) -> None:
    game = loaded(option_set)
    played = play_game(game, [RandomPlayer(seat) for seat in range(len(game.players))], NO_LIMIT, max_turns=50)
    assert played.record.result
    assert played.record.turn <= 50
    assert played.culprit is None
    assert played.is_too_long == (played.record.result.reason == "limit")
    assert sum(played.points([player]) for player in game.players) == pytest.approx(1)


@pytest.mark.parametrize(
    ("kind", "note"),
    [
        ("illegal", r"a1-z9 is refused: .*"),
        ("lazy", r"no action was given"),
        ("hasty", r"[a-e][1-5] comes after the end of the turn"),
        ("sorry", r"It has lost its head\."),
        ("broken", r"ZeroDivisionError: division by zero"),
    ],
)
def test_a_player_that_breaks_the_rules_loses_with_a_note(kind: str, note: str) -> None:
    played = play_game(damier.load("chefa"), [Fake("random"), Fake(kind)], NO_LIMIT)
    assert played.culprit == "w"
    assert re.fullmatch(note, played.note)
    assert (played.points("b"), played.points("w")) == (1, 0)
    assert played.record.result == played.record.game.result("b", "resignation")


def test_a_fault_among_three_loses_for_all_seats_of_the_entrant() -> None:
    game = damier.load("omba", players=3)
    played = play_game(game, [Fake("random"), Fake("sorry"), Fake("random")], NO_LIMIT)
    assert (played.culprit, played.record.result) == ("2", None)
    assert (played.points(("2", "3")), played.points(("1",)), played.points(("1", "3"))) == (0, 1, 1)


def test_a_draw_among_three_is_worth_the_share_of_the_seats() -> None:
    game = damier.load("omba", players=3)
    played = play_game(game, [Fake("random")] * 3, NO_LIMIT, max_turns=3)
    assert played.is_too_long
    assert played.points(("1",)) == pytest.approx(1 / 3)
    assert played.points(("2", "3")) == pytest.approx(2 / 3)


def test_each_player_has_a_limit_of_its_own_for_the_whole_turn() -> None:
    players = [Fake("random"), Fake("random", 1)]
    play_game(damier.load("sensei"), players, [Limit(nodes=5), Limit(seconds=100)], max_turns=6)
    assert set(players[0].asked) == {Limit(nodes=5)}
    seconds = [limit.seconds or 0 for limit in players[1].asked]
    assert seconds[0] == 100
    assert all(10 <= left <= 100 for left in seconds)
    assert len(set(seconds)) > 1  # what earlier actions of a turn have used is gone


def test_the_die_falls_as_its_stream_says() -> None:
    game = damier.load("omba", players=4)

    def rolls(dice: int, seed: int) -> list[str]:
        players = [RandomPlayer(seed + seat) for seat in range(4)]
        played = play_game(game, players, NO_LIMIT, opening=("roll:1", "@b1"), dice=dice)
        return [action for action in played.record.played[1:] if action.startswith("roll")]

    games = [rolls(7, seed) for seed in range(0, 40, 4)]
    assert len({tuple(game) for game in games}) > 1
    assert all(one[: len(two)] == two[: len(one)] for one in games for two in games)
    assert rolls(8, 0)[:20] != games[0][:20]
    assert Counter(itertools.chain(*games)).keys() == {f"roll:{number}" for number in range(1, 7)}


# Openings


@every_option_set
def test_openings_are_whole_turns_that_leave_the_game_open(option_set: OptionSet) -> None:
    game = loaded(option_set)
    turns = opening_turns(game)
    seen = set()
    for opening in itertools.islice(openings(game, turns, 5), 8):
        record = game.record()
        for action in opening:
            record.play(action)
        assert record.turn == turns
        assert record.position.is_settled
        assert not record.result
        if not game.traits.has_chance:
            results = [record.position.play(action).result for action in record.actions()]
            assert not any(result and result.winner == record.mover for result in results)
        seen.add(str(record.position))
    assert len(seen) == 8


def test_an_opening_depends_on_its_number_and_the_seed_alone() -> None:
    game = damier.load("renfa")
    first, again = (list(itertools.islice(openings(game, 3, 9), n)) for n in (30, 10))
    assert first[:10] == again
    assert list(itertools.islice(openings(game, 3, 10), 10)) != again


def test_openings_repeat_only_when_there_are_no_others() -> None:
    first = list(itertools.islice(openings(damier.load("chefa"), 1, 0), 30))
    assert len(set(first[:20])) == 20
    assert len(set(first)) == 24
    assert list(itertools.islice(openings(damier.load("chefa"), 0, 0), 3)) == [(), (), ()]


@pytest.mark.parametrize("count", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_a_turn_that_can_win_is_no_end_of_an_opening(count: int) -> None:
    game = damier.load("sensei", variant="arashi")
    for opening in itertools.islice(openings(game, 3, 2), count):
        record = game.record()
        for action in opening:
            record.play(action)
        here = {record.position}
        for _ in range(3):
            here |= {position.play(action) for position in here for action in position.actions()[:40]}
        assert not any(position.result and position.result.winner == record.mover for position in here)


def test_a_judge_keeps_openings_balanced() -> None:
    def judge(record: damier.Record) -> float:
        return 0.5 if "a1" in record.played else 0.9

    assert all("a1" in opening for opening in itertools.islice(openings(damier.load("chefa"), 4, 0, judge), 5))
    least = itertools.islice(
        openings(damier.load("chefa"), 1, 0, lambda record: 0.95 - 0.1 * ("a1" in record.played)), 1
    )
    assert list(least) == [("a1",)]


def test_a_game_that_no_opening_leaves_open_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.engine.arena.openings._wins_at_once", lambda _: True)
    with pytest.raises(BadArgument, match=r"^Among random openings of 3 turns none leaves the game open"):
        next(openings(damier.load("chefa"), 3, 0))


# Pairs and seats


@pytest.mark.parametrize("count", [2, 3, 4])
def test_both_sides_have_every_seat_equally_often(count: int) -> None:
    players = tuple("1234"[:count])
    taken: Counter[str] = Counter()
    for number in range(6):
        first, second = (seats_of_first(players, number, half) for half in (0, 1))
        assert sorted(first + second) == list(players)
        assert len(first) == count // 2
        taken.update(first)
        assert seats_of_first(players, number + 6, 0) == first
    if count > 2:
        assert len({seats_of_first(players, number, 0) for number in range(6)}) == 3
    if count == 3:
        assert taken == {"1": 2, "2": 2, "3": 2}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_games_of_a_pair_see_the_same_rolls(players: int) -> None:
    game = damier.load("omba", players=players)
    runner = PairRunner(plan(game, RANDOM, RANDOM))
    opening = next(openings(game, 2, 0))
    _, text = runner.play(PairTask(0, 3, opening))
    one, two = (score.record() for score in parse_transcripts(text, damier.load))
    assert one.played[: len(opening)] == two.played[: len(opening)] == opening
    rolls = [[action for action in record.played if action.startswith("roll")] for record in (one, two)]
    shorter = min(map(len, rolls))
    assert shorter > players
    assert rolls[0][:shorter] == rolls[1][:shorter]
    assert one.played != two.played


def test_records_of_a_pair_say_who_played_what() -> None:
    runner = PairRunner(plan(damier.load("chefa"), RANDOM, entrant("illegal")))
    pair, text = runner.play(PairTask(0, 4, ("a1", "e5")))
    one, two = parse_transcripts(text, damier.load)
    assert (one.players, two.players) == (("random", "illegal"), ("illegal", "random"))
    assert one.tags["Match"] == two.tags["Match"] == "random - illegal"
    assert (one.tags["Pair"], one.tags["Opening"]) == ("5", "2")
    assert (one.result_text, two.result_text) == ("b", "w")
    assert two.tags["Fault"].startswith("b: a1-z9 is refused: ")
    assert pair.points == (1.0, 1.0)
    assert [fault[:23] for fault in pair.faults] == ["pair 5, game 1, illegal", "pair 5, game 2, illegal"]


def test_a_program_is_kept_until_a_fault_and_loses_if_it_does_not_start_again(tmp_path: Path) -> None:
    other = Entrant("program", functools.partial(program, str(tmp_path)), is_kept=True)
    runner = PairRunner(plan(damier.load("chefa"), RANDOM, other))
    first, second = (runner.play(PairTask(0, number, ()))[0] for number in (0, 1))
    runner.close()
    assert (first.points, second.points) == ((1, 1), (1, 1))
    assert "a1-z9" in first.faults[0]
    assert second.faults[0] == "pair 2, game 1, program: The program has gone."
    with pytest.raises(BadArgument, match="The program has gone"):
        PairRunner(plan(damier.load("chefa"), RANDOM, other)).play(PairTask(0, 0, ()))


# Matches


def test_the_same_seed_gives_the_same_games_with_any_number_of_jobs(tmp_path: Path) -> None:
    game = damier.load("omba", players=3)
    files = [tmp_path / name for name in "ab"]
    results = [
        play_match(game, RANDOM, entrant("greedy"), games=12, seed=4, jobs=jobs, save=file)
        for jobs, file in ((1, files[0]), (2, files[1]))
    ]
    assert outcome(results[0]) == outcome(results[1])
    assert records(files[0]) == records(files[1])
    other = play_match(game, RANDOM, entrant("greedy"), games=12, seed=5, jobs=1)
    assert other.pairs != results[0].pairs


def records(file: Path) -> list[str]:
    """Returns the games in a file in the order of their pairs."""
    scores = list(parse_transcripts(file.read_text(), damier.load))
    return [score.text() for score in sorted(scores, key=lambda score: int(score.tags["Pair"]))]


def test_a_match_counts_wins_draws_and_losses() -> None:
    seen: list[int] = []
    result = play_match(
        damier.load("chefa"),
        entrant("greedy"),
        RANDOM,
        games=20,
        max_turns=100,
        jobs=2,
        on_pair=lambda so_far: seen.append(so_far.games),
    )
    assert seen == list(range(0, 22, 2))
    assert result.games == result.wins + result.draws + result.losses == 20
    assert result.score == (result.wins + result.draws / 2) / 20 > 0.5
    assert result.estimate.superiority > 0.95
    assert result.draws >= result.too_long
    assert sum(result.pair_counts.values()) == 10
    assert 8 < result.length <= 100
    assert json.loads(json.dumps(result.data()))["wins"] == result.wins


def test_a_fault_never_stops_a_match() -> None:
    result = play_match(damier.load("renfa"), entrant("broken"), RANDOM, games=6, jobs=1)
    assert (result.losses, len(result.faults)) == (6, 6)
    assert result.data()["elo"] is None


def test_a_killed_process_is_replaced_and_its_pair_played_again(tmp_path: Path) -> None:
    game = damier.load("chefa")
    marker = tmp_path / "deaths"
    dying = Entrant("random", functools.partial(mortal, str(marker), 2))
    result = play_match(game, dying, RANDOM, games=8, jobs=1, max_turns=50)
    assert marker.read_text() == "xx"
    assert result.pairs == play_match(game, RANDOM, RANDOM, games=8, jobs=1, max_turns=50).pairs


def test_processes_may_be_killed_at_any_time(monkeypatch: pytest.MonkeyPatch) -> None:
    game = damier.load("chefa")
    pools: list[Workers] = []

    class WatchedWorkers(Workers):
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__(*arguments, **settings)
            pools.append(self)

    def kill_one(so_far: MatchResult) -> None:
        if so_far.games in (2, 20):
            killed.append(pools[0].pids[0])
            os.kill(killed[-1], signal.SIGKILL)

    killed: list[int] = []
    monkeypatch.setattr("damier.engine.arena.pairs.Workers", WatchedWorkers)
    result = play_match(game, RANDOM, RANDOM, games=40, jobs=2, max_turns=50, on_pair=kill_one)
    assert len(set(killed)) == 2
    assert result.pairs == play_match(game, RANDOM, RANDOM, games=40, jobs=2, max_turns=50).pairs
    assert [pool.pids for pool in pools] == [[], []]


def test_a_pair_that_kills_every_process_stops_the_match(tmp_path: Path) -> None:
    dying = Entrant("dying", functools.partial(mortal, str(tmp_path / "deaths"), 100))
    with pytest.raises(BadArgument, match=r"^The process that plays pair 1 has died 3 times; the match is stopped"):
        play_match(damier.load("chefa"), dying, RANDOM, games=4, jobs=1)


def test_a_player_that_cannot_be_made_is_the_persons_mistake(tmp_path: Path) -> None:
    (tmp_path / "starts").write_text("xxx")
    gone = Entrant("gone", functools.partial(program, str(tmp_path)), is_kept=True)
    with pytest.raises(BadArgument, match="The program has gone"):
        play_match(damier.load("chefa"), RANDOM, gone, games=4, jobs=1)


def test_a_sequential_test_ends_a_match_early_at_the_same_pair() -> None:
    game = damier.load("renfa")
    results = [
        play_match(game, entrant("illegal"), RANDOM, games=200, jobs=jobs, sprt=Sprt(-100, 0)) for jobs in (1, 2)
    ]
    test = results[0].sprt
    assert test
    assert test.verdict == "elo0"
    assert results[0].games == 2 * test.seen < 200
    assert outcome(results[0]) == outcome(results[1])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"games": 7}, "Games come in pairs, so their number is even, not 7."),
        ({"games": 0}, "games takes a whole number from 2 to 10000000, not '0'."),
        ({"jobs": 0}, "jobs takes a whole number from 1 to 1024, not '0'."),
        ({"openings": -1}, "openings takes a whole number from 0 to 100, not '-1'."),
        ({"max_turns": 0}, "max_turns takes a whole number from 1 to 100000, not '0'."),
        ({"resume": True}, "Only a match that was saved can go on: --save is missing."),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadArgument) as refusal:
        play_match(damier.load("renfa"), RANDOM, RANDOM, **{"games": 2, **changes})
    assert str(refusal.value) == sentence


# Files

SETTINGS: dict[str, Any] = {"games": 16, "seed": 3, "jobs": 2, "max_turns": 60}


def interrupted(file: Path, how: signal.Signals, after: int) -> int:
    """Runs a match in a child process that gets a signal after `after` games; returns its exit status."""
    code = f"""
import os, sys
import damier
from damier.engine.arena import match_file
from damier.engine.arena.match import play_match
from tests.engine.fake_players import RANDOM, entrant

match_file._PAUSE = 0

def stop(so_far):
    if so_far.games == {after}:
        {"os.killpg" if how == signal.SIGINT else "os.kill"}(os.getpid(), {int(how)})  # Ctrl-C comes to all processes

if __name__ == "__main__":
    try:
        play_match(damier.load("chefa"), RANDOM, entrant("greedy"), save=sys.argv[1], on_pair=stop, **{SETTINGS})
    except KeyboardInterrupt:
        sys.exit(130)
"""
    script = file.with_suffix(".py")
    script.write_text(code)
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, str(script), str(file)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), *sys.path])},
        start_new_session=True,
        capture_output=True,  # waits for the workers too: they hold the pipe until they end
        timeout=120,
    )
    assert done.stderr == b""
    return done.returncode


@pytest.mark.parametrize(("how", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_an_interrupted_match_goes_on_to_exactly_the_same_result(
    tmp_path: Path, how: signal.Signals, status: int
) -> None:
    game, greedy = damier.load("chefa"), entrant("greedy")
    whole = play_match(game, RANDOM, greedy, save=tmp_path / "whole", **SETTINGS)
    file = tmp_path / "part"
    assert interrupted(file, how, 6) == status
    kept = json.loads((tmp_path / "part.json").read_text())
    assert len(kept["pairs"]) == 3
    file.write_bytes(file.read_bytes() + b'\n[Game "che')  # as if the power had failed
    counts: list[int] = []
    resumed = play_match(
        game,
        RANDOM,
        greedy,
        save=file,
        resume=True,
        on_pair=lambda so_far: counts.append(so_far.games),
        **{**SETTINGS, "jobs": 1},
    )
    assert counts == [6, 8, 10, 12, 14, 16]
    assert outcome(resumed) == outcome(whole)
    assert records(file) == records(tmp_path / "whole")
    again = play_match(game, RANDOM, greedy, save=file, resume=True, **SETTINGS)
    assert outcome(again) == outcome(whole)
    assert json.loads((tmp_path / "part.json").read_text())["result"] == whole.data()


def test_a_match_that_was_stopped_before_its_first_pair_goes_on(tmp_path: Path) -> None:
    (tmp_path / "match").touch()
    result = play_match(
        damier.load("chefa"), RANDOM, RANDOM, save=tmp_path / "match", resume=True, games=2, max_turns=9
    )
    assert result.games == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["match", "match.json"]


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "m"
    file.write_text("precious")
    with pytest.raises(BadArgument, match="exists already: choose another name, or go on with it by --resume"):
        play_match(damier.load("chefa"), RANDOM, RANDOM, games=2, save=file)
    with pytest.raises(BadArgument, match="cannot be read: No such file"):
        play_match(damier.load("chefa"), RANDOM, RANDOM, games=2, save=file, resume=True)
    assert file.read_text() == "precious"
    with pytest.raises(BadArgument, match="cannot be written: No such file or directory"):
        play_match(damier.load("chefa"), RANDOM, RANDOM, games=2, save=tmp_path / "none" / "m")


def test_a_match_goes_on_only_as_it_began(tmp_path: Path) -> None:
    game = damier.load("chefa")
    file = tmp_path / "m"
    play_match(game, RANDOM, RANDOM, games=2, save=file, max_turns=9)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"games": 4}, "has games '2', not '4'; it goes on only as it began."),
        ({"seed": 1}, "has seed '0', not '1'; it"),
        ({"sprt": Sprt(0, 5)}, "has sprt 'null', not '[0, 5, 0.05, 0.05]'; it"),
    ]
    for changes, part in cases:
        with pytest.raises(BadArgument, match=re.escape(part)):
            play_match(game, RANDOM, RANDOM, **{"games": 2, "max_turns": 9, **changes}, save=file, resume=True)
    with pytest.raises(BadArgument, match="has game 'chefa', not 'renfa'"):
        play_match(damier.load("renfa"), RANDOM, RANDOM, games=2, save=file, resume=True)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    game = damier.load("chefa")
    file, state = tmp_path / "m", tmp_path / "m.json"
    play_match(game, RANDOM, RANDOM, games=2, save=file, max_turns=9)
    good = json.loads(state.read_text())
    stream = random.Random(0)
    pair = good["pairs"][0]
    damages: list[Any] = [
        [],
        {},
        {**good, "version": 2},
        {**good, "length": good["length"] + 1},
        {**good, "length": -1},
        {**good, "settings": 3},
        {**good, "pairs": [pair, pair]},
        {**good, "pairs": [[0, 7, *pair[2:]]]},
        {**good, "pairs": [[1, *pair[1:]]]},
        *(
            {**good, "pairs": [[*pair[:at], wrong, *pair[at + 1 :]]]}
            for at in range(7)
            for wrong in ("x", -1, None, 2.5)
        ),
        *({name: good[name] for name in good if name != left} for left in good if left != "result"),
    ]
    texts = [json.dumps(damage) for damage in damages]
    texts += [state.read_text()[: stream.randrange(len(state.read_text()))] for _ in range(20)] + ["[" * 100_000]
    for text in texts:
        state.write_text(text)
        with pytest.raises(BadArgument, match=r"^The files 'm' and 'm[.]json' do not belong to one match[.]$"):
            match_file.MatchFile(file, good["settings"], 1, resume=True)


# Round robins


def test_a_round_robin_rates_all_entrants(tmp_path: Path) -> None:
    game = damier.load("renfa")
    entrants = [entrant("illegal"), RANDOM, entrant("greedy")]
    file = tmp_path / "rr"
    result = play_round_robin(game, entrants, games=6, jobs=2, save=file)
    assert [standing.name for standing in result.standings()][-1] == "illegal"
    assert [standing.games for standing in result.standings()] == [12, 12, 12]
    assert result.score_between("illegal", "random") == 0
    assert result.score_between("random", "illegal") == 1
    assert result.score_between("random", "random") is None
    assert result.games == 18
    assert result.ratings().is_tamed
    assert len(result.faults) == 12
    assert result.faults[0].startswith("illegal - random, pair 1, game 1, illegal: ")
    assert len(records(file)) == 18
    again = play_round_robin(game, entrants, games=6, save=file, resume=True)
    assert again.data() == result.data()
    alone = play_match(game, RANDOM, entrant("greedy"), games=6)
    assert result.matches[2].data() == alone.data()


def test_a_round_robin_needs_several_different_entrants() -> None:
    with pytest.raises(BadArgument, match=r"^A round robin takes 2 to 100 entrants, not 1"):
        play_round_robin(damier.load("chefa"), [RANDOM])
    with pytest.raises(BadArgument, match=r"^'random' enters the round robin twice"):
        play_round_robin(damier.load("chefa"), [RANDOM, entrant("greedy"), RANDOM])


# Entrants


@pytest.mark.parametrize(
    ("text", "limit", "threads", "is_kept"),
    [
        ("level:1", None, 1, False),
        ("level:8@nodes=20000", Limit(nodes=20000), 1, False),
        ("full", None, 1, False),
        ("full@seconds=0.5", Limit(seconds=0.5), 1, False),
        ("mcts@seconds=.1,threads=2", Limit(seconds=0.1), 2, False),
        ("full:hand-made", None, 1, False),
        ("full:learned@nodes=5,threads=2", Limit(nodes=5), 2, False),
        ("full:a folder/network.bin@nodes=5", Limit(nodes=5), 1, False),
        ("full@memory=16", None, 1, False),
        ("random@depth=3,nodes=5", Limit(nodes=5, depth=3), 1, False),
        ("ugi:engine --mail me@home", None, 1, True),
        ("gtp:engine -x a=b@seconds=2", Limit(seconds=2), 1, True),
        ("python:my.agents:choose", None, 1, False),
    ],
)
def test_a_text_names_an_entrant(text: str, limit: Limit | None, threads: int, is_kept: bool) -> None:
    found = parse_entrant(text)
    assert (found.text, found.name, found.limit, found.threads, found.is_kept) == (text, text, limit, threads, is_kept)


TAKES = (
    "A player is one of level:1..level:8, full, full:hand-made, full:learned, full:FILE.bin, mcts, random, "
    "ugi:COMMAND, gtp:COMMAND, python:MODULE:FUNCTION, each with settings as in full@seconds=0.5, not "
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", TAKES + "''."),
        ("level:9", TAKES + "'level:9'."),
        ("level:٣", TAKES + "'level:٣'."),
        ("Full", TAKES + "'Full'."),
        ("ugi:", TAKES + "'ugi:'."),
        ("python:agent", TAKES + "'python:agent'."),
        ("python:my-agent:choose", TAKES + "'python:my-agent:choose'."),
        ("full@", TAKES + "'full@'."),
        ("full:3", TAKES + "'full:3'."),
        ("level:3@threads=2", "After @ 'level:3@threads=2' takes each of seconds, nodes, depth once, not 'threads'."),
        (
            "full@nodes=1,nodes=2",
            "After @ 'full@nodes=1,nodes=2' takes each of seconds, nodes, depth, threads, memory once, not 'nodes'.",
        ),
        ("full@nodes=many", "nodes takes a whole number, not 'many'."),
        ("full@seconds=nan", "seconds takes a number such as 0.5, not 'nan'."),
        ("full@nodes=0", "nodes takes a number from 1 to 1e+15, not '0'."),
        ("full@threads=0", "threads takes a whole number from 1 to 1024, not '0'."),
    ],
)
def test_other_texts_are_refused_with_what_it_takes(text: str, sentence: str) -> None:
    with pytest.raises(BadArgument) as refusal:
        parse_entrant(text)
    assert str(refusal.value) == sentence


def test_a_name_can_be_written_in_a_record() -> None:
    assert Entrant("ugi:a; b\n", functools.partial(fake, "x")).name == "ugi:a, b?"


def test_random_entrants_depend_on_their_seed() -> None:
    game = damier.load("renfa")
    games = [play_game(game, [RANDOM.make(game, seed), RANDOM.make(game, 1)], NO_LIMIT).record for seed in (1, 1, 2)]
    assert games[0].played == games[1].played != games[2].played


# The command line


def command(**changes: Any) -> argparse.Namespace:
    """Returns the arguments of ``damier match`` with some changes."""
    chosen = argparse.Namespace(
        game="chefa",
        options=[],
        json=False,
        lang="en",
        a="random",
        b="random",
        games=4,
        seconds=None,
        nodes=None,
        depth=None,
        openings=None,
        seed=0,
        jobs=1,
        cluster=None,
        max_turns=400,
        sprt=None,
        save=None,
        resume=False,
        round_robin=None,
    )
    vars(chosen).update(changes)
    return chosen


def printed(**changes: Any) -> str:
    """Runs the command and returns what it prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        match_command.run(command(**changes))
    return out.getvalue()


def test_the_command_prints_a_summary() -> None:
    lines = printed(sprt="0,200", max_turns=30).splitlines()
    assert re.fullmatch(
        r"random against random: \d won, \d drawn, \d lost, [\d.]+ % \(equal players: 50 %\)\.", lines[0]
    )
    assert lines[1].startswith("Elo difference: ")
    assert re.fullmatch(r"Likelihood that random is the stronger: [\d.]+ %\.", lines[2])
    assert re.fullmatch(
        r"The sequential test of 0 and 200 Elo is open: LLR -?[\d.]+ between -2.94 and 2.94\.", lines[3]
    )
    assert re.fullmatch(r"4 games, [\d.]+ turns each, [\d.]+ games/s\.", lines[4])


def test_the_command_prints_json() -> None:
    data = json.loads(printed(json=True, nodes=50, options=["players=3"], game="omba"))
    assert (data["game"], data["options"], data["games"]) == ("omba", {"players": 3}, 4)
    assert data["expected_score"] == 0.5
    assert set(data) > {"wins", "draws", "losses", "elo", "error", "superiority", "games_per_second", "turns_per_game"}


def test_the_command_prints_the_table_of_a_round_robin() -> None:
    changes = {"a": None, "b": None, "max_turns": 20, "round_robin": ["random", "random@nodes=5", "random@depth=2"]}
    text = printed(**changes)
    names = [line.split()[1] for line in text.splitlines()[1:4]]
    assert sorted(names) == ["random", "random@depth=2", "random@nodes=5"]
    assert re.search(r"(?m)^12 games, [\d.]+ turns each, [\d.]+ games/s\.$", text)
    data = json.loads(printed(**changes, json=True))
    assert [standing["name"] for standing in data["standings"]] == names
    assert [standing["games"] for standing in data["standings"]] == [8, 8, 8]
    assert len(data["matches"]) == 3


def test_faults_and_long_games_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_command, "parse_entrant", lambda text: entrant("illegal") if text == "bad" else RANDOM)
    text = printed(a="bad", games=16)
    assert "Elo difference: below -" in text
    assert "pair 1, game 1, illegal: a1-z9 is refused: " in text
    assert re.search(r"(?m)^Lost by faults besides: \d games\.$", text)
    assert "Drawn because they were too long: 4 games.\n" in printed(max_turns=9)


def test_an_interrupted_command_prints_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_match

    def stopped(*arguments: Any, **settings: Any) -> None:
        whole(*arguments, **settings)
        raise KeyboardInterrupt

    monkeypatch.setattr(match_command, "play_match", stopped)
    out = io.StringIO()
    with pytest.raises(KeyboardInterrupt), redirect_stdout(out):
        match_command.run(command(max_turns=9))
    assert "Elo difference" in out.getvalue()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"a": None}, "A match needs --a and --b, or --round-robin with several players."),
        ({"round_robin": ["random", "full"]}, "Give either --a and --b or --round-robin, not both."),
        (
            {"round_robin": ["random", "full"], "a": None, "b": None, "sprt": "0,5"},
            "A sequential test is for a match of two, not for a round robin.",
        ),
        ({"sprt": "5"}, "A sequential test takes two Elo differences as in 0,10, not '5'."),
        (
            {"sprt": "9,5"},
            "A sequential test takes two Elo differences from -1000 to 1000, the smaller first, not '9,5'.",
        ),
        ({"seconds": -1.0}, "seconds takes a number from 0 to 1e+07, not '-1.0'."),
    ],
)
def test_mistakes_are_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DamierError) as refusal:
        printed(**changes)
    assert str(refusal.value) == sentence


def test_results_are_plain_data() -> None:
    assert isinstance(play_game(damier.load("renfa"), [Fake("random")] * 2, NO_LIMIT), PlayedGame)
    assert RoundRobinResult(("a", "b"), ((0, 1),), (MatchResult("a", "b", (), 0.0),), 0.0).games_per_second == 0
