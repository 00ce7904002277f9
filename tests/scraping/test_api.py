"""The scraping API: sites come in, decisions are made one by one and in bulk, work is asked for again, contacts go out."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from interlock import Done, Failed
from interlock.testing import Sandbox
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.workflow import declare

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that it is made for another library soon
    from fastapi.testclient import TestClient


@pytest.fixture
def box(tmp_path: Any) -> Iterator[Sandbox]:
    with closing(
        Sandbox(declare(Options(cycle="continuous", rate="1000/s", retries=0)), files=str(tmp_path))
    ) as made:
        made.migrate()
        yield made


@pytest.fixture
def api(box: Sandbox) -> Iterator[TestClient]:
    with TestClient(
        box.asgi(lambda request: ("ann", "operator")), base_url="http://127.0.0.1/api/v1/"
    ) as client:
        yield client


def add(api: TestClient, *hosts: str, **more: Any) -> list[dict[str, Any]]:
    answer = api.post("domains", json={"domains": list(hosts), **more})
    assert answer.status_code == 201, answer.text
    found: list[dict[str, Any]] = answer.json()["domains"]
    return found


def begin(box: Sandbox) -> None:
    assert box.runs is not None
    box.advance("1s")  # a host is visited at its rate
    box.runs.renew()
    box.coordinates.step()


def test_sites_are_added_in_order_and_what_is_there_answers_with_its_record(api: TestClient) -> None:
    found = add(api, "a.com", "https://A.com/x", "javascript:alert(1)", "b.com:8443", "")
    assert [(one["outcome"], one["domain"]) for one in found] == [
        ("admitted", "a.com"),
        ("exists", "a.com"),
        ("refused", "javascript:alert(1)"),
        ("admitted", "b.com:8443"),
        ("refused", ""),
    ]
    assert found[0]["id"] == found[1]["id"]
    assert api.get(f"domains/{found[3]['id']}").json()["url"] == "https://b.com:8443/"


def test_selecting_shows_queued_in_that_very_answer_and_again_changes_nothing(api: TestClient) -> None:
    (domain,) = add(api, "a.com")
    answer = api.patch(f"domains/{domain['id']}", json={"curation_status": "Selected"})
    assert answer.status_code == 200
    assert (answer.json()["outcome"], answer.json()["record"]["processing_status"]) == ("moved", "Queued")
    assert (answer.json()["curation_status"], answer.json()["processing_status"]) == ("Selected", "Queued")
    again = api.patch(f"domains/{domain['id']}", json={"curation_status": "Selected"}).json()
    assert (again["outcome"], "retry" in again["hint"]) == ("unchanged", True)
    assert (
        api.patch(
            f"domains/{domain['id']}", json={"curation_status": "Discarded"}, headers={"If-Match": '"0"'}
        ).status_code
        == 412
    )
    assert api.patch(f"domains/{domain['id']}", json={"curation_status": "selected"}).status_code in (
        409,
        422,
    )
    assert api.patch("domains/99", json={"curation_status": "Selected"}).status_code == 404
    assert api.patch(f"domains/{domain['id']}", json={"processing_status": "Complete"}).status_code == 400


def test_the_tag_of_a_record_guards_a_decision_against_what_happened_meanwhile(
    api: TestClient, box: Sandbox
) -> None:
    (domain,) = add(api, "a.com")
    seen = {"If-Match": api.get(f"domains/{domain['id']}").headers["ETag"]}
    first = api.patch(f"domains/{domain['id']}", json={"curation_status": "Selected"}, headers=seen)
    assert (first.status_code, first.json()["outcome"]) == (200, "moved")
    assert api.get(f"domains/{domain['id']}").headers["ETag"] == first.headers["ETag"]
    stale = api.patch(f"domains/{domain['id']}", json={"curation_status": "Discarded"}, headers=seen)
    assert stale.status_code == 412
    row = api.get(f"domains/{domain['id']}").json()
    assert (row["curation_status"], row["processing_status"]) == ("Selected", "Queued")
    decided = [
        move.new for move in box.ledger.history("domains", domain["id"]) if move.axis == "curation_status"
    ]
    assert decided == ["New", "Selected"]


def test_lists_are_narrowed_by_both_statuses_views_and_text(api: TestClient) -> None:
    add(api, "a.com", "b.com", "c.org")
    api.patch("domains/1", json={"curation_status": "Selected"})
    api.patch("domains/2", json={"curation_status": "Maybe"})

    def hosts(query: str) -> list[str]:
        answer = api.get(f"domains?{query}")
        assert answer.status_code == 200, answer.text
        return sorted(one["host"] for one in answer.json()["records"])

    assert hosts("") == ["a.com", "b.com", "c.org"]
    assert hosts("curation_status=Selected&curation_status=Maybe") == ["a.com", "b.com"]
    assert hosts("processing_status=null") == ["b.com", "c.org"]
    assert hosts("view=ready") == hosts("view=wanted") == ["a.com"]
    assert hosts("q=c.org") == ["c.org"]
    assert api.get("domains?view=nothing").status_code == 400
    doubled = api.get("domains?view=wanted&curation_status=New")
    assert (doubled.status_code, doubled.json()["detail"]) == (
        400,
        "the view wanted names curation_status itself",
    )
    assert api.get("domains?view=wanted&processing_status=Queued").status_code == 200
    first = api.get("domains?limit=2&sort=host").json()
    second = api.get("domains", params={"limit": 2, "sort": "host", "cursor": first["next"]}).json()
    assert [one["host"] for one in (*first["records"], *second["records"])] == ["a.com", "b.com", "c.org"]
    assert second["next"] is None


def test_many_are_decided_at_once_by_id_or_filter(api: TestClient, box: Sandbox) -> None:
    add(api, *(f"h{number}.com" for number in range(5)))
    answer = api.put(
        "domains/curation", json={"ids": [1, 2, 77], "curation_status": "Selected", "reason": "good"}
    ).json()
    assert (answer["updated_count"], answer["queued_count"], answer["missing"]) == (2, 2, [77])
    many = {"ids": [1, *range(100, 150)], "curation_status": "Selected", "reason": "good"}
    assert api.put("domains/curation", json=many).json()["missing"] == [*range(100, 150)]
    body = {"filter": {"curation_status": "New"}, "curation_status": "Discarded", "reason": "the rest"}
    assert api.put("domains/curation", json=body).json()["updated_count"] == 3
    nothing = api.put("domains/curation", json=body)
    assert (nothing.status_code, nothing.json()) == (
        200,
        {"updated_count": 0, "queued_count": 0, "refused": [], "missing": [], "operation": None},
    )
    assert (
        api.put(
            "domains/curation", json={"filter": {}, "curation_status": "Maybe", "reason": "x"}
        ).status_code
        == 400
    )
    assert (
        api.put("domains/curation", json={"all": True, "curation_status": "Maybe", "reason": "all"}).json()[
            "updated_count"
        ]
        == 5
    )
    assert [move.new for move in box.ledger.history("domains", 1) if move.axis == "curation_status"] == [
        "New",
        "Selected",
        "Maybe",
    ]


def test_failed_work_is_retried_and_complete_work_is_done_again_only_while_selected(
    api: TestClient, box: Sandbox
) -> None:
    add(api, "a.com", curation_status="Selected")
    begin(box)
    assert api.post("domains/1/retry", json={"reason": "x"}).status_code in (400, 409)
    box.report("domains", 1, Failed("TIMEOUT", "slow"))
    assert api.get("domains/1").json()["processing_error"] == "slow"
    again = api.post("domains/1/retry", json={"reason": "it is up"}).json()
    assert (again["curation_status"], again["processing_status"]) == ("Selected", "Queued")
    assert again["processing_error"] is None
    begin(box)
    assert api.post("domains/1/reprocess", json={"reason": "x"}).status_code == 400
    box.report("domains", 1, Done())
    assert api.post("domains/1/reprocess", json={"reason": "anew"}).json()["processing_status"] == "Queued"
    begin(box)
    box.report("domains", 1, Done())
    api.patch("domains/1", json={"curation_status": "Maybe"})
    assert api.post("domains/1/reprocess", json={"reason": "anew"}).status_code == 409
    assert api.get("domains/1").json()["processing_status"] == "Complete"
    moves = [move for move in box.ledger.history("domains", 1) if move.version]
    decisions = [(move.actor, move.new) for move in moves if move.axis == "curation_status"]
    assert decisions == [("ann", "Selected"), ("ann", "Maybe")]
    work = [move for move in moves if move.axis == "processing_status"]
    assert [move.new for move in work] == [
        "Queued",
        "Processing",
        "Failed",
        *["Queued", "Processing", "Complete"] * 2,
    ]
    assert (work[3].actor, work[3].reason) == ("ann", "it is up")


def test_above_a_thousand_an_operation_decides_and_says_how_it_ended(api: TestClient, box: Sandbox) -> None:
    records = 1_001
    box.admit_many(
        "domains", [{"host": f"h{number}.com", "url": f"https://h{number}.com/"} for number in range(records)]
    )
    asked = {"filter": {"curation_status": "New"}, "curation_status": "Selected", "reason": "all of them"}
    answer = api.put("domains/curation", json=asked)
    assert answer.status_code == 202, answer.text
    id = answer.json()["operation"]
    assert answer.headers["location"] == f"/api/v1/operations/{id}"
    for one in threading.enumerate():
        if one.name == f"curation {id}":
            one.join(60)
    done = api.get(f"operations/{id}").json()
    assert (done["status"], done["records"], done["outcomes"]["moved"]) == ("finished", records, records)
    counts = box.counts()
    assert counts["domains", "curation_status", None, "Selected"] == records
    assert counts["domains", "processing_status", None, "Queued"] == records
    for record in (1, records):
        moves = [move for move in box.ledger.history("domains", record) if move.version]
        assert [(move.axis, move.new, move.reason) for move in moves if move.axis == "curation_status"] == [
            ("curation_status", "Selected", "all of them")
        ]
        assert [move.new for move in moves if move.axis == "processing_status"] == ["Queued"]
    assert box.check().findings == []


def test_a_file_of_sites_is_imported_and_contacts_are_exported(api: TestClient, box: Sandbox) -> None:
    answer = api.post(
        "domains/import", files={"file": ("sites.csv", "domain,curation_status\na.com,Archived\nftp://x,\n")}
    )
    assert [one["outcome"] for one in answer.json()["domains"]] == ["admitted", "refused"]
    assert api.get("domains/1").json()["curation_status"] == "Discarded"
    assert api.post("domains/import", content=b"x").status_code == 400
    assert api.post("domains/import", files={"sites": ("sites.csv", "domain\nb.com\n")}).status_code == 400
    for header in ("website,notes", "website", "b.com,Selected"):
        refused = api.post("domains/import", files={"file": ("sites.csv", f"{header}\nb.com,good\n")})
        assert refused.status_code == 400
        assert "column" in refused.json()["detail"]
    assert [one["host"] for one in api.get("domains").json()["records"]] == ["a.com"]
    box.admit(
        "contacts", {"domain_id": 1, "contact_key": "=x@firma.de", "email": "=x@firma.de", "social": []}
    )
    lines = api.get("contacts/export").text.splitlines()
    assert lines[0].startswith("id,host,email")
    assert "'=x@firma.de" in lines[1]


@pytest.mark.parametrize("sign", [",", ";", "\t"], ids=["commas", "semicolons", "tabs"])
def test_a_file_of_any_spreadsheet_is_imported(api: TestClient, box: Sandbox, sign: str) -> None:
    text = f'"domain"{sign}curation_status\r\n"a.com"{sign}Selected\r\nb.com{sign}\r\n'
    answer = api.post("domains/import", files={"file": ("sites.csv", text)})
    assert [one["outcome"] for one in answer.json()["domains"]] == ["admitted", "admitted"]
    rows = [api.get(f"domains/{id}").json() for id in (1, 2)]
    assert [(row["host"], row["curation_status"], row["processing_status"]) for row in rows] == [
        ("a.com", "Selected", "Queued"),
        ("b.com", "New", None),
    ]
    assert box.ledger.history("domains", 1)[0].actor == "ann"


@pytest.mark.parametrize(
    ("kind", "text", "outcomes", "chosen"),
    [
        (
            "sitemap-files",
            "url,curation_status\nhttps://a.com/s.xml,selected\nhttps://A.com/s.xml,\nftp://x,\n",
            ["admitted", "exists", "refused"],
            ("Selected", "Queued"),
        ),
        (
            "pages",
            "https://a.com/contact\nhttps://b.com/x\njavascript:alert(1)\n",
            ["admitted", "admitted", "refused"],
            ("New", None),
        ),
        (
            "contacts",
            "email,phone,domain,curation_status\nAnn@Firma.de,,a.com,Archived\n,+49 30 1234567,a.com,\nx,,a.com,\n",
            ["admitted", "admitted", "refused"],
            ("Discarded", None),
        ),
    ],
)
def test_children_are_imported_with_the_sites_they_belong_to(
    api: TestClient, box: Sandbox, kind: str, text: str, outcomes: list[str], chosen: tuple[str, str | None]
) -> None:
    answer = api.post(f"{kind}/import", files={"file": ("records.csv", text)})
    assert answer.status_code == 200, answer.text
    records = answer.json()["records"]
    assert [one["outcome"] for one in records] == outcomes
    assert records[-1]["problem"]
    row = api.get(f"{kind}/{records[0]['id']}").json()
    assert (row["curation_status"], row["processing_status"]) == chosen
    assert api.get(f"domains/{row['domain_id']}").json()["host"] == "a.com"
    assert box.ledger.history(kind, records[0]["id"])[0].actor == "ann"


def test_every_kind_has_its_routes(api: TestClient) -> None:
    for kind in ("domains", "sitemap-files", "pages", "contacts"):
        assert api.get(kind).json() == {"records": [], "next": None}
        assert api.get(f"{kind}/1").status_code == 404
