"""Random Bank of America accounts: sections of any length over any number of pages, with descriptions that look like anything else."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.pdf.layouts.boa import DATE, MONEY, TEXT, Row, head, page_head, summary, title
from tests.statements.pdf.layouts.sheets import Sheet

BEGINNINGS = (
    "CHECKCARD {mmdd} ",
    "PURCHASE {mmdd} ",
    "",
    "Zelle payment to ",
    "BKOFAMERICA ATM {slash} #",
    "Online Banking transfer to CHK 1234 ",
    "PMNT SENT {mmdd} ",
)
WORDS = (
    "TOTAL",
    "BALANCE",
    "7-ELEVEN",
    "DATE",
    "AMOUNT",
    "#412",
    "24.99",
    "1,234.56",
    "$5",
    "FEE",
    "DES:",
    "ID:XXXXX12345",
    "INDN:PAT",
    "CO",
    "{slash}",
    "{full}",
    "WA",
    "CHECK",
    "SERVICE",
    "100%",
    "(2)",
    "A/B",
    "No. 7",
    "Deposits",
    "Café",
    "INTEREST",
    "SUBTOTAL",
    "& SONS",
    "Card",
    "account",
    "XXXX",
    "5.00-",
    "PENDING",
    "ending",
    "opening",
    "Conf#",
    "ab12cd34e",
    "24000000000000000000001",
    "RECURRING",
    "JAN 5",
    "12",
)
SECTIONS = (
    ("Deposits and other additions", 1),
    ("ATM and debit card subtractions", -1),
    ("Other subtractions", -1),
    ("Service fees", -1),
)
BOTTOM = 715


class Statement:
    """One statement from one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.start = date(2023, 1, 1) + timedelta(days=self.chance.randrange(800))
        self.end = self.start + timedelta(days=self.chance.randrange(27, 33))
        self.period = (self.spoken(self.start), self.spoken(self.end))
        self.account = "0012 3456 7890"
        self.sheet, self.rows = Sheet(), list[Row]()

    @staticmethod
    def spoken(day: date) -> str:
        return f"{day:%B} {day.day}, {day.year}"

    def made(self) -> tuple[Sheet, list[Row], Decimal, Decimal]:
        sections = [
            (name, sign, self.entries(sign)) for name, sign in SECTIONS if self.chance.random() < 0.85
        ]
        beginning = Decimal(self.chance.randrange(-50_000, 900_000)) / 100
        ending = beginning + sum(
            (Decimal(amount) for *_, rows in sections for *_, amount in rows), Decimal(0)
        )
        sheet = self.sheet
        sheet.row((DATE, "Bank of America"), (MONEY, "bankofamerica.com", "right"), step=30, size=10)
        totals = [
            (name, self.printed(sum((Decimal(row[-1]) for row in rows), Decimal(0))))
            for name, _, rows in sections
        ]
        summary(
            sheet,
            self.account,
            self.period,
            [
                (f"Beginning balance on {self.period[0]}", self.printed(beginning, "$")),
                *totals,
                (f"Ending balance on {self.period[1]}", self.printed(ending, "$")),
            ],
        )
        self.turn()
        for name, _, rows in sections:
            self.section(name, rows)
        return sheet, self.rows, beginning, ending

    def printed(self, value: Decimal, currency: str = "") -> str:
        return f"{'-' if value < 0 else ''}{currency}{abs(value):,.2f}"

    def entries(self, sign: int) -> list[tuple[str, list[str], str]]:
        days = sorted(
            self.start + timedelta(days=self.chance.randrange((self.end - self.start).days + 1))
            for _ in range(self.chance.randrange(1, 40))
        )
        made = []
        for day in days:
            cents = self.chance.choice(
                (1, 99, 100, 2_500, 99_999, 100_000, 123_456_789, self.chance.randrange(1, 500_000))
            )
            refund = -1 if sign < 0 and self.chance.random() < 0.03 else 1
            made.append((f"{day:%m/%d/%y}", self.lines(day), f"{Decimal(cents) / 100 * sign * refund:.2f}"))
        return made

    def lines(self, day: date) -> list[str]:
        when = day - timedelta(days=self.chance.randrange(4))
        words = [self.chance.choice(WORDS) for _ in range(self.chance.randrange(1, 14))]
        said = {"mmdd": f"{when:%m%d}", "slash": f"{when:%m/%d}", "full": f"{when:%m/%d/%y}"}
        text = (self.chance.choice(BEGINNINGS) + "SHOP " + " ".join(words)).format(**said).split()
        lines, line = [], ""
        for word in text:
            if len(line) + len(word) > 52:
                lines.append(line)
                line = ""
            line = f"{line} {word}".strip()
        return [*lines, line]

    def section(self, name: str, rows: list[tuple[str, list[str], str]]) -> None:
        if self.sheet.y > BOTTOM - 60:
            self.turn()
        title(self.sheet, name)
        head(self.sheet)
        for day, lines, amount in rows:
            if self.sheet.y + 11 * len(lines) > BOTTOM:
                self.sheet.row((420, "continued on the next page"), step=12, size=8)
                self.turn()
                title(self.sheet, f"{name} - continued")
                head(self.sheet)
            self.sheet.row(
                (DATE, day), (TEXT, lines[0]), (MONEY, self.printed(Decimal(amount)), "right"), step=11
            )
            for line in lines[1:]:
                self.sheet.row((TEXT, line), step=11)
            self.sheet.y += 3
            self.rows.append((day, " ".join(lines), amount))
        total = self.printed(sum((Decimal(row[-1]) for row in rows), Decimal(0)), "$")
        self.sheet.row((DATE, f"Total {name.lower()}"), (MONEY, total, "right"), step=20)

    def turn(self) -> None:
        self.sheet.turn(70)
        page_head(self.sheet, self.account, self.period)
