"""What happens now: flow on every edge within a window, ages of what waits or runs, what is stuck, and moves over the last day."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, func, literal, select

from ..clock import Clock, monotonic
from ..errors import BadDeclaration, BadInput
from ..machine import State
from ..store.connect import Database
from ..store.ledger import as_of, windows
from ..store.ledger.streaming import begun
from ..store.placement import Placement
from ..store.queue import ageing
from ..store.records import counters
from ..store.work.rows import WorkRows
from ..workflow import Workflow
from ..workflow.durations import span
from ..workflow.surfaces.need import Sign
from .metrics import flow as figures
from .metrics.look import Look, worked_states
from .recent_moves import DAY, MINUTE, STEP, Edge, RecentMoves

Place = tuple[str, str, str | None, State]
"""Kind, axis, scope, state."""
WIDEST = timedelta(days=30)
YOUNG = timedelta(hours=2)
"""While the first move is younger, moves are also counted by the minute."""
KEPT_FOR, LONGEST, COST = 0.5, 30.0, 10
LONGEST_AGES, COST_OF_AGES = 120.0, 50
"""Seconds that an answer is kept at least and at most; between them ten times as long as it took to count."""


@dataclass(frozen=True, slots=True)
class EdgeFlow:
    """Moves along one edge within the window. The first entry of a record has no `old`, a closing one no `new`."""

    kind: str
    axis: str
    scope: str | None
    old: State
    new: State
    moves: int
    first: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class StateAge:
    """For how many seconds the records that wait or run in a state have been there: the median, the 95th percentile, the oldest."""

    kind: str
    axis: str
    scope: str | None
    state: State
    p50: float
    p95: float
    oldest: float


@dataclass(frozen=True, slots=True)
class StuckStage:
    """Attempts of a stage that should have ended: `lease` outlived it, `deadline` is over, `lost` runs without an attempt."""

    kind: str
    stage: str
    why: str
    attempts: int


@dataclass(frozen=True, slots=True)
class RetryingState:
    """Records in a failed state that are tried again without anybody: each has a date for its next try."""

    kind: str
    axis: str
    scope: str | None
    state: State
    records: int


@dataclass(frozen=True, slots=True)
class NeedCount:
    """Records that need a person for a reason that their workflow declares: what they are called, why, and the page that shows them."""

    kind: str
    records: int
    what: str
    fact: str
    page: str
    sign: Sign


@dataclass(frozen=True, slots=True)
class MovesThen:
    """Entries within ten minutes from `at`, or within a minute of it, and how many of them led into a failed state."""

    at: datetime
    moves: int
    failures: int


@dataclass(frozen=True, slots=True)
class Activity:
    """What happened within `window` seconds before `at`. Ages, what is stuck, what is retried and what needs a person are of now, and
    empty for an instant in the past.

    `moves` are those of the last day by ten minutes. While the first of them is younger than two hours, `minutes` has the same ones by
    the minute, from that first one on; else it is empty.
    `is_whole` is false for the first seconds of a process over very many entries, while those of the last day are still being counted.
    """

    at: datetime
    window: float
    flows: list[EdgeFlow] = field(default_factory=list)
    ages: list[StateAge] = field(default_factory=list)
    stuck: list[StuckStage] = field(default_factory=list)
    moves: list[MovesThen] = field(default_factory=list)
    is_whole: bool = True
    retrying: list[RetryingState] = field(default_factory=list)
    needs: list[NeedCount] = field(default_factory=list)
    minutes: list[MovesThen] = field(default_factory=list)


def window_of(words: str) -> timedelta:
    """A window as people write it, such as 15m, 1h or 7d."""
    try:
        window = span(words)
    except BadDeclaration as error:
        raise BadInput(f"{words!r} is not a window", hint="Write 15m, 1h, 24h or 7d.") from error
    if not timedelta(0) < window <= WIDEST:
        raise BadInput(f"a window of {words} is wider than 30 days")
    return window


class ActivityReader:
    """Counts activity. The last day is kept by minute and followed (see `RecentMoves`): a look costs what is new.
    Other queries are cached for a moment, so that many readers cost the database as much as one."""

    def __init__(self, database: Database, workflows: Mapping[str, Workflow], clock: Clock) -> None:
        self.database, self.workflows, self.clock = database, workflows, clock
        self._kept: dict[float, tuple[float, Activity]] = {}
        self._ages: tuple[float, list[StateAge]] = (0.0, [])
        self._asking = threading.Lock()
        self.recent = RecentMoves(database, self._asking)

    def read(self, window: timedelta, at: datetime | None = None) -> Activity:
        """The activity of the window that ends at an instant, or now."""
        seconds = window.total_seconds()
        with self._asking:
            until, kept = self._kept.get(seconds, (0.0, None))
            began = monotonic()
            if at is None and kept is not None and began < until:
                return kept
            made = self._now(window) if at is None else self._then(window, at)
            if at is None:
                took = monotonic() - began
                self._kept[seconds] = (monotonic() + min(LONGEST, max(KEPT_FOR, COST * took)), made)
            return made

    def _now(self, window: timedelta) -> Activity:
        work = WorkRows(self.database, self.clock)
        with self.database.read() as tx:
            look = Look(self.database, self.workflows, work, begun(tx), ageing.now(work, tx))
            now = self.clock.now().astimezone(UTC)
            self.recent.follow(tx, now)
            (*_, stuck) = figures.attempts(look)
            return Activity(
                now,
                window.total_seconds(),
                self._flows(tx, window, now),
                self._ages_now(look),
                [
                    StuckStage(kind, stage, why, int(value))
                    for (kind, stage, why), value in stuck.samples.items()
                    if value
                ],
                self._day(now),
                self.recent.is_whole(now - DAY),
                retrying_of(tx, self.workflows),
                needs_of(tx, self.workflows),
                self._minutes(now),
            )

    def _ages_now(self, look: Look) -> list[StateAge]:
        """Ages are read over everything that waits; where that is much, they are read less often."""
        began = monotonic()
        if began >= self._ages[0]:
            ages = ages_of(look)
            took = monotonic() - began
            self._ages = (
                monotonic() + (min(LONGEST_AGES, COST_OF_AGES * took) if took > 0.05 else 0.0),
                ages,
            )
        return self._ages[1]

    def _then(self, window: timedelta, at: datetime) -> Activity:
        with self.database.read() as tx:
            now = self.clock.now().astimezone(UTC)
            self.recent.follow(begun(tx), now)
            if self.recent.is_whole(at - window):
                flows = edge_flows(self.recent.between(at - window - MINUTE, at))
            else:
                flows = flows_of(windows.edge_counts(tx, at - window, at))
            return Activity(
                at,
                window.total_seconds(),
                flows,
                moves=self._day(now),
                is_whole=self.recent.is_whole(now - DAY),
                minutes=self._minutes(now),
            )

    def held_at(self, at: datetime) -> dict[Place, int]:
        """How many records were in each state at an instant: those of now, counted back along the entries that are later.

        Within the day that is kept by minute, the database is asked about the entries of a few minutes, or of the minutes that are not
        counted yet; before it, about every entry since; and where fewer lie before the instant than behind it, about those.
        """
        minute = at.astimezone(UTC).replace(second=0, microsecond=0)
        with ExitStack() as stack:
            with self._asking:
                tx = begun(stack.enter_context(self.database.read()))
                now = self.clock.now().astimezone(UTC)
                if self.recent.is_begun:
                    self.recent.follow(tx, now)
                start = self.recent.counted_from
                is_recent = start is not None and minute >= now - DAY
                until = minute + MINUTE if start is None else max(minute, start) + MINUTE
                until = until.replace(second=0, microsecond=0)
                later = self.recent.between(until - MINUTE) if is_recent else Counter()
                is_kept = is_recent and self.recent.is_whole(minute)
            if not is_kept and windows.is_in_first_half(tx, at):
                held = as_of.counts(tx, at)
                return {(row.kind, row.axis, row.scope or None, row.state): int(row.n) for row in held}
            return held_before(tx, at, later, until if is_recent else None)

    def _flows(self, tx: Connection, window: timedelta, now: datetime) -> list[EdgeFlow]:
        """By minutes where the window is within the day that is kept; counted in the database where it is wider."""
        if window > DAY:
            return flows_of(windows.edge_counts(tx, now - window, now))
        return edge_flows(self.recent.between(now - window - MINUTE))

    def _day(self, now: datetime) -> list[MovesThen]:
        """The last 24 hours in steps of ten minutes, each step there, also an empty one."""
        last = now.replace(minute=now.minute - now.minute % 10, second=0, microsecond=0)
        return self._counted(last, STEP, int(DAY / STEP))

    def _minutes(self, now: datetime) -> list[MovesThen]:
        """Each minute since the first move of the last day, where that is younger than two hours; nothing where it is not."""
        if not self.recent.minutes or not self.recent.is_whole(now - DAY):
            return []
        last = now.replace(second=0, microsecond=0)
        minutes = (last - min(self.recent.minutes)) // MINUTE + 1
        return self._counted(last, MINUTE, minutes) if minutes <= YOUNG // MINUTE else []

    def _counted(self, last: datetime, step: timedelta, steps: int) -> list[MovesThen]:
        """So many steps up to the one that begins with `last`, each there, also an empty one."""
        first = last - step * (steps - 1)
        counted = [[0, 0] for _ in range(steps)]
        failed = failed_states(self.workflows)
        for at, edges in self.recent.minutes.items():
            position = (at - first) // step
            if 0 <= position < steps:
                counted[position][0] += edges.total()
                counted[position][1] += sum(
                    moves for edge, moves in edges.items() if (edge[0], edge[1], edge[4]) in failed
                )
        return [
            MovesThen(first + step * position, moves, failures)
            for position, (moves, failures) in enumerate(counted)
        ]


def failed_states(workflows: Mapping[str, Workflow]) -> set[tuple[str, str, State]]:
    """The states, by kind and axis, that stages fail to."""
    return {
        (name, stage.axis, state)
        for name, workflow in workflows.items()
        for stage in workflow.stages.values()
        for state in (stage.failed, stage.terminal)
        if state is not None
    }


def held_before(
    tx: Connection, at: datetime, later: Counter[Edge], until: datetime | None = None
) -> dict[Place, int]:
    """The counters of now without what moved behind an instant: `later` has the edges from `until` on, the database is asked for those
    before. What clocks put out of order is judged by version, as `as_of.counts` does."""
    for edge in windows.edge_counts_behind(tx, at, until):
        later[edge[:-1]] += edge.moves
    held = Counter(
        {(row.kind, row.axis, row.scope or None, row.state): int(row.n) for row in counters.counts(tx)}
    )
    for (kind, axis, scope, old, new, first, closed), moves in later.items():
        if not closed:
            held[kind, axis, scope, new] -= moves
        if not first:
            held[kind, axis, scope, old] += moves
    return {place: number for place, number in held.items() if number}


def edge_flows(edges: Mapping[Edge, int]) -> list[EdgeFlow]:
    """Counted edges as the contract has them."""
    return flows_of(windows.EdgeCount(*edge, moves) for edge, moves in edges.items())


def flows_of(counts: Iterable[windows.EdgeCount]) -> list[EdgeFlow]:
    """The counts as the contract has them."""
    return [
        EdgeFlow(one.kind, one.axis, one.scope, one.old, one.new, one.moves, one.first, one.closed)
        for one in counts
    ]


def ages_of(look: Look) -> list[StateAge]:
    """The ages of every state in which records wait or are worked on, where any do."""
    found = []
    for workflow in look.workflows.values():
        for axis in workflow.axes.values():
            if not worked_states(workflow, axis.name):
                continue
            place = Placement(workflow, axis, look.database.dialect)
            for (scope, state), (p50, p95, oldest) in ageing.of_states(
                look.work, look.tx, workflow, place, look.at
            ).items():
                found.append(StateAge(workflow.name, axis.name, scope or None, state, p50, p95, oldest))
    return found


def retrying_of(tx: Connection, workflows: Mapping[str, Workflow]) -> list[RetryingState]:
    """How many records of each failed state have a date for their next try; the index of what is due holds them together."""
    found = []
    for workflow in workflows.values():
        for stage in workflow.stages.values():
            axis = workflow.axes[stage.axis]
            if stage.failed is None or stage.failed in stage.waiting or not axis.has("ready_at"):
                continue
            scope = axis.table.c[axis.scope_column] if axis.scoped else literal("")
            asked = (
                select(scope, func.count())
                .where(
                    axis.table.c[axis.name] == stage.failed,
                    axis.table.c[axis.column_name("ready_at")].is_not(None),
                )
                .group_by(scope)
            )
            found += [
                RetryingState(workflow.name, axis.name, row[0] or None, stage.failed, row[1])
                for row in tx.execute(asked)
            ]
    return list(dict.fromkeys(found))


def needs_of(tx: Connection, workflows: Mapping[str, Workflow]) -> list[NeedCount]:
    """How many records each workflow declares to need a person; what nobody needs is left out."""
    found = []
    for workflow in workflows.values():
        for need in workflow.extension.needs:
            asked = select(func.count()).select_from(need.records.subquery())
            if records := int(tx.execute(asked).scalar_one()):
                words = (need.name(records), need.fact, need.page, need.sign)
                found.append(NeedCount(workflow.name, records, *words))
    return found
