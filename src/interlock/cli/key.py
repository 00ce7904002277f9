"""`interlock key`: API keys of the HTTP service; a key is shown when it is made, and never again."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import click

from ..errors import BadDeclaration, BadInput
from ..store import keys
from ..store.connect import Database
from ..workflow.spans import span
from .commands import Noun, session
from .output import note, show_answer, show_rows
from .session import Session

COLUMNS = ("name", "scope", "state", "created_at", "created_by", "expires_at", "revoked_at", "last_used_at")


@click.group(
    cls=Noun,
    examples=(
        "interlock key create nightly-import --scope operator --expires 90d",
        "interlock key list",
        "interlock key revoke nightly-import",
    ),
)
def key() -> None:
    """API keys: who may use the HTTP service, and how far."""


@key.verb(
    "create",
    "interlock key create nightly-import --scope operator --expires 90d",
    "interlock key create board --scope viewer -o json",
)
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(keys.SCOPES),
    required=True,
    help="How far it reaches; it is the role in the ledger too.",
)
@click.option("--expires", metavar="SPAN", help="After this it holds no more: 12h, 90d. Never, unless said.")
def create(name: str, scope: str, expires: str | None) -> None:
    """Make a key and print it, this once. Its name is the actor in the ledger."""
    running = session()
    now = running.clock.now()
    until = None if expires is None else now + length(expires)
    if (remote := running.remote) is not None:
        row = remote.create_key(name, scope, expires)
    else:
        with key_database(running).write() as tx:
            secret = keys.create(tx, name, scope, by=running.actor(None), now=now, expires_at=until)
            row = {**shown(keys.find(tx, name), now), "key": secret}
    show_answer(running.output, row, [row["key"]], [row], ("key", *COLUMNS))
    note("This is the only time it is shown; the database has only its hash.")


@key.verb("list", "interlock key list", "interlock key list -o json")
def list_() -> None:
    """List every key that was ever made, and whether it holds."""
    running = session()
    if (remote := running.remote) is not None:
        rows = remote.keys()
    else:
        with key_database(running).read() as tx:
            rows = [shown(one, running.clock.now()) for one in keys.every(tx)]
    show_rows(
        running.output,
        rows,
        COLUMNS,
        empty="no keys were made: the service answers the user who runs it only",
        blank=("expires_at", "revoked_at", "last_used_at"),
    )


@key.verb("revoke", "interlock key revoke nightly-import")
@click.argument("name")
def revoke(name: str) -> None:
    """End a key for good."""
    running = session()
    now = running.clock.now()
    if (remote := running.remote) is not None:
        row = remote.revoke_key(name)
    else:
        with key_database(running).write() as tx:
            row = shown(keys.revoke(tx, name, now), now)
    show_answer(running.output, row, [f"revoked: {name}"], [row], COLUMNS)


def key_database(running: Session) -> Database:
    """The database of the app; without one that which `interlock up` keeps in the data folder, for keys belong to no workflow."""
    if running.settings.app is not None:
        return running.app.database
    running.refuse_service()
    database = Database(running.settings.database_url)
    file = database.sql.connections.file(database.engine.url)
    if file is not None and not file.exists():
        raise BadInput(
            f"there is no database at {file}",
            hint="Start `interlock up` first, name its folder in INTERLOCK_DATA, or say --database or --app.",
        )
    return database


def shown(one: Any, now: Any) -> dict[str, Any]:
    return {**asdict(one), "state": one.state(now)}


def length(written: str) -> timedelta:
    try:
        return span(written)
    except BadDeclaration as error:
        raise click.UsageError(f"{error.message}. {error.hint}") from error
