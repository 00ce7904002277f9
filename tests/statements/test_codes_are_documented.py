"""Every code that an upload or a row can end with is on the reference page, with what it means and what a person does about it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "interlock" / "workflows" / "statements"
PAGE = ROOT / "docs" / "reference" / "statements.md"
SAID = re.compile(
    r'(?:ParseFault|RowError|RowRefused|DateRefused|Bad|Failed|_fault)\(\s*"([A-Za-z_]+)"(?: if [^,]+ else "([A-Za-z_]+)")?'
)
RETURNED = re.compile(r'return "([A-Z]{3,}_[A-Z_]+)"')
OF_THE_ENGINE = {"CRASHED", "DEADLINE", "LEASE_EXPIRED", "RESULT_TOO_LARGE", "BAD_OUTCOME"}


def codes() -> set[str]:
    found = set(OF_THE_ENGINE)
    for file in SOURCE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        found |= {code for said in SAID.findall(text) for code in said if code} | set(RETURNED.findall(text))
    return found


def test_every_code_is_documented_with_its_meaning_and_what_to_do() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    cells = {
        code: [cell.strip() for cell in line.strip("|").split("|")]
        for line in rows
        for code in re.findall(r"`([A-Za-z_]+)`", line.split("|")[1])
    }
    found = codes()
    assert {
        "PDF_CORRUPT",
        "PDF_ENCRYPTED",
        "LAYOUT_MISMATCH",
        "TIMEOUT",
        "PARTIAL_PARSE",
        "NO_TEXT_LAYER",
        "AMOUNT_UNPARSABLE",
        "normalization_failed",
    } <= found
    assert found - set(cells) == set()
    assert [code for code in found if len(cells[code]) < 3 or not all(cells[code])] == []
