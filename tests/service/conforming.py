"""Holds answers against the OpenAPI document: every status that is answered is declared, and every body is as it is declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import httpx
from jsonschema_rs import Draft202012Validator

from interlock import Workflow
from interlock.service.application import document

from .asking import Asker


class Declared:
    """The operations of an OpenAPI document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.components = document["components"]
        by_parameters = sorted(document["paths"].items(), key=lambda entry: entry[0].count("{"))
        self.operations = [
            (method.upper(), re.compile(re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(path))), operation)
            for path, methods in by_parameters
            for method, operation in methods.items()
        ]

    def refuse_undeclared(self, response: httpx.Response) -> None:
        """Raise AssertionError where the response is none that its operation declares; paths without an operation are not judged."""
        method, path = response.request.method, response.request.url.path
        for known, pattern, operation in self.operations:
            if known == method and pattern.fullmatch(path):
                self._compare(f"{method} {path}", operation["responses"], response)
                return

    def _compare(self, place: str, responses: Mapping[str, Any], response: httpx.Response) -> None:
        declared = responses.get(str(response.status_code))
        if declared is None:
            assert response.status_code >= 400, (
                f"{place} answers {response.status_code}, which is not declared"
            )
            declared = responses["default"]
        media = response.headers.get("content-type", "").partition(";")[0]
        if not media.endswith("json"):
            return
        assert media in declared["content"], f"{place} answers {media}, which is not declared"
        schema = {**declared["content"][media]["schema"], "components": self.components}
        assert len(schema) > 1, f"{place} declares no shape for {response.status_code}"
        wrong = [
            f"{'/'.join(map(str, error.instance_path))}: {error.message}"
            for error in Draft202012Validator(schema, validate_formats=True).iter_errors(response.json())
        ]
        assert wrong == [], f"{place}, {response.status_code}: {wrong}"


@cache
def declared_by(declare: Callable[[], Workflow | Sequence[Workflow]]) -> Declared:
    """The document of a service with the workflows that the function declares, made once."""
    made = declare()
    return Declared(document([made] if isinstance(made, Workflow) else list(made)))


class ConformingAsker(Asker):
    """Asks, and refuses answers that the document does not declare."""

    def __init__(self, application: Any, declared: Declared, **options: Any) -> None:
        super().__init__(application, **options)
        self.declared = declared

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        response = super().ask(method, path, **options)
        self.declared.refuse_undeclared(response)
        return response
