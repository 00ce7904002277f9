"""CAMT, MT940 and QIF files that end too early are never taken for whole ones."""

from __future__ import annotations

import re

import pytest

from interlock.workflows.statements.doubt.reconcile import judge

from ..cut_off import beginnings, looks_clean
from ..reading import read, said
from .test_exchange_formats import CAMT, MT940, camt_of, mt940_of

PAGES = (("100.00", "90.00"), ("90.00", "80.00"), ("80.00", "70.00"))
PLAIN = (
    ":20:A\n:25:DE1\n:28C:1/1\n:60F:C240101EUR100,00\n:61:240102D10,00NTRFNONREF\n:86:a\n"
    ":61:240103D10,00NTRFNONREF\n:86:b\n:62F:C240103EUR80,00\n"
)
INTERIM = (
    ":20:A\n:25:CH93\n:28C:1\n:34F:CHF0,\n:13D:2401021200+0100\n:61:2401020102D10,00NTRFNONREF\n:86:a\n"
    ":61:2401020102D11,00NTRFNONREF\n:86:b\n{end}"
)
WHOLE_MT940 = {
    "blocks": MT940.format(closing="1582,66"),
    "messages": mt940_of(*PAGES),
    "blocks after blocks": "".join(
        f"{{1:F01BANKDEFFXXXX}}{{2:O940}}{{4:\n{page}-}}\n"
        for page in re.findall(r"(?s)(:20:.*?\n)-\n", mt940_of(*PAGES))
    ),
    "two at signs": "@@" + PLAIN.replace("\n", "@@") + "-",
    "no line at the end": PLAIN,
    "interim": INTERIM.format(end=":90D:2CHF21,00\n-\n"),
}
_ENDS_WHOLE = re.compile(
    r"\n-\}?\s*\Z|(?:\n|@@):62[FM]:C\d{6}[A-Z]{3}\d+,?\d*\s*(?:@@?)?-?\Z|\n:90D:.*\s*-?\s*\Z"
)
"""Behind a message, or with the last field that a message must have where no message of the file has an end."""
QIF = {
    "accounts": "!Option:AutoSwitch\n!Account\nNGiro\nTBank\n^\nNCard\nTCCard\n^\n!Clear:AutoSwitch\n!Account\nNGiro\nTBank\n^\n"
    "!Type:Bank\nD31/01/2024\nT-5.00\nPX\n^\nD01/02/2024\nT7.00\nPY\n^\n!Account\nNCard\nTCCard\n^\n!Type:CCard\nD02/02/2024\nT-9.00\nPZ\n^\n",
    "investments": "!Type:Invst\nD31/01/2024\nNBuy\nYORCH\nI5.00\nQ2\nT10.00\n^\nD01/02/2024\nNSell\nYORCH\nI6.00\nQ2\nT12.00\n^\n",
}
CUT_OFF = "may be cut off"


@pytest.mark.parametrize("text", WHOLE_MT940.values(), ids=WHOLE_MT940.keys())
def test_no_beginning_of_an_mt940_file_looks_like_a_whole_one(text: str) -> None:
    assert looks_clean(text, "a.sta") is not None
    clean = [part for part in beginnings(text) if looks_clean(part, "a.sta") is not None]
    assert [part for part in clean if _ENDS_WHOLE.search(part) is None] == []
    assert [part for part in clean if "\n-" in part and re.search(r"\n-\}?\s*\Z", part) is None] == []


def test_no_beginning_of_a_camt_file_is_read_at_all() -> None:
    for text in (CAMT.format(closing="1557.66"), camt_of(*PAGES)):
        assert looks_clean(text, "a.xml") is not None
        assert [part for part in beginnings(text) if looks_clean(part, "a.xml") is not None] == []


@pytest.mark.parametrize("text", QIF.values(), ids=QIF.keys())
def test_a_beginning_of_a_qif_file_says_that_it_is_one_unless_it_ends_behind_a_record(text: str) -> None:
    assert CUT_OFF not in said(read(text, name="a.qif"))
    for part in beginnings(text):
        if part.strip() and not part.rstrip().endswith("^") and re.match("!(?:Type|Account|Option)", part):
            parsed = read(part, name="a.qif")
            assert CUT_OFF in said(parsed) or (not parsed.rows and "no transactions" in said(parsed)), part


def test_a_qif_file_that_ends_with_its_list_of_accounts_is_cut_off() -> None:
    text = QIF["accounts"].rpartition("!Type")[0]
    assert "ends with a heading and no record follows it" in said(read(text, name="a.qif"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PLAIN.rpartition(":62F:")[0], "the statement has no closing balance"),
        (PLAIN.rpartition(":61:")[0], "the statement has no closing balance"),
        (PLAIN.replace(":60F:C240101EUR100,00\n", ""), "the statement has no opening balance"),
        (mt940_of(*PAGES) + ":20:", "the statement has no closing balance"),
        (mt940_of(*PAGES) + ":2", "the file ends where a further field or statement begins"),
        (mt940_of(*PAGES) + "{1:F01BANK", "the file ends where a further field or statement begins"),
        (mt940_of(*PAGES).removesuffix("-\n"), "the last message of the file does not end"),
        (INTERIM.format(end=""), "the file ends before its report does"),
    ],
)
def test_an_mt940_file_without_its_end_is_a_doubt(text: str, words: str) -> None:
    parsed = read(text, name="a.sta")
    assert words in said(parsed)
    assert judge(parsed).reconciled == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN + "-\n",
        PLAIN + "-}{5:{CHK:1}}\n",
        INTERIM.format(end="-\n"),
        INTERIM.format(end=":90D:2CHF21,00\n"),
        INTERIM.format(end=":90C:0CHF0,00\n:90D:2CHF21,00\n-}\n"),
    ],
)
def test_an_mt940_file_that_has_its_end_is_not_in_doubt(text: str) -> None:
    assert judge(read(text, name="a.sta")).warnings == 0


@pytest.mark.parametrize(("schema", "doubts"), [("Stmt", 1), ("Rpt", 0), ("Ntfctn", 0)])
def test_only_a_statement_needs_a_closing_balance_in_camt(schema: str, doubts: int) -> None:
    text = camt_of(("100.00", "90.00")).replace("CLBD", "ITAV").replace("Stmt>", f"{schema}>")
    judgement = judge(read(text, name="a.xml"))
    assert (judgement.reconciled, judgement.warnings) == ("unknown", doubts)
    assert any("no closing balance" in one.message for one in judgement.remarks) == bool(doubts)
