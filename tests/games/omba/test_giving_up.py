"""Giving up in games of three and four: the ruling of the contract, and the naive twin."""

import random

import pytest

import damier
from damier.core.errors import IllegalAction
from damier.core.record import Record
from damier.draw.marks import last_turns
from damier.transcript.read import read_transcripts
from damier.transcript.tree import Transcript
from tests.games.omba import naive


def random_game(players: int, seed: int) -> Record:
    """Plays a random game in which players give up now and then, beside the naive twin."""
    drawn = random.Random(seed)
    record = damier.load("omba", players=players).record()
    twin = [naive.start({"players": players})]
    while record.result is None:
        inside = [player for player in record.game.players if record.is_in(player)]
        assert inside == naive.players_left(naive.read(twin[-1]))
        assert record.actions() == sorted(naive.legal({}, twin))
        if drawn.random() < 0.08:
            player = drawn.choice(inside)
            record.resign(player)
            twin.append(naive.eliminate(twin[-1], player))
        else:
            action = drawn.choice(record.actions())
            record.play(action)
            twin.append(naive.play({}, twin, action))
        assert str(record.position) == twin[-1]
    assert record.result.winner == naive.result({}, twin)
    assert record.order()[0] == [record.result.winner]
    assert [tied[0] for tied in record.order()[:0:-1]] == naive.read(twin[-1]).out
    return record


@pytest.mark.parametrize("players", [3, 4])
def test_giving_up_agrees_with_the_naive_twin_and_replays(players: int) -> None:
    outs = 0
    for seed in range(60):
        record = random_game(players, seed)
        twin = Record(record.start)
        for action in record.played:
            twin.play(action)
        assert (twin.positions, twin.turns, twin.result) == (record.positions, record.turns, record.result)
        transcript = Transcript.of(record)
        assert read_one(transcript.text()) == transcript
        assert Transcript.from_json(transcript.to_json(), damier.load) == transcript
        for count in range(record.count + 1):
            last_turns(record, count=count)
        outs += sum(action.startswith("out:") for action in record.played)
        while record.count:
            record.undo()
        assert (record.position, record.turn) == (record.start, 0)
    assert outs > 60


def read_one(text: str) -> Transcript:
    """Returns the transcript of a text."""
    (found,) = read_transcripts(text)
    return found


def test_who_gives_up_on_their_own_turn_loses_the_roll_and_the_next_one_rolls() -> None:
    record = damier.load("omba", players=3).record()
    for action in ("roll:1", "@b1", "roll:2"):
        record.play(action)
    record.resign("2")
    assert str(record.position) == "-,-,-/-,-,-/-,1,- 3 3,4,4 - 2"
    assert (record.mover, record.turn, record.played[-1]) == ("chance", 2, "out:2")


def test_who_gives_up_on_the_turn_of_another_leaves_that_turn_as_it_is() -> None:
    record = damier.load("omba", players=3).record()
    record.play("roll:2")
    record.lose_on_time("3")
    assert str(record.position) == "-,-,-/-,-,-/-,-,- 1 4,4,4 2 3"
    assert (record.mover, record.turn) == ("1", 0)
    record.abandon("2")
    assert str(record.position) == "-,-,-/-,-,-/-,-,- 1 4,4,4 - 3,2"
    assert record.result
    assert record.result.winner == "1"
    assert record.order() == [["1"], ["2"], ["3"]]


def test_nobody_goes_out_twice_or_after_the_end() -> None:
    record = damier.load("omba", players=3).record()
    record.play("out:1")
    with pytest.raises(IllegalAction) as refused:
        record.play("out:1")
    assert str(refused.value) == "Player 1 is out already."
    record.play("out:2")
    with pytest.raises(IllegalAction, match="The game is over"):
        record.play("out:3")


def test_an_act_is_no_action_and_is_refused_in_games_of_two() -> None:
    three, two = damier.load("omba", players=3).record(), damier.load("omba").record()
    assert not any(action.startswith("out") for action in three.actions())
    with pytest.raises(IllegalAction):
        two.play("out:1")
    with pytest.raises(IllegalAction):
        three.play("out:4")
    with pytest.raises(IllegalAction):
        three.position.play("out:1")
