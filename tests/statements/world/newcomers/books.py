"""Accounts of banks that no other folder has: rows drawn from a seed, in the words of their country."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from ..institutions.ledgers import Ledger, us
from ..truth import Row


@dataclass(frozen=True)
class Words:
    """What rows of a country are called: money spent and money received."""

    spent: tuple[str, ...]
    received: tuple[str, ...]


ENGLISH = Words(
    (
        "PUBLIX SUPER MARKET 0412",
        "CITY WATER UTILITY BILL",
        "SPOTIFY P0A1B2C3D4",
        "UBER TRIP HELP.UBER.COM",
        "OAK STREET DENTAL",
        "HARDWARE DEPOT 5510",
        "RENT MARCH FLAT 9",
        "ATM CASH 14 HIGH ST",
    ),
    ("PAYROLL NORTHWIND LTD", "REFUND HARDWARE DEPOT", "INTEREST PAID", "TRANSFER FROM SAVINGS"),
)
CARD = Words(
    (
        "LYFT RIDE SUN 7PM",
        "TRADER VILLAGE #117 AUSTIN TX",
        "HOTEL MERIDIAN 4 NIGHTS",
        "PARKING GARAGE 22",
        "STREAMING PLUS 888-555-0101",
        "BISTRO ON MAIN",
    ),
    ("PAYMENT RECEIVED - THANK YOU", "REFUND HOTEL MERIDIAN"),
)
GERMAN = Words(
    (
        "BILLA DANKT 3310 WIEN",
        "Miete Top 12",
        "Wien Energie Teilbetrag",
        "Bankomat 4021 Graz",
        "A1 Telekom Rechnung",
        "Versicherung Praemie",
    ),
    ("Gehalt Firma Huber GmbH", "Gutschrift Rueckzahlung OEGK", "Zinsen"),
)
FRENCH = Words(
    (
        "ACHAT METRO PLUS 041",
        "HYDRO-QUEBEC FACTURE",
        "VIREMENT LOYER",
        "RETRAIT GUICHET",
        "BELL MOBILITE PAIEMENT",
        "PHARMACIE JEAN",
    ),
    ("PAIE EMPLOYEUR INC", "DEPOT AU GUICHET", "REMBOURSEMENT TPS"),
)
SPANISH = Words(
    (
        "COMPRA EXITO LAURELES",
        "PAGO ALQUILER DEPTO 4",
        "RETIRO CAJERO CENTRO",
        "PAGO LUZ DEL SUR",
        "COMPRA FARMACIA",
        "PAGO CLARO MOVIL",
    ),
    ("ABONO SUELDO", "TRANSFERENCIA RECIBIDA DE ANA", "ABONO INTERESES"),
)
DUTCH = Words(
    (
        "COLRUYT 4410 GENT",
        "Huur appartement",
        "Engie factuur",
        "Geldopname Korenmarkt",
        "Proximus",
        "Apotheek De Zwaan",
    ),
    ("Loon Janssens NV", "Terugbetaling mutualiteit", "Overschrijving van P Maes"),
)
MALAY = Words(
    (
        "TESCO STORES 0091",
        "SEWA RUMAH",
        "TENAGA NASIONAL BILL",
        "PENGELUARAN ATM",
        "GRAB RIDES",
        "KLINIK SEHAT",
    ),
    ("GAJI SYARIKAT", "PINDAHAN DARI ALI", "FAEDAH"),
)
NORDIC = Words(
    (
        "KIWI 512 OSLO",
        "Husleie",
        "Strom Fjordkraft",
        "Minibank Storgata",
        "Telenor",
        "Vipps Kari",
    ),
    ("Lonn Bedrift AS", "Tilbakebetaling skatt", "Renter"),
)


def book(
    name: str,
    seed: int,
    words: Words = ENGLISH,
    *,
    first: date = date(2024, 3, 4),
    days: int = 29,
    count: int = 10,
    opening: int = 250_000,
    smallest: int = 300,
    largest: int = 60_000,
    places: int = 2,
    scale: int = 1,
) -> Ledger:
    """An account whose rows follow from its name and seed; amounts are in hundredths, times `scale`."""
    chance = random.Random(f"{name} {seed}")
    step = Decimal(1).scaleb(-places)
    offsets = sorted(chance.randint(0, days) for _ in range(count))
    offsets[0], offsets[-1] = 0, days
    incomes = set(chance.sample(range(count), max(2, count // 4)))
    opened = (Decimal(opening + chance.randint(0, 9999)) * scale).scaleb(-2).quantize(step)
    balance, rows = opened, []
    for place, offset in enumerate(offsets):
        amount = (Decimal(chance.randint(smallest, largest)) * scale).scaleb(-2).quantize(step)
        if place in incomes:
            text, amount = chance.choice(words.received), amount * 2
        else:
            text, amount = chance.choice(words.spent), -amount
        balance += amount
        rows.append(Row(first + timedelta(days=offset), text, amount, balance))
    return Ledger(opened, tuple(rows))


def card(
    name: str, seed: int, words: Words = CARD, *, first: date = date(2024, 3, 4), count: int = 9
) -> Ledger:
    """A card on which something is owed: balances are below zero."""
    return book(name, seed, words, first=first, count=count, opening=-160_000, largest=30_000)


def whole(value: Decimal, mark: str = ".") -> str:
    """A number without cents, its thousands apart."""
    return f"{value:,.0f}".replace(",", mark)


def behind(value: Decimal, minus: str = "-", plus: str = "") -> str:
    """The sign behind the number."""
    return f"{us(abs(value))}{minus if value < 0 else plus}"


def in_brackets(value: Decimal) -> str:
    return f"({us(-value)})" if value < 0 else us(value)
