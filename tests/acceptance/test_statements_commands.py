"""`interlock statements`: what people type, against a database and against a service, with the same answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from interlock.cli import plugins
from interlock.store.files.file_store import FileStore
from interlock.workflows import NOUNS, bundled
from interlock.workflows.statements.commands.importing import passed_over
from tests.acceptance.conftest import Run, parsed
from tests.acceptance.upped import up
from tests.statements.pdf.layouts import boa as boa_layouts

CSV = b'Date,Description,Amount\n01/15/2024,STARBUCKS #1234,-4.50\n01/16/2024,=HYPERLINK(1),"1,234.56"\n'


@pytest.fixture
def folder(empty_folder: Path) -> Path:
    """What somebody's folder of downloads looks like."""
    place = empty_folder / "statements"
    (place / "2024").mkdir(parents=True)
    (place / ".trash").mkdir()
    (place / "2024" / "january.pdf").write_bytes(boa_layouts.checking().pdf())
    (place / "a.csv").write_bytes(CSV)
    (place / "a copy.csv").write_bytes(CSV)
    (place / ".trash" / "old.csv").write_bytes(CSV + b"\n")
    (place / "holiday.jpg").write_bytes(b"\xff\xd8\xff")
    return place


@pytest.fixture(params=["embedded", "service", "postgresql"])
def typed(request: pytest.FixtureRequest, run: Run, empty_folder: Path) -> Iterator[Run]:
    """A command about statements, on a database or on a service."""
    if request.param == "service":
        with up(empty_folder / "elsewhere") as running:
            yield lambda *words: run("statements", *words, "--url", running.url)
    elif request.param == "postgresql":
        url = str(request.getfixturevalue("postgres_url"))
        yield lambda *words: run("statements", *words, "--database", url)
    else:
        yield lambda *words: run("statements", *words)


def rows(result: Result) -> list[dict[str, object]]:
    assert result.exit_code in (0, 5, 7), result.stderr
    return json.loads(result.stdout)  # type: ignore[no-any-return]


def test_a_folder_is_imported_looked_at_and_exported(typed: Run, folder: Path, empty_folder: Path) -> None:
    result = typed("import", str(folder), "--wait", "-o", "json")
    every = {str(row["file"]).rpartition("/")[2]: row for row in rows(result)}
    found = {name: row for name, row in every.items() if row["outcome"] != "passed_over"}
    assert {name: row["message"] for name, row in every.items() if name not in found} == {
        "holiday.jpg": ".jpg is no kind of statement",
        "old.csv": "it is hidden",
    }
    assert (result.exit_code, set(found)) == (7, {"january.pdf", "a.csv", "a copy.csv"})
    assert {name: row["reconciled"] for name, row in found.items()} == {
        "january.pdf": "yes",
        "a.csv": "unknown",
        "a copy.csv": "unknown",
    }
    doubts = typed("warnings", str(found["a.csv"]["upload_id"]), "-o", "json")
    assert (doubts.exit_code, "USD is assumed" in doubts.stdout) == (7, True)
    assert typed("warnings", str(found["january.pdf"]["upload_id"])).exit_code == 0
    assert sorted(str(row["outcome"]) for row in found.values()) == ["duplicate", "imported", "imported"]
    assert found["a.csv"]["upload_id"] == found["a copy.csv"]["upload_id"]
    assert {row["status"] for row in found.values()} == {"normalized"}
    assert found["january.pdf"]["transactions"] == len(boa_layouts.CHECKING)
    assert "2 imported, 1 duplicate, 0 refused" in result.stderr
    assert "holiday.jpg: .jpg is no kind of statement" in result.stderr
    assert "old.csv: it is hidden" in result.stderr
    listed = parsed(typed("list", "-o", "json"))
    assert {one["file_name"] for one in listed} == {
        "january.pdf",
        *(
            [str(found["a.csv"]["file"]).rpartition("/")[2]]
            if found["a.csv"]["outcome"] == "imported"
            else ["a copy.csv"]
        ),
    }
    assert parsed(typed("list", "--status", "error", "-o", "json")) == []
    upload_id = str(found["a.csv"]["upload_id"])
    shown = parsed(typed("show", upload_id, "-o", "json"))
    assert (shown["status"], len(shown["timeline"])) == ("normalized", 5)
    transactions = [
        json.loads(line)
        for line in typed("transactions", "--upload", upload_id, "-o", "jsonl").stdout.splitlines()
    ]
    assert [one["amount"] for one in transactions] == ["-4.50", "1234.56"]
    exported(typed, upload_id, empty_folder)


def test_whatever_a_folder_holds_is_imported_or_passed_over_with_a_reason(
    typed: Run, folder: Path, empty_folder: Path
) -> None:
    (empty_folder / "elsewhere-2023").mkdir()
    (empty_folder / "elsewhere-2023" / "b.csv").write_bytes(CSV + b"01/17/2024,BAKERY,-3.00\n")
    (folder / "2023").symlink_to(empty_folder / "elsewhere-2023")
    (folder / "linked.csv").symlink_to(empty_folder / "elsewhere-2023" / "b.csv")
    (folder / "gone.csv").symlink_to(empty_folder / "nowhere.csv")
    (folder / "noname").write_bytes(CSV)
    os.mkfifo(folder / "pipe.csv")
    result = typed("import", str(folder), "-o", "json")
    every = {str(row["file"]).rpartition("/")[2]: row for row in rows(result)}
    passed = {name: str(row["message"]) for name, row in every.items() if row["outcome"] == "passed_over"}
    assert set(every) - set(passed) == {"january.pdf", "a.csv", "a copy.csv", "linked.csv"}
    assert passed == {
        "holiday.jpg": ".jpg is no kind of statement",
        "old.csv": "it is hidden",
        "2023": "it is a link to a folder; such a folder is imported when it is named itself",
        "gone.csv": "it is a link that leads nowhere",
        "pipe.csv": "it is no regular file",
        "noname": "its name has no ending that says what it is; it is looked at when it is named itself",
    }
    assert {row["upload_id"] for row in every.values() if row["outcome"] == "passed_over"} == {None}
    assert all(
        f"passed over {folder / name}: {why}" in result.stderr for name, why in list(passed.items())[2:]
    )
    assert {one["file_name"] for one in parsed(typed("list", "-o", "json"))} & set(passed) == set()
    table = typed("import", str(folder))
    assert ("passed_over" in table.stdout, "3 imported" in table.stderr) == (False, False)
    assert "0 imported, 4 duplicates, 0 refused" in table.stderr
    assert [row["outcome"] for row in rows(typed("import", str(folder / "2023"), "-o", "json"))] == [
        "duplicate"
    ]


def test_a_folder_that_cannot_be_opened_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scan = os.scandir

    def refusing(path: str) -> Any:
        if str(path).endswith("2024"):
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    passed = {str(row["file"]): row["message"] for row in passed_over([folder])}
    assert passed[str(folder / "2024")] == "this folder cannot be opened"


def test_an_account_for_a_file_that_is_an_upload_already_is_not_dropped_without_a_word(
    typed: Run, folder: Path
) -> None:
    named = ("import", str(folder / "a.csv"), "--wait", "-o", "json", "--account")
    (first,) = rows(typed(*named, "Joint"))
    upload_id = str(first["upload_id"])
    (same,), (other,) = rows(typed(*named, "Joint")), rows(typed(*named, "Mine"))
    assert (first["message"], same["message"]) == (None, None)
    assert f"interlock statements fix {upload_id} --account" in str(other["message"])
    assert parsed(typed("show", upload_id, "-o", "json"))["account"] == "Joint"


def test_an_upload_is_shown_with_what_people_know_its_file_by(typed: Run, folder: Path) -> None:
    (row,) = rows(typed("import", str(folder / "a.csv"), "-o", "json"))
    shown = parsed(typed("show", str(row["upload_id"]), "-o", "json"))
    assert (shown["file_name"], shown["source_type"], shown["file_size_bytes"]) == ("a.csv", "auto", len(CSV))
    assert shown["file_hash"] == f"sha256:{sha256(CSV).hexdigest()}"
    assert "a.csv" in typed("show", str(row["upload_id"])).stdout


def test_what_failed_is_retried_and_what_did_not_is_refused(typed: Run, empty_folder: Path) -> None:
    (empty_folder / "bad.csv").write_bytes(b"nonsense\n")
    (empty_folder / "good.csv").write_bytes(CSV)
    bad, good = rows(
        typed(
            "import", *(str(empty_folder / f"{name}.csv") for name in ("bad", "good")), "--wait", "-o", "json"
        )
    )
    failed, well = str(bad["upload_id"]), str(good["upload_id"])
    refused = typed("reparse", failed, "--reason", "newer parser")
    assert (refused.exit_code, "POST" in refused.stderr) == (5, False)
    assert f"interlock statements retry {failed} --reason" in refused.stderr
    assert typed("retry", well, "--reason", "once more").exit_code == 5
    assert typed("retry", failed).exit_code == 2
    queued = typed("retry", failed, "--reason", "the disk has room again")
    assert (queued.exit_code, "it is tried again as soon as a runner is at work" in queued.stdout) == (
        0,
        True,
    )
    rows(typed("import", str(empty_folder / "bad.csv"), "--wait", "-o", "json"))
    again = typed("retry", failed, "--wait", "--reason", "once more", "-o", "json")
    assert again.exit_code == 5
    shown = parsed(typed("show", failed, "-o", "json"))
    assert (shown["status"], shown["error_code"], shown["retry_count"]) == ("error", "LAYOUT_MISMATCH", 2)
    reasons = [move["reason"] for move in shown["timeline"]]
    assert [one for one in reasons if one] == ["the disk has room again", "once more"]
    assert typed("reparse", well, "--wait", "--reason", "newer parser").exit_code == 7


def exported(typed: Run, upload_id: str, folder: Path) -> None:
    assert (
        typed("export", "--format", "csv", "--upload", upload_id, "--to", str(folder / "x.csv")).stdout == ""
    )
    table = (folder / "x.csv").read_text(encoding="utf-8")
    assert table.startswith("canonical_id,")
    assert "'=HYPERLINK" in table
    assert not (folder / "x.csv.half").exists()
    assert typed("export", "--format", "beancount", "--upload", upload_id).stdout.count(" USD\n") == 4
    assert typed("export", "--format", "ledger").stdout.count("\n\n") == len(boa_layouts.CHECKING) + 2
    assert len(typed("export", "--format", "jsonl").stdout.splitlines()) == len(boa_layouts.CHECKING) + 2


def test_import_and_list_call_the_same_uploads_in_doubt(run: Run, empty_folder: Path) -> None:
    head = b"Date,Description,Amount (GBP),Balance (GBP)\n13/04/2024,Cafe,-60.00,940.00\n"
    files = {
        "assumed.csv": CSV,
        "no.csv": head + b"14/04/2024,Pay,1000.00,1950.00\n",
        "yes.csv": head + b"14/04/2024,Pay,1000.00,1940.00\n",
        "bad.csv": b"nonsense\n",
    }
    for name, content in files.items():
        (empty_folder / name).write_bytes(content)
    result = run("statements", "import", *(str(empty_folder / name) for name in files), "--wait")
    assert "2 in doubt: interlock statements warnings UPLOAD says why" in result.stderr
    listed = run("statements", "list", "--in-doubt", "-o", "json")
    assert {row["file_name"] for row in rows(listed)} == {"assumed.csv", "no.csv"}


def test_an_export_says_what_it_lacks(run: Run, empty_folder: Path) -> None:
    balanced = b"Date,Description,Amount (GBP),Balance (GBP)\n13/04/2024,Cafe,-60.00,940.00\n14/04/2024,Pay,1000.00,1940.00\n"
    files = {"good.csv": CSV, "no.csv": balanced.replace(b"1940.00", b"1950.00"), "bad.csv": b"nonsense\n"}
    for name, content in files.items():
        (empty_folder / name).write_bytes(content)
    result = run(
        "statements", "import", *(str(empty_folder / name) for name in files), "--wait", "-o", "json"
    )
    ids = {str(row["file"]).rpartition("/")[2]: str(row["upload_id"]) for row in rows(result)}
    whole = run("statements", "export", "--format", "jsonl")
    assert len(whole.stdout.splitlines()) == 2
    assert (
        "2 transactions of 1 upload that is not reconciled were left out: --include-unreconciled"
        in whole.stderr
    )
    assert "1 upload that is in error, and not in this export" in whole.stderr
    assert run("statements", "reparse", ids["good.csv"], "--reason", "newer parser").exit_code == 0
    listed = run("statements", "transactions", "--upload", ids["good.csv"], "-o", "json")
    assert [row["is_outdated"] for row in rows(listed)] == [True, True]
    assert "2 of them are what an earlier reading made of uploads" in listed.stderr
    again = run("statements", "export", "--format", "jsonl", "--include-unreconciled")
    assert len(again.stdout.splitlines()) == 2, "those of the upload that is in doubt, and no others"
    assert "2 transactions of 1 upload that is being read again, or not read, were left out" in again.stderr
    assert "1 upload that is not read to the end yet, and not in this export" in again.stderr
    one = run("statements", "export", "--upload", ids["good.csv"])
    assert (len(one.stdout.splitlines()), "in error" in one.stderr) == (1, False)
    doubts = run("statements", "warnings", ids["good.csv"], "-o", "json")
    assert (doubts.exit_code, rows(doubts)) == (0, [])
    assert "not parsed yet" in doubts.stderr


def test_what_is_refused_or_fails_is_said_and_ends_with_five(typed: Run, empty_folder: Path) -> None:
    (empty_folder / "bad.csv").write_bytes(b"nonsense\n")
    (empty_folder / "fake.pdf").write_bytes(b"PK\x03\x04")
    (empty_folder / "good.csv").write_bytes(CSV)
    alone = typed("import", str(empty_folder / "bad.csv"), "-o", "json")
    assert (alone.exit_code, rows(alone)[0]["outcome"]) == (0, "imported")
    result = typed(
        "import",
        *(str(empty_folder / name) for name in ("bad.csv", "fake.pdf", "good.csv")),
        "--wait",
        "-o",
        "json",
    )
    bad, fake, good = rows(result)
    assert result.exit_code == 5
    assert (bad["outcome"], bad["status"], bad["error_code"]) == ("duplicate", "error", "LAYOUT_MISMATCH")
    assert (fake["outcome"], fake["error_code"]) == ("refused", "unsupported_media_type")
    assert good["status"] == "normalized"


@pytest.mark.parametrize("where", [(), ("--url", "http://127.0.0.1:1")], ids=["here", "there"])
def test_what_is_not_there_is_said_before_anybody_is_asked(where: tuple[str, ...], run: Run) -> None:
    refused = run("statements", "import", "nowhere.pdf", *where)
    assert (refused.exit_code, "nowhere.pdf" in refused.stderr) == (2, True)


def test_an_upload_that_is_not_there_is_not_found(run: Run, folder: Path) -> None:
    assert run("statements", "import", str(folder / "a.csv")).exit_code == 0
    assert run("statements", "show", "UL_nobody").exit_code == 3
    assert run("statements", "transactions", "--upload", "UL_nobody").exit_code == 3
    assert run("statements", "list", "--status", "done").exit_code == 2
    assert run("statements", "import", str(folder / "a.csv"), "--source-type", "my_bank").exit_code == 5


def test_files_go_where_the_data_is(run: Run, folder: Path, empty_folder: Path) -> None:
    assert run("statements", "import", str(folder / "a.csv"), "--data", "there").exit_code == 0
    assert (empty_folder / "there" / "interlock.sqlite").is_file()
    assert len([path for path in (empty_folder / "there" / "files").rglob("*") if path.is_file()]) == 1
    assert not (empty_folder / "interlock-data").exists()


def test_an_app_without_statements_says_so(run: Run, sqlite_url: str) -> None:
    refused = run("--app", "tests.acceptance.shop:workflows", "--database", sqlite_url, "statements", "list")
    assert (refused.exit_code, "ILK-103" in refused.stderr) == (3, True)


def test_what_is_listed_is_what_the_bundled_workflows_bring() -> None:
    assert {name for workflow in bundled for name in workflow.extension.commands} == set(NOUNS)
    assert all(plugins.bundled_noun(name).help == help for name, help in NOUNS.items())


def test_help_reads_nothing_of_the_bundled_workflows() -> None:
    looked = (
        "import sys\nfrom interlock.cli.program import interlock\ntry:\n    interlock.main(['--help'])\nexcept SystemExit:\n"
        "    print([name for name in sys.modules if name.startswith('interlock.workflows.') or name in ('fastapi', 'httpx')])\n"
    )
    told = subprocess.run([sys.executable, "-c", looked], capture_output=True, text=True, check=True)
    assert "statements" in told.stdout
    assert told.stdout.rstrip().endswith("[]")


def test_a_workflow_of_an_app_brings_its_own_commands(run: Run, empty_folder: Path) -> None:
    (empty_folder / "bringing.py").write_text(
        "import click\nfrom interlock import Extension\nfrom interlock.commands import Noun\n"
        "from tests.kinds import uploads\nworkflow = uploads()\n"
        "@click.group(cls=Noun, examples=('interlock counting now',))\ndef counting() -> None:\n    'Counts.'\n"
        "@counting.verb('now', 'interlock counting now')\ndef now() -> None:\n    'Count.'\n    click.echo('one')\n"
        "workflow.extension = Extension(commands={'counting': lambda: counting})\n"
    )
    assert run("--app", "bringing:workflow", "--database", "sqlite://", "counting", "now").stdout == "one\n"
    assert run("counting", "now").exit_code == 2
    assert "counting" in run("--app", "bringing:workflow", "--database", "sqlite://", "--help").stdout
    assert "counting" not in run("--help").stdout
    broken = run("--app", "nowhere:workflow", "--help")
    assert (broken.exit_code, "statements" in broken.stdout) == (0, True)


CARD = b"Orchard Card,,\n\nDate,Description,Amount (GBP)\n13/01/2024,Shop,20.00\n14/01/2024,Bar,25.00\n"


def test_a_file_is_fixed_parsed_again_and_erased(typed: Run, empty_folder: Path) -> None:
    (empty_folder / "card.csv").write_bytes(CARD)
    (row,) = rows(
        typed("import", str(empty_folder / "card.csv"), "--wait", "--account", "Joint", "-o", "json")
    )
    upload_id = str(row["upload_id"])
    ways = parsed(typed("fix", upload_id, "-o", "json"))
    assert parsed(typed("readings", upload_id, "-o", "json")) == ways
    assert {one["total"] for one in ways} == {"45.00", "-45.00"}
    shown = typed("fix", upload_id, "--signs", "turned")
    assert ("nothing was changed" in shown.stdout, "45.00 → -45.00" in shown.stdout) == (True, True)
    assert typed("fix", upload_id, "--signs", "turned", "--apply").exit_code == 2
    assert typed("fix", upload_id, "--signs", "turned", "--column", "Value").exit_code == 2
    done = parsed(
        typed(
            "fix", upload_id, "--signs", "turned", "--apply", "--reason", "charges are positive", "-o", "json"
        )
    )
    assert (done["applied"], done["parsed_again"]) == (True, [upload_id])
    again = rows(typed("import", str(empty_folder / "card.csv"), "--wait", "-o", "json"))
    assert (again[0]["outcome"], again[0]["status"]) == ("duplicate", "normalized")
    transactions = [json.loads(line) for line in typed("transactions", "-o", "jsonl").stdout.splitlines()]
    assert [(one["amount"], one["account"]) for one in transactions] == [
        ("-20.00", "Joint"),
        ("-25.00", "Joint"),
    ]
    assert "is normalized" in typed("reparse", upload_id, "--wait", "--reason", "newer parser").stdout
    assert "as soon as a runner is at work" in typed("reparse", upload_id, "--reason", "once more").stdout
    rows(typed("import", str(empty_folder / "card.csv"), "--wait", "-o", "json"))
    assert typed("erase", upload_id, "--reason", "asked by the customer").exit_code == 0
    assert typed("show", upload_id).exit_code != 0


TWO_COLUMNS = (
    b"Opening balance,,100.00\nClosing balance,,110.00\n\nDate,Description,Booked (GBP),Amount (GBP)\n"
    b"13/04/2024,Cafe,-4.00,-5.00\n14/04/2024,Pay,20.00,25.00\n15/04/2024,Shop,-6.00,-7.00\n"
)


def test_what_comes_out_by_another_column_is_seen_on_the_command_line_before_it_is_decided(
    typed: Run, empty_folder: Path
) -> None:
    (empty_folder / "two.csv").write_bytes(TWO_COLUMNS)
    (row,) = rows(typed("import", str(empty_folder / "two.csv"), "--wait", "-o", "json"))
    upload_id = str(row["upload_id"])
    assert row["reconciled"] == "no"
    offered = typed("readings", upload_id).output
    assert "--column 'amount=Booked (GBP)': 3 rows, sum 10.00, balances agree: yes" in offered
    shown = typed("fix", upload_id, "--column", "amount=Booked (GBP)").stdout
    for said in ("-4.00", "Cafe", "3 rows, balances agree: yes", "13.00 → 10.00", "nothing was changed"):
        assert said in shown, said
    refused = typed("fix", upload_id, "--column", "amount=Nope")
    assert (refused.exit_code != 0, "it has 'Date', 'Description'" in refused.output) == (True, True)
    untried = typed("fix", upload_id, "--column", "amount=Amount (GBP)", "--signs", "turned")
    assert "were not tried" in untried.stdout
    assert parsed(typed("show", upload_id, "-o", "json"))["version"] == 4
    done = typed(
        "fix", upload_id, "--column", "amount=Booked (GBP)", "--apply", "--wait", "--reason", "as booked"
    )
    assert f"{upload_id} is normalized, reconciled: yes" in done.stdout


def test_signs_are_confirmed_as_read_from_the_command_line(typed: Run, empty_folder: Path) -> None:
    (empty_folder / "card.csv").write_bytes(CARD)
    (row,) = rows(typed("import", str(empty_folder / "card.csv"), "--wait", "-o", "json"))
    upload_id = str(row["upload_id"])
    assert parsed(typed("show", upload_id, "-o", "json"))["warnings_count"] == 1
    shown = typed("fix", upload_id, "--signs", "as_read")
    assert ("nothing was changed" in shown.stdout, "45.00 → 45.00" in shown.stdout) == (True, True)
    done = typed(
        "fix", upload_id, "--signs", "as_read", "--apply", "--wait", "--reason", "all of it is money in"
    )
    assert f"{upload_id} is normalized, reconciled: unknown" in done.stdout
    transactions = [json.loads(line) for line in typed("transactions", "-o", "jsonl").stdout.splitlines()]
    assert [one["amount"] for one in transactions] == ["20.00", "25.00"]
    assert parsed(typed("show", upload_id, "-o", "json"))["warnings_count"] == 0


def test_signs_that_one_person_turned_are_not_turned_back_by_another_who_did_not_see_it(
    typed: Run, empty_folder: Path
) -> None:
    (empty_folder / "card.csv").write_bytes(CARD)
    (row,) = rows(typed("import", str(empty_folder / "card.csv"), "--wait", "-o", "json"))
    upload_id = str(row["upload_id"])
    decided = ("fix", upload_id, "--signs", "turned", "--apply", "--wait", "--reason")
    assert f"{upload_id} is normalized" in typed(*decided, "charges are positive").stdout

    def amounts() -> list[str]:
        lines = typed("transactions", "-o", "jsonl").stdout.splitlines()
        return [json.loads(line)["amount"] for line in lines]

    assert amounts() == ["-20.00", "-25.00"]
    refused = typed(*decided, "so are they, says the second")
    assert refused.exit_code != 0
    for words in ("charges are positive", "signs: turned", "would turn them back"):
        assert words in refused.stderr, words
    assert amounts() == ["-20.00", "-25.00"]
    shown = typed("fix", upload_id, "--signs", "turned")
    assert "replaces what" in shown.stdout
    assert "charges are positive" in shown.stdout
    version = str(parsed(typed("show", upload_id, "-o", "json"))["version"])
    assert f"--version {version}" in shown.stdout
    stale = typed(*decided, "at a version that is gone", "--version", "1")
    assert (stale.exit_code != 0, amounts()) == (True, ["-20.00", "-25.00"])
    back = typed(*decided, "they were right", "--version", version)
    assert (back.exit_code, amounts()) == (0, ["20.00", "25.00"])
    timeline = parsed(typed("show", upload_id, "-o", "json"))["timeline"]
    assert [one["reason"] for one in timeline if one["reason"]] == ["charges are positive", "they were right"]


@pytest.mark.parametrize("verb", ["reparse", "retry", "fix"])
def test_an_upload_that_waits_to_be_read_is_read_by_whoever_waits_for_it(
    run: Run, empty_folder: Path, verb: str
) -> None:
    (empty_folder / "card.csv").write_bytes(CARD)
    (row,) = rows(run("statements", "import", str(empty_folder / "card.csv"), "--wait", "-o", "json"))
    upload_id = str(row["upload_id"])
    fix = ("statements", "fix", upload_id, "--account", "Mine", "--apply", "--reason", "ours")
    assert "as soon as a runner is at work" in run(*fix).stdout
    for words in (("reparse", upload_id), ("retry", upload_id), fix[1:-2]):
        refused = run("statements", *words, "--reason", "once more")
        assert (refused.exit_code, f"reparse {upload_id} --wait" in refused.stderr) == (5, True), words
        assert "What failed" not in refused.stderr
    words = ("fix", upload_id, "--account", "Ours", "--apply") if verb == "fix" else (verb, upload_id)
    done = run("statements", *words, "--wait", "--reason", "get it done")
    assert f"{upload_id} is normalized" in done.stdout, done.stderr
    shown = parsed(run("statements", "show", upload_id, "-o", "json"))
    assert (shown["status"], shown["account"]) == ("normalized", "Ours" if verb == "fix" else "Mine")
    reasons = [one["reason"] for one in shown["timeline"] if one["reason"]]
    assert reasons == ["ours", *(["get it done"] if verb == "fix" else [])]


def test_an_import_deletes_files_that_a_process_which_was_killed_has_left(
    run: Run, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_folder / "card.csv").write_bytes(CARD)
    (empty_folder / "a.csv").write_bytes(CSV)
    (row,) = rows(run("statements", "import", str(empty_folder / "card.csv"), "-o", "json"))
    folder = next(empty_folder.rglob("interlock.sqlite")).parent / "files"

    def files() -> int:
        return sum(path.is_file() for path in folder.rglob("*"))

    with monkeypatch.context() as patched:
        patched.setattr(FileStore, "delete", lambda *_: 1 / 0)
        run("statements", "erase", str(row["upload_id"]), "--reason", "asked by the customer")
    assert files() == 1
    rows(run("statements", "import", str(empty_folder / "a.csv"), "-o", "json"))
    assert files() == 1, "that of the upload, and no other"


def test_rules_are_tried_before_they_are_used(typed: Run, empty_folder: Path) -> None:
    (empty_folder / "a.csv").write_bytes(CSV)
    typed("import", str(empty_folder / "a.csv"), "--wait")
    before = [json.loads(line) for line in typed("transactions", "-o", "jsonl").stdout.splitlines()]
    (empty_folder / "rules.toml").write_text(
        'name = "ours"\nversion = "1"\n[[merchant]]\nid = "links"\nname = "Link Shop"\ncategory = "shopping"\nregex = ["HYPERLINK"]\n',
        encoding="utf-8",
    )
    result = typed("rules", "test", str(empty_folder / "rules.toml"), "-o", "json")
    (change,) = [one for one in parsed(result) if "HYPERLINK" in str(one["description"])]
    assert (change["merchant"], change["category"], change["rows"]) == ("Link Shop", "shopping", 1)
    assert "2 transactions" in result.stderr
    after = [json.loads(line) for line in typed("transactions", "-o", "jsonl").stdout.splitlines()]
    assert after == before
    (empty_folder / "bad.toml").write_text("name = 1\n", encoding="utf-8")
    assert typed("rules", "test", str(empty_folder / "bad.toml")).exit_code != 0


def test_decisions_are_listed_and_forgotten_on_the_command_line(typed: Run, empty_folder: Path) -> None:
    (empty_folder / "card.csv").write_bytes(CARD)
    (row,) = rows(typed("import", str(empty_folder / "card.csv"), "--wait", "-o", "json"))
    upload_id = str(row["upload_id"])
    assert "nobody decided anything" in typed("decisions").output
    decided = ("--account", "Orchard", "--account-type", "credit_card")
    shown = typed("fix", upload_id, *decided).stdout
    for words in ("account (none) → Orchard", "account type (none) → credit_card", "nothing was changed"):
        assert words in shown, words
    done = typed("fix", upload_id, *decided, "--apply", "--wait", "--reason", "it is a card")
    assert "is normalized" in done.stdout
    assert "Liabilities:Orchard" in typed("export", "--format", "ledger").stdout
    (kept,) = rows(typed("decisions", "-o", "json"))
    assert kept["decision"] == {"account": "Orchard", "account_type": "credit_card"}
    assert str(kept["key"])[:12] in typed("decisions").stdout
    assert typed("forget", str(kept["key"])[:12]).exit_code == 2, "it needs a reason"
    gone = typed("forget", str(kept["key"])[:12], "--reason", "another bank's")
    assert (gone.exit_code, f"was read by it: {upload_id} card.csv" in gone.stdout) == (0, True)
    assert rows(typed("decisions", "-o", "json")) == []
    assert typed("forget", str(kept["key"])[:12], "--reason", "again").exit_code == 3
