"""A position as a board of letters, for a terminal.

A cell is as wide as the highest stack, with a column for marks on either side:

    3   .   B*  .      B* the piece has a mark; `Drawing.signs` may give another sign, such as (G)
    2  (G)  #   .      # a cell that cannot be entered; blank where there is no cell
    1   .   W!  .      W! the cell has a mark
        a   b   c
"""

from damier.core.drawing import Cell, Drawing, Piece, hand_captions, position_captions
from damier.core.outcome import Result
from damier.core.position import Position
from damier.draw.palette import PIECES

_STAR, _VOID = " *", "#"  # for marks and cells to which the drawing gives no sign
_FAINT = "2"


def board_text(
    position: Position, *, colour: bool = False, lang: str = "en", flip: bool = False, result: Result | None = None
) -> str:
    """Returns the board as lines of text, the last one with the captions; `flip` turns the board by half a turn.

    `result` tells how the game ended where the position does not show it: after a repetition, a resignation or an
    agreement.
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
    """Returns a cell as `width` columns, with one more on either side."""
    before, after = " ", "!" if is_marked else " "
    if stack and stack[-1].marks:
        before, after = tuple(drawing.signs.get(stack[-1].marks[0], _STAR))
    looks = [drawing.looks[piece.player] for piece in stack]
    letters = [(look.letter, PIECES[look.colour]["terminal"]) for look in looks]
    if not stack:
        letters = [("." if cell.can_hold else drawing.signs.get(cell.kind, _VOID), _FAINT)]
    inner = "".join(f"\x1b[{code}m{letter}\x1b[0m" if colour else letter for letter, code in letters)
    return before + inner + after + " " * (width - len(letters))


def _captions(position: Position, lang: str, result: Result | None) -> str:
    """Returns one line with the captions, the hands and the meaning of the marks on this board."""
    drawing = position.game.drawing
    said = [caption.render(lang).rstrip(".") for caption in position_captions(position, result)]
    said += [caption.render(lang) for caption in hand_captions(position).values()]
    meanings: dict[str, None] = {}
    for piece in position.pieces():
        for mark in piece.marks:
            before, after = tuple(drawing.signs.get(mark, _STAR))
            sign = after if before == " " else before + drawing.looks[piece.player].letter + after
            meanings[f"{sign} {drawing.marks[mark].render(lang)}"] = None
    for mark in position.cell_marks().values():
        meanings[f"! {drawing.marks[mark].render(lang)}"] = None
    return "; ".join([*said, *meanings])
