"""A game that comes without a lesson, puzzles or rule pages: each has a default or a clear error."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import damier
from damier.core.definition import Definition
from damier.core.messages import LANGUAGES, message
from damier.games import register, unregister
from damier.solve.numbering import NotSolvable
from damier.teach.lessons.lesson import has_lesson, load_lesson
from damier.teach.material import MaterialMissing
from damier.teach.puzzles.maker import PuzzleMaker
from damier.teach.puzzles.puzzle import puzzle_id, shipped_puzzles
from damier.teach.rules.blocks import _rule_ids, rule_blocks, rule_id
from damier.teach.rules.pages import rule_page
from tests.games.minimal import GAME


@pytest.fixture(autouse=True)
def bare() -> Iterator[str]:
    """A game of rules and notation alone."""
    register(GAME)
    for function in (load_lesson, shipped_puzzles, rule_blocks, _rule_ids):
        function.cache_clear()
    yield GAME.name
    unregister(GAME.name)


def test_without_a_lesson_there_is_one_clear_sentence(bare: str) -> None:
    assert not has_lesson(bare)
    with pytest.raises(MaterialMissing) as refused:
        load_lesson(bare)
    assert [refused.value.sentence(lang) for lang in LANGUAGES] == [
        "There is no lesson for Rows.",
        "Il n’y a pas de leçon pour Rows.",
        "Für Rows gibt es keine Lektion.",
    ]


def test_without_puzzles_there_are_none_and_none_can_be_made(bare: str) -> None:
    assert shipped_puzzles(bare) == ()
    with pytest.raises(NotSolvable, match="Rows"):
        PuzzleMaker(damier.load(bare))
    game = damier.load(bare)
    assert puzzle_id(game.parse("3/3/3 x")) != puzzle_id(game.parse("3/1X1/3 o"))  # no symmetry is declared


def test_without_rule_pages_there_is_one_clear_sentence_and_no_link(bare: str) -> None:
    with pytest.raises(MaterialMissing, match=r"^There is no rule page for Rows\.$"):
        rule_page(bare, "fr")
    with pytest.raises(MaterialMissing):
        rule_blocks(bare, "en")
    assert rule_id(bare, message("The game is over. {result}")) is None


def test_a_language_left_out_falls_back_to_english(bare: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Definition, "folder", tmp_path)
    (tmp_path / "rules.en.md").write_text("# Rows\n\n## End of the game\n\nYou win.\n", encoding="utf-8")
    assert rule_page(bare, "de").endswith("You win.")
    assert [block.kind for block in rule_blocks(bare, "de")] == ["title", "heading", "paragraph"]
    assert rule_id(bare, message("The game is over. {result}")) == "end-of-the-game"
