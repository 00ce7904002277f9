"""Orders with a mistake in them: what the tables of mistakes are made with, and how each row is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, Text

from interlock import (
    App,
    Axis,
    Done,
    Machine,
    Workflow,
)
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


def order_machine(**options: Any) -> Machine:
    return Machine("order", **{"initial": "placed", "moves": MOVES, **options})


def axis(name: str = "status", **options: Any) -> Axis:
    return Axis(name, order_machine(), **options)


def of_axis(**options: Any) -> Callable[[], Any]:
    """Declares an axis with these options, and a workflow and an app with it."""

    def declare() -> App:
        table = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
        return app_of(Workflow("orders", records=table, axes=[axis(**options)]))

    return declare


def of_workflow(**options: Any) -> Callable[[], Any]:
    """Declares a workflow with these options, and an app with it."""

    def declare() -> App:
        table = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
        parts = {"records": table, "axes": [axis()], **options}
        return app_of(Workflow(parts.pop("name", "orders"), **parts))

    return declare


def stage(function: Any = None, **options: Any) -> Callable[[], Any]:
    """Declares a stage with these options, and an app with it."""

    def declare() -> App:
        workflow = orders()
        workflow.stage(**{**SHAPE, **options})(pack if function is None else function)
        return app_of(workflow)

    return declare


def declared(declare: Callable[[Workflow], Any]) -> Callable[[], Any]:
    """Declares something beside a stage, and an app with both."""

    def make() -> App:
        workflow = with_stage(pack)
        declare(workflow)
        return app_of(workflow)

    return make


def pair(first: Any, second: Any) -> None: ...


def alone(first: Any) -> Any: ...


def yields(work: Any) -> Any:
    yield Done()


async def awaited(tx: Any, moves: Any) -> None: ...


def gated_at_the_start() -> Workflow:
    """A gate before the initial state, which is never entered."""
    table = Table("tickets", MetaData(), Column("id", Integer, primary_key=True))
    machine = Machine("ticket", initial="new", moves={"new": ["closed"]})
    workflow = Workflow("tickets", records=table, axes=[Axis("status", machine)])
    workflow.gate("new")(alone)
    return workflow


def renamed(workflow: Workflow) -> Workflow:
    """Another workflow on the same table."""
    return Workflow("sales", records=workflow.records, axes=[Axis("status", order_machine())])


def elsewhere() -> Any:
    """A column of a table that the workflow does not know."""
    return Table("customers", MetaData(), Column("paid", Integer)).c.paid


def app_of(workflow: Workflow) -> App:
    return App([workflow], database="sqlite://")


def with_stage(function: Any, *, loads: bool = False) -> Workflow:
    workflow = orders()
    made = workflow.stage(**SHAPE)(function)
    if loads:
        made.load(lambda tx, work: None)
    return workflow


Mistake = tuple[Callable[[], Any], str, str]
"""How it is made, what the refusal says, and what it says to write instead."""


def refused(mistake: Mistake) -> None:
    make, message, hint = mistake
    with pytest.raises(BadDeclaration) as refusal:
        make()
    assert refusal.value.code == "ILK-101"
    assert message in str(refusal.value)
    assert hint, "a row without what to write instead proves nothing"
    assert hint in refusal.value.hint
