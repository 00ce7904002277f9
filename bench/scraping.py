"""Scraping: how well contacts are read from labelled pages, and how long a decision about very many records takes.

`python -m bench.scraping` prints precision and recall, and what was wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing

from interlock import App
from interlock.workflows.scraping.contacts.extracting import extract_contacts
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.workflow import declare
from tests.scraping.labelled_pages import measure, page_of, read_pages

from .bars import BARS, CURATION_BARS, Line
from .whole import fresh

DATABASE = "interlock_bench_scraping"
BATCH = 5_000
KIND, AXIS = "pages", "curation_status"


def contacts(rounds: int) -> Iterator[Line]:
    """How many pages a second are read, and precision and recall of addresses, numbers and profiles."""
    pages = [page_of(one) for one in read_pages()]
    began = time.process_time()
    for _ in range(rounds):
        for page in pages:
            extract_contacts(page)
    seconds = time.process_time() - began
    yield Line("contacts of a page", "none", None, rounds * len(pages) / seconds, "pages/CPU s")
    for name, score in measure().items():
        for what, value in (("precision", score.precision), ("recall", score.recall)):
            yield Line(f"contacts, {what} of {name}", "none", None, value, "ratio", bar=BARS["contacts"])


def curation(servers: Mapping[str, str | None], records: int, say: Callable[[str], None]) -> Iterator[Line]:
    """A decision about all records that match a filter: its preview, and the act with one ledger entry for each record."""
    for database, server in servers.items():
        say(f"{database}: {records:,} pages are decided by a filter")
        with fresh(server, DATABASE) as url, closing(App(declare(Options()), database=url)) as app:
            app.migrate()
            fill(app, records)
            yield from decide(app, database, records, "Discarded", "New")
            yield from decide(app, database, records, "Selected", "Discarded")
            assert app.counts()[KIND, "processing_status", None, "Queued"] == records


def fill(app: App, records: int) -> None:
    """A domain with so many pages that nobody has decided about."""
    domain = app.admit("domains", {"host": "a.com", "url": "https://a.com/"}).id
    for first in range(0, records, BATCH):
        rows = [
            {"domain_id": domain, "host": "a.com", "url": f"https://a.com/{number}", "depth": 1}
            for number in range(first, min(first + BATCH, records))
        ]
        app.admit_many(KIND, rows, actor="bench")


def decide(app: App, database: str, records: int, to: str, old: str) -> Iterator[Line]:
    """Preview a decision and make it; checks what was written."""
    asked = {"axis": AXIS, "to": to, "where": {AXIS: [old]}, "actor": "bench", "reason": "measured"}
    before, bars = app.counts()[KIND, AXIS, None, old], CURATION_BARS.get((database, to), (None, None))
    began = time.perf_counter()
    preview = app.operations.preview(KIND, **asked).as_dict()
    yield Line(
        f"preview of {to}", database, records, time.perf_counter() - began, "s", bar=bars[0], lower=True
    )
    assert preview["outcomes"]["moved"] == before == records
    cpu, began = time.process_time(), time.perf_counter()
    app.operations.run(app.operations.create(KIND, **asked).id)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    yield Line(
        f"{to} by filter", database, records, seconds, "s", cpu=cpu / records * 1e6, bar=bars[1], lower=True
    )
    assert app.counts()[KIND, AXIS, None, to] == records
    moves = [move.new for move in app.ledger.history(KIND, 1, axis=AXIS)]
    assert moves[-1] == to


def main() -> None:
    """Print one line for each of addresses, numbers and profiles, and every label that was not met."""
    print(f"contacts on {len(read_pages())} labelled pages")
    for name, score in measure().items():
        print(f"  {name:<8} precision {score.precision:.3f}  recall {score.recall:.3f}")
        for title, wrong in (("too many", score.extra), ("missing", score.missing)):
            for one in wrong:
                print(f"    {title}: {one}")


if __name__ == "__main__":
    main()
