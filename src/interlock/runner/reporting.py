"""An outcome as a report: the fields that travel in the work row. Whatever cannot travel becomes a failure with the code BAD_OUTCOME."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from ..workflow import Again, Done, Failed, Outcome
from .call.facts import JUDGED, BadFact, CanonicalFacts, FactColumns, copied

BAD_OUTCOME = "BAD_OUTCOME"
MESSAGE_LIMIT = 4000
CODE_LIMIT = 200
GATES_LIMIT = 200_000
_compact = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class ReportFields(NamedTuple):
    """The columns of a work row that an outcome fills; the names are those of `Reported`."""

    outcome: str
    report: str | None = None
    shape: str | None = None
    facts: str | None = None
    gates: str | None = None


PLAIN = ReportFields("done")


def settled(outcome: Outcome[Any]) -> Outcome[Any]:
    """The outcome as a plain value whose facts nobody can change any more; called when a stage returns."""
    if isinstance(outcome, Again) or (type(outcome) is Done and not outcome.facts):
        return outcome
    try:
        outcome.facts = copied(outcome.facts)
    except BadFact as error:
        return bad_outcome(str(error))
    return outcome


def checked(
    outcome: Outcome[Any], columns: FactColumns | None, verdicts: Sequence[Mapping[str, Any]] = ()
) -> tuple[Outcome[Any], ReportFields]:
    """The outcome and its fields; an outcome with a fact that cannot be kept is replaced by a final failure."""
    if not verdicts and type(outcome) is Done and not outcome.facts and not outcome.empty:
        return outcome, PLAIN
    gates = _compact(list(verdicts)) if verdicts else None
    try:
        if gates is not None and len(gates) > GATES_LIMIT:
            raise BadFact(
                f"its gates' verdicts take {len(gates):,} characters; at most {GATES_LIMIT:,} are kept"
            )
        return outcome, fields_of(outcome, columns, gates)
    except BadFact as error:
        refused = bad_outcome(str(error))
        return refused, fields_of(
            refused, columns, None if gates is not None and len(gates) > GATES_LIMIT else gates
        )


def fields_of(outcome: Outcome[Any], columns: FactColumns | None, gates: str | None) -> ReportFields:
    """The fields of one outcome; raises `BadFact` where a fact cannot be kept."""
    if isinstance(outcome, Again):
        return ReportFields("again", _compact({"after": outcome.after.total_seconds()}), gates=gates)
    facts = copied(outcome.facts)
    if isinstance(outcome, Failed):
        facts = copied({**facts, **_error(outcome, columns)})
        return ReportFields("failed", _rest(outcome), _shape(facts, columns), facts.text, gates)
    if outcome.empty:
        facts = copied({**facts, "empty": True})
    if not facts:
        return ReportFields("done", gates=gates)
    return ReportFields("empty" if outcome.empty else "done", None, _shape(facts, columns), facts.text, gates)


def bad_outcome(why: str) -> Failed[Any]:
    """A failure that no further try mends: what a stage returned cannot be kept."""
    return Failed(BAD_OUTCOME, why, final=True)


def _shape(facts: CanonicalFacts, columns: FactColumns | None) -> str:
    return JUDGED if columns is None else columns.shape(facts)


def _error(outcome: Failed[Any], columns: FactColumns | None) -> dict[str, str]:
    if columns is None:
        return {"error_code": outcome.code[:CODE_LIMIT], "error_message": outcome.message[:MESSAGE_LIMIT]}
    return {
        "error_code": columns.error_text("error_code", outcome.code, CODE_LIMIT),
        "error_message": columns.error_text("error_message", outcome.message, MESSAGE_LIMIT),
    }


def _rest(outcome: Failed[Any]) -> str | None:
    """What is neither outcome nor fact: whether it is final, whether its stage is to pause, and when it may be tried again."""
    rest: dict[str, Any] = {"final": True} if outcome.final is True else {}
    if outcome.pause is not False:
        rest["pause"] = outcome.pause.total_seconds() if isinstance(outcome.pause, timedelta) else True
    if outcome.after is not None:
        rest["after"] = outcome.after.total_seconds()
    return _compact(rest) if rest else None
