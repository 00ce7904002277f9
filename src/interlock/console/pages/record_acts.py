"""What may be done with a record, as forms that ask for a reason and show their command; and what may not, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...observe.explain import Explanation, Possibility
from ...workflow import Workflow
from ...workflow.extension import PageContext
from ..marks import mark_of, stages_of
from ..words import command, path, state_word

RECORD = "/api/v1/{kind}/records/{id}"
NEEDS_ROLE, ONLY_RETRY = "ILK-211", "only a retry takes it"
NOT_LEGAL = " is not a legal move; "


def next_of(
    context: PageContext, workflow: Workflow, record: Any, explained: Explanation, marks: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What may be done, as forms; and what may not, each with its code and reason."""
    acts: list[dict[str, Any]] = []
    refusals: list[dict[str, Any]] = []
    versions = {(one.axis, one.scope): one.version for one in record.where}
    failed = [one for one in record.where if one.error_code or leads_to_retry(workflow, one)]
    for one in failed:
        offer(context, acts, refusals, retry_act(workflow, record, one), "retry")
    for one in explained.next:
        if ONLY_RETRY in one.reason:
            continue
        where = "" if len(record.where) == 1 else f" on {one.axis}" + (f" ({one.scope})" if one.scope else "")
        title = f"Move to {state_word(one.to)}{where}"
        allowed = one.allowed or may_in_role(workflow, one, record, context.role)
        if allowed:
            version = versions.get((one.axis, one.scope))
            offer(context, acts, refusals, move_act(workflow, record, one, version, title, marks), "moves")
        else:
            refusals.append(
                {
                    "title": title,
                    "code": one.code,
                    "because": plain_reason(one.reason),
                    "word": state_word(one.to),
                    "where": where,
                    "place": (one.axis, one.scope),
                }
            )
    for one in record.where:
        if is_worked_on(workflow, one):
            offer(context, acts, refusals, cancel_act(workflow, record, one), "cancel")
    offer(context, acts, refusals, erase_act(workflow, record), "erase")
    for number, act in enumerate(acts):
        act["id"] = f"act{number}"
    return acts, join_refusals(refusals)


def join_refusals(refusals: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Moves out of one place that its machine does not have are one refusal, which names them all."""
    groups: dict[Any, list[dict[str, Any]]] = {}
    for position, one in enumerate(refusals):
        _, is_illegal, legal = one["because"].partition(NOT_LEGAL)
        groups.setdefault((one["place"], legal) if is_illegal else position, []).append(one)
    return [joined(group) if len(group) > 1 else group[0] for group in groups.values()]


def joined(group: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Several refused moves in one: "Move to parsing or normalizing", and what is legal instead."""
    *others, last = [one["word"] for one in group]
    legal = group[0]["because"].partition(NOT_LEGAL)[2]
    return {
        **group[0],
        "title": f"Move to {', '.join(others)} or {last}{group[0]['where']}",
        "because": f"Not legal moves; {legal}",
    }


def offer(
    context: PageContext,
    acts: list[dict[str, Any]],
    refusals: list[dict[str, Any]],
    act: dict[str, Any],
    route: str,
) -> None:
    """Put an act among those that may be done, or among the refused where the role does not reach it."""
    needs = context.may("POST", f"{RECORD}/{route}")
    if needs:
        refusals.append({"title": act["title"], "code": "ILK-403", "because": needs})
    else:
        acts.append(act)


def may_in_role(workflow: Workflow, one: Possibility, record: Any, role: str | None) -> bool:
    """Whether a move that needs a role is open to the role of whoever looks."""
    if one.code != NEEDS_ROLE:
        return False
    axis = workflow.axes[one.axis]
    here = next(
        (place.state for place in record.where if (place.axis, place.scope) == (one.axis, one.scope)), None
    )
    edges = [
        edge for edge in axis.machine.edges.get(here, ()) if edge.to == one.to and edge.kind == "operator"
    ]
    return any(role in (edge.role or "operator", "admin") for edge in edges)


def leads_to_retry(workflow: Workflow, place: Any) -> bool:
    """Whether a retry leads out of where the record is."""
    edges = workflow.axes[place.axis].machine.edges.get(place.state, ())
    return any(edge.kind == "retry" for edge in edges)


def is_worked_on(workflow: Workflow, place: Any) -> bool:
    """Whether a stage works on the record, or is about to."""
    stages = stages_of(workflow, workflow.axes[place.axis])
    return any(place.state == one.running or place.state in one.waiting for one in stages)


def act_of(workflow: Workflow, record: Any, title: str, verb: str, route: str, **more: Any) -> dict[str, Any]:
    """What a form of the page is made from."""
    return {
        "title": title,
        "verb": verb,
        "url": "/api/v1" + path(workflow.name, "records", record.id) + f"/{route}",
        "body": {},
        "key": "",
        "mark": None,
        "strong": False,
        **more,
    }


def retry_act(workflow: Workflow, record: Any, place: Any) -> dict[str, Any]:
    words: list[Any] = ["interlock", "record", "retry", workflow.name, record.id]
    scoped = f" ({place.scope})" if place.scope else ""
    return act_of(
        workflow,
        record,
        f"Retry{scoped}",
        "Retry now",
        "retry",
        body={"scope": place.scope} if place.scope else {},
        key="r",
        strong=True,
        command=command(*words, *(("--scope", place.scope) if place.scope else ())),
    )


def move_act(
    workflow: Workflow,
    record: Any,
    one: Possibility,
    version: int | None,
    title: str,
    marks: Mapping[str, Any],
) -> dict[str, Any]:
    words: list[Any] = [
        "interlock",
        "record",
        "move",
        workflow.name,
        record.id,
        f"{one.axis}={state_word(one.to)}",
    ]
    body: dict[str, Any] = {"axis": one.axis, "to": one.to}
    if one.scope:
        words += ["--scope", one.scope]
        body["scope"] = one.scope
    if version is not None:
        words += ["--version", version]
        body["version"] = version
    return act_of(
        workflow,
        record,
        title,
        f"Move to {state_word(one.to)}",
        "moves",
        body=body,
        mark=mark_of(marks[one.axis], one.to),
        command=command(*words),
    )


def cancel_act(workflow: Workflow, record: Any, place: Any) -> dict[str, Any]:
    body = {"axis": place.axis, **({"scope": place.scope} if place.scope else {})}
    scoped = ("--scope", place.scope) if place.scope else ()
    words = command("interlock", "record", "cancel", workflow.name, record.id, "--axis", place.axis, *scoped)
    title = "Cancel what runs or waits" + (f" ({place.scope})" if place.scope else "")
    return act_of(workflow, record, title, "Cancel it", "cancel", body=body, command=words)


def erase_act(workflow: Workflow, record: Any) -> dict[str, Any]:
    words = command("interlock", "record", "erase", workflow.name, record.id)
    return act_of(workflow, record, "Erase", "Erase for good", "erase", command=words)


def plain_reason(reason: str) -> str:
    """A reason without the name of the machine before it."""
    head, colon, rest = reason.partition(": ")
    return rest if colon and " " not in head else reason
