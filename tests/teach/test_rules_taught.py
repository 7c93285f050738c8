"""Every rule and ruling of the contract has a step in a lesson: a new one without a step fails here."""

import re
from pathlib import Path

import pytest

import damier
from damier.teach.lessons.lesson import load_lesson

RULES = Path(__file__).parents[2] / "docs" / "rules"
TITLES = {damier.load(name).title: name for name in damier.games()}


def plain(text: str) -> str:
    """Returns the words of a text without emphasis and line breaks."""
    return " ".join(text.replace("*", "").split())


def sections(page: str) -> dict[str, str]:
    parts = re.split(r"^## ", (RULES / page).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {title.split(" (")[0].strip(): body for title, _, body in (part.partition("\n") for part in parts)}


def sentences(body: str) -> list[str]:
    """Returns the sentences of a section of the contract, up to how its positions are written."""
    rules = re.split(r"^Position: ", body, flags=re.MULTILINE)[0]
    found = []
    for block in re.split(r"\n\s*\n|\n\s*(?=- )", rules):
        text = plain(block.strip().removeprefix("- "))
        found += [part for part in re.split(r"(?<=[a-z0-9)`]\.) (?!\(ruling)", text) if part]
    return found


def tables(body: str) -> list[dict[str, str]]:
    """Returns the tables of a section: each the steps by sentence."""
    found: list[dict[str, str]] = []
    for line in body.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if cells and cells[1] == "steps":
            found.append({})
        elif cells and set(cells[1]) != {"-"}:
            assert cells[0] not in found[-1], cells[0]
            found[-1][cells[0]] = cells[1]
    return found


CONTRACT, TAUGHT = sections("contract.md"), sections("taught.md")


def test_every_game_and_what_is_common_has_its_table() -> None:
    assert list(TAUGHT) == [title for title in CONTRACT if title == "Common" or title in TITLES]
    assert set(TITLES) < set(TAUGHT)


@pytest.mark.parametrize("title", TAUGHT)
def test_every_sentence_of_the_contract_has_a_row_and_every_row_a_sentence(title: str) -> None:
    rows = list(tables(TAUGHT[title])[0])
    for sentence in sentences(CONTRACT[title]):
        fitting = [row for row in rows if sentence.startswith(row.removesuffix("..."))]
        assert len(fitting) == 1, f"no row in docs/rules/taught.md, or several: {sentence}"
        rows.remove(fitting[0])
    assert rows == []


@pytest.mark.parametrize("title", TAUGHT)
def test_every_row_names_steps_that_exist(title: str) -> None:
    for table in tables(TAUGHT[title]):
        for sentence, steps in table.items():
            if steps == "notation":
                assert table is not tables(TAUGHT[title])[-1] or title == "Common"
                continue
            assert steps, sentence
            for step in steps.split():
                game, _, step_id = step.rpartition("/")
                assert load_lesson(game or TITLES[title]).number_of(step_id), (sentence, step)


@pytest.mark.parametrize("title", TAUGHT)
def test_no_ruling_is_left_to_the_notation(title: str) -> None:
    table = tables(TAUGHT[title])[0]
    for sentence in sentences(CONTRACT[title]):
        steps = next((steps for row, steps in table.items() if sentence.startswith(row.removesuffix("..."))), "")
        assert "uling" not in sentence or steps not in ("", "notation"), sentence


@pytest.mark.parametrize("name", damier.games())
def test_every_step_on_rules_is_named(name: str) -> None:
    """Steps of the details and variants are there for a sentence, so a table names them."""
    title = damier.load(name).title
    named = {step for table in tables(TAUGHT[title]) for steps in table.values() for step in steps.split()}
    named |= {step.partition("/")[2] for steps in tables(TAUGHT["Common"])[0].values() for step in steps.split()
              if step.startswith(f"{name}/")}  # fmt: skip
    steps = [step.id for step in load_lesson(name).steps if step.chapter in ("details", "variants")]
    assert [step for step in steps if step not in named] == []


def test_a_new_sentence_would_fail() -> None:
    assert "Bombs are round." in sentences("- Neighbours share an edge. Bombs are round.\n")
    assert sentences("- One. (*ruling*)\n  - 2 are\n    two.\n\nPosition: `x`.\n") == ["One. (ruling)", "2 are two."]
