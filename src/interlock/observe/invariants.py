"""Checks a live database for inconsistencies: legal gapless history (I1), rows equal to their tails (I2), whole chains (I9), and work
that is applied once and never left alone (I3 to I7, I10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain, islice

from sqlalchemy import Connection

from ..clock import Clock
from ..store.adoption.adoptions import is_mirrored, moved_records
from ..store.adoption.legacy import legacy_detail
from ..store.connect import Database
from ..store.database_clock import difference, in_words, is_injected, says_injected
from ..store.files.examine import count_left_behind, describe_rights, find_damage
from ..store.files.file_store import FileStore
from ..store.finding import Repair
from ..store.ledger.seals import seals
from ..store.ledger.seals.seal import Seal
from ..store.migrations.inspection import differences
from ..store.placement import Placement
from ..store.records import counters
from ..store.records.mirrors import Difference
from ..store.records.mirrors import differences as mirror_differences
from ..store.records.plans import open_plans
from ..store.verify import parallel, verify
from ..store.verify import replay as replaying
from ..store.verify import work as verify_work
from ..store.verify.instants import verify_instants
from ..store.verify.replay_facts import replay_facts
from ..store.verify.rows import answers, questions
from ..store.verify.seals import contents, judged
from ..store.verify.verify import Finding, Report
from ..workflow import Workflow
from ..workflow.columns.instant import instant_text
from .metrics import Level, levels_of, missed_levels

SHOWN = 1000
"""At most so many records that break one declared invariant are reported."""
MIRROR = "mirror"
HELD_BACK_LONG = timedelta(minutes=10)
"""The name of the invariant that mirrored columns agree with their states."""


def check(
    database: Database,
    workflows: Sequence[Workflow],
    kind: str | None = None,
    record_id: str | None = None,
    *,
    trusted: Sequence[Seal] = (),
    processes: int = 1,
    progress: parallel.Told | None = None,
    now: datetime | None = None,
) -> Report:
    """Everything with its seals, one kind, or one record; a seal is about all kinds at once. A long ledger is parted over processes.
    With `now`, the caller's clock, also compare instants with the order of commits."""
    whole, shared = (
        verify.Share(kind, record_id),
        processes > 1 and record_id is None and parallel.can_share(database),
    )
    with database.read() as tx:
        every = list(seals.every(tx)) if kind is None or trusted else []
        borders = parallel.borders(tx, processes * parallel.SHARES) if shared else []
    places = [
        Placement(workflow, axis, database.dialect)
        for workflow in workflows
        for axis in workflow.axes.values()
        if kind in (None, workflow.name)
    ]
    rows: list[parallel.Job] = [(answers, asked) for place in places for asked in questions(place, record_id)]
    chains: list[parallel.Job] = [(verify.verify_chains, (share,)) for share in whole.parted(borders)]
    jobs = [*rows, *chains, *((contents, (one,)) for one in every)]
    done = list(parallel.answers(database, jobs, processes if borders else 1, progress))
    walked: list[Report] = done[len(rows) : len(rows) + len(chains)]
    findings = [finding for one in walked for finding in one.findings] + [
        finding for one in done[: len(rows)] for finding in one
    ]
    with database.read() as tx:
        findings += judged(tx, every, done[len(rows) + len(chains) :], trusted)
        findings += [] if now is None else verify_instants(tx, whole, now)
    return Report(
        sum(one.entries for one in walked), sum(one.records for one in walked), findings, len(every)
    )


def check_work(
    database: Database, clock: Clock, workflows: Sequence[Workflow], kind: str | None = None
) -> list[Finding]:
    """What is under way, of all kinds or of one: attempts, leases, deadlines, reports, commands."""
    return verify_work.verify_work(database, clock, workflows, kind)


def check_declared(
    database: Database, workflows: Sequence[Workflow], kind: str | None = None
) -> tuple[list[Finding], list[str]]:
    """What breaks the invariants that workflows declare of their own tables: findings, and notes for those that only warn."""
    findings: list[Finding] = []
    notes: list[str] = []
    with database.read() as tx:
        for workflow in workflows:
            for one in workflow.extension.invariants if kind in (None, workflow.name) else ():
                ids = [str(row[0]) for row in tx.execute(one.offending.limit(SHOWN))]
                if one.severity == "error":
                    findings += [
                        Finding(one.id, workflow.name, id, "", "", None, f"broken: {one.statement}")
                        for id in ids
                    ]
                elif ids:
                    more = " and more" if len(ids) == SHOWN else ""
                    notes.append(
                        f"{one.id}: {one.statement}; not so for {workflow.name} {', '.join(ids[:5])}{more}"
                    )
    return findings, notes


def check_all(
    database: Database,
    clock: Clock,
    workflows: Sequence[Workflow],
    kind: str | None = None,
    record: str | None = None,
    levels: Sequence[Level] | None = None,
) -> Report:
    """Every invariant of all kinds, of one kind, or of one record of it; notes name what waits for a person."""
    report = check(database, workflows, kind, record, now=clock.now())
    if record is None:
        report.findings += check_work(database, clock, workflows, kind)
        broken, report.notes = check_declared(database, workflows, kind)
        report.findings += [*broken, *check_mirrors(database, workflows, kind)]
        report.notes += resting(database, clock, workflows, kind)
        report.notes += check_plans(database, kind)
        report.notes += check_reasons(database, workflows) if kind is None else []
        report.notes += check_logins(database, kind)
        chosen = levels_of(workflows, {}) if levels is None else levels
        wanted = [one for one in chosen if kind in (None, one.kind)]
        report.notes += missed_levels(database, clock, {one.name: one for one in workflows}, wanted)
        report.notes += unserved(database, clock, workflows, kind)
        report.notes += [*clocks_apart(clock), *clocks_injected(database, clock), *held_back(database, clock)]
    if kind is None:
        report.findings += check_guards(database, workflows)
    return report


def check_files(files: FileStore, now: datetime) -> tuple[list[Finding], list[str]]:
    """Stored files that are not what was stored, and notes about the folder: who else has rights on it, and what was left behind. Every
    file of a folder of this machine is read."""
    findings = [
        Finding("files", "stored file", name, "", "", None, problem) for name, problem in find_damage(files)
    ]
    rights, left = describe_rights(files), count_left_behind(files, now)
    notes = [] if rights is None else [f"files: {rights}"]
    return findings, notes + (
        [f"files: {left:,} unfinished uploads were left behind; the next upload removes them"] if left else []
    )


def check_mirrors(
    database: Database, workflows: Sequence[Workflow], kind: str | None = None
) -> list[Finding]:
    """Records whose mirrored columns are not what the mirror's own function makes of their state rows. While an axis is being adopted,
    flags are compared in the phases in which they follow the states, and of records that Interlock has moved."""
    findings: list[Finding] = []
    with database.read() as tx:
        for workflow in workflows:
            for mirror in workflow.mirrors if kind in (None, workflow.name) else ():
                place = Placement(workflow, workflow.axes[mirror.axis], database.dialect)
                if not is_mirrored(tx, workflow, place.axis):
                    continue
                slices = (_of_moved(tx, place, some) for some in mirror_differences(tx, workflow, mirror))
                for one in islice(chain.from_iterable(slices), SHOWN):
                    wrong = [
                        f"{name} is {one.has[name]!r} and should be {value!r}"
                        for name, value in one.should.items()
                        if one.has[name] != value
                    ]
                    message = f"mirror {mirror.name}: {'; '.join(wrong)}"
                    name = str(place.key_bind(one.id))
                    findings.append(Finding(MIRROR, workflow.name, name, mirror.axis, "", None, message))
    return findings


def plan_repairs(findings: Iterable[Finding], workflows: Sequence[Workflow]) -> list[Repair]:
    """Return the commands that mend what a check found, each once. Findings that no command mends safely are left to a person."""
    commands = {
        (workflow.name, one.id): one.repair
        for workflow in workflows
        for one in workflow.extension.invariants
        if one.repair
    }
    commands |= {
        (workflow.name, MIRROR): f"interlock mirror repair {workflow.name}"
        for workflow in workflows
        if workflow.mirrors
    }
    mended: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        if command := commands.get((finding.kind, finding.invariant)):
            mended.setdefault((command, finding.kind), []).append(finding)
    return [
        Repair(command, kind, sorted({one.invariant for one in some}), len({one.id for one in some}))
        for (command, kind), some in mended.items()
    ]


def _of_moved(tx: Connection, place: Placement, different: list[Difference]) -> list[Difference]:
    """Those of records that Interlock has moved, where the axis is adopted; else all."""
    if place.axis.adopt is None:
        return different
    moved = moved_records(tx, place, [one.id for one in different])
    return [one for one in different if one.id in moved]


def resting(
    database: Database, clock: Clock, workflows: Sequence[Workflow], kind: str | None = None
) -> list[str]:
    """Records that rest with an error in the running state of a stage that has no failed state: only a retry gets them out."""
    chosen = [workflow for workflow in workflows if kind in (None, workflow.name)]
    return [
        f"{one.number:,} of {one.kind} rest in {one.state} with an error: stage {one.stage} has no failed state, and only a retry gets "
        "them out"
        for one in verify_work.resting(database, clock, chosen)
    ]


def check_guards(database: Database, workflows: Sequence[Workflow]) -> list[Finding]:
    """Guards that were removed, switched off or altered, and whatever else was hung on Interlock's own tables."""
    return [
        Finding("guards", one["what"], "*", "", "", None, one["problem"])
        for one in differences(database, workflows, intruders=True)
    ]


def check_plans(database: Database, kind: str | None = None) -> list[str]:
    """Plans that are still open: until somebody closes them, the database accepts moves that no machine has."""
    with database.read() as tx:
        return open_plans(tx, kind)


def check_reasons(database: Database, workflows: Sequence[Workflow]) -> list[str]:
    """Reasons and facts that no entry names: nobody reads them, and Interlock keeps none."""
    shared = {
        legacy_detail(Placement(workflow, axis, database.dialect)).digest
        for workflow in workflows
        for axis in workflow.axes.values()
        if axis.adopt is not None
    }
    with database.read() as tx:
        found = tx.exec_driver_sql(
            "SELECT digest FROM interlock_detail EXCEPT SELECT detail FROM interlock_ledger"
        )
        unnamed = sorted({bytes(row[0]) for row in found} - shared)
    return (
        [f"reasons that no entry names: {len(unnamed):,}, one of them {unnamed[0].hex()}"] if unnamed else []
    )


def check_logins(database: Database, kind: str | None = None) -> list[str]:
    """Logins of the database's owner that did what is a coordinator's to do, where a database has roles."""
    if database.sql.roles is None:
        return []
    with database.read() as tx:
        return database.sql.roles.acts_of_owners(tx, kind)


def unserved(
    database: Database, clock: Clock, workflows: Sequence[Workflow], kind: str | None = None
) -> list[str]:
    """Stages that have had something to do for a while and that no living runner serves, as notes."""
    chosen = [workflow for workflow in workflows if kind in (None, workflow.name)]
    return [
        f"{one.number:,} of {one.kind} wait for stage {one.stage}, and no runner serves it"
        for one in verify_work.unserved(database, clock, chosen)
    ]


def clocks_apart(clock: Clock) -> list[str]:
    """Whether the clock of this machine differs from the database's by more than a few seconds, as a note."""
    ahead = difference(clock)
    return [] if ahead is None else [f"the clock of this machine is {in_words(ahead)} the database's"]


def clocks_injected(database: Database, clock: Clock) -> list[str]:
    """Whether the database was told that clocks are injected, although this app has the machine's own, as a note."""
    if not database.sql.has_clock or is_injected(clock) or not says_injected(database):
        return []
    return [
        "clocks are said to be injected, so guards hold no instant against the server's; `interlock db upgrade` as the owner takes it back"
    ]


def held_back(database: Database, clock: Clock) -> list[str]:
    """Whether a transaction that stays open keeps entries out of seals and of the tail for long, as a note. Whoever may log in can keep
    one open, also with no right to write anything."""
    with database.read() as tx:
        since = database.sql.history.held_back_since(tx)
    if since is None or clock.now() - since < HELD_BACK_LONG:
        return []
    return [
        f"entries since {instant_text(since)} are in no seal and on no tail: a transaction that began before them is still open on this "
        "server, the oldest with a backend_xid in pg_stat_activity"
    ]


def replay(database: Database, workflows: Sequence[Workflow]) -> list[Finding]:
    """Every row computed anew from the ledger alone, and compared."""
    with database.read() as tx:
        return [
            finding
            for workflow in workflows
            for axis in workflow.axes.values()
            for finding in (
                *replaying.replay(tx, Placement(workflow, axis, database.dialect)),
                *replay_facts(tx, workflow, axis),
            )
        ]


def check_counters(database: Database, workflows: Sequence[Workflow]) -> list[Finding]:
    """Counters equal a recount, in one snapshot."""
    found: list[Finding] = []
    with database.read() as tx:
        kept = {(row.kind, row.axis, row.scope, row.state): int(row.n) for row in counters.counts(tx)}
        for workflow in workflows:
            for axis in workflow.axes.values():
                place = Placement(workflow, axis, database.dialect)
                real = counters.recount(
                    tx, place.table_sql, place.status_sql, place.scope_sql, place.version_sql
                )
                mine = {
                    key[2:]: number for key, number in kept.items() if key[:2] == (workflow.name, axis.name)
                }
                found += [
                    Finding(
                        "counters",
                        workflow.name,
                        "*",
                        axis.name,
                        scope,
                        None,
                        f"{state or 'null'}: counted {mine.get((scope, state), 0)}, there are {real.get((scope, state), 0)}",
                    )
                    for scope, state in {*mine, *real}
                    if mine.get((scope, state), 0) != real.get((scope, state), 0)
                ]
    return found
