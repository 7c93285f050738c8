"""A position as a board made of letters, for a terminal.

Every cell is as wide as the highest stack and a column on either side, in which marks stand:

    3   .   B*  .      B* something is special about the piece
    2  (G)  #   o      (G) it carries a character; # a hole, o a pit; nothing where there is no cell
    1   .   W!  .      W! something is special about the cell
        a   b   c
"""

from damier.core.drawing import Cell, Drawing, Piece, hand_captions, position_captions
from damier.core.outcome import Result
from damier.core.position import Position

_VOIDS = {"hole": "#", "pit": "o"}
#: Marks that are figures on a piece; any other is a star behind it.
_FIGURES = ("sage", "monkey")
#: How terminals write the colours of pieces.
_ANSI = {
    "noir": "1;37;40",
    "blanc": "1;30;47",
    "green": "1;32",
    "red": "1;31",
    "blue": "1;34",
    "yellow": "1;33",
    "mauve": "1;35",
}
_FAINT = "2"


def board_text(
    position: Position, *, colour: bool = False, lang: str = "en", flip: bool = False, result: Result | None = None
) -> str:
    """Returns the board as lines of text, the last one with the captions; `flip` turns the board round.

    `result` is how the game ended where its history or an act decided, which the position does not show.
    """
    drawing, marks = position.game.drawing, position.cell_marks()
    stacks: dict[str, list[Piece]] = {cell.name: [] for cell in drawing.cells}
    for piece in position.pieces():
        stacks[piece.cell].append(piece)
    widest = max(1, *map(len, stacks.values()))
    at = {(cell.x, cell.y): cell for cell in drawing.cells}
    columns = sorted({x for x, _ in at}, reverse=flip)
    rows = sorted({y for _, y in at}, reverse=flip)
    lines = []
    for y in rows:
        cells = [at.get((x, y)) for x in columns]
        texts = [
            _cell_text(drawing, cell, stacks[cell.name], cell.name in marks, widest, colour)
            if cell
            else " " * (widest + 2)
            for cell in cells
        ]
        number = next(cell.name[1:] for cell in cells if cell)
        lines.append(f"{number} {' '.join(texts)}".rstrip())
    letters = [next(cell.name[0] for cell in drawing.cells if cell.x == x) for x in columns]
    lines.append("  " + " ".join(f" {letter:{widest}} " for letter in letters).rstrip())
    return "\n".join([*lines, "", _captions(position, lang, result or position.result)]) + "\n"


def _cell_text(drawing: Drawing, cell: Cell, stack: list[Piece], is_marked: bool, width: int, colour: bool) -> str:
    """Returns a cell in `width` columns and one on either side."""
    before, after = " ", "!" if is_marked else " "
    if stack and stack[-1].marks:
        before, after = _around(stack[-1].marks[0])
    letters = [(drawing.looks[piece.player].letter, _ANSI[drawing.looks[piece.player].colour]) for piece in stack]
    if not stack:
        letters = [("." if cell.can_hold else _VOIDS[cell.kind], _FAINT)]
    inner = "".join(f"\x1b[{code}m{letter}\x1b[0m" if colour else letter for letter, code in letters)
    return before + inner + after + " " * (width - len(letters))


def _around(mark: str) -> tuple[str, str]:
    """Returns what stands before and after a piece with a mark."""
    return ("(", ")") if mark in _FIGURES else (" ", "*")


def _captions(position: Position, lang: str, result: Result | None) -> str:
    """Returns the captions, the hands and what the marks on this board mean, in one line."""
    drawing = position.game.drawing
    said = [caption.render(lang).rstrip(".") for caption in position_captions(position, result)]
    said += [caption.render(lang) for caption in hand_captions(position).values()]
    meanings: dict[str, None] = {}
    for piece in position.pieces():
        for mark in piece.marks:
            before, after = _around(mark)
            sign = f"({drawing.looks[piece.player].letter})" if before == "(" else after
            meanings[f"{sign} {drawing.marks[mark].render(lang)}"] = None
    for mark in position.cell_marks().values():
        meanings[f"! {drawing.marks[mark].render(lang)}"] = None
    return "; ".join([*said, *meanings])
