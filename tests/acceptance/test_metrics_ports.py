"""Coordinators and runners tell Prometheus their figures on a port of their own, and speak of themselves when the database does not."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from interlock import App, Axis, Done, Machine, Work, Workflow
from interlock.observe.metrics.collector import Watch
from interlock.observe.metrics.exposing import exposed
from interlock.serving import Serving
from tests.acceptance.conftest import Run
from tests.acceptance.started import started
from tests.acceptance.upped import up
from tests.kinds import open_app, plain, uploads
from tests.servers.logins import Logins

FLAGS = ("--app", "tests.acceptance.shop:workflows", "--database")


def told(address: str) -> dict[tuple[str, str], float]:
    """Samples by name and by role or state, as Prometheus would read them."""
    answer = httpx.get(address, timeout=30)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "text/plain")
    return {
        (one.name, one.labels.get("role") or one.labels.get("state", "")): one.value
        for family in text_string_to_metric_families(answer.text)
        for one in family.samples
    }


def told_by_a_loop(address: str) -> dict[tuple[str, str], float]:
    """The figures once its first step has ended; a scrape may be faster than that."""
    while True:
        found = told(address)
        if any(name == "interlock_process_steps_total" and value for (name, _), value in found.items()):
            return found


@contextmanager
def process(*words: str) -> Iterator[str]:
    """The address of the figures of a process, which ends in good order."""
    command = [sys.executable, "-m", "interlock", *words, "--metrics-port", "0", "--quiet"]
    with started(command, {**os.environ, "NO_COLOR": "1"}) as running:
        yield running.line(r"figures +(http://127\.0\.0\.1:\d+/metrics)")[1]
    assert running.process.returncode == 0


def watch(app: App) -> Watch:
    return Watch(app.database, app.clock, app.workflows, kept_for=0.0)


def test_a_coordinator_tells_what_the_database_says_and_that_it_steps(app: App, database_url: str) -> None:
    app.admit("statements", {"id": "u1"})
    with process(*FLAGS, database_url, "coordinator") as address:
        first = told_by_a_loop(address)
        assert first["interlock_metrics_answered", ""] == 1
        assert (
            first["interlock_records", "queued_for_parse"] + first.get(("interlock_records", "parsing"), 0)
            == 1
        )
        assert first["interlock_process_last_step_seconds", "coordinator"] < 30
        assert ("interlock_process_slots", "coordinator") not in first
        assert ("process_resident_memory_bytes", "") in first


@pytest.mark.sqlite_only
def test_a_runner_tells_its_slots(app: App, database_url: str) -> None:
    with process(*FLAGS, database_url, "runner", "--concurrency", "7") as address:
        found = told(address)
    assert (found["interlock_process_slots", "runner"], found["interlock_process_busy_slots", "runner"]) == (
        7,
        0,
    )
    assert (
        found["interlock_process_held_attempts", "runner"],
        found["interlock_process_unreported", "runner"],
    ) == (0, 0)


def test_what_is_held_and_busy_is_counted_while_work_runs(database_url: str) -> None:
    workflow = plain(Machine("job", initial="new", moves={"new": ["busy"], "busy": ["done"]}))
    begun, may_end = threading.Event(), threading.Event()

    @workflow.stage(waiting="new", running="busy", done="done")
    def work(work: Work) -> Done[None]:
        begun.set()
        assert may_end.wait(60)
        return Done()

    app = open_app(database_url, workflow)
    serving = Serving(app, concurrency=2)
    thread = threading.Thread(target=serving.run)
    with exposed(watch(app), serving.figures, "127.0.0.1", 0) as address:
        before = told(address)
        assert (
            before["interlock_process_steps_total", "both"],
            before["interlock_process_busy_slots", "both"],
        ) == (0, 0)
        assert (
            0 <= before["interlock_process_last_step_seconds", "both"] < 60
        )  # since it began, before the first step
        thread.start()
        try:
            app.admit("things", {"id": "a"})
            assert begun.wait(60)
            at_work = told(address)
        finally:
            may_end.set()
            serving.stop()
            thread.join(60)
        assert (
            at_work["interlock_process_busy_slots", "both"],
            at_work["interlock_process_slots", "both"],
        ) == (1, 2)
        assert at_work["interlock_process_held_attempts", "both"] == 1
        assert at_work["interlock_process_steps_total", "both"] > 0
        assert at_work["interlock_process_last_step_seconds", "both"] < 60
        assert at_work["interlock_process_work_total", "both"] > 0
        assert at_work["interlock_records", "busy"] == 1
    app.close()


@pytest.mark.sqlite_only
def test_a_process_speaks_of_itself_while_the_database_is_away(app: App) -> None:
    serving = Serving(app, runs=False)
    with exposed(watch(app), serving.figures, "127.0.0.1", 0) as address:
        app.database.close()
        found = told(address)
    assert found["interlock_metrics_answered", ""] == 0
    assert found["interlock_process_steps_total", "coordinator"] == 0
    assert not any(name == "interlock_records" for name, _ in found)


def test_a_runner_with_no_more_than_its_own_rights_tells_what_it_may_know(
    coordinator_url: str, postgres_url: str, logins: Logins
) -> None:
    open_app(coordinator_url, uploads()).close()
    app = App([uploads()], database=logins.url(postgres_url, "runner"))
    looks: list[Any] = []
    looking = watch(app)
    ask = looking.figures
    looking.figures = lambda: (looks.append(1), ask())[1]  # type: ignore[method-assign]
    serving = Serving(app, coordinates=False, concurrency=3)
    with exposed(looking, serving.figures, "127.0.0.1", 0) as address:
        found = [told(address) for _ in range(3)]
    assert {
        (one["interlock_metrics_answered", ""], one["interlock_process_slots", "runner"]) for one in found
    } == {(0, 3)}
    assert len(looks) == 1, "what may not be asked is not asked at every scrape"
    serving.executor.close(0.0)  # type: ignore[union-attr]
    app.close()


@pytest.mark.sqlite_only
def test_everything_in_one_process_tells_its_own_figures_with_those_of_its_api(tmp_path: Path) -> None:
    with up(tmp_path / "data", "--concurrency", "3") as running:
        found = told_by_a_loop(f"{running.url}/metrics")
    assert (found["interlock_process_slots", "both"], found["interlock_process_busy_slots", "both"]) == (3, 0)
    assert found["interlock_process_last_step_seconds", "both"] < 30
    assert ("interlock_stuck", "") in found
    assert ("process_resident_memory_bytes", "") in found


@pytest.mark.sqlite_only
@pytest.mark.parametrize("role", ["coordinator", "runner"])
def test_a_process_that_is_stopped_as_soon_as_it_names_its_figures_ends_in_good_order(
    role: str, app: App, shop_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "interlock.cli.processes.exposing.note", lambda _: os.kill(os.getpid(), signal.SIGINT)
    )
    assert shop_run(role, "--metrics-port", "0").exit_code == 0
    assert app.runners() == []


@pytest.mark.sqlite_only
def test_a_port_that_is_taken_is_said(app: App, shop_run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = shop_run("coordinator", "--metrics-port", str(taken.getsockname()[1]))
    assert (refused.exit_code, "--metrics-port" in refused.stderr) == (2, True)


@pytest.mark.sqlite_only
def test_nothing_is_served_unless_asked_for(sqlite_url: str) -> None:
    table = Machine("job", initial="new", moves={"new": ["done"]})
    app = open_app(sqlite_url, Workflow("jobs", records=plain(table).records, axes=[Axis("status", table)]))
    before = threading.active_count()
    Serving(app, runs=False)
    assert threading.active_count() == before
    app.close()


@pytest.mark.sqlite_only
@pytest.mark.parametrize("sent", [b"", b"GET /metr"], ids=["nothing", "half a head"])
def test_a_scraper_that_stops_in_the_midst_of_its_request_is_ended(
    sent: bytes, app: App, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("interlock.observe.metrics.exposing.SLOW_SECONDS", 0.3)
    with exposed(watch(app), list, "127.0.0.1", 0) as address:
        port = int(address.rpartition(":")[2].partition("/")[0])
        with socket.create_connection(("127.0.0.1", port), timeout=30) as sending:
            sending.sendall(sent)
            assert sending.recv(100) == b""
        assert httpx.get(address, timeout=30).status_code == 200
    assert "Traceback" not in capfd.readouterr().err
