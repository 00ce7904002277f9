"""An authority whose commands are spans: within the trace of whoever asks, and named by the entries that they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .. import tracing
from ..errors import state_text
from ..machine import State
from ..workflow import Answer, Workflow
from .authority import Authority

MOST = 20
"""Entries that a span tells of one by one."""


class TracedAuthority(Authority):
    """An authority that wraps each command in a span, if traces are collected."""

    def move_many(
        self,
        workflow: Workflow,
        ids: Iterable[Any],
        axis: str,
        to: State,
        *,
        tx: Any = None,
        column_values: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> list[Answer]:
        if not tracing.on():
            return super().move_many(workflow, ids, axis, to, tx=tx, column_values=column_values, **options)
        about = {"axis": axis, "to": to, "scope": options.get("scope"), "actor": options.get("actor")}
        return self._many(
            "move",
            workflow,
            lambda: super(TracedAuthority, self).move_many(
                workflow, ids, axis, to, tx=tx, column_values=column_values, **options
            ),
            **about,
        )

    def move_directly(
        self,
        workflow: Workflow,
        id: Any,
        axis: str,
        to: State,
        version: int | None,
        actor: str,
        role: str | None,
        scope: str | None,
    ) -> Answer | None:
        """A direct move records nothing but its actor; one that names its trace takes the general path."""
        return (
            None
            if tracing.on()
            else super().move_directly(workflow, id, axis, to, version, actor, role, scope)
        )

    def admit_many(
        self,
        workflow: Workflow,
        rows: Iterable[Mapping[str, Any]],
        *,
        actor: str = "app",
        reason: str | None = None,
        key: str | None = None,
        tx: Any = None,
    ) -> list[Answer]:
        if not tracing.on():
            return super().admit_many(workflow, rows, actor=actor, reason=reason, key=key, tx=tx)
        return self._many(
            "admit",
            workflow,
            lambda: super(TracedAuthority, self).admit_many(
                workflow, rows, actor=actor, reason=reason, key=key, tx=tx
            ),
            actor=actor,
        )

    def retry(self, workflow: Workflow, id: Any, **options: Any) -> Answer:
        return self._one(
            "retry", workflow, lambda: super(TracedAuthority, self).retry(workflow, id, **options), options
        )

    def amend(self, workflow: Workflow, id: Any, facts: Mapping[str, Any], **options: Any) -> Answer:
        return self._one(
            "amend",
            workflow,
            lambda: super(TracedAuthority, self).amend(workflow, id, facts, **options),
            options,
        )

    def cancel(self, workflow: Workflow, id: Any, **options: Any) -> Answer:
        return self._one(
            "cancel", workflow, lambda: super(TracedAuthority, self).cancel(workflow, id, **options), options
        )

    def erase(self, workflow: Workflow, id: Any, **options: Any) -> Answer:
        return self._one(
            "erase", workflow, lambda: super(TracedAuthority, self).erase(workflow, id, **options), options
        )

    def delete(self, workflow: Workflow, id: Any, **options: Any) -> Answer:
        return self._one(
            "delete", workflow, lambda: super(TracedAuthority, self).delete(workflow, id, **options), options
        )

    def _one(
        self, name: str, workflow: Workflow, act: Callable[[], Answer], options: Mapping[str, Any]
    ) -> Answer:
        if not tracing.on():
            return act()
        return self._many(
            name, workflow, lambda: [act()], scope=options.get("scope"), actor=options.get("actor")
        )[0]

    def _many(
        self, name: str, workflow: Workflow, act: Callable[[], list[Answer]], **about: Any
    ) -> list[Answer]:
        with tracing.command(f"interlock.{name}", kind=workflow.name, **about) as span:
            answers = act()
            tell(span, answers)
            return answers


def tell(span: Any, answers: Sequence[Answer]) -> None:
    """What came of the command: an event for each entry, up to so many, and how many were not applied."""
    span.set_attribute("interlock.records", len(answers))
    span.set_attribute("interlock.refused", sum(answer.error is not None for answer in answers))
    for answer in answers[:MOST]:
        about = {"interlock.id": str(answer.id), "interlock.outcome": answer.outcome}
        if answer.error is None and answer.version is not None:
            about |= {
                "interlock.from": state_text(answer.old),
                "interlock.to": state_text(answer.new),
                "interlock.version": str(answer.version),
            }
        elif answer.error is not None:
            about["interlock.code"] = answer.error.code
        span.add_event("ledger entry" if answer.error is None else "verdict", about)
