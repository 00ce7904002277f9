"""A runner process needs only the runner's database role: the whole walk is made with it, and it can do nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, text

from interlock import App, Axis, Done, Machine, Outcome, Work, Workflow
from interlock.clock import FrozenClock
from interlock.coordinator import Coordinator
from interlock.errors import InterlockError
from interlock.runner.executors.inline import InlineExecutor
from interlock.runner.runner import Runner
from tests.contract.hand import Hand
from tests.contract.worked import said_of, work_rows
from tests.contract.working import JOB, broken
from tests.servers.logins import Logins

SPAN = {"retry": ["1m"], "retry_in": "running"}


def found_pages() -> Workflow:
    table = Table("pages", MetaData(), Column("id", Integer, primary_key=True), Column("url", String(40)))
    machine = Machine("page", initial="new", states=["new", "old"])
    return Workflow("pages", records=table, unique=[table.c.url], axes=[Axis("status", machine)])


def saving_jobs() -> Workflow:
    """A stage that loads, saves, finds records, fails once, and is rechecked: everything a runner does."""
    metadata = MetaData()
    table = Table("jobs", metadata, Column("id", String(40), primary_key=True), Column("title", String(40)))
    results = Table(
        "results",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("job", String(40)),
        Column("attempt", Integer),
    )
    workflow = Workflow("jobs", noun="job", records=table, axes=[Axis("status", JOB)], tables=[results])

    @workflow.stage(
        waiting="waiting", running="running", done="done", failed="failed", deadline="10m", **SPAN
    )
    def work(given: Work, loaded: int) -> Outcome[Any]:
        if given.id == "flaky" and given.attempt == 1:
            return broken()
        return Done(["r"], admits={"pages": [{"url": f"u-{given.id}"}]}, title=f"{loaded} saved")

    @work.load
    def count(tx: Connection, given: Work) -> int:
        return int(tx.execute(text("SELECT count(*) FROM results")).scalar_one())

    @work.save
    def keep(tx: Connection, given: Work, rows: list[str]) -> None:
        tx.execute(results.insert(), [{"job": given.id, "attempt": given.attempt} for _ in rows])

    @work.recheck
    def look(tx: Connection, given: Work) -> Outcome[Any] | None:
        return Done(title="found done")

    return workflow


def gated_items() -> Workflow:
    """A stage without a running state, behind a gate."""
    table = Table("items", MetaData(), Column("id", String(40), primary_key=True))
    machine = Machine("item", initial="draft", moves={"draft": ["valid"]})
    workflow = Workflow("items", noun="item", records=table, axes=[Axis("status", machine)])
    workflow.gate("valid")(allowed)
    workflow.stage(waiting="draft", done="valid")(validate)
    return workflow


def allowed(given: Work) -> Outcome[Any]:
    return Done()


def validate(given: Work) -> Outcome[Any]:
    return Done()


@dataclass
class Cast:
    """A coordinator and a runner, each logged in with its own role."""

    app: App
    clock: FrozenClock
    coordinator: Coordinator
    runner: Runner

    def drain(self) -> None:
        while self.runner.step() + self.coordinator.step():
            pass


@pytest.fixture
def cast(postgres_url: str, logins: Logins) -> Iterator[Cast]:
    workflows = [saving_jobs(), found_pages(), gated_items()]
    clock = FrozenClock()
    logins.prepare(postgres_url, workflows, clock)
    coordinating = App(workflows, database=logins.url(postgres_url, "coordinator"), clock=clock)
    running = App(workflows, database=logins.url(postgres_url, "runner"), clock=clock)
    running.ready()
    runner = running.runner(
        InlineExecutor(clock, capacity=100), capacity=100, ticks=lambda: clock.now().timestamp()
    )
    yield Cast(coordinating, clock, coordinating.coordinator(), runner)
    running.close()
    coordinating.close()


def test_the_whole_walk_needs_no_more_than_the_two_roles(cast: Cast) -> None:
    cast.app.admit_many("jobs", [{"id": "a"}, {"id": "flaky"}])
    cast.app.admit("items", {"id": "i"})
    cast.drain()
    assert cast.app.get("items", "i")["status"] == "valid"
    assert [cast.app.get("jobs", id)["status"] for id in ("a", "flaky")] == ["done", "running"]
    cast.clock.sleep(70)
    cast.drain()
    assert cast.app.get("jobs", "flaky")["status"] == "done"
    assert sorted(cast.app.get("pages", id)["url"] for id in (1, 2)) == ["u-a", "u-flaky"]
    assert work_rows(cast.app) == []
    assert cast.app.check().findings == []


def test_a_late_result_and_a_repeated_one_are_recorded_with_the_runners_role(cast: Cast) -> None:
    cast.app.admit("jobs", {"id": "a"})
    cast.runner.renew()
    cast.coordinator.step()
    cast.runner.claim()
    cast.runner.gather(0.0)
    (result,) = cast.runner.results
    cast.runner.report()
    for _ in range(2):
        cast.runner.results.append(result)
        cast.runner.report()
        cast.coordinator.step()
    assert [verdict for verdict, _ in said_of(cast.app, "a")] == ["duplicate", "duplicate"]
    assert cast.app.get("jobs", "a")["status"] == "done"


def test_a_runner_answers_rechecks_and_gives_back_with_its_own_role(cast: Cast) -> None:
    cast.app.admit_many("jobs", [{"id": "a"}, {"id": "b"}])
    cast.runner.renew()
    cast.coordinator.step()
    work = cast.runner.work
    with cast.runner.database.write() as tx:
        first, second = work.claim(tx, cast.runner.id, ["jobs.work"], 2, cast.runner.lease)
        work.give_back(tx, cast.runner.id, [second.token])
    cast.clock.sleep(700)
    with cast.runner.database.write() as tx:
        work.beat(tx, cast.runner.id, ["jobs.work"], cast.runner.lease)
    cast.coordinator.sweep()
    assert cast.runner.rechecker.step() == 1
    cast.coordinator.step()
    assert (first.record_id, cast.app.get("jobs", first.record_id)["title"]) == ("a", "found done")
    cast.runner.stop(0.0)
    assert cast.app.runners() == []


def test_a_claim_in_the_name_of_another_runner_stops_neither_its_beats_nor_its_work(
    cast: Cast, postgres_url: str, logins: Logins
) -> None:
    cast.app.admit_many("jobs", [{"id": "a"}, {"id": "b"}])
    cast.runner.renew()
    cast.coordinator.step()
    eve = Hand(logins.url(postgres_url, "other_runner"))
    named = f"claimed_by = '{cast.runner.id}', claimed_at = available_at, lease_until = available_at, login = session_user"
    assert eve.run(f"UPDATE interlock_work SET {named} WHERE record_id = 'b'") == 1
    eve.close()
    cast.runner.claim()
    cast.clock.sleep(5)
    cast.runner.renew()
    cast.runner.gather(0.0)
    cast.runner.report()
    cast.coordinator.step()
    assert cast.app.get("jobs", "a")["status"] == "done"
    cast.runner.stop(0.0)
    assert cast.app.runners() == []


def test_a_runner_may_not_ask_about_an_attempt_and_then_answer_for_it(
    cast: Cast, postgres_url: str, logins: Logins
) -> None:
    cast.app.admit("jobs", {"id": "a"})
    cast.runner.renew()
    cast.coordinator.step()
    cast.runner.claim()
    eve = Hand(logins.url(postgres_url, "other_runner"))
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        eve.run("UPDATE interlock_work SET recheck_at = now()")
    eve.connection.rollback()
    eve.close()
    typed = Hand(postgres_url)  # a database whose roles were made before: the guard asks too
    typed.run(f"GRANT UPDATE (recheck_at) ON interlock_work TO {logins.group('runner')}")
    again = Hand(logins.url(postgres_url, "other_runner"))
    with pytest.raises(psycopg.Error, match="ILK-213"):
        again.run("UPDATE interlock_work SET recheck_at = now()")
    again.connection.rollback()
    again.close()
    typed.close()
    assert [(row["recheck_at"], row["reported_at"]) for row in work_rows(cast.app)] == [(None, None)]


@pytest.mark.parametrize(
    "forbidden",
    [
        "UPDATE jobs SET status = 'done' WHERE id = 'a'",
        "UPDATE jobs SET title = 'mine'",
        "DELETE FROM jobs",
        "INSERT INTO jobs(id) VALUES ('b')",
        "INSERT INTO interlock_ledger(kind) VALUES ('jobs')",
        "DELETE FROM interlock_work",
        "UPDATE interlock_work SET attempt = 9",
        "UPDATE interlock_work SET token = 'x'",
        "UPDATE interlock_stage SET paused = 0",
        "SELECT reason FROM interlock_detail",
        "INSERT INTO interlock_gate_verdict(kind) VALUES ('jobs')",
        "SELECT * FROM interlock_intake",
        "SELECT digest FROM interlock_key",
    ],
)
def test_a_runner_cannot_do_what_is_not_its_own(forbidden: str, cast: Cast) -> None:
    cast.app.admit("jobs", {"id": "a"})
    with pytest.raises(InterlockError, match="permission denied"), cast.runner.database.write() as tx:
        tx.exec_driver_sql(forbidden)
