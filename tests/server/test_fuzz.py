"""Whatever is sent to a route is answered as declared or refused with one sentence: the server never fails.

Requests are made from the server's own description of its routes, good ones and bad ones; each is sent as it was made,
and again for a game and a match that exist. So a new route is tested as soon as it is there.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from damier.server.app import create_app
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.visitors import COOKIE, new_cookie

GAME = "renfa"
VISITOR = {COOKIE: new_cookie()}
SCHEMA = schemathesis.openapi.from_dict(
    create_app(Services(ServerSettings())).openapi(), config=SchemathesisConfig(seed=1)
)
AS_DECLARED = [status_code_conformance, content_type_conformance, response_schema_conformance]
REFUSED_IF_BAD = [negative_data_rejection, unsupported_method]


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server that takes any number of requests, thinks for a moment only and builds no tables."""
    given = {"workers": 1, "seconds": 0.01, "requests_per_second": 10**6, "matches_per_hour": 10**6}
    server = Services(ServerSettings.read({**given, "database": str(tmp_path / "matches.sqlite")}))
    monkeypatch.setattr("damier.server.analysis.evaluation._SECONDS", 0.01)
    monkeypatch.setattr(server.builds, "start", lambda _game: None)
    return create_app(server)


@pytest.fixture
def number(app: Any) -> str:
    """A match that is there."""
    with asgi.get_client(app) as client:
        asked = {"game": GAME, "seats": ["me", "open"]}
        return str(client.post("/api/matches", json=asked, cookies=VISITOR).json()["number"])


def examples(count: int) -> settings:
    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@SCHEMA.parametrize()
@examples(4)
def test_a_request_is_answered_or_refused_with_a_sentence(case: schemathesis.Case[Any], app: Any, number: str) -> None:
    ask(case, app, number)


@pytest.mark.slow
@SCHEMA.parametrize()
@examples(15)
def test_many_requests_are_answered_or_refused_with_a_sentence(
    case: schemathesis.Case[Any], app: Any, number: str
) -> None:
    ask(case, app, number)


def ask(case: schemathesis.Case[Any], app: Any, number: str) -> None:
    """Sends a request as it is, and once more with names and numbers that there are."""
    send(case, app, [*AS_DECLARED, *REFUSED_IF_BAD])
    known = {"name": GAME, "number": number if "/match" in case.path else 1}
    path, body = case.path_parameters, case.body
    case.path_parameters = {name: known.get(name, value) for name, value in path.items()}
    if isinstance(body, dict) and "game" in body:
        case.body = {**body, "game": GAME}
    if (case.path_parameters, case.body) != (path, body):
        send(case, app, AS_DECLARED, cookies=VISITOR)


def send(case: schemathesis.Case[Any], app: Any, checks: list[Any], **given: Any) -> None:
    answer = case.call(app=app, **given)
    case.validate_response(answer, checks=checks, transport_kwargs={"app": app, **given})
    assert answer.status_code < 500 or answer.status_code == 501  # a format that we do not have
    if answer.status_code >= 400:
        told = answer.json()
        assert list(told) == ["error"]
        assert re.fullmatch(r"\S.{8,300}\.", told["error"]), told
