"""Mistakes in a workflow, its rules or its app: each is refused where it is made, with how it is written instead."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from sqlalchemy import JSON, Column, MetaData, Table, Text, bindparam, column

from interlock import (
    App,
    during,
    entering,
)
from interlock.workflow.columns.python_types import value_hint
from tests.unit.workflow.mistakes.orders import (
    SHAPE,
    Mistake,
    app_of,
    axis,
    elsewhere,
    of_workflow,
    order_machine,
    orders,
    pack,
    refused,
    renamed,
    stage,
)

MISTAKES: dict[str, Mistake] = {
    "one workflow instead of a list": (lambda: App(orders()), "a list of workflows", "App([orders]"),  # type: ignore[arg-type]
    "one status in two workflows": (
        lambda: App([orders(), renamed(orders())], database="sqlite://"),
        "orders and sales both have the status orders.status",
        "declare its table in one workflow",
    ),
    "an engine for async": (
        lambda: App([orders()], database=SimpleNamespace(sync_engine=None)),  # type: ignore[arg-type]
        "does not take an engine of SQLAlchemy's asyncio",
        "await app.aio.move(…)",
    ),
    "a transport that is none": (
        lambda: App([orders()], database="sqlite://", transport=object()),  # type: ignore[arg-type]
        "lacks within, after",
        'Leave it out for "database"',
    ),
    "a rule without a consequence": (
        lambda: app_of(orders(rules=[entering(status="packed")])),
        "it needs a consequence",
        'entering(status="packed").requires(…)',
    ),
    "a workflow name with a space": (
        of_workflow(name="my orders"),
        "'my orders' must be",
        "part of addresses",
    ),
    "a workflow name that is a number": (
        of_workflow(name=3),
        "workflow name 3 must be",
        'Workflow("orders", …)',
    ),
    "a noun that is a number": (of_workflow(noun=4), "noun=4 is not a word", 'noun="order"'),
    "one axis without brackets": (of_workflow(axes=axis()), "is not a list", "axes=[…]"),
    "axes as a mapping": (of_workflow(axes={"status": order_machine()}), "is not a list", "axes=[…]"),
    "a machine among the axes": (
        of_workflow(axes=[order_machine()]),
        "is not an Axis",
        'Axis("status", machine)',
    ),
    "no axes": (of_workflow(axes=[]), "needs at least one axis", 'Axis("status", machine)'),
    "records that are a number": (
        of_workflow(records=42),
        "records=42 is neither a table nor",
        "declarative model",
    ),
    "records that are a plain class": (
        of_workflow(records=Exception),
        "records=Exception is neither",
        "Table",
    ),
    "a table without a key": (
        of_workflow(records=Table("orders", MetaData(), Column("status", Text))),
        "needs a primary key of exactly one column, and has 0",
        "primary_key=True",
    ),
    "a natural key that is a typo": (
        of_workflow(unique=["nummer"]),
        "natural key names 'nummer'",
        "There is ",
    ),
    "one natural key without brackets": (of_workflow(unique="id"), "unique='id' is not a list", "unique=[…]"),
    "one rule without brackets": (
        of_workflow(rules=entering(status="packed").requires(status="placed")),
        "is not a list",
        "rules=[…]",
    ),
    "a function among the rules": (
        of_workflow(rules=[pack]),
        "it needs a consequence",
        'entering(status="packed").moves(…)',
    ),
    "a frozen table by its name": (
        of_workflow(frozen=["orders"]),
        "has 'orders', which is not a table",
        "Model",
    ),
    "an amendable column that is a typo": (
        of_workflow(amendable=["nme"]),
        "amendable names 'nme'",
        "There is ",
    ),
    "one amendable column without brackets": (
        of_workflow(amendable="name"),
        "is not a list",
        "amendable=[…]",
    ),
    "one kept column without brackets": (of_workflow(kept_when_erased="id"), "is not a list", "=[…]"),
    "an amendable status": (of_workflow(amendable=["status"]), "only the engine writes", "app.move()"),
    "an extension as a mapping": (
        of_workflow(extension={}),
        "extension is an Extension, not dict",
        "extension=Extension(",
    ),
    "a stage after the app": (
        lambda: app_of(frozen := orders()) and frozen.stage(**SHAPE)(pack),
        "is frozen",
        "before App(...)",
    ),
    "two workflows of one name": (
        lambda: App([orders(), orders()], database="sqlite://"),
        "have the same name",
        "a name of its own",
    ),
    "no workflows at all": (lambda: App(None), "a list of workflows", "App([orders]"),  # type: ignore[arg-type]
    "a machine instead of a workflow": (
        lambda: App([order_machine()]),  # type: ignore[list-item]
        "a list of workflows",
        "App([orders]",
    ),
    "a folder that is a number": (
        lambda: App([orders()], database="sqlite://", files=5),  # type: ignore[arg-type]
        "files=5 is not a folder",
        'files="/var/lib/shop/files"',
    ),
    "a clock that is a number": (
        lambda: App([orders()], database="sqlite://", clock=5),  # type: ignore[arg-type]
        "5 is not a clock",
        "now()",
    ),
    # Rules
    "a rule without the name of its axis": (
        lambda: entering("packed"),  # type: ignore[arg-type]
        "does not name its axis",
        "entering(status='packed')",
    ),
    "a rule on two axes": (
        lambda: entering(one="a", two="b"),
        "exactly one axis",
        'entering(status="packed")',
    ),
    "a rule that does not say from where": (
        lambda: entering(status="packed").moves(billing="due"),  # type: ignore[arg-type]
        "does not say from where",
        "moves(billing={None: 'due'})",
    ),
    "a rule on an unknown axis": (
        of_workflow(rules=[entering(state="packed").requires(status="placed")]),
        "names the axis 'state', which does not exist",
        "Did you mean 'status'?",
    ),
    "a rule on an unknown state": (
        of_workflow(rules=[entering(status="packd").requires(status="placed")]),
        "names the state packd, which machine order does not have",
        "Did you mean 'packed'?",
    ),
    "a rule that requires True": (
        of_workflow(rules=[entering(status="packed").requires(True)]),  # type: ignore[arg-type]
        "requires True, which is not a condition on a column",
        'requires(items.c.author != bindparam("actor"))',
    ),
    "a rule that requires a function": (
        of_workflow(rules=[entering(status="packed").requires(pack)]),  # type: ignore[arg-type]
        "requires pack, which is not a condition",
        'requires(items.c.author != bindparam("actor"))',
    ),
    "a rule with a parameter that is a typo": (
        of_workflow(rules=[entering(status="packed").requires(column("id") != bindparam("actr"))]),
        "asks for the parameter 'actr', to which nothing gives a value",
        "Did you mean 'actor'? There is actor, role, scope.",
    ),
    "a condition with a parameter of nobody's": (
        stage(only_if=column("id") < bindparam("most")),
        "only_if asks for the parameter 'most', to which nothing gives a value",
        "There is actor, role, scope.",
    ),
    "a rule that requires nothing": (
        lambda: entering(status="packed").requires(),
        "needs a condition",
        "a column of the record",
    ),
    "a rule about another table": (
        of_workflow(rules=[entering(status="packed").requires(elsewhere() > 0)]),
        "names customers.paid, a column of another table",
        "exists().where(…)",
    ),
    "a rule that requires while it stands": (
        lambda: during(status="packed").requires(status="placed"),
        "cannot be kept",
        "entering(…).requires",
    ),
    # Stages
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_where_it_is_made(name: str) -> None:
    refused(MISTAKES[name])


def test_a_column_of_json_says_what_it_takes() -> None:
    assert value_hint(Column("extra", JSON)) == (
        "extra is JSON: give it a dict, a list, text, a number, True, False or None."
    )
