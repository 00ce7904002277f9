"""PDF files of a statement: heads of tables, sections, balances and pages as banks print them, with places that a mutation can move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal

from tests.statements.pdf.layouts.sheets import HEIGHT, PLAIN, Sheet, Style

from .truth import Institution, Made, Row, Statement, money

HEADS = {
    "en": ("Date", "Description", "Amount", "Withdrawals", "Deposits", "Balance"),
    "de": ("Datum", "Verwendungszweck", "Betrag", "Soll", "Haben", "Saldo"),
    "fr": ("Date", "Libellé", "Montant", "Débit", "Crédit", "Solde"),
    "es": ("Fecha", "Concepto", "Importe", "Cargos", "Abonos", "Saldo"),
    "nl": ("Datum", "Text", "Betrag", "Soll", "Haben", "Saldo"),
    "pt": ("Date", "Description", "Amount", "Withdrawals", "Deposits", "Balance"),
}
ENDS = {
    "en": ("Opening balance", "Closing balance"),
    "de": ("Alter Saldo", "Neuer Saldo"),
    "fr": ("Solde initial", "Solde final"),
    "es": ("Saldo anterior", "Saldo final"),
    "nl": ("Anfangssaldo", "Endsaldo"),
    "pt": ("Opening balance", "Closing balance"),
}


@dataclass(frozen=True)
class Paper:
    """How a statement is laid out; mutations make another one."""

    layout: str = "amount"
    shift: float = 0.0
    step: float = 13.0
    per_page: int = 34
    heads_again: bool = True
    extra: bool = False
    words: dict[str, str] = field(default_factory=dict)
    outside: int = -1
    below: int = -1
    missing: int = -1
    jitter: float = 0.0
    wrapped: int = -1
    ends: bool = True
    dates: str = ""
    marks_credits: bool = False
    in_head: bool = False
    style: Style = PLAIN


def made(statement: Statement, paper: Paper) -> Made:
    """The PDF of a statement on this paper, and the rows that it prints."""
    sheet = _DRAWN[paper.layout](statement, paper).sheet
    rows = statement.rows if paper.missing < 0 else statement.without(paper.missing).rows
    if paper.layout == "sections":
        rows = tuple(sorted(rows, key=lambda row: row.amount < 0))
    return Made(
        "statement.pdf",
        sheet.pdf(paper.style),
        rows,
        statement.bank.currency,
        f"{statement.bank.name} pdf {paper.layout}",
        paper.ends,
    )


class _Drawing:
    """A sheet while it is drawn, with the columns of its table."""

    def __init__(self, statement: Statement, paper: Paper) -> None:
        self.statement, self.paper, self.bank = statement, paper, statement.bank
        self.sheet = Sheet()
        self.names = HEADS[self.bank.words]
        self.drawn = 0
        self._title()

    def word(self, name: str) -> str:
        return self.paper.words.get(name, name)

    def amount(self, value: Decimal) -> str:
        return money(value, self.bank)

    def charge(self, value: Decimal) -> str:
        """An amount of a card: payments with a minus, or with CR behind them."""
        if self.paper.marks_credits and value < 0:
            return f"{money(-value, self.bank)} CR"
        return money(value, self.bank)

    def money_head(self, name: str) -> str:
        """The head of a column of money, with the currency in it where the paper has it there."""
        symbol = self.bank.symbol if self.bank.symbol in ("S$", "HK$", "R$", "£", "€") else self.bank.currency
        return f"{self.word(name)} ({symbol})" if self.paper.in_head else self.word(name)

    def _title(self) -> None:
        sheet, statement, bank = self.sheet, self.statement, self.bank
        sheet.row((40, bank.name), step=16, size=12)
        sheet.row((40, f"Account number: {statement.account}"), step=14)
        first, last = statement.first.strftime(bank.numeric), statement.last.strftime(bank.numeric)
        sheet.row((40, f"Statement period {first} to {last}"), step=14)
        if self.paper.in_head:
            return
        if (
            bank.symbol in ("₹", "zł", "kr", "kr.", "CHF")
            or bank.places == 0
            or bank.currency not in _BY_SYMBOL
        ):
            sheet.row((40, f"Account currency: {bank.currency}"), step=14)

    def balances(self, opening: str, closing: str, sign: int = 1) -> None:
        if not self.paper.ends:
            return
        symbol = self.bank.symbol if self.bank.symbol in _PRINTABLE and not self.paper.in_head else ""
        for name, value in ((opening, self.statement.opening), (closing, self.statement.closing)):
            text = self.amount(sign * value)
            self.sheet.row(
                (40, name),
                (320, f"-{symbol}{text[1:]}" if text.startswith("-") else f"{symbol}{text}", "right"),
            )
        self.sheet.y += 16

    def head(self, *cells: tuple[float, str] | tuple[float, str, str]) -> None:
        self.heading = cells
        self._put(cells)

    def _put(self, cells: tuple[tuple[float, str] | tuple[float, str, str], ...]) -> None:
        shift = self.paper.shift
        self.sheet.row(*((cell[0] + shift, *cell[1:]) for cell in cells), step=self.paper.step)  # type: ignore[misc]

    def line(self, place: int, *cells: tuple[float, str] | tuple[float, str, str]) -> None:
        """One row of the table, wherever the paper puts it."""
        paper, sheet = self.paper, self.sheet
        if place == paper.missing:
            return
        if self.drawn and self.drawn % paper.per_page == 0:
            sheet.turn()
            if paper.heads_again:
                self._put(self.heading)
        self.drawn += 1
        if paper.extra:
            cells = (*cells[:2], (250, f"R{1000 + place * 37}"), *cells[2:])
        if place == paper.wrapped:
            words = cells[1][1].split()
            cells = (cells[0], (cells[1][0], words[0]), *cells[2:])
        before = sheet.y
        if place == paper.below:
            sheet.y = HEIGHT + 20
        if place == paper.outside:
            cells = tuple((cell[0] + 640, *cell[1:]) for cell in cells)  # type: ignore[misc]
        sheet.y += paper.jitter * (place % 3 - 1)
        self._put(cells)
        sheet.y = before + (0 if place == paper.below else paper.step)
        if place == paper.wrapped and len(words) > 1:
            sheet.row((cells[1][0] + paper.shift, " ".join(words[1:])), step=paper.step)


_PRINTABLE = ("$", "£", "€", "S$", "HK$", "R$", "¥")
_BY_SYMBOL = ("USD", "GBP", "EUR", "SGD", "HKD", "BRL", "CAD", "AUD")


def _day(statement: Statement, row: Row, paper: Paper | None = None) -> str:
    return row.day.strftime((paper.dates if paper else "") or statement.bank.numeric)


def _amount(statement: Statement, paper: Paper, *, balance: bool) -> _Drawing:
    """One column of signed amounts, with or without a running balance."""
    made = _Drawing(statement, paper)
    opening, closing = ENDS[statement.bank.words]
    made.balances(opening, closing)
    date, text, amount, _, _, running = (made.word(name) for name in made.names)
    amount = made.money_head(made.names[2])
    head: list[tuple[float, str] | tuple[float, str, str]] = [(40, date), (120, text), (450, amount, "right")]
    if paper.extra:
        head.insert(2, (250, "Reference"))
    made.head(*head, *([(560, running, "right")] if balance else []))
    for place, row in enumerate(statement.rows):
        cells = [(40, _day(statement, row, paper)), (120, row.text), (450, made.amount(row.amount), "right")]
        made.line(place, *cells, *([(560, made.amount(row.balance), "right")] if balance else []))  # type: ignore[arg-type]
    return made


def _in_and_out(statement: Statement, paper: Paper) -> _Drawing:
    """Columns for money out, money in and the balance."""
    made = _Drawing(statement, paper)
    made.balances(*ENDS[statement.bank.words])
    date, text, _, out, into, running = (made.word(name) for name in made.names)
    code = f" ({statement.bank.currency})" if statement.bank.words == "en" else ""
    head: list[tuple[float, str] | tuple[float, str, str]] = [(40, date), (120, text)]
    if paper.extra:
        head.append((250, "Reference"))
    made.head(*head, (390, out, "right"), (475, into, "right"), (565, running + code, "right"))
    for place, row in enumerate(statement.rows):
        money_at = 390 if row.amount < 0 else 475
        made.line(
            place,
            (40, _day(statement, row, paper)),
            (120, row.text),
            (money_at, made.amount(abs(row.amount)), "right"),
            (565, made.amount(row.balance), "right"),
        )
    return made


def _sections(statement: Statement, paper: Paper) -> _Drawing:
    """Deposits and withdrawals in sections of their own, each with its total."""
    made = _Drawing(statement, paper)
    made.balances("Beginning balance", "Ending balance")
    for title, sign in (("Deposits and other credits", 1), ("Withdrawals and other debits", -1)):
        rows = [(place, row) for place, row in enumerate(statement.rows) if row.amount * sign > 0]
        if not rows:
            continue
        made.sheet.y += 10
        made.sheet.row((40, title), step=15, size=10)
        made.head(
            (40, made.word("Date")),
            (120, made.word("Description")),
            (450, made.money_head("Amount"), "right"),
        )
        for place, row in rows:
            made.line(
                place,
                (40, _day(statement, row, paper)),
                (120, row.text),
                (450, made.amount(abs(row.amount)), "right"),
            )
        total = sum((abs(row.amount) for _, row in rows), Decimal(0))
        made.sheet.row((40, f"Total {title.lower()}"), (450, made.amount(total), "right"))
    return made


def _card(statement: Statement, paper: Paper) -> _Drawing:
    """A card: what is owed is positive, charges are positive, payments negative; two dates."""
    made = _Drawing(statement, paper)
    made.sheet.row((40, "Minimum payment due"), (320, made.amount(Decimal(35)), "right"))
    made.sheet.row((40, "Payment due date"), (320, statement.last.strftime(statement.bank.numeric), "right"))
    made.sheet.row((40, "Credit limit"), (320, made.amount(Decimal(9000)), "right"))
    made.balances("Previous balance", "New balance", -1)
    made.head(
        (40, made.word("Trans Date")),
        (110, made.word("Post Date")),
        (180, made.word("Description")),
        (500, made.money_head("Amount"), "right"),
    )
    for place, row in enumerate(statement.rows):
        made.line(
            place,
            (40, _day(statement, row, paper)),
            (180, row.text),
            (110, _day(statement, row, paper)),
            (500, made.charge(-row.amount), "right"),
        )
    return made


def _unruled(statement: Statement, paper: Paper) -> _Drawing:
    """No head at all: dates at the left, amounts and balances at the right."""
    made = _Drawing(statement, paper)
    made.balances(*ENDS[statement.bank.words])
    made.heading = ()
    for place, row in enumerate(statement.rows):
        made.line(
            place,
            (40, _day(statement, row, paper)),
            (120, row.text),
            (450, made.amount(row.amount), "right"),
            (560, made.amount(row.balance), "right"),
        )
    return made


_DRAWN: dict[str, Callable[[Statement, Paper], _Drawing]] = {
    "amount": lambda statement, paper: _amount(statement, paper, balance=False),
    "amount balance": lambda statement, paper: _amount(statement, paper, balance=True),
    "in and out": _in_and_out,
    "sections": _sections,
    "card": _card,
    "unruled": _unruled,
}
ACCOUNT_PAPERS = ("amount", "amount balance", "in and out", "sections", "unruled")


def paper_of(bank: Institution, number: int) -> Paper:
    """The layout that this bank prints."""
    if bank.is_card:
        return Paper("card")
    layout = ACCOUNT_PAPERS[number % len(ACCOUNT_PAPERS)]
    if layout == "sections" and bank.words != "en":
        layout = "in and out"
    return Paper(layout)


def with_paper(paper: Paper, **changes: object) -> Paper:
    return replace(paper, **changes)  # type: ignore[arg-type]
