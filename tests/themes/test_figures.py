"""The figures of each pipeline equal a recount of the rows in plain Python, and alerts begin where the thresholds are exceeded."""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil
from typing import Any

import pytest
from sqlalchemy import select

from interlock.testing import Sandbox
from interlock.workflows.themes.figures import ALERTS, DRIFT, PipelineFigures, read_figures
from interlock.workflows.themes.tables import (
    PIPELINES,
    STATUSES,
    content_items,
    pipeline_state,
    theme_mentions,
)
from tests.contract.recounting import figures, watching

from .endpoint_server import EndpointServer, Reply, completion
from .items import TECHNICAL, THEMES, add_item, add_source, history


def recount(box: Sandbox, pipeline: str) -> PipelineFigures:
    """The figures of a pipeline, counted row by row."""
    now = box.time.now()
    with box.database.read() as tx:
        items = {row["id"]: dict(row) for row in tx.execute(select(content_items)).mappings()}
        rows = [dict(row) for row in tx.execute(select(pipeline_state)).mappings()]
        mentioned = {
            tuple(row)
            for row in tx.execute(select(theme_mentions.c.content_item_id, theme_mentions.c.pipeline))
        }
    mine = [row for row in rows if row["pipeline"] == pipeline]
    failed = ("failed_retryable", "failed_terminal")

    def is_recent(row: dict[str, Any]) -> bool:
        item = items[row["content_item_id"]]
        return bool((item["published_at"] or item["created_at"]) >= now - timedelta(days=30))

    def ages(status: str, since: str) -> dict[str, float]:
        seconds = sorted((now - row[since]).total_seconds() for row in mine if row["status"] == status)
        return {
            name: seconds[max(1, ceil(share * len(seconds))) - 1] if seconds else 0.0
            for name, share in (("p50", 0.5), ("p95", 0.95))
        }

    def retryable(start: datetime, end: datetime) -> int:
        return sum(
            row["status"] == "failed_retryable"
            and row["error_code"] != "empty_result"
            and start < row["last_attempt_at"] <= end
            for row in mine
        )

    processed = [row for row in mine if row["status"] == "processed" and is_recent(row)]
    attempted = [row for row in mine if row["status"] in ("processed", *failed) and is_recent(row)]
    day = timedelta(days=1)
    return PipelineFigures(
        pipeline,
        {status: sum(row["status"] == status for row in mine) for status in STATUSES},
        ages("pending", "since"),
        ages("failed_retryable", "last_attempt_at"),
        len(processed),
        sum((row["content_item_id"], pipeline) not in mentioned for row in processed),
        len(attempted),
        sum(row["error_code"] == "llm_response_parse_error" and row["status"] in failed for row in attempted),
        retryable(now - day, now),
        retryable(now - 2 * day, now - day),
    )


REPLIES = {
    "good": Reply(body=completion(THEMES)),
    "empty": Reply(body=completion("[]")),
    "garbage": Reply(body=completion("no list")),
    "down": Reply(503),
    "rejected": Reply(413),
}


def test_figures_equal_a_recount_whatever_happened(box: Sandbox, server: EndpointServer) -> None:
    server.reply = lambda request: REPLIES[request["messages"][1]["content"].split()[0]]
    source, other = add_source(box), add_source(box, TECHNICAL, name="other")
    start, number = box.time.now(), 0
    for days, names in (
        (70, ["good", "garbage"]),
        (2, ["down", "garbage", "empty"]),
        (1, list(REPLIES)),
        (0, ["garbage", "down"]),
    ):
        for name in names:
            number += 1
            box.time.advance(timedelta(seconds=7 * number))
            published = start - timedelta(days=days) if number % 3 else None
            add_item(box, other if number % 4 == 0 else source, number, title=name, published_at=published)
        box.drain()
        box.advance("1d")
        if days != 1:
            box.drain()
    late = add_source(box, name="late")
    for more in range(3):
        box.advance("11m")
        add_item(box, late, 100 + more, title="good")
    with box.database.read() as tx:
        measured = read_figures(tx, box.time.now())
    assert measured == [recount(box, pipeline) for pipeline in PIPELINES]
    technical = measured[0]
    assert (
        min(technical.counts[one] for one in ("pending", "processed", "failed_retryable", "failed_terminal"))
        > 0
    )
    assert technical.parse_failures
    assert technical.pending_age["p95"] >= technical.pending_age["p50"] > 0
    exposed = figures(watching(box, {}))
    for one in measured:
        for status in STATUSES:
            assert exposed["interlock_themes_items"].samples[one.pipeline, status] == one.counts[status]
        assert exposed["interlock_themes_parse_failure_rate"].samples.keys() == {
            (name,) for name in PIPELINES
        }
    assert not [one for one in box.check().findings if one.invariant.startswith("E1")]


def test_what_is_tried_again_costs_nothing_of_the_success_level(box: Sandbox, server: EndpointServer) -> None:
    server.reply = lambda request: REPLIES[request["messages"][1]["content"].split()[0]]
    source = add_source(box, TECHNICAL)
    items = [add_item(box, source, number, title="empty") for number in range(3)]
    box.drain()
    box.advance("2m")
    box.drain()
    assert [history(box, item, TECHNICAL) for item in items] == [
        ["pending", "in_progress", "failed_retryable", "in_progress", "processed"]
    ] * 3
    place = ("themes_success", "themes", TECHNICAL)
    found = figures(watching(box, {}))
    assert found["interlock_level_events_total"].samples[place] == 3
    assert found["interlock_level_good_total"].samples[place] == 3
    assert [note for note in box.check().notes if "themes_success" in note] == []
    add_item(box, source, 4, title="rejected")
    box.drain()
    found = figures(watching(box, {}))
    assert found["interlock_level_events_total"].samples[place] == 4
    assert found["interlock_level_good_total"].samples[place] == 3
    assert "75 % of 4 left in_progress" in "".join(box.check().notes)


@pytest.mark.parametrize(
    ("numbers", "alerts", "drift"),
    [
        ({}, [], []),
        ({"processed_recently": 10, "without_mentions": 1}, [], []),
        ({"processed_recently": 100, "without_mentions": 11}, [], ["processed_without_mentions"]),
        ({"processed_recently": 10, "without_mentions": 2}, [], ["processed_without_mentions"]),
        (
            {"processed_recently": 100, "without_mentions": 21},
            ["processed_without_mentions"],
            ["processed_without_mentions"],
        ),
        ({"attempted_recently": 4, "parse_failures": 1}, [], []),
        ({"attempted_recently": 100, "parse_failures": 26}, ["parse_failures"], []),
        ({"attempted_recently": 100, "parse_failures": 31}, ["parse_failures"], ["parse_failures"]),
        ({"retryable_last_day": 9, "retryable_day_before": 1}, [], []),
        ({"retryable_last_day": 10, "retryable_day_before": 5}, [], []),
        ({"retryable_last_day": 10, "retryable_day_before": 4}, ["retryable_growth"], []),
        ({"retryable_last_day": 10, "retryable_day_before": 0}, ["retryable_growth"], []),
        ({"retryable_last_day": 25, "retryable_day_before": 12}, ["retryable_growth"], ["retryable_growth"]),
    ],
)
def test_thresholds_are_exceeded_and_not_only_met(
    numbers: dict[str, int], alerts: list[str], drift: list[str]
) -> None:
    one = PipelineFigures(TECHNICAL, **numbers)
    assert (one.exceeding(ALERTS), one.exceeding(DRIFT)) == (alerts, drift)
