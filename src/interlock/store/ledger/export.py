"""Writes history as lines of JSON that anybody can keep and check: machines, seals, entries in commit order, verdicts, and an end.

It streams: memory stays flat however long the ledger is. The format is decision 0013.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from ...workflow.columns.instant import instant_text
from ..engines import sql_of
from ..tables import machine
from .seals import seals
from .seals.seal import VERDICT_LEAF, Seal
from .streaming import batches

FORMAT = "ledger 1"
_COLUMNS = (
    "actor",
    "at",
    "axis",
    "cause",
    "detail",
    "from_state",
    "record_id",
    "kind",
    "machine",
    "origin",
    "role",
    "scope",
    "to_state",
    "token",
    "version",
)
_NAMES = (
    "actor",
    "at",
    "axis",
    "cause",
    "detail",
    "from",
    "id",
    "kind",
    "machine",
    "origin",
    "role",
    "scope",
    "to",
    "token",
    "version",
)


def _odd(value: Any) -> Any:
    """Bytes as hex; whatever else somebody forced into a column, as the text that Python has for it: a verifier will see."""
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else repr(value)


line = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_odd).encode


def lines(
    tx: Connection,
    at: datetime,
    *,
    kind: str | None = None,
    after: Seal | None = None,
    through: Seal | None = None,
    detail: bool = True,
) -> Iterator[str]:
    """The export of one snapshot, line by line: all of it, one kind, or what stands behind one seal and not behind another."""
    counts = dict.fromkeys(("machine", "seal", "entry", "verdict"), 0)
    yield line(
        {
            "interlock": FORMAT,
            "at": instant_text(at),
            "database": sql_of(tx.dialect).name,
            "kind": kind,
            "detail": detail,
            "after_seal": 0 if after is None else after.number,
            "through_seal": None if through is None else through.number,
        }
    )
    for name, source in (
        ("machine", machines(tx, kind)),
        ("seal", _seals(tx, after, through)),
        (
            "entry",
            entries(
                tx, _between(tx, "interlock_ledger", kind, after, through), {"kind": kind}, detail=detail
            ),
        ),
        ("verdict", verdicts(tx, _between(tx, "interlock_verdict", kind, after, through), {"kind": kind})),
    ):
        for one in source:
            counts[name] += 1
            yield line(one)
    yield line({"end": counts})


def machines(tx: Connection, kind: str | None = None) -> Iterator[dict[str, Any]]:
    """Every machine version that entries may name."""
    asked = select(machine.c.kind, machine.c.axis, machine.c.fingerprint, machine.c.definition).order_by(
        *list(machine.c)[:3]
    )
    for row in tx.execute(asked if kind is None else asked.where(machine.c.kind == kind)):
        yield {
            "machine": {
                "kind": row.kind,
                "axis": row.axis,
                "fingerprint": row.fingerprint,
                "definition": json.loads(row.definition),
            }
        }


def _seals(tx: Connection, after: Seal | None, through: Seal | None) -> Iterator[dict[str, Any]]:
    for one in seals.every(tx, 0 if after is None else after.number):
        if through is None or one.number <= through.number:
            yield {"seal": one.row()}


def _between(tx: Connection, table: str, kind: str | None, after: Seal | None, through: Seal | None) -> str:
    wanted = [] if kind is None else [f"{table}.kind = :kind"]
    wanted += [] if after is None else [seals.behind(tx, table, after)]
    wanted += [] if through is None else [f"NOT {seals.behind(tx, table, through)}"]
    return " AND ".join(wanted) or "true"


def entries(
    tx: Connection, where: str, values: dict[str, Any], *, detail: bool = True
) -> Iterator[dict[str, Any]]:
    """Entries in commit order, with what was said, where it was not erased."""
    history, table = sql_of(tx.dialect).history, "interlock_ledger"
    special = {"at": history.instant(table)}
    columns = ", ".join(special.get(name, f"{table}.{name}") for name in _COLUMNS)
    columns += f", {table}.hash, {table}.position, {history.transaction(table)}, d.salt, d.reason, d.facts"
    sql = (
        f"SELECT {columns} FROM {table} "
        f"LEFT JOIN interlock_detail d ON d.digest = {table}.detail WHERE {where} ORDER BY {history.commit_order(table)}"
    )
    for rows in batches(tx, sql, values):
        for row in rows:
            *fields, hash_, position, transaction, salt, reason, facts = row
            said = {"facts": facts, "reason": reason, "salt": salt} if detail and salt is not None else None
            yield {
                "entry": dict(zip(_NAMES, fields, strict=True)),
                "hash": hash_,
                "position": position,
                "transaction": transaction,
                "said": said,
            }


def verdicts(tx: Connection, where: str, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Verdicts in commit order."""
    history, table = sql_of(tx.dialect).history, "interlock_verdict"
    special = {"at": history.instant(table), "transaction": history.transaction(table)}
    columns = ", ".join(special.get(name, f"{table}.{name}") for name in VERDICT_LEAF)
    named = ["id" if name == "record_id" else name for name in VERDICT_LEAF]
    for rows in batches(
        tx, f"SELECT {columns} FROM {table} WHERE {where} ORDER BY {history.commit_order(table)}", values
    ):
        for row in rows:
            yield {"verdict": dict(zip(named, row, strict=True))}
