"""Labelled pages, and how well the extractor does on them: precision and recall of addresses, numbers and profiles."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interlock.workflows.scraping.contacts.extracting import Contacts, extract_contacts
from interlock.workflows.scraping.web.page import Page

FOLDER = Path(__file__).parent / "labelled"


@dataclass
class Score:
    """How many labels were met, and which were not."""

    right: int = 0
    extra: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / (self.right + len(self.extra) or 1)

    @property
    def recall(self) -> float:
        return self.right / (self.right + len(self.missing) or 1)


def read_pages(*names: str) -> list[dict[str, Any]]:
    """The labelled pages of these files, or of all."""
    files = [FOLDER / f"{name}.toml" for name in names] or sorted(FOLDER.glob("*.toml"))
    return [page for file in files for page in tomllib.loads(file.read_text(encoding="utf-8"))["page"]]


def page_of(labelled: dict[str, Any]) -> Page:
    """The page: its whole document where the label has one, otherwise one round its body."""
    html, lang = labelled["html"], labelled["lang"]
    if not html.startswith("<!DOCTYPE"):
        html = f'<!DOCTYPE html><html lang="{lang}"><head><title>x</title></head><body>{html}</body></html>'
    return Page(labelled["url"], html)


def measure(*names: str, extract: Callable[[Page], Contacts] = extract_contacts) -> dict[str, Score]:
    """The score of each kind of contact on the labelled pages of these files, or of all."""
    scores = {name: Score() for name in ("emails", "phones", "social")}
    for labelled in read_pages(*names):
        result = extract(page_of(labelled))
        for name, score in scores.items():
            wanted, seen = set(labelled[name]), set(getattr(result, name))
            score.right += len(wanted & seen)
            score.extra += [f"{labelled['name']}: {one}" for one in sorted(seen - wanted)]
            score.missing += [f"{labelled['name']}: {one}" for one in sorted(wanted - seen)]
    return scores
