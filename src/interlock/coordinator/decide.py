"""What becomes of an attempt: a report goes in, a decision comes out. Pure: no database, no clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Literal

from ..machine import Machine, State
from ..workflow import Stage
from ..workflow.checks.lint import retry_place

CRASH_TRIES = 4
"""Tries of work whose runner died, where its stage declares no retry: a crash is rarely the work's own fault."""
MESSAGE_LIMIT = 4000

Happening = Literal["done", "failed", "again", "expired", "overdue", "refused", "cancelled"]


@dataclass(frozen=True)
class Report:
    """What happened to an attempt: reported by a runner, or found by the sweep."""

    happening: Happening
    code: str = ""
    message: str = ""
    final: bool = False
    empty: bool = False
    pause: float | bool = False
    after: float = 0.0
    """Seconds: until the next attempt of `again`, and at least until the next try of `failed`."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    gates: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Decision:
    """Where the record goes, and what becomes of its work row."""

    to: State
    cause: str
    what: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    columns: Mapping[str, Any] = field(default_factory=dict)
    counted: tuple[str, ...] = ()
    due: timedelta | None = None
    """When the record waits again; None: when its state says so."""
    rest: bool = False
    """It stays where it is until somebody acts."""
    again: timedelta | None = None
    """The same state, a new attempt: when its work row is available."""
    exhausted: bool = False
    """It would have been tried again, but no try is left."""
    stays: bool = False
    """It keeps its state although its stage does not run there."""

    @property
    def route(self) -> tuple[Any, ...]:
        """Equal for decisions that one batch can carry out: only facts and dates may differ from record to record."""
        return (
            self.to,
            self.cause,
            self.what,
            tuple(self.columns.items()),
            self.counted,
            self.due is None,
            self.rest,
            self.again is None,
            self.stays,
        )


PLAIN_DONE = Report("done")
"""Done, with nothing more to say: many such reports are one statement."""


def decide(
    stage: Stage,
    machine: Machine,
    state: State,
    tries: int,
    report: Report,
    *,
    elapsed: timedelta = timedelta(),
    jitter: float = 1.0,
) -> Decision:
    """The one place where the fate of an attempt is decided. `tries` are those that failed before this one."""
    if report.happening == "done":
        return Decision(
            stage.done,
            f"{stage.name}.completed",
            "empty" if report.empty else "done",
            {**report.facts, "empty": True} if report.empty else report.facts,
        )
    if report.happening == "again":
        return _again(stage, machine, state, tries, report, elapsed)
    if report.happening == "expired":
        return _expired(stage, state, tries, report)
    return _failed(stage, machine, state, tries, report, jitter)


def _again(
    stage: Stage, machine: Machine, state: State, tries: int, report: Report, elapsed: timedelta
) -> Decision:
    """Not now: no try is counted; the deadline bounds how long it may go on."""
    after = timedelta(seconds=report.after)
    if stage.deadline is not None and elapsed + after > stage.deadline:
        late = Report(
            "overdue", "DEADLINE", f"{stage.name} asked for more time past its deadline", final=True
        )
        return _failed(stage, machine, state, tries, late, 1.0)
    return _in_place(stage, state, f"{stage.name}.again", "again", after, {}, ())


def _in_place(
    stage: Stage,
    state: State,
    cause: str,
    what: str,
    after: timedelta,
    facts: Mapping[str, Any],
    counted: tuple[str, ...],
) -> Decision:
    """A new attempt without leaving the state: the work row is rewritten; of a stage that has no running state, it is due again."""
    if stage.running is not None:
        return Decision(state, cause, what, facts, {}, (*counted, "attempt"), again=after)
    return Decision(state, cause, what, facts, {}, counted, due=after)


def _expired(stage: Stage, state: State, tries: int, report: Report) -> Decision:
    """Its runner was not heard of any more: at once again, until its tries are used up."""
    allowed = 1 + len(stage.retry) if stage.retry else CRASH_TRIES
    if tries + 1 < allowed:
        return _in_place(stage, state, "lease.expired", "expired", timedelta(), _error(report), ("tries",))
    return replace(_over(stage, state, report, "lease.expired"), exhausted=True)


def _failed(
    stage: Stage, machine: Machine, state: State, tries: int, report: Report, jitter: float
) -> Decision:
    place = retry_place(machine, stage)
    left = tries < len(stage.retry) and not report.final and report.happening in ("failed", "overdue")
    cause = {
        "overdue": "deadline.passed",
        "cancelled": "command.cancel",
        "refused": f"{stage.name}.refused",
    }.get(report.happening, f"{stage.name}.failed")
    if not left or place is None or place == "runner":
        retried = bool(stage.retry) and not report.final and report.happening in ("failed", "overdue")
        return replace(_over(stage, state, report, cause), exhausted=retried)
    delay = max(stage.retry[tries] * jitter, timedelta(seconds=report.after))
    if place == "running" or stage.running is None:
        return _in_place(stage, state, cause, "retried", delay, _error(report), ("tries",))
    to = stage.failed if stage.failed is not None else stage.declared_waiting
    return Decision(to, cause, "retried", _error(report), {}, ("tries",), due=delay)


def _over(stage: Stage, state: State, report: Report, cause: str) -> Decision:
    """No try is left, or none would help: to the terminal state if there is one, else failed, else it rests where it is."""
    refused = report.happening == "refused" and stage.failed is not None
    to = stage.failed if refused or stage.terminal is None else stage.terminal
    counted = () if report.happening in ("cancelled", "refused") else ("tries",)
    what = "failed" if report.happening == "failed" else report.happening
    return Decision(state if to is None else to, cause, what, _error(report), {}, counted, rest=True)


def stranded(stage: Stage, state: State, report: Report) -> Decision:
    """The record stands where its attempt began, and the stage does not run there any more: it rests in its state, with the error."""
    return Decision(state, f"{stage.name}.refused", "refused", _error(report), rest=True, stays=True)


def _error(report: Report) -> dict[str, Any]:
    """A refused report leaves its facts behind; a failed one keeps them beside its error."""
    error = {
        "error_code": report.code or report.happening.upper(),
        "error_message": report.message[:MESSAGE_LIMIT],
    }
    return {**({} if report.happening == "refused" else report.facts), **error}
