"""An authenticator in software, which makes and uses passkeys as a browser does."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import struct
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

_PRESENT, _VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Authenticator:
    """One passkey; `is_verified` says whether it checks who uses it."""

    def __init__(self, origin: str = "http://testserver", *, is_verified: bool = True) -> None:
        self.origin, self._is_verified = origin, is_verified
        self.id = secrets.token_bytes(16)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._count = 0

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answers the options of a new passkey."""
        numbers = self._key.public_key().public_numbers()
        key = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})
        about = self._about(options["rp"]["id"], _HAS_KEY) + bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        response = {
            "clientDataJSON": text(self._client("webauthn.create", options)),
            "attestationObject": text(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": about})),
        }
        return self._credential(response)

    def use(self, options: dict[str, Any]) -> dict[str, Any]:
        """Answers the options of signing in."""
        client, about = self._client("webauthn.get", options), self._about(options["rpId"], 0)
        signature = self._key.sign(about + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"clientDataJSON": client, "authenticatorData": about, "signature": signature}
        return self._credential({name: text(part) for name, part in parts.items()})

    def _about(self, site: str, flags: int) -> bytes:
        self._count += 1
        flags |= _PRESENT | (_VERIFIED if self._is_verified else 0)
        return hashlib.sha256(site.encode()).digest() + struct.pack(">BI", flags, self._count)

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response}
