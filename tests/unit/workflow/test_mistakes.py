"""Mistakes of a first hour, each refused where it is written down: what is wrong, its code, and how it is written instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text

from interlock import App, Axis, Done, Machine, Workflow, entering
from interlock.errors import BadDeclaration

MOVES = {"placed": ["packing"], "packing": ["packed", "failed"], "failed": ["placed"]}
SHAPE: dict[str, Any] = {"waiting": "placed", "running": "packing", "done": "packed", "failed": "failed"}


def orders(**options: Any) -> Workflow:
    kind = options.pop("status", Text)
    columns = [Column("id", Integer, primary_key=True), Column("status", kind)]
    table = Table("orders", MetaData(), *columns)
    machine = Machine("order", initial="placed", moves=MOVES)
    return Workflow("orders", noun="order", records=table, axes=[Axis("status", machine)], **options)


def pack(work: Any) -> Done[None]:
    return Done()


def nothing() -> Done[None]:
    return Done()


def stage(**options: Any) -> Callable[[], Any]:
    return lambda: orders().stage(**{**SHAPE, **options})(pack)


def app_of(workflow: Workflow) -> App:
    return App([workflow], database="sqlite://")


def with_stage(function: Any, *, loads: bool = False) -> Workflow:
    workflow = orders()
    made = workflow.stage(**SHAPE)(function)
    if loads:
        made.load(lambda tx, work: None)
    return workflow


MISTAKES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "a state that the machine does not have": (
        stage(done="packd"),
        "names the state 'packd', which the machine does not have",
        "Did you mean 'packed'?",
    ),
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
    "one delay instead of a list": (
        stage(retry="5s"),
        "retry='5s' is not a list of delays",
        'retry=["5s", "1m"]',
    ),
    "a number of retries": (stage(retry=3), "retry=3 is not a list of delays", 'retry=["5s", "1m"]'),
    "a condition that is none": (
        stage(only_if=True),
        "only_if=True is not a condition",
        "only_if=orders.c.paid",
    ),
    "no room at all": (stage(limit=0), "limit=0 is not a number of attempts", "limit=20"),
    "an amount of memory that is none": (stage(memory="lots"), "memory='lots' is not an amount", '"512MB"'),
    "isolation as a word": (stage(isolate="yes"), "isolate='yes' is neither True nor False", ""),
    "a time that is none": (stage(timeout="soon"), "'soon' is not a span of time", '"30s"'),
    "a rate that is none": (stage(rate="fast"), "'fast' is not a rate", '"10/m"'),
    "a stage without parentheses": (
        lambda: orders().stage(pack),
        "@orders.stage of pack has no options",
        "in parentheses",
    ),
    "a stage without states": (lambda: orders().stage(), "needs the states waiting=… and done=…", "waiting="),
    "one workflow instead of a list": (lambda: App(orders()), "a list of workflows", "App([orders]"),  # type: ignore[arg-type]
    "a rule without a consequence": (
        lambda: app_of(orders(rules=[entering(status="packed")])),
        "it needs a consequence",
        "",
    ),
    "a status that is a number": (lambda: app_of(orders(status=Integer)), "states are text", ""),
    "a function without an argument": (
        lambda: app_of(with_stage(nothing)),
        "is called with (work)",
        "",
    ),
    "a function that does not take what was loaded": (
        lambda: app_of(with_stage(pack, loads=True)),
        "is called with (work, what was loaded)",
        "",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_where_it_is_made(name: str) -> None:
    make, message, hint = MISTAKES[name]
    with pytest.raises(BadDeclaration) as refused:
        make()
    assert refused.value.code == "ILK-101"
    assert message in str(refused.value)
    assert hint in (refused.value.hint or "")


def test_what_is_right_is_taken() -> None:
    workflow = orders()
    workflow.stage(**SHAPE, retry=["5s"], limit=1, memory="1.5GB", only_if=workflow.records.c.id > 3)(pack)
    app_of(workflow).close()
