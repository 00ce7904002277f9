# ruff: noqa: E501 lines stay as wide as the file they are modelled on
"""Files whose balances agree although another reading of them is wrong: scales, days, currencies, rows that cancel out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal

from ..institutions.drawing import draw
from ..institutions.ledgers import (
    GERMAN,
    SWISS,
    UK,
    US_CARD,
    US_CHECKING,
    Ledger,
    comma,
    de,
    file_of,
    fr,
    into,
    ledger,
    lines,
    out,
    plain,
    us,
)
from ..institutions.tables import table
from ..truth import Made, Row

PESOS = ledger(
    "1250000",
    "2024-04-02 -12500 UNIMARC PROVIDENCIA\n2024-04-10 -350000 ARRIENDO ABRIL\n2024-04-19 -8990 ENTEL\n2024-04-30 1150000 SUELDO EMPRESA SPA",
)
DINARS = ledger(
    "812.250",
    "2024-04-03 -12.500 SULTAN CENTER\n2024-04-14 -325.000 RENT APRIL\n2024-04-18 -4.750 ZAIN\n2024-04-28 950.125 SALARY",
)
EARLY = ledger(
    "900.00",
    "2024-02-03 -20.00 BAKERY\n2024-03-04 -35.50 BOOKSHOP\n2024-04-06 410.00 INVOICE 17\n2024-05-08 -12.40 MARKET\n2024-06-09 -88.00 DENTIST",
)
CANCELLING = ledger(
    "640.10",
    "2024-05-02 -31.20 CARREFOUR CITY\n2024-05-06 -58.40 TOTAL 4021 PARIS\n2024-05-06 58.40 TOTAL 4021 PARIS\n2024-05-14 -19.90 SOLDE CHAUSSURES LYON\n2024-05-21 1200.00 VIREMENT SALAIRE\n2024-05-28 -1.05 FRAIS",
)
TWICE = ledger(
    "100.00",
    "2024-05-14 -2.80 METRO\n2024-05-14 -2.80 METRO\n2024-05-15 -2.80 METRO\n2024-05-16 50.00 TOP UP",
)
WON = ledger("3200000", "2024-06-03 -12500 GS25 GANGNAM\n2024-06-14 -550000 RENT\n2024-06-25 2900000 SALARY")


def whole(group: str) -> Callable[[Decimal], str]:
    return lambda value: f"{value:,.0f}".replace(",", group)


def three(mark: str) -> Callable[[Decimal], str]:
    return lambda value: f"{value:.3f}".replace(".", mark)


def balances(
    label: str,
    held: Ledger,
    currency: str,
    write: Callable[[Decimal], str],
    *,
    day: str,
    head: str,
    first: str,
    last: str,
    name: str = "export.csv",
) -> Made:
    """A table by semicolons that states its balance after each row and both ends."""
    text = (
        f"{head}\n;{first};;{write(held.opening)}\n"
        + lines(held.rows, lambda r: f"{r.day:{day}};{r.text};{write(r.amount)};{write(r.balance)}")
        + f";{last};;{write(held.closing)}\n"
    )
    return file_of(label, name, text, held, currency, True)


def scales() -> Iterator[Made]:
    yield balances(
        "chilean pesos with dots",
        PESOS,
        "CLP",
        whole("."),
        day="%d/%m/%Y",
        head="Fecha;Descripción;Monto CLP;Saldo CLP",
        first="Saldo inicial",
        last="Saldo final",
    )
    yield balances(
        "pesos with dots and a dollar sign",
        PESOS,
        "CLP",
        whole("."),
        day="%d/%m/%Y",
        head="Fecha;Descripción;Monto ($);Saldo ($)",
        first="Saldo inicial",
        last="Saldo final",
    )
    yield balances(
        "rupiah with dots",
        PESOS,
        "IDR",
        whole("."),
        day="%d/%m/%Y",
        head="Tanggal;Keterangan;Jumlah (IDR);Saldo (IDR)",
        first="Saldo awal",
        last="Saldo akhir",
    )
    yield balances(
        "kuwaiti dinars with three places",
        DINARS,
        "KWD",
        three("."),
        day="%d/%m/%Y",
        head="Date;Description;Amount (KWD);Balance (KWD)",
        first="Opening balance",
        last="Closing balance",
    )
    yield balances(
        "tunisian dinars with three places and a comma",
        DINARS,
        "TND",
        three(","),
        day="%d/%m/%Y",
        head="Date;Libellé;Montant (TND);Solde (TND)",
        first="Solde initial",
        last="Solde final",
    )
    yield balances(
        "won with commas",
        WON,
        "KRW",
        whole(","),
        day="%Y-%m-%d",
        head="Date;Description;Amount (KRW);Balance (KRW)",
        first="Opening balance",
        last="Closing balance",
    )
    yield balances(
        "forints with spaces",
        PESOS,
        "HUF",
        whole(" "),
        day="%Y.%m.%d",
        head="Dátum;Közlemény;Összeg (HUF);Egyenleg (HUF)",
        first="Nyitó egyenleg",
        last="Záró egyenleg",
    )
    big = ledger("5000000", "2024-04-02 -125000 A\n2024-04-10 -350000 B\n2024-04-30 1150000 C")
    yield balances(
        "only round thousands of euros, german",
        big,
        "EUR",
        lambda v: f"{v:,.0f}".replace(",", "."),
        day="%d.%m.%Y",
        head="Buchungstag;Text;Betrag (EUR);Saldo (EUR)",
        first="Alter Saldo",
        last="Neuer Saldo",
    )
    yield file_of("paper pesos with dots", "cartola.pdf", draw(peso_paper(), wide=True), PESOS, "CLP", True)
    yield file_of(
        "paper dinars with three places", "dinars.pdf", draw(dinar_paper(), wide=True), DINARS, "KWD", True
    )


def peso_paper() -> str:
    write = whole(".")
    return f"""
Banco Austral de Chile          Cartola N 4          Cuenta corriente 00-123-45678-09          01/04/2024 al 30/04/2024
Fecha        Descripcion                                  Cargos ($)          Abonos ($)          Saldo ($)
             SALDO INICIAL                                                                        {write(PESOS.opening)}
{lines(PESOS.rows, lambda r: f"{r.day:%d/%m/%Y}   {r.text:<40}{out(r, write):>14}{into(r, write):>20}{write(r.balance):>20}")}
             SALDO FINAL                                                                          {write(PESOS.closing)}
"""


def dinar_paper() -> str:
    write = three(".")
    return f"""
Gulf Commercial Bank K.S.C.          Statement of account KWD          01/04/2024 to 30/04/2024
Date         Description                                  Debit               Credit              Balance
             OPENING BALANCE                                                                      {write(DINARS.opening)}
{lines(DINARS.rows, lambda r: f"{r.day:%d/%m/%Y}   {r.text:<40}{out(r, write):>14}{into(r, write):>20}{write(r.balance):>20}")}
             CLOSING BALANCE                                                                      {write(DINARS.closing)}
"""


def days() -> Iterator[Made]:
    ends = {"first": "Opening balance", "last": "Closing balance"}
    yield balances(
        "early days of a bank in panama",
        EARLY,
        "USD",
        plain,
        day="%d/%m/%Y",
        head="Banco General Panamá\nFecha;Descripción;Monto USD;Saldo USD",
        first="Saldo inicial",
        last="Saldo final",
    )
    yield balances(
        "early days in pounds, month first",
        EARLY,
        "GBP",
        plain,
        day="%m/%d/%Y",
        head="Date;Details;Amount (GBP);Balance (GBP)",
        **ends,
    )
    yield balances(
        "early days in dollars, day first",
        EARLY,
        "USD",
        plain,
        day="%d/%m/%Y",
        head="Date;Details;Amount (USD);Balance (USD)",
        **ends,
    )
    yield balances(
        "early days of the philippines",
        EARLY,
        "PHP",
        plain,
        day="%m/%d/%Y",
        head="Date;Details;Amount (PHP);Balance (PHP)",
        **ends,
    )
    yield balances(
        "two-digit years first",
        US_CHECKING,
        "SEK",
        plain,
        day="%y-%m-%d",
        head="Datum;Text;Belopp (SEK);Saldo (SEK)",
        first="Ingående saldo",
        last="Utgående saldo",
    )
    yield balances(
        "two-digit years first and early days",
        EARLY,
        "SEK",
        plain,
        day="%y-%m-%d",
        head="Datum;Text;Belopp (SEK);Saldo (SEK)",
        first="Ingående saldo",
        last="Utgående saldo",
    )
    yield balances(
        "six digits",
        US_CHECKING,
        "SEK",
        plain,
        day="%y%m%d",
        head="Datum;Text;Belopp (SEK);Saldo (SEK)",
        first="Ingående saldo",
        last="Utgående saldo",
    )
    later = date(2024, 1, 31)
    yield table(
        "value days before booking days",
        GERMAN,
        "EUR",
        "Wertstellung;Buchungstag;Verwendungszweck;Betrag EUR;Saldo EUR",
        lambda r: (
            f"{min(later, r.day.replace(day=28)):%d.%m.%Y};{r.day:%d.%m.%Y};{r.text};{comma(r.amount)};{comma(r.balance)}"
        ),
    )
    for label, period, month in (
        ("german", "vom 27. Dezember 2023 bis 26. Januar 2024", ("Dez", "Jan")),
        ("spanish", "del 27 de diciembre de 2023 al 26 de enero de 2024", ("DIC", "ENE")),
        ("french", "du 27 décembre 2023 au 26 janvier 2024", ("déc.", "janv.")),
        ("italian", "dal 27 dicembre 2023 al 26 gennaio 2024", ("dic", "gen")),
        ("dutch", "van 27 december 2023 tot 26 januari 2024", ("dec", "jan")),
    ):
        yield file_of(
            f"paper {label} months over new year",
            f"{label}.pdf",
            draw(months_paper(period, month), wide=True),
            GERMAN,
            "EUR",
            True,
        )
    yield file_of(
        "paper only the day it was printed",
        "printed.pdf",
        draw(printed_paper(), wide=True),
        GERMAN,
        "EUR",
        True,
    )


def months_paper(period: str, names: tuple[str, str]) -> str:
    return f"""
Europa Bank     IBAN DE12 5001 0517 0648 4898 90     EUR     {period}
Date          Details                                          Debit EUR          Credit EUR          Balance EUR
              Opening balance                                                                         {de(GERMAN.opening)}
{lines(GERMAN.rows, lambda r: f"{r.day:%d} {names[r.day.month == 1]}      {r.text:<44}{out(r, de):>14}{into(r, de):>20}{de(r.balance):>20}")}
              Closing balance                                                                         {de(GERMAN.closing)}
"""


def printed_paper() -> str:
    return f"""
Europa Bank     IBAN DE12 5001 0517 0648 4898 90     EUR     Printed 14 March 2026
Date          Details                                          Debit EUR          Credit EUR          Balance EUR
              Opening balance                                                                         {de(GERMAN.opening)}
{lines(GERMAN.rows, lambda r: f"{r.day:%d.%m.}        {r.text:<44}{out(r, de):>14}{into(r, de):>20}{de(r.balance):>20}")}
              Closing balance                                                                         {de(GERMAN.closing)}
"""


def bank_paper(bank: str, symbol: str, day: str, held: Ledger = UK) -> str:
    return f"""
{bank}     Statement of account     27 December 2023 to 26 January 2024
Date          Details                                          Debit          Credit          Balance
              Opening balance                                                               {symbol}{us(held.opening)}
{lines(held.rows, lambda r: f"{r.day:{day}}    {r.text:<40}{symbol + out(r) if r.amount < 0 else '':>14}{symbol + into(r) if r.amount > 0 else '':>16}{symbol + us(r.balance):>18}")}
              Closing balance                                                               {symbol}{us(held.closing)}
"""


def currencies() -> Iterator[Made]:
    for bank, symbol, currency in (
        ("Banorte Mexico", "$", "MXN"),
        ("Bancolombia", "$", "COP"),
        ("Banco Galicia Argentina", "$", "ARS"),
        ("Outback Mutual BSB 802-884", "$", "AUD"),
        ("Unknown Savings Society", "$", "NZD"),
        ("Kowloon Commercial Bank Hong Kong", "$", "HKD"),
        ("Fjordbanken", "kr ", "NOK"),
        ("Karachi Commercial Bank", "Rs. ", "PKR"),
        ("Bank of Chengdu", "¥", "CNY"),
        ("Cape Mutual Bank", "R", "ZAR"),
        ("Banca Transilvania", "lei ", "RON"),
        ("Maybank", "RM", "MYR"),
        ("Anadolu Bankasi", "TL ", "TRY"),
    ):
        yield file_of(
            f"paper in {currency}",
            f"{currency}.pdf",
            draw(bank_paper(bank, symbol, "%d/%m/%Y"), wide=True),
            UK,
            currency,
            True,
        )
    yield balances(
        "dollars of which country",
        UK,
        "AUD",
        plain,
        day="%d/%m/%Y",
        head="Date;Details;Amount ($);Balance ($)",
        first="Opening balance",
        last="Closing balance",
    )
    mixed = tuple("EUR" if r.amount < -500 else "GBP" for r in UK.rows)
    text = "Date,Description,Amount,Currency\n" + lines(
        UK.rows, lambda r: f'{r.day},"{r.text}",{plain(r.amount)},{"EUR" if r.amount < -500 else "GBP"}'
    )
    yield Made("mixed.csv", text.encode(), UK.rows, "GBP", "rows in two currencies", currencies=mixed)
    yield table(
        "a column of foreign currencies only",
        UK,
        "GBP",
        "Bank: Thames Building Society, Sort code 20-11-43\nDate,Description,Amount (£),Foreign amount,Foreign currency",
        lambda r: f'{r.day:%d/%m/%Y},"{r.text}",{plain(r.amount)},{plain(abs(r.amount) * 2)},EUR',
    )


def cancelling() -> Iterator[Made]:
    yield balances(
        "a brand called total",
        CANCELLING,
        "EUR",
        comma,
        day="%d/%m/%Y",
        head="Date;Libellé;Montant (EUR);Solde (EUR)",
        first="Solde initial",
        last="Solde final",
    )
    text = f"""
Banque du Rhone     Relevé de compte     du 01/05/2024 au 31/05/2024     EUR
Date          Libellé                                            Débit            Crédit
              Solde initial au 01/05/2024                                        {fr(CANCELLING.opening)}
{lines(CANCELLING.rows, lambda r: f"{r.day:%d/%m/%Y}    {r.text:<40}{out(r, fr):>14}{into(r, fr):>18}")}
              Solde final au 31/05/2024                                          {fr(CANCELLING.closing)}
"""
    yield file_of("paper a brand called total", "total.pdf", draw(text, wide=True), CANCELLING, "EUR", True)
    yield balances(
        "the same row twice",
        TWICE,
        "EUR",
        comma,
        day="%d/%m/%Y",
        head="Date;Libellé;Montant (EUR);Solde (EUR)",
        first="Solde initial",
        last="Solde final",
    )
    yield file_of(
        "paper the same row twice",
        "twice.pdf",
        draw(
            text.replace(fr(CANCELLING.opening), fr(TWICE.opening))
            .replace(fr(CANCELLING.closing), fr(TWICE.closing))
            .replace(
                lines(
                    CANCELLING.rows,
                    lambda r: f"{r.day:%d/%m/%Y}    {r.text:<40}{out(r, fr):>14}{into(r, fr):>18}",
                ),
                lines(
                    TWICE.rows, lambda r: f"{r.day:%d/%m/%Y}    {r.text:<40}{out(r, fr):>14}{into(r, fr):>18}"
                ),
            ),
            wide=True,
        ),
        TWICE,
        "EUR",
        True,
    )
    nothing = Ledger(
        US_CHECKING.opening,
        (*US_CHECKING.rows, Row(date(2024, 1, 8), "FEE WAIVED", Decimal("0.00"), US_CHECKING.closing)),
    )
    yield table(
        "a comma in a text without quotes",
        US_CHECKING,
        "USD",
        "Date,Description,Amount,Balance",
        lambda r: f"{r.day:%m/%d/%Y},{r.text.replace(' ', ', ', 1)},{plain(r.amount)},{plain(r.balance)}",
    )
    yield table(
        "a row of nothing",
        nothing,
        "USD",
        "Date,Description,Amount USD,Balance USD",
        lambda r: f'{r.day:%m/%d/%Y},"{r.text}",{plain(r.amount)},{plain(r.balance)}',
    )
    yield table(
        "texts with days and amounts",
        SWISS,
        "CHF",
        "Datum;Text;Betrag CHF;Saldo CHF",
        lambda r: (
            f'{r.day:%d.%m.%Y};"{r.text} vom 03.01.2024 ueber CHF 15.00\n04.01.2024 17.50";{plain(r.amount)};{plain(r.balance)}'
        ),
    )
    yield table(
        "an account that is overdrawn",
        ledger("-310.40", "\n".join(f"{r.day} {r.amount} {r.text}" for r in UK.rows[:4])),
        "GBP",
        "Date,Details,Debit (GBP),Credit (GBP),Balance (GBP)",
        lambda r: (
            f'{r.day:%d/%m/%Y},"{r.text}",{out(r, plain)},{into(r, plain)},{abs(r.balance)} {"OD" if r.balance < 0 else "CR"}'
        ),
    )
    yield table(
        "a loan whose balance is owed",
        ledger(
            "-12000.00",
            "2024-01-15 -55.20 INTEREST CHARGED\n2024-01-31 400.00 REPAYMENT\n2024-02-15 -53.60 INTEREST CHARGED\n2024-02-29 400.00 REPAYMENT",
        ),
        "USD",
        "Date,Description,Charges USD,Payments USD,Principal balance USD",
        lambda r: f'{r.day:%m/%d/%Y},"{r.text}",{out(r, plain)},{into(r, plain)},{plain(-r.balance)}',
    )
    yield table(
        "spending as plus with what is owed",
        US_CARD,
        "USD",
        "Date,Description,Amount USD,Balance USD",
        lambda r: f'{r.day:%m/%d/%Y},"{r.text}",{plain(-r.amount)},{plain(-r.balance)}',
    )


def lost_at_an_end() -> Iterator[Made]:
    """Amounts in a column that no name explains: the running balance of the other rows agrees without them."""
    for label, place in (("last", -1), ("first", 0)):
        lost = UK.rows[place]
        yield table(
            f"the {label} amount is under another name",
            UK,
            "GBP",
            "Date,Details,Paid out (GBP),Paid in (GBP),Adjustments,Balance (GBP)",
            lambda r, lost=lost: (
                f'{r.day:%d/%m/%Y},"{r.text}",{"" if r is lost else out(r, plain)},{into(r, plain)},{plain(r.amount) if r is lost else ""},{plain(r.balance)}'
            ),
        )
    named = Ledger(
        UK.opening, (*UK.rows, Row(date(2024, 1, 24), "TOTAL", Decimal("-40.00"), UK.closing - 40))
    )
    yield table(
        "a petrol station last",
        named,
        "GBP",
        "Date,Details,Amount (GBP),Balance (GBP)",
        lambda r: f'{r.day:%d/%m/%Y},"{r.text}",{plain(r.amount)},{plain(r.balance)}',
    )


def traps() -> Iterator[Made]:
    yield from scales()
    yield from days()
    yield from currencies()
    yield from cancelling()
    yield from lost_at_an_end()
