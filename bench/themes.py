"""How well the local extractor does on labelled articles.

`python -m bench.themes` prints precision and recall, and what was wrong.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from interlock.workflows.themes.extraction.local import LocalExtractor
from tests.themes.labelled_articles import FILES, UNSEEN, measure, read_articles

from .bars import Line


def extraction(rounds: int) -> Iterator[Line]:
    """How many articles a second the local extractor reads, and its precision and recall on labelled and on unseen articles."""
    extractor, articles = LocalExtractor(), read_articles()
    began = time.perf_counter()
    for _ in range(rounds):
        for article in articles:
            extractor.extract(article["title"], article["content"], "technical")
    seconds = time.perf_counter() - began
    yield Line("themes extracted locally", "none", None, rounds * len(articles) / seconds, "articles/s")
    for files, kind in ((FILES, ""), (UNSEEN, " in unseen articles")):
        for name, score in measure(extractor.extract, *files).items():
            yield Line(f"themes, precision of {name}{kind}", "none", None, score.precision, "ratio")
            yield Line(f"themes, recall of {name}{kind}", "none", None, score.recall, "ratio")


def main() -> None:
    """Print one line for each of themes, tickers and sentiment."""
    for file in FILES:
        print(f"local extractor on {len(read_articles(file))} labelled articles of {file}")
        for name, score in measure(LocalExtractor().extract, file).items():
            print(f"  {name:<10} precision {score.precision:.3f}  recall {score.recall:.3f}")
            for title, wrong in (
                (("too many", score.extra), ("missing", score.missing)) if file not in UNSEEN else ()
            ):
                for one in wrong:
                    print(f"    {title}: {one}")


if __name__ == "__main__":
    main()
