"""Coordinators in processes of their own, which all want to run the same ticks."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from multiprocessing.connection import Connection

from sqlalchemy import Column, Integer, MetaData, Table, Text, insert

from interlock import App, Axis, Machine, Workflow
from tests.concurrency.workers import answering, on_the_word

ran = Table("ran", MetaData(), Column("number", Integer, primary_key=True), Column("tick", Text))
"""Only ever inserted: a tick that ran twice would show."""


def workflow() -> Workflow:
    table = Table("things", MetaData(), Column("id", Integer, primary_key=True))
    machine = Machine("thing", initial="here", moves={"here": ["there"]})
    made = Workflow("things", records=table, axes=[Axis("status", machine)])

    @made.every("1s")
    def tick_once(app: App, tick: datetime) -> None:
        with app.database.write() as tx:
            tx.execute(insert(ran), {"tick": tick.isoformat()})

    return made


@answering
def coordinate(connection: Connection, url: str, ticks: int) -> int:
    """Sweep until so many ticks have run, whoever ran them."""
    with closing(App([workflow()], database=url)) as app:
        coordinator = app.coordinator(start=lambda run: run())
        on_the_word(connection)
        while sum(run.outcome == "done" for run in app.schedule_runs("things", "tick_once", 100)) < ticks:
            coordinator.sweep()
    return ticks
