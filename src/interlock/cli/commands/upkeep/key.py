"""`interlock key`: API keys of the HTTP service; a key is shown when it is made, and never again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ....client import ApiKey
from ....client.keys import Keys
from ....errors import BadInput
from ....store.connect import Database
from ....store.records import api_keys as keys
from ...context import Session
from ...grammar import SPAN, Noun, session
from ...render.output import note, show_answer, show_rows

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
@click.option(
    "--expires", type=SPAN, metavar="SPAN", help="It is valid for so long: 12h, 90d. Default: for ever."
)
def create(name: str, scope: str, expires: str | None) -> None:
    """Make a key and print it, this once. Its name is the actor in the ledger."""
    running = session()
    row = asdict(keys_of(running).create(name, scope, expires=expires))
    show_answer(running.output, row, [row["key"]], [row], ("key", *COLUMNS))
    note("This is the only time it is shown; the database has only its hash.")


@key.verb("list", "interlock key list", "interlock key list -o json")
def list_() -> None:
    """List every key that was ever made, and whether it holds."""
    running = session()
    show_rows(
        running.output,
        [key_row(one) for one in keys_of(running).list()],
        COLUMNS,
        empty="no keys were made: the service answers the user who runs it only",
        blank=("expires_at", "revoked_at", "last_used_at"),
    )


@key.verb("revoke", "interlock key revoke nightly-import")
@click.argument("name")
def revoke(name: str) -> None:
    """End a key for good."""
    running = session()
    row = key_row(keys_of(running).revoke(name))
    show_answer(running.output, row, [f"revoked: {name}"], [row], COLUMNS)


def keys_of(running: Session) -> Keys:
    """The keys of the service or the app that was named; else of the database that `interlock up` keeps in the data folder."""
    if running.settings.url is None and running.settings.app is None:
        database = Database(running.settings.database_url)
        file = database.sql.connections.file(database.engine.url)
        if file is not None and not file.exists():
            raise BadInput(
                f"there is no database at {file}",
                hint="Start `interlock up` first, name its folder in INTERLOCK_DATA, or say --database or --app.",
            )
        running.bundled_app()
    return running.client().keys


def key_row(key: ApiKey) -> dict[str, Any]:
    """What is known of a key, without a place for the secret."""
    return {name: value for name, value in asdict(key).items() if name != "key"}
