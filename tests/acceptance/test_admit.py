"""`interlock record admit`: records from values or from a file, on a database and on a service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock import App
from tests.acceptance.conftest import Run, from_afar, parsed


@pytest.fixture
def remote(app: App, run: Run) -> Iterator[Run]:
    with from_afar(run, app, "operator", "olga") as asked:
        yield asked


def test_one_record_is_made_of_what_is_typed_and_is_there_the_second_time(way: Run, app: App) -> None:
    line = (
        "record",
        "admit",
        "domains",
        "id=7",
        "host=seven.example",
        "curation_status=Selected",
        "--reason",
        "by phone",
        "-o",
        "json",
    )
    (made,) = parsed(way(*line))
    assert made == {
        "id": 7,
        "outcome": "admitted",
        "to": "Selected",
        "version": 1,
        "code": None,
        "problem": None,
    }
    assert parsed(way(*line))[0]["outcome"] == "exists"
    first = app.ledger.history("domains", 7, axis="curation_status")[0]
    assert (first.reason, first.cause) == ("by phone", "domain.created")


def test_what_cannot_be_a_record_is_refused_with_its_code(way: Run, app: App) -> None:
    for words, code in (
        (("host=8", "id=1"), "ILK-102"),
        (("hots=x",), "ILK-102"),
        (("curation_status=Lost",), "ILK-203"),
    ):
        refused = way("record", "admit", "domains", *words)
        assert f"error[{code}]" in refused.stderr, refused.stderr
        assert refused.exit_code != 0
    assert way("record", "admit", "nothing", "id=1").exit_code == 3
    assert app.counts("domains") == {}


def test_a_file_of_rows_is_answered_row_by_row(way: Run, app: App, tmp_path: Path) -> None:
    rows = [{"id": "u1", "file_hash": "a"}, {"id": "u2", "file_hash": 2}, {"id": "u3", "file_hash": "a"}]
    file = tmp_path / "rows.jsonl"
    file.write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")
    told = way("record", "admit", "statements", "--rows", str(file), "-o", "json")
    assert (
        told.exit_code,
        [(one["id"], one["outcome"], one["code"]) for one in json.loads(told.stdout)],
    ) == (7, [("u1", "admitted", None), ("u2", "refused", "ILK-102"), ("u1", "exists", None)])
    piped = way(
        "record", "admit", "statements", "--rows", "-", input=json.dumps({"id": "u4", "file_hash": "d"})
    )
    assert (piped.exit_code, "admitted" in piped.stdout) == (0, True)
    assert app.get("statements", "u4")["file_hash"] == "d"


def test_a_key_makes_it_once(way: Run, app: App) -> None:
    line = ("record", "admit", "domains", "host=once.example", "--key", "k", "-o", "json")
    assert parsed(way(*line)) == parsed(way(*line))
    assert sum(app.counts("domains").values()) == 2, "one record on two axes"


@pytest.mark.sqlite_only
def test_a_kind_with_a_way_in_of_its_own_is_not_fed_rows(run: Run, sqlite_url: str) -> None:
    flags = ("--app", "interlock.workflows:bundled", "--database", sqlite_url)
    assert run(*flags, "db", "upgrade").exit_code == 0
    refused = run(*flags, "record", "admit", "statements", "upload_id=UL_1")
    assert (refused.exit_code, "POST /api/v1/uploads" in refused.stderr) == (2, True)


@pytest.mark.sqlite_only
def test_lines_that_are_no_rows_are_named(shop_run: Run, app: App) -> None:
    for text in ("{", "[1]"):
        refused = shop_run("record", "admit", "statements", "--rows", "-", input=text)
        assert (refused.exit_code, "line 1" in refused.stderr) == (2, True)
    assert shop_run("record", "admit", "statements", "id=1", "--rows", "-", input="{}").exit_code == 2
    assert shop_run("record", "admit", "statements", "--rows", "-", input="").stdout == "no rows\n"
