"""What happened so far: moves, refusals and how long records stayed, counted from the ledger once and then followed.

The totals are a function of history alone: every process says the same, and none begins again at zero when it is started anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sqlalchemy import func, select

from ...clock import Clock
from ...store.connect import Database
from ...store.ledger import following
from ...store.ledger.following import Mark, Moved, Spell, Watched
from ...store.ledger.seals import seals
from ...store.ledger.streaming import begun
from ...store.placement import Placement
from ...store.queue import ageing
from ...store.tables import seal
from ...store.work.rows import WorkRows
from ...workflow import Workflow
from ...workflow.surfaces.figure import Figure, spread
from .levels import Level
from .look import Look, label, worked_states

BOUNDS = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 4 * 3600.0, 24 * 3600.0)
"""Seconds; the service levels add their own."""


class History:
    """Keeps the totals between looks; a look that fails changes nothing."""

    def __init__(self, workflows: Mapping[str, Workflow], levels: Sequence[Level]) -> None:
        self.levels = tuple(levels)
        self.bounds = tuple(sorted({*BOUNDS, *(level.within.total_seconds() for level in levels)}))
        timed = [
            (workflow.name, axis, state)
            for workflow in workflows.values()
            for axis in workflow.axes
            for state in worked_states(workflow, axis)
        ]
        self.watched: list[Watched] = list(
            dict.fromkeys([*timed, *((one.kind, one.axis, one.state) for one in levels)])
        )
        self.mark: Mark | None = None
        self.moved: Counter[tuple[str, str, str, str]] = Counter()
        self.refused: Counter[tuple[str, ...]] = Counter()
        self.spells: Counter[tuple[object, ...]] = Counter()
        self.seconds: dict[tuple[object, ...], float] = {}

    def __call__(self, look: Look) -> list[Figure]:
        self.follow(look)
        return [self.moves(), self.refusals(), self.stays(), *self.kept_levels(look), *self.sealed(look)]

    def follow(self, look: Look) -> None:
        """Count what is new; everything is read before anything is added."""
        mark = following.mark(look.tx, self.mark)
        moves, refusals = following.moves(look.tx, self.mark), following.refusals(look.tx, self.mark)
        spells = following.spells(look.tx, self.mark, self.watched, self.bounds)
        for move in moves:
            self.moved[move.kind, move.axis, *ends(move)] += move.number
        for kind, code, verdict, count in refusals:
            self.refused[kind, code, verdict] += count
        for one in spells:
            self._add(one)
        self.mark = mark

    def _add(self, one: Spell) -> None:
        self.spells[one.kind, one.axis, one.scope, one.state, one.to, one.bucket] += one.number
        place = (one.kind, one.axis, one.scope, one.state)
        self.seconds[place] = self.seconds.get(place, 0.0) + one.seconds

    def moves(self) -> Figure:
        figure = Figure(
            "interlock_moves_total",
            "Moves; a first entry has no from, a closing one no to.",
            ("kind", "axis", "from", "to"),
            "counter",
        )
        figure.samples = dict(self.moved.items())
        return figure

    def refusals(self) -> Figure:
        figure = Figure(
            "interlock_refusals_total",
            "Commands and reports that were not applied.",
            ("kind", "code", "verdict"),
            "counter",
        )
        figure.samples = dict(self.refused.items())
        return figure

    def stays(self) -> Figure:
        """How long records were in the states that they left."""
        figure = Figure(
            "interlock_state_seconds",
            "How long records were in a state that waits or runs, told when they left it.",
            ("kind", "axis", "scope", "state"),
            "histogram",
        )
        buckets: dict[tuple[object, ...], list[int]] = {}
        for (kind, axis, scope, state, _, bucket), count in self.spells.items():
            held = buckets.setdefault((kind, axis, scope, state), [0] * (len(self.bounds) + 1))
            held[int(str(bucket))] += count
        for (kind, axis, scope, state), held in buckets.items():
            labels = (str(kind), str(axis), str(scope), label(state))  # type: ignore[arg-type]
            figure.spreads[labels] = spread(self.bounds, held, self.seconds[kind, axis, scope, state])
        return figure

    def kept_levels(self, look: Look) -> list[Figure]:
        """How many records counted for a level, how many of them kept it, and how many are late and still there, in each of its scopes."""
        names = ("level", "kind", "scope")
        events = Figure(
            "interlock_level_events_total",
            "Records that left the state of a service level.",
            names,
            "counter",
        )
        good = Figure("interlock_level_good_total", "Those that left it in time.", names, "counter")
        share = Figure("interlock_level_objective", "The share of them that is to leave in time.", names)
        late = Figure(
            "interlock_level_late",
            "Records that are in the state of a service level for longer than it allows.",
            names,
        )
        for level in self.levels:
            late_now = late_records(look, level)
            for scope in level.scopes:
                place = (level.name, level.kind, scope)
                every, kept = self.kept(level, scope)
                events.put(every, *place)
                good.put(kept, *place)
                share.put(level.share, *place)
                if late_now is not None:
                    late.put(late_now.get(scope, 0), *place)
        return [events, good, share, late]

    def kept(self, level: Level, scope: str) -> tuple[int, int]:
        """Return how many records counted for a level in one scope, and how many of them were in time, since the beginning of history."""
        last = self.bounds.index(level.within.total_seconds())
        every = good = 0
        for (kind, axis, where, state, to, bucket), count in self.spells.items():
            is_of_level = (kind, axis, where, state) == (level.kind, level.axis, scope, level.state)
            if is_of_level and level.counts(to):  # type: ignore[arg-type]
                every += count
                good += count if level.fits(to) and int(str(bucket)) <= last else 0  # type: ignore[arg-type]
        return every, good

    def sealed(self, look: Look) -> list[Figure]:
        """When history was last sealed, and how much of it came since."""
        age = Figure(
            "interlock_ledger_seal_age_seconds",
            "How long ago the last seal was made; there is none before the first.",
        )
        newest = seals.newest(look.tx)
        if newest is not None:
            age.put(look.since(newest.at))
        covered = int(look.tx.execute(select(func.coalesce(func.sum(seal.c.entries), 0))).scalar_one())
        unsealed = Figure(
            "interlock_ledger_unsealed_entries", "Entries of the ledger that no seal covers yet."
        )
        unsealed.put(max(0, sum(self.moved.values()) - covered))
        return [age, unsealed]


def late_records(look: Look, level: Level) -> dict[str, int] | None:
    """By scope, how many records are in the level's state for longer than it allows; None where nothing waits or runs in that state."""
    workflow = look.workflows[level.kind]
    if level.state not in worked_states(workflow, level.axis):
        return None
    place = Placement(workflow, workflow.axes[level.axis], look.database.dialect)
    return ageing.late(look.work, look.tx, place, level.state, look.at - level.within)


def missed_levels(
    database: Database, clock: Clock, workflows: Mapping[str, Workflow], levels: Sequence[Level]
) -> list[str]:
    """A sentence for each level, in each of its scopes, that is not kept over all of history, or that records are late for now."""
    if not levels:
        return []
    sentences = []
    with database.read() as tx:
        work = WorkRows(database, clock)
        look = Look(database, workflows, work, begun(tx), ageing.now(work, tx))
        history = History(workflows, levels)
        history.follow(look)
        for level in levels:
            late_now = late_records(look, level) or {}
            for scope in level.scopes:
                sentences += _missed(level, scope, *history.kept(level, scope), late_now.get(scope, 0))
    return sentences


def _missed(level: Level, scope: str, every: int, kept: int, late: int) -> list[str]:
    where = f"service level {level.name}{f' ({scope})' if scope else ''} of {level.kind}"
    within = f"{level.within.total_seconds():g} s"
    sentences = []
    if every and kept / every < level.share:
        sentences.append(
            f"{where}: {100 * kept / every:.4g} % of {every:,} left {label(level.state)} within {within}; "
            f"promised are {100 * level.share:g} %"
        )
    if late:
        sentences.append(f"{where}: {late:,} are in {label(level.state)} for longer than {within}")
    return sentences


def ends(move: Moved) -> tuple[str, str]:
    return "" if move.first else label(move.old), "" if move.closed else label(move.new)
