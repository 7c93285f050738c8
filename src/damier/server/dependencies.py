"""Dependencies of the routes: the shared services, the visitor within the rate limit, and the origin check."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from damier.core.messages import message
from damier.server.errors import NotAllowed, TooManyRequests
from damier.server.services import Services
from damier.server.visitors import COOKIE, is_same_origin, visitor_of


def shared_services(connection: HTTPConnection) -> Services:
    """Returns the services that all requests share."""
    services: Services = connection.app.state.services
    return services


def owner_of(connection: HTTPConnection) -> str:
    """Returns the visitor's name for limits and queues: the cookie's, or the address of a visitor without one."""
    visitor = visitor_of(connection.cookies.get(COOKIE))
    return visitor or f"address {connection.client.host if connection.client else ''}"


def within_limits(request: Request) -> str:
    """Returns the visitor, "" without a cookie; raises `TooManyRequests`."""
    if not shared_services(request).requests.take(owner_of(request)):
        raise TooManyRequests(message("That is too fast: wait a moment."))
    return visitor_of(request.cookies.get(COOKIE))


Visitor = Annotated[str, Depends(within_limits)]
Owner = Annotated[str, Depends(owner_of)]
SharedServices = Annotated[Services, Depends(shared_services)]


def refuse_foreign_origin(request: Request, services: Services) -> None:
    """Raises `NotAllowed` for a request that a page of another site has made a browser send."""
    if not is_same_origin(request.headers, services.settings.origin):
        raise NotAllowed(message("The request comes from another page."))
