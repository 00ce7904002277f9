"""OFX files of brokers. The rows are what moved cash; a reinvested dividend moves none."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .accounts import Book, book_of, digits, draw, file_of
from .ofx_parts import (
    LINES,
    XML,
    Style,
    Tag,
    account,
    balance,
    header,
    leaf,
    listed,
    messages,
    signon,
    statement,
    status,
    tag,
    transaction,
    transactions,
    written,
    xml_header,
)
from .voices import US

CENT = Decimal("0.01")


def security(cusip: str) -> Tag:
    return tag("SECID", leaf("UNIQUEID", cusip), leaf("UNIQUEIDTYPE", "CUSIP"))


def head(fitid: str, day: date, memo: str) -> Tag:
    """What every trade begins with; only the day of the trade is told, so that it is the one there is."""
    return tag("INVTRAN", leaf("FITID", fitid), leaf("DTTRADE", f"{day:%Y%m%d}120000"), leaf("MEMO", memo))


def funds() -> list[Tag]:
    return [leaf("SUBACCTSEC", "CASH"), leaf("SUBACCTFUND", "CASH")]


def trade(
    kind: str, row: Row, fitid: str, units: Decimal, fee: Decimal = Decimal(0), money: Tag | None = None
) -> Tag:
    """A purchase or sale of a stock or fund (BUYSTOCK, SELLMF and so on) that moves the row's amount."""
    side = "BUY" if kind.startswith("BUY") else "SELL"
    price = ((abs(row.amount) - fee if side == "BUY" else row.amount + fee) / units).quantize(
        Decimal("0.0001")
    )
    inner = tag(
        f"INV{side}",
        head(fitid, row.day, row.text),
        security(digits(row.text, 9)),
        leaf("UNITS", f"{units if side == 'BUY' else -units}"),
        leaf("UNITPRICE", f"{price}"),
        leaf("COMMISSION", f"{fee}") if fee else None,
        leaf("TOTAL", f"{row.amount}"),
        money,
        *funds(),
    )
    return tag(kind, inner, leaf(f"{side}TYPE", side))


def income(row: Row, fitid: str, kind: str = "DIV", money: Tag | None = None) -> Tag:
    return tag(
        "INCOME",
        head(fitid, row.day, row.text),
        security(digits(row.text, 9)),
        leaf("INCOMETYPE", kind),
        leaf("TOTAL", f"{row.amount}"),
        *funds(),
        money,
    )


def reinvested(day: date, fitid: str, memo: str, amount: Decimal) -> Tag:
    """Its total is below zero, yet the dividend that it spends is not told apart: no cash moves."""
    return tag(
        "REINVEST",
        head(fitid, day, memo),
        security(digits(memo, 9)),
        leaf("INCOMETYPE", "DIV"),
        leaf("TOTAL", f"-{amount}"),
        leaf("SUBACCTSEC", "CASH"),
        leaf("UNITS", f"{(amount / Decimal('41.22')).quantize(Decimal('0.001'))}"),
        leaf("UNITPRICE", "41.22"),
    )


def bank_line(row: Row, fitid: str, money: Tag | None = None) -> Tag:
    return tag(
        "INVBANKTRAN", transaction(row, fitid, "%Y%m%d120000", money=money), leaf("SUBACCTFUND", "CASH")
    )


def positions(*names: str) -> Tag:
    """What is held: values that are no transactions."""
    held = [
        tag(
            "POSSTOCK",
            tag(
                "INVPOS",
                security(digits(name, 9)),
                leaf("HELDINACCT", "CASH"),
                leaf("POSTYPE", "LONG"),
                leaf("UNITS", "120"),
                leaf("UNITPRICE", "88.41"),
                leaf("MKTVAL", "10609.20"),
                leaf("DTPRICEASOF", "20240628"),
            ),
        )
        for name in names
    ]
    return tag("INVPOSLIST", *held)


def broker_statement(book: Book, parts: list[Tag], broker: str, held: Tag) -> Tag:
    cash = tag(
        "INVBAL",
        leaf("AVAILCASH", f"{book.closing}"),
        leaf("MARGINBALANCE", "0.00"),
        leaf("SHORTBALANCE", "0.00"),
    )
    inner = tag(
        "INVSTMTRS",
        leaf("DTASOF", f"{book.last:%Y%m%d}120000"),
        leaf("CURDEF", book.currency),
        tag("INVACCTFROM", leaf("BROKERID", broker), leaf("ACCTID", digits(broker, 8))),
        listed(book, parts, "%Y%m%d", "INVTRANLIST"),
        held,
        cash,
    )
    return tag("INVSTMTTRNRS", leaf("TRNUID", "1001"), status(), inner)


def named(*names: str) -> Tag:
    infos = [
        tag("STOCKINFO", tag("SECINFO", security(digits(n, 9)), leaf("SECNAME", n), leaf("TICKER", n[:4])))
        for n in names
    ]
    return tag("SECLISTMSGSRSV1", tag("SECLIST", *infos))


def some(key: str, first: date, lines: list[tuple[str, int, int]], currency: str = "USD") -> Book:
    """A book whose lines have their names given, and their amounts drawn between whole numbers."""
    chance = random.Random(f"unseen broker {key}")
    day, drawn = first, []
    for text, low, high in lines:
        day += timedelta(days=chance.randint(1, 3))
        day += timedelta(days=max(0, 7 - day.weekday()) if day.weekday() > 4 else 0)
        drawn.append((day, text, (Decimal(chance.randint(low * 100, high * 100)) * CENT).quantize(CENT)))
    return book_of(currency, Decimal("12500.00"), drawn, first, first + timedelta(days=25))


def vanguard() -> Made:
    lines = [
        ("TOTAL BOND MARKET INDEX ADM", -900, -300),
        ("500 INDEX FUND ADM", 200, 1400),
        ("DIVIDEND WELLINGTON FUND", 12, 80),
        ("LT CAP GAIN PRIMECAP", 30, 220),
    ]
    book = some("vanguard", date(2024, 6, 3), lines)
    bought, sold, paid, gain = book.rows
    parts = [
        trade("BUYMF", bought, "V1", Decimal("42.117")),
        trade("SELLMF", sold, "V2", Decimal("3.004")),
        reinvested(paid.day, "V3", "DIVIDEND REINVEST TARGET 2045", Decimal("118.37")),
        income(paid, "V4"),
        income(gain, "V5", "CGLONG"),
    ]
    held = positions("500 INDEX FUND ADM", "TARGET 2045")
    answer = messages(broker_statement(book, parts, "vanguard.com", held))
    body = tag(
        "OFX",
        signon("20240628120000", "Vanguard", "1358"),
        answer,
        named("500 INDEX FUND ADM", "TARGET 2045"),
    )
    label = "Vanguard, OFX 1.02: funds, income and a REINVEST that moves no cash"
    notes = (
        "a reinvestment is no cash effect: a row for it is wrong, two that cancel each other are defensible",
    )
    return file_of(book, "OfxDownload.qfx", header() + written(body, LINES), label, notes=notes)


def fidelity() -> Made:
    """Shares bought with a commission: the total counts it already."""
    lines = [
        ("YOU BOUGHT APPLE INC", -2400, -800),
        ("YOU SOLD FORD MTR CO", 300, 1700),
        ("DIVIDEND RECEIVED COCA COLA", 8, 60),
        ("ELECTRONIC FUNDS TRANSFER RCVD", 400, 900),
        ("CHECK PAID 1021", -350, -90),
    ]
    book = some("fidelity", date(2024, 6, 3), lines)
    bought, sold, paid, moved, cheque = book.rows
    parts = [
        trade("BUYSTOCK", bought, "F1", Decimal(8), Decimal("4.95")),
        trade("SELLSTOCK", sold, "F2", Decimal(55), Decimal("0.03")),
        income(paid, "F3"),
        bank_line(moved, "F4"),
        bank_line(cheque, "F5"),
    ]
    answer = messages(broker_statement(book, parts, "fidelity.com", positions("APPLE INC")))
    body = tag("OFX", signon("20240628120000", "fidelity.com", "7776"), answer, named("APPLE INC"))
    label = "Fidelity, OFX 1.02: shares with commission, income and INVBANKTRAN"
    return file_of(book, "fidelity.ofx", header("\n") + written(body, Style(eol="\n")), label)


def etrade() -> Made:
    """A bank account and a brokerage account in one file."""
    bank = draw("etrade bank", "USD", US, date(2024, 6, 3), count=5)
    book = some(
        "etrade",
        date(2024, 6, 3),
        [("BOUGHT MSFT", -1900, -400), ("DIVIDEND INTC", 5, 30), ("MARGIN INTEREST", -20, -3)],
    )
    parts = [
        trade("BUYSTOCK", book.rows[0], "E1", Decimal(3), Decimal("6.95")),
        income(book.rows[1], "E2"),
        bank_line(book.rows[2], "E3"),
    ]
    content = [
        listed(bank, transactions(bank, "%Y%m%d120000"), "%Y%m%d"),
        balance("LEDGERBAL", bank, "%Y%m%d"),
    ]
    body = tag(
        "OFX",
        signon("20240628120000", "fldProv_mProvBankId", "fldProv_mId"),
        messages(statement(bank, account("etrade"), content)),
        messages(broker_statement(book, parts, "etrade.com", positions("MSFT"))),
    )
    label = "E*TRADE, OFX 2.00: a bank account and a brokerage account in one file"
    return file_of([bank, book], "etrade.ofx", xml_header("200") + written(body, XML), label)


def interactive_brokers() -> Made:
    """CURRENCY says that the amount of this one is not in the account's currency: it is in euros as it stands."""
    home = some(
        "ibkr home",
        date(2024, 6, 3),
        [("BOUGHT VOD.L", -1500, -300), ("DEPOSIT", 500, 2000), ("DIVIDEND BP", 4, 90)],
        "GBP",
    )
    abroad = some(
        "ibkr abroad",
        date(2024, 6, 10),
        [("BOUGHT SAP SE", -1400, -300), ("DIVIDEND SIEMENS AG", 20, 110)],
        "EUR",
    )
    euros = tag("CURRENCY", leaf("CURRATE", "0.8471"), leaf("CURSYM", "EUR"))
    parts = [
        trade("BUYSTOCK", home.rows[0], "I1", Decimal(900), Decimal("3.00")),
        bank_line(home.rows[1], "I2"),
        income(home.rows[2], "I3"),
        trade("BUYSTOCK", abroad.rows[0], "I4", Decimal(7), Decimal("3.00"), euros),
        income(abroad.rows[1], "I5", money=euros),
    ]
    answer = messages(broker_statement(home, parts, "4705", positions("VOD.L", "SAP SE")))
    body = tag("OFX", signon("20240628202000", "IBLLC-US", "4705"), answer, named("VOD.L", "SAP SE"))
    label = "Interactive Brokers, OFX 1.02: CURRENCY says that two amounts are in euros"
    return file_of([home, abroad], "U1234567_202406.qfx", header() + written(body, LINES), label)


def made() -> list[Made]:
    return [vanguard(), fidelity(), etrade(), interactive_brokers()]
