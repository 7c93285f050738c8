"""Cells of square boards: names, neighbours and rays, as the tables that kernels read.

Cells are numbered row by row from the first player's left corner:

    20 21 22 23 24      a5 .. e5
    15 16 17 18 19
    10 11 12 13 14
     5  6  7  8  9
     0  1  2  3  4      a1 .. e1

A set of cells is a word with one bit per cell.
"""

from damier.core.kernel.bits import bit

#: The eight directions as steps (column, row): the four of a rook, then the four diagonals. In the first half of each
#: four, cell numbers grow along the ray, so that the nearest cell of a set on it is the lowest bit.
EAST, NORTH, WEST, SOUTH = (1, 0), (0, 1), (-1, 0), (0, -1)
NORTH_EAST, NORTH_WEST, SOUTH_WEST, SOUTH_EAST = (1, 1), (-1, 1), (-1, -1), (1, -1)


def cell_name(size: int, cell: int) -> str:
    """Returns the name of a cell: `cell_name(5, 12)` is ``c3``."""
    return "abcdefgh"[cell % size] + "12345678"[cell // size]


def cell_names(size: int) -> list[str]:
    """Returns the names of all cells of a square board, by number."""
    return [cell_name(size, cell) for cell in range(size * size)]


def cell_set(size: int, *names: str) -> int:
    """Returns the word of the named cells."""
    numbers = {name: cell for cell, name in enumerate(cell_names(size))}
    return sum(bit(numbers[name]) for name in set(names))


def neighbours(size: int) -> list[int]:
    """Returns, by cell, the set of cells that share an edge with it."""
    return [_ray(size, cell, *EAST, 1) | _ray(size, cell, *NORTH, 1) | _ray(size, cell, *WEST, 1)
            | _ray(size, cell, *SOUTH, 1) for cell in range(size * size)]  # fmt: skip


def ray(size: int, direction: tuple[int, int]) -> list[int]:
    """Returns, by cell, the set of cells that follow it in a direction up to the edge."""
    return [_ray(size, cell, *direction, size) for cell in range(size * size)]


def _ray(size: int, cell: int, dx: int, dy: int, length: int) -> int:
    cells = 0
    for i in range(1, length + 1):
        x, y = cell % size + i * dx, cell // size + i * dy
        if 0 <= x < size and 0 <= y < size:
            cells |= bit(y * size + x)
    return cells


def square_symmetries(size: int) -> dict[str, list[int]]:
    """Returns the eight symmetries of a square board by name: cell i goes to the i-th number."""
    last = size - 1

    def mapped(x: int, y: int, name: str) -> tuple[int, int]:
        return {
            "identity": (x, y),
            "quarter-turn": (y, last - x),
            "half-turn": (last - x, last - y),
            "three-quarter-turn": (last - y, x),
            "mirror-left-right": (last - x, y),
            "mirror-top-bottom": (x, last - y),
            "mirror-rising": (y, x),
            "mirror-falling": (last - y, last - x),
        }[name]

    names = ("identity", "quarter-turn", "half-turn", "three-quarter-turn", "mirror-left-right", "mirror-top-bottom",
             "mirror-rising", "mirror-falling")  # fmt: skip
    images = {name: [mapped(cell % size, cell // size, name) for cell in range(size * size)] for name in names}
    return {name: [y * size + x for x, y in image] for name, image in images.items()}


def permuted(cells: int, image: "list[int] | tuple[int, ...]") -> int:
    """Returns the set into which a symmetry turns a set of cells (plain Python only)."""
    return sum(bit(to) for cell, to in enumerate(image) if cells & bit(cell))
