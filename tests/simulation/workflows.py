"""The seeds' machines with everything declared that can go wrong: retries in every place, limits, gates, rules, saves, rechecks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sqlalchemy import CheckConstraint, Column, Connection, ForeignKey, Integer, MetaData, String, Table, Text

from interlock import Axis, Done, Failed, Machine, Work, Workflow, during, entering, leaving
from interlock.runner.executors.tasks import Task
from interlock.store.connect import driver_connection
from interlock.testing.simulation.judging import Attempt, Judge, Place
from interlock.testing.simulation.world import World
from interlock.workflow import Stage
from tests.kinds import CURATION, EXTRACTION, LIFECYCLE, PROCESSING, UPLOAD
from tests.simulation.shapes import deliveries, errands, papers

RELAY = Machine(
    "relay",
    initial="a",
    moves={
        "a": ["doing_a"],
        "doing_a": ["b", "failed"],
        "b": ["doing_b"],
        "doing_b": ["c", "failed"],
        "failed": ["doing_a", "doing_b"],
    },
)
PAGE = Machine(
    "page",
    initial="new",
    moves={"new": ["fetching", "broken"], "fetching": ["fetched", "broken"], "broken": ["new"]},
)


class Kept:
    """A table that a stage's `save` fills, each row saying which attempt wrote it; and the check that only accepted ones did."""

    def __init__(self, metadata: MetaData) -> None:
        Table(
            "kept",
            metadata,
            Column("number", Integer, primary_key=True),
            Column("record_id", Text),
            Column("scope", Text),
            Column("stage", Text),
            Column("token", Text),
        )
        self.rechecked: set[tuple[str, int]] = set()

    def saves(self, stage: Stage) -> None:
        @stage.save
        def save(tx: Connection, work: Work, result: Any) -> None:
            mine = (str(work.id), work.scope or "", stage.name)
            raw, mark = driver_connection(tx), "?" if tx.dialect.name == "sqlite" else "%s"
            raw.execute(
                f"DELETE FROM kept WHERE record_id = {mark} AND scope = {mark} AND stage = {mark}", mine
            )
            insert = f"INSERT INTO kept(record_id, scope, stage, token) VALUES ({', '.join([mark] * 4)})"
            for token in result.tokens:
                raw.execute(insert, (*mine, token))

    def result(self, task: Task, random: Random) -> Any:
        return Result([task.token] * random.randint(1, 2))

    def only_of_accepted(self, world: World, judge: Judge) -> Iterator[str]:
        """I8."""
        wanted: dict[tuple[str, str, str], str] = {}
        for place, attempt in judge.attempts.values():
            if (
                attempt.applied
                and attempt.claims == 1
                and attempt.reported in ("done", "failed")
                and self._gave(world, place, attempt)
            ):
                wanted[place[1], place[3], attempt.stage.partition(".")[2]] = attempt.token
        self.rechecked = set()
        rows = world.ground.plainly("SELECT record_id, scope, stage, token FROM kept").fetchall()
        gone = {place[1] for place, track in judge.tracks.items() if track.gone}
        for id, scope, stage, token in rows:
            twice = (
                judge.attempts[token][1].claims > 1 and judge.attempts[token][1].applied
            )  # given back: only its last run counts
            if id not in gone and not twice and wanted.get((id, scope, stage)) != token:
                yield f"I8 {id} {scope} {stage}: its rows are of {token[:8]}, accepted was {str(wanted.get((id, scope, stage)))[:8]}"
        there = {row[:3] for row in rows}
        for key, token in wanted.items():
            if key not in there and key[0] not in gone:
                yield f"I8 {' '.join(key)}: the rows of {token[:8]} are gone"

    def _gave(self, world: World, place: Place, attempt: Attempt) -> bool:
        """Whether it brought rows; the answer of a recheck brings none, and some stages keep none."""
        stage = world.workflows[place[0]].stages[attempt.stage.partition(".")[2]]
        keeps = stage.saver is not None or stage.group_saver is not None
        return keeps and attempt.token in world.brought and (place[1], attempt.number) not in self.rechecked


class Result:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens


def played(kept: Kept, *workflows: Workflow, **more: Any) -> dict[str, Any]:
    """What `simulate` is given."""
    return {"workflows": list(workflows), "results": kept.result, "also": [kept.only_of_accepted], **more}


def statements() -> dict[str, Any]:
    """Two stages one after the other, retries in the running state, a deadline with recheck, a limit, operator retries."""
    metadata = MetaData()
    table = Table(
        "uploads",
        metadata,
        Column("id", String(40), primary_key=True),
        Column("file_hash", Text),
        Column("observations_count", Integer),
        Column("mark", Text),
    )
    workflow = Workflow(
        "statements",
        noun="upload",
        records=table,
        unique=[table.c.file_hash],
        axes=[Axis("status", UPLOAD, max_retries=2, retries_reset_at={"normalized"})],
    )
    kept = Kept(metadata)

    @workflow.stage(
        waiting="queued_for_parse",
        running="parsing",
        done="parsed",
        failed="error",
        retry=["2s", "4s"],
        deadline="10m",
    )
    def parse(work: Work, loaded: str) -> Done[None]:
        return Done()

    @parse.recheck
    def look(tx: Connection, work: Work) -> Done[None] | None:
        number = work.state["attempt"]  # what fences it: tries of a stage begin anew
        if number % 2 == 0:
            return None
        kept.rechecked.add((str(work.id), number))
        return Done(observations_count=1)

    @parse.load
    def read(tx: Connection, work: Work) -> str:
        return str(work.id)

    @workflow.stage(
        waiting="parsed",
        running="normalizing",
        done="normalized",
        failed="error",
        only_if=table.c.observations_count > 0,
        limit=1,
    )
    def normalize(work: Work) -> Done[None]:
        return Done()

    kept.saves(parse)
    kept.saves(normalize)
    return played(kept, workflow)


def domains() -> dict[str, Any]:
    """Two axes with rules between them, a rate, retries by way of the failed state; pages that it finds, limited per host."""
    metadata = MetaData()
    table = Table(
        "domains",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("host", Text, unique=True),
        Column("title", Text),
    )
    workflow = Workflow(
        "domains",
        noun="domain",
        records=table,
        unique=[table.c.host],
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
    kept = Kept(metadata)

    @workflow.stage(
        waiting="Queued",
        running="Processing",
        done="Complete",
        failed="Failed",
        retry=["1m", "2m"],
        rate="2/m",
        deadline="10m",
    )
    def domain(work: Work) -> Done[None]:
        return Done()

    kept.saves(domain)
    return played(
        kept,
        workflow,
        pages(metadata),
        rows={
            "domains": lambda random, number: {
                "host": f"h{number}",
                "curation_status": random.choice(["New", "Selected", "Selected"]),
            }
        },
    )


def pages(metadata: MetaData) -> Workflow:
    table = Table(
        "pages",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("url", Text, unique=True),
        Column("host", Text),
        Column("mark", Text),
        CheckConstraint("substr(host, 1, 1) NOT IN ('a', 'b', 'c')"),
    )  # what the database refuses brings no children
    workflow = Workflow(
        "pages", noun="page", records=table, unique=[table.c.url], axes=[Axis("status", PAGE)]
    )

    @workflow.stage(
        waiting="new",
        running="fetching",
        done="fetched",
        failed="broken",
        retry=["5s"],
        limit=2,
        per_key=(table.c.host, 1),
    )
    def fetch(work: Work) -> Done[None]:
        return Done()

    return workflow


def content() -> dict[str, Any]:
    """A stage without a running state, behind a gate; what fails rests where it is."""
    metadata = MetaData()
    table = Table(
        "items",
        metadata,
        Column("item_id", String(40), primary_key=True),
        Column("author", Text),
        Column("level", Text),
    )
    workflow = Workflow(
        "content",
        records=table,
        axes=[Axis("state", LIFECYCLE)],
        rules=[entering(state="APPROVED").requires(table.c.author.is_not(None))],
    )
    kept = Kept(metadata)

    @workflow.gate("VALIDATED")
    def level(work: Work) -> Done[None] | Failed[None]:
        return Done()

    @workflow.stage(waiting="CANDIDATE", done="VALIDATED", retry=["2s", "4s"], rate="10/m", deadline="10m")
    def validate(work: Work) -> Done[None]:
        return Done()

    kept.saves(validate)
    return played(
        kept,
        workflow,
        rows={
            "content": lambda random, number: {
                "item_id": f"i{number}",
                "state": random.choice(["DRAFT", "CANDIDATE", "CANDIDATE"]),
            }
        },
    )


def themes() -> dict[str, Any]:
    """One status per pipeline in a table of its own; the failed state is itself a waiting state, and there is a terminal one."""
    metadata = MetaData()
    items = Table("articles", metadata, Column("id", Integer, primary_key=True), Column("title", Text))
    state = Table(
        "article_pipeline_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("article_id", ForeignKey("articles.id"), nullable=False),
        Column("pipeline", String(20), nullable=False),
        Column("mark", Text),
    )
    workflow = Workflow(
        "themes",
        noun="article",
        records=items,
        axes=[
            Axis("curation_status", CURATION, prefix="curation_"),
            Axis(
                "status", EXTRACTION, table=state, scope=("technical", "fundamental"), scope_column="pipeline"
            ),
        ],
        rules=[entering(status="in_progress").requires(curation_status={"New", "Selected"})],
    )
    kept = Kept(metadata)

    @workflow.stage(
        waiting={"pending", "failed_retryable"},
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
        retry=["30s", "1m"],
        order=items.c.title.desc(),
        limit=2,
    )
    def extract(work: Work) -> Done[None]:
        return Done()

    kept.saves(extract)
    return played(
        kept,
        workflow,
        rows={
            "themes": lambda random, number: {
                "title": f"t{number % 2}",
                "curation_status": random.choice(["New", "Maybe", "Maybe"]),
            }
        },
    )


def relay() -> dict[str, Any]:
    """Two stages that share their failed state, in which both wait for their next try."""
    metadata = MetaData()
    table = Table("relays", metadata, Column("id", String(40), primary_key=True), Column("mark", Text))
    workflow = Workflow("relay", records=table, axes=[Axis("status", RELAY)])
    kept = Kept(metadata)

    @workflow.stage(
        waiting=["a", "failed"],
        running="doing_a",
        done="b",
        failed="failed",
        retry=["5s", "10s"],
        deadline="1m",
    )
    def first(work: Work) -> Done[None]:
        return Done()

    @workflow.stage(
        waiting=["b", "failed"],
        running="doing_b",
        done="c",
        failed="failed",
        retry=["5s", "10s"],
        deadline="40s",
    )
    def second(work: Work) -> Done[None]:
        return Done()

    kept.saves(first)
    kept.saves(second)
    return played(kept, workflow)


PLAYED: dict[str, Callable[[], dict[str, Any]]] = {
    made.__name__: made for made in (statements, domains, content, themes, relay, deliveries, papers, errands)
}
