"""How well the local extractor does on labelled articles: `python -m bench.themes` prints precision and recall, and what was wrong."""

from __future__ import annotations

from interlock.workflows.themes.extraction.local import LocalExtractor
from tests.themes.labelled_articles import measure, read_articles


def main() -> None:
    """Print one line for each of themes, tickers and sentiment."""
    print(f"local extractor on {len(read_articles())} labelled articles")
    for name, score in measure(LocalExtractor().extract).items():
        print(f"  {name:<10} precision {score.precision:.3f}  recall {score.recall:.3f}")
        for title, wrong in (("too many", score.extra), ("missing", score.missing)):
            for one in wrong:
                print(f"    {title}: {one}")


if __name__ == "__main__":
    main()
