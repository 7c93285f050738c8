"""Wire models of notices: what a person wants to be told, where, and the messages to open pages."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool

from damier.server.wire.account import Text
from damier.server.wire.matches import AliveMessage
from damier.server.wire.model import WireModel

NoticeKind = Literal["turn", "reminder", "challenge", "answer", "seek", "tournament", "over"]


class KindSwitches(WireModel):
    """By which channels notices of a kind are sent."""

    kind: NoticeKind
    push: StrictBool
    email: StrictBool


class PushBrowser(WireModel):
    """A browser that gets notices by Web Push."""

    number: str
    """The first 32 hexadecimal digits of the SHA-256 of its endpoint."""

    browser: str
    created: str


class EmailState(WireModel):
    """Where e-mails of an account go."""

    address: str
    """Empty for none, and for guests."""

    is_confirmed: bool


class NoticeOptions(WireModel):
    """What a person is told, and by what."""

    kinds: list[KindSwitches]
    push_key: str | None
    """The key that a browser subscribes with; null if this server does not offer Web Push."""

    browsers: list[PushBrowser]
    email: EmailState | None
    """null if this server sends no e-mails, and for guests."""


class NoticeChange(WireModel):
    """What a person wants to be told: each kind that is listed is changed."""

    kinds: list[KindSwitches] = Field(max_length=20)


class PushKeys(WireModel):
    """The keys of a browser, in base64url."""

    p256dh: Annotated[Text, Field(max_length=100)]
    auth: Annotated[Text, Field(max_length=40)]


class NewPush(WireModel):
    """A browser that wants notices, as its `PushSubscription` describes itself."""

    endpoint: Annotated[Text, Field(max_length=1000)]
    keys: PushKeys


class NoticeData(WireModel):
    """A notice, in the language of the reader."""

    kind: NoticeKind
    title: str
    text: str
    path: str
    """The page that it leads to."""

    tag: str
    """A newer notice with the same tag replaces an older one."""


# Messages to open pages


class NoticesMessage(WireModel):
    """What is current when a page connects, the newest last."""

    type: Literal["notices"]
    notices: list[NoticeData]


class NoticeMessage(WireModel):
    """Something has happened."""

    type: Literal["notice"]
    notice: NoticeData


class GoneMessage(WireModel):
    """A notice is no longer current."""

    type: Literal["gone"]
    tag: str


class NoticeRequest(WireModel):
    """A sign of life of a page; the server does not answer it."""

    do: Literal["stay"]


NoticePageMessage = NoticesMessage | NoticeMessage | GoneMessage | AliveMessage
