"""The description of the interface, with what OpenAPI itself has no place for: messages of sockets, data in pages.

`components.schemas` holds every model of `damier.server.wire` that is sent or received, so that clients can generate
their types from one file. `x-sockets` says which of them go through which socket.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from damier.server.wire.analysis import AnalysisMessage, AnalysisRequest, ReviewLine
from damier.server.wire.matches import MatchMessage, MatchRequest
from damier.server.wire.me import VisitData

if TYPE_CHECKING:
    from fastapi import FastAPI

_REFS = "#/components/schemas/{model}"
_UNIONS: dict[str, Any] = {
    "MatchRequest": MatchRequest,
    "MatchMessage": MatchMessage,
    "AnalysisRequest": AnalysisRequest,
    "AnalysisMessage": AnalysisMessage,
    "ReviewLine": ReviewLine,
    "VisitData": VisitData,
}
_SOCKETS = {
    "/api/matches/{number}/live": ("MatchRequest", "MatchMessage"),
    "/api/lines/live": ("AnalysisRequest", "AnalysisMessage"),
}


def describe(app: FastAPI) -> None:
    """Adds the messages of the sockets to the description of the application."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _description(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to extend it


def _description(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
    schemas: dict[str, Any] = schema["components"]["schemas"]
    for name, union in _UNIONS.items():
        adapter: TypeAdapter[Any] = TypeAdapter(union)
        mode: Literal["validation", "serialization"] = "validation" if name.endswith("Request") else "serialization"
        found = _without_nulls(adapter.json_schema(ref_template=_REFS, mode=mode))
        for model, described in found.pop("$defs", {}).items():
            known = schemas.setdefault(model, described)
            assert known == described, f"{model} is described in two ways"
        schemas[name] = {"title": name, **found}
    schema["components"]["schemas"] = dict(sorted(schemas.items()))
    schema["x-sockets"] = {
        path: {"receives": {"$ref": _REFS.format(model=receives)}, "sends": {"$ref": _REFS.format(model=sends)}}
        for path, (receives, sends) in _SOCKETS.items()
    }
    return schema


def _without_nulls(schema: Any) -> Any:
    """Returns a schema without keys whose value is null, as FastAPI leaves them out."""
    if isinstance(schema, dict):
        return {key: _without_nulls(value) for key, value in schema.items() if value is not None}
    return [_without_nulls(each) for each in schema] if isinstance(schema, list) else schema
