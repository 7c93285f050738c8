"""The transcript: text and JSON there and back, and one sentence for each mistake."""

import doctest
import gzip
import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.transcript.json_format import parse_json
from damier.transcript.text_format import parse_transcript, parse_transcripts
from damier.transcript.tree import Node, Transcript, transcripts_text
from tests.transcript.test_fuzz import DAYS, GAMES, grown_tree, names_for, one_line, tag_names, unhurried

REPO = Path(__file__).parents[2]
VECTORS = REPO / "tests/games/vectors/games.json.gz"
PAGE = REPO / "docs/records.md"


def there_and_back(transcript: Transcript) -> None:
    """Asserts that both forms give back the same transcript, and the text the same text."""
    text = transcript.text()
    read = parse_transcript(text, damier.load)
    assert read == transcript
    assert read.text() == text
    assert Transcript.from_json(transcript.to_json(), damier.load) == transcript
    assert parse_json(json.dumps(transcript.to_json()), damier.load).text() == text


def blocks(kind: str) -> list[str]:
    """Returns the blocks of the page that are marked with a word."""
    return re.findall(f"^```{kind}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def refusal(text: str) -> str:
    with pytest.raises(damier.BadRecord) as caught:
        list(parse_transcripts(text, damier.load))
    return str(caught.value)


def chefa(moves: str, *tags: str) -> str:
    return "\n".join(['[Game "chefa"]', *tags, "", moves])


# Playing and writing


def test_recorded_games_of_all_five_games_come_back_from_text_and_json() -> None:
    games = json.loads(gzip.decompress(VECTORS.read_bytes()))
    assert {game["game"] for game in games} == set(damier.games())
    transcripts = []
    for game in games:
        record = damier.load(game["game"], **game["options"]).record(game["start"])
        for step in game["steps"]:
            record.play(step["action"])
        transcript = Transcript.of(record, tags={"Tag": game["tag"]})
        assert (transcript.result.text if transcript.result else None) == game["result"]
        assert Transcript.from_json(transcript.to_json(), damier.load) == transcript
        transcripts.append(transcript)
    text = transcripts_text(transcripts)
    read = list(parse_transcripts(text, damier.load))
    assert read == transcripts
    assert transcripts_text(read) == text
    for one, other in zip(read, games, strict=True):
        assert [node.action for node in one.main_line()] == [step["action"] for step in other["steps"]]
        assert str(one.start) == other["start"]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_random_games_come_back_from_text_and_json(name: str, options: dict[str, object]) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        record = damier.load(name, **options).record()
        while (actions := record.actions()) and len(record.played) < 60:
            record.play(rng.choice(actions))
        there_and_back(Transcript.of(record))


@unhurried
@given(st.data())
def test_trees_with_comments_and_tags_come_back_from_text_and_json(data: st.DataObject) -> None:
    name, options = data.draw(st.sampled_from(GAMES))
    game = damier.load(name, **options)
    transcript = Transcript(
        game.start,
        root=data.draw(grown_tree(game)),
        players=data.draw(names_for(game)),
        date=data.draw(DAYS),
        tags=data.draw(st.dictionaries(tag_names, one_line, max_size=3)),
    )
    transcript.result = transcript.record().result
    there_and_back(transcript)


@unhurried
@given(st.lists(st.text(), max_size=3))
def test_a_comment_keeps_its_text_exactly(texts: list[str]) -> None:
    record = damier.load("chefa").record()
    for action in ("a1", "b2"):
        record.play(action)
    transcript = Transcript.of(record)
    for node, text in zip(transcript.nodes(), texts, strict=False):
        node.comment = text
    assert [node.comment for node in parse_transcript(transcript.text(), damier.load).nodes()][: len(texts)] == texts
    there_and_back(transcript)


def test_the_text_is_the_one_that_the_page_describes() -> None:
    record = damier.load("sensei").record()
    for turn in ("a1-a2+d1^c1+end", "a7-a6+end", "a2-a3+end"):
        record.play_turn(turn)
    record.resign("g")
    transcript = Transcript.of(record, players=["Ann", "Bob"], date="2026-11-15")
    nodes = list(transcript.main_line())
    nodes[4].comment = "a comment"
    branch = nodes[2]
    for action in ("b7-b6", "end", "a2-a3", "end"):
        branch.children.append(Node(action))
        branch = branch.children[-1]
    assert transcript.text() == blocks("record")[0]


@pytest.mark.parametrize(
    ("moves", "printed"),
    [
        ("a1-a2+b1-b2+end", "1. a1-a2+b1-b2+end"),
        ("a1-a2 b1-b2 end", "1. a1-a2+b1-b2+end"),
        ("1. a1-a2 1. b1-b2 1. end", "1. a1-a2+b1-b2+end"),
        ("a1-a2 {x} b1-b2 end {y}", "1. a1-a2 {x} b1-b2+end {y}"),
        ("a1-a2+b1-b2 end (d1^c1)", "1. a1-a2+b1-b2 end (d1^c1)"),
        ("a1-a2+b1-b2+end (c1-c2+end)", "1. a1-a2+b1-b2+end (1. c1-c2+end)"),
        ("a1-a2 (c1-c2) b1-b2 (d1^e1)", "1. a1-a2 (1. c1-c2) b1-b2 (d1^e1)"),
        ("a1-a2(b1-b2(c1-c2)(d1^c1))", "1. a1-a2 (1. b1-b2) (1. c1-c2) (1. d1^c1)"),
        ("a1-a2+end (a1-a2+b1-b2+end)", "1. a1-a2+end (1. a1-a2+b1-b2+end)"),
        ("a1-a2{x}{}{y}(b1-b2){z}", "1. a1-a2 {x\ny\nz} (1. b1-b2)"),
        ("{} {x} a1-a2", "{x} 1. a1-a2"),
        ("a1-a2+b1-b2+d1^c1 2. a7-a6+end", "1. a1-a2+b1-b2+d1^c1 2. a7-a6+end"),
    ],
)
def test_words_are_joined_and_split_where_comments_and_variations_need_it(moves: str, printed: str) -> None:
    transcript = parse_transcript(f'[Game "sensei"]\n\n{moves}', damier.load)
    assert transcript.text().split("\n\n", 1)[1] == printed + "\n"
    there_and_back(transcript)


def test_a_roll_and_the_answer_of_the_other_player_are_words_of_their_own() -> None:
    omba, badia = (parse_transcript(blocks("record")[i], damier.load).text() for i in (2, 3))
    assert "1. roll:1 @b1 2. roll:2 (2. roll:1 @a2) @b1 3. roll:3 @b1\n" in omba
    assert "1. b1-c1>? {White must say where.} >d1 2. e3=e2\n" in badia


def test_a_roll_that_puts_a_player_out_is_a_turn_of_its_own() -> None:
    tags = '[Game "omba"]\n[Options "players=3"]\n[Position "-,-,-/-,-,-/11112,-,- 1 0,3,4 - -"]\n[Result "*"]\n\n'
    text = tags + "1. roll:6 2. roll:1 @b1 3. roll:1\n"
    assert parse_transcript(text, damier.load).text() == text


def test_lines_are_at_most_100_columns_wide_except_in_comments() -> None:
    record = damier.load("sensei").record()
    rng = random.Random(7)
    for _ in range(300):
        record.play(rng.choice(record.actions()))
    transcript = Transcript.of(record)
    lines = transcript.text().split("\n\n", 1)[1].splitlines()
    assert max(map(len, lines)) <= 100
    assert min(map(len, lines[:-1])) > 70
    for node in itertools.islice(transcript.nodes(), 0, None, 9):
        node.comment = "far  too long " * 12 + '\n\n [Game "x"]'
    there_and_back(transcript)


def test_the_main_line_is_a_record_with_its_result() -> None:
    record = damier.load("chefa").record()
    record.play("a1")
    record.lose_on_time("w")
    again = parse_transcript(Transcript.of(record).text(), damier.load).record()
    assert again.played == record.played
    assert again.result == record.result
    assert again.positions == record.positions


def test_a_result_by_the_rules_may_be_left_out() -> None:
    moves = "a1 e5 a2 e4 a3 d5 a4"
    transcript = parse_transcript(chefa(moves), damier.load)
    assert transcript.result is not None
    assert (transcript.result.text, transcript.result.reason) == ("b", "line")
    assert transcript.text() == '[Game "chefa"]\n[Result "b"]\n[Reason "line"]\n\n' + (
        "1. a1 2. e5 3. a2 4. e4 5. a3 6. d5 7. a4\n"
    )
    data = transcript.to_json()
    del data["result"], data["reason"]
    assert Transcript.from_json(data, damier.load) == transcript


def test_history_counts_in_every_line() -> None:
    swings = "a1-b1 e5-d5 b1-a1 d5-e5 "
    there = chefa(f"a1 e5 a2 e4 c2 c4 d3 b4 {swings * 2}")
    transcript = parse_transcript(there, damier.load)
    assert transcript.result is not None
    assert transcript.result.reason == "repetition"
    assert "over" in refusal(there + "a1-b1")
    varied = chefa(f"a1 e5 a2 e4 c2 c4 d3 b4 {swings} a1-b1 e5-d5 b1-a1 d5-e5 (c4-c5 a1-b1)")
    there_and_back(parse_transcript(varied, damier.load))


def test_a_forbidden_return_is_refused_in_a_variation_too() -> None:
    placement = "b1 b5 a2 e4 e1 d1 e5 d5 a5 e2"
    to_and_fro = "b1-c1 b5-c5 a2-a3 e4-e3 c1-b1 c5-b5 a3-a2"
    text = f'[Game "badia"]\n\n{placement} {to_and_fro}\ne3-c3 (e3-e4)'
    assert refusal(text) == "Line 4: the action e3-e4 is refused: This would repeat the situation after turn 10."
    there_and_back(parse_transcript(text.replace("(e3-e4)", "(d5-c5 (e2=e1))"), damier.load))


# The page


def test_every_example_of_the_page_is_read() -> None:
    for block in blocks("record"):
        for transcript in parse_transcripts(block, damier.load):
            there_and_back(transcript)
    assert [len(list(parse_transcripts(block, damier.load))) for block in blocks("record")] == [1, 1, 1, 1, 2, 1]
    for block, sentence in zip(blocks("damaged"), blocks("sentence"), strict=True):
        assert refusal(block) + "\n" == sentence
    (block,) = blocks("json")
    transcript = parse_json(block, damier.load)
    assert transcript.to_json() == json.loads(block)
    there_and_back(transcript)


def test_the_python_of_the_page_runs() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8").failed == 0


def test_the_page_names_every_field_of_the_json() -> None:
    record = damier.load("chefa").record()
    for field in Transcript.of(record, players=("a", "b"), date="2026-11-15").to_json():
        assert f"`{field}`" in PAGE.read_text()


# Files of many games


def test_a_file_is_read_one_game_at_a_time() -> None:
    transcripts = parse_transcripts(chefa("a1") + "\n\n" + chefa("a1 a1"), damier.load)
    assert [node.action for node in next(transcripts).main_line()] == ["a1"]
    with pytest.raises(damier.BadRecord, match=r"^Line 7: the action a1 is refused: There is already a pawn on a1"):
        next(transcripts)


def test_games_without_actions_follow_each_other() -> None:
    text = '[Game "chefa"]\n\n[Game "renfa"]\n[Date "2026-11-15"]\n\n\n[Game "chefa"]\n\n{only a comment}'
    transcripts = list(parse_transcripts(text, damier.load))
    assert [transcript.game.name for transcript in transcripts] == ["chefa", "renfa", "chefa"]
    assert list(parse_transcripts(transcripts_text(transcripts), damier.load)) == transcripts


def test_files_of_other_systems_are_read() -> None:
    text = chefa("1. a1\n2. b2 {x}", '[Date "2026-11-15"]')
    transcript = parse_transcript(text, damier.load)
    assert parse_transcript("\ufeff" + text.replace("\n", "\r\n"), damier.load) == transcript
    assert parse_transcript("\n \n" + text.replace(" ", "\t"), damier.load) == transcript


def test_tags_in_another_order_and_empty_ones_are_read() -> None:
    text = '[B "2"]\n[Date "2026-11-15"]\n[Reason ""]\n[Options ""]\n[Players ""]\n[A "\\"1\\\\"]\n[Game "chefa"]\n\na1'
    transcript = parse_transcript(text, damier.load)
    assert transcript.tags == {"B": "2", "A": '"1\\'}
    assert transcript.text() == '[Game "chefa"]\n[Date "2026-11-15"]\n[Result "*"]\n[B "2"]\n[A "\\"1\\\\"]\n\n1. a1\n'


# Mistakes in a text

NOT_OVER = (
    "By the rules the game is not over, so the result {} needs one of the reasons resignation, agreement, time, limit, "
    "abandonment."
)
BLACK_LINE = "a1 e5 a2 e4 a3 d5 a4"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no game in this file."),
        (" \n\n\t", "There is no game in this file."),
        ("\n1. a1", "Line 2: the game that begins here has no tag Game."),
        ('[Date "2026-11-15"]\n\n1. a1', "Line 1: the game that begins here has no tag Game."),
        (chefa("a1\n\n[Date \"2026-11-15\"]\n\na1"), "Line 5: the game that begins here has no tag Game."),
        (
            '\n[Game "chess"]',
            "Line 2: the tag Game is refused: There is no game 'chess': the games are renfa, chefa, badia, sensei, "
            "omba.",
        ),
        (
            '[Game "renfa"]\n[Options "size=9"]',
            "Line 2: the tag Options is refused: The option size takes a whole number from 5 to 8, not '9'.",
        ),
        (
            '[Game "renfa"]\n[Options "size=5 size=6"]',
            "Line 2: the tag Options is refused: The option 'size' is given twice.",
        ),
        (
            '[Game "renfa"]\n[Options "size"]',
            "Line 2: the tag Options is refused: An option is written like name=value, not 'size'.",
        ),
        (
            chefa("", '[Options "name=x"]'),
            "Line 2: the tag Options is refused: There is no option 'name': this game has none.",
        ),
        (
            chefa("", '[Position "5/5/5/5/5 b 4,4"]'),
            "Line 2: the tag Position is refused: A position has 4 fields separated by one space (board side hand ko), "
            "not '5/5/5/5/5 b 4,4'.",
        ),
        (chefa("", '[Players "Ann"]'), "Line 2: the tag Players is refused: There are 2 players, not 1."),
        (
            chefa("", "", '[Date "2026-02-30"]'),
            "Line 3: the tag Date is refused: A date is written like 2026-11-15, not '2026-02-30'.",
        ),
        (
            chefa("", '[Date "20261115"]'),
            "Line 2: the tag Date is refused: A date is written like 2026-11-15, not '20261115'.",
        ),
        (chefa("", '[Game "chefa"]'), "Line 2: the tag 'Game' is given twice."),
        (chefa("", '[A "1"]', "", '[A "1"]'), "Line 4: the tag 'A' is given twice."),
        (chefa("", "[Date 2026]"), 'Line 2: a tag is written in one line like [Date "2026-11-15"].'),
        (chefa("", '[A "1'), 'Line 2: a tag is written in one line like [Date "2026-11-15"].'),
        (chefa("", '[A "1\n"]'), 'Line 2: a tag is written in one line like [Date "2026-11-15"].'),
        (
            chefa("", '[A "\\\\\\n"]'),
            "Line 2: in the tag 'A' a backslash may stand only before \" or another backslash.",
        ),
        (chefa("a1\n]"), "Line 4: there is a ] out of place."),
        (chefa("a1\n}"), "Line 4: there is a } out of place."),
        (chefa("a1\n{x\n\\}\n\\\\"), "Line 4: the comment that begins here is not closed."),
        (chefa("a1\n{x\\"), "Line 4: the comment that begins here is not closed."),
        (chefa("a1\n{x\n\\y}"), "Line 5: in a comment a backslash may stand only before } or another backslash."),
        (chefa("a1\n(a2\n\n(a3) b3"), "Line 4: the variation that begins here is not closed."),
        (chefa("a1\n(a2 b3\n(b4 b5"), "Line 5: the variation that begins here is not closed."),
        (chefa("a1\n)"), "Line 4: there is a ) without its (."),
        (chefa("a1\n()"), "Line 4: there is no action in this variation."),
        (chefa("\n(a1)"), "Line 4: a variation stands after the action to which it is an alternative."),
        (chefa("a1 ((a2))"), "Line 3: a variation stands after the action to which it is an alternative."),
        (chefa("a1 (\n{x} a2)"), "Line 4: a comment in a variation stands after an action."),
        (chefa("1. a1\n3. a2"), "Line 4: the turn number '3' is wrong: this is turn 2."),
        (chefa("1. a1\n02. a2"), "Line 4: the turn number '02' is wrong: this is turn 2."),
        (chefa("1. a1 2. a2 (1. a3)"), "Line 3: the turn number '1' is wrong: this is turn 2."),
        (chefa("1. a1\n2.\n\n"), "Line 4: the turn number '2' does not stand before an action."),
        (chefa("1. 1. a1"), "Line 3: the turn number '1' does not stand before an action."),
        (chefa("1. {x} a1"), "Line 3: the turn number '1' does not stand before an action."),
        (chefa("a1\n2. (a2)"), "Line 4: the turn number '2' does not stand before an action."),
        (chefa("a1\na2+"), "Line 4: a + joins two actions, without spaces, not 'a2+'."),
        (chefa("a1+a2"), "Line 3: the action a2 is joined to one of another player or turn."),
        ('[Game "omba"]\n\nroll:1+@b1', "Line 3: the action @b1 is joined to one of another player or turn."),
        (chefa("b3\nb3"), "Line 4: the action b3 is refused: There is already a pawn on b3."),
        (chefa("b3\nb4 (b3)"), "Line 4: the action b3 is refused: There is already a pawn on b3."),
        (
            chefa("1.a1"),
            "Line 3: the action 1.a1 is refused: '1.a1' is not an action: actions are written like a1, a1-a2, a1=a4.",
        ),
        (
            chefa(BLACK_LINE + "\nb5"),
            "Line 4: the action b5 is refused: The game is over. Black wins: four pawns in a line.",
        ),
        (
            chefa(BLACK_LINE, '[Result "*"]'),
            "Line 2: the tag Result is refused: The game is given as unfinished, but it is over: "
            "Black wins: four pawns in a line.",
        ),
        (
            chefa(BLACK_LINE, "", '[Result "w"]'),
            "Line 3: the tag Result is refused: It is given as w, but the rules say: Black wins: four pawns in a line.",
        ),
        (
            chefa(BLACK_LINE, '[Result "b"]', '[Reason "resignation"]'),
            "Line 2: the tag Result is refused: The reason is given as resignation, but it is line.",
        ),
        (
            chefa(BLACK_LINE, '[Reason "square"]'),
            "Line 2: the tag Reason is refused: The reason is given as square, but it is line.",
        ),
        (
            chefa("a1", '[Result "1-0"]'),
            "Line 2: the tag Result is refused: A result is one of b, w, draw, *, not '1-0'.",
        ),
        (
            chefa("a1", '[Result "b"]', '[Reason "luck"]'),
            "Line 2: the tag Result is refused: A reason is one of line, square, no-action, repetition, resignation, "
            "agreement, time, limit, abandonment, abort, not 'luck'.",
        ),
        (chefa("a1", '[Result "b"]'), "Line 2: the tag Result is refused: " + NOT_OVER.format("b")),
        (
            chefa("a1", '[Result "draw"]', '[Reason "repetition"]'),
            "Line 2: the tag Result is refused: " + NOT_OVER.format("draw"),
        ),
        (
            chefa("a1", '[Result "*"]', '[Reason "time"]'),
            "Line 2: the tag Result is refused: The reason is given as time, but the game has no result.",
        ),
        (
            chefa("a1", '[Result "b"]', '[Reason "agreement"]'),
            "Line 2: the tag Result is refused: A game ends by an act with a winner and one of resignation, time, "
            "abandonment, or as a draw with one of agreement, limit, abandonment.",
        ),
    ],
)  # fmt: skip
def test_a_damaged_text_names_the_line(text: str, sentence: str) -> None:
    assert refusal(text) == sentence


def test_where_one_game_is_expected_a_second_is_refused() -> None:
    with pytest.raises(damier.BadRecord, match=r"^Line 5: a second game begins here, where one is expected\.$"):
        parse_transcript(chefa("a1") + "\n\n" + chefa("a1"), damier.load)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"players": ["Ann"]}, "There are 2 players, not 1."),
        ({"players": ["a;b", "c"]}, "A player's name is in one line without ; and outer spaces, not 'a;b'."),
        ({"players": [" a", "c"]}, "A player's name is in one line without ; and outer spaces, not ' a'."),
        ({"date": "today"}, "A date is written like 2026-11-15, not 'today'."),
        ({"tags": {"A": "1\n2"}}, "The value of the tag 'A' is in one line."),
        (
            {"tags": {"Date": "1"}},
            "A further tag has a name of letters and digits other than Game, Options, Position, Players, Date, Result, "
            "Reason, not 'Date'.",
        ),
    ],
)
def test_what_could_not_be_written_is_refused_at_once(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(damier.BadRecord) as caught:
        Transcript.of(damier.load("chefa").record(), **given)
    assert str(caught.value) == sentence


# Mistakes in JSON

CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"format": "pgn"}, "A record has the format damier-record and the version 1."),
    ({"version": 2}, "A record has the format damier-record and the version 1."),
    ({"version": True}, "The field version must be a whole number from 0 up."),
    ({"game": 1}, "The field game must be a text."),
    ({"gmae": "chefa"}, "A record has no field 'gmae'."),
    ({"options": []}, "The field options must be an object of texts and whole numbers."),
    ({"options": {"size": 1.5}}, "The field options must be an object of texts and whole numbers."),
    ({"options": {"size": 6}}, "The field options is refused: There is no option 'size': this game has none."),
    ({"start": None}, "The field start must be a text."),
    ({"players": "Ann"}, "The field players must be a list of texts."),
    ({"players": ["Ann"]}, "The field players is refused: There are 2 players, not 1."),
    ({"date": 20261115}, "The field date must be a text."),
    ({"date": "1.5.2026"}, "The field date is refused: A date is written like 2026-11-15, not '1.5.2026'."),
    ({"tags": {"A": 1}}, "The field tags must be an object of texts."),
    ({"tags": {"A": "\n"}}, "The field tags is refused: The value of the tag 'A' is in one line."),
    ({"result": 1}, "The field result must be a text or null."),
    ({"result": ""}, "The field result is refused: A result is one of b, w, draw, *, not ''."),
    ({"result": "b"}, "The field result is refused: " + NOT_OVER.format("b")),
    ({"reason": "line"}, "The field result is refused: The reason is given as line, but the game has no result."),
    ({"actions": None}, "The field actions must be a list of texts."),
    ({"actions": [1]}, "The field actions must be a list of texts."),
    ({"actions": ["a1", "a1"]}, "Action 2: the action a1 is refused: There is already a pawn on a1."),
    ({"comments": {}}, "The field comments must be a list of objects."),
    ({"comments": [1]}, "The field comments[0] must be an object."),
    ({"comments": [{"after": 1}]}, "The field comments[0].text is missing."),
    (
        {"comments": [{"after": 4, "text": ""}]},
        "The field comments[0].after must be a number from 0 to 3, each of them once.",
    ),
    (
        {"comments": [{"after": 1, "text": ""}] * 2},
        "The field comments[1].after must be a number from 0 to 3, each of them once.",
    ),
    ({"variations": [[]]}, "The field variations[0] must be an object."),
    (
        {"variations": [{"line": 1, "at": 0, "actions": ["a2"]}]},
        "The field variations[0].line must be the number of an earlier line.",
    ),
    (
        {"variations": [{"line": -1, "at": 0, "actions": ["a2"]}]},
        "The field variations[0].line must be a whole number from 0 up.",
    ),
    (
        {"variations": [{"line": 0, "at": 3, "actions": ["a2"]}]},
        "The field variations[0].at must be less than the number of actions of the line.",
    ),
    (
        {"variations": [{"line": 0, "at": 0, "actions": []}]},
        "The field variations[0].actions must be at least one action.",
    ),
    (
        {"variations": [{"line": 0, "at": 0, "actions": ["a2"], "comments": [{"after": 0, "text": "x"}]}]},
        "The field variations[0].comments[0].after must be a number from 1 to 1, each of them once.",
    ),
    (
        {"variations": [{"line": 0, "at": 1, "actions": ["a2"]}, {"line": 0, "at": 2, "actions": ["a3", "a1"]}]},
        "Action 2 of variation 2: the action a1 is refused: There is already a pawn on a1.",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), CHANGES)
def test_damaged_json_names_the_field(change: dict[str, Any], sentence: str) -> None:
    data = parse_transcript(chefa("a1 b2 c4"), damier.load).to_json() | change
    with pytest.raises(damier.BadRecord) as caught:
        Transcript.from_json(data, damier.load)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("field", ["format", "version", "game", "actions"])
def test_json_without_a_needed_field_is_refused(field: str) -> None:
    data = parse_transcript(chefa("a1 b2"), damier.load).to_json()
    del data[field]
    with pytest.raises(damier.BadRecord, match=f"^The field {field} is missing"):
        Transcript.from_json(data, damier.load)


@pytest.mark.parametrize("field", ["options", "start", "tags", "result", "reason", "comments", "variations"])
def test_json_fields_that_can_be_told_from_the_rest_may_be_absent(field: str) -> None:
    transcript = parse_transcript(chefa("a1 b2"), damier.load)
    data = transcript.to_json()
    del data[field]
    assert Transcript.from_json(data, damier.load) == transcript


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Line 1: the text is not JSON from here on."),
        ("{\n\n]", "Line 3: the text is not JSON from here on."),
        ("[]", "A record is an object."),
        ("1" * 5000, "The text is not JSON of a record: it goes too deep or has too long a number."),
        ("[" * 100_000, "The text is not JSON of a record: it goes too deep or has too long a number."),
    ],
)
def test_a_text_that_is_not_the_json_of_a_record_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(damier.BadRecord) as caught:
        parse_json(text, damier.load)
    assert str(caught.value) == sentence


# Nodes and transcripts


def test_scores_differ_in_whatever_is_written_down() -> None:
    texts = [
        chefa("a1 b2"),
        chefa("a1 b2 c2"),
        chefa("a1 b2 (c2)"),
        chefa("a1 (c2) b2"),
        chefa("a1 {x} b2"),
        chefa("a1 b2", '[Date "2026-11-15"]'),
        chefa("a1 b2", '[Players "a; b"]'),
        chefa("a1 b2", '[A "1"]', '[B "2"]'),
        chefa("a1 b2", '[B "2"]', '[A "1"]'),
        chefa("a1 b2", '[Result "b"]', '[Reason "time"]'),
        chefa("a1 b2", '[Position "5/5/5/4B/5 w 3,4 -"]').replace("a1 b2", "a1"),
        '[Game "renfa"]\n\na1 b2',
    ]
    transcripts = [parse_transcript(text, damier.load) for text in texts]
    for (i, one), (k, other) in itertools.product(enumerate(transcripts), repeat=2):
        assert (one == other) == (i == k)
    assert transcripts[0] != "a1 b2"


def test_scores_and_nodes_say_what_they_are() -> None:
    transcript = parse_transcript(chefa("a1 (a2) b2"), damier.load)
    assert repr(transcript) == "<transcript of chefa, 3 actions, *>"
    assert [repr(node) for node in transcript.nodes()] == [
        "<node start with 2 children>",
        "<node a1 with 1 children>",
        "<node b2 with 0 children>",
        "<node a2 with 0 children>",
    ]


@pytest.mark.parametrize("name", damier.games())
def test_a_game_stopped_at_a_limit_says_so_in_text_and_json(name: str) -> None:
    """A game that reached the limit of turns of its match was not agreed drawn."""
    record = damier.load(name).record()
    record.play(record.actions()[0])
    record.stop_at_limit()
    assert record.result is not None
    assert record.result.sentence() == "A draw: stopped at the limit of turns."
    transcript = Transcript.of(record)
    assert '[Result "draw"]\n[Reason "limit"]' in transcript.text()
    (read,) = damier.read_transcripts(transcript.text())
    for back in (read, Transcript.from_json(transcript.to_json(), damier.load)):
        assert back.record().result == record.result
    record.undo()
    assert record.result is None
