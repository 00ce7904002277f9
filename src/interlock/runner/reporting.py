"""An outcome as a report: the words that travel in the work row."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from ..workflow import Again, Done, Failed, Outcome

GATES = "interlock_gates"
"""Under this name gates' verdicts travel with an outcome's facts; a fact of that name would be refused anyway."""
FACTS_LIMIT = 200_000


def written(outcome: Outcome[Any]) -> tuple[str, str | None]:
    """(what happened, its details as JSON); work that has nothing to say costs nothing."""
    if isinstance(outcome, Done):
        if not outcome.facts and not outcome.empty:
            return "done", None
        facts = dict(outcome.facts)
        gates = facts.pop(GATES, None)
        said: dict[str, Any] = {"facts": facts} if facts else {}
        if outcome.empty:
            said["empty"] = True
        if gates:
            said["gates"] = gates
        return "done", json.dumps(said, default=str) if said else None
    if isinstance(outcome, Failed):
        return "failed", json.dumps(_failure(outcome), default=str)
    if isinstance(outcome, Again):
        return "again", json.dumps({"after": outcome.after.total_seconds()})
    raise AssertionError(f"{outcome!r} is no outcome")


def _failure(outcome: Failed[Any]) -> dict[str, Any]:
    facts = dict(outcome.facts)
    said: dict[str, Any] = {"code": outcome.code, "message": outcome.message, "facts": facts}
    if gates := facts.pop(GATES, None):
        said["gates"] = gates
    if outcome.final:
        said["final"] = True
    if outcome.pause is not False:
        said["pause"] = outcome.pause.total_seconds() if isinstance(outcome.pause, timedelta) else True
    return said


def checked(outcome: Outcome[Any]) -> tuple[Outcome[Any], tuple[str, str | None]]:
    """The outcome and how it is written, unless it cannot be written down: facts are plain values of a modest size."""
    try:
        words = written(outcome)
    except (TypeError, ValueError) as error:
        return _bad(f"its facts cannot be written down: {error}")
    text = words[1]
    if text is not None and len(text) > FACTS_LIMIT:
        return _bad(f"its facts take {len(text):,} characters; at most {FACTS_LIMIT:,} are kept")
    if text is not None and "\\u0000" in text:
        return _bad("its facts hold a null character, which no database keeps")
    return outcome, words


def _bad(why: str) -> tuple[Outcome[Any], tuple[str, str | None]]:
    outcome: Failed[Any] = Failed("BAD_OUTCOME", why, final=True)
    return outcome, written(outcome)
