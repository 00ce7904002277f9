"""The sample workflow that `interlock tour` shows: parcels that travel only when they are paid for."""

from __future__ import annotations

from sqlalchemy import Column, MetaData, String, Table, Text

from ..machine import Machine, operator, retry
from ..workflow import Axis, Done, Workflow, entering
from ..workflow.outcome import Outcome
from ..workflow.work import Work

journey = Machine(
    "journey",
    initial="ordered",
    moves={
        "ordered": ["packed", "cancelled"],
        "packed": ["travelling", "cancelled"],
        "travelling": ["delivered", "lost"],
        "lost": [retry("packed"), operator("cancelled")],
    },
)
payment = Machine("payment", initial=None, moves={None: ["paid"], "paid": [operator(None)]})

table = Table(
    "tour_parcels",
    MetaData(),
    Column("id", String(20), primary_key=True),
    Column("goods", Text, nullable=False),
)

parcels = Workflow(
    "parcels",
    noun="parcel",
    records=table,
    axes=[Axis("status", journey), Axis("payment", payment, prefix="payment_")],
    rules=[entering(status="travelling").requires(payment="paid")],
)


@parcels.stage(waiting="packed", running="travelling", done="delivered", failed="lost")
def carry(work: Work) -> Outcome[None]:
    """Bring the parcel to its door."""
    return Done()


workflows = [parcels]
