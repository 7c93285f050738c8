"""Rolls that nobody can foresee and everybody can check: made of a seed whose hash is shown before the game."""

import hashlib
import hmac
import secrets

_FAIR = 252  # bytes from here on would favour some sides


def new_seed() -> bytes:
    """Returns a seed for one match."""
    return secrets.token_bytes(32)


def seed_hash(seed: bytes) -> str:
    """Returns what is shown of a seed before the game."""
    return hashlib.sha256(seed).hexdigest()


def roll(seed: bytes, number: str, count: int, sides: int = 6) -> int:
    """Returns what the die shows in a match, from 1 on, after `count` rolls."""
    text = f"{number}:{count}"
    again = 0
    while True:
        digest = hmac.new(seed, text.encode(), hashlib.sha256).digest()
        for byte in digest:
            if byte < _FAIR:
                return byte % sides + 1
        again += 1
        text = f"{number}:{count}:{again}"
