"""Banks and cards in Australia and New Zealand."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import ENGLISH, PLAIN, Style, draw, export, table


def commonwealth() -> Made:
    book = draw("cba", "au", month=1, count=13)
    style = Style(plus="+")
    lines = [
        f'{row.day:%d/%m/%Y},"{row.amount}","{row.text}","{style.signed(row.balance)}"' for row in book.newest
    ]
    label = "Commonwealth Bank, Australia: no header, a plus before balances"
    text = "\r\n".join(lines) + "\r\n"
    return export("CSVData.csv", text, book.newest, "AUD", label, both=True)


def westpac() -> Made:
    book = draw("westpac", "au", month=2, count=12)
    lines = [
        [
            "Bank Account",
            "Date",
            "Narrative",
            "Debit Amount",
            "Credit Amount",
            "Balance",
            "Categories",
            "Serial",
        ]
    ]
    for row in book.newest:
        kind = "DEP" if row.amount > 0 else "POS"
        money = [PLAIN.out(row.amount), PLAIN.came(row.amount), PLAIN.signed(row.balance)]
        lines.append(["034412123456", f"{row.day:%d/%m/%Y}", row.text, *money, kind, ""])
    label = "Westpac, Australia: debit, credit, balance, kinds behind"
    return export("Data_export_28022025.csv", table(lines, end="\n"), book.newest, "AUD", label, both=True)


def nab() -> Made:
    book = draw("nab", "au", month=3, count=12)
    header = "Date,Amount,Account Number,,Transaction Type,Transaction Details,Balance,Category,Merchant Name,Processed On"
    lines = [header.split(",")]
    for row in book.newest:
        kind = "INTER-BANK CREDIT" if row.amount > 0 else "EFTPOS DEBIT"
        day = f"{row.day:%d %b %y}"
        lines.append(
            [
                day,
                str(row.amount),
                "412345678",
                "",
                kind,
                row.text,
                str(row.balance),
                "Groceries",
                row.text.title(),
                day,
            ]
        )
    label = "NAB, Australia: a column without name, two-digit years behind months by name"
    return export("Transactions.csv", table(lines, end="\n"), book.newest, "AUD", label, both=True)


def virgin_money() -> Made:
    """The card's balance is what is owed; purchases raise it. The bank prints it without sign."""
    book = draw("virgin money au", "au", month=4, is_card=True, count=12)
    lines = [["Date", "Description", "Debits", "Credits", "Balance"]]
    for row in book.newest:
        money = [
            f"${ENGLISH.out(row.amount)}" if row.amount < 0 else "",
            f"${ENGLISH.came(row.amount)}" if row.amount > 0 else "",
        ]
        owed = f"${ENGLISH.size(row.balance)}" + (" CR" if row.balance > 0 else " DR")
        lines.append([f"{row.day:%d %b %Y}", row.text, *money, owed])
    label = "Virgin Money card, Australia: the balance is what is owed, DR behind it (trap)"
    return export(
        "VM-transactions.csv", table(lines, quote="all", end="\n"), book.newest, "AUD", label, both=True
    )


def anz() -> Made:
    book = draw("anz", "au", month=5, count=12)
    lines = [[f"{row.day:%d/%m/%Y}", str(row.amount), row.text, "", "", "", "", ""] for row in book.newest]
    label = "ANZ, Australia: no header, three columns and five empty ones"
    return export("ANZ.csv", table(lines, end="\n"), book.newest, "AUD", label)


def ing() -> Made:
    book = draw("ing au", "au", month=6, count=12)
    lines = [["Date", "Description", "Credit", "Debit", "Balance"]]
    book = book.told(lambda row: f"{row.text} - Receipt {row.day:%y%m%d}")
    for row in book.newest:
        paid = str(row.amount) if row.amount < 0 else ""
        lines.append([f"{row.day:%d/%m/%Y}", row.text, PLAIN.came(row.amount), paid, str(row.balance)])
    label = "ING, Australia: credit before negative debit"
    return export(
        "Transactions (1).csv", table(lines, quote="all", end="\n"), book.newest, "AUD", label, both=True
    )


def macquarie() -> Made:
    book = draw("macquarie", "au", month=7, count=12)
    header = "Transaction Date,Details,Account,Category,Subcategory,Tags,Notes,Debit,Credit,Balance,Original Description"
    lines = [header.split(",")]
    for row in book.newest:
        money = [PLAIN.out(row.amount), PLAIN.came(row.amount), str(row.balance)]
        lines.append(
            [
                f"{row.day:%d %b %Y}",
                row.text,
                "Transaction Account",
                "Shopping",
                "Other",
                "",
                "",
                *money,
                row.text,
            ]
        )
    label = "Macquarie, Australia: categories and notes between text and money"
    return export(
        "transactions_412.csv", table(lines, quote="all", end="\n"), book.newest, "AUD", label, both=True
    )


def asb() -> Made:
    book = draw("asb", "nz", month=8, count=12)
    lines = [
        "Created date / time : 01 September 2025 / 09:12:04",
        "Bank 12; Branch 3412; Account 0041234-50 (Streamline)",
        "From date 20250801",
        "To date 20250831",
        f"Avail Bal : {book.closing} as of 20250830",
        f"Ledger Balance : {book.closing} as of 20250831",
        "Date,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount",
        "",
    ]
    for place, row in enumerate(book.rows, 1):
        kind = "D/C" if row.amount > 0 else "EFTPOS"
        lines.append(
            f'{row.day:%Y/%m/%d},{row.day:%Y%m%d}{place:02},{kind},,"{row.text}","{row.text[:12]}",{row.amount}'
        )
    label = "ASB, New Zealand: six lines above, an empty line below the header"
    text = "\r\n".join(lines) + "\r\n"
    return export("Export20250901091204.csv", text, book.rows, "NZD", label)


def kiwibank() -> Made:
    """The amount three times: credit, debit and signed."""
    book = draw("kiwibank", "nz", month=9, count=12)
    header = (
        "Account number,Date,Memo/Description,Source Code (payment type),TP ref,TP part,TP code,OP ref,OP part,"
        "OP code,OP name,OP Bank Account Number,Amount (credit),Amount (debit),Amount,Balance"
    )
    lines = [header.split(",")]
    for row in book.rows:
        money = [PLAIN.came(row.amount), PLAIN.out(row.amount), str(row.amount), str(row.balance)]
        lines.append(["38-9012-0412345-00", f"{row.day:%d-%m-%Y}", row.text + " ;", "", *[""] * 8, *money])
    label = "Kiwibank, New Zealand: credit, debit and the signed amount beside one another"
    name = "38-9012-0412345-00_01Sep_30Sep.CSV"
    return export(name, table(lines, end="\n"), book.rows, "NZD", label, both=True)


def anz_nz_card() -> Made:
    book = draw("anz nz visa", "nz", month=10, is_card=True, count=12)
    lines = [
        [
            "Card",
            "Type",
            "Amount",
            "Details",
            "TransactionDate",
            "ProcessedDate",
            "ForeignCurrencyAmount",
            "ConversionCharge",
        ]
    ]
    for place, row in enumerate(book.newest):
        foreign = ["", ""]
        if row.amount < 0 and place % 4 == 1:
            foreign = [f"USD {PLAIN.size(row.amount * 6 / 10)}", PLAIN.size(row.amount / 40)]
        days = [f"{book.before(row.day):%d/%m/%Y}", f"{row.day:%d/%m/%Y}"]
        way = "C" if row.amount > 0 else "D"
        lines.append(["4988-****-****-0412", way, PLAIN.size(row.amount), row.text, *days, *foreign])
    # The conversion charge is contained in the amount: the bank says so beside its export.
    label = "ANZ Visa, New Zealand: D and C, two dates, foreign amounts and charges behind (trap)"
    return export(
        "4988-xxxx-xxxx-0412_Transactions_2025-10.csv", table(lines, end="\n"), book.newest, "NZD", label
    )


def files() -> list[Made]:
    return [
        commonwealth(),
        westpac(),
        nab(),
        virgin_money(),
        anz(),
        ing(),
        macquarie(),
        asb(),
        kiwibank(),
        anz_nz_card(),
    ]
