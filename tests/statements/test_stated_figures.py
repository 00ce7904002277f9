"""Numbers of rows and totals that a file states are held against its rows: where no balance speaks, they show one that is missing or
read twice, and a file that is whole is not doubted for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import accumulate

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers
from interlock.workflows.statements.parsers.stated_figures import disagreements, figures_in
from tests.statements.pdf.layouts.sheets import Sheet

Row = tuple[int, str, Decimal]
ROWS: tuple[Row, ...] = (
    (2, "CORNER GROCER 412", Decimal("-41.17")),
    (5, "ORCHARD LABS PAYROLL", Decimal("2150.00")),
    (9, "CITY TRAM 2041", Decimal("-12.80")),
    (14, "BOOK STORE", Decimal("-99.83")),
    (21, "REFUND BOOK STORE", Decimal("18.20")),
    (27, "WATERWORKS", Decimal("-1060.45")),
)
OPENING = Decimal("500.00")
IN = sum((amount for _, _, amount in ROWS if amount > 0), Decimal(0))
OUT = -sum((amount for _, _, amount in ROWS if amount < 0), Decimal(0))
AFTER = dict(zip(ROWS, accumulate((amount for _, _, amount in ROWS), initial=OPENING), strict=False))
"""The balance before each row."""


def money(value: Decimal, mark: str = ".") -> str:
    return f"{value:,.2f}".translate(str.maketrans({",": "." if mark == "," else ",", ".": mark}))


def table(above: str, head: str, line: Callable[[Row], str], below: str = "") -> Callable[..., bytes]:
    def made(rows: Sequence[Row]) -> bytes:
        return (above + "\n".join([head, *map(line, rows), below])).encode()

    return made


def german(row: Row) -> str:
    return f"{row[0]:02}.01.2025;{row[1]};{money(row[2], ',')}"


def american(row: Row) -> str:
    return f"01/{row[0]:02}/2025,{row[1]},{row[2]}"


def in_columns(row: Row) -> str:
    out, into = (f"{-row[2]}", "") if row[2] < 0 else ("", f"{row[2]}")
    return f"2025-01-{row[0]:02},{row[1]},{out},{into}"


def with_direction(row: Row) -> str:
    return f"2025-01-{row[0]:02};{row[1]};{abs(row[2])};{'D' if row[2] < 0 else 'C'}"


def with_balance(row: Row) -> str:
    return f"01/{row[0]:02}/2025,{row[1]},{row[2]},{AFTER[row] + row[2]}"


def paper(above: Sequence[str], below: Sequence[tuple[str, str, str]]) -> Callable[..., bytes]:
    """A table of money out, money in and the balance, which states no balance at either end; `below` has words and both columns."""

    def made(rows: Sequence[Row]) -> bytes:
        sheet = Sheet()
        for text in (
            "Lakeside Savings Bank",
            "Statement period: January 1, 2025 to January 31, 2025",
            *above,
        ):
            sheet.row((60, text), step=14)
        sheet.y += 10
        sheet.row(
            (60, "Date"),
            (120, "Description"),
            (380, "Money out", "right"),
            (460, "Money in", "right"),
            (540, "Balance", "right"),
        )
        for day, text, amount in rows:
            balance = AFTER[day, text, amount] + amount
            sheet.row(
                (60, f"01/{day:02}/2025"),
                (120, text),
                (380 if amount < 0 else 460, f"${money(abs(amount))}", "right"),
                (540, f"${money(balance)}", "right"),
            )
        for text, out, into in below:
            sheet.row((60, text), *((x, one, "right") for x, one in ((380, out), (460, into)) if one))
        return sheet.pdf()

    return made


def camt(rows: Sequence[Row]) -> bytes:
    entries = "".join(
        f'<Ntry><Amt Ccy="EUR">{abs(amount)}</Amt><CdtDbtInd>{"DBIT" if amount < 0 else "CRDT"}</CdtDbtInd><Sts>BOOK</Sts>'
        f"<BookgDt><Dt>2025-01-{day:02}</Dt></BookgDt><AddtlNtryInf>{text}</AddtlNtryInf></Ntry>"
        for day, text, amount in rows
    )
    summary = (
        f"<TxsSummry><TtlNtries><NbOfNtries>6</NbOfNtries><TtlNetNtryAmt>{IN - OUT}</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd></TtlNtries>"
        f"<TtlCdtNtries><NbOfNtries>2</NbOfNtries><Sum>{IN}</Sum></TtlCdtNtries><TtlDbtNtries><NbOfNtries>4</NbOfNtries><Sum>{OUT}</Sum></TtlDbtNtries></TxsSummry>"
    )
    return (
        '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"><BkToCstmrAcctRpt><Rpt>'
        f"<Acct><Id><IBAN>DE02100100109307118603</IBAN></Id><Ccy>EUR</Ccy></Acct>{summary}{entries}</Rpt></BkToCstmrAcctRpt></Document>"
    ).encode()


def mt942(rows: Sequence[Row]) -> bytes:
    entries = "".join(
        f":61:2501{day:02}01{day:02}{'D' if amount < 0 else 'C'}{money(abs(amount), ',').replace('.', '')}NTRFNONREF\n:86:{text}\n"
        for day, text, amount in rows
    )
    sums = f":90D:4EUR{money(OUT, ',').replace('.', '')}\n:90C:2EUR{money(IN, ',').replace('.', '')}\n"
    return f":20:STARTDISP\n:25:10010010/9307118603\n:28C:1/1\n:34F:EURD0,\n{entries}{sums}-\n".encode()


US = "Date,Description,Amount (USD)"
FORMS: dict[str, tuple[str, Callable[..., bytes]]] = {
    "a count above": ("a.csv", table("Number of transactions: 6\n\n", US, american)),
    "a count in a cell": ("a.csv", table("Account,123456789\nTransaction count,6\n", US, american)),
    "a count below, in German": (
        "a.csv",
        table("", "Buchungstag;Verwendungszweck;Betrag (EUR)", german, "\nAnzahl Buchungen;6\n"),
    ),
    "rows that are counted": ("a.csv", table("6 transactions\n\n", US, american)),
    "totals below": ("a.csv", table("", US, american, f"\nTotal credits,{IN}\nTotal debits,-{OUT}\n")),
    "totals above, in German": (
        "a.csv",
        table(
            f"Summe Eingänge;{money(IN, ',')}\nSumme Ausgänge;-{money(OUT, ',')}\n\n",
            "Buchungstag;Verwendungszweck;Betrag (EUR)",
            german,
        ),
    ),
    "totals of columns": (
        "a.csv",
        table("", "Date,Description,Debit (USD),Credit (USD)", in_columns, f"Totals,,{OUT},{IN}\n"),
    ),
    "totals with a word for their direction": (
        "a.csv",
        table("", "Date;Description;Amount (EUR);D/C", with_direction, f";Total;{OUT};D\n;Total;{IN};C\n"),
    ),
    "an opening balance above the first row": (
        "a.csv",
        table("", f"{US},Balance (USD)\n,Opening balance,,{OPENING}", with_balance),
    ),
    "an opening balance with its day": (
        "a.csv",
        table("", f"{US},Balance (USD)\n01/01/2025,Opening balance,,{OPENING}", with_balance),
    ),
    "a paper that counts": ("a.pdf", paper(("Number of transactions: 6",), ())),
    "a paper with totals above": (
        "a.pdf",
        paper((f"Total money in ${money(IN)}", f"Total money out ${money(OUT)}"), ()),
    ),
    "a paper with totals and counts": (
        "a.pdf",
        paper(
            (),
            (
                (f"Total Withdrawal 4 Items {money(OUT)}", "", ""),
                (f"Total Deposit 2 Items {money(IN)}", "", ""),
            ),
        ),
    ),
    "a paper with totals of columns": ("a.pdf", paper((), (("Totals", f"${money(OUT)}", f"${money(IN)}"),))),
    "camt with a summary": ("a.xml", camt),
    "mt942 with sums": ("a.sta", mt942),
}
ABOUT_FIGURES = re.compile(
    r"the file states \d|do not agree: the file says|entries come to|states totals of|the file states a beginning"
)


def doubts(form: str, rows: Sequence[Row]) -> tuple[str, int, list[str]]:
    """How the file is judged, how many rows were read, and what is said of its figures."""
    name, made = FORMS[form]
    parsed = bundled_parsers().parse(Document(name, made(rows)))
    judgement = judge(parsed)
    said = [one.message for one in judgement.remarks if one.severity == "warning"]
    return (
        judgement.reconciled,
        len(parsed.rows),
        [one for one in said if ABOUT_FIGURES.search(one)],
    )


def mutants() -> Iterator[tuple[str, Sequence[Row]]]:
    yield "the first is missing", ROWS[1:]
    yield "the last is missing", ROWS[:-1]
    yield "one between is missing", (*ROWS[:2], *ROWS[3:])
    yield "one is there twice", (*ROWS[:3], *ROWS[2:])


@pytest.mark.parametrize("form", FORMS)
def test_figures_that_a_file_states_show_a_row_that_is_missing_or_there_twice(form: str) -> None:
    assert doubts(form, ROWS)[1:] == (len(ROWS), [])
    for what, rows in mutants():
        reconciled, count, said = doubts(form, rows)
        assert count == len(rows), what
        is_by_balance = reconciled == "no" or (form.startswith("an opening") and "last" in what)
        assert reconciled != "yes" or is_by_balance, what
        assert said or is_by_balance, what


@pytest.mark.parametrize(
    "line",
    [
        "10 free transactions a month",
        "Transactions 01/02/2025",
        "Showing 1-20 of 345 transactions",
        "Transactions continued on page 2",
        "Total wine and more 41.17",
        "Total fees for 2025 35.00",
        "Total credit line 5,000.00",
        "Total transactions 1,250.00",
        "Debit card 4821",
    ],
)
def test_lines_that_only_sound_like_figures_state_none(line: str) -> None:
    assert disagreements(figures_in([line], "."), [Decimal(1), Decimal(-2)]) == []


def test_totals_of_parts_agree_where_their_sum_or_one_of_them_does() -> None:
    lines = ["Total deposits 1,000.00", "Total deposits 168.20", "Total withdrawals (4) 1 214,25"]
    assert disagreements(figures_in(lines[:2], "."), [Decimal("168.20"), Decimal(1000)]) == []
    assert disagreements(figures_in(lines[2:], ","), [Decimal("-1214.25")] + [Decimal(0)] * 3) == []
    said = disagreements(figures_in(lines[:2], "."), [Decimal(1000) + 1])
    assert [one.message for one in said] == [
        "total credits do not agree: the file says 1000.00, its rows sum to 1001"
    ]


def test_a_total_beside_totals_of_other_kinds_of_rows_is_none_of_all() -> None:
    lines = ["Total deposits 1,000.00", "Total withdrawals 200.00", "Total checks 35.00", "12 transactions"]
    values = [Decimal(1000), Decimal(-200), *[Decimal("-3.50")] * 10]
    assert disagreements(figures_in(lines, "."), values) == []
    assert len(disagreements(figures_in(lines[:2], "."), values)) == 1
    assert [one.message for one in disagreements(figures_in(lines, "."), values[1:])] == [
        "the file states 12 rows, and 11 were read"
    ]


def test_a_summary_of_several_pages_is_not_held_against_one() -> None:
    page = camt(ROWS[:3]).replace(
        b"<Rpt>", b"<Rpt><RptPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></RptPgntn>"
    )
    assert bundled_parsers().parse(Document("a.xml", page)).warnings[0].severity == "info"


def test_reversals_are_counted_in_more_than_one_way_and_make_no_doubt() -> None:
    report = mt942(ROWS).replace(b"0102D41,17", b"0102RC41,17")
    parsed = bundled_parsers().parse(Document("a.sta", report))
    assert (len(parsed.rows), [one for one in parsed.warnings if one.severity == "warning"]) == (6, [])
