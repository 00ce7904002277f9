# ruff: noqa: E501 lines stay as wide as the page they draw
"""Statements on paper as European banks print them."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made, Row
from .drawing import draw
from .ledgers import (
    FRENCH,
    GERMAN,
    NORDIC,
    POLISH,
    SPANISH,
    SWISS,
    UK,
    Ledger,
    de,
    file_of,
    fr,
    into,
    lines,
    out,
    swiss,
    trailing,
    us,
)


def barclays() -> str:
    held, seen = UK, []

    def write(row: Row) -> str:
        day = f"{row.day.day} {row.day:%b}" if row.day not in seen else ""
        seen.append(row.day)
        return f"{day:<8}{row.text:<50}{out(row):>14}{into(row):>14}{us(row.balance):>14}"

    return f"""
Barclays Bank Account statement          Sort Code 20-00-00  Account No 12345678
27 Dec 2023 - 26 Jan 2024                SWIFTBIC BUKBGB22   IBAN GB29 BUKB 2000 0012 3456 78
At a glance
Start balance                 £512.40
Money in                      £{us(held.paid_in)}
Money out                     £{us(held.paid_out)}
End balance                   £{us(held.closing)}
Your transactions
Date    Description                                            Money out      Money in       Balance
27 Dec  Start balance                                                                          512.40
{lines(held.rows[:5], write)}
        Balance carried forward                                                             {us(held.rows[4].balance)}
\f
Date    Description                                            Money out      Money in       Balance
        Balance brought forward                                                             {us(held.rows[4].balance)}
{lines(held.rows[5:], write)}
26 Jan  End balance                                                                           {us(held.closing)}
"""


def hsbc() -> str:
    held, text = UK, ""
    for day, rows in held.by_day():
        for row in rows:
            shown = f"{day:%d %b %y}" if row is rows[0] else ""
            kind = "CR" if row.amount > 0 else "VIS"
            balance = us(row.balance) if row is rows[-1] else ""
            words = row.text.split(" ", 1)
            text += f"{shown:<12}{kind:<6}{words[0]}\n"
            text += f"{'':<18}{words[1]:<40}{out(row):>14}{into(row):>14}{balance:>14}\n"
    return f"""
HSBC UK     Your Bank Account details          Account Name Mr J Smith     Sortcode 40-00-01     Account Number 12345678
27 December 2023 to 26 January 2024
Account Summary
Opening Balance          512.40
Payments In            {us(held.paid_in)}
Payments Out           {us(held.paid_out)}
Closing Balance        {us(held.closing)}
Date        Payment type and details                         Paid out       Paid in       Balance
27 Dec 23         BALANCE BROUGHT FORWARD                                                      512.40
{text}
26 Jan 24         BALANCE CARRIED FORWARD                                                      {us(held.closing)}
"""


def lloyds() -> str:
    held = UK
    return f"""
LLOYDS BANK     Classic Account     Sort code 30-00-00   Account number 12345678
27 December 2023 to 26 January 2024
Money In   £{us(held.paid_in)}          Balance on 27 December 2023   £512.40
Money Out   £{us(held.paid_out)}        Balance on 26 January 2024   £{us(held.closing)}
Your Transactions
Date         Description                              Type   Money In (£)   Money Out (£)    Balance (£)
{lines(held.rows, lambda row: f"{row.day:%d %b %y}    {row.text:<42}{'FPI' if row.amount > 0 else 'DEB':<6}{into(row):>10}{out(row):>16}{us(row.balance):>15}")}
Transaction types   BGC Bank Giro Credit   DEB Debit Card   FPI Faster Payment
"""


def monzo() -> str:
    held = UK
    note = "\n             Amount: EUR -22.10. Conversion rate: 1.1786."
    return f"""
Monzo Bank Limited     Personal Account statement     27/12/2023 - 26/01/2024
Sort code: 04-00-04     Account number: 12345678
£{us(held.closing)}                Personal Account balance
-£{us(held.paid_out)}              Total outgoings
+£{us(held.paid_in)}               Total deposits
Date          Description                                    (GBP) Amount     (GBP) Balance
{lines(held.rows[::-1], lambda row: f"{row.day:%d/%m/%Y}    {row.text:<46}{us(row.amount):>14}{us(row.balance):>16}{note if 'PRET' in row.text else ''}")}
"""


def starling() -> str:
    held = UK

    def write(row: Row) -> str:
        kind = "FASTER PAYMENT" if row.amount > 0 else "CARD PAYMENT"
        signed = f"£{us(row.amount)}" if row.amount > 0 else ""
        spent = f"£{us(-row.amount)}" if row.amount < 0 else ""
        return (
            f"{row.day:%d/%m/%Y}   {kind:<18}{row.text:<36}{signed:>12}{spent:>14}{f'£{us(row.balance)}':>14}"
        )

    return f"""
Starling Bank     Account Statement     Sort Code 60-83-71     Account Number 12345678
DATE RANGE APPLICABLE: 27/12/2023 - 26/01/2024
Opening Balance £512.40      Closing Balance £{us(held.closing)}
DATE         TYPE              TRANSACTION                                  IN           OUT       BALANCE
27/12/2023   OPENING BALANCE                                                                       £512.40
{lines(held.rows, write)}
             END OF DAY BALANCE                                                                  £{us(held.closing)}
"""


def santander_uk() -> str:
    held = UK

    def ordinal(day: int) -> str:
        return f"{day}{'th' if 4 <= day <= 20 or 24 <= day <= 30 else {1: 'st', 2: 'nd', 3: 'rd'}[day % 10]}"

    return f"""
Santander     1|2|3 Current Account     Account number: 12345678   Sort Code: 09 00 00   Statement number: 01/2024
Your account summary for  27th Dec 2023 to 26th Jan 2024
Balance brought forward from your previous statement     £512.40
Total money in:  £{us(held.paid_in)}
Total money out:  £{us(held.paid_out)}
Your balance at close of business 26th Jan 2024   £{us(held.closing)}
Date        Description                                       Money in £     Money out £       £ Balance
27th Dec    Previous statement balance                                                            512.40
{lines(held.rows, lambda row: f"{f'{ordinal(row.day.day)} {row.day:%b}':<12}{row.text:<46}{into(row):>14}{out(row):>16}{us(row.balance):>16}")}
26th Jan    Balance carried forward to next statement                                             {us(held.closing)}
"""


def natwest_overdrawn() -> str:
    held = overdrawn()

    def balance(row: Row) -> str:
        return f"{us(-row.balance)} OD" if row.balance < 0 else us(row.balance)

    text = ""
    for day, rows in held.by_day():
        for row in rows:
            shown = f"{day:%d %b}".upper() if row is rows[0] else ""
            text += f"{shown:<10}{row.text:<46}{into(row):>12}{out(row):>14}{balance(row):>16}\n"
    return f"""
NatWest     Select Account     Account No 12345678   Sort Code 60-00-01     Period Covered 27 DEC 2023 to 26 JAN 2024
Previous Balance   £512.40        Paid In  £{us(held.paid_in)}     Withdrawn  £{us(held.paid_out)}     New Balance   £{us(abs(held.closing))}{" OD" if held.closing < 0 else ""}
Date      Description                                    Paid In(£)  Withdrawn(£)      Balance(£)
27 DEC 2023   BROUGHT FORWARD                                                              512.40
{text}
"""


def overdrawn() -> Ledger:
    rows = [row for row in UK.rows if row.amount < 1000]
    balance, kept = UK.opening, []
    for row in rows:
        balance += row.amount
        kept.append(Row(row.day, row.text, row.amount, balance))
    return Ledger(UK.opening, tuple(kept))


def deutsche_bank() -> str:
    held = GERMAN

    def write(row: Row) -> str:
        words = row.text.split(" ", 1)
        return f"{row.day:%d.%m.}   {row.day:%d.%m.}   {words[0]:<50}{out(row, de):>14}{into(row, de):>16}\n                   {words[1]}\n                   Verwendungszweck/ Kundenreferenz 12345678"

    return f"""
Deutsche Bank     Kontoauszug vom 27.12.2023 bis 26.01.2024     IBAN DE89 3704 0044 0532 0130 00     BIC DEUTDEFFXXX
Kontoinhaber: Erika Mustermann     Filialnummer 123     Kontonummer 0532013 00
Auszug   Seite   von   IBAN                            Alter Saldo per 27.12.2023
1        1       1     DE89 3704 0044 0532 0130 00     EUR        + 1.523,88
Buchung  Valuta  Vorgang                                                     Soll           Haben
{lines(held.rows, write)}
Filialnummer     Kontonummer     Neuer Saldo
123              0532013 00      EUR        + {de(held.closing)}
"""


def sparkasse() -> str:
    held = GERMAN
    return f"""
Sparkasse Musterstadt     Kontoauszug 1/2024     Seite 1 von 1
Konto 123456789, Privatgirokonto     DE12 5001 0517 0648 4898 90
Datum        Erlaeuterung                                               Betrag EUR
Kontostand am 27.12.2023, Auszug Nr. 12                                  1.523,88+
{lines(held.rows, lambda row: f"{row.day:%d.%m.%Y}   {row.text:<54}{de(abs(row.amount)) + ('-' if row.amount < 0 else '+'):>16}")}
Kontostand am 26.01.2024 um 20:03 Uhr                                    {de(held.closing)}+
Ihr Dispositionskredit 2.000,00 EUR   Zinssatz 10,25 %
"""


def ing_diba() -> str:
    held = GERMAN
    return f"""
ING-DiBa AG   60628 Frankfurt am Main                     Datum  26.01.2024
Girokonto Nummer 5401234567                               Auszugsnummer 1
Kontoauszug Januar 2024                                   IBAN DE44 5001 0517 5401 2345 67
Eingeraeumte Kontoueberziehung  3.000,00 Euro             Alter Saldo  1.523,88 Euro
                                                          Neuer Saldo  {de(held.closing)} Euro
Buchung       Buchung / Verwendungszweck                                  Betrag (EUR)
Valuta
{lines(held.rows, lambda row: f"{row.day:%d.%m.%Y}    {row.text:<54}{de(row.amount):>16}{chr(10)}{row.day:%d.%m.%Y}    Referenz: NOTPROVIDED")}
              Neuer Saldo                                                     {de(held.closing)}
"""


def n26() -> str:
    held = GERMAN
    return f"""
N26     Kontoauszug Nr. 01/2024     27.12.2023 bis 26.01.2024     IBAN: DE12 1001 1001 2623 4567 89
Beschreibung                                                  Verbuchungsdatum            Betrag
{lines(held.rows, lambda row: f"{row.text:<62}{row.day:%d.%m.%Y}   {('+' if row.amount > 0 else '') + de(row.amount) + '€':>20}{chr(10)}Mastercard - Sonstiges{chr(10)}Wertstellung {row.day:%d.%m.%Y}{chr(10)}")}
\f
Zusammenfassung
Dein alter Kontostand                                                                +1.523,88€
Ausgehende Transaktionen                                                             -{de(held.paid_out)}€
Eingehende Transaktionen                                                             +{de(held.paid_in)}€
Dein neuer Kontostand                                                                +{de(held.closing)}€
"""


def commerzbank() -> str:
    held, text = GERMAN, ""
    for day, rows in held.by_day():
        text += f"Buchungsdatum: {day:%d.%m.%Y}\n"
        for row in rows:
            amount = f"{de(abs(row.amount))}{'-' if row.amount < 0 else ''}"
            where = f"{amount:>16}" if row.amount < 0 else f"{'':<16}{amount:>16}"
            text += f"{row.text:<50}{row.day:%d.%m}    {where}\nKd-Nr. 123456, End-to-End-Ref.: NOTPROVIDED\n"
    return f"""
Commerzbank     Kontoauszug vom 26.01.2024     Auszug-Nr. 1     IBAN: DE89 3704 0044 0532 0130 00
Angaben zu den Umsaetzen                          Valuta    zu Ihren Lasten   zu Ihren Gunsten
Alter Kontostand vom 27.12.2023                                                     1.523,88
{text}
Neuer Kontostand vom 26.01.2024                                                     {de(held.closing)}
"""


def volksbank() -> str:
    held = GERMAN
    return f"""
Volksbank Musterstadt eG     Kontoauszug Nr. 1/2024     erstellt am 26.01.2024     Kontokorrent   EUR-Konto   Kontonummer 1234567
Bu-Tag  Wert    Vorgang
                        alter Kontostand vom 27.12.2023                      1.523,88 H
{lines(held.rows, lambda row: f"{row.day:%d.%m.}  {row.day:%d.%m.}  {row.text:<54}{de(abs(row.amount)) + (' S' if row.amount < 0 else ' H'):>16}")}
                        neuer Kontostand vom 26.01.2024                      {de(held.closing)} H
"""


def dkb() -> str:
    held = GERMAN
    return f"""
DKB AG     Kontoauszug 1/2024     IBAN DE12 1203 0000 1012 3456 78     vom 27.12.2023 bis 26.01.2024
Datum         Erläuterung                                                       Betrag Soll EUR   Betrag Haben EUR
Kontostand am 27.12.2023, 12:00 Uhr                                                                 1.523,88
{lines(held.rows, lambda row: f"{row.day:%d.%m.%Y}    {row.text:<58}{de(row.amount) if row.amount < 0 else '':>17}{into(row, de):>19}")}
Kontostand am 26.01.2024                                                                            {de(held.closing)}
"""


def postbank() -> str:
    held = GERMAN
    return f"""
Postbank     Kontoauszug: Postbank Giro plus     Auszug 001 Jahr 2024 vom 26.01.2024
IBAN DE12 1001 0010 0123 4567 89     Alter Kontostand EUR + 1.523,88
Buchung/Wert     Vorgang/Buchungsinformation                                          Soll/Haben
{lines(held.rows, lambda row: f"{row.day:%d.%m./%d.%m.}    {row.text:<58}{('+ ' if row.amount > 0 else '- ') + de(abs(row.amount)):>16}")}
Kontonummer 0123456789     BLZ 10010010     Summe Zahlungseingänge EUR {de(held.paid_in)}
Neuer Kontostand                                                              EUR + {de(held.closing)}
"""


def credit_mutuel() -> str:
    held = FRENCH
    return f"""
Crédit Mutuel     RELEVE ET INFORMATIONS BANCAIRES     du 28 décembre 2023 au 27 janvier 2024
C/C EUROCOMPTE N° 00020123401 en euros
Date         Date valeur   Opération                                        Débit EUROS      Crédit EUROS
SOLDE CREDITEUR AU 28/12/2023                                                                    983,05
{lines(held.rows, lambda row: f"{row.day:%d/%m/%Y}   {row.day:%d/%m/%Y}    {row.text:<44}{out(row, de):>13}{into(row, de):>16}")}
Total des mouvements                                                {de(held.paid_out):>16}{de(held.paid_in):>16}
SOLDE CREDITEUR AU 27/01/2024                                                                  {de(held.closing)}
"""


def bnp() -> str:
    held = FRENCH
    return f"""
BNP PARIBAS     RELEVE DE COMPTE CHEQUES     du 28 decembre 2023 au 27 janvier 2024
RIB : 30004 00123 00001234567 89     IBAN : FR76 3000 4001 2300 0012 3456 789     Monnaie du compte : Euro
Date      Nature des operations                                  Valeur          Debit         Credit
          SOLDE CREDITEUR AU 28.12.2023                                                        983,05
{lines(held.rows, lambda row: f"{row.day:%d.%m}     {row.text:<54}{row.day:%d.%m}  {out(row, fr):>15}{into(row, fr):>15}")}
          TOTAL DES OPERATIONS                                        {fr(held.paid_out):>15}{fr(held.paid_in):>15}
          SOLDE CREDITEUR AU 27.01.2024                                                        {fr(held.closing)}
"""


def societe_generale() -> str:
    held = FRENCH
    return f"""
SOCIETE GENERALE     RELEVE DE COMPTE     COMPTE DE PARTICULIER en euros n. 30003 01234 00050123456 78
du 28/12/2023 au 27/01/2024
Date          Valeur        Nature de l'operation                                  Debit           Credit
              SOLDE PRECEDENT AU 28/12/2023                                                        983,05
{lines(held.rows, lambda row: f"{row.day:%d/%m/%Y}    {row.day:%d/%m/%Y}    {row.text:<46}{out(row, de):>14}{into(row, de):>16}")}
              TOTAUX DES MOUVEMENTS                                              {de(held.paid_out):>10}{de(held.paid_in):>16}
              NOUVEAU SOLDE AU 27/01/2024                                                        {de(held.closing)}
"""


def bbva_spain() -> str:
    held = SPANISH
    return f"""
BBVA     EXTRACTO DE CUENTA     IBAN ES91 2100 0418 4502 0005 1332     Periodo 01/03/2024 - 31/03/2024     Divisa EUR
F.OPER.      F.VALOR      CONCEPTO                                           IMPORTE           SALDO
                          SALDO ANTERIOR                                                    2.100,40
{lines(held.rows, lambda row: f"{row.day:%d/%m}        {row.day:%d/%m}        {row.text:<46}{de(row.amount):>14}{de(row.balance):>16}")}
                          SALDO A SU FAVOR                                                    {de(held.closing)}
"""


def santander_spain() -> str:
    held = SPANISH
    return f"""
Banco Santander     Movimientos de cuenta     ES66 0049 0001 5012 3456 7892
Fecha Operacion   Fecha Valor   Operacion                                   Importe EUR       Saldo EUR
{lines(held.rows[::-1], lambda row: f"{row.day:%d-%m-%Y}        {row.day:%d-%m-%Y}    {row.text:<42}{de(row.amount):>14}{de(row.balance):>16}")}
"""


def intesa() -> str:
    held = SPANISH
    return f"""
Intesa Sanpaolo     Estratto conto al 31.03.2024     Conto 1000/00012345     IBAN IT60 X054 2811 1010 0000 0123 456
Data operazione  Data valuta  Descrizione                                     Addebiti EUR    Accrediti EUR
                              Saldo iniziale al 01.03.2024                                      2.100,40
{lines(held.rows, lambda row: f"{row.day:%d.%m.%Y}       {row.day:%d.%m.%Y}   {row.text:<46}{out(row, de):>14}{into(row, de):>16}")}
                              Totali                                           {de(held.paid_out):>12}{de(held.paid_in):>16}
                              Saldo finale al 31.03.2024                                        {de(held.closing)}
"""


def ubs() -> str:
    held = SWISS
    return f"""
UBS Switzerland AG     Kontoauszug 01.02.2024 - 29.02.2024     UBS Privatkonto CHF     Konto-Nr. 0230 123456.40A     IBAN CH93 0076 2011 6238 5295 7
Datum       Informationen                             Belastungen    Gutschriften     Valuta          Saldo
01.02.24    Anfangssaldo                                                                           4'312.65
{lines(held.rows, lambda row: f"{row.day:%d.%m.%y}    {row.text:<40}{out(row, swiss):>12}{into(row, swiss):>16}     {row.day:%d.%m.%y}{swiss(row.balance):>15}")}
            Umsatztotal                                  {swiss(held.paid_out)}        {swiss(held.paid_in)}
29.02.24    Schlusssaldo                                                                           {swiss(held.closing)}
"""


def postfinance() -> str:
    held = SWISS
    return f"""
PostFinance AG     Kontoauszug 01.02.2024 - 29.02.2024     Privatkonto CHF     Kontonummer 30-123456-7
Datum       Text                                          Gutschrift     Lastschrift     Valuta          Saldo
            Kontostand                                                                                4 312.65
{lines(held.rows, lambda row: f"{row.day:%d.%m.%y}    {row.text:<44}{into(row, lambda v: us(v).replace(',', ' ')):>12}{out(row, lambda v: us(v).replace(',', ' ')):>16}     {row.day:%d.%m.%y}{us(row.balance).replace(',', ' '):>15}")}
            Total                                         {us(held.paid_in).replace(",", " "):>12}{us(held.paid_out).replace(",", " "):>16}
            Kontostand                                                                                {us(held.closing).replace(",", " ")}
"""


def nordea() -> str:
    held = NORDIC
    return f"""
Nordea     Kontoutdrag     Personkonto 1234 56 78901     Period 2024-05-01 - 2024-05-31     Valuta SEK
Bokford      Transaktion                                         Belopp             Saldo
             Ingaende saldo                                                     15.230,00
{lines(held.rows, lambda row: f"{row.day:%Y-%m-%d}   {row.text:<44}{trailing(row.amount, de):>16}{de(row.balance):>18}")}
             Utgaende saldo                                                     {de(held.closing)}
"""


def mbank() -> str:
    held = POLISH
    return f"""
mBank S.A.     Elektroniczne zestawienie operacji     za okres od 2024-06-01 do 2024-06-30     eKonto PLN
Nr rachunku: 12 1140 2004 0000 3102 1234 5678     Waluta rachunku: PLN
Data        Data        Opis operacji                                  Kwota            Saldo
operacji    ksiegowania
                        Saldo poczatkowe                                             4 120,15
{lines(held.rows, lambda row: f"{row.day}  {row.day}  {row.text:<40}{fr(row.amount):>14}{fr(row.balance):>18}")}
                        Saldo koncowe                                                {fr(held.closing)}
Suma uznan {fr(held.paid_in)}     Suma obciazen -{fr(held.paid_out)}
"""


EURO = (deutsche_bank, sparkasse, ing_diba, n26, commerzbank, volksbank, dkb, postbank)


def european_papers() -> Iterator[Made]:
    for layout in (barclays, hsbc, lloyds, monzo, starling, santander_uk):
        yield file_of(layout.__name__, "statement.pdf", draw(layout()), UK, "GBP", True)
    yield file_of("natwest_overdrawn", "statement.pdf", draw(natwest_overdrawn()), overdrawn(), "GBP", True)
    for layout in EURO:
        yield file_of(layout.__name__, "kontoauszug.pdf", draw(layout()), GERMAN, "EUR", True)
    for layout in (bnp, societe_generale, credit_mutuel):
        yield file_of(layout.__name__, "releve.pdf", draw(layout()), FRENCH, "EUR", True)
    for layout in (bbva_spain, santander_spain, intesa):
        yield file_of(layout.__name__, "extracto.pdf", draw(layout()), SPANISH, "EUR", True)
    for layout in (ubs, postfinance):
        yield file_of(layout.__name__, "auszug.pdf", draw(layout()), SWISS, "CHF", True)
    yield file_of("nordea", "kontoutdrag.pdf", draw(nordea()), NORDIC, "SEK", True)
    yield file_of("mbank", "zestawienie.pdf", draw(mbank()), POLISH, "PLN", True)
