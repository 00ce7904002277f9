"""The page that the content workflow brings, and that any team can bring one: lanes, evidence, the change, what may be decided."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from sqlalchemy import Column, Integer, MetaData, Table, Text

from interlock import Axis, Extension, Machine, Workflow
from interlock.extension import Page, PageContext
from interlock.service.application import build
from interlock.testing import Sandbox
from interlock.workflows.content import acts
from interlock.workflows.content.workflow import declare
from tests.console.conftest import PAGE, text
from tests.service.conftest import WIDE, Ask, ask, known_in_process

__all__ = ["ask", "known_in_process"]
RULE = {
    "title": "Il passato prossimo",
    "explanation": "I verbi di movimento prendono essere.",
    "examples": ["Sono andata al mercato.", "Siamo arrivati tardi."],
}


@pytest.fixture
def box(database_url: str) -> Iterator[Sandbox]:
    with closing(Sandbox([declare()], database=database_url)) as made:
        made.migrate()
        yield made


def validated(box: Sandbox, id: str, payload: dict[str, Any], author: str = "mira", **more: Any) -> None:
    """Submit a rule and take it to VALIDATED."""
    acts.submit(
        box, actor=author, item_id=id, item_type="rule", language="IT", level="A2", payload=payload, **more
    )
    for _ in range(2):
        acts.promote(box, id, actor=author)
    box.drain()
    assert box.get("content", id)["state"] == "VALIDATED"


def open_as(box: Sandbox, ask: Ask, path: str) -> html.HtmlElement:
    answer = ask(build(box, limits=WIDE), prefix="").get(path, headers=PAGE)
    assert answer.status_code == 200, answer.text[:2000]
    return html.fromstring(answer.text)


def test_the_page_shows_lanes_the_change_and_the_gates_of_this_version(box: Sandbox, ask: Ask) -> None:
    validated(box, "R1", RULE)
    acts.approve(box, "R1", actor="luca", role="operator", notes="read")
    validated(box, "R2", {**RULE, "title": "Il passato prossimo con essere"}, replaces="R1")
    page = open_as(box, ask, "/workflows/content/govern")
    lanes = {one.get("aria-label"): text(one) for one in page.xpath("//div[@id='lanes']/section")}
    assert list(lanes) == ["DRAFT", "CANDIDATE", "VALIDATED", "APPROVED"]
    assert "Il passato prossimo con essere" in lanes["VALIDATED"]
    assert [text(one) for one in page.xpath("//table[contains(@class,'diff')]//ins")] == ["con essere"]
    assert page.xpath("//table[contains(@class,'diff')]//del") == []
    assert len(page.xpath("//ul[@class='verdicts']/li[@class='pass']")) >= 6
    form = page.xpath("//form[@id='supersede']")[0]
    assert form.get("data-api") == "/api/v1/content/R1/supersede"
    acts.supersede(box, "R1", replacement_id="R2", actor="luca", role="operator", reason="better")
    for id, standing in (("R1", "deprecated"), ("R2", "active")):
        gates = text(
            open_as(box, ask, f"/workflows/content/govern?item={id}").xpath("//section[.//h2[@id='gt']]")[0]
        )
        assert "passed, for the text as it is here" in gates, "approving it changed no text"
        row = box.get("content", id)
        assert (row["state"], row["standing"]) == ("APPROVED", standing)


def test_a_gate_that_said_no_is_named_in_its_lane(box: Sandbox, ask: Ask) -> None:
    acts.submit(
        box,
        actor="mira",
        item_id="R3",
        item_type="rule",
        language="IT",
        level="A2",
        payload={**RULE, "examples": ["Solo uno."]},
    )
    for _ in range(2):
        acts.promote(box, "R3", actor="mira")
    box.drain()
    page = open_as(box, ask, "/workflows/content/govern?item=R3")
    assert "SCHEMA" in text(page.xpath("//section[@aria-label='CANDIDATE']")[0])
    assert page.xpath("//ul[@class='verdicts']/li[@class='fail']/b")[0].text == "schema"
    assert "only validated content is approved" in text(page.xpath("//button[@class='refusal']")[0])
    assert box.get("content", "R3")["state"] == "CANDIDATE"


def test_authors_see_that_they_may_not_approve_their_own(box: Sandbox, ask: Ask) -> None:
    validated(box, "R4", RULE, author="local")
    page = open_as(box, ask, "/workflows/content/govern?item=R4")
    refusal = text(page.xpath("//button[@class='refusal']")[0])
    assert "OWN_WORK" in refusal
    assert page.xpath("//form[@id='approve']") == []


def test_any_team_can_bring_a_page(database_url: str, ask: Ask, tmp_path: Path) -> None:
    template = tmp_path / "shelf.html"
    template.write_text(
        '{% extends "layout.html" %}{% block main %}<h1>Shelf</h1>'
        "<p>{{ plural(books|length, 'book') }}: {% for one in books %}{{ one.columns.title }} {% endfor %}</p>{% endblock %}"
    )
    table = Table("books", MetaData(), Column("id", Integer, primary_key=True), Column("title", Text))

    def shelf(context: PageContext) -> tuple[Path, dict[str, Any]]:
        return template, {"books": context.client.list(context.kind, columns=["title"]).records}

    books = Workflow(
        "books",
        records=table,
        axes=[Axis("status", Machine("book", initial="here", moves={"here": ["lent"], "lent": ["here"]}))],
        extension=Extension(pages=[Page("shelf", "Shelf", shelf, record="book")]),
    )
    with closing(Sandbox([books], database=database_url)) as box:
        box.migrate()
        box.admit("books", {"id": 1, "title": "<b>Dune</b>"})
        page = open_as(box, ask, "/workflows/books/shelf")
        record = open_as(box, ask, "/records/books/1")
    assert "1 book: <b>Dune</b>" in text(page.xpath("//main")[0])
    assert page.xpath("//nav[@class='rail']//a[@aria-current='page']/text()") == ["Shelf"]
    (there,) = record.xpath("//main//a[text()='Open in Shelf']/@href")
    assert there == "/workflows/books/shelf?book=1"
    shown = (Path(__file__).parents[2] / "docs" / "how-to" / "bring-a-page.md").read_text()
    code = shown.split("```python\n")[1].split("```")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 30, "workflow, app and page in all"


def test_a_change_is_read_as_one_text_with_what_goes_and_what_comes(box: Sandbox, ask: Ask) -> None:
    validated(box, "R1", RULE)
    acts.approve(box, "R1", actor="luca", role="operator", notes="read")
    changed = {
        **RULE,
        "explanation": "I verbi riflessivi prendono essere.",
        "examples": [*RULE["examples"], "Mi sono alzata alle sei."],
    }
    validated(box, "R2", changed, replaces="R1")
    page = open_as(box, ask, "/workflows/content/govern?item=R2&view=one")
    rows = {
        one.xpath("string(th)"): one.xpath("td")
        for one in page.xpath("//table[contains(@class,'diff--single')]/tbody/tr")
    }
    (explanation,) = rows["explanation"]
    assert text(explanation) == "I verbi di movimento riflessivi prendono essere."
    assert [text(one) for one in explanation.xpath("del")] == ["di movimento"]
    assert [text(one) for one in explanation.xpath("ins")] == ["riflessivi"]
    (examples,) = rows["examples"]
    assert [text(one) for one in examples.xpath("ins")] == ["Mi sono alzata alle sei."]
    assert len(examples.xpath("br")) == 2, "each example has its own line"
    assert text(rows["title"][0]) == "Il passato prossimo unchanged"
    (back,) = page.xpath("//div[@aria-label='Compare']/a[@data-key='t']")
    assert back.get("href") == "/workflows/content/govern?item=R2#review"
    assert all("view=one" in link for link in page.xpath("//div[@id='lanes']//a[@class='item']/@href"))
    assert box.get("content", "R2")["state"] == "VALIDATED"


def test_columns_count_only_the_type_that_was_asked_for(box: Sandbox, ask: Ask) -> None:
    validated(box, "R1", RULE)
    meaning = {"word": "la raccolta", "definition": "L'atto di raccogliere."}
    acts.submit(
        box, actor="mira", item_id="M1", item_type="meaning", language="IT", level="A2", payload=meaning
    )
    page = open_as(box, ask, "/workflows/content/govern?type=rule")
    counts = [text(one) for one in page.xpath("//div[@id='lanes']/section/header/h2/b")]
    assert counts == ["0", "0", "1", "0"]
    assert [box.get("content", id)["state"] for id in ("R1", "M1")] == ["VALIDATED", "DRAFT"]
