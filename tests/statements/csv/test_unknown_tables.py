"""A table of a bank that nobody described: delimiter, header, columns, decimal mark, order of dates and sign are found in the file."""
# ruff: noqa: E501 (a bank's header is as long as it is)

from __future__ import annotations

import pytest

from ..reading import agrees, read, rows, said

GERMAN = """\
"Kontonummer:";"DE12500105170648489890 / Girokonto";

"Kontostand vom 31.01.2024:";"1.234,56 EUR";

"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";
"31.01.2024";"31.01.2024";"Lastschrift";"Stadtwerke";"Abschlag Januar";"DE89";"XX";"-1.060,00";
"02.01.2024";"03.01.2024";"Gutschrift";"Firma & Söhne";"Gehalt";"DE90";"XX";"2.500,00";
"""
FRENCH = "Date;Libellé;Débit euros;Crédit euros;\n13/02/2024;CARTE CARREFOUR;-12,50;;\n14/02/2024;VIREMENT SALAIRE;;1 900,00;\n"
DUTCH = (
    '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)","Mutatiesoort","Mededelingen"\n'
    '"20240213","ALBERT HEIJN","NL90INGB0001234567","","BA","Af","23,45","Betaalautomaat","Pas 1"\n'
    '"20240214","J. DOE","NL90INGB0001234567","NL91","GT","Bij","500,00","Online","Lunch"\n'
)
BRITISH = "Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)\n13/04/2024,Cafe,CARD,DEBIT,-60.00,940.00\n14/04/2024,Employer,PAY,CREDIT,1000.00,1940.00\n"
PAID = "Date,Transaction,Paid in,Paid out,Balance\n13 Apr 2024,Cafe,,60.00,940.00\n14 Apr 2024,Employer,1000.00,,1940.00\n"
MINT = (
    "Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes\n"
    "1/15/2024,Amazon,AMAZON.COM,42.50,debit,Shopping,Checking,,\n1/16/2024,Payroll,ACME INC,42.50,credit,Income,Checking,,\n"
)
ALLY = 'Date, Time, Amount, Type, Description\n2024-01-15,10:00:00,-$5.00,Withdrawal,Coffee\n2024-01-16,10:00:00,"$1,500.00",Deposit,Payroll\n'
PIPES = "Posting Date|Narrative|Withdrawals|Deposits|Closing Balance\n2024-01-15|Coffee|5.00|0.00|95.00\n2024-01-16|Payroll|0.00|100.00|195.00\n"


@pytest.mark.parametrize(
    ("text", "expected", "currency", "account"),
    [
        (
            GERMAN,
            [
                ("2024-01-31", "Lastschrift Stadtwerke Abschlag Januar", "-1060.00"),
                ("2024-01-02", "Gutschrift Firma & Söhne Gehalt", "2500.00"),
            ],
            "EUR",
            "DE12500105170648489890",
        ),
        (
            FRENCH,
            [("2024-02-13", "CARTE CARREFOUR", "-12.50"), ("2024-02-14", "VIREMENT SALAIRE", "1900.00")],
            "EUR",
            "",
        ),
        (
            DUTCH,
            [("2024-02-13", "ALBERT HEIJN Pas 1", "-23.45"), ("2024-02-14", "J. DOE Lunch", "500.00")],
            "EUR",
            "",
        ),
        (
            BRITISH,
            [("2024-04-13", "Cafe CARD", "-60.00"), ("2024-04-14", "Employer PAY", "1000.00")],
            "GBP",
            "",
        ),
        (PAID, [("2024-04-13", "Cafe", "-60.00"), ("2024-04-14", "Employer", "1000.00")], "GBP", ""),
        (
            MINT,
            [("2024-01-15", "Amazon AMAZON.COM", "-42.50"), ("2024-01-16", "Payroll ACME INC", "42.50")],
            "USD",
            "Checking",
        ),
        (ALLY, [("2024-01-15", "Coffee", "-5.00"), ("2024-01-16", "Payroll", "1500.00")], "USD", ""),
        (PIPES, [("2024-01-15", "Coffee", "-5.00"), ("2024-01-16", "Payroll", "100.00")], "USD", ""),
    ],
    ids=["german", "french", "dutch", "british", "paid in and out", "mint", "ally", "pipes"],
)
def test_a_table_in_any_of_these_ways_is_read(
    text: str, expected: list[tuple[str, str, str]], currency: str, account: str
) -> None:
    parsed = read(text)
    assert (parsed.source_type, parsed.errors) == ("csv", [])
    assert rows(parsed) == expected
    assert {(row.currency, row.account) for row in parsed.rows} == {(currency, account)}
    assert all(agrees(parsed))


def test_the_same_table_in_latin_1_and_utf_16_reads_the_same() -> None:
    assert rows(read(GERMAN.encode("cp1252"))) == rows(read(GERMAN.encode("utf-16"))) == rows(read(GERMAN))


def test_a_table_without_header_is_read_by_what_its_columns_hold() -> None:
    parsed = read(
        '02/04/2024,-60.00,"INVENTED CAFE",940.00\n09/04/2024,-60.00,"INVENTED GROCER",880.00\n24/04/2024,1000.00,"EMPLOYER",1880.00\n'
    )
    assert rows(parsed) == [
        ("2024-04-02", "INVENTED CAFE", "-60.00"),
        ("2024-04-09", "INVENTED GROCER", "-60.00"),
        ("2024-04-24", "EMPLOYER", "1000.00"),
    ]
    assert agrees(parsed) == [True]


def test_the_running_balance_gives_amounts_without_sign_their_direction() -> None:
    parsed = read(
        "Date,Description,Amount,Balance\n01/13/2024,Payroll deposit,100.00,1100.00\n01/14/2024,Shop,50.00,1050.00\n01/15/2024,Other,25.00,1075.00\n"
    )
    assert [money for _, _, money in rows(parsed)] == ["100.00", "-50.00", "25.00"]
    assert agrees(parsed) == [True]


def test_the_running_balance_turns_a_sign_that_is_printed_the_other_way() -> None:
    parsed = read(
        "Date,Description,Amount,Balance\n01/13/2024,A,-100.00,1100.00\n01/14/2024,B,50.00,1050.00\n01/15/2024,C,-25.00,1075.00\n"
    )
    assert [money for _, _, money in rows(parsed)] == ["100.00", "-50.00", "25.00"]


def test_income_below_it_does_not_tell_which_way_the_oldest_row_went() -> None:
    head, wages = "Date,Description,Amount,Balance\n", "01/14/2024,Payroll,50.00,1050.00\n"
    tram, interest = "01/13/2024,City tram,100.00,1000.00\n", "01/13/2024,Interest credit,100.00,1000.00\n"
    ends = "Opening balance,,900.00,\nClosing balance,,1050.00,\n"
    doubted = {
        table: any("which way" in remark.message for remark in read(table).assumptions)
        for table in (
            head + tram + wages,
            head + wages + tram,
            head + interest + wages,
            ends + head + tram + wages,
        )
    }
    assert list(doubted.values()) == [True, True, False, False]


def test_the_newest_row_may_be_first() -> None:
    parsed = read(
        "Date,Description,Amount,Balance\n01/15/2024,C,25.00,1075.00\n01/14/2024,B,-50.00,1050.00\n01/13/2024,A,100.00,1100.00\n"
    )
    assert agrees(parsed) == [True]
    assert "does not follow" not in said(parsed)


def test_rows_of_one_day_in_another_order_than_booked_still_add_up() -> None:
    parsed = read(
        "Date,Description,Amount,Balance\n01/13/2024,A,100.00,1100.00\n01/14/2024,C,-25.00,1025.00\n01/14/2024,B,-50.00,1050.00\n01/15/2024,D,1.00,1026.00\n"
    )
    assert agrees(parsed) == [True]
    assert "does not follow" not in said(parsed)


def test_footers_totals_and_balances_are_skipped_and_counted() -> None:
    parsed = read(
        "Date,Description,Amount\n01/13/2024,Opening balance,500.00\n01/13/2024,TOTAL WINE & MORE,-30.00\n01/14/2024,NEW BALANCE STORE 12,-90.00\n"
        "Total,,-120.00\n\nExported by the bank on request.\n"
    )
    assert [description for _, description, _ in rows(parsed)] == [
        "TOTAL WINE & MORE",
        "NEW BALANCE STORE 12",
    ]
    assert (parsed.rows_skipped, parsed.errors) == (3, [])


def test_what_had_to_be_assumed_is_said() -> None:
    assert "no currency; USD is assumed" in said(read("Date,Description,Amount\n2024-01-02,A,-1.00\n"))
    assert "day and month cannot be told apart" in said(read("Date,Description,Amount\n01/02/2024,A,-1.00\n"))


def test_the_order_of_the_rows_tells_day_and_month_apart() -> None:
    parsed = read(
        "Date,Description,Amount\n01/02/2024,A,-1.00\n05/02/2024,B,-1.00\n09/02/2024,C,-1.00\n02/03/2024,D,-1.00\n"
    )
    assert [day for day, _, _ in rows(parsed)] == ["2024-02-01", "2024-02-05", "2024-02-09", "2024-03-02"]


def test_excel_says_its_delimiter_in_the_first_line() -> None:
    assert rows(read("sep=;\nDate;Description;Amount\n2024-01-02;A, B;-1.00\n")) == [
        ("2024-01-02", "A, B", "-1.00")
    ]


def test_credits_marked_cr_leave_the_rest_as_money_out() -> None:
    parsed = read("Date,Details,Amount\n13/01/2024,Shop,50.00\n14/01/2024,Payment received,200.00 CR\n")
    assert [money for _, _, money in rows(parsed)] == ["-50.00", "200.00"]


def test_a_header_without_rows_is_empty_success_with_a_warning() -> None:
    for text in ("Date,Description,Amount\n", "Date,Description,Amount,Running Bal.\n"):
        parsed = read(text)
        assert (parsed.rows, parsed.errors) == ([], [])
        assert "no transactions" in said(parsed)


SCHWAB = (
    '"Transactions  for Checking account XXXX-1234 as of 02/01/2024 10:00:00 ET"\n"Date","Status","Type","CheckNumber","Description","Withdrawal","Deposit","RunningBalance"\n'
    '"01/31/2024","Posted","INTADJUST","","Interest Paid","","$0.17","$1,000.17"\n"01/15/2024","Posted","VISA","","CAFE","$12.00","","$1,000.00"\n'
    '"01/15/2024","Pending","VISA","","HOTEL","$99.00","",""\n'
)
US_BANK = '"Date","Transaction","Name","Memo","Amount"\n"2024-01-15","DEBIT","CAFE","24137463; 05814","-12.00"\n"2024-01-16","CREDIT","ACME","Payroll","100.00"\n'
TD_CANADA = (
    "01/15/2024,CAFE,12.00,,988.00\n01/16/2024,PAYROLL,,100.00,1088.00\n01/17/2024,RENT,500.00,,588.00\n"
)
BOURSORAMA = (
    "dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;accountLabel;accountbalance\n"
    '2024-01-15;2024-01-15;"CARTE 14/01 CAFE CB*1234";Cafes;Loisirs;cafe;-12,00;;00040;BoursoBank;1000,00\n'
    '2024-01-16;2024-01-16;"VIR SALAIRE";Salaires;Revenus;acme;"1 900,00";;00040;BoursoBank;1000,00\n'
)
SPARKASSE = (
    '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"Betrag";"Waehrung";"Info"\n'
    '"DE11";"31.01.24";"31.01.24";"FOLGELASTSCHRIFT";"Strom";"Stadtwerke";"DE89";"-60,00";"EUR";"Umsatz gebucht"\n'
    '"DE11";"31.01.24";"31.01.24";"KARTENZAHLUNG";"Cafe";"Cafe";"DE90";"-3,00";"EUR";"Umsatz vorgemerkt"\n'
)
COMDIRECT = (
    '"Umsätze Girokonto";"Zeitraum: 30 Tage";\n"Neuer Kontostand";"1.000,00 EUR";\n\n"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";\n'
    '"offen";"--";"Kartenverfügung";"Hotel";"-99,00";\n"31.01.2024";"31.01.2024";"Lastschrift";"Auftraggeber: Stadtwerke";"-60,00";\n"Alter Kontostand";"1.060,00 EUR";\n'
)
HDFC = 'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance\n13/01/24,UPI-CAFE,0000412,13/01/24,12.00,,"1,00,988.00"\n14/01/24,NEFT ACME,0000413,14/01/24,,100.00,"1,01,088.00"\n'
BMO = (
    "Following data is valid as of 20240131100000 (Year/Month/Day/Hour/Minute/Second)\n\nItem #,Card #,Transaction Date,Posting Date,Transaction Amount,Description\n"
    "1,'5191230123456789',20240115,20240116,12.00,CAFE\n2,'5191230123456789',20240117,20240117,-500.00,TRSF FROM/DE ACCT PAYMENT RECEIVED\n3,'5191230123456789',20240118,20240118,9.00,BOOKS\n"
)
NUBANK = "date,title,amount\n2024-01-15,Cafe,12.00\n2024-01-16,Livraria,30.00\n2024-01-17,Pagamento recebido,-42.00\n"


@pytest.mark.parametrize(
    ("text", "expected", "skipped"),
    [
        (SCHWAB, [("2024-01-31", "Interest Paid", "0.17"), ("2024-01-15", "CAFE", "-12.00")], 1),
        (
            US_BANK,
            [("2024-01-15", "CAFE 24137463; 05814", "-12.00"), ("2024-01-16", "ACME Payroll", "100.00")],
            0,
        ),
        (
            TD_CANADA,
            [
                ("2024-01-15", "CAFE", "-12.00"),
                ("2024-01-16", "PAYROLL", "100.00"),
                ("2024-01-17", "RENT", "-500.00"),
            ],
            0,
        ),
        (
            BOURSORAMA,
            [("2024-01-15", "CARTE 14/01 CAFE CB*1234", "-12.00"), ("2024-01-16", "VIR SALAIRE", "1900.00")],
            0,
        ),
        (SPARKASSE, [("2024-01-31", "FOLGELASTSCHRIFT Strom Stadtwerke", "-60.00")], 1),
        (COMDIRECT, [("2024-01-31", "Auftraggeber: Stadtwerke", "-60.00")], 3),
        (HDFC, [("2024-01-13", "UPI-CAFE", "-12.00"), ("2024-01-14", "NEFT ACME", "100.00")], 0),
        (
            BMO,
            [
                ("2024-01-15", "CAFE", "-12.00"),
                ("2024-01-17", "TRSF FROM/DE ACCT PAYMENT RECEIVED", "500.00"),
                ("2024-01-18", "BOOKS", "-9.00"),
            ],
            0,
        ),
        (
            NUBANK,
            [
                ("2024-01-15", "Cafe", "-12.00"),
                ("2024-01-16", "Livraria", "-30.00"),
                ("2024-01-17", "Pagamento recebido", "42.00"),
            ],
            0,
        ),
    ],
    ids=["schwab", "us bank", "td canada", "boursorama", "sparkasse", "comdirect", "hdfc", "bmo", "nubank"],
)
def test_tables_of_the_world_are_read(text: str, expected: list[tuple[str, str, str]], skipped: int) -> None:
    parsed = read(text)
    assert rows(parsed) == expected
    assert (parsed.errors, parsed.rows_skipped) == ([], skipped)
    assert all(agrees(parsed))


def test_a_column_called_transaction_describes_unless_it_says_only_which_way() -> None:
    assert (
        rows(
            read(
                "Date,Transaction,Note,Amount\n2024-01-15,Card payment,CAFE,-12.00\n2024-01-16,Transfer,ACME,1.00\n"
            )
        )[0][1]
        == "Card payment CAFE"
    )


def test_a_table_without_header_and_star_is_not_wells_fargos() -> None:
    assert read("01/15/2024,-12.00,CAFE,988.00,x\n01/16/2024,100.00,ACME,1088.00,y\n").source_type == "csv"


def test_income_that_is_negative_beside_positive_charges_turns_the_signs_and_is_said() -> None:
    parsed = read(
        "Date,Details,Amount,Currency\n2024-01-02,Cafe,6.45,USD\n2024-01-03,ACME PAYROLL,-2417.33,USD\n2024-01-20,Fuel,48.02,USD\n"
    )
    assert [money for _, _, money in rows(parsed)] == ["-6.45", "2417.33", "-48.02"]
    assert "what is called income is negative" in said(parsed)


def test_a_debit_beside_a_credit_in_one_row_is_said() -> None:
    parsed = read(
        "Status,Date,Description,Debit,Credit\nCleared,01/15/2024,AIR,1,134.99,\nCleared,01/16/2024,CAFE,5.00,\n"
    )
    assert "a debit and a credit" in said(parsed)


def test_states_that_are_not_known_are_said_and_those_of_nothing_that_happened_are_skipped() -> None:
    head = "Date,Description,Amount,Status,Currency\n"
    lines = "".join(
        f"2024-01-{day},Shop {day},-{day}.00,{state},USD\n"
        for day, state in ((11, "Posted"), (12, "Rejected"), (13, "Voided"), (14, "In limbo"))
    )
    parsed = read(head + lines)
    assert [day for day, _, _ in rows(parsed)] == ["2024-01-11", "2024-01-14"]
    assert "rows with the state In limbo are taken as booked" in said(parsed)


def test_days_and_months_that_changed_places_are_the_less_likely_order() -> None:
    lines = "".join(f"0{day}/01/2024,Shop,-1.00\n" for day in (2, 5, 5, 8))
    parsed = read("Date,Description,Amount\n" + lines)
    assert [day for day, _, _ in rows(parsed)] == ["2024-01-02", "2024-01-05", "2024-01-05", "2024-01-08"]
    assert "day and month cannot be told apart" in said(parsed)


def test_the_name_of_a_file_makes_a_currency_likely_and_proves_nothing() -> None:
    parsed = read("Date,Description,Amount\n2024-01-15,Shop,-1.00\n", name="cibc-january.csv")
    assert [row.currency for row in parsed.rows] == ["CAD"]
    assert "CAD is assumed, for its name is that of CIBC" in said(parsed)


def test_a_table_of_a_card_whose_balance_is_owed_is_in_doubt_and_that_of_a_card() -> None:
    parsed = read(
        "Date,Merchant,Amount,Balance,Currency\n2024-01-02,Cafe,6.00,506.00,USD\n2024-01-03,PAYMENT THANK YOU,-500.00,6.00,USD\n"
        "2024-01-20,Fuel,48.00,54.00,USD\n"
    )
    assert [money for _, _, money in rows(parsed)] == ["-6.00", "500.00", "-48.00"]
    assert (parsed.account_type, parsed.balances) == ("credit_card", [])
    assert "the balance as what is owed" in said(parsed)


def test_transactions_of_labelled_lines_are_read_like_a_table() -> None:
    record = "Date:\u00a0{}\nDescription:\u00a0{}\nAmount:\u00a0{} \nBalance:\u00a0{} \n\n"
    text = "From: 01/01/2024 to 31/01/2024\n\nAccount: XXXX XXXX XXXX 1234\n\n" + "".join(
        record.format(*one)
        for one in (
            ("31/01/2024", "CARD PAYMENT TO CAFE", "-5.00", "1,095.00"),
            ("15/01/2024", "SALARY: ACME", "1,000.00", "1,100.00"),
            ("02/01/2024", "SHOP", "-20.00", "100.00"),
        )
    )
    parsed = read(text.encode("cp1252"), name="Statements.txt")
    assert rows(parsed) == [
        ("2024-01-31", "CARD PAYMENT TO CAFE", "-5.00"),
        ("2024-01-15", "SALARY: ACME", "1000.00"),
        ("2024-01-02", "SHOP", "-20.00"),
    ]
    assert agrees(parsed) == [True]
    assert "GBP is assumed" in said(parsed)
