"""The clients in processes of their own: the same commands go to each, and the answers come back together."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import psutil
import uvloop

from bench.cluster.ledger import MatchLedger
from bench.cluster.players import Table
from bench.load import Players, Socket
from bench.served import raise_file_limit

_SPAWN = multiprocessing.get_context("spawn")
_PATIENCE = 900.0  # seconds for an answer
_APART = 100  # seconds to end


@dataclass
class Taken:
    """What clients have measured since they were last asked."""

    times: list[float] = field(default_factory=list)
    """Seconds from sending an action to its confirmation."""

    heard: list[float] = field(default_factory=list)
    """Seconds from sending an action until the other player's page has it."""

    errors: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    """Connections."""

    received: int = 0
    """Bytes over sockets."""

    def __add__(self, other: Taken) -> Taken:
        return Taken(
            self.times + other.times,
            self.heard + other.heard,
            self.errors + other.errors,
            self.lost + other.lost,
            self.received + other.received,
        )


# In the process of the clients


class LoadClients:
    """Many matches with cheap pages, to measure the server and not the client."""

    def __init__(self, addresses: Sequence[str], first: int, every: float, is_together: bool = False) -> None:
        self._players = Players(addresses, every, first, is_together=is_together)

    async def begin(self, count: int) -> None:
        """Begins `count` further matches and plays them."""
        await self._players.begin(count)
        self._players.play()

    async def set_pace(self, every: float) -> None:
        """Has an action played every `every` seconds in each match."""
        self._players.set_pace(every)

    async def take(self) -> Taken:
        """Returns what was measured, and begins anew."""
        measured = self._players.measured
        taken = Taken(list(measured.times), list(measured.heard), Counter(measured.errors), received=Socket.received)
        Socket.received = 0
        measured.times.clear()
        measured.heard.clear()
        measured.errors.clear()
        return taken

    async def end(self) -> None:
        """Closes all pages."""
        await self._players.end()


class FaultClients:
    """Tables that survive faults and keep ledgers."""

    def __init__(self, addresses: Sequence[str], first: int, every: float, watchers: int) -> None:
        self._addresses, self._first, self._every, self._watchers = addresses, first, every, watchers
        self._tables: list[Table] = []
        self._until = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def begin(self, count: int) -> None:
        """Begins to play at `count` tables."""
        start = self._first + len(self._tables)
        new = [Table(start + k, self._addresses, self._every, self._watchers) for k in range(count)]
        self._tables += new
        self._tasks += [asyncio.create_task(table.run(self._until)) for table in new]

    async def fault_ended(self, at: float) -> None:
        """Waits from now on until tables are whole again."""
        for table in self._tables:
            table.fault_ended(at)

    async def whole(self) -> list[float | None]:
        """Returns for each table when it was whole again; None if it is not yet."""
        for task in self._tasks:
            if task.done():
                task.result()  # raises what has ended it
        return [table.whole_at for table in self._tables]

    async def count_refused(self) -> int:
        """Returns how many requests were refused since the last `take`."""
        return sum(table.refusals.total() for table in self._tables)

    async def take(self) -> Taken:
        """Returns what was measured, and begins anew."""
        taken = Taken()
        for table in self._tables:
            taken += Taken(list(table.times), [], Counter(table.refusals), table.lost)
            table.times.clear()
            table.refusals.clear()
            table.lost = 0
        return taken

    async def end(self) -> list[MatchLedger]:
        """Stops to play, and returns the ledgers of all matches."""
        self._until.set()
        await asyncio.gather(*self._tasks)
        return [ledger for table in self._tables for ledger in table.ledgers]


_KINDS = {"load": LoadClients, "faults": FaultClients}


async def _serve(pipe: Connection, clients: LoadClients | FaultClients) -> None:
    """Carries out commands until the other end closes or an `end` is answered."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            number, name, arguments = await loop.run_in_executor(None, pipe.recv)
        except EOFError:
            return
        try:
            pipe.send((number, True, await getattr(clients, name)(*arguments)))
        except Exception as error:
            pipe.send((number, False, f"{type(error).__name__}: {error}"))
        if name == "end":
            return


def _run(pipe: Connection, kind: str, arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that measures
    raise_file_limit()

    async def work() -> None:
        await _serve(pipe, _KINDS[kind](*arguments))

    uvloop.run(work())


# In the process that measures


class Crew:
    """Clients in `count` processes, each with its share of the matches."""

    def __init__(self, kind: str, count: int, addresses: Sequence[str], *arguments: object) -> None:
        self._asked = 0
        self._pipes: list[Connection] = []
        self._processes = []
        for place in range(count):
            ours, theirs = _SPAWN.Pipe()
            given = (theirs, kind, (list(addresses), 20_000 // count * place, *arguments))
            process = _SPAWN.Process(target=_run, args=given, daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def _ask(self, name: str, arguments: Sequence[tuple[object, ...]]) -> list[Any]:
        self._asked += 1
        for pipe, given in zip(self._pipes, arguments, strict=True):
            pipe.send((self._asked, name, given))
        return [self._answer(pipe, name) for pipe in self._pipes]

    def _answer(self, pipe: Connection, name: str) -> Any:
        """Returns the answer to the last command; one to a command that Ctrl-C interrupted is dropped."""
        while pipe.poll(_PATIENCE):
            number, is_done, answer = pipe.recv()
            if number == self._asked:
                if not is_done:
                    raise RuntimeError(answer)
                return answer
        raise TimeoutError(f"clients did not answer to {name}")

    def _ask_all(self, name: str, *arguments: object) -> list[Any]:
        return self._ask(name, [arguments] * len(self._pipes))

    def begin(self, count: int) -> None:
        """Begins `count` matches."""
        share, rest = divmod(count, len(self._pipes))
        self._ask("begin", [(share + (place < rest),) for place in range(len(self._pipes))])

    def set_pace(self, every: float) -> None:
        """Has an action played every `every` seconds in each match."""
        self._ask_all("set_pace", every)

    def fault_ended(self, at: float) -> None:
        """Begins to wait until all tables are whole after a moment."""
        self._ask_all("fault_ended", at)

    def whole(self) -> list[float | None]:
        """Returns for each table when it was whole again; None if it is not yet."""
        return [at for answer in self._ask_all("whole") for at in answer]

    def count_refused(self) -> int:
        """Returns how many requests were refused since the last `take`."""
        return sum(self._ask_all("count_refused"))

    def take(self) -> Taken:
        """Returns what was measured since the last time."""
        return sum(self._ask_all("take"), Taken())

    def end(self) -> list[MatchLedger]:
        """Ends all clients; returns the ledgers that they kept."""
        ledgers = [ledger for answer in self._ask_all("end") for ledger in answer or ()]
        for process in self._processes:
            process.join(_APART)
        return ledgers

    def kill(self) -> None:
        """Ends the processes at once."""
        for process in self._processes:
            process.kill()
            process.join()

    @property
    def cpu(self) -> float:
        """CPU seconds of all clients and of this process."""
        total = 0.0
        for pid in (os.getpid(), *(process.pid for process in self._processes)):
            with contextlib.suppress(psutil.NoSuchProcess):
                times = psutil.Process(pid).cpu_times()
                total += times.user + times.system
        return total
