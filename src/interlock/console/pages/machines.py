"""Machines: what was declared about each kind, drawn and as a table, with the records that stand in states the code does not know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ...client.values import MachineVersion
from ...machine import DrawnAxis, DrawnRule, draw_axes
from ...workflow import Axis, Workflow
from ...workflow.extension import PageContext
from ..marks import driving_states, is_moved_by_people, mark_of, marks_of, stages_of
from ..needs import records_href
from ..page import Rendered
from ..words import command, plural, state_word


def render(context: PageContext) -> Rendered:
    """Every machine of the app."""
    declared = {one["kind"]: one for one in context.client.machines()}
    held: dict[tuple[str, str], dict[str | None, int]] = {}
    for one in context.client.counts():
        place = held.setdefault((one.kind, one.axis), {})
        place[one.state] = place.get(one.state, 0) + one.records
    kinds = [
        {**kind_of(workflow, declared[name], held), "diffs": diffs_of(context, name)}
        for name, workflow in context.workflows.items()
    ]
    stranded = sum(axis["stranded_total"] for kind in kinds for axis in kind["axes"])
    return "machines.html", {
        "page": "machines",
        "kinds": kinds,
        "stranded": stranded,
        "machines": sum(len(kind["axes"]) for kind in kinds),
        "command": command("interlock", "machine", "show"),
    }


def diffs_of(context: PageContext, kind: str) -> list[dict[str, Any]]:
    """For each axis whose machine has changed: its versions, and what changes between the two that the address names, or from the one
    before to that of the code."""
    by_axis: dict[str, list[MachineVersion]] = {}
    for one in context.client.versions(kind):
        by_axis.setdefault(one.axis, []).append(one)
    return [
        diff_of(context, kind, axis, every)
        for axis, every in by_axis.items()
        if len(every) > 1 or not every[0].is_current
    ]


def diff_of(context: PageContext, kind: str, axis: str, every: Sequence[MachineVersion]) -> dict[str, Any]:
    """Two versions of one machine beside each other."""
    is_asked = (context.query.get("kind"), context.query.get("axis")) == (kind, axis)
    known = {one.fingerprint: one for one in every}
    current = next((one for one in every if one.is_current), every[-1])
    others = [one for one in every if one is not current]
    before = known.get(context.query.get("from", "") if is_asked else "", others[-1])
    after = known.get(context.query.get("to", "") if is_asked else "", current)
    change = context.client.change(kind, before.fingerprint, axis=axis, after=after.fingerprint)
    return {
        "axis": axis,
        "versions": every,
        "before": before,
        "after": after,
        "lines": change.lines,
        "stranded": [
            {
                "word": state_word(one.state),
                "scope": one.scope,
                "records": one.records,
                "href": records_href(kind, axis, one.scope, one.state),
            }
            for one in change.stranded
        ],
        "stranded_total": sum(one.records for one in change.stranded),
        "is_asked": is_asked,
        "command": command("interlock", "machine", "diff", kind, "--from", before.fingerprint[:12]),
    }


def kind_of(
    workflow: Workflow, declared: Mapping[str, Any], held: Mapping[tuple[str, str], Mapping[str | None, int]]
) -> dict[str, Any]:
    """One kind with its machines."""
    axes = [
        axis_of(workflow, workflow.axes[one["name"]], one, held.get((workflow.name, one["name"]), {}))
        for one in declared["axes"]
    ]
    return {
        "kind": workflow.name,
        "noun": workflow.noun,
        "table": declared["table"],
        "axes": axes,
        "picture": picture_of(workflow),
        "stages": declared["stages"],
        "rules": declared["rules"],
        "gates": declared["gates"],
        "words": words_of(axes, declared),
    }


def axis_of(
    workflow: Workflow, axis: Axis, declared: Mapping[str, Any], held: Mapping[str | None, int]
) -> dict[str, Any]:
    """One machine: its moves, and records in states that it does not have."""
    marks = marks_of(workflow, axis)
    stranded = {state: records for state, records in held.items() if state not in marks}
    return {
        "name": axis.name,
        "machine": declared["machine"],
        "fingerprint": declared["fingerprint"][:12],
        "scopes": declared["scopes"],
        "people": is_moved_by_people(workflow, axis),
        "stranded": [{"word": state_word(state), "records": records} for state, records in stranded.items()],
        "stranded_total": sum(stranded.values()),
        "moves": [
            {
                "from": state_word(one["from"]),
                "from_mark": mark_of(marks, one["from"]),
                "to": state_word(one["to"]),
                "to_mark": mark_of(marks, one["to"]),
                "needs": one["needs"],
                "drives": one["drives"],
            }
            for one in declared["moves"]
        ],
    }


def picture_of(workflow: Workflow) -> Markup:
    """The machines of a kind with the rules between them."""
    drawn = [
        DrawnAxis(
            axis.machine,
            name=axis.name if len(workflow.axes) > 1 else "",
            says=", ".join(axis.scopes) or ("people decide" if is_moved_by_people(workflow, axis) else ""),
            stages=stages_of(workflow, axis),
            by_people=is_moved_by_people(workflow, axis),
            driving=driving_states(workflow, axis),
        )
        for axis in workflow.axes.values()
    ]
    rules = [
        DrawnRule((rule.axis, state), (rule.target, new))
        for rule in workflow.rules
        if rule.moment == "entering" and rule.target in workflow.axes and rule.target is not None
        for state in rule.states
        for new in dict.fromkeys((rule.mapping or {}).values())
    ]
    return Markup(
        draw_axes(drawn, rules, title=f"Machines of {workflow.name}")
    )  # the drawer escapes every name


def words_of(axes: Sequence[Any], declared: Mapping[str, Any]) -> str:
    """How much a kind declares; what it has none of is left out."""
    parts = ((axes, "machine"), (declared["stages"], "stage"), (declared["rules"], "rule"))
    return ", ".join(plural(len(some), noun) for some, noun in parts if some)
