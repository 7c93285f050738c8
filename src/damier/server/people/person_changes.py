"""What becomes of the open connections of a person who signs out, takes an account, is renamed or deleted.

A person may have pages at every process: whatever is done here is announced, and done there. Who has signed out while
announcements did not arrive is found when they arrive again, by the sessions in the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from damier.server.errors import ServerFailed
from damier.server.store.statements import people

if TYPE_CHECKING:
    from damier.server.services import Services

_log = logging.getLogger(__name__)


class PersonChanges:
    """Has the connections of people follow what becomes of their accounts, in all processes."""

    def __init__(self, services: Services) -> None:
        self._services, self._hub = services, services.hub
        self._tasks: set[asyncio.Task[None]] = set()
        self._hub.listen("person", self._hear)
        self._hub.listen("moved", self._hear_moved)
        self._hub.listen("forgotten", lambda person, _seq, _body: self._forget(person))
        self._hub.on_resume(self._compare)

    async def close(self) -> None:
        """Waits for what has begun."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Changes that are stored

    def end_connections(self, person: str, *, session: str = "", besides: str = "") -> None:
        """Ends the sockets and streams of a session of a person, or of all sessions besides one."""
        self._end(person, session, besides)
        self._hub.announce("person", person, body={"do": "end", "session": session, "besides": besides})

    def end_token(self, person: str, token: str) -> None:
        """Ends the streams of a token."""
        self._services.streams.revoke(person, token)
        self._hub.announce("person", person, body={"do": "revoke", "token": token})

    def move(self, guest: str, person: str, session: str) -> None:
        """Gives the connections of a guest to the person of a new account, who is signed in by a session."""
        self._move(guest, person, session)
        self._hub.announce("moved", guest, body={"person": person, "session": session})

    def forget(self, person: str) -> None:
        """Ends all connections of a person who is deleted."""
        self._forget(person)
        self._hub.announce("forgotten", person)

    async def rename(self, person: str, nickname: str | None = None) -> None:
        """Shows seeks under another name; `nickname` is that of a guest, also in matches elsewhere."""
        await self._services.lobby.rename(person)
        self._hub.announce("person", person, body={"do": "rename", "nickname": nickname})

    # In this process

    def _end(self, person: str, session: str, besides: str) -> None:
        services = self._services
        services.sockets.sign_out(person, session=session, besides=besides)
        services.streams.sign_out(person, session=session, besides=besides)
        services.notices.inbox.sign_out(person, session=session, besides=besides)

    def _move(self, guest: str, person: str, session: str) -> None:
        self._services.sockets.move(guest, person, session)
        self._services.avoidance.move(guest, person)
        self._services.chats.renew([guest, person])

    def _forget(self, person: str) -> None:
        self._services.credentials.drop(person)
        self._services.avoidance.forget(person)
        self._services.notices.inbox.forget(person)
        self._end(person, "", "")
        self._services.streams.end_all(person)

    def _hear(self, person: str, _seq: int, body: Any) -> None:
        do = body["do"] if body else ""
        self._services.credentials.drop(person)
        if do == "end":
            self._end(person, body["session"], body["besides"])
        elif do == "revoke":
            self._services.streams.revoke(person, body["token"])
        elif do == "rename":
            if body["nickname"]:
                self._services.referee.show_nickname(person, body["nickname"])
            self._begin(self._services.lobby.rename(person))
        else:
            self._begin(self._services.accounts.show(person))

    def _hear_moved(self, guest: str, _seq: int, body: Any) -> None:
        if "session" in body:  # which is not there before the person is signed in
            self._move(guest, body["person"], body["session"])

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._safely(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _safely(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ServerFailed as error:  # names are read again when a page is opened
            _log.warning("A change of a person could not be shown: %s", error)

    async def _compare(self) -> None:
        """Ends the connections of sessions and tokens that are gone."""
        services = self._services
        services.credentials.drop_all()
        followed = {*services.sockets.sessions(), *services.notices.inbox.sessions()}
        find = partial(people.ended_sessions, sessions={session for _, session in followed})
        ended = await services.store.read("look up sessions", "", find) if followed else set()
        for person, session in followed:
            if session in ended:
                self._end(person, session, "")
