"""Requests that expire by themselves, in several shapes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, Text

from interlock import Axis, Done, Machine, Outcome, Work, Workflow, after, entering, operator

REQUEST = Machine(
    "request",
    initial="requested",
    moves={
        "requested": ["checking", after("7d", "expired")],
        "checking": ["granted", "requested", after("2h", "requested")],
        "granted": [operator("revoked"), after("30d", "revoked")],
        "expired": ["requested"],
    },
)
PAYMENT = Machine("payment", initial="open", states=["open", "paid", "void"])
SCOPES = ("north", "south")


def requests(work: Any = None, *, rules: Any = (), machine: Machine = REQUEST, **axis: Any) -> Workflow:
    """One axis with three timers, and a payment beside it."""
    table = Table(
        "requests",
        MetaData(),
        Column("id", Integer, primary_key=True),
        Column("note", Text),
    )
    workflow = Workflow(
        "requests",
        noun="request",
        records=table,
        axes=[Axis("status", machine, **axis), Axis("payment", PAYMENT, prefix="payment_")],
        rules=rules,
    )
    if work is not None:

        @workflow.stage(waiting="requested", running="checking", done="granted", deadline="1h")
        def check(one: Work) -> Outcome[Any]:
            return work(one)

    return workflow


def unpaid() -> Any:
    """A request expires only while nobody has paid, and its payment is void then."""
    return [
        entering(status="expired").requires(payment={"open", "void"}),
        entering(status="expired").moves(payment={"open": "void"}),
    ]


def regional() -> Workflow:
    """A status per region, in a table of its own."""
    metadata = MetaData()
    offers = Table(
        "offers", metadata, Column("id", Integer, primary_key=True), Column("open_regions", Integer)
    )
    states = Table(
        "offer_state",
        metadata,
        Column("offer_id", ForeignKey("offers.id"), primary_key=True),
        Column("region", String(20), primary_key=True),
    )
    workflow = Workflow(
        "offers",
        noun="offer",
        records=offers,
        axes=[Axis("status", REQUEST, table=states, scope=SCOPES, scope_column="region")],
    )

    @workflow.mirror("open_regions")
    def count_open(rows: Any) -> dict[str, Any]:
        return {"open_regions": sum(row["status"] != "expired" for row in rows.values())}

    return workflow


def well(work: Work) -> Done[None]:
    return Done()
