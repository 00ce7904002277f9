"""A new type of content is one declaration and one table: everything else is there for it, from its gates to its views."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import JSON, Column, Text, text

from interlock import App
from interlock.testing import Sandbox
from interlock.workflows.content import acts, reading
from interlock.workflows.content.commands.importing import read_lines
from interlock.workflows.content.commands.source import Local, source_of
from interlock.workflows.content.promotion import Options, promote_batch
from interlock.workflows.content.tables import approved_table
from interlock.workflows.content.types import CONTENT_TYPES, ContentType, Field, text_list
from interlock.workflows.content.types import text as a_text
from interlock.workflows.content.workflow import declare
from tests.content.items import ADMIN, OPERATOR, item, rows, walked
from tests.content.sample_items import sample_item
from tests.contract.hand import Hand
from tests.service.asking import Asker

approved_poems = approved_table(
    "approved_poems", Column("title", Text, nullable=False), Column("verses", JSON, nullable=False)
)
POEM = ContentType(
    "poem",
    approved_poems,
    [
        Field("title", a_text(1, 100), is_text=True),
        Field("verses", text_list(2, 20), is_text=True, shape="list"),
    ],
    compared="title",
)
TYPES = {**CONTENT_TYPES, "poem": POEM}
DAFFODILS = {"title": "Daffodils", "verses": ["I wandered lonely as a cloud", "that floats on high"]}
TYGER = {"title": "The tyger", "verses": ["burning bright", "in the forests of the night"]}


@pytest.fixture
def box(content_url: str) -> Iterator[Sandbox]:
    """An app whose team has added poems."""
    with closing(Sandbox([declare(TYPES)], database=content_url)) as made:
        yield made
        assert made.check().findings == []
        assert made.ledger.verify().ok


def read(app: App, sql: str) -> list[Any]:
    with app.database.read() as tx:
        return [tuple(row) for row in tx.execute(text(sql))]


def test_an_item_of_a_new_type_is_governed_like_every_other(box: Sandbox, hand: Hand) -> None:
    item(box, "p", "VALIDATED", kind="poem", payload=DAFFODILS)
    assert [(row["item_id"], row["review"]) for row in reading.review_queue(box).rows] == [
        ("p", ["LOW_CONFIDENCE", "FIRST_OF_ITS_KIND"])
    ]
    acts.approve(box, "p", **OPERATOR)
    (row,) = rows(box, approved_poems)
    assert (row["title"], row["verses"], walked(box, "p")[-1]) == (
        "Daffodils",
        DAFFODILS["verses"],
        "APPROVED",
    )
    assert acts.read_item(box, "p")["payload"]["verses"] == DAFFODILS["verses"]
    hand.refused("ILK-210", "UPDATE approved_poems SET title = 'Roses'")
    hand.refused("ILK-210", "DELETE FROM approved_poems")
    item(box, "q", "APPROVED", kind="poem", payload=TYGER)
    acts.deprecate(box, "p", **OPERATOR, reason="it was misquoted", replacement_id="q")
    assert read(box, "SELECT item_id, title FROM active_poems") == [("q", "The tyger")]
    assert read(box, "SELECT item_id, superseded_by_id FROM approved_poems_all ORDER BY item_id") == [
        ("p", "q"),
        ("q", None),
    ]
    assert read(box, "SELECT DISTINCT item_type FROM state_transition_events") == [("poem",)]
    acts.erase(box, "p", **ADMIN, reason="asked for")
    assert [one["item_id"] for one in rows(box, approved_poems)] == ["q"]


def test_the_page_and_the_routes_know_a_new_type(box: Sandbox) -> None:
    item(box, "p", "APPROVED", kind="poem", payload=DAFFODILS)
    item(box, "q", "VALIDATED", kind="poem", payload=TYGER)
    asker = Asker(box.asgi(lambda request: ("olga", "operator")))
    listed = asker.get("/content?type=poem").json()["items"]
    assert [(one["item_id"], one["state"]) for one in listed] == [("p", "APPROVED"), ("q", "VALIDATED")]
    assert asker.get("/content/p").json()["payload"]["title"] == "Daffodils"
    assert [one["item_id"] for one in asker.get("/content/review-queue").json()["items"]] == ["q"]
    asker.prefix = ""
    page = asker.get("/workflows/content/govern?type=poem", headers={"Accept": "text/html"})
    asker.close()
    assert page.status_code == 200
    assert "Daffodils" in page.text
    assert "The tyger" in page.text


def test_a_new_type_is_approved_by_itself_where_nobody_has_to_review_it(box: Sandbox) -> None:
    for number in range(10):
        title = sample_item(number)["payload"]["definition"]
        item(box, f"first{number}", "APPROVED", kind="poem", payload={**DAFFODILS, "title": title[:90]})
    item(box, "later", "VALIDATED", kind="poem", payload=TYGER, confidence=0.9)
    assert promote_batch(box, Options(auto_approve=True), box.time.now()) == {"VALIDATED": 1}
    assert walked(box, "later")[-1] == "APPROVED"


def test_cells_of_a_csv_file_are_read_as_the_fields_of_a_new_type_are_declared(
    box: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "poems.csv"
    file.write_text(
        "type,language,level,item_id,title,verses\npoem,EN,B1,p,Daffodils,I wandered|lonely as a cloud\n",
        encoding="utf-8",
    )
    source = Local(box, "ann")
    named: Any = SimpleNamespace(service="a service", settings=SimpleNamespace(app="a:b"), declared=box)
    assert source_of(named).types == source.types == TYPES
    (line,) = read_lines(file, source.types)
    assert isinstance(line.item, dict)
    assert line.item["payload"] == {"title": "Daffodils", "verses": ["I wandered", "lonely as a cloud"]}
    assert [row["outcome"] for row in source.submit([line.item])] == ["admitted"]
    assert walked(box, "p") == ["DRAFT"]


def test_a_type_that_comes_later_gets_its_table_and_its_views(database_url: str) -> None:
    with closing(App([declare()], database=database_url)) as before:
        before.migrate()
    with closing(App([declare(TYPES)], database=database_url)) as after:
        done = after.migrate()
        assert {"table approved_poems", "view: approved_poems_all", "view: active_poems"} <= set(done)
        assert "view: active_meanings" not in done
        assert read(after, "SELECT * FROM active_poems") == []
        assert after.migrate() == []
