"""Notices: hears what happens in matches, the lobby and tournaments, and has persons told of it.

`decide` says who is told what. Pages that are open are told at once (`inbox`), browsers and mailboxes through the
`outbox` (`push`, `mail`). Nobody is told of a match whose page they have open. What is sent waits for some seconds
first: who plays on meanwhile, or comes by, is told nothing.

The process that has stored what happened decides and sends, once; the pages of the other processes are told by the hub.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import damier
from damier.core.errors import DamierError
from damier.core.messages import Message, counted, message
from damier.server.errors import NotNow, TooManyRequests
from damier.server.hub.hub import LOBBY, match_place
from damier.server.matches.clock import parse_control
from damier.server.matches.deadlines import Deadlines
from damier.server.notices import decide, notice
from damier.server.notices.inbox import LISTED, Inbox
from damier.server.notices.links import Links
from damier.server.notices.mail import Mailer
from damier.server.notices.outbox import Outbox
from damier.server.notices.push import Pusher, is_installed
from damier.server.notices.recipients import Recipients
from damier.server.store.statements import notices as stored
from damier.server.store.store import now
from damier.server.tournaments.outcome import parse_origin

if TYPE_CHECKING:
    from damier.server.front.limits import RateLimiter
    from damier.server.hub.hub import Hub
    from damier.server.lobby.lobby import Lobby
    from damier.server.lobby.seeks.open_seeks import OpenSeek
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.match import Event
    from damier.server.matches.referee import Referee
    from damier.server.notices.inbox import NoticePage
    from damier.server.notices.notice import Channel, Kind, Notice
    from damier.server.operations.metrics import Metrics
    from damier.server.people.account import Account
    from damier.server.settings import ServerSettings
    from damier.server.store.statements.notices import Subscription
    from damier.server.store.store import Store
    from damier.server.tournaments.tournaments import Tournaments
    from damier.server.wire.lobby import SeekData

_log = logging.getLogger(__name__)

DELAYS: dict[Kind, float] = {"turn": 10.0, "answer": 5.0, "over": 5.0, "tournament": 3.0}
"""Seconds before something is sent; none for the other kinds."""

_MINUTE, _DAY = 60.0, 86_400.0
_PUSHES = (1 / _MINUTE, 20)  # to one person: a second, and at once
_EMAILS = (1 / (30 * _MINUTE), 10)
_SEEKS = (1 / (30 * _MINUTE), 3)  # that one person is told of
_CONFIRMATIONS = (3 / _DAY, 3)  # of one person, and to one address
_ADDRESS_CONFIRMATIONS = (20 / _DAY, 20)  # that are asked for from one address of the network


class Notices:
    """What persons are told while they look elsewhere."""

    def __init__(
        self,
        store: Store,
        referee: Referee,
        lobby: Lobby,
        tournaments: Tournaments,
        settings: ServerSettings,
        metrics: Metrics,
        clock: Callable[[], float],
        hub: Hub,
    ) -> None:
        self._store, self._referee, self._lobby, self._tournaments = store, referee, lobby, tournaments
        self._settings, self._hub = settings, hub
        self._tasks: set[asyncio.Task[None]] = set()
        self.inbox = Inbox(hub)
        self.outbox = Outbox(metrics)
        self.recipients = Recipients(store)
        self.delays = dict(DELAYS)
        self.reminders = Deadlines(referee.time, self._read_reminders, self._remind)
        self.links = Links([], settings.origin)
        self.mailer = Mailer.of(settings)
        self.pusher: Pusher | None = None
        self._limits: dict[Channel, RateLimiter] = {
            "push": hub.limiter("notices-push", *_PUSHES, clock),
            "email": hub.limiter("notices-email", *_EMAILS, clock),
        }
        self._seeks = hub.limiter("notices-seeks", *_SEEKS, clock)
        self._confirmations = hub.limiter("confirmations", *_CONFIRMATIONS, clock)
        self._address_confirmations = hub.limiter("confirmations-address", *_ADDRESS_CONFIRMATIONS, clock)
        referee.on_stored(self._heard)
        referee.on_event(self._note_reminder)
        lobby.on_challenge(self._challenged)
        lobby.on_seek(self._sought)
        lobby.on_closed(self._drop_challenge, is_anywhere=True)
        lobby.on_closed(self._answered)
        hub.on_resume(self._renew_pages)

    async def open(self) -> None:
        """Reads or makes the key for push services, and begins to watch for reminders."""
        self.links = Links(self._store.signing_keys, self._settings.origin)
        key = await self._store.write("read the push key", "", partial(stored.push_key, at=now()))
        if is_installed():
            self.pusher = Pusher(key, self._settings.push_subject, self._settings.push_local)
            self.recipients.push_key = key
        else:
            _log.info("There are no notices by Web Push: install damier[push] for them.")
        self.recipients.has_email = self.mailer is not None
        self.recipients.allows_local = self._settings.push_local
        self.reminders.start()

    async def close(self) -> None:
        """Drops what is not sent yet."""
        await self.reminders.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.outbox.close()

    # What happens

    def _heard(self, live: LiveMatch, event: Event | None) -> None:
        """Called by the referee for every event that this process has stored: fast, and without failing."""
        match = live.match
        try:
            if event is None:
                self._begun(live)
            elif decide.is_slow(match):
                for told in decide.of_event(match, event, live.nickname):
                    self.tell(told)
                waiting = decide.whose_turn(match)
                for person in decide.persons(match):
                    if person != waiting and not match.record.result:
                        self.inbox.drop(person, notice.turn_tag(match.number))
        except Exception:
            _log.exception("Match %s: its players could not be told.", match.number, extra={"match": match.number})

    def _note_reminder(self, live: LiveMatch, _event: Event | None) -> None:
        match = live.match
        if match.clocks and match.clocks.control.kind == "correspondence":
            self.reminders.put(match.number, None if match.record.result else match.clocks.reminder())

    def _begun(self, live: LiveMatch) -> None:
        match = live.match
        if origin := parse_origin(match.origin):
            for told in decide.of_tournament(match, self._tournaments.title_of(origin[0]), live.nickname):
                self.tell(told)

    def _challenged(self, rival: str, seek: SeekData) -> None:
        self.tell(notice.of_challenge(rival, seek.number, seek.owner.name, _what(seek), is_live=seek.is_live))

    def _sought(self, seek: SeekData, people: Sequence[str]) -> None:
        here = self._hub.people(LOBBY)
        for person in people:
            if person not in here and self._seeks.take(person):
                self.tell(notice.of_seek(person, seek.number, seek.owner.name, _what(seek), is_live=seek.is_live))

    def _drop_challenge(self, closed: OpenSeek, _state: str, _match: str | None) -> None:
        """Called by the lobby in every process when a seek or a challenge is closed."""
        if closed.row.rival:
            self.inbox.drop_here(closed.row.rival, notice.challenge_tag(closed.row.number))

    def _answered(self, closed: OpenSeek, state: str, match: str | None) -> None:
        """Called by the lobby when this process has closed a seek or a challenge."""
        owner, data = closed.row.person, closed.data
        game = damier.load(data.terms[0].game).title
        if state == "declined" and data.rival:
            self.tell(notice.of_refusal(owner, data.number, data.rival.name, game))
        elif state == "taken" and match and (live := self._referee.peek(match)):
            names = decide.others(live.match, owner, live.nickname)
            is_challenge, game = closed.row.kind == "challenge", live.match.game.title
            self.tell(notice.of_acceptance(owner, match, notice.listed(names), game, is_challenge=is_challenge))

    # Reminders

    async def _read_reminders(self, until: int) -> list[tuple[str, int]]:
        return await self._store.read("read the reminders", "", partial(stored.read_reminders, until=until))

    async def _remind(self, number: str) -> None:
        """Reminds the player of a match, once."""
        at = self._referee.time.now()
        if not await self._store.write("note a reminder", number, partial(stored.reminded, number=number, until=at)):
            return
        try:
            live = await self._referee.find(number)
        except DamierError:  # deleted meanwhile, or damaged, which is logged
            return
        for told in decide.of_reminder(live.match, at, live.nickname):
            self.tell(told)

    # Telling

    def tell(self, told: Notice) -> None:
        """Tells a person in the pages that are open, and has the rest sent; nothing if the match is before them."""
        live = self._referee.peek(told.match) if told.match else None
        if live and live.is_here(told.person):
            return
        if told.match and self._hub.is_shared:
            task = asyncio.create_task(self._tell_unless_looking(told))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._tell(told)

    async def _tell_unless_looking(self, told: Notice) -> None:
        """Tells a person, unless the match is before them at another process, or has gone on meanwhile."""
        if not await self._is_looking(told):
            live = self._referee.peek(told.match)
            if live is None or decide.is_due(told, live.match):
                self._tell(told)

    def _tell(self, told: Notice) -> None:
        self.inbox.tell(told)
        if self.pusher or self.mailer:
            self.outbox.put(partial(self._send, told), self.delays.get(told.kind, 0.0))

    async def _is_looking(self, told: Notice) -> bool:
        """Tells whether a person has the match open that a notice is about, at any process."""
        live = self._referee.peek(told.match)
        is_here = live is not None and live.is_here(told.person)
        return is_here or (self._hub.is_shared and told.person in await self._hub.look(match_place(told.match)))

    async def _is_due(self, told: Notice) -> bool:
        if not told.match:
            return told.person not in self._hub.people(LOBBY)
        if await self._is_looking(told):
            return False
        live = self._referee.peek(told.match)
        return live is None or decide.is_due(told, live.match)

    async def _send(self, told: Notice) -> None:
        """Sends a notice to the browsers and the mailbox of its person, as far as it is still due."""
        if not await self._is_due(told):
            return
        reached = await self.recipients.reached(told.person, told.kind)
        if self.pusher and reached.browsers and self._limits["push"].take(told.person):
            for browser in reached.browsers:
                self._push(told, browser)
        is_away = bool(self.mailer and reached.email) and not await self.inbox.is_anywhere(told.person)
        if self.mailer and is_away and self._limits["email"].take(told.person):
            made = self.mailer.notice(told, reached.email, reached.lang, self.links)
            self.outbox.send("email", partial(self.mailer.send, made), _ignore)

    def _push(self, told: Notice, browser: Subscription) -> None:
        assert self.pusher
        note = partial(self.recipients.note, browser)
        self.outbox.send("push", partial(self.pusher.send, told, browser), note)

    # E-mail

    def spend_confirmation(self, person: str, email: str, network: str) -> None:
        """Raises `TooManyRequests` if a person, a mailbox or an address of the network has had too many e-mails."""
        limits = (
            (self._confirmations, person),
            (self._confirmations, f"to {email.lower()}"),
            (self._address_confirmations, network),
        )
        for limiter, key in limits:
            if not limiter.take(key):
                sentence = message("Several e-mails were sent already: wait a day.")
                raise TooManyRequests(sentence, limiter.wait(key), "confirmations")

    async def ask_confirmation(self, account: Account, lang: str) -> None:
        """Asks the owner of an account's address to confirm it; raises `NotNow`."""
        if not self.mailer:
            raise NotNow(message("This server sends no e-mails."))
        if not account.email:
            raise NotNow(message("Give an e-mail address first."))
        await self.recipients.remember_language(account.person, lang)
        made = self.mailer.confirmation(account.person, account.name, account.email, lang, self.links)
        self.outbox.send("email", partial(self.mailer.send, made), _ignore)

    # Pages

    async def join(self, page: NoticePage) -> None:
        """Adds an open page, which is sent what is current."""
        self.inbox.join(page, await self.current(page.person))

    async def _renew_pages(self) -> None:
        """Sends all open pages what is current, because announcements may have been missed."""
        for page in self.inbox.pages:
            self.inbox.send_all(page, await self.current(page.person))

    async def current(self, person: str) -> list[Notice]:
        """Returns the turns and challenges that wait for a person."""
        if not person:
            return []
        find = partial(stored.waiting_turns, person=person, most=LISTED)
        waiting = await self._store.read("list the matches of a visitor", "", find)
        names = await self._lobby.people.data({other for each in waiting for other in each.others})
        turns = [
            notice.of_turn(
                person, each.number, damier.load(each.game).title, [names[other].name for other in each.others]
            )
            for each in waiting
        ]
        challenges = [
            notice.of_challenge(person, seek.number, seek.owner.name, _what(seek), is_live=seek.is_live)
            for seek in self._lobby.challenges_of(person)
        ]
        return turns + challenges


async def _ignore(_outcome: str) -> None:
    """What becomes of an e-mail changes nothing: addresses are not forgotten."""


def _what(seek: SeekData) -> Message:
    """Returns game and clock of a seek."""
    first, count = seek.terms[0], len(seek.terms)
    game = damier.load(first.game).title
    if count > 1:
        return counted(
            "{game}, and {count} more way to play", "{game}, and {count} more ways to play", count=count - 1, game=game
        )
    if first.clock is None:
        return message("{game}, without a clock", game=game)
    return message("{game}, {clock}", game=game, clock=parse_control(first.clock.model_dump()).message())
