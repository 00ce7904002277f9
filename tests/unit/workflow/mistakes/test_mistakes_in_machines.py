"""Mistakes in a machine or an axis: each is refused where it is made, with how it is written instead."""

from __future__ import annotations

import pytest
from sqlalchemy import Column, Enum, Integer, MetaData, String, Table, Text

from interlock import (
    Axis,
    after,
    operator,
)
from tests.unit.workflow.mistakes.orders import (
    MOVES,
    Mistake,
    app_of,
    of_axis,
    of_workflow,
    order_machine,
    orders,
    refused,
)

MISTAKES: dict[str, Mistake] = {
    "a status that is a number": (
        lambda: app_of(orders(status=Integer)),
        "states are text",
        'Column("status", Text)',
    ),
    "a status that is too short for its states": (
        lambda: app_of(orders(status=String(6))),
        "is String(length=6), and cannot hold the state packing",
        'Column("status", Text)',
    ),
    "a status that lists other states": (
        lambda: app_of(orders(status=Enum("placed", "packing", "packed", name="status"))),
        "and cannot hold the state failed",
        'Column("status", Text)',
    ),
    "an initial state that is a typo": (
        lambda: order_machine(initial="plcd"),
        "initial is 'plcd'",
        "'placed'?",
    ),
    "moves as a list": (
        lambda: order_machine(moves=["placed"]),
        "not a mapping",
        'moves={"draft": ["final"]}',
    ),
    "one target without brackets": (
        lambda: order_machine(moves={"placed": "packed"}),
        "moves from 'placed' is 'packed', not a collection",
        "Put it in a list",
    ),
    "states as numbers": (
        lambda: order_machine(initial=1, moves={1: [2]}),
        "initial has 1, which is neither text nor None",
        "A state is a str",
    ),
    "a move to the same state": (
        lambda: order_machine(moves={"placed": ["placed"]}),
        "lead to itself",
        "Staying is never a move",
    ),
    "a target twice": (
        lambda: order_machine(moves={"placed": ["packed", "packed"]}),
        "'packed' twice",
        "Name it once",
    ),
    "an empty state": (lambda: order_machine(moves={"placed": [""]}), "is empty", "None for the null state"),
    "an initial state that was forgotten": (
        lambda: order_machine(initial=None),
        "initial is null, which is not among its states",
        "add null to the moves",
    ),
    "a machine without moves": (lambda: order_machine(moves={}), "has no states at all", "Give it `moves`"),
    "a list of states with a typo": (
        lambda: order_machine(states=["placed", "packing", "packd", "failed"]),
        "moves name 'packed'",
        "'packd'?",
    ),
    "a role that is a number": (
        lambda: order_machine(moves={"placed": [operator("packed", role=3)]}),  # type: ignore[arg-type]
        "moves from 'placed' have the role 3, which is not text",
        'role="reviewer"',
    ),
    "a timer with its words exchanged": (
        lambda: order_machine(moves={"placed": [after("expired", "7d")]}),
        "'expired' is not a span of time",
        'after("7d", "expired")',
    ),
    "a timer without a unit": (
        lambda: order_machine(moves={"placed": [after(7, "expired")]}),  # type: ignore[arg-type]
        "7 is not a span of time",
        'after("7d", "expired")',
    ),
    "a tuple as a move": (
        lambda: order_machine(moves={"placed": [("packed", "operator")]}),
        "neither text nor None",
        "A state is a str",
    ),
    "an alias of an unknown state": (
        lambda: order_machine(aliases={"Old": "packd"}),
        "leads to 'packd'",
        "'packed'?",
    ),
    # Axes
    "an axis with the name of a machine": (
        lambda: Axis("status", "order"),  # type: ignore[arg-type]
        "needs a Machine, not str",
        'Axis("status", Machine("order"',
    ),
    "an axis with moves": (lambda: Axis("status", MOVES), "needs a Machine, not dict", "Machine("),  # type: ignore[arg-type]
    "an axis name with a space": (
        of_axis(name="my status"),
        "must be an identifier",
        'Axis("status", machine)',
    ),
    "an axis that is a word of Python": (of_axis(name="class"), "must be an identifier", "app.move("),
    "an axis that is a word of move": (
        of_axis(name="version"),
        "is a word that move() has already",
        "version_status",
    ),
    "a stamp on an unknown state": (
        of_axis(stamps={"packd": "packed_at"}),
        "names the state 'packd'",
        "'packed'?",
    ),
    "stamps as a set": (of_axis(stamps={"packed"}), "is not a mapping", 'stamps={"packed": "packed_at"}'),
    "one cleared column without brackets": (
        of_axis(cleared={"packed": "note"}),
        "cleared['packed']='note' is not a list",
        "['note']",
    ),
    "a column that the engine does not have": (of_axis(columns={"verison": "v"}), "maps verison", "version"),
    "a prefix that is a number": (of_axis(prefix=3), "prefix=3 is not text", 'prefix="status_"'),
    "a version that is text": (
        of_workflow(
            records=Table(
                "orders", MetaData(), Column("id", Integer, primary_key=True), Column("version", Text)
            )
        ),
        "column orders.version is Text(), and Interlock counts the moves of status there",
        '{"version": "status_version"}',
    ),
    "retries below zero": (of_axis(max_retries=-1), "max_retries=-1", "max_retries=5"),
    "retries that are none": (of_axis(max_retries=None), "max_retries=None", "max_retries=5"),
    "one state without brackets": (
        of_axis(retries_reset_at="packed"),
        "retries_reset_at='packed' is not a list",
        "retries_reset_at=['packed']",
    ),
    "one scope without brackets": (of_axis(scope="de"), "scope='de' is not a list", "scope=['de']"),
    "a scope without a table": (of_axis(scope=("de",)), "needs both scope=(…) and table=…", "table=states"),
    "a word that moved_by does not have": (
        of_axis(moved_by="runner"),
        "'anybody' or 'stages'",
        "moved_by='stages'",
    ),
    "adopt as a word": (of_axis(adopt=True), "adopt is an Adopt, not bool", 'adopt=Adopt("legacy"'),
    # Workflows
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_refused_where_it_is_made(name: str) -> None:
    refused(MISTAKES[name])
