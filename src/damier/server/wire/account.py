"""Wire models of accounts."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from damier.server.people.account import Scope
from damier.server.wire.matches import MatchSummary
from damier.server.wire.model import WireModel

LONGEST_SETTINGS, DEEPEST_SETTINGS = 100_000, 6  # characters of JSON, objects and lists in each other
LONGEST_CREDENTIAL = 20_000  # characters of JSON


def _is_encodable(text: str) -> str:
    """Refuses lone surrogates, which can be neither stored nor sent, and null characters, which not all can store."""
    text.encode()
    if "\0" in text:
        raise ValueError("null characters are not allowed")
    return text


Text = Annotated[str, AfterValidator(_is_encodable)]
Name = Annotated[Text, Field(max_length=100)]
Password = Annotated[Text, Field(max_length=1000)]
Label = Annotated[Text, Field(max_length=40)]


def _is_bounded(settings: dict[str, Any]) -> dict[str, Any]:
    level: list[Any] = [settings]
    for _ in range(DEEPEST_SETTINGS):
        inner = [list(each.values()) if isinstance(each, dict) else each for each in level]
        level = [each for group in inner for each in group if isinstance(each, dict | list)]
    if level:
        raise ValueError(f"settings are at most {DEEPEST_SETTINGS} levels deep")
    text = json.dumps(settings)
    if len(text) > LONGEST_SETTINGS:
        raise ValueError(f"settings have at most {LONGEST_SETTINGS} characters")
    if "\\u0000" in text:
        raise ValueError("null characters are not allowed")
    _is_encodable(json.dumps(settings, ensure_ascii=False))
    return settings


Settings = Annotated[dict[str, Any], AfterValidator(_is_bounded)]


class NewAccount(WireModel):
    """The account to make."""

    name: Name
    password: Password
    is_program: bool = False
    settings: Settings = Field(default_factory=dict)
    """What the browser has kept for the guest."""


class SignInRequest(WireModel):
    """Signs in with a password."""

    name: Name
    password: Password


class AccountData(WireModel):
    """One's own account."""

    name: str
    is_program: bool
    is_moderator: bool
    banned_until: str | None
    """A time; null if the account is not banned."""

    email: str
    """For notices; empty if none was given."""

    has_password: bool
    recovery_codes: int
    """How many are left."""

    created: str


class PasswordChange(WireModel):
    """Sets another password."""

    old: Password | None = None
    """Needed if the account has a password."""

    password: Password


class NameChange(WireModel):
    """Gives an account another name."""

    name: Name


class EmailChange(WireModel):
    """Sets the address for notices; empty for none."""

    email: Annotated[Text, Field(max_length=254)]


class AccountDeletion(WireModel):
    """Deletes an account."""

    name: Name
    """The account's own, typed again."""

    password: Password | None = None
    """Needed if the account has one."""


class SettingsData(WireModel):
    """Settings and progress, as the pages keep them."""

    settings: Settings


class SessionData(WireModel):
    """A browser that is signed in."""

    number: str
    browser: str
    created: str
    seen: str
    """When it was last used, to the hour."""

    is_this: bool
    """Whether it is the one that asks."""


class RecoveryCodes(WireModel):
    """New recovery codes, which are shown once."""

    codes: list[str]


class RecoveryRequest(WireModel):
    """Sets another password with a recovery code, and signs in."""

    name: Name
    code: Annotated[Text, Field(max_length=100)]
    password: Password


class TokenDraft(WireModel):
    """The token to make."""

    label: Label
    scopes: list[Scope] = Field(max_length=4)


class TokenData(WireModel):
    """A token with which a program acts for the account."""

    number: str
    label: str
    scopes: list[Scope]
    created: str
    used: str | None
    """When it was last used, to the hour."""


class MadeToken(TokenData):
    """A new token, which is shown once."""

    token: str


def _is_short(credential: dict[str, Any]) -> dict[str, Any]:
    if len(_is_encodable(json.dumps(credential, ensure_ascii=False))) > LONGEST_CREDENTIAL:
        raise ValueError(f"a credential has at most {LONGEST_CREDENTIAL} characters")
    return credential


class PasskeyStart(WireModel):
    """Asks for what a browser needs to make a passkey."""

    name: Name | None = None
    """Of the account to make; null for who is signed in."""


class PasskeyChallenge(WireModel):
    """What a browser needs to make or use a passkey; good for one attempt, for two minutes."""

    number: str
    options: dict[str, Any]
    """In the JSON of WebAuthn."""


class PasskeyAnswer(WireModel):
    """What a browser answers a challenge."""

    number: Annotated[Text, Field(max_length=64)]
    credential: Annotated[dict[str, Any], AfterValidator(_is_short)]
    """In the JSON of WebAuthn."""

    label: Label = ""


class PasskeyAccount(PasskeyAnswer):
    """Makes an account with a passkey."""

    settings: Settings = Field(default_factory=dict)
    """What the browser has kept for the guest."""


class PasskeyData(WireModel):
    """A passkey of the account."""

    number: str
    label: str
    created: str
    used: str | None


class PersonData(WireModel):
    """What everybody may know of an account."""

    name: str
    is_program: bool
    created: str
    """The day."""

    matches: list[MatchSummary]
    """The last ones with others, newest first."""
