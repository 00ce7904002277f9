"""Asks the database when somebody scrapes, keeps the answer for a moment, and gives it to prometheus-client."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from typing import Any

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from ...clock import Clock, monotonic
from ...errors import StoreBusy, StoreError
from ...store.connect import Database
from ...store.ledger.streaming import begun
from ...store.queue import ageing
from ...store.work.rows import WorkRows
from ...workflow import Workflow
from ...workflow.surfaces.figure import Figure
from . import ages as standing
from . import clockwork, flow
from .levels import Level
from .look import Look
from .moves import History

log = logging.getLogger("interlock.metrics")

KEPT_FOR, LONGEST = 1.0, 60.0
"""Seconds that an answer is kept at least and at most; between them twenty times as long as it took, so that watching costs the
database no more than a twentieth of one connection's time."""
COST = 20
PATIENCE = 5.0
Measure = Callable[[Look], list[Figure]]
Facts = Callable[[], Iterable[Figure]]


class Part:
    """Figures that are measured together, with what they cost."""

    def __init__(self, name: str, measure: Measure) -> None:
        self.name, self.measure = name, measure
        self.figures: list[Figure] = []
        self.took, self.until, self.failed = 0.0, 0.0, False

    def ask(self, look: Look, kept_for: float) -> None:
        began = monotonic()
        self.figures = self.measure(look)
        ended = monotonic()
        self.took = ended - began
        self.until = ended + min(LONGEST, max(kept_for, COST * self.took)) if kept_for else 0.0


class Watch(Collector):
    """All figures of one app; one scrape at a time asks, the others are answered from what it found."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        workflows: Mapping[str, Workflow],
        levels: Sequence[Level] = (),
        *,
        kept_for: float = KEPT_FOR,
    ) -> None:
        self.database, self.workflows, self.kept_for = database, workflows, kept_for
        self.work = WorkRows(database, clock)
        self.history = History(workflows, levels)
        self.parts = [
            Part("records", standing.records),
            Part("ages", standing.ages),
            Part("attempts", flow.attempts),
            Part("hands", flow.hands),
            Part("results", flow.results),
            Part("timers", clockwork.timers),
            Part("schedules", clockwork.schedules),
            Part("history", self.history),
        ]
        self.brought = [
            Part(workflow.name, _bring(workflow, workflow.extension.metrics))
            for workflow in workflows.values()
            if workflow.extension.metrics is not None
        ]
        self._asking = threading.Lock()

    def collect(self) -> Iterable[Any]:
        """What prometheus-client calls for every scrape."""
        return map(family, self.figures())

    def figures(self) -> list[Figure]:
        if not self._asking.acquire(timeout=PATIENCE):
            raise StoreBusy(
                "the figures are being counted: the first count after a start walks over the whole history",
                hint="Ask again in a moment.",
            )
        try:
            self._ask()
            parts = [*self.parts, *self.brought]
            return [*(figure for part in parts for figure in part.figures), *costs(parts)]
        finally:
            self._asking.release()

    def _ask(self) -> None:
        now = monotonic()
        due = [part for part in self.parts if part.until <= now]
        if due:
            with self.database.read() as tx:
                look = self._look(tx)
                for part in due:
                    part.ask(look, self.kept_for)
        for part in self.brought:
            if part.until <= now:
                self._ask_brought(part)

    def _look(self, tx: Any) -> Look:
        return Look(self.database, self.workflows, self.work, begun(tx), ageing.now(self.work, tx))

    def _ask_brought(self, part: Part) -> None:
        """What a workflow brings may fail, and takes no other figure along."""
        try:
            with self.database.read() as tx:
                part.ask(self._look(tx), self.kept_for)
            part.failed = False
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 somebody else's code
            log.warning("figures of %s failed: %s: %s", part.name, type(error).__name__, error)
            part.figures, part.failed = [], True


def _bring(workflow: Workflow, make: Callable[[Any, Workflow], Iterable[Any]]) -> Measure:
    return lambda look: list(make(look.tx, workflow))


def costs(parts: Sequence[Part]) -> list[Figure]:
    took = Figure("interlock_metrics_seconds", "How long measuring a part took the last time.", ("part",))
    failed = Figure("interlock_metrics_failed", "1 while a part cannot be measured.", ("part",))
    for part in parts:
        took.put(part.took, part.name)
        failed.put(int(part.failed), part.name)
    return [took, failed]


def family(figure: Figure) -> Any:
    """A figure in prometheus-client's words."""
    if figure.shape == "histogram":
        histogram = HistogramMetricFamily(figure.name, figure.help, labels=figure.labels)
        for labels, spread in figure.spreads.items():
            bounds = [floatToGoString(bound) for bound in (*spread.bounds, inf)]  # type: ignore[no-untyped-call]
            histogram.add_metric(labels, list(zip(bounds, spread.counts, strict=True)), spread.total)
        return histogram
    kind = CounterMetricFamily if figure.shape == "counter" else GaugeMetricFamily
    made = kind(figure.name, figure.help, labels=figure.labels)
    for labels, value in figure.samples.items():
        made.add_metric(labels, value)
    return made


class FactsCollector(Collector):
    """What a process knows of itself."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def collect(self) -> Iterable[Any]:
        return map(family, self.facts())


def registry(watch: Watch, facts: Facts | None = None) -> CollectorRegistry:
    """These figures, and those of the process itself; `facts` are what it knows beside its memory and time."""
    made = CollectorRegistry()
    made.register(watch)
    if facts is not None:
        made.register(FactsCollector(facts))
    own_collectors(made)
    return made


def own_collectors(registry: CollectorRegistry) -> None:
    """Memory, time and garbage of this process."""
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
