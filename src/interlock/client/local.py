"""The client of an app in this process: asks the app itself, and answers in the values of the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from .. import settings
from .._version import __version__
from ..app import App
from ..authority.command import one_axis
from ..errors import BadInput, UnknownRecord
from ..machine import State, mermaid, svg
from ..observe import invariants
from ..observe.activity import Activity
from ..observe.declared.machine_versions import axis_of, compare_versions, every_version
from ..observe.declared.machines import counts_of, described
from ..observe.explain import Explanation
from ..observe.invariants import check_counters
from ..observe.metrics import levels_of
from ..observe.records.listing import (
    ListedRecord,
    Page,
    grouped_errors,
    one,
    page,
    page_of,
    reach,
    state_pairs,
)
from ..observe.records.own_columns import Sort, read_position, sort_of
from ..observe.records.patterns import Pattern
from ..observe.working import Working
from ..store.placement import Placement, record_name
from ..store.queue.coordinators import RegisteredCoordinator
from ..store.queue.runners import Registered
from ..store.verify.work import INVARIANTS
from ..workflow import Answer, Workflow
from .adoptions import LocalAdoptions
from .attention import attention
from .contract import (
    Answers,
    Moves,
    Verdicts,
)
from .convert import (
    Undo,
    filter_in,
    finite,
    places,
    plain_answer,
    plain_id,
    refuse_empty,
    refuse_many,
)
from .keys import LocalKeys
from .ledger import LocalLedger
from .operations import LocalOperations
from .plain import plain
from .rows import column_values, refuse_own_intake
from .stages import LocalSchedules, LocalStages
from .values import (
    Attention,
    CheckReport,
    Count,
    ErrorGroup,
    Health,
    Id,
    MachineChange,
    MachineVersion,
    PairCount,
    Record,
    RecordFilter,
    Row,
)

FOLLOW_SECONDS = 0.2


class LocalClient:
    """An app in this process; every act is `actor`'s. The app stays the caller's to close, unless the client keeps it."""

    def __init__(self, app: App, actor: str = "app", *, keeps: bool = False) -> None:
        self.app, self.actor, self.keeps = app, actor, keeps
        self.ledger = LocalLedger(self)
        self.operations = LocalOperations(self)
        self.stages = LocalStages(self)
        self.schedules = LocalSchedules(self)
        self.adoptions = LocalAdoptions(self)
        self.keys = LocalKeys(self)

    @property
    def address(self) -> str:
        return self.app.database.engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        if self.keeps:
            self.app.close()

    def workflow(self, kind: str) -> Workflow:
        """One of the app's; a table that is known by name only is read from the database first."""
        workflow = self.app.workflow(kind)
        if workflow.reflected:
            with self.app.database.read() as tx:
                workflow.reflect(tx)
        return workflow

    def workflows(self) -> list[Workflow]:
        return [self.workflow(kind) for kind in self.app.workflows]

    def id_of(self, workflow: Workflow, id: Id) -> Any:
        """The id as the record's table holds it; what cannot be an id of this kind names no record."""
        refuse_empty(id)
        place = Placement(workflow, next(iter(workflow.axes.values())), self.app.database.dialect)
        try:
            if place.python_type is UUID and isinstance(id, str):
                return UUID(id)
            return place.check_id(id)
        except (BadInput, ValueError) as error:
            raise UnknownRecord(workflow.name, str(id)[:200]) from error

    def name_of(self, workflow: Workflow, id: Id) -> str:
        """The id as history is kept under it."""
        return record_name(workflow, self.id_of(workflow, id), self.app.database.dialect)

    def health(self) -> Health:
        self.app.ready()
        return Health(__version__, self.app.database.name)

    def machines(self, kind: str | None = None) -> list[dict[str, Any]]:
        chosen = self.workflows() if kind is None else [self.workflow(kind)]
        return [plain(described(workflow)) for workflow in chosen]

    def diagram(
        self,
        kind: str,
        axis: str,
        *,
        form: Literal["mermaid", "svg"] = "mermaid",
        counts: bool = False,
        scope: str | None = None,
    ) -> str:
        chosen = self.app.workflow(kind).axis(axis)
        if scope is not None and scope not in chosen.scopes:
            raise BadInput(
                f"{kind}.{axis} has no scope {scope!r}; it has {', '.join(chosen.scopes) or 'none'}"
            )
        numbers = counts_of(self.app.counts(kind), chosen, scope) if counts else None
        return (svg if form == "svg" else mermaid)(chosen.machine, numbers)

    def versions(self, kind: str) -> list[MachineVersion]:
        return [
            MachineVersion(
                axis.kind,
                axis.name,
                one.fingerprint,
                tuple(one.machine.states),
                one.active,
                one.fingerprint == axis.machine.fingerprint,
                one.since,
            )
            for axis, one in every_version(self.app.database, self.workflow(kind))
        ]

    def change(
        self, kind: str, before: str, *, axis: str | None = None, after: str | None = None
    ) -> MachineChange:
        workflow = self.workflow(kind)
        chosen = axis_of(workflow, axis)
        older, newer, change = compare_versions(self.app.database, workflow, chosen, before, after)
        stranded = [
            one
            for one in self.counts(workflow.name)
            if one.axis == chosen.name and one.state not in newer.machine.states
        ]
        return MachineChange(
            workflow.name, chosen.name, older.fingerprint, newer.fingerprint, change.describe(), stranded
        )

    def counts(self, kind: str | None = None) -> list[Count]:
        return [Count(*place, number) for place, number in self.app.counts(kind).items()]

    def pairs(self, kind: str, axis: str, by: str) -> list[PairCount]:
        workflow = self.workflow(kind)
        rows = state_pairs(self.app.database, workflow, workflow.axis(axis), workflow.axis(by))
        return [PairCount(*row) for row in rows]

    def errors(self, kind: str | None = None, *, limit: int = 100) -> list[ErrorGroup]:
        chosen = self.workflows() if kind is None else [self.workflow(kind)]
        groups = grouped_errors(self.app.database, chosen, limit=limit)
        return [ErrorGroup(**{**group, "example": plain_id(group["example"])}) for group in groups]

    def attention(self) -> list[Attention]:
        self.workflows()
        return list(attention(self.app))

    def activity(self, window: str = "1h", *, at: datetime | None = None) -> Activity:
        self.workflows()
        return self.app.ledger.activity(window, at)

    def patterns(self, kind: str, axis: str | None = None, *, limit: int = 100) -> list[Pattern]:
        return self.app.patterns(self.workflow(kind), axis, limit=limit)

    def working(self, limit: int = 20) -> Working:
        self.workflows()
        found = self.app.working(limit)
        return replace(found, held=[replace(one, id=plain_id(one.id)) for one in found.held])

    def check(self, kind: str | None = None, *, replay: bool = False) -> CheckReport:
        chosen = self.workflows() if kind is None else [self.workflow(kind)]
        report = self.app.check(kind, levels=levels_of(self.workflows(), settings.levels()))
        findings = [*report.findings, *check_counters(self.app.database, chosen)]
        names = ["I1", "I2", *INVARIANTS[:-1], "I9", "I10", "counters"]
        names += [one.id for workflow in chosen for one in workflow.extension.invariants]
        if replay:
            findings += invariants.replay(self.app.database, chosen)
            names.append("replay")
        repairs = invariants.plan_repairs(findings, chosen)
        names = list(dict.fromkeys(names))  # several declared invariants may have one id
        return CheckReport(report.entries, report.records, findings, report.notes, names, repairs)

    def runners(self) -> list[Registered]:
        return self.app.runners()

    def coordinators(self) -> list[RegisteredCoordinator]:
        return self.app.coordinators()

    def metrics(self) -> str:
        try:
            from prometheus_client import generate_latest

            from ..observe.metrics.collector import Watch, registry
        except ModuleNotFoundError as error:
            raise BadInput(
                f"figures need the package {error.name}", hint="pip install 'interlock[service]'"
            ) from error
        self.app.ready()
        levels = levels_of(self.workflows(), settings.levels())
        watch = Watch(self.app.database, self.app.clock, self.app.workflows, levels)
        return generate_latest(registry(watch)).decode()

    def list(
        self,
        kind: str,
        *,
        where: Mapping[str, Any] | None = None,
        axis: str | None = None,
        scope: str | None = None,
        error: str | None = None,
        older: str | None = None,
        younger: str | None = None,
        text: str | None = None,
        limit: int = 50,
        after: Id = None,
        descending: bool = False,
        columns: Sequence[str] = (),
        sort: str | None = None,
        examine: int | None = None,
    ) -> Page:
        workflow = self.workflow(kind)
        wanted = RecordFilter(where or {}, axis, scope, error, older, younger, text)
        if sort is not None and descending:
            raise BadInput("a list is sorted by sort, or by descending ids, not by both")
        order = None if sort is None else sort_of(workflow, sort)
        start = None if after is None else self.start_of(workflow, after, order)
        until = None
        if examine is not None and order is None:
            until = reach(self.app.database, workflow, examine, after=start, backwards=descending)
        rows = page(
            self.app.database,
            workflow,
            filter_in(wanted),
            self.app.clock.now(),
            limit=limit + 1,
            after=start,
            backwards=descending,
            columns=columns,
            sort=order,
            until=until,
        )
        found = page_of(rows, limit, until)
        records = [
            ListedRecord(
                plain_id(one.id),
                one.where,
                {name: finite(plain(value)) for name, value in one.columns.items()},
            )
            for one in found.records
        ]
        return Page(records, found.next if order is not None else plain_id(found.next))

    def start_of(self, workflow: Workflow, after: Id, sort: Sort | None = None) -> Any:
        try:
            if sort is not None:
                value, id = read_position(sort, after)
                return value, self.id_of(workflow, id)
            return self.id_of(workflow, after)
        except UnknownRecord as error:
            raise BadInput(
                f"{workflow.name}: {after!r} is not an id of this kind",
                hint="Leave it out for the first page, or give what the page before named.",
            ) from error

    def get(self, kind: str, id: Id) -> Record:
        workflow = self.workflow(kind)
        key = self.id_of(workflow, id)
        record = one(self.app.database, workflow, key)
        if record is None:
            raise UnknownRecord(workflow.name, key)
        row, where = record
        private = workflow.private
        own = {name: finite(plain(value)) for name, value in row.items() if name not in private}
        return Record(workflow.name, plain_id(key), own, places(where))

    def explain(self, kind: str, id: Id) -> Explanation:
        workflow = self.workflow(kind)
        explained = self.app.explain(workflow, self.id_of(workflow, id))
        return replace(explained, id=plain_id(explained.id))

    def verdicts(
        self, kind: str, id: Id, version: int | None = None, *, scope: str | None = None
    ) -> Verdicts:
        workflow = self.workflow(kind)
        return self.app.verdicts(workflow, self.id_of(workflow, id), version, scope=scope)

    def follow(self, kind: str, id: Id) -> Iterator[Moves]:
        while True:
            yield self.ledger.history(kind, id)
            self.app.clock.sleep(FOLLOW_SECONDS)

    def admit(self, kind: str, row: Row, *, reason: str | None = None, key: str | None = None) -> Answer:
        (answer,) = self.admit_many(kind, [row], reason=reason, key=key)
        if answer.error is not None:
            raise answer.error
        return answer

    def admit_many(
        self, kind: str, rows: Iterable[Row], *, reason: str | None = None, key: str | None = None
    ) -> Answers:
        workflow, every = self.workflow(kind), list(rows)
        refuse_own_intake(workflow)
        refuse_many(every, key)
        drafts: dict[int, Row] = {}
        answers: dict[int, Answer] = {}
        for number, row in enumerate(every):
            try:
                drafts[number] = column_values(workflow, plain(row))
            except BadInput as error:
                id = plain_id(row.get(workflow.id_column.name))
                answers[number] = Answer(id if type(id) in (str, int) else None, "refused", error=error)
        made = self.app.admit_many(workflow, drafts.values(), actor=self.actor, reason=reason, key=key)
        answers |= {number: plain_answer(one) for number, one in zip(drafts, made, strict=True)}
        return [answers[number] for number in range(len(every))]

    def move(
        self,
        kind: str,
        id: Id,
        *,
        role: str | None = None,
        reason: str | None = None,
        version: int | None = None,
        scope: str | None = None,
        facts: Row | None = None,
        key: str | None = None,
        override: bool = False,
        dry_run: bool = False,
        **axis: State,
    ) -> Answer:
        workflow = self.workflow(kind)
        one_axis(workflow, axis)
        record = self.id_of(workflow, id)
        return self._done(
            dry_run,
            lambda tx: self.app.move(
                workflow,
                record,
                actor=self.actor,
                role=role,
                reason=reason,
                version=version,
                scope=scope,
                facts=facts,
                key=key,
                override=override,
                tx=tx,
                **axis,
            ),
        )

    def retry(
        self,
        kind: str,
        id: Id,
        *,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        workflow = self.workflow(kind)
        record = self.id_of(workflow, id)
        return self._done(
            dry_run,
            lambda tx: self.app.retry(
                workflow, record, actor=self.actor, reason=reason, role=role, scope=scope, tx=tx
            ),
        )

    def cancel(
        self,
        kind: str,
        id: Id,
        *,
        reason: str,
        role: str | None = None,
        scope: str | None = None,
        axis: str | None = None,
        dry_run: bool = False,
    ) -> Answer:
        workflow = self.workflow(kind)
        record, name = self.id_of(workflow, id), None if axis is None else workflow.axis(axis).name
        return self._done(
            dry_run,
            lambda tx: self.app.cancel(
                workflow, record, actor=self.actor, reason=reason, role=role, scope=scope, axis=name, tx=tx
            ),
        )

    def amend(
        self,
        kind: str,
        id: Id,
        *,
        facts: Row,
        reason: str,
        role: str | None = None,
        version: int | None = None,
        axis: str | None = None,
    ) -> Answer:
        workflow = self.workflow(kind)
        record = self.id_of(workflow, id)
        return self._done(
            False,
            lambda tx: self.app.amend(
                workflow,
                record,
                facts=facts,
                actor=self.actor,
                reason=reason,
                role=role,
                version=version,
                axis=axis,
                tx=tx,
            ),
        )

    def erase(self, kind: str, id: Id, *, reason: str, role: str = "admin", key: str | None = None) -> Answer:
        workflow = self.workflow(kind)
        record = self.id_of(workflow, id)
        return plain_answer(
            self.app.erase(workflow, record, actor=self.actor, role=role, reason=reason, key=key)
        )

    def _done(self, dry_run: bool, act: Callable[[Any], Answer]) -> Answer:
        """What came of the act. A dry run meets every rule, hook and guard, in a transaction that is rolled back."""
        if not dry_run:
            return plain_answer(act(None))
        answers: list[Answer] = []
        try:
            with self.app.database.write() as tx:
                answers.append(act(tx))
                raise Undo
        except Undo:
            return plain_answer(answers[0])
