"""Rows of accounts in several countries with their running balances, and the ways in which banks write numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import groupby

from ..truth import Made, Row


@dataclass(frozen=True)
class Ledger:
    """What an account begins at and its rows, oldest first; money out is negative."""

    opening: Decimal
    rows: tuple[Row, ...]

    @property
    def closing(self) -> Decimal:
        return self.rows[-1].balance if self.rows else self.opening

    @property
    def paid_out(self) -> Decimal:
        return -sum((row.amount for row in self.rows if row.amount < 0), Decimal(0))

    @property
    def paid_in(self) -> Decimal:
        return sum((row.amount for row in self.rows if row.amount > 0), Decimal(0))

    def debits(self) -> list[Row]:
        return [row for row in self.rows if row.amount < 0]

    def credits(self) -> list[Row]:
        return [row for row in self.rows if row.amount > 0]

    def by_day(self) -> Iterable[tuple[date, list[Row]]]:
        return [(day, list(rows)) for day, rows in groupby(self.rows, lambda row: row.day)]


def ledger(opening: str, text: str) -> Ledger:
    """Rows from lines of `2024-01-03 -12.30 DESCRIPTION`."""
    balance, rows = Decimal(opening), []
    for line in text.strip().splitlines():
        day, amount, words = line.split(None, 2)
        balance += Decimal(amount)
        rows.append(Row(date.fromisoformat(day), words, Decimal(amount), balance))
    return Ledger(Decimal(opening), tuple(rows))


def file_of(label: str, name: str, content: str | bytes, held: Ledger, currency: str, proves: bool) -> Made:
    data = content if isinstance(content, bytes) else content.encode()
    return Made(name, data, held.rows, currency, label, proves)


def lines(rows: Iterable[Row], write: Callable[[Row], str]) -> str:
    return "".join(f"{write(row)}\n" for row in rows)


def us(value: Decimal) -> str:
    return f"{value:,.2f}"


def plain(value: Decimal) -> str:
    return f"{value:.2f}"


def de(value: Decimal) -> str:
    return us(value).translate(str.maketrans(",.", ".,"))


def comma(value: Decimal) -> str:
    return plain(value).replace(".", ",")


def fr(value: Decimal) -> str:
    return us(value).translate(str.maketrans(",.", " ,"))


def swiss(value: Decimal) -> str:
    return us(value).replace(",", "'")


def indian(value: Decimal) -> str:
    """1,23,456.78: lakhs and crores."""
    whole, cents = f"{abs(value):.2f}".split(".")
    head, tail = whole[:-3], whole[-3:]
    groups = []
    while head:
        groups.insert(0, head[-2:])
        head = head[:-2]
    return f"{'-' if value < 0 else ''}{','.join([*groups, tail])}.{cents}"


def trailing(value: Decimal, write: Callable[[Decimal], str] = us) -> str:
    return f"{write(-value)}-" if value < 0 else write(value)


def out(row: Row, write: Callable[[Decimal], str] = us) -> str:
    return write(-row.amount) if row.amount < 0 else ""


def into(row: Row, write: Callable[[Decimal], str] = us) -> str:
    return write(row.amount) if row.amount > 0 else ""


US_CHECKING = ledger(
    "2841.17",
    """
2023-12-11 -64.18 KROGER #412 12/09 PURCHASE CINCINNATI OH CARD 4821
2023-12-12 -15.49 RECURRING CARD PURCHASE NETFLIX.COM 866-579-7172 CA
2023-12-15 2150.00 ACME CORP PAYROLL PPD ID: 9111111101
2023-12-15 -1200.00 ZELLE PAYMENT TO OAKWOOD PROPERTIES 19284471820
2023-12-20 -88.02 DUKE ENERGY BILL PAY WEB ID: 1560205520
2023-12-28 -300.00 ATM WITHDRAWAL 001234 12/28 1200 MAIN ST
2024-01-02 2150.00 ACME CORP PAYROLL PPD ID: 9111111101
2024-01-03 -6.25 STARBUCKS STORE 00871 COLUMBUS OH CARD 4821
2024-01-04 0.31 INTEREST PAYMENT
2024-01-05 -412.50 CHECK # 1042
2024-01-08 42.99 AMAZON.COM REFUND 12/30 SEATTLE WA
""",
)
US_CARD = ledger(
    "-1204.55",
    """
2023-12-12 -23.97 SHELL OIL 57444212345 DAYTON OH
2023-12-14 -118.40 WHOLEFDS MKT 10233 COLUMBUS OH
2023-12-18 1204.55 Payment Thank You - Web
2023-12-19 -9.99 SPOTIFY USA 877-7781161 NY
2023-12-23 -349.00 BEST BUY 00012345 COLUMBUS OH
2023-12-27 45.10 TARGET 00021456 RETURN DAYTON OH
2023-12-31 -72.15 UNITED 0162345678901 HOUSTON TX
2024-01-03 -14.20 CHIPOTLE 1123 COLUMBUS OH
2024-01-06 -60.00 PLANET FITNESS 614-555-0190 OH
""",
)
UK = ledger(
    "512.40",
    """
2023-12-27 -34.20 TESCO STORES 3217 LONDON
2023-12-29 -9.99 DISNEY PLUS
2023-12-29 -650.00 J HARRIS RENT
2024-01-02 -41.10 TFL TRAVEL CH
2024-01-02 1875.32 BRIGHT LTD SALARY
2024-01-05 -120.00 BRITISH GAS
2024-01-09 25.00 S PATEL BIRTHDAY
2024-01-15 -18.75 PRET A MANGER 0042
2024-01-22 -1430.00 HMRC SELF ASSESSMENT
""",
)
GERMAN = ledger(
    "1523.88",
    """
2023-12-28 -54.37 REWE SAGT DANKE 41234567
2023-12-29 -780.00 Dauerauftrag Miete Januar Familie Weber
2024-01-02 2643.11 Gehalt Dezember Muster GmbH
2024-01-03 -89.90 Stadtwerke Abschlag 01/24
2024-01-03 -12.99 PayPal Europe S.a.r.l. 1032456789012
2024-01-08 -200.00 Geldautomat Filiale 12
2024-01-15 35.00 Rueckzahlung Anna Schmidt
2024-01-19 -1145.60 Versicherung Jahresbeitrag 2024
""",
)
FRENCH = ledger(
    "983.05",
    """
2023-12-29 -61.44 CARTE 28/12 CARREFOUR MARKET PARIS
2024-01-02 -845.00 VIREMENT LOYER JANVIER
2024-01-03 2210.75 VIREMENT SALAIRE SOCIETE DURAND
2024-01-05 -29.99 PRLV SFR FIXE
2024-01-10 -60.00 RETRAIT DAB 09/01 LYON
2024-01-12 14.30 REMBOURSEMENT CPAM
2024-01-25 -1320.00 CHEQUE 0001234
""",
)
SPANISH = ledger(
    "2100.40",
    """
2024-03-01 -43.15 COMPRA MERCADONA TARJETA 4521
2024-03-04 -720.00 RECIBO ALQUILER MARZO
2024-03-05 1650.00 NOMINA EMPRESA LOPEZ SL
2024-03-11 -58.72 RECIBO IBERDROLA
2024-03-15 -100.00 DISPOSICION CAJERO
2024-03-20 20.00 BIZUM DE MARIA
2024-03-27 -1099.00 TRANSFERENCIA EL CORTE INGLES
""",
)
SWISS = ledger(
    "4312.65",
    """
2024-02-01 -1850.00 Miete Februar Immobilien AG
2024-02-05 -84.35 Coop-1234 Zuerich
2024-02-08 -12.90 SBB Mobile
2024-02-23 6120.45 Salaer Muster AG
2024-02-26 -431.20 Krankenkasse CSS
2024-02-28 -50.00 Bancomat Bezug
""",
)
INDIAN = ledger(
    "118204.50",
    """
2024-04-01 -1250.00 UPI/409212345678/SWIGGY/PAYTM
2024-04-03 -25000.00 NEFT RENT TO MR RAO HDFC0000123
2024-04-05 -499.00 ECS AIRTEL POSTPAID
2024-04-10 185000.00 SALARY APR INFOTECH PVT LTD
2024-04-12 -10000.00 ATM WDL MG ROAD 1234
2024-04-20 312.75 CREDIT INTEREST CAPITALISED
2024-04-28 -64250.25 IMPS-411912345678-LIC PREMIUM
""",
)
AUSTRALIAN = ledger(
    "3022.10",
    """
2023-12-28 -82.40 WOOLWORTHS 1234 SYDNEY NSW
2023-12-30 -15.00 OPAL TOP UP
2024-01-02 2480.00 SALARY ACME PTY LTD
2024-01-04 -610.00 TRANSFER TO RENT AGENT
2024-01-10 -129.95 TELSTRA BPAY 123456
2024-01-16 60.00 OSKO FROM J NGUYEN
2024-01-24 -1999.00 JB HI-FI PARRAMATTA
""",
)
CANADIAN = ledger(
    "1650.22",
    """
2023-12-19 -53.80 CONTACTLESS INTERAC PURCHASE - 4821 METRO 231
2023-12-21 -16.95 MONTHLY FEE
2023-12-29 2012.44 PAYROLL DEPOSIT MAPLE INC
2024-01-02 -1400.00 E-TRANSFER SENT LANDLORD
2024-01-08 -77.31 HYDRO ONE BILL PMT
2024-01-11 120.00 E-TRANSFER RECEIVED K TREMBLAY
2024-01-15 -8.40 TIM HORTONS #0912
""",
)
NORDIC = ledger(
    "15230.00",
    """
2024-05-02 -389.50 ICA NARA STOCKHOLM
2024-05-06 -8900.00 HYRA MAJ
2024-05-24 31250.00 LON FORETAGET AB
2024-05-27 -459.00 TELIA SVERIGE
2024-05-28 -125.00 SL STOCKHOLM
2024-05-30 200.00 SWISH ANNA
""",
)
POLISH = ledger(
    "4120.15",
    """
2024-06-03 -152.33 BIEDRONKA 1234 WARSZAWA
2024-06-05 -2100.00 CZYNSZ CZERWIEC
2024-06-10 7350.00 WYNAGRODZENIE FIRMA SP Z O O
2024-06-14 -64.99 ORANGE POLSKA
2024-06-20 -300.00 WYPLATA BANKOMAT
2024-06-27 45.50 ZWROT ALLEGRO
""",
)
SINGAPORE = ledger(
    "8120.33",
    """
2024-07-01 -38.20 FAIRPRICE 0231 SINGAPORE
2024-07-03 -2400.00 GIRO RENT
2024-07-15 -21.55 GRAB RIDES
2024-07-25 6050.00 SALARY LION PTE LTD
2024-07-29 -318.40 SP SERVICES
2024-07-31 1.05 INTEREST EARNED
""",
)
BRAZILIAN = ledger(
    "3210.00",
    """
2024-08-01 -212.35 SUPERMERCADO PAO DE ACUCAR
2024-08-05 4800.00 SALARIO EMPRESA LTDA
2024-08-06 -1500.00 PIX ENVIADO ALUGUEL
2024-08-12 -99.90 VIVO CONTA
2024-08-20 150.00 PIX RECEBIDO CARLOS
2024-08-28 -35.00 TARIFA PACOTE SERVICOS
""",
)
EARLY_DAYS = ledger(
    "900.00",
    """
2024-02-01 -20.00 BAKERY
2024-03-02 -35.50 BOOKSHOP
2024-05-03 410.00 INVOICE 17
2024-07-04 -12.40 MARKET
2024-09-06 -88.00 DENTIST
2024-11-08 60.00 GIFT
""",
)
"""Every day and month is 12 or less: the order of day and month stays open without further evidence."""
