"""Documentation that cannot rot: examples are run, links lead somewhere, pictures are the ones drawn now."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import damier
from damier.cli import main
from damier.core.messages import LANGUAGES
from damier.teach.rules.pages import page_for_terminal, pictures, rule_page

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])


def test_the_python_of_the_readme_does_what_it_says() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("```", "")
    example = doctest.DocTestParser().get_doctest(text, {}, "README", "README.md", 0)
    assert len(example.examples) > 8
    outcome = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(example)
    assert outcome.failed == 0


def test_the_python_of_the_research_page_does_what_it_says() -> None:
    text = (ROOT / "docs" / "research.md").read_text(encoding="utf-8").replace("```", "")
    example = doctest.DocTestParser().get_doctest(text, {}, "research", "research.md", 0)
    assert len(example.examples) > 15
    outcome = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(example)
    assert outcome.failed == 0


def test_the_commands_of_the_readme_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text(
        '[Game "chefa"]\n\n' + " ".join(["a1", "e5", "b1", "d5", "a2", "e4", "c2", "c4", "a2-a3"]) + "\n"
    )
    commands = re.findall(r"(?m)^\$ damier (.*)$", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(commands) > 5
    for command in commands:
        command = command.replace("--turn 12", "--turn 3")
        assert main(shlex.split(command)) == 0, command
        assert capsys.readouterr().out or "--svg" in command
    assert (tmp_path / "board.svg").read_text().startswith("<")


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^ )#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("name", damier.games())
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pictures_of_a_rule_page_show_legal_actions(name: str, lang: str) -> None:
    page = rule_page(name, lang)
    shown = pictures(name, page)
    assert len(shown) == page.count("![") >= 3
    for picture in shown:
        assert picture.alt
        assert set(picture.actions) <= set(picture.position.actions())
    terminal = page_for_terminal(name, page, lang)
    assert "![" not in terminal
    assert all(picture.alt in terminal for picture in shown)


@pytest.mark.parametrize("name", damier.games())
def test_rule_pages_have_the_same_structure_in_every_language(name: str) -> None:
    pages = [rule_page(name, lang) for lang in LANGUAGES]
    assert len({tuple(re.findall(r"(?m)^#+", page)) for page in pages}) == 1
    assert len({tuple(picture.file for picture in pictures(name, page)) for page in pages}) == 1
    rulings = [
        len(re.findall(rf"(?m)^> \*\*{word}", page))
        for page, word in zip(pages, ("Ruling", "Interprétation", "Festlegung"), strict=True)
    ]
    assert len(set(rulings)) == 1
    assert rulings[0] >= 3


def test_the_notation_page_names_the_start_of_every_game() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    for name in damier.games():
        assert f"`{damier.load(name).start}`" in page


def test_the_architecture_page_lists_every_package() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^\| `([a-z_.<>]+)` \| [^|]+ \|$", page.partition("## Packages")[2].partition("\n## ")[0])
    source = ROOT / "src" / "damier"
    packages = {".".join(file.parent.relative_to(source).parts) for file in source.rglob("__init__.py")} - {""}
    games = {f"games.{name}" for name in damier.games()}
    assert sorted(listed) == sorted(packages - games - {"server.store.migrations.versions"} | {"games.<name>"})
