"""Looking: lists, one record, its history, why; machines, counts, errors and the ledger."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interlock import App
from tests.service.asking import Asker, problem


def ids(page: Any) -> list[Any]:
    return [record["id"] for record in page["records"]]


def test_pages_follow_each_other_without_gap_or_repeat(local: Asker) -> None:
    seen, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        page = local.get(
            "/statements/records", params={"limit": 2, **({"cursor": cursor} if cursor else {})}
        ).json()
        seen, cursor, pages = seen + ids(page), page["next"], pages + 1
    assert (seen, pages) == (["u0", "u1", "u2", "u3", "u4"], 3)
    backwards = local.get("/domains/records", params={"order": "-id", "limit": 2}).json()
    assert ids(backwards) == [3, 2]
    assert ids(
        local.get("/domains/records", params={"order": "-id", "limit": 2, "cursor": backwards["next"]}).json()
    ) == [1]


def test_a_list_is_narrowed_by_any_axis_error_age_and_text(local: Asker, app: App) -> None:
    app.move(
        "statements",
        "u1",
        actor="ann",
        status="error",
        facts={"error_code": "BROKEN", "error_message": "page 3"},
    )
    app.move("domains", 2, actor="ann", curation_status="Selected")
    asked = {
        "where=status=error": ["u1"],
        "where=status=error&where=status=queued_for_parse&limit=2": ["u0", "u1"],
        "error=BROKEN": ["u1"],
        "error=OTHER": [],
        "older=1d": [],
        "younger=1d&limit=1": ["u0"],
        "text=U3": ["u3"],
        "text=h4": ["u4"],
        "text=%25": [],
    }
    assert {query: ids(local.get(f"/statements/records?{query}").json()) for query in asked} == asked
    domains = {
        "where=curation_status=Selected": [2],
        "where=processing_status=null": [1, 3],
        "text=HOST3": [3],
        "where=curation_status=Selected&where=processing_status=null": [],
        "axis=processing_status&older=0s": [1, 2, 3],
    }
    assert {query: ids(local.get(f"/domains/records?{query}").json()) for query in domains} == domains
    assert ids(local.get("/themes/records?where=status=pending&scope=technical").json()) == [1]


def test_a_record_says_where_it_is_and_its_tag_has_its_versions(local: Asker, app: App) -> None:
    app.move("domains", 2, actor="ann", curation_status="Selected")
    answer = local.get("/domains/records/2")
    said = answer.json()
    assert answer.headers["etag"] == '"1.1"'
    assert [(place["axis"], place["state"], place["version"]) for place in said["where"]] == [
        ("curation_status", "Selected", 1),
        ("processing_status", "Queued", 1),
    ]
    assert said["record"]["host"] == "host2.example"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", said["where"][0]["since"])


def test_the_timeline_names_who_when_why_from_where_to_where(local: Asker, app: App) -> None:
    app.move(
        "statements",
        "u1",
        actor="ann",
        role="operator",
        reason="by hand",
        status="parsing",
        facts={"pages": 3},
    )
    first, last = local.get("/statements/records/u1/timeline").json()["entries"]
    assert (first["origin"], first["version"], first["old_status"]) == ("admit", 0, None)
    del last["timestamp"]
    assert last.pop("hash") == app.get("statements", "u1")["head"].hex()
    assert last.pop("seal") is None, "nothing was sealed yet"
    assert last == {
        "kind": "statements",
        "id": "u1",
        "axis": "status",
        "scope": None,
        "version": 1,
        "old_status": "queued_for_parse",
        "new_status": "parsing",
        "trigger": "command.move",
        "origin": "move",
        "actor": "ann",
        "role": "operator",
        "reason": "by hand",
        "facts": {"pages": 3},
    }
    app.erase("statements", "u1", actor="ann", role="admin", reason="asked to")
    assert len(local.get("/statements/records/u1/timeline").json()["entries"]) == 3
    problem(local.get("/statements/records/u1"), 404, "ILK-201")


def test_why_says_what_may_happen_next_and_why_not_the_rest(local: Asker) -> None:
    said = local.get("/domains/records/1/why").json()
    assert {"kind", "id", "where", "why", "waits_for", "next", "refusals"} == said.keys()
    refused = next(one for one in said["next"] if one["to"] == "Queued")
    assert (refused["allowed"], refused["code"]) == (False, "ILK-205")


def test_the_numbers_are_the_app_s_own(local: Asker, app: App) -> None:
    for number in (1, 2):
        app.move(
            "statements",
            f"u{number}",
            actor="ann",
            status="error",
            facts={"error_code": "BROKEN", "error_message": "page 3"},
        )
    counted = {
        (one["axis"], one["scope"], one["state"]): one["records"]
        for one in local.get("/statements/counts").json()["counts"]
    }
    assert counted == {
        (axis, scope, state): number for (_, axis, scope, state), number in app.counts("statements").items()
    }
    (group,) = local.get("/errors").json()["errors"]
    assert (group["kind"], group["code"], group["message"], group["records"], group["example"]) == (
        "statements",
        "BROKEN",
        "page 3",
        2,
        "u1",
    )
    assert local.get("/statements/errors").json()["errors"] == [group]
    assert local.get("/domains/errors").json()["errors"] == []


def test_the_ledger_goes_on_behind_a_cursor(local: Asker) -> None:
    everything = local.get("/ledger", params={"after": "0.0", "limit": 500}).json()["entries"]
    seen, cursor = [], "0.0"
    while page := local.get("/ledger", params={"after": cursor, "limit": 4}).json():
        seen, cursor = seen + page["entries"], page["next"]
        if len(page["entries"]) < 4:
            break
    assert seen == everything
    assert local.get("/ledger/verify").json() == {
        "ok": True,
        "entries": len(everything),
        "chains": len(everything),
        "seals": 0,
        "findings": [],
    }


@pytest.mark.sqlite_only
def test_machines_are_told_and_drawn(local: Asker) -> None:
    assert [one["kind"] for one in local.get("/kinds").json()["kinds"]] == [
        "statements",
        "domains",
        "content",
        "themes",
    ]
    assert local.get("/content/machines").json()["machines"][0]["gates"][0]["gate"] == "level"
    drawn = local.get("/statements/machines/status/diagram?counts=true")
    assert (drawn.headers["content-type"], drawn.text[:4]) == ("image/svg+xml", "<svg")
    assert (
        "stateDiagram"
        in local.get("/themes/machines/status/diagram?format=mermaid&scope=technical&counts=true").text
    )
    problem(local.get("/themes/machines/status/diagram?scope=none"), 400, "ILK-102")
    problem(local.get("/themes/machines/nothing/diagram"), 404, "ILK-103")


@pytest.mark.sqlite_only
def test_an_id_may_have_a_slash_in_it(local: Asker, app: App) -> None:
    app.admit("statements", {"id": "2026/01 ü%"})
    path = "/statements/records/2026%2F01%20%C3%BC%25"
    assert local.get(path).json()["id"] == "2026/01 ü%"
    assert len(local.get(f"{path}/timeline").json()["entries"]) == 1
    problem(local.get("/statements/records/a%00b"), 400, "ILK-102")


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/nothing/records", 404, "ILK-103"),
        ("/statements/records/nobody", 404, "ILK-201"),
        ("/domains/records/seven", 404, "ILK-201"),
        ("/statements/records?where=status=lost", 422, "ILK-203"),
        ("/statements/records?where=colour=red", 404, "ILK-103"),
        ("/statements/records?where=status", 400, "ILK-102"),
        ("/statements/records?limit=501", 400, "ILK-102"),
        ("/statements/records?cursor=!!", 400, "ILK-102"),
        ("/domains/records?cursor=Ing", 400, "ILK-102"),
        ("/domains/records?cursor=ImEi", 400, "ILK-102"),
        ("/statements/records?stauts=error", 400, "ILK-102"),
        ("/statements/records?older=soon", 400, "ILK-102"),
        ("/statements/records?scope=x", 400, "ILK-102"),
        ("/ledger?after=x", 400, "ILK-102"),
        ("/nowhere", 404, "ILK-404"),
        ("/kinds/", 404, "ILK-404"),
    ],
)
def test_what_there_is_not_is_said_with_a_code(path: str, status: int, code: str, local: Asker) -> None:
    problem(local.get(path), status, code)
