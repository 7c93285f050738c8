"""A rule page as data: its headings, paragraphs, lists, tables, rulings and pictures in order.

Everything that can be linked to has an id that is the same in every language: headings take theirs from the English
page, rulings are numbered, pictures are named for the game and their file. A refusal links to the section that
explains it.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from damier.core.messages import Message
from damier.teach.material import find_material
from damier.teach.rules.pages import Picture, make_picture, rule_page

_STYLES = {"text": "plain", "code_inline": "code"}
_EVERY = {"The game is over. {result}": "end-of-the-game"}
_NESTED = {"strong": "strong", "em": "em"}


@dataclass(frozen=True)
class Span:
    """Text in one style."""

    text: str
    style: str = "plain"
    """``plain``, ``strong``, ``em`` or ``code``."""


TextLine = tuple[Span, ...]


@dataclass(frozen=True)
class Block:
    """A part of a page."""

    kind: str
    """``title``, ``heading``, ``paragraph``, ``list``, ``numbers``, ``ruling``, ``table`` or ``picture``."""

    lines: tuple[TextLine, ...] = ()
    """The text: several lines for a list."""

    id: str = ""
    level: int = 0
    """Of a heading; sections are level 2."""

    rows: tuple[tuple[TextLine, ...], ...] = ()
    """Of a table, the head first."""

    picture: Picture | None = None


@functools.cache
def rule_blocks(game: str, lang: str) -> tuple[Block, ...]:
    """Returns the rule page of a game in a language, as blocks."""
    rulings, headings = 0, iter(_heading_ids(game))
    blocks = []
    for node in _nodes(game, lang):
        block = _block(game, node)
        if block.kind == "ruling":
            rulings += 1
            block = replace(block, id=f"ruling-{rulings}")
        elif block.kind == "heading":
            block = replace(block, id=next(headings))
        blocks.append(block)
    return tuple(blocks)


def rule_id(game: str, refusal: Message) -> str | None:
    """Returns the id of the section that explains a refusal, or None."""
    return _rule_ids(game).get(refusal.text)


@functools.cache
def _rule_ids(game: str) -> dict[str, str]:
    """Returns the id of a section by the English texts of the refusals that it explains."""
    if find_material(game, "rules.en.md") is None:
        return {}
    data = json.loads(find_material(game, "refused_by.json") or "{}")
    return _EVERY | {text: section for section, texts in data.items() for text in texts}


def _nodes(game: str, lang: str) -> list[SyntaxTreeNode]:
    parser = MarkdownIt("commonmark").enable("table")
    return SyntaxTreeNode(parser.parse(rule_page(game, lang))).children


def _heading_ids(game: str) -> Iterator[str]:
    for node in _nodes(game, "en"):
        if node.type == "heading" and node.tag != "h1":
            text = "".join(span.text for span in _line(node.children[0]))
            yield re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _block(game: str, node: SyntaxTreeNode) -> Block:
    if node.type == "heading":
        level = int(node.tag.removeprefix("h"))
        return Block("title" if level == 1 else "heading", (_line(node.children[0]),), level=level)
    if node.type in ("bullet_list", "ordered_list"):
        items = tuple(_line(item.children[0].children[0]) for item in node.children)
        return Block("list" if node.type == "bullet_list" else "numbers", items)
    if node.type == "blockquote":
        return Block("ruling", tuple(_line(paragraph.children[0]) for paragraph in node.children))
    if node.type == "table":
        rows = [row for part in node.children for row in part.children]
        return Block("table", rows=tuple(tuple(_line(cell.children[0]) for cell in row.children) for row in rows))
    inline = node.children[0]
    if inline.children and inline.children[0].type == "image":
        image = inline.children[0]
        picture = make_picture(game, image.content, str(image.attrs["src"]), str(image.attrs["title"]))
        return Block("picture", id=f"{game}-{Path(picture.file).stem}", picture=picture)
    return Block("paragraph", (_line(inline),))


def _line(inline: SyntaxTreeNode) -> TextLine:
    """Returns the text of a paragraph, one span for each run of a style."""
    spans: list[Span] = []
    for node in inline.children:
        span = _span(node)
        if spans and spans[-1].style == span.style:
            span = Span(spans.pop().text + span.text, span.style)
        spans.append(span)
    return tuple(span for span in spans if span.text)


def _span(node: SyntaxTreeNode) -> Span:
    if node.type == "softbreak":
        return Span(" ")
    if node.type in _NESTED:
        return Span("".join(_span(child).text for child in node.children), _NESTED[node.type])
    return Span(node.content, _STYLES[node.type])
