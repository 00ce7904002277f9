"""A machine loses a state that most records are in, while old and new code run: nobody is stuck, nothing illegal, a killed plan goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from time import monotonic

import pytest

from interlock import App
from interlock.observe.declared.machine_versions import strandings
from interlock.observe.invariants import check_counters, replay
from tests.concurrency.crowd import PATIENCE, start, until_killed
from tests.concurrency.versions import KIND, PLAN, carry_out, keep_moving, open_version

ANSWERS = {"moved", "unchanged", "ILK-203", "ILK-204", "ILK-208"}
CODES = ("old", "new")


def populate(url: str, records: int) -> None:
    """All records are in the state that will be lost."""
    with closing(open_version(url, "old")) as app:
        app.migrate()
        for first in range(0, records, 2000):
            ids = [f"t{number}" for number in range(first, min(first + 2000, records))]
            app.admit_many(KIND, [{"id": id} for id in ids])
            app.move_many(KIND, ids, actor="ann", status="review")


@contextmanager
def both_versions_at_work(url: str, records: int) -> Iterator[tuple[list[Counter[str]], Callable[[], None]]]:
    """A process of each version moves records until the block ends; then what each was answered. Both finish records once the block calls
    what it is given."""
    tallies: list[Counter[str]] = []
    crowd = [start(keep_moving, url, version, records, 20) for version in CODES]

    def finish() -> None:
        for _, connection in crowd:
            connection.send("finish")

    try:
        for _, connection in crowd:
            assert connection.recv() == "ready"
            connection.send("go")
        for _, connection in crowd:
            assert (
                connection.recv() == "moved"
            )  # SQLite's one write lock may be another's for long: nobody goes on before both had it
        yield tallies, finish
        for _, connection in crowd:
            connection.send("stop")
        for _, connection in crowd:
            answer = connection.recv()
            if isinstance(answer, BaseException):
                raise answer
            tallies.append(answer)
    finally:
        for process, connection in crowd:
            connection.close()
            process.kill()
            process.join(PATIENCE)


def plan_until(url: str, chunk: int, killed_after: int | None) -> int:
    """The plan in a process of its own, killed after some chunks or left to end; how many records it moved, as far as it could say."""
    return until_killed(*start(carry_out, url, chunk, killed_after), killed_after)


def lose_a_state(url: str, records: int, chunk: int) -> str:
    populate(url, records)
    with closing(open_version(url, "new")) as app:
        app.migrate()
        begun = monotonic()
        with both_versions_at_work(url, records) as (tallies, finish):
            first = plan_until(url, chunk, killed_after=3)
            assert first > 0
            finish()
            second = plan_until(url, chunk, killed_after=None)
        took = monotonic() - begun
        for tally in tallies:
            assert set(tally) <= ANSWERS, tally
            assert tally["moved"] > 0
        late = app.relocate(
            KIND, PLAN, actor="eve", role="operator"
        )  # old code is gone: what it left behind is moved on
        assert [(one.refusals, one.left) for one in late] == [(0, 0)]
        assert strandings(app.database, app.workflow(KIND)) == []
        app.migrate(contract=True)
        told = history_is_sound(app, records)
        nobody_is_stuck(app, records)
    return (
        f"{app.database.name}: {records:,} records, {first:,} moved before the kill, {second:,} after it, {late[0].moved:,} late ones, "
        f"{told:,} entries by plan, {took:.1f} s; old code {dict(tallies[0])}, new code {dict(tallies[1])}"
    )


def history_is_sound(app: App, records: int) -> int:
    """Every invariant holds, and a plan has written nothing but what it says; how many entries it wrote."""
    workflows = list(app.workflows.values())
    report = app.check()
    assert (report.findings, check_counters(app.database, workflows), replay(app.database, workflows)) == (
        [],
        [],
        [],
    )
    assert report.records == records
    cursor, count, kinds = "0.0", 0, set()
    while page := app.ledger.tail(cursor, limit=5000):
        cursor = str(page[-1][0])
        planned = [move for _, move in page if move.origin == "migration"]
        kinds |= {(move.old, move.new, move.actor, move.role, move.reason, move.cause) for move in planned}
        count += len(planned)
    assert [one[:5] for one in kinds] == [("review", "checking", "eve", "operator", PLAN[0].reason)], (
        "one plan, however often it was begun"
    )
    return count


def nobody_is_stuck(app: App, records: int) -> None:
    """By the new machine alone, every record can be brought to its end."""
    ids = [f"t{number}" for number in range(records)]
    for state in ("checking", "done"):
        app.move_many(KIND, ids, actor="ann", status=state)
    assert app.counts(KIND) == {(KIND, "status", None, "done"): records}
    assert app.check().findings == []


def test_a_state_is_lost_while_both_versions_run(database_url: str) -> None:
    lose_a_state(database_url, records=1000, chunk=40)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_state_of_ten_thousand_records_is_lost_while_both_versions_run(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = lose_a_state(database_url, records=10_000, chunk=500)
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201  a soak is read by people
