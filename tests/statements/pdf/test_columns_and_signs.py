"""Which column moves the money, whose the balances are, where signs stand, and the currency of each account."""

from __future__ import annotations

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import ObservedRow, Parsed
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.currency_words import code_in, named_currency
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.sheets import Sheet

KOREAN, JAPANESE = "HYSMyeongJo-Medium", "HeiseiMin-W3"
Line = tuple[str, ...]


def sheet(
    titles: tuple[str, ...],
    places: tuple[float, ...],
    *lines: Line,
    left: tuple[int, ...] = (0, 1),
    font: str = "",
) -> Sheet:
    """Titles, and lines whose cells stand at the places: those of the columns `left` begin there, the others end there."""
    if font and font not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(font))
    made = Sheet()
    for title in titles:
        made.put(40, title, font=font)
        made.y += 14
    made.y += 12
    for line in lines:
        for number, (place, text) in enumerate(zip(places, line, strict=False)):
            if text:
                made.put(place, text, "left" if number in left else "right", font=font)
        made.y += 12
    return made


def read(made: Sheet) -> Parsed:
    return GenericPdf().parse(Document("s.pdf", made.pdf()))


def amounts(parsed: Parsed) -> list[str]:
    return [signed(row) for row in parsed.rows]


def signed(row: ObservedRow) -> str:
    """The amount as printed, with a minus where the row's sign turns it."""
    return ("-" if row.sign < 0 else "") + row.amount


def verdict(parsed: Parsed) -> str:
    return judge(parsed).reconciled


def warnings(parsed: Parsed) -> str:
    return "\n".join(remark.message for remark in judge(parsed).remarks if remark.severity == "warning")


LOAN = ("Orchard Bank", "Home Loan Statement", "1 April 2024 - 30 April 2024", "Amounts in GBP")
FLOWS = (40.0, 120.0, 380.0, 450.0, 540.0)
OWED = (
    ("Date", "Description", "Debit", "Credit", "Loan Balance"),
    ("01/04/2024", "Opening Balance", "", "", "9,000.00"),
    ("03/04/2024", "Repayment", "", "500.00", "8,500.00"),
    ("14/04/2024", "Interest charged", "40.00", "", "8,540.00"),
    ("25/04/2024", "Account fee", "8.00", "", "8,548.00"),
    ("30/04/2024", "Closing Balance", "", "", "8,548.00"),
)


def test_the_balance_of_a_loan_is_what_is_owed() -> None:
    parsed = read(sheet(LOAN, FLOWS, *OWED))
    assert (amounts(parsed), verdict(parsed)) == (["500.00", "-40.00", "-8.00"], "yes")
    assert parsed.balances[0].ending < 0


def test_a_loan_of_repayments_alone_is_read_by_its_names_and_words() -> None:
    lines = (*OWED[:3], ("30/04/2024", "Closing Balance", "", "", "8,500.00"))
    parsed = read(sheet((*LOAN, "Interest charged and repayments"), FLOWS, *lines))
    assert (amounts(parsed), verdict(parsed)) == (["500.00"], "yes")


def test_columns_of_out_and_in_that_run_against_the_balance_are_believed_and_said_where_no_loan_is_named() -> (
    None
):
    head = (*OWED[0][:4], "Balance")
    titles = ("Orchard Bank", "Statement", *LOAN[2:])
    parsed = read(sheet(titles, FLOWS, head, *OWED[1:]))
    assert amounts(parsed) == ["500.00", "-40.00", "-8.00"]
    assert (verdict(parsed), "whose money the balances are" in warnings(parsed)) == ("unknown", True)


@pytest.mark.parametrize(
    ("texts", "reconciled"),
    [(("Repayment", "Interest", "Account fee"), "yes"), (("A1", "B2", "C3"), "unknown")],
)
def test_one_column_of_a_loans_amounts_is_settled_by_the_words_of_its_rows(
    texts: Line, reconciled: str
) -> None:
    lines = (
        ("Date", "Description", "Amount", "Balance owing"),
        ("01/04/2024", "Opening Balance", "", "9,000.00"),
        ("03/04/2024", texts[0], "-500.00", "8,500.00"),
        ("14/04/2024", texts[1], "40.00", "8,540.00"),
        ("25/04/2024", texts[2], "8.00", "8,548.00"),
        ("30/04/2024", "Closing Balance", "", "8,548.00"),
    )
    parsed = read(sheet((*LOAN, "Interest charged and repayments"), (40, 120, 400, 520), *lines))
    assert (amounts(parsed), verdict(parsed)) == (["--500.00", "-40.00", "-8.00"], reconciled)


def test_letters_with_accents_end_no_code() -> None:
    assert code_in("TERHELÉS / JÓVÁÍRÁS EGYENLEG") == ""
    assert code_in("Összeg (HUF)") == "HUF"


def test_a_head_of_two_lines_has_the_day_of_the_transaction_and_a_table_below_the_end_has_no_rows() -> None:
    lines = (
        ("Data", "Data"),
        ("operazione", "valuta", "Descrizione", "Addebiti", "Accrediti"),
        ("01.04.2024", "", "Saldo iniziale", "", "100,00"),
        ("03.04.2024", "02.04.2024", "PAGAMENTO POS", "10,00", ""),
        ("14.04.2024", "13.04.2024", "STIPENDIO", "", "60,00"),
        ("30.04.2024", "", "Saldo finale", "", "150,00"),
        ("",),
        ("Dal", "Al", "Saldo medio    Numeri", "Tasso %", "Totale"),
        ("01.04.2024", "20.04.2024", "110,00   114.340", "0,0000", "0,00"),
        ("21.04.2024", "30.04.2024", "140,00   60.323", "0,0000", "0,00"),
    )
    titles = ("Banca Frutteto", "Estratto conto", "Periodo dal 01.04.2024 al 30.04.2024", "Divisa: EUR")
    parsed = read(sheet(titles, (40, 110, 180, 430, 540), *lines, left=(0, 1, 2)))
    assert [row.date for row in parsed.rows] == ["03.04.2024", "14.04.2024"]
    assert (amounts(parsed), verdict(parsed)) == (["-10,00", "60,00"], "yes")


CARD = ("Orchard Bank", "Credit card statement", "1 April 2024 - 30 April 2024", "Amounts in GBP")


def test_the_running_balance_of_a_card_is_what_is_owed_and_cr_is_owned() -> None:
    lines = (
        ("Date", "Description", "Amount", "Balance"),
        ("", "OPENING BALANCE", "", "100.00"),
        ("02/04/2024", "TEA", "5.00", "105.00"),
        ("03/04/2024", "COFFEE", "15.00", "120.00"),
        ("14/04/2024", "PAYMENT THANK YOU", "150.00 CR", "30.00 CR"),
        ("25/04/2024", "BOOKS", "10.00", "20.00 CR"),
        ("26/04/2024", "TRAIN", "70.00", "50.00"),
        ("", "CLOSING BALANCE", "", "50.00"),
    )
    parsed = read(sheet((*CARD, "Minimum payment 5.00   Credit limit 900.00"), (40, 120, 400, 520), *lines))
    assert (amounts(parsed), verdict(parsed)) == (["-5.00", "-15.00", "150.00", "-10.00", "-70.00"], "yes")


def test_a_foreign_amount_beside_the_billed_one_is_no_row() -> None:
    lines = (
        ("Datum", "Datum", "Angabe des", "Betrag in", "", "Betrag in"),
        ("Beleg", "Buchung", "Unternehmens", "Fremdwährung", "Kurs", "EUR"),
        ("", "", "Saldo letzte Abrechnung", "", "", "100,00 -"),
        ("03.04.24", "04.04.24", "Einzahlung", "", "", "80,00 +"),
        ("14.04.24", "15.04.24", "SBB BERN", "44,91", "0,9412", "47,72 -"),
        ("25.04.24", "26.04.24", "BAHN", "", "", "7,28 -"),
        ("", "", "Neuer Saldo", "", "", "75,00 -"),
    )
    titles = ("Obstbank", "Ihre Abrechnung vom 01.04.2024 bis 30.04.2024")
    parsed = read(sheet(titles, (40, 100, 160, 380, 430, 540), *lines, left=(0, 1, 2)))
    assert (amounts(parsed), verdict(parsed)) == (["80,00+", "47,72-", "7,28-"], "yes")


@pytest.mark.parametrize(
    ("minus", "plus", "wanted"),
    [("Af", "Bij", ["80,00", "-40,00", "-15,00"]), ("-", "+", ["+80,00", "-40,00", "-15,00"])],
)
def test_signs_in_a_column_of_their_own_belong_to_the_amounts(
    minus: str, plus: str, wanted: list[str]
) -> None:
    lines = (
        ("Datum", "Omschrijving", "", "Bedrag"),
        ("03-04-2024", "SALARIS", plus, "80,00"),
        ("14-04-2024", "HUUR", minus, "40,00"),
        ("25-04-2024", "BOEKEN", minus, "15,00"),
    )
    titles = ("Boomgaard Bank", "Rekeningafschrift 01-04-2024 - 30-04-2024", "Valuta: EUR")
    ends = ("Beginsaldo 100,00", "Eindsaldo 125,00")
    parsed = read(sheet((*titles, *ends), (40, 120, 420, 520), *lines, left=(0, 1, 2)))
    assert (amounts(parsed), verdict(parsed)) == (wanted, "yes")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Currency Naira", "NGN"),
        ("CURRENCY: SINGAPORE DOLLAR", "SGD"),
        ("CURRENCY: UNITED STATES DOLLAR", "USD"),
        ("통화 KRW", "KRW"),
        ("Currency: Euroclear", ""),
    ],
)
def test_a_currency_is_named_in_words(text: str, code: str) -> None:
    assert named_currency(text) == code


def test_each_account_has_the_currency_of_its_heading() -> None:
    head = ("Date", "Description", "Withdrawal", "Deposit", "Balance")
    lines = (
        ("Account No. 447-1-109332", "", "CURRENCY: SINGAPORE DOLLAR"),
        head,
        ("", "Balance Brought Forward", "", "", "100.00"),
        ("03/04/2024", "PayNow", "", "20.00", "120.00"),
        ("14/04/2024", "Shop", "5.00", "", "115.00"),
        ("", "Total Balance Carried Forward", "5.00", "20.00", "115.00"),
        ("",),
        ("Account No. 447-1-109332", "", "CURRENCY: UNITED STATES DOLLAR"),
        head,
        ("", "Balance Brought Forward", "", "", "50.00"),
        ("25/04/2024", "Transfer", "", "7.00", "57.00"),
        ("", "Total Balance Carried Forward", "0.00", "7.00", "57.00"),
    )
    titles = ("Orchard Bank", "Statement 1 Apr 2024 to 30 Apr 2024")
    parsed = read(sheet(titles, FLOWS, *lines))
    assert [(signed(row), row.currency) for row in parsed.rows] == [
        ("20.00", "SGD"),
        ("-5.00", "SGD"),
        ("7.00", "USD"),
    ]
    assert verdict(parsed) == "yes"


def test_zeros_in_the_empty_column_and_amounts_of_two_figures_in_korean() -> None:
    lines = (
        ("거래일시", "적요", "출금액(원)", "입금액(원)", "잔액(원)"),
        ("2024.04.03 09:54", "카드", "66,212", "0", "426,252"),
        ("2024.04.14 11:53", "급여", "0", "2,987,947", "3,414,199"),
        ("2024.04.25 11:26", "카드", "38,600", "0", "3,375,599"),
        ("2024.04.30 10:00", "이자", "0", "28", "3,375,627"),
    )
    titles = (
        "과수은행",
        "통화 KRW",
        "조회기간 2024.04.01 ~ 2024.04.30",
        "이월잔액 492,464",
        "최종잔액 3,375,627",
    )
    parsed = read(sheet(titles, FLOWS, *lines, font=KOREAN))
    assert (amounts(parsed), verdict(parsed)) == (["-66,212", "2,987,947", "-38,600", "28"], "yes")
    assert {row.currency for row in parsed.rows} == {"KRW"}


def test_a_japanese_card_counts_the_price_and_not_what_is_paid_of_it_nor_the_bill_before() -> None:
    lines = (
        ("利用日", "利用店名・商品名", "利用金額", "4月支払金額", "5月以降繰越残高"),
        ("2024/03/03", "セブン", "2,867", "2,867", "0"),
        ("2024/03/14", "カメラ", "31,794", "10,598", "21,196"),
        ("",),
        ("前回ご請求分の明細",),
        ("利用日", "利用店名・商品名", "利用金額"),
        ("2024/02/11", "エアコン", "48,000"),
    )
    titles = ("果樹カード ご利用代金請求明細書", "カード番号 5346-****-****-4471", "ご請求金額 13,465円")
    parsed = read(sheet(titles, FLOWS, *lines, font=JAPANESE))
    assert (amounts(parsed), verdict(parsed)) == (["-2,867", "-31,794"], "unknown")
    assert {row.currency for row in parsed.rows} == {"JPY"}


def test_years_of_a_reign_that_no_row_was_read_with_are_in_doubt() -> None:
    lines = (
        ("年月日", "取扱内容", "お預り金額", "お支払金額", "現在高"),
        ("07-03-03", "振込", "20,710", "", "555,510"),
        ("07-03-06", "カード", "", "8,548", "546,962"),
    )
    titles = ("果樹銀行", "照会期間 令和7年3月1日 ~ 令和7年3月31日", "残高 0円")
    parsed = read(sheet(titles, FLOWS, *lines, font=JAPANESE))
    assert len(parsed.rows) == 2
    is_right = {row.date[:4] for row in parsed.rows} == {"2025"}
    assert is_right or ("no row was read so" in warnings(parsed) and verdict(parsed) == "unknown")


def test_net_moves_the_balance_beside_gross_and_fee_and_codes_of_payments_name_no_currency() -> None:
    lines = (
        ("Date", "Description", "Gross", "Fee", "Net", "Balance"),
        ("4/3/24", "Payment 2N957334R", "100.00", "-3.00", "97.00", "297.00"),
        ("4/14/24", "Purchase M5R7W5PM2N", "-40.00", "0.00", "-40.00", "257.00"),
        ("4/25/24", "Payment G3ABV04F8R", "50.00", "-2.00", "48.00", "305.00"),
    )
    titles = (
        "Orchard Pay",
        "Statement 4/1/24 - 4/30/24",
        "USD",
        "Beginning balance 200.00",
        "Ending balance 305.00",
    )
    parsed = read(sheet(titles, (40, 120, 330, 390, 450, 540), *lines))
    assert (amounts(parsed), {row.currency for row in parsed.rows}) == (["97.00", "-40.00", "48.00"], {"USD"})
    assert verdict(parsed) == "yes"


def test_a_card_that_is_named_after_its_rewards_heads_rows_that_count() -> None:
    lines = (
        ("Transaktion", "Verbucht", "Beschreibung", "Kategorie", "Betrag in CHF"),
        ("03.04.2024", "04.04.2024", "IHRE ZAHLUNG – BESTEN DANK", "", "-100.00"),
        ("Cashback World Mastercard XXXX XXXX XXXX 3345",),
        ("14.04.2024", "15.04.2024", "MIGROS", "Lebensmittel", "43.41"),
        ("25.04.2024", "26.04.2024", "SBB", "Reisen", "6.59"),
    )
    titles = (
        "Obstkarten AG Monatsrechnung",
        "Saldovortrag letzte Rechnung CHF 100.00",
        "Neuer Saldo CHF 50.00",
    )
    titles = (*titles, "Mindestbetrag CHF 10.00")
    parsed = read(sheet(titles, (40, 110, 180, 360, 540), *lines, left=(0, 1, 2, 3)))
    assert (amounts(parsed), verdict(parsed)) == (["--100.00", "-43.41", "-6.59"], "yes")


def test_one_column_of_both_ways_is_settled_by_balances_that_are_named_above_their_unit() -> None:
    lines = (
        ("", "Time/", "", "", "Outstanding Balance"),
        ("Date", "Eff.Date", "Descriptions", "Withdrawal / Deposit", "(Baht)", "Channel", "Details"),
        ("01-04-24", "", "Beginning Balance", "", "1,000.00"),
        ("03-04-24", "08:41", "Transfer Withdrawal", "455.26", "544.74", "K PLUS", "To X9540"),
        ("14-04-24", "08:46", "Transfer Deposit", "300.00", "844.74", "K PLUS", "From X0640"),
        ("25-04-24", "11:25", "Payment", "44.74", "800.00", "K PLUS", "Ref X5097"),
    )
    titles = ("KASIKORNBANK", "STATEMENT OF SAVINGS ACCOUNT", "Period 01/04/2024 - 30/04/2024")
    titles = (*titles, "Ending Balance 800.00")
    parsed = read(sheet(titles, (40, 85, 120, 300, 385, 400, 450), *lines, left=(0, 1, 2, 5, 6)))
    assert (amounts(parsed), verdict(parsed)) == (["-455.26", "300.00", "-44.74"], "yes")


def test_a_bare_balance_of_a_day_is_an_end_and_blanks_part_thousands() -> None:
    lines = (
        ("Datum", "Text", "Gutschrift", "Lastschrift", "Valuta", "Saldo"),
        ("01.04.24", "Kontostand", "", "", "", "2 086.24"),
        ("03.04.24", "LOHN", "4 550.30", "", "03.04.24", ""),
        ("", "KAUF VOM 02.04.2024", "", "21.54", "03.04.24", "6 615.00"),
        ("14.04.24", "MIETE", "", "1 490.00", "14.04.24", "5 125.00"),
        ("30.04.24", "Kontostand", "", "", "", "5 125.00"),
    )
    titles = ("Obstbank", "Kontoauszug 01.04.2024 - 30.04.2024", "Währung: CHF")
    parsed = read(sheet(titles, (40, 100, 330, 400, 420, 540), *lines, left=(0, 1, 4)))
    assert (amounts(parsed), verdict(parsed)) == (["4550.30", "-21.54", "-1490.00"], "yes")


def test_a_reward_beside_the_amount_is_none_and_a_plus_marks_the_payment_to_a_card() -> None:
    lines = (
        ("İşlem Tarihi", "İşlem", "Bonus (TL)", "Tutar (TL)"),
        ("03/04/2024", "PETROL", "2,60", "520,48"),
        ("14/04/2024", "ÖDEME", "", "300,00+"),
        ("25/04/2024", "MARKET", "5,67", "79,52"),
        ("",),
        ("GELECEK DÖNEM TAKSİTLERİNİZ",),
        ("Tarih", "Açıklama", "", "Tutar (TL)"),
        ("13/05/2024", "TELEFON", "", "1.385,63"),
    )
    titles = (
        "Meyve Bankası KREDİ KARTI HESAP ÖZETİ",
        "Önceki Hesap Bakiyesi 100,00 TL",
        "Dönem Borcu 400,00 TL",
    )
    titles = (*titles, "Asgari Ödeme Tutarı 40,00 TL")
    made = sheet(titles, (40, 120, 400, 520), *lines)
    for stroke in made.strokes:
        stroke.font = "Vera"
    parsed = read(made)
    assert (amounts(parsed), verdict(parsed)) == (["-520,48", "300,00+", "-79,52"], "yes")


def test_the_price_of_a_plan_is_no_row_beside_its_instalment() -> None:
    lines = (
        ("Date", "Description", "", "Amount"),
        ("04/03/2024", "COFFEE", "", "$20.00"),
        ("04/14/2024", "BOOKS", "", "$5.00"),
        ("07/12/2023", "Phone shop", "TOTAL FINANCED", "$792.00"),
        ("04/30/2024", "Phone, monthly instalment 9 of 24", "", "$33.00"),
    )
    titles = (
        "Orchard Card",
        "Credit card statement Apr 1 - Apr 30, 2024",
        "Minimum payment due $5.00",
        "Currency: USD",
    )
    titles = (*titles, "Previous balance $100.00", "New balance $158.00", "Credit limit $900.00")
    parsed = read(sheet(titles, (40, 120, 400, 520), *lines))
    assert (amounts(parsed), verdict(parsed)) == (["-$20.00", "-$5.00", "-$33.00"], "yes")


def test_entries_of_the_future_are_no_rows() -> None:
    lines = (
        ("data", "lançamentos", "valor (R$)", "saldo (R$)"),
        ("28/02/2024", "SALDO ANTERIOR", "", "100,00"),
        ("03/03/2024", "PIX", "-15,00", ""),
        ("03/03/2024", "SALDO DO DIA", "", "85,00"),
        ("14/03/2024", "TED", "50,00", ""),
        ("14/03/2024", "SALDO DO DIA", "", "135,00"),
        ("",),
        ("lançamentos futuros",),
        ("data", "lançamentos", "valor (R$)"),
        ("07/04/2024", "BOLETO", "-139,90"),
    )
    titles = ("Banco Pomar", "extrato conta corrente", "período: 01/03/2024 até 31/03/2024")
    parsed = read(sheet(titles, (40, 130, 400, 520), *lines))
    assert (amounts(parsed), verdict(parsed)) == (["-15,00", "50,00"], "yes")
