"""Banks and cards in India, Pakistan, Singapore and Indonesia."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import ENGLISH, LAKH, PLAIN, draw, export, table


def hdfc() -> Made:
    book = draw("hdfc", "in", month=1, scale=30, count=13)
    lines = [
        "",
        "  Date     ,Narration                                        ,Value Dat,Debit Amount       ,"
        "Credit Amount      ,Chq/Ref Number   ,Closing Balance",
    ]
    for row in book.rows:
        day = f"{row.day:%d/%m/%y}"
        paid, came = PLAIN.out(row.amount, "0.00"), PLAIN.came(row.amount, "0.00")
        lines.append(
            f"  {day}  ,{row.text:<49},  {day}  ,{paid:>19} ,{came:>19} ,{book.digits(16)} ,{row.balance:>19}  "
        )
    label = "HDFC Bank, India: columns padded by spaces, zeros in the empty one, two-digit years"
    text = "\n".join(lines) + "\n"
    return export("60412345_1738380000000.txt", text, book.rows, "INR", label, both=True)


def hdfc_card() -> Made:
    """The bank divides this file by ~|~."""
    book = draw("hdfc card", "in", month=2, scale=30, is_card=True, count=12)
    header = [
        "Transaction type",
        "Primary / Addon Customer Name",
        "DATE",
        "Description",
        "AMT",
        "Debit /Credit",
    ]
    lines = ["~|~".join(header)]
    for row in book.rows:
        way = "Cr" if row.amount > 0 else ""
        day = f"{row.day:%d/%m/%Y} {book.clock(row)}"
        lines.append("~|~".join(["Domestic", "ALEX MORGAN", day, row.text, LAKH.size(row.amount), way]))
    label = "HDFC Bank card, India: divided by ~|~, Cr beside payments and nothing beside purchases"
    text = "\n".join(lines) + "\n"
    return export("5228XXXXXXXX0412_28-02-2025.CSV", text, book.rows, "INR", label)


def sbi() -> Made:
    book = draw("sbi", "in", month=3, scale=60, count=12)
    lines = [
        "Account Name       :\tMr. ALEX MORGAN",
        "Account Number     :\t_00000030412345678",
        "Branch             :\tANDHERI WEST",
        "Drawing Power      :\t0.00",
        "Interest Rate(% p.a.)  :\t2.7",
        f"Balance as on 1 Mar 2025     :\t{LAKH.signed(book.opening)}",
        "Start Date         :\t1 Mar 2025",
        "End Date           :\t31 Mar 2025",
        "",
        "Txn Date\tValue Date\tDescription\tRef No./Cheque No.\t        Debit\tCredit\tBalance",
    ]
    for row in book.rows:
        day = f"{row.day.day} {row.day:%b %Y}"
        money = f"{LAKH.out(row.amount, ' ')}\t{LAKH.came(row.amount, ' ')}\t{LAKH.signed(row.balance)}"
        lines.append(f"{day}\t{day}\t   TO TRANSFER-{row.text}--\tTRANSFER TO 409{book.digits(7)}\t{money}")
    lines += ["", "**This is a computer generated statement and does not require a signature"]
    book = book.told(lambda row: f"TO TRANSFER-{row.text}--")
    label = "State Bank of India: tabs, lakhs, the opening balance above, a sentence last"
    text = "\n".join(lines) + "\n"
    return export("00000030412345678.xls.csv", text, book.rows, "INR", label, both=True)


def icici() -> Made:
    book = draw("icici", "in", month=4, scale=30, count=12)
    lines: list[list[str]] = [
        ["", "DETAILED STATEMENT"],
        ["", "Search"],
        ["", "Account Number", "", "000401234567 ( INR )  - MORGAN ALEX"],
        ["", "Transaction Date from", "", "01/04/2025", "to", "30/04/2025"],
        ["", "Transactions List -  - MORGAN ALEX (INR) - 000401234567"],
        [
            "",
            "S No.",
            "Value Date",
            "Transaction Date",
            "Cheque Number",
            "Transaction Remarks",
            "Withdrawal Amount(INR)",
            "Deposit Amount(INR)",
            "Balance(INR)",
        ],
    ]
    for place, row in enumerate(book.rows, 1):
        day = f"{row.day:%d/%m/%Y}"
        money = [PLAIN.out(row.amount, "0"), PLAIN.came(row.amount, "0"), PLAIN.signed(row.balance)]
        lines.append(["", str(place), day, day, "-", row.text, *money])
    lines += [
        [],
        ["", "Legends Used in Account Statement"],
        ["", "1. BBPS - Bharat Bill Payment Service"],
        ["", "2. BIL - Internet Bill payment or funds transfer to Third party"],
        ["", "3. UPI - Unified Payments Interface"],
    ]
    label = "ICICI Bank, India: an empty first column, numbered rows, legends last"
    return export("OpTransactionHistory30-04-2025.csv", table(lines), book.rows, "INR", label, both=True)


def axis() -> Made:
    book = draw("axis", "in", month=5, scale=30, count=12)
    lines: list[list[str]] = [
        ["Name :- ALEX MORGAN"],
        ["Statement of Account No - 912010041234567 for the period (From : 01-05-2025 To : 31-05-2025)"],
        [],
        ["Tran Date", "CHQNO", "PARTICULARS", "DR", "CR", "BAL", "SOL"],
    ]
    for row in book.rows:
        money = [f"{PLAIN.out(row.amount, ' '):>14}", f"{PLAIN.came(row.amount, ' '):>14}", str(row.balance)]
        lines.append([f"{row.day:%d-%m-%Y}", "-", row.text, *money, "412"])
    gone = 6
    rows = book.rows[:gone] + book.rows[gone + 1 :]
    del lines[4 + gone]
    lines += [
        [],
        [
            "Unless the constituent notifies the bank immediately of any discrepancy found in this statement, it will be "
            "taken that the account is correct."
        ],
    ]
    label = "Axis Bank, India: a row in the middle is gone that the balance counts, padded numbers"
    return export("912010041234567.csv", table(lines), rows, "INR", label, both=True, incomplete=True)


def kotak() -> Made:
    """The second Dr / Cr is that of the balance."""
    book = draw("kotak", "in", month=6, scale=30, count=12)
    lines: list[list[str]] = [
        ["ALEX MORGAN"],
        ["Account No.", "6412345678"],
        ["Currency", "INR"],
        ["Statement period", "01-06-2025 To 30-06-2025"],
        [],
        [
            "Sl. No.",
            "Transaction Date",
            "Value Date",
            "Description",
            "Chq / Ref No.",
            "Amount",
            "Dr / Cr",
            "Balance",
            "Dr / Cr",
        ],
    ]
    for place, row in enumerate(book.rows, 1):
        way = "CR" if row.amount > 0 else "DR"
        day = f"{row.day:%d-%m-%Y}"
        balance = [LAKH.size(row.balance), "CR" if row.balance >= 0 else "DR"]
        lines.append(
            [
                str(place),
                f"{day} {book.clock(row)}",
                day,
                row.text,
                f"UPI-{book.digits(12)}",
                LAKH.size(row.amount),
                way,
                *balance,
            ]
        )
    lines += [
        [],
        ["Opening balance", f"as on 01/06/2025   INR {LAKH.signed(book.opening)}"],
        ["Closing balance", f"as on 30/06/2025   INR {LAKH.signed(book.closing)}"],
    ]
    label = "Kotak Mahindra Bank, India: Dr / Cr of the amount and again of the balance (trap)"
    return export("AccountStatement_30062025.csv", table(lines), book.rows, "INR", label, both=True)


def meezan() -> Made:
    book = draw("meezan", "gulf", month=7, scale=60, count=12)
    book = book.told(lambda row: row.text.replace("DEWA", "K-ELECTRIC").replace("DUBAI", "KARACHI"))
    lines: list[list[str]] = [
        ["Meezan Bank Limited", ""],
        ["Account No.", "01410101234567"],
        ["Currency", "PKR"],
        [],
        ["Date", "Value Date", "Doc. No.", "Particulars", "Debit", "Credit", "Balance"],
        ["01-JUL-2025", "", "", "Opening Balance", "", "", ENGLISH.signed(book.opening)],
    ]
    for row in book.rows:
        day = f"{row.day:%d-%b-%Y}".upper()
        money = [ENGLISH.out(row.amount), ENGLISH.came(row.amount), ENGLISH.signed(row.balance)]
        lines.append([day, day, book.digits(7), row.text, *money])
    lines.append(["", "", "", "Total", ENGLISH.size(book.paid), ENGLISH.size(book.received), ""])
    label = "Meezan Bank, Pakistan: an opening row with a day, totals below, months in capitals"
    return export("AccountStatement.csv", table(lines), book.rows, "PKR", label, both=True)


def dbs() -> Made:
    book = draw("dbs", "sg", month=8, count=12)
    lines = [
        "",
        "Account Details For:,POSB Passbook Savings Account 412-34567-8",
        "Statement as at:,31 Aug 2025",
        f"Available Balance:,{book.closing}",
        f"Ledger Balance:,{book.closing}",
        "",
        "Transaction Date,Reference,Debit Amount,Credit Amount,Transaction Ref1,Transaction Ref2,Transaction Ref3",
        "",
    ]
    for row in book.newest:
        kind = "ITR" if row.amount > 0 else "POS"
        paid, came = PLAIN.out(row.amount, " "), PLAIN.came(row.amount, " ")
        lines.append(f"{row.day:%d %b %Y},{kind},{paid},{came},{row.text},4628-4500-XXXX-0412,,")
    label = "DBS POSB, Singapore: a code before the money and the text behind it, one comma more in rows"
    text = "\n".join(lines) + "\n"
    name = "4123456780412d1a2b3c4d5e6f.P000000012345678.csv"
    return export(name, text, book.newest, "SGD", label)


def ocbc() -> Made:
    book = draw("ocbc", "sg", month=9, count=12)
    lines: list[list[str]] = [
        ["Account details for:", "360 Account 604-123456-001"],
        ["Available Balance", ENGLISH.signed(book.closing)],
        ["Ledger Balance", ENGLISH.signed(book.closing)],
        [],
        ["Transaction History"],
        ["Transaction date", "Value date", "Description", "Withdrawals (SGD)", "Deposits (SGD)"],
    ]
    for row in book.newest:
        days = [f"{row.day:%d/%m/%Y}", f"{row.day:%d/%m/%Y}"]
        kind = "FAST PAYMENT" if row.amount > 0 else "DEBIT PURCHASE"
        lines.append([*days, kind, ENGLISH.out(row.amount), ENGLISH.came(row.amount)])
        lines.append(["", "", f"{row.day:%d/%m/%Y} xx-0412 {row.text}", "", ""])
    book = book.told(lambda row: "FAST PAYMENT" if row.amount > 0 else "DEBIT PURCHASE")
    label = "OCBC, Singapore: each text goes on in a line below"
    text = table(lines, end="\n")
    return export("TransactionHistory_20251001091204.csv", text, book.newest, "SGD", label)


def bca() -> Made:
    """Days without a year, behind an apostrophe; the period above has it."""
    book = draw("bca", "id", month=10, scale=15000, count=12)
    lines = [
        "Informasi Rekening - Mutasi Rekening",
        "No. rekening,:,'6041234567",
        "Nama,:,ALEX MORGAN",
        "Periode,:,01/10/2025 - 31/10/2025",
        "Kode Mata Uang,:,IDR",
        "",
        "Tanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo",
    ]
    for row in book.rows:
        way = "CR" if row.amount > 0 else "DB"
        money = f'"{ENGLISH.size(row.amount)}",{way},"{ENGLISH.signed(row.balance)}"'
        lines.append(f"'{row.day:%d/%m},{row.text},'0000,{money}")
    lines += [
        "",
        f'Saldo Awal,:,"{ENGLISH.signed(book.opening)}"',
        f'Mutasi Debet,:,"{ENGLISH.size(book.paid)}"',
        f'Mutasi Kredit,:,"{ENGLISH.size(book.received)}"',
        f'Saldo Akhir,:,"{ENGLISH.signed(book.closing)}"',
    ]
    label = "BCA, Indonesia: days without year (the period has it), DB and CR in a column without name"
    text = "\r\n".join(lines) + "\r\n"
    return export("6041234567_okt25.csv", text, book.rows, "IDR", label, both=True)


def files() -> list[Made]:
    return [
        hdfc(),
        hdfc_card(),
        sbi(),
        icici(),
        axis(),
        kotak(),
        meezan(),
        dbs(),
        ocbc(),
        bca(),
    ]
