"""A team's table with rows from before Interlock, for the commands of adoption."""

from __future__ import annotations

from sqlalchemy import Column, Integer, MetaData, String, Table

from interlock import Adopt, Axis, Machine, Workflow

MACHINE = Machine("ticket", initial="new", moves={"new": ["done"]}, aliases={"finished": "done"})
ROWS = ((1, "new"), (2, "FINISHED"), (3, "odd"))


def tickets() -> Workflow:
    table = Table(
        "tickets",
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", String(20)),
    )
    adopt = Adopt("tickets-1", quiet="0s", flags=["old_flag"])
    return Workflow("tickets", records=table, axes=[Axis("status", MACHINE, adopt=adopt)])


workflows = [tickets()]
