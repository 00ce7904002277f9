"""Papers from which something is missing, or that are easily misread: columns beside each other, several accounts, lost rows and pages."""

from __future__ import annotations

from decimal import Decimal

from reportlab.lib.pagesizes import LETTER

from ...institutions.ledgers import into, out, us
from ...truth import Made, Row
from ..books import book, card
from ..sheets import Sheet
from .paper import paper


def two_columns(seed: int) -> Made:
    """A page of two columns of rows, each to be read from top to bottom."""
    held = book("two columns", seed, count=20)
    sheet = Sheet()
    sheet.lines(
        (40, "Harbour Credit Union", -550, "Member 4471   Share draft 0009"),
        (40, "Statement from 03/04/2024 to 04/02/2024   All amounts in US dollars"),
        (
            40,
            "Beginning balance",
            -250,
            f"${us(held.opening)}",
            310,
            "Ending balance",
            -550,
            f"${us(held.closing)}",
        ),
        (40, "Date", 80, "Description", -280, "Amount", 310, "Date", 350, "Description", -550, "Amount"),
    )
    half = len(held.rows) // 2
    for left, right in zip(held.rows[:half], held.rows[half:], strict=True):
        sheet.line(
            40,
            f"{left.day:%m/%d}",
            80,
            left.text,
            -280,
            us(left.amount),
            310,
            f"{right.day:%m/%d}",
            350,
            right.text,
            -550,
            us(right.amount),
        )
    return paper("two columns of rows on a page", sheet, held, "USD")


def card_with_members(seed: int) -> Made:
    """A card with two holders, each with a subtotal, and payments on their own."""
    held = card("members", seed, count=12)
    spent = held.debits()
    sheet = Sheet(page=LETTER)
    sheet.lines(
        (40, "Barrow Federal Bank Visa Signature", -560, "Account ending 3321"),
        (40, "Billing period 03/04/2024 - 04/02/2024"),
        (40, "Previous balance", -300, f"${us(-held.opening)}"),
        (40, "Payments and other credits", -300, f"-${us(held.paid_in)}"),
        (40, "Purchases", -300, f"+${us(held.paid_out)}"),
        (40, "Interest charged", -300, "+$0.00"),
        (40, "New balance", -300, f"${us(-held.closing)}"),
        (40, "Payments and other credits"),
    )
    for row in held.credits():
        sheet.line(40, f"{row.day:%m/%d/%y}", 110, row.text, -560, f"-${us(row.amount)}")
    for name, rows in (
        ("ROBIN MARSH card ending 3321", spent[::2]),
        ("SAM MARSH card ending 7790", spent[1::2]),
    ):
        sheet.line(40, name)
        sheet.line(40, "Date", 110, "Merchant", -560, "Amount")
        for row in rows:
            sheet.line(40, f"{row.day:%m/%d/%y}", 110, row.text, -560, f"${us(-row.amount)}")
        sheet.line(40, f"Subtotal {name}", -560, f"${us(sum((-row.amount for row in rows), Decimal(0)))}")
    return paper("card of two holders", sheet, held, "USD")


def foreign_account(seed: int) -> Made:
    """A dollar account at a bank of Hong Kong, with what the rows were abroad in brackets."""
    held = book("foreign", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Bank of East Asia", -550, "Foreign Currency Current"),
        (40, "A/C 015-514-68-12345-6", -550, "Statement 04 MAR 2024 - 02 APR 2024   USD"),
        (40, "DATE", 100, "PARTICULARS", -390, "WITHDRAWAL", -470, "DEPOSIT", -550, "BALANCE (USD)"),
        (40, "04 MAR 24", 100, "B/F BALANCE", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d %b %y}".upper(),
            100,
            row.text,
            -390,
            out(row),
            -470,
            into(row),
            -550,
            us(row.balance),
        )
        if row.amount < 0:
            sheet.line(100, f"(HKD {us(-row.amount * Decimal('7.82'))} @7.8200)")
    sheet.line(40, "02 APR 24", 100, "C/F BALANCE", -550, us(held.closing))
    return paper("dollars in hong kong with rates below", sheet, held, "USD")


def lost_row(seed: int) -> Made:
    """A row in the middle was cut away; its amount is in the running balance and the ends."""
    held = book("lost row", seed)
    rows = held.rows[:4] + held.rows[5:]
    sheet = Sheet()
    sheet.lines(
        (40, "Metro Bank PLC", -550, "Account 12345678   Sort code 23-05-80"),
        (40, "Statement 4 MAR 2024 to 2 APR 2024   GBP"),
        (40, "Date", 110, "Transaction", -370, "Money out (£)", -460, "Money in (£)", -550, "Balance (£)"),
        (110, "Balance brought forward", -550, us(held.opening)),
    )
    for row in rows:
        sheet.line(
            40, f"{row.day:%d %b %Y}", 110, row.text, -370, out(row), -460, into(row), -550, us(row.balance)
        )
    sheet.line(110, "Closing balance", -550, us(held.closing))
    return Made("statement.pdf", sheet.done(), rows, "GBP", "paper metro with a row cut away", True, True)


def lost_page(seed: int) -> Made:
    """The second of three pages is not in the file; pages state what is carried."""
    held = book("lost page", seed, count=24, days=29)

    def draw(page: int) -> list[Row]:
        return list(held.rows[page * 8 : page * 8 + 8])

    sheet = Sheet(foot=lambda number: (40, "Danske Irish Savings", -550, f"Page {2 * number - 1} of 3"))
    for page in (0, 2):
        rows = draw(page)
        sheet.lines(
            (
                40,
                "Danske Irish Savings   IE64 DABA 9512 3412 3456 78",
                -550,
                "4 March 2024 - 2 April 2024   EUR",
            ),
            (40, "Date", 110, "Text", -460, "Amount", -550, "Balance"),
            (
                110,
                "Carried from previous page" if page else "Opening balance",
                -550,
                us(rows[0].balance - rows[0].amount),
            ),
        )
        for row in rows:
            sheet.line(40, f"{row.day:%d.%m.%Y}", 110, row.text, -460, us(row.amount), -550, us(row.balance))
        if page == 0:
            sheet.line(110, "Carried to next page", -550, us(rows[-1].balance))
            sheet.page()
    sheet.line(110, "Closing balance", -550, us(held.closing))
    rows = tuple(draw(0) + draw(2))
    return Made("statement.pdf", sheet.done(), rows, "EUR", "paper of which a page is missing", True, True)


def signless(seed: int) -> Made:
    """One column without signs and no balances: nothing proves a sign."""
    held = book("signless", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Lakeside Savings Bank", -550, "Account 5512"),
        (40, "Activity 03/04/2024 - 04/02/2024, U.S. dollars"),
        (40, "Date", 110, "Details", -550, "Amount"),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%m/%d/%Y}", 110, row.text, -550, us(abs(row.amount)))
    return paper("lakeside without signs", sheet, held, "USD", proves=False)


def savings_pots(seed: int) -> Made:
    """Two accounts in one paper, each with its own ends and the same columns."""
    one, two = book("pot one", seed, count=7), book("pot two", seed, count=6, opening=80_000)
    sheet = Sheet()
    sheet.lines(
        (40, "Chip & Oak Bank", -550, "Statement 4 March 2024 to 2 April 2024"),
    )
    for name, held in (("Current account 11223344", one), ("Savings account 55667788", two)):
        sheet.lines(
            (40, name, -550, "GBP"),
            (40, "Date", 110, "Description", -460, "Amount", -550, "Balance"),
            (110, "Opening balance", -550, f"£{us(held.opening)}"),
        )
        for row in held.rows:
            sheet.line(
                40,
                f"{row.day:%d/%m/%Y}",
                110,
                row.text,
                -460,
                f"{'-' if row.amount < 0 else '+'}£{us(abs(row.amount))}",
                -550,
                f"{'-' if row.balance < 0 else ''}£{us(abs(row.balance))}",
            )
        sheet.line(110, "Closing balance", -550, f"{'-' if held.closing < 0 else ''}£{us(abs(held.closing))}")
    return Made(
        "statement.pdf", sheet.done(), one.rows + two.rows, "GBP", "paper two accounts of chip and oak", True
    )


def pending(seed: int) -> Made:
    """Pending rows stand in their own section; they are no transactions yet."""
    held = book("pending", seed)
    sheet = Sheet()
    sheet.lines(
        (40, "Tangerine Bank", -550, "Chequing 4001234567   CAD"),
        (40, "Period: 04 Mar 2024 - 02 Apr 2024"),
        (40, "Opening balance", -300, f"${us(held.opening)}"),
        (40, "Closing balance", -300, f"${us(held.closing)}"),
        (40, "Pending transactions (not included in balances)"),
        (40, "02 Apr 2024", 110, "HOLD PETRO 114", -460, "-80.00"),
        (40, "Posted transactions"),
        (40, "Date", 110, "Transaction", -460, "Amount", -550, "Balance"),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%d %b %Y}", 110, row.text, -460, us(row.amount), -550, us(row.balance))
    return paper("tangerine with pending rows first", sheet, held, "CAD")


def cut_off(seed: int) -> Made:
    """Two rows stand below the lower edge of the page."""
    held = book("cut off", seed, count=9)
    sheet = Sheet(bottom=-400)
    sheet.lines(
        (40, "Ulster Savings", -550, "Account 99887766"),
        (40, "4 March 2024 to 2 April 2024   GBP"),
        (40, "Opening balance", -300, us(held.opening), 330, "Closing balance", -550, us(held.closing)),
        (40, "Date", 110, "Description", -370, "Paid out", -460, "Paid in", -550, "Balance"),
    )
    for row in held.rows[:-2]:
        sheet.line(
            40, f"{row.day:%d/%m/%Y}", 110, row.text, -370, out(row), -460, into(row), -550, us(row.balance)
        )
    sheet.y = -20
    for row in held.rows[-2:]:
        sheet.line(
            40, f"{row.day:%d/%m/%Y}", 110, row.text, -370, out(row), -460, into(row), -550, us(row.balance)
        )
    return paper("rows below the edge", sheet, held, "GBP")
