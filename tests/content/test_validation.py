"""Candidates and their gates on both databases: tiers, stored verdicts, amendments, retries."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from interlock.errors import GateRejected, RuleRefused
from interlock.testing import Sandbox
from interlock.workflows.content.acts import amend_payload, promote, promote_many, submit_many
from interlock.workflows.content.gates.checks import Item
from interlock.workflows.content.tables import candidates, content_editors, validated
from interlock.workflows.content.types import CONTENT_TYPES
from interlock.workflows.content.workflow import declare
from tests.content.items import PAYLOADS, draft, item, rows, tables, walked
from tests.content.sample_items import sample_item

GATES = ["schema", "language_standard", "orthography", "level", "safety", "duplication", "prerequisites"]


def asked(box: Sandbox, id: str = "a") -> list[tuple[str, bool]]:
    return [(one.gate, one.passed) for one in box.verdicts("content", id)]


def test_no_draft_and_no_candidate_promotes_itself(box: Sandbox) -> None:
    draft(box)
    box.drain()
    assert walked(box, "a") == ["DRAFT"]
    promote(box, "a", actor="ann")
    box.advance("1h")
    box.drain()
    assert (walked(box, "a"), box.verdicts("content", "a")) == (["DRAFT", "CANDIDATE"], [])


def test_an_item_that_passes_every_gate_is_validated_and_its_verdicts_are_stored(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    assert sorted(asked(box)) == sorted((gate, True) for gate in GATES)
    (row,) = rows(box, validated)
    versions = {one.version for one in box.verdicts("content", "a")}
    assert row["validated_data"] == PAYLOADS["meaning"]
    assert (row["validation_results"], versions) == (
        {"passed": GATES, "version": min(versions)},
        {row["validation_results"]["version"]},
    )
    assert (walked(box, "a"), tables(box, "a")) == (["DRAFT", "CANDIDATE", "VALIDATED"], ["validated"])


def test_a_failed_tier_is_asked_whole_and_stops_the_next(box: Sandbox) -> None:
    draft(box, payload={"word": "dog", "definition": "mail ann@example.org , ok"})
    promote(box, "a", actor="ann")
    promote(box, "a", actor="ann")
    box.drain()
    assert dict(asked(box)) == {
        "schema": True,
        "language_standard": True,
        "orthography": False,
        "level": True,
        "safety": False,
    }
    row = box.get("content", "a")
    assert (row["state"], row["error_code"], tables(box, "a")) == ("CANDIDATE", "ORTHOGRAPHY", ["candidates"])
    box.advance("1h")
    box.drain()
    assert len(asked(box)) == 5  # a refusal is final: nothing asks again by itself


def test_after_an_amendment_the_gates_are_asked_anew_and_numbers_go_on(box: Sandbox) -> None:
    draft(box, payload={"word": "dog", "definition": "short , text"})
    for _ in range(2):
        promote(box, "a", actor="ann")
        box.drain()
    assert box.get("content", "a")["error_code"] == "ORTHOGRAPHY"
    amend_payload(box, "a", payload=PAYLOADS["meaning"], actor="ann", reason="typed it again")
    box.drain()
    assert walked(box, "a") == ["DRAFT", "CANDIDATE"]  # nobody has asked for its validation
    with pytest.raises(GateRejected):
        box.move("content", "a", actor="ann", state="VALIDATED")
    promote(box, "a", actor="ann")
    box.drain()
    numbers = [(one.number, one.passed) for one in box.verdicts("content", "a") if one.gate == "orthography"]
    assert (walked(box, "a")[-1], numbers) == ("VALIDATED", [(1, False), (2, True)])
    assert rows(box, validated)[0]["validated_data"] == PAYLOADS["meaning"]


def test_promoting_again_asks_the_gates_again(box: Sandbox) -> None:
    item(box, "u", "CANDIDATE", kind="utterance", payload={"meaning_id": "m", "text": "the dog barks"})
    promote(box, "u", actor="ann")
    assert promote(box, "u", actor="bob").outcome == "unchanged"
    box.drain()
    assert box.get("content", "u")["error_code"] == "PREREQUISITE_MISSING"
    draft(box, "m")
    promote(box, "u", actor="ann")
    box.drain()
    assert walked(box, "u")[-1] == "VALIDATED"


def test_an_item_amended_while_its_gates_run_is_not_validated_by_them(content_url: str) -> None:
    boxes: list[Sandbox] = []

    def provider(candidate: Item) -> Any:
        """Somebody amends the item while an outside service is asked about it."""
        if candidate.payload["word"] == "dog":
            amend_payload(
                boxes[0],
                "a",
                payload={**PAYLOADS["meaning"], "word": "hound"},
                actor="eve",
                reason="meanwhile",
            )

    with closing(Sandbox([declare(external={"provider": provider})], database=content_url)) as box:
        boxes.append(box)
        draft(box)
        promote(box, "a", actor="ann")
        promote(box, "a", actor="ann")
        box.drain()
        assert (walked(box, "a"), tables(box, "a")) == (["DRAFT", "CANDIDATE"], ["candidates"])
        assert rows(box, candidates)[0]["normalized_data"]["word"] == "hound"
        promote(box, "a", actor="ann")
        box.drain()
        assert walked(box, "a")[-1] == "VALIDATED"
        assert box.check().findings == []


@pytest.fixture
def asking(content_url: str) -> Iterator[tuple[Sandbox, list[Any]]]:
    """A workflow with an outside gate that crashes as often as the list has errors."""
    crashes: list[Any] = []

    def provider(candidate: Item) -> Any:
        if crashes:
            raise crashes.pop()

    with closing(Sandbox([declare(external={"provider": provider})], database=content_url)) as box:
        yield box, crashes
        assert box.check().findings == []


def test_an_outside_gate_is_tried_again_and_a_crash_is_no_pass(asking: tuple[Sandbox, list[Any]]) -> None:
    box, crashes = asking
    crashes += [ConnectionError("gone")] * 20
    draft(box)
    promote(box, "a", actor="ann")
    promote(box, "a", actor="ann")
    box.drain()
    assert walked(box, "a")[-1] == "CANDIDATE"
    assert dict(asked(box))["provider"] is False
    assert len(crashes) == 16  # once, and three times again
    crashes.clear()
    box.advance("1h")
    box.drain()
    assert walked(box, "a")[-1] == "VALIDATED"


def test_an_item_like_a_validated_one_is_refused_unless_it_replaces_it(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    twin = {**PAYLOADS["meaning"], "definition": "a friendly animal that barked"}
    item(box, "b", "CANDIDATE", payload=twin)
    promote(box, "b", actor="ann")
    box.drain()
    last = [one for one in box.verdicts("content", "b") if one.gate == "duplication"][-1]
    assert (last.passed, last.details["item_id"]) == (False, "a")
    assert last.details["similarity"] >= 0.85
    assert walked(box, "b") == ["DRAFT", "CANDIDATE"]
    item(box, "c", "VALIDATED", payload=twin, replaces="a")


def test_what_is_validated_is_not_edited(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    before = rows(box, validated)
    with pytest.raises(RuleRefused, match="submit the correction as a new item") as refusal:
        amend_payload(box, "a", payload={"word": "cat"}, actor="ann", reason="changed my mind")
    assert refusal.value.facts["rule_code"] == "VALIDATED_CONTENT"
    assert (rows(box, validated), walked(box, "a")[-1]) == (before, "VALIDATED")


def test_an_amended_draft_has_its_new_payload_and_its_editor(box: Sandbox) -> None:
    draft(box)
    amend_payload(box, "a", payload={**PAYLOADS["meaning"], "word": "hound"}, actor="eve", reason="better")
    promote(box, "a", actor="ann")
    assert rows(box, candidates)[0]["normalized_data"]["word"] == "hound"
    assert [row["editor"] for row in rows(box, content_editors)] == ["eve"]


BAD = {
    "schema": {"definition": "too short"},
    "language_standard": {"definition": "der Bär läuft durch den Wald"},
    "orthography": {"definition": "a comma , too far away"},
    "level": {"definition": f"{'one two three ' * 12}"},
    "safety": {"definition": "write to ann@example.org today"},
    "prerequisites": {"prerequisites": ["nowhere"]},
    "duplication": {"definition": "a friendly animal that barked"},
}


@pytest.mark.parametrize("gate", GATES)
def test_each_gate_refuses_what_it_is_there_for_and_the_item_stays_a_candidate(
    box: Sandbox, gate: str
) -> None:
    if gate == "duplication":
        item(box, "other", "VALIDATED")
    item(box, "a", "CANDIDATE", payload={**PAYLOADS["meaning"], "word": "hound", **BAD[gate]})
    promote(box, "a", actor="ann")
    box.drain()
    refused = [one for one in box.verdicts("content", "a") if not one.passed]
    assert [one.gate for one in refused] == [gate]
    assert (refused[0].number, bool(refused[0].reason), refused[0].duration_ms is not None) == (1, True, True)
    assert (walked(box, "a"), tables(box, "a")) == (["DRAFT", "CANDIDATE"], ["candidates"])
    row = box.get("content", "a")
    assert (row["error_code"] is not None, row["ready_at"]) == (True, None)


def test_an_outside_gate_is_not_asked_where_the_database_tier_has_refused(content_url: str) -> None:
    calls: list[str] = []

    def provider(candidate: Item) -> Any:
        calls.append(candidate.id)

    with closing(Sandbox([declare(external={"provider": provider})], database=content_url)) as box:
        item(box, "a", "CANDIDATE", payload={**PAYLOADS["meaning"], "prerequisites": ["nowhere"]})
        promote(box, "a", actor="ann")
        box.drain()
        assert sorted(asked(box)) == sorted((gate, gate != "prerequisites") for gate in GATES)
        assert (calls, walked(box, "a")) == ([], ["DRAFT", "CANDIDATE"])
        item(box, "b", "VALIDATED", payload={"word": "cat", "definition": "it purrs and it sleeps"})
        assert calls == ["b"]
        assert box.check().findings == []


def test_a_gate_that_is_never_retried_is_asked_once_also_when_it_crashes(content_url: str) -> None:
    calls: list[str] = []

    def crash(payload: Any) -> str | None:
        calls.append("schema")
        raise ConnectionError("gone")

    broken = {**CONTENT_TYPES, "meaning": replace(CONTENT_TYPES["meaning"], check_whole=crash)}
    with closing(Sandbox([declare(broken)], database=content_url)) as box:
        item(box, "a", "CANDIDATE")
        promote(box, "a", actor="ann")
        box.drain()
        verdicts = [one for one in box.verdicts("content", "a") if one.gate == "schema"]
        assert [(one.number, one.passed) for one in verdicts] == [(1, False)]
        assert calls == ["schema"]
        assert (walked(box, "a"), tables(box, "a")) == (["DRAFT", "CANDIDATE"], ["candidates"])
        assert box.check().findings == []


def test_a_cycle_of_prerequisites_that_was_planted_is_refused(box: Sandbox) -> None:
    needs = {"a": "b", "b": "c", "c": "a"}
    texts = {"a": "wears antlers in winter", "b": "it purrs and it sleeps", "c": "guards a yard at night"}
    for id, other in needs.items():
        payload = {"word": "animal", "definition": texts[id], "prerequisites": [other]}
        item(box, id, "CANDIDATE", payload=payload)
    promote(box, "a", actor="ann")
    box.drain()
    (refused,) = [one for one in box.verdicts("content", "a") if not one.passed]
    assert (refused.gate, box.get("content", "a")["error_code"]) == ("prerequisites", "PREREQUISITE_CYCLE")
    assert (walked(box, "a"), tables(box, "a")) == (["DRAFT", "CANDIDATE"], ["candidates"])


def test_a_twin_is_known_among_many_that_only_share_some_words(box: Sandbox) -> None:
    items = [sample_item(number) for number in range(60)]
    for one in items:
        one["item_type"] = one.pop("type")
    submit_many(box, items, actor="ann")
    promote_many(box, [one["item_id"] for one in items], actor="ann", validate=True)
    box.drain()
    assert box.counts()["content", "state", None, "VALIDATED"] == 60
    twin = {"word": "other", "definition": f"{items[41]['payload']['definition']}s"}
    item(box, "twin", "CANDIDATE", payload=twin)
    promote(box, "twin", actor="ann")
    box.drain()
    (refused,) = [one for one in box.verdicts("content", "twin") if not one.passed]
    assert (refused.gate, refused.details["item_id"]) == ("duplication", items[41]["item_id"])
    assert (walked(box, "twin"), tables(box, "twin")) == (["DRAFT", "CANDIDATE"], ["candidates"])
