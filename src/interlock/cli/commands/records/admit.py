"""`interlock record admit`: make records, one from what is typed, or many from a file; what is there already is named, not made twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ....errors import BadInput, InterlockError
from ....workflow import Answer
from ... import exit_codes as exits
from ...grammar import Verb, session
from ...render.acting import facts_of
from ...render.output import show_rows

COLUMNS = ("id", "outcome", "to", "version", "code", "problem")
AT_ONCE = 500
Row = Mapping[str, Any]


@click.command(
    "admit",
    cls=Verb,
    examples=(
        "interlock record admit orders city=Oslo --reason 'by phone'",
        "interlock record admit orders --rows orders.jsonl -o csv",
        "interlock record admit orders id=8 city=Oslo --key order-8",
    ),
)
@click.argument("kind")
@click.argument("values", nargs=-1, metavar="[COLUMN=VALUE]...")
@click.option(
    "--rows",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Rows as JSON objects, one in a line; - is what is piped in.",
)
@click.option("--reason", help="Why; it is kept for ever beside the first entry.")
@click.option(
    "--actor",
    envvar="INTERLOCK_ACTOR",
    metavar="NAME",
    help="Who acts; default: the user who is logged in. [env: INTERLOCK_ACTOR]",
)
@click.option(
    "--key",
    metavar="KEY",
    help="Idempotency key: the same rows with the same key are made once and answered again.",
)
@click.pass_context
def admit(
    context: click.Context,
    kind: str,
    values: tuple[str, ...],
    file: Path | None,
    reason: str | None,
    actor: str | None,
    key: str | None,
) -> None:
    """Make a record of the values, or one of every row in a file; values are JSON, or else text. Exit code 7 when rows of a file were
    refused."""
    if file is not None and values:
        raise click.UsageError("Say values or --rows, not both.")
    rows = [facts_of(values)] if file is None else rows_in(file)
    if key is not None and len(rows) > AT_ONCE:
        raise click.UsageError(f"A key holds for at most {AT_ONCE} rows.")
    running = session()
    client = running.client(actor)
    answers = [
        answer_row(answer)
        for start in range(0, len(rows), AT_ONCE)
        for answer in client.admit_many(kind, rows[start : start + AT_ONCE], reason=reason, key=key)
    ]
    if file is None and isinstance(error := answers[0]["error"], InterlockError):
        raise error
    show_rows(
        running.output,
        [{name: row[name] for name in COLUMNS} for row in answers],
        COLUMNS,
        empty="no rows",
        blank=("version", "code", "problem", "to", "id"),
    )
    context.exit(exits.FINDINGS if any(row["error"] for row in answers) else exits.OK)


def answer_row(answer: Answer) -> dict[str, Any]:
    error = answer.error
    return {
        "id": answer.id,
        "outcome": answer.outcome,
        "to": answer.new,
        "version": answer.version,
        "code": error and error.code,
        "problem": error and error.message,
        "error": error,
    }


def rows_in(file: Path) -> list[Row]:
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    return [row_in(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def row_in(line: str, number: int) -> Row:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise BadInput(f"line {number} is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise BadInput(f"line {number} is no JSON object with a record's columns")
    return row
