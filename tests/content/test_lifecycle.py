"""The pure functions of the lifecycle, and every pair of states asked of the authority and typed as SQL."""

from __future__ import annotations

import json
from itertools import product

import pytest
from sqlalchemy import text, update

from interlock.errors import (
    BadInput,
    ConcurrentModificationError,
    InvalidStateTransition,
    NotPermitted,
    RuleRefused,
)
from interlock.testing import Sandbox
from interlock.workflows import content
from interlock.workflows.content import LifecycleState, execute_transition
from interlock.workflows.content.acts import amend_payload, promote
from interlock.workflows.content.tables import content_spine
from interlock.workflows.content.workflow import declare
from tests.content.items import OPERATOR, PAYLOADS, STATES, draft, item, tables, walked
from tests.contract.hand import Hand
from tests.service.asking import problem
from tests.service.conforming import ConformingAsker, declared_by

LEGAL = {("DRAFT", "CANDIDATE"), ("CANDIDATE", "VALIDATED"), ("VALIDATED", "APPROVED")}
PAIRS = list(product(STATES, STATES))
TABLE_OF = {
    "DRAFT": ["drafts"],
    "CANDIDATE": ["candidates"],
    "VALIDATED": ["validated"],
    "APPROVED": ["approved_meanings"],
}


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_of_all_sixteen_pairs_three_are_valid_by_enum_and_by_text(old: str, new: str) -> None:
    legal = (old, new) in LEGAL
    assert content.is_valid_transition(old, new) is legal
    assert content.is_valid_transition(LifecycleState(old), LifecycleState(new)) is legal
    assert (LifecycleState(new) in content.VALID_TRANSITIONS[LifecycleState(old)]) is legal
    assert (content.VALID_TRANSITIONS[LifecycleState(old)] == [LifecycleState(new)]) is legal
    if legal:
        content.assert_valid_transition(old, new)
    else:
        with pytest.raises(content.InvalidTransitionError) as refusal:
            content.assert_valid_transition(LifecycleState(old), new)
        assert str(refusal.value).startswith(f"Invalid transition from {old} to {new}")
        assert refusal.value.facts["legal"] == content.get_next_valid_states(old)


def test_only_approved_is_terminal_and_a_text_that_is_no_state_is_refused() -> None:
    assert [state for state in STATES if content.is_terminal_state(state)] == ["APPROVED"]
    assert content.get_next_valid_states("DRAFT") == [LifecycleState.CANDIDATE]
    assert content.InvalidTransitionError is InvalidStateTransition
    with pytest.raises(BadInput, match="no state of content"):
        content.is_valid_transition("draft", "CANDIDATE")


def test_of_all_sixteen_pairs_none_but_the_legal_ones_is_made_by_the_authority_the_api_or_typed_sql(
    box: Sandbox, hand: Hand
) -> None:
    for state in STATES:
        word = state.lower()
        item(box, state, state, payload={"word": word, "definition": f"what {word * 9} means"})
    olga = ConformingAsker(box.asgi(lambda request: ("olga", "operator")), declared_by(declare))
    for old, new in PAIRS:
        before, path = box.get("content", old), walked(box, old)
        typed = ("UPDATE content_spine SET state = ? WHERE item_id = ?", new, old)
        body = {"to": new, "axis": "state", "role": "operator", "reason": "tried anyway"}
        if old == new:  # nothing to do: neither refused nor an entry
            assert box.move("content", old, **OPERATOR, reason="again", state=new).outcome == "unchanged"
            assert olga.post(f"/content/records/{old}/moves", body).json()["outcome"] == "unchanged"
            hand.run(*typed)
            asked = {"item_id": old, "item_type": "meaning", "from_state": old, "to_state": new}
            with pytest.raises(
                content.InvalidTransitionError, match=f"Invalid transition from {old} to {new}"
            ):
                execute_transition(box, **asked, **OPERATOR, reason="again")
        elif (old, new) in LEGAL:
            hand.refused("ILK-", *typed)  # without its entry not even a legal move
        else:
            with pytest.raises(InvalidStateTransition) as refusal:
                box.move("content", old, **OPERATOR, reason="tried anyway", state=new)
            assert (refusal.value.code, refusal.value.facts["old"], refusal.value.facts["new"]) == (
                "ILK-204",
                old,
                new,
            )
            asked = {"item_id": old, "item_type": "meaning", "from_state": old, "to_state": new}
            with pytest.raises(
                content.InvalidTransitionError, match=f"Invalid transition from {old} to {new}"
            ):
                execute_transition(box, **asked, **OPERATOR, reason="tried")
            assert problem(olga.post(f"/content/records/{old}/moves", body), 409, "ILK-204")
            hand.refused("ILK-204", *typed)
        assert (box.get("content", old), walked(box, old), tables(box, old)) == (before, path, TABLE_OF[old])
    olga.close()


def test_the_payload_moves_with_the_state_and_is_in_one_table_only(box: Sandbox) -> None:
    item(box, "a", "APPROVED")
    assert walked(box, "a") == list(STATES)
    assert tables(box, "a") == ["approved_meanings"]


@pytest.mark.parametrize("state", ["VALIDATED", "APPROVED"])
def test_content_begins_as_a_draft_and_needs_a_payload(box: Sandbox, state: str) -> None:
    row = {"item_id": "x", "item_type": "meaning", "language": "EN", "level": "A1", "author": "ann"}
    with pytest.raises(InvalidStateTransition):
        box.admit("content", {**row, "submitted": PAYLOADS["meaning"], "state": state}, actor="ann")
    with pytest.raises(BadInput, match="submitted with a payload"):
        box.admit("content", row, actor="ann")
    with pytest.raises(NotPermitted):
        box.admit("content", {**row, "submitted": PAYLOADS["meaning"], "standing": "rejected"}, actor="ann")
    assert box.counts() == {}
    assert box.ledger.history("content", "x") == []


@pytest.mark.parametrize(
    "wrong", [{"kind": "poem"}, {"language": "DE"}, {"level": "D1"}, {"id": "review-queue"}], ids=str
)
def test_unknown_types_languages_and_levels_and_addresses_of_the_api_are_refused(
    box: Sandbox, wrong: dict[str, str]
) -> None:
    with pytest.raises(BadInput):
        draft(box, **wrong)
    assert box.counts() == {}


def test_a_draft_without_its_required_fields_stays_a_draft(box: Sandbox) -> None:
    draft(box, payload={"word": "  ", "definition": "a friendly animal"})
    with pytest.raises(RuleRefused, match="a lacks word") as refusal:
        box.move("content", "a", actor="ann", state="CANDIDATE")
    assert refusal.value.facts["rule_code"] == "FIELDS_MISSING"
    assert (walked(box, "a"), tables(box, "a")) == (["DRAFT"], ["drafts"])


def test_executing_a_transition_returns_it_and_a_state_that_is_no_longer_true_is_a_conflict(
    box: Sandbox,
) -> None:
    draft(box)
    asked = {"item_id": "a", "item_type": "meaning", "from_state": "DRAFT", "to_state": "CANDIDATE"}
    made = execute_transition(box, **asked, metadata={"batch": 7}, actor="ann")
    assert (made.item_id, made.from_state, made.to_state, made.metadata) == (
        "a",
        LifecycleState.DRAFT,
        LifecycleState.CANDIDATE,
        {"batch": 7},
    )
    last = box.ledger.history("content", "a", axis="state")[-1]
    assert (last.at, last.facts) == (made.timestamp, {"metadata": {"batch": 7}})
    with box.database.read() as tx:
        events = tx.execute(text("SELECT id, item_id, to_state, metadata FROM state_transition_events")).all()
    assert [(str(id), item, to) for id, item, to, _ in events] == [(made.id, "a", "CANDIDATE")]
    assert json.loads(events[0][3]) == {"batch": 7}
    with pytest.raises(ConcurrentModificationError, match="ann moved it to CANDIDATE") as conflict:
        execute_transition(box, **asked, actor="bob")
    assert conflict.value.facts["winner"] == "ann"
    with pytest.raises(RuleRefused, match="of type meaning, not rule"):
        execute_transition(
            box, item_id="a", item_type="rule", from_state="CANDIDATE", to_state="VALIDATED", actor="bob"
        )
    assert walked(box, "a") == ["DRAFT", "CANDIDATE"]


def test_metadata_may_have_any_name_and_changes_nothing_of_the_item(box: Sandbox) -> None:
    draft(box)
    before = box.get("content", "a")
    metadata = {"source": "batch 7", "level": "C2", "state": "APPROVED", "author": "nobody", "version": 9}
    asked = {"item_id": "a", "item_type": "meaning", "from_state": "DRAFT", "to_state": "CANDIDATE"}
    assert execute_transition(box, **asked, metadata=metadata, actor="ann").metadata == metadata
    after = box.get("content", "a")
    for name in ("source", "level", "author"):
        assert (name, after[name]) == (name, before[name])
    assert (after["state"], after["version"], walked(box, "a")) == (
        "CANDIDATE",
        before["version"] + 1,
        ["DRAFT", "CANDIDATE"],
    )


@pytest.mark.parametrize(
    "fact",
    [
        {"author": "nobody"},
        {"confidence": 1.0},
        {"level": "A0"},
        {"language": "IT"},
        {"content_hash": "0" * 64},
        {"replaces": "b"},
        {"submitted": {}},
    ],
    ids=str,
)
def test_no_fact_of_a_move_changes_who_wrote_an_item_or_what_is_known_of_it(
    box: Sandbox, fact: dict[str, object]
) -> None:
    draft(box, confidence=0.1)
    before = box.get("content", "a")
    with pytest.raises(BadInput, match="is fixed"):
        box.move("content", "a", actor="ann", facts=fact, state="CANDIDATE")
    assert (box.get("content", "a"), walked(box, "a"), tables(box, "a")) == (before, ["DRAFT"], ["drafts"])


def test_neither_an_approval_nor_a_rejection_changes_the_item_by_its_facts(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    facts, reason = {"author": "eve"}, "it was never written by ann"
    for moved in ({"state": "APPROVED"}, {"standing": "rejected"}):
        with pytest.raises(BadInput, match="author of a is fixed"):
            box.move("content", "a", **OPERATOR, reason=reason, facts=facts, **moved)
    assert (box.get("content", "a")["author"], walked(box, "a")[-1]) == ("ann", "VALIDATED")
    assert walked(box, "a", "standing") == ["active"]


def test_a_version_that_is_no_longer_true_is_a_conflict_in_every_state(box: Sandbox) -> None:
    item(box, "a", "CANDIDATE")
    promote(box, "a", actor="eve")
    with pytest.raises(ConcurrentModificationError, match="eve has changed it") as conflict:
        promote(box, "a", actor="bob", version=0)
    assert conflict.value.facts["winner"] == "eve"
    box.drain()
    with pytest.raises(ConcurrentModificationError, match="no longer at version 0"):
        promote(box, "a", actor="bob", version=0)
    assert walked(box, "a") == ["DRAFT", "CANDIDATE", "VALIDATED"]


RUBBISH = {
    "a character that is none": {"word": "a\x00b"},
    "half a character": {"word": "\ud800"},
    "a number that is none": {"word": float("nan")},
    "a name that is no text": {"wo\x00rd": "x"},
}


@pytest.mark.parametrize("payload", RUBBISH.values(), ids=RUBBISH)
def test_a_payload_that_no_database_keeps_is_refused(box: Sandbox, payload: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        draft(box, payload={**PAYLOADS["meaning"], **payload})
    assert box.counts() == {}
    draft(box)
    with pytest.raises(BadInput):
        amend_payload(box, "a", payload={**PAYLOADS["meaning"], **payload}, actor="ann", reason="rubbish")
    assert tables(box, "a") == ["drafts"]


def nested(depth: int) -> object:
    value: object = "deep"
    for _ in range(depth):
        value = [value]
    return value


def test_a_payload_that_is_nested_too_deep_is_refused(box: Sandbox) -> None:
    with pytest.raises(BadInput, match="deeper than 32"):
        draft(box, payload={**PAYLOADS["meaning"], "word": nested(40)})
    assert box.counts() == {}


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan"), "high", True])
def test_a_confidence_is_a_number_from_0_to_1(box: Sandbox, confidence: object) -> None:
    with pytest.raises(BadInput):
        draft(box, confidence=confidence)
    assert box.counts() == {}


@pytest.mark.parametrize("id", ["a/b", "a b", "x" * 65, "..\\x", "é"])
def test_an_id_that_no_address_can_have_is_refused(box: Sandbox, id: str) -> None:
    with pytest.raises(BadInput):
        draft(box, id)
    assert box.counts() == {}


@pytest.mark.parametrize(
    "prerequisites", [7, "m", {"m": 1}, [7], [["m"]], ["x" * 70, "x" * 71], ["m", "m"], None], ids=str
)
def test_rubbish_as_prerequisites_is_refused_by_gates_and_breaks_nothing(
    box: Sandbox, prerequisites: object
) -> None:
    draft(box, payload={**PAYLOADS["meaning"], "prerequisites": prerequisites})
    for _ in range(2):
        promote(box, "a", actor="ann")
    box.drain()
    refused = {one.gate for one in box.verdicts("content", "a") if not one.passed}
    assert refused in ({"schema"}, {"prerequisites"}), refused
    assert (walked(box, "a"), tables(box, "a")) == (["DRAFT", "CANDIDATE"], ["candidates"])


def test_approval_without_the_role_is_another_class_than_an_illegal_move(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    with pytest.raises(NotPermitted):
        execute_transition(
            box, item_id="a", item_type="meaning", from_state="VALIDATED", to_state="APPROVED", actor="olga"
        )
    assert walked(box, "a")[-1] == "VALIDATED"


def test_a_batch_leaves_out_what_cannot_go_and_moves_the_others(box: Sandbox) -> None:
    for number in range(4):
        draft(
            box, f"i{number}", payload={"word": f"w{number}", "definition": "" if number == 2 else "a" * 12}
        )
    answers = box.move_many("content", [f"i{number}" for number in range(4)], actor="ann", state="CANDIDATE")
    assert [answer.outcome for answer in answers] == ["moved", "moved", "refused", "moved"]
    assert [tables(box, f"i{number}") for number in range(4)] == [
        ["candidates"],
        ["candidates"],
        ["drafts"],
        ["candidates"],
    ]


def test_an_item_in_the_wrong_table_is_found_by_a_check(box: Sandbox) -> None:
    draft(box)
    with box.database.write() as tx:
        tx.execute(update(content_spine).values(submitted={"left": "behind"}))
    assert [finding.invariant for finding in box.check().findings] == ["CONTENT-4"]
    with box.database.write() as tx:
        tx.execute(update(content_spine).values(submitted=None))
