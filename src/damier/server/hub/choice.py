"""Which hub a server uses."""

from __future__ import annotations

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.hub.hub import Hub
from damier.server.hub.local import LocalHub


def make_hub(address: str) -> Hub:
    """Returns the hub in the Redis of an address, that of this process for an empty one; raises `BadArgument`."""
    if not address:
        return LocalHub()
    try:
        from damier.server.hub.redis_hub import RedisHub
    except ImportError:
        raise BadArgument(message("Redis needs a further package: {package}.", package="damier[redis]")) from None
    return RedisHub(address)
