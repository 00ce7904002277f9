"""From a host to a verified contact, against a real site on loopback, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import select as query

from interlock.testing import Sandbox
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.web.addresses import read_networks, read_site
from interlock.workflows.scraping.web.fetching import FetchLimits
from interlock.workflows.scraping.workflow import declare
from tests.scraping.web_server import WebServer, answer

OPTIONS = Options(
    allow_private=read_networks("127.0.0.1, ::1"),
    cycle="continuous",
    rate="1000/s",
    retries=0,
    check_mail_domains=False,
)
LIMITS = FetchLimits(seconds=60.0, connect_seconds=60.0)


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


@pytest.fixture
def box(database_url: str) -> Iterator[Sandbox]:
    with closing(Sandbox(declare(OPTIONS, LIMITS), database=database_url)) as made:
        made.migrate()
        yield made


def ids(box: Sandbox, kind: str) -> list[Any]:
    records = box.workflow(kind).records
    with box.database.read() as tx:
        return [row[0] for row in tx.execute(query(records.c.id).order_by(records.c.id))]


def statuses(box: Sandbox, kind: str, id: Any) -> tuple[str, str | None]:
    row = box.get(kind, id)
    return row["curation_status"], row["processing_status"]


def select(box: Sandbox, kind: str, id: Any) -> None:
    box.move(kind, id, actor="ann", curation_status="Selected")


def test_a_site_becomes_contacts(box: Sandbox, web: WebServer) -> None:
    sitemap = (
        f"<urlset><url><loc>{web.url}/contact</loc></url><url><loc>{web.url}/blog/one</loc></url>"
        "<url><loc>https://elsewhere.example/x</loc></url></urlset>"
    )
    web.pages |= {
        "/": answer(
            b"<html lang=en><title>A site</title><meta name=description content='About us'><body>Hello</body></html>"
        ),
        "/robots.txt": answer(f"User-agent: *\nSitemap: {web.url}/s.xml".encode(), kind="text/plain"),
        "/s.xml": answer(sitemap.encode(), kind="application/xml"),
        "/contact": answer(
            b"<html><body><a href='mailto:ann@firma.de'>Ann</a> Tel. +49 30 1234567</body></html>"
        ),
    }
    site = read_site(web.url)
    domain = box.admit("domains", {"host": site.host, "url": site.url}).id
    assert statuses(box, "domains", domain) == ("New", None)
    select(box, "domains", domain)
    assert statuses(box, "domains", domain) == ("Selected", "Queued")
    box.drain()
    assert statuses(box, "domains", domain) == ("Selected", "Complete")
    row = box.get("domains", domain)
    assert (row["title"], row["description"], row["http_status"], row["sitemap_count"]) == (
        "A site",
        "About us",
        200,
        1,
    )

    (id,) = ids(box, "sitemap-files")
    assert statuses(box, "sitemap-files", id) == ("New", None)
    select(box, "sitemap-files", id)
    box.drain()
    assert statuses(box, "sitemap-files", id) == ("Selected", "Complete")
    file = box.get("sitemap-files", id)
    assert (file["kind"], file["url_count"], file["skipped_count"]) == ("urlset", 2, 1)

    contact, blog = (box.get("pages", id) for id in ids(box, "pages"))
    contact, blog = (contact, blog) if contact["page_type"] == "contact" else (blog, contact)
    assert (contact["curation_status"], contact["processing_status"], contact["confidence"]) == (
        "Selected",
        "Complete",
        0.95,
    )
    assert (blog["curation_status"], blog["processing_status"]) == ("New", None)
    by_policy = [move for move in box.ledger.history("pages", contact["id"]) if move.new == "Selected"]
    assert [(move.actor, move.reason) for move in by_policy] == [
        ("policy", "contact page, confidence 0.95, depth 1")
    ]

    (person,) = ids(box, "contacts")
    select(box, "contacts", person)
    box.drain()
    row = box.get("contacts", person)
    assert (row["email"], row["phone"], row["processing_status"]) == (
        "ann@firma.de",
        "+49301234567",
        "Complete",
    )
    assert row["verification"]["valid"] is True
    assert box.check().findings == []


def test_a_sitemap_on_another_host_gives_the_pages_of_the_site_that_names_it(
    box: Sandbox, web: WebServer
) -> None:
    other = web.url.replace("127.0.0.1", "localhost")
    sitemap = f"<urlset><url><loc>{web.url}/contact</loc></url><url><loc>https://elsewhere.example/x</loc></url></urlset>"
    web.pages |= {
        "/": answer(b"<html><title>A site</title><body>Hello</body></html>"),
        "/robots.txt": answer(f"User-agent: *\nSitemap: {other}/s.xml".encode(), kind="text/plain"),
        "/s.xml": answer(sitemap.encode(), kind="application/xml"),
        "/contact": answer(b"<html><body>nobody</body></html>"),
    }
    site = read_site(web.url)
    domain = box.admit("domains", {"host": site.host, "url": site.url}).id
    select(box, "domains", domain)
    box.drain()
    (id,) = ids(box, "sitemap-files")
    assert box.get("sitemap-files", id)["url"] == f"{other}/s.xml"
    select(box, "sitemap-files", id)
    box.drain()
    file = box.get("sitemap-files", id)
    assert (file["processing_status"], file["url_count"], file["skipped_count"]) == ("Complete", 1, 1)
    (page,) = ids(box, "pages")
    row = box.get("pages", page)
    assert (row["url"], row["domain_id"]) == (f"{web.url}/contact", domain)
    decided = [move for move in box.ledger.history("pages", page) if move.axis == "curation_status"]
    assert [(move.new, move.actor) for move in decided][-1:] == [("Selected", "policy")]
    assert box.check().findings == []
