"""An OFX file that ends too early is never taken for a whole one."""

from __future__ import annotations

import re

import pytest

from interlock.workflows.statements.doubt.reconcile import judge

from ..cut_off import beginnings, looks_clean
from ..reading import read, said
from .files import HEADER, XML, bank, card, sgml, transaction

CUT_OFF = "the file ends before its statement does"
ROWS = tuple(transaction(f"-{number}.00", f"F{number}") for number in range(1, 5))
LEDGER = "<LEDGERBAL><BALAMT>100.00<DTASOF>20240131</LEDGERBAL>"
TRADES = (
    "<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><BROKERID>b<ACCTID>INV1</INVACCTFROM><INVTRANLIST>"
    + "".join(
        f"<BUYSTOCK><INVBUY><INVTRAN><FITID>T{number}<DTTRADE>20240105</INVTRAN><UNITS>2<TOTAL>-50.00</INVBUY></BUYSTOCK>\n"
        for number in range(3)
    )
    + "</INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>"
)


def as_xml(text: str) -> str:
    return XML + re.sub(r"<([A-Z.]+)>([^<\r\n]+)", r"<\1>\2</\1>", text.removeprefix(HEADER))


WHOLE = {
    "sgml": sgml(bank(*ROWS, more=LEDGER)),
    "xml": as_xml(sgml(bank(*ROWS, more=LEDGER))),
    "without a header": sgml(bank(*ROWS)).removeprefix(HEADER),
    "several accounts": sgml(bank(*ROWS[:2]), bank(*ROWS[2:], account="2"), card(*ROWS[:1])),
    "transactions without an end": sgml(bank(*ROWS)).replace("</STMTTRN>", ""),
    "trades": sgml(TRADES),
    "empty": sgml(bank(more=LEDGER)),
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE.keys())
def test_no_beginning_of_a_file_looks_like_a_whole_one(text: str) -> None:
    assert looks_clean(text, "a.ofx") is not None
    clean = [part for part in beginnings(text) if looks_clean(part, "a.ofx") is not None]
    assert [part for part in clean if not part.rstrip().endswith("</OFX>")] == []


@pytest.mark.parametrize(
    "text",
    [
        WHOLE["sgml"].partition("<FITID>F2")[0],
        WHOLE["sgml"].partition("<STMTTRN>\n<TRNTYPE>DEBIT\n<DTPOSTED>20240105120000[-5:EST]\n<TRNAMT>-2")[0],
        WHOLE["sgml"].replace("</BANKTRANLIST>", ""),
        WHOLE["sgml"].replace("</STMTRS>", ""),
        WHOLE["sgml"].replace("</OFX>", ""),
        WHOLE["sgml"].replace("</STMTTRN>", "", 1),
    ],
    ids=[
        "in a row",
        "between rows",
        "no end of the list",
        "no end of the statement",
        "no end at all",
        "no end of a row",
    ],
)
def test_what_begins_and_does_not_end_is_a_doubt(text: str) -> None:
    parsed = read(text, name="a.ofx")
    assert (CUT_OFF in said(parsed), judge(parsed).reconciled) == (True, "unknown")
    assert judge(parsed).warnings == 1


@pytest.mark.parametrize("end", ["", "</BANKTRANLIST>", f"</BANKTRANLIST>{LEDGER}</STMTRS>"])
def test_a_list_that_is_cut_off_before_its_first_row_is_no_empty_statement(end: str) -> None:
    text = sgml(bank()).partition("</BANKTRANLIST>")[0] + end
    parsed = read(text, name="a.ofx")
    assert (parsed.rows, parsed.is_stated_empty) == ([], False)
    assert judge(parsed).reconciled == "unknown"


@pytest.mark.parametrize("listed", ["<BANKTRANLIST></BANKTRANLIST>", "<BANKTRANLIST/>", "<BANKTRANLIST />"])
def test_a_list_that_is_there_and_empty_says_that_there_are_no_rows_and_nothing_is_said_of_sums(
    listed: str,
) -> None:
    text = re.sub(r"(?s)<BANKTRANLIST>.*</BANKTRANLIST>", listed + LEDGER, sgml(bank()))
    parsed = read(text, name="a.ofx")
    assert (judge(parsed).reconciled, judge(parsed).warnings, parsed.stated_closing) == ("yes", 0, "100.00")
    assert "ends at 100.00; its list of transactions is empty" in said(parsed)
    assert "no beginning" not in said(parsed)


def test_a_balance_without_a_list_is_no_empty_statement() -> None:
    text = re.sub(r"(?s)<BANKTRANLIST>.*</BANKTRANLIST>", LEDGER, sgml(bank()))
    parsed = read(text, name="a.ofx")
    assert (judge(parsed).reconciled, parsed.is_stated_empty) == ("unknown", False)
