"""Requests about tables of exact values: whether there is one, and building it."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request

import damier
from damier.server.dependencies import SharedServices, refuse_foreign_origin
from damier.server.services import Services
from damier.server.wire.analysis import TableStatus
from damier.server.wire.games import GameChoice

router = APIRouter(prefix="/api/tables")


@router.post("/look")
async def show(choice: GameChoice, services: SharedServices) -> TableStatus:
    """The status of a game's table."""
    return await asyncio.to_thread(_status, choice, services)


@router.post("/build", status_code=202)
async def build(choice: GameChoice, request: Request, services: SharedServices) -> TableStatus:
    """Begins to build a table, unless it is there; returns its status."""
    refuse_foreign_origin(request, services)
    await services.builds.start(damier.load(choice.game, **choice.options))
    return await asyncio.to_thread(_status, choice, services)


def _status(choice: GameChoice, services: Services) -> TableStatus:
    """Returns the status of a game's table; in a thread, because the first one imports NumPy."""
    return services.builds.status(damier.load(choice.game, **choice.options))
