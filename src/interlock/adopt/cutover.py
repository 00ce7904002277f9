"""Leads an adoption from one phase to the next, or back: its conditions, its entry, and the guards, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    Text,
    cast,
    column,
    exists,
    func,
    select,
    table,
    update,
)

from ..authority import Authority
from ..authority.acts.cancel import cancelled_state
from ..errors import AdoptionNotReady, BadInput, RefusedByDatabase
from ..store.adoption.adoptions import MODES, WITHDRAWN, adoption_id, adoption_plans, phase_of
from ..store.adoption.strays import forget_strays, has_open_strays, newest_stray
from ..store.faults import driver_error
from ..store.migrations.migrate import change_mode, patiently
from ..store.migrations.withdraw import withdraw_axis
from ..store.placement import Placement
from ..store.records.plans import close_plan, open_plan
from ..workflow import Workflow
from .compare import Compare
from .decision import Decision
from .follow import Follow, count_changed_flags
from .phases import BACKFILL, COMPAT_WRITES, DONE, ELIGIBILITY, LIFE, SCHEMA, number_of

_DENIED = "42501"
_WORK = table("interlock_work", *(column(name, Text) for name in ("kind", "record_id", "axis", "scope")))
BATCH = 500
BACK = "cutover_back"
"""The error of what ran when the adoption went back to a phase in which nothing runs."""


@contextmanager
def asking_the_owner_of_the_tables() -> Iterator[None]:
    """Say who has to change guards and columns, where the database does not let this user do it."""
    try:
        yield
    except RefusedByDatabase as refusal:
        if refusal.__cause__ is None or getattr(driver_error(refusal.__cause__), "sqlstate", None) != _DENIED:
            raise
        raise AdoptionNotReady(
            "guards and columns change with the phase of an adoption: only the owner of the tables may lead it on",
            hint="Use the owner's database URL.",
        ) from refusal


def enter_phase(
    authority: Authority, adoptions: Workflow, id: str, phase: str, tx: Connection, **command: Any
) -> None:
    """Make the move of an adoption into a phase, with its entry; no other move passes the rule that asks for `next_phase`."""
    mine = adoptions.records.c.id == id
    tx.execute(update(adoptions.records).where(mine).values(next_phase=phase))
    authority.move(adoptions, id, "phase", phase, tx=tx, **command)
    tx.execute(update(adoptions.records).where(mine).values(next_phase=None))


class Cutover:
    """The next step of one axis's adoption."""

    def __init__(
        self, authority: Authority, workflows: Sequence[Workflow], adoptions: Workflow, place: Placement
    ) -> None:
        self.authority, self.workflows, self.adoptions, self.place = authority, workflows, adoptions, place
        self.table: Table = adoptions.records
        self.decision = Decision(place)
        self.adopt, self.id = self.decision.adopt, adoption_id(place.kind, place.name)

    def run(
        self,
        to: str,
        *,
        actor: str,
        role: str,
        reason: str,
        accept_left: bool = False,
        no_readers: bool = False,
        quiet: timedelta | None = None,
    ) -> str:
        """Enter the phase; the one that was left. Raises what hinders it."""
        now = self.authority.clock.now()
        wanted = self.adopt.quiet if quiet is None else quiet
        is_there = to == BACKFILL and self._is_in(BACKFILL)
        if is_there and self.take_work_back(actor=actor, role=role, reason=reason, issued=True):
            return to  # who went back had died before all work was taken back

        def act(tx: Connection, wait: float) -> str:
            schema = self.authority.database.sql.schema
            schema.lock(tx)
            row = self.row(tx, lock=True)
            self._refuse_far(row.phase, to)
            if accept_left:
                tx.execute(
                    update(self.table).where(self.table.c.id == self.id).values(accepted=row.left_over)
                )
                row = self.row(tx)
            if problems := self.problems(tx, row, to, wanted, no_readers, now):
                raise AdoptionNotReady(
                    f"the adoption of {self.id} cannot go from {row.phase} to {to}: {'; '.join(problems)}",
                    problems=problems,
                )
            enter_phase(
                self.authority,
                self.adoptions,
                self.id,
                to,
                tx,
                version=row.version,
                actor=actor,
                role=role,
                reason=reason,
            )
            schema.limit_lock_waits(tx, wait)
            self._guard(tx, row.phase, to, actor, now)
            forget_strays(tx, self.place, now)
            return str(row.phase)

        with asking_the_owner_of_the_tables():
            left = patiently(lambda wait: self.authority.transactions.run(lambda tx, _: act(tx, wait)))
        if (left, to) == (ELIGIBILITY, BACKFILL):
            self.take_work_back(actor=actor, role=role, reason=reason)
        return left

    def row(self, tx: Connection, *, lock: bool = False) -> Any:
        asked = select(self.table).where(self.table.c.id == self.id)
        row = tx.execute(asked.with_for_update() if lock else asked).first()
        if row is None:
            raise AdoptionNotReady(
                f"the adoption of {self.id} has not begun", hint="Run `interlock db upgrade`."
            )
        return row

    def _refuse_far(self, phase: str, to: str) -> None:
        if abs(number_of(phase) - number_of(to)) != 1 or LIFE.edge(phase, to) is None:
            legal = [
                f"{number_of(state)} ({state})"
                for state in LIFE.next_states(phase)
                if state is not None and abs(number_of(state) - number_of(phase)) == 1
            ]
            raise AdoptionNotReady(
                f"the adoption of {self.id} is in phase {number_of(phase)}, {phase}; it can go to {' or '.join(legal) or 'no other'}",
                phase=phase,
            )

    def problems(
        self, tx: Connection, row: Any, to: str, quiet: timedelta, no_readers: bool, now: datetime
    ) -> list[str]:
        """What hinders this step; nothing hinders a step back but the last one, which removes columns."""
        if to == WITHDRAWN:
            return self._used(tx)
        if number_of(to) < number_of(row.phase):
            return []
        if MODES[row.phase] == "follow":
            self._catch_up(tx)
        checks: dict[str, Callable[[], list[str]]] = {
            BACKFILL: list,
            ELIGIBILITY: lambda: self._backfilled(tx, row, now),
            COMPAT_WRITES: lambda: self._quiet(tx, row, quiet, now),
            DONE: lambda: self._settled(tx, row, quiet, no_readers, now),
        }
        return checks[to]()

    def _catch_up(self, tx: Connection) -> None:
        """Write the entries of writes past Interlock that were only noted, before anything is compared."""
        while self.authority.engine.follow_strays(tx, self.place):
            pass

    def _used(self, tx: Connection) -> list[str]:
        """What still needs the columns: rows that have histories, and other axes of the same table."""
        problems, axis = [], self.place.axis
        adopted = int(
            tx.execute(
                select(func.count()).select_from(axis.table).where(axis.column("version").is_not(None))
            ).scalar_one()
        )
        if adopted:
            problems.append(f"{adopted:,} rows are adopted, and a history is never taken back")
        others = [
            f"{workflow.name}.{one.name}"
            for workflow in self.workflows
            for one in workflow.axes.values()
            if one is not axis and one.table is axis.table
        ]
        if others:
            problems.append(f"{' and '.join(others)} is kept in the same table")
        return problems

    def _backfilled(self, tx: Connection, row: Any, now: datetime) -> list[str]:
        problems = []
        if row.finished_at is None:
            problems.append("the backfill has not come to its end (`interlock adopt backfill`)")
        if row.left_over > row.accepted:
            problems.append(
                f"{row.left_over:,} rows were left over, and nobody has accepted that (--accept-left; interlock_adoption_left names them)"
            )
        different = Compare(self.authority, self.place).run(tx, BACKFILL, now).differences
        if different:
            problems.append(
                f"{different:,} rows differ from what their flags say (`interlock adopt compare` names them, `interlock adopt follow` "
                "enters what the flags say)"
            )
        return problems

    def _quiet(self, tx: Connection, row: Any, quiet: timedelta, now: datetime) -> list[str]:
        if not self.adopt.in_place:
            return self._flags_rest(tx, row, quiet, now)
        if has_open_strays(tx, self.place):
            return ["a write past Interlock has no entry yet"]
        last = newest_stray(tx, self.place)
        if last is not None and last > now - quiet:
            return [
                f"the last write past Interlock was at {last:%Y-%m-%d %H:%M:%S} UTC, less than {quiet} ago: is every legacy worker stopped?"
            ]
        return []

    def _flags_rest(self, tx: Connection, row: Any, quiet: timedelta, now: datetime) -> list[str]:
        """Beside the records nobody notes who writes flags, so they are compared: those of records that Interlock has moved with their
        mirror, those of the others with what they said when they were adopted."""
        problems = []
        if written := count_changed_flags(tx, Follow(self.authority, self.place, actor="")):
            problems.append(
                f"flags of {written:,} rows were written past Interlock since they were adopted: is every legacy worker stopped?"
            )
        return problems + self._differing(tx, row, quiet, now)

    def _differing(self, tx: Connection, row: Any, quiet: timedelta, now: datetime) -> list[str]:
        different = Compare(self.authority, self.place).run(tx, row.phase, now).differences
        if different:
            if self.adopt.in_place:
                return [f"{different:,} rows differ (`interlock adopt compare` names them)"]
            return [f"{different:,} rows differ from their mirror (`interlock mirror repair` mends them)"]
        if row.clean_since is None or row.clean_since > now - quiet:
            return [f"no comparison has been clean for {quiet}; `interlock adopt compare` makes one"]
        return []

    def _settled(
        self, tx: Connection, row: Any, quiet: timedelta, no_readers: bool, now: datetime
    ) -> list[str]:
        problems = []
        missing = int(
            tx.execute(self.decision.question(func.count()).where(self.decision.is_missing)).scalar_one()
        )
        if missing:
            problems.append(
                f"{missing:,} rows are not adopted (`interlock adopt scan` says what they are, `interlock adopt backfill` adopts them)"
            )
        problems += self._differing(tx, row, quiet, now)
        if not no_readers:
            problems.append("somebody must state that no reader of the flags is left (--no-readers)")
        return problems

    def _guard(self, tx: Connection, old: str, to: str, actor: str, now: datetime) -> None:
        if to == WITHDRAWN:
            for one in adoption_plans(self.place):
                close_plan(self.authority.database, tx, one, now)
            withdraw_axis(self.authority.database, self.workflows, tx, self.place)
            return

        def switch() -> None:
            change_mode(self.authority.database, self.workflows, tx, self.place, MODES[to])

        if (old, to) == (SCHEMA, BACKFILL):
            self.authority.engine.begin_following(tx, self.place, switch)
        elif MODES[old] != MODES[to]:
            switch()
        for one in adoption_plans(self.place):
            if to == DONE:
                close_plan(self.authority.database, tx, one, now)
            else:
                open_plan(self.authority.database, tx, one, actor=actor, role="operator", at=now)

    def _is_in(self, phase: str) -> bool:
        with self.authority.database.read() as tx:
            return phase_of(tx, self.place.kind, self.place.name) == phase

    def take_work_back(self, *, actor: str, role: str, reason: str, issued: bool = False) -> int:
        """End every attempt of the axis: what runs fails with the code `cutover_back`; how many records. What has reported is applied.
        With `issued`, only what has a work row: rows that were adopted where a stage runs are left to the sweep of a later phase."""
        axis, count = self.place.axis, 0
        for stage in self.place.workflow.stages.values():
            if stage.axis != axis.name or stage.running is None:
                continue
            try:
                to = cancelled_state(stage) if stage.failed is None else stage.failed
            except BadInput:  # no failed state: it rests where it is
                continue
            for scope in axis.scopes or (None,):
                count += self._end(stage.running, to, scope, actor, role, reason, issued=issued)
        return count

    def _is_issued(self, key: ColumnElement[Any], scope: str | None) -> ColumnElement[bool]:
        return exists().where(
            _WORK.c.kind == self.place.kind,
            _WORK.c.record_id == cast(key, Text),
            _WORK.c.axis == self.place.name,
            _WORK.c.scope == (scope or ""),
        )

    def _end(
        self, running: str, to: str, scope: str | None, actor: str, role: str, reason: str, *, issued: bool
    ) -> int:
        axis, count = self.place.axis, 0
        key = axis.table.c[axis.key]
        asked = select(key).where(axis.column("status") == running, axis.column("version").is_not(None))
        if issued:
            asked = asked.where(self._is_issued(key, scope))
        if scope is not None:
            asked = asked.where(axis.table.c[axis.scope_column] == scope)
        after = None
        while True:
            page = asked.order_by(key).limit(BATCH)
            with self.authority.database.read() as tx:
                ids = list(tx.execute(page if after is None else page.where(key > after)).scalars())
            if not ids:
                return count
            after = ids[-1]
            answers = self.authority.move_many(
                self.place.workflow,
                ids,
                axis.name,
                to,
                actor=actor,
                role=role,
                reason=reason,
                scope=scope,
                column_values={
                    axis.column_name("error_code"): BACK,
                    axis.column_name("error_message"): reason,
                },
                by_engine=True,
            )
            count += sum(answer.outcome == "moved" for answer in answers)
