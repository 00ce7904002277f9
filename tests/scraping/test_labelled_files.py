"""Sitemaps and robots.txt files that were labelled before the readers were tried on them are read as a person reads them."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path
from typing import Any

import pytest

from interlock.workflows.scraping.sitemaps.reading import read_sitemap
from interlock.workflows.scraping.web.robots import read_robots

FOLDER = Path(__file__).parent / "labelled_files"
SITE = "https://a.com"
MAP = "https://www.shop.example/maps/main.xml"


def read_files(name: str) -> list[Any]:
    files = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["file"]
    return [pytest.param(one, id=one["name"]) for one in files]


@pytest.mark.parametrize("labelled", read_files("sitemaps"))
def test_a_sitemap_gives_what_a_person_reads_in_it(labelled: dict[str, Any]) -> None:
    content = labelled["text"].encode(labelled.get("encoding", "utf-8"))
    if labelled.get("packed"):
        content = gzip.compress(content)
    sitemap = read_sitemap(content, MAP)
    assert (sitemap.kind, sitemap.pages, sitemap.sitemaps) == (
        labelled["kind"],
        labelled.get("pages", []),
        labelled.get("sitemaps", []),
    )


@pytest.mark.parametrize("labelled", read_files("robots"))
def test_robots_allow_and_deny_what_their_file_means(labelled: dict[str, Any]) -> None:
    robots = read_robots(labelled["text"].encode())
    paths = labelled["allowed"] + labelled["denied"]
    assert [path for path in paths if robots.allows(SITE + path)] == labelled["allowed"]
    assert robots.delay == labelled.get("delay")
    assert list(robots.sitemaps) == labelled.get("sitemaps", [])
