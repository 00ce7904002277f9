"""Every page as somebody sees it who may change nothing; and what the page of statements says that it checked."""

from __future__ import annotations

from contextlib import closing

import pytest
from lxml import html

from interlock.console.screens import screens_of
from interlock.service.application import build
from interlock.testing import Sandbox
from interlock.workflows.statements import pages
from tests.console.conftest import PAGE, text
from tests.console.hostile import box
from tests.service.asking import Asker
from tests.service.conftest import WIDE, known_in_process, make_key

__all__ = ["box", "known_in_process"]
pytestmark = [pytest.mark.sqlite_only]


def test_a_viewer_sees_every_page_and_can_act_on_none(box: Sandbox) -> None:
    upload = str(box.list("statements").records[0].id)
    names = {"{kind}": "statements", "{id}": upload}
    with closing(Asker(build(box, limits=WIDE), make_key(box, "viewer", "vera"), prefix="")) as viewer:
        for screen in screens_of(box):
            path = screen.path
            for name, value in names.items():
                path = path.replace(name, value)
            answer = viewer.get(path, headers=PAGE)
            assert answer.status_code == 200, (path, answer.text[:500])
            page = html.fromstring(answer.text)
            assert page.xpath("//form[@data-api or @data-bulk or @data-undo-of]") == [], path
            assert page.xpath("//*[@data-post]") == [], path
            assert page.xpath("//label[@data-drop][not(@aria-disabled)]") == [], path
    moves = [len(box.ledger.history("statements", one.id)) for one in box.list("statements").records]
    assert sum(moves) == len(box.ledger.tail(limit=500, kind="statements")), "looking leaves no entry"


def test_what_was_checked_about_a_file_is_a_list_with_results(box: Sandbox) -> None:
    by_name = {
        str(one.columns["file_name"]): str(one.id)
        for one in box.list("statements", columns=["file_name"]).records
    }
    with closing(Asker(build(box, limits=WIDE), prefix="")) as owner:
        answer = owner.get(
            f"/workflows/statements/uploads?id={by_name['card.csv']}&show=checks", headers=PAGE
        )
    page = html.fromstring(answer.text)
    checks = {
        text(one.xpath(".//b")[0]): one.xpath(".//*[local-name()='use']/@href")[0]
        for one in page.xpath("//ul[@class='checks']/li")
    }
    assert checks["The sum does not agree with the bank's own balance"] == "#m-differs"
    assert checks["No row is here twice"] == "#m-agrees"
    assert len(checks) == 5, "the file names no period"
    assert box.get("statements", by_name["card.csv"])["reconciled"] == "no"


def test_a_long_statement_is_counted_whole_shown_in_pages_and_says_what_was_not_checked(
    box: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ROWS", "CHECKED"):
        monkeypatch.setattr(pages, name, 1)
    names = {
        str(one.columns["file_name"]): one.id for one in box.list("statements", columns=["file_name"]).records
    }
    id = names["card.csv"]
    assert box.get("statements", id)["canonicals_count"] == 2
    address = f"/workflows/statements/uploads?id={id}"
    with closing(Asker(build(box, limits=WIDE), prefix="")) as owner:

        def look(path: str) -> html.HtmlElement:
            return html.fromstring(owner.get(path, headers=PAGE).text)

        for shown in ("transactions", "observations"):
            first = look(f"{address}&show={shown}")
            assert text(first.xpath("//nav[@class='tabs'][@aria-label='What was read']")[0]).startswith(
                "Transactions 2Rows as printed 2Checks 6"
            )
            assert len(first.xpath("//tbody//td[contains(@class, 'l-amt')]")) == 1
            (onward,) = first.xpath("//nav[@class='pager']/a/@href")
            second = look(onward.partition("#")[0])
            assert [text(one) for one in second.xpath("//nav[@class='pager']/a")] == ["To the beginning"]
            rows = [text(one.xpath("//tbody//td[contains(@class, 'l-what')]")[0]) for one in (first, second)]
            assert rows[0] != rows[1]
        checks = look(f"{address}&show=checks").xpath("//ul[@class='checks']/li//b")
        assert text(checks[-1]) == "Looked at the first 1 row only"
