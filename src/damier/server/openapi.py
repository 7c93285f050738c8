"""The description of the interface, with what OpenAPI itself has no place for: messages of sockets, data in pages.

`components.schemas` holds every model of `damier.server.wire` that is sent or received, so that clients can generate
their types from one file. `x-sockets` says which of them go through which socket.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from fastapi import Response
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic_core import to_json

from damier.server.wire.analysis import AnalysisMessage, AnalysisRequest, ReviewLine
from damier.server.wire.lobby import LobbyMessage, LobbyRequest
from damier.server.wire.matches import MatchMessage, MatchRequest
from damier.server.wire.me import VisitData
from damier.server.wire.model import WireModel
from damier.server.wire.notices import NoticePageMessage, NoticeRequest
from damier.server.wire.records import RecordDraft
from damier.server.wire.streams import MatchLine, PersonLine

if TYPE_CHECKING:
    from fastapi import FastAPI

_REFS = "#/components/schemas/{model}"
_UNIONS: dict[str, Any] = {
    "MatchRequest": MatchRequest,
    "MatchMessage": MatchMessage,
    "LobbyRequest": LobbyRequest,
    "LobbyMessage": LobbyMessage,
    "NoticeRequest": NoticeRequest,
    "NoticePageMessage": NoticePageMessage,
    "AnalysisRequest": AnalysisRequest,
    "AnalysisMessage": AnalysisMessage,
    "ReviewLine": ReviewLine,
    "PersonLine": PersonLine,
    "MatchLine": MatchLine,
    "VisitData": VisitData,
    "RecordDraft": RecordDraft,
}
_SOCKETS = {
    "/api/matches/{number}/live": ("MatchRequest", "MatchMessage"),
    "/api/lobby/live": ("LobbyRequest", "LobbyMessage"),
    "/api/notices/live": ("NoticeRequest", "NoticePageMessage"),
    "/api/lines/live": ("AnalysisRequest", "AnalysisMessage"),
}


def body_of(model: type[WireModel]) -> dict[str, Any]:
    """Returns the description of a route that reads its body itself."""
    schema = {"$ref": _REFS.format(model=model.__name__)}
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, "required": True}}


def describe(app: FastAPI) -> None:
    """Adds the messages of the sockets to the description of the application."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _description(app)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the documented way to extend it

    @app.get("/api/openapi.json", include_in_schema=False)
    async def description() -> Response:
        """The description of the interface; it takes half a second to make, in a thread."""
        return Response(await asyncio.to_thread(lambda: to_json(openapi())), media_type="application/json")


def _description(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
    schemas: dict[str, Any] = schema["components"]["schemas"]
    for name, union in _UNIONS.items():
        adapter: TypeAdapter[Any] = TypeAdapter(union)
        is_received = name.endswith(("Request", "Draft"))
        mode: Literal["validation", "serialization"] = "validation" if is_received else "serialization"
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
