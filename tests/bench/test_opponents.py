"""The stand-ins for public Sensei programs: their turns against the record, their search against a naive one."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import damier
from bench import strength
from bench.opponents import MonteCarloPlayer, TurnAlphaBetaPlayer, progress, turn_search
from bench.opponents.turn_lists import Turns, stood_twice, words
from damier.core.kernel.contract import State
from damier.engine.limit import Limit
from damier.engine.player import Player, RandomPlayer
from damier.games.sensei import VARIANTS
from tests.games.random_positions import random_position

LIMIT = Limit()
ALGORITHMS = progress, turn_search


def undecided(game: damier.Game, count: int, fresh: bool = False) -> Iterator[damier.Record]:
    """Returns games at random positions, at the beginning of a turn or in the middle of one."""
    rng = random.Random(f"{game!r} {count} {fresh}")
    while count:
        text = random_position("sensei", dict(game.options), rng)
        record = game.record(text)
        if record.result is None and (record.position.is_settled or not fresh):
            count -= 1
            yield record


def placement(record: damier.Record) -> str:
    """Returns the board and the characters of the present position."""
    board, _, characters, _ = str(record.position).split()
    return f"{board} {characters}"


def naive_turns(record: damier.Record) -> dict[str, str | None]:
    """Returns all that can become of a turn: the placement, and who has won by it."""
    turn = record.turn
    found: dict[str, str | None] = {}
    met: set[str] = set()

    def go_on() -> None:
        for text in record.actions():
            record.play(text)
            if record.result or record.turn > turn:
                found[placement(record)] = record.result.winner if record.result else None
            elif str(record.position) not in met:
                met.add(str(record.position))
                go_on()
            record.undo()

    go_on()
    return found


def opponents(game: damier.Game) -> list[Player]:
    """Returns the opponents at a strength for tests."""
    return [
        MonteCarloPlayer(game, playouts=300, seed=3),
        MonteCarloPlayer(game, playouts=300, seed=3, tree=True),
        TurnAlphaBetaPlayer(game, depth=2, seed=3),
    ]


@pytest.fixture(params=[VARIANTS[0], *(pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS[1:])])
def game(request: pytest.FixtureRequest) -> damier.Game:
    return damier.load("sensei", variant=request.param)


def test_the_list_has_every_turn_of_the_record_once(game: damier.Game) -> None:
    turns = Turns(game)
    for record in undecided(game, 6 if game.rules[turns.kernels.SLIDES] else 12):
        expected, turn, mover = naive_turns(record), record.turn, record.mover
        placements = []
        for result, texts in turns.listed(record.position.state):
            for text in texts:
                assert record.result is None
                assert record.turn == turn
                record.play(text)
            assert record.result or record.turn == turn + 1
            assert result == record.position.state[0 if record.mover == mover else 1]
            assert expected[placement(record)] == (record.result.winner if record.result else None)
            placements.append(placement(record))
            for _ in texts:
                record.undo()
        assert sorted(placements) == sorted(expected)


def test_no_position_has_more_turns_than_there_is_room_for(game: damier.Game) -> None:
    turns = Turns(game)
    counts = [len(results_of(turns, record.position.state)) for record in undecided(game, 300, fresh=True)]
    assert max(counts) < turns.most


def test_a_win_within_the_turn_is_foreseen(game: damier.Game) -> None:
    turns = Turns(game)
    lists = words(turns.most), words(turns.most)
    wins = 0
    for record in undecided(game, 150):
        state, side = record.position.state, record.position.state[2] & 1
        results = results_of(turns, state)
        homes = [result for result in results if turns.kernels.is_home(result, side)]
        winning = [r for r in results if turns.kernels.result_of(turns.rules, r, state[1], side) > 0]
        assert turns.kernels.can_pass_home(turns.rules, state[0], state[1], state[2] >> 1, side) == bool(homes)
        assert turns.kernels.can_win(turns.rules, state, 0, lists, turns.scratch) == bool(winning)
        wins += bool(winning)
    assert 0 < wins < 150


@pytest.mark.slow
def test_opponents_play_whole_legal_turns(game: damier.Game) -> None:
    for player in opponents(game):
        for record in undecided(game, 15):
            before, turn = str(record.position), record.turn
            texts = player.choose(record, LIMIT)
            assert str(record.position) == before
            record.play_turn("+".join(texts))
            assert record.result or record.turn == turn + 1


def can_win(turns: Turns, state: State) -> bool:
    """Tells whether a turn of the player on move wins."""
    side = state[2] & 1
    return any(turns.kernels.result_of(turns.rules, result, state[1], side) > 0 for result in results_of(turns, state))


def can_be_safe(turns: Turns, state: State) -> bool:
    """Tells whether after some turn the game goes on and the opponent cannot win in the next."""
    side = state[2] & 1
    return any(
        turns.kernels.result_of(turns.rules, result, state[1], side) == 0
        and not can_win(turns, (state[1], result, turns.kernels.FRESH | 1 - side))
        for result in results_of(turns, state)
    )


def test_opponents_win_when_they_can_and_stop_a_win_when_they_can(game: damier.Game) -> None:
    turns, players = Turns(game), opponents(game)
    taken = stopped = 0
    for record in undecided(game, 12, fresh=True):
        is_won = can_win(turns, record.position.state)
        is_safe = can_be_safe(turns, record.position.state)
        for player in players:
            turn = player.choose(record, LIMIT)
            after = game.record(record.position)
            after.play_turn("+".join(turn))
            if is_won:
                assert after.result is not None
                assert after.result.winner == record.mover
                taken += 1
            elif is_safe:
                assert after.result is None
                assert not can_win(turns, after.position.state)
                stopped += 1
    assert taken > 0
    assert stopped > 0


@pytest.mark.parametrize("tree", [False, True])
def test_the_same_seed_gives_the_same_turns(tree: bool) -> None:
    game = damier.load("sensei")
    records = list(undecided(game, 8, fresh=True))
    first, second, other = (MonteCarloPlayer(game, playouts=500, seed=seed, tree=tree) for seed in (1, 1, 2))
    turns = [first.choose(record, LIMIT) for record in records]
    assert [second.choose(record, LIMIT) for record in reversed(records)] == turns[::-1]
    assert [other.choose(record, LIMIT) for record in records] != turns


def results_of(turns: Turns, state: State) -> list[int]:
    """Returns the results of all turns from a state."""
    lists = words(turns.most), words(turns.most)
    n = turns.kernels.list_turns(turns.rules, state, 0, lists, turns.scratch)
    return [int(result) for result in lists[0][:n]]


def naive_value(turns: Turns, state: State, depth: int, weights: object) -> int:
    """Returns the value of a state by going through all turns to a depth."""
    side, best = state[2] & 1, turn_search.LOST - depth
    for result in results_of(turns, state):
        score = turns.kernels.score_of(turns.rules, result, state[1], side, depth, weights)
        if depth > 1 and abs(score) < turn_search.WIN:
            following = (state[1], result, turns.kernels.FRESH | 1 - side)
            score = -naive_value(turns, following, depth - 1, weights)
        best = max(best, score)
    return best


@pytest.mark.parametrize("depth", [1, 2])
def test_the_search_finds_the_value_of_going_through_all_turns(game: damier.Game, depth: int) -> None:
    player, turns = TurnAlphaBetaPlayer(game, depth=depth), Turns(game, *ALGORITHMS)
    checked = 0
    for record in undecided(game, 40):
        if len(results_of(turns, record.position.state)) < 20:
            value = naive_value(turns, record.position.state, depth, player.weights)
            assert player.value(record) == value
            checked += 1
    assert checked > 2


def test_a_deeper_search_finds_the_value_of_going_through_all_turns() -> None:
    game = damier.load("sensei")
    player, turns = TurnAlphaBetaPlayer(game), Turns(game, *ALGORITHMS)
    #: Few stones can move: three turns are soon gone through.
    record = game.record("3RRRR/5RR/6R/7/G6/GG5/GGGG3 g d1,d7 0,1")
    assert player.value(record) == naive_value(turns, record.position.state, 3, player.weights)


def test_positions_that_would_be_drawn_are_known() -> None:
    game = damier.load("sensei")
    record = game.record()
    for _ in range(2):
        for turn in ("a1-a2+end", "a7-a6+end", "a2-a1+end", "a6-a7+end"):
            assert len(stood_twice(record)) <= 2 * record.turn
            record.play_turn(turn)
            if record.result:
                break
    assert record.result is not None
    record.undo()
    record.undo()
    drawn = record.positions[0].state[1], record.positions[0].state[0]
    assert drawn in zip(*[iter(stood_twice(record).tolist())] * 2, strict=True)
    chosen = TurnAlphaBetaPlayer(game, depth=1).choose(record, LIMIT)
    assert chosen != ["a6-a7", "end"]


@pytest.mark.parametrize("number", range(3))
def test_opponents_beat_random_play(number: int) -> None:
    game = damier.load("sensei")
    player = opponents(game)[number]
    for seed in range(2):
        record, players = game.record(), [player, RandomPlayer(seed)]
        if seed % 2:
            players.reverse()
        while record.result is None and record.turn < 100:
            for text in players[game.players.index(record.mover)].choose(record, LIMIT):
                record.play(text)
        assert record.result is not None
        assert record.result.winner == game.players[players.index(player)]


def test_a_match_goes_on_from_its_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "games"
    arguments = ["--player", "random", "--opponent", "turns", "--jobs", "1", "--log", str(log)]
    strength.main([*arguments, "--games", "1"])
    assert "random against turns, shizukana: 0 won, 0 drawn, 1 lost of 1, 0.0 %" in capsys.readouterr().out
    first = log.read_text("utf-8")
    log.write_text(first + first[:20], "utf-8")  # a game that was cut off
    strength.main([*arguments, "--games", "3"])
    printed = capsys.readouterr().out.splitlines()
    assert [line.endswith("(from the log)") for line in printed] == [True, False, False, False]
    assert "0 won, 0 drawn, 3 lost of 3" in printed[-1]
    games = [json.loads(line) for line in log.read_text("utf-8").splitlines() if line.endswith("}")]
    assert [game["game"] for game in games] == [0, 1, 2]
    assert [game["side"] for game in games] == ["g", "r", "g"]
    strength.main([*arguments, "--games", "3"])
    assert len(log.read_text("utf-8").splitlines()) == 4


def test_both_games_of_a_pair_have_the_same_opening() -> None:
    game = damier.load("sensei")
    assert strength.opening(game, 1, 0) == []
    record = game.record()
    for text in strength.opening(game, 1, 5):
        record.play(text)
    assert record.turn == 2
    assert strength.opening(game, 1, 5) == list(record.played) != strength.opening(game, 2, 5)
