"""Requests about tables of exact values: whether there is one, and its building."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request

import damier
from damier.server.dependencies import Service, asking, refuse_foreign
from damier.server.wire import Chosen

router = APIRouter(prefix="/api/tables", dependencies=[Depends(asking)])


@router.post("/look")
async def look(chosen: Chosen, server: Service) -> dict[str, Any]:
    """What is known of the table of a game with its options."""
    return server.builds.data(damier.load(chosen.game, **chosen.options))


@router.post("/build", status_code=202)
async def build(chosen: Chosen, request: Request, server: Service) -> dict[str, Any]:
    """Begins to build a table, if it is not there; tells how far it is."""
    refuse_foreign(request, server)
    game = damier.load(chosen.game, **chosen.options)
    server.builds.start(game)
    return server.builds.data(game)
