"""Reports, and what moderators do about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.server.people.account import FOR_EVER
from damier.server.people.passwords import Passwords
from damier.server.services import Services
from damier.server.store.statements.reports import close_report
from tests.server.accounts import make, name_like, refused
from tests.server.civility.talking import Talker, board
from tests.server.served import another_browser, served

ONLY = (403, "Only moderators may do that.")


class Scene:
    """A server with a moderator, and a match of two in which one is rude."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.services: Services = client.app.state.services  # type: ignore[attr-defined]
        self.services.passwords = Passwords(passes=1, memory=8)
        self.judge, self.judge_name = self.account("Judge")
        self.appoint(self.judge_name)

    def browser(self) -> TestClient:
        browser = another_browser(self.client)
        browser.get("/api/me")
        return browser

    def account(self, start: str) -> tuple[TestClient, str]:
        browser = self.browser()
        return browser, make(browser, name_like(start))["name"]

    def appoint(self, name: str) -> None:
        """Makes a moderator, as `damier admin moderator` does."""
        account = self.call(self.services.accounts.find, name)
        self.call(partial(self.services.accounts.change, account, is_moderator=True))

    def call(self, function: Any, *arguments: Any) -> Any:
        assert self.client.portal
        return self.client.portal.call(function, *arguments)

    def page(self, lang: str = "en") -> dict[str, Any]:
        data: dict[str, Any] = self.judge.get(f"/api/moderation?lang={lang}").json()
        return data

    def act(self, number: str, do: str, why: str = "so it is", **given: Any) -> Any:
        return self.judge.post(f"/api/moderation/reports/{number}/acts", json={"do": do, "why": why, **given})


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with served(Path(tmp_path_factory.mktemp("moderation"))) as client:
        yield Scene(client)


@pytest.fixture
def scene(shared: Scene) -> Scene:
    """The scene, without open reports."""
    for each in shared.page()["reports"]:
        shared.call(_close, shared.services, each["number"])
    return shared


async def _close(services: Services, number: str) -> None:
    await services.store.write("test", "", lambda given: close_report(given, number, "2026"))


def report(client: TestClient, reason: str = "abuse", words: str = "", **who: Any) -> Any:
    return client.post("/api/reports", json={"who": who, "reason": reason, "words": words})


def say(client: TestClient, number: str, **given: Any) -> None:
    answer = client.post(f"/api/matches/{number}/act", json={"id": name_like("r"), "do": "say", **given})
    assert answer.is_success, answer.text


def test_a_report_holds_what_was_said_and_the_name_of_then(scene: Scene) -> None:
    ann, name = scene.account("Ann")
    bob = scene.browser()
    number = board(ann, bob)
    say(ann, number, text="you are a <fool>")
    say(bob, number, phrase="sorry")
    nickname = bob.get("/api/me").json()["nickname"]
    assert report(bob, words="He was\x00 rude\u202e", match=number, player="b").status_code == 422  # a null character
    assert report(bob, words="He was rude\u202e", match=number, player="b").status_code == 204
    assert refused(report(bob, match=number, player="b")) == (
        400,
        "You have reported this person already: a moderator will look at it.",
    )
    renamed = name_like("Zoe")
    assert ann.put("/api/account/name", json={"name": renamed}).is_success
    found = scene.page("de")
    (one,) = found["reports"]
    assert found["waiting"] == 1
    assert (one["name"], one["now"], one["account"]) == (name, renamed, renamed)
    assert (one["reporter"], one["match"], one["reason"], one["words"]) == (nickname, number, "abuse", "He was rude")
    assert [(line["text"], line["is_theirs"]) for line in one["lines"]] == [
        ("you are a <fool>", True),
        ("Entschuldigung!", False),
    ]
    assert (one["silent_until"], one["banned_until"], one["is_protected"], one["done"]) == (None, None, False, [])


def test_a_report_from_a_profile_holds_the_last_messages_of_the_person(scene: Scene) -> None:
    (ann, name), bob = scene.account("Ann"), scene.browser()
    number = board(ann, bob)
    say(ann, number, text="first")
    assert report(bob, "name", account=name).status_code == 204
    (one,) = scene.page()["reports"]
    assert (one["match"], [line["text"] for line in one["lines"]]) == (None, ["first"])
    assert scene.act(one["number"], "remove", line=one["lines"][0]["number"]).is_success
    with Talker(bob, number) as talker:
        assert talker.texts() == []
    assert refused(report(ann, "spam", account=name)) == (400, "That is you: choose somebody else.")


def test_a_reporter_has_ten_reports_at_once(scene: Scene) -> None:
    eve, names = scene.browser(), [scene.account("Ann")[1] for _ in range(11)]
    for name in names[:10]:
        assert report(eve, "spam", account=name).status_code == 204
    answer = report(eve, "spam", account=names[10])
    assert refused(answer) == (429, "You have reported many people: wait a while.")
    assert answer.json()["limit"] == "reports"


def test_a_time_out_stops_messages_and_says_how_long(scene: Scene) -> None:
    ann, bob = scene.browser(), scene.browser()
    number = board(ann, bob)
    with Talker(ann, number) as talker:
        assert report(bob, match=number, player="b").status_code == 204
        (one,) = scene.page()["reports"]
        assert refused(scene.act(one["number"], "silence")) == (400, "Say for how many minutes: 15 or 1440.")
        assert refused(scene.act(one["number"], "silence", why=" ", minutes=15)) == (400, "Say why: the log keeps it.")
        assert scene.act(one["number"], "silence", minutes=20).status_code == 422
        after = scene.act(one["number"], "silence", minutes=15).json()
        assert after["reports"][0]["done"] == ["silence"]
        assert after["reports"][0]["silent_until"]
        assert talker.next("chat")["silent_until"] == after["reports"][0]["silent_until"]
        assert talker.say(phrase="hello") == (
            "A moderator has stopped your messages: you can write again in 15 minutes."
        )
        assert scene.act(one["number"], "silence", minutes=1440).is_success
        assert talker.say(phrase="hello") == ("A moderator has stopped your messages: you can write again in 24 hours.")
    assert scene.act(one["number"], "dismiss", why="").json()["reports"] == []
    closed = (400, "The report is closed: another moderator was faster.")
    assert refused(scene.act(one["number"], "dismiss")) == closed
    log = scene.page()["log"][:3]
    assert [(entry["what"], entry["why"], entry["moderator"]) for entry in log] == [
        ("dismiss", "", scene.judge_name),
        ("silence", "so it is", scene.judge_name),
        ("silence", "so it is", scene.judge_name),
    ]
    assert {entry["match"] for entry in log} == {number}


def test_a_message_is_removed_from_all_pages(scene: Scene) -> None:
    (ann, _), bob = scene.account("Ann"), scene.browser()
    number = board(ann, bob)
    with Talker(bob, number) as talker:
        say(ann, number, text="rude")
        line = talker.next("said")["line"]["number"]
        say(bob, number, phrase="sorry")
        own = talker.next("said")["line"]["number"]
        assert report(bob, match=number, line=line).status_code == 204
        (one,) = scene.page()["reports"]
        assert refused(scene.act(one["number"], "remove", line=own)) == (
            400,
            "The message is of somebody else than the person who is reported.",
        )
        assert scene.act(one["number"], "remove", line=line).is_success
        assert talker.next("unsaid") == {"type": "unsaid", "number": line}
        assert refused(scene.act(one["number"], "remove", line=line)) == (404, "There is no such message.")
    with Talker(bob, number) as talker:
        assert talker.texts() == ["Sorry!"]
    assert scene.page()["reports"][0]["lines"][0]["text"] == "rude"  # the report keeps what it is about
    assert scene.page()["log"][0]["detail"] == "rude"


def test_names_are_changed_everywhere(scene: Scene) -> None:
    (ann, name), bob = scene.account("Ann"), scene.browser()
    number = board(ann, bob)
    with Talker(bob, number) as talker:
        say(ann, number, text="hello")
        assert report(bob, "name", match=number, player="b").status_code == 204
        assert report(ann, "name", match=number, player="w").status_code == 204
        about_ann, about_bob = scene.page()["reports"]
        assert refused(scene.act(about_ann["number"], "rename", name="x"))[0] == 400
        taken = (400, "That name is taken, or looks like one that is: choose another.")
        assert refused(scene.act(about_ann["number"], "rename", name=scene.judge_name)) == taken
        assert refused(scene.act(about_bob["number"], "rename", name=scene.judge_name)) == taken
        new = name_like("Calm")
        assert scene.act(about_ann["number"], "rename", name=new).is_success
        assert talker.next("names")["account"] == new
        assert talker.next("chat")["lines"][0]["name"] == new
        assert scene.act(about_bob["number"], "rename", name="Quiet Bob").is_success
        assert talker.next("names")["nicknames"] == {"w": "Quiet Bob"}
    assert ann.get("/api/account").json()["name"] == new
    assert bob.get("/api/me").json() == {"nickname": "Quiet Bob"}
    entry = next(each for each in scene.page()["log"] if each["detail"] == new)
    assert entry["name"] == name


def test_a_ban_stops_an_account_at_once(scene: Scene) -> None:
    (ann, name), bob = scene.account("Ann"), scene.browser()
    number = board(ann, bob)
    assert report(bob, "cheating", match=number, player="b").status_code == 204
    assert report(ann, "spam", match=number, player="w").status_code == 204
    about_ann, about_bob = scene.page()["reports"]
    assert scene.act(about_ann["number"], "ban", days=7).is_success
    banned = (403, "This account is banned: it can read, but not play or write.")
    body = {"id": "1", "do": "say", "phrase": "hello"}
    assert refused(ann.post(f"/api/matches/{number}/act", json=body)) == banned
    assert scene.act(about_ann["number"], "ban").json()["reports"][0]["banned_until"] == FOR_EVER
    assert ann.get("/api/account").json()["banned_until"] == FOR_EVER
    assert refused(scene.act(about_bob["number"], "ban")) == (
        400,
        "Guests cannot be banned: stop their messages instead.",
    )
    assert name in {entry["name"] for entry in scene.page()["log"][:2]}


def test_moderators_act_neither_on_themselves_nor_on_each_other(scene: Scene) -> None:
    (other, other_name), bob = scene.account("Other"), scene.browser()
    scene.appoint(other_name)
    for name in (scene.judge_name, other_name):
        assert report(bob, account=name).status_code == 204
    (theirs,) = scene.page()["reports"]  # who is reported does not see by whom, moderator or not
    assert scene.page()["waiting"] == 1
    (mine,) = other.get("/api/moderation").json()["reports"]
    assert (mine["name"], theirs["name"]) == (scene.judge_name, other_name)
    assert (mine["is_protected"], theirs["is_protected"]) == (True, True)
    for do, given in (("dismiss", {}), ("silence", {"minutes": 15}), ("ban", {}), ("rename", {"name": "Calm"})):
        assert refused(scene.act(mine["number"], do, **given)) == (
            403,
            "The report is about you: leave it to another moderator or to the operator.",
        )
        assert refused(scene.act(theirs["number"], do, **given)) == (
            403,
            "The report is about a moderator: leave it to the operator.",
        )
    assert (scene.page()["waiting"], other.get("/api/moderation").json()["waiting"]) == (1, 1)
    assert refused(scene.act("nothing", "dismiss")) == (404, "There is no such report.")


def test_nobody_else_sees_or_does_anything(scene: Scene) -> None:
    (ann, name), guest = scene.account("Ann"), scene.browser()
    assert report(guest, account=name).status_code == 204
    (one,) = scene.page()["reports"]
    acts = f"/api/moderation/reports/{one['number']}/acts"
    for browser, no in ((ann, ONLY), (guest, (403, "Sign in first."))):
        assert refused(browser.get("/api/moderation")) == no
        assert refused(browser.post(acts, json={"do": "dismiss"})) == no
        assert browser.get("/moderation", headers={"Accept": "text/html"}).status_code == 403
    assert scene.judge.get("/moderation", headers={"Accept": "text/html"}).status_code == 200
    assert scene.page()["waiting"] == 1


def test_a_moderator_who_is_dismissed_or_banned_is_none_at_once(scene: Scene) -> None:
    other, name = scene.account("Other")
    scene.appoint(name)
    assert other.get("/api/moderation").is_success
    account = scene.call(scene.services.accounts.find, name)
    scene.call(partial(scene.services.accounts.change, account, banned_until=FOR_EVER))
    assert refused(other.get("/api/moderation")) == ONLY
    scene.call(partial(scene.services.accounts.change, account, banned_until=None, is_moderator=False))
    assert refused(other.get("/api/moderation")) == ONLY


def test_who_is_reported_and_leaves_takes_the_report_along(scene: Scene) -> None:
    (ann, name), bob = scene.account("Ann"), scene.browser()
    number = board(ann, bob)
    say(ann, number, text="rude")
    assert report(bob, words="she was rude", account=name).status_code == 204
    assert report(ann, words="he began", match=number, player="w").status_code == 204
    exported = json.loads(ann.get("/api/account/export").text)["reports"]
    assert [(each["reason"], each["words"]) for each in exported] == [("abuse", "he began")]
    assert ann.post("/api/account/deletion", json={"name": name, "password": "correct horse"}).status_code == 204
    (one,) = scene.page()["reports"]
    assert (one["reporter"], one["words"], one["lines"]) == (None, "", [])
