"""What balances of CAMT and MT940 files prove, and which way the amounts of a card in QIF go."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed
from tests.statements.reading import money, read

BALANCE = (
    "<Bal><Tp><CdOrPrtry><Cd>{}</Cd></CdOrPrtry></Tp><Amt Ccy='{}'>{}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>"
)
PART = (
    "<Ntry><Amt Ccy='{}'>10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2024-01-02</Dt></BookgDt></Ntry>"
)


def camt(*balances: tuple[str, str, str], unit: str = "EUR", kind: str = "Stmt") -> Parsed:
    """A statement of an account in EUR with one entry of -10.00."""
    ends = "".join(BALANCE.format(*one) for one in balances)
    outer = {"Stmt": "BkToCstmrStmt", "Rpt": "BkToCstmrAcctRpt"}[kind]
    text = f"<{kind}><Acct><Id><IBAN>LU28</IBAN></Id><Ccy>EUR</Ccy></Acct>{ends}{PART.format(unit)}</{kind}>"
    return read(
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><{outer}>{text}</{outer}></Document>'
    )


def outcome(parsed: Parsed) -> tuple[str, list[str]]:
    judgement = judge(parsed)
    return judgement.reconciled, [one.message for one in judgement.remarks if one.severity == "warning"]


@pytest.mark.parametrize(
    ("balances", "unit"),
    [
        ((("OPBD", "EUR", "100.00"), ("CLBD", "EUR", "90.00")), "USD"),
        ((("OPBD", "EUR", "100.00"), ("CLBD", "USD", "90.00")), "EUR"),
        ((("OPBD", "USD", "100.00"), ("CLBD", "USD", "90.00")), "EUR"),
    ],
)
def test_balances_in_another_currency_than_the_entries_prove_nothing(
    balances: tuple[tuple[str, str, str], ...], unit: str
) -> None:
    assert outcome(camt(*balances, unit=unit)) == (
        "unknown",
        ["account LU28 has entries and balances in EUR, USD; its balances prove nothing"],
    )


def test_two_closing_balances_that_differ_prove_nothing() -> None:
    parsed = camt(("OPBD", "EUR", "100.00"), ("CLBD", "EUR", "90.00"), ("CLBD", "EUR", "110.00"))
    assert outcome(parsed) == ("unknown", ["account LU28 states several closing balances: 90.00, 110.00"])
    assert (
        outcome(camt(("OPBD", "EUR", "100.00"), ("CLBD", "EUR", "90.00"), ("CLBD", "EUR", "90.00")))[0]
        == "yes"
    )


@pytest.mark.parametrize(
    ("balances", "kind", "wanted"),
    [
        ((("OPBD", "EUR", "100.00"), ("ITBD", "EUR", "90.00")), "Stmt", "yes"),
        ((("ITBD", "EUR", "100.00"), ("CLBD", "EUR", "90.00")), "Stmt", "yes"),
        ((("ITBD", "EUR", "100.00"), ("ITBD", "EUR", "90.00")), "Stmt", "yes"),
        ((("OPBD", "EUR", "100.00"), ("ITBD", "EUR", "90.00")), "Rpt", "yes"),
        ((("OPBD", "EUR", "100.00"), ("ITBD", "EUR", "95.00")), "Rpt", "unknown"),
        ((("OPBD", "EUR", "100.00"), ("ITBD", "EUR", "95.00")), "Stmt", "unknown"),
        ((("OPBD", "EUR", "100.00"), ("CLBD", "EUR", "95.00")), "Stmt", "no"),
    ],
)
def test_an_interim_balance_to_which_the_entries_lead_proves_them(
    balances: tuple[tuple[str, str, str], ...], kind: str, wanted: str
) -> None:
    assert outcome(camt(*balances, kind=kind))[0] == wanted


ENTRY = (
    "<Ntry><Amt Ccy='EUR'>{}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>{}</Cd></Sts><BookgDt><Dt>2024-01-02</Dt></BookgDt>"
    "<AcctSvcrRef>{}</AcctSvcrRef></Ntry>"
)


def reports(*entries: str) -> Parsed:
    """A report of one account for each of these, one after another."""
    head = "<Rpt><Acct><Id><IBAN>LU28</IBAN></Id><Ccy>EUR</Ccy></Acct>"
    text = "".join(f"{head}{one}</Rpt>" for one in entries)
    return read(
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"><BkToCstmrAcctRpt>{text}</BkToCstmrAcctRpt></Document>'
    )


def test_entries_of_a_status_that_is_not_known_are_rows_and_a_doubt() -> None:
    parsed = reports(ENTRY.format("10.00", "RJCT", "R1") + ENTRY.format("5.00", "BOOK", "R2"))
    assert [f"{money(row)}" for row in parsed.rows] == ["-10.00", "-5.00"]
    assert outcome(parsed)[1] == ["account LU28: entries with the status RJCT are taken as booked"]


def test_reports_that_each_hold_the_whole_day_are_a_doubt() -> None:
    first, second = ENTRY.format("10.00", "BOOK", "R1"), ENTRY.format("5.00", "BOOK", "R2")
    assert outcome(reports(first, second))[1] == []
    said = "account LU28: 1 entry stands in an earlier statement of this file too; kept twice"
    assert outcome(reports(first, first + second))[1] == [said]


def mt940(opening: str, entry: str, closing: str) -> Parsed:
    return read(
        f":20:A\n:25:SE45\n:28C:1/1\n:60F:C240101{opening}\n:61:240102{entry}NTRFNONREF\n:62F:C240131{closing}\n-\n",
        name="x.sta",
    )


def test_mt940_balances_in_two_currencies_prove_nothing() -> None:
    assert outcome(mt940("USD100,00", "D10,00", "EUR90,00")) == (
        "unknown",
        ["account SE45 begins in USD and ends in EUR; its balances prove nothing"],
    )


@pytest.mark.parametrize(
    ("opening", "entry", "closing", "amount"),
    [
        ("EUR100.00", "D10.50", "EUR89.50", "-10.50"),
        ("EUR1.100,00", "D1.010,5", "EUR89,5", "-1010.5"),
        ("EUR100,", "D10,", "EUR90,", "-10"),
        ("KWD100,000", "D10,125", "KWD89,875", "-10.125"),
    ],
)
def test_amounts_of_mt940_are_read_with_a_comma_or_a_point(
    opening: str, entry: str, closing: str, amount: str
) -> None:
    parsed = mt940(opening, entry, closing)
    assert ([f"{money(row)}" for row in parsed.rows], outcome(parsed)) == ([amount], ("yes", []))


CARD = "!Type:CCard\nD3/14/2025\nT{}\nPCoffee\n^\nD3/15/2025\nT{}\nPBakery\n^\nD3/16/2025\nT{}\nP{}\n^\n"


@pytest.mark.parametrize(
    ("charges", "payment", "words", "wanted", "said"),
    [
        ("10.00", "-30.00", "Payment thank you", ["-10.00", "-10.00", "30.00"], "signs turned round"),
        ("10.00", "-30.00", "Bookshop", ["10.00", "10.00", "-30.00"], "taken as signed, plus is money in"),
        ("10.00", "30.00", "Payment thank you", ["10.00", "10.00", "30.00"], "taken as signed"),
    ],
)
def test_a_card_in_qif_whose_charges_are_plus_is_in_doubt(
    charges: str, payment: str, words: str, wanted: list[str], said: str
) -> None:
    parsed = read(CARD.format(charges, charges, payment, words), name="card.qif")
    assert [f"{money(row)}" for row in parsed.rows] == wanted
    assert [said in one.message for one in parsed.warnings if one.topic == "signs"] == [True]


def test_a_card_in_qif_whose_charges_are_minus_is_taken_as_signed() -> None:
    parsed = read(CARD.format("-10.00", "-10.00", "20.00", "Payment thank you"), name="card.qif")
    assert [f"{money(row)}" for row in parsed.rows] == ["-10.00", "-10.00", "20.00"]
    assert [one for one in parsed.warnings if one.topic == "signs"] == []


def test_a_file_none_of_whose_rows_can_be_read_is_not_asked_whether_it_is_empty() -> None:
    parsed = read("!Type:Bank\nD1/2/2024\nTabc\nPX\n^\n", name="a.qif")
    judgement = judge(parsed)
    assert (judgement.reconciled, [one.error_code for one in parsed.errors]) == ("no", ["AMOUNT_UNPARSABLE"])
    assert not any("no transactions" in one.message for one in judgement.remarks)
