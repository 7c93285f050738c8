"""Names of accounts, and which look alike."""

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from damier.core.errors import BadArgument
from damier.server.people.names import account_name, skeleton
from damier.server.people.nicknames import chosen_nickname, given_nickname
from tests.server.accounts import make, name_like
from tests.server.served import another_browser

RULE = "A name has 2 to 20 characters: letters from A to Z, digits, and hyphens between them, with at least one letter."
TAKEN = "That name is taken, or looks like one that is: choose another."
VALID = st.from_regex(r"[A-Za-z0-9]{1,6}(-[A-Za-z0-9]{1,6}){0,2}", fullmatch=True)


def refusal(text: str) -> str | None:
    """Returns why a name is refused."""
    try:
        assert account_name(text) == text
    except BadArgument as error:
        return error.sentence("en")
    return None


@pytest.mark.parametrize("text", ["Ann", "a1", "Ann-Lee", "x-2-y", "A" * 20])
def test_names_of_letters_digits_and_hyphens_are_taken(text: str) -> None:
    assert refusal(text) is None


@pytest.mark.parametrize(
    "text",
    ["", "a", "-ann", "ann-", "an--n", "Ann Lee", "ann_lee", "Zoé", "аnn", "12", "a" * 21, "ann\n", "ann\x00", "１a"],
)
def test_other_names_are_refused(text: str) -> None:
    assert refusal(text) == RULE


@pytest.mark.parametrize("text", ["admin", "Adm1n", "M0derator", "DAMIER", "dam-ier", "you", "sys-tem"])
def test_names_that_would_be_taken_for_the_server_are_refused(text: str) -> None:
    assert refusal(text) == TAKEN


def test_names_that_guests_are_given_are_refused() -> None:
    assert refusal(given_nickname("somebody")) == TAKEN


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paul", "PAUL"),
        ("paul", "pauI"),
        ("paul", "pau1"),
        ("Oleg", "0leg"),
        ("ann-lee", "annlee"),
        ("Ann", "Аnn"),  # Cyrillic
        ("Ann", "A n n"),
        ("Ann", "Änn"),
        ("Ann", "Ａｎｎ"),  # full width
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("ann", "anna"), ("paul", "pau2"), ("bob", "b8b")])
def test_others_have_different_ones(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=30))
def test_a_skeleton_is_its_own(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


@given(VALID, st.data())
def test_changing_case_separators_and_confusable_signs_changes_no_skeleton(text: str, data: st.DataObject) -> None:
    alike = {"l": "lI1i", "i": "lI1i", "1": "lI1i", "o": "oO0", "0": "oO0"}
    drawn = [data.draw(st.sampled_from(alike.get(sign.lower(), sign.lower() + sign.upper()))) for sign in text]
    separators = data.draw(st.lists(st.sampled_from(["", "-", "_", " ", "."]), min_size=len(text), max_size=len(text)))
    other = "".join(sign + separator for sign, separator in zip(drawn, separators, strict=True))
    assert skeleton(other) == skeleton(text)


@given(VALID)
def test_a_skeleton_of_a_name_has_plain_signs_alone(text: str) -> None:
    found = skeleton(text)
    assert found.isascii()
    assert found.isalnum()
    assert not set(found) & set("i10-")


def test_a_guest_cannot_take_a_nickname_that_looks_like_an_account(client: TestClient) -> None:
    name = name_like("Oli")
    make(another_browser(client), name)
    guest = another_browser(client)
    for nickname in (name, name.replace("O", "0", 1), f"{name[:2]} {name[2:]}", name.replace("O", "О", 1)):
        assert chosen_nickname(nickname)
        answer = guest.put("/api/me", json={"nickname": nickname})
        assert (answer.status_code, answer.json()) == (400, {"error": TAKEN})
