"""On pages whose contacts a person wrote down, the extractor finds nearly all of them and hardly anything else."""

from __future__ import annotations

import pytest

from interlock.workflows.scraping.contacts.extracting import Contacts
from tests.scraping.labelled_pages import measure, read_pages

BAR = 0.95


@pytest.mark.parametrize("kind", ["emails", "phones", "social"])
def test_precision_and_recall_reach_their_bar(kind: str) -> None:
    score = measure()[kind]
    assert score.precision >= BAR, score.extra
    assert score.recall >= BAR, score.missing


def test_the_labels_can_be_missed() -> None:
    nothing = measure(extract=lambda page: Contacts())
    assert {name: score.recall for name, score in nothing.items()} == {"emails": 0, "phones": 0, "social": 0}
    noise = measure(extract=lambda page: Contacts(("x@y.de",), ("+1",), ("https://x.com/y",)))
    assert all(score.precision == 0 for score in noise.values())


def test_there_are_many_varied_pages() -> None:
    pages = read_pages()
    assert len(pages) >= 60
    assert len({page["lang"].partition("-")[0] for page in pages}) >= 20
    assert len({page["name"] for page in pages}) == len(pages)
