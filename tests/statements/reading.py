"""Reads a made-up statement as the workflow does: parsed, then each row's day and amount by the normalizer's own readers."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from interlock.workflows.statements.normalize.amounts import read_amount
from interlock.workflows.statements.normalize.dates import DateReader
from interlock.workflows.statements.parsed import ObservedRow, Parsed
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import Parsers, bundled_parsers

TODAY = date(2030, 1, 1)


def read(
    text: str | bytes,
    source_type: str = "auto",
    name: str = "statement.csv",
    parsers: Parsers | None = None,
) -> Parsed:
    content = text if isinstance(text, bytes) else text.encode()
    return (parsers or bundled_parsers()).parse(Document(name, content), source_type)


def money(row: ObservedRow) -> Decimal:
    """What the canonical amount will be: money in is positive."""
    return read_amount(row.amount, row.decimal_separator or ".").towards_us(row.sign)


def day(row: ObservedRow) -> str:
    return DateReader(("auto",), today=TODAY, hint=row.date_format).read(row.date).day.isoformat()


def rows(parsed: Parsed) -> list[tuple[str, str, str]]:
    """Day, description and money of every row."""
    return [(day(row), row.description, f"{money(row)}") for row in parsed.rows]


def said(parsed: Parsed) -> str:
    return "\n".join(remark.message for remark in parsed.warnings)


def agrees(parsed: Parsed) -> list[bool]:
    return [balance.agrees for balance in parsed.balances]
