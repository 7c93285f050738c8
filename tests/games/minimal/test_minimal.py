"""A game of rules and notation alone is loaded, played, counted, searched, drawn, written down and served."""

import pickle
import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

import damier
from damier import games
from damier.core.definition import NO_SUMMARY, STRENGTHS
from damier.draw.svg import board_svg
from damier.draw.textboard import board_text
from damier.engine.engine import Engine
from damier.engine.levels import LEVELS, EnginePlayer, LevelPlayer
from damier.engine.limit import Limit
from damier.games import definition, register, unregister
from damier.transcript.read import read_transcripts
from damier.transcript.tree import Transcript
from tests.games.minimal import GAME
from tests.server.served import served


@pytest.fixture(autouse=True)
def game() -> Iterator[damier.Game]:
    register(GAME)
    yield damier.load("rows")
    unregister("rows")


def test_it_is_loaded_by_its_name_once_it_is_registered(game: damier.Game) -> None:
    assert games() == damier.games()
    assert games()[-1] == "rows"
    assert definition("rows") is GAME
    assert (game.title, game.options, game.players) == ("Rows", {}, ("x", "o"))
    assert str(game.start) == "3/3/3 x"
    unregister("rows")
    with pytest.raises(damier.UnknownGame, match="There is no game 'rows'"):
        damier.load("rows")
    register(GAME)


def test_the_name_of_a_game_that_comes_with_the_program_is_taken() -> None:
    with pytest.raises(ValueError, match="comes with the program"):
        register(definition(games()[0]))


def test_whatever_it_leaves_out_has_a_default(game: damier.Game) -> None:
    assert GAME.summary is NO_SUMMARY
    assert GAME.levels is STRENGTHS
    assert len(STRENGTHS) == len(LEVELS) - 1
    assert [str(game.player_name(player)) for player in game.players] == ["Player 1", "Player 2"]
    assert GAME.index is None
    assert game.traits.symmetries == ()
    assert game.guess_actions(["b2"]) == ["b2"]
    assert game.action_name("b2") is None
    assert game.die_points("b2") is None


def test_it_is_played_to_its_end(game: damier.Game) -> None:
    record = game.record()
    for action in ("b2", "a1", "a3", "b1", "c1"):
        record.play(action)
    assert record.result is not None
    assert record.result.sentence() == "Player 1 wins: by the rules of the game."
    assert record.result.winner == "x"
    assert record.actions() == []
    drawn = game.record()
    for action in ("b2", "a1", "b1", "b3", "a2", "c2", "a3", "c1", "c3"):
        drawn.play(action)
    assert drawn.result is not None
    assert drawn.result.sentence() == "A draw: by the rules of the game."


def test_a_refusal_is_a_sentence(game: damier.Game) -> None:
    record = game.record()
    record.play("b2")
    with pytest.raises(damier.IllegalAction, match=r"^This action is not possible now\.$") as refusal:
        record.play("b2")
    assert refusal.value.sentence("fr") != refusal.value.sentence("en")
    with pytest.raises(damier.IllegalAction, match="is not an action: actions are written like b2"):
        record.play("nowhere")


def test_its_games_are_counted(game: damier.Game) -> None:
    """9 * 8 * 7 ... until the first games end: 1440 after five actions, 5328 after six, and so on."""
    counts = [game.perft("3/3/3 x", depth) for depth in range(10)]
    assert counts == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_random_games_run_compiled(game: damier.Game) -> None:
    played = game.playouts(2000, seed=1)
    assert 5 <= played.lengths.min() <= played.lengths.max() == 9
    assert set(played.results.tolist()) == {-1, 0, 1}
    assert 0.55 < (played.results == 0).mean() < 0.62  # 58.5 % for the first player


@pytest.mark.parametrize(("method", "nodes"), [("alphabeta", 20_000), ("mcts", 20_000)])
def test_it_is_searched_by_the_engine(game: damier.Game, method: str, nodes: int) -> None:
    *_, last = Engine(game, method=method).analyse(game.parse("2X/OX1/1O1 x"), Limit(nodes=nodes))
    assert last.best.actions[0] == "a1"
    *_, forced = Engine(game, method=method).analyse(game.parse("3/1X1/OX1 o"), Limit(nodes=nodes))
    assert forced.best.actions[0] == "b3"


def test_two_engines_draw(game: damier.Game) -> None:
    record, player = game.record(), EnginePlayer(game)
    while not record.result:
        record.play_turn("+".join(player.choose(record, Limit(nodes=20_000))))
    assert record.result.winner is None


def test_every_level_plays_it(game: damier.Game) -> None:
    for level in LEVELS:
        record = game.record()
        assert LevelPlayer(game, level, seed=3).choose(record, Limit(nodes=500))[0] in record.actions()


def test_it_is_drawn_as_text(game: damier.Game) -> None:
    assert board_text(game.parse("2X/1O1/X2 o")) == (
        "3  .   .   X\n2  .   O   .\n1  X   .   .\n   a   b   c\n\nPlayer 2 to move\n"
    )


def test_it_is_drawn_as_svg(game: damier.Game) -> None:
    picture = board_svg(game.parse("2X/1O1/X2 o"))
    ElementTree.fromstring(picture)
    empty = board_svg(game.start)
    assert len(picture) > len(empty)
    assert [(piece.player, piece.cell) for piece in game.parse("2X/1O1/X2 o").pieces()] == [
        ("x", "a1"),
        ("o", "b2"),
        ("x", "c3"),
    ]


def test_its_clicks_are_the_cells_that_its_actions_name(game: damier.Game) -> None:
    cells = {cell.name for cell in game.drawing.cells}
    assert {game.action_cells(text) for text in game.start.actions()} == {(cell,) for cell in cells}


def test_it_is_written_down_and_read(game: damier.Game) -> None:
    rng, record = random.Random(5), game.record()
    while not record.result:
        record.play(rng.choice(record.actions()))
    (back,) = read_transcripts(Transcript.of(record).text())
    assert back.record().played == record.played
    assert pickle.loads(pickle.dumps(record)).played == record.played


def test_it_is_served(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        listed = client.get("/api/games").json()[-1]
        assert (listed["name"], listed["title"], listed["summary"]) == ("rows", "Rows", "A board game.")
        assert len(client.get("/api/games/rows/drawing").json()["cells"]) == 9
        assert client.get("/api/games/rows/example").json()["states"]
        created = client.post("/api/matches", json={"game": "rows", "options": {}, "seats": ["me", "me"]})
        assert created.status_code == 201, created.text
        number = created.json()["number"]
        with client.websocket_connect(f"/api/matches/{number}/live") as socket:
            assert socket.receive_json()["type"] == "snapshot"
            socket.send_json({"id": "1", "do": "play", "action": "b2"})
            while socket.receive_json()["type"] != "done":
                pass
        state = client.get(f"/api/matches/{number}").json()["state"]
        assert state["position"] == "3/1X1/3 o"
        why = client.post(f"/api/matches/{number}/why", json={"cells": ["b2"]}).json()
        assert why["sentence"].startswith("This action is not possible now. Click one of a1, a2,")
        line = {"game": "rows", "options": {}, "actions": ["b2", "a1", "b1"]}
        values = client.post("/api/lines/values", json=line)
        assert values.status_code == 200, values.text


def test_pages_that_it_does_not_have_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        assert "rows" not in client.get("/api/lessons").json()
        for path in ("/api/games/rows/lesson", "/api/games/rows/rules"):
            answer = client.get(path)
            assert answer.status_code in (400, 404), answer.text
            assert answer.json()["error"].endswith(".")
        assert client.get("/api/puzzles/rows").json()["puzzles"] == []
        assert client.get("/api/solutions").json()[-1]["solutions"] == []
