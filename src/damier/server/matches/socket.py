"""The match socket: live updates for one visitor who plays or watches a match, and the visitor's requests."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message, plain, shown
from damier.server.civility.flood import TooManyMessages
from damier.server.dependencies import request_budget, right_to_play, shared_services
from damier.server.errors import ServerFailed, TooManyRequests, malformed
from damier.server.front.limits import hold_back
from damier.server.front.sockets import (
    ABNORMAL,
    ALIVE,
    CONNECTION_FAILED,
    FAILED,
    INVALID_DATA,
    POLICY,
    TRY_AGAIN,
    TooManySockets,
    close_socket,
)
from damier.server.front.visitors import address_of, is_same_origin, language
from damier.server.matches.pings import Pings
from damier.server.matches.referee import UnknownMatch
from damier.server.store.stored_match import DamagedMatch
from damier.server.wire.matches import (
    AliveMessage,
    AnswerRequest,
    ClaimRequest,
    DoneMessage,
    MatchRequest,
    PingMessage,
    PlayRequest,
    RefusedMessage,
    RequestId,
    SayRequest,
)
from damier.server.wire.model import WireModel

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from damier.core.messages import Message
    from damier.server.civility.chats import Chats
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.match import Event
    from damier.server.matches.referee import Referee

router = APIRouter()
_log = logging.getLogger(__name__)

PING = 4.0  # seconds between two measurements of the lag of a player
_ALIVE_TEXT = AliveMessage(type="alive").model_dump_json()
_LAST_SECONDS = 5.0  # for a client to take the close code
_LONGEST_QUEUE = 200  # messages; a slower client is disconnected and connects again
_REQUEST: TypeAdapter[MatchRequest] = TypeAdapter(MatchRequest)
_ID: TypeAdapter[str] = TypeAdapter(RequestId)
_GOODBYES = (1000, 1001)  # close codes of a page that is closed or left
_UNKNOWN = ("union_tag_invalid", "union_tag_not_found")


@router.websocket("/api/matches/{number}/live")
async def follow_match(socket: WebSocket, number: str) -> None:
    """Serves a match socket."""
    services = shared_services(socket)
    if not is_same_origin(socket.headers, services.settings.origin):
        await socket.close(POLICY)
        return
    visitor, lang = services.visitors.of(socket), language(socket)
    identity = services.visitors.identity(socket)
    try:
        await socket.accept()  # first: a browser sees only the close code of an accepted socket
        live = await services.referee.find(number)
        is_holder = bool(live.match.players_of(visitor))
        if is_holder:
            live.address = address_of(socket)
        listener = MatchSocket(socket, services.referee, live, visitor, lang, services.chats)
        session = identity.session if identity else ""
        follow = services.sockets.follow
        with follow(listener, visitor, address_of(socket), number, is_holder=is_holder, session=session):
            await listener.run(request_budget(socket), right_to_play(socket))
    except UnknownMatch as error:
        await close_socket(socket, POLICY, error.sentence(lang))
    except TooManySockets as error:
        await close_socket(socket, TRY_AGAIN, error.sentence(lang))
    except ServerFailed as error:  # which is logged; nothing helps a damaged match
        await close_socket(socket, POLICY if isinstance(error, DamagedMatch) else FAILED, error.sentence(lang))
    except WebSocketDisconnect:
        return
    except Exception as error:
        _log_failure(number, error)
        await close_socket(socket, FAILED, CONNECTION_FAILED.render(lang))


class MatchSocket:
    """One connection, as a listener of a match."""

    def __init__(
        self, socket: WebSocket, referee: Referee, live: LiveMatch, visitor: str, lang: str, chats: Chats
    ) -> None:
        self.visitor = visitor
        self._chats = chats
        self._socket, self._referee, self._live, self._lang = socket, referee, live, lang
        self._queue: deque[str] = deque()
        self._has_news = asyncio.Event()
        self._ending: tuple[int, str] | None = None
        """The close code and the reason, once the server ends the connection."""

        self.lag = 0
        self._pings = Pings()
        self._is_goodbye = False
        self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._ping_timer: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._check: Callable[[], Awaitable[None]] | None = None

    async def run(self, spend: Callable[[], None], check: Callable[[], Awaitable[None]] | None = None) -> None:
        """Serves the connection until either side closes it; nothing of it is left then.

        Before each request `spend` and `check` are called, which refuse it by raising a `DamierError`.
        """
        self._check = check
        try:
            self._live.join(self, self._lang)
            self._chats.join(self._live, self, self._lang)
            self._tasks = [asyncio.create_task(self._send_queue()), asyncio.create_task(self._receive(spend))]
            self._watch_silence()
            self._ping()
            await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            if failure := self._failure():
                await self._fail(failure)
        except Exception as error:
            await self._fail(error)
        finally:
            self._chats.leave(self._live, self)
            self._live.leave(self, is_goodbye=self._is_goodbye)
            for timer in (self._timer, self._ping_timer):
                if timer:
                    timer.cancel()
            self._give_up()
            tasks, self._tasks = self._tasks, []  # which refer to exceptions, these to frames, and these to this socket
            if tasks:
                await asyncio.wait(tasks)

    def _failure(self) -> BaseException | None:
        """Returns why a task has ended, unless the client has gone; raising it would make a cycle of references."""
        errors = [task.exception() for task in self._tasks if task.done() and not task.cancelled()]
        return next((error for error in errors if error and not isinstance(error, WebSocketDisconnect)), None)

    async def _fail(self, error: BaseException) -> None:
        if not isinstance(error, WebSocketDisconnect):
            _log_failure(self._live.match.number, error)
            await close_socket(self._socket, FAILED, CONNECTION_FAILED.render(self._lang))

    # Messages

    def send(self, message: WireModel) -> None:
        """Queues a message."""
        self.send_text(message.model_dump_json())

    def send_text(self, text: str) -> None:
        """Queues a message that is encoded already; a full queue ends the connection."""
        if len(self._queue) >= _LONGEST_QUEUE:
            self._log_closed("reads too slowly")
            self._end(TRY_AGAIN, message("The connection is too slow."))
        elif self._ending is None:
            self._queue.append(text)
            self._has_news.set()

    def handle_event(self, seq: int, event: Event) -> None:
        """Sends an event with the state after it; called when it has been applied and before the next one is."""
        self.send_text(self._live.event_text(seq, event, self.visitor, self._lang))
        if event.kind == "seat":
            self._live.tell_presence()

    def replace(self) -> None:
        """Closes the connection because the visitor has opened newer ones."""
        self._end(POLICY, message("You have opened newer pages: this one is closed."))

    def sign_out(self) -> None:
        """Closes the connection because the browser is signed out; its page connects again, as a guest."""
        self._end(FAILED, message("You are signed out."))

    def _end(self, code: int, reason: Message) -> None:
        if self._ending is None:
            self._queue.clear()
            self._ending = code, reason.render(self._lang)
            self._has_news.set()
            if self._timer:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(_LAST_SECONDS, self._give_up)

    def _give_up(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def _send_queue(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._has_news.wait()
            self._has_news.clear()
            while self._queue:
                await self._send(self._queue.popleft())
            self._sent_at = loop.time()
            if self._ending:
                await close_socket(self._socket, *self._ending)
                return

    async def _send(self, text: str) -> None:
        try:
            await self._socket.send({"type": "websocket.send", "text": text})
        except Exception as error:  # broken pipe, closed already: whatever it is, the client is out of reach
            raise WebSocketDisconnect(ABNORMAL) from error

    def _watch_silence(self) -> None:
        """Sends an `alive` if nothing was sent for a while, and looks again later: one timer, not one a message."""
        loop = asyncio.get_running_loop()
        silent = loop.time() - self._sent_at if self._sent_at else 0.0
        if silent >= ALIVE:
            silent = 0.0
            self.send_text(_ALIVE_TEXT)
        self._timer = loop.call_later(ALIVE - silent, self._watch_silence)

    def _ping(self) -> None:
        """Measures the lag of a player in a live game now and then; the page answers at once."""
        match, loop = self._live.match, asyncio.get_running_loop()
        is_live = match.control is not None and match.control.kind == "live" and match.record.result is None
        if is_live and match.players_of(self.visitor) and self._ending is None:
            self.send(PingMessage(type="ping", id=self._pings.send(loop.time())))
        if is_live:
            self._ping_timer = loop.call_later(PING, self._ping)

    def _log_closed(self, why: str) -> None:
        number = self._live.match.number
        _log.warning("Match %s: closed a connection whose client %s.", number, why, extra={"match": number})

    # Requests

    async def _receive(self, spend: Callable[[], None]) -> None:
        while True:
            try:
                data = await self._receive_json()
                number = _ID.validate_python(data["id"])
            except (ValueError, KeyError, TypeError, RecursionError):  # no page of ours sends that
                self._log_closed("sent invalid data")
                await close_socket(self._socket, INVALID_DATA)
                return
            except RuntimeError:  # closed already by `_send_queue`
                return
            if data.get("do") == "pong" and self._pings.receive(number, asyncio.get_running_loop().time()):
                self.lag = self._pings.lag
            else:
                await self._answer(number, data, spend)

    async def _receive_json(self) -> Any:
        try:
            return await self._socket.receive_json()
        except WebSocketDisconnect as error:
            self._is_goodbye = error.code in _GOODBYES
            raise

    async def _answer(self, number: str, data: dict[str, Any], spend: Callable[[], None]) -> None:
        try:
            spend()
            if self._check:
                await self._check()
            seq = await carry_out(self._referee, self._chats, self._live, self.visitor, _parse(data))
            self.send(DoneMessage(type="done", id=number, seq=seq))
        except DamierError as error:
            if isinstance(error, TooManyRequests) and not isinstance(error, TooManyMessages):  # who may have to play
                await hold_back()
            self.send(RefusedMessage(type="refused", id=number, error=error.sentence(self._lang)))


async def carry_out(referee: Referee, chats: Chats, live: LiveMatch, visitor: str, request: MatchRequest) -> int:
    """Carries out a visitor's request, from a socket or over HTTP; returns the number of its event.

    A message in the chat is no event: the number is that of the last one.
    """
    if isinstance(request, SayRequest):
        await chats.say(live, visitor, request)
        return live.match.seq
    action = request.action if isinstance(request, PlayRequest) else ""
    yes = isinstance(request, AnswerRequest) and request.yes
    what = request.what if isinstance(request, ClaimRequest) else ""
    return await referee.act(live, visitor, request.id, request.do, action=action, yes=yes, what=what)


def _log_failure(number: str, error: BaseException) -> None:
    _log.error(
        "Match %s: a connection failed and was closed; the client connects again.",
        plain(number, 40),
        exc_info=error,
        extra={"match": number},
    )


def _parse(data: dict[str, Any]) -> MatchRequest:
    try:
        return _REQUEST.validate_python(data)
    except ValidationError as error:
        errors = error.errors()
        if errors[0]["type"] in _UNKNOWN:
            raise BadArgument(message("Unknown request: {what}.", what=shown(str(data.get("do"))))) from None
        raise BadArgument(malformed(errors)) from None
