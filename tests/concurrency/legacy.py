"""A team's own code on its own tables: it knows nothing of Interlock, and writes until it has to stop. And a backfill in a process."""

from __future__ import annotations

import random
from contextlib import closing
from multiprocessing.connection import Connection
from resource import RUSAGE_SELF, getrusage
from time import perf_counter
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    func,
    literal_column,
    select,
    text,
    union_all,
)

from interlock import Adopt, App, Axis, Machine, Workflow
from interlock.adopt.backfill import BackfillProgress
from tests.concurrency.dying import IN_THE_MIDST, Fuse, lay
from tests.concurrency.workers import REST, answering, on_the_word

KIND, BESIDE = "letters", "notices"
"""A table that is adopted in place, and one beside whose records state rows are made."""
READERS = ("north", "south")
FRESH = 100_000_000
"""Where the ids of each writer's new rows begin."""
PATIENT = 60
"""Seconds for which a writer waits for a file that somebody else writes."""
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


def notices() -> Workflow:
    """Flags on the record; each record has a state for each of two readers, in rows beside it."""
    metadata = MetaData()
    records = Table(
        BESIDE,
        metadata,
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("is_read", Boolean),
        Column("error", String(40)),
    )
    states = Table(
        "notice_states",
        metadata,
        Column("notice_id", ForeignKey("notices.id"), primary_key=True),
        Column("scope", String(10), primary_key=True),
        Column("note", String(40)),
    )
    one, other = (select(records.c.id, literal_column(f"'{reader}'").label("reader")) for reader in READERS)
    adopt = Adopt(
        "notices-1",
        targets=union_all(one, other),
        rules=[
            ("error", records.c.error.is_not(None), "failed", {"note": func.lower(records.c.error)}),
            ("read", records.c.is_read, "read", {"note": None}),
            ("rest", literal_column("1") == literal_column("1"), "unread", {"note": None}),
        ],
        quiet="0s",
    )
    machine = Machine("notice", initial="unread", moves={"unread": ["read", "failed"], "failed": ["unread"]})
    return Workflow(
        BESIDE,
        records=records,
        axes=[Axis("status", machine, scope=READERS, table=states, adopt=adopt)],
    )


def open_notices(url: str) -> App:
    return App([notices()], database=url)


def fill_notices(url: str, rows: int) -> None:
    """The flags as they were before Interlock."""
    engine = create_engine(url)
    chance = random.Random(1)
    with engine.begin() as tx:
        tx.execute(text("CREATE TABLE notices (id integer PRIMARY KEY, is_read boolean, error varchar(40))"))
        for first in range(0, rows, 10_000):
            some = [{"id": id, **_flags(chance)} for id in range(first, min(first + 10_000, rows))]
            tx.execute(text("INSERT INTO notices VALUES (:id, :is_read, :error)"), some)
    engine.dispose()


def _flags(chance: random.Random) -> dict[str, Any]:
    return {
        "is_read": chance.random() < 0.5,
        "error": f"E{chance.randrange(9)}" if chance.random() < 0.2 else None,
    }


def write_letter(tx: Any, chance: random.Random, rows: int, fresh: int) -> None:
    """A status, a note, a removal or a new row."""
    id, status, act = chance.randrange(rows), chance.choice(SPELLED), chance.random()
    if act < 0.7:
        tx.execute(text("UPDATE letters SET status = :status WHERE id = :id"), {"id": id, "status": status})
    elif act < 0.75:
        tx.execute(text("DELETE FROM letters WHERE id = :id"), {"id": id})
    elif act < 0.9:
        tx.execute(text("UPDATE letters SET note = 1 WHERE id = :id"), {"id": id})
    else:
        values = {"id": fresh, "status": status}
        tx.execute(text("INSERT INTO letters(id, status) VALUES (:id, :status)"), values)


def write_notice(tx: Any, chance: random.Random, rows: int, fresh: int) -> None:
    """Flags, or a new row."""
    if chance.random() < 0.9:
        changed = text("UPDATE notices SET is_read = :is_read, error = :error WHERE id = :id")
        tx.execute(changed, {"id": chance.randrange(rows), **_flags(chance)})
    else:
        tx.execute(
            text("INSERT INTO notices VALUES (:id, :is_read, :error)"), {"id": fresh, **_flags(chance)}
        )


@answering
def keep_writing(connection: Connection, url: str, rows: int, seed: int, kind: str = KIND) -> list[float]:
    """Writes, each in a transaction of its own, and tells when it has begun; how long each write took, in seconds. A refusal is raised.
    After as many writes as there are rows it writes now and then."""
    patient: dict[str, Any] = (
        {"timeout": PATIENT} if url.startswith("sqlite") else {"prepare_threshold": None}
    )  # a pooler
    engine, chance, took = create_engine(url, connect_args=patient), random.Random(seed), list[float]()
    fresh, write = FRESH * seed, write_letter if kind == KIND else write_notice
    on_the_word(connection)
    while not connection.poll(0 if len(took) < rows else REST):
        begun = perf_counter()
        fresh += 1
        with engine.begin() as tx:
            write(tx, chance, rows, fresh)
        took.append(perf_counter() - begun)
        if len(took) == 3:
            connection.send("written")
    connection.recv()
    engine.dispose()
    return took


@answering
def carry_out_backfill(
    connection: Connection, url: str, chunk: int, kind: str = KIND, dies_after: int | None = None
) -> int:
    """Runs the backfill and sends after every chunk how many rows it wrote; at the end all of them, negative. Its memory stays flat. It
    may be killed in the midst of the chunk that follows so many."""
    sizes: list[int] = []
    fuse = Fuse(IN_THE_MIDST)

    def tell(one: BackfillProgress) -> None:
        sizes.append(getrusage(RUSAGE_SELF).ru_maxrss)
        connection.send(one.written)
        fuse.lit = len(sizes) == dies_after

    with closing((open_letters if kind == KIND else open_notices)(url)) as app:
        lay(app.database.engine, fuse)
        done = app.adoptions.backfill(kind, actor="eve", chunk=chunk, take_over=True, tell=tell)
        grown = sizes[-1] - sizes[min(10, len(sizes) - 1)]
        assert grown < GROWTH, f"{grown} KiB more at the end than after ten chunks"
        return -done.written - 1
