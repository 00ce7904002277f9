"""`interlock statements`: what people type, against a database and against a service, with the same answers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from interlock.cli import plugins
from interlock.workflows import NOUNS, bundled
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
    found = {str(row["file"]).rpartition("/")[2]: row for row in rows(result)}
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
    assert "were not tried" in typed("fix", upload_id, "--column", "amount=Nope").stdout
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
