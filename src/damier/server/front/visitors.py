"""Visitors: their signed cookie, their address, their language, and the origin of their requests.

A cookie is ``TOKEN.SIGNATURE``. The signature proves that this server has issued the token, so that inventing cookies
gives nobody further limits. Version 0.1 issued tokens alone: such a cookie counts if the database knows its visitor.

Who is signed in, or sends a token, acts as the account; the cookie of the guest does not matter then.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol
from urllib.parse import urlsplit

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from damier.core.messages import LANGUAGES
from damier.server.people.account import Identity

COOKIE = "damier_visitor"

_YEAR = 365 * 24 * 3600  # seconds
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22,64}")
_SIGNED = re.compile(r"[A-Za-z0-9_-]{22,64}\.[A-Za-z0-9_-]{43}")
_IDENTITY = "damier identity"  # in the scope of a request
_KEPT = 10_000  # verified cookies; verifying one takes about 10 microseconds


def visitor_of(token: str) -> str:
    """Returns the visitor of a token: a hash, so that the name of a visitor cannot be used to act."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


class Recognises(Protocol):
    """Finds the account of a request."""

    def known(self, connection: HTTPConnection) -> Identity | None:
        """Returns who acts, if that is remembered."""

    async def find(self, connection: HTTPConnection) -> Identity | None:
        """Returns who acts, None for a guest."""


class Visitors:
    """Issues and verifies the cookies of visitors, and says who acts."""

    def __init__(
        self, knows: Callable[[str], Awaitable[bool]], origin: str = "", accounts: Recognises | None = None
    ) -> None:
        self._knows, self._origin, self._accounts = knows, origin, accounts
        self._unsigned: OrderedDict[str, None] = OrderedDict()  # tokens of version 0.1 whose visitor is known
        self.use([])

    def use(self, keys: Sequence[str]) -> None:
        """Sets the keys, the newest last: it signs, all of them verify."""
        self._signer = Signer(list(keys), salt="damier visitor", key_derivation="hmac", digest_method=hashlib.sha256)
        self._token_of = lru_cache(_KEPT)(self._verify)

    def of(self, connection: HTTPConnection) -> str:
        """Returns who acts: the person of an account, else the guest, or "" without a valid cookie."""
        identity = self.identity(connection)
        return identity.person if identity else self.guest(connection)

    def guest(self, connection: HTTPConnection) -> str:
        """Returns the guest of a connection, or "" without a valid cookie."""
        token = self._token(connection.cookies.get(COOKIE, ""))
        return visitor_of(token) if token else ""

    def identity(self, connection: HTTPConnection) -> Identity | None:
        """Returns the account that acts, or None for a guest."""
        if _IDENTITY in connection.scope:
            found: Identity | None = connection.scope[_IDENTITY]
            return found
        return self._accounts.known(connection) if self._accounts else None

    async def look_up(self, connection: HTTPConnection) -> None:
        """Looks up the account that acts, and a guest of version 0.1; raises `StoreFailed`, or `NotAllowed`."""
        if self._accounts:
            connection.scope[_IDENTITY] = await self._accounts.find(connection)
        token = connection.cookies.get(COOKIE, "")
        if _TOKEN.fullmatch(token) and token not in self._unsigned and await self._knows(visitor_of(token)):
            self._unsigned[token] = None
            if len(self._unsigned) > _KEPT:
                self._unsigned.popitem(last=False)

    def recognise(self, request: Request, response: Response) -> str:
        """Returns who acts in a request; the response gives a signed cookie to a guest who has none."""
        if identity := self.identity(request):
            return identity.person
        given = request.cookies.get(COOKIE, "")
        token = self._token(given) or secrets.token_urlsafe(24)
        cookie = self.signed(token)
        if cookie != given:
            self.set_cookie(request, response, COOKIE, cookie, _YEAR)
        return visitor_of(token)

    def set_cookie(self, request: Request, response: Response, name: str, value: str, seconds: int) -> None:
        """Sets a cookie that scripts cannot read and other sites cannot have sent."""
        secure = _is_secure(request, self._origin)
        response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="lax", secure=secure)

    def signed(self, token: str) -> str:
        """Returns the cookie of a token."""
        return self._signer.sign(token).decode()

    def _token(self, cookie: str) -> str:
        if _SIGNED.fullmatch(cookie):
            return self._token_of(cookie)
        return cookie if cookie in self._unsigned else ""

    def _verify(self, cookie: str) -> str:
        try:
            return self._signer.unsign(cookie).decode()
        except BadSignature:
            return ""


def _is_secure(request: Request, origin: str) -> bool:
    """Tells whether the browser speaks HTTPS, which a proxy at the public address may have taken off."""
    public = urlsplit(origin)
    is_public = public.scheme == "https" and request.headers.get("host") == public.netloc
    return is_public or request.url.scheme == "https"


def address_of(connection: HTTPConnection) -> str:
    """Returns the address for which a connection is limited."""
    return limited_address(connection.client.host if connection.client else "")


@lru_cache(4096)
def limited_address(host: str) -> str:
    """Returns an address as limits count it: IPv6 by /64, which one household has; IPv4 in IPv6 as IPv4."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return f"{ipaddress.IPv6Address(address.packed[:8] + bytes(8))}/64"


def language(request: HTTPConnection) -> str:
    """Returns the language of a request: of its query, else of its headers, else English."""
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        return asked
    for part in request.headers.get("accept-language", "").split(","):
        if part.strip()[:2].lower() in LANGUAGES:
            return part.strip()[:2].lower()
    return LANGUAGES[0]


def is_same_origin(headers: Mapping[str, str], origin: str) -> bool:
    """Tells whether a request comes from a page of this server, or from no page at all."""
    given = headers.get("origin")
    return given is None or given == origin or given.partition("://")[2] == headers.get("host")
