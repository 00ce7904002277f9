"""Sixteen processes move one hot record and many others: no lost update, no fork, no gap, and everyone gets an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from time import monotonic

import pytest
from sqlalchemy import text

from interlock import App
from interlock.observe.invariants import check_counters
from tests.concurrency.crowd import together
from tests.concurrency.workers import HOT, KIND, Tally, hammer, open_cycle

PROCESSES = 16
ANSWERS = {"moved", "unchanged", "InvalidStateTransition", "ConcurrentModificationError"}


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with closing(open_cycle(database_url)) as app:
        app.migrate()
        yield app


def populate(app: App, others: int) -> None:
    app.admit(KIND, {"id": HOT})
    for start in range(0, others, 5000):
        app.admit_many(KIND, [{"id": f"r{number}"} for number in range(start, min(start + 5000, others))])


def deadlocks(app: App) -> int:
    if app.database.name == "sqlite":
        return 0
    with app.database.read() as tx:
        return int(
            tx.execute(
                text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
            ).scalar_one()
        )


def versions(app: App) -> dict[str, int]:
    with app.database.read() as tx:
        return {row.id: row.version for row in tx.execute(text(f"SELECT id, version FROM {KIND}"))}


def crowd_moves(app: App, url: str, others: int, rounds: int, batch: int) -> str:
    """Let them loose, then hold the database against what everybody was answered; a line of figures."""
    populate(app, others)
    begun = monotonic()
    tallies: list[Tally] = together(
        hammer, [(url, number, others, rounds, batch) for number in range(PROCESSES)]
    )
    took = monotonic() - begun
    hot = sum((tally.hot for tally in tallies), Counter())
    moved = sum((tally.moved for tally in tallies), Counter())
    outcomes = sum((tally.outcomes for tally in tallies), Counter())
    assert set(hot) <= ANSWERS, hot
    assert hot.total() == PROCESSES * rounds * 3
    assert set(outcomes) <= {"moved", "unchanged", "refused", "conflict"}, outcomes
    assert outcomes.total() == PROCESSES * rounds * min(batch, others)
    assert versions(app) == {
        HOT: hot["moved"],
        **{f"r{number}": moved[f"r{number}"] for number in range(others)},
    }
    report = app.check()
    assert report.findings == []
    assert report.entries == others + 1 + hot["moved"] + moved.total()
    history = app.ledger.history(KIND, HOT)
    assert [move.version for move in history] == list(range(hot["moved"] + 1))
    assert check_counters(app.database, list(app.workflows.values())) == []
    waits = sum(tally.waits for tally in tallies)
    return (
        f"{app.database.name}: {took:.1f} s, {(hot['moved'] + moved.total()) / took:,.0f} moves/s, {waits} waits for another try, "
        f"{deadlocks(app)} deadlocks, hot {dict(hot)}, others {dict(outcomes)}"
    )


def test_no_update_is_lost_and_everyone_is_answered(app: App, database_url: str) -> None:
    crowd_moves(app, database_url, others=2000, rounds=5, batch=40)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_update_is_lost_among_a_hundred_thousand(
    app: App, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = crowd_moves(app, database_url, others=100_000, rounds=30, batch=400)
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201  a soak is read by people
