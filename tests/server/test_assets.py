"""What browsers may keep of the pages, and for how long."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from damier.server.assets import CLIENT, digest, page
from tests.server.pages import Player, begin, live

FOR_GOOD = "public, max-age=31536000, immutable"
CHECKED = "no-cache"
OWN = "private, no-cache"


@pytest.mark.parametrize(("path", "kept"), [("/", OWN), ("/learn", OWN), ("/embed/chefa", CHECKED)])
def test_a_page_names_its_files_by_the_digest_and_they_are_kept_for_good(ann: TestClient, path: str, kept: str) -> None:
    answer = ann.get(path)
    assert answer.headers["cache-control"] == kept
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text)
    assert len(files) > 3
    for file in files:
        assert file.startswith(f"/static/{digest()}/")
        found = ann.get(file)
        assert (found.status_code, found.headers["cache-control"]) == (200, FOR_GOOD)
        assert found.content == (CLIENT / file.removeprefix(f"/static/{digest()}/")).read_bytes()


@pytest.mark.parametrize("path", ["app.js", "0123456789ab/app.js", "0123456789ab/pages/home.js"])
def test_files_of_another_version_are_those_of_today_and_not_kept(ann: TestClient, path: str) -> None:
    found = ann.get(f"/static/{path}")
    assert (found.status_code, found.headers["cache-control"]) == (200, CHECKED)


@pytest.mark.parametrize(
    "path", ["nowhere.js", "0123456789ab/nowhere.js", "0123456789ab/../assets.py", "0123456789ab/"]
)
def test_a_digest_opens_nothing_else(ann: TestClient, path: str) -> None:
    assert ann.get(f"/static/{path}").status_code == 404


@pytest.mark.parametrize(
    "path", ["/api/games", "/api/sentences", "/api/games/chefa/drawing", "/api/games/chefa/example"]
)
def test_answers_that_change_only_with_the_program_are_kept_if_asked_for_by_the_digest(
    ann: TestClient, path: str
) -> None:
    def kept(**query: str) -> str:
        return str(ann.get(path, params=query).headers["cache-control"])

    assert kept(lang="fr", v=digest()) == FOR_GOOD
    assert kept(lang="fr", v="0123456789ab") == CHECKED
    assert kept(lang="fr") == CHECKED
    assert kept(v=digest()) == CHECKED, "Without a language the answer depends on the browser."


def test_a_part_of_the_sentences_is_loaded_later(ann: TestClient) -> None:
    first = ann.get("/api/sentences", params={"lang": "en"}).json()
    later = ann.get("/api/sentences", params={"lang": "en", "part": "settings"}).json()
    assert later["set.title"] == "Settings"
    assert not set(first) & set(later)
    refused = ann.get("/api/sentences", params={"lang": "en", "part": "../play"})
    assert (refused.status_code, refused.json()) == (404, {"error": "There is no such part of the sentences."})


def test_a_file_is_compressed_for_who_accepts_that_and_is_not_sent_again(ann: TestClient) -> None:
    address, content = f"/static/{digest()}/app.js", (CLIENT / "app.js").read_bytes()
    packed = ann.get(address, headers={"Accept-Encoding": "gzip"})
    plain = ann.get(address, headers={"Accept-Encoding": "identity"})
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content == content
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) == len(content)
    known = ann.get(address, headers={"If-None-Match": plain.headers["etag"]})
    assert (known.status_code, known.content, known.headers["cache-control"]) == (304, b"", FOR_GOOD)
    head = ann.head(address, headers={"Accept-Encoding": "identity"})
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", str(len(content)))
    answer = ann.post(address)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")
    assert "error" in answer.json()


def test_what_belongs_to_a_visitor_is_never_kept(ann: TestClient) -> None:
    answer = ann.get("/api/matches", params={"lang": "en", "v": digest()})
    assert "cache-control" not in answer.headers


def test_the_digest_is_that_of_the_package() -> None:
    assert re.fullmatch("[0-9a-f]{12}", digest())
    assert f'src="/static/{digest()}/app.js"' in page("index.html")


def visit_of(client: TestClient, path: str = "/") -> dict[str, Any]:
    """Returns what a page holds about its visitor."""
    found = re.search(r'<script type="application/json" id="visit">(.*?)</script>', client.get(path).text)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_first_page_holds_the_nickname_and_the_matches_to_continue_first(ann: TestClient) -> None:
    assert visit_of(ann) == {**ann.get("/api/me").json(), "account": None, "lang": "en", "matches": []}
    numbers = [begin(ann, "chefa", "me", "me")["number"] for _ in range(7)]
    with live(ann, numbers[-1]) as socket:
        assert Player(socket).ask("resign")["type"] == "done"
    listed = visit_of(ann)["matches"]
    assert [match["number"] for match in listed] == numbers[-2:-8:-1]
    assert listed[0] == ann.get("/api/matches").json()[1]
    assert visit_of(ann, "/learn")["matches"] is None


def test_a_page_gives_a_visitor_one_cookie(ann: TestClient) -> None:
    assert "damier_visitor" in ann.get("/").cookies
    assert not ann.get("/").cookies


def test_the_fonts_are_small_licensed_and_kept_for_good(ann: TestClient) -> None:
    fonts = sorted((CLIENT / "fonts").glob("*.woff2"))
    assert len(fonts) == 2
    assert sum(font.stat().st_size for font in fonts) < 80_000
    for font in fonts:
        assert "SIL Open Font License" in font.with_name(f"{font.stem}-OFL.txt").read_text("utf-8")
        answer = ann.get(f"/static/{digest()}/fonts/{font.name}")
        assert answer.headers["content-type"] == "font/woff2"
        assert answer.headers["cache-control"] == FOR_GOOD
        assert f'<link rel="preload" href="/static/{digest()}/fonts/{font.name}" as="font"' in ann.get("/").text
