"""Items with an older system's flags are adopted beside their records, with traffic, from the flags as truth to the last phase."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from interlock.errors import AdoptionNotReady
from interlock.extension import SystemClock
from interlock.testing import Sandbox
from interlock.workflows.themes.health import check_invariants
from interlock.workflows.themes.items import ingest
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.waiting import count_waiting
from interlock.workflows.themes.workflow import declare
from tests.contract.hand import Hand

from .items import FUNDAMENTAL, TECHNICAL, compat, history, states, statuses

LEAD: dict[str, Any] = {"actor": "olga", "role": "operator", "reason": "the cutover"}
THEN = "2026-02-03T04:05:06.000000Z"
GOLD = {"source_type": "news", "title": "Gold rises", "content": "Gold rises as demand for gold is strong."}


@pytest.fixture
def legacy(database_url: str) -> Iterator[Hand]:
    """The tables of a team with flags: three items, two of them of a source that feeds both pipelines, so five pairs."""
    is_sqlite = database_url.startswith("sqlite")
    id = "integer PRIMARY KEY" if is_sqlite else "bigserial PRIMARY KEY"
    time = "varchar(27)" if is_sqlite else "timestamptz"
    hand = Hand(database_url)
    hand.run(
        f"CREATE TABLE content_sources (id {id}, name varchar(200) NOT NULL UNIQUE, source_type varchar(20) NOT NULL, "
        "url varchar(2000), pipelines json NOT NULL, is_active boolean NOT NULL DEFAULT true)"
    )
    hand.run(
        f"CREATE TABLE content_items (id {id}, source_id bigint NOT NULL REFERENCES content_sources (id), "
        "source_type varchar(20) NOT NULL, external_id varchar(500) NOT NULL, title varchar(1000), content text, "
        f"url varchar(2000), author varchar(300), published_at {time}, is_processed boolean NOT NULL DEFAULT false, "
        f"processed_at {time}, extraction_error text, UNIQUE (source_type, external_id))"
    )
    hand.run(
        f"CREATE TABLE theme_mentions (id {id}, content_item_id bigint NOT NULL REFERENCES content_items (id) ON DELETE CASCADE, "
        "pipeline varchar(20) NOT NULL, raw_theme varchar(200) NOT NULL, canonical_theme varchar(96) NOT NULL, tickers json NOT NULL, "
        "sentiment varchar(10) NOT NULL, confidence double precision NOT NULL, excerpt text NOT NULL, "
        f"mentioned_at {time} NOT NULL, extracted_at {time} NOT NULL)"
    )
    hand.run(
        "INSERT INTO content_sources VALUES (1, 'wire', 'news', NULL, ?, true)",
        '["Technical", "fundamental"]',
    )
    hand.run("INSERT INTO content_sources VALUES (2, 'old', 'news', NULL, ?, false)", '["technical"]')
    for item, source, done, at, error in (
        (1, 1, True, THEN, None),
        (2, 1, True, None, "provider down"),
        (3, 2, False, None, None),
    ):
        hand.run(
            "INSERT INTO content_items VALUES (?, ?, 'news', ?, 'Gold rises', 'Gold rises as demand for gold is strong.', "
            "NULL, NULL, NULL, ?, ?, ?)",
            item,
            source,
            f"e{item}",
            done,
            at,
            error,
        )
    hand.run(
        "INSERT INTO theme_mentions VALUES (1, 1, 'technical', 'Gold', 'gold', '[]', 'bullish', 0.9, 'x', ?, ?)",
        THEN,
        THEN,
    )
    if not is_sqlite:  # the numbers of rows that were typed are taken
        for name in ("content_sources", "content_items", "theme_mentions"):
            hand.run(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), 3)")
    yield hand
    hand.close()


@pytest.fixture
def box(legacy: Hand, database_url: str) -> Iterator[Sandbox]:
    with closing(Sandbox([declare(Options(fetch=False, empty_retry=False))], database=database_url)) as made:
        made.time.advance(SystemClock().now() - made.time.now())
        yield made
        assert made.ledger.verify().ok


def phase(box: Sandbox) -> tuple[int, str]:
    (one,) = box.adoptions.status("themes")
    return one.number, one.guard


def flags(box: Sandbox) -> list[tuple[Any, ...]]:
    with box.database.read() as tx:
        rows = tx.execute(
            text("SELECT id, is_processed, processed_at, extraction_error FROM content_items ORDER BY id")
        )
        return [tuple(row) for row in rows]


def backfilled(box: Sandbox) -> None:
    box.adoptions.cutover("themes", 2, **LEAD)
    box.adoptions.backfill("themes", actor="olga", chunk=2)


def test_three_items_become_five_rows_by_their_mentions_and_flags_and_nothing_else_changes(
    box: Sandbox,
) -> None:
    assert phase(box) == (1, "off")
    before = flags(box)
    box.adoptions.cutover("themes", 2, **LEAD)
    first = box.adoptions.backfill("themes", actor="olga", chunk=2)
    assert (first.written, first.conflicts, first.left_over) == (5, 0, 0)
    again = box.adoptions.backfill("themes", actor="olga")
    assert (again.written, again.conflicts, again.left_over) == (0, 5, 0)
    assert flags(box) == before
    columns = ("status", "attempt_count", "error_code", "error_message", "version")
    rows = {
        (item, pipeline): tuple(row[name] for name in columns)
        for item in (1, 2, 3)
        for pipeline, row in states(box, item).items()
    }
    without = ("failed_retryable", 1, "legacy_processed_without_mentions")
    assert rows.pop((1, FUNDAMENTAL))[:3] == without
    assert rows == {
        (1, TECHNICAL): ("processed", 1, None, None, 0),
        (2, TECHNICAL): ("failed_retryable", 1, "legacy_extraction_error", "provider down", 0),
        (2, FUNDAMENTAL): ("failed_retryable", 1, "legacy_extraction_error", "provider down", 0),
        (3, TECHNICAL): ("pending", 0, None, None, 0),
    }
    processed = states(box, 1)[TECHNICAL]
    assert processed["processed_at"] == processed["last_attempt_at"] == box.get("themes", 1)["processed_at"]
    assert states(box, 2)[TECHNICAL]["last_attempt_at"] is not None
    assert (states(box, 3)[TECHNICAL]["last_attempt_at"], states(box, 2)[TECHNICAL]["processed_at"]) == (
        None,
        None,
    )
    (entry,) = box.ledger.history("themes", 2, axis="status", scope=TECHNICAL)
    assert (entry.old, entry.new, entry.origin, entry.cause, entry.actor) == (
        None,
        "failed_retryable",
        "backfill",
        "adopt.themes-1.error",
        "olga",
    )
    assert box.adoptions.compare("themes").differences == 0
    assert not box.check().findings
    assert {one["id"]: one["exempt"] for one in check_invariants(box) if one["exempt"]} == {"E1-INV-002": 5}
    box.drain()
    assert flags(box) == before
    assert states(box, 2)[TECHNICAL]["version"] == 0


def test_every_disagreement_that_traffic_makes_is_found_and_followed(box: Sandbox, legacy: Hand) -> None:
    backfilled(box)
    legacy.run("UPDATE content_items SET extraction_error = 'late' WHERE id = 3")
    legacy.run(
        "INSERT INTO theme_mentions VALUES (9, 2, 'fundamental', 'Gold', 'gold', '[]', 'bullish', 0.9, 'x', ?, ?)",
        THEN,
        THEN,
    )
    different = box.adoptions.compare("themes")
    assert {(one.record_id, one.scope, one.expected, one.actual) for one in different.examples} == {
        ("2", FUNDAMENTAL, "processed", "failed_retryable"),
        ("3", TECHNICAL, "failed_retryable", "pending"),
    }
    with pytest.raises(AdoptionNotReady):
        box.adoptions.cutover("themes", 3, **LEAD)
    assert box.adoptions.follow("themes", actor="olga") == 2
    assert statuses(box, 2)[FUNDAMENTAL] == "processed"
    assert history(box, 3, TECHNICAL) == ["pending", "failed_retryable"]
    assert box.adoptions.compare("themes").differences == 0
    assert not box.check().findings


def test_nothing_waits_for_a_run_as_long_as_flags_decide(box: Sandbox) -> None:
    backfilled(box)
    assert count_waiting(box) == 0
    box.adoptions.compare("themes")
    box.adoptions.cutover("themes", 3, **LEAD)
    assert count_waiting(box) == 3
    assert statuses(box, 2) == {TECHNICAL: "failed_retryable", FUNDAMENTAL: "failed_retryable"}


def test_flags_lead_to_the_last_phase_with_traffic_all_the_time(box: Sandbox, legacy: Hand) -> None:
    backfilled(box)
    box.adoptions.cutover("themes", 3, **LEAD)
    assert phase(box) == (3, "follow")
    (late,) = ingest(box, [{**GOLD, "source_id": 1, "external_id": "late"}], actor="ann")
    assert late["outcome"] == "admitted"
    box.drain()
    assert statuses(box, 1) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert statuses(box, 2) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert statuses(box, late["id"]) == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    assert statuses(box, 3) == {TECHNICAL: "pending"}
    assert (compat(box, 2), compat(box, 3)) == ((True, True, None), (False, False, None))
    assert history(box, 2, TECHNICAL) == ["failed_retryable", "in_progress", "processed"]
    assert box.adoptions.compare("themes").differences == 0
    legacy.run("UPDATE content_items SET extraction_error = 'by hand' WHERE id = 2")
    assert [one.record_id for one in box.adoptions.compare("themes").examples] == ["2"]
    box.repair_mirrors("themes")
    assert box.adoptions.compare("themes").differences == 0
    box.advance("11m")
    box.adoptions.cutover("themes", 4, **LEAD)
    assert phase(box) == (4, "enforce")
    with pytest.raises(AdoptionNotReady, match="no comparison has been clean"):
        box.adoptions.cutover("themes", 5, no_readers=True, quiet=timedelta(days=9), **LEAD)
    (more,) = ingest(box, [{**GOLD, "source_id": 1, "external_id": "more"}], actor="ann")
    box.drain()
    box.adoptions.compare("themes")
    box.advance("11m")
    with pytest.raises(AdoptionNotReady, match="no reader"):
        box.adoptions.cutover("themes", 5, **LEAD)
    box.adoptions.cutover("themes", 5, no_readers=True, **LEAD)
    assert phase(box) == (5, "closed")
    assert not box.check().findings
    (last,) = ingest(box, [{**GOLD, "source_id": 1, "external_id": "last"}], actor="ann")
    box.drain()
    assert (
        statuses(box, last["id"])
        == statuses(box, more["id"])
        == {TECHNICAL: "processed", FUNDAMENTAL: "processed"}
    )
    assert (compat(box, more["id"])[0], compat(box, last["id"])[0]) == (True, False)
    assert not box.check().findings


def test_a_fresh_database_begins_with_states_as_the_truth(database_url: str) -> None:
    with closing(Sandbox([declare(Options())], database=database_url)) as box:
        assert phase(box) == (4, "enforce")
