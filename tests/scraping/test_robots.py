"""robots.txt by RFC 9309: groups, wildcards, the longest rule, and what counts as no file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

import pytest

from interlock.workflows.scraping.web.addresses import read_networks
from interlock.workflows.scraping.web.faults import FetchFault
from interlock.workflows.scraping.web.fetching import Fetcher, FetchLimits
from interlock.workflows.scraping.web.robots import MOST_BYTES, RobotsCache, read_robots
from tests.scraping.web_server import Answer, Request, WebServer, answer

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
        # whole product tokens, whatever stands behind them
        ("User-agent: InterlockBot/1.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/a", False),
        ("User-agent: InterlockBot/1.0\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", True),
        ("User-agent: Interlock\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/a", True),
        ("User-agent: Interlock\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", False),
        ("User-agent: InterlockBot-Image\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/a", True),
        ("User-agent: NotInterlockBot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", False),
        # lines that are no rules part no group
        ("User-agent: InterlockBot\nNoindex: /x\nUser-agent: other\nDisallow: /a", "/a", False),
        ("User-agent: InterlockBot\nSitemap: https://a.com/s\nUser-agent: other\nDisallow: /a", "/a", False),
        ("User-agent: InterlockBot\n\nUser-agent: other\nDisallow: /a", "/a", False),
        # how files are really written
        ("User-agent: *\nDisallow: /\nAllow: /$", "/", True),
        ("User-agent: *\nDisallow: /\nAllow: /$", "/x", False),
        ("User-agent: *\nDisallow: *", "/x", False),
        ("User-agent: *\nDisallow: /%7Ejoe/", "/~joe/x", False),
        ("User-agent: *\nDisallow: /a%2fb", "/a/b", True),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("<html><body>User-agent: * Disallow: /</body></html>", "/x", True),
        ("\ufeffUser-agent: *\r\nDisallow: /a\r\n", "/a", False),
        ("User-agent: *\rDisallow: /a\r", "/a", False),
        ("  user-AGENT :  *  \n\tDISALLOW:/a # a remark", "/a", False),
        ("# a remark\n\nUser-agent: * # all\nDisallow: /a", "/a", False),
        ("Disallow: /a\nUser-agent: *\nDisallow: /b", "/a", True),
        ("User-agent: *\nNonsense: 1\nDisallow: /a", "/a", False),
        ("User-agent: *\nDisallow: /a\n\x00\ud800rubbish", "/a", False),
        ("User-agent: *\nCrawl-delay: nonsense\nDisallow: /a", "/a", False),
        # odd ways to write what is still clear
        ("User-agent: *\nUser-agent: Googlebot\nDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /search\nAllow: /search$", "/search", True),
        ("User-agent: *\nDisallow: /**/secret", "/a/b/secret", False),
        ("User-agent: *\nDisallow: /*.php?*id=", "/index.php?page=1&id=3", False),
        ("User-agent: *\nDisallow: /a$b", "/a$bc", False),
        ("User-agent: *\nDisallow: /?", "/", True),
        ("User-agent: *\nDisallow: /?", "/?a=1", False),
        ("User-agent: *\nDisallow: tmp/", "/tmp/x", False),
        ("User-agent: *\nDisallow: https://a.com/tmp/", "/tmp/x", False),
        ("User-agent: *\nDisallow: /\nAllow: tmp/", "/tmp/x", True),
        ("User-agent *\nDisallow /a", "/a", False),
        ("Useragent: *\nDisallow: /a", "/a", False),
        ("User-agent: *\nDissallow: /a\nDisalow: /b", "/b", False),
        ("User-agent: *\nDisallow: /foo\nAllow: /fo*", "/foo", True),
        ("User-agent: *\nDisallow: /z#frag", "/z", False),
        ("User-agent: *\nDisallow: /a b", "/a%20b", False),
        ("User-agent: *\nDisallow: /p\nDisallow:", "/p", False),
        ("User-agent: Mozilla/5.0 (compatible; InterlockBot/1.0)\nDisallow: /", "/z", True),
    ],
)
def test_the_rules_of_a_file_decide(text: str, path: str, is_allowed: bool) -> None:
    robots = read_robots(text.encode("utf-8", "surrogatepass"))
    assert robots.allows(f"{SITE}{path}") is is_allowed


@pytest.mark.parametrize(
    "content",
    [
        "User-agent: *\nDisallow: /a".encode("utf-16"),
        b"\xfe\xff" + "User-agent: *\nDisallow: /a".encode("utf-16-be"),
        "User-agent: *\nDisallow: /a".encode("utf-16-le"),
        "User-agent: *\nDisallow: /caf\xe9\nDisallow: /a".encode("latin-1"),
    ],
    ids=["UTF-16", "UTF-16, big end first", "UTF-16 without a mark", "Latin-1"],
)
def test_a_file_is_read_in_whatever_encoding_it_is(content: bytes) -> None:
    assert not read_robots(content).allows(f"{SITE}/a")
    assert read_robots(content).allows(f"{SITE}/b")


def test_what_is_behind_the_limit_is_not_read() -> None:
    filling = b"# filling\n" * (MOST_BYTES // 10)
    assert not read_robots(b"User-agent: *\nDisallow: /a\n" + filling).allows(f"{SITE}/a")
    assert read_robots(b"User-agent: *\nDisallow: /a\n" + filling + b"Disallow: /b\n").allows(f"{SITE}/b")
    assert MOST_BYTES >= 500 * 1024


def test_a_rule_that_the_limit_cuts_is_left_out() -> None:
    filling = b"# filling\n" * (MOST_BYTES // 10)
    before = (b"User-agent: *\nDisallow: /a\n" + filling)[: MOST_BYTES - len("\nDisallow: /")]
    assert read_robots(before + b"\nDisallow: /private\n").allows(f"{SITE}/b")


def test_a_file_that_has_no_end_still_forbids_what_its_beginning_forbids() -> None:
    async def endless(_: Request) -> AsyncIterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /page\n"
        while True:
            yield b"# filling\n" * 1000

    assert visit({"/robots.txt": endless, "/page": answer(b"page")}) == "ROBOTS_DENIED"


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nCrawl-delay: 0,5", 0.5),
        ("User-agent: *\nCrawl-delay: .5", 0.5),
        ("User-agent: *\nCrawl-delay: 5s", 5.0),
        ("User-agent: *\n\nCrawl-delay: 10 # seconds", 10.0),
        ("User-agent: InterlockBot\nDisallow:\n\nUser-agent: *\nCrawl-delay: 30", None),
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
    pages = {"/page": answer(b"page"), "/robots.txt": answer(status="301 Moved", Location="/r1")}
    pages |= {
        f"/r{number}": answer(status="302 Found", Location=f"/r{number + 1}") for number in range(1, hops)
    }
    pages[f"/r{hops}"] = answer(b"User-agent: *\nDisallow: /", kind="text/plain")
    assert visit(pages) == end


def visit(pages: Mapping[str, Answer]) -> str:
    """The body of /page on a site with these pages, or the code of the fault."""
    with WebServer() as web:
        web.pages |= pages

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

        return asyncio.run(run())
