"""The app: a team's workflows on one database. It admits, moves, retries, amends, erases, explains; statuses only through the authority."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from . import settings, tracing
from .adopt import Adoptions, with_adoptions
from .aio import AwaitableCalls
from .authority import Authority
from .authority.command import checked_reason, named, one_axis, origin_of
from .authority.gate_verdicts import keep_verdict
from .authority.hook_call import after_removal
from .authority.relocate import CHUNK, LineOutcome, Relocation, Tell
from .authority.spans import TracedAuthority
from .clock import Clock, SystemClock
from .coordinator import Coordinator
from .errors import BadInput
from .machine import Line, State
from .observe import invariants
from .observe.attempts import OpenAttempt, open_attempts
from .observe.declared import machine_versions as evolution
from .observe.declared.clashes import refuse_clashes
from .observe.declared.schedules import ScheduledRun, ScheduleState, schedule_states, scheduled_runs
from .observe.declared.stages import known_stage
from .observe.explain import Explanation, explain
from .observe.ledger import Ledger, aware
from .observe.metrics import Level
from .observe.records.listing import Filter, Page, age_of, grouped_errors, matching, page, page_of
from .observe.records.own_columns import refuse_page_size, sort_of, start_of
from .observe.records.patterns import Pattern, read_patterns
from .observe.records.reading import axis_of_scope, read_record
from .observe.verdicts import GateVerdict, read_verdicts
from .observe.working import Working, read_working
from .operations import Operations
from .runner.executors.tasks import Executor
from .runner.runner import Runner
from .store.connect import Database
from .store.database_clock import corrected, say_whose_clock
from .store.files.file_store import FileStore
from .store.files.private_files import make_folder
from .store.migrations.inspection import require, upgrade
from .store.placement import Placement, record_name
from .store.queue import coordinators, pauses, runners
from .store.queue.coordinators import RegisteredCoordinator
from .store.queue.pauses import Pause
from .store.queue.runners import Registered
from .store.records import counters
from .store.records.stranded import stranded
from .store.verify.verify import Report
from .store.work import children as intake
from .store.work.rows import WorkRows
from .transport import Transport, choose_transport
from .workflow import Answer, Workflow
from .workflow.checks import arguments
from .workflow.lookup import find_workflow

Row = Mapping[str, Any]
Kind = str | Workflow
ASGI = Callable[[Any, Any, Any], Awaitable[None]]


class App:
    """Everything a user calls. Sync; thread-safe; joins the caller's transaction where one is given."""

    local_clients: frozenset[str] = frozenset()
    """Client names that the HTTP service serves like its own machine, besides loopback addresses; only a Sandbox has any."""

    def __init__(
        self,
        workflows: Sequence[Workflow],
        *,
        database: str | Engine | None = None,
        files: str | None = None,
        transport: str | Transport | None = None,
        clock: Clock | None = None,
    ) -> None:
        arguments.refuse_parts_of_app(workflows, clock, files, database, transport)
        workflows = with_adoptions(workflows)
        self.workflows: dict[str, Workflow] = {workflow.name: workflow for workflow in workflows}
        arguments.refuse_declarations(workflows)
        refuse_clashes(workflows)
        for workflow in workflows:
            workflow.freeze()
        if database is None:
            chosen = settings.load({})
            if chosen.database is None:
                make_folder(Path(chosen.data))
            database = chosen.database_url
        self.database = Database(database)
        self.clock = corrected(clock or SystemClock(), self.database)
        self.files_location, self.transport_choice = files, transport
        self.transport = choose_transport(transport, self.database)
        self.authority = (TracedAuthority if tracing.installed() else Authority)(
            self.database, self.clock, self.transport
        )
        self.ledger = Ledger(self.database, self.workflows, self.clock)

    def migrate(self, *, contract: bool = False, force: bool = False) -> list[str]:
        """Create or change tables, columns and guards as these workflows need; idempotent, and safe when several processes do it."""
        self.database.check_version()
        done = upgrade(self.database, list(self.workflows.values()), contract=contract, force=force)
        say_whose_clock(self.database, self.clock)
        self.adoptions.begin()
        return done

    def ready(self) -> None:
        """Raise SchemaOutdated if the database lacks what these workflows need; only reads, so any database role may call it."""
        self.database.check_version()
        require(self.database, list(self.workflows.values()))

    @cached_property
    def files(self) -> FileStore:
        """Where uploads and logs are kept."""
        return FileStore(self.files_location or settings.load({}).files_location, clock=self.clock)

    @cached_property
    def operations(self) -> Operations:
        """Acts on many records at once: preview, create, run, pause, resume, undo."""
        return Operations(self.authority, self.workflows, matching, Filter)

    @cached_property
    def adoptions(self) -> Adoptions:
        """Tables that had rows before Interlock: scan, backfill, compare, follow and cutover of each axis that declares `adopt=…`."""
        return Adoptions(self.authority, self.workflows)

    @cached_property
    def aio(self) -> AsyncApp:
        """The same calls for `async` code, each in a thread: `await app.aio.move(…)`."""
        return AsyncApp(self)

    def workflow(self, kind: Kind) -> Workflow:
        """The workflow of this name; its noun and the name of its table are understood too."""
        return find_workflow(self.workflows, kind)

    def admit(
        self,
        kind: Kind,
        row: Row,
        *,
        actor: str = "app",
        reason: str | None = None,
        key: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Make one record; raises the error that `admit_many` would return."""
        answer = self.admit_many(kind, [row], actor=actor, reason=reason, key=key, tx=tx)[0]
        if answer.error is not None:
            raise answer.error
        return answer

    def admit_many(
        self,
        kind: Kind,
        rows: Iterable[Row],
        *,
        actor: str = "app",
        reason: str | None = None,
        key: str | None = None,
        tx: Any = None,
    ) -> list[Answer]:
        """Make many records; each answers `admitted`, `exists` with the id of the one that was there, or `refused`."""
        return self.authority.admit_many(
            self.workflow(kind), rows, actor=actor, reason=reason, key=key, tx=tx
        )

    def add_scopes(
        self,
        kind: Kind,
        pairs: Iterable[tuple[Any, str]],
        *,
        actor: str,
        reason: str | None = None,
        axis: str | None = None,
        tx: Any = None,
    ) -> int:
        """Make the state rows of (record id, scope) pairs that came to exist after their records, each in the initial state; how many
        were not there. The sweep makes them too, later. `axis` chooses where several axes have scopes."""
        workflow, wanted = self.workflow(kind), list(pairs)
        place = axis_of_scope(workflow, axis, wanted[0][1]) if wanted else None
        return self.authority.add_scopes(workflow, place, wanted, actor=actor, reason=reason, tx=tx)

    def move(
        self,
        kind: Kind,
        id: Any,
        *,
        actor: str,
        role: str | None = None,
        reason: str | None = None,
        version: int | None = None,
        scope: str | None = None,
        facts: Row | None = None,
        key: str | None = None,
        override: bool = False,
        tx: Any = None,
        **axis: State,
    ) -> Answer:
        """Move one record on one axis; raises the error that `move_many` would return.

        `override` moves an axis that is declared `moved_by="stages"`: it takes the role operator or admin and a reason, and its entry has
        the origin `operator` and the cause `command.override`.
        """
        workflow = self.workflow(kind)
        name, to = one_axis(workflow, axis)
        if reason is None and key is None and tx is None and not facts and not override:
            moved = self.authority.move_directly(workflow, id, name, to, version, actor, role, scope)
            if moved is not None:
                return moved
        return self.authority.move(
            workflow,
            id,
            name,
            to,
            version=version,
            actor=actor,
            role=role,
            reason=reason,
            scope=scope,
            facts=facts,
            key=key,
            tx=tx,
            origin=origin_of(override),
        )

    def move_many(
        self,
        kind: Kind,
        ids: Iterable[Any],
        *,
        actor: str,
        role: str | None = None,
        reason: str | None = None,
        scope: str | None = None,
        facts: Row | None = None,
        key: str | None = None,
        override: bool = False,
        tx: Any = None,
        **axis: State,
    ) -> list[Answer]:
        """Move many records, given as ids or (id, version); a row never raises, and one bad row never stops the others."""
        name, to = one_axis(self.workflow(kind), axis)
        return self.authority.move_many(
            self.workflow(kind),
            ids,
            name,
            to,
            actor=actor,
            role=role,
            reason=reason,
            scope=scope,
            facts=facts,
            key=key,
            tx=tx,
            origin=origin_of(override),
        )

    def retry(
        self,
        kind: Kind,
        id: Any,
        *,
        actor: str,
        reason: str,
        scope: str | None = None,
        role: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Send a failed record back to the state before the stage that failed."""
        return self.authority.retry(
            self.workflow(kind), id, actor=actor, reason=reason, scope=scope, role=role, tx=tx
        )

    def cancel(
        self,
        kind: Kind,
        id: Any,
        *,
        actor: str,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        axis: str | None = None,
        key: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """End the attempt that runs or waits; one that has already reported is finished first, and the answer is a conflict."""
        return self.authority.cancel(
            self.workflow(kind),
            id,
            actor=actor,
            reason=reason,
            role=role,
            scope=scope,
            axis=axis,
            key=key,
            tx=tx,
        )

    def amend(
        self,
        kind: Kind,
        id: Any,
        *,
        facts: Row,
        actor: str,
        reason: str,
        role: str | None = None,
        version: int | None = None,
        key: str | None = None,
        axis: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Change amendable columns without a move; the axis's version rises by one, so gates must pass again. Facts that are no columns
        are kept with the entry."""
        return self.authority.amend(
            self.workflow(kind),
            id,
            facts,
            actor=actor,
            reason=reason,
            role=role,
            version=version,
            key=key,
            axis=axis,
            tx=tx,
        )

    def erase(
        self,
        kind: Kind,
        id: Any,
        *,
        actor: str,
        role: str,
        reason: str,
        key: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Remove a record and its personal detail; its history closes with an entry and still verifies."""
        workflow = self.workflow(kind)
        answer = self.authority.erase(workflow, id, actor=actor, role=role, reason=reason, key=key, tx=tx)
        return answer if tx is not None else after_removal(self, workflow, answer)

    def delete(
        self,
        kind: Kind,
        id: Any,
        *,
        actor: str,
        role: str,
        reason: str,
        key: str | None = None,
        tx: Any = None,
    ) -> Answer:
        """Remove a record; all of its history stays, reasons and facts too, and closes with an entry."""
        workflow = self.workflow(kind)
        answer = self.authority.delete(workflow, id, actor=actor, role=role, reason=reason, key=key, tx=tx)
        return answer if tx is not None else after_removal(self, workflow, answer)

    def relocate(
        self,
        kind: Kind,
        plan: Sequence[Line],
        *,
        actor: str,
        role: str,
        axis: str | None = None,
        dry_run: bool = False,
        chunk: int = CHUNK,
        tell: Tell | None = None,
    ) -> list[LineOutcome]:
        """Move records out of states that their machine has lost, as the plan says; begun again it goes on where it was."""
        workflow = self.workflow(kind)
        chosen = evolution.axis_of(workflow, axis)
        with self.database.read() as tx:
            known = [version.machine for version in evolution.versions(tx, chosen)]
            lost = [] if chosen.adopt is None else [one.state for one in stranded(tx, chosen)]
        work = Relocation(
            self.authority,
            workflow,
            chosen,
            list(plan),
            known,
            actor=actor,
            role=role,
            lost=lost,
            chunk=chunk,
        )
        return work.preview() if dry_run else work.apply(tell)

    def get(
        self, kind: Kind, id: Any, *, scope: str | None = None, axis: str | None = None
    ) -> dict[str, Any]:
        """The record's own row. With `scope`, the columns of its state row in that scope are merged in: where both have a column of one
        name, the state row's is returned, except for the record's id. `axis` chooses where several axes have this scope."""
        workflow = self.workflow(kind)
        scoped = None if scope is None and axis is None else axis_of_scope(workflow, axis, scope)
        checked = Placement(workflow, next(iter(workflow.axes.values())), self.database.dialect).check_id(id)
        with self.database.read() as tx:
            return read_record(tx, workflow, checked, scoped, scope)

    def explain(self, kind: Kind, id: Any) -> Explanation:
        """Why is it here, what does it wait for, what may happen next, and why not the rest."""
        return explain(self.database, self.authority.mover, self.workflow(kind), id, self.clock)

    def verdicts(
        self, kind: Kind, id: Any, version: int | None = None, *, scope: str | None = None
    ) -> list[GateVerdict]:
        """What gates answered about a record, oldest first: on every version or on one, in every scope or in one."""
        workflow = self.workflow(kind)
        place = self.authority.mover.plans.place(workflow, next(iter(workflow.axes.values())))
        return read_verdicts(self.database, workflow, place, id, version=version, scope=scope)

    def judge_gate(
        self,
        kind: Kind,
        id: Any,
        gate: str,
        *,
        passed: bool,
        actor: str,
        reason: str | None = None,
        details: Any = None,
        duration_ms: int | None = None,
        scope: str | None = None,
    ) -> int:
        """Keep a gate's verdict for the record's current version; runners call this, tests may."""
        workflow = self.workflow(kind)
        arguments.refuse_unknown_gate(workflow, gate)
        return keep_verdict(
            self.authority,
            workflow,
            id,
            gate,
            scope=scope or "",
            passed=passed,
            actor=actor,
            reason=reason,
            details=details,
            duration_ms=duration_ms,
        )

    def counts(self, kind: Kind | None = None) -> dict[tuple[str, str, str | None, State], int]:
        """How many records are in each state, by (kind, axis, scope, state); exact at one instant."""
        name = None if kind is None else self.workflow(kind).name
        with self.database.read() as tx:
            return {
                (row.kind, row.axis, row.scope or None, row.state): int(row.n)
                for row in counters.counts(tx, name)
            }

    def arriving(self) -> int:
        """How many records that stages found are still to be admitted by a coordinator."""
        with self.database.read() as tx:
            return intake.count_records(tx)

    def errors(self, kind: Kind | None = None, *, limit: int = 100) -> list[dict[str, Any]]:
        """Records that carry an error now, grouped by code and message, the largest group first."""
        chosen = list(self.workflows.values()) if kind is None else [self.workflow(kind)]
        return grouped_errors(self.database, chosen, limit=limit)

    def attempts(self, kind: Kind, ids: Iterable[Any], *, tx: Any = None) -> list[OpenAttempt]:
        """The work that is under way on these records, and who has claimed it; with `tx`, in a transaction that reads."""
        workflow = self.workflow(kind)
        with nullcontext(tx) if tx is not None else self.database.read() as reading:
            return open_attempts(WorkRows(self.database, self.clock), reading, workflow, ids)

    def fold_counters(self) -> int:
        """Add counter deltas up; the sweep does this, and any process may."""
        with self.database.write() as tx:
            return counters.fold(self.database, tx)

    def check(
        self, kind: Kind | None = None, id: Any = None, *, levels: Sequence[Level] | None = None
    ) -> Report:
        """Check the database and the folder of stored files for inconsistencies; notes name what waits for a person, and service levels
        that are not kept, in each of their scopes. `levels` are those of the workflows unless there are others."""
        every = list(self.workflows.values())
        name = None if kind is None else self.workflow(kind).name
        record = (
            None
            if kind is None or id is None
            else record_name(self.workflow(kind), id, self.database.dialect)
        )
        report = invariants.check_all(self.database, self.clock, every, name, record, levels)
        if record is None:
            self.adoptions.add_to(report, name)
        if name is None:
            broken, notes = invariants.check_files(self.files, self.clock.now())
            report.findings += broken
            report.notes += notes
        return report

    def repair_mirrors(self, kind: Kind | None = None) -> int:
        """Compute the mirrored columns of records that differ anew, and write them; how many records had to be mended. Needed after SQL
        by hand, and once after a mirror was declared over records that were there already."""
        chosen = self.workflows.values() if kind is None else [self.workflow(kind)]
        return sum(
            self.authority.repair_mirror(workflow, one) for workflow in chosen for one in workflow.mirrors
        )

    def asgi(self, identify: Callable[[Any], Any] | None = None, **options: Any) -> ASGI:
        """The HTTP API as an ASGI application: `api.mount("/interlock", lock.asgi(who))`, where `who(request)` gives actor and role."""
        arguments.refuse_identify(identify)
        try:
            built: ASGI = import_module(f"{__package__}.service.application").build(
                self, identify, **options
            )  # the service imports the app
        except ModuleNotFoundError as error:
            raise BadInput(
                f"the HTTP service needs the package {error.name}", hint="pip install 'interlock[service]'"
            ) from error
        return built

    def patterns(self, kind: Kind, axis: str | None = None, *, limit: int = 100) -> list[Pattern]:
        """In which combinations of states the scopes of an axis are, the most frequent first."""
        return read_patterns(self.database, self.workflow(kind), axis, limit)

    def working(self, limit: int = 20) -> Working:
        """The attempts that runners hold, longest first, planned retries, and the newest refusals; at most `limit` of each."""
        return read_working(self.database, self.workflows, self.clock, limit)

    def coordinator(self, **options: Any) -> Coordinator:
        """A coordinator of this app; call its `step`, or run it in a `Loop`."""
        return Coordinator(
            self.authority, self.workflows, **{"transport": self.transport, "app": self, **options}
        )

    def runner(self, executor: Executor, **options: Any) -> Runner:
        """A runner of this app's stages with the executor; call its `step`, or run it in a `Loop`."""
        arguments.refuse_executor(executor)
        return Runner(
            self.database, self.clock, self.workflows, executor, **{"transport": self.transport, **options}
        )

    def pause(
        self,
        kind: Kind,
        stage: str,
        *,
        actor: str,
        reason: str,
        scope: str | None = None,
        until: datetime | None = None,
    ) -> None:
        """Dispatch no more of this stage, or run no more ticks of this schedule, until an instant or until it is resumed; what runs goes
        on."""
        workflow = self.workflow(kind)
        known_stage(workflow, stage, scope)
        named("actor", actor)
        if checked_reason(reason) is None:
            raise BadInput("a pause needs a reason", hint='Say why, others will ask: reason="…".')
        if until is not None:
            until = aware(until)
        with self.database.write() as tx:
            pauses.pause(
                WorkRows(self.database, self.clock),
                tx,
                workflow.name,
                stage,
                scope or "",
                until=until,
                reason=reason,
                actor=actor,
                at=self.clock.now(),
            )

    def resume(self, kind: Kind, stage: str, *, scope: str | None = None) -> int:
        """Dispatch the stage, or run the schedule, again; returns how many pauses ended."""
        workflow = self.workflow(kind)
        known_stage(workflow, stage, scope)
        with self.database.write() as tx:
            return pauses.resume(WorkRows(self.database, self.clock), tx, workflow.name, stage, scope)

    def schedules(self) -> list[ScheduleState]:
        """Every schedule: when it ran last, what came of it, when it runs next, and whether it is paused."""
        pauses, work = self.paused(), WorkRows(self.database, self.clock)
        with self.database.read() as tx:
            return schedule_states(work, tx, self.workflows.values(), pauses, self.clock.now())

    def schedule_runs(self, kind: Kind, schedule: str, limit: int = 20) -> list[ScheduledRun]:
        """The newest runs of a schedule, newest first; the last hundred are kept."""
        with self.database.read() as tx:
            return scheduled_runs(
                WorkRows(self.database, self.clock), tx, self.workflow(kind), schedule, limit
            )

    def paused(self) -> list[Pause]:
        """The stages that are not dispatched now."""
        with self.database.read() as tx:
            return pauses.paused(WorkRows(self.database, self.clock), tx)

    def runners(self) -> list[Registered]:
        """The runners that are alive."""
        with self.database.read() as tx:
            return runners.alive(WorkRows(self.database, self.clock), tx)

    def coordinators(self) -> list[RegisteredCoordinator]:
        """The coordinators that are alive."""
        with self.database.read() as tx:
            return coordinators.alive(WorkRows(self.database, self.clock), tx)

    def close(self) -> None:
        if "aio" in self.__dict__:
            self.aio.close()
        self.database.close()

    def list(
        self,
        kind: Kind,
        *,
        where: Mapping[str, Any] | None = None,
        columns: Sequence[str] = (),
        sort: str | None = None,
        after: Any = None,
        limit: int = 50,
        axis: str | None = None,
        scope: str | None = None,
        error: str | None = None,
        older: str | None = None,
        younger: str | None = None,
        text: str | None = None,
    ) -> Page:
        """Records with their place on every axis, a page at a time.

        `where` maps axes to states and columns of the record to values, one or several of which any may hold; null is one too. `columns`
        are columns of the record to be read with it. `sort` is a column, "-created_at" for the largest first; by id unless there is one.
        `after` is `next` of the page before. `error`, `older` and `younger` speak of `axis`, `text` of the record's id and texts. Private
        columns are in none of this.
        """
        workflow = self.workflow(kind)
        refuse_page_size(limit)
        states = self.operations.filter(where or {}).states
        order = None if sort is None else sort_of(workflow, sort)
        place = self.authority.mover.plans.place(workflow, next(iter(workflow.axes.values())))
        rows = page(
            self.database,
            workflow,
            Filter(states, axis, scope, error, age_of(older), age_of(younger), text),
            self.clock.now(),
            limit=limit + 1,
            after=None if after is None else start_of(place, order, after),
            columns=columns,
            sort=order,
        )
        return page_of(rows, limit)


class AsyncApp(AwaitableCalls):
    """The calls of an app as coroutines: each runs in one of a few threads of its own, so that an event loop never waits for a database.

    Cancelling the `await` does not cancel the call: it runs to its end. A call that shall join a transaction of an
    `AsyncSession` is made within it: `await session.run_sync(lambda tx: app.move(…, tx=tx))`.
    """

    def __init__(self, app: App, threads: int = 8) -> None:
        super().__init__(threads)
        self.admit, self.admit_many = self.awaitable(app.admit), self.awaitable(app.admit_many)
        self.move, self.move_many = self.awaitable(app.move), self.awaitable(app.move_many)
        self.retry, self.cancel = self.awaitable(app.retry), self.awaitable(app.cancel)
        self.amend, self.erase = self.awaitable(app.amend), self.awaitable(app.erase)
        self.delete, self.add_scopes = self.awaitable(app.delete), self.awaitable(app.add_scopes)
        self.get, self.list = self.awaitable(app.get), self.awaitable(app.list)
        self.explain, self.verdicts = self.awaitable(app.explain), self.awaitable(app.verdicts)
        self.counts, self.errors = self.awaitable(app.counts), self.awaitable(app.errors)
        self.pause, self.resume = self.awaitable(app.pause), self.awaitable(app.resume)
        self.check, self.migrate = self.awaitable(app.check), self.awaitable(app.migrate)
        self.history = self.awaitable(app.ledger.history)
