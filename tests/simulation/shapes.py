"""Shapes that the seeds' machines do not have: hooks, groups of results saved together, tries that the runner makes itself, states that are
null or have a percent sign, and pairs of record and scope that come and go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, String, Table, Text, case, select

from interlock import Axis, Done, Failed, Machine, Move, Outcome, Work, Workflow, after, entering, operator
from interlock.store.connect import driver_connection
from interlock.testing.simulation.judging import Judge
from interlock.testing.simulation.world import World
from interlock.workflow import Stage

PERCENT = Machine(
    "percent",
    initial=None,
    moves={None: ["0%"], "0%": ["50%"], "50%": ["100%", "%%"], "%%": ["0%"], "100%": [None]},
)
REVIEW = Machine("review", initial="50%", states=["0%", "50%", "100%"])
READING = Machine(
    "reading",
    initial="pending",
    moves={
        "pending": ["reading"],
        "reading": ["read", "torn", "lost"],
        "torn": ["pending"],
        "read": ["pending"],
    },
)


ERRAND = Machine(
    "errand",
    initial="asked",
    moves={
        "asked": ["doing", after("2m", "lapsed")],
        "doing": ["done", "failed", after("5m", "failed")],
        "failed": [operator("asked"), after("40s", "asked")],
        "done": [after("30s", "filed")],
        "lapsed": [operator("asked")],
    },
)
PAID = Machine("paid", initial="open", states=["open", "paid"])


class Entered:
    """A table that a hook fills, one row for each state that was entered; and the check that it has exactly what the ledger has."""

    def __init__(self, metadata: MetaData, kind: str, *states: str) -> None:
        self.table = f"{kind}_entered"
        Table(
            self.table,
            metadata,
            Column("number", Integer, primary_key=True),
            Column("record_id", Text),
            Column("scope", Text),
            Column("version", Integer),
        )
        self.kind, self.states = kind, states

    def hook(self, tx: Connection, moves: Sequence[Move]) -> None:
        """People may not enter a state of every third version: what a hook refuses leaves nothing behind."""
        raw, mark = driver_connection(tx), "?" if tx.dialect.name == "sqlite" else "%s"
        for move in moves:
            if move.actor.startswith("client") and move.version % 3 == 2:
                raise ValueError("not this one")
            raw.execute(
                f"INSERT INTO {self.table}(record_id, scope, version) VALUES ({mark}, {mark}, {mark})",
                (str(move.id), move.scope or "", move.version),
            )

    def exactly_what_was_entered(self, world: World, judge: Judge) -> Iterator[str]:
        wanted = sorted(
            (line.id, line.scope, line.attempt)
            for line in world.ground.log()
            if line.what == "moved"
            and line.kind == self.kind
            and line.new in self.states
            and line.old != line.new
        )
        rows = sorted(
            map(tuple, world.ground.plainly(f"SELECT record_id, scope, version FROM {self.table}").fetchall())
        )
        if rows != wanted:
            yield f"hook {self.kind}: it was called for {rows}, entered were {wanted}"


def save_together(stage: Stage) -> None:
    """The rows of a whole group of results, by one call."""

    @stage.save_many
    def save(tx: Connection, results: Sequence[tuple[Work, Any]]) -> None:
        raw, mark = driver_connection(tx), "?" if tx.dialect.name == "sqlite" else "%s"
        for work, result in results:
            mine = (str(work.id), work.scope or "", stage.name)
            raw.execute(
                f"DELETE FROM kept WHERE record_id = {mark} AND scope = {mark} AND stage = {mark}", mine
            )
            for token in result.tokens:
                raw.execute(
                    f"INSERT INTO kept(record_id, scope, stage, token) VALUES ({', '.join([mark] * 4)})",
                    (*mine, token),
                )


def deliveries() -> dict[str, Any]:
    """Percent signs and null as states, a hook on two of them, results saved in groups, a gate, tries in the runner."""
    from tests.simulation.workflows import Kept, played

    metadata = MetaData()
    table = Table(
        "deliveries",
        metadata,
        Column("id", String(40), primary_key=True),
        Column("mark", Text),
        Column("weight", Integer),
    )
    workflow = Workflow("deliveries", noun="delivery", records=table, axes=[Axis("status", PERCENT)])
    kept, entered = Kept(metadata), Entered(metadata, "deliveries", "100%", "%%")

    @workflow.gate("100%")
    def is_light(work: Work) -> Outcome[None]:
        return Done() if work.id else Failed("HEAVY")

    @workflow.stage(
        waiting="0%",
        running="50%",
        done="100%",
        failed="%%",
        retry=["1s", "2s"],
        retry_in="runner",
        deadline="10m",
    )
    def pack(work: Work) -> Done[None]:
        return Done()

    save_together(pack)
    workflow.on_move("100%", "%%")(entered.hook)
    made = played(
        kept,
        workflow,
        rows={
            "deliveries": lambda random, number: {
                "id": f"d{number}",
                "status": random.choice([None, "0%", "0%"]),
                "weight": random.randint(1, 3),
            }
        },
    )
    made["also"].append(entered.exactly_what_was_entered)
    return made


def papers() -> dict[str, Any]:
    """A status for each pipeline that a paper has at the time: which ones follows from a column that people amend. A rule asks for a state
    with a percent sign in another table; failures go back to wait; rows are hooked, and two columns of the paper mirror them."""
    from tests.simulation.workflows import Kept, played

    metadata = MetaData()
    items = Table(
        "papers",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("level", Integer),
        Column("title", Text),
        Column("unread", Integer),
        Column("trouble", Text),
    )
    state = Table(
        "paper_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("paper_id", ForeignKey("papers.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
        Column("mark", Text),
    )
    pairs = select(items.c.id, case((items.c.level > 1, "technical"), else_="fundamental").label("pipeline"))
    workflow = Workflow(
        "papers",
        noun="paper",
        records=items,
        amendable=["level"],
        axes=[
            Axis("review_status", REVIEW, prefix="review_"),
            Axis(
                "status",
                READING,
                table=state,
                scope=("technical", "fundamental"),
                scope_column="pipeline",
                pairs=pairs,
            ),
        ],
        rules=[entering(status="reading").requires(review_status={"50%", "100%"})],
    )
    kept, entered = Kept(metadata), Entered(metadata, "papers", "read", "lost")

    @workflow.stage(
        waiting="pending",
        running="reading",
        done="read",
        failed="torn",
        terminal="lost",
        retry=["30s", "1m"],
        order=items.c.title.desc(),
    )
    def skim(work: Work) -> Done[None]:
        return Done()

    save_together(skim)
    workflow.on_move("read", "lost", axis="status")(entered.hook)
    workflow.mirror("unread", "trouble")(reading_of)
    made = played(kept, workflow, rows={"papers": drawn_paper})
    made["also"].append(entered.exactly_what_was_entered)
    return made


def errands() -> dict[str, Any]:
    """Timers out of a waiting state, a running one, a failed one and a finished one; a rule refuses one of them, a hook hears of all."""
    from tests.simulation.workflows import Kept, played

    metadata = MetaData()
    table = Table(
        "errands",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("mark", Text),
        Column("weight", Integer),
    )
    workflow = Workflow(
        "errands",
        noun="errand",
        records=table,
        axes=[Axis("status", ERRAND), Axis("payment", PAID, prefix="payment_")],
        rules=[
            entering(status="lapsed").requires(payment="open"),
            entering(status="filed").moves(payment={"open": "paid"}),
        ],
    )
    kept, entered = Kept(metadata), Entered(metadata, "errands", "filed", "lapsed")

    @workflow.stage(waiting="asked", running="doing", done="done", failed="failed")
    def run(work: Work) -> Done[None]:
        return Done()

    Table("rounds", metadata, Column("number", Integer, primary_key=True), Column("tick", Text))

    @workflow.every("30s")
    def go_round(app: Any, tick: datetime) -> None:
        with app.database.write() as tx:
            driver_connection(tx).execute(f"INSERT INTO rounds(tick) VALUES ('{tick.isoformat()}')")

    kept.saves(run)
    workflow.on_move("filed", "lapsed", axis="status")(entered.hook)
    made = played(kept, workflow, rows={"errands": lambda random, number: {"weight": number}})
    made["also"] += [entered.exactly_what_was_entered, made_by_timers_alone, ticks_run_as_recorded]
    return made


def ticks_run_as_recorded(world: World, judge: Judge) -> Iterator[str]:
    """No tick ran more often than coordinators began it, what is done ran, and when all is calm nothing is left open."""
    rounds = Counter(
        datetime.fromisoformat(tick) for (tick,) in world.ground.plainly("SELECT tick FROM rounds").fetchall()
    )
    recorded = {}
    for tick, attempt, outcome in world.ground.plainly(
        "SELECT tick, attempt, outcome FROM interlock_schedule_run WHERE schedule = 'go_round'"
    ).fetchall():
        instant = datetime.fromisoformat(tick) if isinstance(tick, str) else tick
        recorded[instant] = (attempt, outcome)
    for tick in {*rounds, *recorded}:
        attempt, outcome = recorded.get(tick, (0, None))
        if rounds[tick] > attempt or outcome is None or (outcome == "done" and not rounds[tick]):
            yield f"schedule {tick}: it ran {rounds[tick]} times, {attempt} were begun, and it is {outcome}"


def made_by_timers_alone(world: World, judge: Judge) -> Iterator[str]:
    """Moves that only timers make have their cause, and no timer is overdue when all is calm."""
    alone = {(old, edge.to) for old, edge in ERRAND.pairs() if edge.kind == "timer"}
    timed = {(old, edge.to) for old, edge in ERRAND.timers.items()}
    for line in world.ground.log():
        if line.what == "moved" and line.kind == "errands" and line.axis == "status":
            if (line.old, line.new) in alone and line.cause != "timer":
                yield f"timer {line}: nobody but a timer makes this move"
            if line.cause == "timer" and (line.old, line.new) not in timed:
                yield f"timer {line}: no timer leads there"
    for id, status, payment, timer_at in world.ground.plainly(
        "SELECT id, status, payment, timer_at FROM errands"
    ):
        if (status in ERRAND.timers) != (timer_at is not None):
            yield f"timer {id}: it is {status}, and its timer is {timer_at}"
        if timer_at is not None and payment == "open":
            due = datetime.fromisoformat(timer_at) if isinstance(timer_at, str) else timer_at
            if due < world.time - timedelta(minutes=2):
                yield f"timer {id}: it is {status}, and was due at {due}"


def reading_of(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """How many pipelines have not read the paper, and what went wrong in which."""
    troubles = [f"{scope} {row['error_code']}" for scope, row in sorted(rows.items()) if row["error_code"]]
    return {
        "unread": sum(row["status"] != "read" for row in rows.values()),
        "trouble": ", ".join(troubles) or None,
    }


def drawn_paper(random: Random, number: int) -> dict[str, Any]:
    return {
        "title": f"t{number % 2}",
        "level": random.randint(0, 3),
        "review_status": random.choice(["50%", "50%", "0%", "100%"]),
    }
