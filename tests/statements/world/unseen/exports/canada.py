"""Accounts and cards in Canada."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import COMMA, ENGLISH, PLAIN, draw, export, table


def rbc() -> Made:
    """One file over two accounts: the column says the currency. Truth: each row in the currency it stands in."""
    home = draw("rbc cad", "ca", month=1, count=10)
    abroad = draw("rbc usd", "us", month=1, count=6)
    header = (
        '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2",'
        '"CAD$","USD$"'
    )
    lines = [header]
    for kind, number, book in (("Chequing", "04412-5012345", home), ("Savings", "04412-4018812", abroad)):
        for row in book.rows:
            day = f"{row.day.month}/{row.day.day}/{row.day.year}"
            money = f"{row.amount}," if book is home else f",{row.amount}"
            lines.append(f'{kind},{number},{day},,"{row.text}","",{money}')
    rows = home.rows + abroad.rows
    currencies = ["CAD"] * len(home.rows) + ["USD"] * len(abroad.rows)
    label = "RBC, Canada: two accounts in one file, a column for each currency"
    text = "\r\n".join(lines) + "\r\n"
    return export("csv60412.csv", text, rows, "CAD", label, currencies=currencies)


def td() -> Made:
    book = draw("td canada", "ca", month=2)
    lines = [
        [f"{row.day:%m/%d/%Y}", row.text, PLAIN.out(row.amount), PLAIN.came(row.amount), str(row.balance)]
        for row in book.newest
    ]
    label = "TD Canada Trust account, Canada: no header, withdrawal, deposit, balance"
    return export("accountactivity.csv", table(lines), book.newest, "CAD", label, both=True)


def td_visa() -> Made:
    book = draw("td visa", "ca", month=3, is_card=True)
    lines = [  # the last column is what is owed: it rises with a purchase
        [f"{row.day:%m/%d/%Y}", row.text, PLAIN.out(row.amount), PLAIN.came(row.amount), str(-row.balance)]
        for row in book.newest
    ]
    label = "TD Aeroplan Visa, Canada: no header, the balance is what is owed (trap)"
    return export("accountactivity (1).csv", table(lines), book.newest, "CAD", label, both=True)


def scotiabank() -> Made:
    book = draw("scotia", "ca", month=4, count=11)
    header = "Filter,Date,Description,Sub-description,Type of Transaction,Amount,Balance"
    lines = [header.split(",")]
    for row in book.newest:
        kind = "Credit" if row.amount > 0 else "Debit"
        lines.append(
            ["", f"{row.day}", "Point of sale purchase", row.text, kind, str(row.amount), str(row.balance)]
        )
    label = "Scotiabank, Canada: an empty first column, the shop in the sub-description"
    text = table(lines, end="\n")
    name = "Preferred_Package_4412_050125.csv"
    return export(name, text, book.newest, "CAD", label, encoding="utf-8-sig", both=True)


def bmo() -> Made:
    book = draw("bmo", "ca", month=5, count=12).told(
        lambda row: ("[DN]" if row.amount > 0 else "[PR]") + row.text
    )
    lines = [
        "",
        "Following data is valid as of 20250601093012 (Year/Month/Day/Hour/Minute/Second)",
        "",
        "",
        "First Bank Card,Transaction Type,Date Posted, Transaction Amount,Description",
        "",
    ]
    for row in book.rows:
        kind = "CREDIT" if row.amount > 0 else "DEBIT"
        lines.append(f"'5007660412345678',{kind},{row.day:%Y%m%d},{row.amount},{row.text}")
    label = "BMO chequing, Canada: a dated preamble, empty lines, days in eight digits"
    return export("statement.csv", "\r\n".join(lines) + "\r\n", book.rows, "CAD", label)


def bmo_mastercard() -> Made:
    book = draw("bmo mc", "ca", month=6, is_card=True)
    lines = [
        "Following data is valid as of 20250701093012 (Year/Month/Day/Hour/Minute/Second)",
        "",
        "Item #,Card #,Transaction Date,Posting Date,Transaction Amount,Description",
    ]
    for place, row in enumerate(book.rows, 1):
        day = book.before(row.day)
        lines.append(f"{place},'5191230412345678',{day:%Y%m%d},{row.day:%Y%m%d},{-row.amount},{row.text}")
    label = "BMO Mastercard, Canada: two dates in eight digits, purchases positive"
    return export("statement (2).csv", "\r\n".join(lines) + "\r\n", book.rows, "CAD", label)


def cibc_card() -> Made:
    book = draw("cibc card", "ca", month=7, is_card=True)
    lines = [
        [f"{row.day}", row.text, PLAIN.out(row.amount), PLAIN.came(row.amount), "5223********0412"]
        for row in book.newest
    ]
    label = "CIBC Costco Mastercard, Canada: no header, debit and credit, the card's number last"
    return export("cibc.csv", table(lines, end="\n"), book.newest, "CAD", label)


def tangerine() -> Made:
    book = draw("tangerine", "ca", month=8, count=11)
    lines = [["Date", "Transaction", "Name", "Memo", "Amount"]]
    for row in book.rows:
        kind = "CREDIT" if row.amount > 0 else "DEBIT"
        day = f"{row.day.month}/{row.day.day}/{row.day.year}"
        lines.append([day, kind, row.text, f"Transferred {row.text}", str(row.amount)])
    label = "Tangerine, Canada: days without leading zeros"
    return export("Tangerine_Chequing.CSV", table(lines), book.rows, "CAD", label, encoding="utf-8-sig")


def desjardins() -> Made:
    book = draw("desjardins", "ca", month=9, count=12).told(lambda row: f"{row.text} / Achat effectué")
    lines = []
    for place, row in enumerate(book.rows, 1):
        lines.append(
            f'"Caisse du Plateau-Mont-Royal","040412","EOP","{row.day:%Y/%m/%d}",{place:05},"{row.text}",'
            f'"",{PLAIN.out(row.amount)},{PLAIN.came(row.amount)},"","","","",{row.balance}'
        )
    label = "Desjardins, Canada: no header, fourteen columns, latin-1"
    text = "\r\n".join(lines) + "\r\n"
    return export("releve.csv", text, book.rows, "CAD", label, encoding="latin-1", both=True)


def national_bank() -> Made:
    book = draw("bnc", "ca", month=10, count=12)
    lines = [["Date", "Description", "Catégorie", "Débit", "Crédit", "Solde"]]
    for row in book.newest:
        money = [COMMA.out(row.amount, "0"), COMMA.came(row.amount, "0"), COMMA.signed(row.balance)]
        lines.append([f"{row.day}", row.text, "Divers", *money])
    label = "Banque Nationale, Canada: French, a zero in the empty one of debit and credit"
    text = table(lines, sep=";", end="\n")
    return export("Transactions_BNC.csv", text, book.newest, "CAD", label, encoding="utf-8-sig", both=True)


def rogers_bank() -> Made:
    book = draw("rogers", "ca", month=11, is_card=True)
    header = (
        "Date,Posted Date,Reference Number,Activity Type,Activity Status,Card Number,Merchant Category,"
        "Merchant Name,Merchant City,Amount,Rewards,Name on Card"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.newest):
        if place == 5:
            lines.append(
                [
                    f"{row.day}",
                    "",
                    "",
                    "TRANS",
                    "DECLINED",
                    "************0412",
                    "Travel",
                    "AIR CANADA",
                    "MONTREAL",
                    "$1,184.20",
                    "",
                    "PRIYA SINGH",
                ]
            )
        kind, sign = ("PAYM", "-") if row.amount > 0 else ("TRANS", "")
        lines.append(
            [
                f"{book.before(row.day)}",
                f"{row.day}",
                book.digits(23),
                kind,
                "APPROVED",
                "************0412",
                "Retail",
                row.text,
                "TORONTO",
                f"{sign}${ENGLISH.size(row.amount)}",
                "0.41",
                "PRIYA SINGH",
            ]
        )
    label = "Rogers Bank Mastercard, Canada: two dates, purchases positive with dollar sign, a declined row (trap)"
    text = table(lines, quote="all", end="\n")
    return export("Transaction History_Current.csv", text, book.newest, "CAD", label)


def files() -> list[Made]:
    return [
        rbc(),
        td(),
        td_visa(),
        scotiabank(),
        bmo(),
        bmo_mastercard(),
        cibc_card(),
        tangerine(),
        desjardins(),
        national_bank(),
        rogers_bank(),
    ]
