"""Holds a live database against its invariants: legal gapless history (I1), rows equal to their tails (I2), whole chains (I9)."""

from __future__ import annotations

from collections.abc import Sequence

from ..store import counters, verify
from ..store import replay as replaying
from ..store.connect import Database
from ..store.placement import Placement
from ..store.seal import Seal
from ..store.verify import Finding, Report
from ..store.verify_seals import verify_seals
from ..workflow import Workflow


def check(database: Database, workflows: Sequence[Workflow], kind: str | None = None, record_id: str | None = None,
          *, trusted: Sequence[Seal] = ()) -> Report:
    """Everything with its seals, one kind, or one record; a seal is about all kinds at once."""
    with database.read() as tx:
        report = verify.verify_chains(tx, kind, record_id)
        for workflow in workflows:
            if kind is not None and workflow.name != kind:
                continue
            for axis in workflow.axes.values():
                place = Placement(workflow, axis, database.dialect)
                report.findings += verify.verify_rows(tx, place, record_id)
        if kind is None or trusted:
            report.seals, found = verify_seals(tx, trusted)
            report.findings += found
    return report


def replay(database: Database, workflows: Sequence[Workflow]) -> list[Finding]:
    """Every row computed anew from the ledger alone, and compared."""
    with database.read() as tx:
        return [finding for workflow in workflows for axis in workflow.axes.values()
                for finding in replaying.replay(tx, Placement(workflow, axis, database.dialect))]


def check_counters(database: Database, workflows: Sequence[Workflow]) -> list[Finding]:
    """Counters equal a recount, in one snapshot."""
    found: list[Finding] = []
    with database.read() as tx:
        kept = {(row.kind, row.axis, row.scope, row.state): int(row.n) for row in counters.counts(tx)}
        for workflow in workflows:
            for axis in workflow.axes.values():
                place = Placement(workflow, axis, database.dialect)
                real = counters.recount(tx, place.table_sql, place.status_sql, place.scope_sql, place.version_sql)
                mine = {key[2:]: number for key, number in kept.items() if key[:2] == (workflow.name, axis.name)}
                found += [Finding("counters", workflow.name, "*", axis.name, scope, None,
                                  f"{state or 'null'}: counted {mine.get((scope, state), 0)}, there are {real.get((scope, state), 0)}")
                          for scope, state in {*mine, *real} if mine.get((scope, state), 0) != real.get((scope, state), 0)]
    return found
