"""Papers in the words of further countries, with accounts that have no number, and with rows that wait before those that count."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from ..world.institutions.drawing import draw
from ..world.measure import measure
from ..world.truth import Made, Row

MOVES = (
    (4, "KARTA OBCHOD", "-845.50"),
    (11, "PRICHOZI", "300.00"),
    (25, "MZDA", "28450.00"),
    (27, "NAJEM", "-9750.00"),
)
OPENING = Decimal("12500.00")


def ledger(opening: Decimal = OPENING, moves: tuple[tuple[int, str, str], ...] = MOVES) -> tuple[Row, ...]:
    held, rows = opening, []
    for day, text, amount in moves:
        held += Decimal(amount)
        rows.append(Row(date(2024, 3, day), text, Decimal(amount), held))
    return tuple(rows)


def spaced(value: Decimal) -> str:
    return f"{value:,.2f}".translate(str.maketrans(",.", " ,"))


def dotted(value: Decimal) -> str:
    return f"{value:,.2f}".translate(str.maketrans(",.", ".,"))


def plain(value: Decimal) -> str:
    return f"{value:,.2f}"


def out(row: Row, write: object = dotted) -> str:
    assert callable(write)
    return write(-row.amount) if row.amount < 0 else ""


def into(row: Row, write: object = dotted) -> str:
    assert callable(write)
    return write(row.amount) if row.amount > 0 else ""


def czech(rows: tuple[Row, ...]) -> str:
    lines = "\n".join(
        f"{row.day:%d.%m.%Y}     {row.text:<40}{row.day:%d.%m.%Y}     {spaced(row.amount):>14}"
        for row in rows
    )
    return f"""Vypis z uctu c. 3/2024          Obdobi: 01.03.2024 - 31.03.2024      Mena: CZK
Pocatecni zustatek                       {spaced(OPENING)}
Konecny zustatek                         {spaced(rows[-1].balance)}
Zauctovano     Popis transakce                         Provedeno            Castka
{lines}
"""


def croatian(rows: tuple[Row, ...]) -> str:
    lines = "\n".join(
        f"{row.day:%d.%m.%Y}.    {row.text:<34}{out(row):>14}{into(row):>16}{dotted(row.balance):>16}"
        for row in rows
    )
    return f"""Izvadak po racunu       Razdoblje: 01.03.2024. - 31.03.2024.     Valuta: EUR
Datum           Opis transakcije                 Isplata          Uplata          Stanje
                Prethodno stanje                                               {dotted(OPENING)}
{lines}
                Novo stanje                                                    {dotted(rows[-1].balance)}
"""


def column_of_codes(rows: tuple[Row, ...]) -> str:
    lines = "\n".join(
        f"{row.day}      {row.text:<30}THB       {row.amount:>14,.2f}      {row.balance:>14,.2f}"
        for row in rows
    )
    return f"""Savings account   2024-03-01 - 2024-03-31
Date            Description                   Currency        Amount           Balance
{lines}
"""


def waiting_first(rows: tuple[Row, ...]) -> str:
    head = "Date            Description                        Paid out          Paid in          Balance"
    lines = "\n".join(
        f"{row.day:%d %b %Y}     {row.text:<30}{out(row):>14}{into(row):>16}{dotted(row.balance):>17}"
        for row in rows
    )
    return f"""Account statement 1 March 2024 - 31 March 2024     all amounts in EUR
Opening balance {dotted(OPENING)}
Pending transactions
Date            Description                        Amount
30 Mar 2024     HOTEL                               25,00
Posted transactions
{head}
{lines}
Closing balance {dotted(rows[-1].balance)}
"""


def two_shares() -> tuple[str, tuple[Row, ...]]:
    first, second = (
        ledger(),
        ledger(Decimal("5000.00"), ((4, "SHARE DEPOSIT", "100.00"), (31, "DIVIDEND", "0.21"))),
    )

    def part(name: str, rows: tuple[Row, ...]) -> str:
        lines = "\n".join(
            f"{row.day:%m/%d}       {row.text:<30}{row.amount:>16,.2f}{row.balance:>18,.2f}" for row in rows
        )
        return f"""{name}
Date        Transaction Description                 Amount       New Balance
03/01       Previous Balance                              {rows[0].balance - rows[0].amount:>18,.2f}
{lines}
03/31       New Balance                                   {rows[-1].balance:>18,.2f}
"""

    text = "Statement Period 03/01/2024 to 03/31/2024      Currency: USD\n"
    return text + part("Checking", first) + "\n" + part("Share Savings", second), (*first, *second)


PAPERS = {
    "czech": (czech, "CZK"),
    "croatian": (croatian, "EUR"),
    "codes": (column_of_codes, "THB"),
    "waiting": (waiting_first, "EUR"),
}


@pytest.mark.parametrize("label", PAPERS)
def test_a_paper_in_the_words_of_another_country_is_right(label: str) -> None:
    write, currency = PAPERS[label]
    outcome = measure(Made("paper.pdf", draw(write(ledger())), ledger(), currency, label))
    assert outcome.right, outcome
    assert (outcome.reconciled == "yes") == (label != "czech"), outcome  # signs alone say the direction there


def test_accounts_without_numbers_begin_where_a_row_states_another_beginning() -> None:
    text, rows = two_shares()
    outcome = measure(Made("shares.pdf", draw(text), rows, "USD", "two shares"))
    assert outcome.right, outcome
    assert outcome.reconciled == "unknown", outcome  # nothing says that it is no card


def test_balances_in_two_currencies_leave_the_currency_open() -> None:
    head = "Date            Description            Out            In          Balance"
    rows = ledger()
    text = f"""Multi money   1 March 2024 - 31 March 2024
Opening balance {OPENING:,.2f} GBP      Closing balance {rows[-1].balance:,.2f} GBP
Total of all balances 31,000.00 EUR
{head}
""" + "\n".join(
        f"{row.day:%d %b %Y}     {row.text:<18}{out(row, plain):>14}{into(row, plain):>14}{plain(row.balance):>16}"
        for row in rows
    )
    outcome = measure(Made("money.pdf", draw(text), rows, "GBP", "two currencies"))
    assert not outcome.is_silent
    assert any("currency" in warning for warning in outcome.warnings), outcome


def test_sections_without_names_of_columns_are_read_beside_a_list_of_checks_that_has_them() -> None:
    moves = (
        (3, "Transfer from Savings", "300.00"),
        (20, "Card Purchase", "-66.10"),
        (6, "Check 1041", "-125.00"),
    )
    rows = ledger(Decimal("2000.00"), (*moves, (9, "Check 1042", "-80.50"), (14, "Check 1044", "-45.25")))
    text = f"""Everyday Checking       Account Number 0098765432       Cycle 03/01/2024 - 03/31/2024       in USD
Beginning Balance           2,000.00
Ending Balance              {plain(rows[-1].balance)}

DEPOSITS & CREDITS
03/03     Transfer from Savings                                        300.00
                                  Total Deposits & Credits             300.00
WITHDRAWALS
03/20     Card Purchase                                                 66.10
                                  Total Withdrawals                     66.10
CHECKS
Date    Check No.      Amount            Date    Check No.      Amount
03/06   1041           125.00            03/14   1044 *          45.25
03/09   1042            80.50
                                  Total Checks                         250.75
"""
    outcome = measure(Made("checks.pdf", draw(text), rows, "USD", "checks"))
    assert outcome.right, outcome
    assert outcome.reconciled == "yes", outcome
