"""The description of the interface: nothing is untyped, sockets are described, and the committed file is current."""

from collections.abc import Iterator
from typing import Any

from fastapi.routing import APIWebSocketRoute

from damier.server import app
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tools import openapi

DESCRIPTION = app.create_app(Services(ServerSettings())).openapi()
SCHEMAS: dict[str, Any] = DESCRIPTION["components"]["schemas"]
TYPED = {"$ref", "type", "anyOf", "oneOf", "const", "enum"}


def untyped(schema: Any, where: str) -> Iterator[str]:
    """Yields the places in a schema at which anything goes."""
    if not isinstance(schema, dict) or not TYPED & set(schema):
        yield where
        return
    if schema.get("type") == "object":
        if "properties" not in schema and not isinstance(schema.get("additionalProperties"), dict):
            yield where
        if isinstance(schema.get("additionalProperties"), dict):
            yield from untyped(schema["additionalProperties"], f"{where}.*")
    if schema.get("type") == "array":
        for number, item in enumerate(schema.get("prefixItems", [schema.get("items")])):
            yield from untyped(item, f"{where}[{number}]")
    for name, part in schema.get("properties", {}).items():
        yield from untyped(part, f"{where}.{name}")
    for kind in ("anyOf", "oneOf"):
        for number, part in enumerate(schema.get(kind, ())):
            yield from untyped(part, f"{where}.{kind}{number}")


OPAQUE = {
    *(f"{model}.settings" for model in ("NewAccount", "PasskeyAccount", "SettingsData")),  # the browser's, kept for it
    *(
        f"{model}.credential" for model in ("PasskeyAccount", "PasskeyAnswer")
    ),  # WebAuthn's JSON, checked by its package
    "PasskeyChallenge.options",
}


def bodies() -> Iterator[tuple[str, str, Any]]:
    """Yields the schema of every request and answer, with its place and media type."""
    for path, methods in DESCRIPTION["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            for media, content in operation.get("requestBody", {}).get("content", {}).items():
                yield f"{where} request", media, content
            for status, response in operation["responses"].items():
                for media, content in response.get("content", {}).items():
                    yield f"{where} {status}", media, content
            for parameter in operation.get("parameters", ()):
                yield f"{where} {parameter['name']}", "application/json", parameter


def test_the_checker_finds_what_is_untyped() -> None:
    listed = {"type": "array", "items": {}}
    objects = {"type": "object", "properties": {"x": {}, "y": {"type": "object"}, "z": listed}}
    assert list(untyped(objects, "o")) == ["o.x", "o.y", "o.z[0]"]
    assert list(untyped({"anyOf": [{"type": "object", "additionalProperties": True}]}, "o")) == ["o.anyOf0"]


def test_no_model_has_an_untyped_part_but_what_is_not_ours_to_type() -> None:
    assert {place for name, schema in SCHEMAS.items() for place in untyped(schema, name)} == OPAQUE


def test_every_request_and_answer_is_typed() -> None:
    found = []
    for where, media, content in bodies():
        if media == "application/x-ndjson":
            found += list(untyped(content["itemSchema"], where))
        elif media != "image/png":
            found += list(untyped(content.get("schema"), where))
    assert found == ["get /api/my/matches/records 200[0]"]  # a file of records, which docs/records.md specifies


def test_every_model_refuses_unknown_keys() -> None:
    ours = {name: schema for name, schema in SCHEMAS.items() if "properties" in schema}
    assert len(ours) > 80
    assert [name for name, schema in ours.items() if schema.get("additionalProperties") is not False] == []


def test_sockets_are_described() -> None:
    sockets = DESCRIPTION["x-sockets"]
    for socket in sockets.values():
        for way in ("receives", "sends"):
            assert socket[way]["$ref"].rpartition("/")[2] in SCHEMAS
    routes = [route for part in app.ROUTED for route in part.router.routes]
    assert {route.path for route in routes if isinstance(route, APIWebSocketRoute)} == set(sockets)


def test_the_committed_description_is_current() -> None:
    assert openapi.FILE.read_text("utf-8") == openapi.description(), "run python -m tools.openapi"
