"""Writes the TypeScript declarations of the wire format, from `openapi.json`, for the type check of the browser client.

Each model becomes an interface or a type of the same name. `Get`, `Post` and `Put` are the signatures of the functions
that send requests: one overload for each route, the more specific path first.

Run as ``python -m tools.client_types``; with ``--check`` it only says whether the committed file is up to date.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "openapi.json"
FILE = ROOT / "src/damier/server/client/net/wire.d.ts"
HEAD = "// Written by tools/client_types.py from openapi.json: change the models in damier/server/wire instead.\n"
API = "/api/"

Schema = dict[str, Any]
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations(described: Schema) -> str:
    """Returns the text of the declaration file for an OpenAPI description."""
    models = [_model(name, schema) for name, schema in described["components"]["schemas"].items()]
    requests = [_requests(name, described, name.lower()) for name in ("Get", "Post", "Put")]
    return "\n".join([HEAD, *models, *requests])


def _model(name: str, schema: Schema) -> str:
    head = _comment(schema.get("description"), "")
    if "properties" not in schema:
        return f"{head}export type {name} = {_type(schema)};\n"
    required = set(schema.get("required", ()))
    lines = []
    for key, value in schema["properties"].items():
        lines.append(
            _comment(value.get("description"), "  ") + f"  {key}{'' if key in required else '?'}: {_type(value)};"
        )
    return f"{head}export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def _comment(text: str | None, indent: str) -> str:
    return f"{indent}/** {' '.join(text.split())} */\n" if text else ""


def _type(schema: Schema) -> str:
    """Returns the TypeScript of a JSON schema; raises ValueError for what the wire format does not use."""
    if "$ref" in schema:
        found: str = schema["$ref"].rsplit("/", 1)[1]
        return found
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(each) for each in schema[union]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    if kind == "object" and schema.get("additionalProperties") is True:
        return "Record<string, unknown>"
    if kind in _PLAIN:
        return _PLAIN[kind]
    raise ValueError(f"no TypeScript for {schema}")


def _array(schema: Schema) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(each) for each in schema['prefixItems'])}]"
    inner = _type(schema["items"])
    return f"({inner})[]" if " " in inner else f"{inner}[]"


# Requests


def _requests(name: str, described: Schema, method: str) -> str:
    """Returns the overloads of a function that sends requests of one method and returns the JSON of the answer."""
    found = []
    for path, methods in described["paths"].items():
        answer = _answer(methods.get(method, {}))
        if not path.startswith(API) or not answer:
            continue
        body = methods[method].get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        second = f"body: {_type(body)}" if body else "query?: Record<string, string | number>"
        found.append((path, f"  (path: {_pattern(path)}, {second}): Promise<{_type(answer)}>;"))
    found.sort(key=lambda each: (-each[0].count("/"), each[0].count("{"), each[0]))
    return f"export interface {name} {{\n" + "\n".join(line for _, line in found) + "\n}\n"


def _answer(operation: Schema) -> Schema | None:
    """Returns the schema of the JSON that a successful request is answered, None where it is not JSON."""
    for status, response in operation.get("responses", {}).items():
        schema: Schema | None = response.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and schema:
            return schema
    return None


def _pattern(path: str) -> str:
    """Returns a path as a type: parameters are any string."""
    text = re.sub(r"\{\w+\}", "${string}", path.removeprefix(API))
    return f"`{text}`" if "$" in text else f'"{text}"'


def main() -> int:
    """Writes or checks the file."""
    wanted = declarations(json.loads(SOURCE.read_text("utf-8")))
    if "--check" not in sys.argv[1:]:
        FILE.write_text(wanted, "utf-8")
        print(f"{FILE.relative_to(ROOT)}: {len(wanted.splitlines())} lines")
        return 0
    if FILE.exists() and FILE.read_text("utf-8") == wanted:
        return 0
    print(f"{FILE.relative_to(ROOT)} is out of date: run python -m tools.client_types", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
