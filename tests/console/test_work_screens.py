"""What the screens of decisions and trouble answer: Curate, Operations, Pipelines; from real records, on both databases."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from lxml import html
from sqlalchemy import Column, ForeignKey, Integer, MetaData, Table, Text

from interlock import App, Axis, Done, Work, Workflow
from interlock.client import DueRetry
from interlock.console.pages.operations import due_of, what_happens
from interlock.errors import InvalidStateTransition
from interlock.service.application import build
from interlock.testing import Sandbox
from tests.console.conftest import PAGE, Look, text
from tests.kinds import EXTRACTION
from tests.service.conftest import WIDE, Ask, make_key


@pytest.fixture
def failing(app: App) -> App:
    """Two uploads that failed in the same way; one of them has no retry left."""
    for name in ("u1", "u2"):
        app.move("statements", name, actor="coord", status="parsing")
        app.move(
            "statements",
            name,
            actor="coord",
            status="error",
            facts={"error_code": "TIMEOUT", "error_message": "longer than 30 s"},
        )
    return app


def test_curate_shows_what_is_to_decide_and_what_each_key_does_to_the_work(app: App, look: Look) -> None:
    app.move("domains", 3, actor="ana", curation_status="Discarded")
    page = look("/curate?kind=domains")
    rows = page.xpath("//table[@data-sift]/tbody/tr")
    assert [row.get("data-label") for row in rows] == ["host1.example", "host2.example"]
    verbs = {one.get("data-verb"): one.get("data-to") for one in page.xpath("//button[@data-verb]")}
    assert verbs == {"s": "Selected", "m": "Maybe", "d": "Discarded"}
    effects = json.loads(rows[0].get("data-effects"))
    assert effects["Selected"] == ["processing_status becomes Queued", "then Queued"]
    assert effects["Maybe"] == ["nothing runs", "nothing runs"]
    assert "2 to decide" in text(page.xpath("//p[@class='lede']")[0])
    decided = look("/curate?kind=domains&state=Discarded")
    assert [one.get("data-label") for one in decided.xpath("//tr[@data-id]")] == ["host3.example"]


def test_curate_is_there_for_any_axis_that_people_move_and_for_no_other(app: App, look: Look) -> None:
    page = look("/curate")
    kinds = [text(one) for one in page.xpath("//div[@aria-label='Kind']/a")]
    assert kinds == ["domains 3", "themes 1"], "statements are moved by stages, content needs a role"


def test_a_viewer_sees_what_they_may_not_decide_and_why(app: App, ask: Ask) -> None:
    viewer = ask(build(app, limits=WIDE), make_key(app, "viewer"), prefix="")
    page = viewer.get("/curate?kind=domains", headers=PAGE).text
    assert "Needs the role curator; yours is viewer." in page
    assert 'aria-disabled="true"' in page
    operations = viewer.get("/operations?act=retry&kind=statements&error=TIMEOUT", headers=PAGE).text
    assert "Needs the role operator; yours is viewer." in operations
    assert "data-bulk" not in operations
    made = app.operations.create(
        "domains",
        act="move",
        axis="curation_status",
        to="Maybe",
        where={"curation_status": "New"},
        actor="ana",
        reason="so",
    )
    for verb in ("Run", "Undo 3…"):
        shown = html.fromstring(viewer.get("/operations", headers=PAGE).text)
        (button,) = shown.xpath(f"//div[@id='bulk-list']//button[text()='{verb}']")
        assert (button.get("aria-disabled"), button.get("title")) == (
            "true",
            "Needs the role operator; yours is viewer.",
        )
        assert shown.xpath("//*[@data-post]") == shown.xpath("//form[@data-undo-of]") == []
        if verb == "Run":
            app.operations.run(made.id)
    assert {app.get("domains", id)["curation_status"] for id in (1, 2, 3)} == {"Maybe"}


def test_operations_group_errors_and_preview_exactly_what_a_retry_does(failing: App, look: Look) -> None:
    failing.move("statements", "u3", actor="coord", status="parsing")
    page = look("/operations")
    rows = page.xpath("//table[contains(@class,'errors')]/tbody/tr")
    assert [text(row.xpath("td")[0]) for row in rows] == ["2"]
    assert "needs a person" in text(rows[0])
    link = rows[0].xpath(".//a[contains(text(),'Retry')]/@href")[0]
    preview = look(str(link).partition("#")[0])
    form = preview.xpath("//form[@data-bulk]")[0]
    body = json.loads(form.get("data-body"))
    assert (body["kind"], body["act"], body["filter"]["error"]) == ("statements", "retry", "TIMEOUT")
    assert "Retry 2 records" in text(form)
    states = {failing.get("statements", name)["status"] for name in ("u1", "u2")}
    assert states == {"error"}, "a preview moves nothing"
    assert len(failing.ledger.history("statements", "u1")) == 3


def test_errors_of_one_code_are_one_line_with_their_messages_and_hours(failing: App, look: Look) -> None:
    failing.move("statements", "u3", actor="coord", status="parsing")
    failing.move(
        "statements",
        "u3",
        actor="coord",
        status="error",
        facts={"error_code": "TIMEOUT", "error_message": "longer than 60 s"},
    )
    (row,) = look("/operations").xpath("//table[contains(@class,'errors')]/tbody/tr")
    assert text(row.xpath("td")[0]) == "3"
    assert text(row.xpath(".//details")[0]) == "1 other message1longer than 60 s"
    (spark,) = row.xpath(".//*[local-name()='svg'][@class='spark']")
    assert spark.get("aria-label") == "3 records in the last 24 hours, 3 in the last one"
    assert len(spark.xpath("*[local-name()='rect']")) == 24, "an hour without errors has its place too"
    assert len(failing.list("statements", error="TIMEOUT").records) == 3, (
        "as many as the link beside it opens"
    )
    (group,) = look("/?open=statements").xpath("//ul[@class='groups']/li")
    assert text(group).startswith("3TIMEOUTlonger than 30 sand 1 other message")


def test_retries_of_the_next_hour_are_bars_by_the_minute() -> None:
    due = due_of([4, 0, 2, *[0] * 57])
    assert [(bar["x"], bar["height"]) for bar in due["bars"]] == [(0.0, 40.0), (20.0, 20.0)]
    assert due["words"] == "6 retries in the next hour, by the minute; 4 in the fullest minute"
    assert due_of([0] * 60)["bars"] == []


def test_an_error_that_some_records_are_retried_for_says_who_acts_on_the_rest() -> None:
    now = datetime(2026, 1, 31, 9, tzinfo=UTC)
    due = DueRetry("themes", "status", None, "X", 12, now + timedelta(minutes=2))
    both = what_happens(1, 12, due, "failed", now)
    assert (both["what"], both["detail"]) == ("1 needs a person", "12 tried again, next in 2 min")
    assert what_happens(0, 12, due, "failed", now)["what"] == "tried again by itself"
    alone = what_happens(3, 0, None, "failed", now)
    assert (alone["what"], alone["detail"]) == ("needs a person", "in failed")


def test_operations_say_what_was_refused_and_who_asked(failing: App, look: Look) -> None:
    with pytest.raises(InvalidStateTransition, match="not a legal move"):
        failing.move("statements", "u1", actor="eve", status="normalized")
    page = look("/operations")
    refused = text(page.xpath("//section[@id='refused']")[0])
    assert "eve" in refused
    assert "ILK-204" in refused
    assert failing.get("statements", "u1")["status"] == "error"


def extracting() -> Workflow:
    """Articles with one state for each of two pipelines, and a stage that extracts."""
    metadata = MetaData()
    table = Table("articles", metadata, Column("id", Integer, primary_key=True), Column("title", Text))
    states = Table(
        "article_states",
        metadata,
        Column("article_id", Integer, ForeignKey("articles.id"), primary_key=True),
        Column("pipeline", Text, primary_key=True),
    )
    axis = Axis(
        "status", EXTRACTION, table=states, scope=("technical", "fundamental"), scope_column="pipeline"
    )
    workflow = Workflow("articles", noun="article", records=table, axes=[axis])

    @workflow.stage(
        waiting=("pending", "failed_retryable"),
        running="in_progress",
        done="processed",
        failed="failed_retryable",
        terminal="failed_terminal",
    )
    def extract(work: Work) -> Done[None]:
        return Done()

    return workflow


def test_pipelines_lead_with_records_that_are_done_on_one_side_and_failed_on_the_other(
    database_url: str, ask: Ask
) -> None:
    with closing(Sandbox([extracting()], database=database_url)) as box:
        box.migrate()
        box.admit_many("articles", [{"id": 1, "title": "Rates rise"}, {"id": 2, "title": "Oil falls"}])
        box.admit("articles", {"id": 3, "title": "Banks fail"})
        ends = {
            2: {"technical": "processed", "fundamental": "failed_terminal"},
            3: {"technical": "failed_terminal"},
        }
        for id, places in ends.items():
            for scope, end in places.items():
                for state in ("in_progress", end):
                    box.move("articles", id, actor="coord", scope=scope, status=state)
        asker = ask(build(box, limits=WIDE), prefix="")
        answer = asker.get("/pipelines", headers=PAGE)
        listed = html.fromstring(asker.get("/records/articles", headers=PAGE).text)
        stages = html.fromstring(asker.get("/runners", headers=PAGE).text)
        counted = [(one.records, [place.state for place in one.places]) for one in box.patterns("articles")]
    page = html.fromstring(answer.text)
    assert text(page.xpath("//p[@id='lede']")[0]) == (
        "1 record is done on one side and failed on the other. 1 of them rests until a person acts."
    ), "one that failed and is done nowhere is not of them"
    rows = page.xpath("//table[contains(@class,'patterns')]/tbody/tr")
    assert [text(cell) for cell in rows[0].xpath("td")] == [
        "1",
        "processed",
        "failed_terminal",
        "One side is done, the other rests until a person acts.",
    ]
    assert rows[0].get("class") == "apart"
    assert [text(cell) for cell in rows[1].xpath("td")][:3] == ["1", "failed_terminal", "pending"]
    assert [text(cell) for cell in rows[2].xpath("td")][:3] == ["1", "pending", "pending"]
    assert sorted(counted) == [
        (1, ["failed_terminal", "pending"]),
        (1, ["pending", "pending"]),
        (1, ["processed", "failed_terminal"]),
    ]
    places = listed.xpath("//tr[td/a[text()='2']]/td[contains(@class,'l-slot')]")
    assert [(one.get("data-scope"), text(one)) for one in places] == [
        ("technical", "processed"),
        ("fundamental", "failed_terminal"),
    ], "a narrow screen, which has no heads of columns, names the pipeline too"
    numbers = [
        [text(cell) for cell in row.xpath("td[contains(@class,'num l-wide')]")]
        for row in stages.xpath("//section[@id='stages']//tbody/tr[not(@class)]")
    ]
    assert numbers == [["1", "0"], ["2", "0"]], "articles wait in each pipeline, and none is running"
