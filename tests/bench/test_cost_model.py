"""The cost model: its arithmetic, and what it says breaks first."""

import math

import pytest

from bench.cost_model import Inputs, Model, main, table

SIMPLE = Inputs(players=1000, pace=5, busy=0.5, apart=0.5, server_ms=3, other_ms=2, hear_ms=0, redis_server_ms=0)


def test_actions_and_servers_follow_from_players_and_pace() -> None:
    model = Model(SIMPLE)
    assert model.actions == 100  # 500 matches
    assert model.work_ms == 4
    assert model.servers == 1  # 0.4 of a core, of which half may be used
    assert Model(Inputs(**{**vars(SIMPLE), "players": 10_000})).servers == 8


def test_hearing_of_every_action_takes_more_and_more_servers_and_in_the_end_all() -> None:
    given = {**vars(SIMPLE), "players": 10_000, "hear_ms": 0.25}
    assert Model(Inputs(**given)).servers == 16  # half of each core is for hearing
    model = Model(Inputs(**{**given, "hear_ms": 0.5}))
    assert model.servers == math.inf
    assert "BREAKS" in table(model)


def test_limits_are_sorted_and_independent_of_how_many_players_there_are() -> None:
    limits = Model(Inputs()).limits()
    assert list(limits.values()) == sorted(limits.values())
    more = Model(Inputs(players=200_000)).limits()
    assert more == pytest.approx(limits)


def test_one_redis_has_one_core_at_its_limit() -> None:
    inputs = Inputs()
    limit = Model(inputs).limits()["one Redis is full, one core"]
    at_limit = Model(Inputs(players=limit * 2 * inputs.pace / inputs.playing))
    assert at_limit.redis_cores == pytest.approx(1, rel=0.02)


def test_prices_grow_with_the_price_of_a_core() -> None:
    cheap, dear = (Model(Inputs(core_hour=price)).prices() for price in (0.02, 0.04))
    assert dear["servers"] == pytest.approx(2 * cheap["servers"])
    assert dear["traffic to players"] == cheap["traffic to players"]


def test_the_command_prints_the_table_and_refuses_what_makes_no_sense(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--players", "5000", "--pace", "8"]) == 0
    assert "5,000 players at once, an action every 8 s in each match" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["--pace", "0"])
    assert ended.value.code == 2
    assert "players, playing, pace, busy and server-ms are more than 0" in capsys.readouterr().err
