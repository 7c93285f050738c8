"""What every request is asked first: who sends it, from which page, and whether it comes too often."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from damier.core.messages import message
from damier.server.matches.match import NotAllowed
from damier.server.services import Server, TooMuch
from damier.server.visitors import COOKIE, is_same_origin, visitor_of


def service(request: Request) -> Server:
    """Returns what all requests share."""
    server: Server = request.app.state.server
    return server


def asking(request: Request) -> str:
    """Returns who asks, or nothing for somebody without a cookie; refuses who asks too often."""
    visitor = visitor_of(request.cookies.get(COOKIE))
    limited = visitor or f"address {request.client.host if request.client else ''}"
    if not service(request).requests.take(limited):
        raise TooMuch(message("That is too fast: wait a moment."))
    return visitor


Visitor = Annotated[str, Depends(asking)]
Service = Annotated[Server, Depends(service)]


def refuse_foreign(request: Request, server: Server) -> None:
    """Refuses what another page makes a browser send."""
    if not is_same_origin(request.headers, server.settings.origin):
        raise NotAllowed(message("The request comes from another page."))
