"""`auto` finds the surest parser; a file that nobody knows is refused with what it is and what was tried."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from interlock.workflows.statements.parsed import Parsed, ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.media import media_problem
from interlock.workflows.statements.parsers.registry import bundled_parsers

from ..reading import read


@dataclass(frozen=True)
class Surest:
    parser_id: str = "surest"
    version: str = "1.0.0"
    source_type: str = "surest"

    def confidence(self, document: Document) -> float:
        return 1.0 if document.content.startswith(b"MINE") else 0.0

    def parse(self, document: Document) -> Parsed:
        return Parsed(self.parser_id, self.version, self.source_type, "text/plain")


def test_a_parser_of_ones_own_is_one_class_and_changes_nothing_for_others() -> None:
    own = bundled_parsers().with_own([Surest()])
    assert own.parser_for("surest").parser_id == "surest"
    assert own.detect(Document("a.txt", b"MINE Date,Amount")).parser_id == "surest"
    assert read("MINE", parsers=own).source_type == "surest"
    assert "surest" not in bundled_parsers().source_types()
    with pytest.raises(AttributeError):
        own.by_type.update(other=Surest())  # type: ignore[attr-defined]


def test_auto_is_allowed_first_and_is_no_parser() -> None:
    assert bundled_parsers().source_types()[0] == "auto"
    assert {"bofa_csv", "chase_csv", "csv", "ofx", "wise_csv"} <= set(bundled_parsers().source_types())
    with pytest.raises(ValueError, match="asks all of them"):
        bundled_parsers().with_own([Surest(source_type="auto")])


def test_a_source_type_that_does_not_exist_names_those_that_do() -> None:
    with pytest.raises(LookupError, match=r"no parser for 'nobank'; there are auto, amex_csv"):
        bundled_parsers().parser_for("nobank")
    with pytest.raises(ParseFault, match="LAYOUT_MISMATCH: no parser for 'nobank'"):
        read("x", "nobank")


@pytest.mark.parametrize("content", [b"", b"\n\n  \r\n", b"\xef\xbb\xbf", b"\x00" * 500])
def test_an_empty_file_is_an_empty_file(content: bytes) -> None:
    for source_type in bundled_parsers().source_types():
        with pytest.raises(ParseFault) as refused:
            read(content, source_type)
        assert refused.value.code == "EMPTY_FILE"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"PK\x03\x04" + bytes(range(256)) * 4, "a zip archive"),
        (b'{"rows": []}', "a JSON file"),
        (b"<!DOCTYPE html><html><body>Please sign in, again</body></html>", "a web page"),
        (b":20:STARTUMSE\n:25:10020030/1234567\n:28C:00001/001\n", "an MT940 file"),
        (
            b'<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"/>',
            "an XML file",
        ),
        (b"Dear customer,\nplease find nothing attached.\n", "text without a table"),
        (bytes(range(256)) * 20, "not text"),
    ],
)
def test_a_file_that_nobody_knows_is_refused_with_what_it_is(content: bytes, what: str) -> None:
    with pytest.raises(ParseFault) as refused:
        read(content)
    assert refused.value.code == "LAYOUT_MISMATCH"
    assert what in refused.value.message
    assert refused.value.message.endswith("Looked at as CAMT, MT940, OFX, QIF, a PDF, a table (CSV)")


def test_a_file_named_as_another_banks_says_what_was_expected_and_found() -> None:
    with pytest.raises(ParseFault) as refused:
        read("Date,Description,Amount\n01/02/2024,A,-1.00\n", "chase_csv")
    assert refused.value.code == "LAYOUT_MISMATCH"
    assert "Details, Posting Date" in refused.value.message
    assert "'Date, Description, Amount'" in refused.value.message


@pytest.mark.parametrize(
    ("name", "head", "problem"),
    [
        ("a.pdf", b"%PDF-1.7\n", None),
        ("a.pdf", b"junk\n%PDF-1.4", None),
        ("a.pdf", b"PK\x03\x04", "pdf"),
        ("a.pdf", b"Date,Amount\n", "pdf"),
        ("a.csv", b"Date,Amount\n", None),
        ("a.CSV", "Däte;Bétrag\n".encode("cp1252"), None),
        ("a.csv", "Date,Amount\n".encode("utf-16"), None),
        ("a.csv", b"", None),
        ("a.pdf", b"GIF89a;%PDF-1.7\n", "pdf"),
        ("a.pdf", b"\xff\xd8\xff\xe0 %PDF-1.7\n", "pdf"),
        ("a.pdf", b"PK\x03\x04 %PDF-1.7\n", "pdf"),
        ("a.pdf", b"\n%PDF-1.7\n", None),
        ("a.csv", b"%PDF-1.7\n", "csv"),
        ("a.csv", b"PK\x03\x04aaaa", "csv"),
        ("a.csv", b"\x1f\x8b\x08\x00", "csv"),
        ("a.csv", bytes(range(256)), "csv"),
        ("a.csv", b"OFXHEADER:100\n<OFX>", None),
        ("a.txt", b"Date\tAmount\n", None),
        ("a.xls", b"Txn Date\tDebit\tCredit\n", None),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "csv"),
        ("a.ofx", b"OFXHEADER:100\n\n<OFX>", None),
        ("a.QFX", b"\n\n<?xml version='1.0'?><?OFX OFXHEADER='200'?><OFX>", None),
        ("a.qfx", b"Date,Amount\n", "ofx, qfx"),
        ("a.ofx", b"%PDF-1.7\n", "ofx, qfx"),
        ("a.exe", b"MZ", "pdf, csv, ofx, qfx, qif, xml, sta"),
        ("noname", b"Date,Amount\n", "pdf, csv, ofx, qfx, qif, xml, sta"),
        ("a.xlsx", b"PK\x03\x04", "pdf, csv, ofx, qfx, qif, xml, sta"),
        ("../../etc/passwd", b"root:x:0", "pdf, csv, ofx, qfx, qif, xml, sta"),
    ],
)
def test_name_and_first_bytes_must_agree(name: str, head: bytes, problem: str | None) -> None:
    assert media_problem(name, head) == problem


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_a_long_file_is_recognised_wherever_its_first_part_is_cut(encoding: str) -> None:
    header = "Datum;Empfänger;Verwendungszweck;Betrag (EUR)\n"
    for padding in range(3):
        text = header + "".join(f"13.02.2024;ü{'x' * padding};ääääääää;-1,00\n" for _ in range(3_000))
        assert len(read(text.encode(encoding)).rows) == 3_000
