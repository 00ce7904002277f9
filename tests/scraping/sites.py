"""Web sites of every quality as one server plays them: good, slow, broken, forbidden, hostile; each with how its visits must end."""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address, ip_network

from tests.scraping.name_server import Records
from tests.scraping.web_server import Answer, Request, WebServer, answer

INSIDE, OUTSIDE = ip_network("127.1.0.0/16"), "127.2.0.1"
"""Where the sites are and may be visited, and an address of the same server that nobody may contact."""
ZONE = "sites.example"
Pages = Mapping[str, Answer]


@dataclass(frozen=True)
class Kind:
    """How sites of one kind answer, and how the visits end: the codes of failed records by kind of record, and contacts."""

    pages: Callable[[str], Pages]
    domain: str = ""
    """The code of the domain's failure; empty where it is complete."""
    sitemap: str | None = ""
    """The code of its sitemap file's failure, or None where there is no sitemap."""
    contact: str | None = ""
    """The code of its contact page's failure, or None where there is no such page."""
    emails: int = 1
    urls: int | None = 2
    records: Callable[[int], Records | None] | None = None
    """Its DNS records, by how often they were asked for before, where they are not one address among the sites'."""
    port: int | None = None


def html(body: str, title: str = "A site") -> bytes:
    return f"<html lang=en><head><title>{title}</title></head><body>{body}</body></html>".encode()


def urlset(*urls: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def robots(base: str, *lines: str) -> bytes:
    return answer("\n".join(("User-agent: *", *lines, f"Sitemap: {base}/s.xml")).encode(), kind="text/plain")


def good(base: str, **more: Answer) -> dict[str, Answer]:
    """A home page, robots.txt, a sitemap of two pages, and a contact page."""
    pages: dict[str, Answer] = {
        "/": answer(html("Hello")),
        "/robots.txt": robots(base),
        "/s.xml": answer(urlset(f"{base}/contact", f"{base}/blog/one"), kind="application/xml"),
        "/contact": answer(html("<a href='mailto:ann@firma.de'>Ann</a>")),
    }
    names = {"home": "/", "robots": "/robots.txt", "sitemap": "/s.xml", "contact": "/contact"}
    return pages | {names.get(name, name): page for name, page in more.items()}


def with_home(page: Answer) -> Callable[[str], Pages]:
    return lambda base: good(base, home=page)


def with_contact(page: Answer) -> Callable[[str], Pages]:
    return lambda base: good(base, contact=page)


def with_sitemap(page: bytes, kind: str = "application/xml") -> Callable[[str], Pages]:
    return lambda base: good(base, sitemap=answer(page.replace(b"BASE", base.encode()), kind=kind))


def without_robots(base: str) -> Pages:
    pages = good(base)
    del pages["/robots.txt"]
    return pages | {"/sitemap.xml": pages.pop("/s.xml")}


async def never(_: Request) -> bytes:
    await asyncio.Event().wait()
    return b""


def slow(page: bytes) -> Answer:
    async def later(_: Request) -> bytes:
        await asyncio.sleep(0.3)
        return page

    return later


async def endless(_: Request) -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    while True:
        yield b"1000\r\n" + b"x" * 4096 + b"\r\n"


async def dripping(_: Request) -> AsyncIterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>"
    while True:
        await asyncio.sleep(0.2)
        yield b"x"


def redirecting(location: str) -> bytes:
    return answer(status="302 Found", Location=location)


def asks_for_a_pause() -> Answer:
    """Answers 429 to the first request and the page to all others."""
    asked = Counter[str]()

    def page(request: Request) -> bytes:
        asked[request.host] += 1
        if asked[request.host] == 1:
            return answer(status="429 Too Many Requests", Retry_After="1")
        return answer(html("Hello"))

    return page


def turning(before: int) -> Records:
    """An allowed address for the first request, another one for all that follow."""
    return {"A": ["127.1.255.1" if before == 0 else OUTSIDE]}


@cache
def titled(length: int) -> bytes:
    return answer(html("x", "t" * length))


@cache
def linked(count: int) -> bytes:
    return answer(html("<a href='mailto:ann@firma.de'>x</a>" + "<a href=/>" * count))


@cache
def bomb(length: int) -> bytes:
    return gzip.compress(b"0" * 1_000_000) * (length // 1_000_000)


def index(*urls: str) -> bytes:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>".encode()


def looping(base: str) -> Pages:
    first = answer(index(f"{base}/s.xml", f"{base}/t.xml", f"{base}/u.xml"), kind="application/xml")
    second = answer(index(f"{base}/s.xml", f"{base}/t.xml"), kind="application/xml")
    pages = urlset(f"{base}/contact", f"{base}/blog/one")
    return good(base, sitemap=first) | {"/t.xml": second, "/u.xml": answer(pages, kind="application/xml")}


def bottomless(base: str) -> Answer:
    """An index that leads to another one, without end."""

    def page(request: Request) -> bytes:
        number = int(request.path.rpartition("-")[2].partition(".")[0] or 0) if "-" in request.path else 0
        return answer(index(f"{base}/deeper-{number + 1}.xml"), kind="application/xml")

    return page


def without_bottom(base: str) -> Pages:
    page = bottomless(base)
    return good(base, sitemap=page) | {f"/deeper-{number}.xml": page for number in range(1, 20)}


BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
WAF = "<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>"
FORMULA = html(
    "<a href='mailto:=1+1@firma.de'>x</a> <a href='javascript:alert(1)'>x</a> <a href='data:text/html,y@firma.de'>z</a>"
)
UTF16_SURROGATES = b"<html><body>\xed\xa0\x80 a\x00nn@firma.de \xed\xbf\xbf &#xD800; &#0;</body></html>"


def lost(
    pages: Callable[[str], Pages],
    code: str,
    *,
    records: Callable[[int], Records | None] | None = None,
    port: int | None = None,
) -> Kind:
    """A kind whose domain fails: it has no children."""
    return Kind(pages, code, None, None, 0, None, records, port)


def lost_sitemap(pages: Callable[[str], Pages], code: str) -> Kind:
    return Kind(pages, "", code, None, 0, None)


def lost_page(pages: Callable[[str], Pages], code: str) -> Kind:
    return Kind(pages, contact=code, emails=0)


QUALITIES: dict[str, Kind] = {
    "good": Kind(good),
    "no robots.txt": Kind(without_robots),
    "slow": Kind(
        lambda base: {path: slow(page) for path, page in good(base).items() if isinstance(page, bytes)}
    ),
    "crawl delay": Kind(lambda base: good(base, robots=robots(base, "Crawl-delay: 0.4"))),
    "asks for a pause": Kind(lambda base: good(base, home=asks_for_a_pause())),
    "redirects home": Kind(
        lambda base: good(base, home=redirecting("/start")) | {"/start": answer(html("Hi"))}
    ),
    "robots.txt forbids": lost(lambda base: good(base, robots=robots(base, "Disallow: /")), "ROBOTS_DENIED"),
    "robots.txt is broken": lost(
        lambda base: good(base, robots=answer(status="500 Oops")), "ROBOTS_UNREACHABLE"
    ),
    "contact forbidden": lost_page(
        lambda base: good(base, robots=robots(base, "Disallow: /contact")), "ROBOTS_DENIED"
    ),
    "never answers": lost(with_home(never), "TIMEOUT"),
    "drips": lost(with_home(dripping), "TIMEOUT"),
    "not there": lost(with_home(answer(status="404 Not Found")), "NOT_FOUND"),
    "in trouble": lost(with_home(answer(status="502 Bad Gateway")), "SERVER_ERROR"),
    "challenge": lost(with_home(answer(WAF.encode())), "BLOCK_PAGE"),
    "challenge with a status": lost(with_home(answer(WAF.encode(), status="403 Forbidden")), "FORBIDDEN"),
    "contact behind a wall": lost_page(with_contact(answer(WAF.encode())), "BLOCK_PAGE"),
    "no page": lost(with_home(answer(b"%PDF-1.7", kind="application/pdf")), "NOT_HTML"),
    "no HTTP": lost(with_home(b"this is no HTTP\r\n\r\n"), "BAD_RESPONSE"),
    "half a body": lost(with_home(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nhalf"), "BAD_RESPONSE"),
    "broken gzip": lost(
        with_home(answer(b"\x1f\x8b\x08\x00rubbish", Content_Encoding="gzip")), "BAD_ENCODING"
    ),
    "broken gzip sitemap": lost_sitemap(with_sitemap(b"\x1f\x8brubbish"), "BAD_ENCODING"),
    "redirects in a circle": lost(with_home(redirecting("/")), "REDIRECT_LOOP"),
    "redirects without end": lost(
        lambda base: (
            good(base, home=redirecting("/1"))
            | {f"/{number}": redirecting(f"/{number + 1}") for number in range(1, 9)}
        ),
        "TOO_MANY_REDIRECTS",
    ),
    "no such name": lost(good, "DNS_FAILED", records=lambda _: None),
    "nobody listens": lost(good, "CONNECTION_REFUSED", port=1),
    "RSS": Kind(
        with_sitemap(
            b"<rss><channel><item><link>BASE/contact</link></item><item><link>BASE/x</link></item></channel></rss>"
        )
    ),
    "text": Kind(with_sitemap(b"\xef\xbb\xbfBASE/contact\r\nBASE/x\r\n", "text/plain")),
    "no addresses": Kind(with_sitemap(b"<urlset/>"), contact=None, emails=0, urls=0),
}
"""What is met every day."""

HOSTILE: dict[str, Kind] = {
    "lone surrogates and NUL": Kind(with_contact(answer(UTF16_SURROGATES))),
    "title of 10 MB": lost(lambda base: good(base, home=titled(10_000_000)), "TOO_LARGE"),
    "title of 4 MB": Kind(lambda base: good(base, home=titled(4_000_000))),
    "a million links": lost_page(lambda base: good(base, contact=linked(1_000_000)), "TOO_LARGE"),
    "many links": Kind(lambda base: good(base, contact=linked(300_000))),
    "deep": Kind(with_contact(answer(html("ann@firma.de " + "<div>" * 200_000)))),
    "entity bomb": lost_sitemap(
        with_sitemap(BOMB + b"<urlset><url><loc>BASE/&b;</loc></url></urlset>"), "ENTITIES"
    ),
    "gzip bomb": lost(
        lambda base: good(base, home=answer(bomb(50_000_000), Content_Encoding="gzip")), "TOO_LARGE"
    ),
    "gzip bomb sitemap": lost_sitemap(
        lambda base: good(base, sitemap=answer(bomb(120_000_000), kind="application/gzip")), "TOO_LARGE"
    ),
    "body without end": lost(with_home(endless), "TOO_LARGE"),
    "redirect into private space": lost(with_home(redirecting(f"http://{OUTSIDE}:PORT/")), "PRIVATE_ADDRESS"),
    "redirect to this machine": lost(with_home(redirecting("http://[::1]/")), "PRIVATE_ADDRESS"),
    "redirect to metadata": lost(with_home(redirecting("http://169.254.169.254/latest/")), "PRIVATE_ADDRESS"),
    "redirect to a script": lost(with_home(redirecting("javascript:alert(1)")), "BAD_REDIRECT"),
    "contact redirects into private space": lost_page(
        with_contact(redirecting(f"http://{OUTSIDE}:PORT/")), "PRIVATE_ADDRESS"
    ),
    "private name": lost(good, "PRIVATE_ADDRESS", records=lambda _: {"A": [OUTSIDE]}),
    "name that turns": lost(good, "PRIVATE_ADDRESS", records=turning),
    "looping index": Kind(looping),
    "bottomless index": Kind(without_bottom, contact=None, emails=0, urls=0),
    "scripts and data in the sitemap": Kind(
        with_sitemap(urlset("BASE/contact", "javascript:alert(1)", "data:text/html,x", "BASE/x"))
    ),
    "formula": Kind(with_contact(answer(FORMULA))),
    "header of 200 KB": lost(with_home(answer(html("x"), X_Long="x" * 200_000)), "BAD_RESPONSE"),
}
"""What is meant to hurt."""
HUGE = Kind(
    lambda base: good(
        base,
        sitemap=lambda _: answer(
            urlset(f"{base}/contact", *(f"{base}/blog/{number}" for number in range(49_999))),
            kind="application/xml",
        ),
    ),
    urls=50_000,
)
KINDS = {**QUALITIES, **HOSTILE, "50,000 addresses": HUGE}


@dataclass(frozen=True)
class Site:
    """One site: its name, its kind, and where it is visited."""

    name: str
    quality: str
    port: int

    @property
    def kind(self) -> Kind:
        return KINDS[self.quality]

    @property
    def host(self) -> str:
        return f"{self.name}.{ZONE}:{self.kind.port or self.port}"

    @property
    def base(self) -> str:
        return f"http://{self.host}"


@dataclass
class Sites(WebServer):
    """Plays every site; notes whoever came to an address at which nobody may be contacted."""

    bound_to: str = "0.0.0.0"
    built: dict[str, Pages] = field(default_factory=dict)
    by_host: dict[str, Site] = field(default_factory=dict)

    def play(self, qualities: Iterator[str] | list[str]) -> list[Site]:
        made = [Site(f"s{number:04}", quality, self.port) for number, quality in enumerate(qualities)]
        self.by_host |= {site.host: site for site in made}
        for site in made:  # large bodies are made now, and not while somebody waits for an answer
            if site.kind is not HUGE:
                self.built[site.host] = site.kind.pages(site.base)
        return made

    def find(self, request: Request) -> Answer | None:
        site = self.by_host.get(request.host)
        if site is None:
            return None
        pages = self.built.get(site.host)
        if pages is None:
            pages = self.built[site.host] = site.kind.pages(site.base)
        page = pages.get(request.path)
        return (
            page.replace(b":PORT/", f":{self.port}/".encode())
            if isinstance(page, bytes) and b":PORT/" in page
            else page
        )

    def trespassers(self) -> list[Request]:
        """Requests that came to an address that may not be contacted."""
        return [one for one in self.requests if ip_address(one.address) not in INSIDE]

    def names(self, name: str, before: int) -> Records | None:
        """The DNS of the sites: each name has an address of its own."""
        site = self.by_host.get(f"{name}:{self.port}") or self.by_host.get(f"{name}:1")
        if site is None:
            return {"A": ["93.184.216.34"]} if name == "firma.de" else None
        if site.kind.records is not None:
            return site.kind.records(before)
        number = int(site.name[1:])
        return {"A": [f"127.1.{number // 250}.{number % 250 + 1}"]}
