"""Passwords: hashed with argon2 in threads of their own, 48 ms each on the machine where it was measured."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.errors import ServerBusy

if TYPE_CHECKING:
    from collections.abc import Callable

    from argon2 import PasswordHasher

T = TypeVar("T")

SHORTEST, LONGEST = 8, 200  # characters
_PASSES, _MEMORY, _LANES = 4, 19_456, 1  # memory in KiB, as OWASP proposes
_THREADS = 2
_MOST_WAITING = 64  # passwords, three seconds of work for two cores


class Passwords:
    """Hashes and verifies passwords."""

    def __init__(self, passes: int = _PASSES, memory: int = _MEMORY) -> None:
        self._passes, self._memory = passes, memory
        self._threads = ThreadPoolExecutor(_THREADS, "passwords")
        self._waiting = 0

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher

        return PasswordHasher(self._passes, self._memory, _LANES)

    @cached_property
    def _nobody(self) -> str:
        return self._hasher.hash(secrets.token_urlsafe(16))

    async def hash(self, password: str) -> str:
        """Returns the hash of a new password; raises `BadArgument` if it is too short or too long."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise BadArgument(
                message("A password has {shortest} to {longest} characters.", shortest=SHORTEST, longest=LONGEST)
            )
        return await self._run(lambda: self._hasher.hash(password.encode("utf-8", "surrogatepass")))

    async def verify(self, password: str, kept: str | None) -> tuple[bool, str | None]:
        """Tells whether a password is the one of a hash, and returns a new hash if the old one is out of date.

        Without a hash it takes the same time, and the answer is no.
        """
        return await self._run(lambda: self._verify(password, kept))

    def _verify(self, password: str, kept: str | None) -> tuple[bool, str | None]:
        from argon2.exceptions import InvalidHashError, VerificationError

        given = password[: LONGEST + 1].encode("utf-8", "surrogatepass")
        try:
            self._hasher.verify(kept or self._nobody, given)
        except (VerificationError, InvalidHashError):
            return False, None
        if kept is None:
            return False, None
        return True, self._hasher.hash(given) if self._hasher.check_needs_rehash(kept) else None

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= _MOST_WAITING:
            raise ServerBusy(message("The server is busy: try again in a moment."))
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the threads; others start when they are needed."""
        self._threads.shutdown()
        self._threads = ThreadPoolExecutor(_THREADS, "passwords")
