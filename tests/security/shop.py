"""A database with something in every table, made once and copied for attacks; and everything that can be seen of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import psycopg
from sqlalchemy import Column, Integer, MetaData, String, Table, text

from interlock import Adopt, App, Axis, Done, Machine, Work, Workflow
from interlock.observe.invariants import check_counters
from interlock.runner.executors.inline import InlineExecutor
from interlock.store.engines import sqlite_driver
from interlock.store.ledger.seals.seal import Seal
from interlock.store.migrations.inspection import differences
from interlock.store.queue import schedules
from interlock.store.records import api_keys as keys
from interlock.store.records import plans as migration_plans
from interlock.store.records.plans import PlanRow
from interlock.store.work import children
from interlock.store.work.children import Chunk
from tests.contract.subjects import REVIEW, papers
from tests.contract.timed import requests
from tests.kinds import content, domains, themes, uploads

OLD = Machine("old", initial="waiting", moves={"waiting": ["running"], "running": ["done"]})
LEASE = timedelta(hours=1)
NOTING = Machine("noting", initial="blank", moves={"blank": ["noting"], "noting": ["noted"]})
CLOSED_PLAN = PlanRow(
    "papers", "review", "migration", REVIEW.fingerprint, (("lost", "draft", "it was lost"),)
)


def olds() -> Workflow:
    """Rows that were there before Interlock, and are not adopted yet."""
    table = Table("olds", MetaData(), Column("id", String(40), primary_key=True), Column("rank", Integer))
    return Workflow(
        "olds",
        records=table,
        axes=[Axis("status", OLD, adopt=Adopt("olds-1", rules=[("every", text("true"), "waiting")]))],
    )


def notes() -> Workflow:
    """A stage without a failed state: what fails rests in its running state, with its error."""
    table = Table("notes", MetaData(), Column("id", String(40), primary_key=True))
    workflow = Workflow("notes", records=table, axes=[Axis("status", NOTING)])

    @workflow.stage(waiting="blank", running="noting", done="noted")
    def note(work: Work) -> Done[None]:
        return Done()

    return workflow


def workflows() -> list[Workflow]:
    return [uploads(), domains(), content(), themes(), papers(), olds(), requests(), notes()]


def fill(app: App, runs: App, others: App, owner: App) -> list[Seal]:
    """Records in many states, work that is claimed and work that is not, verdicts, keys, a seal; answers the seals as kept elsewhere.
    Where there are logins each app has its own: that of a coordinator, of a runner, of another runner, and of the owner."""
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(1, 4)])
    app.admit("notes", {"id": "n1"})
    runner = runs.runner(InlineExecutor(runs.clock, capacity=3), capacity=3, lease=LEASE)
    runner.renew()
    others.runner(InlineExecutor(runs.clock, capacity=3), capacity=3, name="another", lease=LEASE).renew()
    app.coordinator().step()
    for holder, id in ((runs, runner.id), (others, "another")):
        with holder.database.write() as tx:
            claimed = runner.work.claim(tx, id, ["statements.parse"], 1, LEASE)
            children.stage(runner.work, tx, [Chunk(claimed[0], "papers", '[{"id": "found"}]', 1)])
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(4, 10)])
    app.move("statements", "u6", actor="ann", reason="a good reason", status="parsing")
    app.move("statements", "u6", actor="ann", status="error", key="k1")
    app.move_many("statements", ["u4"], actor="ann", status="normalized")
    app.delete("statements", "u7", actor="ann", role="admin", reason="a duplicate")
    app.erase("statements", "u8", actor="ann", role="admin", reason="asked for it")
    app.admit_many("domains", [{"id": 1, "host": "a.example"}, {"id": 2, "host": "b.example"}])
    app.admit_many(
        "content", [{"item_id": f"c{number}", "author": "bob", "level": "B1"} for number in range(1, 5)]
    )
    app.move_many("content", ["c1", "c2", "c3"], actor="ann", state="CANDIDATE")
    app.judge_gate("content", "c1", "level", passed=False, actor="gate")
    for id in ("c2", "c3"):
        app.judge_gate("content", id, "level", passed=True, actor="gate")
        app.move("content", id, actor="ann", state="VALIDATED")
    app.move("content", "c3", actor="ann", role="operator", reason="approved", state="APPROVED")
    app.admit_many("themes", [{"id": 1, "title": "one"}, {"id": 2, "title": "two"}])
    app.move("themes", 1, actor="ann", scope="technical", status="in_progress")
    app.admit_many("requests", [{"id": 1}, {"id": 2}])
    app.admit_many("papers", [{"id": f"p{number}"} for number in range(1, 5)])
    app.move_many("papers", ["p1", "p2"], actor="ann", review="sent")
    app.move("papers", "p1", actor="ann", review="accepted")
    app.move("papers", "p2", actor="ann", review="broken")
    app.pause("statements", "normalize", actor="ann", reason="a holiday")
    app.operations.create("papers", actor="ann", reason="all of them", axis="review", to="sent", ids=["p4"])
    now = app.clock.now()
    with owner.database.write() as tx:
        migration_plans.open_plan(owner.database, tx, CLOSED_PLAN, actor="ann", role="admin", at=now)
        migration_plans.close_plan(owner.database, tx, CLOSED_PLAN, now)
    with app.database.write() as tx:
        keys.create(tx, "ops", "admin", by="ann", now=now)
        keys.create(tx, "former", "operator", by="ann", now=now)
        keys.revoke(tx, "former", now)
        lapsed = now - timedelta(days=1)
        keys.create(tx, "lapsed", "viewer", by="ann", now=lapsed - timedelta(days=1), expires_at=lapsed)
        keys.note_use(tx, "lapsed", lapsed)
        schedules.declare(runner.work, tx, "statements", "nightly", now, "f" * 32)
        tx.exec_driver_sql(
            "INSERT INTO olds(id, rank, status) VALUES ('o1', 1, 'waiting'), ('o2', 2, 'running')"
        )
    app.fold_counters()
    app.ledger.seal()
    app.move("papers", "p3", actor="ann", review="sent")
    return app.ledger.seals()


def located(app: App, kept: list[Seal]) -> list[str]:
    """What check, verify against seals that were kept elsewhere, and the recount of the counters say of a database."""
    if missing := [
        one for one in differences(app.database, list(app.workflows.values())) if "exist" in one["problem"]
    ]:
        return [str(one) for one in missing]
    try:
        report = app.check()
        counted = check_counters(app.database, list(app.workflows.values()))
        proven = app.ledger.verify(seals=kept)
    except Exception as error:  # noqa: BLE001 what cannot be checked is as loud as a finding
        return [f"the check itself: {error}"]
    plans = [note for note in report.notes if note.startswith(("plan ", "login ", "reasons ", "clocks "))]
    return [str(one) for one in (*report.findings, *counted, *proven.findings, *plans)]


ONES_OWN = ("interlock_runner",)
"""Tables whose rows are whoever registered there; who lives registers again with its next beat."""
JOBS = (
    "interlock_verdict",
    "interlock_gate_verdict",
    "interlock_key",
    "interlock_stage",
    "interlock_rate",
    "interlock_tally",
    "interlock_command",
    "interlock_operation",
    "interlock_coordinator",
    "interlock_runner",
    "interlock_work",
    "interlock_intake",
    "interlock_schedule_run",
    "interlock_operation_item",
    "interlock_adoption_left",
    "interlock_adoption_difference",
)
"""Tables that coordinators, runners and the service write all day, and that move no record; on SQLite all of them are the file's owner."""
_AXES = "SELECT table_name, key_column, scope_column, status_column, version_column, head_column FROM interlock_axis ORDER BY kind, axis"


def _promises(connection: Any, quoted: str) -> Iterator[str]:
    """Queries for what a record's axes say of it, where they have a version, and for Interlock's own tables."""
    for table, key, scope, *columns in connection.execute(_AXES).fetchall():
        named = ", ".join([key, *([scope] if scope else []), *columns])
        yield f"SELECT {named} FROM {table} WHERE {columns[1]} IS NOT NULL"
    listed = (
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'interlock_*' ORDER BY 1"
        if quoted.startswith('"')
        else "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND starts_with(tablename, 'interlock_') ORDER BY 1"
    )
    for (name,) in connection.execute(listed).fetchall():
        if name not in ONES_OWN:
            yield f"SELECT * FROM {quoted.format(name)}"


class SqliteView:
    """Every row of every table, and the schema."""

    def __init__(self, path: str) -> None:
        self.path = path

    def digest(self) -> dict[str, str]:
        connection = sqlite_driver()[0].connect(self.path)
        try:
            return dict(self._parts(connection))
        finally:
            connection.close()

    def promised(self) -> str:
        """Everything that Interlock answers for: states, versions and heads of records that it has, and all of its own rows."""
        connection = sqlite_driver()[0].connect(self.path)
        try:
            found = [connection.execute(asked).fetchall() for asked in _promises(connection, '"{}"')]
        finally:
            connection.close()
        return repr([sorted(map(repr, rows)) for rows in found])

    def _parts(self, connection: Any) -> Iterator[tuple[str, str]]:
        schema = connection.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
        ).fetchall()
        yield "the schema", repr(schema)
        for kind, name, _, _ in schema:
            if kind == "table":
                rows = connection.execute(f'SELECT * FROM "{name}"').fetchall()
                yield name, sha256("\n".join(sorted(map(repr, rows))).encode()).hexdigest()


_CATALOG = """
SELECT md5(coalesce(string_agg(part, chr(10) ORDER BY part), '')) FROM (
SELECT pg_get_triggerdef(oid) || tgenabled::text AS part FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text !~ '^pg_temp'
UNION ALL SELECT oid::regprocedure || prosrc || prosecdef || coalesce(proconfig::text, '') || proowner::text || coalesce(proacl::text, '')
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT adrelid::regclass || pg_get_expr(adbin, adrelid) FROM pg_attrdef
UNION ALL SELECT relname || relhastriggers || relkind::text || relowner::text || coalesce(relacl::text, '') || relrowsecurity FROM pg_class
    WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT c.relname || a.attname || a.atttypid::text || a.attnotnull || a.atthasdef FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0
UNION ALL SELECT pg_get_ruledef(r.oid) FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = 'public'::regnamespace
UNION ALL SELECT inhrelid::regclass || '<' || inhparent::regclass FROM pg_inherits
UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace) parts
"""


KEEP_LOGINS = (
    "interlock_ledger",
    "interlock_verdict",
    "interlock_gate_verdict",
    "interlock_key",
    "interlock_stage",
    "interlock_runner",
    "interlock_command",
    "interlock_operation",
    "interlock_coordinator",
    "interlock_rate",
    "interlock_tally",
    "interlock_work",
    "interlock_schedule_run",
    "interlock_adoption_left",
    "interlock_adoption_difference",
    "interlock_operation_item",
)
LOGIN_COLUMNS = {"interlock_work": "t.asked_login", "interlock_key": "coalesce(t.changed_login, t.login)"}
"""Where the login of who last wrote a row is not in its column `login`."""
_ALIKE = "to_jsonb(t) - 'txid' - 'position' - 'login' - 'at'"


class PostgresqlView:
    """The same of PostgreSQL, as a superuser sees it inside a transaction; and again without what differs whenever it is done."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection

    def rows_with_logins(self) -> dict[str, set[tuple[str, str]]]:
        """Every row that keeps the login of who made it, and that login, by table."""
        return {
            table: set(
                self.connection.execute(
                    f"SELECT t::text, {LOGIN_COLUMNS.get(table, 't.login')} FROM public.{table} t"
                ).fetchall()
            )
            for table in KEEP_LOGINS
        }

    def promised(self) -> str:
        """Everything that Interlock answers for: states, versions and heads of records that it has, and all of its own rows."""
        self.connection.execute("SET LOCAL search_path = pg_catalog, public")
        found = [
            self.connection.execute(f"SELECT t::text FROM ({asked}) t ORDER BY 1").fetchall()
            for asked in _promises(self.connection, "public.{}")
        ]
        return repr(found)

    def digest(self, *, alike: bool = False) -> dict[str, str]:
        self.connection.execute("SET LOCAL search_path = pg_catalog, public")
        row_text = f"({_ALIKE})::text" if alike else "t::text"
        names = self.connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        ).fetchall()
        parts = " UNION ALL ".join(
            f"SELECT '{name}', md5(coalesce(string_agg({row_text}, chr(10) ORDER BY {row_text}), '')) FROM ONLY public.\"{name}\" t"
            for (name,) in names
        )
        found = {str(name): str(digest) for name, digest in self.connection.execute(parts)}
        row = self.connection.execute(_CATALOG).fetchone()
        return found | {"the schema": str(row and row[0])}
