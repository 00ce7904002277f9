"""What becomes of approved content: deprecation with replacements, superseding in one act, and erasure from every state."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, text, update

from interlock.errors import ImmutabilityViolation, NotPermitted, RuleRefused, UnknownRecord
from interlock.store.engines import sqlite_driver
from interlock.testing import Sandbox
from interlock.workflows.content.acts import (
    active_replacement,
    amend_payload,
    deprecate,
    erase,
    promote,
    read_item,
    reject,
    supersede,
)
from interlock.workflows.content.reading import list_items
from interlock.workflows.content.tables import (
    approval_events,
    approved_meanings,
    content_sketches,
    content_spine,
    deprecations,
    immutability_violations,
    rejected_items,
)
from tests.content.items import ADMIN, OPERATOR, STATES, draft, item, rows, tables, walked
from tests.content.sample_items import sample_item

WORDS = {
    "a": "a friendly animal that barks",
    "b": "one who guards the yard at night",
    "c": "pet with four legs, often on a lead",
}
SECRET = "unmistakable"


def approved(box: Sandbox, *ids: str) -> None:
    for id in ids:
        item(box, id, "APPROVED", payload={"word": "dog", "definition": WORDS[id]})


def test_a_deprecated_item_keeps_its_row_and_has_reason_operator_and_replacement(box: Sandbox) -> None:
    approved(box, "a", "b")
    deprecate(box, "a", **OPERATOR, reason="b says it better", replacement_id="b")
    (row,) = rows(box, deprecations)
    last = box.ledger.history("content", "a", axis="standing")[-1]
    assert (row["item_id"], row["item_type"], row["reason"], row["replacement_id"], row["operator_id"]) == (
        "a",
        "meaning",
        "b says it better",
        "b",
        "olga",
    )
    assert (row["deprecated_at"], last.new, last.role, last.reason) == (
        last.at,
        "deprecated",
        "operator",
        "b says it better",
    )
    assert (walked(box, "a")[-1], tables(box, "a")) == ("APPROVED", ["approved_meanings"])
    described = read_item(box, "a")
    assert (described["superseded_by_id"], described["deprecated_at"]) == ("b", last.at)
    assert (active_replacement(box, "a"), active_replacement(box, "b")) == ("b", "b")


def test_twice_is_an_error_with_a_code_and_changes_nothing(box: Sandbox) -> None:
    approved(box, "a")
    deprecate(box, "a", **OPERATOR, reason="outdated")
    before = rows(box, deprecations)
    with pytest.raises(RuleRefused, match="a is deprecated already") as refusal:
        deprecate(box, "a", **OPERATOR, reason="outdated again")
    assert refusal.value.facts["rule_code"] == "ALREADY_DEPRECATED"
    assert (rows(box, deprecations), walked(box, "a", "standing")) == (before, ["active", "deprecated"])
    assert active_replacement(box, "a") is None


def test_only_operators_deprecate_and_only_what_is_approved(box: Sandbox) -> None:
    approved(box, "a")
    with pytest.raises(NotPermitted):
        deprecate(box, "a", actor="eve", role="curator", reason="mine is better")
    for state in STATES[:3]:
        item(box, state, state, payload={"word": "cat", "definition": f"{state.lower() * 4} of a feline"})
        with pytest.raises(RuleRefused, match="only approved content is deprecated"):
            deprecate(box, state, **OPERATOR, reason="outdated")
    assert rows(box, deprecations) == []
    assert [walked(box, id, "standing") for id in ("a", *STATES[:3])] == [["active"]] * 4


def test_a_replacement_is_approved_active_and_of_the_same_type_and_language(box: Sandbox) -> None:
    approved(box, "a", "b", "c")
    item(box, "v", "VALIDATED", payload={"word": "cat", "definition": "a feline that purrs"})
    item(box, "r", "APPROVED", kind="rule")
    item(
        box, "it", "APPROVED", language="IT", payload={"word": "cane", "definition": "un animale che abbaia"}
    )
    deprecate(box, "b", **OPERATOR, reason="outdated")
    for wrong, sentence in {
        "a": "does not replace itself",
        "nobody": "nobody does not exist",
        "v": "v is VALIDATED",
        "b": "b is APPROVED and deprecated",
        "r": "another type or language",
        "it": "another type or language",
    }.items():
        with pytest.raises(RuleRefused, match=sentence) as refusal:
            deprecate(box, "a", **OPERATOR, reason="outdated", replacement_id=wrong)
        assert refusal.value.facts["rule_code"] == "REPLACEMENT"
    assert walked(box, "a", "standing") == ["active"]
    assert [row["item_id"] for row in rows(box, deprecations)] == ["b"]


def test_chains_are_followed_and_a_planted_cycle_ends(box: Sandbox) -> None:
    approved(box, "a", "b", "c")
    deprecate(box, "a", **OPERATOR, reason="outdated", replacement_id="b")
    deprecate(box, "b", **OPERATOR, reason="outdated", replacement_id="c")
    assert [active_replacement(box, id) for id in "abc"] == ["c", "c", "c"]
    deprecate(box, "c", **OPERATOR, reason="outdated")
    assert [active_replacement(box, id) for id in "abc"] == [None, None, None]
    with box.database.write() as tx:
        tx.execute(update(deprecations).where(deprecations.c.item_id == "c").values(replacement_id="a"))
    assert [active_replacement(box, id) for id in "abc"] == [None, None, None]
    with pytest.raises(UnknownRecord):
        active_replacement(box, "nobody")


def test_a_chain_of_replacements_is_followed_for_ten_steps_and_no_further(box: Sandbox) -> None:
    ids = [f"r{number:02}" for number in range(12)]
    for number, id in enumerate(ids):
        item(box, id, "APPROVED", payload=sample_item(number)["payload"])
    for old, new in pairwise(ids):
        deprecate(box, old, **OPERATOR, reason="outdated", replacement_id=new)
    assert (active_replacement(box, ids[1]), active_replacement(box, ids[0])) == (ids[11], None)
    assert walked(box, ids[0], "standing") == ["active", "deprecated"]


def test_the_utterances_of_a_deprecated_meaning_stay_and_are_in_lists(box: Sandbox) -> None:
    item(box, "m", "APPROVED")
    item(box, "u", "APPROVED", kind="utterance", payload={"meaning_id": "m", "text": "the dog barks"})
    deprecate(box, "m", **OPERATOR, reason="outdated")
    assert [row["item_id"] for row in list_items(box, state="APPROVED").rows] == ["u"]
    assert (tables(box, "u"), walked(box, "u", "standing")) == (["approved_utterances"], ["active"])
    assert read_item(box, "u")["payload"]["meaning_id"] == "m"


def test_superseding_approves_the_new_and_deprecates_the_old_in_one_act(box: Sandbox) -> None:
    approved(box, "a")
    item(box, "b", "VALIDATED", payload={"word": "dog", "definition": f"{WORDS['a']}!"}, replaces="a")
    supersede(box, "a", replacement_id="b", **OPERATOR, reason="a typing error")
    assert (walked(box, "b")[-1], walked(box, "a", "standing")[-1]) == ("APPROVED", "deprecated")
    assert [row["item_id"] for row in rows(box, approval_events)] == ["a", "b"]
    assert rows(box, deprecations)[0]["replacement_id"] == "b"
    moves = [box.ledger.history("content", "b", axis="state")[-1], box.ledger.history("content", "a")[-1]]
    assert moves[0].at == moves[1].at


def test_superseding_is_all_or_nothing(box: Sandbox) -> None:
    approved(box, "a")
    item(box, "r", "VALIDATED", kind="rule")
    entries = box.ledger.history("content", "r")
    with pytest.raises(RuleRefused, match="another type or language"):
        supersede(box, "a", replacement_id="r", **OPERATOR, reason="a mistake")
    assert (walked(box, "r")[-1], walked(box, "a", "standing")) == ("VALIDATED", ["active"])
    assert (tables(box, "r"), box.ledger.history("content", "r")) == (["validated"], entries)
    assert [row["item_id"] for row in rows(box, approval_events)] == ["a"]


def everything(box: Sandbox) -> str:
    """Every row of every table, as text."""
    with box.database.read() as tx:
        workflow = box.workflow("content")
        names = [table.name for table in (workflow.records, *workflow.frozen, *workflow.tables)]
        names += ["interlock_detail", "interlock_gate_verdict", "interlock_verdict", "interlock_command"]
        return json.dumps([[str(row) for row in tx.execute(text(f"SELECT * FROM {name}"))] for name in names])


@pytest.mark.parametrize("state", STATES)
def test_an_item_is_erased_from_every_state_with_its_payload_and_the_ledger_still_verifies(
    box: Sandbox, state: str
) -> None:
    item(box, "a", state, payload={"word": SECRET, "definition": f"something {SECRET} to behold"})
    assert SECRET in everything(box)
    with pytest.raises(NotPermitted):
        erase(box, "a", actor="olga", role="operator", reason="illegal")
    answer = erase(box, "a", **ADMIN, reason="a court has ordered it")
    assert (answer.outcome, tables(box, "a"), rows(box, content_spine)) == ("erased", [], [])
    assert rows(box, approved_meanings) + rows(box, approval_events) + rows(box, content_sketches) == []
    assert SECRET not in everything(box)
    last = box.ledger.history("content", "a", axis="state")[-1]
    assert (last.origin, last.old, last.actor, last.reason) == (
        "erase",
        state,
        "ada",
        "a court has ordered it",
    )
    assert box.ledger.verify().ok


@pytest.mark.sqlite_only
def test_once_the_file_is_written_anew_no_byte_of_an_erased_payload_is_left(
    box: Sandbox, database_url: str
) -> None:
    item(box, "a", "VALIDATED", payload={"word": SECRET, "definition": f"something {SECRET} to behold"})
    erase(box, "a", **ADMIN, reason="asked for")
    with closing(sqlite_driver()[0].connect(make_url(database_url).database)) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for file in Path(str(make_url(database_url).database)).parent.glob("*.db*"):
        assert SECRET.encode() not in file.read_bytes(), file
    assert box.ledger.history("content", "a")[-1].origin == "erase"


def test_an_amended_payload_leaves_the_ledger_with_its_item(box: Sandbox) -> None:
    draft(box)
    box.amend("content", "a", facts={"payload": {"word": SECRET}}, actor="ann", reason="r", axis="state")
    assert SECRET in everything(box)
    erase(box, "a", **ADMIN, reason="asked for")
    assert SECRET not in everything(box)


def test_what_gates_and_refusals_quote_of_an_item_leaves_with_it(box: Sandbox) -> None:
    item(box, "a", "CANDIDATE", payload={"word": "x", "definition": f"a comma , and {SECRET} text"})
    promote(box, "a", actor="ann")
    box.drain()
    assert [one.gate for one in box.verdicts("content", "a") if not one.passed] == ["orthography"]
    assert SECRET in everything(box)
    erase(box, "a", **ADMIN, reason="asked for")
    assert (SECRET in everything(box), tables(box, "a")) == (False, [])


def test_that_somebody_tried_to_change_an_erased_item_is_kept_without_the_reason(box: Sandbox) -> None:
    item(box, "a", "APPROVED")
    with pytest.raises(ImmutabilityViolation):
        amend_payload(box, "a", payload={"word": "x"}, actor="eve", reason=f"it is {SECRET}")
    erase(box, "a", **ADMIN, reason="asked for")
    (row,) = rows(box, immutability_violations)
    assert (row["item_id"], row["actor"], row["reason"]) == ("a", "eve", "erased")
    assert SECRET not in everything(box)


def test_erased_rejected_content_does_not_come_back_and_its_reason_is_gone(box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    reject(box, "a", **OPERATOR, reason=f"{SECRET} nonsense")
    erase(box, "a", **ADMIN, reason="asked for")
    (row,) = rows(box, rejected_items)
    assert (row["item_id"], row["reason"], SECRET in everything(box)) == ("a", "erased", False)
    draft(box, "b")
    with pytest.raises(RuleRefused, match="the same content was rejected"):
        promote(box, "b", actor="ann")
    assert walked(box, "b") == ["DRAFT"]


def test_erasing_a_meaning_names_its_dependents_first_and_leaves_them(box: Sandbox) -> None:
    item(box, "m", "APPROVED")
    item(box, "u", "APPROVED", kind="utterance", payload={"meaning_id": "m", "text": "the dog barks"})
    with pytest.raises(RuleRefused, match="m is depended on by 1: u") as refusal:
        erase(box, "m", **ADMIN, reason="asked for")
    assert (refusal.value.facts["rule_code"], refusal.value.facts["dependents"]) == ("HAS_DEPENDENTS", ["u"])
    assert tables(box, "m") == ["approved_meanings"]
    erase(box, "m", **ADMIN, reason="asked for", despite_dependents=True)
    assert (tables(box, "m"), tables(box, "u")) == ([], ["approved_utterances"])


def test_an_erased_replacement_leaves_the_deprecation_without_one(box: Sandbox) -> None:
    approved(box, "a", "b")
    deprecate(box, "a", **OPERATOR, reason="outdated", replacement_id="b")
    erase(box, "b", **ADMIN, reason="asked for")
    assert rows(box, deprecations)[0]["replacement_id"] is None
    described: dict[str, Any] = read_item(box, "a")
    assert (described["superseded_by_id"], active_replacement(box, "a")) == (None, None)
