"""The HTTP API of themes: each route with its least role, its answer, and what is in the tables and the ledger afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from interlock.testing import Sandbox
from interlock.workflows.themes.sources import settle_sources
from interlock.workflows.themes.tables import content_sources

from .conftest import People
from .endpoint_server import EndpointServer, Reply, completion
from .items import (
    FUNDAMENTAL,
    TECHNICAL,
    add_item,
    add_source,
    begin,
    compat,
    history,
    mentions,
    states,
    statuses,
)

SCOPES = ("viewer", "curator", "operator", "admin")
LEAST = {
    ("POST", "/themes/sources"): "operator",
    ("GET", "/themes/sources"): "viewer",
    ("PATCH", "/themes/sources/1"): "operator",
    ("POST", "/themes/items"): "curator",
    ("GET", "/themes/items"): "viewer",
    ("GET", "/themes/items/1"): "viewer",
    ("GET", "/themes/items/1/mentions"): "viewer",
    ("POST", "/themes/items/1/reset"): "operator",
    ("POST", "/themes/reset"): "operator",
    ("GET", "/themes/top"): "viewer",
    ("GET", "/themes/clusters/x"): "viewer",
    ("GET", "/themes/health"): "viewer",
    ("GET", "/themes/invariants"): "viewer",
}
SOURCE = {
    "name": "The wire",
    "source_type": "news",
    "url": None,
    "pipelines": [TECHNICAL, FUNDAMENTAL],
    "is_active": True,
}


def test_articles_go_from_a_source_to_the_top_themes_over_http(box: Sandbox, people: People) -> None:
    olga, ann, eve = people("olga", "operator"), people("ann", "curator"), people("eve", "viewer")
    made = olga.post("/themes/sources", SOURCE)
    assert made.status_code == 201, made.text
    source = made.json()["id"]
    entries = [
        {
            "source_id": source,
            "external_id": "1",
            "title": "A",
            "content": "B",
            "published_at": "2025-12-31T12:00:00Z",
        },
        {"source_id": source, "external_id": "1", "title": "A", "content": "B"},
        {"source_id": 99, "external_id": "2", "title": "A", "content": "B"},
        {"source_id": source, "url": "https://example.com/3", "author": "kim"},
    ]
    answer = ann.post("/themes/items", {"items": entries})
    assert answer.status_code == 201, answer.text
    added = answer.json()["items"]
    assert [one["outcome"] for one in added] == ["admitted", "exists", "refused", "admitted"]
    assert added[0]["id"] == added[1]["id"]
    assert "99" in added[2]["problem"]
    first, last = added[0]["id"], added[3]["id"]
    assert statuses(box, first) == {TECHNICAL: "pending", FUNDAMENTAL: "pending"}
    box.drain()
    listed = eve.get(f"/themes/items?pipeline={TECHNICAL}&status=processed&limit=1").json()
    assert [one["id"] for one in listed["items"]] == [last]
    rest = eve.get(f"/themes/items?pipeline={TECHNICAL}&limit=1&cursor={listed['next']}").json()
    assert ([one["id"] for one in rest["items"]], rest["next"]) == ([first], None)
    assert rest["items"][0]["pipelines"] == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert [one["id"] for one in eve.get("/themes/items?q=kim").json()["items"]] == [last]
    assert eve.get("/themes/items?status=pending").json()["items"] == []
    item = eve.get(f"/themes/items/{first}").json()
    assert (item["is_processed"], item["extraction_error"], item["content"]) == (True, None, "B")
    assert [(one["pipeline"], one["status"], one["attempt_count"]) for one in item["pipelines"]] == [
        (TECHNICAL, "processed", 1),
        (FUNDAMENTAL, "processed", 1),
    ]
    assert all(
        one["created_at"] and one["updated_at"] and one["last_attempt_at"] for one in item["pipelines"]
    )
    read = eve.get(f"/themes/items/{first}/mentions?pipeline={TECHNICAL}").json()["mentions"]
    assert [(one["canonical_theme"], one["raw_theme"], one["tickers"]) for one in read] == [
        ("ai_chip", "AI chips", ["NVDA"]),
        ("tea_and_house", "Tea & houses", []),
    ]
    top = eve.get("/themes/top?window=7d").json()["themes"]
    assert [(one["theme"], one["mentions"], one["items"], one["bullish"], one["tickers"]) for one in top] == [
        ("semiconductor", 4, 2, 4, ["NVDA"]),
        ("tea_and_house", 4, 2, 0, []),
    ]
    assert eve.get(f"/themes/top?pipeline={TECHNICAL}&window=1h").json()["themes"][0]["mentions"] == 1
    cluster = eve.get("/themes/clusters/ai_chip").json()
    assert (cluster["cluster"], cluster["themes"]) == (
        "semiconductor",
        [{"canonical_theme": "ai_chip", "mentions": {TECHNICAL: 2, FUNDAMENTAL: 2}}],
    )
    assert len(cluster["mentions"]) == 4
    assert eve.get("/themes/clusters/nothing").status_code == 404
    assert history(box, first, TECHNICAL) == ["pending", "in_progress", "processed"]
    assert box.ledger.history("themes", first, axis="status", scope=TECHNICAL)[0].actor == "ann"
    assert not box.check().findings


def test_input_of_people_is_refused_where_it_is_wrong(box: Sandbox, people: People) -> None:
    olga = people("olga", "operator")
    assert olga.post("/themes/sources", SOURCE).status_code == 201
    assert olga.post("/themes/sources", SOURCE).status_code == 409
    for change in (
        {"pipelines": ["astrological"]},
        {"pipelines": [TECHNICAL, TECHNICAL]},
        {"source_type": "gossip"},
        {"url": "file:///etc/passwd"},
        {"name": "  "},
        {"fetch_interval_minutes": 0},
        {"colour": "red"},
    ):
        answer = olga.post("/themes/sources", {**SOURCE, "name": "another", **change})
        assert answer.status_code == 400, answer.text
    assert olga.ask("PATCH", "/themes/sources/1", json={"pipelines": []}).status_code == 400
    assert olga.ask("PATCH", "/themes/sources/1", json={"reason": "x"}).status_code == 400
    assert olga.ask("PATCH", "/themes/sources/7", json={"reason": "x", "is_active": True}).status_code == 404
    assert olga.post("/themes/items", {"items": []}).status_code == 400
    assert olga.get("/themes/items?status=done").status_code == 400
    assert olga.get("/themes/items?pipeline=x").status_code == 400
    assert olga.get("/themes/items/7").status_code == 404
    assert olga.get("/themes/items/7/mentions").status_code == 404
    assert olga.post("/themes/items/7/reset", {"reason": "x"}).status_code == 404
    for window in ("x", "0d", "7y", "99999w"):
        assert olga.get(f"/themes/top?window={window}").status_code == 400
    with box.database.read() as tx:
        assert tx.execute(select(content_sources.c.name)).scalars().all() == ["The wire"]


def test_values_that_no_column_can_hold_are_refused_and_never_a_fault(box: Sandbox, people: People) -> None:
    olga, huge = people("olga", "operator"), 10**30
    source = add_source(box)
    for method, path, body in (
        ("GET", "/themes/clusters/%00", None),
        ("GET", "/themes/clusters/" + "x" * 5000, None),
        ("GET", f"/themes/items/{huge}", None),
        ("GET", f"/themes/items/{huge}/mentions", None),
        ("GET", "/themes/items?q=%00", None),
        ("GET", f"/themes/items?source_id={huge}", None),
        ("GET", "/themes/items?cursor=bm9uc2Vuc2U", None),
        ("PATCH", f"/themes/sources/{huge}", {"reason": "x", "is_active": True}),
        ("POST", f"/themes/items/{huge}/reset", {"reason": "x"}),
        ("POST", "/themes/reset", {"pipeline": TECHNICAL, "reason": "x", "source_id": huge}),
        ("POST", "/themes/reset", {"pipeline": TECHNICAL, "reason": "x", "text": "a\x00"}),
        ("POST", "/themes/reset", {"pipeline": TECHNICAL, "reason": "x", "error": "a\x00"}),
        ("POST", "/themes/reset", {"pipeline": TECHNICAL, "reason": "x", "older": "soon"}),
        ("POST", "/themes/items", {"items": [{"source_id": huge, "title": "t"}]}),
        ("POST", "/themes/sources", {**SOURCE, "name": "a\x00b"}),
        ("POST", "/themes/sources", {**SOURCE, "name": "n2", "url": "http://a\x00"}),
    ):
        answer = olga.ask(method, path, **({} if body is None else {"json": body}))
        assert answer.status_code in (400, 404, 409), (path, body, answer.status_code, answer.text)
    entries = [
        {"source_id": 999_999, "title": "t"},
        {"source_id": source, "title": "a\x00b", "published_at": 1e300},
        {"source_id": source, "title": "a\x00b", "content": "c\x00"},
    ]
    rows = olga.post("/themes/items", {"items": entries}).json()["items"]
    assert [one["outcome"] for one in rows] == ["refused", "refused", "admitted"]
    assert box.get("themes", rows[2]["id"])["title"] == "ab"
    assert not box.check().findings


@pytest.mark.sqlite_only  # who may ask is decided before any database is asked
def test_each_route_has_its_least_role(box: Sandbox, people: People) -> None:
    everybody = [people("eve", role) for role in SCOPES]
    for (method, path), least in LEAST.items():
        for number, (role, somebody) in enumerate(zip(SCOPES, everybody, strict=True)):
            options: dict[str, Any] = {} if method == "GET" else {"json": {}}
            answer = somebody.ask(method, path, **options)
            assert (answer.status_code == 403) is (number < SCOPES.index(least)), (path, role, answer.text)


def test_a_reset_counts_before_it_acts_and_needs_a_reason(box: Sandbox, people: People) -> None:
    olga = people("olga", "operator")
    item = add_item(box, add_source(box))
    path = f"/themes/items/{item}/reset"
    waiting = olga.post(path, {"reason": "x", "pipeline": TECHNICAL}).json()
    assert (waiting["counts"], waiting["skipped"], waiting["reset"]) == ({}, {TECHNICAL: "pending"}, [])
    box.drain()
    assert olga.post(path, {"pipeline": TECHNICAL}).status_code == 400
    dry = olga.post(path, {"reason": "x", "dry_run": True}).json()
    assert (dry["counts"], dry["reset"]) == ({"processed": 2}, [])
    assert statuses(box, item) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    done = olga.post(path, {"reason": "a better model", "pipeline": TECHNICAL}).json()
    assert (done["counts"], done["reset"]) == ({"processed": 1}, [TECHNICAL])
    assert statuses(box, item) == {TECHNICAL: "pending", FUNDAMENTAL: "processed"}
    assert compat(box, item) == (False, False, None)
    entry = box.ledger.history("themes", item, axis="status", scope=TECHNICAL)[-1]
    assert (entry.old, entry.new, entry.actor, entry.role, entry.reason) == (
        "processed",
        "pending",
        "olga",
        "operator",
        "a better model",
    )
    assert states(box, item)[TECHNICAL]["processed_at"] is None
    assert {pipeline for pipeline, _ in mentions(box, item)} == {TECHNICAL, FUNDAMENTAL}


def test_a_reset_by_filter_is_an_operation_of_one_pipeline(box: Sandbox, people: People) -> None:
    olga = people("olga", "operator")
    one, other = add_source(box), add_source(box, name="other")
    items = [add_item(box, one, 1), add_item(box, one, 2), add_item(box, other, 3)]
    box.drain()
    body = {"pipeline": TECHNICAL, "reason": "a better model", "source_id": one}
    dry = olga.post("/themes/reset", {**body, "dry_run": True}).json()
    assert (dry["records"], dry["counts"].get("moved"), dry["operation"]) == (2, 2, None)
    assert {statuses(box, item)[TECHNICAL] for item in items} == {"processed"}
    done = olga.post("/themes/reset", body).json()
    assert (done["records"], done["counts"]["moved"]) == (2, 2)
    assert olga.get(f"/operations/{done['operation']}").json()["status"] == "finished"
    assert [statuses(box, item)[TECHNICAL] for item in items] == ["pending", "pending", "processed"]
    assert {statuses(box, item)[FUNDAMENTAL] for item in items} == {"processed"}
    assert history(box, items[0], TECHNICAL)[-1] == "pending"
    assert olga.post("/themes/reset", {**body, "status": ["pending"]}).status_code == 400


def test_a_source_that_gets_a_pipeline_gets_its_rows_in_that_answer(box: Sandbox, people: People) -> None:
    olga = people("olga", "operator")
    source = add_source(box, TECHNICAL)
    items = [add_item(box, source, number) for number in range(3)]
    box.drain()
    body = {"pipelines": [TECHNICAL, FUNDAMENTAL], "reason": "earnings matter too"}
    answer = olga.ask("PATCH", f"/themes/sources/{source}", json=body).json()
    assert (answer["added"], answer["removed"]) == ([FUNDAMENTAL], [])
    assert (answer["rows_added"], answer["rows_ended"]) == (3, 0)
    assert {statuses(box, item)[FUNDAMENTAL] for item in items} == {"pending"}
    assert {compat(box, item) for item in items} == {(False, False, None)}
    entry = box.ledger.history("themes", items[0], axis="status", scope=FUNDAMENTAL)[0]
    assert (entry.new, entry.actor, entry.reason) == ("pending", "olga", "earnings matter too")
    again = olga.ask("PATCH", f"/themes/sources/{source}", json=body).json()
    assert (again["rows_added"], again["rows_ended"]) == (0, 0)
    box.drain()
    assert {statuses(box, item)[FUNDAMENTAL] for item in items} == {"processed"}
    assert not box.check().findings


def test_a_source_that_loses_a_pipeline_ends_what_runs_and_refuses_its_late_worker(
    box: Sandbox, server: EndpointServer, people: People
) -> None:
    olga = people("olga", "operator")
    source = add_source(box)
    done = add_item(box, source, 1)
    box.drain()
    running = add_item(box, source, 2)
    begin(box)
    waiting = add_item(box, source, 3)
    assert statuses(box, running) == {TECHNICAL: "in_progress", FUNDAMENTAL: "in_progress"}
    body = {"pipelines": [FUNDAMENTAL], "reason": "too noisy"}
    answer = olga.ask("PATCH", f"/themes/sources/{source}", json=body).json()
    assert (answer["removed"], answer["rows_added"], answer["rows_ended"]) == ([TECHNICAL], 0, 1)
    row = states(box, running)[TECHNICAL]
    assert (row["status"], row["error_code"]) == ("failed_retryable", "source_pipeline_removed")
    assert not box.check().findings
    assert box.runs is not None
    box.runs.step()
    box.drain()
    assert statuses(box, running) == {TECHNICAL: "failed_retryable", FUNDAMENTAL: "processed"}
    assert statuses(box, waiting) == {TECHNICAL: "pending", FUNDAMENTAL: "processed"}
    assert statuses(box, done) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert [pipeline for pipeline, _ in mentions(box, running)] == [FUNDAMENTAL] * 2
    assert len(mentions(box, done)) == 4
    body = {"pipelines": [TECHNICAL, FUNDAMENTAL], "reason": "quiet again"}
    back = olga.ask("PATCH", f"/themes/sources/{source}", json=body).json()
    assert (back["added"], back["rows_added"]) == ([TECHNICAL], 0)
    box.advance("1s")
    box.drain()
    assert {statuses(box, item)[TECHNICAL] for item in (done, running, waiting)} == {"processed"}
    assert history(box, running, TECHNICAL) == [
        "pending",
        "in_progress",
        "failed_retryable",
        "in_progress",
        "processed",
    ]
    assert not box.check().findings


def test_what_a_killed_reassignment_left_in_progress_is_ended_by_the_schedule(box: Sandbox) -> None:
    source = add_source(box)
    item = add_item(box, source)
    begin(box)
    with box.database.engine.begin() as tx:  # the process was killed after its first step
        tx.execute(update(content_sources).values(pipelines=[FUNDAMENTAL]))
    assert [(one.invariant, one.id) for one in box.check().findings] == [("E1-INV-007", str(item))]
    box.advance("1m")
    assert settle_sources(box) == 1
    row = states(box, item)[TECHNICAL]
    assert (row["status"], row["error_code"]) == ("failed_retryable", "source_pipeline_removed")
    assert history(box, item, TECHNICAL) == ["pending", "in_progress", "failed_retryable"]
    assert statuses(box, item)[FUNDAMENTAL] == "in_progress"
    assert settle_sources(box) == 0
    assert not box.check().findings
    assert "settle_reassignments" in {one.schedule for one in box.schedules()}


def test_an_inactive_source_feeds_nothing_until_it_is_active_again(box: Sandbox, people: People) -> None:
    olga = people("olga", "operator")
    source = add_source(box)
    item = add_item(box, source)
    path = f"/themes/sources/{source}"
    assert olga.ask("PATCH", path, json={"is_active": False, "reason": "holidays"}).json()["rows_ended"] == 0
    box.drain()
    assert statuses(box, item) == {TECHNICAL: "pending", FUNDAMENTAL: "pending"}
    late = olga.post("/themes/items", {"items": [{"source_id": source, "title": "late"}]}).json()["items"][0]
    assert statuses(box, late["id"]) == {}
    assert olga.ask("PATCH", path, json={"is_active": True, "reason": "back"}).json()["rows_added"] == 2
    box.advance("1s")
    box.drain()
    assert {*statuses(box, item).values(), *statuses(box, late["id"]).values()} == {"processed"}


def test_health_names_alerts_drift_pauses_and_invariants(
    box: Sandbox, server: EndpointServer, people: People
) -> None:
    eve = people("eve", "viewer")
    source = add_source(box, TECHNICAL)
    for number in range(3):
        add_item(box, source, number)
    box.drain()
    health = eve.get("/themes/health").json()
    assert (health["ok"], health["alerts"], health["paused"]) == (True, [], [])
    assert [one["pipeline"] for one in health["pipelines"]] == [TECHNICAL, FUNDAMENTAL]
    assert health["pipelines"][0]["counts"]["processed"] == 3
    assert all(one["holds"] for one in health["invariants"])
    server.reply = lambda _: Reply(body=completion("no themes at all"))
    for number in range(3, 6):
        add_item(box, source, number)
    box.drain()
    box.pause("themes", "extract", actor="olga", reason="too costly", scope=FUNDAMENTAL)
    health = eve.get("/themes/health").json()
    assert health["ok"] is False
    assert health["alerts"] == [{"pipeline": TECHNICAL, "alert": "parse_failures"}] == health["drift"]
    assert [(one["pipeline"], one["reason"]) for one in health["paused"]] == [(FUNDAMENTAL, "too costly")]
    answer = eve.get("/themes/invariants").json()
    assert (answer["version"], len(answer["invariants"])) == (1, 7)
    assert {one["id"] for one in answer["deviations"]} == {"E1-DEV-001", "E1-DEV-002", "E1-DEV-003"}
