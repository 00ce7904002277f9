"""Every page as somebody sees it who may change nothing; and what the page of statements says that it checked."""

from __future__ import annotations

from contextlib import closing

import pytest
from lxml import html

from interlock.console.screens import screens_of
from interlock.service.application import build
from interlock.testing import Sandbox
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
