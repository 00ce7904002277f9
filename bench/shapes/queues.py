"""How long a coordinator takes to find the next 500 of many waiting records, and to sweep when there is nothing to repair."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from statistics import median
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Column, Connection, Integer, MetaData, Select, Table, Text, select

from interlock import App, Axis, Done, Machine, Work, Workflow, after, during
from interlock.store.placement import tables_of

from ..bars import BARS, Line
from ..kind import KIND, UPLOAD
from ..whole import fresh, reference
from .one_axis import FIRST, uploads
from .several_axes import SCOPES, domains, item, scoped

TIMES = 9
FOLLOW = during(curation_status="Selected").moves(processing_status={None: "Queued"})
DATABASE = "interlock_bench_queues"


def ordered() -> Sequence[Workflow]:
    """By priority, under a condition."""
    workflow = uploads(Column("priority", Integer), Column("size", Integer))
    table = workflow.records

    @workflow.stage(**FIRST, order=table.c.priority.desc(), only_if=table.c.size > 0)
    def parse(work: Work) -> Done[None]:
        return Done()

    return [workflow]


def timed() -> Sequence[Workflow]:
    """Each record has a timer that is not due: an idle sweep has to know that without looking at them."""
    key = BigInteger().with_variant(Integer, "sqlite")
    first = UPLOAD.initial
    moves = {**UPLOAD.edges, first: [*UPLOAD.edges[first], after("7d", "error")]}
    machine = Machine("upload", initial=first, moves=moves)
    workflow = Workflow(
        KIND,
        noun="upload",
        records=Table("uploads", MetaData(), Column("id", key, primary_key=True)),
        axes=[Axis("status", machine)],
    )

    @workflow.stage(**FIRST)
    def parse(work: Work) -> Done[None]:
        return Done()

    return [workflow]


def pairs(metadata: MetaData, items: Table) -> Select[Any]:
    """Every item in the pipelines that are active, as its source says."""
    pipelines = Table(
        "pipelines",
        metadata,
        Column("name", Text, primary_key=True),
        Column("active", Integer, nullable=False),
    )
    return select(items.c.id, pipelines.c.name).select_from(items).join(pipelines, pipelines.c.active == 1)


class Queue(NamedTuple):
    declare: Callable[[], Sequence[Workflow]]
    kind: str
    row: Mapping[str, Any]
    varied: Mapping[str, str]
    """Columns that differ from row to row, as an expression of its number `n`; of the record or of its state rows."""
    state: Mapping[str, Any] = {}


QUEUES = {
    "plain": Queue(lambda: [reference()], KIND, {}, {}),
    "ordered": Queue(ordered, KIND, {"priority": 1, "size": 1}, {"priority": "(n % 1000 * 919) % 1000"}),
    "rules": Queue(lambda: [domains(rules=[FOLLOW])], "domains", {}, {}, {"curation_status": "Selected"}),
    "timed": Queue(timed, KIND, {}, {}),
    "scoped": Queue(lambda: scoped(pairs), "items", item(1), {}),
}


def lines(
    servers: Mapping[str, str | None], sizes: Sequence[int], say: Callable[[str], None]
) -> Iterator[Line]:
    for database, server in servers.items():
        for waiting in sizes:
            for name, queue in QUEUES.items():
                say(f"{database}: {waiting:,} waiting, {name}")
                for what, milliseconds in measured(server, queue, waiting).items():
                    yield Line(
                        f"{what}, {name}", database, waiting, milliseconds, "ms", bar=BARS[what], lower=True
                    )


def measured(server: str | None, queue: Queue, waiting: int) -> dict[str, float]:
    with fresh(server, DATABASE) as url, closing(App(queue.declare(), database=url)) as app:
        app.migrate()
        fill(app, queue, waiting)
        coordinator = app.coordinator()
        coordinator.sweep()  # folds the counters, and prepares what is asked
        post = next(iter(coordinator.stage_queues.values()))

        def ask() -> None:
            with app.database.write() as tx:
                assert len(post.queue.due(tx, post.scopes[0], 500)) == min(500, waiting)

        return {"due of 500": timed(ask), "idle sweep": timed(coordinator.sweep)}


def timed(act: Callable[[], object]) -> float:
    """The median, in milliseconds."""
    seconds = []
    for _ in range(TIMES):
        began = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - began)
    return median(seconds) * 1e3


def fill(app: App, queue: Queue, waiting: int) -> None:
    """Admit one record as anybody would, and copy its rows, without triggers: only what waits is measured, no history is read."""
    workflow = app.workflow(queue.kind)
    if "pipelines" in workflow.records.metadata.tables:
        with app.database.engine.begin() as tx:
            for scope in SCOPES:
                tx.exec_driver_sql(f"INSERT INTO pipelines(name, active) VALUES ('{scope}', 1)")
    id = app.admit(queue.kind, queue.row, actor="bench").id
    if queue.state:
        app.move(queue.kind, id, actor="bench", **queue.state)
    counted = app.counts()
    with app.database.engine.begin() as tx:
        for table in tables_of(workflow):
            without_triggers(tx, table)
            copy_rows(tx, table, workflow, queue, waiting)
        for (kind, axis, scope, state), number in counted.items():
            word = "NULL" if state is None else f"'{state}'"
            tx.exec_driver_sql(
                f"INSERT INTO interlock_count_delta(kind, axis, scope, state, delta) "
                f"VALUES ('{kind}', '{axis}', '{scope or ''}', {word}, {number * (waiting - 1)})"
            )
    with app.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as tx:
        tx.exec_driver_sql("ANALYZE" if app.database.name == "sqlite" else "VACUUM ANALYZE")


def without_triggers(tx: Connection, table: Table) -> None:
    if tx.dialect.name != "sqlite":
        tx.exec_driver_sql(f"ALTER TABLE {table.name} DISABLE TRIGGER USER")
        return
    for (name,) in tx.exec_driver_sql(
        f"SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '{table.name}'"
    ).all():
        tx.exec_driver_sql(f"DROP TRIGGER {name}")


def copy_rows(tx: Connection, table: Table, workflow: Workflow, queue: Queue, waiting: int) -> None:
    """Rows 2 to `waiting` like the first; a state table has several for each record."""
    columns = [column.name for column in table.columns]
    key = next(iter(table.primary_key)).name
    values = {name: queue.varied.get(name, name) for name in columns}
    if table is workflow.records:
        values[key] = "n"
    else:  # its own key numbers itself
        columns.remove(key)
        values[next(axis.key for axis in workflow.axes.values() if axis.table is table)] = "n"
    numbers = (
        f"(WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < {waiting}) SELECT n FROM numbers)"
        if tx.dialect.name == "sqlite"
        else f"(SELECT generate_series(2, {waiting}) AS n)"
    )
    tx.exec_driver_sql(
        f"INSERT INTO {table.name}({', '.join(columns)}) SELECT {', '.join(values[name] for name in columns)} "
        f"FROM {table.name}, {numbers} numbered".replace("%", "%%" if tx.dialect.name != "sqlite" else "%")
    )
