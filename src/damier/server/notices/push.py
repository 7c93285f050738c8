"""Web Push: encrypts a notice for a browser and posts it to the browser's push service, from a thread.

The address of that service, the endpoint, is chosen by a visitor. So it must not lead into the operator's network: it
is https on the usual port, its name is resolved here, every address that it has must be a public one, and the
connection goes to the address that was checked. Redirects are not followed, the answer's body is not read, and all ends
after some seconds. pywebpush is an extra and takes 0.4 s to import: that happens in the thread.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import http.client
import importlib.util
import ipaddress
import json
import socket
import ssl
import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from damier.core.errors import BadArgument
from damier.core.messages import message

if TYPE_CHECKING:
    from damier.server.notices.mail import Outcome
    from damier.server.notices.notice import Notice
    from damier.server.store.statements.notices import Subscription

LONGEST_ENDPOINT = 1000  # characters
_SECONDS = 10.0  # to connect, and between two bytes
_ALL_SECONDS = 25.0  # for everything after the name is resolved
_PORT = 443
_POINT, _SECRET = 65, 16  # bytes of a browser's public key and of its secret
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def is_installed() -> bool:
    """Tells whether the extra ``damier[push]`` is installed."""
    return importlib.util.find_spec("pywebpush") is not None


@cache
def public_key(private: str) -> str:
    """Returns the public key that browsers subscribe with, of a private one; both in base64url."""
    from py_vapid import Vapid02, b64urlencode

    numbers = Vapid02.from_raw(private.encode()).public_key.public_numbers()
    point = b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    return str(b64urlencode(point))


# What a browser gives


def check_subscription(endpoint: str, p256dh: str, auth: str, *, allows_local: bool) -> None:
    """Raises `BadArgument` for what no browser gives, or that leads where nothing may be sent."""
    parsed = _split(endpoint)
    is_fit = parsed is not None and parsed.hostname and not parsed.username and not parsed.password
    if is_fit and parsed and not allows_local:
        is_fit = parsed.scheme == "https" and _port(parsed) == _PORT and _is_name(parsed.hostname or "")
    if not is_fit or len(endpoint) > LONGEST_ENDPOINT or not endpoint.isascii() or not endpoint.isprintable():
        raise BadArgument(message("That is not the address of a push service."))
    if not _has_bytes(p256dh, _POINT, b"\x04") or not _has_bytes(auth, _SECRET):
        raise BadArgument(message("Those are not the keys of a browser."))


def _split(endpoint: str) -> SplitResult | None:
    try:
        parsed = urlsplit(endpoint)
        return parsed if parsed.scheme in ("https", "http") and _port(parsed) else None
    except ValueError:
        return None


def _port(parsed: SplitResult) -> int:
    return parsed.port or (_PORT if parsed.scheme == "https" else 80)


def _is_name(host: str) -> bool:
    """Tells whether a host is a full name, not an address or a name of the local network."""
    return "." in host.strip(".") and ":" not in host and not host.strip(".").rpartition(".")[2].isdigit()


def _has_bytes(text: str, length: int, start: bytes = b"") -> bool:
    try:
        found = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return False
    return len(found) == length and found.startswith(start)


# Addresses


def is_public(address: str) -> bool:
    """Tells whether an IP address is one of the public network, also if it is written in another.

    >>> is_public("93.184.215.14"), is_public("10.0.0.1"), is_public("::ffff:127.0.0.1"), is_public("64:ff9b::7f00:1")
    (True, False, False, False)
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        inner = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
        if found in _NAT64:
            inner.append(ipaddress.IPv4Address(found.packed[12:]))
        if not all(is_public(str(each)) for each in inner if each is not None):
            return False
        if found.ipv4_mapped:
            return True
    return found.is_global and not found.is_multicast


def checked_addresses(host: str, port: int, *, allows_local: bool) -> list[str]:
    """Returns the addresses of a host, none if one of them is not public; raises `OSError` if it has none."""
    found = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    return list(dict.fromkeys(found)) if allows_local or all(map(is_public, found)) else []


# Sending


@dataclass(frozen=True)
class Pusher:
    """Sends notices to browsers."""

    key: str
    """The private key, in base64url."""

    contact: str
    """``mailto:`` or ``https:``, for the operators of push services."""

    allows_local: bool = False
    """Whether endpoints may be on this machine, without encryption: for tests."""

    def send(self, told: Notice, to: Subscription) -> Outcome:
        """Sends a notice; called in a thread. Never raises. ``gone``: the endpoint is to be forgotten."""
        parsed = _split(to.endpoint)
        if parsed is None or parsed.hostname is None:
            return "gone"
        try:
            addresses = checked_addresses(parsed.hostname, _port(parsed), allows_local=self.allows_local)
            if not addresses:
                return "gone"
            body, headers = self._encrypted(told, to, f"{parsed.scheme}://{parsed.netloc}")
            return _outcome(_post(parsed, addresses[0], body, headers))
        except ValueError:  # a key that is no point of the curve
            return "gone"
        except (OSError, http.client.HTTPException):
            return "retry"

    def _encrypted(self, told: Notice, to: Subscription, audience: str) -> tuple[bytes, dict[str, str]]:
        from py_vapid import Vapid02
        from pywebpush import WebPusher

        data = {
            "title": told.title.render(to.lang),
            "body": told.text.render(to.lang),
            "path": told.path,
            "tag": told.tag,
            "lang": to.lang,
        }
        keys = {"p256dh": to.p256dh, "auth": to.auth}
        body = WebPusher({"endpoint": to.endpoint, "keys": keys}).encode(json.dumps(data).encode())["body"]
        signed = Vapid02.from_raw(self.key.encode()).sign({"sub": self.contact, "aud": audience})
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(told.seconds),
            "Urgency": "high" if told.seconds <= 600 else "normal",
            **signed,
        }
        return body, headers


def _outcome(status: int) -> Outcome:
    if 200 <= status < 300:
        return "delivered"
    if status in (404, 410) or 300 <= status < 400:  # redirects are not followed
        return "gone"
    return "retry"


def _post(parsed: SplitResult, address: str, body: bytes, headers: dict[str, str]) -> int:
    """Posts to a checked address and returns the status of the answer; raises `OSError` or `HTTPException`."""
    kind = _Encrypted if parsed.scheme == "https" else _Plain
    connection = kind(parsed.hostname or "", _port(parsed), address)
    path = f"{parsed.path or '/'}?{parsed.query}" if parsed.query else parsed.path or "/"
    timer = threading.Timer(_ALL_SECONDS, connection.shut)
    timer.daemon = True
    timer.start()
    try:
        connection.connect()
        connection.request("POST", path, body, headers)
        return connection.getresponse().status
    finally:
        timer.cancel()
        connection.close()


class _Plain(http.client.HTTPConnection):
    """A connection to an address that was checked, whatever the name means by now."""

    def __init__(self, host: str, port: int, address: str) -> None:
        super().__init__(host, port, timeout=_SECONDS)
        self._address = address

    def connect(self) -> None:
        """Connects to the address."""
        self.sock = socket.create_connection((self._address, self.port), _SECONDS)

    def shut(self) -> None:
        """Ends the connection while another thread reads from it, however slowly bytes come."""
        with contextlib.suppress(OSError):
            if self.sock:
                self.sock.shutdown(socket.SHUT_RDWR)


class _Encrypted(_Plain):
    """The same with TLS, for the name."""

    default_port = http.client.HTTPS_PORT

    def connect(self) -> None:
        """Connects to the address, and checks the certificate of the name."""
        super().connect()
        context = ssl.create_default_context()
        wrapped = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock = wrapped  # first, so that `shut` ends a handshake, too
        wrapped.do_handshake()
