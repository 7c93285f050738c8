"""Dependencies of the routes: the shared services, the visitor within limits, work in processes, the origin check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from damier.core.messages import message
from damier.engine.pool.job import Job
from damier.engine.pool.request import Request as EngineRequest
from damier.server.errors import NotAllowed
from damier.server.front.visitors import address_of, is_same_origin
from damier.server.services import Services

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


def refuse_foreign_origin(request: Request, services: Services) -> None:
    """Raises `NotAllowed` for a request that a page of another site has made a browser send."""
    if not is_same_origin(request.headers, services.settings.origin):
        services.metrics.refused("origin")
        raise NotAllowed(message("The request comes from another page."))
