"""Where a person is told: browsers, a mailbox, and what is switched off for each."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from damier.core.messages import message
from damier.server.errors import NotFound
from damier.server.notices.notice import KINDS, SWITCHES
from damier.server.notices.push import check_subscription, public_key
from damier.server.store.statements import notices as stored
from damier.server.store.statements.notices import NoticeSettings, Subscription
from damier.server.store.store import now
from damier.server.wire.notices import EmailState, KindSwitches, NoticeOptions, PushBrowser

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.notices.notice import Kind
    from damier.server.people.account import Account
    from damier.server.store.store import Store
    from damier.server.wire.notices import NewPush

MOST_BROWSERS = 10
"""Of one person; a further one takes the place of the oldest."""

MOST_FAILURES = 10
"""Notices in a row that a browser does not get before it is forgotten."""


@dataclass(frozen=True)
class Destinations:
    """Where a person is to be told something."""

    browsers: Sequence[Subscription] = ()
    email: str = ""
    lang: str = "en"


def subscription_number(endpoint: str) -> str:
    """Returns the number of a browser, by which pages recognise their own."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:32]


class Recipients:
    """The browsers, mailboxes and wishes of all persons."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.push_key = ""
        """The private key for push services; "" if there is no Web Push."""

        self.has_email = False
        """Whether the server sends e-mails."""

        self.allows_local = False

    async def options(self, person: str, account: Account | None) -> NoticeOptions:
        """Returns what a person is told and by what; "" is a visitor without a cookie."""

        def read(connection: Connection) -> tuple[NoticeSettings, list[Subscription]]:
            return stored.settings_of(connection, person), stored.subscriptions(connection, person)

        settings, browsers = await self._store.read("read notices", "", read) if person else (NoticeSettings(), [])
        email = (
            EmailState(address=account.email, is_confirmed=bool(account.email) and account.email == settings.confirmed)
            if account and self.has_email
            else None
        )
        return NoticeOptions(
            kinds=[
                KindSwitches(
                    kind=kind, push=f"{kind}.push" not in settings.off, email=f"{kind}.email" not in settings.off
                )
                for kind in KINDS
            ],
            push_key=await asyncio.to_thread(public_key, self.push_key) if self.push_key else None,
            browsers=[PushBrowser(number=each.number, browser=each.browser, created=each.created) for each in browsers],
            email=email,
        )

    async def change(self, person: str, kinds: Sequence[KindSwitches], lang: str) -> None:
        """Switches kinds on and off."""
        chosen = {f"{each.kind}.push": each.push for each in kinds} | {
            f"{each.kind}.email": each.email for each in kinds
        }

        def change(connection: Connection) -> None:
            before = stored.settings_of(connection, person).off
            off = [switch for switch in SWITCHES if not chosen.get(switch, switch not in before)]
            stored.change_settings(connection, person, off=off, lang=lang)

        await self._store.write("store notices", "", change)

    async def subscribe(self, person: str, session: str, new: NewPush, browser: str, lang: str) -> None:
        """Adds a browser; raises `BadArgument`, or `NotFound` without Web Push."""
        if not self.push_key:
            raise NotFound(message("This server does not offer Web Push."))
        check_subscription(new.endpoint, new.keys.p256dh, new.keys.auth, allows_local=self.allows_local)
        row = Subscription(
            number=subscription_number(new.endpoint),
            person=person,
            session=session,
            endpoint=new.endpoint,
            p256dh=new.keys.p256dh,
            auth=new.keys.auth,
            lang=lang,
            browser=browser,
            created=now(),
        )
        await self._store.write("store a browser", "", partial(stored.subscribe, new=row, most=MOST_BROWSERS))

    async def unsubscribe(self, person: str, number: str) -> None:
        """Removes a browser of a person; raises `NotFound`."""
        if not await self._store.write(
            "remove a browser", "", partial(stored.unsubscribe, number=number, person=person)
        ):
            raise NotFound(message("There is nothing of that number."))

    async def reached(self, person: str, kind: Kind) -> Destinations:
        """Returns where a person is told of a kind of notice."""

        def read(connection: Connection) -> Destinations:
            settings = stored.settings_of(connection, person)
            wants_push = bool(self.push_key) and f"{kind}.push" not in settings.off
            wants_email = self.has_email and f"{kind}.email" not in settings.off and bool(settings.confirmed)
            email = stored.email_of(connection, person) if wants_email else ""
            return Destinations(
                stored.subscriptions(connection, person) if wants_push else (),
                email if email == settings.confirmed else "",
                settings.lang,
            )

        return await self._store.read("read notices", "", read)

    async def note(self, browser: Subscription, outcome: str) -> None:
        """Notes what became of a notice; a browser that is gone is forgotten."""
        if outcome == "gone":
            await self._store.write("remove a browser", "", partial(stored.unsubscribe, number=browser.number))
        elif outcome == "retry" or browser.failures:
            note = partial(stored.note_delivery, is_delivered=outcome == "delivered", most=MOST_FAILURES)
            await self._store.write("note a delivery", "", lambda given: note(given, browser.number))

    # E-mail

    async def remember_language(self, person: str, lang: str) -> None:
        """Stores the language of e-mails."""
        await self._store.write("store notices", "", partial(stored.change_settings, person=person, lang=lang))

    async def confirm(self, person: str, email: str) -> bool:
        """Notes that an address is its owner's; returns False if the account has another one by now."""

        def confirm(connection: Connection) -> bool:
            if not email or stored.email_of(connection, person) != email:
                return False
            stored.change_settings(connection, person, confirmed=email)
            return True

        return await self._store.write("confirm an address", "", confirm)

    async def stop_emails(self, person: str, email: str) -> None:
        """Switches all e-mails off, if the address is still that of the account."""

        def stop(connection: Connection) -> None:
            if stored.email_of(connection, person) == email:
                off = stored.settings_of(connection, person).off | {f"{kind}.email" for kind in KINDS}
                stored.change_settings(connection, person, off=off)

        await self._store.write("stop e-mails", "", stop)

    async def sign_in(self, person: str, session: str) -> None:
        """Ties the browsers that came with a guest to the session in which the account was made."""
        await self._store.write("tie a browser", "", partial(stored.sign_in, person=person, session=session))
