"""A relay between a server and Redis that can cut or block the connection, as a broken network does."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any

_CHUNK = 65536
_PATIENCE = 10.0  # seconds for the relay to start, to change and to end


class Relay:
    """Passes bytes on from a port of 127.0.0.1 to another, in a thread of its own."""

    def __init__(self, port: int) -> None:
        """`port` is where the relay leads to."""
        self._to = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="relay")
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_cut = False
        self._flows = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread.start()
        self._flows.set()
        self._server = self._call(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Ends all connections, and every new one at once, until `mend`."""
        self._call(self._cut())

    def block(self) -> None:
        """Holds every byte back until `mend`; connections stay open, new ones too."""
        self._call(self._block())

    def mend(self) -> None:
        """Passes bytes on again, also those held back."""
        self._call(self._mend())

    def close(self) -> None:
        """Ends the relay."""
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE)
        self._loop.close()

    def _call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    async def _cut(self) -> None:
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()

    async def _block(self) -> None:
        self._flows.clear()

    async def _mend(self) -> None:
        self._is_cut = False
        self._flows.set()

    async def _close(self) -> None:
        self._server.close()
        await self._cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, back}
        self._writers |= both
        tasks = {asyncio.create_task(self._pass_on(reader, back)), asyncio.create_task(self._pass_on(there, writer))}
        self._tasks |= tasks
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            for one in both:
                one.transport.abort()
            self._tasks -= tasks
            self._writers -= both

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
