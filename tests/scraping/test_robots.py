"""robots.txt by RFC 9309: groups, wildcards, the longest rule, and what counts as no file."""

from __future__ import annotations

import asyncio

import pytest

from interlock.workflows.scraping.web.addresses import read_networks
from interlock.workflows.scraping.web.faults import FetchFault
from interlock.workflows.scraping.web.fetching import Fetcher, FetchLimits
from interlock.workflows.scraping.web.robots import MOST_BYTES, RobotsCache, read_robots
from tests.scraping.web_server import WebServer, answer

SITE = "https://a.com"


@pytest.mark.parametrize(
    ("text", "path", "is_allowed"),
    [
        ("User-agent: *\nDisallow: /", "/x", False),
        ("User-agent: *\nDisallow:", "/x", True),
        ("", "/x", True),
        ("User-agent: *\nDisallow: /\nAllow: /open", "/open/x", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/c/d", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/x", True),
        ("User-agent: *\nDisallow: /page\nAllow: /page", "/page", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /a*z", "/abcz/more", False),
        ("User-agent: *\nDisallow: /*?session=", "/x?session=1", False),
        ("User-agent: *\nDisallow: /fish$", "/fish", False),
        ("User-agent: *\nDisallow: /fish$", "/fishy", True),
        ("User-agent: *\nDisallow: /Fish", "/fish", True),
        ("User-agent: *\nDisallow: /caf%C3%A9", "/caf%c3%a9/x", False),
        ("User-agent: *\nDisallow: /café", "/caf%C3%A9/x", False),
        # groups
        ("User-agent: interlockbot\nDisallow: /a\n\nUser-agent: *\nDisallow: /", "/b", True),
        ("User-agent: InterlockBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /", "/a", False),
        ("User-agent: InterlockBot\nDisallow: /a\n\nUser-agent: InterlockBot\nDisallow: /b", "/a", False),
        ("User-agent: InterlockBot\nDisallow: /a\n\nUser-agent: InterlockBot\nDisallow: /b", "/b", False),
        ("User-agent: other\nUser-agent: InterlockBot\nDisallow: /a", "/a", False),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/a", False),
        # how files are really written
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("User-agent: *\rDisallow: /a\r", "/a", False),
        ("  user-AGENT :  *  \n\tDISALLOW:/a # a remark", "/a", False),
        ("# a remark\n\nUser-agent: * # all\nDisallow: /a", "/a", False),
        ("Disallow: /a\nUser-agent: *\nDisallow: /b", "/a", True),
        ("User-agent: *\nNonsense: 1\nDisallow: /a", "/a", False),
        ("User-agent: *\nDisallow: /a\n\x00\ud800rubbish", "/a", False),
        ("User-agent: *\nCrawl-delay: nonsense\nDisallow: /a", "/a", False),
    ],
)
def test_the_rules_of_a_file_decide(text: str, path: str, is_allowed: bool) -> None:
    robots = read_robots(text.encode("utf-8", "surrogatepass"))
    assert robots.allows(f"{SITE}{path}") is is_allowed


def test_what_is_behind_the_limit_is_not_read() -> None:
    filling = b"# filling\n" * (MOST_BYTES // 10)
    assert not read_robots(b"User-agent: *\nDisallow: /a\n" + filling).allows(f"{SITE}/a")
    assert read_robots(b"User-agent: *\nDisallow: /a\n" + filling + b"Disallow: /b\n").allows(f"{SITE}/b")
    assert MOST_BYTES >= 500 * 1024


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: -1", None),
        ("User-agent: *\nCrawl-delay: 1e999", None),
        ("User-agent: other\nCrawl-delay: 9", None),
        ("User-agent: InterlockBot\nCrawl-delay: 3\n\nUser-agent: *\nCrawl-delay: 9", 3.0),
        ("User-agent: *\nRequest-rate: 1/5", 5.0),
    ],
)
def test_a_delay_is_that_of_the_own_group(text: str, delay: float | None) -> None:
    assert read_robots(text.encode()).delay == delay


def test_sitemaps_are_outside_of_groups() -> None:
    text = b"Sitemap: https://a.com/1.xml\nUser-agent: *\nDisallow: /\nsitemap : https://a.com/2.xml\nSITEMAP:https://a.com/1.xml"
    assert read_robots(text).sitemaps == ("https://a.com/1.xml", "https://a.com/2.xml")


@pytest.mark.parametrize(("hops", "end"), [(5, "ROBOTS_DENIED"), (6, "page")])
def test_five_redirects_are_followed_and_after_more_there_is_no_file(hops: int, end: str) -> None:
    with WebServer() as web:
        web.pages |= {"/page": answer(b"page"), "/robots.txt": answer(status="301 Moved", Location="/r1")}
        web.pages |= {
            f"/r{number}": answer(status="302 Found", Location=f"/r{number + 1}") for number in range(1, hops)
        }
        web.pages[f"/r{hops}"] = answer(b"User-agent: *\nDisallow: /", kind="text/plain")

        async def run() -> str:
            fetcher = Fetcher(
                interval=0.0, allowed=read_networks("127.0.0.1"), limits=FetchLimits(seconds=20)
            )
            try:
                page = await fetcher.get(f"{web.url}/page", judge=RobotsCache(fetcher).check)
                return page.content.decode()
            except FetchFault as fault:
                return fault.code
            finally:
                await fetcher.close()

        assert asyncio.run(run()) == end
