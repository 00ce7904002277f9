"""The pure functions of the lifecycle, and every pair of states asked of the authority and typed as SQL."""

from __future__ import annotations

from itertools import product

import pytest
from sqlalchemy import update

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
    assert (last.at, last.facts, f"a/{last.version}") == (made.timestamp, {"batch": 7}, made.id)
    with pytest.raises(ConcurrentModificationError, match="ann moved it to CANDIDATE") as conflict:
        execute_transition(box, **asked, actor="bob")
    assert conflict.value.facts["winner"] == "ann"
    with pytest.raises(RuleRefused, match="of type meaning, not rule"):
        execute_transition(
            box, item_id="a", item_type="rule", from_state="CANDIDATE", to_state="VALIDATED", actor="bob"
        )
    assert walked(box, "a") == ["DRAFT", "CANDIDATE"]


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
