"""The HTTP API of content: each route with its least role, its answer, and what is in the tables and the ledger afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interlock.testing import Sandbox
from interlock.workflows.content.tables import approval_events, immutability_violations, rejected_items
from interlock.workflows.content.workflow import declare
from tests.content.items import PAYLOADS, STATES, item, rows, tables, walked
from tests.service.asking import Asker, problem
from tests.service.conforming import ConformingAsker, declared_by

SCOPES = ("viewer", "curator", "operator", "admin")
LEAST = {
    ("POST", "/content"): "curator",
    ("GET", "/content"): "viewer",
    ("GET", "/content/review-queue"): "viewer",
    ("GET", "/content/approval-stats"): "viewer",
    ("GET", "/content/promotion-failures"): "viewer",
    ("GET", "/content/a"): "viewer",
    ("PATCH", "/content/a"): "curator",
    ("GET", "/content/a/history"): "viewer",
    ("GET", "/content/a/active-replacement"): "viewer",
    ("POST", "/content/a/promote"): "curator",
    ("POST", "/content/a/approve"): "operator",
    ("POST", "/content/a/reject"): "operator",
    ("POST", "/content/a/deprecate"): "operator",
    ("POST", "/content/a/supersede"): "operator",
    ("POST", "/content/a/erase"): "admin",
}
SUBMISSION = {"type": "meaning", "language": "EN", "level": "B1", "payload": PAYLOADS["meaning"]}
People = Callable[[str, str], Asker]


@pytest.fixture
def people(box: Sandbox) -> Iterator[People]:
    """Makes somebody who asks in a role."""
    askers: list[Asker] = []

    def ask_as(actor: str, role: str) -> Asker:
        askers.append(ConformingAsker(box.asgi(lambda request: (actor, role)), declared_by(declare)))
        return askers[-1]

    yield ask_as
    for asker in askers:
        asker.close()


def test_content_goes_from_draft_to_approved_over_http(box: Sandbox, people: People) -> None:
    ann, olga = people("ann", "curator"), people("olga", "operator")
    made = ann.post("/content", {**SUBMISSION, "confidence": 0.9, "source": "a book"})
    assert made.status_code == 201, made.text
    id = made.json()["item_id"]
    assert (made.json()["outcome"], tables(box, id)) == ("admitted", ["drafts"])
    step = ann.post(f"/content/{id}/promote", {})
    assert (step.status_code, step.json()["to_state"], tables(box, id)) == (200, "CANDIDATE", ["candidates"])
    assert ann.post(f"/content/{id}/promote", {}).status_code == 202
    box.drain()
    queue = olga.get("/content/review-queue").json()["items"]
    assert [(one["item_id"], one["review"][0]) for one in queue] == [(id, "FIRST_OF_ITS_KIND")]
    approved = olga.post(f"/content/{id}/approve", {"notes": "reads well"})
    assert (approved.status_code, approved.json()["to_state"]) == (200, "APPROVED")
    shown = ann.get(f"/content/{id}").json()
    assert (shown["state"], shown["approval"]["operator_id"], shown["approval"]["notes"]) == (
        "APPROVED",
        "olga",
        "reads well",
    )
    assert (shown["payload"], shown["rejection"], shown["deprecated_at"]) == (PAYLOADS["meaning"], None, None)
    assert {one["gate"] for one in shown["verdicts"]} >= {"schema", "safety", "duplication"}
    history = ann.get(f"/content/{id}/history").json()["history"]
    steps = [(one["from_state"], one["to_state"]) for one in history if one["axis"] == "state"]
    assert [pair for pair in steps if pair[0] != pair[1]] == list(
        zip([None, *STATES[:3]], STATES, strict=True)
    )
    assert ann.get("/content/approval-stats").json()["approvals"] == [
        {"item_type": "meaning", "approval_type": "MANUAL", "count": 1}
    ]
    assert walked(box, id) == list(STATES)


def test_an_id_that_is_there_already_makes_nothing_and_a_history_that_never_was_is_unknown(
    box: Sandbox, people: People
) -> None:
    ann = people("ann", "curator")
    assert [ann.post("/content", {**SUBMISSION, "item_id": "a"}).status_code for _ in range(2)] == [201, 200]
    assert (walked(box, "a"), len(box.ledger.history("content", "a", axis="state"))) == (["DRAFT"], 1)
    problem(ann.get("/content/nowhere/history"), 404, "ILK-201")


def test_a_promotion_and_an_approval_need_no_body(box: Sandbox, people: People) -> None:
    ann, olga = people("ann", "curator"), people("olga", "operator")
    item(box, "a", "DRAFT")
    typed = {"headers": {"Content-Type": "application/json"}}  # as clients send it that always name a type
    assert [ann.post("/content/a/promote", **more).status_code for more in (typed, {})] == [200, 202]
    box.drain()
    assert olga.post("/content/a/approve", **typed).json()["to_state"] == "APPROVED"
    assert (walked(box, "a"), rows(box, approval_events)[0]["notes"]) == (list(STATES), None)


def test_an_illegal_step_names_both_states_and_the_legal_next_ones(box: Sandbox, people: People) -> None:
    item(box, "a", "DRAFT")
    refusal = problem(people("olga", "operator").post("/content/a/approve", {}), 409, "ILK-204")
    assert refusal["detail"].startswith(
        "Invalid transition from DRAFT to APPROVED; from DRAFT content goes to"
    )
    assert refusal["facts"]["legal"] == ["CANDIDATE"]
    assert (walked(box, "a"), tables(box, "a")) == (["DRAFT"], ["drafts"])


def test_each_route_is_refused_below_its_least_role(box: Sandbox, people: People) -> None:
    item(box, "a", "VALIDATED")
    entries = box.ledger.history("content", "a")
    for scope in SCOPES:
        asker = people("somebody", scope)
        for (method, path), least in LEAST.items():
            if SCOPES.index(scope) < SCOPES.index(least):
                answer = asker.ask(method, path, **({} if method == "GET" else {"json": {}}))
                assert answer.status_code == 403, (method, path, scope, answer.text)
            elif method == "GET":
                assert asker.get(path).status_code == 200, (path, scope)
    assert (box.ledger.history("content", "a"), tables(box, "a")) == (entries, ["validated"])


def test_an_author_is_refused_with_a_sentence_of_its_own(box: Sandbox, people: People) -> None:
    item(box, "a", "VALIDATED")
    refusal = problem(people("ann", "operator").post("/content/a/approve", {}), 409, "ILK-205")
    assert "authors never approve their own" in refusal["detail"]
    assert (walked(box, "a")[-1], rows(box, approval_events)) == ("VALIDATED", [])


def test_a_candidate_that_its_gates_refused_answers_with_their_verdicts(box: Sandbox, people: People) -> None:
    ann = people("ann", "curator")
    item(box, "a", "CANDIDATE", payload={"word": "dog", "definition": "mail ann@example.org , ok"})
    assert ann.post("/content/a/promote", {}).status_code == 202
    box.drain()
    refusal = ann.post("/content/a/promote", {})
    assert refusal.status_code == 409
    assert {"safety", "orthography"} <= {
        one["gate"] for one in problem(refusal, 409, "ILK-206")["facts"]["verdicts"] if not one["passed"]
    }
    amended = ann.ask(
        "PATCH", "/content/a", json={"payload": PAYLOADS["meaning"], "reason": "typed it again"}
    )
    assert amended.status_code == 200, amended.text
    assert ann.post("/content/a/promote", {}).status_code == 202
    box.drain()
    assert (walked(box, "a")[-1], tables(box, "a")) == ("VALIDATED", ["validated"])


def test_changing_approved_content_is_a_logged_violation(box: Sandbox, people: People) -> None:
    item(box, "a", "APPROVED")
    ann = people("ann", "curator")
    change = {"payload": {"word": "cat"}, "reason": "cats are better"}
    answer = ann.ask("PATCH", "/content/a", json=change)
    assert answer.json()["code"] == "ILK-210"
    olga = people("olga", "operator")
    facts = {"facts": {"validation_wanted": True}, "reason": "cats are better"}
    for headers in ({}, {"Idempotency-Key": "once"}):
        answer = olga.ask("POST", "/content/records/a/amend", json=facts, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (409, "ILK-210")
    logged = [(row["actor"], row["reason"]) for row in rows(box, immutability_violations)]
    assert logged == [(actor, "cats are better") for actor in ("ann", "olga", "olga")]
    assert ann.post("/content/a/promote", {}).json()["code"] == "ILK-204"
    assert walked(box, "a")[-1] == "APPROVED"


def test_rejected_and_deprecated_items_are_listed_only_where_they_are_asked_for(
    box: Sandbox, people: People
) -> None:
    olga = people("olga", "operator")
    item(box, "a", "APPROVED")
    item(box, "b", "VALIDATED", payload={"word": "cat", "definition": "it purrs and it sleeps"})
    item(
        box,
        "c",
        "VALIDATED",
        payload={"word": "dog", "definition": PAYLOADS["meaning"]["definition"] + "!"},
        replaces="a",
    )
    assert olga.post("/content/b/reject", {"reason": "no such animal"}).status_code == 200
    superseded = olga.post("/content/a/supersede", {"replacement_id": "c", "reason": "a typing error"})
    assert superseded.status_code == 200, superseded.text

    def listed(query: str) -> list[str]:
        return [one["item_id"] for one in olga.get(f"/content{query}").json()["items"]]

    assert (listed(""), listed("?state=VALIDATED"), listed("/review-queue")) == (["c"], [], [])
    assert listed("?state=VALIDATED&include_rejected=true") == ["b"]
    assert listed("?state=APPROVED&include_deprecated=true&type=meaning&language=EN") == ["a", "c"]
    assert olga.get("/content/a").json()["superseded_by_id"] == "c"
    assert olga.get("/content/a/active-replacement").json() == {"item_id": "a", "active_replacement": "c"}
    assert [row["item_id"] for row in rows(box, rejected_items)] == ["b"]
    assert olga.post("/content/a/deprecate", {"reason": "again"}).json()["code"] == "ILK-205"
    assert olga.get("/content?state=NOWHERE").status_code == 400
    assert olga.get("/content?type=poem").status_code == 400
    assert olga.get("/content?language=XX").status_code == 400


def test_pages_follow_each_other(box: Sandbox, people: People) -> None:
    for id in ("a", "b", "c"):
        item(box, id, "DRAFT")
    vera = people("vera", "viewer")
    first = vera.get("/content?limit=2").json()
    second = vera.get(f"/content?limit=2&cursor={first['next']}").json()
    assert [[one["item_id"] for one in page["items"]] for page in (first, second)] == [["a", "b"], ["c"]]
    assert second["next"] is None
    assert vera.get("/content?cursor=nonsense").status_code == 400


@pytest.mark.parametrize(
    "wrong",
    [{"type": "poem"}, {"language": "DE"}, {"level": "Z"}, {"payload": []}, {"confidence": 2}, {"extra": 1}],
    ids=str,
)
def test_a_submission_that_cannot_be_is_refused_and_nothing_is_made(
    box: Sandbox, people: People, wrong: dict[str, Any]
) -> None:
    answer = people("ann", "curator").post("/content", {**SUBMISSION, **wrong})
    assert problem(answer, 400, "ILK-102")["detail"]
    assert box.counts() == {}


def test_an_admin_erases_and_the_history_stays(box: Sandbox, people: People) -> None:
    item(box, "a", "APPROVED")
    ada = people("ada", "admin")
    answer = ada.post("/content/a/erase", {"reason": "a court has ordered it"})
    assert (answer.status_code, answer.json()["outcome"]) == (200, "erased")
    assert ada.get("/content/a").status_code == 404
    assert (tables(box, "a"), box.ledger.history("content", "a")[-1].origin) == ([], "erase")
    again = problem(ada.post("/content", {**SUBMISSION, "item_id": "a"}), 409, "ILK-205")
    assert (again["facts"]["rule_code"], box.counts()) == ("ERASED", {})
