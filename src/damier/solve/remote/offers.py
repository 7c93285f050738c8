"""The tables that a damier server offers: the list of them, and one of them opened for probing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin, urlsplit

from damier.core.errors import DamierError
from damier.core.messages import Message, message
from damier.solve.file.reader import BadTable, quoted
from damier.solve.location import table_path
from damier.solve.numbering import name_of
from damier.solve.remote.connection import SECONDS, RequestRefused, ServerConnection, request_path, split_address
from damier.solve.remote.table import RemoteTable
from damier.solve.tables import TableMissing, Tables

if TYPE_CHECKING:
    from damier.core.game import Game

LIST = "/api/tables"
"""The path of the list on a server; the files are below it."""

_LIST_SECONDS = 6 * SECONDS  # a server that has just started computes the digests of its tables first
_MOST_BYTES = 1 << 22  # of a list


class NotOffered(DamierError):
    """A server does not offer this table."""


@dataclass(frozen=True)
class Offer:
    """A table that a server offers."""

    game: str
    options: dict[str, Any]
    entries: int
    bytes: int
    sha256: str
    """Of the file."""

    url: str


def offers(server: str, seconds: float = _LIST_SECONDS) -> list[Offer]:
    """Returns the tables that a server offers; `server` is its address, `seconds` the time-out."""
    address = server.rstrip("/") + LIST
    connection = ServerConnection(server, seconds)
    try:
        answer = connection.get(request_path(address), most=_MOST_BYTES)
    finally:
        connection.close()
    try:
        return [_offer(address, each) for each in json.loads(answer.body)["tables"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise connection.wrong(message("it is no list of tables")) from None


def _offer(address: str, data: Any) -> Offer:
    """Returns an entry of a list; raises `ValueError` or another error of data that are not as they should be."""
    url = urljoin(address, data["address"])
    found = Offer(data["game"], data["options"], data["entries"], data["bytes"], data["sha256"], url)
    is_typed = isinstance(found.game, str) and isinstance(found.options, dict)
    is_counted = all(type(number) is int and 0 < number < 1 << 50 for number in (found.entries, found.bytes))
    if not (is_typed and is_counted and re.fullmatch("[0-9a-f]{64}", found.sha256, re.ASCII)):
        raise ValueError
    if urlsplit(url)[:2] != split_address(address)[:2]:  # a server offers only files of its own
        raise ValueError
    return found


def find_offer(game: Game, server: str) -> Offer:
    """Returns the offer of a game's table; raises `NotOffered`."""
    for offer in offers(server):
        if (offer.game, offer.options) == (game.name, dict(game.options)):
            return offer
    raise NotOffered(_missing(game, server))


def open_table(tables: Tables, server: str) -> RemoteTable:
    """Opens the table of a server for probing; raises `TableMissing`, `BadTable` or another error of `RemoteTable`."""
    url = f"{server.rstrip('/')}{LIST}/{quote(table_path(tables.game).name)}"
    split_address(server)
    try:
        table = RemoteTable(url)
    except RequestRefused as error:
        if error.status != 404:
            raise
        raise TableMissing(_missing(tables.game, server)) from None
    if not tables.fits(table.header):
        table.close()
        raise BadTable(
            message(
                "The server {server} has a table of {game} that this program cannot use.",
                server=quoted(server),
                game=name_of(tables.game),
            )
        )
    return table


def _missing(game: Game, server: str) -> Message:
    return message("The server {server} has no table of {game}.", server=quoted(server), game=name_of(game))
