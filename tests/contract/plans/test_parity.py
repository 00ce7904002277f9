"""Every shape of plan, moved as whole batches and judged record by record: the same rows, entries, verdicts and answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Date,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    Numeric,
    String,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    select,
    text,
)

from interlock import (
    Axis,
    Done,
    Failed,
    Machine,
    Move,
    Outcome,
    Work,
    Workflow,
    after,
    during,
    entering,
    leaving,
)
from interlock.coordinator import Coordinator
from interlock.store.plan import MovePlan
from interlock.store.work import outcome_counts
from interlock.testing import Sandbox
from tests.contract.working import JOB, PATIENT, STRICT, Boxed

IDS = ["a", "b", "c", "d", "e"]
PERCENT = Machine("percent", initial="0%", moves={"0%": ["50%", "%%"], "50%": ["100%", "%%"], "%%": ["0%"]})
NULLABLE = Machine(
    "nullable",
    initial=None,
    moves={None: ["queued"], "queued": ["busy"], "busy": [None, "failed"], "failed": ["queued"]},
)
CURATION = Machine("curation", initial="New", states=["New", "Selected", "Discarded"])
PROCESSING = Machine(
    "processing",
    initial=None,
    moves={
        None: ["Queued"],
        "Queued": ["Processing", None],
        "Processing": ["Complete", "Failed"],
        "Failed": ["Queued"],
        "Complete": ["Queued"],
    },
)
TIMED = Machine(
    "timed",
    initial="waiting",
    moves={
        "waiting": ["running", after("90s", "failed")],
        "running": ["done", "failed", after("1h", "failed")],
        "failed": ["waiting"],
        "done": [after("2m", "waiting")],
    },
)
PIPELINES = ("technical", "fundamental")


@dataclass(frozen=True)
class Shape:
    """A workflow of a given name, the ids of its records, and what people do to them before work begins."""

    make: Callable[[str], Workflow]
    ids: Sequence[Any] = tuple(IDS)
    act: Callable[[Sandbox, str], Any] = lambda box, kind: None
    rounds: int = 1


def records(name: str, *columns: Column[Any], id: Any = None) -> Table:
    return Table(name, MetaData(), Column("id", id or String(40), primary_key=True), *columns)


def one_axis(
    function: Callable[[Work], Outcome[Any]],
    machine: Machine = JOB,
    *,
    columns: Callable[[], list[Column[Any]]] = list,
    id: Any = None,
    **stage: Any,
) -> Callable[[str], Workflow]:
    def make(name: str) -> Workflow:
        workflow = Workflow(
            name, noun="job", records=records(name, *columns(), id=id), axes=[Axis("status", machine)]
        )

        def work(given: Work) -> Outcome[Any]:
            return function(given)

        workflow.stage(
            **{"waiting": "waiting", "running": "running", "done": "done", "failed": "failed", **stage}
        )(work)
        return workflow

    return make


def plain(work: Work) -> Outcome[Any]:
    return Done()


def with_facts(work: Work) -> Outcome[Any]:
    """Facts of every plain type; every other record has one more, which is no column."""
    extra = {"note": f'of {work.id} – \u2028 "x" \\ 😀'} if str(work.id) in "bd" else {}
    return Done(
        pages=len(str(work.id)) + 2**40,
        title=f'it\'s {work.id} 50% "quoted" \\ \n',
        ratio=0.25,
        price=Decimal("12.30"),
        ok=True,
        day=date(2026, 1, 2),
        seen=datetime.fromisoformat("2026-01-02T03:04:05.000678+00:00"),
        ref=UUID(int=7),
        blank=None,
        **extra,
    )


def fact_columns() -> list[Column[Any]]:
    return [
        Column("pages", BigInteger),
        Column("title", Text),
        Column("ratio", Float),
        Column("price", Numeric(12, 2)),
        Column("ok", Boolean),
        Column("day", Date),
        Column("seen", Text),
        Column("ref", Uuid),
        Column("blank", Text),
    ]


def pages() -> list[Column[Any]]:
    return [Column("pages", Integer)]


def facts(name: str) -> Workflow:
    return one_axis(with_facts, columns=fact_columns)(name)


def sometimes(work: Work) -> Outcome[Any]:
    """Some fail once, one for good, one finds nothing."""
    if work.id in ("b", "d") and work.last_error is None:
        return Failed("BROKEN", "not yet", pages=1)
    if work.id == "c":
        return Failed("HOPELESS", final=True)
    return Done(empty=work.id == "e", pages=3)


def hooked(name: str) -> Workflow:
    log = Table(
        f"{name}_log",
        MetaData(),
        Column("number", Integer, primary_key=True),
        Column("job", Text),
        Column("entry", Text),
    )
    workflow = Workflow(
        name,
        noun="job",
        records=records(name, Column("pages", Integer)),
        axes=[Axis("status", JOB)],
        tables=[log],
    )

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def work(given: Work) -> Outcome[Any]:
        return Done(pages=3) if given.id != "b" else Failed("BROKEN", final=True)

    @workflow.on_move("done", "failed")
    def keep(tx: Connection, moves: Sequence[Move]) -> None:
        tx.execute(
            log.insert(),
            [
                {
                    "job": str(move.id),
                    "entry": f"{move.old} → {move.new} v{move.version} {sorted(move.facts.items())} "
                    f"{move.cause} {move.actor} {move.origin}",
                }
                for move in moves
            ],
        )

    return workflow


def gated(name: str) -> Workflow:
    workflow = Workflow(
        name, noun="job", records=records(name, Column("pages", Integer)), axes=[Axis("status", JOB)]
    )

    @workflow.gate("done")
    def is_short(given: Work) -> Outcome[Any]:
        return Done(checked=True) if given.id != "b" else Failed("TOO_LONG", "it is too long", final=True)

    @workflow.gate("done", tier=2)
    def is_kind(given: Work) -> Outcome[Any]:
        return Done()

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def work(given: Work) -> Outcome[Any]:
        return Done(pages=3)

    return workflow


def two_axes(name: str) -> Workflow:
    table = records(name, Column("title", Text))
    workflow = Workflow(
        name,
        noun="job",
        records=table,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis("processing_status", PROCESSING, prefix="processing_"),
        ],
        rules=[
            entering(curation_status="Selected").moves(
                processing_status={None: "Queued", "Failed": "Queued", "Complete": "Queued"}
            ),
            leaving(curation_status="Selected").moves(processing_status={"Queued": None}),
            during(curation_status="Selected").moves(processing_status={None: "Queued"}),
            entering(processing_status={"Queued", "Processing"}).requires(curation_status="Selected"),
        ],
    )

    @workflow.stage(waiting="Queued", running="Processing", done="Complete", failed="Failed")
    def visit(given: Work) -> Outcome[Any]:
        return Done(title=f"site {given.id}") if given.id != "b" else Failed("GONE", final=True)

    return workflow


def curate(box: Sandbox, kind: str) -> list[Any]:
    answers = box.move_many(kind, IDS, actor="ann", curation_status="Selected")
    answers += box.move_many(kind, ["d"], actor="bob", reason="not this one", curation_status="Discarded")
    return answers


def driving(name: str) -> Workflow:
    """What one stage finishes lets another begin."""
    first = Machine("first", initial="waiting", moves={"waiting": ["running"], "running": ["done", "failed"]})
    second = Machine(
        "second",
        initial=None,
        moves={None: ["waiting2"], "waiting2": ["running2"], "running2": ["done2", "failed2"]},
    )
    workflow = Workflow(
        name,
        noun="job",
        records=records(name, Column("pages", Integer)),
        axes=[Axis("reading", first, prefix="reading_"), Axis("writing", second, prefix="writing_")],
        rules=[entering(reading="done").moves(writing={None: "waiting2"})],
    )

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def read(given: Work) -> Outcome[Any]:
        return Done(pages=2)

    @workflow.stage(waiting="waiting2", running="running2", done="done2", failed="failed2")
    def write(given: Work) -> Outcome[Any]:
        return Done()

    return workflow


def scoped(name: str) -> Workflow:
    metadata = MetaData()
    items = Table(name, metadata, Column("id", String(40), primary_key=True))
    state = Table(
        f"{name}_state",
        metadata,
        Column("number", Integer, primary_key=True),
        Column("item_id", ForeignKey(items.c.id)),
        Column("pipeline", String(20)),
        Column("title", Text),
        UniqueConstraint("item_id", "pipeline"),
    )
    workflow = Workflow(
        name,
        noun="job",
        records=items,
        axes=[Axis("status", PATIENT, table=state, scope=PIPELINES, scope_column="pipeline")],
    )

    @workflow.stage(
        waiting=("pending", "failed"),
        running="busy",
        done="done",
        failed="failed",
        terminal="dead",
        retry=["1m"],
    )
    def extract(given: Work) -> Outcome[Any]:
        if given.scope == "technical" and given.id == "b" and given.last_error is None:
            return Failed("LATER")
        return Done(title=f"{given.scope} of {given.id}")

    return workflow


def adoptable(name: str) -> Workflow:
    """A table that the team makes itself: its rows may lack a version until they are adopted."""
    workflow = Workflow(
        name,
        noun="job",
        records=records(name, Column("pages", Integer)),
        axes=[Axis("status", JOB)],
    )
    for axis in workflow.axes.values():
        axis._adoptable = True

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed")
    def work(given: Work) -> Outcome[Any]:
        return Done(pages=3)

    return workflow


SHAPES: dict[str, Shape] = {
    "plain": Shape(one_axis(plain)),
    "facts": Shape(facts),
    "failures, retried from failed": Shape(one_axis(sometimes, columns=pages, retry=["1m"]), rounds=2),
    "failures, retried in running": Shape(one_axis(sometimes, STRICT, columns=pages, retry=["1m"]), rounds=2),
    "null states": Shape(
        one_axis(plain, NULLABLE, waiting="queued", running="busy", done=None, failed="failed"),
        act=lambda box, kind: box.move_many(kind, IDS, actor="ann", status="queued"),
    ),
    "timers": Shape(one_axis(plain, TIMED), rounds=2),
    "percent in states": Shape(
        one_axis(plain, PERCENT, waiting="0%", running="50%", done="100%", failed="%%")
    ),
    "hooks": Shape(hooked),
    "gates": Shape(gated),
    "two axes with rules": Shape(two_axes, act=curate),
    "one axis drives another": Shape(driving),
    "scoped": Shape(scoped, rounds=2),
    "adoptable": Shape(adoptable),
    "numbers as ids": Shape(one_axis(plain, id=BigInteger()), ids=(1, 2, 2**62)),
    "UUIDs as ids": Shape(one_axis(plain, id=Uuid()), ids=(UUID(int=1), UUID(int=2**127))),
    "UUIDs as text as ids": Shape(
        one_axis(plain, id=Uuid(as_uuid=False)), ids=(str(UUID(int=1)), str(UUID(int=2**127)))
    ),
}


def entry_of(move: Move) -> tuple[Any, ...]:
    return (
        move.axis,
        move.scope or "",
        move.version,
        move.old,
        move.new,
        move.actor,
        move.role,
        move.reason,
        move.cause,
        sorted(move.facts.items()),
        move.at,
        move.origin,
    )


def left_behind(box: Sandbox, kind: str, ids: Sequence[Any]) -> dict[str, Any]:
    """Everything of a kind but what is random (hashes, salts, tokens) or its own name."""
    workflow = box.workflow(kind)
    random = {"head", *(axis.column_name("head") for axis in workflow.axes.values())}
    tables = list(
        dict.fromkeys([workflow.records, *workflow.tables, *(axis.table for axis in workflow.axes.values())])
    )
    with box.database.read() as tx:
        rows = {
            table.name.removeprefix(kind): sorted(
                repr({name: value for name, value in row.items() if name not in random})
                for row in tx.execute(select(table)).mappings()
            )
            for table in tables
        }
        verdicts = tx.execute(
            text(
                "SELECT record_id, axis, scope, verdict, code, message, wanted, actor FROM interlock_verdict "
                "WHERE kind = :kind ORDER BY record_id, position"
            ),
            {"kind": kind},
        ).all()
        gates = tx.execute(
            text(
                "SELECT record_id, version, gate, number, passed, reason, details FROM interlock_gate_verdict "
                "WHERE kind = :kind ORDER BY record_id, gate, number"
            ),
            {"kind": kind},
        ).all()
        work = tx.execute(
            text(
                "SELECT record_id, scope, attempt, version, outcome FROM interlock_work WHERE kind = :kind "
                "ORDER BY record_id, scope"
            ),
            {"kind": kind},
        ).all()
        counted = {
            key[1:]: number
            for key, number in outcome_counts.totals(box.coordinates.work, tx).items()
            if key[0] == kind
        }
    entries = {
        str(id): sorted(map(entry_of, box.ledger.history(kind, id)), key=lambda entry: entry[:3])
        for id in ids
    }
    return {
        "rows": rows,
        "entries": entries,
        "verdicts": [(*row[:5], *row[6:]) for row in verdicts],
        "gates": [tuple(row) for row in gates],
        "work": [tuple(row) for row in work],
        "counted": counted,
        "counts": {key[1:]: number for key, number in box.counts().items() if key[0] == kind},
    }


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_batches_moved_as_a_whole_and_records_judged_one_by_one_leave_the_same_behind(
    shape: Shape, boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind, answers = {}, {}
    for kind in ("whole", "judged"):
        with monkeypatch.context() as patch:
            patch.setattr(Coordinator, "moves_batches", kind == "whole")
            if kind == "judged":
                patch.setattr(MovePlan, "is_direct", False)
            box = boxed(shape.make(kind))
            box.admit_many(kind, [{"id": id} for id in shape.ids], actor="ann")
            answers[kind] = [
                (str(answer.id), answer.outcome, answer.old, answer.new, answer.version, len(answer.driven))
                for answer in shape.act(box, kind) or ()
            ]
            for _ in range(shape.rounds):
                box.drain()
                box.advance("2m")
            behind[kind] = left_behind(box, kind, shape.ids)
        assert box.ledger.verify().ok
    for part in behind["whole"]:
        assert behind["whole"][part] == behind["judged"][part], part
    assert answers["whole"] == answers["judged"]


@pytest.mark.parametrize(
    "shape", ["plain", "percent in states", "null states", "adoptable", "numbers as ids"]
)
def test_commands_that_need_no_reading_and_judged_ones_leave_the_same_behind(
    shape: str, boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = SHAPES[shape]
    box = boxed(tried.make("whole"), tried.make("judged"))
    machine = box.workflow("whole").axis("status").machine
    path = machine.next_states(machine.initial)
    answers = {}
    for kind in ("whole", "judged"):
        with monkeypatch.context() as patch:
            if kind == "judged":
                patch.setattr(MovePlan, "is_direct", False)
            box.admit_many(kind, [{"id": id} for id in tried.ids], actor="ann")
            first, *others = tried.ids
            told = [box.move(kind, first, actor="bob", status=path[0])]
            told += box.move_many(
                kind,
                [*others, others[0], first],
                actor="bob",
                reason="it is time",
                facts={"why": "so"},
                status=path[0],
            )
            answers[kind] = [
                (str(answer.id), answer.outcome, answer.old, answer.new, answer.version) for answer in told
            ]
    assert answers["whole"] == answers["judged"]
    first_behind, second_behind = (left_behind(box, kind, tried.ids) for kind in ("whole", "judged"))
    assert first_behind == second_behind
    assert box.ledger.verify().ok
