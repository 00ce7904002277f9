# ruff: noqa: E501 tables stay as long as the banks write them
"""Tables of banks abroad: years of other calendars, dashes for nothing, states and names in their words, the account's own amount, fees."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import ParseFault
from tests.statements.reading import day, money, read, said


def found(text: str, name: str = "export.csv", encoding: str = "utf-8") -> list[tuple[str, str, str]]:
    """Day, money and currency of every row."""
    parsed = read(text.encode(encoding), name=name)
    assert parsed.errors == []
    return [(day(row), f"{money(row)}", row.currency) for row in parsed.rows]


CALENDARS = [
    ("交易日期,摘要,提款金額,存款金額,結存金額\n114/06/02,咖啡,218,,782\n114/06/30,薪資,,500,1282\n", "2025-06-02", "2025-06-30"),
    ("年月日,お引出し,お預入れ,お取り扱い内容,残高\nR7.11.30,300,,カフェ,700\nR7.11.4,,1000,給料,1000\n", "2025-11-30", "2025-11-04"),
    ("日付,内容,出金,入金,残高\n令和7年1月31日,家賃,300,,700\n令和7年1月4日,給料,,1000,1000\n", "2025-01-31", "2025-01-04"),
    ("日付,内容,出金,入金,残高\n2025年1月31日,家賃,300,,700\n2025年1月4日,給料,,1000,1000\n", "2025-01-31", "2025-01-04"),
    ("İşlem Tarihi;Açıklama;Tutar (TL);Bakiye\n30 Haziran 2025;MARKET;-457,26;100,00\n6 Haziran 2025;MAAŞ;500,00;557,26\n", "2025-06-30", "2025-06-06"),
    ("Data;Opis;Kwota;Saldo\n30 września 2025;SKLEP;-57,26;100,00\n6 września 2025;PENSJA;50,00;157,26\n", "2025-09-30", "2025-09-06"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "first", "last"), CALENDARS)
def test_years_of_other_calendars_and_names_of_months_are_read(text: str, first: str, last: str) -> None:
    rows = found(text)
    assert [rows[0][0], rows[-1][0]] == [first, last]
    assert sorted(row[1].startswith("-") for row in rows) == [False, True]


def test_a_number_of_a_record_is_no_day_of_the_seventh_century() -> None:
    rows = found("ID,When,Amount (EUR),Text\n24120603,2024-06-03,-5.00,a\n24120610,2024-06-10,-6.00,b\n")
    assert [row[0] for row in rows] == ["2024-06-03", "2024-06-10"]


@pytest.mark.parametrize(
    "text",
    [
        "FECHA|DESCRIPCIÓN|DEPÓSITOS|RETIROS|SALDO (MXN)\n05/08/2025|UBER|-|$146.70|$289.56\n28/08/2025|PAGO|$239.57|-|$529.13\n",
        "日期,摘要,支出,存入,結餘\n2025/08/05,咖啡,146.70,-,289.56\n2025/08/28,薪資,-,239.57,529.13\n",
        "Datum;Text;Belastung CHF;Gutschrift CHF;Saldo\n05.08.2025;Laden;146.70;—;289.56\n28.08.2025;Lohn;—;239.57;529.13\n",
    ],
)
def test_a_dash_stands_for_nothing(text: str) -> None:
    assert [row[:2] for row in found(text)] == [("2025-08-05", "-146.70"), ("2025-08-28", "239.57")]


def test_cells_may_be_parted_by_three_signs() -> None:
    text = "DATE~|~Description~|~AMT~|~Debit /Credit\n02/02/2025~|~BSES~|~3,210.52~|~\n15/02/2025~|~REFUND~|~85.72~|~Cr\n"
    assert [row[:2] for row in found(text)] == [("2025-02-02", "-3210.52"), ("2025-02-15", "85.72")]


def test_a_greek_table_in_its_own_encoding_is_read() -> None:
    text = "Νόμισμα:;EUR;;\n\nΗμ/νία;Αιτιολογία;Ποσό;Πρόσημο ποσού\n31/3/2025;ΚΑΦΕ;18,03;Χ\n18/3/2025;ΜΙΣΘΟΔΟΣΙΑ;1819,89;Π\n"
    assert found(text, encoding="cp1253") == [
        ("2025-03-31", "-18.03", "EUR"),
        ("2025-03-18", "1819.89", "EUR"),
    ]


STATES = [
    ("Datum;Omschrijving;Bedrag (EUR);Status", "Geaccepteerd", "Geweigerd"),
    ("Dato;Tekst;Beløb (DKK);Status", "Udført", "Slettet"),
    ("Data;Descrizione;Importo (EUR);Stato", "Contabilizzato", "Autorizzato"),
    ("Data;Descrizione;Importo (EUR);Contabilizzazione", "CONTABILIZZATO", "NON CONTABILIZZATO"),
    ("Datum;Text;Betrag (CHF);Status", "Gebucht", "Reserviert"),
    ("Date;Libellé;Montant (EUR);Statut", "Exécuté", "Refusé"),
    ("Date;Text;Amount (CAD);Activity Status", "APPROVED", "DECLINED"),
    ("交易时间;说明;金额(CNY);交易状态", "交易成功", "交易关闭"),
]


@pytest.mark.parametrize(("head", "booked", "not_booked"), STATES)
def test_rows_that_are_not_booked_are_left_out_in_every_language(
    head: str, booked: str, not_booked: str
) -> None:
    parsed = read(
        f"{head}\n2025-03-31;A;-18.03;{booked}\n2025-03-30;B;-99.00;{not_booked}\n2025-03-12;C;-1.00;{booked}\n"
    )
    assert [f"{money(row)}" for row in parsed.rows] == ["-18.03", "-1.00"]
    assert "taken as booked" not in said(parsed)


def test_lines_that_are_all_pending_are_no_empty_statement() -> None:
    with pytest.raises(ParseFault, match="none of them is booked") as fault:
        read("Date,Description,Amount (GBP),Status\n13/03/2025,A,-1.00,Pending\n14/03/2025,B,-2.00,Pending\n")
    assert fault.value.code == "LAYOUT_MISMATCH"


OWN_AMOUNT = [
    "DATA;VALIUTA;SUMA;TEKSTAS;D/K;SUMA SASKAITOS VALIUTA;SASKAITOS VALIUTA\n2025-02-28;EUR;52.76;A;D;52.76;EUR\n2025-02-23;PLN;304.60;B;D;76.15;EUR\n2025-02-13;EUR;10.00;C;C;10.00;EUR\n",
    "TransactionDate,Text,Currency Amount,Currency Rate,Currency,Amount\n2025-02-28,A,-52.76,1.0,EUR,-52.76\n2025-02-23,B,-304.60,4.0,PLN,-76.15\n2025-02-13,C,10.00,1.0,EUR,10.00\n",
    "Datum;Specifikation;Valuta;Utl. belopp;Belopp\n2025-02-28;A;EUR;0;-52.76\n2025-02-23;B;PLN;304.60;-76.15\n2025-02-13;C;EUR;0;10.00\n",
    "Datum;Omschrijving;Bedrag in valuta;Valuta;Bedrag in EUR\n2025-02-28;A;;;-52.76\n2025-02-23;B;-304.60;PLN;-76.15\n2025-02-13;C;;;10.00\n",
]


@pytest.mark.parametrize("text", OWN_AMOUNT)
def test_the_accounts_own_amount_is_taken_beside_a_foreign_one(text: str) -> None:
    assert [row[1:] for row in found(text)] == [("-52.76", "EUR"), ("-76.15", "EUR"), ("10.00", "EUR")]


def test_fees_beside_amounts_are_read_where_only_with_them_the_balances_follow() -> None:
    text = "Date,Text,Money In (ZAR),Money Out (ZAR),Fee,Balance\n2025-03-14,A,,-655.97,-6.00,338.03\n2025-03-18,B,,-44.92,,293.11\n2025-03-20,C,100.00,,,393.11\n2025-03-21,D,,-10.00,-6.00,377.11\n"
    assert [row[1] for row in found(text)] == ["-655.97", "-6.00", "-44.92", "100.00", "-10.00", "-6.00"]
    parsed = read(
        text.replace("338.03", "344.03")
        .replace("293.11", "299.11")
        .replace("393.11", "399.11")
        .replace("377.11", "389.11")
    )
    assert [f"{money(row)}" for row in parsed.rows] == ["-655.97", "-44.92", "100.00", "-10.00"]


def test_a_plus_beside_some_amounts_makes_the_others_money_out() -> None:
    text = "Tarih;Açıklama;Tutar (TL)\n30.06.2025;MARKET;457,26\n19.06.2025;ÖDEME;712,13+\n3.06.2025;OPET;34,43\n"
    assert [row[1] for row in found(text)] == ["-457.26", "712.13", "-34.43"]


def test_a_payment_beside_sales_is_one_to_the_card() -> None:
    text = "Date,Description,Type,Amount (USD)\n05/13/2024,Cafe,Sale,5.00\n05/14/2024,AUTOPAY PAYMENT - THANK YOU,Payment,100.00\n05/15/2024,Shop,Return,2.00\n"
    assert [row[1] for row in found(text)] == ["-5.00", "100.00", "2.00"]


@pytest.mark.parametrize(
    ("before", "currency"),
    [
        ("Moneda,Soles,,\n\n", "PEN"),
        ("Moneda:,Pesos argentinos,,\n\n", "ARS"),
        ("幣別：新台幣,,,\n\n", "TWD"),
        ("Account Currency,AED,,\n\n", "AED"),
    ],
)
def test_a_currency_that_is_named_in_words_is_taken(before: str, currency: str) -> None:
    rows = found(
        f"{before}Fecha,Descripción,Monto,Saldo\n27/02/2025,A,-261.89,738.11\n28/02/2025,B,-1.00,737.11\n"
    )
    assert {row[2] for row in rows} == {currency}


def test_a_yen_sign_beside_cents_is_a_yuan() -> None:
    text = "交易时间,商户,收/支,金额(元)\n2025-05-30 08:53:18,高德,支出,¥531.72\n2025-05-02 07:55:49,瑞幸,支出,¥87.88\n"
    assert {row[2] for row in found(text)} == {"CNY"}


def test_a_header_that_two_banks_share_names_the_one_whose_days_it_has() -> None:
    head = "Date,Transaction,Name,Memo,Amount\n"
    iso = read(f"{head}2025-08-12,DEBIT,TARGET,x,-26.80\n2025-08-18,CREDIT,PAYROLL,x,542.78\n")
    slashes = read(f"{head}8/12/2025,DEBIT,CANADIAN TIRE,x,-26.80\n8/18/2025,CREDIT,PAYROLL,x,542.78\n")
    assert (iso.institution, judge(iso).warnings) == ("U.S. Bank", 0)
    assert slashes.institution == ""
    assert "the file names no currency" in "\n".join(one.message for one in judge(slashes).remarks)


def test_a_period_before_the_table_settles_the_order_of_days() -> None:
    text = "Statement Period,01/11/2024 to 30/11/2024,,\n\nDate,Description,Amount (AED),Balance\n03/11/2024,A,-1.00,9.00\n05/11/2024,B,-2.00,7.00\n"
    parsed = read(text)
    assert [day(row) for row in parsed.rows] == ["2024-11-03", "2024-11-05"]
    assert judge(parsed).reconciled == "yes", said(parsed)


def test_both_balances_may_stand_on_one_line() -> None:
    text = "Saldo inicial:;2.208.220;Saldo final:;2.178.617\n\nFecha;Detalle;Cargos (CLP);Abonos (CLP)\n15/10/2025;FARMACIA;29.603;\n"
    parsed = read(text)
    assert [(f"{one.beginning}", f"{one.ending}", one.agrees) for one in parsed.balances] == [
        ("2208220", "2178617", True)
    ]


def test_decimals_that_a_program_fills_up_with_zeros_are_read() -> None:
    text = "time,type,amount,unit\n2025-04-05T07:07:43.412Z,match,-9.3900000000000000,USD\n2025-04-09T09:23:04.412Z,deposit,2273.3600000000000000,USD\n"
    assert [row[1].rstrip("0") for row in found(text)] == ["-9.39", "2273.36"]


def test_the_newest_rows_without_a_balance_may_not_be_booked() -> None:
    text = "Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\nDEBIT,04/01/2025,TARGET,-41.18,DEBIT_CARD, ,\nDEBIT,03/31/2025,COFFEE,-40.12,DEBIT_CARD,6285.34,\nCREDIT,03/30/2025,DEPOSIT,2249.70,ACH_CREDIT,6325.46,\n"
    parsed = read(text)
    assert "they may not be booked yet" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


@pytest.mark.parametrize("code", ["TRY", "COP", "PEN", "MAD", "GEL"])
def test_a_column_of_codes_that_are_also_words_names_the_currency(code: str) -> None:
    parsed = read(f"Date,Text,Amount,Currency\n13/05/2024,A,-1.00,{code}\n14/05/2024,B,2.00,{code}\n")
    assert {row.currency for row in parsed.rows} == {code}
    assert "currency" not in said(parsed)


FEE_HEAD = "Completed Date,Description,Amount,Fee,Currency,State,Balance\n"
UNREAD_FEES = [
    (f"{FEE_HEAD}2025-03-01,Coffee,-4.00,0.50,GBP,COMPLETED,95.50\n2025-03-02,Transfer,10.00,0.00,GBP,COMPLETED,105.50\n", ["-4.00", "10.00"]),
    ("Date,Description,Debit,Credit,Fee,Currency\n2025-03-01,Coffee,4.00,,0.50,GBP\n2025-03-22,Transfer,10.00,,0.50,GBP\n", ["-4.00", "-10.00"]),
    ("Date,Description,Amount,Commission,Currency\n2025-03-01,Coffee,-4.00,0.50,GBP\n2025-03-22,Pay,10.00,,GBP\n", ["-4.00", "10.00"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "amounts"), UNREAD_FEES)
def test_fees_that_are_not_read_are_said_where_nothing_shows_that_amounts_have_them(
    text: str, amounts: list[str]
) -> None:
    assert [row[1] for row in found(text)] == amounts
    assert "that is not read; it may not be part of the amount" in said(read(text))
    assert judge(read(text)).reconciled == "unknown"


READ_FEES = [
    (f"{FEE_HEAD}2025-03-01,Coffee,-4.00,0.00,GBP,COMPLETED,96.00\n2025-03-02,Transfer,-10.00,0.50,GBP,COMPLETED,85.50\n", ["-4.00", "-10.00", "-0.50"]),
    (f"{FEE_HEAD}2025-03-01,Coffee,-4.00,0.00,GBP,COMPLETED,96.00\n2025-03-02,Transfer,-10.00,0.50,GBP,COMPLETED,86.00\n", ["-4.00", "-10.00"]),
    ("Date,Description,Gross,Fee,Net,Currency\n2025-03-01,Sale,100.00,-3.20,96.80,GBP\n2025-03-22,Sale,50.00,-1.20,48.80,GBP\n", ["96.80", "48.80"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "amounts"), READ_FEES)
def test_fees_that_are_read_or_are_part_of_the_amounts_are_no_doubt(text: str, amounts: list[str]) -> None:
    assert [row[1] for row in found(text)] == amounts
    assert "may not be part of the amount" not in said(read(text))
