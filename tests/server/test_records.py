"""Requests about records: reading, writing, pictures, and positions that are set up."""

import json
import random
from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from damier.server.records.editor import parts_of, set_up
from damier.transcript.text_format import parse_transcript
from damier.transcript.tree import Transcript
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of
from tests.games.random_positions import random_position

TEXT = """[Game "sensei"]
[Options "variant=arashi"]
[Event "club evening"]

{An open beginning.} 1. a1-a4 {far out} d1^c1 (d1^b1+g1-g2) end 2. g7-g4+d7^e7+end
"""
RESIGNED = """[Game "chefa"]
[Players "Ann; Bob"]
[Date "2026-11-15"]
[Result "b"]
[Reason "resignation"]

1. a1 2. e5 (2. b2 3. c1) 3. b2
"""
OPTIONS = [
    ("renfa", {"bombs": 5}),
    ("chefa", {}),
    ("badia", {}),
    ("sensei", {}),
    ("sensei", {"variant": "arashi-expert"}),
    ("omba", {"players": 3}),
]


def told(client: TestClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"/api/records/{path}", json=body)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def refused(client: TestClient, path: str, body: dict[str, Any], lang: str = "en") -> str:
    answer = client.post(f"/api/records/{path}?lang={lang}", json=body)
    assert answer.status_code == 400, answer.text
    sentence: str = answer.json()["error"]
    return sentence


def as_given(read: dict[str, Any]) -> dict[str, Any]:
    """What was read, as it is to be written."""
    branches = [{name: each[name] for name in ("parent", "action", "comment")} for each in read["tree"]]
    return {**{name: value for name, value in read.items() if name != "count"}, "tree": branches}


@pytest.mark.parametrize("text", [TEXT, RESIGNED])
@pytest.mark.parametrize("form", ["text", "json"])
def test_what_is_written_is_what_was_read(client: TestClient, text: str, form: str) -> None:
    read = told(client, "read", {"text": text})
    written = told(client, "write", {**as_given(read), "format": form})["text"]
    assert told(client, "read", {"text": written}) == read
    transcript = (
        Transcript.from_json(json.loads(written), damier.load)
        if form == "json"
        else parse_transcript(written, damier.load)
    )
    assert transcript == parse_transcript(text, damier.load)


def test_a_tree_has_turns_and_players(client: TestClient) -> None:
    tree = told(client, "read", {"text": TEXT})["tree"]
    assert tree[0] == {"parent": None, "action": "", "comment": "An open beginning."}
    assert [(each["action"], each["parent"], each["turn"], each["player"]) for each in tree[1:]] == [
        ("a1-a4", 0, 1, "g"),
        ("d1^c1", 1, 1, "g"),
        ("end", 2, 1, "g"),
        ("g7-g4", 3, 2, "r"),
        ("d7^e7", 4, 2, "r"),
        ("end", 5, 2, "r"),
        ("d1^b1", 1, 1, "g"),
        ("g1-g2", 7, 1, "g"),
    ]


def test_each_game_of_a_file_can_be_read(client: TestClient) -> None:
    text = RESIGNED + "\n" + TEXT
    assert [told(client, "read", {"text": text, "number": n})["game"] for n in (1, 2)] == ["chefa", "sensei"]
    assert told(client, "read", {"text": text})["count"] == 2
    assert "2 games" in refused(client, "read", {"text": text, "number": 3})


@pytest.mark.parametrize(
    "text", ["a1 e5 b2", "1. a1 2. e5\n3. b2", "a1, e5, b2", '["a1", "e5", "b2"]', "{so} a1 e5 b2"]
)
def test_a_list_of_actions_is_read_with_its_game(client: TestClient, text: str) -> None:
    read = told(client, "read", {"text": text, "game": "chefa"})
    assert [each["action"] for each in read["tree"][1:]] == ["a1", "e5", "b2"]


def test_a_list_of_actions_may_begin_in_any_position(client: TestClient) -> None:
    body = {"text": "a1", "game": "renfa", "options": {"bombs": 3}, "start": "4B/5/5/5/5 w 2,3"}
    read = told(client, "read", body)
    assert (read["start"], read["options"]["bombs"]) == (body["start"], 3)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no game in this file."),
        ('[Game "chefa"]\n\n1. b3 2. c4\n3. b3', "Line 4: the action b3 is refused: There is already a pawn on b3."),
        ("b3 c4\nb3", "Line 2: the action b3 is refused: There is already a pawn on b3."),
        ('[Game "ludo"]', "ludo"),
        ('{"format": "damier-record"', "not JSON"),
        ('{"format": "damier-record", "version": 1}', "game"),
        ('["a1", 3]', "A record is an object."),
        ("[" * 100_000, "tag"),
    ],
)
def test_a_damaged_record_is_refused_in_one_sentence(client: TestClient, text: str, sentence: str) -> None:
    assert sentence in refused(client, "read", {"text": text, "game": "chefa"})


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("a1-a2 b1-b2 end", "sensei"),
        ('["roll:1", "@b1"]', "omba"),
        ("1. a1 2. e5 3. a2 4. d5 5. c1 6. b5 7. e1 8. c4 {a comment} 9. a2-a3", "chefa"),
    ],
)
def test_a_list_of_actions_is_of_the_only_game_that_it_fits(client: TestClient, text: str, game: str) -> None:
    assert told(client, "read", {"text": text})["game"] == game


def test_a_list_of_actions_that_fits_several_games_or_none_asks_for_the_game(client: TestClient) -> None:
    several = refused(client, "read", {"text": "a1 e5"})
    assert several == "These actions fit several games: Renfa-Bomba, Chefa, Badia. Choose one of them."
    none = refused(client, "read", {"text": "a1 a1"})
    assert none == "These actions fit no game with its usual options. Choose the game to see what is wrong."
    assert refused(client, "read", {"text": " \n"}) == "There is no game in this file."


def test_what_the_rules_forbid_is_not_written(client: TestClient) -> None:
    tree: list[dict[str, Any]] = [{}, {"parent": 0, "action": "a1"}, {"parent": 1, "action": "a1"}]
    assert "already a pawn" in refused(client, "write", {"game": "chefa", "tree": tree})
    assert "2" in refused(client, "write", {"game": "chefa", "tree": [*tree[:2], {"parent": 2, "action": "a2"}]})
    assert "not over" in refused(client, "write", {"game": "chefa", "tree": tree[:2], "result": "b"})


def test_a_large_tree_is_written_and_read(client: TestClient) -> None:
    rng, game = random.Random(1), damier.load("omba")
    record = game.record()
    tree: list[dict[str, Any]] = [{"parent": None, "action": "", "comment": ""}]
    while len(record.played) < 1500 and not record.result:
        action = rng.choice(record.actions())
        record.play(action)
        tree.append({"parent": len(tree) - 1, "action": action, "comment": ""})
    tree += [{"parent": 0, "action": f"roll:{1 + n % 6}", "comment": f"line {n}"} for n in range(5000)]
    text = told(client, "write", {"game": "omba", "tree": tree})["text"]
    read = told(client, "read", {"text": text})["tree"]
    assert len(read) == len(tree)


def test_a_picture_shows_the_board(client: TestClient) -> None:
    body = {"game": "chefa", "actions": ["a1"], "theme": "dark", "size": 640, "flip": True}
    picture = told(client, "picture", body)["picture"]
    assert picture.startswith("<svg")
    assert "black pawn" in picture
    assert "640" in picture
    assert picture.count('class="last"') == 1
    assert "theme" in refused(client, "picture", {**body, "theme": "pink"})
    assert "32" in refused(client, "picture", {**body, "size": 7})


# Setting up


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_every_position_can_be_set_up_anew(name: str, options: dict[str, Any]) -> None:
    rng, game = random.Random(name), damier.load(name, **options)
    for _ in range(20):
        record = game.record()
        while not record.result and len(record.played) < 60:
            record.play(rng.choice(record.actions()))
            position = record.position
            pieces = [(piece.player, piece.cell) for piece in position.pieces()]
            hands = list(position.hands().values())
            fields = str(position).split(" ")
            other = " ".join([str(game.start).split(" ")[0], *fields[1:]])
            assert set_up(game, other, pieces, fields[1], hands) == str(position)


def can_be_chosen(game: damier.Game, name: str, text: str, position: damier.Position) -> bool:
    """Tells whether the tool of a part offers a text: what a person can choose, without typing."""
    part = next(part for part in game.parts if part.name == name)
    holding = {piece.cell for piece in position.pieces() if part.player in (None, piece.player)}
    if part.kind == "choice":
        return text in part.choices
    if part.kind == "cell":
        return text in holding or (text == "-" and part.can_be_none)
    if text == "-":
        return True
    chosen = text.split(",")
    if part.kind == "pair":
        return len(set(chosen)) == 2 and set(chosen) <= {cell.name for cell in game.drawing.cells}
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(game.players)


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_the_tools_of_the_editor_alone_reach_every_position(client: TestClient, option_set: OptionSet) -> None:
    name, options = option_set
    rng, game = random.Random(name_of(option_set)), damier.load(name, **options)
    played, record = [], game.record()
    while not record.result and len(record.played) < 30:
        record.play(rng.choice(record.actions()))
        played.append(str(record.position))
    texts = rng.sample(played, min(4, len(played))) + [random_position(name, options, rng) for _ in range(4)]
    for text in texts:
        position = game.parse(text)
        parts = parts_of(game, text)
        assert all(can_be_chosen(game, part, chosen, position) for part, chosen in parts.items())
        body = {
            "game": name,
            "options": options,
            "position": None,
            "pieces": [{"player": piece.player, "cell": piece.cell} for piece in position.pieces()],
            "side": text.split(" ")[1],
            "hands": [*position.hands().values()] if game.drawing.has_hands else None,
            "parts": parts,
        }
        data = told(client, "setup", body)
        assert (data["position"], data["problem"], data["parts"]) == (text, None, parts)


def test_a_part_is_named_in_words_and_what_does_not_fit_is_refused(client: TestClient) -> None:
    body = {"game": "sensei", "pieces": None}
    data = told(client, "setup", body)
    assert [tool["title"] for tool in data["tools"]] == ["Sage", "Monkey", "Left in this turn"]
    assert data["parts"] == {"sage": "d1", "monkey": "d7", "left": "2,1"}
    pieces = [{"player": piece["player"], "cell": piece["cell"]} for piece in data["state"]["pieces"]]
    wrong = told(client, "setup", {**body, "pieces": pieces, "parts": {"sage": "d4"}})
    assert wrong["problem"] == "The character of Green is on d4, where they have no stone."
    assert wrong["parts"]["sage"] == "d4"
    answer = client.post("/api/records/setup", json={**body, "pieces": pieces, "parts": {"sage": "d4 r"}})
    assert answer.status_code in (400, 422)


def test_a_board_that_is_set_up_says_what_is_missing(client: TestClient) -> None:
    chefa = {"game": "chefa", "position": None}
    half = told(client, "setup", {**chefa, "pieces": [{"player": "b", "cell": "a1"}], "side": "w", "hands": [4, 4]})
    assert half["position"] == "5/5/5/5/B4 w 4,4 -"
    assert half["state"] is None
    assert "must have 4 pieces" in half["problem"]
    whole = told(client, "setup", {**chefa, "pieces": [{"player": "b", "cell": "a1"}], "side": "w", "hands": [3, 4]})
    assert whole["problem"] is None
    assert whole["state"]["pieces"][0]["cell"] == "a1"


def test_a_text_alone_is_judged(client: TestClient) -> None:
    assert told(client, "setup", {"game": "chefa"})["position"] == "5/5/5/5/5 b 4,4 -"
    data = told(client, "setup", {"game": "chefa", "position": "nonsense"})
    assert data["position"] == "nonsense"
    assert "fields" in data["problem"]


def test_a_marker_off_its_pawn_is_dropped_when_the_board_changes(client: TestClient) -> None:
    start = "W1W1W/1...1/B.B.W/1...B/1BW1B w 0,0 b1,- -"
    pieces = damier.load("badia").parse(start).pieces()
    moved = [{"player": piece.player, "cell": "a1" if piece.cell == "b1" else piece.cell} for piece in pieces]
    data = told(client, "setup", {"game": "badia", "position": start, "pieces": moved, "side": "w", "hands": [0, 0]})
    assert data["position"] == "W1W1W/1...1/B.B.W/1...B/B1W1B w 0,0 -,- -"
    assert data["problem"] is None


@pytest.mark.parametrize(
    "piece", [{"player": "b", "cell": "c3"}, {"player": "x", "cell": "a1"}, {"player": "b", "cell": "z9"}]
)
def test_a_piece_that_cannot_be_is_refused(client: TestClient, piece: dict[str, str]) -> None:
    assert refused(client, "setup", {"game": "chefa", "pieces": [piece]})
