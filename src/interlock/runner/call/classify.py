"""Calls a stage function and turns its result or exception into one outcome; the same for every executor."""

from __future__ import annotations

import asyncio
import inspect
from datetime import timedelta
from typing import Any

from ...workflow import Again, Done, Failed, Outcome, Stage, Work
from ..executors.tasks import NOTHING, Ended, Postponed, Task
from ..reporting import settled
from .gating import ask_gates
from .redaction import redacted

LONGEST_MESSAGE = 2000
LONGEST_CODE = 200
RAISED_NO_EXCEPTION = "exceptions must derive from BaseException"
"""Python's own words where something else is raised, such as an outcome."""


def perform(task: Task) -> Ended | Postponed:
    """One try of one task: its gates, then its plain function."""
    if gates := task.stage.guards():
        refusal = ask_gates(task, gates)
        if refusal is not None:
            return refusal
    return call(task.stage, task.work, task.loaded)


async def perform_async(task: Task) -> Ended | Postponed:
    """One try of one task with an `async def`; gates are asked beside the event loop, which goes on meanwhile."""
    if gates := task.stage.guards():
        refusal = await asyncio.to_thread(ask_gates, task, gates)
        if refusal is not None:
            return refusal
    return await call_async(task.stage, task.work, task.loaded)


def call(stage: Stage, work: Work, loaded: Any = NOTHING) -> Outcome[Any]:
    """Call a plain function; what it raises is a failure of the stage, never of the runner."""
    try:
        value = stage.function(work) if loaded is NOTHING else stage.function(work, loaded)
    except BaseException as error:  # noqa: BLE001 an exit or interrupt inside a stage is a fault of that stage
        return failure(stage, work, error)
    return value if _is_plain(value) else judged(stage, value)


async def call_async(stage: Stage, work: Work, loaded: Any = NOTHING) -> Outcome[Any]:
    """Call and await an `async def`."""
    try:
        value = await (stage.function(work) if loaded is NOTHING else stage.function(work, loaded))
    except BaseException as error:  # noqa: BLE001 as above; a cancelled task has been reported by who cancelled it
        return failure(stage, work, error)
    return value if _is_plain(value) else judged(stage, value)


def is_async(stage: Stage) -> bool:
    function = stage.function
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004 the method is asked, not whether there is one
    )


def judged(stage: Stage, value: Any) -> Outcome[Any]:
    """The outcome as a plain value of its own, facts copied; anything else is a mistake that no retry mends."""
    try:
        return _judged(stage, value)
    except Exception as error:  # noqa: BLE001 a class of the stage's own may raise anything when it is looked at
        return bad_outcome(f"{stage.name} returned an outcome that cannot be read: {type(error).__name__}")


def _judged(stage: Stage, value: Any) -> Outcome[Any]:
    if isinstance(value, Done | Failed) and _is_lost(stage, value.result):
        return bad_outcome(
            f"{stage.name} returned {type(value).__name__} with a dict, which nothing would keep: facts are keywords, "
            f"such as Done(note=…) or Done(**facts), and results are for the function under @{stage.name}.save"
        )
    if isinstance(value, Failed):
        code: Any = value.code
        if not isinstance(code, str) or not code:
            return bad_outcome(f"{stage.name} returned Failed with the code {code!r:.100}; a code is a word")
        failed: Failed[Any] = Failed(
            plain(code, LONGEST_CODE),
            plain(str(value.message)),
            value.result,
            final=bool(value.final),
            pause=value.pause,
            after=value.after,
        )
        failed.facts = dict(value.facts)
        return settled(failed)
    if isinstance(value, Done):
        done: Done[Any] = Done(
            value.result, admits=value.admits, empty=None if value.empty is None else bool(value.empty)
        )
        done.facts = dict(value.facts)
        return settled(done)
    if isinstance(value, Again):
        return Again(value.after)
    if inspect.iscoroutine(value):
        value.close()  # else Python warns that nobody awaited it
    return bad_outcome(f"{stage.name} returned {type(value).__name__}; a stage returns Done, Failed or Again")


def _is_plain(value: Any) -> bool:
    """Whether nothing in this outcome has to be looked at; most are."""
    return type(value) is Done and not value.facts and not isinstance(value.result, dict)


def _is_lost(stage: Stage, result: Any) -> bool:
    """Whether facts were returned as if they were a result, and no function takes results."""
    return isinstance(result, dict) and stage.saver is None and stage.group_saver is None


def bad_outcome(message: str) -> Failed[Any]:
    return Failed("BAD_OUTCOME", plain(message), final=True)


def failure(stage: Stage, work: Work, error: BaseException) -> Failed[Any]:
    """What an exception means: by its type, most specific class first; else its own name and text, to be tried again."""
    kind = type(error)
    text = message_of(error)
    work.log.error("%s: %s", kind.__name__, text, exc_info=(kind, error, error.__traceback__))
    if kind is TypeError and text == RAISED_NO_EXCEPTION:
        return bad_outcome(
            f"{stage.name} raised what is no exception; an outcome is returned: return Failed(…)"
        )
    for known in kind.__mro__:
        if known in stage.failures:
            return as_declared(stage.failures[known], text)
    if isinstance(error, MemoryError) and stage.memory is not None:
        return Failed("MEMORY_LIMIT", f"needed more than {stage.memory}")
    return Failed(plain(kind.__name__, LONGEST_CODE), text)


def as_declared(declared: Failed[Any], text: str) -> Failed[Any]:
    """A fresh copy of what the stage's table says, with the exception's text where the table has none."""
    return Failed(
        declared.code,
        declared.message or text,
        declared.result,
        final=declared.final,
        pause=declared.pause,
        after=declared.after,
        **declared.facts,
    )


def timed_out(stage: Stage) -> Failed[Any]:
    """The time is up. Only TimeoutError itself maps this: it is an OSError, and a table's OSError means another thing."""
    text = f"took longer than {seconds_text(stage.timeout or timedelta())}"
    declared = stage.failures.get(TimeoutError)
    return Failed("TIMEOUT", text) if declared is None else as_declared(declared, text)


def crashed(stage: Stage, text: str) -> Failed[Any]:
    """The isolated process is gone; ChildProcessError itself maps this."""
    declared = stage.failures.get(ChildProcessError)
    return Failed("CRASHED", text) if declared is None else as_declared(declared, text)


def seconds_text(length: timedelta) -> str:
    return f"{length.total_seconds():g}s"


def message_of(error: BaseException) -> str:
    try:
        return plain(str(error))
    except Exception:  # noqa: BLE001 an exception that cannot even say its text
        return ""


def plain(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """Text that every database can store, without secrets, and not too long."""
    if len(text) > 4 * longest:
        text = text[: 4 * longest]
    text = redacted(text).encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
