"""Parameters that several statements share: ids as one array, and the detail of a batch with the SQL that keeps it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from ....errors import RefusedByDatabase
from ...entry import Detail
from ...faults import UNKNOWN_TYPE

_PLAIN = re.compile(r"[A-Za-z0-9_,.:-]*")
DETAIL = (
    ", detail AS (INSERT INTO interlock_detail(digest, salt, reason, facts, kind, record_id) "
    "SELECT %(digest)b, %(salt)b, %(reason)s, %(facts)s, %(owner_kind)s, %(owner_id)s WHERE EXISTS (SELECT 1 FROM {source}) "
    "ON CONFLICT DO NOTHING)"
)


def array(keys: Sequence[Any]) -> Any:
    """Ids as one parameter: an array literal costs a third of a list where nothing needs quoting."""
    if keys and all(type(key) is int for key in keys):
        return "{" + ",".join(map(str, keys)) + "}"
    return list(keys)


def array_literal(values: list[Any]) -> Any:
    """A list as one parameter: where nothing needs quoting, an array literal costs a third of what the driver makes of a list."""
    try:
        joined = ",".join(values)
    except TypeError:
        kinds = set(map(type, values))
        if kinds == {type(None)}:
            return "{" + ",".join(["NULL"] * len(values)) + "}"
        return "{" + ",".join(map(str, values)) + "}" if kinds == {int} else values
    plain = values and "" not in values and joined.count(",") == len(values) - 1 and _PLAIN.fullmatch(joined)
    return "{" + joined + "}" if plain and "null" not in joined.lower() else values


def interval(length: timedelta) -> str:
    """A span as SQL."""
    return f"interval '{length // timedelta(microseconds=1)} microseconds'"


def json_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows of driver values as JSON, from which the server casts each to its column's type."""
    return json.dumps(rows, ensure_ascii=False, default=_as_json)


def _as_json(value: Any) -> Any:
    plain = getattr(value, "obj", value)  # the driver wraps bytes and JSON in types of its own
    if isinstance(plain, bytes | memoryview):
        return "\\x" + bytes(plain).hex()
    if plain is not value:
        return plain
    kind: Any = type(value)
    if kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__:
        raise RefusedByDatabase(
            f"the database refused: it has no type for a {kind.__name__}", hint=UNKNOWN_TYPE
        )
    return str(value)


def detail_parameters(detail: Detail | None, owner: tuple[str | None, str | None]) -> dict[str, Any]:
    if detail is None:
        return {}
    return {
        "digest": detail.digest,
        "salt": detail.salt,
        "reason": detail.reason,
        "facts": detail.facts,
        "owner_kind": owner[0],
        "owner_id": owner[1],
    }
