"""Statements drawn by chance: columns, heads, dates, signs, fonts and page breaks vary, the rows must come out all the same."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

import pytest

from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.dates import read_date
from interlock.workflows.statements.parsers.pdf.parsers import GenericPdf
from tests.statements.pdf.layouts.boa import Row
from tests.statements.pdf.layouts.sheets import Sheet, Style

from .test_every_style import flows

DATES = ("%m/%d/%Y", "%m/%d/%y", "%m/%d", "%b %d", "%b %d, %Y", "%d %b %Y", "%d %b", "%Y-%m-%d")
SHOPS = (
    "CORNER GROCER 412",
    "TOTAL WINE 77",
    "NEW BALANCE NYC",
    "24 HOUR GYM",
    "PAYMENT 01/02 REF 12.50 EUR",
    "Zelle to Robin",
    "AIR 0012345678901",
    "OPENING NIGHT BAR",
    "CLOSING TIME PUB",
)
MORE = (
    "SEATTLE WA",
    "DES:PAYROLL ID:XXXXX1",
    "Conf# a1b2c3",
    "Ref: 01/15/24 20.00 USD",
    "Card 4411",
    "CHECKING 7788",
)
FONTS = ("Helvetica", "Times-Roman", "Vera")


class Chance:
    """One random statement, and what is in it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        pick = self.random.choice
        self.columns = pick(["amount", "amount balance", "out in", "out in balance", "in out balance"])
        self.signs = pick(["-{}", "{}-", "({})", "-${}"])
        self.format, self.align, self.step = (
            pick(DATES),
            pick(["right", "left", "center"]),
            pick([11, 12, 14]),
        )
        self.style = Style(font=pick(FONTS), scale=pick([0.85, 0.95]), shuffled=pick([True, False]))
        self.lead, self.extra = pick([0, 0, 3, 6]), pick([0, 1, 2])
        self.sheet, self.rows = Sheet(), list[Row]()
        self.balance = Decimal("1000.00")
        self.rights = {"amount": 470, "out": 390, "in": 475, "balance": 565}
        if self.columns == "in out balance":
            self.rights |= {"in": 390, "out": 475}

    def made(self) -> tuple[bytes, list[Row]]:
        sheet = self.sheet
        sheet.row(
            (40, "SOME BANK, account number 1234567890"),
            (560, "January 1, 2024 to January 31, 2024", "right"),
            step=20,
        )
        sheet.row((40, "Beginning balance"), (300, "1,000.00", "right"))
        ending = sheet.y
        sheet.y += 30
        self.head()
        for day in range(self.random.randint(8, 70)):
            if sheet.y > 690:
                sheet.put(40, "Some Bank is a member of something", y=760)
                sheet.put(560, f"Page {sheet.page + 1}", "right", y=760)
                sheet.turn(70)
                self.head()
            self.row(date(2024, 1, 1) + timedelta(days=day * 30 // 70))
        sheet.row((40, "Total"), (self.rights["amount"], "99.99", "right"))
        page, sheet.page = sheet.page, 0
        sheet.put(40, "Ending balance", y=ending)
        sheet.put(300, f"{self.balance:,.2f}", "right", y=ending)
        sheet.page = page
        return sheet.pdf(self.style), self.rows

    def head(self) -> None:
        names = {"amount": "Amount", "out": "Withdrawals", "in": "Deposits", "balance": "Balance"}
        self.sheet.put(40, "Date")
        self.sheet.put(120, "Description")
        for name in self.columns.split():
            right = self.rights[name]
            self.sheet.put(
                {"right": right, "left": right - 48, "center": right - 20}[self.align],
                names[name],
                self.align,
            )
        self.sheet.y += 16

    def row(self, day: date) -> None:
        amount = (
            Decimal(self.random.choice([self.random.randint(1, 9999), self.random.randint(10000, 99999999)]))
            / 100
        )
        value = amount * self.random.choice([1, -1, -1])
        self.balance += value
        lines = [
            self.random.choice(SHOPS),
            *(self.random.choice(MORE) for _ in range(self.random.randint(0, self.extra))),
        ]
        text = day.strftime(self.format)
        self.sheet.put(40, text)
        self.sheet.put(120, lines[0])
        self.amounts(amount, value)
        self.sheet.y += self.step
        for line in lines[1:]:
            self.sheet.row((120, line), step=self.step)
        self.sheet.y += self.lead
        self.rows.append((day.isoformat(), " ".join(lines), f"{value:.2f}"))

    def amounts(self, amount: Decimal, value: Decimal) -> None:
        for name in self.columns.split():
            shown = {
                "amount": self.signs.format(f"{amount:,.2f}") if value < 0 else f"{amount:,.2f}",
                "balance": f"{self.balance:,.2f}",
            }.get(name, f"{amount:,.2f}")
            if name in ("amount", "balance") or (name == "in") == (value > 0):
                self.sheet.put(self.rights[name], shown, "right")


@pytest.mark.parametrize("seed", range(60))
def test_a_random_statement_comes_out_row_by_row(seed: int) -> None:
    content, rows = Chance(seed).made()
    parsed = GenericPdf().parse(Document("s.pdf", content))
    got = [
        (str(read_date(row.date, row.date_format or "mdy")), text, value)
        for row, (_, text, value) in zip(parsed.rows, flows(parsed), strict=True)
    ]
    assert got == rows
    assert parsed.errors == []
    assert [remark.message for remark in parsed.warnings] == []
