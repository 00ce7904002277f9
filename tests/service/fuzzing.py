"""Asks the operations of a service in a few tests of seconds each, without describing the service when tests are collected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from schemathesis.checks import load_all_checks
from schemathesis.pytest.lazy import get_all_tests

PARTS = 5


def ask_part(
    schema: schemathesis.BaseSchema,
    number: int,
    ask: Callable[..., None],
    subtests: pytest.Subtests,
    **fixtures: Any,
) -> None:
    """Call `ask` with Schemathesis's examples, edge cases and random cases of each operation of this part; each operation belongs to
    exactly one part, by its name alone."""

    def belongs_elsewhere(context: Any) -> bool:
        return crc32(context.operation.label.encode()) % PARTS != number

    load_all_checks()
    tests = list(
        get_all_tests(
            schema=schema.exclude(belongs_elsewhere), test_func=ask, settings=None, given_kwargs=None
        )
    )
    assert tests
    for one in tests:
        operation, run = one.ok()
        with subtests.test(operation.label):
            run(**fixtures)
