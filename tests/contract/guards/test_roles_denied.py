"""Every statement that a database role may not run, tried on every table as that role: PostgreSQL itself says no."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import Column, Integer, Table
from sqlalchemy.engine import make_url

from tests.kinds import content, domains, open_app, themes, uploads
from tests.servers.logins import Logins
from tests.servers.postgres import Server

DENIED = "42501"
ROLES = ("runner", "reader", "coordinator")
RECORDS = ("uploads", "domains", "items", "articles", "article_pipeline_state")
HISTORY = ("interlock_ledger", "interlock_verdict", "interlock_gate_verdict", "interlock_seal")
OWN = (
    *HISTORY,
    "interlock_plan",
    "interlock_detail",
    "interlock_command",
    "interlock_counter",
    "interlock_count_delta",
    "interlock_meta",
    "interlock_machine",
    "interlock_axis",
    "interlock_work",
    "interlock_stage",
    "interlock_schedule_run",
    "interlock_adoption_left",
    "interlock_adoption_difference",
    "interlock_stray",
    "interlock_rate",
    "interlock_runner",
    "interlock_coordinator",
    "interlock_intake",
    "interlock_tally",
    "interlock_operation",
    "interlock_operation_item",
    "interlock_key",
)
TABLES = (*OWN, *RECORDS, "approved_items", "observations")
NAMES = {
    "uploads": {"id"},
    "domains": {"id"},
    "items": {"item_id"},
    "articles": {"id"},
    "article_pipeline_state": {"id", "article_id", "pipeline"},
}
"""The columns that name a record, which nobody changes."""

READS = {
    "coordinator": set(TABLES),
    "reader": set(TABLES) - {"interlock_key"},
    "runner": {
        "interlock_meta",
        "interlock_machine",
        "interlock_axis",
        *RECORDS,
        "approved_items",
        "observations",
        "interlock_work",
        "interlock_stage",
        "interlock_runner",
    },
}
INSERTS = {
    "coordinator": set(TABLES)
    - {
        "interlock_meta",
        "interlock_machine",
        "interlock_axis",
        "interlock_ledger",
        "interlock_counter",
        "interlock_count_delta",
        "interlock_plan",
        "interlock_stray",
    },
    "runner": {"observations", "interlock_verdict", "interlock_runner", "interlock_tally"},
}
WORKED = (
    "interlock_work",
    "interlock_stage",
    "interlock_rate",
    "interlock_schedule_run",
    "interlock_adoption_left",
    "interlock_adoption_difference",
    "interlock_stray",
    "interlock_runner",
    "interlock_coordinator",
    "interlock_intake",
)
DELETES = {
    "coordinator": {
        *RECORDS,
        "interlock_detail",
        "interlock_gate_verdict",
        "interlock_command",
        "observations",
        *(table for table in WORKED if table != "interlock_stage"),
        "interlock_tally",
    },
    "runner": {"observations", "interlock_runner"},
}
CLAIMED = {
    "claimed_by",
    "claimed_at",
    "lease_until",
    "started_at",
    "reported_at",
    "outcome",
    "report",
    "shape",
    "facts",
    "gates",
    "rechecked_by",
    "login",
}
UPDATES = {
    "coordinator": {
        "interlock_command": {"answer"},
        "interlock_intake": {"size"},
        "interlock_work": CLAIMED
        | {"attempt", "token", "version", "available_at", "slot", "key_slot", "trace", "recheck_at"},
        "interlock_tally": {"delta"},
        "interlock_key": {"revoked_at", "last_used_at"},
        "interlock_operation": {
            "records",
            "reached",
            "status",
            "pausing",
            "told",
            "undone_by",
            "started_at",
            "finished_at",
            "runner",
            "lease_until",
        },
        "interlock_operation_item": {"outcome", "code", "from_state", "to_state", "left_version"},
    },
    "runner": {
        "interlock_work": CLAIMED,
    },
}
SOME_COLUMNS = {
    ("runner", "SELECT", "interlock_ledger"): {"kind", "record_id", "axis", "scope", "version", "token"},
    ("runner", "INSERT", "interlock_intake"): {
        "kind",
        "records",
        "size",
        "source_kind",
        "source_id",
        "axis",
        "scope",
        "token",
        "work",
        "actor",
        "reason",
        "at",
    },
}
THE_DATABASES_TO_SAY = {
    "interlock_verdict": {"position", "txid", "login"},
    "interlock_gate_verdict": {"login"},
    "interlock_key": {"login", "changed_login"},
    "interlock_command": {"login"},
}


@pytest.fixture(scope="module")
def shop(postgres_server: Server, logins: Logins) -> Iterator[str]:
    """The URL of a database with a record in every table, each role with its rights."""
    name = f"interlock_{os.getpid()}_roles"
    url = postgres_server.create_database(name)
    workflows = [uploads(), domains(), content(), themes()]
    observations = Table(
        "observations",
        workflows[0].records.metadata,
        Column("id", Integer, primary_key=True),
        Column("found", Integer),
    )
    workflows[0].tables += (observations,)
    workflows[0].stages["parse"].save(
        lambda tx, work, result: None
    )  # so a runner writes the tables beside it
    app = open_app(url, *workflows)
    app.admit("statements", {"id": "u1"})
    app.move("statements", "u1", actor="ann", reason="because", status="parsing")
    app.close()
    logins.prepare(url, workflows)
    yield url
    postgres_server.drop_database(name)


@pytest.fixture(scope="module")
def connected(shop: str, logins: Logins) -> Iterator[dict[str, psycopg.Connection[Any]]]:
    addresses = {
        role: make_url(logins.url(shop, role)).set(drivername="postgresql")
        for role in ("coordinator", "runner", "reader")
    }
    opened = {
        role: psycopg.connect(address.render_as_string(hide_password=False))
        for role, address in addresses.items()
    }
    yield opened
    for connection in opened.values():
        connection.close()


def answer_to(connection: psycopg.Connection[Any], statement: Any) -> str | None:
    """The SQLSTATE that the statement ends with; it is never committed."""
    try:
        connection.execute(statement)
    except psycopg.Error as error:
        return error.sqlstate
    finally:
        connection.rollback()
    return None


def columns(connection: psycopg.Connection[Any], table: str) -> list[str]:
    asked = (
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
    )
    return [name for (name,) in connection.execute(asked, (table,))]


def allowed(role: str, verb: str, table: str, every: list[str]) -> set[str]:
    """The columns on which the role may do this, as it should be."""
    if (role, verb, table) in SOME_COLUMNS:
        return SOME_COLUMNS[role, verb, table]
    if verb == "UPDATE":
        if table in RECORDS and role == "coordinator":
            return set(every) - NAMES[table]
        whole = (
            (table == "observations" and role in ("coordinator", "runner"))
            or (
                table in WORKED
                and table not in ("interlock_work", "interlock_intake")
                and role == "coordinator"
            )
            or (table == "interlock_runner" and role == "runner")
        )
        return set(every) if whole else UPDATES.get(role, {}).get(table, set())
    named = {"SELECT": READS, "INSERT": INSERTS}[verb].get(role, set())
    untouched = THE_DATABASES_TO_SAY.get(table, set()) if verb == "INSERT" else set()
    return set(every) - untouched if table in named else set()


FORMS = {
    "SELECT": "SELECT {column} FROM {table} LIMIT 0",
    "INSERT": "INSERT INTO {table} ({column}) VALUES (DEFAULT)",
    "UPDATE": "UPDATE {table} SET {column} = DEFAULT WHERE false",
}


@pytest.mark.parametrize("verb", FORMS)
@pytest.mark.parametrize("role", ROLES)
def test_a_role_touches_its_own_columns_and_is_denied_every_other(
    connected: Any, role: str, verb: str
) -> None:
    connection = connected[role]
    every = {table: columns(connection, table) for table in TABLES}
    form = SQL(FORMS[verb])
    may = {
        table: {
            name
            for name in names
            if answer_to(connection, form.format(table=Identifier(table), column=Identifier(name))) != DENIED
        }
        for table, names in every.items()
    }
    assert may == {table: allowed(role, verb, table, names) for table, names in every.items()}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_deletes_only_what_its_work_deletes(connected: Any, role: str) -> None:
    delete = SQL("DELETE FROM {} WHERE false")
    may = {
        table for table in TABLES if answer_to(connected[role], delete.format(Identifier(table))) != DENIED
    }
    assert may == DELETES.get(role, set())


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE {}",
        "TRUNCATE {} CASCADE",
        "DROP TABLE {} CASCADE",
        "ALTER TABLE {} DISABLE TRIGGER USER",
        "ALTER TABLE {} ADD COLUMN more text",
        "ALTER TABLE {} OWNER TO CURRENT_USER",
        "GRANT ALL ON {0} TO CURRENT_USER; TRUNCATE {0}",
        "CREATE RULE forget AS ON INSERT TO {} DO INSTEAD NOTHING",
        "COMMENT ON TABLE {} IS 'mine'",
        "CREATE INDEX ON {} ((1))",
        "CREATE TRIGGER mine AFTER INSERT ON {} EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    ],
)
def test_nobody_but_the_owner_changes_a_table_itself(connected: Any, role: str, statement: str) -> None:
    form = SQL(statement)
    answers = {table: answer_to(connected[role], form.format(Identifier(table))) for table in TABLES}
    assert answers == dict.fromkeys(TABLES, DENIED)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "statement",
    [
        "SET session_replication_role = replica",
        "CREATE TABLE mine (id int)",
        "CREATE SCHEMA mine",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "CREATE ROLE mine",
        "COPY uploads TO PROGRAM 'true'",
        "CREATE OR REPLACE FUNCTION interlock_ledger_guard() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "ALTER FUNCTION interlock_ledger_guard() SECURITY INVOKER",
        "DROP FUNCTION interlock_ledger_guard() CASCADE",
        "SELECT setval(pg_get_serial_sequence('interlock_ledger', 'position'), 1)",
        "CREATE TEMP TABLE bait (id text) ON COMMIT DROP;"
        " CREATE TRIGGER hung AFTER INSERT ON bait EXECUTE FUNCTION interlock_detail_guard()",
    ],
)
def test_nobody_but_the_owner_reaches_past_the_tables(connected: Any, role: str, statement: str) -> None:
    assert answer_to(connected[role], statement) == DENIED


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("other", ["owner", "coordinator", "runner", "reader"])
def test_nobody_becomes_another(connected: Any, logins: Logins, role: str, other: str) -> None:
    if other != role:
        assert (
            answer_to(connected[role], SQL("SET ROLE {}").format(Identifier(logins.group(other)))) == DENIED
        )
        assert (
            answer_to(
                connected[role], SQL("GRANT {} TO CURRENT_USER").format(Identifier(logins.group(other)))
            )
            == DENIED
        )


def test_the_list_names_every_table_of_the_database(connected: Any) -> None:
    found = connected["reader"].execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {name for (name,) in found} == set(TABLES)
