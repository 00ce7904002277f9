"""Every adoption of an app: where each has come, and the acts that lead it on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, inspect, select, update

from ..authority import Authority
from ..clock import monotonic
from ..errors import AdoptionNotReady, BadInput, UnknownKind
from ..ids import random_bytes
from ..store.adoption.adoptions import MODES, WITHDRAWN, adoption_id, guard_mode, phase_of
from ..store.adoption.strays import has_open_strays, newest_stray
from ..store.finding import Finding, Report
from ..store.migrations.migrate import patiently
from ..store.placement import Placement
from ..workflow import Axis, Workflow
from .backfill import CHUNK, Backfill, BackfillProgress
from .catch_up import FEW, catch_up, give_turn
from .compare import Compare, Comparison
from .cutover import Cutover, asking_the_owner_of_the_tables, enter_phase
from .decision import Decision
from .follow import Follow
from .phases import BACKFILL, COMPAT_WRITES, DONE, KIND, SCHEMA, number_of, phase_named
from .scan import Scan, scan

Tell = Callable[[BackfillProgress], None]


@dataclass(frozen=True, slots=True)
class AdoptionState:
    """How far the adoption of one axis has come."""

    kind: str
    axis: str
    adoption: str
    phase: str
    number: int
    guard: str
    version: int
    since: datetime
    written: int
    conflicts: int
    left_over: int
    unadopted: int
    finished: bool
    cursor: str | None
    differences: int | None
    compared_at: datetime | None
    clean_since: datetime | None
    last_stray: datetime | None
    open_strays: bool
    paused: bool
    runner: str | None


class Adoptions:
    """The axes of an app that declare `adopt=…`."""

    def __init__(self, authority: Authority, workflows: Mapping[str, Workflow]) -> None:
        self.authority, self.database, self.clock = authority, authority.database, authority.clock
        self.workflows = workflows

    @property
    def adoptions(self) -> Workflow:
        """The workflow whose records are the adoptions."""
        if KIND not in self.workflows:
            raise UnknownKind("no axis of this app declares adopt=…", kind=KIND)
        return self.workflows[KIND]

    def axes(self) -> list[Axis]:
        return [
            axis
            for workflow in self.workflows.values()
            for axis in workflow.axes.values()
            if axis.adopt is not None
        ]

    def place(self, kind: str, axis: str | None = None) -> Placement:
        """Where the axis lives; without a name, the only one of this kind that is adopted."""
        if kind not in self.workflows:
            raise UnknownKind(
                f"this app has no workflow {kind!r}; it has {', '.join(self.workflows)}", kind=kind
            )
        workflow = self.workflows[kind]
        adopted = [
            one for one in workflow.axes.values() if one.adopt is not None and axis in (None, one.name)
        ]
        if len(adopted) != 1:
            names = ", ".join(one.name for one in workflow.axes.values() if one.adopt is not None) or "none"
            raise BadInput(
                f"{kind}: name one axis that declares adopt=…; it has {names}",
                hint="Write --axis NAME, or declare Axis(…, adopt=Adopt(…)) where none does.",
            )
        return self.authority.mover.plans.place(workflow, adopted[0])

    def begin(self) -> None:
        """Make the record of each adoption that has none; one without legacy rows starts in the phase in which guards refuse."""
        for axis in self.axes():
            place, id = self.place(axis.kind, axis.name), adoption_id(axis.kind, axis.name)
            table = self.adoptions.records
            with self.database.read() as tx:
                phase = tx.execute(select(table.c.phase).where(table.c.id == id)).scalar()
                if phase not in (None, WITHDRAWN):
                    continue
                enforced = guard_mode(tx, place) == "enforce"
            assert axis.adopt is not None
            row = {"id": id, "kind": axis.kind, "axis": axis.name, "name": axis.adopt.name}
            with self.database.write() as tx:
                if phase == WITHDRAWN:
                    self._enter(tx, id, SCHEMA, "a migration made the columns again")
                    begins = True
                else:
                    (answer,) = self.authority.admit_many(self.adoptions, [row], actor="migrate", tx=tx)
                    begins = answer.outcome == "admitted"
                if begins and enforced:
                    self._enter(tx, id, COMPAT_WRITES, "there were no rows from before Interlock")

    def _enter(self, tx: Connection, id: str, phase: str, reason: str) -> None:
        """Enter a phase as a migration does, for it has made what belongs to it already."""
        enter_phase(
            self.authority,
            self.adoptions,
            id,
            phase,
            tx,
            actor="migrate",
            role="operator",
            reason=reason,
        )

    def scan(self, kind: str, axis: str | None = None) -> Scan:
        """What the rows would become, and what hinders it; reads only, before a migration too."""
        return scan(self.database, self.place(kind, axis))

    def status(self, kind: str | None = None) -> list[AdoptionState]:
        """How far each adoption has come."""
        table, states = self.adoptions.records, []
        with self.database.read() as tx:
            rows = {row.id: row for row in tx.execute(select(table))}
            for axis in self.axes():
                row = rows.get(adoption_id(axis.kind, axis.name))
                if row is None or kind not in (None, axis.kind):
                    continue
                place = self.place(axis.kind, axis.name)
                states.append(
                    AdoptionState(
                        axis.kind,
                        axis.name,
                        row.name,
                        row.phase,
                        number_of(row.phase),
                        MODES[row.phase] if row.phase == WITHDRAWN else guard_mode(tx, place),
                        row.version,
                        row.since,
                        row.written,
                        row.conflicts,
                        row.left_over,
                        0 if row.phase == WITHDRAWN else self.unadopted(tx, place),
                        row.finished_at is not None,
                        row.cursor,
                        row.differences,
                        row.compared_at,
                        row.clean_since,
                        newest_stray(tx, place),
                        has_open_strays(tx, place),
                        bool(row.paused),
                        row.runner,
                    )
                )
        return states

    def unadopted(self, tx: Connection, place: Placement) -> int:
        """Rows that have no entry yet."""
        decision = Decision(place)
        return int(tx.execute(decision.question(func.count()).where(decision.is_missing)).scalar_one())

    def preview(self, kind: str, axis: str | None = None, *, actor: str) -> BackfillProgress:
        """What a backfill would write, find there already, and leave over; nothing is written."""
        place, table = self.place(kind, axis), self.adoptions.records
        with self.database.read() as tx:
            asked = select(table.c.phase).where(table.c.id == adoption_id(place.kind, place.name))
            if tx.execute(asked).scalar() in (None, WITHDRAWN):
                raise self._not_begun(place)
        return self._backfill(kind, axis, actor).preview()

    def _not_begun(self, place: Placement) -> AdoptionNotReady:
        """The refusal of what needs the columns that a migration adds."""
        return AdoptionNotReady(
            f"the adoption of {place.kind}.{place.name} has not begun", hint="Run `interlock db upgrade`."
        )

    def _backfill(self, kind: str, axis: str | None, actor: str) -> Backfill:
        return Backfill(self.authority, self.adoptions.records, self.place(kind, axis), actor=actor)

    def backfill_step(
        self,
        kind: str,
        axis: str | None = None,
        *,
        actor: str,
        runner: str,
        chunk: int = CHUNK,
        take_over: bool = False,
    ) -> BackfillProgress:
        """Adopt the next chunk; whoever else carries out the backfill is refused until the lease of `runner` has run out."""
        if not 1 <= chunk <= 100_000:
            raise BadInput(f"a chunk has 1 to 100,000 rows, not {chunk}")
        return self._backfill(kind, axis, actor).step(runner, chunk=chunk, take_over=take_over)

    def backfill(
        self,
        kind: str,
        axis: str | None = None,
        *,
        actor: str,
        chunk: int = CHUNK,
        rate: int | None = None,
        take_over: bool = False,
        tell: Tell | None = None,
    ) -> BackfillProgress:
        """Adopt chunk after chunk until the end; a run that was killed goes on where it was. `rate` is at most so many rows a second."""
        runner, taking_over, before = f"{actor}-{random_bytes(4).hex()}", take_over, 0
        while True:
            begun = monotonic()
            progress = self.backfill_step(
                kind, axis, actor=actor, runner=runner, chunk=chunk, take_over=taking_over
            )
            spent = monotonic() - begun
            taking_over = False
            if tell is not None:
                tell(progress)
            if progress.finished:
                return progress
            if rate:
                self.clock.sleep(max(0, progress.written - before) / rate)
            else:
                give_turn(self.authority, spent)
            before = progress.written

    def compare(self, kind: str, axis: str | None = None) -> Comparison:
        """Compare flags and states of every row; what differs is kept in `interlock_adoption_difference`."""
        place, table = self.place(kind, axis), self.adoptions.records
        mine = table.c.id == adoption_id(place.kind, place.name)

        def act(tx: Connection, _: bool) -> Comparison:
            row = tx.execute(select(table).where(mine).with_for_update()).first()
            if row is None or row.phase == WITHDRAWN:
                raise self._not_begun(place)
            if row.phase == DONE:
                raise AdoptionNotReady(
                    f"{place.kind}.{place.name} is in the last phase: its flags keep the values that they had, and are compared no more"
                )
            now = self.clock.now()
            while row.phase != SCHEMA and self.authority.engine.follow_strays(tx, place):
                pass
            result = Compare(self.authority, place).run(tx, row.phase, now)
            clean = None if result.differences else row.clean_since or now
            tx.execute(
                update(table)
                .where(mine)
                .values(compared_at=now, differences=result.differences, clean_since=clean)
            )
            return result

        catch_up(self.authority, place)
        return self.authority.transactions.run(act)

    def follow(self, kind: str, axis: str | None = None, *, actor: str) -> int:
        """In the phase backfill: write a `legacy` entry wherever flags changed after a row was adopted; how many."""
        place, table = self.place(kind, axis), self.adoptions.records
        follow, count, after = Follow(self.authority, place, actor=actor), 0, None
        while True:

            def act(tx: Connection, _: bool, after: Any = after) -> tuple[int, Any, bool]:
                phase = tx.execute(
                    select(table.c.phase).where(table.c.id == adoption_id(place.kind, place.name))
                ).scalar()
                if phase != BACKFILL:
                    raise AdoptionNotReady(
                        f"flags are followed in the phase backfill; {place.kind}.{place.name} is in {phase or 'none'}"
                    )
                noted = 0
                while some := self.authority.engine.follow_strays(tx, place):
                    noted += some
                    if noted > FEW:
                        return noted, after, True
                done, last = follow.step(tx, after, self.clock.now())
                return noted + done, last, last is not None

            begun = monotonic()
            done, after, goes_on = self.authority.transactions.run(act)
            count += done
            if not goes_on:
                return count
            give_turn(self.authority, monotonic() - begun)

    def cutover(
        self,
        kind: str,
        to: str | int,
        axis: str | None = None,
        *,
        actor: str,
        role: str,
        reason: str,
        accept_left: bool = False,
        no_readers: bool = False,
        quiet: timedelta | None = None,
    ) -> AdoptionState:
        """Lead an adoption to the next phase, or one back, with an entry and new guards; raises what hinders it. From phase 1 back (0)
        columns and guards are removed that a migration had added; the next migration would add them again."""
        place = self.place(kind, axis)
        catch_up(self.authority, place)
        Cutover(self.authority, list(self.workflows.values()), self.adoptions, place).run(
            phase_named(to),
            actor=actor,
            role=role,
            reason=reason,
            accept_left=accept_left,
            no_readers=no_readers,
            quiet=quiet,
        )
        catch_up(self.authority, place)
        return next(one for one in self.status(kind) if one.axis == place.name)

    def pause(self, kind: str, axis: str | None = None, *, paused: bool = True) -> None:
        """Let no further chunk be adopted until it is resumed."""
        place, table = self.place(kind, axis), self.adoptions.records
        with self.database.write() as tx:
            tx.execute(
                update(table).where(table.c.id == adoption_id(place.kind, place.name)).values(paused=paused)
            )

    def drop_flags(self, kind: str, axis: str | None = None) -> list[str]:
        """Remove the columns that `Adopt(flags=…)` names from the record table, in the last phase; the names of those that were there."""
        place, table = self.place(kind, axis), self.adoptions.records
        adopt, records = place.axis.adopt, place.workflow.records
        assert adopt is not None
        if declared := [name for name in adopt.flags if name in records.c]:
            raise AdoptionNotReady(
                f"{kind} still declares {', '.join(declared)}",
                hint="Take the columns and their mirror out of the declaration first; the next migration would make them again.",
            )
        prepare = self.database.dialect.identifier_preparer

        def drop(wait: float) -> list[str]:
            with self.database.write() as tx:
                asked = select(table.c.phase).where(table.c.id == adoption_id(place.kind, place.name))
                phase = tx.execute(asked).scalar()
                if phase != DONE:
                    raise AdoptionNotReady(
                        f"flags are removed in the last phase; {kind} is in {phase or 'none'}"
                    )
                there = {one["name"] for one in inspect(tx).get_columns(records.name, schema=records.schema)}
                gone = [name for name in adopt.flags if name in there]
                self.database.sql.schema.limit_lock_waits(tx, wait)
                for name in gone:
                    tx.exec_driver_sql(
                        f"ALTER TABLE {prepare.format_table(records)} DROP COLUMN {prepare.quote(name)}"
                    )
                return gone

        with asking_the_owner_of_the_tables():
            return patiently(drop)

    def add_to(self, report: Report, kind: str | None = None) -> None:
        """Add what a check has to say of adoptions: guards unlike their phase, and rows that are not adopted yet."""
        report.findings += self.findings(kind)
        report.notes += self.notes(kind)

    def notes(self, kind: str | None = None) -> list[str]:
        """How many rows of each axis are not adopted yet, as notes of a check."""
        notes = []
        with self.database.read() as tx:
            for axis in self.axes():
                if kind in (None, axis.kind) and phase_of(tx, axis.kind, axis.name) != WITHDRAWN:
                    number = self.unadopted(tx, self.place(axis.kind, axis.name))
                    notes += (
                        [f"{number:,} rows of {axis.kind}.{axis.name} are not adopted yet"] if number else []
                    )
        return notes

    def findings(self, kind: str | None = None) -> list[Finding]:
        """Adoptions whose guards are not those of their phase."""
        return [
            Finding(
                "adoption",
                one.kind,
                "*",
                one.axis,
                "",
                None,
                f"its phase is {one.phase}, and its guards are those of another: {one.guard}",
            )
            for one in (self.status(kind) if self.axes() else ())
            if MODES[one.phase] != one.guard
        ]


__all__ = ["AdoptionState", "Adoptions", "BackfillProgress", "Comparison", "Scan"]
