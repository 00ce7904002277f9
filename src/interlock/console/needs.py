"""What needs a person, counted once for every page: the strip of the board shows each place, the rail adds them up by screen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..adopt.phases import KIND as ADOPTIONS
from ..machine import State
from ..observe.activity import Activity, NeedCount
from ..workflow import Axis, Workflow
from ..workflow.extension import PageContext
from .marks import ASKS, FAILED, NEW, STUCK, Mark, asks_for_decisions, is_decided_by_people, mark_of, marks_of
from .words import path, query, state_word

WHY_STUCK = {"lease": "the lease is over", "deadline": "over the deadline", "lost": "no attempt holds them"}


@dataclass(frozen=True, slots=True)
class Need:
    """So many records in one place that a person must do something about, what it is, where they are and on which screen it is done.
    What is stuck is counted over all kinds."""

    mark: Mark
    count: int
    what: str
    fact: str
    href: str
    screen: str
    kind: str = ""

    @property
    def is_decision(self) -> bool:
        """Whether it waits for a decision, and nothing is broken."""
        return self.mark.tone == "person"


def needs_of(context: PageContext, counts: Iterable[Any], activity: Activity) -> list[Need]:
    """Every need, what is broken before what waits for a decision, the largest first. What is tried again without anybody is none."""
    needs = []
    retried = retried_of(activity)
    if attempts := sum(one.attempts for one in activity.stuck):
        why = ", ".join(sorted({WHY_STUCK.get(one.why, one.why) for one in activity.stuck}))
        needs.append(Need(STUCK, attempts, "stuck", why, "/operations", "/operations"))
    for one in counts:
        workflow = context.workflows.get(one.kind)
        if (
            workflow is None or one.kind == ADOPTIONS
        ):  # an adoption may stay in a phase for as long as its team likes
            continue
        axis = workflow.axes.get(one.axis)
        records = one.records - retried.get((one.kind, one.axis, one.scope, one.state), 0)
        if axis is not None and records > 0:
            needs += need_in(workflow, axis, one.scope, one.state, records)
    needs += [declared_need(one) for one in activity.needs]
    return sorted(needs, key=lambda one: (one.is_decision, -one.count))


def retried_of(activity: Activity) -> dict[tuple[str, str, str | None, State], int]:
    """How many records of a kind, axis, scope and failed state are tried again without anybody."""
    return {(one.kind, one.axis, one.scope, one.state): one.records for one in activity.retrying}


def need_in(workflow: Workflow, axis: Axis, scope: str | None, state: State, records: int) -> list[Need]:
    """The need of the records in one state, if they have one."""
    mark = mark_of(marks_of(workflow, axis), state)
    if mark == FAILED:
        fact, screen = "not retried", "/operations"
    elif mark == ASKS or (mark == NEW and asks_for_decisions(workflow, axis)):
        fact, screen = "to decide", deciding_screen(workflow, axis)
    else:
        return []
    place = f"{workflow.name}, {scope}" if scope else workflow.name
    href = records_href(workflow.name, axis.name, scope, state)
    return [Need(mark, records, f"in {state_word(state)}", f"{place}, {fact}", href, screen, workflow.name)]


def declared_need(one: NeedCount) -> Need:
    """A need that a workflow declares, on its own page or in the list of its records."""
    href = f"{path('workflows', one.kind)}/{one.page}" if one.page else path("records", one.kind)
    mark = Mark(f"m-{one.sign}", "person" if one.sign == "asks" else one.sign)
    screen = href.partition("?")[0] if one.page else "/records"
    return Need(mark, one.records, one.what, one.fact, href, screen, one.kind)


def deciding_screen(workflow: Workflow, axis: Axis) -> str:
    """Where people decide about these records: a page that the workflow brings, Curate, or the lists of records."""
    for page in workflow.extension.pages:
        if page.decides:
            return f"/workflows/{workflow.name}/{page.path}"
    return "/curate" if is_decided_by_people(workflow, axis) else "/records"


def due_by_screen(needs: Iterable[Need]) -> dict[str, dict[str, Any]]:
    """The counts beside the entries of the rail."""
    due: dict[str, dict[str, Any]] = {}
    for one in needs:
        entry = due.setdefault(one.screen, {"symbol": one.mark.symbol, "tone": one.mark.tone, "count": 0})
        entry["count"] += one.count
    return due


def records_href(kind: str, axis: str, scope: str | None, state: State) -> str:
    """The list of the records that are in a state."""
    return path("records", kind) + query(**{f"state.{axis}": state_word(state), "scope": scope or ""})
