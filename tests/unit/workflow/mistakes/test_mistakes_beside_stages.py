"""Mistakes in gates, hooks, schedules, mirrors, views and outcomes: each is refused where it is made, with how it is written instead."""

from __future__ import annotations

import pytest

from interlock import (
    Again,
    Done,
    cron,
)
from interlock.extension import View
from interlock.workflow.checks.lint import findings
from tests.unit.workflow.mistakes.orders import (
    Mistake,
    alone,
    app_of,
    awaited,
    declared,
    gated_at_the_start,
    nothing,
    of_workflow,
    orders,
    pack,
    pair,
    refused,
)

MISTAKES: dict[str, Mistake] = {
    "a hook on such a state": (
        lambda: orders().on_move("packd")(pack),
        "names the state 'packd'",
        "Did you mean 'packed'?",
    ),
    "a gate before such a state": (
        lambda: orders().gate("packd")(pack),
        "names the state 'packd'",
        "Did you mean 'packed'?",
    ),
    "a gate without parentheses": (
        declared(lambda kind: kind.gate(pack)),
        "has no options",
        "in parentheses",
    ),
    "a gate before a failed state": (
        declared(lambda kind: kind.gate("failed")(alone)),
        "nowhere to go",
        "Put the gate before packed",
    ),
    "a gate that no move enters": (
        lambda: app_of(gated_at_the_start()),
        "stands before new, which no move of machine ticket enters",
        "Name a state that some move leads to",
    ),
    "a tier as a word": (
        declared(lambda kind: kind.gate("packed", tier="first")(alone)),
        "tier='first' is not a whole number",
        "tier=1",
    ),
    "one delay of a gate": (
        declared(lambda kind: kind.gate("packed", retry="5s")(alone)),
        "a list of delays",
        'retry=["5s", "1m"]',
    ),
    "a gate without an argument": (
        declared(lambda kind: kind.gate("packed")(nothing)),
        "gate nothing: its function takes () -> 'Done[None]', and is called with (work)",
        "Write def nothing(work)",
    ),
    "a number as a gate": (
        declared(lambda kind: kind.gate("packed")(3)),
        "3 is not a function",
        "above a def",
    ),
    "a hook without parentheses": (
        declared(lambda kind: kind.on_move(pair)),
        "has no options",
        "in parentheses",
    ),
    "a hook with a list": (
        declared(lambda kind: kind.on_move(["packed"])),
        "takes states one after the other",
        '@orders.on_move("packed", "sent")',
    ),
    "a hook with letters exchanged": (
        declared(lambda kind: kind.on_move("pakced")),
        "names the state 'pakced'",
        "Did you mean 'packed'?",
    ),
    "a hook with one argument": (
        declared(lambda kind: kind.on_move("packed")(alone)),
        "hook alone takes (first: 'Any') -> 'Any', and is called with (tx, moves)",
        "Write def alone(tx, moves)",
    ),
    "a hook that is async": (
        declared(lambda kind: kind.on_move("packed")(awaited)),
        "hook awaited is async",
        "without async",
    ),
    "a removal hook with one argument": (
        declared(lambda kind: kind.on_remove(alone)),
        "is called with (tx, removals)",
        "Write def alone(tx, removals)",
    ),
    "a function after removals with one argument": (
        declared(lambda kind: kind.after_remove(alone)),
        "is called with (app, answers)",
        "Write def alone(app, answers)",
    ),
    "a schedule without parentheses": (declared(lambda kind: kind.every(pair)), "has no options", '"15m"'),
    "a schedule as a number": (declared(lambda kind: kind.every(15)), "15 is not a schedule", 'every("15m")'),
    "cron as a span": (
        declared(lambda kind: kind.every("0 6 * * *")),
        "looks like cron",
        'cron("0 6 * * *")',
    ),
    "a minute that no hour has": (lambda: cron("61 * * * *"), "'61' is not within 0 to 59", "minute 0-59"),
    "a schedule with one argument": (
        declared(lambda kind: kind.every("5m")(alone)),
        "schedule alone takes (first: 'Any') -> 'Any', and is called with (app, tick)",
        "Write def alone(app, tick)",
    ),
    "a mirror of an axis without scopes": (
        declared(lambda kind: kind.mirror("note")),
        "a mirror is of a scoped axis, and none is",
        "need no mirror",
    ),
    "a view without a query": (
        lambda: View("shelf", " "),
        "view 'shelf' needs a query",
        'View("shelf", "SELECT …")',
    ),
    "a view with a name that needs quotes": (
        lambda: View("my shelf", "SELECT 1"),
        "is not lower case",
        'View("open_orders", …)',
    ),
    "a text instead of a view": (of_workflow(views=["SELECT 1"]), "which is not a View", "View(name, query)"),
    # Outcomes
    "new records without their kind": (
        lambda: Done(admits=[{"id": 1}]),  # type: ignore[arg-type]
        "does not name the kind of the new records",
        'admits={"pages":',
    ),
    "a pause without a unit": (lambda: Again(5), "5 is not a span of time", '"30s"'),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_where_it_is_made(name: str) -> None:
    refused(MISTAKES[name])


def test_a_gate_that_no_stage_leads_to_is_a_finding() -> None:
    workflow = orders()
    workflow.stage(waiting="placed", done="packing")(pack)
    workflow.gate("packed")(alone)
    assert any("no stage leads to packed, so nothing runs gate alone" in one for one in findings(workflow))
