"""Tables in words of other languages, or of none that is known: read by what they add up to, in doubt where that proves no sign."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from interlock.workflows.statements.parsed import ParseFault

from ..reading import money, read, said
from ..world.measure import measure
from ..world.truth import Made, Row

MOVES = (("-41.30", "SHOP"), ("650.00", "RENT"), ("-112.00", "ENERGY"), ("-23.00", "PHONE"))
OPENING = Decimal("340.12")


def ledger() -> list[Row]:
    held, rows = OPENING, []
    for place, (amount, text) in enumerate(MOVES):
        held += Decimal(amount)
        rows.append(Row(date(2024, 6, 11 + place), text, Decimal(amount), held))
    return rows


def out(row: Row) -> str:
    return f"{-row.amount}" if row.amount < 0 else ""


def into(row: Row) -> str:
    return f"{row.amount}" if row.amount > 0 else ""


def word(row: Row, debit: str, credit: str) -> str:
    return debit if row.amount < 0 else credit


def table(head: str, write: str, foot: str = "") -> str:
    """Each row by a pattern with its day, text, amount, size, out, in and balance."""
    lines = [
        write.format(
            day=row.day,
            text=row.text,
            amount=row.amount,
            size=abs(row.amount),
            out=out(row),
            into=into(row),
            balance=row.balance,
            before=row.balance - row.amount,
            owed=-row.balance,
            dc=word(row, "D", "C"),
            sign=word(row, "-", "+"),
            slovak=word(row, "Debet", "Kredit"),
            chinese=word(row, "支出", "收入"),
            bank="First Bank of Somewhere",
        )
        for row in ledger()
    ]
    return "\n".join((head, *lines)) + "\n" + foot


PROVED = {
    "an amount under an unknown name": (table("Dydd,Disgrifiad,Swm,Gweddill GBP", "{day},{text},{amount},{balance}"), "GBP"),
    "korean": (table("거래일자,적요,출금(원),입금(원),잔액(원)", "{day},{text},{out},{into},{balance}"), "KRW"),
    "hebrew": (table('תאריך,תיאור,בחובה,בזכות,"היתרה בש""ח"', "{day},{text},{out},{into},{balance}"), "ILS"),
    "japanese": (table("取引日,受入金額（円）,払出金額（円）,詳細１,現在（貸付）高", "{day},{into},{out},{text},{balance}"), "JPY"),
    "ukrainian": (
        table("Дата,Деталі,Сума в валюті картки (UAH),Сума в валюті операції,Залишок", "{day},{text},{amount},{amount},{balance}"),
        "UAH",
    ),
    "a word for the direction of each row": (
        table("Dátum;Kredit/Debet;Suma;Mena;Zostatok;Popis", "{day};{slovak};{size};EUR;{balance};{text}"),
        "EUR",
    ),
    "formulas of a spreadsheet": (
        table("Date,Description,Amount,Balance,Currency", '="{day}","=""{text}""","=""{amount}""","=""{balance}""",GBP'),
        "GBP",
    ),
    "an unnamed column of codes": (table("Dato;Skýring;Upphæð;Staða;Mynt", "{day};{text};{amount};{balance};NOK"), "NOK"),
}  # fmt: skip
IN_DOUBT = {
    "unknown names of money out and in": (table("Dydd,Disgrifiad,Allan,Mewn,Gweddill GBP", "{day},{text},{out},{into},{balance}"), "GBP"),
    "an empty column that is called amount": (table("Datum;Text;Umsatz geteilt;Betrag in EUR", "{day};{text};;{amount}"), "EUR"),
    "nothing but zeros in the first amount": (table("Data;Descrição;Valor (em US$);Valor (em R$)", "{day};{text};0;{amount}"), "BRL"),
    "a column of signs": (table("Datum;Omschrijving;Teken;Bedrag (EUR)", "{day};{text};{sign};{size}"), "EUR"),
    "a chinese word for the direction": (table("交易时间,说明,收/支,金额", "{day},{text},{chinese},{size}"), "CNY"),
    "a balance before each row, without a header": (table("", "{day},{text},EUR,{before},{amount},ref"), "EUR"),
    "norwegian in before out": (table("Dato;Beskrivelse;Inn;Ut;Valuta", "{day};{text};{into};{out};NOK"), "NOK"),
}  # fmt: skip


def measured(text: str, currency: str, encoding: str = "utf-8") -> tuple[bool, str]:
    outcome = measure(Made("export.csv", text.encode(encoding), tuple(ledger()), currency, "made"))
    assert not outcome.is_silent, outcome
    return outcome.right, outcome.reconciled


@pytest.mark.parametrize("label", PROVED)
def test_a_table_in_any_language_is_proved_by_its_running_balance(label: str) -> None:
    assert measured(*PROVED[label]) == (True, "yes")


@pytest.mark.parametrize("label", IN_DOUBT)
def test_a_table_whose_signs_nothing_proves_is_right_and_in_doubt(label: str) -> None:
    right, reconciled = measured(*IN_DOUBT[label])
    assert right
    assert reconciled == "unknown"


@pytest.mark.parametrize(
    ("encoding", "head", "row"),
    [
        (
            "cp949",
            "거래일자,적요,출금(원),입금(원),잔액(원),통화",
            "{day},{text} 급여,{out},{into},{balance},GBP",
        ),
        ("gb18030", "交易日期,摘要,交易金额,账户余额,币种", "{day},{text} 工资,{amount},{balance},GBP"),
        ("cp1254", "Tarih;Açıklama;İşlem Tutarı;Bakiye;Para", "{day};{text} ışık;{amount};{balance};GBP"),
        ("cp1255", "תאריך,תיאור,חובה,זכות,יתרה,מטבע", "{day},{text} משכורת,{out},{into},{balance},GBP"),
        (
            "cp1250",
            "datum zaúčtování;částka;zůstatek;název protiúčtu;měna",
            "{day};{amount};{balance};{text} ěščř;GBP",
        ),
    ],
)
def test_an_encoding_is_known_by_words_that_no_other_gives(encoding: str, head: str, row: str) -> None:
    content = table(head, row).encode(encoding)
    parsed = read(content)
    assert [money(one) for one in parsed.rows] == [Decimal(amount) for amount, _ in MOVES]
    assert parsed.layout.endswith(head.replace(";", "|").replace(",", "|").lower())
    assert all("�" not in one.description for one in parsed.rows)


def test_what_is_owed_under_unknown_names_is_said_to_be_open() -> None:
    text = table("Dydd,Disgrifiad,Gwariant,Talwyd,Dyled GBP", "{day},{text},{out},{into},{owed}")
    outcome = measure(Made("card.csv", text.encode(), tuple(ledger()), "GBP", "owed"))
    assert not outcome.is_silent
    assert outcome.reconciled != "yes"


def test_balances_alone_are_no_amounts() -> None:
    with pytest.raises(ParseFault) as fault:
        read(table("Date,Description,Balance GBP", "{day},{text},{balance}"))
    assert fault.value.code == "LAYOUT_MISMATCH"


def test_balances_in_rows_of_their_own_prove_a_table_without_a_preamble() -> None:
    held = ledger()
    foot = f"Likutis pradžiai;2024-06-10;{OPENING};C;;EUR\nLikutis pabaigai;2024-06-30;{held[-1].balance};C;;EUR\n"
    text = table(
        "Operacijos/Balanso Tipas;Data;Suma;C/D;Mokėjimo paskirtis;Valiuta",
        "Operacija;{day};{size};{dc};{text};EUR",
        foot,
    )
    assert measured(text, "EUR") == (True, "yes")


def test_a_text_that_is_the_same_on_every_row_is_no_description() -> None:
    parsed = read(table("", '"{bank}",{day},"{text}",{out},{into},{balance}'))
    assert [row.description for row in parsed.rows] == [text for _, text in MOVES]
    assert "names no currency" in said(parsed)


@pytest.mark.parametrize(("stated", "is_in_doubt"), [("95.00", False), ("-95.00", False), ("85.00", True)])
def test_the_total_of_the_only_column_of_amounts_is_held_against_its_rows(
    stated: str, is_in_doubt: bool
) -> None:
    parsed = read(
        f"Date,Details,Amount (GBP)\n13/03/2025,A,100.00\n14/03/2025,B,-5.00\n,Total,{stated}\n", name="x.csv"
    )
    assert [f"{money(row)}" for row in parsed.rows] == ["100.00", "-5.00"]
    assert ("the file states a total of 85.00, and its rows make 95.00" in said(parsed)) is is_in_doubt


@pytest.mark.parametrize(
    "words", ["Total transactions,3", "Number of transactions: 3", "Total transactions: 3"]
)
@pytest.mark.parametrize("is_above", [True, False])
def test_a_number_of_transactions_is_held_against_the_rows(words: str, is_above: bool) -> None:
    table = "Date,Details,Amount (GBP)\n13/03/2025,A,100.00\n14/03/2025,B,-5.00\n"
    parsed = read(f"{words}\n\n{table}" if is_above else f"{table}{words}\n")
    assert "the file states 3 rows, and 2 were read" in said(parsed)
