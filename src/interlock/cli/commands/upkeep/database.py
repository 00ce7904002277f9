"""`interlock db`: brings the database to what the code needs, prints the SQL for it, and says whether it is so."""

from __future__ import annotations

import click

from ....client import Client
from ....errors import BadInput, SchemaOutdated
from ....store.dialect import SqlDialect
from ....store.engines import NAMES, sql_named, sql_with_roles
from ....store.migrations.full_sql import full_sql
from ....store.migrations.inspection import differences
from ....store.migrations.roles import Roles
from ... import exit_codes as exits
from ...context import Session
from ...grammar import Noun, session
from ...render.output import note, show_rows

COLUMNS = ("what", "problem")


@click.group(
    cls=Noun,
    examples=(
        "interlock db upgrade",
        "interlock db check",
        "interlock db sql --dialect postgresql > interlock.sql",
    ),
)
def db() -> None:
    """The tables, columns and guards in the database."""


@db.verb(
    "upgrade",
    "interlock db upgrade",
    "interlock db upgrade --database postgresql://owner@db.example/shop",
    "interlock db upgrade --contract",
)
@click.option(
    "--contract",
    is_flag=True,
    help="Stop accepting older versions of the machines; for when no old process runs any more. "
    "Refused while records stand in states that only those have.",
)
@click.option("--force", is_flag=True, help="With --contract: even if that strands records.")
def upgrade(contract: bool, force: bool) -> None:
    """Do what is missing; a second run does nothing. Safe when several processes do it at once."""
    if force and not contract:
        raise click.UsageError("--force goes with --contract.")
    running = session()
    done = running.bundled_app().migrate(contract=contract, force=force)
    show_rows(
        running.output, [{"done": one} for one in done], ("done",), empty="ok: the database was up to date"
    )


@db.verb(
    "sql",
    "interlock db sql --dialect postgresql > interlock.sql",
    "interlock --app shop.workflows:app db sql --dialect sqlite | sqlite3 shop.db",
)
@click.option("--dialect", type=click.Choice(NAMES), help="For which database; default: the app's own.")
def sql(dialect: str | None) -> None:
    """Print all SQL that an empty database needs, for a DBA to read and run; nothing is connected to."""
    running = session()
    running.refuse_service()
    click.echo(script(full_sql(running.workflows(), sql_for(running, dialect).text_dialect())), nl=False)


@db.verb("check", "interlock db check", "interlock db check -o json")
@click.pass_context
def check(context: click.Context) -> None:
    """Say whether tables, columns and guards are what this code needs; exit code 7 when they are not."""
    running = session()
    service = running.service
    found = (
        differences(running.app.database, list(running.app.workflows.values()))
        if service is None
        else schema_problems_of(service)
    )
    show_rows(running.output, found, COLUMNS, empty="ok: tables, columns and guards are what this code needs")
    if found:
        note("`interlock db upgrade` does what is missing")
    context.exit(exits.FINDINGS if found else exits.OK)


def schema_problems_of(service: Client) -> list[dict[str, str]]:
    """What a service says about its own schema; the details are for those who may see its database."""
    try:
        service.health()
    except SchemaOutdated as error:
        return [{"what": "schema", "problem": error.message}]
    return []


@db.verb(
    "roles",
    "interlock db roles > roles.sql",
    "interlock db roles --apply --database postgresql://postgres@db.example/shop",
    "interlock db roles --writes observations --hook-writes audit_notes --prefix shop",
)
@click.option(
    "--print/--apply",
    "printed",
    default=True,
    help="Print the SQL for a DBA, which is the default, or run it.",
)
@click.option(
    "--prefix", default="interlock", show_default=True, help="What the names of the four roles begin with."
)
@click.option(
    "--database-name",
    metavar="NAME",
    help="The database they may connect to; default: the one it runs in.",
)
@click.option(
    "--writes",
    multiple=True,
    metavar="TABLE",
    help="A table of your own that stages save into, and hooks may write; repeatable.",
)
@click.option(
    "--hook-writes",
    multiple=True,
    metavar="TABLE",
    help="A table of your own that only hooks write: a runner may read it; repeatable.",
)
def roles(
    printed: bool,
    prefix: str,
    database_name: str | None,
    writes: tuple[str, ...],
    hook_writes: tuple[str, ...],
) -> None:
    """PostgreSQL: an owner, a coordinator, a runner and a reader, each with no more rights than its work needs."""
    running = session()
    workflows, printing = running.workflows(), sql_with_roles()
    wanted = Roles(prefix, database_name, printing.text_dialect())
    if printed and printing.roles is not None:
        click.echo(script(printing.roles.roles_sql(wanted, workflows, writes, hook_writes)), nl=False)
        return
    statements = running.app.database.sql.roles
    if statements is None:
        raise BadInput(
            "SQLite has no roles: whoever may write the file may write everything in it",
            hint="Without --apply the SQL for PostgreSQL is printed.",
        )
    running.app.ready()
    statements.apply(running.app.database, wanted, workflows, writes, hook_writes)
    show_rows(
        running.output, statements.summary(wanted, workflows, writes, hook_writes), ("table", "role", "may")
    )


def sql_for(running: Session, named: str | None) -> SqlDialect:
    """The SQL of the database that was named, or of the app's own."""
    if named is None:
        named = running.app.database.name
    return sql_named(named)


def script(statements: list[str]) -> str:
    """The statements as a file that psql and sqlite3 run as it is: in one transaction, all or nothing."""
    parts = [statement.strip().rstrip(";") for statement in statements]
    return "".join(f"{part};\n" for part in ("BEGIN", *parts, "COMMIT"))
