"""Forms that papers of many banks share: legends and marks, headings apart, previews, prices in parts, sections of other currencies."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.sheets import Sheet
from tests.statements.reading import money
from tests.statements.world.institutions.drawing import draw
from tests.statements.world.kept import kept_files
from tests.statements.world.measure import measure
from tests.statements.world.truth import Made


def read(text: str | Sheet, *, wide: bool = False) -> Parsed:
    content = draw(text, wide=wide) if isinstance(text, str) else text.pdf()
    return GenericPdf().parse(Document("s.pdf", content))


def amounts(parsed: Parsed) -> list[str]:
    return [f"{money(row)}" for row in parsed.rows]


def days(parsed: Parsed) -> list[str]:
    return [row.date for row in parsed.rows]


def said(parsed: Parsed) -> str:
    return "\n".join(remark.message for remark in judge(parsed).remarks if remark.severity == "warning")


POSTING_STAR = """
American Express  Gold Card                                Account Ending 7-31005
Closing Date 01/13/24
Previous Balance                       $100.00
New Balance                            $61.72
Minimum Payment Due                    $20.00

Payments and Credits
Detail          *Indicates posting date
Payments                                                                       Amount
01/02/24*     A MONTOYA       MOBILE PAYMENT - THANK YOU                      -$50.00

New Charges
Summary                                                                         Total
A MONTOYA 7-31005                                                              $11.72
Detail   * - denotes Pay Over Time activity
Card Ending 7-31005
                                                       Foreign Spend           Amount
12/15/23      BAKERY          SAN FRANCISCO                                     $8.72
12/20/23      BOOKS           TOKYO                       4,510                 $3.00
"""


def test_a_legend_is_no_head_and_a_star_beside_a_day_is_no_part_of_it() -> None:
    parsed = read(POSTING_STAR)
    assert amounts(parsed) == ["50.00", "-8.72", "-3.00"]
    assert (days(parsed)[0], judge(parsed).reconciled) == ("01/02/24", "yes")


MONTH_IN_THE_TITLE = """
Capital One
Here's your February 2024 bank statement.
Account Name                             Feb 1        Feb 29
360 Checking...1187                    $100.00       $115.00

360 Checking - 3600001187
DATE        DESCRIPTION                        AMOUNT        BALANCE
Feb 1       Opening Balance                                  $100.00
Feb 4       Debit Card Purchase                - $5.00        $95.00
Feb 29      Interest Paid                     + $20.00       $115.00
Feb 29      Closing Balance                                  $115.00
"""


def test_the_month_that_a_title_names_gives_the_year_and_a_list_of_days_does_not() -> None:
    parsed = read(MONTH_IN_THE_TITLE)
    assert (amounts(parsed), days(parsed)) == (["-5.00", "20.00"], ["Feb 4, 2024", "Feb 29, 2024"])
    assert judge(parsed).reconciled == "yes"


def test_a_month_in_a_title_beside_days_of_another_year_is_in_doubt() -> None:
    parsed = read(MONTH_IN_THE_TITLE + "\nNew terms apply from 1 June 2026.\n")
    assert "the statement states no period" in said(parsed)
    assert judge(parsed).reconciled == "unknown"


BESIDE = """
Orchard Bank, routing number 256074974
Statement Period: Dec 11 2024-Jan 10 2025
Beginning Balance                        100.00
Ending Balance                            60.00

Deposits
POSTING DATE      DESCRIPTION                                            AMOUNT
12/20             PAYROLL                                                 20.00
Checks Paid       No. Checks: 2      *Indicates break in serial sequence or check processed electronically
DATE      SERIAL NO.        AMOUNT        DATE      SERIAL NO.        AMOUNT
12/16     2204               10.00        12/27     2206*              50.00
"""


def test_a_heading_above_a_table_opens_its_section_whatever_stands_beside_it() -> None:
    parsed = read(BESIDE)
    assert sorted(amounts(parsed)) == ["-10.00", "-50.00", "20.00"]
    assert judge(parsed).reconciled == "yes"


def centred(*, town: str = "OSKALOOSA IA 52577", closing: str = "57.00") -> Sheet:
    made = Sheet()
    for text in ("PRAIRIE STATE BANK", f"124 S 1ST ST {town}", "W J PLOEG", town):
        made.row((50, text))
    made.row((50, "Account Number XXXXXX2207"), (300, "Statement Dates 12/15/20 thru 1/14/21"), step=16)
    made.row((50, "Previous Balance"), (230, "100.00", "right"))
    made.row((50, "Current Balance"), (230, closing, "right"), step=30)
    parts = (
        ("Deposits and Credits", (("12/31", "PENSION", "20.00"),)),
        ("Withdrawals and Debits", (("12/15", "GROCER", "39.00-"), ("12/16", "ENERGY", "6.00-"))),
    )
    for heading, rows in parts:
        made.row((158, heading))
        made.row((50, "Date"), (93, "Description"), (380, "Amount", "right"))
        for day, text, amount in rows:
            made.row((50, day), (93, text), (380, amount, "right"))
        made.y += 14
    made.row((158, "Checks in Number Order"))
    made.row(
        (50, "Date"),
        (93, "Check No"),
        (200, "Amount", "right"),
        (250, "Date"),
        (293, "Check No"),
        (400, "Amount", "right"),
    )
    made.row(
        (50, "12/16"),
        (93, "5505*"),
        (200, "11.00", "right"),
        (250, "12/25"),
        (293, "5503"),
        (400, "7.00", "right"),
    )
    return made


@pytest.mark.parametrize(
    ("made", "reconciled"),
    [(centred(), "yes"), (centred(closing="58.00"), "unknown"), (centred(town="LEEDS"), "unknown")],
)
def test_centred_headings_open_sections_and_the_current_balance_is_the_end_that_the_rows_lead_to(
    made: Sheet, reconciled: str
) -> None:
    parsed = read(made)
    assert sorted(amounts(parsed)) == ["-11.00", "-39.00", "-6.00", "-7.00", "20.00"]
    assert judge(parsed).reconciled == reconciled


ABROAD = """
Deutsche Kreditbank AG                                       Abrechnungszeitraum 23.06.2022 bis 22.07.2022
            Datum
Datum       Beleg       Angabe des Unternehmens / Verwendungszweck    Währung    Betrag    Kurs         Betrag in EUR
                        Saldo letzte Abrechnung                                                             33,80 -
24.06.22    24.06.22    Ausgleich Kreditkarte                                                               33,80 +
27.06.22    24.06.22    Laden                                                                                9,62 -
06.07.22    04.07.22    MIGROLINO                                     CHF         18,70    0,987850         18,93 -
                        Neuer Saldo                                                                         28,55 -
"""


def test_of_two_amounts_the_one_in_the_accounts_currency_counts_and_the_day_of_the_voucher_is_the_rows() -> (
    None
):
    parsed = read(ABROAD, wide=True)
    assert amounts(parsed) == ["33.80", "-9.62", "-18.93"]
    assert [(row.date, row.posted_date) for row in parsed.rows][1] == ("24.06.22", "27.06.22")
    assert judge(parsed).reconciled == "yes"


PREVIEW = """
Compte de dépôt en euros      IBAN FR76 1780 6004 4447 1902 2081 133      du 05.12.2023 au 04.01.2024
Date       Libellé des opérations                Débit                Crédit
           Ancien solde créditeur au 04.12.2023                         320,58
07.12      Carte X3874 Monoprix                    5,05
13.12      Virement Salaire                                             100,00
           Nouveau solde créditeur au 04.01.2024                        415,53

Carte n° X4471 à débit différé - Prochain prélèvement le 02.02 (pour information, non comptabilisé)
03.01      Fnac Lyon                              79,99
"""


def test_a_preview_of_deferred_card_payments_is_not_booked() -> None:
    parsed = read(PREVIEW)
    assert (amounts(parsed), judge(parsed).reconciled) == (["-5.05", "100.00"], "yes")


def test_a_balance_that_is_called_a_debtors_is_less_than_nothing() -> None:
    text = PREVIEW.split("Carte n°", maxsplit=1)[0].replace(
        "solde créditeur au 04.12", "solde débiteur au 04.12"
    )
    parsed = read(text.replace("100,00", "400,00").replace("415,53", " 74,37"))
    assert [(f"{one.beginning}", f"{one.ending}") for one in parsed.balances] == [("-320.58", "74.37")]
    assert (amounts(parsed), judge(parsed).reconciled) == (["-5.05", "400.00"], "yes")


SWEDISH = """
Kontoutdrag     Period 2023-06-01 - 2023-06-30     Valuta SEK
Radnr    Bokföringsdag    Transaktionsdag    Valutadag     Referens             Belopp          Saldo
                                                           Ingående saldo                   14 210,55
1        2023-06-05       2023-06-03         2023-06-05    APOTEKET            -187,12      14 023,43
2        2023-06-23       2023-06-23         2023-06-23    LÖN               31 488,00      45 511,43
                                                           Utgående saldo                   45 511,43
"""
FINNISH = """
Nordea      TILIOTE      Kausi 01.09.2019-30.09.2019      IBAN FI21 1045 3000 4471 90
Saldo 31.08.2019                                                  3.120,04+
Arkistointitunnus      Kirjpv    Arvopv    Selite      Taso       Määrä EUR
Kirjauspäivä 03.09.19
190935 588G 381311     0309      0309      E-lasku     721           46,83-
                                           HELEN OY
Kirjauspäivä 13.09.19
190955 588G 326036     1309      1309      Palkka      700        2.288,41+
Saldo 30.09.2019                                                  5.361,62+
"""
PORTUGUESE = """
EXTRATO DE 2023/02/01 A 2023/02/28      MOEDA: EUR      IBAN PT50 0033 0000 45471902208 05
DATA       DATA
LANC.      VALOR      DESCRITIVO                  DEBITO         CREDITO           SALDO
                      SALDO INICIAL                                             2 418.60
2.02       2.02       COMPRA                       92.05                        2 326.55
2.24       2.24       TRF DE UNIVERSIDADE                       1 644.75        3 971.30
                      SALDO FINAL                                               3 971.30
"""


@pytest.mark.parametrize(
    ("text", "found", "first"),
    [
        (SWEDISH, ["-187.12", "31488.00"], "2023-06-03"),
        (FINNISH, ["-46.83", "2288.41"], "03/09/2019"),
        (PORTUGUESE, ["-92.05", "1644.75"], "2.02.2023"),
    ],
)
def test_heads_of_more_languages_name_their_columns(text: str, found: list[str], first: str) -> None:
    parsed = read(text, wide=True)
    assert (amounts(parsed), days(parsed)[0]) == (found, first)
    assert judge(parsed).reconciled == "yes"


PARTS = """
Orchard Card statement     May 1 - May 31, 2022
Previous balance            $402.16
New balance                  $79.10
Minimum payment due          $25.00
Credit limit              $9,000.00

Payments
Date            Description                                Amount
05/28/2022      ACH Deposit Internet transfer            -$402.16

Transactions by Sunniva Achterberg
Date            Description                                Amount
05/02/2022      FRED MEYER PORTLAND                        $12.52

Orchard Card Monthly Installments
Date            Description                                Amount
12/27/2021      Online Store iPhone                       $799.00
                This month's installment: 5 of 12          $66.58
                Final installment: 12/31/2022
"""


def test_of_a_price_that_is_paid_in_parts_the_share_of_the_month_is_the_row_and_its_day_is_in_doubt() -> None:
    parsed = read(PARTS)
    assert amounts(parsed) == ["402.16", "-12.52", "-66.58"]
    assert [balance.agrees for balance in parsed.balances] == [True]
    assert (judge(parsed).reconciled, days(parsed)[-1]) == ("unknown", "05/31/2022")
    assert "no date is printed: the closing date" in said(parsed)


CURRENCIES = """
Harbour Bank Portfolio, Hong Kong
Statement of Portfolio
21 April 2021
Premier - HKD Savings
Date      Transaction Details           Deposit         Withdrawal          Balance
22 Mar    B/F BALANCE                                                        208.15
23 Mar    EBILL                                              57.36           150.79
21 Apr    C/F BALANCE                                                        150.79

Premier - Foreign Currency Savings
CCY    Date      Transaction Details           Deposit         Withdrawal          Balance
USD    22 Mar    B/F BALANCE                                                      5,210.00
       30 Mar    DIVIDEND                        41.12                            5,251.12
       21 Apr    C/F BALANCE                                                      5,251.12
"""


def test_each_section_has_the_currency_of_its_heading_or_of_its_first_row() -> None:
    parsed = read(CURRENCIES)
    assert [(f"{money(row)}", row.currency) for row in parsed.rows] == [("-57.36", "HKD"), ("41.12", "USD")]
    assert days(parsed)[0].endswith("2021")
    assert judge(parsed).reconciled == "yes"


def test_whole_pesos_with_dots_are_amounts_under_a_dollar_sign() -> None:
    made = Sheet()
    made.row((40, "Banco Austral de Chile"), (300, "01/04/2024 al 30/04/2024"), step=16)
    made.row(
        (40, "Fecha"),
        (120, "Descripcion"),
        (350, "Cargos ($)", "right"),
        (450, "Abonos ($)", "right"),
        (550, "Saldo ($)", "right"),
    )
    made.row((120, "SALDO INICIAL"), (550, "1.250.000", "right"))
    made.row((40, "02/04/2024"), (120, "MERCADO"), (350, "13.372", "right"), (550, "1.236.628", "right"))
    made.row((40, "30/04/2024"), (120, "SUELDO"), (450, "150.000", "right"), (550, "1.386.628", "right"))
    made.row((120, "SALDO FINAL"), (550, "1.386.628", "right"))
    parsed = read(made)
    assert [(row.amount, row.sign, row.currency) for row in parsed.rows] == [
        ("13.372", -1, "CLP"),
        ("150.000", 1, "CLP"),
    ]
    assert judge(parsed).reconciled == "yes"


RUPEES = """
ICICI Bank CREDIT CARD STATEMENT
STATEMENT DATE February 18, 2024      4375XXXXXXXX7005
Total Amount due                    `20.00
Minimum Amount due                   `5.00
Previous Balance                    `50.00

Date            SerNo.           Transaction Details              Amount (in `)
19/01/2024      9505125046       BPCL CHENNAI IN                          20.00
06/02/2024      9015824225       BBPS Payment received                    50.00 CR
"""


def test_a_grave_accent_is_the_sign_of_the_rupee_where_the_font_draws_it_so() -> None:
    parsed = read(RUPEES)
    assert (amounts(parsed), {row.currency for row in parsed.rows}) == (["-20.00", "50.00"], {"INR"})
    assert judge(parsed).reconciled == "yes"


def test_a_day_that_is_repeated_at_the_top_of_a_page_makes_no_day_of_a_row_doubtful() -> None:
    made = Sheet()
    made.row((40, "Orchard Bank statement, sort code 20-41-77"), step=14)
    made.row((40, "03 February 2022 to 02 March 2022"), step=20)
    head = (
        (40, "Date"),
        (100, "Description"),
        (320, "Money out £", "right"),
        (430, "Money in £", "right"),
        (540, "Balance £", "right"),
    )
    made.row(*head)
    made.row((40, "3 Feb"), (100, "Start balance"), (540, "100.00", "right"))
    made.row((40, "4 Feb"), (100, "Grocer"), (320, "5.00", "right"))
    made.row((100, "Baker"), (320, "3.00", "right"), (540, "92.00", "right"))
    made.row((40, "7 Feb"), (100, "Employer"), (430, "50.00", "right"), (540, "142.00", "right"))
    made.turn(60)
    made.row(*head)
    made.row((40, "7 Feb"), (100, "Cinema"), (320, "12.00", "right"), (540, "130.00", "right"))
    made.row((40, "2 Mar"), (100, "End balance"), (540, "130.00", "right"))
    parsed = read(made)
    assert amounts(parsed) == ["-5.00", "-3.00", "50.00", "-12.00"]
    assert (days(parsed)[1], judge(parsed).reconciled) == ("4 Feb 2022", "yes")


def test_the_language_of_a_paper_settles_that_the_day_stands_before_the_month() -> None:
    made = Sheet()
    made.row((40, "Kontoauszug"), (300, "IBAN AT61 1904 3002 3457 3201"), step=16)
    made.row((40, "Alter Kontostand"), (300, "EUR 100,00", "right"))
    made.row((40, "Neuer Kontostand per 30.04.2021"), (300, "EUR 145,00", "right"), step=20)
    made.row((40, "Datum"), (120, "Text"), (300, "Wert"), (450, "Betrag", "right"))
    made.row((40, "0304"), (120, "Kaffeehaus"), (300, "0304"), (450, "5,00-", "right"))
    made.row((40, "0504"), (120, "Gehalt"), (300, "0504"), (450, "50,00", "right"))
    parsed = read(made)
    assert (amounts(parsed), days(parsed)) == (["-5.00", "50.00"], ["03/04/2021", "05/04/2021"])
    assert {row.date_format for row in parsed.rows} == {"dmy"}
    assert judge(parsed).reconciled == "yes"


SCRIPTS = (
    "monobank, Ukraine",
    "Piraeus Bank, Greece",
    "Bank Hapoalim, Israel",
    "Bank account, Japan",
    "Garanti BBVA, Turkey",
)


@pytest.mark.parametrize(
    "made",
    [made for made in kept_files("second", "papers") if made.label.startswith(SCRIPTS)],
    ids=lambda made: made.label,
)
def test_papers_in_other_scripts_are_read_right_and_proved(made: Made) -> None:
    outcome = measure(made)
    assert (outcome.right, outcome.reconciled) == (True, "yes"), outcome
