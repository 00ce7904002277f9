"""One trace from a request to the ledger entry it made, and on through coordinator and runner; nothing at all without OpenTelemetry."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy import text

from interlock import App, Done, Failed, Work, Workflow, tracing
from interlock.authority.spans import TracedAuthority
from interlock.errors import InvalidStateTransition, StoreUnavailable
from interlock.observe.structured_logs import JsonLines
from interlock.service.application import build
from interlock.testing import Sandbox
from tests.contract.working import jobs
from tests.kinds import domains, open_app, uploads
from tests.service.conftest import WIDE, Ask

SENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SENT_ID = SENT.split("-")[1]
REQUEST = "POST /api/v1/{kind}/records/{id}/moves"
Kept = Callable[..., Any]


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """Somebody who collects; afterwards nobody does again."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    yield exporter
    provider.shutdown()


@pytest.fixture
def kept(database_url: str) -> Iterator[Callable[..., Any]]:
    """Apps and sandboxes on the test's database, closed after it."""
    apps: list[App] = []

    def keep(*workflows: Workflow, sandbox: bool = False) -> Any:
        apps.append(
            Sandbox(workflows, database=database_url) if sandbox else open_app(database_url, *workflows)
        )
        return apps[-1]

    yield keep
    for app in apps:
        app.close()


def told(spans: InMemorySpanExporter) -> dict[str, Any]:
    """By name; FastAPI tells some of its own between the request and us."""
    return {span.name: span for span in spans.get_finished_spans() if not span.name.startswith("fastapi.")}


def ancestors(spans: InMemorySpanExporter, span: Any) -> list[str]:
    """The names of the spans that a span is part of, the nearest first."""
    by_id = {one.context.span_id: one for one in spans.get_finished_spans()}
    found = []
    while span.parent is not None and span.parent.span_id in by_id:
        span = by_id[span.parent.span_id]
        found.append(span.name)
    return found


def trace_ids(spans: InMemorySpanExporter) -> set[str]:
    return {f"{span.context.trace_id:032x}" for span in spans.get_finished_spans()}


def asking_domains(seen: list[Any]) -> Workflow:
    """A stage whose function asks what it is part of."""
    workflow = domains()

    def asking(work: Work) -> Done[None]:
        seen.append(tracing.here())
        return Done(title="a title")

    workflow.stages["domain"].function = asking
    return workflow


def test_one_trace_leads_from_a_request_to_its_entry_and_through_coordinator_and_runner(
    kept: Kept, ask: Ask, spans: InMemorySpanExporter
) -> None:
    seen: list[Any] = []
    box = kept(asking_domains(seen), sandbox=True)
    box.admit("domains", {"id": 1, "host": "a.example"})
    spans.clear()
    answer = ask(build(box, limits=WIDE)).post(
        "/domains/records/1/moves",
        {"to": "Selected", "axis": "curation_status"},
        headers={"traceparent": SENT},
    )
    assert answer.status_code == 200, answer.text
    box.drain()
    found = told(spans)
    assert trace_ids(spans) == {SENT_ID}
    assert set(found) == {
        REQUEST,
        "interlock.move",
        "interlock.move Processing",
        "interlock.run domains.domain",
        "interlock.move Complete",
    }
    request, command = found[REQUEST], found["interlock.move"]
    assert (request.attributes["http.response.status_code"], f"{request.parent.span_id:016x}") == (
        200,
        SENT.split("-")[2],
    )
    assert ancestors(spans, command)[-1] == REQUEST
    [entry] = [event for event in command.events if event.name == "ledger entry"]
    assert dict(entry.attributes) == {
        "interlock.id": "1",
        "interlock.outcome": "moved",
        "interlock.version": "1",
        "interlock.from": "New",
        "interlock.to": "Selected",
    }
    moved = next(move for move in box.ledger.history("domains", 1) if move.new == "Selected")
    assert moved.facts[tracing.FACT] == f"00-{SENT_ID}-{command.context.span_id:016x}-01"
    run = found["interlock.run domains.domain"]
    assert (run.attributes["interlock.outcome"], run.attributes["interlock.attempt"]) == ("done", 1)
    [inside] = seen
    assert inside == (SENT_ID, f"{run.context.span_id:016x}")
    for name in ("interlock.move Processing", "interlock.run domains.domain", "interlock.move Complete"):
        assert found[name].parent.span_id == command.context.span_id
    assert box.check().findings == []
    assert box.ledger.verify().findings == []


def test_a_command_in_the_caller_s_own_span_is_part_of_it(kept: Kept, spans: InMemorySpanExporter) -> None:
    app = kept(uploads())
    with trace.get_tracer("shop").start_as_current_span("checkout") as outer:
        app.admit("statements", {"id": "u1"})
        app.move("statements", "u1", actor="ann", status="parsing")
        app.cancel("statements", "u1", actor="ann", reason="no more")
    found = told(spans)
    assert trace_ids(spans) == {f"{outer.get_span_context().trace_id:032x}"}
    assert set(found) == {
        "checkout",
        "interlock.admit",
        "interlock.move",
        "interlock.cancel",
    }  # a cancellation moves, and is one command
    facts = [
        move.facts.get(tracing.FACT, "").split("-")[2] for move in app.ledger.history("statements", "u1")
    ]
    assert facts == [
        f"{found[name].context.span_id:016x}"
        for name in ("interlock.admit", "interlock.move", "interlock.cancel")
    ]
    assert app.ledger.verify().findings == []


def test_a_refusal_is_told_too(kept: Kept, spans: InMemorySpanExporter) -> None:
    app = kept(uploads())
    app.admit("statements", {"id": "u1"})
    with pytest.raises(InvalidStateTransition):
        app.move("statements", "u1", actor="ann", status="normalized")
    command = told(spans)["interlock.move"]
    assert command.attributes["interlock.refused"] == 1
    assert [
        dict(event.attributes)["interlock.code"] for event in command.events if event.name == "verdict"
    ] == ["ILK-204"]


def test_the_same_command_from_another_trace_is_the_same_command(
    kept: Kept, spans: InMemorySpanExporter
) -> None:
    app = kept(uploads())
    app.admit("statements", {"id": "u1"})
    answers = [app.move("statements", "u1", actor="ann", status="parsing", key="k1") for _ in range(2)]
    assert [answer.version for answer in answers] == [1, 1]
    assert len(trace_ids(spans)) == 3


@pytest.mark.sqlite_only
def test_failed_work_is_a_failed_span(kept: Kept, spans: InMemorySpanExporter) -> None:
    box = kept(jobs(lambda work: Failed("BROKEN", "not yet", final=True)), sandbox=True)
    box.admit("jobs", {"id": "a"})
    box.drain()
    run = told(spans)["interlock.run jobs.work"]
    assert (run.status.status_code, run.attributes["interlock.code"]) == (trace.StatusCode.ERROR, "BROKEN")
    assert len(trace_ids(spans)) == 1


@pytest.mark.sqlite_only
def test_a_step_that_was_rolled_back_leaves_no_span(
    kept: Kept, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = kept(jobs(), sandbox=True)
    assert box.runs is not None
    box.runs.renew()
    box.admit("jobs", {"id": "a"})
    spans.clear()

    def gone(*_: Any) -> None:
        raise StoreUnavailable("it is away")

    monkeypatch.setattr(box.coordinates.transport, "within", gone)
    with pytest.raises(StoreUnavailable):
        box.coordinates.step()
    assert (told(spans), box.get("jobs", "a")["status"]) == ({}, "waiting")


@pytest.mark.sqlite_only
def test_while_nobody_collects_entries_say_nothing_and_plain_moves_have_no_detail(kept: Kept) -> None:
    app = kept(uploads())
    assert isinstance(app.authority, TracedAuthority)
    assert not tracing.on()
    app.admit("statements", {"id": "u1"})
    app.move("statements", "u1", actor="ann", status="parsing")
    with app.database.read() as tx:
        assert tx.execute(text("SELECT count(*) FROM interlock_detail")).scalar_one() == 0


@pytest.mark.sqlite_only
def test_a_log_line_names_its_trace(spans: InMemorySpanExporter) -> None:
    line = logging.makeLogRecord({"name": "interlock.x", "msg": "hello", "levelname": "INFO"})
    assert '"trace_id"' not in JsonLines().format(line)
    with trace.get_tracer("shop").start_as_current_span("checkout") as outer:
        assert f'"trace_id": "{outer.get_span_context().trace_id:032x}"' in JsonLines().format(line)


WITHOUT = """
import sys
sys.modules["opentelemetry"] = None
from interlock import App, Axis, Machine, Workflow, tracing
from sqlalchemy import Column, Integer, MetaData, Table
table = Table("t", MetaData(), Column("id", Integer, primary_key=True))
machine = Machine("m", initial="a", moves={"a": ["b"]})
app = App([Workflow("things", records=table, axes=[Axis("status", machine)])], database="sqlite://")
app.migrate()
app.admit("things", {"id": 1})
app.move("things", 1, actor="ann", status="b")
print(tracing.installed(), tracing.on(), tracing.here(), tracing.marked(), type(app.authority).__name__)
"""


@pytest.mark.sqlite_only
def test_without_the_package_nothing_is_traced_and_everything_works() -> None:
    said = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "False", "None", "{}", "Authority"]


def test_the_column_is_added_to_work_rows_from_before(kept: Kept) -> None:
    app = kept(uploads())
    with app.database.write() as tx:
        tx.exec_driver_sql("ALTER TABLE interlock_work DROP COLUMN trace")
        tx.exec_driver_sql("UPDATE interlock_meta SET value = 'older' WHERE key = 'own tables'")
    app.migrate()
    with app.database.read() as tx:
        assert tx.exec_driver_sql("SELECT count(trace) FROM interlock_work").scalar_one() == 0
