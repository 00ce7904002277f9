"""CSV files of a statement: columns, words, delimiters, signs, preambles and footers as banks have them."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from .truth import Made, Row, Statement, money

WORDS = {
    "en": ("Date", "Description", "Amount", "Balance", "Debit", "Credit", "Currency", "Account Number"),
    "de": ("Buchungstag", "Verwendungszweck", "Betrag", "Saldo", "Soll", "Haben", "Währung", "Kontonummer"),
    "fr": ("Date", "Libellé", "Montant", "Solde", "Débit", "Crédit", "Devise", "Compte"),
    "es": ("Fecha", "Concepto", "Importe", "Saldo", "Cargo", "Abono", "Divisa", "Cuenta"),
    "nl": ("Datum", "Omschrijving", "Bedrag", "Saldo", "Af", "Bij", "Munt", "Rekening"),
    "pt": ("Data", "Histórico", "Valor", "Saldo", "Débito", "Crédito", "Moeda", "Conta"),
}
DATE, TEXT, AMOUNT, BALANCE, DEBIT, CREDIT, CURRENCY, ACCOUNT = range(8)


@dataclass
class Grid:
    """The cells of a file before it is joined; the table is `lines[first : first + rows]`."""

    lines: list[list[str]]
    first: int
    rows: int
    delimiter: str
    encoding: str = "utf-8"

    def content(self) -> bytes:
        buffer = io.StringIO()
        writer = csv.writer(buffer, delimiter=self.delimiter, lineterminator="\n")
        writer.writerows(self.lines)
        return buffer.getvalue().encode(self.encoding, "replace")


Column = Callable[[Statement, Row], str]
Layout = Callable[[Statement], Grid]


def _day(statement: Statement, row: Row) -> str:
    return row.day.strftime(statement.bank.numeric)


def _signed(statement: Statement, row: Row) -> str:
    return money(row.amount, statement.bank)


def _turned(statement: Statement, row: Row) -> str:
    return money(-row.amount, statement.bank)


def _bare(statement: Statement, row: Row) -> str:
    return money(abs(row.amount), statement.bank)


def _out(statement: Statement, row: Row) -> str:
    return money(-row.amount, statement.bank) if row.amount < 0 else ""


def _in(statement: Statement, row: Row) -> str:
    return money(row.amount, statement.bank) if row.amount > 0 else ""


def _balance(statement: Statement, row: Row) -> str:
    return money(row.balance, statement.bank)


def _grid(
    statement: Statement,
    columns: Sequence[tuple[str, Column]],
    *,
    before: Sequence[list[str]] = (),
    after: Sequence[list[str]] = (),
    newest_first: bool = False,
    delimiter: str = "",
) -> Grid:
    rows = [[make(statement, row) for _, make in columns] for row in statement.rows]
    lines = [*before, [name for name, _ in columns], *(rows[::-1] if newest_first else rows), *after]
    mark = delimiter or (";" if statement.bank.decimal == "," else ",")
    return Grid(lines, len(before) + 1, len(rows), mark)


def _names(statement: Statement) -> tuple[str, ...]:
    return WORDS[statement.bank.words]


def _text(statement: Statement, row: Row) -> str:
    return row.text


def _currency(statement: Statement, row: Row) -> str:
    return statement.bank.currency


def with_balance(statement: Statement) -> Grid:
    """Signed amounts beside a running balance, the currency in a column."""
    names = _names(statement)
    return _grid(
        statement,
        [
            (names[DATE], _day),
            (names[TEXT], _text),
            (names[AMOUNT], _signed),
            (names[CURRENCY], _currency),
            (names[BALANCE], _balance),
        ],
    )


def two_columns(statement: Statement) -> Grid:
    """Money out and money in, a running balance, the currency in the names of columns, the newest first."""
    names, code = _names(statement), statement.bank.currency
    return _grid(
        statement,
        [
            (names[DATE], _day),
            (names[TEXT], _text),
            (f"{names[DEBIT]} ({code})", _out),
            (f"{names[CREDIT]} ({code})", _in),
            (f"{names[BALANCE]} ({code})", _balance),
        ],
        newest_first=True,
    )


def with_preamble(statement: Statement) -> Grid:
    """Bank, account, currency and both balances before the table; a total below it."""
    names, bank = _names(statement), statement.bank
    total = sum((row.amount for row in statement.rows), Decimal(0))
    return _grid(
        statement,
        [(names[DATE], _day), (names[TEXT], _text), (names[AMOUNT], _signed)],
        before=[
            [bank.name, "", ""],
            [f"{names[ACCOUNT]}:", statement.account, ""],
            [f"{names[CURRENCY]}:", bank.currency, ""],
            ["Opening balance", "", money(statement.opening, bank)],
            ["Closing balance", "", money(statement.closing, bank)],
            ["", "", ""],
        ],
        after=[["", "Account Total", money(total, bank)]],
    )


def empty_amount(statement: Statement) -> Grid:
    """An amount column that is never filled beside debit and credit columns that are."""
    names = _names(statement)
    return _grid(
        statement,
        [
            (names[DATE], _day),
            (names[TEXT], _text),
            (names[AMOUNT], lambda statement, row: ""),
            (names[DEBIT], _out),
            (names[CREDIT], _in),
            (names[CURRENCY], _currency),
            (names[BALANCE], _balance),
        ],
    )


def turned_card(statement: Statement) -> Grid:
    """A card's list of charges: positive is money out, no balance at all."""
    return _grid(statement, [("Date", _day), ("Description", _text), ("Amount", _turned)])


def directed(statement: Statement) -> Grid:
    """Amounts without a sign; a column says which are debits. The bank's own category, and a reference."""
    names = _names(statement)
    return _grid(
        statement,
        [
            (names[DATE], _day),
            ("Reference", lambda statement, row: f"R{abs(hash_of(row)) % 10**8:08d}"),
            ("Action", _text),
            (names[AMOUNT], _bare),
            ("Type", lambda statement, row: "DEBIT" if row.amount < 0 else "CREDIT"),
            ("Category", lambda statement, row: "Shopping" if row.amount < 0 else "Income"),
            (names[CURRENCY], _currency),
        ],
        delimiter="\t",
    )


def bare(statement: Statement) -> Grid:
    """Signed amounts and a running balance, and no currency anywhere."""
    names = _names(statement)
    return _grid(
        statement,
        [
            (names[DATE], _day),
            (names[TEXT], _text),
            (names[AMOUNT], _signed),
            (names[BALANCE], _balance),
        ],
    )


def unsigned_with_balance(statement: Statement) -> Grid:
    """Amounts without a sign, and only the running balance says which way they went."""
    names = _names(statement)
    return _grid(
        statement,
        [
            (names[DATE], _day),
            (names[TEXT], _text),
            (names[AMOUNT], _bare),
            (names[BALANCE], _balance),
            (names[CURRENCY], _currency),
        ],
    )


def hash_of(row: Row) -> int:
    """A number that is the same in every process."""
    return (
        sum(ord(letter) * place for place, letter in enumerate(f"{row.day}{row.text}{row.amount}", 1)) * 7919
    )


TABLES: dict[str, Layout] = {
    "balance": with_balance,
    "two columns": two_columns,
    "preamble": with_preamble,
    "empty amount": empty_amount,
    "directed": directed,
    "unsigned": unsigned_with_balance,
}


LAYOUTS: dict[str, Layout] = {**TABLES, "card": turned_card, "bare": bare}
"""All of them: those of the catalogue, and those that leave something open."""


def made(statement: Statement, layout: str, grid: Grid | None = None) -> Made:
    """The CSV file of a statement in this layout."""
    grid = grid or LAYOUTS[layout](statement)
    return Made(
        "statement.csv",
        grid.content(),
        statement.rows,
        statement.bank.currency,
        f"{statement.bank.name} csv {layout}",
        layout == "preamble",
    )
