"""Invented articles with the themes, tickers and sentiment that a reader would name, and how well an extractor does on them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interlock.workflows.themes.extraction.mentions import Mention

Extract = Callable[[str, str], Sequence[Mention]]


@dataclass
class Score:
    """How many were right, too many and missing; precision and recall follow from them."""

    right: int = 0
    extra: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + len(self.extra))

    @property
    def recall(self) -> float:
        return self.right_required / max(1, self.right_required + len(self.missing))

    right_required: int = 0


UNSEEN = (
    "unseen_articles.toml",
    "held_out_articles.toml",
    "unseen_long_articles.toml",
    "unseen_varied_articles.toml",
    "unseen_modern_articles.toml",
    "unseen_closing_articles.toml",
    "unseen_mixed_articles.toml",
)
"""Articles whose failures nobody looked at while the extractor was improved."""
SEEN = (
    "articles.toml",
    "more_articles.toml",
    "fresh_articles.toml",
    "later_articles.toml",
    "latest_articles.toml",
    "long_articles.toml",
    "varied_articles.toml",
    "modern_articles.toml",
    "closing_articles.toml",
    "mixed_articles.toml",
    "headline_articles.toml",
    "regulation_articles.toml",
)
FILES = (*SEEN, *UNSEEN)


def read_articles(*files: str) -> list[dict[str, Any]]:
    """Return the labelled articles of these files; of all without any. A theme `a|b` of an article is either of the two."""
    articles: list[dict[str, Any]] = []
    for name in files or FILES:
        text = Path(__file__).with_name(name).read_text(encoding="utf-8")
        articles += tomllib.loads(text)["article"]
    return articles


def measure(extract: Extract, *files: str) -> dict[str, Score]:
    """Return the scores of an extractor on the articles of these files, or on all: themes, tickers and sentiment."""
    scores = {"themes": Score(), "tickers": Score(), "sentiment": Score()}
    for article in read_articles(*files):
        mentions = extract(article["title"], article["content"])
        keys = [one.key for one in mentions]
        required = [one.split("|") for one in article["themes"]]
        _add(scores["themes"], article["title"], set(keys), required, set(article["also"]))
        tickers = {ticker for one in mentions for ticker in one.tickers}
        allowed = set(article.get("also_tickers", ()))
        _add(scores["tickers"], article["title"], tickers, [[one] for one in article["tickers"]], allowed)
        if required:
            answered = {one.key: one.sentiment for one in mentions}
            first = next((key for key in keys if key in required[0]), required[0][0])
            moods = {first: article["sentiment"]} if "sentiment" in article else {}
            for theme, mood in {**moods, **article.get("moods", {})}.items():
                _add(
                    scores["sentiment"],
                    article["title"],
                    {answered.get(theme, "")} - {""},
                    [[mood]],
                    set(),
                )
    return scores


def _add(
    score: Score, title: str, answered: set[str], required: Sequence[Sequence[str]], allowed: set[str]
) -> None:
    """Count an answer; of what is required, one of each group is enough."""
    accepted = {key for group in required for key in group}
    missing = [group for group in required if answered.isdisjoint(group)]
    score.right += len(answered & (accepted | allowed))
    score.right_required += len(required) - len(missing)
    score.extra += [f"{title[:40]}: {one}" for one in sorted(answered - accepted - allowed)]
    score.missing += [f"{title[:40]}: {'|'.join(group)}" for group in missing]
