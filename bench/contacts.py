"""How well contacts are found on labelled pages: `python -m bench.contacts` prints precision and recall, and what was wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator

from interlock.workflows.scraping.contacts.extracting import contacts_of
from tests.scraping.labelled_pages import measure, page_of, read_pages

from .bars import Line

BAR = (0.95, 0.95)


def contacts(rounds: int) -> Iterator[Line]:
    """How many pages a second are read, and precision and recall of addresses, numbers and profiles."""
    pages = [page_of(one) for one in read_pages()]
    began = time.process_time()
    for _ in range(rounds):
        for page in pages:
            contacts_of(page)
    seconds = time.process_time() - began
    yield Line("contacts of a page", "none", None, rounds * len(pages) / seconds, "pages/CPU s")
    for name, score in measure().items():
        yield Line(f"contacts, precision of {name}", "none", None, score.precision, "ratio", bar=BAR)
        yield Line(f"contacts, recall of {name}", "none", None, score.recall, "ratio", bar=BAR)


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
