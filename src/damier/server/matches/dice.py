"""Verifiable dice: rolls follow from a seed whose hash is published before the game and which is revealed after it."""

import hashlib
import hmac
import secrets

_FAIR = 252  # a multiple of 6; larger bytes would favour some sides


def new_seed() -> bytes:
    """Returns a seed for one match."""
    return secrets.token_bytes(32)


def seed_hash(seed: bytes) -> str:
    """Returns the hash that is published before the game."""
    return hashlib.sha256(seed).hexdigest()


def roll(seed: bytes, number: str, count: int, sides: int = 6) -> int:
    """Returns roll number `count`, from 0, of a match: 1 to `sides`."""
    text = f"{number}:{count}"
    again = 0
    while True:
        digest = hmac.new(seed, text.encode(), hashlib.sha256).digest()
        for byte in digest:
            if byte < _FAIR:
                return byte % sides + 1
        again += 1
        text = f"{number}:{count}:{again}"
