"""A team's own code on its own table: it knows nothing of Interlock, and writes until it has to stop. And a backfill in a process."""

from __future__ import annotations

import random
from contextlib import closing
from multiprocessing.connection import Connection
from resource import RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Any

from sqlalchemy import Column, Integer, MetaData, String, Table, create_engine, text

from interlock import Adopt, App, Axis, Machine, Workflow
from interlock.adopt.backfill import BackfillProgress
from tests.concurrency.workers import answering, on_the_word

KIND = "letters"
GROWTH = 32 * 1024
"""KiB by which the memory of a backfill may grow after its first chunks."""
STATES = ("draft", "sent", "read")
SPELLED = ("draft", "sent", "read", "SENT", " Read ", "opened")
MACHINE = Machine(
    "letter", initial="draft", moves={"draft": ["sent"], "sent": ["read"]}, aliases={"opened": "read"}
)


def letters() -> Workflow:
    table = Table(
        KIND,
        MetaData(),
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("status", String(20)),
        Column("note", Integer),
    )
    return Workflow(KIND, records=table, axes=[Axis("status", MACHINE, adopt=Adopt("letters-1", quiet="0s"))])


def open_letters(url: str) -> App:
    return App([letters()], database=url)


def fill(url: str, rows: int) -> None:
    """The table as it was before Interlock."""
    engine = create_engine(url)
    chance = random.Random(1)
    with engine.begin() as tx:
        tx.execute(text("CREATE TABLE letters (id integer PRIMARY KEY, status varchar(20), note integer)"))
        for first in range(0, rows, 10_000):
            some = [
                {"id": id, "status": chance.choice(SPELLED)} for id in range(first, min(first + 10_000, rows))
            ]
            tx.execute(text("INSERT INTO letters(id, status) VALUES (:id, :status)"), some)
    engine.dispose()


@answering
def keep_writing(connection: Connection, url: str, rows: int, seed: int) -> list[float]:
    """Writes statuses, notes and new rows, and tells when it has begun; how long each write took, in seconds. A refusal is raised."""
    options: dict[str, Any] = {"connect_args": {"timeout": 60}} if url.startswith("sqlite") else {}
    engine, chance, took = create_engine(url, **options), random.Random(seed), list[float]()
    fresh = rows * (seed + 1)
    on_the_word(connection)
    while not connection.poll():
        begun = perf_counter()
        with engine.begin() as tx:
            act = chance.random()
            if act < 0.7:
                values = {"id": chance.randrange(rows), "status": chance.choice(SPELLED)}
                tx.execute(text("UPDATE letters SET status = :status WHERE id = :id"), values)
            elif act < 0.75:
                tx.execute(text("DELETE FROM letters WHERE id = :id"), {"id": chance.randrange(rows)})
            elif act < 0.9:
                tx.execute(text("UPDATE letters SET note = 1 WHERE id = :id"), {"id": chance.randrange(rows)})
            else:
                fresh += 1
                tx.execute(
                    text("INSERT INTO letters(id, status) VALUES (:id, :status)"),
                    {"id": fresh, "status": chance.choice(SPELLED)},
                )
        took.append(perf_counter() - begun)
        if len(took) == 3:
            connection.send("written")
    connection.recv()
    engine.dispose()
    return took


@answering
def carry_out_backfill(connection: Connection, url: str, chunk: int) -> int:
    """Runs the backfill and sends after every chunk how many rows it wrote; at the end all of them, negative. Its memory stays flat."""
    sizes: list[int] = []

    def tell(one: BackfillProgress) -> None:
        sizes.append(getrusage(RUSAGE_SELF).ru_maxrss)
        connection.send(one.written)

    with closing(open_letters(url)) as app:
        done = app.adoptions.backfill(KIND, actor="eve", chunk=chunk, take_over=True, tell=tell)
        grown = sizes[-1] - sizes[min(10, len(sizes) - 1)]
        assert grown < GROWTH, f"{grown} KiB more at the end than after ten chunks"
        return -done.written - 1
