"""Games on other people's pages: frames, pictures, heads of shared pages, oEmbed."""

import re
import struct
from html import unescape
from urllib.parse import quote, urlencode

import pytest
from fastapi.testclient import TestClient

from damier.teach.puzzles.puzzle import shipped_puzzles

POSITION = "5/1B3/1W3/1W1B1/WB3 b 1,1 -"
HERE = "http://testserver"


@pytest.fixture
def number(client: TestClient) -> str:
    body = {"game": "chefa", "seats": ["me", "open"], "options": {}}
    found: str = client.post("/api/matches", json=body).json()["number"]
    return found


def facts(page: str) -> dict[str, str]:
    """Returns the Open Graph tags of a page."""
    return {name: unescape(text) for name, text in re.findall(r'<meta property="(og:[^"]+)" content="([^"]*)">', page)}


def size(png: bytes) -> tuple[int, int]:
    """Returns the width and height of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = struct.unpack(">II", png[16:24])
    return wide, high


def test_only_embedded_pages_may_be_framed(client: TestClient, number: str) -> None:
    for path in (f"/embed/match/{number}", "/embed/chefa", "/embed/puzzle/chefa/x"):
        policy = client.get(path).headers["content-security-policy"]
        assert "frame-ancestors *" in policy
        assert "script-src 'self'" in policy
        assert "set-cookie" not in client.get(path).headers
    for path in ("/", f"/m/{number}", "/solutions", "/api/games", "/static/embed.html", "/embedded"):
        assert "frame-ancestors 'none'" in client.get(path).headers["content-security-policy"]


def test_theme_and_language_are_by_parameter_and_nothing_else_is_repeated(client: TestClient) -> None:
    assert '<html lang="fr" data-theme="dark">' in client.get("/embed/chefa?theme=dark&lang=fr").text
    page = client.get('/embed/chefa?theme="><script>&lang=<b>').text
    assert '<html lang="en">' in page
    assert "<b>" not in page


def test_the_head_of_a_match_tells_what_it_is(client: TestClient, number: str) -> None:
    page = client.get(f"/m/{number}?lang=fr").text
    told = facts(page)
    assert told["og:title"] == "Chefa: Noir – Blanc"
    assert told["og:url"] == f"{HERE}/m/{number}"
    assert f"<title>{told['og:title']} · damier</title>" in page
    assert size(client.get(told["og:image"].removeprefix(HERE)).content) == (1200, 630)
    link = re.search(r'type="application/json\+oembed" href="([^"]+)"', page)
    assert link
    rich = client.get(unescape(link[1]).removeprefix(HERE)).json()
    assert (rich["version"], rich["type"]) == ("1.0", "rich")
    assert f'src="{HERE}/embed/match/{number}"' in rich["html"]
    assert client.get(f"/embed/match/{number}").status_code == 200


def test_the_heads_of_positions_and_puzzles(client: TestClient) -> None:
    for place in ("analyse", "explore"):
        told = facts(client.get(f"/{place}/chefa?{urlencode({'position': POSITION})}").text)
        assert told["og:title"] == "Chefa"
        assert told["og:description"] == "Black to move"
        assert client.get(told["og:image"].removeprefix(HERE)).status_code == 200
    puzzle = shipped_puzzles("chefa")[0]
    told = facts(client.get(f"/puzzles/chefa/{puzzle.id}").text)
    assert told["og:title"] == "Chefa: a puzzle"
    assert told["og:description"] == puzzle.task().render()
    assert client.get(told["og:image"].removeprefix(HERE)).status_code == 200


def test_pages_that_share_nothing_have_a_plain_head(client: TestClient) -> None:
    wrong = quote('"><script>alert(1)</script>')
    for path in ("/", "/solutions/chefa", "/m/nothing", f"/analyse/chefa?position={wrong}", "/puzzles/chefa/none"):
        page = client.get(path)
        assert page.status_code == 200
        assert facts(page.text) == {}
        assert "<title>damier</title>" in page.text
        assert "alert(1)" not in page.text


def test_what_a_head_repeats_is_escaped(client: TestClient) -> None:
    for host in ('a"><b>', "a'b"):
        asked = {"host": host, "accept": "text/html"}
        page = client.get(f"/analyse/chefa?{urlencode({'position': POSITION})}", headers=asked)
        assert (page.status_code, host in page.text) == (400, False)


def test_pictures_are_of_positions_of_the_game(client: TestClient) -> None:
    path = "/api/pictures/position.png"
    first = client.get(f"{path}?{urlencode({'game': 'renfa', 'bombs': 5, 'actions': 'c3,d4'})}")
    assert first.headers["content-type"] == "image/png"
    assert size(first.content) == (1200, 630)
    assert client.get(f"{path}?game=renfa&bombs=5&actions=c3").content != first.content
    assert client.get(f"{path}?game=renfa&actions=c3,c3").status_code == 400
    assert client.get(f"{path}?game=renfa&position={'x' * 500}").status_code == 400
    assert client.get(f"{path}?game=nothing").status_code == 404
    assert client.get("/api/pictures/match/nothing.png").status_code == 404


def test_oembed_refuses_what_it_does_not_know(client: TestClient, number: str) -> None:
    def asked(url: str, **more: object) -> int:
        return client.get(f"/oembed?{urlencode({'url': url, **more})}").status_code

    assert asked(f"{HERE}/m/{number}") == 200
    assert asked(f"{HERE}/m/{number}", format="xml") == 501
    assert asked(f"{HERE}/m/nothing") == 404
    assert asked(f"{HERE}/") == 404
    assert asked(f"http://elsewhere.example/m/{number}") == 404
    assert asked(f"{HERE}/embed/match/{number}") == 200
    narrow = client.get(f"/oembed?{urlencode({'url': f'{HERE}/m/{number}', 'maxwidth': 300, 'maxheight': 200})}").json()
    assert (narrow["width"], narrow["height"]) == (300, 200)
    assert 'width="300" height="200"' in narrow["html"]
