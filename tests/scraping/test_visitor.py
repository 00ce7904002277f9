"""How many pages are read at once, and what is kept of them: trees are large."""

from __future__ import annotations

import asyncio
import threading

from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.stages import read_home
from interlock.workflows.scraping.visitor import READ_AT_ONCE, Visitors
from interlock.workflows.scraping.web.fetching import Fetched


def test_pages_are_read_by_two_threads_however_many_are_fetched() -> None:
    """Each thread keeps memory of what it once read."""

    async def read_many() -> set[str]:
        visitor = Visitors(Options(check_mail_domains=False)).here()
        names = await asyncio.gather(
            *(visitor.read(lambda: threading.current_thread().name) for _ in range(50))
        )
        return set(names)

    names = asyncio.run(read_many())
    assert 1 <= len(names) <= READ_AT_ONCE
    assert all(name.startswith("reader") for name in names)


def test_a_home_page_is_read_to_what_is_kept_of_it() -> None:
    head = b"<html lang=de><title>A</title><meta name=description content=B><link rel=sitemap href=/s.xml>"
    fetched = Fetched(
        "https://a.com/", 200, {"content-type": "text/html"}, head + b"<a href=/map/sitemap.xml>x</a>"
    )
    assert read_home(fetched) == ("A", "B", "de", ["/s.xml", "https://a.com/map/sitemap.xml"])
