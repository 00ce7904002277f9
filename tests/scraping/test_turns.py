"""Visits of one host follow each other across kinds and runners, and unchanged pages are complete without being read again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import inspect

from interlock.runner.executors.inline import InlineExecutor
from interlock.testing import Sandbox
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.web.addresses import read_networks, read_site
from interlock.workflows.scraping.web.fetching import FetchLimits
from interlock.workflows.scraping.workflow import declare
from tests.scraping.web_server import Request, WebServer, answer

OPTIONS = Options(
    allow_private=read_networks("127.0.0.1"), cycle="continuous", rate="1000/s", check_mail_domains=False
)


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


@pytest.fixture
def box(database_url: str) -> Iterator[Sandbox]:
    with closing(Sandbox(declare(OPTIONS, FetchLimits(seconds=20)), database=database_url)) as made:
        made.migrate()
        yield made


def add(box: Sandbox, web: WebServer, *, selected: bool = False) -> tuple[Any, Any, Any]:
    """A domain, a sitemap file and a page of one host."""
    site = read_site(web.url)
    more = {"curation_status": "Selected"} if selected else {}
    domain = box.admit("domains", {"host": site.host, "url": site.url, **more}).id
    row = {"domain_id": domain, "host": site.host, **more}
    file = box.admit("sitemap-files", {**row, "url": f"{web.url}/s.xml"}).id
    page = box.admit("pages", {**row, "url": f"{web.url}/page"}).id
    return domain, file, page


def states(box: Sandbox, *records: tuple[str, Any]) -> list[str | None]:
    return [box.get(kind, id)["processing_status"] for kind, id in records]


def steps(box: Sandbox, kind: str, id: Any) -> list[str | None]:
    return [move.new for move in box.ledger.history(kind, id) if move.axis == "processing_status"]


def test_work_on_a_host_waits_for_what_began_before_it_and_that_costs_no_try_and_no_entry(
    box: Sandbox, web: WebServer
) -> None:
    web.pages |= {
        "/": answer(b"<html><title>T</title><body>x</body></html>"),
        "/page": answer(b"<html><body>ann@firma.de</body></html>"),
    }
    domain, _, page = add(box, web)
    assert box.runs is not None
    box.runs.renew()
    box.move("domains", domain, actor="ann", curation_status="Selected")
    box.coordinates.step()  # it begins, and no runner has it yet
    box.advance("1s")
    box.move("pages", page, actor="ann", curation_status="Selected")
    box.coordinates.step()
    executor = InlineExecutor(box.time, capacity=10)
    other = box.runner(executor, stages=["page"], capacity=10, ticks=lambda: box.time.now().timestamp())
    other.renew()
    for _ in range(3):
        other.step()
        box.coordinates.step()
    assert web.requests == []
    assert states(box, ("domains", domain), ("pages", page)) == ["Processing", "Queued"]
    box.drain()
    assert states(box, ("domains", domain)) == ["Complete"]
    box.advance("2s")
    box.drain()
    assert states(box, ("pages", page)) == ["Complete"]
    assert steps(box, "pages", page) == [None, "Queued", "Processing", "Complete"]
    assert box.get("pages", page)["processing_tries"] == 1
    assert [one.path for one in web.requests][-1] == "/page"
    assert box.check().findings == []


def test_all_kinds_of_one_host_end_one_after_the_other(box: Sandbox, web: WebServer) -> None:
    web.pages |= {
        "/": answer(b"<html><title>T</title><body>x</body></html>"),
        "/s.xml": answer(
            f"<urlset><url><loc>{web.url}/page</loc></url></urlset>".encode(), kind="application/xml"
        ),
        "/page": answer(b"<html><body>ann@firma.de</body></html>"),
    }
    domain, file, page = add(box, web, selected=True)
    for _ in range(4):
        box.drain()
        box.advance("2s")
    ends = states(box, ("domains", domain), ("sitemap-files", file), ("pages", page))
    assert ends == ["Complete", "Complete", "Complete"]
    spans = sorted((began, ended) for _, began, ended in web.spans)
    assert all(later[0] >= earlier[1] - 0.01 for earlier, later in pairwise(spans))


def test_what_did_not_change_is_complete_without_being_read_again(box: Sandbox, web: WebServer) -> None:
    def unless_known(content: bytes, kind: str) -> Any:
        def page(request: Request) -> bytes:
            if request.headers.get("if-none-match") == '"v1"':
                return answer(status="304 Not Modified", ETag='"v1"')
            return answer(content, kind=kind, ETag='"v1"')

        return page

    sitemap = f"<urlset><url><loc>{web.url}/page</loc></url></urlset>".encode()
    web.pages |= {
        "/s.xml": unless_known(sitemap, "application/xml"),
        "/page": unless_known(b"<html><title>T</title><body>ann@firma.de</body></html>", "text/html"),
    }
    site = read_site(web.url)
    domain = box.admit("domains", {"host": site.host, "url": site.url}).id
    row = {"domain_id": domain, "host": site.host, "curation_status": "Selected"}
    file = box.admit("sitemap-files", {**row, "url": f"{web.url}/s.xml"}).id
    page = box.admit("pages", {**row, "url": f"{web.url}/page"}).id
    for _ in range(3):
        box.drain()
        box.advance("2s")
    before = [box.get("sitemap-files", file), box.get("pages", page)]
    assert [(row["processing_status"], row["etag"]) for row in before] == [("Complete", '"v1"')] * 2
    for kind, id in (("sitemap-files", file), ("pages", page)):
        again = {"actor": "ann", "role": "operator", "reason": "anew", "override": True}
        box.move(kind, id, processing_status="Queued", **again)
    for _ in range(3):
        box.drain()
        box.advance("2s")
    after = [box.get("sitemap-files", file), box.get("pages", page)]
    assert [row["processing_status"] for row in after] == ["Complete", "Complete"]
    assert [row["etag"] for row in after] == ['"v1"', '"v1"']
    assert (after[0]["url_count"], after[1]["title"], after[1]["contact_count"]) == (1, "T", 1)
    assert steps(box, "sitemap-files", file)[-3:] == ["Queued", "Processing", "Complete"]
    assert len([one for one in web.requests if one.headers.get("if-none-match")]) == 2


@pytest.mark.parametrize("column", ["curation_status", "processing_status"])
@pytest.mark.parametrize("table", ["domains", "sitemap_files", "pages", "contacts"])
def test_both_statuses_are_indexed(box: Sandbox, table: str, column: str) -> None:
    indexes = inspect(box.database.engine).get_indexes(table)
    whole = [
        one for one in indexes if not any(name.endswith("_where") for name in one.get("dialect_options", {}))
    ]
    assert column in [one["column_names"][0] for one in whole]
