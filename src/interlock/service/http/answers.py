"""Answers as JSON: compact, instants in UTC with a Z, and never a value that JSON does not have."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from datetime import date, datetime
from typing import Any

from starlette.responses import Response

from ...workflow.columns.instant import instant_text


def default(value: Any) -> Any:
    """Values that JSON has no word for."""
    if isinstance(value, datetime):
        return instant_text(value) if value.tzinfo else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=str)
    return str(value)


_strict = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=default).encode


def finite(value: Any) -> Any:
    """Numbers that JSON cannot write become null; rare enough to look for only when encoding has failed."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): finite(one) for name, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list | tuple) else value


def encoded(value: Any) -> bytes:
    try:
        text = _strict(value)
    except ValueError:
        text = _strict(finite(value))
    return text.encode("utf-8", "replace")


class Json(Response):
    """An answer; built by hand, for lists are long."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return encoded(content)
