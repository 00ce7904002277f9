"""Promotion in batches: off unless a team wants it, ten of each state in a cycle, three tries, then listed; the item stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from interlock.errors import BadInput
from interlock.testing import Sandbox
from interlock.workflows.content.acts import amend_payload, reject
from interlock.workflows.content.promotion import Options, list_failures, promote_batch, read_options
from interlock.workflows.content.review import is_sampled
from interlock.workflows.content.tables import approval_events, content_promotions
from interlock.workflows.content.workflow import declare
from tests.content.items import OPERATOR, draft, item, rows, tables, walked
from tests.service.asking import Asker

WORDS = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "flint",
    "grove",
    "heath",
    "ivory",
    "jetty",
    "knoll",
    "larch",
    "maple",
    "north",
    "ocean",
    "pearl",
    "quill",
    "ridge",
    "stone",
    "thorn",
    "under",
    "valley",
    "water",
    "yellow",
    "zebra",
    "apple",
    "bread",
    "cloud",
    "dream",
    "eagle",
)
BOTH = Options(auto_promote=True, auto_approve=True)


@pytest.fixture
def batched(content_url: str) -> Iterator[Sandbox]:
    """An app that promotes by itself; afterwards nothing may be wrong."""
    with closing(Sandbox([declare(options=BOTH)], database=content_url)) as made:
        made.drain()  # a schedule runs from its second tick on
        yield made
        assert made.check().findings == []
        assert made.ledger.verify().ok


def cycle(box: Sandbox, seconds: int = 5) -> None:
    box.advance(timedelta(seconds=seconds))
    box.drain()


def some(number: int) -> dict[str, Any]:
    """A payload unlike all others."""
    words = Random(number).sample(WORDS, 9)
    return {"word": words[0], "definition": " ".join(words[1:])}


def states(box: Sandbox, ids: list[str]) -> list[str]:
    return [box.get("content", id)["state"] for id in ids]


def test_without_a_setting_no_draft_promotes_itself(box: Sandbox) -> None:
    draft(box, "a")
    for _ in range(3):
        cycle(box)
    assert (states(box, ["a"]), box.schedules()) == (["DRAFT"], [])


def test_ten_of_each_state_go_on_in_a_cycle_the_oldest_first(batched: Sandbox) -> None:
    ids = []
    for number in range(13):
        batched.advance("1s")
        ids.append(draft(batched, f"d{number:02}", payload=some(number)))
    assert promote_batch(batched, BOTH, batched.time.now()) == {"DRAFT": 10, "CANDIDATE": 10, "VALIDATED": 0}
    assert states(batched, ids) == ["CANDIDATE"] * 10 + ["DRAFT"] * 3
    assert tables(batched, ids[0]) == ["candidates"]
    assert batched.ledger.history("content", ids[0])[-1].actor == "content.promotion"
    cycle(batched)
    cycle(batched)
    assert states(batched, ids) == ["VALIDATED"] * 13
    assert walked(batched, ids[12]) == ["DRAFT", "CANDIDATE", "VALIDATED"]
    assert rows(batched, content_promotions) == []


def test_what_fails_three_times_is_listed_and_tried_again_once_it_is_amended(batched: Sandbox) -> None:
    draft(batched, "bad", payload={"word": "fox"})
    draft(batched, "good", payload=some(1))
    began = batched.time.now()
    promote_batch(batched, BOTH, began)
    assert states(batched, ["bad", "good"]) == ["DRAFT", "CANDIDATE"]
    (tried,) = rows(batched, content_promotions)
    assert (tried["tries"], tried["error_code"], tried["next_at"]) == (
        1,
        "FIELDS_MISSING",
        began + timedelta(seconds=2),
    )
    promote_batch(batched, BOTH, began + timedelta(seconds=1))
    assert rows(batched, content_promotions)[0]["tries"] == 1
    assert list_failures(batched) == ([], False)
    for seconds in (2, 6, 60, 600):
        promote_batch(batched, BOTH, began + timedelta(seconds=seconds))
    (failure,), has_more = list_failures(batched)
    assert (failure["item_id"], failure["state"], failure["tries"], has_more) == ("bad", "DRAFT", 3, False)
    assert tables(batched, "bad") == ["drafts"]
    asker = Asker(batched.asgi(lambda request: ("eve", "viewer")))
    assert [one["item_id"] for one in asker.get("/content/promotion-failures").json()["items"]] == ["bad"]
    asker.close()
    amend_payload(batched, "bad", payload=some(2), actor="ann", reason="whole now")
    assert list_failures(batched) == ([], False)
    promote_batch(batched, BOTH, began + timedelta(seconds=601))
    assert states(batched, ["bad"]) == ["CANDIDATE"]
    assert rows(batched, content_promotions) == []


def test_candidates_that_gates_refuse_are_listed_and_not_asked_about_again(batched: Sandbox) -> None:
    draft(batched, "odd", payload={"word": "fox", "definition": "too short"})
    for _ in range(6):
        cycle(batched, 20)
    row = batched.get("content", "odd")
    assert (row["state"], row["error_code"] is not None) == ("CANDIDATE", True)
    entries = len(batched.ledger.history("content", "odd"))
    cycle(batched)
    assert len(batched.ledger.history("content", "odd")) == entries
    (failure,), _ = list_failures(batched)
    assert (failure["item_id"], failure["state"], failure["tries"]) == ("odd", "CANDIDATE", None)


def test_only_what_no_person_has_to_review_is_approved_by_itself(batched: Sandbox) -> None:
    for number in range(10):
        item(batched, f"first{number}", "APPROVED", payload=some(number))
    chosen = next(f"sure{number}" for number in range(100) if not is_sampled(f"sure{number}"))
    sampled = next(f"look{number}" for number in range(100) if is_sampled(f"look{number}"))
    item(batched, chosen, "VALIDATED", payload=some(20), confidence=0.9)
    item(batched, sampled, "VALIDATED", payload=some(21), confidence=0.9)
    item(batched, "doubt", "VALIDATED", payload=some(22), confidence=0.5)
    item(batched, "gone", "VALIDATED", payload=some(23), confidence=0.9)
    reject(batched, "gone", **OPERATOR, reason="nobody needs that word")
    cycle(batched)
    assert states(batched, [chosen, sampled, "doubt", "gone"]) == ["APPROVED", *["VALIDATED"] * 3]
    (event,) = rows(batched, approval_events, chosen)
    assert (event["approval_type"], tables(batched, chosen)) == ("AUTOMATIC", ["approved_meanings"])
    assert batched.ledger.history("content", chosen)[-1].actor == "content.approval"
    assert rows(batched, content_promotions) == []


def test_the_settings_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_options() == Options(auto_promote=False, auto_approve=False)
    monkeypatch.setenv("INTERLOCK_CONTENT_AUTO_PROMOTE", "yes")
    monkeypatch.setenv("INTERLOCK_CONTENT_AUTO_APPROVE", "1")
    assert read_options() == BOTH
    monkeypatch.setenv("INTERLOCK_CONTENT_AUTO_APPROVE", "perhaps")
    with pytest.raises(BadInput):
        read_options()
