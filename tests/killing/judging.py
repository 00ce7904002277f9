"""The judgement at the end of a killed run: nothing lost, doubled, illegal or stuck, and every report is accounted for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select, text

from interlock import App
from interlock.errors import StoreError
from interlock.observe.invariants import check_counters, replay
from interlock.store.tables import ledger, verdict
from tests.killing.workload import ENDS, ROWS, STAGES, saved


@dataclass
class Judgement:
    """What was found wrong, by kind of wrong; empty is good."""

    lost: list[str] = field(default_factory=list)
    double: list[str] = field(default_factory=list)
    illegal: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    unrecorded: list[str] = field(default_factory=list)
    crashed: list[str] = field(default_factory=list)
    """Processes that ended although nobody ended them."""

    @property
    def faults(self) -> dict[str, list[str]]:
        return {name: found for name, found in vars(self).items() if found}


def rows_of(app: App, kind: str) -> dict[str, Mapping[str, Any]]:
    table = app.workflow(kind).records
    with app.database.read() as tx:
        return {str(row["id"]): dict(row) for row in tx.execute(select(table)).mappings()}


def open_work(app: App) -> list[dict[str, Any]]:
    with app.database.read() as tx:
        return [dict(row) for row in tx.execute(text("SELECT * FROM interlock_work")).mappings()]


def all_ended(app: App, expected: Mapping[str, Collection[str]]) -> bool:
    """Every record stands in an end state, and nobody works any more; who cannot be asked now has not ended yet."""
    try:
        for kind, ids in expected.items():
            found = rows_of(app, kind)
            if any(id not in found or found[id]["status"] not in ENDS[kind] for id in ids):
                return False
        return not open_work(app)
    except StoreError:
        return False


def judge(
    app: App,
    expected: Mapping[str, Collection[str]],
    reported: Sequence[tuple[str, str]] = (),
    poisoned: Collection[str] = (),
) -> Judgement:
    """Hold the database against what must be true of it, now that everything has come to rest."""
    found = Judgement()
    for kind, ids in expected.items():
        rows = rows_of(app, kind)
        found.lost += [f"{kind} {id} is gone" for id in ids if id not in rows]
        found.double += [f"{kind} {id} was never brought" for id in rows if id not in ids]
        judge_ends(found, kind, rows, poisoned)
        judge_domain_rows(found, app, kind, rows)
    found.stuck += [
        f"work row of {row['kind']} {row['record_id']} {row['stage']} attempt {row['attempt']}"
        for row in open_work(app)
    ]
    found.illegal += [str(finding) for finding in app.check().findings]
    workflows = list(app.workflows.values())
    found.illegal += [
        str(finding)
        for finding in (*replay(app.database, workflows), *check_counters(app.database, workflows))
    ]
    judge_tokens(found, app, reported)
    return found


def judge_ends(
    found: Judgement, kind: str, rows: Mapping[str, Mapping[str, Any]], poisoned: Collection[str]
) -> None:
    good, bad = ENDS[kind]
    for id, row in rows.items():
        wanted = bad if id in poisoned else good
        if row["status"] not in (good, bad):
            found.stuck.append(f"{kind} {id} is {row['status']}")
        elif row["status"] != wanted:
            found.lost.append(
                f"{kind} {id} ended {row['status']} instead of {wanted}: {row['error_code']} {row['error_message']}"
            )


def judge_domain_rows(found: Judgement, app: App, kind: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """I8: what was saved is what the accepted attempts saved, each once."""
    with app.database.read() as tx:
        kept = Counter((row.record_id, row.stage, row.attempt) for row in tx.execute(select(saved)))
    first, *more = STAGES[kind]
    wanted: Counter[tuple[str, str, int]] = Counter()
    for id, row in rows.items():
        if row["parsed_attempt"] is not None:
            wanted[(id, first, row["parsed_attempt"])] = ROWS
        for stage in more:  # an attempt's number only grows, so the last one is the accepted one
            if row["status"] == ENDS[kind][0]:
                wanted[(id, stage, row["attempt"])] = ROWS
    mine = Counter({key: count for key, count in kept.items() if key[1] in STAGES[kind]})
    found.lost += [
        f"{key}: {count} of {wanted[key]} rows are missing" for key, count in (wanted - mine).items()
    ]
    found.double += [f"{key}: {count} rows of no accepted attempt" for key, count in (mine - wanted).items()]


def judge_tokens(found: Judgement, app: App, reported: Sequence[tuple[str, str]]) -> None:
    """I3: a report is applied at most once. I7: what was reported was applied, or has its verdict."""
    with app.database.read() as tx:
        applied = Counter(tx.execute(select(ledger.c.token).where(ledger.c.token.is_not(None))).scalars())
        refused = set(tx.execute(select(verdict.c.reference).where(verdict.c.source == "report")).scalars())
    found.double += [
        f"token {token} was applied {count} times" for token, count in applied.items() if count > 1
    ]
    found.unrecorded += [
        f"the report of {id} with token {token} has neither an entry nor a verdict"
        for id, token in reported
        if token not in applied and token not in refused
    ]


def verdicts_of(app: App, id: str) -> list[tuple[str, str]]:
    """(verdict, code) of each report of a record that was not applied."""
    asked = (
        select(verdict)
        .where(verdict.c.record_id == id, verdict.c.source == "report")
        .order_by(verdict.c.position)
    )
    with app.database.read() as tx:
        return [(row.verdict, row.code) for row in tx.execute(asked)]


def saved_by(app: App, id: str) -> list[tuple[str, int, int]]:
    """(stage, attempt, process) of each row that was saved for a record."""
    asked = select(saved).where(saved.c.record_id == id).order_by(saved.c.id)
    with app.database.read() as tx:
        return [(row.stage, row.attempt, row.process) for row in tx.execute(asked)]
