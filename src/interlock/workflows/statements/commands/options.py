"""The noun of the commands, and the options and sentences that several of its verbs share."""

from __future__ import annotations

from typing import Any

import click

from interlock.commands import Noun, Session

from .importing import followed
from .source import Source


def _keep_data(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.find_root().ensure_object(Session).flags["data"] = value


DATA = click.option(
    "--data",
    metavar="FOLDER",
    expose_value=False,
    is_eager=True,
    callback=_keep_data,
    help="The folder of the embedded database and of files. [env: INTERLOCK_DATA]",
)
REASON = click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the ledger.")
ACTOR = click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who does it; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)


@click.group(
    cls=Noun,
    examples=(
        "interlock statements import ~/Downloads --wait",
        "interlock statements list --status error",
        "interlock statements export --format beancount --to books.beancount",
    ),
)
def statements() -> None:
    """Bank and card statements: import files, look at uploads and transactions, export."""


WAIT = click.option(
    "--wait",
    is_flag=True,
    help="Wait until each is through; where no runner is at work, the work is done here.",
)
QUEUED = "it is parsed again as soon as a runner is at work"


def counted(number: int, thing: str) -> str:
    """A number of things in words: 1 row, 2 rows."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def ended_as(running: Session, source: Source, upload_ids: list[str]) -> list[str]:
    """Wait until each of these uploads has come to its end, and say how it ended."""
    rows: list[dict[str, Any]] = [{"upload_id": one} for one in upload_ids]
    followed(running, source, rows)
    return [
        f"{one['upload_id']} is {one['status']}, reconciled: {one['reconciled'] or 'unknown'}" for one in rows
    ]
