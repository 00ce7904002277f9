"""Files that cannot be read say why; rows that cannot be read do not take the others with them."""

from __future__ import annotations

import io
import random

import pytest
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from interlock.workflows.statements.parsed import ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.parsers import BankOfAmerica, BankOfAmericaCard, GenericPdf
from tests.statements.pdf.layouts import boa as boa_layouts
from tests.statements.pdf.layouts.boa import DATE, MONEY, TEXT, checking, entry, head, summary, title
from tests.statements.pdf.layouts.sheets import Sheet, Style

PARSERS = (BankOfAmerica(), BankOfAmericaCard(), GenericPdf())


def code_of(content: bytes) -> str:
    with pytest.raises(ParseFault) as fault:
        GenericPdf().parse(Document("s.pdf", content))
    return fault.value.code


def text_page(*lines: str, picture: bool = False) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    if picture:
        from PIL import Image

        canvas.drawImage(ImageReader(Image.new("RGB", (8, 8), "gray")), 0, 0, 595, 842)
    for number, line in enumerate(lines):
        canvas.drawString(60, 700 - 20 * number, line)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


@pytest.mark.parametrize("part", [0.05, 0.3, 0.6, 0.95, 0.999])
def test_a_file_that_was_cut_off_is_corrupt_and_never_half_a_statement(part: float) -> None:
    whole = checking().pdf()
    assert code_of(whole[: int(len(whole) * part)]) == "PDF_CORRUPT"


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.4",
        b"%PDF-1.7\nnothing of a kind\n%%EOF",
        b"%PDF-1.4\n" + bytes(5000),
        b"%PDF-1.4 %%EOF" + random.Random(3).randbytes(9000),
    ],
)
def test_garbage_with_a_pdf_header_is_corrupt(content: bytes) -> None:
    assert code_of(content) == "PDF_CORRUPT"


NO_PAGES = b"""%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [] /Count 0 >>
endobj
trailer
<< /Size 3 /Root 1 0 R >>
%%EOF
"""


def test_a_pdf_without_pages_is_called_so() -> None:
    with pytest.raises(ParseFault, match="PDF_CORRUPT: the PDF has no pages"):
        GenericPdf().parse(Document("s.pdf", NO_PAGES))


def test_a_password_that_is_needed_is_said() -> None:
    assert code_of(checking().pdf(Style(password="secret"))) == "PDF_ENCRYPTED"


def test_a_scan_has_no_text_layer_and_never_zero_rows() -> None:
    assert code_of(text_page(picture=True)) == "NO_TEXT_LAYER"


def test_a_scan_with_a_stamp_on_it_has_no_text_layer() -> None:
    assert (
        code_of(text_page("Scanned with a pocket scanner on 01/02/2024", "Page 1", picture=True))
        == "NO_TEXT_LAYER"
    )


def test_an_empty_page_has_no_text_layer() -> None:
    assert code_of(text_page()) == "NO_TEXT_LAYER"


def test_a_letter_is_a_layout_that_nobody_knows() -> None:
    assert (
        code_of(
            text_page(
                "Dear customer,",
                "on 01/05/2024 we changed our terms; the fee is now 5.00 a month.",
                "Sincerely, your bank",
            )
        )
        == "LAYOUT_MISMATCH"
    )


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.4",
        b"",
        b"Date,Amount\n1,2",
        checking().pdf(Style(password="secret")),
        text_page(),
        text_page(picture=True),
    ],
)
def test_confidence_never_raises(content: bytes) -> None:
    for parser in PARSERS:
        assert 0.0 <= parser.confidence(Document("s.pdf", content)) <= 1.0


@pytest.mark.parametrize(
    ("sheet", "surest"), [(checking(), 0), (boa_layouts.combined(), 0), (boa_layouts.card(), 1)]
)
def test_the_surest_parser_is_the_right_one(sheet: Sheet, surest: int) -> None:
    document = Document("s.pdf", sheet.pdf())
    sure = [parser.confidence(document) for parser in PARSERS]
    assert sure.index(max(sure)) == surest


def small(rows: list[tuple[str, str, str]], beginning: str, ending: str, total: str = "-$0.00") -> bytes:
    sheet = Sheet()
    sheet.row((DATE, "Bank of America"), step=20)
    summary(
        sheet,
        "0012 3456 7890",
        ("January 1, 2024", "January 31, 2024"),
        [("Beginning balance on January 1, 2024", beginning), ("Ending balance on January 31, 2024", ending)],
    )
    title(sheet, "Withdrawals and other subtractions")
    head(sheet)
    for date, text, amount in rows:
        entry(sheet, date, amount, text)
    sheet.row((DATE, "Total withdrawals and other subtractions"), (MONEY, total, "right"))
    sheet.row((TEXT, "Thank you for banking with us"))
    return sheet.pdf()


def test_a_statement_without_transactions_is_zero_rows_and_a_warning() -> None:
    parsed = BankOfAmerica().parse(Document("s.pdf", small([], "$5.00", "$5.00")))
    assert parsed.rows == []
    assert [remark.message for remark in parsed.warnings] == ["the statement lists no transactions"]
    assert parsed.rows_skipped == 3


def test_an_amount_that_cannot_be_read_is_an_error_of_its_row_alone() -> None:
    parsed = BankOfAmerica().parse(
        Document(
            "s.pdf",
            small(
                [
                    ("01/02/24", "GOOD", "-1.00"),
                    ("01/03/24", "BAD INK", "-1,2x4.56"),
                    ("01/04/24", "GOOD TOO", "-2.00"),
                ],
                "$5.00",
                "$2.00",
            ),
        )
    )
    assert [row.description for row in parsed.rows] == ["GOOD", "GOOD TOO"]
    assert [row.row_id for row in parsed.rows] == [0, 1]
    assert [error.error_code for error in parsed.errors] == ["AMOUNT_UNPARSABLE"]
    assert "BAD INK" in parsed.errors[0].message


@pytest.mark.parametrize("date", ["02/30/24", "13/45/24", "O1/05/24", "1?/05/24"])
def test_a_date_that_cannot_be_read_is_an_error_of_its_row_alone(date: str) -> None:
    parsed = BankOfAmerica().parse(
        Document(
            "s.pdf",
            small(
                [
                    ("01/02/24", "GOOD", "-1.00"),
                    (date, "BAD DAY", "-7.00"),
                    ("01/04/24", "GOOD TOO", "-2.00"),
                ],
                "$5.00",
                "$2.00",
            ),
        )
    )
    assert [row.description for row in parsed.rows] == ["GOOD", "GOOD TOO"]
    assert [error.error_code for error in parsed.errors] == ["DATE_UNPARSABLE"]


def test_balances_that_do_not_agree_are_said_with_their_figures() -> None:
    parsed = BankOfAmerica().parse(
        Document("s.pdf", small([("01/02/24", "RENT", "-40.00")], "$100.00", "$70.00", "-$40.00"))
    )
    assert len(parsed.rows) == 1
    assert len(parsed.warnings) == 1
    assert all(figure in parsed.warnings[0].message for figure in ("100.00", "-40.00", "60.00", "70.00"))


@pytest.mark.parametrize("minus", ["{}-", "({})", "−{}", "-${}", "$-{}", "- {}"])
def test_a_minus_is_a_minus_however_it_is_printed(minus: str) -> None:
    style = Style(font="Vera", scale=0.85) if "−" in minus else Style()
    parsed = BankOfAmerica().parse(Document("s.pdf", checking(minus).pdf(style)))
    assert parsed.warnings == []
    assert [balance.agrees for balance in parsed.balances] == [True]


def test_withdrawals_printed_without_a_minus_are_money_out() -> None:
    rows = [("01/02/24", "RENT", "40.00"), ("01/03/24", "FOOD", "10.50")]
    parsed = BankOfAmerica().parse(Document("s.pdf", small(rows, "$100.00", "$49.50")))
    assert [(row.amount, row.sign) for row in parsed.rows] == [("40.00", -1), ("10.50", -1)]
    assert parsed.warnings == []


def test_a_page_that_is_a_picture_among_pages_of_text_is_said() -> None:
    from PIL import Image

    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for x, text in ((60, "Date"), (150, "Description"), (450, "Amount")):
        canvas.drawString(x, 700, text)
    for x, text in ((60, "01/05/2024"), (150, "TEA"), (450, "-4.00")):
        canvas.drawString(x, 680, text)
    canvas.showPage()
    canvas.drawImage(ImageReader(Image.new("RGB", (8, 8), "gray")), 0, 0, 595, 842)
    canvas.showPage()
    canvas.save()
    parsed = GenericPdf().parse(Document("s.pdf", buffer.getvalue()))
    assert [row.description for row in parsed.rows] == ["TEA"]
    assert [remark.message for remark in parsed.warnings] == ["pages without text were not read: 2"]
