"""damier: play, learn, analyse and know five abstract board games.

>>> import damier
>>> first, *others = damier.games()
>>> record = damier.load(first, bombs=5).record()
>>> record.play("c3")
>>> str(record.position)
'5/5/2B2/5/5 w 4,5'
"""

from damier.core.errors import (
    BadArgument,
    BadOption,
    BadPosition,
    BadRecord,
    DamierError,
    IllegalAction,
    UnknownGame,
)
from damier.core.game import Game
from damier.core.outcome import Result
from damier.core.position import Position
from damier.core.record import Record
from damier.core.version import __version__
from damier.games import games, load
from damier.transcript.read import read_transcripts
from damier.transcript.tree import Transcript

__all__ = [
    "BadArgument",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "DamierError",
    "Game",
    "IllegalAction",
    "Position",
    "Record",
    "Result",
    "Transcript",
    "UnknownGame",
    "__version__",
    "games",
    "load",
    "read_transcripts",
]
