"""Wallets and accounts of apps, many of them in several currencies."""

from __future__ import annotations

from decimal import Decimal

from tests.statements.world.truth import Made, Row

from .books import COMMA, ENGLISH, PLAIN, Book, draw, export, table


def merged(books: dict[str, Book]) -> list[tuple[Row, str]]:
    """The rows of several currencies by day."""
    both = [(row, currency) for currency, book in books.items() for row in book.rows]
    return sorted(both, key=lambda pair: pair[0].day)


def revolut() -> Made:
    """A fee leaves the balance with the amount: truth is one row of both, as the balance moves by both."""
    lines = [
        [
            "Type",
            "Product",
            "Started Date",
            "Completed Date",
            "Description",
            "Amount",
            "Fee",
            "Currency",
            "State",
            "Balance",
        ]
    ]
    books = [
        ("EUR", draw("revolut eur", "ie", month=3, count=10)),
        ("GBP", draw("revolut gbp", "uk", month=3, count=6)),
    ]
    rows: list[tuple[Row, str]] = []
    for currency, book in books:
        fees = [Decimal("1.25") * (row.amount < 0 and place % 4 == 0) for place, row in enumerate(book.rows)]
        net = book.charged(fees)
        for row, fee in zip(net.rows, fees, strict=True):
            kind = "TOPUP" if row.amount > 0 else "CARD_PAYMENT"
            stamps = sorted([f"{net.before(row.day)} {net.clock(row)}", f"{row.day} {net.clock(row)}"])
            money = [str(row.amount + fee), f"{fee:.2f}", currency, "COMPLETED", str(row.balance)]
            lines.append([kind, "Current", *stamps, row.text, *money])
            rows.append((row, currency))
        day = book.last
        lines.append(
            [
                "CARD_PAYMENT",
                "Current",
                f"{day} 19:04:11",
                "",
                "Booking.com",
                "-212.40",
                "0.00",
                currency,
                "REVERTED",
                "",
            ]
        )
    label = "Revolut: two currencies, fees beside amounts, reverted rows without balance, two dates (trap)"
    text = table(lines, end="\n")
    name = "account-statement_2025-03-01_2025-03-31_en-ie_1f0a2c.csv"
    return export(name, text, [r for r, _ in rows], "EUR", label, both=True, currencies=[c for _, c in rows])


def wise() -> Made:
    """Total fees are contained in the amount already: the balance moves by the amount."""
    book = draw("wise", "uk", month=4, count=11)
    header = (
        '"TransferWise ID",Date,"Date Time",Amount,Currency,Description,"Payment Reference","Running Balance",'
        '"Exchange From","Exchange To","Exchange Rate","Payer Name","Payee Name","Payee Account Number",Merchant,'
        '"Card Last Four Digits","Card Holder Full Name",Attachment,Note,"Total fees","Exchange To Amount"'
    )
    lines = [header + "\n"]
    for place, row in enumerate(book.newest):
        fee = "0.63" if row.amount < 0 and place % 3 == 0 else "0.00"
        party = f'"{row.text}",,,' if row.amount > 0 else f',"{row.text}",,'
        lines.append(
            f'TRANSFER-{book.digits(9)},{row.day:%d-%m-%Y},"{row.day:%d-%m-%Y} {book.clock(row)}.000",{row.amount},GBP,'
            f'"{row.text}",,{row.balance},,,,{party},,,,,{fee},\n'
        )
    label = "Wise: a fees column that the amount contains already (trap)"
    return export(
        "statement_60412_GBP_2025-04-01_2025-04-30.csv", "".join(lines), book.newest, "GBP", label, both=True
    )


def n26() -> Made:
    book = draw("n26", "de", month=5, count=12)
    header = (
        '"Booking Date","Value Date","Partner Name","Partner Iban",Type,"Payment Reference","Account Name",'
        '"Amount (EUR)","Original Amount","Original Currency","Exchange Rate"'
    )
    lines = [header + "\n"]
    for place, row in enumerate(book.rows):
        foreign = (
            f'{PLAIN.size(row.amount * 11 / 10)},"USD",1.1' if place % 5 == 2 and row.amount < 0 else ",,"
        )
        kind = "Credit Transfer" if row.amount > 0 else "Presentment"
        lines.append(
            f'{row.day},{row.day},"{row.text}",,"{kind}",-,"Main Account",{row.amount.normalize():f},{foreign}\n'
        )
    label = "N26, Germany: amounts without trailing zeros, an original amount in dollars beside some (trap)"
    return export("MainAccount_2025-05-01_2025-05-31.csv", "".join(lines), book.rows, "EUR", label)


def paypal() -> Made:
    """Net is what moves the balance: truth is one row of the net. A row whose impact is Memo moves nothing."""
    header = (
        "Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,From Email Address,To Email Address,"
        "Transaction ID,Item Title,Invoice Number,Balance,Note,Balance Impact"
    )
    lines = [header.split(",")]
    books = [
        ("USD", draw("paypal usd", "us", month=6, count=9)),
        ("EUR", draw("paypal eur", "de", month=6, count=5)),
    ]
    net: dict[str, Book] = {}
    fees: dict[tuple[str, Row], Decimal] = {}
    for currency, book in books:
        charges = [
            (row.amount * 3 / 100).quantize(Decimal("0.01")) if row.amount > 0 else Decimal("0.00")
            for row in book.rows
        ]
        net[currency] = book.charged(charges)
        fees.update({(currency, row): fee for row, fee in zip(net[currency].rows, charges, strict=True)})
    told = merged(net)
    chance = books[0][1]
    for place, (row, currency) in enumerate(told):
        fee = fees[currency, row]
        kind, impact = (
            ("Website Payment", "Credit")
            if row.amount > 0
            else ("PreApproved Payment Bill User Payment", "Debit")
        )
        money = [ENGLISH.signed(row.amount + fee), f"-{fee}" if fee else "0.00", ENGLISH.signed(row.amount)]
        tail = ["", "", chance.letters(17), "", "", ENGLISH.signed(row.balance), "", impact]
        lines.append(
            [
                f"{row.day:%m/%d/%Y}",
                net[currency].clock(row),
                "PDT",
                row.text,
                kind,
                "Completed",
                currency,
                *money,
                *tail,
            ]
        )
        if place == 5:
            tail = ["", "", chance.letters(17), "", "", ENGLISH.signed(row.balance), "", "Memo"]
            kind = "General Authorization"
            lines.append(
                [
                    f"{row.day:%m/%d/%Y}",
                    net[currency].clock(row),
                    "PDT",
                    "Airbnb",
                    kind,
                    "Pending",
                    currency,
                    "-340.10",
                    "0.00",
                    "-340.10",
                    *tail,
                ]
            )
    label = "PayPal: two currencies, gross, fee and net, an authorization that moves nothing (trap)"
    text = table(lines, quote="all")
    rows_told = [row for row, _ in told]
    return export(
        "Download.CSV",
        text,
        rows_told,
        "USD",
        label,
        encoding="utf-8-sig",
        both=True,
        currencies=[c for _, c in told],
    )


def venmo() -> Made:
    book = draw("venmo", "us", month=7, count=10, opening="2412.60")
    blank = [""] * 19
    header = (
        ",ID,Datetime,Type,Status,Note,From,To,Amount (total),Amount (tip),Amount (tax),Amount (fee),Tax Rate,"
        "Tax Exempt,Funding Source,Destination,Beginning Balance,Ending Balance,Statement Period Venmo Fees"
    )
    lines = [
        ["Account Statement - (@Alex-Morgan) ", *blank[1:]],
        ["Account Activity", *blank[1:]],
        header.split(","),
        [*blank[:16], f"${ENGLISH.signed(book.opening)}", "", ""],
    ]
    for row in book.rows:
        sign = "+ $" if row.amount > 0 else "- $"
        people = ["Robin Diaz", "Alex Morgan"] if row.amount > 0 else ["Alex Morgan", "Robin Diaz"]
        purse = ["", "Venmo balance"] if row.amount > 0 else ["Venmo balance", ""]
        lines.append(
            [
                "",
                book.digits(19),
                f"{row.day}T{book.clock(row)}",
                "Payment",
                "Complete",
                row.text,
                *people,
                sign + ENGLISH.size(row.amount),
                "",
                "0",
                "",
                "0",
                "",
                *purse,
                "",
                "",
                "",
            ]
        )
    lines.append([*blank[:17], f"${ENGLISH.signed(book.closing)}".replace("$-", "-$"), "$0.00"])
    label = "Venmo, US: a sign before the dollar with a space, both balances in rows of their own"
    return export("VenmoStatement_July_2025.csv", table(lines, end="\n"), book.rows, "USD", label, both=True)


def cash_app() -> Made:
    book = draw("cash app", "us", month=8, count=11)
    header = (
        "Transaction ID,Date,Transaction Type,Currency,Amount,Fee,Net Amount,Asset Type,Asset Price,Asset Amount,"
        "Status,Notes,Name of sender/receiver,Account"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.newest):
        day = f"{row.day} {book.clock(row)} EDT"
        money = ("-$" if row.amount < 0 else "$") + ENGLISH.size(row.amount)
        if place in (2, 7):
            lines.append(
                [
                    book.letters(6).lower(),
                    day,
                    "Cash Card",
                    "USD",
                    "-$64.99",
                    "$0",
                    "-$64.99",
                    "",
                    "",
                    "",
                    "DECLINED",
                    "GAMESTOP #0412",
                    "",
                    "Visa Debit 0412",
                ]
            )
        kind = "Received P2P" if row.amount > 0 else "Cash Card"
        lines.append(
            [
                book.letters(6).lower(),
                day,
                kind,
                "USD",
                money,
                "$0",
                money,
                "",
                "",
                "",
                "COMPLETED",
                row.text,
                "",
                "Your Cash",
            ]
        )
    label = "Cash App, US: times with zone, declined rows (trap)"
    return export(
        "cash_app_report_1756700000.csv", table(lines, quote="all", end="\n"), book.newest, "USD", label
    )


def bunq() -> Made:
    book = draw("bunq", "nl", month=12, count=12)
    lines = [["Date", "Interest Date", "Amount", "Account", "Counterparty", "Name", "Description"]]
    account = "NL08BUNQ2290304412"
    lines += [
        [f"{row.day}", f"{row.day}", COMMA.signed(row.amount), account, "", row.text, row.text]
        for row in book.newest
    ]
    label = "bunq, Netherlands: decimal commas within quoted fields, newest first"
    name = "2026-01-01_09-12-41_bunq-statement.csv"
    return export(name, table(lines, sep=";", quote="all", end="\n"), book.newest, "EUR", label)


def files() -> list[Made]:
    return [
        revolut(),
        wise(),
        n26(),
        paypal(),
        venmo(),
        cash_app(),
        bunq(),
    ]
