"""One state for each pipeline of an item: extraction, failure classes, empty results and compatibility fields, on both databases."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import inspect, select, update
from sqlalchemy.exc import DBAPIError

from interlock.errors import InterlockError
from interlock.testing import Sandbox
from interlock.workflows.themes.invariants import RESETS, TRANSITIONS
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.tables import (
    PIPELINES,
    STATUSES,
    content_sources,
    pipeline_state,
    theme_clusters,
    theme_mentions,
)
from interlock.workflows.themes.waiting import count_waiting
from interlock.workflows.themes.workflow import declare

from .endpoint_server import EndpointServer, Reply, completion, error
from .items import (
    FUNDAMENTAL,
    TECHNICAL,
    THEMES,
    add_item,
    add_source,
    compat,
    fail_only,
    history,
    mentions,
    states,
    statuses,
)


def test_the_database_itself_knows_every_pipeline_and_status_and_one_row_for_each_pair(box: Sandbox) -> None:
    item = add_item(box, add_source(box, TECHNICAL))
    seen = inspect(box.database.engine)
    checks = {one["name"]: str(one["sqltext"]) for one in seen.get_check_constraints(pipeline_state.name)}
    for name, values in (("pipeline", PIPELINES), ("status", STATUSES)):
        assert all(f"'{one}'" in checks[f"{pipeline_state.name}_{name}"] for one in values)
    (unique,) = seen.get_unique_constraints(pipeline_state.name)
    assert unique["column_names"] == ["content_item_id", "pipeline"]
    assert statuses(box, item) == {TECHNICAL: "pending"}
    assert history(box, item, TECHNICAL) == ["pending"]


def test_both_pipelines_of_an_item_are_processed_with_their_mentions(box: Sandbox) -> None:
    item = add_item(box, add_source(box), published_at=datetime(2026, 3, 1, tzinfo=UTC))
    assert statuses(box, item) == {TECHNICAL: "pending", FUNDAMENTAL: "pending"}
    assert compat(box, item) == (False, False, None)
    box.drain()
    assert statuses(box, item) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert sorted(mentions(box, item)) == sorted(
        (pipeline, theme) for pipeline in PIPELINES for theme in ("ai_chip", "tea_and_house")
    )
    assert compat(box, item) == (True, True, None)
    assert history(box, item, TECHNICAL) == ["pending", "in_progress", "processed"]
    row = states(box, item)[TECHNICAL]
    assert (row["attempt_count"], row["error_code"]) == (1, None)
    assert row["last_attempt_at"] is not None
    with box.database.read() as tx:
        clusters = {one.canonical_theme: one.cluster for one in tx.execute(select(theme_clusters))}
    assert clusters == {"ai_chip": "semiconductor", "tea_and_house": "tea_and_house"}
    assert not box.check().findings


def test_an_item_is_mentioned_when_it_was_published_but_never_later_than_it_was_read(box: Sandbox) -> None:
    source, old = add_source(box, TECHNICAL), datetime(2025, 12, 30, tzinfo=UTC)
    add_item(box, source, 1, published_at=old)
    add_item(box, source, 2, published_at=datetime(2099, 12, 31, tzinfo=UTC))
    box.drain()
    instants = select(*(theme_mentions.c[one] for one in ("content_item_id", "mentioned_at", "extracted_at")))
    with box.database.read() as tx:
        rows = tx.execute(instants).all()
    assert {id: (at == old, at == extracted) for id, at, extracted in rows} == {
        1: (True, False),
        2: (False, True),
    }
    assert history(box, 2, TECHNICAL) == ["pending", "in_progress", "processed"]


def test_only_pipelines_that_an_active_source_feeds_get_a_row(box: Sandbox) -> None:
    one = add_item(box, add_source(box, TECHNICAL), 1)
    none = add_item(box, add_source(box, name="off", is_active=False), 2)
    box.drain()
    assert statuses(box, one) == {TECHNICAL: "processed"}
    assert statuses(box, none) == {}
    assert compat(box, one) == (True, True, None)


@pytest.mark.parametrize(
    ("reply", "status", "code", "is_processed"),
    [
        (Reply(200, completion("garbage 413")), "failed_retryable", "llm_response_parse_error", False),
        (Reply(503), "failed_retryable", "llm_provider_unavailable", True),
        (Reply(429, error("rate_limit_exceeded")), "failed_retryable", "provider_rate_limited", True),
        (Reply(429, error("insufficient_quota")), "failed_terminal", "provider_quota_exhausted", True),
        (Reply(401, error("invalid_api_key")), "failed_terminal", "provider_rejected", True),
        (Reply(413), "failed_terminal", "provider_rejected", True),
        (Reply(200, b"{}", promised=50), "failed_retryable", "RemoteProtocolError", True),
        (Reply(400, error("odd")), "failed_retryable", "HTTPStatusError", True),
    ],
)
def test_each_failure_class_has_its_state_and_leaves_the_other_pipeline_alone(
    box: Sandbox, server: EndpointServer, reply: Reply, status: str, code: str, is_processed: bool
) -> None:
    server.reply = fail_only(TECHNICAL, reply)
    item = add_item(box, add_source(box))
    box.drain()
    assert statuses(box, item) == {TECHNICAL: status, FUNDAMENTAL: "processed"}
    row = states(box, item)[TECHNICAL]
    assert (row["error_code"], row["attempt_count"]) == (code, 1)
    assert row["last_attempt_at"] is not None
    assert history(box, item, TECHNICAL) == ["pending", "in_progress", status]
    assert {pipeline for pipeline, _ in mentions(box, item)} == {FUNDAMENTAL}
    shown = compat(box, item)
    assert shown[0] is is_processed
    assert shown[1] is is_processed
    assert shown[2] is not None
    assert shown[2].startswith(code)


def test_tries_are_bounded_and_then_it_is_terminal(box: Sandbox, server: EndpointServer) -> None:
    server.reply = lambda _: Reply(503)
    item = add_item(box, add_source(box, TECHNICAL))
    for _ in range(6):
        box.drain()
        box.advance("10m")
    assert statuses(box, item) == {TECHNICAL: "failed_terminal"}
    assert states(box, item)[TECHNICAL]["attempt_count"] == 5
    assert len(server.requests) == 5
    assert history(box, item, TECHNICAL)[-2:] == ["in_progress", "failed_terminal"]


@pytest.mark.parametrize(
    ("status", "headers", "minutes"),
    [
        (429, {"Retry-After": "1800"}, 30),
        (503, {"Retry-After": "600"}, 10),
        (
            429,
            {"Retry-After": "Sat, 01 Mar 2031 00:40:00 GMT", "Date": "Sat, 01 Mar 2031 00:00:00 GMT"},
            40,
        ),
        (429, {"Retry-After": "999999999999"}, 24 * 60),
    ],
)
def test_a_provider_that_names_the_time_is_left_alone_until_then(
    box: Sandbox, server: EndpointServer, status: int, headers: dict[str, str], minutes: int
) -> None:
    """In seconds, or as a date by the provider's own clock, at most a day. It costs a try, and the other pipeline nothing."""
    server.reply = fail_only(TECHNICAL, Reply(status, headers=headers))
    item = add_item(box, add_source(box))
    box.drain()
    row = states(box, item)[TECHNICAL]
    code = "provider_rate_limited" if status == 429 else "llm_provider_unavailable"
    assert (row["status"], row["error_code"], row["attempt_count"]) == ("failed_retryable", code, 1)
    assert row["ready_at"] == box.time.now() + timedelta(minutes=minutes)
    assert statuses(box, item)[FUNDAMENTAL] == "processed"
    asked = len(server.requests)
    box.advance(timedelta(minutes=minutes - 1))
    box.drain()
    assert len(server.requests) == asked
    server.reply = lambda _: Reply(body=completion(THEMES))
    box.advance("1m")
    box.drain()
    row = states(box, item)[TECHNICAL]
    assert (row["status"], row["attempt_count"], row["error_code"]) == ("processed", 2, None)
    assert history(box, item, TECHNICAL) == [
        "pending",
        "in_progress",
        "failed_retryable",
        "in_progress",
        "processed",
    ]


@pytest.mark.parametrize("asked", ["0", "3", "soon", "-60", "Sat, 01 Mar 2025 00:00:00 GMT"])
def test_a_time_that_is_short_or_past_or_none_leaves_the_delay_of_the_stage(
    box: Sandbox, server: EndpointServer, asked: str
) -> None:
    server.reply = lambda _: Reply(429, headers={"Retry-After": asked})
    item = add_item(box, add_source(box, TECHNICAL))
    box.drain()
    row = states(box, item)[TECHNICAL]
    assert (row["error_code"], row["attempt_count"]) == ("provider_rate_limited", 1)
    assert timedelta(seconds=27) <= row["ready_at"] - box.time.now() <= timedelta(seconds=33)
    assert history(box, item, TECHNICAL)[-1] == "failed_retryable"


def test_a_failure_waits_again_when_its_time_to_be_tried_has_come(
    box: Sandbox, server: EndpointServer
) -> None:
    server.reply = lambda _: Reply(503)
    item = add_item(box, add_source(box, TECHNICAL))
    assert count_waiting(box) == 1
    box.drain()
    assert (statuses(box, item), count_waiting(box)) == ({TECHNICAL: "failed_retryable"}, 0)
    box.time.advance(timedelta(minutes=2))
    assert count_waiting(box) == 1
    assert history(box, item, TECHNICAL) == ["pending", "in_progress", "failed_retryable"]


def test_an_exhausted_quota_pauses_its_pipeline_and_costs_nobody_else_a_try(
    box: Sandbox, server: EndpointServer
) -> None:
    server.reply = fail_only(TECHNICAL, Reply(429, error("insufficient_quota")))
    source = add_source(box)
    items = [add_item(box, source, number) for number in range(3)]
    box.drain()
    assert [one.scope for one in box.paused()] == [TECHNICAL]
    assert {statuses(box, item)[FUNDAMENTAL] for item in items} == {"processed"}
    late = add_item(box, source, 9)
    box.drain()
    assert statuses(box, late) == {TECHNICAL: "pending", FUNDAMENTAL: "processed"}
    assert states(box, late)[TECHNICAL]["attempt_count"] == 0
    server.reply = lambda _: Reply(body=completion(THEMES))
    box.advance("61m")
    box.drain()
    assert statuses(box, late)[TECHNICAL] == "processed"


def test_a_second_empty_result_is_believed_and_a_reset_begins_anew(
    box: Sandbox, server: EndpointServer
) -> None:
    server.reply = lambda _: Reply(body=completion("[]"))
    item = add_item(box, add_source(box, TECHNICAL))
    box.drain()
    first = states(box, item)[TECHNICAL]
    assert (first["status"], first["error_code"], first["empty_results"]) == (
        "failed_retryable",
        "empty_result",
        1,
    )
    box.advance("2m")
    box.drain()
    second = states(box, item)[TECHNICAL]
    assert (second["status"], second["empty_results"], mentions(box, item)) == ("processed", 2, [])
    box.move("themes", item, status="pending", scope=TECHNICAL, actor="olga", role="operator", reason="again")
    reset = states(box, item)[TECHNICAL]
    assert (reset["processed_at"], reset["empty_results"], reset["attempt_count"]) == (None, None, 0)
    assert compat(box, item) == (False, False, None)


def test_processing_again_replaces_the_mentions_of_that_pipeline_only(
    box: Sandbox, server: EndpointServer
) -> None:
    item = add_item(box, add_source(box))
    box.drain()
    server.reply = lambda _: Reply(body=completion(THEMES[:1]))
    box.move("themes", item, status="pending", scope=TECHNICAL, actor="olga", role="operator", reason="again")
    box.drain()
    assert sorted(mentions(box, item)) == [
        (FUNDAMENTAL, "ai_chip"),
        (FUNDAMENTAL, "tea_and_house"),
        (TECHNICAL, "ai_chip"),
    ]


@pytest.mark.parametrize("old", STATUSES)
def test_exactly_the_moves_of_the_decision_are_made(box: Sandbox, old: str) -> None:
    """Everybody is refused all others, also who types SQL; a reset needs an operator and a reason."""
    source = add_source(box, TECHNICAL)
    for number, new in enumerate(one for one in STATUSES if one != old):
        item = add_item(box, source, number)
        box.place("themes", item, scope=TECHNICAL, status=old)
        entries = history(box, item, TECHNICAL)
        act = {"status": new, "scope": TECHNICAL, "actor": "eve", "role": "admin", "reason": "why not"}
        if (old, new) in TRANSITIONS or (old, new) in RESETS:
            if (old, new) in RESETS:
                for without in ({"role": None}, {"role": "curator"}, {"reason": None}):
                    with pytest.raises(InterlockError):
                        box.move("themes", item, **{**act, **without})
            assert box.move("themes", item, **act).outcome == "moved"
            assert (statuses(box, item), history(box, item, TECHNICAL)) == ({TECHNICAL: new}, [*entries, new])
            continue
        with pytest.raises(InterlockError):
            box.move("themes", item, **act)
        with pytest.raises(DBAPIError), box.database.engine.begin() as tx:
            tx.execute(
                update(pipeline_state)
                .where(pipeline_state.c.content_item_id == item)
                .values(status=new, version=pipeline_state.c.version + 1)
            )
        assert (statuses(box, item), history(box, item, TECHNICAL)) == ({TECHNICAL: old}, entries)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_provider_that_says_nothing_is_tried_again(
    database_url: str, server: EndpointServer, is_there: bool
) -> None:
    """It takes the request and never answers, or nobody is at its address."""
    server.reply = lambda _: Reply(is_silent=True)
    with socket.socket() as taken, ExitStack() as opened:
        taken.bind(("127.0.0.1", 0))  # no other server gets that port meanwhile
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        options = Options(provider=server.url if is_there else address, timeout=0.3)
        box = opened.enter_context(closing(Sandbox([declare(options)], database=database_url)))
        item = add_item(box, add_source(box, TECHNICAL))
        box.drain()
        row = states(box, item)[TECHNICAL]
        code = "ReadTimeout" if is_there else "llm_provider_unavailable"
        assert (row["status"], row["error_code"], row["attempt_count"]) == ("failed_retryable", code, 1)
        assert history(box, item, TECHNICAL) == ["pending", "in_progress", "failed_retryable"]
        assert timedelta(0) < row["ready_at"] - box.time.now() < timedelta(minutes=2)


def test_the_newest_item_is_extracted_first(box: Sandbox) -> None:
    source = add_source(box, TECHNICAL)
    days = (1, 9, 5)
    items = {day: add_item(box, source, day, published_at=datetime(2026, 1, day, tzinfo=UTC)) for day in days}
    assert box.waiting("extract") == [items[9], items[5], items[1]]


def test_a_pipeline_that_a_source_gets_later_is_completed_by_the_sweep(box: Sandbox) -> None:
    source = add_source(box, TECHNICAL)
    item = add_item(box, source)
    box.drain()
    with box.database.engine.begin() as tx:
        tx.execute(update(content_sources).values(pipelines=list(PIPELINES)))
    box.advance("1m")
    box.drain()
    assert statuses(box, item) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert compat(box, item) == (True, True, None)


def test_the_local_extractor_processes_items_without_a_network(database_url: str) -> None:
    with closing(Sandbox([declare(Options())], database=database_url)) as box:
        box.migrate()
        text = "Nvidia shares jumped after the chipmaker reported strong demand for AI chips."
        item = add_item(box, add_source(box), title="Nvidia surges on AI chip demand", content=text)
        box.drain()
        assert statuses(box, item) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
        assert (TECHNICAL, "semiconductor") in mentions(box, item)
