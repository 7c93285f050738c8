"""What an agent loses by exact values, on small games with tables, compared with a naive twin."""

from __future__ import annotations

import collections
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import damier
from damier import exact
from damier.core.errors import BadArgument
from damier.core.game import Game
from damier.engine.fault import EngineFault
from damier.engine.limit import Limit
from damier.insight.exam.agents import PlayerPolicy, agent_policy
from damier.insight.exam.draw_sample import draw_sample
from damier.insight.exam.exam import Exam
from damier.insight.exam.groups import CHANCE_BANDS, OUTCOME_BANDS, band_of, group_name
from damier.insight.exam.losses import is_choice
from damier.insight.exam.sample import ExamSample
from damier.insight.report.best_play import best_actions
from damier.solve.history_values import HistoryValues
from damier.solve.tables import TableMissing, Tables
from damier.solve.value import TableValue
from tests.insight.exam import agents_for_exams
from tests.insight.exam.naive_regret import naive_losses
from tests.shared import built_table
from tests.solve.small_games import small_omba

AGENTS = "python:tests.insight.exam.agents_for_exams:"


def small_games() -> list[Game]:
    """Returns a game without a die and one with."""
    return [damier.load("renfa", bombs=3), small_omba(2)]


@pytest.fixture(scope="module", params=[0, 1], ids=["outcomes", "chances"])
def tables(request: pytest.FixtureRequest) -> Tables:
    return built_table(small_games()[request.param])


@pytest.fixture(scope="module")
def sample(tables: Tables) -> ExamSample:
    return draw_sample(tables, 8)


@pytest.fixture(scope="module")
def outcomes() -> Tables:
    return built_table(small_games()[0])


def perfect(tables: Tables) -> exact.Policy:
    """Returns the policy that plays a best action in the position, whatever the history."""
    return lambda record: best_actions(tables.action_values(record.position))[0]


def worst(tables: Tables) -> exact.Policy:
    values = HistoryValues(tables)
    return lambda record: list(values.actions(record))[-1]


# One decision --------------------------------------------------------------------------------------------------------


def test_the_loss_of_every_action_is_that_of_the_naive_twin(tables: Tables, sample: ExamSample) -> None:
    for each in sample.positions:
        position = tables.game.parse(each.position)
        naive = naive_losses(tables, position)
        found = exact.action_losses(tables.action_values(position))
        assert set(found) == set(naive)
        for action, loss in found.items():
            value, plies = naive[action]
            assert loss.value == pytest.approx(value)
            assert loss.plies == plies
            assert loss.is_error == (value >= 0.001)


def test_regret_is_the_mean_of_the_naive_losses(tables: Tables, sample: ExamSample) -> None:
    positions = [each.position for each in sample.positions]
    found = exact.regret(tables.game, agents_for_exams.first, positions, tables=tables)
    lost, plies = [], []
    for text in positions:
        position = tables.game.parse(text)
        value, distance = naive_losses(tables, position)[position.actions()[0]]
        lost.append(value)
        plies += [distance] if distance is not None else []
    assert found.all.decisions == len(positions)
    assert found.all.value_lost == pytest.approx(sum(lost) / len(lost), abs=1e-6)
    assert found.all.errors == pytest.approx(sum(value >= 0.001 for value in lost) / len(lost), abs=1e-6)
    if plies:
        assert found.all.plies_lost == pytest.approx(sum(plies) / len(plies), abs=1e-3)
    else:
        assert found.all.plies_lost is None


def test_probabilities_cost_their_mean(tables: Tables, sample: ExamSample) -> None:
    positions = [each.position for each in sample.positions[:20]]
    found = exact.regret(tables.game, agents_for_exams.even, positions, tables=tables)
    for text, decision in zip(positions, found.decisions, strict=True):
        naive = naive_losses(tables, tables.game.parse(text))
        assert decision.value_lost == pytest.approx(sum(value for value, _ in naive.values()) / len(naive))
        kept = [plies for _, plies in naive.values() if plies is not None]
        assert decision.plies_lost == (pytest.approx(sum(kept) / len(kept)) if kept else None)


def test_a_perfect_policy_loses_nothing_and_the_worst_loses_in_every_position(
    tables: Tables, sample: ExamSample
) -> None:
    positions = [each.position for each in sample.positions]
    best = exact.regret(tables.game, perfect(tables), positions, tables=tables)
    assert (best.all.errors, best.all.value_lost, best.all.plies_lost or 0) == (0, 0, 0)
    bad = exact.regret(tables.game, worst(tables), positions, tables=tables)
    assert bad.all.errors == 1
    assert set(bad.groups) == {each.phase for each in sample.positions} | {each.band for each in sample.positions}
    assert sum(group.decisions for group in bad.groups.values()) == 2 * len(positions)  # by phase, and by band


def test_a_slow_win_costs_plies_and_no_value() -> None:
    values = {"a": TableValue("win", 3), "b": TableValue("win", 7), "c": TableValue("draw", None)}
    losses = exact.action_losses(values)
    assert [(loss.value, loss.plies, loss.is_error) for loss in losses.values()] == [
        (0, 0, False),
        (0, 4, False),
        (1, None, True),
    ]


def test_a_sooner_loss_costs_plies() -> None:
    losses = exact.action_losses({"a": TableValue("loss", 8), "b": TableValue("loss", 2)})
    assert [(loss.value, loss.plies) for loss in losses.values()] == [(0, 0), (0, 6)]


def test_a_tiny_loss_of_chance_is_no_error_but_counts() -> None:
    values = {"a": TableValue("chance", None, 0.5), "b": TableValue("chance", None, 0.4995)}
    assert exact.action_losses(values)["b"].value == pytest.approx(0.0005)
    assert not exact.action_losses(values)["b"].is_error
    assert not is_choice(values)
    assert is_choice(values | {"c": TableValue("chance", None, 0.4)})
    assert not is_choice({})


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (TableValue("win", 1), "win 1"),
        (TableValue("win", 2), "win 2-3"),
        (TableValue("win", 15), "win 8-15"),
        (TableValue("win", 16), "win 16+"),
        (TableValue("draw", None), "draw"),
        (TableValue("loss", 4), None),
        (TableValue("chance", None, 0.0), "0-20 %"),
        (TableValue("chance", None, 1.0), "80-100 %"),
    ],
)
def test_a_value_belongs_to_a_band(value: TableValue, band: str | None) -> None:
    assert band_of(value) == band
    if band:
        assert band in (*OUTCOME_BANDS, *CHANCE_BANDS)
        assert group_name(band).render()


# Samples -------------------------------------------------------------------------------------------------------------


def test_a_drawn_sample_is_always_the_same_and_has_choices_only(tables: Tables, sample: ExamSample) -> None:
    assert draw_sample(tables, 8) == sample
    assert draw_sample(tables, 8, seed=2).digest != sample.digest
    texts = [each.position for each in sample.positions]
    assert len(set(texts)) == len(texts)
    counts = collections.Counter((each.phase, each.band) for each in sample.positions)
    assert max(counts.values()) == 8
    assert {phase for phase, _ in counts} == {"placing", "moving"}
    for each in sample.positions:
        position = tables.game.parse(each.position)
        losses = naive_losses(tables, position)
        assert max(value for value, _ in losses.values()) >= (0.01 if tables.game.traits.has_chance else 1)
        assert each.phase == ("placing" if any(position.hands().values()) else "moving")
        assert each.band == band_of(next(iter(tables.action_values(position).values())))
        assert each.tier in {tier.name for tier in tables.numbering.tiers}


def test_a_sample_is_read_as_it_was_written(sample: ExamSample) -> None:
    assert ExamSample.model_validate_json(sample.text()) == sample
    changed = sample.model_copy(update={"positions": sample.positions[::-1]})
    assert changed.digest != sample.digest


# Play ----------------------------------------------------------------------------------------------------------------


def test_what_is_lost_in_a_game_is_the_value_of_the_start_less_that_of_the_result(outcomes: Tables) -> None:
    for policy in (agents_for_exams.even, worst(outcomes), perfect(outcomes)):
        play = exact.play_perfect(outcomes.game, policy, games=10, tables=outcomes)
        assert [game.player for game in play.games] == ["b", "w"] * 5
        for game in play.games:
            assert game.value_lost == pytest.approx(0 - (2 * game.score - 1))  # the game is a draw
    assert play.all.errors == 0
    assert [(seat.won, seat.drawn, seat.lost, seat.first_error) for seat in play.seats] == [(0, 5, 0, None)] * 2


def test_the_first_error_of_a_game_is_where_the_value_falls(outcomes: Tables) -> None:
    play = exact.play_perfect(outcomes.game, worst(outcomes), games=2, tables=outcomes)
    for game in play.games:
        record = outcomes.game.record()
        for ply, action in enumerate(game.actions, 1):
            value = naive_losses(outcomes, record.position)[action][0] if record.mover == game.player else 0
            record.play(action)
            if value:
                assert game.first_error == ply
                break
        assert game.score == 0


def test_games_depend_on_the_seed_alone(tables: Tables) -> None:
    first = exact.play_perfect(tables.game, agents_for_exams.even, games=4, seed=3, tables=tables)
    again = exact.play_perfect(tables.game, agents_for_exams.even, games=4, seed=3, tables=tables)
    other = exact.play_perfect(tables.game, agents_for_exams.even, games=4, seed=4, tables=tables)
    assert first == again
    assert first.games != other.games
    assert first.data() == again.data()


def test_with_a_die_the_chances_of_the_seats_add_up_to_one() -> None:
    chances = built_table(small_games()[1])
    play = exact.play_perfect(chances.game, agents_for_exams.even, games=6, tables=chances)
    assert sum(seat.value for seat in play.seats) == pytest.approx(1)
    assert {game.score for game in play.games} <= {0, 0.5, 1}
    assert play.all.plies_lost is None


# Agents --------------------------------------------------------------------------------------------------------------


def test_an_exam_of_an_agent_is_repeated_exactly(outcomes: Tables) -> None:
    results = [
        Exam(outcomes.game, "level:2", positions=30, games=4, seed=1, tables=outcomes).run().data() for _ in range(2)
    ]
    assert results[0] == results[1]
    assert results[0]["sample"]["positions"] == 30
    assert not results[0]["sample"]["is_published"]
    assert results[0]["limit"] == "nodes=300000"
    fewer = Exam(outcomes.game, "level:2", positions=3, games=4, seed=1, tables=outcomes).run()
    assert fewer.play.data() == results[0]["play"]  # whatever came before
    assert 0 < results[0]["sample"]["all"]["errors"] < 1


def test_the_engine_is_examined_without_its_tables(outcomes: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.core.folders.table_folder", lambda: outcomes.folder)
    game = damier.load("renfa", bombs=3)
    assert game.tables.is_built
    shares = {}
    for agent in ("full@nodes=30", "level:8@nodes=30"):
        with agent_policy(game, agent) as policy:
            shares[agent] = exact.regret(game, policy).all.errors
    assert min(shares.values()) > 0


def test_progress_and_a_result_so_far(outcomes: Tables) -> None:
    exam = Exam(outcomes.game, "random", positions=10, games=2, tables=outcomes)
    assert exam.result().sample.positions == 0
    shares: list[float] = []

    def stop(share: float, rate: float) -> None:
        shares.append(share)
        assert rate > 0
        if len(shares) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exam.run(stop)
    assert shares == sorted(shares)
    assert exam.result().sample.positions == 4


def test_a_player_that_gives_a_whole_turn_is_asked_once_for_it(outcomes: Tables) -> None:
    class Planner:
        name = "planner"
        asked = 0

        def choose(self, record: damier.Record, limit: Limit) -> list[str]:  # noqa: ARG002  # as of players
            self.asked += 1
            return [record.actions()[0], "rest"]

        def new_game(self) -> None:
            pass

    planner = Planner()
    policy = PlayerPolicy(planner, Limit())  # type: ignore[arg-type]
    record = outcomes.game.record()
    record.play(policy(record))
    assert policy(record) == "rest"
    assert planner.asked == 1
    policy.new_game()
    policy(record)
    assert planner.asked == 2


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        (
            "illegal",
            "The agent 'illegal' returned 'z9' in the position 5/5/5/5/5 b 3,3, which is refused: "
            "There is no cell z9 on this board.",
        ),
        (
            "nothing",
            "The agent 'nothing' returned 'None' in the position 5/5/5/5/5 b 3,3, neither an action nor probabilities "
            "of actions.",
        ),
        (
            "unsure",
            "The probabilities that the agent 'unsure' returned in the position 5/5/5/5/5 b 3,3 add up to 12.5, or one "
            "is below 0.",
        ),
        (
            "broken",
            "The agent 'broken' failed in the position 5/5/5/5/5 b 3,3: ZeroDivisionError: division by zero.",
        ),
        (
            "huge",
            "The agent 'huge' returned '{'a1': 10000000000000000000000000000000…' in the position 5/5/5/5/5 b 3,3, "
            "neither an action nor probabilities of actions.",
        ),
        ("leaves", "The agent 'leaves' failed in the position 5/5/5/5/5 b 3,3: SystemExit: 3."),
        (
            "plays_nonsense",
            "The agent 'plays_nonsense' failed in the position 5/5/5/5/5 b 3,3: IllegalAction: 'zz' is not an "
            "action: actions are written like c3, a1-a4, *c3.",
        ),
        (
            "unspeakable",
            "The agent 'unspeakable' returned '<Unspeakable>' in the position 5/5/5/5/5 b 3,3, neither an action nor "
            "probabilities of actions.",
        ),
        ("unready", "The agent 'Unready' failed before a game: ValueError: not today."),
    ],
)
def test_a_policy_that_breaks_the_rules_is_named(outcomes: Tables, agent: str, sentence: str) -> None:
    policy = getattr(agents_for_exams, agent)
    with pytest.raises(EngineFault) as fault:
        exact.regret(outcomes.game, policy, ["5/5/5/5/5 b 3,3"], tables=outcomes)
    assert str(fault.value) == sentence


def test_random_answers_are_refused_or_charged(outcomes: Tables) -> None:
    lot = random.Random(1)
    words: list[object] = ["a1", "c3", "", "a1-a2", 7, None, 0.5, -1, float("nan"), True, "é", [], {}]
    for _ in range(300):
        keys, values = lot.choices(words[:4], k=2), lot.choices(words, k=2)
        answer = lot.choice([lot.choice(words), dict(zip(keys, values, strict=True))])

        def policy(record: damier.Record, answer: object = answer) -> Mapping[str, float]:
            return answer  # type: ignore[return-value]

        try:
            found = exact.regret(outcomes.game, policy, ["5/5/5/5/5 b 3,3"], tables=outcomes)
        except EngineFault as fault:
            assert "5/5/5/5/5 b 3,3" in str(fault)
        else:
            assert sum(found.decisions[0].chosen.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        ("python:no_such_module:choose", "The module 'no_such_module' cannot be imported: ModuleNotFoundError: "),
        (AGENTS + "missing", "The module 'tests.insight.exam.agents_for_exams' has no function 'missing'."),
        (AGENTS + "a_number", "The module 'tests.insight.exam.agents_for_exams' has no function 'a_number'."),
        ("grandmaster", "A player is one of level:1..level:8, full, "),
    ],
)
def test_an_agent_that_is_not_there_is_refused(outcomes: Tables, agent: str, sentence: str) -> None:
    with pytest.raises(BadArgument) as refusal:
        Exam(outcomes.game, agent, positions=1, games=0, tables=outcomes).run()
    assert str(refusal.value).startswith(sentence)


def test_without_a_table_or_a_choice_nobody_is_examined(outcomes: Tables, tmp_path: Path) -> None:
    game = damier.load("renfa", bombs=3)
    with pytest.raises(TableMissing, match="'damier solve renfa -o bombs=3' does that"):
        exact.regret(game, agents_for_exams.first, tables=Tables(game, tmp_path))
    with pytest.raises(BadArgument, match="Only games of two can be examined"):
        exact.regret(damier.load("omba", players=3), agents_for_exams.first)
    chances = built_table(small_games()[1])
    with pytest.raises(BadArgument, match="Nobody can choose an action in the position"):
        exact.regret(chances.game, agents_for_exams.first, [chances.game.start], tables=chances)
    with pytest.raises(BadArgument, match="positions takes a whole number from 0 to"):
        Exam(outcomes.game, "random", positions=10**6, tables=outcomes)


def test_the_module_imports_nothing_until_it_is_used() -> None:
    script = "import damier, sys; before = set(sys.modules); import damier.exact; print(set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "{'damier.exact'}\n"
    assert all(getattr(exact, name) for name in exact.__all__)
    with pytest.raises(AttributeError):
        exact.nothing  # type: ignore[attr-defined]  # noqa: B018
