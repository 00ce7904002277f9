"""Sites of every quality against a real server, with processes that are killed: all that was selected ends, and nobody is disturbed."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import timedelta
from itertools import cycle, islice, pairwise
from time import monotonic
from typing import Any

import pytest
from sqlalchemy import Connection, select

from interlock import App
from interlock.workflows.scraping.import_export import contact_rows, write_contacts
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.tables import contacts, domains, pages, sitemap_files
from interlock.workflows.scraping.web.addresses import read_networks
from interlock.workflows.scraping.web.faults import RETRIED
from interlock.workflows.scraping.web.fetching import FetchLimits
from tests.scraping.crew import Crew, Plan
from tests.scraping.name_server import NameServer
from tests.scraping.sites import HOSTILE, INSIDE, QUALITIES, Site, Sites

RATE, INTERVAL = "20/s", 0.05
CRAWL_DELAY = 0.4
EARLY = 0.010
"""Seconds by which the server may see a request too early: it notes its times while others are answered."""
KINDS = ("domains", "sitemap-files", "pages", "contacts")
MOST_MEMORY = 700_000_000
RETRY = ("100ms",) * 6
"""Every process that is killed costs its work a try."""
LOST = "LEASE_EXPIRED"


class Visits:
    """One run: the sites, the crew that visits them, and what must be true afterwards."""

    def __init__(self, stack: ExitStack, url: str, qualities: Sequence[str], *, is_long: bool) -> None:
        self.web = stack.enter_context(Sites())
        self.names = stack.enter_context(NameServer(answering=self.web.names))
        self.sites = self.web.play(list(qualities))
        options = Options(
            allow_private=read_networks(str(INSIDE)),
            cycle="continuous",
            rate=RATE,
            select_sitemaps=True,
            nameserver=self.names.address,
            retries=len(RETRY),
        )
        plan = Plan(
            url,
            options,
            FetchLimits(seconds=6.0 if is_long else 2.0),
            RETRY,
            lease=timedelta(seconds=20 if is_long else 8),
        )
        self.app: App = stack.enter_context(closing(plan.app()))
        self.app.migrate()
        self.crew = stack.enter_context(Crew(plan))
        self.began = monotonic()

    def add(self) -> None:
        """Every site is added and selected, and one that nobody selected."""
        unwanted = Site("unwanted", "good", self.web.port)
        self.web.by_host[unwanted.host] = unwanted
        rows = [{"host": one.host, "url": f"{one.base}/"} for one in (*self.sites, unwanted)]
        answers = self.app.admit_many("domains", rows, actor="ann")
        assert {one.outcome for one in answers} == {"admitted"}
        ids = [one.id for one in answers[:-1]]
        moved = self.app.move_many("domains", ids, actor="ann", curation_status="Selected")
        assert {one.outcome for one in moved} == {"moved"}

    def start(self, runners: int) -> None:
        for number in range(2):
            self.crew.begin("coordinator", f"coordinator-{number + 1}")
        for number in range(runners):
            self.crew.begin("runner", f"runner-{number + 1}")

    def left(self) -> int:
        counts = self.app.counts()
        open_ = sum(
            number
            for (_, axis, _, state), number in counts.items()
            if axis == "processing_status" and state in ("Queued", "Processing")
        )
        return open_ + self.app.arriving()

    def ended(self) -> int:
        return sum(
            number
            for (_, axis, _, state), number in self.app.counts().items()
            if axis == "processing_status" and state in ("Complete", "Failed")
        )

    def is_over(self) -> bool:
        """Nothing is left, and no failure waits for its next try."""
        if self.left():
            return False
        with self.app.database.read() as tx:
            return not any(
                tx.execute(
                    select(table.c.id).where(table.c.processing_ready_at.is_not(None)).limit(1)
                ).first()
                for table in (domains, sitemap_files, pages, contacts)
            )

    def kill_at(self, points: Sequence[int], within: float) -> None:
        """Kill a coordinator and a runner in turn, each time so many more records have ended."""
        names = cycle(["runner-1", "coordinator-1", "runner-2", "coordinator-2"])
        for point, name in zip(points, names, strict=False):
            self.crew.until(lambda point=point: self.ended() >= point or self.is_over(), within)  # type: ignore[misc]
            self.crew.kill(name)

    def verify_contacts(self, within: float) -> None:
        with self.app.database.read() as tx:
            ids = list(tx.execute(select(contacts.c.id)).scalars())
        self.app.move_many("contacts", ids, actor="ann", curation_status="Selected")
        self.crew.until(self.is_over, within)

    def rows(self, tx: Connection, table: Any) -> dict[int, list[dict[str, Any]]]:
        key = "id" if table is domains else "domain_id"
        found: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for row in tx.execute(select(table)).mappings():
            found[row[key]].append(dict(row))
        return found

    def judge(self) -> None:
        """Every record has the end of its site's kind, the ledger agrees, and the server saw nothing but polite requests."""
        assert self.web.trespassers() == []
        by_host = {site.host: site for site in self.sites}
        with self.app.database.read() as tx:
            kinds = [self.rows(tx, table) for table in (domains, sitemap_files, pages, contacts)]
        wrong = [
            problem
            for id, (domain,) in kinds[0].items()
            if domain["host"] in by_host
            for problem in problems_of(by_host[domain["host"]], domain, *(kind[id] for kind in kinds[1:]))
        ]
        assert not wrong, f"{len(wrong)} ends are wrong: {Counter(wrong)}"
        unwanted = next(row for (row,) in kinds[0].values() if row["host"].startswith("unwanted"))
        assert (unwanted["curation_status"], unwanted["processing_status"]) == ("New", None)
        assert not [one for one in self.web.requests if one.host == unwanted["host"]]
        self.judge_ledger(list(kinds[0]))
        assert impolite(self.web) == []
        assert self.app.check().findings == []
        peaks = {name: max(sizes) for name, sizes in self.crew.peak_bytes.items()}
        assert max(peaks.values()) < MOST_MEMORY, peaks

    def judge_ledger(self, ids: Sequence[int]) -> None:
        for id in ids:
            decided = [
                move for move in self.app.ledger.history("domains", id) if move.axis == "curation_status"
            ]
            assert [move.new for move in decided] in (["New", "Selected"], ["New"])
            worked = [
                move.new
                for move in self.app.ledger.history("domains", id)
                if move.axis == "processing_status"
            ]
            assert worked.count("Complete") <= 1
            assert worked[-1] == self.app.get("domains", id)["processing_status"]

    def figures(self) -> str:
        sizes = self.crew.peak_bytes
        memory = ", ".join(f"{name} {max(seen) / 1e6:.0f} MB" for name, seen in sorted(sizes.items()))
        ends = dict(self._states())
        return (
            f"{self.app.database.name}: {len(self.sites)} sites, {len(self.web.requests):,} requests, {self.ended():,} records ended "
            f"({ends}), {self.crew.kills} kills, {monotonic() - self.began:.0f} s; peak memory {memory}"
        )

    def _states(self) -> Iterator[tuple[str, int]]:
        for (kind, axis, _, state), number in self.app.counts().items():
            if axis == "processing_status" and number:
                yield f"{kind} {state}", number


def problems_of(
    site: Site, domain: Any, files: list[Any], found_pages: list[Any], found_contacts: list[Any]
) -> Iterator[str]:
    """What differs from how visits of this kind of site end."""
    kind = site.kind
    ends = [("domain", kind.domain, [domain])]
    ends.append(("sitemap file", kind.sitemap or "", files if kind.sitemap is not None else []))
    contact_pages = [one for one in found_pages if one["url"].endswith("/contact")]
    ends.append(("contact page", kind.contact or "", contact_pages if kind.contact is not None else []))
    for what, code, rows in ends:
        for row in rows:
            status, seen = row["processing_status"], row["processing_error_code"] or ""
            if seen == LOST and code in RETRIED:
                continue  # its runner was killed in the last of its tries
            if (status, seen) != ("Failed" if code else "Complete", code):
                yield f"{site.quality}: {what} {status} {seen}, not {code or 'Complete'}"
    for what, is_there, rows in (
        ("sitemap file", kind.sitemap is not None, files),
        ("contact page", kind.contact is not None, contact_pages),
    ):
        if len(rows) != int(is_there):
            yield f"{site.quality}: {len(rows)} × {what}"
    if (
        kind.urls is not None
        and files
        and (len(found_pages), files[0]["url_count"]) != (kind.urls, kind.urls)
    ):
        yield f"{site.quality}: {len(found_pages)} pages of {files[0]['url_count']}, not {kind.urls}"
    if len(found_contacts) != kind.emails:
        yield f"{site.quality}: {len(found_contacts)} contacts, not {kind.emails}"


def impolite(web: Sites) -> list[str]:
    """Two requests to one host at once, or sooner after each other than its rate and its robots.txt allow."""
    spans: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for host, began, ended in web.spans:
        spans[host].append((began, ended))
    found = []
    for host, seen in spans.items():
        site = web.by_host.get(host)
        delay = CRAWL_DELAY if site is not None and site.quality == "crawl delay" else INTERVAL
        ordered = sorted(seen)
        # Until robots.txt was read for the first time nobody knows of a delay.
        for number, (earlier, later) in enumerate(pairwise(ordered)):
            least = INTERVAL if number == 0 else delay
            if later[0] < earlier[1] - EARLY:
                found.append(f"{host}: two requests at once, {later[0] - earlier[1]:.3f} s")
            if later[0] - earlier[0] < least - EARLY:
                found.append(f"{host}: {later[0] - earlier[0]:.3f} s between two requests, not {least}")
    return found


def run(
    url: str, qualities: Sequence[str], kills: Sequence[int], within: float, *, is_long: bool = False
) -> str:
    with ExitStack() as stack:
        visits = Visits(stack, url, qualities, is_long=is_long)
        visits.add()
        visits.start(runners=2)
        visits.kill_at(kills, within)
        visits.crew.until(visits.is_over, within)
        visits.verify_contacts(within)
        visits.judge()
        with visits.app.database.read() as tx:
            lines = list(csv.reader(io.StringIO("".join(write_contacts(contact_rows(tx))))))
        assert not [cell for line in lines for cell in line if cell.startswith(("=", "@", "-", "\t"))]
        return visits.figures()


@pytest.mark.timeout(240)
def test_every_kind_of_site_ends_as_it_must_while_processes_are_killed(database_url: str) -> None:
    run(database_url, [*QUALITIES, *HOSTILE], kills=[20, 45], within=150)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_thousand_sites_end_as_they_must_while_processes_are_killed(
    database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    qualities = [*islice(cycle([*QUALITIES, *HOSTILE]), 997), *["50,000 addresses"] * 3]
    figures = run(database_url, qualities, kills=range(150, 2_300, 150), within=1800, is_long=True)
    with capsys.disabled():
        print(f"\n{figures}")  # noqa: T201 a soak is read by people
