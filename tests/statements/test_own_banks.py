"""A team's own banks come from a folder, a file or an installed module; what is broken is refused at the start, with its place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from interlock.errors import BadInput
from interlock.workflows.statements.own_banks import load_banks, parsers_of
from interlock.workflows.statements.parsed import ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers
from interlock.workflows.statements.rules import builtin_rules
from interlock.workflows.statements.workflow import declare

MAPPING = """
[[csv]]
source_type = "seaside_csv"
date = "Tag"
description = ["Wer"]
amount = "Betrag"
dates = ["dd.mm.yyyy"]
decimal = ","
delimiter = ";"
currency = "CHF"
"""
RULES = """
name = "harbour"
version = "1"

[[merchant]]
id = "the-pier"
name = "The Pier"
category = "groceries"
exact = ["PIER 7"]
"""
CODE = """
from interlock.workflows.statements.parsers.csv.mapping import CsvMapping, Leg

MAPPINGS = (CsvMapping("inland_csv", layout="account", header=("When", "What", "How much"), date="When", description=("What",),
                       legs=(Leg("How much"),), dates=("ymd",)),)
"""
PARSER = """
from interlock.workflows.statements.parsed import ObservedRow, Parsed


class Lines:
    parser_id, version, source_type = "lines", "1.0.0", "lines"

    def confidence(self, document):
        return 1.0 if document.content.startswith(b"LINES") else 0.0

    def parse(self, document):
        found = Parsed(self.parser_id, self.version, self.source_type, "text/plain")
        for number, line in enumerate(document.content.decode().splitlines()[1:]):
            date, amount, text = line.split(" ", 2)
            found.rows.append(ObservedRow(number, date, text, amount))
        return found


PARSERS = [Lines]
"""
SEASIDE = b"Tag;Wer;Betrag\n03.02.2024;PIER 7;-12,50\n"
INLAND = b"When,What,How much\n2024-02-03,Mill,-1.00\n"
LINES = b"LINES\n2024-02-03 -7.00 Three words here\n"


def written(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_brings_mappings_parsers_and_rules(tmp_path: Path) -> None:
    folder = written(
        tmp_path / "banks",
        seaside_toml=MAPPING,
        inland_py=CODE,
        lines_py=PARSER,
        rules_toml=RULES,
        _notes_py="1/0",
    )
    parsers, rules = parsers_of(declare(banks=folder)), load_banks(folder).rules
    assert {"seaside_csv", "inland_csv", "lines"} <= set(parsers.source_types())
    assert [
        parsers.detect(Document("a.csv", content)).source_type for content in (SEASIDE, INLAND, LINES)
    ] == ["seaside_csv", "inland_csv", "lines"]
    assert rules.version == f"{builtin_rules().version}+harbour.1"
    assert any(one.id == "the-pier" for one in rules.merchants)


def test_banks_belong_to_one_workflow_and_not_to_the_process(tmp_path: Path) -> None:
    with_banks = declare(banks=written(tmp_path / "banks", seaside_toml=MAPPING))
    assert "seaside_csv" in parsers_of(with_banks).source_types()
    assert "seaside_csv" not in parsers_of(declare()).source_types()
    assert "seaside_csv" not in bundled_parsers().source_types()


def test_several_files_of_rules_lie_over_each_other_in_the_order_of_their_names(tmp_path: Path) -> None:
    second = RULES.replace('"harbour"', '"hills"').replace("The Pier", "Pier the Second")
    rules = load_banks(written(tmp_path / "banks", a_toml=RULES, b_toml=second)).rules
    assert rules.version.endswith("+harbour.1+hills.1")
    assert [one.name for one in rules.merchants if one.id == "the-pier"] == ["Pier the Second"]


@pytest.mark.parametrize(("name", "text"), [("one.toml", MAPPING), ("one.py", CODE), ("one.py", PARSER)])
def test_one_file_is_enough(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(load_banks(tmp_path / name).parsers) == 1


def test_an_installed_package_brings_its_modules_and_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(
        tmp_path / "ourbanks_whole",
        __init___py='"""Ours."""',
        inland_py=CODE,
        lines_py=PARSER,
        seaside_toml=MAPPING,
        rules_toml=RULES,
    )
    monkeypatch.syspath_prepend(tmp_path)
    banks = load_banks("ourbanks_whole")
    assert set(banks.parsers) == {"seaside_csv", "inland_csv", "lines"}
    assert banks.rules.version.endswith("+harbour.1")


BROKEN: dict[str, tuple[dict[str, str], str]] = {
    "nothing in it": ({}, "has neither a .toml nor a .py file"),
    "a key that is none": (
        {"x_toml": MAPPING.replace("decimal", "decimals")},
        r"x\.toml: \[\[csv\]\] number 1: 'decimals' is not a key",
    ),
    "no TOML": ({"x_toml": "[[csv"}, r"x\.toml: cannot be read"),
    "a table misspelled": (
        {"x_toml": MAPPING.replace("[[csv]]", "[[cvs]]")},
        r"x\.toml: cvs: is not known here",
    ),
    "rules beside tables": (
        {"x_toml": MAPPING + '[options]\nlarge_amount = "1"\n'},
        r"x\.toml: options: not known beside",
    ),
    "rules that are none": (
        {"x_toml": RULES.replace("exact", "exactly")},
        r"x\.toml: merchant\.the-pier\.exactly: is not known",
    ),
    "code that fails": (
        {"x_py": "import nothing_of_this_name"},
        r"x\.py: importing it failed: ModuleNotFoundError",
    ),
    "a mapping in code that is wrong": (
        {"x_py": CODE.replace('("ymd",)', '("when?",)')},
        r"x\.py: mapping 'inland_csv'.*dates",
    ),
    "code without a bank": ({"x_py": "PARSER = 1"}, r"x\.py: has neither MAPPINGS nor PARSERS"),
    "no list": ({"x_py": "PARSERS = 1"}, r"x\.py: PARSERS must be a list, not int"),
    "no mapping": ({"x_py": "MAPPINGS = [1]"}, r"x\.py: MAPPINGS holds int"),
    "no parser": ({"x_py": "PARSERS = [object]"}, r"object\.parser_id must be a text"),
    "half a parser": ({"x_py": PARSER.replace("def parse(", "def pars(")}, r"Lines lacks parse"),
    "a parser of everything": (
        {"x_py": PARSER.replace('"1.0.0", "lines"', '"1.0.0", "auto"')},
        r"and not 'auto'",
    ),
    "a parser that cannot be made": (
        {"x_py": PARSER.replace("    parser_id", "    def __init__(self, x): ...\n    parser_id")},
        r"Lines cannot be made: TypeError",
    ),
    "two of one name": ({"x_toml": MAPPING, "y_toml": MAPPING}, r"y\.toml: 'seaside_csv' is also in x\.toml"),
    "a version without end": ({"x_toml": RULES.replace('"1"', f'"{"1" * 150}"')}, "more than 128 characters"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_is_refused_with_its_place_and_nothing_of_it_counts(tmp_path: Path, case: str) -> None:
    files, why = BROKEN[case]
    known = bundled_parsers().source_types()
    with pytest.raises(BadInput, match=why) as error:
        declare(
            banks=written(tmp_path / "banks", a_toml=MAPPING.replace("seaside", "good"), **files)
            if files
            else written(tmp_path / "banks")
        )
    assert str(tmp_path) not in error.value.message or not files
    assert bundled_parsers().source_types() == known


@pytest.mark.parametrize("named", ["no/such/folder", "no_such_module_here", "no such.thing"])
def test_what_is_not_there_is_said(named: str) -> None:
    with pytest.raises(BadInput, match="there is no such folder"):
        load_banks(named)


def test_a_parser_that_cannot_say_whether_a_file_is_its_own_is_passed_over(tmp_path: Path) -> None:
    folder = written(tmp_path / "banks", x_py=PARSER.replace("return 1.0 if", "raise KeyError(1)  #"))
    parsers = parsers_of(declare(banks=folder))
    assert (
        parsers.detect(Document("a.csv", b"Date,Description,Amount\n01/02/2024,x,1.00\n")).source_type
        == "csv"
    )
    with pytest.raises(ParseFault, match="LAYOUT_MISMATCH"):
        parsers.detect(Document("a.txt", b"LINES\n"))


def run(folder: Path, *words: str, **variables: str) -> Any:
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("INTERLOCK_")
    } | variables
    done = subprocess.run(
        [sys.executable, "-m", "interlock", *words],
        cwd=folder,
        env={**environment, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("way", ["variable", "file"])
def test_a_bank_of_ones_own_goes_through_the_installed_program(tmp_path: Path, way: str) -> None:
    """Settings name a package and nothing else is written: the file is recognised, read and normalized by it."""
    written(tmp_path / "lib" / "ourbanks_cli", __init___py="", seaside_toml=MAPPING, rules_toml=RULES)
    (tmp_path / "january.csv").write_bytes(SEASIDE)
    if way == "file":
        (tmp_path / "interlock.toml").write_text('banks = "ourbanks_cli"\n', encoding="utf-8")
    named = {"INTERLOCK_BANKS": "ourbanks_cli"} if way == "variable" else {}
    paths = os.pathsep.join([str(tmp_path / "lib"), os.environ.get("PYTHONPATH", "")])
    code, out, errors = run(
        tmp_path, "statements", "import", "january.csv", "--wait", "-o", "json", PYTHONPATH=paths, **named
    )
    assert code == 0, errors
    assert json.loads(out)[0]["status"] == "normalized"
    code, out, errors = run(tmp_path, "statements", "transactions", "-o", "json", PYTHONPATH=paths, **named)
    (row,) = json.loads(out)
    assert (row["amount"], row["currency"], row["merchant"], row["date"]) == (
        "-12.50",
        "CHF",
        "The Pier",
        "2024-02-03",
    ), errors


def test_a_broken_bank_stops_the_program_with_its_place(tmp_path: Path) -> None:
    written(tmp_path / "banks", seaside_toml=MAPPING.replace("decimal", "decimals"))
    code, _, errors = run(tmp_path, "statements", "list", INTERLOCK_BANKS="banks")
    assert code == 2
    assert "seaside.toml: [[csv]] number 1: 'decimals' is not a key" in errors
    assert "Traceback" not in errors
