"""The check of answers against the OpenAPI document refuses what is not declared."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from interlock.workflows.content.workflow import declare
from tests.service.conforming import declared_by

REPLACEMENT = {"item_id": "a", "active_replacement": None}


@pytest.mark.parametrize(
    ("status", "body", "sentence"),
    [
        (200, REPLACEMENT, None),
        (404, {"title": "no"}, "application/json, which is not declared"),
        (200, {**REPLACEMENT, "more": 1}, "more"),
        (200, {"item_id": "a"}, "active_replacement"),
        (200, {**REPLACEMENT, "item_id": 7}, "item_id"),
        (201, REPLACEMENT, "201, which is not declared"),
    ],
)
def test_answers_that_are_not_declared_are_refused(status: int, body: Any, sentence: str | None) -> None:
    request = httpx.Request("GET", "http://127.0.0.1/api/v1/content/a/active-replacement")
    answer = httpx.Response(status, json=body, request=request)
    if sentence is None:
        declared_by(declare).refuse_undeclared(answer)
        return
    with pytest.raises(AssertionError, match=sentence):
        declared_by(declare).refuse_undeclared(answer)
