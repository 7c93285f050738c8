"""Requests about tables of exact values: whether there is one, and building it."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request

import damier
from damier.server.dependencies import SharedServices, refuse_foreign_origin, within_limits
from damier.server.wire.analysis import TableStatus
from damier.server.wire.games import GameChoice

router = APIRouter(prefix="/api/tables", dependencies=[Depends(within_limits)])


@router.post("/look")
async def show(choice: GameChoice, services: SharedServices) -> TableStatus:
    """The status of a game's table."""
    return services.builds.status(damier.load(choice.game, **choice.options))


@router.post("/build", status_code=202)
async def build(choice: GameChoice, request: Request, services: SharedServices) -> TableStatus:
    """Begins to build a table, unless it is there; returns its status."""
    refuse_foreign_origin(request, services)
    game = damier.load(choice.game, **choice.options)
    services.builds.start(game)
    return services.builds.status(game)
