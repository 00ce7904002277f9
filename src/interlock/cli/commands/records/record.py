"""`interlock record`: where records are, and why; their histories, read and followed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import click

from ....client import Client
from ....errors import UnknownRecord
from ....workflow import Move
from ....workflow.columns.instant import parse_instant
from ...context import assignment, state
from ...grammar import Noun, session
from ...render.following import Stream
from ...render.listing import columns_of, flat
from ...render.output import note, show_answer, show_rows
from ...render.table import table
from ...render.text import one_line
from ...render.why import explained

HISTORY = (
    "timestamp",
    "axis",
    "scope",
    "version",
    "from",
    "to",
    "actor",
    "role",
    "trigger",
    "reason",
    "facts",
)
READ = ("timestamp", "axis", "scope", "version", "from", "to", "actor", "role", "because", "facts")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
VERDICT = (
    "at",
    "axis",
    "scope",
    "version",
    "gate",
    "number",
    "passed",
    "reason",
    "details",
    "duration_ms",
    "actor",
)


@click.group(
    cls=Noun,
    examples=(
        "interlock record list orders --where status=shipped",
        "interlock record why orders 42",
        "interlock record move orders 42 status=shipped --reason 'the courier has it'",
    ),
)
def record() -> None:
    """Records: where they are, why, and moving them."""


@record.verb(
    "list",
    "interlock record list orders --where status=error --where payment=null",
    "interlock record list orders",
    "interlock record list orders --where status=shipped --older 2d --text hamburg",
    "interlock record list orders --where town=Kiel --columns town,placed_at --sort -placed_at",
    "interlock record list orders --limit 500 --after 1500 -o csv",
)
@click.argument("kind")
@click.option(
    "--where",
    multiple=True,
    metavar="NAME=VALUE",
    help="Only records in this state of an axis, or with this value in a column; of one name any, of several all must hold; null is one.",
)
@click.option("--columns", metavar="NAMES", help="Columns of the record to show, with commas between them.")
@click.option("--sort", metavar="COLUMN", help="Sort by this column; with - in front, the largest first.")
@click.option("--scope", metavar="SCOPE", help="On a scoped axis: only this scope.")
@click.option("--error", metavar="CODE", help="Only records whose error has this code.")
@click.option(
    "--older",
    metavar="SPAN",
    help="Only records that have been in their state longer than this: 30s, 5m, 2h, 3d.",
)
@click.option(
    "--younger", metavar="SPAN", help="Only records that have been in their state for less than this."
)
@click.option("--text", metavar="TEXT", help="Only records with this in their id or in one of their texts.")
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many at most."
)
@click.option("--after", metavar="ID", help="Go on behind this id; in a sorted list, behind where it ended.")
def list_(
    kind: str,
    where: tuple[str, ...],
    limit: int,
    after: str | None,
    columns: str | None,
    sort: str | None,
    **narrowed: str | None,
) -> None:
    """List records by id or sorted by a column, with where they are on each axis."""
    running = session()
    client = running.client()
    states, chosen = states_of(where), columns.split(",") if columns else []
    axes = {axis["name"]: axis["scopes"] for axis in client.machines(kind)[0]["axes"]}
    page = client.list(
        kind,
        where=states,
        scope=narrowed["scope"],
        error=narrowed["error"],
        older=narrowed["older"],
        younger=narrowed["younger"],
        text=narrowed["text"],
        limit=limit,
        after=after,
        columns=chosen,
        sort=sort,
    )
    every = list(dict.fromkeys([*columns_of(axes), *chosen]))
    show_rows(
        running.output,
        [flat(asdict(record)) for record in page.records],
        every,
        empty=f"no records of {kind} here",
        shown=[name for name in every if not name.endswith(".version")],
    )
    if page.next is not None:
        note(f"there are more: --after {page.next}")


@record.verb("show", "interlock record show orders 42", "interlock record show orders 42 -o json")
@click.argument("kind")
@click.argument("id")
def show(kind: str, id: str) -> None:
    """Show a record's row and its whole history."""
    running = session()
    client = running.client()
    record, moves = None, []
    with suppress(UnknownRecord):  # it is gone; its history may remain
        record = client.get(kind, id)
    try:
        moves = client.ledger.history(kind, id)
    except UnknownRecord:  # it is not adopted yet
        if record is None:
            raise
    history = [history_row(move) for move in moves]
    row = None if record is None else record.row
    show_answer(
        running.output,
        {"kind": kind, "id": record.id if record else moves[0].id, "record": row, "history": history},
        [click.style(one_line(f"{kind} {id}"), bold=True), *record_lines(row, history)],
        history,
        HISTORY,
    )


@record.verb("why", "interlock record why orders 42", "interlock record why orders 42 -o json")
@click.argument("kind")
@click.argument("id")
def why(kind: str, id: str) -> None:
    """Explain a record: why it is here, what it waits for, what may happen next and why not the rest."""
    running = session()
    found = running.client().explain(kind, id)
    nexts = [
        {
            "axis": one.axis,
            "scope": one.scope,
            "to": one.to,
            "allowed": one.allowed,
            "code": one.code,
            "reason": one.reason,
        }
        for one in found.next
    ]
    show_answer(
        running.output,
        found.as_dict(),
        explained(found, running.clock.now()),
        nexts,
        ("axis", "scope", "to", "allowed", "code", "reason"),
    )


@record.verb(
    "verdicts",
    "interlock record verdicts articles 42",
    "interlock record verdicts articles 42 --version 3 -o json",
)
@click.argument("kind")
@click.argument("id")
@click.option("--version", type=click.IntRange(0), help="Only verdicts on this version of the record.")
@click.option("--scope", metavar="SCOPE", help="On a scoped axis: only this scope.")
def verdicts(kind: str, id: str, version: int | None, scope: str | None) -> None:
    """List what gates answered about a record, oldest first; the newest answer about a version holds."""
    running = session()
    rows = [one.as_dict() for one in running.client().verdicts(kind, id, version, scope=scope)]
    show_rows(
        running.output, rows, VERDICT, empty=f"no gate has run on {kind} {id}", blank=("scope", "reason")
    )


@record.verb("follow", "interlock record follow orders 42", "interlock record follow orders 42 -o jsonl")
@click.argument("kind")
@click.argument("id")
@click.option(
    "--until",
    metavar="STATE",
    multiple=True,
    help="End as soon as an axis is in this state; else when nothing can move it any more.",
)
def follow(kind: str, id: str, until: tuple[str, ...]) -> None:
    """Print the record's history and go on as it moves, until it can move no more or Ctrl-C."""
    running = session()
    if running.output == "json":
        raise click.UsageError("A JSON document has an end; with follow say -o jsonl.")
    client = running.client()
    final = finals(client, kind)
    stream = Stream(
        running.output, HISTORY, [name for name in HISTORY if name not in ("scope", "role", "facts")]
    )
    seen: set[tuple[Any, ...]] = set()
    last: dict[tuple[str, str | None], Any] = {}
    for moves in client.follow(kind, id):
        stream.show(
            [history_row(move) for move in moves if (move.axis, move.scope, move.version) not in seen]
        )
        seen |= {(move.axis, move.scope, move.version) for move in moves}
        last |= {(move.axis, move.scope): move.new for move in moves}
        if all((axis, state) in final for (axis, _), state in last.items()) or set(until) & set(
            map(str, last.values())
        ):
            return


def finals(client: Client, kind: str) -> set[tuple[str, Any]]:
    """Axes with the states that nothing moves on."""
    axes = client.machines(kind)[0]["axes"]
    return {(axis["name"], one["state"]) for axis in axes for one in axis["states"] if one["final"]}


def record_lines(row: dict[str, Any] | None, history: list[dict[str, Any]]) -> list[str]:
    """The row and its history as lines of text; empty columns are left out."""
    moves = [{**move, "because": move["reason"] or move["trigger"]} for move in history]
    always = ("timestamp", "version", "from", "to", "actor")
    shown = [name for name in READ if name in always or any(move[name] for move in moves)]
    blank = [
        {name: value if value or name in always else "" for name, value in move.items()} for move in moves
    ]
    if row is None:
        lines = ["  The record is gone; its history remains."]
    else:
        lines = table(
            [{"column": name, "value": readable(value)} for name, value in row.items()],
            ("column", "value"),
            indent="  ",
            headed=False,
        )
    return [*lines, "", click.style("history", bold=True), *table(blank, shown, indent="  ")]


def readable(value: Any) -> Any:
    """A value for people; an instant without its T and Z."""
    return parse_instant(value) if isinstance(value, str) and INSTANT.fullmatch(value) else value


def states_of(where: Sequence[str]) -> dict[str, list[str | None]]:
    """States by axis, from `axis=state` as it is typed."""
    states: dict[str, list[str | None]] = {}
    for one in where:
        axis, text = assignment(one, "axis=state")
        states.setdefault(axis, []).append(state(text))
    return states


def history_row(move: Move) -> dict[str, Any]:
    return {
        **move.history(),
        "axis": move.axis,
        "scope": move.scope,
        "version": move.version,
        "role": move.role,
        "facts": dict(move.facts),
    }
