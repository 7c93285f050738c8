"""The pure rules of chat: rooms, text, floods."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import damier
from damier.core.errors import BadArgument
from damier.core.messages import LANGUAGES
from damier.server.civility.flood import FloodGate, TooManyMessages, are_alike, core_of
from damier.server.civility.phrases import PHRASES, phrase_data, phrase_text
from damier.server.civility.rooms import open_rooms, rooms_in
from damier.server.civility.text import LONGEST, message_text, plain_text
from damier.server.matches.match import OPEN, PERSON, Event, Match, Seat

# Rooms


@pytest.mark.parametrize(
    ("is_player", "is_over", "has_company", "rooms"),
    [
        (True, False, True, ("players",)),
        (False, False, True, ("spectators",)),
        (True, True, True, ("players", "spectators")),
        (False, True, True, ("spectators", "players")),
        (True, False, False, ()),
        (False, False, False, ("spectators",)),
        (True, True, False, ("spectators",)),
        (False, True, False, ("spectators",)),
    ],
)
def test_who_reads_which_room(is_player: bool, is_over: bool, has_company: bool, rooms: tuple[str, ...]) -> None:
    assert open_rooms(is_player=is_player, is_over=is_over, has_company=has_company) == rooms


def test_the_rooms_follow_the_seats_and_the_result() -> None:
    seats = [Seat("b", PERSON, visitor="ann"), Seat("w", OPEN, invitation="x")]
    match = Match("x", damier.load("chefa"), seats, bytes(32), "ann", "")
    assert rooms_in(match, "ann") == ("players",)
    assert rooms_in(match, "bob") == rooms_in(match, "") == ("spectators",)
    match.seats[1] = Seat("w", PERSON, visitor="bob")
    assert rooms_in(match, "bob") == ("players",)
    match.add(Event("resign", "b"))
    assert rooms_in(match, "bob") == ("players", "spectators")
    assert rooms_in(match, "eve") == ("spectators", "players")
    match.seats[1] = Seat("w", PERSON, visitor="ann")
    assert rooms_in(match, "ann") == ("spectators",)


# Text


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("  Well   done \n Ann\t! ", "Well done Ann !"),
        ("<b>bold</b> & <script>", "<b>bold</b> & <script>"),
        ("a\u202eb\u2066c\u200b\u200d\ufeffd", "abcd"),
        ("zero\x00 bell\x07 escape\x1b[31m", "zero bell escape[31m"),
        ("z\u0300\u0301\u0302\u0303\u0304\u0305a", "z\u0300\u0301\u0302a"),
        ("e\u0301", "é"),
        ("\u0301\u0301a", "a"),
        ("\u3164\u115f hello \U000e0041", "hello"),
        ("日本語 עברית 🙂", "日本語 עברית 🙂"),
    ],
)
def test_a_text_is_stored_as_one_visible_line(text: str, stored: str) -> None:
    assert message_text(text) == stored


@pytest.mark.parametrize("text", ["", " \n ", "\u202e\u200b", "\u3164", "\u0301"])
def test_nothing_is_no_message(text: str) -> None:
    with pytest.raises(BadArgument, match=r"^The message is empty: write something\.$"):
        message_text(text)


def test_a_message_has_200_characters_after_cleaning() -> None:
    assert len(message_text("x" * LONGEST + "\u200b" * 100)) == LONGEST
    with pytest.raises(BadArgument, match=r"^A message has at most 200 characters: yours has 201\.$"):
        message_text("x" * (LONGEST + 1))


@given(st.text(max_size=300))
@example("\x85\u2028a\u2029")
@example("\u0344" * 5)
def test_no_text_gets_through_that_is_not_plain(text: str) -> None:
    found = plain_text(text)
    assert plain_text(found) == found
    assert found == found.strip()
    assert "  " not in found
    assert found.encode().decode() == found
    kinds = {unicodedata.category(letter) for letter in found}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"}


# Floods


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


WORDS = ("one", "two", "three", "four", "five", "six", "seven")


def test_a_person_writes_five_messages_in_ten_seconds() -> None:
    clock = Clock()
    gate = FloodGate(clock)
    for place, word in enumerate(WORDS[:5]):
        gate.enter("ann", word, ("x", str(place)))
        clock.at += 1
    with pytest.raises(TooManyMessages) as refused:
        gate.enter("ann", "six", ("x", "5"))
    assert str(refused.value) == "You have written 5 messages in 10 seconds: wait 5 seconds."
    assert (refused.value.retry_after, refused.value.limit) == (5, "chat")
    gate.enter("bob", "six", ("x", "5"))  # others may
    clock.at += 4.5
    with pytest.raises(TooManyMessages, match="wait 1 second\\."):
        gate.enter("ann", "six", ("x", "5"))
    clock.at += 0.5
    gate.enter("ann", "six", ("x", "5"))
    with pytest.raises(TooManyMessages, match="wait 1 second\\."):  # the second one leaves the window then
        gate.enter("ann", "seven", ("x", "6"))


def test_nearly_the_same_again_is_refused_for_half_a_minute() -> None:
    clock = Clock()
    gate = FloodGate(clock)
    gate.enter("ann", "You should have played b4 there", ("x", "1"))
    clock.at += 12
    for text in (
        "YOU should have played b4 there!!!",
        "you shoooould have played b4 there",
        "You should have played b5 there",
    ):
        with pytest.raises(TooManyMessages) as refused:
            gate.enter("ann", text, ("x", "2"))
        assert str(refused.value) == "You wrote nearly the same a moment ago: wait 18 seconds, or write something else."
    gate.enter("ann", "Another thing altogether", ("x", "3"))
    clock.at += 18
    gate.enter("ann", "You should have played b4 there", ("x", "4"))


def test_a_request_that_is_sent_again_is_known() -> None:
    gate = FloodGate(Clock())
    gate.enter("ann", "hello", ("x", "1"))
    assert gate.has_passed("ann", ("x", "1"))
    assert not gate.has_passed("ann", ("y", "1"))
    assert not gate.has_passed("bob", ("x", "1"))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ha", "haaaa!", True),
        ("hi", "ho", False),
        ("!!!", "!", True),
        ("!!!", "???", False),
        ("nice move there", "nice moves there", True),
        ("I think that b3 was better", "Do you want to play again?", False),
        ("good game", "good luck", False),
    ],
)
def test_which_messages_are_alike(one: str, other: str, alike: bool) -> None:
    assert are_alike(core_of(one), core_of(other)) == alike


@given(st.text(min_size=1, max_size=200))
def test_every_message_is_like_itself(text: str) -> None:
    assert are_alike(core_of(text), core_of(text.upper().lower())) or text.upper().lower() != text.lower()
    assert are_alike(core_of(text), core_of(text))


# Phrases


def test_every_phrase_is_in_every_language() -> None:
    for key in PHRASES:
        texts = {phrase_text(key, lang) for lang in LANGUAGES}
        assert len(texts) == len(LANGUAGES), key
    assert [each.key for each in phrase_data("fr")] == list(PHRASES)
    assert phrase_text("of_an_older_version", "de") == "of_an_older_version"
