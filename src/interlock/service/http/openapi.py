"""The OpenAPI document: what FastAPI says of the routes, with the problems, the key and who may do what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI

from ..schemas import shape as shapes
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
PATHS_OF_MODULES = frozenset({"interlock", "service", "schemas", "records", "workflows", "api", "shapes"})
"""Parts of a module's path that say nothing about what a schema is of."""
SCHEMAS = "#/components/schemas/"
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
    """Return the whole OpenAPI document."""
    document: dict[str, Any] = with_short_names(api.openapi())
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


def with_short_names(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document, with a short name for every schema. Where two modules have a class of one name, FastAPI calls both by their modules'
    paths; here the service's own keeps its name, and the other gets that of its workflow: `StatementsTimeline`."""
    schemas: Mapping[str, Any] = document.get("components", {}).get("schemas", {})
    names: dict[str, str] = {name: name for name in schemas if "__" not in name}
    for name in sorted((name for name in schemas if "__" in name), key=_is_of_a_workflow):
        *modules, word = name.split("__")
        telling = [part for part in modules if part not in PATHS_OF_MODULES]
        for parts in (telling, modules):
            short = "".join(part.title().replace("_", "") for part in parts) + word
            if short not in names.values():
                break
        names[name] = short
    renamed: dict[str, Any] = _renamed(
        document, {f"{SCHEMAS}{old}": f"{SCHEMAS}{new}" for old, new in names.items()}
    )
    if schemas:
        renamed["components"]["schemas"] = {
            new: {**renamed["components"]["schemas"][old], **({} if old == new else {"title": new})}
            for old, new in names.items()
        }
    return renamed


def _is_of_a_workflow(name: str) -> bool:
    return not name.startswith("interlock__service__")


def _renamed(value: Any, references: Mapping[str, str]) -> Any:
    """A copy in which every reference has its new name."""
    if isinstance(value, Mapping):
        return {key: _renamed(one, references) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, references) for one in value]
    return references.get(value, value) if isinstance(value, str) else value
