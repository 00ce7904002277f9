"""Gates before a stage's function: those that guard the state it leads to, by tier. Their verdicts are kept apart from every outcome."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Sequence
from typing import Any

from ...clock import monotonic
from ...errors import StoreBusy, StoreUnavailable
from ...workflow import Again, Done, Failed, Outcome
from ...workflow.stage import Gate
from ..executors.tasks import Postponed, Task
from .facts import BadFact, copied
from .redaction import redacted

log = logging.getLogger("interlock.runner")

CRASHED = "GATE_CRASHED"
LONGEST_REASON = 2000


def ask_gates(task: Task, gates: Sequence[Gate]) -> Outcome[Any] | Postponed | None:
    """Ask every gate that has not passed yet; None when all have passed, else what the stage answers instead of running.

    Tiers go in order, and none is asked behind one that refused. A gate that failed and has tries left postpones the task. A loader that
    several gates share is called once for all of them in each try.
    """
    loaded: dict[Any, Any] = {}
    refusal: Outcome[Any] | None = None
    delays: list[float] = []
    tier = None
    for gate in sorted(gates, key=lambda one: one.tier):
        if (refusal is not None or delays) and gate.tier != tier:
            break
        tier = gate.tier
        if gate.name in task.passed:
            continue
        mine, may_retry = _ask(task, gate, loaded)
        tried = task.gate_tries.get(gate.name, 0)
        if mine is not None and may_retry and tried < len(gate.retry):
            task.gate_tries[gate.name] = tried + 1
            delays.append(gate.retry[tried].total_seconds())
        else:
            refusal = refusal or mine
    return Postponed(max(delays)) if delays and refusal is None else refusal


def _ask(task: Task, gate: Gate, loaded: dict[Any, Any]) -> tuple[Outcome[Any] | None, bool]:
    """(what the stage answers if this gate did not pass, whether the gate may be asked again); the verdict is kept in the task."""
    began = monotonic()
    try:
        answer = _called(task, gate, loaded)
    except (StoreUnavailable, StoreBusy) as error:
        return Again("1s") if not isinstance(error, StoreBusy) else Again("100ms"), False
    except Exception as error:
        task.work.log.exception("gate %s crashed", gate.name)
        log.error(
            "gate %s crashed on %s %s",
            gate.name,
            task.kind,
            task.work.id,
            exc_info=error,
            extra={"kind": task.kind, "record_id": task.work.id, "stage": task.stage.name},
        )
        answer = Failed(CRASHED, f"{type(error).__name__}: {_text_of(error)}")
    took = round((monotonic() - began) * 1000)
    try:
        return _judge(task, gate, answer, took)
    except Exception as error:  # noqa: BLE001 a class of the gate's own may raise anything when it is looked at
        why = f"returned an outcome that cannot be read: {type(error).__name__}"
        return _judge(task, gate, Failed("BAD_OUTCOME", why, final=True), took)


def _called(task: Task, gate: Gate, loaded: dict[Any, Any]) -> Any:
    loader = gate.reads
    if loader is None:
        answer = gate.function(task.work)
    else:
        assert task.read_for is not None, "a task whose gates load needs a reader"
        if loader not in loaded:
            loaded[loader] = task.read_for(gate, task.work)
        answer = gate.function(task.work, loaded[loader])
    return asyncio.run(answer) if inspect.iscoroutine(answer) else answer


def _judge(task: Task, gate: Gate, answer: Any, took: int) -> tuple[Outcome[Any] | None, bool]:
    if isinstance(answer, Again):
        return answer, False
    if isinstance(answer, Done | Failed):
        try:
            details = dict(copied(answer.facts))
        except BadFact as error:
            answer, details = Failed("BAD_OUTCOME", str(error), final=True), {}
    else:
        details = {}
        answer = Failed(
            "BAD_OUTCOME",
            f"returned {type(answer).__name__}; a gate returns Done, Failed or Again",
            final=True,
        )
    if isinstance(answer, Done):
        task.passed.add(gate.name)
        task.verdicts.append({"gate": gate.name, "passed": True, "details": details, "duration_ms": took})
        return None, False
    code, message = _storable(str(answer.code))[:200] or "FAILED", _storable(str(answer.message))
    reason = f"{code}: {message}".rstrip(": ")
    task.verdicts.append(
        {
            "gate": gate.name,
            "passed": False,
            "reason": reason[:LONGEST_REASON],
            "details": details,
            "duration_ms": took,
        }
    )
    refusal: Failed[Any] = Failed(
        code, f"gate {gate.name} said no: {message}".rstrip(": ")[:LONGEST_REASON], final=code != CRASHED
    )
    return refusal, answer.final is not True


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 an exception that cannot even be printed
        return ""


def _storable(text: str) -> str:
    """Text that every database can store, without secrets."""
    return (
        redacted(text[: 4 * LONGEST_REASON]).encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
    )
