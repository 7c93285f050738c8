"""Dependencies of the routes: the shared services, the visitor within limits, work in processes, who may do what."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from damier.core.messages import message
from damier.engine.pool.job import Job
from damier.engine.pool.request import Request as EngineRequest
from damier.server.errors import NotAllowed
from damier.server.front.visitors import address_of, is_same_origin
from damier.server.people.account import Account, Identity
from damier.server.services import Services
from damier.server.store.store import now

T = TypeVar("T")


def shared_services(connection: HTTPConnection) -> Services:
    """Returns the services that all requests share."""
    services: Services = connection.app.state.services
    return services


def visitor_of(connection: HTTPConnection) -> str:
    """Returns the visitor, "" without a valid cookie."""
    return shared_services(connection).visitors.of(connection)


def owner_of(connection: HTTPConnection) -> str:
    """Returns the visitor's name for queues: the cookie's, or the address of a visitor without one."""
    return visitor_of(connection) or f"address {address_of(connection)}"


# FastAPI calls a dependency that is not async in a thread.


async def _services(connection: HTTPConnection) -> Services:
    return shared_services(connection)


async def _visitor(connection: HTTPConnection) -> str:
    return visitor_of(connection)


Visitor = Annotated[str, Depends(_visitor)]
SharedServices = Annotated[Services, Depends(_services)]


class Pages:
    """Work for a page in the processes of the pages, on behalf of a visitor."""

    def __init__(self, connection: HTTPConnection) -> None:
        self._work = shared_services(connection).pages
        self.owner, self._group = owner_of(connection), address_of(connection)

    async def run(self, function: Callable[..., Any], *arguments: Any) -> bytes:
        """Returns what a function returns, as JSON."""
        return await self._work.run(self.owner, self._group, function, *arguments)

    async def answer(self, function: Callable[..., Any], *arguments: Any) -> Response:
        """Answers with what a function returns."""
        return _json(await self.run(function, *arguments))

    async def run_once(self, function: Callable[..., Any], *arguments: Any) -> bytes:
        """Returns what a function returns, which is the same for everybody and is kept."""
        return await self._work.run_once(self.owner, self._group, function, *arguments)

    async def answer_once(self, function: Callable[..., Any], *arguments: Any) -> Response:
        """Answers with what a function returns, which is the same for everybody and is kept."""
        return _json(await self.run_once(function, *arguments))


class Engines:
    """Work in the engine's processes, on behalf of a visitor."""

    def __init__(self, connection: HTTPConnection) -> None:
        self._workers = shared_services(connection).workers
        self.owner, self._group = owner_of(connection), address_of(connection)

    def submit(self, request: EngineRequest[T]) -> Job[T]:
        """Queues a request; raises `QueueFull`."""
        return self._workers.submit(request, self.owner, self._group)

    async def run(self, request: EngineRequest[T]) -> T:
        """Returns the answer to a request."""
        return await self.submit(request)

    async def answer(self, request: EngineRequest[bytes]) -> Response:
        """Answers with the answer to a request."""
        return _json(await self.run(request))


def _json(data: bytes) -> Response:
    return Response(data, media_type="application/json")


async def page_desk(connection: HTTPConnection) -> Pages:
    """Returns the processes of the pages, for this visitor."""
    return Pages(connection)


async def engine_desk(connection: HTTPConnection) -> Engines:
    """Returns the engine's processes, for this visitor."""
    return Engines(connection)


PageDesk = Annotated[Pages, Depends(page_desk)]
EngineDesk = Annotated[Engines, Depends(engine_desk)]


def request_budget(connection: HTTPConnection) -> Callable[[], None]:
    """Returns a function that takes a token for a request over a socket, or raises `TooManyRequests`."""
    spend, visitor, address = shared_services(connection).requests.spend, visitor_of(connection), address_of(connection)
    return lambda: spend(visitor, address)


# Who may do what


class Scope:
    """A dependency that says which scope a token needs for a route; a session needs none."""

    def __init__(self, scope: str) -> None:
        self.scope = scope

    async def __call__(self, connection: HTTPConnection) -> None:
        """Raises `NotAllowed` if the request has a token that is not good for this."""
        identity = shared_services(connection).visitors.identity(connection)
        if identity:
            _refuse_scope(identity, self.scope)


def has_scope(scope: str) -> Any:
    """Returns what a route's `dependencies` list, so that tokens with a scope may call it; others may not."""
    return Depends(Scope(scope))


async def _open_to_banned() -> None:
    """Marks a route that changes something and that a banned account may call all the same."""


OPEN_TO_BANNED = Depends(_open_to_banned)


def _scope_of(connection: HTTPConnection) -> str | None:
    """Returns the scope that the route of a request declares."""
    return next((call.scope for call in _calls(connection) if isinstance(call, Scope)), None)


def _calls(connection: HTTPConnection) -> Iterator[Any]:
    """Yields the dependencies of the route of a request."""
    dependant = getattr(connection.scope.get("route"), "dependant", None)
    return (each.call for each in dependant.dependencies) if dependant else iter(())


def _refuse_scope(identity: Identity, scope: str | None) -> None:
    if identity.scopes is None or scope in identity.scopes:
        return
    if scope is None:
        raise NotAllowed(message("A token cannot do that: sign in."))
    raise NotAllowed(message("The token is not good for that: it needs the scope {scope}.", scope=scope))


def _refuse_banned(identity: Identity) -> None:
    if identity.account.is_banned(now()):
        raise NotAllowed(message("This account is banned: it can read, but not play or write."))


async def _signed_in(connection: HTTPConnection) -> Account:
    identity = shared_services(connection).visitors.identity(connection)
    if identity is None:
        raise NotAllowed(message("Sign in first."))
    _refuse_scope(identity, _scope_of(connection))
    return identity.account


SignedIn = Annotated[Account, Depends(_signed_in)]
"""The account that acts; `NotAllowed` without one, or with a token where the route declares no scope."""


def right_to_play(socket: HTTPConnection) -> Callable[[], Awaitable[None]]:
    """Returns a function for each request over a socket: raises `NotAllowed` once its account may not play."""
    services = shared_services(socket)
    identity = services.visitors.identity(socket)

    async def check() -> None:
        if identity is None:
            return
        renewed = await services.credentials.renewed(identity)
        if renewed is None:
            raise NotAllowed(message("Sign in first."))
        _refuse_scope(renewed, "play")
        _refuse_banned(renewed)

    return check


def refuse_foreign_origin(request: Request, services: Services) -> None:
    """Raises `NotAllowed` for a request to change something that must not: called by all routes that do.

    Such are requests that a page of another site has made a browser send, those of banned accounts, and those with a
    token where the route declares no scope.
    """
    if not is_same_origin(request.headers, services.settings.origin):
        services.metrics.refused("origin")
        raise NotAllowed(message("The request comes from another page."))
    if identity := services.visitors.identity(request):
        _refuse_scope(identity, _scope_of(request))
        if _open_to_banned not in _calls(request):
            _refuse_banned(identity)
