# ruff: noqa: E501 tables stay as long as the banks write them
"""Forms of tables: two days of a row, days of spreadsheets, sums and balances among rows, several tables in one file, columns of blanks."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.interpretation import with_reconciling_signs
from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed, ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.csv.generic import with_columns
from interlock.workflows.statements.parsers.registry import bundled_parsers
from tests.statements.reading import day, money, read, said


def proved(text: str, encoding: str = "utf-8") -> list[tuple[str, str]]:
    """Day and money of the rows of a table that its own balances prove."""
    parsed = with_reconciling_signs(read(text.encode(encoding)))
    assert (parsed.errors, judge(parsed).reconciled) == ([], "yes"), judge(parsed)
    return seen(parsed)


def seen(parsed: Parsed) -> list[tuple[str, str]]:
    return [(day(row), f"{money(row)}") for row in parsed.rows]


TWO_DAYS = [
    "Valuta,Bokföringsdag,Transaktionsdag,Valutadag,Referens,Belopp,Bokfört saldo\nSEK,2024-06-26,2024-06-25,2024-06-26,Kaffe,-40.00,60.00\nSEK,2024-06-25,2024-06-24,2024-06-25,Lön,90.00,100.00\n",
    "Tilinumero;FI21 1234 5600 0007 85\nKirjauspäivä;Arvopäivä;Maksupäivä;Määrä;Saaja;Saldo\n26.06.2024;26.06.2024;25.06.2024;-40,00;Kahvi;60,00\n25.06.2024;25.06.2024;24.06.2024;90,00;Palkka;100,00\n",
    "Buchungstag;Umsatztag;Text;Umsatz in EUR;Saldo\n26.06.2024;25.06.2024;Kaffee;-40,00;60,00\n25.06.2024;24.06.2024;Lohn;90,00;100,00\n",
]  # fmt: skip


@pytest.mark.parametrize("text", TWO_DAYS)
def test_the_day_of_the_transaction_is_the_rows_and_that_of_booking_is_kept(text: str) -> None:
    assert proved(text) == [("2024-06-25", "-40.00"), ("2024-06-24", "90.00")]
    assert "26" in read(text).rows[0].posted_date


def test_a_column_of_days_that_is_often_empty_is_not_the_rows_day() -> None:
    text = "Bokföringsdag,Transaktionsdag,Text,Belopp (SEK),Saldo\n2024-06-26,,Kaffe,-40.00,60.00\n2024-06-25,2024-06-24,Lön,90.00,100.00\n"
    assert [row[0] for row in proved(text)] == ["2024-06-26", "2024-06-25"]


SERIALS = "Fecha;Descripción;Débito;Crédito;Saldo (UYU)\n45474,4375;RETIRO;40,00;;60,00\n45475,4375;SUELDO;;90,00;150,00\n45477,5;LUZ;10,00;;140,00\n"


def test_days_that_are_numbers_of_a_spreadsheet_are_read() -> None:
    assert proved(SERIALS) == [("2024-07-01", "-40.00"), ("2024-07-02", "90.00"), ("2024-07-04", "-10.00")]


@pytest.mark.parametrize("number", ["12345", "99999", "30000,5", "4547"])
def test_numbers_that_are_no_days_of_our_time_are_none(number: str) -> None:
    parsed_or_refused = SERIALS.replace("45475,4375", number)
    with pytest.raises(Exception, match="LAYOUT_MISMATCH"):
        read(parsed_or_refused)


def test_years_of_the_buddhist_era_are_read() -> None:
    text = "วันที่,รายการ,ถอนเงิน,ฝากเงิน,ยอดคงเหลือ (บาท)\n01/11/2566,ยอดยกมา,,,100.00\n13/11/2566,ชำระเงิน,40.00,,60.00\n14/11/2566,โอนเงิน,,90.00,150.00\n"
    parsed = read(text)
    assert seen(parsed) == [("2023-11-13", "-40.00"), ("2023-11-14", "90.00")]
    assert all(balance.agrees and balance.proves for balance in parsed.balances)


def test_year_month_and_day_may_stand_in_three_columns() -> None:
    text = "操作日(年),操作日(月),操作日(日),摘要,お支払金額,お預り金額,残高\n2021,12,20,家賃,300,,700\n2022,1,4,給料,,1000,1700\n2022,1,5,電気,200,,1500\n"
    assert seen(read(text.encode("cp932"))) == [
        ("2021-12-20", "-300"),
        ("2022-01-04", "1000"),
        ("2022-01-05", "-200"),
    ]


def test_cells_that_a_spreadsheet_would_calculate_are_text_with_commas_within() -> None:
    text = '交易日期,摘要,提,存,餘額,幣別\n="2025/01/21",="水費",="1,375",="",="95,463",="TWD"\n="2025/01/20",="薪資",="",="2,733",="96,838",="TWD"\n'
    assert proved(text.replace("餘額,幣別", "餘額,幣別"), "big5") == [
        ("2025-01-21", "-1375"),
        ("2025-01-20", "2733"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "العملة\tSAR\nالتاريخ\tتفاصيل\tمدين\tدائن\tالرصيد\n٢٠٢٤/٠٣/١٣\tقهوة\t٤٠٫٠٠\t\t٨٬٣٤٤٫١٠\n٢٠٢٤/٠٣/١٤\tراتب\t\t١٬٠٩٠٫٠٠\t٩٬٤٣٤٫١٠\n",
        "Currency;INR\nदिनांक;तपशील;नावे;जमा;शिल्लक\n१३/०३/२०२४;चहा;४०.००;;८,३४४.१०\n१४/०३/२०२४;पगार;;१,०९०.००;९,४३४.१०\n",
    ],
)
def test_digits_of_other_scripts_are_read(text: str) -> None:
    assert proved(text) == [("2024-03-13", "-40.00"), ("2024-03-14", "1090.00")]


SUMS = "Konto CHF\nBuchung;Text;Soll;Haben;Saldo\n01.07.2021;Saldovortrag;;;100.00\n05.07.2021;Miete;30.00;;70.00\n06.07.2021;Kaffee;5.00;;65.00\n13.07.2021;Lohn;;50.00;115.00\n{}"


@pytest.mark.parametrize("name", [";Umsatztotal", "Tổng cộng;", ";Обороти", ";"])
def test_a_line_without_a_day_that_holds_the_sums_of_the_columns_is_a_total(name: str) -> None:
    parsed = read(SUMS.format(f"{name};35.00;50.00;\n31.07.2021;Schlusssaldo;;;115.00\n"))
    assert (len(parsed.rows), parsed.errors, judge(parsed).reconciled) == (3, [], "yes")


@pytest.mark.parametrize(
    "line",
    [";Umsatztotal;36.00;50.00;", ";Umsatztotal;35.00;;", ";Bar;;50.00;165.00", "??;Kiosk;35.00;50.00;"],
)
def test_a_line_without_a_day_that_is_no_sum_of_all_columns_is_an_error(line: str) -> None:
    parsed = read(SUMS.format(line + "\n"))
    assert ([error.error_code for error in parsed.errors], judge(parsed).reconciled) == (
        ["DATE_UNPARSABLE"],
        "no",
    )


@pytest.mark.parametrize(
    ("beginning", "ending", "reconciled"),
    [
        ("100,00;H", "60,00;H", "yes"),
        ("20,00;S", "60,00;S", "yes"),
        ("20,00;H", "20,00;S", "yes"),
        ("100,00;H", "60,00;S", "no"),
    ],
)
def test_a_balance_among_rows_has_the_sign_of_the_word_beside_it(
    beginning: str, ending: str, reconciled: str
) -> None:
    text = (
        "Buchungstag;Vorgang;Währung;Umsatz;S/H\n02.12.2019;Kaffee;EUR;90,00;S\n13.12.2019;Tee;EUR;40,00;S\n14.12.2019;Lohn;EUR;90,00;H\n"
        f"02.12.2019;Anfangssaldo;EUR;{beginning}\n31.12.2019;Endsaldo;EUR;{ending}\n"
    )
    parsed = read(text)
    assert (len(parsed.rows), judge(parsed).reconciled) == (3, reconciled)


def test_balances_in_the_column_of_money_out_alone_are_as_printed() -> None:
    text = 'Cont RON\nData,Detalii,Debit,Credit\n13.10.2020,POS,"40,00",\n12.10.2020,Salariu,,"90,00"\n\nSold initial,,"10,00",\nSold final,,"60,00",\n'
    assert proved(text) == [("2020-10-13", "-40.00"), ("2020-10-12", "90.00")]


def test_a_row_without_a_day_that_calls_itself_reserved_is_not_booked() -> None:
    text = "Dato;Beskrivelse;Inn;Ut;Saldo NOK\n;Reservert: Kiosk;;-89,00;\n18.01.2024;Buss;;-40,00;60,00\n14.01.2024;Lønn;90,00;;100,00\n"
    assert proved(text) == [("2024-01-18", "-40.00"), ("2024-01-14", "90.00")]
    lost = read(text.replace(";Reservert: Kiosk", ";Kiosk"))
    assert judge(lost).reconciled == "no"


def test_sums_in_a_column_of_blocked_ones_are_not_booked() -> None:
    text = "Data;Tytuł;Kwota transakcji (waluta rachunku);Waluta;Kwota blokady;Saldo po transakcji\n13.05.2024;Kawa;;;-9,00;\n12.05.2024;Sklep;-40,00;PLN;;60,00\n11.05.2024;Pensja;90,00;PLN;;100,00\n"
    assert proved(text) == [("2024-05-12", "-40.00"), ("2024-05-11", "90.00")]


ACCOUNTS = (
    '"Umsätze Girokonto";"Zeitraum: 30 Tage";""\n"Neuer Kontostand";"60,00 EUR";""\n\n'
    '"Buchungstag";"Wertstellung";"Vorgang";"Buchungstext";"Umsatz in EUR";""\n'
    '"offen";"--";"Karte";"Kiosk";"-17,35";""\n"13.05.2022";"13.05.2022";"Lastschrift";"Strom";"-40,00";""\n'
    '"12.05.2022";"12.05.2022";"Überweisung";"Lohn";"1.090,00";""\n\n"Alter Kontostand";"-990,00 EUR";""\n\n\n'
    '"{}";"Zeitraum: 30 Tage";""\n"Neuer Kontostand";"-15,00 EUR";""\n\n'
    '"Buchungstag";"Umsatztag";"Vorgang";"Referenz";"Buchungstext";"Umsatz in EUR";""\n'
    '"14.05.2022";"12.05.2022";"Visa";"3624304078";"Musik";"-9,99";""\n"07.05.2022";"05.05.2022";"Visa";"21918";"Buch";"-5,01";""\n\n'
    '"Alter Kontostand";"0,00 EUR";""\n'
)


def test_several_tables_in_one_file_are_read_each_by_its_own_header() -> None:
    parsed = read(ACCOUNTS.format("Umsätze Visa-Karte").encode("cp1252"))
    assert seen(parsed) == [
        ("2022-05-13", "-40.00"),
        ("2022-05-12", "1090.00"),
        ("2022-05-12", "-9.99"),
        ("2022-05-05", "-5.01"),
    ]
    assert [row.account for row in parsed.rows] == [
        *["Umsätze Girokonto"] * 2,
        *["Umsätze Visa Karte"] * 2,
    ]
    assert [row.row_id for row in parsed.rows] == sorted({row.row_id for row in parsed.rows})
    assert [(balance.beginning, balance.ending) for balance in parsed.balances] == [(-990, 60), (0, -15)]
    assert judge(parsed).reconciled == "yes"


def test_a_row_that_is_lost_in_a_later_table_is_missed() -> None:
    text = ACCOUNTS.format("Umsätze Visa-Karte")
    parsed = read(text.replace('"07.05.2022";"05.05.2022";"Visa";"21918";"Buch";"-5,01";""\n', ""))
    assert judge(parsed).reconciled == "no"


def test_an_error_in_a_later_table_names_its_line() -> None:
    text = ACCOUNTS.format("Umsätze Visa-Karte").replace('"-5,01"', '"-5,0x1"')
    parsed = read(text)
    line = text[: text.index('"-5,0x1"')].count("\n") + 1
    assert [error.message for error in parsed.errors] == [f"line {line}: '-5,0x1' is not an amount"]
    assert judge(parsed).reconciled == "no"


@pytest.mark.parametrize(
    ("title", "why"),
    [
        ("Künftige Umsätze", "not booked"),
        ("Vorgemerkte Umsätze", "not booked"),
        ("Salden der Sparpläne", "balances"),
    ],
)
def test_a_table_of_what_is_not_booked_is_left_out_and_said(title: str, why: str) -> None:
    parsed = read(ACCOUNTS.format(title))
    assert seen(parsed) == [("2022-05-13", "-40.00"), ("2022-05-12", "1090.00")]
    assert (
        judge(parsed).reconciled,
        f"skipped: a table of {'what is ' * (why == 'not booked')}{why}" in said(parsed),
    ) == ("yes", True)


@pytest.mark.parametrize("title", ["Conto Futuro", "Saldo", "Reserve"])
def test_an_account_whose_name_may_be_one_of_what_is_not_booked_is_not_left_out_in_silence(
    title: str,
) -> None:
    parsed = with_reconciling_signs(read(ACCOUNTS.format(title)))
    assert len(parsed.rows) == 4 or judge(parsed).reconciled == "unknown"


def test_a_row_that_has_a_blocked_sum_beside_its_own_amount_is_booked() -> None:
    rows = "".join(f"{day:02d}.05.2024;Sklep;-40,00;PLN;\n" for day in range(1, 29)) * 3
    text = f"Data;Tytuł;Kwota transakcji;Waluta;Kwota blokady\n01.05.2024;Kawa;;;-9,00\n{rows}28.05.2024;Stacja;-5,00;PLN;-9,00\n"
    assert [row[1] for row in seen(read(text))] == [*["-40.00"] * 84, "-5.00"]


def test_a_small_table_of_both_balances_below_is_no_row_and_proves_the_rows() -> None:
    text = "Fecha,Referencia,Descripción,Débito,Crédito\n13/10/2022,1,LUZ,40.00,\n14/10/2022,2,SUELDO,,90.00\n\nResumen CRC\nSaldo Inicial,Total Débitos,Total Créditos,Otros,Saldo Final\n10.00,40.00,90.00,0.00,60.00\n"
    parsed = read("Moneda: CRC\n" + text)
    assert (parsed.errors, len(parsed.rows), judge(parsed).reconciled) == ([], 2, "yes")
    wrong = read("Moneda: CRC\n" + text.replace("0.00,60.00\n", "0.00,61.00\n"))
    assert judge(wrong).reconciled == "no"


def test_a_column_for_each_currency_gives_each_row_its_own() -> None:
    text = "თარიღი,დანიშნულება,GEL,USD,EUR\n31/10/2022,SPAR,-13.21,,\n27/10/2022,TELASI,,-72.48,\n24/10/2022,Salary,,,90.00\n"
    parsed = read(text)
    assert [(f"{money(row)}", row.currency) for row in parsed.rows] == [
        ("-13.21", "GEL"),
        ("-72.48", "USD"),
        ("90.00", "EUR"),
    ]
    assert judge(parsed).reconciled == "unknown"


def test_what_a_shop_asked_for_is_not_the_amount_beside_debit_and_credit() -> None:
    text = "sep=,\nEinkaufsdatum,Buchungstext,Betrag,Originalwährung,Währung,Belastung,Gutschrift,Buchung\n24.06.2024,KINO,18.90,CHF,CHF,18.90,,25.06.2024\n25.06.2024,HOTEL,612.66,EUR,CHF,594.28,,27.06.2024\n26.06.2024,IHRE ZAHLUNG,1'564.24,CHF,CHF,,1'564.24,28.06.2024\n"
    parsed = read(text)
    assert [(f"{money(row)}", row.currency) for row in parsed.rows] == [
        ("-18.90", "CHF"),
        ("-594.28", "CHF"),
        ("1564.24", "CHF"),
    ]


@pytest.mark.parametrize(
    "above", ["Carta;Nexi Classic **** 9011", "Kreditkarte;XXXX 1234", "Kart No;4543 **** **** 7719"]
)
def test_positive_amounts_under_the_name_of_a_card_are_money_out_and_in_doubt(above: str) -> None:
    text = f"{above}\nValuta;EUR\nData operazione;Descrizione;Importo in Euro\n13/04/2024;BAR;4,67\n14/04/2024;LIDL;11,26\n15/04/2024;IMPOSTA;2,00\n"
    parsed = read(text)
    assert [row[1] for row in seen(parsed)] == ["-4.67", "-11.26", "-2.00"]
    assert (parsed.account_type, judge(parsed).reconciled) == ("credit_card", "unknown")
    assert "the file names a card" in said(parsed)


def test_a_fee_that_is_not_read_is_said_where_no_balance_shows_whether_the_amount_holds_it() -> None:
    text = "Datum provedení;Měna účtu;Částka v měně účtu;Poplatek v měně účtu;Název protistrany\n13/04/2025;CZK;-100,00;-25,00;Bankomat\n14/04/2025;CZK;90,00;0,00;Mzda\n"
    parsed = read(text)
    assert {row.currency for row in parsed.rows} == {"CZK"}
    assert (judge(parsed).reconciled, "is not read" in said(parsed)) == ("unknown", True)
    assert "is not read" not in said(read(text.replace("-25,00", "0,00")))


def test_words_for_in_and_out_decide_although_sums_below_have_others() -> None:
    text = "Datum;Art;Kategorie;Betrag;Währung\n12.12.22;Aus;Miete;780,00;€\n13.12.22;Ein;Markt;14,66;€\n13.12.22;Aus;Kiosk;1,00;€\n\n;Summe Ein;;14,66;€\n;Summe Aus;;781,00;€\n"
    parsed = read(text)
    assert [(f"{money(row)}", row.currency) for row in parsed.rows] == [
        ("-780.00", "EUR"),
        ("14.66", "EUR"),
        ("-1.00", "EUR"),
    ]


def test_what_counts_as_neither_in_nor_out_is_taken_as_money_in_and_said() -> None:
    text = "交易时间,交易对方,收/支,金额,交易状态\n2023-05-16 16:00:24,转账,收入,850.00,交易成功\n2023-05-15 15:52:53,话费,支出,107.33,交易成功\n2023-05-14 14:26:15,退款,不计收支,59.90,退款成功\n2023-05-13 14:26:15,优衣库,不计收支,199.00,交易关闭\n"
    parsed = read(text.encode("gb18030"))
    assert [row[1] for row in seen(parsed)] == ["850.00", "-107.33", "59.90"]
    assert (judge(parsed).reconciled, "不计收支 are taken as money in" in said(parsed)) == ("unknown", True)


@pytest.mark.parametrize("sign", ["₸", "₾"])
def test_a_sign_that_only_one_currency_has_names_it(sign: str) -> None:
    text = (
        f"Дата\tСумма\tДетали\n15.05.23\t- 6 605,35 {sign}\tСвет\n13.05.23\t+ 7 500,00 {sign}\tПополнение\n"
    )
    assert {row.currency for row in read(text).rows} == {{"₸": "KZT", "₾": "GEL"}[sign]}


@pytest.mark.parametrize(
    ("words", "code"), [("DEVISE : DIRHAM (MAD)", "MAD"), ("恆生銀行 港元儲蓄 123", "HKD")]
)
def test_a_currency_in_brackets_or_in_the_name_of_the_account_is_the_tables(words: str, code: str) -> None:
    text = f"{words}\nDATE;LIBELLE;DEBIT;CREDIT;SOLDE\n13/10/2023;CAFE;40,00;;60,00\n14/10/2023;SALAIRE;;90,00;150,00\n"
    assert {row.currency for row in read(text).rows} == {code}


def test_early_days_under_names_of_a_language_of_day_first_are_not_read_month_first() -> None:
    text = "Fecha Posteo,Descripción Corta,Monto Transacción,Balance,Descripción\n05/04/2021,Débito,40.00,60.00,LUZ\n06/04/2021,Crédito,90.00,150.00,SUELDO\n"
    parsed = read(text)
    assert [row[0] for row in seen(parsed)] == ["2021-04-05", "2021-04-06"]
    assert judge(parsed).reconciled == "unknown"


BLANKS = """\
NATIONAL BANK
ACCOUNT 354-123-456   JMD   20/02/2023 TO 31/03/2023

DATE        DESCRIPTION                 WITHDRAWALS     DEPOSITS        BALANCE
-------------------------------------------------------------------------------
20/02/2023  BALANCE FORWARD                                            1,000.00
20/02/2023  TOP UP                           570.00                      430.00
22/02/2023  PAYROLL WHARF                              59,770.48      60,200.48
            REF 0012345 KINGSTON
24/02/2023  POS MANOR PARK 84              2,610.78                   57,589.70
            SUB-TOTAL FEBRUARY             3,180.78    59,770.48

            CLOSING BALANCE                                           57,589.70
"""


def test_a_table_whose_columns_blanks_part_is_read_and_proved() -> None:
    assert proved(BLANKS) == [
        ("2023-02-20", "-570.00"),
        ("2023-02-22", "59770.48"),
        ("2023-02-24", "-2610.78"),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("24/02/2023  POS MANOR PARK 84              2,610.78                   57,589.70\n", ""),
        (
            "PAYROLL WHARF                              59,770.48 ",
            "PAYROLL WHARF               59,770.48                ",
        ),
        ("TOP UP                           570.00", "TOP UP                           510.00"),
    ],
)
def test_a_table_of_blanks_that_was_changed_is_not_proved(old: str, new: str) -> None:
    assert old in BLANKS
    try:
        reconciled = judge(read(BLANKS.replace(old, new))).reconciled
    except ParseFault as fault:
        reconciled = fault.code
    assert reconciled in ("no", "unknown", "LAYOUT_MISMATCH")


def test_a_line_of_a_period_and_a_sum_is_no_row_of_a_table_of_blanks() -> None:
    text = """\
    Date        Num    Description                     Clr         Amount

    BALANCE 10/4/2020                                            2,210.40
    10/15/2020         Chevron                         R           -52.14
    10/16/2020         Landlord                        R        -1,800.00
    10/19/2020         Refund                          R            70.00
    10/4/2020 - 10/30/2020                                      -1,782.14
"""
    parsed = read(text)
    assert [row[1] for row in seen(parsed)] == ["-52.14", "-1800.00", "70.00"]
    assert judge(parsed).reconciled == "unknown"


def test_columns_that_a_person_names_are_those_of_the_first_of_several_tables() -> None:
    document = Document("a.csv", ACCOUNTS.format("Umsätze Visa-Karte").encode())
    plain = bundled_parsers().parse(document)
    other = with_columns(document, {"description": "Vorgang"}, plain)
    assert (seen(other), other.errors) == (seen(plain), [])
    assert [row.description for row in other.rows[:2]] == ["Lastschrift", "Überweisung"]
