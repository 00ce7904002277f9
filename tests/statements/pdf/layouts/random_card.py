"""Random Bank of America cards over New Year: dates without a year, references, foreign lines, sections broken by pages."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.pdf.layouts.boa import DATE, MONEY, Row
from tests.statements.pdf.layouts.boa_traps import card_head
from tests.statements.pdf.layouts.sheets import Sheet

SHOPS = (
    "CAFE NOIR SEATTLE WA",
    "AMZN Mktp US*2K4 Amzn.com/billWA",
    "TOTAL WINE 0204",
    "12 OAKS GYM 24-7",
    "AIR EXAMPLE 0012345678901",
    "SQ *STAND 4 JUICE",
    "PARKING 01/05 LOT 7",
    "NEW BALANCE 88 BOSTON MA",
    "UBER   *TRIP HELP.UBER",
    "FEE FREE SHOP",
    "INTEREST BOOKS",
    "7-ELEVEN 30512",
    "PAYPAL *ROBIN 402-935-7733",
)
MORE = (
    "FOREIGN CURRENCY 61.40 EUR",
    "EXCHANGE RATE 1.0944625",
    "DEPART 02/14/24 SEA PDX",
    "PASSENGER SAMPLE PAT",
    "TKT 1,234.56 2 ITEMS",
    "ORDER 112-9981-22",
    "01/03 01/04",
)
BOTTOM = 700


class Card:
    """One statement from one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.end = date(2024, 1, 1) + timedelta(days=self.chance.randrange(-60, 40))
        self.start = self.end - timedelta(days=30)
        self.sheet, self.rows = Sheet(), list[Row]()

    def made(self) -> tuple[Sheet, list[Row]]:
        pick = self.chance.randrange
        sections = [
            ("Payments and Other Credits", -1, pick(0, 6)),
            ("Purchases and Adjustments", 1, pick(1, 70)),
            ("Fees", 1, pick(0, 3)),
            ("Interest Charged", 1, pick(0, 3)),
        ]
        drawn = [(name, self.entries(sign, count, name)) for name, sign, count in sections]
        previous = Decimal(pick(0, 300_000)) / 100
        new = previous + sum((amount for _, rows in drawn for *_, amount in rows), Decimal(0))
        self.top(previous, new, drawn)
        self.turn()
        for name, rows in drawn:
            if rows:
                self.section(name, rows)
        return self.sheet, self.rows

    def top(
        self, previous: Decimal, new: Decimal, drawn: list[tuple[str, list[tuple[date, list[str], Decimal]]]]
    ) -> None:
        sheet = self.sheet
        sheet.row(
            (DATE, "BANK OF AMERICA"),
            (MONEY, f"{self.spoken(self.start)} - {self.spoken(self.end)}", "right"),
            step=18,
        )
        sheet.row((DATE, "Account# 4400 6600 1234 5678"), step=24)
        figures = [
            ("Previous Balance", self.printed(previous, "$")),
            *((name, self.printed(sum((one[-1] for one in rows), Decimal(0)), "$")) for name, rows in drawn),
            ("New Balance Total", self.printed(new, "$")),
        ]
        others = [
            ("New Balance Total", self.printed(new, "$")),
            ("Minimum Payment Due", "$35.00"),
            ("Payment Due Date", f"{self.end + timedelta(days=28):%m/%d/%Y}"),
            ("Total Credit Line", "$10,000.00"),
            ("Statement Closing Date", f"{self.end:%m/%d/%Y}"),
            ("Days in Billing Cycle", "31"),
        ]
        for (name, figure), (other, value) in zip(figures, others, strict=True):
            sheet.row((DATE, name), (270, figure, "right"), (310, other), (MONEY, value, "right"), step=14)

    @staticmethod
    def spoken(day: date) -> str:
        return f"{day:%B} {day.day}, {day.year}"

    @staticmethod
    def printed(value: Decimal, currency: str = "") -> str:
        return f"{'-' if value < 0 else ''}{currency}{abs(value):,.2f}"

    def entries(self, sign: int, count: int, name: str) -> list[tuple[date, list[str], Decimal]]:
        days = sorted(self.start + timedelta(days=self.chance.randrange(31)) for _ in range(count))
        made = []
        for day in days:
            cents = self.chance.choice((1, 99, 2_500, 123_456, self.chance.randrange(1, 90_000)))
            lines = [
                self.chance.choice(SHOPS),
                *(self.chance.choice(MORE) for _ in range(self.chance.choice((0, 0, 0, 1, 2)))),
            ]
            made.append((day, lines if name.startswith("P") else lines[:1], Decimal(cents) / 100 * sign))
        return made

    def section(self, name: str, rows: list[tuple[date, list[str], Decimal]]) -> None:
        sheet = self.sheet
        sheet.row((160, name), step=13, size=10)
        for day, lines, amount in rows:
            if sheet.y + 11 * len(lines) > BOTTOM:
                sheet.row((430, "continued on next page..."), step=12, size=8)
                self.turn()
                sheet.row((160, name), step=13, size=10)
            posted = min(day + timedelta(days=self.chance.randrange(3)), self.end)
            sheet.row(
                (45, f"{day:%m/%d}"),
                (105, f"{posted:%m/%d}"),
                (160, lines[0]),
                (400, str(self.chance.randrange(1000, 9999)), "center"),
                (455, "5678", "center"),
                (520, self.printed(amount), "right"),
                step=11,
            )
            for line in lines[1:]:
                sheet.row((160, line), step=11)
            self.rows.append((f"{day:%m/%d/%Y}", " ".join(" ".join(lines).split()), f"{-amount:.2f}"))
        total = self.printed(sum((one[-1] for one in rows), Decimal(0)), "$")
        sheet.row((160, f"TOTAL {name.upper()} FOR THIS PERIOD"), (MONEY, total, "right"), step=16)

    def turn(self) -> None:
        self.sheet.turn(60)
        self.sheet.put(MONEY, f"Page {self.sheet.page + 1} of 6", "right", 8, 770)
        self.sheet.row(
            (DATE, "Transactions" if self.sheet.page == 1 else "Transactions Continued"), step=16, size=13
        )
        card_head(self.sheet)
