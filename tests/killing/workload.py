"""The app under the kills: uploads with two stages whose saves leave rows to count, and two kinds whose payloads may be poison."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, Text, insert

from interlock import Again, App, Axis, Done, Failed, Machine, Outcome, Work, Workflow, after
from tests.kinds import UPLOAD

ROWS = 2
"""Domain rows that each accepted attempt leaves."""
SOON = timedelta(milliseconds=50)
MANY = [SOON] * 30
"""Tries that no innocent record uses up, however often its runner is killed."""
POISON_TRIES = 3
JOB = Machine("job", initial="waiting", moves={"waiting": ["running"], "running": ["done", "failed"]})

saved = Table(
    "saved_rows",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("record_id", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("process", Integer, nullable=False),
)
"""What stages save. Only ever inserted: a second save would show."""


def columns() -> list[Column[Any]]:
    return [
        Column("id", String(40), primary_key=True),
        Column("behaviour", Text),
        Column("place", Text),
        Column("parsed_attempt", Integer),
    ]


def keep(tx: Connection, work: Work, stage: str) -> None:
    tx.execute(
        insert(saved),
        [{"record_id": work.id, "stage": stage, "attempt": work.record["attempt"], "process": os.getpid()}]
        * ROWS,
    )


def behave(work: Work) -> Outcome[int] | None:
    """What this payload does to whoever runs it; None: nothing out of the ordinary."""
    does = work.record["behaviour"]
    if does == "exit":
        os._exit(7)
    if does == "hang":
        threading.Event().wait()
    if does == "leak":
        hoard = []
        while True:
            hoard.append(b"x" * 10_000_000)
    if does == "slow":
        threading.Event().wait(0.15)
    if does == "gated" or (does == "gated once" and work.attempt == 1):
        pass_gate(Path(work.record["place"]))
    if does == "flaky" and work.record["attempt"] % 2:
        return Failed("FLAKY", "only every other time")
    if does == "again" and work.record["attempt"] % 3 == 1:
        return Again(SOON)
    return None


def pass_gate(fifo: Path) -> None:
    """Say that the work has begun, then wait until somebody opens the gate for good; a pipe waits without looking again and again."""
    Path(f"{fifo}.{os.getpid()}.begun").touch()
    with suppress(FileNotFoundError):
        fifo.read_bytes()


def make_gate(place: Path) -> Path:
    os.mkfifo(place)
    return place


def open_gate(fifo: Path) -> None:
    """For whoever waits now, and for everybody who comes later."""
    later = fifo.with_suffix(".opened")
    fifo.rename(later)
    with suppress(OSError):  # nobody waits
        os.close(os.open(later, os.O_WRONLY | os.O_NONBLOCK))


def begun(fifo: Path) -> list[int]:
    """The processes in which work has come to this gate."""
    return [int(found.name.split(".")[-2]) for found in fifo.parent.glob(f"{fifo.name}.*.begun")]


def uploads() -> Workflow:
    table = Table("uploads", MetaData(), *columns())
    workflow = Workflow("uploads", noun="upload", records=table, axes=[Axis("status", UPLOAD)])

    @workflow.stage(
        waiting="queued_for_parse",
        running="parsing",
        done="parsed",
        failed="error",
        retry=MANY,
        retry_in="running",
    )
    def parse(work: Work) -> Outcome[int]:
        return behave(work) or Done(ROWS, parsed_attempt=work.record["attempt"])

    @workflow.stage(
        waiting="parsed",
        running="normalizing",
        done="normalized",
        failed="error",
        retry=MANY,
        retry_in="running",
    )
    async def normalize(work: Work) -> Outcome[int]:
        return Done(ROWS)

    parse.save(lambda tx, work, _: keep(tx, work, "parse"))
    normalize.save(lambda tx, work, _: keep(tx, work, "normalize"))
    return workflow


def sheets() -> Workflow:
    """Isolated: what happens to the work happens to a process of its own."""
    table = Table("sheets", MetaData(), *columns())
    workflow = Workflow("sheets", noun="sheet", records=table, axes=[Axis("status", JOB)])

    @workflow.stage(
        waiting="waiting",
        running="running",
        done="done",
        failed="failed",
        isolate=True,
        timeout="1s",
        memory="256MB",
        retry=[SOON] * (POISON_TRIES - 1),
    )
    def press(work: Work) -> Outcome[int]:
        return behave(work) or Done(ROWS, parsed_attempt=work.record["attempt"])

    press.save(lambda tx, work, _: keep(tx, work, "press"))
    return workflow


def papers() -> Workflow:
    """Not isolated: poison takes its runner along."""
    table = Table("papers", MetaData(), *columns())
    workflow = Workflow("papers", noun="paper", records=table, axes=[Axis("status", JOB)])

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def read(work: Work) -> Outcome[int]:
        return behave(work) or Done(ROWS, parsed_attempt=work.record["attempt"])

    read.save(lambda tx, work, _: keep(tx, work, "read"))
    return workflow


def notices() -> Workflow:
    """Nobody works on them: timers lead them on."""
    machine = Machine(
        "notice", initial="written", moves={"written": [after("50ms", "sent")], "sent": ["written"]}
    )
    table = Table("notices", MetaData(), Column("id", String(40), primary_key=True))
    return Workflow("notices", noun="notice", records=table, axes=[Axis("status", machine)])


def rounds() -> Workflow:
    """A schedule that notes each of its runs; nothing else happens."""
    machine = Machine("round", initial="open", moves={"open": ["closed"]})
    table = Table("rounds", MetaData(), Column("id", String(40), primary_key=True))
    workflow = Workflow("rounds", noun="round", records=table, axes=[Axis("status", machine)])

    @workflow.every("1s")
    def go_round(app: App, tick: datetime) -> None:
        app.admit("rounds", {"id": f"{tick:%H%M%S}-{os.getpid()}"}, actor="go_round")

    return workflow


KINDS = {"uploads": uploads, "sheets": sheets, "papers": papers, "notices": notices, "rounds": rounds}
STAGES = {"uploads": ("parse", "normalize"), "sheets": ("press",), "papers": ("read",)}
ENDS = {"uploads": ("normalized", "error"), "sheets": ("done", "failed"), "papers": ("done", "failed")}
"""The good end of each kind, and the bad one."""
workflows = [uploads(), sheets()]
"""For `interlock --app`."""


def make_app(url: str, *kinds: str) -> App:
    return App([KINDS[kind]() for kind in kinds or ("uploads",)], database=url)


def prepare(url: str, *kinds: str) -> App:
    """An app whose database is ready, with the table that stages save into."""
    app = make_app(url, *kinds)
    app.migrate()
    with app.database.write() as tx:
        saved.create(tx, checkfirst=True)
    return app
