"""Settings of the server: from flags, else from the environment, else defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from annotated_types import Ge, Le
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from damier.core import folders
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.engine.limit import Limit
from damier.server.front.hosts import host_names, origin_host, proxy_networks
from damier.server.lobby.weekly import parse_weekly
from damier.solve.remote.connection import split_address

_EMAIL = re.compile(r"[^\s@<>(),;:\\\"]{1,64}@[^\s@<>(),;:\\\"]+")
_VISITORS, _BEGINNERS = 5, 10  # whose limits of requests, and of new matches, one address has


class ServerSettings(BaseSettings):
    """The settings; each can be given in the environment as ``DAMIER_`` and its name in capitals."""

    model_config = SettingsConfigDict(env_prefix="DAMIER_", env_ignore_empty=True, frozen=True, extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65535)
    """0 takes a free port."""

    database: str = ""
    """A file, or the address of a PostgreSQL database; by default ``matches.sqlite`` in the user's data folder."""

    redis: str = ""
    """The address of a Redis, in which processes share limits, presence and announcements; none by default."""

    workers: int = Field(default=2, ge=1, le=256)
    """Processes in which engines run."""

    seconds: float = 1.0
    """Thinking time of the computer for a turn at full strength."""

    requests_per_second: int = Field(default=20, ge=1, le=10**6)
    """Limit for each visitor, after a burst of three times as many."""

    matches_per_hour: int = Field(default=120, ge=1, le=10**6)
    """Limit of new matches for each visitor."""

    requests_per_address: int | None = Field(default=None, ge=1, le=10**7)
    """Limit for each address, after a burst of three times as many; five times that of a visitor by default."""

    matches_per_address: int | None = Field(default=None, ge=1, le=10**7)
    """Limit of new matches in an hour for each address; ten times that of a visitor by default.

    Twice as many can be begun at once as one visitor may begin in an hour."""

    sign_ins_per_hour: int = Field(default=60, ge=1, le=10**6)
    """Limit of attempts to sign in to one account; ten at once."""

    sign_ins_per_address: int | None = Field(default=None, ge=1, le=10**7)
    """Limit of attempts to sign in for each address in an hour; five times that of an account by default."""

    accounts_per_address: int = Field(default=20, ge=1, le=10**6)
    """Limit of new accounts for each address in an hour."""

    connections: int = Field(default=2000, ge=10, le=10**6)
    """Limit of open connections."""

    connections_per_address: int = Field(default=500, ge=10, le=10**6)
    """Limit of open connections for each address."""

    sockets_per_visitor: int = Field(default=50, ge=1, le=10**6)
    """Limit of match sockets that one visitor has open."""

    sockets_per_address: int = Field(default=500, ge=1, le=10**6)
    """Limit of sockets open from one address, not counting those of players in their matches."""

    spectators: int = Field(default=200, ge=1, le=10**6)
    """Limit of spectators of one match."""

    origin: str = ""
    """The public address, if the server is behind a proxy."""

    allowed_hosts: str = ""
    """Further names by which the server may be reached, separated by commas; ``*`` allows every name."""

    trusted_proxies: str = ""
    """Addresses and networks of proxies whose ``X-Forwarded-For`` is believed, separated by commas."""

    metrics: Literal["local", "all", "off"] = "local"
    """Who may read ``/metrics``: programs on this machine, everybody, or nobody."""

    access_log: bool = False
    """Whether each request is logged, without what could identify the visitor."""

    drain_seconds: int = Field(default=0, ge=0, le=600)
    """Seconds between ``SIGTERM`` and the end, for which ``/readyz`` says that new visitors go elsewhere."""

    keep_days: int = Field(default=0, ge=0, le=36500)
    """Days after which a match without an event is deleted; 0 keeps all for good."""

    offer_tables: bool = True
    """Whether others may list and download the tables of this server."""

    tables_from: str = ""
    """The address of a damier server whose tables pages probe where this one has none."""

    weekly_hour: str = Field(default="", max_length=40)
    """The hour of each week at which people meet in the lobby, in UTC, such as ``sun 19:00``."""

    contact: str = Field(default="", max_length=200)
    """How visitors reach the operator: shown on the privacy page."""

    push_contact: str = Field(default="", max_length=200)
    """How operators of push services reach this server's, such as ``mailto:ann@example.org``."""

    push_local: bool = False
    """Whether notices may be pushed to addresses of this machine and network: for tests alone."""

    smtp_host: str = Field(default="", max_length=200)
    """The mail server; without one no e-mails are sent."""

    smtp_port: int = Field(default=0, ge=0, le=65535)
    """0 is 587 with STARTTLS, 465 with TLS and 25 without."""

    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    """How the connection to the mail server is encrypted."""

    smtp_user: str = Field(default="", max_length=200)
    """The name at the mail server; empty to send without signing in."""

    smtp_password: SecretStr = SecretStr("")
    """The password there: from the environment alone, ``DAMIER_SMTP_PASSWORD``."""

    smtp_from: str = Field(default="", max_length=200)
    """The sender of e-mails, such as ``damier@example.org``."""

    @property
    def push_subject(self) -> str:
        """Whom the operators of push services may ask: the contact given for it, else the public one."""
        if self.push_contact:
            is_address = "://" not in self.push_contact and not self.push_contact.startswith("mailto:")
            return f"mailto:{self.push_contact}" if is_address else self.push_contact
        if _EMAIL.fullmatch(self.contact):
            return f"mailto:{self.contact}"
        return self.origin.rstrip("/") if self.origin.startswith("https://") else "mailto:operator@localhost"

    @property
    def address_requests(self) -> int:
        """Requests in a second for each address."""
        return self.requests_per_address or _VISITORS * self.requests_per_second

    @property
    def address_matches(self) -> int:
        """New matches in an hour for each address."""
        return self.matches_per_address or _BEGINNERS * self.matches_per_hour

    @property
    def address_matches_at_once(self) -> int:
        """New matches of each address at once."""
        return min(self.address_matches, 2 * self.matches_per_hour)

    @property
    def stored_in(self) -> str:
        """The file or the address of the database."""
        return self.database or str(folders.data_folder() / "matches.sqlite")

    @property
    def address_sign_ins(self) -> int:
        """Attempts to sign in for each address in an hour."""
        return self.sign_ins_per_address or _VISITORS * self.sign_ins_per_hour

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> ServerSettings:
        """Returns the settings; a value of `given` that is not None overrides the environment. Raises `BadArgument`."""
        values = {name: given[name] for name in cls.model_fields if given.get(name) is not None}
        try:
            settings = cls(**values)
        except ValidationError as error:
            raise _refusal(error) from None
        Limit(seconds=settings.seconds)  # this and the following raise `BadArgument`
        host_names(settings.allowed_hosts)
        proxy_networks(settings.trusted_proxies)
        origin_host(settings.origin)
        parse_weekly(settings.weekly_hour)
        if settings.tables_from:
            split_address(settings.tables_from)
        _check_notices(settings)
        return settings


def _check_notices(settings: ServerSettings) -> None:
    """Raises `BadArgument` for settings with which notices could not be sent."""
    contact = settings.push_contact
    if contact and not contact.startswith("https://") and not _EMAIL.fullmatch(contact.removeprefix("mailto:")):
        raise BadArgument(
            message(
                "{name} is an address such as {example}, not {text}.",
                name="push_contact",
                example="mailto:ann@example.org",
                text=shown(contact),
            )
        )
    if not settings.smtp_host:
        return
    if not _EMAIL.fullmatch(settings.smtp_from):
        raise BadArgument(
            message(
                "{name} is an address such as {example}, not {text}.",
                name="smtp_from",
                example="damier@example.org",
                text=shown(settings.smtp_from),
            )
        )
    if not settings.origin:
        raise BadArgument(
            message("E-mails have links: give the public address of the server with {option}.", option="--origin")
        )


def _refusal(error: ValidationError) -> BadArgument:
    """Returns the first error as one sentence."""
    first = error.errors()[0]
    name, text = str(first["loc"][0]), shown(str(first["input"]))
    field = ServerSettings.model_fields[name]
    bounds = field.metadata
    if choices := [each for each in get_args(field.annotation) if isinstance(each, str)]:
        return BadArgument(
            message("{name} is one of {choices}, not {text}.", name=name, choices=", ".join(choices), text=text)
        )
    if field.annotation is bool:
        return BadArgument(
            message("{name} is {yes} or {no}, not {text}.", name=name, yes="true", no="false", text=text)
        )
    if field.annotation is str:
        return BadArgument(message("{name} is too long: {text}.", name=name, text=text))
    if not bounds:
        return BadArgument(message("{name} takes a number, not {text}.", name=name, text=text))
    low = next(bound.ge for bound in bounds if isinstance(bound, Ge))
    high = next(bound.le for bound in bounds if isinstance(bound, Le))
    return BadArgument(
        message(
            "{name} takes a whole number from {low} to {high}, not {value}.", name=name, low=low, high=high, value=text
        )
    )
