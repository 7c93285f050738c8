"""What the pages say of solved games: the files agree with themselves, with the reports and with the rules."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from damier.core.errors import DamierError
from damier.core.messages import LANGUAGES
from damier.insight.report.report import make_report
from tests.shared import built_table

FOLDER = Path(damier.__file__).parent / "games"
FILES = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(FOLDER.glob("*/solutions/*.json"))}
SOLVED = {name: data for name, data in FILES.items() if "table" in data}
DISTANCES = {name: data for name, data in SOLVED.items() if data["metric"] == "plies"}
DOCS = Path(__file__).parents[2] / "docs" / "solutions"


def lines(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns all lines of play in a file."""
    found = [data["line"], *data["longest_wins"]["lines"], (data["returns"] or {}).get("failed")]
    return [line for line in found if line]


def test_every_game_has_a_file_and_one_says_that_it_is_not_solved() -> None:
    assert {data["game"] for data in FILES.values()} == set(damier.games())
    assert [data["game"] for data in FILES.values() if "table" not in data] == ["sensei"]


def test_all_tables_have_been_verified() -> None:
    for name, data in SOLVED.items():
        assert data["verified"] is not None, name
        assert data["verified"]["entries"] == data["table"]["entries"]


@pytest.mark.parametrize("name", SOLVED)
def test_a_file_is_of_the_same_table_as_the_report(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text("utf-8")
    data = SOLVED[name]
    assert f"`{data['table']['sha256']}`" in page
    assert f"{data['table']['entries']:,}" in page
    for command in data["commands"].values():
        assert command in page


@pytest.mark.parametrize("name", DISTANCES)
def test_counts_add_up(name: str) -> None:
    data = DISTANCES[name]
    for kind, counts in (("won", data["wins"]), ("lost", data["losses"])):
        assert sum(tier[kind] for tier in data["tiers"]) == sum(counts.values())
    whole = sum(tier[kind] for tier in data["tiers"] for kind in ("won", "drawn", "lost", "over"))
    assert whole == data["table"]["entries"] - data["table"]["free"]
    assert data["only"]["undecided"] == whole - sum(tier["over"] for tier in data["tiers"])
    assert max(map(int, [*data["wins"], *data["losses"]])) == data["longest_wins"]["plies"]
    if data["returns"]:
        forced = sum(data["wins"].values()) + sum(data["losses"].values())
        assert sum(sum(counts.values()) for counts in data["returns"]["counts"]) == forced


@pytest.mark.parametrize("name", DISTANCES)
def test_every_line_can_be_played_as_far_as_it_says(name: str) -> None:
    data = DISTANCES[name]
    game = damier.load(data["game"], **data["options"])
    for line in lines(data):
        record = game.record(line["start"])
        last = line["forbidden"] - 1 if line["forbidden"] else len(line["actions"])
        for action in line["actions"][:last]:
            record.play(action)
        if line["forbidden"]:
            with pytest.raises(DamierError):
                record.play(line["actions"][last])
        else:
            assert record.result
            assert record.result.winner == line["winner"]
            if line in data["longest_wins"]["lines"]:
                assert len(line["actions"]) == data["longest_wins"]["plies"]


def test_the_game_with_a_die_has_an_error_bound() -> None:
    data = SOLVED["omba"]
    assert data["chance"] == pytest.approx(0.4883969, abs=1e-7)
    assert 0 < data["error"] < 1e-6
    assert data["error"] < data["verified"]["error"] < 1e-5
    assert sum(data["parts"]) == sum(tier["entries"] for tier in data["tiers"]) == data["table"]["entries"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_part_of_a_table_has_a_name_in_all_languages(client: TestClient, lang: str) -> None:
    for data in SOLVED.values():
        names = client.get(f"/api/solutions/{data['game']}?lang={lang}").json()["tier_names"]
        for tier in data["tiers"]:
            assert (names[tier["name"]] == tier["name"]) == (lang == "en")


def test_the_list_and_the_pages_are_told(client: TestClient) -> None:
    listed = client.get("/api/solutions?lang=de").json()
    assert [game["game"] for game in listed] == list(damier.games())
    renfa = next(game for game in listed if game["game"] == "renfa")
    options = [each["options"] for each in renfa["solutions"]]
    assert [(each["size"], each["bombs"], each["last"]) for each in options] == [
        (5, 6, 1),  # as usual first
        (5, 5, 1),
        (5, 5, 0),
        (5, 7, 1),
        (5, 6, 0),
        (6, 3, 1),
        (6, 4, 1),
    ]
    assert renfa["players"]["b"] == "Schwarz"
    assert "tiers" not in renfa["solutions"][0]
    told = client.get("/api/solutions/chefa").json()
    assert told["solutions"] == [FILES["chefa"]]
    assert client.get("/api/solutions/nothing").status_code == 404


def test_a_report_tells_its_facts_as_data() -> None:
    game = damier.load("renfa", bombs=3)
    tables = built_table(game)
    data = make_report(tables, lambda *_: None).data()
    assert json.loads(json.dumps(data))["commands"]["verify"] == "damier verify renfa -o bombs=3"
    assert data["value"] == {"outcome": "draw", "plies": None}
    first = data["choices"][0]["values"]
    assert {action for group in first for action in group["actions"]} == set(game.start.actions())
    for group in first:
        for action in group["actions"]:
            assert tables.action_values(game.start)[action].outcome == group["value"]["outcome"]
