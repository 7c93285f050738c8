"""A stream of lines: a bounded queue behind an HTTP answer that lasts until either side ends it.

A blank line every seven seconds of silence keeps proxies from closing the connection and lets a client notice that it
is lost. A client that does not read fills the buffers of the system first, then the queue; then its stream is ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.responses import Response

from damier.core.messages import Message, message
from damier.server.tasks import cancel
from damier.server.wire.streams import EndMessage

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from damier.server.wire.model import WireModel

NDJSON = "application/x-ndjson"
SILENCE = 7.0  # seconds without a line after which a blank one is sent
LONGEST_QUEUE = 200  # lines that wait for a slow client
_AT_ONCE = 20  # lines that are sent together

_ENDINGS = {
    "newer": message("A newer stream has taken the place of this one."),
    "signed_out": message("You are signed out: this stream is closed."),
    "slow": message("The connection is too slow."),
    "stopping": message("The server stops: open the stream again in a moment."),
    "failed": message("The stream failed: open it again."),
}
_log = logging.getLogger(__name__)


class LineStream:
    """The lines that wait for one client."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._queue: deque[str] = deque()
        self._has_news, self._has_room = asyncio.Event(), asyncio.Event()
        self.is_ended = False
        """Whether nothing is added any more."""

    def send(self, line: WireModel) -> None:
        """Queues a message."""
        self.send_text(line.model_dump_json())

    def send_text(self, text: str) -> None:
        """Queues a message that is encoded already; a full queue ends the stream."""
        if self.is_ended:
            return
        if len(self._queue) >= LONGEST_QUEUE:
            _log.warning("Closed a stream whose client reads too slowly.")
            self.end("slow")
            return
        self._queue.append(text)
        self._has_news.set()

    def end(self, why: str) -> None:
        """Ends the stream with a line that says why; what waits behind a slow client is dropped."""
        if self.is_ended:
            return
        if why == "slow":
            self._queue.clear()
        sentence: Message = _ENDINGS[why]
        last = EndMessage.model_validate({"type": "end", "why": why, "error": sentence.render(self.lang)})
        self._queue.append(last.model_dump_json())
        self.abandon()

    def abandon(self) -> None:
        """Ends the stream without a further line: its client has gone."""
        if not self.is_ended:
            self.is_ended = True
            self._has_news.set()
            self._has_room.set()
            self.handle_end()

    def handle_end(self) -> None:
        """Stops what fills the stream; called once."""

    async def wait_for_room(self) -> None:
        """Waits until most of the queue has been read: for senders that can wait."""
        await asyncio.sleep(0)
        while len(self._queue) > _AT_ONCE and not self.is_ended:
            self._has_room.clear()
            await self._has_room.wait()

    async def next(self) -> bytes:
        """Returns the next lines, a blank one after a silence, or nothing at the end."""
        if not self._queue and not self.is_ended:
            self._has_news.clear()
            try:
                async with asyncio.timeout(SILENCE):
                    await self._has_news.wait()
            except TimeoutError:
                return b"\n"
        count = min(len(self._queue), _AT_ONCE)
        lines = "".join(f"{self._queue.popleft()}\n" for _ in range(count))
        self._has_room.set()
        return lines.encode()


class LineResponse(Response):
    """An answer that sends the lines of a stream as they come."""

    media_type = NDJSON

    def __init__(self, stream: LineStream, leave: Callable[[], None]) -> None:
        """`leave` is called when the answer has ended, however it has."""
        self._stream, self._leave = stream, leave
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002  # of ASGI
        """Sends the answer until the stream is ended or its client has gone."""
        watching = asyncio.create_task(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            while lines := await self._stream.next():
                await send({"type": "http.response.body", "body": lines, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._stream.abandon()
            self._leave()
            await cancel(watching)

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._stream.abandon()
