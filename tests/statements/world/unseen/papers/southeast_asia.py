"""Statements of Malaysia, Thailand, Indonesia and the Philippines."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import POINT, before, drawn, ledger, lines, made, total
from .kit import A4, Paper

MAYBANK = """
+3100 4300 IBG CREDIT|PETRONAS DAGANGAN *|SALARY
*-5 90 SALE DEBIT|JAYA GROCER SDN BHD|4471~~~~
*-4 40 FUND TRANSFER TO A/|NUR AISYAH BINTI *|lunch
*-2 30 MAE QR PAYMENT|RESTORAN PELITA *|
-1100 1100 IBK FUND TFR FR A/C|LEONG KAH FAI *|RENT
*+10 150 TRANSFER TO A/C|SITI HAJAR BINTI *|
-80 260 PYMT FROM A/C|TNB 2200447~~~~~|
-0.5 1 DEBIT ADVICE|CARD ANN FEE|
"""


def maybank(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 700, 3000), date(2025, 8, 1), date(2025, 8, 31), MAYBANK, 20).less(12)
    paper = Paper(A4, font="Courier", left=35)
    paper.size = 8
    paper.put(35, "Maybank", bold=True, size=15, font="Helvetica-Bold")
    paper.block(
        35,
        62,
        "Malayan Banking Berhad (3813-K)\n14th Floor, Menara Maybank, 100 Jalan Tun Perak, 50050 Kuala "
        "Lumpur",
        size=6.5,
    )
    paper.block(
        560,
        46,
        "MUKA/ PAGE :  1\nTARIKH PENYATA / STATEMENT DATE : 31/08/25\nNOMBOR AKAUN / ACCOUNT NUMBER : "
        "114471-109332",
        "r",
        size=7,
    )
    paper.y = 100
    paper.say("ENCIK FARID BIN OMAR\n44 JALAN SS2/71\n47300 PETALING JAYA")
    paper.y += 14
    paper.say("URUSNIAGA AKAUN/ ACCOUNT TRANSACTIONS", bold=True)
    paper.y += 4
    grid = paper.grid(
        "37 95 155 440r 555r",
        (
            "TARIKH MASUK\nENTRY DATE",
            "TARIKH NILAI\nVALUE DATE",
            "BUTIR URUSNIAGA\nTRANSACTION DESCRIPTION",
            "JUMLAH URUSNIAGA\nTRANSACTION AMOUNT",
            "BAKI PENYATA\nSTATEMENT BALANCE",
        ),
        size=6.5,
        step=9.5,
    )
    grid.head()
    grid.row("", "", "BEGINNING BALANCE", "", POINT(book.opening), size=8)
    for row in book.shown:
        text = [line for line in lines(row) if line]
        grid.row(
            f"{row.day:%d/%m/%y}",
            "",
            text[0],
            POINT.trailing(row.amount, "-", "+"),
            POINT(row.balance),
            lines=len(text),
            size=8,
        )
        for line in text[1:]:
            grid.row("", "", "  " + line, size=8)
    paper.y += 6
    for name, figure in (
        ("ENDING BALANCE :", POINT(book.closing)),
        ("LEDGER BALANCE :", POINT(book.closing)),
        ("TOTAL DEBIT :", POINT.bare(book.outs)),
        ("TOTAL CREDIT :", POINT(book.ins)),
    ):
        grid.row("", "", name, figure, size=8)
    paper.put(
        35,
        "Perhatian / Note: Semua maklumat dan baki yang dinyatakan di sini akan dianggap betul kecuali pihak "
        "bank dimaklumkan dalam 21 hari.",
        y=800,
        size=6,
    )
    return made(
        "114471109332_20250831.pdf",
        paper,
        "MYR",
        "Maybank, Malaysia: amounts as 12.30- and 12.30+, headings in two languages; one row is missing",
        book,
    )


KBANK = """
+28000 41000 Transfer Deposit|From SMART X~~~~ NIRUT PHANICH++
*-45 900 Payment|Ref X~~~~ 7-ELEVEN BANGKOK
*-60 700 Transfer Withdrawal|To PromptPay X~~~~ MISS SUDA K.++
*-150 1900 Payment|Ref X~~~~ LOTUS'S RAMA 4
-9500 9500 Transfer Withdrawal|To SCB X~~~~ CONDO JURISTIC++
-500 3000 Cash Withdrawal|ATM 14T0~~~
*+200 2000 Transfer Deposit|From BBL X~~~~ MR WICHAI++
"""


def kasikorn(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 9000, 40000), date(2025, 5, 1), date(2025, 5, 31), KBANK, 24)
    paper = Paper(A4, left=40, flow="columns")
    paper.put(40, "KASIKORNBANK", bold=True, size=14, ink="#138F2D")
    paper.put(555, "STATEMENT OF SAVINGS ACCOUNT", "r", bold=True, size=10)
    paper.block(40, 80, "MR. NIRUT PHANICH\n44/711 SUKHUMVIT 71 RD.\nBANGKOK 10110", size=8.5)
    ins = sum(row.amount > 0 for row in book.rows)
    paper.block(
        340,
        80,
        "Account Number   044-7-11093-3\nPeriod   01/05/2025 - 31/05/2025\nTotal Withdrawal "
        f"{len(book.rows) - ins} Items   {POINT.bare(book.outs)}\n"
        f"Total Deposit {ins} Items   {POINT(book.ins)}\nEnding Balance   {POINT(book.closing)}",
        size=8.5,
        step=12,
    )
    paper.y = 170
    grid = paper.grid(
        "42 85 115 290r 375r 385 440",
        (
            "Date",
            "Time/\nEff.Date",
            "Descriptions",
            "Withdrawal / Deposit",
            "Outstanding Balance\n(Baht)",
            "Channel",
            "Details",
        ),
        size=7,
        step=12,
    )
    grid.head()
    grid.row("01-05-25", "", "Beginning Balance", "", POINT(book.opening))
    hour = 8
    for row in book.shown:
        kind, detail = lines(row)
        hour = 8 if book.first_of_day(row) else hour + 3
        grid.row(
            f"{row.day:%d-%m-%y}",
            f"{hour:02}:{chance.randint(0, 59):02}",
            kind,
            POINT.bare(row.amount),
            POINT(row.balance),
            "K PLUS",
            detail,
        )
    paper.y += 8
    paper.say("Issued by K PLUS. KBPDF-XI-X-0009-05-25. Contact K-Contact Center 02-8888888", size=6.5)
    return made(
        "STM_SA9332_01MAY25_31MAY25.pdf",
        paper,
        "THB",
        "Kasikornbank, Thailand: one column without signs - only words and the balance tell in from out",
        book,
    )


BCA = """
+7500000 9900000 TRSF E-BANKING CR|0103/FTSCY/WS95031|GAJI MARET|PT SINAR NIAGA
*-25000 450000 TRSF E-BANKING DB|{d}/FTFVA/WS95271|12208/GOPAY TOPUP
*-18000 300000 KARTU DEBIT|INDOMARET TEBET
*-50000 800000 DEBIT|QRC014    00000.00SUPERINDO TEBET
-2250000 2250000 TRSF E-BANKING DB|{d}/FTSCY/WS95051|KOS BULANAN|IBU RATNA
-500000 1000000 TARIKAN ATM {d}|
*+50000 900000 BI-FAST CR|TRANSFER   DR 008|DEWI LESTARI
>+200 4000 BUNGA|
>-15000 15000 BIAYA ADM|
"""


def bca(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 3000000, 15000000), date(2025, 3, 1), date(2025, 3, 31), BCA, 26, inner="%d/%m"
    )

    def top() -> None:
        paper.y = 46
        paper.put(45, "BCA", bold=True, size=18, ink="#0066AE")
        paper.put(300, "REKENING TAHAPAN", "c", bold=True, size=12)
        paper.block(
            340,
            66,
            f"NO. REKENING     :  4471109332\nHALAMAN             :  {paper.page + 1} / 2\n"
            "PERIODE               :  MARET 2025\nMATA UANG         :  IDR",
            size=8,
        )
        paper.block(45, 70, "KCU TEBET\nAGUS SETIAWAN\nJL TEBET RAYA 44\nJAKARTA 12810", size=8)
        paper.y = 130

    paper = Paper(A4, left=45)
    top()
    grid = paper.grid(
        "47 95 320 430r 550r",
        ("TANGGAL", "KETERANGAN", "CBG", "MUTASI", "SALDO"),
        size=8,
        step=10.5,
        top=130,
        before=top,
    )
    grid.head()
    grid.row("01/03", "SALDO AWAL", "", "", POINT(book.opening))
    for row in book.shown:
        text = [line for line in lines(row) if line]
        grid.row(
            f"{row.day:%d/%m}",
            text[0],
            "0998" if text[0].startswith("B") else "",
            POINT.bare(row.amount) + (" DB" if row.amount < 0 else ""),
            POINT(row.balance) if book.last_of_day(row) else "",
            lines=len(text),
        )
        for line in text[1:]:
            grid.row("", "  " + line)
    paper.y += 12
    paper.room(60)
    ins = sum(row.amount > 0 for row in book.rows)
    for name, figure, count in (
        ("SALDO AWAL", book.opening, ""),
        ("MUTASI CR", book.ins, str(ins)),
        ("MUTASI DB", -book.outs, str(len(book.rows) - ins)),
        ("SALDO AKHIR", book.closing, ""),
    ):
        paper.put(47, f"{name}  :")
        paper.put(260, POINT(figure), "r")
        paper.put(300, count, "r")
        paper.y += 11
    return made(
        "4471109332_MAR_2025.pdf",
        paper,
        "IDR",
        "BCA, Indonesia: DB after what goes out and nothing after what comes in, balance once a day",
        book,
    )


BPI = """
+2000 9000 Payment -Thank You
*-150 2600 SM SUPERMARKET MAKATI MAKATI PH
*-120 900 GRAB MAKATI PH
*-200 1900 MERCURY DRUG SALCEDO MAKATI PH
-2000 2000 ABENSON INSTALLMENT:05/12
-300 900 SPOTIFY P1D4471 STOCKHOLM|U.S.Dollar|57.21
>-200 600 Finance Charge
"""


def bpi(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 9000, 19000), date(2024, 12, 13), date(2025, 1, 12), BPI, 13)
    owed, new = -book.opening, -book.closing
    late = total(book.only("Finance"))
    paper = Paper(A4, left=50)
    paper.put(50, "BPI", bold=True, size=20, ink="#B11116")
    paper.put(545, "STATEMENT OF ACCOUNT", "r", bold=True, size=12)
    paper.y = 84
    paper.say("MARIA CORAZON VILLANUEVA\n44 LEGASPI ST MAKATI CITY 1229")
    paper.y += 10
    grid = paper.grid(
        "52 165 335r 440r 545r",
        ("CUSTOMER NUMBER", "STATEMENT DATE", "PAYMENT DUE DATE", "TOTAL AMOUNT DUE", "MINIMUM AMOUNT DUE"),
        size=7.5,
    )
    grid.head()
    grid.row("020100-4-47-1109332", "JANUARY 12, 2025", "FEBRUARY 3, 2025", POINT(new), "850.00", size=8.5)
    paper.y += 8
    grid = paper.grid(
        "140r 240r 340r 440r 545r",
        (
            "Previous Balance",
            "Payments and Credits",
            "Purchases and Advances",
            "Finance and Late Charges",
            "Total Amount Due",
        ),
        size=7,
    )
    grid.head()
    grid.row(
        POINT(owed), POINT(book.ins), POINT.bare(book.outs - late), POINT.bare(late), POINT(new), size=8.5
    )
    paper.y += 14
    paper.say("BPI GOLD MASTERCARD     5469 04** **** 4471", bold=True)
    paper.y += 4
    grid = paper.grid(
        "52 145 240 545r", ("Transaction\nDate", "Post Date", "Description", "Amount"), size=8.5, step=12.5
    )
    grid.head()
    grid.row("", "", "Previous Balance", POINT(owed))
    for row in book.shown:
        text, *abroad = lines(row)
        posted = min(row.day + timedelta(days=chance.randint(0, 2)), date(2025, 1, 12))
        grid.row(
            f"{row.day:%B} {row.day.day}", f"{posted:%B} {posted.day}", text, POINT(-row.amount), lines=2
        )
        if abroad:
            grid.row(
                "",
                "",
                f"{abroad[0]}   {(-row.amount / Decimal(abroad[1])).quantize(Decimal('0.01'))}",
                size=7.5,
            )
    paper.y += 6
    paper.say("Unbilled Installment Amount      14,000.00", bold=True)
    paper.say(
        f"Installment balance summary:  ABENSON   {before(chance, book.rows[0], 1):%m/%d/%y}   12 months   "
        "24,000.00   Remaining 14,000.00",
        size=8,
    )
    return made(
        "Statement BPI GOLD MC 1-12-2025.pdf",
        paper,
        "PHP",
        "BPI, Philippines card: months in full without a year over New Year, instalment balance with a date",
        book,
    )


PAPERS = (maybank, kasikorn, bca, bpi)
