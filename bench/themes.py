"""How well the local extractor does on labelled articles, and what an article costs while many wait.

`python -m bench.themes` prints precision and recall, and what was wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing

from interlock import App
from interlock.runner.executors.inline import InlineExecutor
from interlock.workflows.themes.extraction.local import LocalExtractor
from tests.themes.labelled_articles import FILES, UNSEEN, measure, read_articles

from .bars import BARS, Line
from .shapes.whole_workflows import admit_articles
from .shapes.whole_workflows import themes as declare_shape
from .whole import fresh

DATABASE = "interlock_bench_themes"
CLAIMED, MOST_PROCESSED = 500, 1_500


def extraction(rounds: int) -> Iterator[Line]:
    """How many articles a second the local extractor reads, and its precision and recall on labelled and on unseen articles."""
    extractor, articles = LocalExtractor(), read_articles()
    began = time.perf_counter()
    for _ in range(rounds):
        for article in articles:
            extractor.extract(article["title"], article["content"], "technical")
    seconds = time.perf_counter() - began
    yield Line("themes extracted locally", "none", None, rounds * len(articles) / seconds, "articles/s")
    for files, kind in ((FILES, ""), ((UNSEEN,), " in unseen articles")):
        for name, score in measure(extractor.extract, *files).items():
            yield Line(f"themes, precision of {name}{kind}", "none", None, score.precision, "ratio")
            yield Line(f"themes, recall of {name}{kind}", "none", None, score.recall, "ratio")


def as_they_arrive(number: int) -> int:
    """Published in the order of arrival, as feeds have it: in any other, few articles share their pages with many, and many with none."""
    return 1_700_000_000 + number


def backlog(
    servers: Mapping[str, str | None], sizes: Sequence[int], say: Callable[[str], None]
) -> Iterator[Line]:
    """What an article in one pipeline costs while few and while many wait: CPU of coordinator and runner, which on SQLite is all there is.
    The last line of each database is the ratio of its largest backlog to its smallest, by elapsed time."""
    for database, server in servers.items():
        costs: dict[int, tuple[float, float]] = {}
        for waiting in sizes:
            say(f"{database}: {waiting:,} articles wait")
            with fresh(server, DATABASE) as url, closing(App(declare_shape(), database=url)) as app:
                app.migrate()
                admit_articles(app, waiting, as_they_arrive)
                costs[waiting] = process_some(app, min(MOST_PROCESSED, *sizes))
            cpu, seconds = costs[waiting]
            yield Line(
                "themes, one of many", database, waiting, seconds * 1e6, "µs", cpu=cpu * 1e6, lower=True
            )
        few, many = costs[min(sizes)], costs[max(sizes)]
        name = "themes, many waiting beside few"
        yield Line(name, database, max(sizes), many[1] * 1e6, "µs", few[1] * 1e6, bar=BARS[name], lower=True)


def process_some(app: App, count: int) -> tuple[float, float]:
    """Dispatch, run and apply at least so many of what waits; CPU and elapsed seconds for each."""
    coordinator = app.coordinator()
    runner = app.runner(InlineExecutor(app.clock, capacity=CLAIMED), capacity=CLAIMED)
    runner.renew()
    coordinator.sweep()  # counts what was admitted, once

    def processed() -> int:
        return sum(number for (*_, state), number in app.counts().items() if state == "processed")

    cpu, began = time.process_time(), time.perf_counter()
    while (done := processed()) < count:
        coordinator.step()
        runner.step()
    return (time.process_time() - cpu) / done, (time.perf_counter() - began) / done


def main() -> None:
    """Print one line for each of themes, tickers and sentiment."""
    for file in FILES:
        print(f"local extractor on {len(read_articles(file))} labelled articles of {file}")
        for name, score in measure(LocalExtractor().extract, file).items():
            print(f"  {name:<10} precision {score.precision:.3f}  recall {score.recall:.3f}")
            for title, wrong in (
                (("too many", score.extra), ("missing", score.missing)) if file != UNSEEN else ()
            ):
                for one in wrong:
                    print(f"    {title}: {one}")


if __name__ == "__main__":
    main()
