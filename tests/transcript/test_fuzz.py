"""Damaged, hostile and huge records: refused with a sentence, never anything else, and never slowly."""

import copy
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import damier
from damier.core.record import Record
from damier.transcript.json_format import parse_json
from damier.transcript.text_format import parse_transcript, parse_transcripts
from damier.transcript.tree import Node, Transcript, transcripts_text
from tests.amounts import quick_and_slow

pytestmark = pytest.mark.untraced  # several times as slow while coverage is measured

GAMES: list[tuple[str, dict[str, object]]] = [
    ("renfa", {}),
    ("renfa", {"size": 8, "bombs": 3, "last": 0}),
    ("chefa", {}),
    ("badia", {}),
    ("sensei", {}),
    ("sensei", {"variant": "arashi-expert", "pits": "d4"}),
    ("omba", {}),
    ("omba", {"players": 4}),
]
HOSTILE_SECONDS = 120  # about 2 on a quick day and 10 while coverage is measured; what is quadratic takes hours

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For tests that play many games: no time limit for a single example."""

# What a record may hold

one_line = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=["Cs"]), max_size=20)
tag_names = st.from_regex("[A-Z][a-z0-9_]{0,5}", fullmatch=True).filter(
    lambda name: name not in ("Game", "Options", "Position", "Players", "Date", "Result", "Reason")
)
DAYS = st.one_of(st.just(""), st.dates().map(str))


def names_for(game: damier.Game) -> st.SearchStrategy[tuple[str, ...]]:
    """Makes names for the players of a game, or none."""
    name = one_line.filter(lambda text: ";" not in text).map(str.strip)
    count = len(game.players)
    return st.one_of(st.just(()), st.lists(name, min_size=count, max_size=count).map(tuple))


@st.composite
def grown_tree(draw: st.DrawFn, game: damier.Game) -> Node:
    """Makes a tree of legal lines: each new line leaves some node of the tree so far."""
    root = Node("")
    grown: list[tuple[Node, list[str]]] = [(root, [])]
    for _ in range(draw(st.integers(0, 6))):
        node, path = draw(st.sampled_from(grown))
        record = Record(game.start)
        for action in path:
            record.play(action)
        for _ in range(draw(st.integers(0, 12))):
            actions = record.actions()
            if not actions:
                break
            record.play(draw(st.sampled_from(actions)))
            path = list(record.played)
            following = Node(path[-1], comment=draw(st.one_of(st.just(""), st.just(""), st.text(max_size=8))))
            node.children.append(following)
            node = following
            grown.append((node, path))
    root.comment = draw(st.one_of(st.just(""), st.text(max_size=8)))
    return root


SAMPLE = """[Game "sensei"]
[Options "variant=shizukana"]
[Players "Ann; Bob"]
[Date "2026-11-15"]
[Result "r"]
[Reason "resignation"]
[Event "a \\"quoted\\" one"]

{before} 1. a1-a2+d1^c1+end 2. a7-a6+end {a \\} comment} (2. b7-b6+end (2. c7-c6 {x} end) 3. a2-a3+end)
3. a2-a3+end

[Game "omba"]
[Options "players=3"]
[Result "*"]

1. roll:1 @b1 2. roll:2 (2. roll:1 @a2) @b1 3. roll:3 @b1

[Game "badia"]
[Position "W1W1W/1...1/B.B.W/1...B/1BW1B b 0,0 -,- -"]
[Result "draw"]
[Reason "agreement"]

1. b1-c1>? {White must say where.} >d1 (>d5) 2. e3=e2
"""


def read_or_refuse(text: str) -> None:
    """Asserts that a text is either refused in one sentence or read into transcripts that come back."""
    try:
        transcripts = list(parse_transcripts(text, damier.load))
    except damier.BadRecord as error:
        sentence = str(error)
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 500
        assert sentence.startswith(("Line ", "There is no game in this file."))
        if sentence.startswith("Line "):
            assert 1 <= int(sentence.split()[1][:-1]) <= text.count("\n") + 1
    else:
        assert list(parse_transcripts(transcripts_text(transcripts), damier.load)) == transcripts


def test_the_sample_comes_back() -> None:
    transcripts = list(parse_transcripts(SAMPLE, damier.load))
    assert len(transcripts) == 3
    assert list(parse_transcripts(transcripts_text(transcripts), damier.load)) == transcripts


# Random damage


@unhurried
@given(st.text())
def test_random_text_is_refused_in_a_sentence(text: str) -> None:
    read_or_refuse(text)
    read_or_refuse('[Game "chefa"]\n' + text)


@unhurried
@given(st.binary())
def test_random_bytes_are_refused_in_a_sentence(data: bytes) -> None:
    read_or_refuse(data.decode("latin-1"))
    read_or_refuse(data.decode("utf-8", "surrogateescape"))


TOKENS = ["(", ")", "{", "}", "[", "]", "\\", '"', "+", "\n", "\n\n", " ", "1.", "2.", "a1", "e5", "*", "{x}", "(b2)"]


@unhurried
@given(st.lists(st.sampled_from([*TOKENS, "[Game", '[Game "chefa"]', '[Result "b"]', '[Date ""]'])))
def test_random_tokens_are_read_or_refused(tokens: list[str]) -> None:
    read_or_refuse('[Game "chefa"]\n' + "".join(tokens))
    read_or_refuse('[Game "chefa"]\n' + " ".join(tokens))


edits = st.tuples(
    st.integers(0, len(SAMPLE)), st.integers(0, 9), st.one_of(st.sampled_from(TOKENS), st.text(max_size=3))
)


@unhurried
@given(st.lists(edits, min_size=1, max_size=3))
def test_a_damaged_file_is_read_or_refused(changes: list[tuple[int, int, str]]) -> None:
    text = SAMPLE
    for at, length, new in changes:
        text = text[:at] + new + text[at + length :]
    read_or_refuse(text)


def test_a_file_cut_anywhere_is_read_or_refused() -> None:
    for end in range(len(SAMPLE)):
        read_or_refuse(SAMPLE[:end])


def test_a_file_without_any_one_letter_is_read_or_refused() -> None:
    for at in range(len(SAMPLE)):
        read_or_refuse(SAMPLE[:at] + SAMPLE[at + 1 :])


JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    10**9,
    10**4000,
    1.5,
    float("nan"),
    "",
    "x",
    "a1",
    "*",
    "draw",
    [],
    {},
    [[]],
    {"": 1},
]


def spots(data: Any) -> list[tuple[Any, Any]]:
    """Returns every place in JSON data: the object or list and the key or index."""
    found: list[tuple[Any, Any]] = []
    todo = [data]
    while todo:
        holder = todo.pop()
        keys = (
            list(holder) if isinstance(holder, dict) else list(range(len(holder))) if isinstance(holder, list) else []
        )
        found += [(holder, key) for key in keys]
        todo += [holder[key] for key in keys]
    return found


@unhurried
@given(st.data())
def test_damaged_json_is_read_or_refused(data: st.DataObject) -> None:
    transcript = data.draw(st.sampled_from(list(parse_transcripts(SAMPLE, damier.load))))
    record = transcript.to_json()
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(spots(record)))
        if data.draw(st.booleans()):
            del holder[key]
        else:
            holder[key] = copy.deepcopy(data.draw(st.sampled_from(JUNK)))
    try:
        read = Transcript.from_json(record, damier.load)
    except damier.BadRecord as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 500
    else:
        assert Transcript.from_json(read.to_json(), damier.load) == read


@unhurried
@given(st.integers(0, 2000), st.text(max_size=3))
def test_damaged_json_text_is_read_or_refused(at: int, new: str) -> None:
    text = json.dumps(next(parse_transcripts(SAMPLE, damier.load)).to_json(), indent=1)
    for damaged in (text[:at], text[:at] + new + text[at + 1 :]):
        try:
            parse_json(damaged, damier.load)
        except damier.BadRecord as error:
            assert "\n" not in str(error)


# A megabyte of hostility

MEGABYTE = 10**6
HEAD = '[Game "chefa"]\n\n'
#: Makes texts of about a size.
HOSTILE: dict[str, Callable[[int], str]] = {
    "opening brackets": lambda size: "(" * size,
    "nested variations that are never closed": lambda size: "a1(" * (size // 3),
    "opening braces": lambda size: "{" * size,
    "escapes in a comment": lambda size: "{" + "\\}" * (size // 2),
    "a wrong escape after many right ones": lambda size: "{" + "\\}" * (size // 2) + "\\x}",
    "a comment of escapes": lambda size: "{" + "\\\\" * (size // 2) + "}",
    "many comments": lambda size: "{a}" * (size // 3),
    "empty comments": lambda size: "{}" * (size // 2),
    "one token": lambda size: "a" * size,
    "one token of plus signs": lambda size: "+" * size,
    "one token of actions": lambda size: "a1" + "+a1" * (size // 3),
    "the same action": lambda size: "a1 " * (size // 3),
    "digits": lambda size: "1" * size,
    "a turn number": lambda size: "1" * size + ". a1",
    "turn numbers": lambda size: "1. " * (size // 3),
    "square brackets": lambda size: "[" * size,
    "a tag that is never closed": lambda size: '[A "' + "x" * size,
    "a tag of escapes": lambda size: '[A "' + '\\"' * (size // 2),
    "a tag of backslashes": lambda size: '[A "' + "\\" * size + '"]',
    "a tag name": lambda size: "[" + "A" * size,
    "tags": lambda size: "".join(f'[T{i} "x"]\n' for i in range(size // 13)),
    "options": lambda size: '[Options "' + "a=b " * (size // 4) + '"]',
    "names": lambda size: '[Players "' + ";" * size + '"]',
    "a position": lambda size: '[Position "' + "1/" * (size // 2) + '"]',
    "line breaks": lambda size: "\n" * size,
    "empty games": lambda size: '\n\n[Game "chefa"]' * (size // 16),
}


@pytest.mark.parametrize("size", quick_and_slow(MEGABYTE // 10, MEGABYTE))
@pytest.mark.parametrize("what", HOSTILE)
def test_a_huge_text_is_read_or_refused_quickly(what: str, size: int) -> None:
    hostile = HOSTILE[what](size)
    for text in (HEAD + hostile, hostile):
        begun = time.process_time()
        try:
            for _ in parse_transcripts(text, damier.load):
                pass
        except damier.BadRecord as error:
            assert len(str(error)) < 500
        assert time.process_time() - begun < HOSTILE_SECONDS * size / MEGABYTE


@pytest.mark.parametrize(
    "text",
    [
        "[" * MEGABYTE,
        "[" * 500 + "]" * 500,
        '{"a":' * MEGABYTE,
        "1" * MEGABYTE,
        '"' * MEGABYTE,
        '{"options":' * 900 + "1" + "}" * 900,
        '{"format":"damier-record","version":1,"game":"chefa","actions":[' + '"a1",' * (MEGABYTE // 5) + '"a1"]}',
        '{"format":"damier-record","version":1,"game":"chefa","options":' + "[" * 900 + "]" * 900 + ',"actions":[]}',
        '{"format":"damier-record","version":1' + "0" * 4000 + ',"game":"chefa","actions":[]}',
    ],
    ids=lambda text: text[:8],
)
def test_hostile_json_is_refused_quickly(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(damier.BadRecord) as caught:
        parse_json(text, damier.load)
    assert len(str(caught.value)) < 500
    assert time.process_time() - begun < HOSTILE_SECONDS


# Long and deep, and yet legal. Two pieces of Omba that step to and fro play for ever.

OPENING = ["roll:1", "@b1", "roll:1", "@a2"]
TO_AND_FRO = ["roll:1", "b1-a1", "roll:1", "a2-a3", "roll:1", "a1-b1", "roll:1", "a3-a2"]


def there_and_back_quickly(transcript: Transcript) -> None:
    begun = time.process_time()
    text = transcript.text()
    assert parse_transcript(text, damier.load) == transcript
    assert Transcript.from_json(transcript.to_json(), damier.load) == transcript
    assert time.process_time() - begun < HOSTILE_SECONDS


def test_a_game_of_20_000_actions_is_read_and_written() -> None:
    root = node = Node("")
    for action in OPENING + TO_AND_FRO * 2500:
        node.children.append(Node(action))
        node = node.children[0]
    transcript = Transcript(damier.load("omba").start, root)
    assert sum(1 for _ in transcript.main_line()) == 20_004
    there_and_back_quickly(transcript)


def test_5_000_variations_inside_each_other_are_read_and_written() -> None:
    root = node = Node("")
    for action in OPENING + TO_AND_FRO * 1250:
        if action == "roll:1":
            node.children.append(Node("roll:2"))  # the line ends here; its alternative goes deeper
        node.children.append(Node(action))
        node = node.children[-1]
    transcript = Transcript(damier.load("omba").start, root)
    assert transcript.text().count("(") == transcript.text().count(")") == 5002
    assert len(transcript.to_json()["variations"]) == 5002
    there_and_back_quickly(transcript)


def test_many_variations_late_in_a_long_game_do_not_replay_it() -> None:
    root = node = Node("")
    for action in OPENING + TO_AND_FRO * 1000:
        node.children.append(Node(action))
        node = node.children[0]
    node.children += [Node(f"roll:{1 + i % 6}") for i in range(4000)]
    there_and_back_quickly(Transcript(damier.load("omba").start, root))


def test_a_thousand_games_in_a_file_are_read_one_by_one() -> None:
    text = transcripts_text([parse_transcript('[Game "chefa"]\n\na1 b2 c4', damier.load)] * 1000)
    assert sum(1 for _ in parse_transcripts(text, damier.load)) == 1000
    assert next(parse_transcripts(text + "\n[damaged", damier.load)).game == damier.load("chefa")
