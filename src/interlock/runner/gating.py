"""Gates before a stage's function: those that guard the state it leads to, by tier; what they say travels with the outcome."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Sequence
from typing import Any

from ..clock import monotonic
from ..workflow import Again, Done, Failed, Outcome, Work
from ..workflow.stage import Gate
from .reporting import GATES


def ask(gates: Sequence[Gate], work: Work) -> tuple[list[dict[str, Any]], Outcome[Any] | None]:
    """Every gate's verdict, and the outcome if one says no: tiers in order, and nothing runs behind a tier that refused."""
    said: list[dict[str, Any]] = []
    refusal: Outcome[Any] | None = None
    tier = None
    for gate in sorted(gates, key=lambda one: one.tier):
        if refusal is not None and gate.tier != tier:
            break
        tier, began = gate.tier, monotonic()
        try:
            answer = gate.function(work)
            if inspect.iscoroutine(answer):
                answer = asyncio.run(answer)
        except Exception as error:
            work.log.exception("gate %s crashed", gate.name)
            answer = Failed("GATE_CRASHED", f"{type(error).__name__}: {error}")
        verdict, mine = judged(gate, answer, round((monotonic() - began) * 1000))
        if verdict is not None:
            said.append(verdict)
        refusal = refusal or mine
    return said, refusal


def judged(gate: Gate, answer: Any, took: int) -> tuple[dict[str, Any] | None, Outcome[Any] | None]:
    """(the verdict to keep, what the stage answers instead of running)."""
    if isinstance(answer, Done):
        return {"gate": gate.name, "passed": True, "details": dict(answer.facts), "duration_ms": took}, None
    if isinstance(answer, Again):
        return None, answer
    if not isinstance(answer, Failed):
        answer = Failed("BAD_OUTCOME", f"returned {type(answer).__name__}; a gate returns Done, Failed or Again", final=True)
    crashed = answer.code == "GATE_CRASHED"
    reason = f"{answer.code}: {answer.message}".rstrip(": ")
    verdict = {"gate": gate.name, "passed": False, "reason": reason[:2000], "details": dict(answer.facts), "duration_ms": took}
    return verdict, Failed(answer.code, f"gate {gate.name} said no: {answer.message}".rstrip(": "), final=not crashed)


def with_verdicts(outcome: Outcome[Any], said: list[dict[str, Any]]) -> Outcome[Any]:
    """The outcome, carrying what its gates said."""
    if said and isinstance(outcome, (Done, Failed)):
        outcome.facts = {**outcome.facts, GATES: said}
    return outcome
