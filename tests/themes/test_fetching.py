"""Feeds of sources are fetched when they are due, items are made of what is new, and what goes wrong is noted on the source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from ipaddress import ip_network

import pytest

from interlock.testing import Sandbox
from interlock.workflows.themes.feeds import fetching
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.sources import add_source, list_sources
from interlock.workflows.themes.workflow import declare
from tests.scraping.web_server import Request, WebServer, answer

from .items import TECHNICAL, statuses
from .test_feeds import ATOM, RSS


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[WebServer]:
    """A server that need not be spared."""
    monkeypatch.setattr(fetching, "INTERVAL", 0.0)
    with WebServer() as made:
        yield made


def opened(database_url: str, **more: object) -> Sandbox:
    options = Options(**{"allow_private": (ip_network("127.0.0.1"),), **more})  # type: ignore[arg-type]
    box = Sandbox([declare(options)], database=database_url)
    box.drain()  # a schedule runs from its second tick on
    return box


def tick(box: Sandbox, after: str = "1m") -> None:
    """Let time pass, and do what is due."""
    box.advance(after)
    box.drain()


def titles(box: Sandbox) -> list[str]:
    return sorted(one.columns["title"] for one in box.list("themes", columns=("title",)).records)


def test_feeds_are_fetched_when_their_interval_has_passed_and_make_each_item_once(
    database_url: str, web: WebServer
) -> None:
    feed = answer(RSS, kind="application/rss+xml", ETag='"v1"')

    def unless_known(request: Request) -> bytes:
        return answer(status="304 Not Modified") if request.headers.get("if-none-match") == '"v1"' else feed

    web.pages["/feed.xml"] = unless_known
    web.pages["/atom"] = answer(ATOM, kind="application/atom+xml")
    with closing(opened(database_url, empty_retry=False)) as box:
        add_source(box, name="wire", source_type="rss", url=f"{web.url}/feed.xml", pipelines=[TECHNICAL])
        add_source(
            box, name="late", source_type="rss", url=f"{web.url}/atom", fetch_interval_minutes=120, priority=5
        )
        add_source(box, name="off", source_type="rss", url=f"{web.url}/atom?off", is_active=False)
        add_source(box, name="by hand", source_type="news")
        tick(box)
        assert titles(box) == ["Gold rises", "No guid", "One"]
        assert [request.path for request in web.requests] == ["/atom", "/feed.xml"]
        assert {statuses(box, id)[TECHNICAL] for id in (1, 2, 3)} == {"processed"}
        assert {box.get("themes", id)["source_type"] for id in (1, 2, 3)} == {"rss"}
        tick(box, "30m")
        assert len(web.requests) == 2
        tick(box, "31m")
        assert [request.path for request in web.requests[2:]] == ["/feed.xml"]
        tick(box, "60m")
        assert [request.path for request in web.requests[3:]] == ["/atom", "/feed.xml"]
        assert len(titles(box)) == 3
        noted = {one["name"]: one["fetch_error"] for one in list_sources(box)}
        assert (noted["late"], noted["off"], noted["by hand"]) == (None, None, None)
        assert noted["wire"] is None or "entry 3" in noted["wire"]


def test_a_feed_that_fails_is_noted_and_keeps_no_other_waiting(database_url: str, web: WebServer) -> None:
    web.pages["/good"] = answer(ATOM, kind="application/atom+xml")
    web.pages["/html"] = answer(b"<html><body>no feed</body></html>")
    web.pages["/undated"] = answer(
        ATOM.replace(b"2026-03-01T00:00:00Z", b"0000-00-00").replace(b"urn:1", b"u")
    )
    with closing(opened(database_url)) as box:
        for name in ("undated", "good", "html", "gone"):
            add_source(box, name=name, source_type="rss", url=f"{web.url}/{name}")
        tick(box)
        noted = {one["name"]: one["fetch_error"] or "" for one in list_sources(box)}
        assert (noted["good"], noted["html"].startswith("no feed")) == ("", True)
        assert noted["gone"].startswith("NOT_FOUND")
        assert all(one["fetched_at"] == box.time.now() for one in list_sources(box))
        assert titles(box) == ["One", "One"]


def test_private_addresses_are_not_fetched_from_unless_they_are_allowed(
    database_url: str, web: WebServer
) -> None:
    web.pages["/atom"] = answer(ATOM, kind="application/atom+xml")
    with closing(opened(database_url, allow_private=())) as box:
        add_source(box, name="inside", source_type="rss", url=f"{web.url}/atom")
        tick(box)
        (source,) = list_sources(box)
        assert source["fetch_error"].startswith("PRIVATE_ADDRESS")
        assert (web.requests, titles(box)) == ([], [])


def test_nothing_is_fetched_where_a_team_does_not_want_it(database_url: str, web: WebServer) -> None:
    with closing(opened(database_url, fetch=False)) as box:
        add_source(box, name="wire", source_type="rss", url=f"{web.url}/atom")
        tick(box)
        assert [one.schedule for one in box.schedules()] == ["settle_reassignments"]
        assert web.requests == []
