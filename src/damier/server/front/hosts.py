"""The names by which the server may be reached, and the proxies in front of it.

A page that is reached by a name of somebody else's can be attacked by DNS rebinding, and a link that the server writes
would lead there. Addresses of the Internet Protocol cannot be rebound.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterator, Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from damier.core.errors import BadArgument
from damier.core.messages import message, shown

ANY = "*"
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_HOST = re.compile(r"(?:\[(?P<ipv6>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::\d{1,5})?")
_LONGEST = 260  # characters of a host with its port


def host_names(text: str) -> list[str]:
    """Returns the names of a comma-separated list; raises `BadArgument`."""
    names = [name.lower() for name in _parts(text)]
    for name in names:
        if name != ANY and not _NAME.fullmatch(name):
            raise BadArgument(
                message(
                    "{name} takes names of hosts such as {example}, not {text}.",
                    name="allowed_hosts",
                    example="games.example.org",
                    text=shown(name),
                )
            )
    return names


def proxy_networks(text: str) -> list[str]:
    """Returns the networks of a comma-separated list of addresses and networks; raises `BadArgument`."""
    found = []
    for part in _parts(text):
        try:
            network = ipaddress.ip_network(part)
        except ValueError:
            raise BadArgument(
                message(
                    "{name} takes addresses and networks such as {example}, not {text}.",
                    name="trusted_proxies",
                    example="10.0.0.0/8",
                    text=shown(part),
                )
            ) from None
        found.append(str(network))
        if isinstance(network, ipaddress.IPv4Network):  # a socket for both protocols gives IPv4 addresses as IPv6
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return found


def origin_host(origin: str) -> str:
    """Returns the host of the public address, or "" without one; raises `BadArgument`."""
    if not origin:
        return ""
    try:
        parts = urlsplit(origin)
        host = parts.hostname or ""
    except ValueError:
        host = ""
    if not host or parts.scheme not in ("http", "https"):
        raise BadArgument(
            message(
                "{name} takes an address such as {example}, not {text}.",
                name="origin",
                example="https://games.example.org",
                text=shown(origin),
            )
        )
    return host


def _parts(text: str) -> Iterator[str]:
    return (part.strip() for part in text.split(",") if part.strip())


class AllowedHosts:
    """Tells whether the server is known by the name in a Host header."""

    def __init__(self, names: Sequence[str], origin: str = "") -> None:
        machine = socket.gethostname().lower()
        short = machine.partition(".")[0]
        self._names = frozenset({"localhost", machine, short, f"{short}.local", origin_host(origin), *names} - {""})
        self.allows = lru_cache(1024)(self._allows)

    def _allows(self, host: str) -> bool:
        found = _HOST.fullmatch(host.lower()) if len(host) <= _LONGEST else None
        if found is None:
            return False
        name = found["ipv6"] or found["name"].removesuffix(".")
        return ANY in self._names or name in self._names or _is_address(name)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
