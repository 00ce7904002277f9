"""Operations that a dead process left are finished by a service, by exactly one at a time, and only where nobody wants them to rest."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import timedelta
from multiprocessing.connection import Connection
from threading import Barrier, Event
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from interlock import App
from interlock.clock import FrozenClock
from interlock.operations import run as running
from interlock.service.application import build
from interlock.service.connections.taking_over import Takeover
from interlock.service.resources.operations import AT_ONCE, Turns
from tests.acceptance import shop
from tests.acceptance.started import started
from tests.concurrency.crowd import PATIENCE, start
from tests.concurrency.workers import answering
from tests.kinds import domains, open_app
from tests.service.conftest import WIDE
from tests.service.serving import served

RECORDS, CHUNK = 30, 10


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    with closing(open_app(database_url, domains())) as app:
        app.admit_many("domains", [{"id": number} for number in range(1, RECORDS + 1)])
        yield app


@pytest.fixture
def turns() -> Iterator[Turns]:
    made = Turns()
    yield made
    made.close()


def planned(app: App, to: str = "Maybe", **said: Any) -> str:
    return app.operations.create(
        "domains", axis="curation_status", to=to, where={}, actor="ann", reason="to see", **said
    ).id


def left(app: App, **said: Any) -> str:
    """An operation that somebody stopped after its first chunk."""
    id = planned(app, **said)
    app.operations.run(id, chunk=CHUNK, stop=lambda: app.operations.get(id).reached == CHUNK)
    assert app.operations.get(id).stalled
    return id


def moves_of(app: App, id: str) -> Counter[str]:
    asked = text("SELECT record_id FROM interlock_ledger WHERE cause = :cause AND axis = 'curation_status'")
    with app.database.read() as tx:
        return Counter(tx.execute(asked, {"cause": f"operation.{id}"}).scalars())


def finished(address: str, id: str) -> dict[str, Any]:
    """The operation once every record has been moved; the ledger's own stream says when that is."""
    seen = 0
    with httpx.stream("GET", f"{address}/api/v1/live", params={"after": "0.0"}, timeout=60) as stream:
        for line in stream.iter_lines():
            seen += line.startswith("data: {") and json.loads(line[6:]).get("trigger") == f"operation.{id}"
            if seen == RECORDS:
                break
    answer: dict[str, Any] = httpx.get(f"{address}/api/v1/operations/{id}", timeout=30).json()
    return answer


def test_what_was_left_is_taken_and_finished(app: App, turns: Turns) -> None:
    id = left(app)
    assert Takeover(app, turns).look() == [id]
    assert turns.wait()
    assert app.operations.get(id).status == "finished"
    assert moves_of(app, id) == Counter(map(str, range(1, RECORDS + 1)))
    assert app.ledger.history("domains", RECORDS, axis="curation_status")[-1].actor == "ann"


def test_what_somebody_runs_or_wants_to_rest_is_left_alone(app: App, turns: Turns) -> None:
    waiting = planned(app)
    paused = planned(app)
    app.operations.pause(paused)
    ramped = planned(app, ramp=3)
    app.operations.run(ramped)
    held = app.operations.begin(planned(app))
    assert Takeover(app, turns).look() == []
    assert [app.operations.get(id).status for id in (waiting, paused, ramped)] == [
        "planned",
        "paused",
        "paused",
    ]
    assert held.go().status == "finished"


def test_a_pause_that_its_runner_did_not_live_to_see_is_kept(
    app: App, database_url: str, turns: Turns
) -> None:
    id = planned(app)
    app.operations.begin(id)
    assert app.operations.pause(id).pausing
    with closing(
        App([domains()], database=database_url, clock=FrozenClock(app.clock.now() + timedelta(hours=1)))
    ) as later:
        assert Takeover(later, turns).look() == []
        assert (later.operations.get(id).status, later.operations.get(id).pausing) == ("paused", False)
        assert later.operations.resume(id).status == "finished"


def test_of_many_services_that_look_at_once_exactly_one_takes_it(app: App, database_url: str) -> None:
    id = left(app)
    crowd, begin = 6, Barrier(6)
    with ExitStack() as opened, ThreadPoolExecutor(crowd) as threads:
        apps = [opened.enter_context(closing(App([domains()], database=database_url))) for _ in range(crowd)]
        every = [Turns() for _ in apps]

        def look(number: int) -> list[str]:
            begin.wait(PATIENCE)
            return Takeover(apps[number], every[number]).look()

        taken = list(threads.map(look, range(crowd)))
        assert all(one.wait() for one in every)
    assert sorted(taken) == [[]] * (crowd - 1) + [[id]]
    assert set(moves_of(app, id).values()) == {1}
    assert app.operations.get(id).status == "finished"


@pytest.mark.sqlite_only
def test_what_this_app_does_not_know_is_left_to_those_who_do(
    app: App, database_url: str, turns: Turns
) -> None:
    id = left(app)
    with closing(App([shop.alone], database=database_url)) as other:
        assert Takeover(other, turns).look() == []
    assert app.operations.get(id).stalled


@pytest.mark.sqlite_only
def test_no_more_are_taken_than_a_process_runs_at_once(
    app: App, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is taken when there is room again."""
    ids = [left(app, to=to) for to in ("Maybe", "Selected", "Discarded", "Maybe", "New")]
    room, go = Event(), turns.go
    monkeypatch.setattr(turns, "go", lambda run: room.wait(PATIENCE) and go(run))
    takeover = Takeover(app, turns)
    assert takeover.look() == ids[:AT_ONCE]
    room.set()
    assert turns.wait()
    assert takeover.look() == ids[AT_ONCE:]
    assert turns.wait()
    assert {app.operations.get(id).status for id in ids} == {"finished"}


@pytest.mark.sqlite_only
def test_what_came_no_further_rests_until_it_has(
    app: App, turns: Turns, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise an operation that cannot go on would be begun again and again."""
    id = left(app)
    takeover = Takeover(app, turns, every=1000.0)
    with monkeypatch.context() as broken:
        broken.setattr(running.Run, "step", lambda *_, **__: 1 / 0)
        assert takeover.look() == [id]
        assert turns.wait()
    assert "ZeroDivisionError" in caplog.text
    assert (app.operations.get(id).stalled, takeover.look()) == (True, [])
    app.operations.run(id, chunk=CHUNK, stop=lambda: app.operations.get(id).reached == 2 * CHUNK)
    assert takeover.look() == [id]
    assert turns.wait()
    assert app.operations.get(id).status == "finished"


@answering
def run_and_die(connection: Connection, url: str, id: str) -> None:
    """Run the operation and be killed between two chunks, with the lease still held."""
    with closing(App([domains()], database=url)) as app:
        app.operations.lease = timedelta(milliseconds=300)
        app.operations.run(id, chunk=CHUNK, tell=lambda one: os.kill(os.getpid(), signal.SIGKILL))


def killed_while_running(url: str, id: str) -> None:
    process, connection = start(run_and_die, url, id)
    with closing(connection):
        process.join(PATIENCE)
        assert process.exitcode == -signal.SIGKILL


def test_two_services_go_on_with_what_a_killed_process_left_and_move_each_record_once(
    app: App, database_url: str
) -> None:
    id = planned(app)
    killed_while_running(database_url, id)
    assert (app.operations.get(id).status, app.operations.get(id).reached) == ("running", CHUNK)
    hour_later = FrozenClock(app.clock.now() + timedelta(hours=1))
    with ExitStack() as opened:
        apps = [
            opened.enter_context(closing(App([domains()], database=database_url, clock=hour_later)))
            for _ in range(2)
        ]
        addresses = [opened.enter_context(served(build(one, limits=WIDE))) for one in apps]
        assert finished(addresses[0], id)["outcomes"]["moved"] == RECORDS
    assert app.operations.get(id).status == "finished"
    assert moves_of(app, id) == Counter(map(str, range(1, RECORDS + 1)))
    assert app.check().findings == []


def test_a_service_that_is_started_goes_on_with_what_a_killed_process_left(
    app: App, database_url: str
) -> None:
    shop.make_app(database_url).close()
    id = planned(app)
    killed_while_running(database_url, id)
    command = [
        sys.executable,
        "-m",
        "interlock",
        "--app",
        "tests.acceptance.shop:workflows",
        "--database",
        database_url,
        "serve",
        "--port",
        "0",
    ]
    with started(command, {**os.environ, "NO_COLOR": "1"}) as running:
        done = finished(running.line(r"http://127\.0\.0\.1:\d+")[0], id)
        assert (done["status"], done["outcomes"]["moved"], done["actor"]) == ("finished", RECORDS, "ann")
    assert set(moves_of(app, id).values()) == {1}
