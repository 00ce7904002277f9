"""What the screens say about machines that changed, tables on their way here, hashes of entries, and what needs a person."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

import pytest
from lxml import html
from sqlalchemy import Column, Integer, MetaData, Table, Text, select

from interlock import App, Axis, Extension, Failed, Machine, Work, Workflow
from interlock.client import LocalClient
from interlock.clock import FrozenClock
from interlock.errors import BadDeclaration
from interlock.extension import Need
from interlock.service.application import build
from interlock.store.queue import runners
from interlock.store.work.rows import WorkRows
from interlock.testing import Sandbox
from tests.concurrency import legacy
from tests.console.conftest import PAGE, Look, text
from tests.contract.schema.test_evolution import NEW, OLD
from tests.kinds import plain
from tests.service.conftest import WIDE, Ask


def seen_by(app: App, ask: Ask, path: str) -> html.HtmlElement:
    """A page of an app, as its owner sees it."""
    answer = ask(build(app, limits=WIDE), prefix="").get(path, headers=PAGE)
    assert answer.status_code == 200, answer.text[:1000]
    return html.fromstring(answer.text)


def test_two_versions_of_a_machine_are_compared_and_stranded_records_counted(
    database_url: str, ask: Ask
) -> None:
    with closing(App([plain(OLD)], database=database_url)) as before:
        before.migrate()
        before.admit_many("things", [{"id": f"t{number}"} for number in range(10)])
        before.move_many("things", [f"t{number}" for number in range(7)], actor="ann", status="review")
    with closing(App([plain(NEW)], database=database_url)) as app:
        app.migrate()
        page = seen_by(app, ask, "/machines")
        (diff,) = page.xpath("//details[@id='diff-things-status']")
        assert diff.get("open") is not None, "what is stranded is never folded away"
        lines = [text(one) for one in diff.xpath(".//ul[contains(@class,'changes')]/li")]
        assert "state review is gone; records still in it are stranded" in lines
        assert "state checking is new" in lines
        assert "7 records in review" in text(diff)
        options = diff.xpath(".//select[@name='from']/option/@value")
        assert options == [OLD.fingerprint, NEW.fingerprint]
        address = f"/machines?kind=things&axis=status&from={NEW.fingerprint}&to={OLD.fingerprint}"
        (back,) = seen_by(app, ask, address).xpath("//details[@id='diff-things-status']")
        assert "state review is new" in text(back)
        assert "no record stranded" in text(back)
        assert app.counts("things")["things", "status", None, "review"] == 7
        assert [move.new for move in app.ledger.history("things", "t0")] == ["new", "review"]


def test_a_machine_that_never_changed_has_no_versions_to_compare(app: App, look: Look) -> None:
    assert look("/machines").xpath("//details[starts-with(@id,'diff-')]") == []


def test_pipelines_show_the_phase_and_the_drift_of_a_table_that_is_adopted(
    database_url: str, ask: Ask
) -> None:
    legacy.fill(database_url, 20)
    with closing(legacy.open_letters(database_url)) as app:
        app.migrate()
        app.adoptions.cutover(legacy.KIND, 2, actor="ann", role="operator", reason="the columns are there")
        app.adoptions.backfill(legacy.KIND, actor="ann")
        app.adoptions.compare(legacy.KIND)
        page = seen_by(app, ask, "/pipelines")
        (panel,) = page.xpath("//section[@id='adoption-letters-status']")
        words = text(panel)
        assert "phase 2 of 5" in words
        assert text(panel.xpath(".//*[@aria-current='step']")[0]) == "backfill"
        assert "Flags and states agree." in words
        assert "Adopted20" in words
        assert "Not adopted yet0" in words
        board = seen_by(app, ask, "/")
        assert "adoptions" in text(board.xpath("//section[@aria-labelledby='also']")[0])
        assert app.adoptions.status()[0].phase == "backfill"
        (record,) = app.list("adoptions").records
        last = app.ledger.history("adoptions", record.id)[-1]
        assert (last.new, last.reason) == ("backfill", "the columns are there")


def test_a_fresh_board_shows_no_adoptions_where_nothing_is_adopted(database_url: str, ask: Ask) -> None:
    with closing(legacy.open_letters(database_url)) as app:
        app.migrate()
        page = seen_by(app, ask, "/")
        assert app.counts("adoptions"), "the adoption of a table without rows has its record"
        assert "adoptions" not in text(page.find(".//main"))


def test_an_entry_shows_the_beginning_and_the_end_of_its_hash(app: App, look: Look) -> None:
    app.move("statements", "u1", actor="coord", status="parsing")
    whole = app.ledger.hashes("statements", "u1")
    shown = look("/records/statements/u1").xpath("//div[@class='hash']/span[@title]")
    assert [one.get("title") for one in shown] == [whole["status", None, 1], whole["status", None, 0]]
    assert text(shown[0]) == f"{shown[0].get('title')[:4]}…{shown[0].get('title')[-4:]}"
    assert bytes(app.get("statements", "u1")["head"]).hex() == whole["status", None, 1]


def test_the_strip_of_the_board_and_the_rail_add_up_to_the_same(app: App, look: Look) -> None:
    for name in ("u1", "u2"):
        app.move("statements", name, actor="coord", status="error", facts={"error_code": "TIMEOUT"})
    app.move("domains", 1, actor="ana", curation_status="Selected")
    page = look("/")
    strip = [int(text(one).replace(",", "")) for one in page.xpath("//ul[@id='needs']//b")]
    rail = [int(text(one)) for one in page.xpath("//nav[@class='rail']//span[@class='due']")]
    assert sum(strip) == sum(rail) > 0
    assert f"{sum(strip)} of them need a person" in text(page.xpath("//p[@id='lede']")[0])
    every = look("/?needs=all").xpath("//ul[@id='needs']/li")
    assert all(one.xpath("a//use") for one in every), (
        "each place has its mark, and none is behind another line"
    )
    assert sum(int(text(one.find(".//b")).replace(",", "")) for one in every) == sum(strip)
    failed = sum(n for (_, _, _, state), n in app.counts().items() if state == "error")
    assert failed == 2


def visiting() -> Workflow:
    """Sites that fail when they are visited: one for good, the others until the next try."""
    table = Table("sites", MetaData(), Column("id", Integer, primary_key=True), Column("title", Text))
    machine = Machine(
        "visit",
        initial="queued",
        moves={"queued": ["visiting"], "visiting": ["visited", "failed"], "failed": ["queued"]},
    )
    workflow = Workflow("sites", noun="site", records=table, axes=[Axis("status", machine)])

    @workflow.stage(waiting="queued", running="visiting", done="visited", failed="failed", retry=["5m", "5m"])
    def visit(work: Work) -> Failed[None]:
        return Failed("TIMEOUT", "no answer", final=work.id == 1)

    return workflow


def test_what_is_tried_again_by_itself_needs_nobody(database_url: str, ask: Ask) -> None:
    with closing(Sandbox([visiting()], database=database_url)) as box:
        box.migrate()
        box.admit_many("sites", [{"id": number} for number in (1, 2, 3)])
        box.drain()
        assert [box.get("sites", number)["status"] for number in (1, 2, 3)] == ["failed"] * 3
        page = seen_by(box, ask, "/")
        needs = [text(one) for one in page.xpath("//ul[@id='needs']/li")]
        assert needs == ["1 in failedsites, not retried"]
        assert "1 of them needs a person" in text(page.xpath("//p[@id='lede']")[0])
        (row,) = page.xpath("//table[contains(@class,'twin')]//tr[td//span[text()='failed']]")
        assert text(row.xpath("td")[-2]) == "2 tried again, 1 needs a person"
        (retrying,) = LocalClient(box).activity().retrying
        assert (retrying.state, retrying.records) == ("failed", 2)
        operations = text(seen_by(box, ask, "/operations").xpath("//section[@id='retries']")[0])
        assert "2 records are tried again without anybody, all within the next hour." in operations
        assert [move.new for move in box.ledger.history("sites", 2)] == ["queued", "visiting", "failed"]


def test_what_a_workflow_declares_to_need_a_person_is_counted_everywhere(database_url: str, ask: Ask) -> None:
    table = Table("letters", MetaData(), Column("id", Integer, primary_key=True), Column("city", Text))
    machine = Machine("letter", initial="open", moves={"open": ["sent"]})
    letters = Workflow("letters", noun="letter", records=table, axes=[Axis("status", machine)])
    nowhere = select(table.c.id).where(table.c.city.is_(None), table.c.status == "open")
    need = Need("letter to nowhere", "letters to nowhere", "no city", nowhere, "shop letters", sign="differs")
    letters.extension = Extension(needs=[need])
    with closing(App([letters], database=database_url)) as app:
        app.migrate()
        app.admit_many("letters", [{"id": 1, "city": "Oslo"}, {"id": 2}, {"id": 3}])
        page = seen_by(app, ask, "/")
        (shown,) = page.xpath("//ul[@id='needs']/li[contains(., 'nowhere')]")
        assert text(shown) == "2 letters to nowhereno city"
        assert shown.xpath(".//use/@href") == ["#m-differs"]
        assert shown.xpath("a/@href") == ["/records/letters"]
        (due,) = page.xpath("//nav[@class='rail']//a[@href='/records']/span[@class='due']")
        assert int(text(due)) == sum(int(text(one)) for one in page.xpath("//ul[@id='needs']//b"))
        shown_by_command = [(one.what, one.hint) for one in LocalClient(app).attention()]
        assert ("2 letters to nowhere: no city", "shop letters") in shown_by_command
        app.move("letters", 2, actor="ann", status="sent")
        (left,) = LocalClient(app).activity("15m").needs
        assert (left.records, left.what) == (1, "letter to nowhere")
        assert [move.new for move in app.ledger.history("letters", 2)] == ["open", "sent"]


def test_a_need_that_names_no_page_of_its_extension_is_refused() -> None:
    need = Need("a", "b", "c", select(Column("id", Integer)), "d", page="window")
    with pytest.raises(BadDeclaration, match="does not bring"):
        Extension(needs=[need])
    with pytest.raises(BadDeclaration, match="sign is one of"):
        Need("a", "b", "c", select(Column("id", Integer)), "d", sign="loud")  # type: ignore[arg-type]


@pytest.mark.parametrize("why", ["silent", "stopping"])
def test_a_runner_that_ended_is_not_counted_as_at_work(app: App, look: Look, why: str) -> None:
    work = WorkRows(app.database, app.clock)
    with app.database.write() as tx:
        runners.register(work, tx, "r1", "here", ["statements.parse"], 4, timedelta(seconds=30))
        at = (
            work
            if why == "stopping"
            else WorkRows(app.database, FrozenClock(app.clock.now() - timedelta(seconds=20)))
        )
        runners.register(
            at, tx, "r2", "gone", ["statements.parse"], 4, timedelta(seconds=30), stopping=why == "stopping"
        )
    assert {one.name for one in app.runners()} == {"gone", "here"}, "its lease is not over yet"
    health = [text(one) for one in look("/records").xpath("//ul[@id='health']/li")]
    assert "1 runner" in health
    page = look("/runners")
    assert [text(one) for one in page.xpath("//section[@id='runners']/div//tbody/tr/td[1]")] == ["here"]
    assert [text(one) for one in page.xpath("//details[@id='ended']//tbody/tr/td[1]")] == [f"gone {why}"]
