"""`interlock key`: API keys of the HTTP service; a key is shown when it is made, and never again."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import click

from ..errors import BadDeclaration
from ..store import keys
from ..workflow.spans import span
from .commands import Noun, session
from .output import note, show_answer, show_rows

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
        with running.app.database.write() as tx:
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
        with running.app.database.read() as tx:
            rows = [shown(one, running.clock.now()) for one in keys.every(tx)]
    show_rows(
        running.output,
        rows,
        COLUMNS,
        empty="no keys were made: the service answers its own machine only",
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
        with running.app.database.write() as tx:
            row = shown(keys.revoke(tx, name, now), now)
    show_answer(running.output, row, [f"revoked: {name}"], [row], COLUMNS)


def shown(one: Any, now: Any) -> dict[str, Any]:
    return {**asdict(one), "state": one.state(now)}


def length(written: str) -> timedelta:
    try:
        return span(written)
    except BadDeclaration as error:
        raise click.UsageError(f"{error.message}. {error.hint}") from error
