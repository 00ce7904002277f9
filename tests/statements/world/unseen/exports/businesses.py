"""Accounts of those who sell: payment services and banks of companies."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .books import ENGLISH, draw, export, table


def stripe() -> Made:
    """Each row is one of the balance: net is what it moves, fee included. Truth is the net."""
    book = draw("stripe", "us", month=9, count=12)
    lines = [
        [
            "id",
            "Type",
            "Source",
            "Amount",
            "Fee",
            "Net",
            "Currency",
            "Created (UTC)",
            "Available On (UTC)",
            "Description",
        ]
    ]
    rows = []
    for row in book.newest:
        gross = -row.amount  # charges come in, payouts go out
        is_charge = gross > 0
        fee = (
            (gross * 29 / 1000 + Decimal("0.30")).quantize(Decimal("0.01")) if is_charge else Decimal("0.00")
        )
        text = f"Invoice {book.digits(6)}-0001" if is_charge else "STRIPE PAYOUT"
        lines.append(
            [
                f"txn_{book.letters(20)}",
                "charge" if is_charge else "payout",
                f"py_{book.letters(16)}",
                str(gross),
                str(fee),
                str(gross - fee),
                "usd",
                f"{row.day} {book.clock(row, seconds=False)}",
                f"{row.day + timedelta(days=2)} 00:00",
                text,
            ]
        )
        rows.append(Row(row.day, text, gross - fee))
    label = "Stripe balance: amount, fee and net; two dates, created and available"
    return export("balance_history.csv", table(lines, end="\n"), rows, "USD", label)


def square() -> Made:
    """What a sale leaves in the account is the net total: collected less fees. Truth is the net total."""
    book = draw("square", "us", month=10, count=12)
    header = (
        "Date,Time,Time Zone,Gross Sales,Discounts,Net Sales,Tax,Tip,Total Collected,Source,Card,Cash,Fees,"
        "Net Total,Transaction ID,Card Brand,PAN Suffix,Description,Event Type,Location"
    )
    lines = [header.split(",")]
    rows = []
    for row in book.newest:
        sale = abs(row.amount)
        tax = (sale * 8 / 100).quantize(Decimal("0.01"))
        total = sale + tax
        fee = (total * 26 / 1000 + Decimal("0.10")).quantize(Decimal("0.01"))
        dollars = [f"${ENGLISH.size(value)}" for value in (sale, Decimal(0), sale, tax, Decimal(0), total)]
        text = f"{book.chance.randint(1, 3)} x Espresso, Croissant"
        lines.append(
            [
                f"{row.day}",
                book.clock(row),
                "Pacific Time (US & Canada)",
                *dollars,
                "Point of Sale",
                dollars[-1],
                "$0.00",
                f"-${ENGLISH.size(fee)}",
                f"${ENGLISH.size(total - fee)}",
                book.letters(24),
                "Visa",
                book.digits(4),
                text,
                "Payment",
                "Main Street",
            ]
        )
        rows.append(Row(row.day, text, total - fee))
    label = "Square sales, US: gross, tax, collected, fees and net total beside one another"
    return export(
        "transactions-2025-10-01-2025-11-01.csv", table(lines, quote="all", end="\n"), rows, "USD", label
    )


def mercury() -> Made:
    book = draw("mercury", "us", month=11, count=12)
    header = (
        "Date (UTC),Description,Amount,Status,Source Account,Bank Description,Reference,Note,Last Four Digits,"
        "Name On Card,Category,GL Code,Timestamp,Original Currency,Check Number,Tags"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.newest):
        day = f"{row.day:%m-%d-%Y}"
        tail = ["", "", "", "", "", "", f"{day} {book.clock(row)}", "USD", "", ""]
        if place in (1, 6):
            state = "Failed" if place == 6 else "Pending"
            lines.append([day, "Gusto", "-2910.44", state, "Mercury Checking xx0412", "GUSTO PAYROLL", *tail])
        lines.append(
            [day, row.text.title(), str(row.amount), "Sent", "Mercury Checking xx0412", row.text, *tail]
        )
    label = "Mercury, US: days with hyphens month first, pending and failed rows (trap)"
    return export("transactions-morgan-labs-dec2025.csv", table(lines, end="\n"), book.newest, "USD", label)


def files() -> list[Made]:
    return [
        stripe(),
        square(),
        mercury(),
    ]
