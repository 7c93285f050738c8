"""The error for an engine, a program or a worker process that fails."""

from __future__ import annotations

from damier.core.errors import DamierError


class EngineFault(DamierError):
    """An engine or program did not start, died, fell silent, failed, or played an illegal action."""
