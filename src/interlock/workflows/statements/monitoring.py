"""Metrics, service levels and checks of stored rows that the workflow adds to those of the engine."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, Table, Text, and_, case, cast, func, or_, select

from interlock import Invariant, Workflow
from interlock.extension import Figure

from .normalize.judging import FLAGS
from .tables import observations, transactions, uploads

DUPLICATE = FLAGS[0]
PARSE_LEVEL = {"leave": "parsing", "within": "60s", "share": 99, "over": "30d"}


def figures(tx: Connection, workflow: Workflow) -> list[Figure]:
    """Counted from the rows, so they hold for what is stored now; a re-run replaces the rows of its upload, and so its share in these."""
    return [ended(tx, workflow.name), *parses(tx, workflow.name), *made(tx, workflow.name)]


def ended(tx: Connection, kind: str) -> Figure:
    """Where uploads are and which error they carry: what parses and normalizations came to, by code."""
    figure = Figure(
        "interlock_statements_uploads",
        "Uploads by status, and by the code of their error.",
        ("kind", "status", "code"),
    )
    status, code = uploads.c.status, func.coalesce(uploads.c.error_code, "")
    for one, error, count in tx.execute(select(status, code, func.count()).group_by(status, code)):
        figure.add(count, kind, str(one), error if one == "error" else "")
    return figure


def parses(tx: Connection, kind: str) -> list[Figure]:
    number = Figure(
        "interlock_statements_parses",
        "Uploads that a parser has read, by the parser that read them.",
        ("kind", "parser"),
    )
    rows = Figure("interlock_statements_rows", "The rows that it found in them.", ("kind", "parser"))
    asked = (
        select(uploads.c.parser_id, func.count(), func.sum(uploads.c.observations_count))
        .where(uploads.c.parser_id.is_not(None))
        .group_by(uploads.c.parser_id)
    )
    for parser, count, found in tx.execute(asked):
        number.put(count, kind, parser)
        rows.put(int(found or 0), kind, parser)
    return [number, rows]


def made(tx: Connection, kind: str) -> list[Figure]:
    every = Figure("interlock_statements_transactions", "Transactions made of the rows.", ("kind",))
    twice = Figure("interlock_statements_duplicate_transactions", "Those that may be there twice.", ("kind",))
    sorted_ = Figure("interlock_statements_categorized_transactions", "Those with a category.", ("kind",))
    flagged = cast(transactions.c.flags, Text).contains(f'"{DUPLICATE}"', autoescape=True)
    row = tx.execute(select(func.count(), number_of(flagged), number_of(transactions.c.category != ""))).one()
    for figure, count in zip((every, twice, sorted_), row, strict=True):
        figure.put(int(count or 0), kind)
    return [every, twice, sorted_]


def number_of(condition: Any) -> Any:
    return func.sum(case((condition, 1), else_=0))


def invariants() -> list[Invariant]:
    """Asked once the workflow has its tables: the engine has added `status` to uploads by then. While a stage runs, its rows may be saved
    and its report not yet applied, so that the counts follow."""
    parsed = uploads.c.status.not_in(["queued_for_parse", "parsing"])
    normalized = uploads.c.status.not_in(["queued_for_parse", "parsing", "normalizing"])
    return [
        Invariant(
            "I8",
            "observations_count equals the observations of the upload",
            _miscounted(uploads.c.observations_count, observations).where(parsed),
        ),
        Invariant(
            "I8",
            "canonicals_count equals the transactions of the upload",
            _miscounted(uploads.c.canonicals_count, transactions).where(normalized),
        ),
        Invariant("I8", "the observations of an upload are those of one attempt", _mixed(observations)),
        Invariant("I8", "the transactions of an upload are those of one attempt", _mixed(transactions)),
    ]


def _miscounted(count: Any, rows: Table) -> Select[Any]:
    """Uploads whose count is not the number of their rows."""
    number = (
        select(func.count())
        .select_from(rows)
        .where(rows.c.upload_id == uploads.c.upload_id)
        .correlate(uploads)
        .scalar_subquery()
    )
    return select(uploads.c.upload_id).where(
        or_(and_(count.is_not(None), count != number), and_(count.is_(None), number > 0))
    )


def _mixed(rows: Table) -> Select[Any]:
    """Uploads with rows of more than one attempt."""
    return (
        select(rows.c.upload_id).group_by(rows.c.upload_id).having(func.count(rows.c.attempt.distinct()) > 1)
    )
