"""`interlock up --demo`: after its first load and some steps every page of the console has something to show."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from lxml import html

from interlock.service.application import build
from interlock.testing import Sandbox
from interlock.workflows.demo import declare
from interlock.workflows.demo.documents import make_document
from interlock.workflows.demo.silent import is_not_about_silent_runners
from interlock.workflows.demo.sites import Outside, page, site_of, town_host
from interlock.workflows.demo.traffic import KEPT_NEW, Traffic
from interlock.workflows.demo.words import SITES
from interlock.workflows.statements.doubt.fixing import Fixes
from interlock.workflows.statements.uploads.reading import Uploads
from tests.service.asking import Asker
from tests.service.conftest import WIDE, known_in_process

__all__ = ["known_in_process"]


@pytest.fixture
def outside() -> Iterator[Outside]:
    with closing(Outside(slow_seconds=0.0)) as server:
        server.start()
        yield server


@pytest.fixture
def box(outside: Outside, tmp_path: Path) -> Iterator[Sandbox]:
    made = Sandbox(
        declare(outside.port), database=f"sqlite:///{tmp_path}/demo.sqlite", files=str(tmp_path / "files")
    )
    with closing(made):
        made.migrate()
        yield made


def test_every_page_has_something_to_show(box: Sandbox) -> None:
    traffic = Traffic(box)
    traffic.load()
    for turn in range(21):
        traffic.step()
        if turn % 3 == 0:
            box.drain()
    counts: dict[tuple[str, str], dict[str | None, int]] = {}
    for (kind, axis, _, state), number in box.counts().items():
        counts.setdefault((kind, axis), {})[state] = counts.get((kind, axis), {}).get(state, 0) + number
    assert counts["statements", "status"]["normalized"] > 10
    assert counts["statements", "status"]["error"] > 3
    assert counts["domains", "curation_status"]["New"] >= KEPT_NEW, "somebody must have something to curate"
    assert counts["domains", "processing_status"]["Complete"] > 3
    assert sum(counts["pages", "curation_status"].values()) > 3
    assert counts["content", "state"]["VALIDATED"] >= 3, "somebody must have something to review"
    assert counts["content", "state"]["APPROVED"] >= 1
    assert {"processed", "failed_retryable", "failed_terminal"} <= set(counts["themes", "status"])
    codes = {group["code"] for group in box.errors()}
    assert {"LAYOUT_MISMATCH", "PDF_CORRUPT", "llm_response_parse_error", "ORTHOGRAPHY"} <= codes
    replaced = [
        row for row in box.list("content", columns=("replaces",)).records if row.columns.get("replaces")
    ]
    assert replaced, "one item proposes to replace another"
    assert box.get("content", replaced[0].columns["replaces"])["state"] == "APPROVED", (
        "there is a diff to review"
    )
    assert box.ledger.seals(), "there is a seal to show"
    assert_a_doubt_can_be_fixed(box)
    assert box.check().findings == []
    assert_pages_have_something_to_show(box)


def assert_a_doubt_can_be_fixed(box: Sandbox) -> None:
    """A statement in doubt agrees when it is read in another way."""
    workflow = box.workflows["statements"]
    doubtful = Uploads(box, workflow).uploads(in_doubt=True).rows
    (fuel,) = [one["upload_id"] for one in doubtful if one["file_name"].startswith("fuel-")][:1]
    readings = Fixes(box, workflow).readings(fuel)["readings"]
    assert [one["is_current"] for one in readings if one["reconciles"] == "yes"] == [False]


SHOWN = {
    "/workflows/statements/uploads?only=in-doubt": "//ul[@id='uploads']//a[@data-row]",
    "/": "//*[local-name()='svg'][contains(@class,'graph')]",
    "/curate?kind=domains": "//table[@data-sift]//tr[@data-id]",
    "/operations": "//table[contains(@class,'errors')]/tbody/tr",
    "/pipelines": "//table[contains(@class,'patterns')]//tr[@class='apart']",
    "/workflows/content/govern": "//section[@aria-label='VALIDATED']//a[@data-row]",
    "/records/statements": "//a[@data-row]",
    "/ledger": "//main//tbody/tr | //main//ol/li | //main//li",
    "/machines": "//*[local-name()='svg'][contains(@class,'graph')]",
}
"""By page: what must be on it."""


def assert_pages_have_something_to_show(box: Sandbox) -> None:
    with closing(Asker(build(box, limits=WIDE), prefix="")) as browser:
        for path, wanted in SHOWN.items():
            answer = browser.get(path, headers={"Accept": "text/html"})
            assert answer.status_code == 200, (path, answer.text[:500])
            assert html.fromstring(answer.text).xpath(wanted), path


def test_the_same_number_makes_the_same_document_and_site() -> None:
    assert [make_document(number) for number in range(40)] == [make_document(number) for number in range(40)]
    assert len({make_document(number).content for number in range(200)}) == 200
    hosts = [town_host(number) for number in range(200)]
    assert len(set(hosts)) == 200
    assert all(site_of(host) is not None for host in hosts)
    assert "office@" in page(SITES[0], "/contact")


def test_a_silent_runner_holds_one_attempt_until_its_lease_ends(box: Sandbox) -> None:
    traffic = Traffic(box)
    traffic.add_sites()
    traffic.lose_a_runner()
    held = box.list("domains", where={"processing_status": "Processing"}).records
    open_attempts = box.attempts("domains", [row.id for row in held])
    assert len([one for one in open_attempts if one.claimed_by]) == 1


@pytest.mark.parametrize(
    ("name", "is_kept"), [("web-3-af0c", False), ("web-3-af0c, vm-9e", True), ("vm-9e", True)]
)
def test_the_log_says_nothing_of_leases_that_the_demo_loses_on_purpose(name: str, is_kept: bool) -> None:
    line = logging.LogRecord("x", logging.WARNING, "", 1, "%d leases ran out: %s", (1, name), None)
    assert is_not_about_silent_runners(line) is is_kept
    other = logging.LogRecord("x", logging.WARNING, "", 1, "the queue of %s is full", (name,), None)
    assert is_not_about_silent_runners(other)
