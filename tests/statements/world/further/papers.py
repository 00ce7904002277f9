# ruff: noqa: E501 lines stay as wide as the page they draw
"""Papers of further banks: columns, marks, wrapped rows, page breaks and totals as they are printed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ..institutions.drawing import draw
from ..institutions.ledgers import (
    AUSTRALIAN,
    BRAZILIAN,
    CANADIAN,
    FRENCH,
    GERMAN,
    INDIAN,
    NORDIC,
    POLISH,
    SINGAPORE,
    SPANISH,
    SWISS,
    UK,
    US_CARD,
    US_CHECKING,
    Ledger,
    de,
    file_of,
    fr,
    indian,
    into,
    ledger,
    lines,
    out,
    swiss,
    trailing,
    us,
)
from ..truth import Made, Row
from .tables import DUTCH, ITALIAN, PORTUGUESE

LONG = ledger(
    "4000.00",
    "\n".join(
        f"2024-03-{1 + n // 3:02d} {'-' if n % 7 else ''}{20 + n * 3}.{n % 100:02d} SHOP NUMBER {n} MAIN STREET"
        for n in range(84)
    ),
)


def credit_union_sections() -> str:
    held = US_CHECKING
    return f"""
Harbor Federal Credit Union                    Statement Period: 12/09/2023 - 01/08/2024
Member Number 0012345678
SHARE DRAFT CHECKING  ID 0070
Beginning Balance on 12/09/2023                                        ${us(held.opening)}
Deposits and Other Credits
Date       Description                                                    Amount
{lines(held.credits(), lambda r: f"{r.day:%m/%d}      {r.text:<60}{us(r.amount):>12}")}
Total Deposits                                                         ${us(held.paid_in)}
Withdrawals and Other Debits
Date       Description                                                    Amount
{lines(held.debits(), lambda r: f"{r.day:%m/%d}      {r.text:<60}{us(-r.amount):>12}")}
Total Withdrawals                                                      ${us(held.paid_out)}
Ending Balance on 01/08/2024                                           ${us(held.closing)}
"""


def trailing_minus_running_balance() -> str:
    held = US_CHECKING
    return f"""
First Prairie Bank                Account Statement               Account XXXXXX4821
Statement dates 12/09/23 thru 01/08/24
Date      Transaction Description                                             Amount         Balance
12/09     BALANCE LAST STATEMENT                                                           {us(held.opening):>10}
{lines(held.rows, lambda r: f"{r.day:%m/%d}     {r.text:<60}{trailing(r.amount):>14}{us(r.balance):>16}")}
01/08     BALANCE THIS STATEMENT                                                           {us(held.closing):>10}
"""


def spanish_debe_haber() -> str:
    held = SPANISH
    return f"""
Caja Rural del Sur          Extracto de cuenta          IBAN ES91 2100 0418 4502 0005 1332
Periodo: 01/03/2024 a 31/03/2024                                         Divisa: EUR
F. Oper.   F. Valor   Concepto                                        Debe          Haber          Saldo
                      SALDO ANTERIOR                                                              {de(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%d-%m-%y}   {r.day:%d-%m-%y}   {r.text:<40}{out(r, de):>12}{into(r, de):>14}{de(r.balance):>16}")}
                      SALDO FINAL                                                                 {de(held.closing)}
"""


def italian_estratto() -> str:
    held = ITALIAN
    return f"""
Banca del Piemonte            Estratto conto al 30/09/2024          Conto corrente 1000/12345   EUR
Data       Valuta     Descrizione operazioni                       Movimenti Dare     Movimenti Avere
01/09/24              Saldo iniziale                                                       {de(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%d/%m/%y}   {r.day:%d/%m/%y}   {r.text:<42}{out(r, de):>14}{into(r, de):>20}")}
30/09/24              Saldo finale                                                         {de(held.closing)}
Totale movimenti                                                   {de(held.paid_out):>14}{de(held.paid_in):>20}
"""


def portuguese_extrato() -> str:
    held = PORTUGUESE
    return f"""
Banco do Norte               EXTRATO DE CONTA N. 10/2024            Moeda: EUR
Período de 2024/10/01 a 2024/10/31
DATA LANC.   DATA VALOR   DESCRITIVO                                  DEBITO        CREDITO        SALDO
                          SALDO INICIAL                                                        {fr(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%m.%d}        {r.day:%m.%d}        {r.text:<40}{out(r, fr):>12}{into(r, fr):>14}{fr(r.balance):>14}")}
                          SALDO FINAL                                                          {fr(held.closing)}
"""


def dutch_bij_af() -> str:
    held = DUTCH
    return f"""
Regio Bank               Rekeningafschrift nr. 11               NL91 RABO 0417 1643 00   EUR
Periode 01-11-2024 t/m 30-11-2024               Vorig saldo  EUR {de(held.opening)}          Nieuw saldo  EUR {de(held.closing)}
Datum        Omschrijving                                          Bedrag af          Bedrag bij
{lines(held.rows, lambda r: f"{r.day:%d-%m}        {r.text:<46}{out(r, de):>14}{into(r, de):>18}")}
"""


def polish_wyciag() -> str:
    held = POLISH
    return f"""
Bank Spoldzielczy            WYCIAG Z RACHUNKU nr 6/2024            Waluta: PLN
Okres: 2024-06-01 - 2024-06-30
Data        Opis operacji                                    Kwota operacji         Saldo po operacji
            Saldo poczatkowe                                                             {fr(held.opening)}
{lines(held.rows, lambda r: f"{r.day}  {r.text:<46}{fr(r.amount):>14}{fr(r.balance):>22}")}
            Saldo koncowe                                                                {fr(held.closing)}
"""


def swedish_kontoutdrag() -> str:
    held = NORDIC
    return f"""
Lansbanken               Kontoutdrag               Konto 9020-123.456.7               Valuta SEK
Period 2024-05-01 - 2024-05-31
Bokf.dag    Trans.dag    Beskrivning                                 Belopp               Saldo
                         Ingaende saldo                                               {fr(held.opening)}
{lines(held.rows, lambda r: f"{r.day}  {r.day}   {r.text:<36}{fr(r.amount):>14}{fr(r.balance):>22}")}
                         Utgaende saldo                                               {fr(held.closing)}
"""


def german_plus_behind() -> str:
    held = GERMAN
    mark = lambda v: f"{de(abs(v))} {'-' if v < 0 else '+'}"  # noqa: E731
    return f"""
Stadtbank eG               Kontoauszug 1/2024               IBAN DE12 5001 0517 0648 4898 90
Buchung    Wert       Buchungstext / Verwendungszweck                                Betrag in EUR
Alter Kontostand vom 27.12.2023                                                      {mark(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%d.%m.}     {r.day:%d.%m.}     {r.text:<50}{mark(r.amount):>22}{chr(10)}                      Mandat 4711-{r.day:%d%m}  Glaeubiger DE98ZZZ")}
Neuer Kontostand vom 26.01.2024                                                      {mark(held.closing)}
"""


def french_two_line_rows() -> str:
    held = FRENCH
    return f"""
Banque de l'Ouest               Relevé de compte               du 27/12/2023 au 26/01/2024
Compte n° 00012345678               Devise : EUR
Date      Valeur    Nature des opérations                              Débit           Crédit
          Solde précédent au 27/12/2023                                               {fr(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%d.%m}     {r.day:%d.%m}     {r.text:<46}{out(r, fr):>12}{into(r, fr):>16}{chr(10)}                    REF. INTERNE 2024{r.day:%d%m}   ICS FR12ZZZ")}
          Total des mouvements                                     {fr(held.paid_out):>12}{fr(held.paid_in):>16}
          Nouveau solde au 26/01/2024                                                 {fr(held.closing)}
"""


def swiss_with_exchange() -> str:
    held = SWISS
    return f"""
Kantonsbank               Kontoauszug 01.02.2024 - 29.02.2024               Privatkonto CHF   CH93 0076 2011 6238 5295 7
Datum        Text                                              Belastung       Gutschrift       Valuta        Saldo
01.02.2024   Saldovortrag                                                                                  {swiss(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%d.%m.%Y}   {r.text:<40}{out(r, swiss):>16}{into(r, swiss):>16}       {r.day:%d.%m.%Y}{swiss(r.balance):>14}{chr(10) + '             EUR 13.20 Kurs 0.9773' if 'SBB' in r.text else ''}")}
29.02.2024   Schlusssaldo                                                                                  {swiss(held.closing)}
"""


def cr_dr_marks() -> str:
    held = INDIAN
    return f"""
Canara Cooperative Bank          Statement of Account          A/c No 0123101004567          Currency INR
From 01-Apr-2024 To 30-Apr-2024
Tran Date      Particulars                                      Amount(Rs.)             Balance(Rs.)
               B/F                                                                   {indian(held.opening)} Cr
{lines(held.rows, lambda r: f"{r.day:%d-%b-%Y}    {r.text:<40}{indian(abs(r.amount)) + (' Dr' if r.amount < 0 else ' Cr'):>18}{indian(r.balance) + ' Cr':>22}")}
               Closing Balance                                                       {indian(held.closing)} Cr
"""


def month_first_heads_per_page() -> str:
    held = LONG
    head = (
        "Date        Description                                    Withdrawals       Deposits        Balance"
    )
    pages = []
    for start in range(0, 84, 28):
        part = held.rows[start : start + 28]
        opening = held.opening if start == 0 else held.rows[start - 1].balance
        pages.append(
            f"""
Lakeside National Bank     Page {start // 28 + 1} of 3     Account 00-123-4821     March 1, 2024 through March 31, 2024
{head}
            Balance brought forward                                                              {us(opening)}
{lines(part, lambda r: f"{r.day:%b %d}      {r.text:<40}{out(r):>14}{into(r):>16}{us(r.balance):>16}")}
            {"Balance carried forward" if start < 56 else "Closing balance"}                                                              {us(part[-1].balance)}
"""
        )
    return "\f".join(pages)


def card_with_cr() -> str:
    held = US_CARD
    return f"""
Meridian Bank Visa Platinum          Statement date 08 Jan 2024          Card number 4929 XXXX XXXX 7788
Previous balance          {us(-held.opening)}          New balance          {us(-held.closing)}          Credit limit 8,000.00
Payments received         {us(held.paid_in)}          Purchases            {us(held.paid_out)}          Amounts in GBP
Transaction date   Posting date   Details                                              Amount (£)
{lines(held.rows, lambda r: f"{r.day:%d %b}             {r.day:%d %b}         {r.text:<46}{us(abs(r.amount)) + (' CR' if r.amount > 0 else ''):>14}")}
"""


def card_abroad() -> str:
    held = US_CARD
    return f"""
Corriente Card Services          Account ending 7788          Billing period 12/10/2023 - 01/09/2024
Previous Balance ${us(-held.opening)}     Payments -${us(held.paid_in)}     Purchases +${us(held.paid_out)}     New Balance ${us(-held.closing)}
Trans Date   Post Date   Description                                                     Amount
{lines(held.rows, lambda r: f"{r.day:%m/%d}        {r.day:%m/%d}       {r.text:<50}{('-' if r.amount > 0 else '') + '$' + us(abs(r.amount)):>12}{chr(10) + '                         65.40 EUR  X 1.1032 (EXCHG RATE)' if 'UNITED' in r.text else ''}")}
Total fees charged in 2023                                                               $0.00
Total interest charged in 2024                                                           $0.00
"""


def section(name: str, held: Ledger) -> str:
    return f"""{name}
Beginning balance                                                            ${us(held.opening)}
Date        Description                                          Amount            Balance
{lines(held.rows, lambda r: f"{r.day:%m/%d/%Y}  {r.text:<50}{('-' if r.amount < 0 else '') + us(abs(r.amount)):>14}{us(r.balance):>16}")}
Ending balance                                                               ${us(held.closing)}
"""


def separate_accounts() -> tuple[str, Ledger]:
    savings = ledger("5000.00", "2024-01-02 -300.00 TRANSFER TO CHECKING 4821\n2024-01-08 1.25 INTEREST PAID")
    both = Ledger(Decimal(0), (*US_CHECKING.rows, *savings.rows))
    text = f"""
Old Mill Bank          Combined statement          December 9, 2023 - January 8, 2024
{section("Everyday Checking   Account number ******4821", US_CHECKING)}
{section("Rainy Day Savings   Account number ******9977", savings)}
"""
    return text, both


def day_printed_once() -> str:
    held = UK
    seen: set[object] = set()

    def day(row: Row) -> str:
        if row.day in seen:
            return ""
        seen.add(row.day)
        return f"{row.day:%d %b %y}"

    return f"""
Thames Building Society          Your statement          27 December 2023 to 26 January 2024
Sort code 20-11-43     Account number 12345678     All amounts in pounds sterling (GBP)
Date         Description                             Money out        Money in         Balance
             Balance brought forward                                                  {us(held.opening)}
{lines(held.rows, lambda r: f"{day(r):<13}{r.text:<40}{out(r):>10}{into(r):>16}{us(r.balance):>18}")}
             Balance carried forward                                                  {us(held.closing)}
"""


def australian_columns() -> str:
    held = AUSTRALIAN
    return f"""
Southern Cross Credit Union          Statement 14          28/12/2023 - 27/01/2024          BSB 802-884 Acc 123456789
Date         Transaction details                                Debits            Credits            Balance
28 Dec 2023  OPENING BALANCE                                                                     ${us(held.opening)} CR
{lines(held.rows, lambda r: f"{r.day:%d %b}       {r.text:<40}{('$' + out(r)) if r.amount < 0 else '':>14}{('$' + into(r)) if r.amount > 0 else '':>18}{'$' + us(r.balance) + ' CR':>22}")}
27 Jan 2024  CLOSING BALANCE                                                                     ${us(held.closing)} CR
"""


def balance_only_at_days_end() -> str:
    held = CANADIAN
    last = {row.day: row for row in held.rows}
    return f"""
Prairie Trust          Statement of account          Dec 15, 2023 to Jan 15, 2024          CAD account 1234-567
Date       Description                                              Cheques & Debits ($)     Deposits & Credits ($)     Balance ($)
Dec 15     Opening balance                                                                                              {us(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%b %d}     {r.text:<52}{out(r):>18}{into(r):>24}{us(r.balance) if last[r.day] is r else '':>18}")}
Jan 15     Closing balance                                                                                              {us(held.closing)}
"""


def unsigned_one_column_with_words() -> str:
    held = SINGAPORE
    return f"""
Straits Bank          e-Statement          01 Jul 2024 to 31 Jul 2024          Account 501-123456-001 (SGD)
Date         Type        Description                                       Amount           Balance
             BALANCE B/F                                                                   {us(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%d %b}       {'Debit' if r.amount < 0 else 'Credit'}       {r.text:<40}{us(abs(r.amount)):>14}{us(r.balance):>18}")}
             BALANCE C/F                                                                   {us(held.closing)}
"""


def brazilian_signs() -> str:
    held = BRAZILIAN
    return f"""
Banco da Serra          EXTRATO MENSAL          agosto/2024          Agencia 1234 Conta 56789-0
data      lancamentos                                         valor (R$)           saldo (R$)
01/08     SALDO ANTERIOR                                                           {de(held.opening)}
{lines(held.rows, lambda r: f"{r.day:%d/%m}     {r.text:<44}{trailing(r.amount, de):>14}{de(r.balance):>20}")}
31/08     SALDO FINAL                                                              {de(held.closing)}
"""


def lost_line() -> tuple[str, tuple[Row, ...]]:
    kept = tuple(row for row in UK.rows if "BRITISH GAS" not in row.text)
    gone = Ledger(UK.opening, kept)
    return (
        f"""
Thames Building Society          Your statement          27 December 2023 to 26 January 2024   GBP
Date         Description                             Money out        Money in
             Balance brought forward on 27 December 2023                             {us(UK.opening)}
{lines(gone.rows, lambda r: f"{r.day:%d %b %y}    {r.text:<40}{out(r):>10}{into(r):>16}")}
             Balance carried forward on 26 January 2024                              {us(UK.closing)}
""",
        kept,
    )


def papers() -> Iterator[Made]:
    made = (
        (credit_union_sections, US_CHECKING, "USD"),
        (trailing_minus_running_balance, US_CHECKING, "USD"),
        (spanish_debe_haber, SPANISH, "EUR"),
        (italian_estratto, ITALIAN, "EUR"),
        (portuguese_extrato, PORTUGUESE, "EUR"),
        (dutch_bij_af, DUTCH, "EUR"),
        (polish_wyciag, POLISH, "PLN"),
        (swedish_kontoutdrag, NORDIC, "SEK"),
        (german_plus_behind, GERMAN, "EUR"),
        (french_two_line_rows, FRENCH, "EUR"),
        (swiss_with_exchange, SWISS, "CHF"),
        (cr_dr_marks, INDIAN, "INR"),
        (month_first_heads_per_page, LONG, "USD"),
        (card_with_cr, US_CARD, "GBP"),
        (card_abroad, US_CARD, "USD"),
        (day_printed_once, UK, "GBP"),
        (australian_columns, AUSTRALIAN, "AUD"),
        (balance_only_at_days_end, CANADIAN, "CAD"),
        (unsigned_one_column_with_words, SINGAPORE, "SGD"),
        (brazilian_signs, BRAZILIAN, "BRL"),
    )
    for write, held, currency in made:
        yield file_of(
            f"paper {write.__name__}", f"{write.__name__}.pdf", draw(write(), wide=True), held, currency, True
        )
    text, both = separate_accounts()
    yield file_of("paper separate_accounts", "combined.pdf", draw(text, wide=True), both, "USD", True)
    text, kept = lost_line()
    yield Made("lost.pdf", draw(text, wide=True), kept, "GBP", "paper lost_line", True, True)
