"""What every transport must do: carry hints that may be lost, repeated or late, and never be needed."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from sqlalchemy.engine import make_url

from interlock import App
from interlock.serving import Serving
from interlock.testing import Sandbox
from interlock.transport import DatabaseTransport, Topic, Transport
from interlock.transport.contract import Listener
from tests.contract.carriers import CARRIERS, Carrier, opened
from tests.contract.working import LEASE, admit, another_runner, claim, dispatch, jobs

LONG, SHORT = 20.0, 0.01
"""Seconds: nobody waits the long ones, for a hint ends them; the short ones pass when none comes."""


@pytest.fixture(params=CARRIERS)
def carrier(request: pytest.FixtureRequest) -> Iterator[Carrier]:
    made = opened(request, request.param)
    yield made
    made.close()


@pytest.fixture(params=[name for name, (_, _, hears) in CARRIERS.items() if hears])
def hearing(request: pytest.FixtureRequest) -> Iterator[Carrier]:
    """Where hints arrive at all: through a pooler only polling is left."""
    made = opened(request, request.param)
    yield made
    made.close()


@pytest.fixture
def both(hearing: Carrier) -> tuple[App, Transport]:
    app = hearing.app()
    return app, hearing.transport(app)


def quiet(listener: Listener) -> bool:
    """Whether waits end without a hint after a few that may still be under way: repetitions are allowed, for ever they are not."""
    return any(not listener.wait(SHORT) for _ in range(20))


def test_a_hint_ends_a_wait(hearing: Carrier, both: tuple[App, Transport]) -> None:
    app, transport = both
    listener = transport.listen("work")
    waiting = threading.Event()
    answers: list[bool] = []

    def wait() -> None:
        waiting.set()
        answers.append(listener.wait(LONG))

    thread = threading.Thread(target=wait)
    thread.start()
    waiting.wait(LONG)
    hearing.hint(app, transport, "work")
    thread.join(LONG)
    assert answers == [True]
    listener.close()


def test_hints_that_came_while_nobody_waited_count_and_many_are_as_good_as_one(
    hearing: Carrier, both: tuple[App, Transport]
) -> None:
    app, transport = both
    listener = transport.listen("work")
    hearing.hint(app, transport, "work", times=50)
    assert listener.wait(LONG)
    listener.acknowledge()
    assert quiet(listener)
    listener.close()


def test_a_hint_of_another_process_arrives(hearing: Carrier, both: tuple[App, Transport]) -> None:
    listener = both[1].listen("work")
    assert quiet(listener)
    other = hearing.app()
    hearing.hint(other, hearing.transport(other), "work")
    assert listener.wait(LONG)
    listener.close()


def test_topics_are_apart(hearing: Carrier, both: tuple[App, Transport]) -> None:
    app, transport = both
    work, report = transport.listen("work"), transport.listen("report")
    hearing.hint(app, transport, "report", written=False)
    assert not work.wait(SHORT)
    assert report.wait(LONG)
    work.close()
    report.close()


def test_nobody_takes_anothers_hint(hearing: Carrier, both: tuple[App, Transport]) -> None:
    app, transport = both
    listeners = [transport.listen("work") for _ in range(3)]
    hearing.hint(app, transport, "work")
    assert [listener.wait(LONG) for listener in listeners] == [True, True, True]
    for listener in listeners:
        listener.close()


def test_a_hint_whose_transaction_is_rolled_back_never_arrives(
    hearing: Carrier, both: tuple[App, Transport]
) -> None:
    app, transport = both
    listener = transport.listen("work")
    assert quiet(listener)
    with app.database.write() as tx:
        transport.within(tx, "work")
        tx.rollback()
    assert not listener.wait(SHORT)
    listener.close()


@pytest.mark.parametrize("topic", ["work", "report"])
def test_a_wait_without_a_hint_ends_with_its_time_and_a_wake_ends_it_at_once(
    topic: Topic, carrier: Carrier
) -> None:
    listener = carrier.transport().listen(topic)
    assert quiet(listener)
    waker = threading.Thread(target=listener.wake)
    waker.start()
    assert listener.wait(LONG)
    waker.join(LONG)
    for _ in range(100_000):
        listener.wake()  # however many: nobody is kept waiting by them
    assert listener.wait(LONG)
    assert quiet(listener)
    listener.close()
    listener.wake()  # a signal handler may come late


def test_a_signal_may_wake_the_very_thread_that_it_interrupts(carrier: Carrier) -> None:
    """As Ctrl-C does, at any instant of a wait: whoever handles it must not wait for what its own thread holds."""
    listener = carrier.transport().listen("report")
    woken = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: (woken.append(number), listener.wake()))
    signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
    try:
        while len(woken) < 3000:
            listener.wait(0.0005)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    listener.close()


def test_a_lost_connection_is_made_anew(
    postgres_url: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interlock.store.postgresql.hints.TRY_AGAIN", 0.0)
    carrier = opened(request, "database on postgresql")
    app = carrier.app()
    transport = carrier.transport(app)
    listener: Any = transport.listen("work")
    address = make_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as killer:
        killer.execute("SELECT pg_terminate_backend(%s)", (listener._connection.info.backend_pid,))
    assert listener.wait(LONG)  # the end of a connection is as good as a hint: who wakes looks
    assert quiet(listener)
    carrier.hint(app, transport, "work")
    assert listener.wait(LONG)
    listener.close()
    carrier.close()


def test_whoever_cannot_listen_does_not_knock_at_every_wait(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    carrier = opened(request, "database through pgbouncer")
    transport = carrier.transport()
    listener = transport.listen("work")
    knocked: list[int] = []
    monkeypatch.setattr(psycopg, "connect", lambda *_, **__: knocked.append(1))
    for _ in range(20):
        assert not listener.wait(0.0)
    assert knocked == []
    listener.close()
    carrier.close()


def test_a_direct_address_lets_somebody_behind_a_pooler_hear(
    postgres_url: str, request: pytest.FixtureRequest
) -> None:
    carrier = opened(request, "database through pgbouncer")
    app = carrier.app()
    transport = DatabaseTransport(app.database, postgres_url)
    listener = transport.listen("work")
    carrier.hint(app, transport, "work")
    assert listener.wait(LONG)
    listener.close()
    carrier.close()


def test_work_is_done_whether_hints_arrive_or_not(carrier: Carrier) -> None:
    """A coordinator and a runner, each in a loop of its own: nothing but polling is left through a pooler."""
    seen = threading.Event()
    app = carrier.app(lambda workflow: workflow.on_move("done")(lambda tx, moves: seen.set()))
    serving = Serving(app, concurrency=2)
    thread = threading.Thread(target=serving.run)
    thread.start()
    app.admit("jobs", {"id": "a"})
    assert seen.wait(LONG)
    serving.stop()
    thread.join(LONG)
    assert not thread.is_alive()
    assert app.get("jobs", "a")["status"] == "done"


class Ledgered:
    """A transport that remembers what was hinted, and that loses everything."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    def within(self, tx: Any, topic: Topic, stages: Any = ()) -> None:
        self.said.append(("within", topic))

    def after(self, topic: Topic, stages: Any = ()) -> None:
        self.said.append(("after", topic))

    def listen(self, topic: Topic, stages: Any = ()) -> Any:
        raise AssertionError("nobody listens here")

    def close(self) -> None:
        pass


def test_every_hint_within_a_transaction_is_followed_by_one_after_it(sqlite_url: str) -> None:
    """A broker hears only of what was committed: dispatch, reports, expiry, lost work and rechecks alike."""
    workflow = jobs(deadline="10m")
    workflow.stages["work"].recheck(lambda tx, work: None)
    box = Sandbox([workflow], database=sqlite_url)
    transport = Ledgered()
    box.coordinates.transport = transport
    assert box.runs is not None
    box.runs.transport = transport
    admit(box, *"abcd")
    dispatch(box)
    claim(box, 1)
    box.advance("31s")
    box.coordinates.sweep()
    with box.database.write() as tx:
        tx.exec_driver_sql("DROP TRIGGER interlock_work_delete")
        tx.exec_driver_sql("DELETE FROM interlock_work WHERE record_id = 'b'")
    box.coordinates.sweep()
    claim(box)
    box.advance("11m")
    with box.database.write() as tx:
        box.coordinates.work.beat(tx, "r1", ["jobs.work"], LEASE)
    box.coordinates.sweep()
    another_runner(box, transport=transport).step()
    admit(box, "e")
    box.drain()
    kinds = [topic for word, topic in transport.said if word == "within"]
    assert transport.said == [pair for topic in kinds for pair in (("within", topic), ("after", topic))]
    assert kinds.count("work") >= 4
    assert "report" in kinds
    box.close()
