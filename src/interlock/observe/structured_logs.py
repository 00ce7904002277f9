"""Log lines for programs: one JSON object each, with what the line is about as fields, its trace where there is one, and no secrets."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from .. import tracing
from ..runner.call.redaction import HIDDEN, is_secret, redacted
from ..workflow.columns.instant import instant_text

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "role",
    "color_message",
}
"""What every record of Python's logging has; the rest somebody said with `extra`."""


class JsonLines(logging.Formatter):
    """{"time": …, "level": "info", "logger": "interlock.coordinator", "message": …, "kind": …}"""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "time": instant_text(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redacted(record.getMessage()),
        }
        fields |= {
            name: _plain(name, value)
            for name, value in vars(record).items()
            if name not in _USUAL and name not in fields
        }
        if (spot := tracing.here()) is not None:
            fields |= {"trace_id": spot.trace_id, "span_id": spot.span_id}
        if record.exc_info and record.exc_info[0] is not None:
            fields["error"] = {
                "type": record.exc_info[0].__name__,
                "message": redacted(str(record.exc_info[1])),
                "stack": redacted(self.formatException(record.exc_info)),
            }
        return json.dumps(fields, ensure_ascii=False, default=str)


def _plain(name: str, value: Any) -> Any:
    if is_secret(name):
        return HIDDEN
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(str(key), one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain("", one) for one in value]
    return redacted(str(value))
