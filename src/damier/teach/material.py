"""The files that a game may bring for teaching, each of which it may leave out."""

from damier.core.errors import DamierError
from damier.core.messages import Message
from damier.games import definition


class MaterialMissing(DamierError):
    """A game comes without the lesson or rule page that was asked for."""


def find_material(game: str, file: str) -> str | None:
    """Returns the text of a file in the folder of a game, or None if there is none."""
    path = definition(game).folder / file
    return path.read_text(encoding="utf-8") if path.is_file() else None


def read_material(game: str, file: str, missing: Message) -> str:
    """Returns the text of a file in the folder of a game; raises `MaterialMissing` with a sentence."""
    text = find_material(game, file)
    if text is None:
        raise MaterialMissing(missing)
    return text
