"""The database roles: given and taken away by one command, enough for each one's work, and no way around a guard."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text, exists
from sqlalchemy.engine import make_url

from interlock import App, Axis, Workflow, entering
from interlock.errors import BadInput, RefusedByDatabase, SchemaOutdated
from interlock.store.migrations.roles import Roles
from interlock.store.postgresql.rights import OWN
from interlock.store.postgresql.roles import apply, roles_sql
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS
from tests.kinds import UPLOAD, content, domains, open_app, themes, uploads
from tests.servers.logins import Logins
from tests.servers.postgres import Server

RIGHTS = """
WITH grants(place, acl, part) AS (
    SELECT relname, relacl, '' FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT c.relname, t.attacl, t.attname FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT proname, coalesce(proacl, acldefault('f', proowner)), '' FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT nspname, nspacl, '' FROM pg_namespace WHERE nspname = 'public')
SELECT g.place, a.grantee::regrole::text, a.privilege_type, g.part FROM grants g, aclexplode(g.acl) a
UNION ALL SELECT relname, relowner::regrole::text, 'owner', '' FROM pg_class WHERE relnamespace = 'public'::regnamespace
ORDER BY 1, 2, 3, 4"""

Opened = Callable[..., App]
UPLOADED = SUBJECTS["one axis"]


@pytest.fixture
def typing(postgres_url: str) -> Iterator[Hand]:
    hand = Hand(postgres_url)
    yield hand
    hand.close()


@pytest.fixture
def as_role(postgres_url: str, logins: Logins) -> Iterator[Opened]:
    """An app on a database that is ready, with the rights of one role."""
    logins.prepare(postgres_url, [uploads(), content()])
    apps: list[App] = []

    def open_(role: str) -> App:
        apps.append(App([uploads(), content()], database=logins.url(postgres_url, role)))
        return apps[-1]

    yield open_
    for app in apps:
        app.close()


def test_starting_needs_no_right_to_change_the_schema(as_role: Opened) -> None:
    for role in ("coordinator", "runner", "reader"):
        app = as_role(role)
        assert app.migrate() == []
        app.ready()


@pytest.mark.parametrize("role", ["coordinator", "runner", "reader"])
def test_an_old_schema_is_refused_with_what_is_missing_and_what_to_do(
    as_role: Opened, typing: Hand, role: str
) -> None:
    typing.run("ALTER TABLE uploads RENAME COLUMN canonicals_count TO other")
    app = as_role(role)
    for start in (app.ready, app.migrate):
        with pytest.raises(SchemaOutdated) as refusal:
            start()
        assert "lacks canonicals_count" in refusal.value.message
        assert "interlock db upgrade" in refusal.value.hint


def test_an_empty_database_is_refused_to_whoever_may_not_fill_it(postgres_url: str, logins: Logins) -> None:
    app = App([uploads()], database=logins.url(postgres_url, "coordinator"))
    with pytest.raises(SchemaOutdated, match="may not change the schema"):
        app.migrate()
    app.close()


def test_an_index_that_was_dropped_is_missed(postgres_url: str, typing: Hand) -> None:
    app = open_app(postgres_url, uploads())
    typing.run("DROP INDEX interlock_uploads_natural")
    with pytest.raises(SchemaOutdated, match="interlock_uploads_natural"):
        app.ready()
    app.migrate()
    app.ready()
    app.close()


def test_the_owner_role_migrates_what_the_roles_were_given_on(
    as_role: Opened, postgres_url: str, logins: Logins
) -> None:
    as_role("coordinator")
    changed = uploads()
    changed.records.append_column(Column("colour", Text))
    owner = App([changed, content()], database=logins.url(postgres_url, "owner"))
    assert owner.migrate() == ["column uploads.colour"]
    assert owner.migrate(contract=True) == []
    owner.close()


def test_a_runner_reads_records_and_moves_nothing(as_role: Opened, typing: Hand) -> None:
    as_role("coordinator").admit("statements", {"id": "u1"})
    runner, before = as_role("runner"), typing.everything()
    assert runner.get("statements", "u1")["status"] == "queued_for_parse"
    for act in (
        lambda: runner.move("statements", "u1", actor="eve", status="parsing"),
        lambda: runner.admit("statements", {"id": "u2"}),
        lambda: runner.erase("statements", "u1", actor="eve", role="admin", reason="why not"),
        runner.fold_counters,
    ):
        with pytest.raises(RefusedByDatabase, match="permission denied"):
            act()
    after = typing.everything()
    verdicts = after.pop(
        "interlock_verdict"
    )  # a runner records what was refused: it may say that a report came too late
    assert len(verdicts) == 3
    assert all("permission denied" in verdict for verdict in verdicts)
    assert after == {name: rows for name, rows in before.items() if name != "interlock_verdict"}


def test_a_reader_looks_at_everything_and_changes_nothing(as_role: Opened, typing: Hand) -> None:
    coordinator, reader = as_role("coordinator"), as_role("reader")
    coordinator.admit("statements", {"id": "u1"})
    coordinator.move("statements", "u1", actor="ann", reason="first", status="parsing")
    before = typing.everything()
    assert reader.check().ok
    assert [move.reason for move in reader.ledger.history("statements", "u1")] == [None, "first"]
    assert reader.counts() == {("statements", "status", None, "parsing"): 1}
    assert reader.explain("statements", "u1").next
    with pytest.raises(RefusedByDatabase, match="permission denied"):
        reader.move("statements", "u1", actor="eve", status="parsed")
    assert typing.everything() == before


def cheat(url: str) -> None:
    """Move a record while temporary tables stand where PostgreSQL looks first, so that history would be written there and be gone."""
    typing = Hand(url)
    sql, values = typing.move(UPLOADED, "parsing")
    for table in ("interlock_ledger", "interlock_count_delta"):
        typing.run(f"CREATE TEMP TABLE {table} AS SELECT * FROM public.{table}")
    try:
        assert typing.run(sql, *values) == 1
    finally:
        typing.close()


def test_a_temporary_table_is_not_taken_for_history(
    as_role: Opened, postgres_url: str, logins: Logins
) -> None:
    UPLOADED.admit(as_role("coordinator"))
    cheat(logins.url(postgres_url, "coordinator"))
    assert as_role("reader").check().ok
    assert [move.version for move in as_role("reader").ledger.history("statements", "u1")] == [0, 1]


def test_a_coordinator_moves_records_and_never_writes_history_itself(
    as_role: Opened, postgres_url: str, logins: Logins
) -> None:
    UPLOADED.admit(as_role("coordinator"))
    typing = Hand(logins.url(postgres_url, "coordinator"))
    sql, values = typing.insert_entry(typing.entry(UPLOADED, "parsing"))
    typing.refused("permission denied", sql, *values)
    typing.close()


def test_without_its_fixed_search_path_a_guard_would_be_cheated(
    as_role: Opened, postgres_url: str, logins: Logins, typing: Hand
) -> None:
    UPLOADED.admit(as_role("coordinator"))
    typing.run("ALTER FUNCTION interlock_uploads_update_guard() SECURITY INVOKER RESET search_path")
    typing.run("GRANT EXECUTE ON FUNCTION interlock_other_hash() TO PUBLIC")
    cheat(logins.url(postgres_url, "coordinator"))
    assert not as_role("reader").check().ok


def test_somebody_who_may_write_a_column_of_a_record_needs_no_right_on_history(
    as_role: Opened, postgres_url: str, logins: Logins, typing: Hand
) -> None:
    as_role("coordinator").admit("statements", {"id": "u1"})
    typing.run(f"GRANT UPDATE (observations_count) ON uploads TO {logins.group('runner')}")
    other = Hand(logins.url(postgres_url, "runner"))
    assert other.run("UPDATE uploads SET observations_count = 7") == 1
    other.close()


def test_applying_twice_changes_nothing(
    as_role: Opened, typing: Hand, postgres_url: str, logins: Logins
) -> None:
    as_role("coordinator")
    before = typing.rows(RIGHTS)
    logins.prepare(postgres_url, [uploads(), content()])
    assert typing.rows(RIGHTS) == before


def test_what_a_role_should_not_have_is_taken_away(
    as_role: Opened, typing: Hand, postgres_url: str, logins: Logins
) -> None:
    as_role("coordinator")
    before = typing.rows(RIGHTS)
    runner = logins.group("runner")
    for excess in (
        f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {runner}",
        f"GRANT UPDATE (status) ON uploads TO {runner}",
        "GRANT INSERT ON interlock_ledger TO PUBLIC",
        f"GRANT CREATE ON SCHEMA public TO {runner}",
        f"GRANT {logins.group('coordinator')} TO {runner}",
        "GRANT CREATE ON SCHEMA public TO PUBLIC",
    ):
        typing.run(excess)
    assert typing.rows(RIGHTS) != before
    logins.prepare(postgres_url, [uploads(), content()])
    assert typing.rows(RIGHTS) == before
    assert typing.rows("SELECT 1 FROM pg_auth_members WHERE member = ?::regrole", runner) == []


def test_what_is_printed_is_what_is_applied(
    as_role: Opened, typing: Hand, logins: Logins, postgres_server: Server
) -> None:
    coordinator = as_role("coordinator")
    name = f"interlock_{os.getpid()}_printed"
    url = postgres_server.create_database(name)
    open_app(url, uploads(), content()).close()
    other = Hand(url)
    for statement in roles_sql(
        Roles(logins.prefix, name, coordinator.database.dialect), [uploads(), content()]
    ):
        other.connection.execute(statement)
    other.connection.commit()
    assert other.rows(RIGHTS) == typing.rows(RIGHTS)
    other.close()
    postgres_server.drop_database(name)


def test_a_group_that_can_do_more_by_itself_is_refused(
    as_role: Opened, typing: Hand, postgres_url: str, logins: Logins
) -> None:
    as_role("coordinator")
    typing.run(f"ALTER ROLE {logins.group('runner')} CREATEDB")
    with pytest.raises(RefusedByDatabase, match="must be a group without rights of its own"):
        logins.prepare(postgres_url, [uploads(), content()])
    typing.run(f"ALTER ROLE {logins.group('runner')} NOCREATEDB")


@pytest.mark.parametrize("prefix", ["", "Shop", "a b", "x; DROP TABLE uploads", "pg_shop", "a" * 41])
def test_a_prefix_that_cannot_begin_a_name_is_refused(prefix: str) -> None:
    with pytest.raises(BadInput, match="cannot begin the name of a role"):
        Roles(prefix, None, App([uploads()], database="sqlite://").database.dialect)


def test_a_runner_reads_what_only_hooks_write_and_writes_what_stages_save_into(
    postgres_url: str, logins: Logins, typing: Hand
) -> None:
    app = open_app(postgres_url, uploads())
    typing.run("CREATE TABLE audit_notes (line text)")
    typing.run("CREATE TABLE results (line text)")
    roles = Roles(logins.prefix, None, app.database.dialect)
    apply(app.database, roles, list(app.workflows.values()), ["results"], ["audit_notes"])
    app.close()
    runner = App([uploads()], database=logins.url(postgres_url, "runner"))
    coordinator = App([uploads()], database=logins.url(postgres_url, "coordinator"))
    for one, table in ((runner, "results"), (coordinator, "results"), (coordinator, "audit_notes")):
        with one.database.write() as tx:
            tx.exec_driver_sql(f"INSERT INTO {table} VALUES ('x')")
    with pytest.raises(RefusedByDatabase, match="permission denied"), runner.database.write() as tx:
        tx.exec_driver_sql("INSERT INTO audit_notes VALUES ('forged')")
    with runner.database.read() as tx:
        assert tx.exec_driver_sql("SELECT line FROM audit_notes").scalars().all() == ["x"]
    for one in (runner, coordinator):
        one.close()


@pytest.mark.parametrize("table", ["uploads", "interlock_ledger", "approved_items"])
def test_a_table_of_the_engine_is_not_given_to_stages(postgres_url: str, table: str) -> None:
    app = open_app(postgres_url, uploads(), content())
    with pytest.raises(BadInput, match="rights follow from the workflows"):
        apply(
            app.database, Roles("nobody", None, app.database.dialect), list(app.workflows.values()), [table]
        )
    app.close()


def test_every_own_table_has_its_rights_thought_of(postgres_url: str, typing: Hand) -> None:
    open_app(postgres_url, uploads()).close()
    assert {
        name
        for (name,) in typing.rows(
            "SELECT tablename FROM pg_tables WHERE starts_with(tablename, 'interlock')"
        )
    } == set(OWN)


def notes_in_a_schema_of_their_own() -> Workflow:
    """Names that need quotes, another schema, an id from a sequence, a rule that asks about a table that is nobody's."""
    metadata = MetaData()
    table = Table(
        "Odd Notes",
        metadata,
        Column("Note Id", Integer, primary_key=True),
        Column("group", Text),
        schema="shop",
    )
    banned = Table("banned", metadata, Column("name", Text), schema="shop")
    unbanned = ~exists().where(banned.c.name == table.c.group)
    return Workflow(
        "notes",
        records=table,
        axes=[Axis("user", UPLOAD)],
        rules=[entering(user="parsing").requires(unbanned)],
        tables=[banned],
    )


def test_quoted_names_other_schemas_and_tables_of_rules_are_thought_of(
    postgres_url: str, typing: Hand, logins: Logins
) -> None:
    typing.run("CREATE SCHEMA shop")
    workflow = notes_in_a_schema_of_their_own()
    open_app(postgres_url, workflow).close()
    owner = App([workflow], database=postgres_url)
    apply(owner.database, Roles(logins.prefix, None, owner.database.dialect), [workflow])
    owner.close()
    app = App([notes_in_a_schema_of_their_own()], database=logins.url(postgres_url, "coordinator"))
    id = app.admit("notes", {"group": "g"}).id
    assert app.move("notes", id, actor="ann", facts={"group": "h"}, user="parsing").version == 1
    assert app.erase("notes", id, actor="ann", role="admin", reason="asked for it").outcome == "erased"
    assert app.check().ok
    app.close()


@pytest.fixture
def administrator(postgres_url: str, typing: Hand) -> Iterator[str]:
    """A URL of somebody who owns the database and may create roles, and is no superuser."""
    name = f"admin{os.getpid()}"
    typing.run(f"CREATE ROLE {name} LOGIN CREATEROLE PASSWORD '{name}'")
    typing.run(f"ALTER DATABASE {make_url(postgres_url).database} OWNER TO {name}")
    yield make_url(postgres_url).set(username=name, password=name).render_as_string(hide_password=False)
    typing.run(
        "DROP OWNED BY "
        + ", ".join(f"{name}_{role}" for role in ("owner", "coordinator", "runner", "reader"))
        + " CASCADE"
    )
    typing.run(f"ALTER DATABASE {make_url(postgres_url).database} OWNER TO CURRENT_USER")
    typing.run(f"DROP OWNED BY {name} CASCADE")
    for role in ("owner", "coordinator", "runner", "reader"):
        typing.run(f"DROP ROLE {name}_{role}")
    typing.run(f"DROP ROLE {name}")


def test_a_database_owner_who_is_no_superuser_can_do_it_all(administrator: str) -> None:
    workflows = [uploads(), domains(), content(), themes()]
    app = open_app(administrator, *workflows)
    for _ in range(2):
        apply(
            app.database, Roles(str(make_url(administrator).username), None, app.database.dialect), workflows
        )
    app.admit("domains", {"host": "a"})
    assert app.migrate() == []
    assert app.migrate(contract=True) == []
    assert app.check().ok
    app.close()


def test_a_record_that_is_nothing_but_its_key_is_given_no_column_to_change(
    postgres_url: str, logins: Logins
) -> None:
    """Its states stand in a table of their own; a list of no columns is no SQL."""
    metadata = MetaData()
    bare = Table("bare", metadata, Column("id", Integer, primary_key=True))
    state = Table(
        "bare_state",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("bare_id", ForeignKey("bare.id"), nullable=False),
        Column("scope", Text, nullable=False),
    )
    axis = Axis("status", UPLOAD, table=state, scope=("one",))
    workflow = Workflow("bare", records=bare, axes=[axis])
    logins.prepare(postgres_url, [workflow])
    app = App([workflow], database=logins.url(postgres_url, "coordinator"))
    try:
        app.admit("bare", {"id": 1})
        assert app.move("bare", 1, actor="ann", status="error", scope="one").outcome == "moved"
        assert [move.new for move in app.ledger.history("bare", 1)] == ["queued_for_parse", "error"]
        assert app.check().findings == []
    finally:
        app.close()
