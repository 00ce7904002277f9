# ruff: noqa: E501 tables stay as long as the banks write them
"""Where a table itself says which way money went, the want of balances is no alarm; where its words contradict it, it is one."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from tests.statements.reading import money, read, said

NO_ALARM = [
    "Date;Libellé;Débit euros;Crédit euros\n13/01/2025;CARTE CARREFOUR;12,30;\n14/01/2025;VIR SALAIRE ACME;;1 900,00\n15/01/2025;PRLV EDF;55,10;\n",
    '"Date","Transaction","Name","Memo","Amount"\n"2025-01-13","DEBIT","CHEVRON","Download from usbank.com.","-12.30"\n"2025-01-14","CREDIT","ACME PAYROLL","Download from usbank.com.","1900.00"\n',
    "Buchungstag;Umsatztyp;Text;Betrag (EUR)\n13.01.2025;Ausgang;REWE;-12,30\n14.01.2025;Eingang;ACME GmbH;1900,00\n15.01.2025;Ausgang;Miete;-700,00\n",
    "Number,Date,Account,Amount,Subcategory,Memo\n ,13/01/2025,20-44-12 40441234,-12.30,Debit,TESCO\n ,14/01/2025,20-44-12 40441234,1900.00,Counter Credit,ACME\n",
    'Currency,AED\nPosting Date,Transaction Details,Amount\n13/01/2025,MARKET,"12.30 DR"\n14/01/2025,ACME,"1,900.00 CR"\n15/01/2025,TRAM,"2.30 DR"\n',
]
CONTRADICTED = [
    "Date;Libellé;Crédit euros;Débit euros\n13/01/2025;CARTE CARREFOUR;12,30;\n14/01/2025;VIR SALAIRE ACME;;1 900,00\n15/01/2025;PRLV EDF;55,10;\n",
    "Datum;Text;Lastschrift in CHF;Gutschrift in CHF\n13.01.2025;Laden;;-12.30\n14.01.2025;ACME;1900.00;\n15.01.2025;Hotel;;-55.10\n",
    "Buchungstag;Umsatztyp;Text;Betrag (EUR)\n13.01.2025;Ausgang;REWE;-12,30\n14.01.2025;Eingang;ACME GmbH;-1900,00\n15.01.2025;Ausgang;Miete;700,00\n",
]


@pytest.mark.parametrize("table", NO_ALARM)
def test_a_direction_that_the_table_names_needs_no_balance(table: str) -> None:
    parsed = read(table)
    assert [money(row) > 0 for row in parsed.rows] == [False, True, False][: len(parsed.rows)]
    assert (judge(parsed).reconciled, judge(parsed).warnings) == ("unknown", 0), said(parsed)


@pytest.mark.parametrize("table", CONTRADICTED)
def test_words_that_contradict_the_columns_are_a_warning(table: str) -> None:
    assert judge(read(table)).warnings


ENDS = [
    ("#Saldo początkowe;110,00 PLN;\n#Data;#Opis;#Kwota;#Saldo PLN\n{rows}", "a beginning balance of 110.00"),
    ("Data;Opis;Kwota;Saldo PLN\n{rows};Closing balance;;75,00\n", "a closing balance of 75.00"),
    ("Data;Opis;Kwota;Saldo PLN\n{rows};Total debits;-40,00;\n", "total debits do not agree"),
]


@pytest.mark.parametrize(("table", "warning"), ENDS)
def test_an_end_that_is_stated_alone_is_held_against_the_running_balance(table: str, warning: str) -> None:
    rows = "13.01.2025;SKLEP;-10,00;90,00\n14.01.2025;TRAM;-5,00;85,00\n"
    parsed = read(table.format(rows=rows))
    assert warning in said(parsed)
    assert judge(parsed).reconciled == "unknown"


def test_a_card_that_writes_the_day_before_the_month_is_not_taken_for_american_without_a_word() -> None:
    parsed = read(
        "Date,Date Processed,Description,Cardmember,Amount,Foreign Spend Amount,Commission,Exchange Rate\n"
        "02 Jan 2025,02 Jan 2025,MARKET,R EXAMPLE,155.04,,,\n14 Jan 2025,14 Jan 2025,PAYMENT RECEIVED,R EXAMPLE,-90.00,,,\n"
    )
    assert parsed.source_type == "amex_csv"
    assert judge(parsed).warnings


AMEX = "Date,Description,Card Member,Amount\n07/17/2025,STARBUCKS,R SAMPLE,{0}\n07/18/2025,SHELL OIL,R SAMPLE,{1}\n07/20/2025,{2}\n"
CHASE = "Transaction Date,Post Date,Description,Category,Type,Amount,Memo\n07/17/2025,07/18/2025,STARBUCKS,Food,Sale,{0},\n07/18/2025,07/18/2025,SHELL OIL,Gas,Sale,{1},\n07/20/2025,07/20/2025,{2},\n"
PAYMENT = "PAYMENT THANK YOU,R SAMPLE,{}"
CHASE_PAYMENT = "PAYMENT THANK YOU,,Payment,{}"
STATED = "American Express,,\nOpening balance,,{0}\nClosing balance,,{1}\n,,\n"


@pytest.mark.parametrize(
    "table",
    [
        AMEX.format("-12.00", "-30.00", PAYMENT.format("50.00")),
        STATED.format("-100.00", "-92.00") + AMEX.format("-12.00", "-30.00", PAYMENT.format("50.00")),
        CHASE.format("12.00", "30.00", CHASE_PAYMENT.format("-50.00")),
    ],
)
def test_a_card_whose_payments_and_purchases_go_the_other_way_is_read_by_its_words_and_in_doubt(
    table: str,
) -> None:
    parsed = read(table)
    assert parsed.account_type == "credit_card"
    assert [str(money(row)) for row in parsed.rows] == ["-12.00", "-30.00", "50.00"]
    assert "the other way round" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


def test_a_card_with_nothing_but_credits_is_in_doubt() -> None:
    parsed = read(
        STATED.format("-100.00", "-147.00") + AMEX.format("-12.00", "-30.00", "BOOKS,R SAMPLE,-5.00")
    )
    assert [str(money(row)) for row in parsed.rows] == ["12.00", "30.00", "5.00"]
    assert "they may be purchases" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


@pytest.mark.parametrize(
    "table",
    [
        AMEX.format("12.00", "30.00", PAYMENT.format("-50.00")),
        AMEX.format("-12.00", "-30.00", PAYMENT.format("-50.00")),
        CHASE.format("-12.00", "-30.00", CHASE_PAYMENT.format("50.00")),
    ],
)
def test_a_card_that_prints_as_its_bank_does_raises_no_alarm(table: str) -> None:
    parsed = read(table)
    assert money(parsed.rows[-1]) == 50
    assert judge(parsed).warnings == 0, said(parsed)


MIXED = [
    ("Date,Description,Debit,Credit,Currency\n2025-03-01,RENT,-900.00,,EUR\n2025-03-13,SALARY,,3000.00,EUR\n2025-03-15,TESCO,50.00,,EUR\n2025-03-16,LIDL,25.00,,EUR\n", "signs"),
    ("Date,Description,Debit,Credit,Currency\n2025-03-01,TESCO,-10.00,,EUR\n2025-03-13,refund,,30.00,EUR\n2025-03-15,COOP,5.00,,EUR\n2025-03-16,ALDI,-7.00,,EUR\n", "signs"),
    ("Date,Description,Debit,Credit,Currency,Balance\n2025-03-01,RENT,-900.00,,EUR,1900.00\n2025-03-13,SALARY,,3000.00,EUR,4900.00\n2025-03-15,TESCO,50.00,,EUR,4850.00\n", "signs"),
    ("Date,Description,Debit,Credit,Currency,Balance\n2025-03-12,SHOP,10.00,,EUR,1900.00\n2025-03-13,SALARY,,3000.00,EUR,4900.00\n2025-03-15,RETURN,-50.00,,EUR,4950.00\n2025-03-16,LIDL,25.00,,EUR,4925.00\n", ""),
    ("Date,Description,Debit,Credit,Currency\n2025-03-12,SHOP,-10.00,,EUR\n2025-03-13,SALARY,,3000.00,EUR\n2025-03-15,SHOP,-50.00,,EUR\n", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "topic"), MIXED)
def test_a_column_of_debits_with_and_without_a_minus_is_in_doubt_unless_balances_prove_it(
    text: str, topic: str
) -> None:
    judged = judge(read(text))
    assert {one.topic for one in judged.remarks if one.severity == "warning"} == ({topic} if topic else set())
    assert (judged.warnings == 0) == (not topic)
