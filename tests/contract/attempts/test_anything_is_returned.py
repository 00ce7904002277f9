"""Whatever a stage, an isolated process, a gate or a child record is made of: the row is answered with a code, and its neighbours move."""

from __future__ import annotations

import itertools
import json
import string
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from sqlalchemy import JSON, Boolean, Column, Date, Integer, MetaData, Numeric, String, Table, Text

from interlock import Again, Axis, Done, Failed, Found, Outcome, Work, Workflow
from interlock.clock import SystemClock
from interlock.runner.executors.executor import MixedExecutor
from interlock.runner.executors.tasks import Cancelled, Task
from interlock.testing import Sandbox
from tests.contract.attempts.test_intake import pages
from tests.contract.executing import LONG
from tests.contract.working import JOB

RETURNS: dict[str, Any] = {}
"""What the stage returns, by record."""
BOUNDED = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


class Evil:
    """Raises at every look."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    __str__ = __len__ = __iter__ = __bool__ = __repr__  # type: ignore[assignment]


class EvilDone(Done[Any]):
    __slots__ = ()

    @property
    def facts(self) -> Any:  # type: ignore[override]
        raise RuntimeError("facts")

    @facts.setter
    def facts(self, value: Any) -> None:
        pass


def spun() -> Any:
    made: dict[str, Any] = {}
    made["self"] = made
    return made


ODD = ["\ud800", "\0", "x" * 70_000, "2026-01-01", "1e400", "NaN", "", "50%", "ü"]
TEXTS = some.one_of(some.text(max_size=30), some.sampled_from(ODD))
SCALARS = some.one_of(
    some.none(),
    some.booleans(),
    some.integers(),
    some.floats(),
    TEXTS,
    some.binary(max_size=5),
    some.decimals(),
    some.dates(),
    some.datetimes(),
    some.uuids(),
    some.timedeltas(),
    some.builds(object),
    some.builds(Evil),
    some.builds(spun),
    some.builds(lambda: 10**6000),
    some.complex_numbers(),
    some.sampled_from([Done, Failed, len]),
)
VALUES = some.recursive(
    SCALARS,
    lambda inner: some.one_of(
        some.lists(inner, max_size=3),
        some.dictionaries(some.one_of(TEXTS, some.integers()), inner, max_size=3),
        some.sets(some.integers()),
    ),
    max_leaves=5,
)
COLUMNS = [
    "title",
    "size",
    "ok",
    "day",
    "price",
    "data",
    "status",
    "version",
    "id",
    "head",
    "error_code",
    "interlock_gates",
]
NAMES = some.one_of(some.sampled_from(COLUMNS), some.text(string.ascii_letters, min_size=1, max_size=5))
FACTS = some.dictionaries(
    NAMES.filter(lambda name: name not in ("final", "pause", "empty", "admits")), VALUES, max_size=3
)


def with_facts(outcome: Any, facts: Any) -> Any:
    outcome.facts = facts
    return outcome


def admitted(rows: Any, kind: Any, actor: Any) -> Done[Any]:
    return Done(admits={kind: rows if actor is None else Found(rows, actor=actor)})


PAGE = some.sampled_from(["url", "job", "price", "seen_at", "batch", "id", "status"])
ROWS = some.one_of(
    VALUES, some.lists(some.one_of(some.dictionaries(PAGE, VALUES, max_size=3), VALUES), max_size=4)
)
OUTCOMES = some.one_of(
    VALUES,
    some.builds(with_facts, some.builds(Done), some.one_of(FACTS, VALUES)),
    some.builds(lambda facts: Done("r", **facts), FACTS),
    some.builds(lambda facts: Done(empty=True, **facts), FACTS),
    some.builds(EvilDone),
    some.builds(
        lambda code, message, facts, final: with_facts(Failed(code, message, final=final), facts),
        VALUES,
        VALUES,
        FACTS,
        VALUES,
    ),
    some.builds(Failed, some.just("CANCELLED")),
    some.builds(admitted, ROWS, some.sampled_from(["pages", "nobody", 7]), some.one_of(some.none(), VALUES)),
    some.builds(Again, some.sampled_from(["1s", "99999999999999w"])),
)


def behave(work: Work) -> Any:
    returned = RETURNS[work.id] if work.id in RETURNS else Done("fine", title="fine")
    if isinstance(returned, type) and issubclass(returned, BaseException):
        raise returned
    return returned


def anything(**stage: Any) -> Workflow:
    table = Table(
        "jobs",
        MetaData(),
        Column("id", String(40), primary_key=True),
        Column("title", String(20)),
        Column("size", Integer),
        Column("ok", Boolean),
        Column("day", Date),
        Column("price", Numeric(8, 2)),
        Column("data", JSON),
    )
    workflow = Workflow("jobs", noun="job", records=table, axes=[Axis("status", JOB)])
    Table("saved", table.metadata, Column("number", Integer, primary_key=True), Column("job", Text))

    @workflow.stage(waiting="waiting", running="running", done="done", failed="failed", **stage)
    def work(given: Work) -> Outcome[Any]:
        return behave(given)  # type: ignore[no-any-return]

    return workflow


def gated() -> Workflow:
    table = Table(
        "gated", MetaData(), Column("id", String(40), primary_key=True), Column("title", String(20))
    )
    workflow = Workflow("gated", records=table, axes=[Axis("status", JOB)])
    workflow.stage(waiting="waiting", running="running", done="done", failed="failed")(work)
    workflow.gate("done")(behave)
    return workflow


def work(given: Work) -> Outcome[Any]:
    return Done(title="fine")


class Boxes:
    """A sandbox, and another one before its time runs too far ahead of the real one: guards refuse instants that lie far off."""

    def __init__(self) -> None:
        self.opened: list[Sandbox] = []

    def current(self) -> Sandbox:
        if not self.opened or self.opened[-1].time.now().year > SystemClock().now().year + 3:
            self.opened.append(Sandbox([anything(), pages(), gated()]))
        return self.opened[-1]


@pytest.fixture(scope="module")
def boxes() -> Iterator[Boxes]:
    made = Boxes()
    yield made
    for box in made.opened:
        box.close()


NUMBERS = itertools.count(1)


@BOUNDED
@given(returned=OUTCOMES)
@pytest.mark.sqlite_only
@pytest.mark.parametrize("kind", ["jobs", "gated"])
def test_whatever_a_stage_or_gate_returns_its_row_is_answered_and_its_neighbours_move(
    boxes: Boxes, kind: str, returned: Any
) -> None:
    box, number = boxes.current(), next(NUMBERS)
    before, bad, after = (f"{name}{number}" for name in ("a", "bad", "z"))
    RETURNS[bad] = returned
    box.admit_many(kind, [{"id": id} for id in (before, bad, after)])
    box.drain()
    box.advance("366d")
    RETURNS[bad] = Done()  # where it asked for time
    box.drain()
    row = box.get(kind, bad)
    assert row["status"] in ("done", "failed")
    assert row["status"] == "done" or row["error_code"]
    assert [(box.get(kind, id)["status"], box.get(kind, id)["title"]) for id in (before, after)] == [
        ("done", "fine")
    ] * 2
    last = box.ledger.history(kind, bad)[-1]
    assert last.new == row["status"]
    json.dumps(dict(last.facts)).encode()


@settings(BOUNDED, max_examples=9)
@given(returned=some.lists(OUTCOMES, min_size=8, max_size=8))
@pytest.mark.sqlite_only
def test_whatever_an_isolated_process_returns_the_runner_gets_an_outcome(returned: list[Any]) -> None:
    """Several at once: the executor is forked anew for each example, since only a fork knows what it will return."""
    RETURNS.clear()
    RETURNS.update({f"bad{number}": one for number, one in enumerate(returned)})
    ids = [id for bad in RETURNS for id in (bad, bad.replace("bad", "good"))]
    workflow = anything(isolate=True, timeout="20s")
    executor = MixedExecutor(1, SystemClock(), workflows=[workflow])
    found: dict[str, Any] = {}
    try:
        for id in ids:
            executor.submit(Task(id, workflow.stages["work"], Work(id), kind="jobs"))
            while id not in found:
                finished = executor.collect(LONG)
                assert finished
                found |= {one.task.token: one.outcome for one in finished}
    finally:
        executor.close(0)
        RETURNS.clear()
    for id in ids:
        assert isinstance(found[id], Done if id.startswith("good") else Done | Failed | Again), id
        assert not isinstance(found[id], Cancelled), id
