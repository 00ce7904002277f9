"""What each stage does with one record: visit a domain, read a sitemap file, visit a page, verify a contact. No database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from interlock import Again, Done, Failed, Found, Outcome, Work
from interlock.extension import SystemClock

from .contacts.extracting import Contacts, extract_contacts
from .options import Options
from .sitemaps.reading import MOST_URLS, Sitemap, read_sitemap
from .sitemaps.triage import judge_page
from .visitor import Visitor
from .web.addresses import BadAddress, is_same_site, read_url
from .web.faults import FetchFault
from .web.fetching import Fetched
from .web.page import Page, read_page
from .web.text import shorten

COMMON_PATHS = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/wp-sitemap.xml",
    "/sitemap.xml.gz",
    "/sitemap/sitemap.xml",
    "/sitemaps.xml",
    "/sitemap.txt",
)
XML = "application/xml,text/xml,application/rss+xml,application/atom+xml,text/plain;q=0.8,*/*;q=0.5"
MOST_SITEMAPS, MOST_CHILDREN, DEEPEST = 50, 100, 3
POLICY = "policy"
LONGEST_AGAIN = 3600.0
"""Seconds. A site that asks for a longer pause has failed for now."""
SHORTEST_AGAIN = 0.2
"""Seconds until work that is not its host's first is looked at again."""


def outcome_of(fault: FetchFault) -> Outcome[Any]:
    """The outcome of a visit without an answer: later where the site asks for that, else a failure."""
    if (
        fault.after is not None
        and fault.code in ("RATE_LIMITED", "SERVER_ERROR")
        and 0 < fault.after <= LONGEST_AGAIN
    ):
        return Again(f"{max(1, round(fault.after))}s")
    return Failed(fault.code, shorten(fault.message, 500), final=fault.is_final)


Visit = Callable[[Work, Visitor], Awaitable[Outcome[None]]]


async def visit(work: Work, visitor: Visitor, is_first: bool, act: Visit) -> Outcome[None]:
    """Do the work when it is its host's turn, else ask for another try soon. It ends with the pause that the host gets after a request:
    whoever begins next, in whichever process, comes late enough."""
    if not is_first:
        return Again(timedelta(seconds=max(visitor.fetcher.politeness.interval, SHORTEST_AGAIN)))
    outcome = await act(work, visitor)
    await visitor.fetcher.politeness.rest(str(work.record["host"]))
    return outcome


async def visit_domain(work: Work, visitor: Visitor, options: Options) -> Outcome[None]:
    """Visit a domain: does its home page answer, what is it, and where are its sitemaps."""
    host, url = str(work.record["host"]), str(work.record["url"])
    try:
        fetched = await _home(visitor, url)
        home = await visitor.read(read_home, fetched)
        sitemaps = await find_sitemaps(visitor, fetched.url, home.sitemaps)
    except FetchFault as fault:
        return outcome_of(fault)
    now = SystemClock().now()
    rows = [
        {"domain_id": work.id, "host": urlsplit(one).netloc, "url": one, "created_at": now}
        for one in sitemaps
    ]
    chosen: Any = rows
    if options.select_sitemaps and rows:
        reason = f"sitemap file of the selected domain {host}"
        chosen = Found([{**row, "curation_status": "Selected"} for row in rows], actor=POLICY, reason=reason)
    return Done(
        admits={"sitemap-files": chosen},
        title=home.title or None,
        description=home.description or None,
        language=home.language or None,
        http_status=fetched.status,
        sitemap_count=len(rows),
    )


class Home(NamedTuple):
    """What is kept of a home page: its tree can take 100 MB, and the visit goes on."""

    title: str
    description: str
    language: str
    sitemaps: list[str]


def read_home(fetched: Fetched) -> Home:
    """What a home page says of its site, and the sitemaps it links to."""
    page = read_page(fetched)
    return Home(page.title, page.description, page.language, list(_linked(page)))


async def _home(visitor: Visitor, url: str) -> Fetched:
    """The home page; by http where a site is not there by https."""
    try:
        return await visitor.get(url)
    except FetchFault as fault:
        if not url.startswith("https:") or fault.code not in (
            "CONNECTION_REFUSED",
            "CONNECTION_FAILED",
            "TLS_FAILED",
        ):
            raise
        try:
            return await visitor.get(f"http:{url.removeprefix('https:')}")
        except FetchFault:
            raise fault from None


async def find_sitemaps(visitor: Visitor, home: str, linked: Sequence[str]) -> list[str]:
    """The sitemaps of a site: those of its robots.txt, those its home page links to, else the first at a usual place."""
    robots = await visitor.robots.of(home)
    sitemaps = list(_usable([*robots.sitemaps, *linked], home))
    if not sitemaps:
        for path in COMMON_PATHS:
            url = read_url(path, home)
            try:
                await get_sitemap(visitor, url)
            except FetchFault:
                continue
            sitemaps.append(url)
            break
    return list(dict.fromkeys(sitemaps))[:MOST_SITEMAPS]


def _linked(page: Page) -> Iterable[str]:
    for element in page.elements():
        if element.tag == "link" and "sitemap" in (element.get("rel") or "").lower() and element.get("href"):
            yield str(element.get("href"))
    for url, _ in page.addresses():
        path = urlsplit(url).path.lower()
        if "sitemap" in path and path.endswith((".xml", ".xml.gz", ".txt")):
            yield url


def _usable(urls: Iterable[str], base: str) -> Iterable[str]:
    for url in urls:
        try:
            yield read_url(url, base)
        except BadAddress:
            continue


@dataclass
class Expansion:
    """The pages of a sitemap and of the sitemaps within it."""

    pages: dict[str, None] = field(default_factory=dict)
    kind: str = ""
    skipped: int = 0
    bad_children: int = 0
    seen: set[str] = field(default_factory=set)

    def add(self, sitemap: Sitemap, hosts: Collection[str]) -> None:
        """Add the pages that are on one of these hosts; others are counted as skipped."""
        self.skipped += sitemap.skipped + sitemap.left_out
        for url in sitemap.pages:
            if not any(is_same_site(url, host) for host in hosts) or len(self.pages) >= MOST_URLS:
                self.skipped += 1
            else:
                self.pages.setdefault(url)


async def read_sitemap_file(work: Work, visitor: Visitor, site: str = "") -> Outcome[None]:
    """The pages of a sitemap, each once; those worth a visit are selected by policy. A sitemap may be kept on another host than the
    pages of its site: it counts for both."""
    record = work.record
    expansion = Expansion()
    try:
        fetched, sitemap = await get_sitemap(visitor, str(record["url"]), _conditions(record))
        if sitemap is None:
            return Done(empty=False)
    except FetchFault as fault:
        return outcome_of(fault)
    hosts = {str(record["host"]), site or str(record["host"])}
    expansion.kind = sitemap.kind
    expansion.seen |= {str(record["url"]), fetched.url}
    expansion.add(sitemap, hosts)
    await _expand(visitor, sitemap, expansion, hosts, 1)
    return Done(
        admits={"pages": list(page_rows(work, expansion.pages))},
        empty=not expansion.pages,
        kind=expansion.kind,
        url_count=len(expansion.pages),
        skipped_count=expansion.skipped,
        bad_children=expansion.bad_children,
        etag=_header(fetched, "etag", 300),
        last_modified=_header(fetched, "last-modified", 100),
    )


async def get_sitemap(
    visitor: Visitor, url: str, known: Mapping[str, str] | None = None
) -> tuple[Fetched, Sitemap | None]:
    """Fetch and read a sitemap; None for one that did not change since the last visit."""
    limit = visitor.fetcher.limits.sitemap_bytes
    fetched = await visitor.get(url, accept=XML, limit=limit, known=known)
    if fetched.is_unchanged:
        return fetched, None
    media = fetched.headers.get("content-type", "")
    return fetched, await visitor.read(read_sitemap, fetched.content, fetched.url, media)


async def _expand(
    visitor: Visitor, sitemap: Sitemap, expansion: Expansion, hosts: Collection[str], depth: int
) -> None:
    """Read the sitemaps within a sitemap; one that cannot be read is counted, one that was read is not read again."""
    for url in sitemap.sitemaps:
        if url in expansion.seen:
            continue
        if depth > DEEPEST or len(expansion.seen) > MOST_CHILDREN or len(expansion.pages) >= MOST_URLS:
            expansion.bad_children += 1
            continue
        expansion.seen.add(url)
        try:
            _, inner = await get_sitemap(visitor, url)
        except FetchFault:
            expansion.bad_children += 1
            continue
        if inner is None:
            continue
        expansion.add(inner, hosts)
        await _expand(visitor, inner, expansion, hosts, depth + 1)


def page_rows(work: Work, urls: Iterable[str]) -> Iterable[Any]:
    """Pages as rows; those that policy selects stand in groups by its reason."""
    selected: dict[str, list[dict[str, Any]]] = {}
    now = SystemClock().now()
    for url in urls:
        triage = judge_page(url)
        row: dict[str, Any] = {
            "domain_id": work.record["domain_id"],
            "sitemap_file_id": work.id,
            "host": urlsplit(url).netloc,
            "url": url,
            "page_type": triage.page_type,
            "confidence": round(triage.confidence, 2),
            "depth": triage.depth,
            "created_at": now,
        }
        if triage.is_wanted:
            selected.setdefault(triage.reason, []).append({**row, "curation_status": "Selected"})
        else:
            yield row
    for reason, rows in selected.items():
        yield Found(rows, actor=POLICY, reason=reason)


def read_contacts(fetched: Fetched) -> tuple[str, Contacts]:
    """The title of a page and the contacts on it."""
    page = read_page(fetched)
    return page.title, extract_contacts(page)


async def visit_page(work: Work, visitor: Visitor) -> Outcome[None]:
    """The contacts on a page."""
    record = work.record
    try:
        fetched = await visitor.get(str(record["url"]), known=_conditions(record))
        if fetched.is_unchanged:
            return Done(empty=False, http_status=304)
        title, contacts = await visitor.read(read_contacts, fetched)
    except FetchFault as fault:
        return outcome_of(fault)
    rows = list(contact_rows(record["domain_id"], work.id, contacts))
    return Done(
        admits={"contacts": rows},
        empty=not rows,
        title=title or None,
        http_status=fetched.status,
        contact_count=len(rows),
        etag=_header(fetched, "etag", 300),
        last_modified=_header(fetched, "last-modified", 100),
    )


def contact_rows(domain_id: Any, page_id: Any, contacts: Contacts) -> Iterable[dict[str, Any]]:
    """A row for each e-mail address, with the first number and the profiles of its page; without one, a row for what there is."""
    phone, social = next(iter(contacts.phones), None), list(contacts.social)
    same = {"domain_id": domain_id, "page_id": page_id, "social": social, "created_at": SystemClock().now()}
    for email in contacts.emails:
        yield {**same, "contact_key": email, "email": email, "phone": phone}
    for number in contacts.phones[1 if contacts.emails else 0 :]:
        yield {**same, "contact_key": f"tel:{number}", "phone": number}
    if social and not contacts.emails and not contacts.phones:
        yield {**same, "contact_key": social[0][:300]}


def _conditions(record: Mapping[str, Any]) -> dict[str, str]:
    """Headers by which a site may answer that nothing changed since the last visit."""
    known = {"If-None-Match": record.get("etag"), "If-Modified-Since": record.get("last_modified")}
    return {name: str(value) for name, value in known.items() if value}


def _header(fetched: Fetched, name: str, most: int) -> str | None:
    value = fetched.headers.get(name, "")
    return value if value and len(value) <= most and value.isascii() and value.isprintable() else None
