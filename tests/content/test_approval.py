"""Approval, rejection and immutability: who decides, what is remembered, and what no client can change."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

import pytest

from interlock.errors import (
    BadInput,
    ImmutabilityViolation,
    InterlockError,
    InvalidStateTransition,
    NotPermitted,
    RuleRefused,
)
from interlock.testing import Sandbox
from interlock.workflows.content.acts import (
    active_replacement,
    amend_payload,
    approve,
    approve_automatically,
    deprecate,
    promote,
    reject,
)
from interlock.workflows.content.review import is_sampled, reasons_for_review
from interlock.workflows.content.tables import (
    approval_events,
    approved_exercises,
    approved_meanings,
    approved_rules,
    approved_utterances,
    deprecations,
    immutability_violations,
    rejected_items,
)
from interlock.workflows.content.types import CONTENT_TYPES
from tests.content.items import ADMIN, OPERATOR, PAYLOADS, draft, item, rows, tables, walked
from tests.contract.hand import Hand

REASON = "this is not what the word means"
EVE = {"actor": "eve", "reason": "cats are better"}


def test_an_approved_item_has_typed_columns_and_the_event_of_its_approval(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    approve(box, "a", **OPERATOR, notes="reads well")
    (row,) = rows(box, approved_meanings)
    assert (row["word"], row["definition"], row["tags"], row["language"], row["level"]) == (
        "dog",
        "a friendly animal that barks",
        ["animals"],
        "EN",
        "B1",
    )
    (event,) = rows(box, approval_events)
    last = box.ledger.history("content", "a", axis="state")[-1]
    assert (
        event["item_id"],
        event["item_type"],
        event["approval_type"],
        event["operator_id"],
        event["notes"],
    ) == (
        "a",
        "meaning",
        "MANUAL",
        "olga",
        "reads well",
    )
    assert event["created_at"] == last.at == row["approved_at"]
    assert (walked(box, "a")[-1], tables(box, "a"), last.role) == (
        "APPROVED",
        ["approved_meanings"],
        "operator",
    )


def test_every_type_has_its_own_table(box: Sandbox) -> None:
    item(box, "m", "APPROVED")
    item(box, "u", "APPROVED", kind="utterance", payload={"meaning_id": "m", "text": "the dog barks"})
    item(box, "r", "APPROVED", kind="rule")
    item(box, "e", "APPROVED", kind="exercise")
    assert [tables(box, id) for id in "mure"] == [
        ["approved_meanings"],
        ["approved_utterances"],
        ["approved_rules"],
        ["approved_exercises"],
    ]
    assert rows(box, approved_utterances)[0]["meaning_id"] == "m"
    assert rows(box, approved_rules)[0]["examples"] == ["two dogs", "two cats"]
    assert rows(box, approved_exercises)[0]["correct_answer"] == 0


@pytest.mark.parametrize("role", [None, "viewer", "curator", "runner"])
def test_only_an_operator_approves_and_rejects(box: Sandbox, role: str | None) -> None:
    item(box, "a", "VALIDATED")
    for act in (
        lambda: approve(box, "a", actor="olga", role=role),
        lambda: reject(box, "a", actor="olga", role=role, reason=REASON),
    ):
        with pytest.raises(NotPermitted):
            act()
    assert (walked(box, "a")[-1], walked(box, "a", "standing")) == ("VALIDATED", ["active"])
    assert rows(box, approval_events) + rows(box, rejected_items) == []


def test_neither_the_author_nor_any_editor_approves(box: Sandbox) -> None:
    item(box, "a", "CANDIDATE")
    amend_payload(box, "a", payload={**PAYLOADS["meaning"], "word": "hound"}, actor="eve", reason="better")
    for word in ("whelp", "puppy"):
        amend_payload(box, "a", payload={**PAYLOADS["meaning"], "word": word}, actor="fay", reason="best")
    promote(box, "a", actor="ann")
    box.drain()
    for own in ("ann", "eve", "fay"):
        with pytest.raises(RuleRefused, match="authors never approve their own") as refusal:
            approve(box, "a", actor=own, role="admin")
        assert refusal.value.facts["rule_code"] == "OWN_WORK"
    assert (walked(box, "a")[-1], tables(box, "a")) == ("VALIDATED", ["validated"])
    assert approve(box, "a", **OPERATOR).outcome == "moved"


def test_a_rejected_item_keeps_its_state_and_its_payload_and_is_not_approved(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    reject(box, "a", **OPERATOR, reason=REASON)
    (row,) = rows(box, rejected_items)
    assert (row["item_id"], row["reason"], row["operator_id"]) == ("a", REASON, "olga")
    assert (tables(box, "a"), walked(box, "a", "standing")) == (["validated"], ["active", "rejected"])
    with pytest.raises(RuleRefused, match="rejected content is not promoted") as refusal:
        approve(box, "a", **OPERATOR)
    assert refusal.value.facts["rule_code"] == "REJECTED"
    with pytest.raises(RuleRefused, match="rejected already"):
        reject(box, "a", **OPERATOR, reason=REASON)
    assert walked(box, "a")[-1] == "VALIDATED"


@pytest.mark.parametrize("reason", ["too short", " " * 40, "x" * 501])
def test_a_rejection_has_a_reason_of_ten_to_five_hundred_characters(box: Sandbox, reason: str) -> None:
    item(box, "a", "VALIDATED")
    with pytest.raises(RuleRefused, match="10 to 500 characters"):
        reject(box, "a", **OPERATOR, reason=reason)
    with pytest.raises(InterlockError):
        box.move("content", "a", **OPERATOR, reason=reason, standing="rejected")
    assert (walked(box, "a", "standing"), rows(box, rejected_items)) == (["active"], [])


@pytest.mark.parametrize("state", ["DRAFT", "CANDIDATE", "APPROVED"])
def test_only_validated_content_is_rejected(box: Sandbox, state: str) -> None:
    item(box, "a", state)
    with pytest.raises(RuleRefused, match="only validated content is rejected"):
        reject(box, "a", **OPERATOR, reason=REASON)
    assert (walked(box, "a", "standing"), rows(box, rejected_items)) == (["active"], [])


def test_rejected_content_does_not_come_back_under_another_id(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    draft(box, "late", payload={**PAYLOADS["meaning"], "word": " DOG "})
    draft(box, "padded", payload={**PAYLOADS["meaning"], "prerequisites": [], "colour": None})
    item(box, "twin", "CANDIDATE", payload=PAYLOADS["meaning"])
    reject(box, "a", **OPERATOR, reason=REASON)
    for id in ("late", "padded"):
        with pytest.raises(RuleRefused, match="the same content was rejected as a") as refusal:
            promote(box, id, actor="ann")
        assert refusal.value.facts["rule_code"] == "REJECTED_CONTENT"
    promote(box, "twin", actor="ann")
    box.drain()
    assert (walked(box, "late"), walked(box, "padded")) == (["DRAFT"], ["DRAFT"])
    assert walked(box, "twin") == ["DRAFT", "CANDIDATE"]
    assert box.get("content", "twin")["error_message"] is not None


def twins(box: Sandbox) -> None:
    """Two validated items with the same content: judged at the same time, before either was validated."""
    for id in ("one", "two"):
        item(box, id, "CANDIDATE")
        version = box.get("content", id)["version"]
        assert version == 1
        for gate in box.workflow("content").gates:
            box.judge_gate("content", id, gate.name, passed=True, actor="gate")
        box.move("content", id, actor="ann", state="VALIDATED")


def test_of_two_twins_one_is_approved(box: Sandbox) -> None:
    twins(box)
    approve(box, "one", **OPERATOR)
    with pytest.raises(RuleRefused, match="the same content is approved as one"):
        approve(box, "two", **OPERATOR)
    with pytest.raises(RuleRefused, match="the same content is approved as one"):
        reject(box, "two", **OPERATOR, reason=REASON)
    assert [walked(box, id)[-1] for id in ("one", "two")] == ["APPROVED", "VALIDATED"]
    assert rows(box, rejected_items) == []


def together(*acts: Callable[[], Any]) -> list[str]:
    """Make the acts at once, each in a thread of its own; what came of each."""
    start, outcomes = Barrier(len(acts)), [""] * len(acts)

    def run(number: int) -> None:
        start.wait()
        try:
            outcomes[number] = acts[number]().outcome
        except InterlockError as error:
            outcomes[number] = error.code

    threads = [Thread(target=run, args=[number]) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.mark.parametrize("others", ["the same item", "its twin"])
def test_reject_against_approve_of_the_same_content_is_never_both(box: Sandbox, others: str) -> None:
    twins(box)
    rejected = "one" if others == "the same item" else "two"
    outcomes = together(
        lambda: approve(box, "one", **OPERATOR),
        lambda: reject(box, rejected, actor="oscar", role="operator", reason=REASON),
    )
    assert outcomes.count("moved") == 1, outcomes
    assert len(rows(box, approved_meanings)) + len(rows(box, rejected_items)) == 1
    assert (walked(box, "one")[-1] == "APPROVED") == (outcomes[0] == "moved")
    assert ("rejected" in walked(box, rejected, "standing")) == (outcomes[1] == "moved")


def test_a_rejection_waits_for_the_approval_of_its_twin_and_is_then_refused(box: Sandbox) -> None:
    twins(box)
    outcomes: list[str] = []

    def rejecting() -> None:
        try:
            outcomes.append(reject(box, "two", actor="oscar", role="operator", reason=REASON).outcome)
        except InterlockError as error:
            outcomes.append(str(error.facts["rule_code"]))

    thread = Thread(target=rejecting)
    with box.database.write() as tx:
        approve(box, "one", **OPERATOR, tx=tx)
        thread.start()
        thread.join(0.3)
        assert outcomes == []
    thread.join()
    assert outcomes == ["SAME_CONTENT"]
    assert (len(rows(box, approved_meanings)), rows(box, rejected_items)) == (1, [])


def test_approvals_of_two_twins_at_once_approve_one(box: Sandbox) -> None:
    twins(box)
    outcomes = together(
        lambda: approve(box, "one", **OPERATOR), lambda: approve(box, "two", actor="oscar", role="operator")
    )
    assert sorted(outcomes) == ["ILK-205", "moved"]
    assert len(rows(box, approved_meanings)) == len(rows(box, approval_events)) == 1


def test_of_two_items_that_are_to_replace_each_other_at_once_one_stays(box: Sandbox) -> None:
    item(box, "a", "APPROVED")
    item(box, "b", "APPROVED", payload={"word": "cat", "definition": "it purrs and it sleeps"})
    outcomes = together(
        lambda: deprecate(box, "a", **OPERATOR, reason="outdated", replacement_id="b"),
        lambda: deprecate(box, "b", actor="oscar", role="operator", reason="outdated", replacement_id="a"),
    )
    assert sorted(outcomes) == ["ILK-205", "moved"]
    assert len(rows(box, deprecations)) == 1
    stays = "b" if outcomes[0] == "moved" else "a"
    assert [active_replacement(box, id) for id in "ab"] == [stays, stays]
    assert walked(box, stays, "standing") == ["active"]


def test_promotions_of_one_item_at_once_promote_it_once(box: Sandbox) -> None:
    draft(box)
    act = lambda: box.move("content", "a", actor="ann", state="CANDIDATE")  # noqa: E731
    outcomes = together(*[act] * 4)
    assert sorted(outcomes) == ["moved", "unchanged", "unchanged", "unchanged"]
    assert (walked(box, "a"), tables(box, "a")) == (["DRAFT", "CANDIDATE"], ["candidates"])


CHANGES: dict[str, Callable[[Sandbox], object]] = {
    "amend": lambda box: box.amend("content", "a", facts={"payload": {"word": "x"}}, **EVE),
    "amend another fact": lambda box: box.amend("content", "a", facts={"validation_wanted": True}, **EVE),
    "amend on the other axis": lambda box: box.amend(
        "content", "a", facts={"payload": {"word": "x"}}, axis="standing", **EVE
    ),
    "amend under a key": lambda box: box.amend("content", "a", facts={"word": "x"}, key="k", **EVE),
    "deprecate with another language": lambda box: box.move(
        "content", "a", role="operator", facts={"language": "IT"}, standing="deprecated", **EVE
    ),
    "delete": lambda box: box.delete("content", "a", role="admin", **EVE),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_door_to_approved_content_is_closed_and_logs_who_tried(box: Sandbox, change: str) -> None:
    item(box, "a", "APPROVED")
    before, entries = rows(box, approved_meanings), box.ledger.history("content", "a")
    with pytest.raises(ImmutabilityViolation):
        CHANGES[change](box)
    assert [
        (row["item_id"], row["actor"], row["operation"]) for row in rows(box, immutability_violations)
    ] == [("a", "eve", "DELETE" if change == "delete" else "UPDATE")]
    assert (rows(box, approved_meanings), box.ledger.history("content", "a")) == (before, entries)


def test_a_bulk_act_that_would_change_approved_content_is_refused_and_logged_for_each_item(
    box: Sandbox,
) -> None:
    item(box, "a", "APPROVED")
    item(box, "b", "APPROVED", payload={"word": "cat", "definition": "it purrs and it sleeps"})
    before, spine = rows(box, approved_meanings), [box.get("content", id) for id in "ab"]
    entries = [box.ledger.history("content", id) for id in "ab"]
    made = box.operations.create(
        "content",
        axis="standing",
        to="deprecated",
        ids=["a", "b"],
        **OPERATOR,
        reason="it is Italian",
        facts={"language": "IT"},
    )
    done = box.operations.run(made.id)
    assert (done.told["outcomes"], done.status) == ({"refused": 2}, "finished")
    logged = rows(box, immutability_violations)
    assert [(row["item_id"], row["operation"], row["actor"], row["reason"]) for row in logged] == [
        (id, "UPDATE", "olga", "it is Italian") for id in "ab"
    ]
    assert (rows(box, approved_meanings), [box.get("content", id) for id in "ab"]) == (before, spine)
    assert [box.ledger.history("content", id) for id in "ab"] == entries
    assert rows(box, deprecations) == []


def test_an_item_is_amended_on_the_axis_whose_version_gates_judge(box: Sandbox) -> None:
    draft(box)
    with pytest.raises(BadInput):
        box.amend("content", "a", facts={"payload": {"word": "x"}}, axis="standing", **EVE)
    assert rows(box, immutability_violations) == []
    assert len(box.ledger.history("content", "a", axis="standing")) == 1


def test_an_attempt_to_change_approved_content_is_refused_and_logged(box: Sandbox) -> None:
    item(box, "a", "APPROVED")
    before, entries = rows(box, approved_meanings), box.ledger.history("content", "a")
    with pytest.raises(ImmutabilityViolation) as refusal:
        amend_payload(box, "a", payload={"word": "cat"}, actor="ann", reason="cats are better")
    assert refusal.value.code == "ILK-210"
    (logged,) = rows(box, immutability_violations)
    assert (
        logged["item_id"],
        logged["item_type"],
        logged["operation"],
        logged["actor"],
        logged["reason"],
    ) == (
        "a",
        "meaning",
        "UPDATE",
        "ann",
        "cats are better",
    )
    assert (rows(box, approved_meanings), box.ledger.history("content", "a")) == (before, entries)
    with pytest.raises(InvalidStateTransition):
        promote(box, "a", actor="ann")


def test_who_approved_an_item_is_never_changed_or_removed(box: Sandbox, hand: Hand) -> None:
    item(box, "m", "APPROVED")
    before = rows(box, approval_events)
    assert len(before) == 1
    hand.refused("ILK-210", "UPDATE approval_events SET operator_id = 'eve'")
    hand.refused("ILK-210", "DELETE FROM approval_events")
    assert rows(box, approval_events) == before
    assert walked(box, "m")[-1] == "APPROVED"


def test_no_client_changes_or_removes_an_approved_row_of_any_type(box: Sandbox, hand: Hand) -> None:
    item(box, "m", "APPROVED")
    item(box, "u", "APPROVED", kind="utterance", payload={"meaning_id": "m", "text": "the dog barks"})
    item(box, "r", "APPROVED", kind="rule")
    item(box, "e", "APPROVED", kind="exercise")
    for kind in CONTENT_TYPES.values():
        name, before = kind.table.name, rows(box, kind.table)
        assert len(before) == 1
        hand.refused("ILK-210", f"UPDATE {name} SET language = 'IT'")
        hand.refused("ILK-210", f"UPDATE {name} SET {kind.compared} = {kind.compared}")
        hand.refused("ILK-210", f"DELETE FROM {name}")
        columns = ", ".join(column.name for column in kind.table.columns)
        changed = columns.replace("level", "'C2'")
        if hand.is_sqlite:
            copied = f"SELECT {changed} FROM {name}"
            hand.refused("ILK-210", f"INSERT OR REPLACE INTO {name} ({columns}) {copied}")
        else:
            copied = f"SELECT {changed} FROM {name}"
            hand.refused(
                "ILK-210",
                f"INSERT INTO {name} ({columns}) {copied} ON CONFLICT (item_id) DO UPDATE SET level = 'C2'",
            )
        hand.refused("ILK-", f"DELETE FROM content_spine WHERE item_type = '{kind.name}'")
        if not hand.is_sqlite:
            hand.refused("ILK-210", f"TRUNCATE {name}")
        assert rows(box, kind.table) == before
    assert [walked(box, id)[-1] for id in "mure"] == ["APPROVED"] * 4


def test_a_person_must_review_what_is_uncertain_new_sampled_or_of_some_types() -> None:
    ids = [f"i{number}" for number in range(1000)]
    sampled, plain = next(id for id in ids if is_sampled(id)), next(id for id in ids if not is_sampled(id))
    assert 60 < sum(map(is_sampled, ids)) < 140
    meaning, rule = CONTENT_TYPES["meaning"], CONTENT_TYPES["rule"]
    sure = {"item_id": plain, "confidence": 0.7}
    assert reasons_for_review(meaning, sure, 10) == []
    assert reasons_for_review(meaning, {**sure, "confidence": 0.69}, 10) == ["LOW_CONFIDENCE"]
    assert reasons_for_review(meaning, {**sure, "confidence": None}, 10) == ["LOW_CONFIDENCE"]
    assert reasons_for_review(meaning, sure, 9) == ["FIRST_OF_ITS_KIND"]
    assert reasons_for_review(meaning, {**sure, "item_id": sampled}, 10) == ["SAMPLE"]
    assert reasons_for_review(rule, sure, 10) == ["ALWAYS_REVIEWED"]


def test_automatic_approval_is_refused_until_ten_of_the_type_and_language_are_approved(box: Sandbox) -> None:
    names = ["ant", "bee", "cow", "doe", "eel", "fox", "gnu", "hen", "ibex", "jay"]
    for name in names:
        item(
            box,
            name,
            "APPROVED",
            payload={"word": name, "definition": f"{name * 5} {name[::-1] * 6}"},
            confidence=0.9,
        )
    item(
        box,
        "later",
        "VALIDATED",
        payload={"word": "owl", "definition": "a bird of the night"},
        confidence=0.9,
    )
    item(
        box,
        "unsure",
        "VALIDATED",
        payload={"word": "yak", "definition": "shaggy cattle, high up"},
        confidence=0.5,
    )
    with pytest.raises(RuleRefused, match="a person must review unsure: LOW_CONFIDENCE"):
        approve_automatically(box, "unsure")
    assert (walked(box, "unsure")[-1], is_sampled("later")) == ("VALIDATED", False)
    approve_automatically(box, "later")
    (event,) = rows(box, approval_events, "later")
    assert (event["approval_type"], event["operator_id"]) == ("AUTOMATIC", None)
    assert box.ledger.history("content", "later", axis="state")[-1].actor == "content.approval"


@pytest.mark.parametrize("kind", ["AUTOMATIC", "BY_A_FRIEND", 7])
def test_an_approval_by_a_person_is_manual_whatever_its_facts_say(box: Sandbox, kind: object) -> None:
    item(box, "a", "VALIDATED")
    box.move("content", "a", **OPERATOR, reason="read", facts={"approval_type": kind}, state="APPROVED")
    (event,) = rows(box, approval_events)
    assert (event["approval_type"], event["operator_id"], walked(box, "a")[-1]) == (
        "MANUAL",
        "olga",
        "APPROVED",
    )


def test_an_admin_may_do_what_an_operator_may(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    assert approve(box, "a", **ADMIN).outcome == "moved"
