"""Verifies history: every chain from its first entry to its last, each entry judged by the machine it names, each row by its tail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, select

from ..engines import sql_of
from ..finding import Finding, Report
from ..guarded import CLOSING
from ..ledger.streaming import batches
from ..records.known_machines import Known, known_machines
from ..tables import ledger
from . import fast_verify
from .chains import Walk, detail_holds
from .rows import verify_rows

__all__ = ["Finding", "Report", "Share", "verify_chains", "verify_rows"]

_ORDER = "ORDER BY l.record_id, l.kind, l.axis, l.scope, l.version"
_ENTRIES = """SELECT l.kind, l.axis, l.scope, l.from_state, l.to_state, l.actor, l.role, l.cause, l.origin, l.machine,
l.record_id, l.version, {at}, l.token, l.detail, l.hash, d.salt, d.reason, d.facts
FROM interlock_ledger l LEFT JOIN interlock_detail d ON d.digest = l.detail
WHERE {where} {order}"""
_SKIMMED = "SELECT {shape}, l.record_id, l.version, {at}, l.token, l.detail, l.hash FROM interlock_ledger l WHERE {where} {order}"


@dataclass(frozen=True, slots=True)
class Share:
    """Which part of the ledger: of one kind, of one record, of the records behind one id up to another; or all of it."""

    kind: str | None = None
    record_id: str | None = None
    after: str | None = None
    through: str | None = None

    def parted(self, borders: Sequence[str]) -> list[Share]:
        """The same in parts, in their order: the records up to each border, and those behind the last one."""
        return [
            replace(self, after=after, through=through)
            for after, through in zip((None, *borders), (*borders, None), strict=True)
        ]

    def where(self) -> tuple[str, dict[str, str]]:
        """The part as SQL, and its values."""
        named = {
            "l.kind = :kind": ("kind", self.kind),
            "l.record_id = :id": ("id", self.record_id),
            "l.record_id > :after": ("after", self.after),
            "l.record_id <= :through": ("through", self.through),
        }
        wanted = {condition: (name, value) for condition, (name, value) in named.items() if value is not None}
        return " AND ".join(wanted) or "true", dict(wanted.values())


def verify_chains(tx: Connection, share: Share | None = None) -> Report:
    """Walk every chain of a share; memory stays flat however long the ledger is."""
    wanted = share or Share()
    machines, found = known_machines(tx)
    findings = found if (wanted.record_id, wanted.after) == (None, None) else []  # machines are told once
    quick = skimmed(tx, wanted, machines)
    if quick is not None:
        return Report(*quick, findings)
    walk = Walk(machines, erased(tx, wanted), findings)
    for rows in chain_rows(tx, wanted):
        walk.take(rows)
    return Report(walk.entries, walk.records, walk.findings)


def chain_rows(tx: Connection, share: Share) -> Iterator[list[tuple[Any, ...]]]:
    """Entries with their detail, chain by chain, in the columns that `chains` names."""
    where, values = share.where()
    return batches(
        tx, _ENTRIES.format(at=sql_of(tx.dialect).history.instant("l"), where=where, order=_ORDER), values
    )


def skimmed(tx: Connection, share: Share, known: Known) -> tuple[int, int] | None:
    """How many entries and chains there are, if the quick walk finds all in order; None where somebody must look closer."""
    where, values = share.where()
    sql = _SKIMMED.format(
        shape=sql_of(tx.dialect).history.shape,
        at=sql_of(tx.dialect).history.instant("l"),
        where=where,
        order=_ORDER,
    )
    try:
        return fast_verify.skim(
            batches(tx, sql, values), known, partial(_details, tx), lambda ids: erased(tx, share, ids)
        )
    except (
        fast_verify.Doubt,
        TypeError,
        AttributeError,
        ValueError,
    ):  # SQLite keeps whatever somebody puts into a column
        return None
    except Exception as error:
        if "JSON cannot hold BLOB" not in str(error):
            raise
        return None


def _details(tx: Connection, digests: list[bytes]) -> dict[bytes, bool]:
    return {
        digest: detail_holds(digest, salt, reason, facts)
        for digest, salt, reason, facts in sql_of(tx.dialect).history.read_details(tx, digests)
    }


def erased(tx: Connection, share: Share, ids: set[str] | None = None) -> set[tuple[str, str]]:
    """Records whose personal detail was erased: its absence is no finding."""
    asked = select(ledger.c.kind, ledger.c.record_id).where(
        ledger.c.origin.in_(CLOSING), ledger.c.origin == "erase"
    )
    for column, value in ((ledger.c.kind, share.kind), (ledger.c.record_id, share.record_id)):
        asked = asked if value is None else asked.where(column == value)
    asked = asked if ids is None else asked.where(ledger.c.record_id.in_(ids))
    return {(row.kind, row.record_id) for row in tx.execute(asked)}
