"""`interlock scraping`: sites are added, curated, visited and exported by what people type."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from interlock import App
from interlock.errors import BadInput
from interlock.runner.executors.executor import MixedExecutor
from interlock.workflows.scraping.import_export import read_decision, read_table, safe_cell
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.web.addresses import read_networks
from interlock.workflows.scraping.workflow import declare
from tests.acceptance.conftest import Run, from_afar
from tests.scraping.web_server import WebServer, answer

made: App
"""What the commands of this module are about, by name: `--app tests.acceptance.test_scraping_commands:made`."""


@pytest.fixture
def typed(run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    options = Options(
        allow_private=read_networks("127.0.0.1"),
        cycle="continuous",
        rate="1000/s",
        retries=0,
        check_mail_domains=False,
    )
    app = App(declare(options), database=f"sqlite:///{empty_folder / 'sites.sqlite'}")
    app.migrate()
    monkeypatch.setitem(globals(), "made", app)
    monkeypatch.setenv("INTERLOCK_APP", f"{__name__}:made")
    yield run
    app.close()


def test_sites_are_added_once_and_what_is_none_is_said(typed: Run) -> None:
    first = typed("scraping", "add", "Example.com", "https://example.com/x", "ftp://no", "-o", "json")
    rows = json.loads(first.stdout)
    assert [(row["site"], row["outcome"]) for row in rows] == [
        ("example.com", "admitted"),
        ("example.com", "exists"),
        ("ftp://no", "refused"),
    ]
    assert rows[0]["id"] == rows[1]["id"]
    assert first.exit_code == 5
    assert "only http and https" in rows[2]["problem"]


def test_a_first_site_prepares_the_database(
    run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTERLOCK_DATA", str(empty_folder / "data"))
    unprepared = run("scraping", "list", "domains")
    assert unprepared.exit_code == 1
    assert "ILK-304" in unprepared.stderr
    added = run("scraping", "add", "example.com", "-o", "json")
    assert [row["outcome"] for row in json.loads(added.stdout)] == ["admitted"]
    listed = json.loads(run("scraping", "list", "domains", "-o", "json").stdout)
    assert [(row["host"], row["curation_status"], row["processing_status"]) for row in listed] == [
        ("example.com", "New", None)
    ]


def test_a_file_of_sites_is_added_with_decisions_of_older_systems(typed: Run, empty_folder: Path) -> None:
    file = empty_folder / "sites.csv"
    file.write_text(
        "Domain,Curation_Status\na.com,selected\nb.com,Not a Fit\nc.com,\nd.com,Perhaps\n",
        encoding="utf-8-sig",
    )
    rows = json.loads(typed("scraping", "add", "--file", file, "-o", "json").stdout)
    assert [row["outcome"] for row in rows] == ["admitted", "admitted", "admitted", "refused"]
    found = json.loads(typed("scraping", "list", "domains", "-o", "json").stdout)
    assert [(row["host"], row["curation_status"], row["processing_status"]) for row in found] == [
        ("a.com", "Selected", "Queued"),
        ("b.com", "Discarded", None),
        ("c.com", "New", None),
    ]


def test_a_file_of_sites_that_cannot_be_read_is_refused_in_plain_words(
    typed: Run, empty_folder: Path
) -> None:
    missing = typed("scraping", "add", "--file", "no.csv")
    assert missing.exit_code == 2
    assert "there is no file no.csv\n" in missing.stderr
    (empty_folder / "x.csv").write_bytes(b"domain\n\xff\xfe")
    unreadable = typed("scraping", "add", "--file", empty_folder / "x.csv")
    assert unreadable.exit_code == 2
    assert "x.csv is not text in UTF-8\n" in unreadable.stderr


def test_curating_by_id_and_by_filter_shows_what_happens(typed: Run) -> None:
    typed("scraping", "add", "a.com", "b.com", "c.com")
    chosen = typed("scraping", "select", "domains", "1", "99", "--reason", "good", "-o", "json")
    assert [(row["outcome"], row["processing_status"]) for row in json.loads(chosen.stdout)] == [
        ("moved", "Queued"),
        ("refused", None),
    ]
    assert chosen.exit_code == 5
    again = typed("scraping", "select", "domains", "1", "-o", "json")
    assert json.loads(again.stdout) == [
        {"id": "1", "outcome": "unchanged", "processing_status": "Queued", "problem": None}
    ]
    assert "`interlock record retry` sends what failed back into the queue" in again.stderr
    ready = json.loads(typed("scraping", "list", "domains", "--view", "ready", "-o", "json").stdout)
    assert [row["host"] for row in ready] == ["a.com"]
    rest = typed("scraping", "discard", "domains", "--curation", "New", "--yes", "-o", "json")
    assert json.loads(rest.stdout) == [{"outcome": "moved", "records": 2}]
    assert "2 domains match; 2 would change to Discarded" in rest.stderr
    assert typed("scraping", "discard", "domains").exit_code != 0


def test_ids_and_a_filter_are_not_mixed(typed: Run) -> None:
    typed("scraping", "add", "a.com", "b.com")
    refused = typed("scraping", "discard", "domains", "1", "--curation", "New")
    assert refused.exit_code == 2
    assert "ids or a filter" in refused.stderr
    listed = json.loads(typed("scraping", "list", "domains", "-o", "json").stdout)
    assert [row["curation_status"] for row in listed] == ["New", "New"]


def test_what_is_selected_is_visited_and_contacts_come_out(typed: Run, empty_folder: Path) -> None:
    with WebServer() as web:
        web.pages |= {
            "/": answer(b"<html><title>T</title><body>x</body></html>"),
            "/sitemap.xml": answer(
                f"<urlset><url><loc>{web.url}/contact</loc></url></urlset>".encode(), kind="application/xml"
            ),
            "/contact": answer(b"<html><body>ann@firma.de</body></html>"),
        }
        typed("scraping", "add", web.url, "--select")
        assert typed("scraping", "run", "--for", "60").exit_code == 0
        typed("scraping", "select", "sitemap-files", "1")
        done = typed("scraping", "run", "--for", "60", "-o", "json")
        assert {(row["kind"], row["status"]) for row in json.loads(done.stdout)} == {
            ("domains", "Complete"),
            ("sitemap-files", "Complete"),
            ("pages", "Complete"),
        }
    target = empty_folder / "contacts.csv"
    typed("scraping", "export", "--to", target)
    (row,) = csv.DictReader(io.StringIO(target.read_text(encoding="utf-8")))
    assert (row["email"], row["curation_status"], row["page_url"]) == (
        "ann@firma.de",
        "New",
        f"{web.url}/contact",
    )


def test_a_run_goes_on_when_the_lease_of_a_killed_one_is_over(typed: Run) -> None:
    app: App = globals()["made"]
    with WebServer() as web:
        web.pages["/"] = answer(b"<html><title>T</title><body>x</body></html>")
        typed("scraping", "add", web.url, "--select")
        executor = MixedExecutor(1, app.clock)
        app.runner(executor, name="killed", lease=timedelta(seconds=1)).renew()
        executor.close(0.0)
        done = typed("scraping", "run", "--for", "20", "-o", "json")
    assert json.loads(done.stdout) == [{"kind": "domains", "status": "Complete", "records": 1}]
    assert done.stderr.count("1 to do") == 1
    row = app.get("domains", 1)
    assert (row["curation_status"], row["processing_status"], row["title"]) == ("Selected", "Complete", "T")
    moves = [move.new for move in app.ledger.history("domains", 1) if move.axis == "processing_status"]
    assert moves[-3:] == ["Queued", "Processing", "Complete"]


def test_what_failed_is_retried_by_a_command_and_its_decision_stays(typed: Run) -> None:
    app: App = globals()["made"]
    with WebServer() as web:
        typed("scraping", "add", web.url, "--select")
        assert typed("scraping", "run", "--for", "60").exit_code == 0
        row = app.get("domains", 1)
        assert (row["curation_status"], row["processing_status"]) == ("Selected", "Failed")
        assert "404" in row["processing_error"]
        web.pages["/"] = answer(b"<html><title>T</title><body>x</body></html>")
        assert typed("record", "retry", "domains", "1", "--reason", "it is up").exit_code == 0
        assert app.get("domains", 1)["processing_error"] is None
        assert typed("scraping", "run", "--for", "60").exit_code == 0
    row = app.get("domains", 1)
    assert (row["curation_status"], row["processing_status"]) == ("Selected", "Complete")
    history = [move for move in app.ledger.history("domains", 1) if move.version]
    assert [move.new for move in history if move.axis == "curation_status"] == ["Selected"]
    assert [(move.new, move.reason) for move in history if move.axis == "processing_status"][3:4] == [
        ("Queued", "it is up")
    ]
    assert [move.new for move in history if move.axis == "processing_status"] == [
        "Queued",
        "Processing",
        "Failed",
        "Queued",
        "Processing",
        "Complete",
    ]


def test_contacts_are_exported_by_a_service_as_they_are_here(
    typed: Run, empty_folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed("scraping", "add", "a.com")
    for number, email in enumerate(("=1+1@firma.de", "zoë@firma.de")):
        row = {"domain_id": 1, "contact_key": f"k{number}", "email": email, "phone": "+49301234567"}
        globals()["made"].admit("contacts", {**row, "social": ["https://x.com/firma"]}, actor="ann")
    here = typed("scraping", "export").stdout
    monkeypatch.delenv("INTERLOCK_APP")
    with from_afar(run, globals()["made"]) as asked:
        there = asked("scraping", "export")
        target = empty_folder / "remote.csv"
        assert asked("scraping", "export", "--to", target).exit_code == 0
    assert (there.exit_code, there.stdout) == (0, here)
    assert target.read_text(encoding="utf-8") == here
    assert [row["email"] for row in csv.DictReader(io.StringIO(here))] == ["'=1+1@firma.de", "zoë@firma.de"]


def test_an_export_into_a_folder_is_refused_in_plain_words(typed: Run, empty_folder: Path) -> None:
    refused = typed("scraping", "export", "--to", empty_folder)
    assert refused.exit_code == 1
    assert f"Is a directory: {empty_folder}\n" in refused.stderr
    assert not Path(f"{empty_folder}.half").exists()


def test_a_list_without_a_header_is_a_list_of_sites() -> None:
    assert [one.row["host"] for one in read_table("a.com\n\nhttps://b.com/x\n") if one.row] == [
        "a.com",
        "b.com",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["Unix", "Windows", "an old Macintosh"])
def test_lines_of_a_list_end_as_any_system_ends_them(end: str) -> None:
    lines = list(read_table(end.join(("domain,curation_status", "a.com,Selected", "b.com,", ""))))
    assert [one.row and (one.row["host"], one.row.get("curation_status")) for one in lines] == [
        ("a.com", "Selected"),
        ("b.com", None),
    ]


def test_a_cell_without_an_end_is_refused_in_plain_words() -> None:
    with pytest.raises(BadInput, match="the file is no CSV: line 2"):
        list(read_table('domain\n"a.com' + "x" * 200_000))


def test_decisions_are_read_in_any_case() -> None:
    assert [read_decision(text) for text in ("SELECTED", "archived", "Skipped", " ", "maybe")] == [
        "Selected",
        "Discarded",
        "Discarded",
        None,
        "Maybe",
    ]


@pytest.mark.parametrize("text", ["=1+1", "+cmd|x", "-2", "@x", "\tx"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert safe_cell(text) == f"'{text}"
    assert safe_cell("+49301234567") == "+49301234567"
