"""Passkeys (WebAuthn): challenges, and the verification of what browsers answer.

A challenge is good for one attempt within two minutes. It is a row of the database, which the attempt deletes: the two
requests may come to different processes. The package that verifies takes a quarter of a second to import: it is
imported with the first passkey, in a thread.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.requests import Request

from damier.core.messages import message
from damier.server.errors import NotAllowed, NotNow
from damier.server.people.credentials import earlier, new_number
from damier.server.store.statements import people
from damier.server.store.store import now

if TYPE_CHECKING:
    from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
    from webauthn.registration.verify_registration_response import VerifiedRegistration

    from damier.server.store.store import Store

_LIFETIME = timedelta(minutes=2)  # of a challenge
_CHALLENGE_BYTES = 32
_FOR_SIGN_IN = ""


@dataclass(frozen=True)
class Pending:
    """A challenge that waits for its answer."""

    challenge: bytes
    person: str
    """Who makes a passkey; "" if it is to sign in."""

    name: str = ""
    """Of the account to make, if there is none yet."""


class Passkeys:
    """Makes and verifies passkeys."""

    def __init__(self, store: Store, origin: str) -> None:
        self._store, self._origin = store, origin.rstrip("/")

    async def start_making(
        self, request: Request, person: str, name: str, known: Sequence[str], *, is_new: bool
    ) -> tuple[str, dict[str, Any]]:
        """Returns the number of a challenge, and what a browser needs to make a passkey for a person."""
        number, pending = await self._begin(person, name if is_new else "")
        return number, await asyncio.to_thread(_making, pending.challenge, self._site(request), person, name, known)

    async def start_sign_in(self, request: Request) -> tuple[str, dict[str, Any]]:
        """Returns the number of a challenge, and what a browser needs to use a passkey."""
        number, pending = await self._begin(_FOR_SIGN_IN)
        return number, await asyncio.to_thread(_using, pending.challenge, self._site(request))

    async def made(
        self, request: Request, number: str, credential: dict[str, Any], label: str
    ) -> tuple[Pending, dict[str, Any]]:
        """Returns who made a passkey, and its row without the person; raises `NotAllowed` or `NotNow`."""
        pending = await self._take(number, is_sign_in=False)
        found = await asyncio.to_thread(
            _verify_made, credential, pending.challenge, self._site(request), self._origins(request)
        )
        row = {
            "number": new_number(),
            "credential": _text(found.credential_id),
            "public_key": found.credential_public_key,
            "sign_count": found.sign_count,
            "label": label.strip(),
            "created": now(),
            "used": None,
        }
        return pending, row

    async def used(
        self, request: Request, number: str, credential: dict[str, Any], public_key: bytes, sign_count: int
    ) -> int:
        """Verifies the use of a passkey and returns its new count; raises `NotAllowed` or `NotNow`."""
        pending = await self._take(number, is_sign_in=True)
        given = (credential, pending.challenge, self._site(request), self._origins(request), public_key, sign_count)
        return (await asyncio.to_thread(_verify_used, *given)).new_sign_count

    async def _begin(self, person: str, name: str = "") -> tuple[str, Pending]:
        number, pending = secrets.token_urlsafe(16), Pending(secrets.token_bytes(_CHALLENGE_BYTES), person, name)
        row = {"number": number, **vars(pending), "until": earlier(-_LIFETIME)}
        await self._store.write("store a challenge", "", partial(people.add_challenge, row=row, now=now()))
        return number, pending

    async def _take(self, number: str, *, is_sign_in: bool) -> Pending:
        take = partial(people.take_challenge, number=number.replace("\0", "?"), now=now())
        found = await self._store.write("take a challenge", "", take)
        pending = Pending(found.challenge, found.person, found.name) if found else None
        if pending is None or (pending.person == _FOR_SIGN_IN) != is_sign_in:
            raise NotNow(message("That took too long: try again."))
        return pending

    def _site(self, request: Request) -> str:
        """Returns the name of the site, to which passkeys belong: of the public address, or the one in use."""
        host = request.headers.get("host", "")
        public = urlsplit(self._origin)
        return (public.hostname if public.netloc == host else urlsplit(f"//{host}").hostname) or "localhost"

    def _origins(self, request: Request) -> list[str]:
        host = request.headers.get("host", "")
        here = f"{request.url.scheme}://{host}"
        return [self._origin] if urlsplit(self._origin).netloc == host else [here]


def _text(credential: bytes) -> str:
    from webauthn.helpers import bytes_to_base64url

    return bytes_to_base64url(credential)


def _making(challenge: bytes, site: str, person: str, name: str, known: Sequence[str]) -> dict[str, Any]:
    import webauthn
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=site,
        rp_name="damier",
        user_id=bytes.fromhex(person),
        user_name=name,
        challenge=challenge,
        timeout=round(1000 * _LIFETIME.total_seconds()),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(each)) for each in known],
    )
    found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return found


def _using(challenge: bytes, site: str) -> dict[str, Any]:
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=site,
        challenge=challenge,
        timeout=round(1000 * _LIFETIME.total_seconds()),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    found: dict[str, Any] = json.loads(webauthn.options_to_json(options))
    return found


def _verify_made(credential: dict[str, Any], challenge: bytes, site: str, origins: list[str]) -> VerifiedRegistration:
    import webauthn

    try:
        return webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site,
            expected_origin=origins,
            require_user_verification=True,
        )
    except Exception as error:  # of many kinds, also for data that is not what its name says
        raise _unverified() from error


def _verify_used(
    credential: dict[str, Any], challenge: bytes, site: str, origins: list[str], public_key: bytes, sign_count: int
) -> VerifiedAuthentication:
    import webauthn

    try:
        return webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site,
            expected_origin=origins,
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
            require_user_verification=True,
        )
    except Exception as error:
        raise _unverified() from error


def _unverified() -> NotAllowed:
    return NotAllowed(message("The passkey could not be verified: try again."))
