"""Requests of operators and their programs: whether the server works, and its metrics."""

from __future__ import annotations

import asyncio
import ipaddress

from fastapi import APIRouter, Request, Response
from starlette.exceptions import HTTPException

from damier.core.messages import message
from damier.server.dependencies import SharedServices
from damier.server.errors import ServerFailed
from damier.server.operations.metrics import CONTENT_TYPE

router = APIRouter(include_in_schema=False)

_PATIENCE = 2.0  # seconds that the database may take to answer
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")  # a proxy on this machine passes a stranger's request on


@router.get("/healthz")
async def healthz(services: SharedServices) -> dict[str, str]:
    """Whether the server answers and the database can be read; raises `StoreFailed` or `ServerFailed`."""
    try:
        await asyncio.wait_for(services.store.read_once(), _PATIENCE)
    except TimeoutError:
        raise ServerFailed(message("The database does not answer.")) from None
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(services: SharedServices) -> dict[str, str]:
    """Whether new visitors may be sent here; raises `ServerFailed` while the server stops or its database is not right.

    A Redis that does not answer is told and does not matter: the server goes on without it.
    """
    if services.is_draining:
        raise ServerFailed(message("The server is stopping: try again in a moment."))
    try:
        async with asyncio.timeout(_PATIENCE):
            is_ours = await services.store.has_version()
    except TimeoutError:
        raise ServerFailed(message("The database does not answer.")) from None
    if not is_ours:
        raise ServerFailed(message("The database has another version than this program."))
    redis = "none" if not services.settings.redis else "ok" if await _answers(services) else "out of reach"
    return {"status": "ok", "version": services.store.version or "", "redis": redis}


async def _answers(services: SharedServices) -> bool:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await services.hub.answers()
    except TimeoutError:
        return False


@router.get("/metrics")
async def metrics(request: Request, services: SharedServices) -> Response:
    """The metrics in the text format of Prometheus, to those who may read them; 404 to others."""
    allowed = services.settings.metrics
    if allowed == "off" or (allowed == "local" and not _is_local(request)):
        raise HTTPException(404)
    return Response(await asyncio.to_thread(services.metrics.text), media_type=CONTENT_TYPE)


def _is_local(request: Request) -> bool:
    """Tells whether a request comes from a program on this machine, and not through a proxy."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
