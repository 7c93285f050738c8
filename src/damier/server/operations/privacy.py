"""What the privacy page says of this server's settings."""

from __future__ import annotations

from fastapi import APIRouter

from damier.server.dependencies import SharedServices
from damier.server.wire.me import PrivacyData

router = APIRouter(prefix="/api/privacy")


@router.get("")
async def show(services: SharedServices) -> PrivacyData:
    """How long matches are kept, whether requests are logged, and whom to ask."""
    settings = services.settings
    return PrivacyData(keep_days=settings.keep_days, is_logging=settings.access_log, contact=settings.contact)
