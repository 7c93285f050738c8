"""A game that comes without a lesson, puzzles or rule pages: each has a default or a clear error."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from damier.core.messages import LANGUAGES, message
from damier.teach.lessons.lesson import has_lesson, load_lesson
from damier.teach.material import MaterialMissing
from damier.teach.puzzles.puzzle import shipped_puzzles
from damier.teach.rules.blocks import _rule_ids, rule_blocks, rule_id
from damier.teach.rules.pages import rule_page


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a game whose folder holds nothing for teaching."""
    bare = SimpleNamespace(folder=tmp_path, title="Bare")
    for module in ("material", "lessons.lesson", "rules.pages"):
        monkeypatch.setattr(f"damier.teach.{module}.definition", lambda _name: bare)
    cached = (load_lesson, shipped_puzzles, rule_blocks, _rule_ids)
    for function in cached:
        function.cache_clear()
    return "bare"


def test_without_a_lesson_there_is_one_clear_sentence(bare: str) -> None:
    assert not has_lesson(bare)
    with pytest.raises(MaterialMissing) as refused:
        load_lesson(bare)
    assert [refused.value.sentence(lang) for lang in LANGUAGES] == [
        "There is no lesson for Bare.",
        "Il n'y a pas de leçon pour Bare.",
        "Für Bare gibt es keine Lektion.",
    ]


def test_without_puzzles_there_are_none(bare: str) -> None:
    assert shipped_puzzles(bare) == ()


def test_without_rule_pages_there_is_one_clear_sentence_and_no_link(bare: str) -> None:
    with pytest.raises(MaterialMissing, match=r"^There is no rule page for Bare\.$"):
        rule_page(bare, "fr")
    with pytest.raises(MaterialMissing):
        rule_blocks(bare, "en")
    assert rule_id(bare, message("The game is over. {result}")) is None


def test_a_language_left_out_falls_back_to_english(bare: str, tmp_path: Path) -> None:
    (tmp_path / "rules.en.md").write_text("# Bare\n\n## End of the game\n\nYou win.\n", encoding="utf-8")
    assert rule_page(bare, "de").endswith("You win.")
    assert [block.kind for block in rule_blocks(bare, "de")] == ["title", "heading", "paragraph"]
    assert rule_id(bare, message("The game is over. {result}")) == "end-of-the-game"
