"""Work row → report. A report is untrusted input: whatever is wrong with it becomes a refusal of that report, and nothing here raises."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from ..store.entry import FACTS_LIMIT, is_text
from ..store.work.attempts import Attempt
from ..workflow.columns.instant import instant_of
from ..workflow.durations import LONGEST
from .decide import MESSAGE_LIMIT, PLAIN_DONE, Happening, Report

BAD_REPORT = "BAD_REPORT"
CODE_LIMIT = 200
GATES_LIMIT = 200_000
DEEPEST = 100
_HAPPENINGS: dict[str, Happening] = {"done": "done", "empty": "done", "failed": "failed", "again": "again"}
_FIELDS: dict[Happening, set[str]] = {
    "done": set(),
    "failed": {"final", "pause", "after"},
    "again": {"after"},
}


class _BadReport(Exception):
    """Why a report cannot be read; becomes the refusal's message."""


def parse_report(attempt: Attempt) -> Report:
    """The report in a work row; one that cannot be read is `refused` with the code BAD_REPORT."""
    if (
        attempt.outcome == "done"
        and attempt.facts is None
        and attempt.report is None
        and attempt.gates is None
    ):
        return PLAIN_DONE
    try:
        return _parse(attempt)
    except _BadReport as error:
        why = str(error)
    except (ValueError, RecursionError, OverflowError, TypeError, MemoryError) as error:
        why = f"{type(error).__name__}: {error}"
    message = f"the report of attempt {attempt.attempt} cannot be read: {why}"
    return Report(
        "refused",
        BAD_REPORT,
        message.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")[:500],
        final=True,
    )


def seconds_since(instant: Any, now: datetime) -> timedelta:
    """How long ago an instant of a work row was; nothing where it is missing or unreadable."""
    try:
        elapsed: timedelta = now - instant_of(instant)
    except (ValueError, TypeError, OverflowError):
        return timedelta()
    return elapsed


def _parse(attempt: Attempt) -> Report:
    if attempt.outcome not in _HAPPENINGS:
        raise _BadReport(f"its outcome is {attempt.outcome!r:.100}")
    happening = _HAPPENINGS[attempt.outcome]
    facts = dict(_object(attempt.facts, "facts", FACTS_LIMIT))
    rest = _object(attempt.report, "report", FACTS_LIMIT)
    if unknown := sorted(set(rest) - _FIELDS[happening]):
        raise _BadReport(f"it has the unknown field {unknown[0]!r:.100}")
    gates = _gates(attempt.gates)
    if happening == "again":
        if "after" not in rest:
            raise _BadReport("it asks for another try without saying after how long")
        return Report("again", after=_span(rest["after"]), gates=gates)
    if happening == "done":
        empty = attempt.outcome == "empty"
        if empty:
            facts.pop("empty", None)
        return Report("done", empty=empty, facts=facts, gates=gates)
    code, message = facts.pop("error_code", None), facts.pop("error_message", "")
    if not isinstance(code, str) or not 0 < len(code) <= CODE_LIMIT or not isinstance(message, str):
        raise _BadReport("a failure has a code and a message, which are text")
    return Report(
        "failed",
        code,
        message[:MESSAGE_LIMIT],
        _flag(rest.get("final", False)),
        pause=_pause(rest.get("pause", False)),
        after=_span(rest.get("after", 0)),
        facts=facts,
        gates=gates,
    )


def _object(text: str | None, name: str, limit: int) -> Mapping[str, Any]:
    """The value if it is a JSON object, or {} for none; raise otherwise."""
    if text is None:
        return {}
    found = _json(text, name, limit)
    if not isinstance(found, dict):
        raise _BadReport(f"its {name} are no JSON object")
    return found


def _json(text: Any, name: str, limit: int) -> Any:
    if not isinstance(text, str) or len(text) > limit:
        raise _BadReport(f"its {name} are no text of at most {limit:,} characters")
    found = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    if "\\u" in text and not _is_storable(found):
        raise _BadReport(f"its {name} hold a null character or half of a surrogate pair")
    if not is_text(text) or "\0" in text:
        raise _BadReport(f"its {name} are no text")
    return found


def _refuse_constant(name: str) -> Any:
    raise _BadReport(f"it holds {name}, which is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _BadReport(f"the number {text[:50]} is too large")
    return value


def _is_storable(value: Any) -> bool:
    """Whether every text in it can be stored: no null character, no half of a surrogate pair."""
    if isinstance(value, str):
        return "\0" not in value and is_text(value)
    if isinstance(value, dict):
        return all(_is_storable(key) and _is_storable(item) for key, item in value.items())
    return all(map(_is_storable, value)) if isinstance(value, list) else True


def _is_shallow(value: Any, levels: int) -> bool:
    """Whether nothing in it lies deeper than so many levels: what is nested deeper can be read, and not written again."""
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_shallow(item, levels - 1) for item in inner)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _BadReport(f"{value!r:.100} is neither true nor false")
    return value


def _span(value: Any) -> float:
    """A number of seconds, cut to the range from 0 to the longest span; raise where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _BadReport(f"{value!r:.100} is no number of seconds")
    return float(min(max(value, 0), LONGEST.total_seconds()))


def _pause(value: Any) -> float | bool:
    return value if isinstance(value, bool) else _span(value)


def _gates(text: str | None) -> tuple[Mapping[str, Any], ...]:
    if text is None:
        return ()
    found = _json(text, "gates", GATES_LIMIT)
    if not isinstance(found, list) or not all(map(_is_verdict, found)):
        raise _BadReport("its gates are no list of verdicts")
    if not _is_shallow(found, DEEPEST):
        raise _BadReport(f"its gates are nested deeper than {DEEPEST} levels")
    return tuple(found)


def _is_verdict(one: Any) -> bool:
    if not isinstance(one, dict) or set(one) - {"gate", "passed", "reason", "details", "duration_ms"}:
        return False
    took = one.get("duration_ms")
    return (
        isinstance(one.get("gate"), str)
        and 0 < len(one["gate"]) <= CODE_LIMIT
        and isinstance(one.get("passed"), bool)
        and isinstance(one.get("reason", ""), str | None)
        and isinstance(one.get("details", {}), dict)
        and (took is None or (type(took) is int and 0 <= took < 2**31))
    )
