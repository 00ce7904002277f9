"""The OpenAPI document: what FastAPI says of the routes, with the problems, the key and who may do what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI

from ..schemas import records as shapes
from .access import OPEN, V1

PROBLEM = {"$ref": "#/components/schemas/Problem"}
PROBLEMS = {
    "400": "The request is not as it must be.",
    "401": "No key, or one that does not hold.",
    "403": "Not allowed to whoever asks.",
    "404": "No such record, kind or axis.",
    "409": "Refused as the record is now, or somebody else moved it first.",
    "412": "The record is not at the version in If-Match any more.",
    "413": "The body is too large.",
    "415": "A file of a kind that is not taken.",
    "422": "A state that the machine does not have, or a key that came with another command before.",
    "429": "Too many requests.",
    "503": "The database is away, or its schema is another.",
    "default": "Any other problem.",
}
ALL, ACTS = ("400", "401", "403", "404", "429", "503", "default"), ("409", "412", "413", "422")


def responses(
    path: str,
    method: str,
    status: int,
    shape: type[shapes.Shape] | None,
    content: Mapping[str, Any] | None = None,
    problems: Sequence[str] = (),
    also: Mapping[int, type[shapes.Shape]] | None = None,
) -> dict[int | str, dict[str, Any]]:
    """What a route may answer; `problems` are those beside the ones that any may have."""
    if content is not None:
        first: dict[str, Any] = {
            "description": "The text.",
            "content": {media: {"schema": schema} for media, schema in content.items()},
        }
    elif shape is not None:
        first = {"description": (shape.__doc__ or "").strip(), "model": shape}
    elif path.endswith("diagram"):
        first = {
            "description": "The drawing.",
            "content": {
                "image/svg+xml": {"schema": {"type": "string"}},
                "text/plain": {"schema": {"type": "string"}},
            },
        }
    else:
        first = {
            "description": "Server-sent events: `ready`, then `move` for each entry, with its cursor as id.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    codes = (
        *ALL,
        *(problems or (ACTS if method == "POST" else ("422",) if path.endswith("/records") else ())),
    )
    more: dict[int | str, dict[str, Any]] = {
        code: {"description": (one.__doc__ or "").strip(), "model": one} for code, one in (also or {}).items()
    }
    return {
        status: first,
        **more,
        **{
            code: {
                "description": PROBLEMS[code],
                "content": {"application/problem+json": {"schema": PROBLEM}},
            }
            for code in codes
        },
    }


def completed(api: FastAPI) -> dict[str, Any]:
    """The whole document."""
    document = api.openapi()
    parts = document.setdefault("components", {})
    parts.setdefault("schemas", {})["Problem"] = shapes.Problem.model_json_schema()
    parts["securitySchemes"] = {
        "key": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "ilk_…",
            "description": "An API key; the user who runs the service needs none on the same machine.",
        }
    }
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            least = api.state.table[method.upper(), path]
            operation["security"] = [] if least == OPEN else [{"key": []}]
            operation["x-least-scope"] = least
            operation["operationId"] = (
                f"{method}{path.removeprefix(V1).replace('/', '_').replace('{', '').replace('}', '')}"
            )
    return document
