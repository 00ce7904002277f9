"""Calls a stage function and makes one outcome of whatever comes of it; the same on every path."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from ..workflow import Again, Done, Failed, Outcome, Stage, Work
from ..workflow.stage import Gate
from . import gating
from .redaction import redacted
from .tasks import NOTHING

LONGEST_MESSAGE = 2000
LONGEST_CODE = 200


def call(stage: Stage, work: Work, loaded: Any = NOTHING) -> Outcome[Any]:
    """Call a plain function; what it raises is a failure of the stage, never of the runner."""
    if gates := stage.guards():
        return behind_gates(stage, gates, work, lambda: called(stage, work, loaded))
    return called(stage, work, loaded)


def behind_gates(stage: Stage, gates: Sequence[Gate], work: Work, function: Callable[[], Outcome[Any]]) -> Outcome[Any]:
    """Gates first; their verdicts go with whatever comes of it."""
    said, refusal = gating.ask(gates, work)
    return gating.with_verdicts(function() if refusal is None else refusal, said)


def called(stage: Stage, work: Work, loaded: Any) -> Outcome[Any]:
    try:
        value = stage.function(work) if loaded is NOTHING else stage.function(work, loaded)
    except BaseException as error:  # noqa: BLE001 an exit or interrupt inside a stage is a fault of that stage
        return failure(stage, work, error)
    return value if type(value) is Done else judged(stage, value)


async def call_async(stage: Stage, work: Work, loaded: Any = NOTHING) -> Outcome[Any]:
    """Call and await an `async def`; gates are asked beside the event loop, which goes on meanwhile."""
    said: list[dict[str, Any]] = []
    if gates := stage.guards():
        said, refusal = await asyncio.to_thread(gating.ask, gates, work)
        if refusal is not None:
            return gating.with_verdicts(refusal, said)
    return gating.with_verdicts(await awaited(stage, work, loaded), said)


async def awaited(stage: Stage, work: Work, loaded: Any) -> Outcome[Any]:
    try:
        value = await (stage.function(work) if loaded is NOTHING else stage.function(work, loaded))
    except BaseException as error:  # noqa: BLE001 as above; a cancelled task has been reported by who cancelled it
        return failure(stage, work, error)
    return value if type(value) is Done else judged(stage, value)


def is_async(stage: Stage) -> bool:
    function = stage.function
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004 its kind is asked


def judged(stage: Stage, value: Any) -> Outcome[Any]:
    """The value if it is an outcome; anything else is a mistake that no retry mends."""
    if isinstance(value, Failed):
        code: Any = value.code
        if not isinstance(code, str) or not code:
            return bad_outcome(f"{stage.name} returned Failed with the code {code!r}; a code is a word")
        value.code, value.message = plain(code, LONGEST_CODE), plain(str(value.message))
        return value
    if isinstance(value, (Done, Again)):
        return value
    if inspect.iscoroutine(value):
        value.close()  # else Python warns that nobody awaited it
    return bad_outcome(f"{stage.name} returned {type(value).__name__}; a stage returns Done, Failed or Again")


def bad_outcome(message: str) -> Failed[Any]:
    return Failed("BAD_OUTCOME", plain(message), final=True)


def failure(stage: Stage, work: Work, error: BaseException) -> Failed[Any]:
    """What an exception means: by its type, most specific class first; else its own name and text, to be tried again."""
    kind = type(error)
    text = message_of(error)
    work.log.error("%s: %s", kind.__name__, text, exc_info=(kind, error, error.__traceback__))
    for known in kind.__mro__:
        if known in stage.failures:
            return as_declared(stage.failures[known], text)
    if isinstance(error, MemoryError) and stage.memory is not None:
        return Failed("MEMORY_LIMIT", f"needed more than {stage.memory}")
    return Failed(plain(kind.__name__, LONGEST_CODE), text)


def as_declared(declared: Failed[Any], text: str) -> Failed[Any]:
    """A fresh copy of what the stage's table says, with the exception's text where the table has none."""
    return Failed(declared.code, declared.message or text, declared.result, final=declared.final, pause=declared.pause, **declared.facts)


def timed_out(stage: Stage) -> Failed[Any]:
    """The time is up. Only TimeoutError itself maps this: it is an OSError, and a table's OSError means another thing."""
    text = f"took longer than {spoken(stage.timeout or timedelta())}"
    declared = stage.failures.get(TimeoutError)
    return Failed("TIMEOUT", text) if declared is None else as_declared(declared, text)


def crashed(stage: Stage, text: str) -> Failed[Any]:
    """The isolated process is gone; ChildProcessError itself maps this."""
    declared = stage.failures.get(ChildProcessError)
    return Failed("CRASHED", text) if declared is None else as_declared(declared, text)


def cancelled() -> Failed[Any]:
    """Nobody wants the result any more; whoever collects this drops it."""
    return Failed("CANCELLED", "cancelled before it finished")


def is_cancelled(outcome: Outcome[Any]) -> bool:
    return isinstance(outcome, Failed) and outcome.code == "CANCELLED"


def spoken(length: timedelta) -> str:
    return f"{length.total_seconds():g}s"


def message_of(error: BaseException) -> str:
    try:
        return plain(str(error))
    except Exception:  # noqa: BLE001 an exception that cannot even say its text
        return ""


def plain(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """Text that every database can store, without secrets, and not too long."""
    if len(text) > 4 * longest:
        text = text[:4 * longest]
    text = redacted(text).encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    return text if len(text) <= longest else f"{text[:longest - 1]}…"
