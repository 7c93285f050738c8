"""The pages that are open, and what they are told of what happens elsewhere.

Every process is told all notices, tells its own pages, and remembers what the next page could not know.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from damier.server.hub.hub import pages_place
from damier.server.notices.notice import Notice
from damier.server.wire.notices import GoneMessage, NoticeData, NoticeMessage, NoticesMessage

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.wire.model import WireModel

LISTED = 20
"""Notices of a person that a page lists."""

_PERSONS = 10_000  # whose last notices are remembered
_REMEMBERED = ("answer", "tournament", "over", "reminder")  # what does not follow from what is stored


class NoticePage(Protocol):
    """An open page of a person."""

    person: str
    lang: str
    session: str
    """The number of the session; "" for a guest."""

    def send(self, message: WireModel) -> None:
        """Sends a message."""

    def end(self) -> None:
        """Closes the connection, because the session has ended."""


class Inbox:
    """The open pages of all persons, and the last notices of each."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._pages: dict[str, set[NoticePage]] = {}
        self._kept: OrderedDict[str, OrderedDict[str, Notice]] = OrderedDict()
        hub.listen("notice", self._hear)

    @property
    def pages(self) -> list[NoticePage]:
        """All pages that are open here."""
        return [page for own in self._pages.values() for page in own]

    def join(self, page: NoticePage, current: list[Notice]) -> None:
        """Adds a page, and sends it what is current and what its person was told last."""
        self._pages.setdefault(page.person, set()).add(page)
        if page.person:
            self._hub.enter(pages_place(page.person), page.person)
        self.send_all(page, current)

    def send_all(self, page: NoticePage, current: list[Notice]) -> None:
        """Sends a page what is current and what its person was told last."""
        found = {each.tag: each for each in (*self._kept.get(page.person, {}).values(), *current)}
        listed = [notice_data(each, page.lang) for each in list(found.values())[-LISTED:]]
        page.send(NoticesMessage(type="notices", notices=listed))

    def leave(self, page: NoticePage) -> None:
        """Removes a page."""
        own = self._pages.get(page.person, set())
        if page in own and page.person:
            self._hub.leave(pages_place(page.person), page.person)
        own.discard(page)
        if not own:
            self._pages.pop(page.person, None)

    def is_here(self, person: str) -> bool:
        """Tells whether a person has a page open at this process."""
        return person in self._pages

    async def is_anywhere(self, person: str) -> bool:
        """Tells whether a person has a page open at any process."""
        return self.is_here(person) or person in await self._hub.look(pages_place(person))

    def tell(self, told: Notice) -> None:
        """Tells all pages of a person, and remembers what the next page could not know."""
        self._announce(told.person, told.data())
        self._tell(told)

    def _announce(self, person: str, body: Mapping[str, Any]) -> None:
        if self._hub.is_shared:
            self._hub.announce("notice", person, body=body)

    def _hear(self, person: str, _seq: int, body: Mapping[str, Any]) -> None:
        if "gone" in body:
            self.drop_here(person, body["gone"])
        else:
            self._tell(Notice.read(body))

    def _tell(self, told: Notice) -> None:
        if told.kind in _REMEMBERED:
            kept = self._kept.setdefault(told.person, OrderedDict())
            kept.pop(told.tag, None)
            kept[told.tag] = told
            self._kept.move_to_end(told.person)
            if len(kept) > LISTED:
                kept.popitem(last=False)
            if len(self._kept) > _PERSONS:
                self._kept.popitem(last=False)
        for page in tuple(self._pages.get(told.person, ())):
            page.send(NoticeMessage(type="notice", notice=notice_data(told, page.lang)))

    def drop(self, person: str, tag: str) -> None:
        """Takes a notice off the open pages of a person; who has none open is told of it later."""
        self._announce(person, {"gone": tag})
        self.drop_here(person, tag)

    def drop_here(self, person: str, tag: str) -> None:
        """Takes a notice off the pages of a person that are open at this process."""
        if not self.is_here(person):
            return
        self._kept.get(person, OrderedDict()).pop(tag, None)
        for page in tuple(self._pages.get(person, ())):
            page.send(GoneMessage(type="gone", tag=tag))

    def forget(self, person: str) -> None:
        """Forgets what a person was told, and closes their pages' connections."""
        self._kept.pop(person, None)
        self.sign_out(person)

    def sessions(self) -> set[tuple[str, str]]:
        """Returns the persons and sessions of the pages that have one."""
        return {(page.person, page.session) for own in self._pages.values() for page in own if page.session}

    def sign_out(self, person: str, *, session: str = "", besides: str = "") -> None:
        """Closes the connections of a session of a person, or of all sessions besides one."""
        for page in tuple(self._pages.get(person, ())):
            if page.session == session if session else page.session != besides or not besides:
                page.end()


def notice_data(told: Notice, lang: str) -> NoticeData:
    """Returns a notice in a language."""
    return NoticeData(
        kind=told.kind, title=told.title.render(lang), text=told.text.render(lang), path=told.path, tag=told.tag
    )
