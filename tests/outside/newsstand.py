"""The newsstand: sources are visited politely and bring stories, which two desks read; as a team of its own would declare it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    func,
    select,
)

from interlock import (
    App,
    Axis,
    Done,
    Extension,
    Failed,
    Found,
    Invariant,
    Machine,
    Outcome,
    Work,
    Workflow,
    after,
    operator,
    retry,
)
from interlock.extension import Instant

DESKS = ("news", "sport")
SOURCE = Machine(
    "source",
    initial="new",
    moves={"new": ["visiting"], "visiting": ["visited"], "visited": [after("7d", "stale")], "stale": ["new"]},
)
READING = Machine(
    "reading",
    initial="pending",
    moves={
        "pending": ["reading"],
        "reading": ["read", "failed"],
        "read": [operator("pending")],
        "failed": [retry("pending")],
    },
)


def declare() -> list[Workflow]:
    """The workflows, anew for each app."""
    metadata = MetaData()
    sources = Table(
        "sources",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("host", String(80), nullable=False),
        Column("pages", Integer),
    )
    stories = Table(
        "stories",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("url", String(200), nullable=False),
        Column("published_at", Instant()),
        Column("is_read", Boolean, nullable=False, default=False),
        Column("unread_desks", Text),
    )
    desks = Table(
        "story_desks",
        metadata,
        Column("story_id", ForeignKey("stories.id"), primary_key=True),
        Column("desk", String(10), primary_key=True),
        Column("opinion", Text),
    )
    visits = Table("visits", metadata, Column("source_id", Integer), Column("found", Integer))

    feeds = Workflow(
        "sources", noun="source", records=sources, axes=[Axis("status", SOURCE)], tables=[visits]
    )

    @feeds.stage(waiting="new", running="visiting", done="visited", rate_per=(sources.c.host, "1/s"))
    def visit(work: Work) -> Outcome[int]:
        urls = [f"https://{work.record['host']}/{work.id}/{number}" for number in (1, 2)]
        rows = [{"url": url, "published_at": f"2026-01-0{n}T00:00:00Z"} for n, url in enumerate(urls, 1)]
        return Done(
            2, pages=2, admits={"stories": Found(rows, actor="policy", reason="on the first page, 0.8")}
        )

    @visit.save_many
    def keep(tx: Connection, results: Sequence[tuple[Work, int]]) -> None:
        tx.execute(visits.insert(), [{"source_id": work.id, "found": found} for work, found in results])

    @feeds.every("1h")
    def visit_again(app: App, tick: datetime) -> None:
        stale = [one.id for one in app.list("sources", where={"status": "stale"}).records]
        app.move_many("sources", stale, status="new", actor="clock", reason=f"stale at {tick:%H:%M}")

    reading = Workflow(
        "stories",
        noun="story",
        records=stories,
        unique=[stories.c.url],
        axes=[
            Axis(
                "status",
                READING,
                table=desks,
                scope=DESKS,
                scope_column="desk",
                stamps={"read": "read_at"},
                cleared={"pending": ["read_at", "opinion"]},
                copies={"published_at": stories.c.published_at},
            )
        ],
    )

    @reading.stage(
        waiting="pending",
        running="reading",
        done="read",
        failed="failed",
        order=desks.c.published_at.desc(),
    )
    def read(work: Work) -> Outcome[None]:
        return Done(opinion=f"{work.scope}: {work.state['published_at']:%d %B}, was {work.state['opinion']}")

    @reading.gate("read", tier=2, retry=["0s", "2s"])
    def is_known(work: Work, visited: int) -> Outcome[None]:
        known = "nowhere" not in work.record["url"]
        return Done(visited=visited) if known else Failed("UNKNOWN_HOST", f"not among {visited} visits")

    @is_known.load
    def count_visits(tx: Connection, work: Work) -> int:
        return int(tx.execute(select(func.count()).select_from(visits)).scalar_one())

    @reading.mirror("is_read", "unread_desks", axis="status")
    def compat(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        unread = sorted(desk for desk, row in rows.items() if row["status"] != "read")
        return {"is_read": not unread, "unread_desks": ", ".join(unread) or None}

    nameless = select(stories.c.id).where(stories.c.url == "")
    reading.extension = Extension(
        invariants=[Invariant("NEWS-1", "a story has an address", nameless)],
        levels={"reading": {"leave": "pending", "within": "1h", "share": 99}},
    )
    return [feeds, reading]


workflows = declare()
