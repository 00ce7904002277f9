"""Any bytes at all are read or refused with a code, always the same way; nothing else comes out of a parser."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from interlock.workflows.statements.parsed import Parsed, ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers

from ..csv.exports import EXPORTS
from ..ofx.files import bank, card, sgml, transaction

OFX = sgml(
    bank(transaction("-42.50", "F1"), transaction("12.00", "F2", kind="CREDIT")),
    card(transaction("-1.00", "F3")),
)
SEEDS = [export.text.encode() for export in EXPORTS.values()] + [OFX.encode(), OFX.encode("utf-16")]
TYPES = [name for name in bundled_parsers().source_types() if "pdf" not in name]
CODES = {"EMPTY_FILE", "LAYOUT_MISMATCH", "OFX_ERROR", "XML_ENTITIES"}


def outcome(content: bytes, source_type: str) -> Parsed | str:
    try:
        return bundled_parsers().parse(Document("a.csv", content), source_type)
    except ParseFault as refused:
        return refused.code


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """An export with a few pieces cut out, doubled, overwritten or put in from elsewhere."""
    content = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        at, length = draw(st.integers(0, len(content))), draw(st.integers(0, 40))
        piece = draw(
            st.sampled_from(
                [
                    b"",
                    b'"',
                    b",",
                    b"\n",
                    b"\x00",
                    b"\xff\xfe",
                    b"<",
                    b"<STMTTRN>",
                    b"&",
                    b";;;;",
                    content[at : at + 60],
                ]
            )
            | st.binary(max_size=12)
        )
        content = content[:at] + piece + content[at + length :]
    return content


def check(content: bytes, source_type: str) -> None:
    first, second = outcome(content, source_type), outcome(content, source_type)
    assert first == second
    if isinstance(first, str):
        five_bytes_make_it_one = Document("a.csv", content).is_pdf
        assert first in CODES | ({"PDF_CORRUPT"} if five_bytes_make_it_one else set())
    else:
        ids = [row.row_id for row in first.rows] + [
            error.row_id for error in first.errors if error.row_id is not None
        ]
        assert len(ids) == len(set(ids))
        assert all(row.date and row.amount for row in first.rows)


@settings(max_examples=300, deadline=None)
@example(content=b"%PDF-" + SEEDS[0], source_type="auto")
@given(content=damaged(), source_type=st.sampled_from(["auto", "auto", "csv", "ofx", *TYPES]))
def test_damaged_files_are_read_or_refused(content: bytes, source_type: str) -> None:
    check(content, source_type)


@settings(max_examples=200, deadline=None)
@given(
    content=st.binary(max_size=400)
    | st.text(max_size=400).map(str.encode)
    | st.text('0123456789/.,;-"\n\t |$abDate', max_size=400).map(str.encode),
    source_type=st.sampled_from(TYPES),
)
@example(b"Date,Amount\n,", "csv")
@example(b"\xff\xfeD\x00", "auto")
def test_random_bytes_are_read_or_refused(content: bytes, source_type: str) -> None:
    check(content, source_type)


@pytest.mark.parametrize(
    "content",
    [
        b"a" * 3_000_000,
        b"a," * 1_500_000,
        b'"' * 3_000_000,
        b'"a\n' * 800_000,
        b"1/2/2024,a,1.00\n" * 1_000 + b"x" * 3_000_000,
        b"Date,Description,Amount\n" + b'"' * 3_000_000,
        b"Date,Description,Amount\n" + b'01/02/2024,"' * 200_000,
    ],
    ids=[
        "one line",
        "one row",
        "quotes",
        "open quotes",
        "long last line",
        "table and quotes",
        "rows never closed",
    ],
)
def test_endless_lines_and_quotes_are_refused_soon(content: bytes) -> None:
    assert outcome(content, "auto") == "LAYOUT_MISMATCH"
    assert outcome(content, "csv") == "LAYOUT_MISMATCH"
