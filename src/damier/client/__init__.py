"""The client in Python of a damier server: calls and streams for programs. See ``docs/api.md``.

>>> from damier.client import Client
>>> client = Client("http://127.0.0.1:8000", token="...")
>>> client.address
'http://127.0.0.1:8000'
"""

from damier.client.client import Client
from damier.client.data import (
    ClockView,
    GameInfo,
    MatchEnding,
    MatchView,
    OfferView,
    SeatView,
    SeekResult,
    StandingView,
    TimesLeft,
    TournamentView,
)
from damier.client.errors import BadLine, CallRefused, ConnectionLost, LimitReached, StreamReplaced
from damier.client.events import Challenge, Event, MatchBegun, MatchOver, MyTurn, OfferMade, OtherEvent, Ready
from damier.client.streams import EventStream, MatchStream

__all__ = [
    "BadLine",
    "CallRefused",
    "Challenge",
    "Client",
    "ClockView",
    "ConnectionLost",
    "Event",
    "EventStream",
    "GameInfo",
    "LimitReached",
    "MatchBegun",
    "MatchEnding",
    "MatchOver",
    "MatchStream",
    "MatchView",
    "MyTurn",
    "OfferMade",
    "OfferView",
    "OtherEvent",
    "Ready",
    "SeatView",
    "SeekResult",
    "StandingView",
    "StreamReplaced",
    "TimesLeft",
    "TournamentView",
]
