"""The marks of the last turns in a match: after every turn of an opponent, exactly the cells of that turn."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from damier import Game, Position
from damier.server.matches.match import COMPUTER, PERSON, Event, Match, Seat
from damier.server.matches.match_data import common_state, match_state
from damier.server.wire.board import TurnMarksData
from tests.server.pages import Player, begin, live

ANN = "ann"
GAMES: list[tuple[str, dict[str, object]]] = [
    ("renfa", {}),
    ("chefa", {}),
    ("badia", {}),
    ("sensei", {}),
    ("sensei", {"variant": "arashi-expert"}),
    ("omba", {}),
    ("omba", {"players": 3}),
    ("omba", {"players": 4}),
]
STRAIGHT = ("renfa", "chefa", "sensei")  # games whose pieces pass the cells between

every_game = pytest.mark.parametrize(("name", "options"), GAMES, ids=str)


def cells_of(turn: TurnMarksData, has_paths: bool) -> set[str]:
    """Returns the marked cells, with or without those between."""
    found: set[str] = set()
    for action in turn.actions:
        for route in action.routes:
            found |= {*([route.origin] if route.origin else []), *(route.path if has_paths else []), route.target}
        found |= set(action.changed)
    return found


def between(game: Game, origin: str, target: str) -> set[str]:
    """Returns the cells between two in a row, a column or a diagonal, from their names alone."""
    column, row = ord(target[0]) - ord(origin[0]), int(target[1]) - int(origin[1])
    steps = max(abs(column), abs(row))
    names = {f"{chr(ord(origin[0]) + i * column // steps)}{int(origin[1]) + i * row // steps}" for i in range(1, steps)}
    return names & {cell.name for cell in game.drawing.cells if cell.can_hold}


def played_cells(before: Position, action: str) -> set[str]:
    """Returns what an action clicks, passes and changes."""
    game = before.game
    clicked = [cell for cell in game.action_cells(action) if cell != "@"]
    found = set(clicked)
    if game.name in STRAIGHT and len(clicked) == 2:
        found |= between(game, *clicked)
    for cell in game.drawing.cells:
        stacks = [
            [piece.player for piece in position.pieces() if piece.cell == cell.name]
            for position in (before, before.play(action))
        ]
        if stacks[0] != stacks[1]:
            found.add(cell.name)
    return found


def state_of(match: Match, visitor: str) -> Any:
    return match_state(common_state(match, "en"), match, visitor)


@every_game
def test_after_every_turn_of_an_opponent_its_cells_are_marked(name: str, options: dict[str, object]) -> None:
    game, rng = damier.load(name, **options), random.Random(7)
    me = game.players[-1]
    seats = [
        Seat(player, PERSON, visitor=ANN) if player == me else Seat(player, COMPUTER, level=1)
        for player in game.players
    ]
    match = Match("number", game, seats, b"s" * 32, ANN, "2026-11-16T00:00:00Z")
    since: dict[str, set[str]] = {}  # the turns of the others since my last one
    owner, turn = "", -1
    compared = 0
    while match.record.result is None and len(match.actors) < 90:
        before, mover = match.record.position, match.record.mover
        if roll := match.due_roll():
            match.add(roll)
        else:
            action = rng.choice(match.record.actions())
            if turn != match.record.turn:
                owner, turn = mover, match.record.turn
                since.pop(owner, None)
                since = {} if owner == me else {**since, owner: set()}
            match.add(Event("play", mover, action))
            if owner != me:
                since[owner] |= played_cells(before, action)
        marked = state_of(match, ANN).last_turns
        if owner != me and owner:
            compared += 1
            has_paths = not game.traits.has_chance  # a walk may be any that costs the points
            assert [(each.player, cells_of(each, has_paths)) for each in marked] == list(since.items())
        elif owner == me:
            assert [each.player for each in marked] == [me]
    assert compared > 5


def test_spectators_and_who_plays_for_everybody_see_the_last_turn() -> None:
    game = damier.load("omba", players=3)
    for visitors in ((ANN, "bob", "cem"), (ANN, ANN, ANN)):
        seats = [Seat(player, PERSON, visitor=visitor) for player, visitor in zip(game.players, visitors, strict=True)]
        match = Match("number", game, seats, b"s" * 32, ANN, "2026-11-16T00:00:00Z")
        for action in ("roll:1", "@b1", "roll:1", "@a2", "roll:1"):
            match.add(Event("roll" if action.startswith("roll") else "play", match.record.mover, action))
        for visitor in {"eve", ANN} if visitors[1] == ANN else {"eve"}:
            assert [turn.player for turn in state_of(match, visitor).last_turns] == ["2"]
    match.add(Event("undo", "2", to=3))
    assert [turn.player for turn in state_of(match, ANN).last_turns] == ["1"]


def test_each_visitor_is_sent_the_marks_for_his_own_seat(ann: TestClient, bob: TestClient) -> None:
    shot = begin(ann, "sensei", "me", "open")
    taken = bob.post(f"/api/matches/{shot['number']}/seats", json={"invitation": shot["invitations"]["r"]})
    assert taken.is_success
    with live(ann, shot["number"]) as mine, live(bob, shot["number"]) as other:
        first, second = Player(mine), Player(other)
        for action in ("a1-a2", "d1^c1", "end"):
            first.play(action)
        for _ in range(3):
            second.next("event")
        (turn,) = second.state["last_turns"]
        assert turn["player"] == "g"
        assert [action["action"] for action in turn["actions"]] == ["a1-a2", "d1^c1", "end"]
        assert turn["actions"][0]["routes"] == [{"origin": "a1", "path": [], "target": "a2"}]
        assert turn["actions"][2] == {"player": "g", "action": "end", "routes": [], "changed": []}
        second.play("g7-g6")
        first.next("event")
        assert [each["player"] for each in first.state["last_turns"]] == ["r"]
        assert [each["player"] for each in second.state["last_turns"]] == ["r"]


def test_a_line_marks_the_last_turn_at_every_moment(client: TestClient) -> None:
    body = {"game": "sensei", "actions": ["a1-a2", "b1-b2", "end", "g7-g6"]}
    states = client.post("/api/lines/states", json=body).json()["states"]
    counts = [sum(len(turn["actions"]) for turn in state["last_turns"]) for state in states]
    assert counts == [0, 1, 2, 3, 1]
    now = client.post("/api/lines/state", json=body).json()
    assert now["last_turns"] == states[-1]["last_turns"]


@pytest.mark.parametrize("name", damier.games())
def test_an_example_marks_whole_turns(client: TestClient, name: str) -> None:
    states = client.get(f"/api/games/{name}/example").json()["states"]
    assert states[0]["last_turns"] == []
    assert all(len(state["last_turns"]) == 1 for state in states[1:])
