"""Visits against a real server on loopback: redirects, limits, hostile bodies, and politeness as the server sees it."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from interlock.workflows.scraping.web.addresses import read_networks
from interlock.workflows.scraping.web.faults import FetchFault
from interlock.workflows.scraping.web.fetching import Fetched, Fetcher, FetchLimits
from interlock.workflows.scraping.web.robots import RobotsCache
from interlock.workflows.scraping.web.unpacking import Unpacker
from tests.scraping.web_server import Request, WebServer, answer

LOOPBACK = read_networks("127.0.0.1")
LIMITS = FetchLimits(page_bytes=100_000, seconds=60.0, connect_seconds=60.0)
"""Seconds that nothing here takes, unless the machine does something else for long."""


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


def visit(
    act: Callable[[Fetcher], Awaitable[Fetched]], *, interval: float = 0.0, limits: FetchLimits = LIMITS
) -> Fetched:
    async def run() -> Fetched:
        fetcher = Fetcher(interval=interval, allowed=LOOPBACK, limits=limits)
        try:
            return await act(fetcher)
        finally:
            await fetcher.close()

    return asyncio.run(run())


def fault(act: Callable[[Fetcher], Awaitable[Fetched]]) -> str:
    with pytest.raises(FetchFault) as caught:
        visit(act)
    return caught.value.code


def test_a_page_comes_with_its_final_address(web: WebServer) -> None:
    web.pages |= {"/a": answer(status="302 Found", Location="/b"), "/b": answer(b"here")}
    page = visit(lambda fetcher: fetcher.get(f"{web.url}/a"))
    assert (page.url, page.content, page.hops) == (f"{web.url}/b", b"here", (f"{web.url}/a",))
    assert web.requests[0].headers["user-agent"].startswith("InterlockBot/")


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://10.0.0.1/", "PRIVATE_ADDRESS"),
        ("http://169.254.169.254/latest/meta-data", "PRIVATE_ADDRESS"),
        ("http://0x7f000002/", "PRIVATE_ADDRESS"),
        ("http://2130706434/", "PRIVATE_ADDRESS"),
        ("http://127.2/", "PRIVATE_ADDRESS"),
        ("http://[::1]/", "PRIVATE_ADDRESS"),
        ("http://[::ffff:10.0.0.1]/", "PRIVATE_ADDRESS"),
        ("file:///etc/passwd", "BAD_REDIRECT"),
        ("javascript:alert(1)", "BAD_REDIRECT"),
        ("/a", "REDIRECT_LOOP"),
    ],
)
def test_a_redirect_leads_nowhere_private(web: WebServer, location: str, code: str) -> None:
    web.pages["/a"] = answer(status="302 Found", Location=location)
    assert fault(lambda fetcher: fetcher.get(f"{web.url}/a")) == code
    assert len(web.requests) == 1


def test_redirects_without_end_are_given_up(web: WebServer) -> None:
    web.pages |= {f"/{number}": answer(status="302 Found", Location=f"/{number + 1}") for number in range(20)}
    assert fault(lambda fetcher: fetcher.get(f"{web.url}/0")) == "TOO_MANY_REDIRECTS"


def test_a_private_address_is_not_even_connected_to() -> None:
    assert fault(lambda fetcher: fetcher.get("http://10.255.255.1/")) == "PRIVATE_ADDRESS"


@pytest.mark.parametrize(
    ("status", "code", "is_final"),
    [
        ("404 Not Found", "NOT_FOUND", True),
        ("410 Gone", "NOT_FOUND", True),
        ("403 Forbidden", "FORBIDDEN", True),
        ("500 Oops", "SERVER_ERROR", False),
        ("503 Later", "SERVER_ERROR", False),
        ("429 Slow Down", "RATE_LIMITED", False),
        ("418 Teapot", "BAD_STATUS", True),
    ],
)
def test_each_status_has_its_code_and_whether_it_is_worth_a_retry(
    web: WebServer, status: str, code: str, is_final: bool
) -> None:
    web.pages["/"] = answer(status=status, Retry_After="999999999999")
    with pytest.raises(FetchFault) as caught:
        visit(lambda fetcher: fetcher.get(web.url))
    assert (caught.value.code, caught.value.is_final) == (code, is_final)
    assert caught.value.after in (None, 86_400.0)


def test_bodies_are_unpacked_within_a_limit_that_holds_at_every_byte(web: WebServer) -> None:
    good = b"<html>good</html>"
    web.pages |= {
        "/gzip": answer(gzip.compress(good), Content_Encoding="gzip"),
        "/deflate": answer(zlib.compress(good), Content_Encoding="deflate"),
        "/raw": answer(zlib.compress(good)[2:-4], Content_Encoding="deflate"),
        "/twice": answer(gzip.compress(gzip.compress(good)), Content_Encoding="gzip, gzip"),
        "/members": answer(
            b"".join(gzip.compress(one) for one in (good[:5], good[5:])), Content_Encoding="gzip"
        ),
        "/bomb": answer(gzip.compress(b"0" * 50_000_000), Content_Encoding="gzip"),
        "/members%20without%20end": answer(gzip.compress(b"0" * 1_000_000) * 50, Content_Encoding="gzip"),
        "/bombs": answer(gzip.compress(gzip.compress(b"0" * 50_000_000)), Content_Encoding="gzip, gzip"),
        "/broken": answer(b"\x1f\x8b\x08\x00garbage", Content_Encoding="gzip"),
        "/other": answer(good, Content_Encoding="br"),
        "/large": answer(b"x" * 100_001),
    }
    for path in ("/gzip", "/deflate", "/raw", "/twice", "/members"):
        assert visit(lambda fetcher, path=path: fetcher.get(f"{web.url}{path}")).content == good  # type: ignore[misc]
    codes = {
        path: fault(lambda fetcher, path=path: fetcher.get(f"{web.url}{path}"))
        for path in ("/bomb", "/bombs", "/members%20without%20end", "/broken", "/other", "/large")
    }  # type: ignore[misc]
    assert codes == {
        "/bomb": "TOO_LARGE",
        "/bombs": "TOO_LARGE",
        "/members%20without%20end": "TOO_LARGE",
        "/broken": "BAD_ENCODING",
        "/other": "BAD_ENCODING",
        "/large": "TOO_LARGE",
    }


def test_a_body_without_end_and_a_server_that_says_nothing_end_in_time(web: WebServer) -> None:
    async def silent(_: Request) -> bytes:
        await asyncio.sleep(3600)  # it is cut off long before
        return b""

    web.pages |= {
        "/silent": silent,
        "/short": b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
        "/rubbish": b"this is no HTTP\r\n\r\n",
        "/chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"ffff\r\n" + b"x" * 65_535 + b"\r\n" + b"ffff\r\n" + b"y" * 65_535,
    }
    codes = []
    for path in ("/silent", "/short", "/rubbish", "/chunks"):
        limits = replace(LIMITS, seconds=0.3) if path == "/silent" else LIMITS
        with pytest.raises(FetchFault) as caught:
            visit(lambda fetcher, path=path: fetcher.get(f"{web.url}{path}"), limits=limits)  # type: ignore[misc]
        codes.append((caught.value.code, caught.value.is_final))
    assert codes == [
        ("TIMEOUT", False),
        ("BAD_RESPONSE", False),
        ("BAD_RESPONSE", False),
        ("TOO_LARGE", True),
    ]


def test_nobody_listening_and_no_such_name_are_tried_again(web: WebServer) -> None:
    assert fault(lambda fetcher: fetcher.get("http://127.0.0.1:1/")) == "CONNECTION_REFUSED"
    assert fault(lambda fetcher: fetcher.get("http://no-such-host.invalid/")) == "DNS_FAILED"


def test_one_host_sees_one_request_at_a_time_and_a_pause_between_two(web: WebServer) -> None:
    async def slow(_: Request) -> bytes:
        await asyncio.sleep(0.02)
        return answer(b"x")

    web.pages |= {f"/{number}": slow for number in range(5)}

    async def all_at_once(fetcher: Fetcher) -> Fetched:
        pages = await asyncio.gather(*(fetcher.get(f"{web.url}/{number}") for number in range(5)))
        return pages[0]

    visit(all_at_once, interval=0.05)
    spans = sorted((began, ended) for _, began, ended in web.spans)
    assert len(spans) == 5
    assert all(later[0] - earlier[1] >= 0.045 for earlier, later in pairwise(spans))


def test_robots_are_asked_once_and_obeyed_on_every_redirect(web: WebServer) -> None:
    rules = b"User-agent: *\nDisallow: /private\nAllow: /private/open\n\nUser-agent: OtherBot\nDisallow: /\nSitemap: https://x/s.xml"
    web.pages |= {
        "/robots.txt": answer(rules, kind="text/plain"),
        "/free": answer(b"free"),
        "/private/open": answer(b"open"),
        "/private/x": answer(b"secret"),
        "/trick": answer(status="302 Found", Location="/private/x"),
    }

    async def run() -> dict[str, str]:
        fetcher = Fetcher(interval=0.0, allowed=LOOPBACK, limits=LIMITS)
        robots = RobotsCache(fetcher)
        ends = {}
        for path in ("/free", "/private/open", "/private/x", "/trick"):
            try:
                ends[path] = (await fetcher.get(f"{web.url}{path}", judge=robots.check)).content.decode()
            except FetchFault as error:
                ends[path] = error.code
        assert (await robots.of(web.url)).sitemaps == ("https://x/s.xml",)
        await fetcher.close()
        return ends

    assert asyncio.run(run()) == {
        "/free": "free",
        "/private/open": "open",
        "/private/x": "ROBOTS_DENIED",
        "/trick": "ROBOTS_DENIED",
    }
    assert [one.path for one in web.requests].count("/robots.txt") == 1
    assert "/private/x" not in [one.path for one in web.requests]


@pytest.mark.parametrize(
    ("page", "end"),
    [
        (answer(status="404 Not Found"), "page"),
        (answer(status="403 Forbidden"), "page"),
        (answer(b"<!DOCTYPE html><html>soft 404</html>"), "page"),
        (answer(status="500 Oops"), "ROBOTS_UNREACHABLE"),
        (answer(status="429 Slow"), "ROBOTS_UNREACHABLE"),
        (b"rubbish\r\n\r\n", "ROBOTS_UNREACHABLE"),
        (answer(b"\xff\x00User-agent: *\x00\nDisallow: /", kind="text/plain"), "ROBOTS_DENIED"),
        (
            answer(b"\xef\xbb\xbfUser-agent: interlockbot\r\nDisallow: /page", kind="text/plain"),
            "ROBOTS_DENIED",
        ),
        (answer(b"User-agent: *\nDisallow:", kind="text/plain"), "page"),
        (answer(status="302 Found", Location="/robots.txt"), "page"),
    ],
)
def test_what_the_robots_file_answers_decides_the_visit(web: WebServer, page: bytes, end: str) -> None:
    web.pages |= {"/robots.txt": page, "/page": answer(b"page")}

    async def run() -> str:
        fetcher = Fetcher(interval=0.0, allowed=LOOPBACK, limits=LIMITS)
        try:
            return (await fetcher.get(f"{web.url}/page", judge=RobotsCache(fetcher).check)).content.decode()
        except FetchFault as error:
            return error.code
        finally:
            await fetcher.close()

    assert asyncio.run(run()) == end


def test_a_crawl_delay_is_kept(web: WebServer) -> None:
    web.pages |= {
        "/robots.txt": answer(b"User-agent: *\nCrawl-delay: 0.1\n", kind="text/plain"),
        **{f"/{number}": answer(b"x") for number in range(3)},
    }

    async def run(fetcher: Fetcher) -> Fetched:
        robots = RobotsCache(fetcher)
        pages = [await fetcher.get(f"{web.url}/{number}", judge=robots.check) for number in range(3)]
        return pages[-1]

    visit(run)
    moments = [one.began for one in web.requests]
    assert all(later - earlier >= 0.095 for earlier, later in pairwise(moments))


@pytest.mark.parametrize("step", [1, 7, 1_000, 1_000_000])
@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 400_000])
def test_bodies_of_every_size_are_unpacked_whole_however_they_arrive(size: int, step: int) -> None:
    content = bytes(number * number % 251 for number in range(size))
    packed = gzip.compress(content[: size // 2]) + gzip.compress(content[size // 2 :])
    if step < 1_000 and size > 100_000:
        packed = packed[:0] + gzip.compress(content)
    unpacker = Unpacker("gzip", 1_000_000)
    for start in range(0, len(packed), step):
        unpacker.feed(packed[start : start + step])
    assert unpacker.content == content
    assert not unpacker.is_cut
