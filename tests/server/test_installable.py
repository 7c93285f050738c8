"""The site as an app: manifest, icons, the service worker and the page without a connection."""

from __future__ import annotations

import json
import re
import struct

from starlette.testclient import TestClient

from damier.server.assets import CLIENT, digest
from tools.artwork import ICONS, icon


def test_the_manifest_names_icons_that_there_are(ann: TestClient) -> None:
    (address,) = re.findall(r'<link rel="manifest" href="([^"]+)"', ann.get("/").text)
    assert address == f"/static/{digest()}/manifest.webmanifest"
    answer = ann.get(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = json.loads(answer.content)
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("/", "/", "/")
    for each in manifest["icons"]:
        found = ann.get(address.rsplit("/", 1)[0] + "/" + each["src"])
        assert found.headers["content-type"] == each["type"]
        if each["type"] == "image/png":
            assert each["sizes"] == "{}x{}".format(*struct.unpack(">II", found.content[16:24]))


def test_the_icons_are_drawn_from_the_one_icon() -> None:
    for name in ICONS:
        file = CLIENT / "icons" / f"{name}.png"
        assert file.read_bytes()[:24] == icon(name)[:24], f"{name}: run python -m tools.artwork"


def test_the_worker_is_another_one_for_every_version(ann: TestClient) -> None:
    answer = ann.get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert "worker-src" not in answer.headers["content-security-policy"], "script-src stands for it"
    files = re.findall(r'"(/static/[^"]+)"', answer.text)
    assert len(files) > 5
    for file in files:
        assert file.startswith(f"/static/{digest()}/")
        assert ann.get(file).status_code == 200


def test_the_page_without_a_connection_speaks_all_languages_and_is_nobodys_own(ann: TestClient) -> None:
    answer = ann.get("/offline")
    assert answer.headers["cache-control"] == "no-cache"
    assert "set-cookie" not in answer.headers
    assert re.findall(r'<section lang="(\w+)"', answer.text) == ["en", "fr", "de"]
    assert 'id="visit"' not in answer.text
    kept = set(re.findall(r'"(/static/[^"]+)"', ann.get("/worker.js").text))
    assert set(re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text)) <= kept
