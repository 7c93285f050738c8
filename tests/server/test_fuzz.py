"""Whatever is sent to a route is answered as declared or refused with one sentence: the server never fails.

Requests are made from the server's own description of its routes, good ones and bad ones; each is sent as it was made,
and again for a game and a match that exist. So a new route is tested as soon as it is there.
"""

import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from damier.server.app import create_app
from damier.server.front.connections import Connections
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.listening import listening

GAME = "renfa"
PATIENCE = 120.0  # seconds for an answer, on a busy machine
SCHEMA = schemathesis.openapi.from_dict(
    create_app(Services(ServerSettings())).openapi(), config=SchemathesisConfig(seed=1)
)
AS_DECLARED = [status_code_conformance, content_type_conformance, response_schema_conformance]
REFUSED_IF_BAD = [negative_data_rejection, unsupported_method]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that takes any number of requests, thinks for a moment only, ends streams and builds no tables."""
    limits: dict[str, Any] = dict.fromkeys(("requests_per_second", "matches_per_hour"), 10**6)

    async def start(_game: object) -> None:
        pass

    home = tmp_path_factory.mktemp("home")
    with listening(home, Connections(1000, 1000, ()), workers=1, seconds=0.01, **limits) as server:
        server.services.builds.start = start  # type: ignore[assignment,method-assign]

        def end_streams() -> None:
            server.services.stop_streams()
            server.loop.call_later(0.1, end_streams)

        server.loop.call_soon_threadsafe(end_streams)
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module")
def visitor(address: str) -> dict[str, str]:
    """The cookie of a visitor."""
    with urllib.request.urlopen(f"{address}/api/me") as answer:
        name, _, value = answer.headers["Set-Cookie"].partition(";")[0].partition("=")
    return {name: value}


@pytest.fixture(scope="module")
def number(address: str, visitor: dict[str, str]) -> str:
    """A match that is there."""
    body = json.dumps({"game": GAME, "seats": ["me", "open"]}).encode()
    cookie = "; ".join(f"{name}={value}" for name, value in visitor.items())
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    with urllib.request.urlopen(urllib.request.Request(f"{address}/api/matches", body, headers)) as answer:
        return str(json.load(answer)["number"])


def examples(count: int) -> settings:
    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


@SCHEMA.parametrize()
@examples(2)
def test_a_request_is_answered_or_refused_with_a_sentence(
    case: schemathesis.Case[Any], address: str, visitor: dict[str, str], number: str
) -> None:
    ask(case, address, visitor, number)


@pytest.mark.slow
@SCHEMA.parametrize()
@examples(15)
def test_many_requests_are_answered_or_refused_with_a_sentence(
    case: schemathesis.Case[Any], address: str, visitor: dict[str, str], number: str
) -> None:
    ask(case, address, visitor, number)


def ask(case: schemathesis.Case[Any], address: str, visitor: dict[str, str], number: str) -> None:
    """Sends a request as it is, and once more with names and numbers that there are."""
    send(case, address, [*AS_DECLARED, *REFUSED_IF_BAD])
    known = {"name": GAME, "number": number if "/match" in case.path else 1}
    path, body = case.path_parameters, case.body
    case.path_parameters = {name: known.get(name, value) for name, value in path.items()}
    if isinstance(body, dict) and "game" in body:
        case.body = {**body, "game": GAME}
    if (case.path_parameters, case.body) != (path, body):
        send(case, address, AS_DECLARED, cookies=visitor)


def send(case: schemathesis.Case[Any], address: str, checks: list[Any], **given: Any) -> None:
    answer = case.call(base_url=address, timeout=PATIENCE, **given)
    case.validate_response(answer, checks=checks, transport_kwargs={"base_url": address, **given})
    assert answer.status_code < 500 or answer.status_code == 501  # a format that we do not have
    if answer.status_code >= 400:
        told = answer.json()
        assert list(told) == ["error"]
        assert re.fullmatch(r"\S.{8,300}\.", told["error"]), told
