"""Banks and a card of Canada."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import DOLLAR, ENGLISH, POINT, SPACED, drawn, ledger, lines, made
from .kit import LETTER, Paper

TD = """
+1400 1900 MAPLEWIRE INC    PAY
*-4 60 LOBLAWS #1~~~
*-2 12 TIM HORTONS #~~
*-10 80 INTERAC e-Transfer SENT
*-3 25 PRESTO AUTO     _V
-1180 1180 RENT 114 DUNDAS  MSP
-61 130 TORONTO HYDRO   BPY
+40 90 CANADA CARBON   RIT
+1400 1900 MAPLEWIRE INC    PAY
>-16.95 16.95 MONTHLY ACCOUNT FEE
"""


def td_canada(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 900, 2500), date(2024, 12, 31), date(2025, 1, 31), TD, 26, weekdays=True
    )
    paper = Paper(LETTER, font="Courier", left=50)
    paper.put(50, "TD", bold=True, size=24, ink="#008A00", font="Helvetica-Bold")
    paper.put(90, "CANADA TRUST", size=12)
    paper.block(560, 50, "Statement From - To\nDEC 31/24 - JAN 31/25\nPage 1 of 1", "r")
    paper.y = 110
    paper.say("MR OSKAR BELANGER\n114 DUNDAS ST W\nTORONTO ON  M5G 1C7")
    paper.y += 14
    paper.say("TD ALL-INCLUSIVE BANKING PLAN          Branch No. 1042    Account No. 1042-6631874", size=8.5)
    paper.y += 14
    grid = paper.grid(
        "50 310r 400r 440 560r",
        ("Description", "Withdrawals", "Deposits", "Date", "Balance"),
        size=8.5,
        step=11.5,
        bottom=720,
    )
    grid.head()
    grid.row("STARTING BALANCE", "", "", "DEC31", POINT(book.opening))
    for row in book.shown:
        out, into = POINT.sides(row.amount)
        grid.row(
            row.text,
            out,
            into,
            f"{row.day:%b%d}".upper(),
            POINT(row.balance) if book.last_of_day(row) else "",
        )
    paper.y += 12
    paper.say(
        "Please ensure that you have reported any errors within 30 days of the statement date. MSP = Misc "
        "Payment,\n"
        "BPY = Bill Payment, RIT = Rebate, PAY = Payroll Deposit, MTG = Mortgage.",
        size=7,
    )
    paper.upright(24, 720, "514702 (0921)   10-6631874-0131-01")
    return made(
        "TD_ALL-INCLUSIVE_BANKING_PLAN_1042-6631874_Dec_31-Jan_31_2025.pdf",
        paper,
        "CAD",
        "TD Canada Trust, Canada: the date stands right of the amounts, JAN05, over New Year",
        book,
    )


RBC = """
+600 1100 PAYMENT - THANK YOU / PAIEMENT - MERCI
*-5 70 METRO 0~~ OTTAWA ON
*-4 22 BRIDGEHEAD COFFEE OTTAWA ON
*-9 66 PETRO-CANADA ~~~~~ KANATA ON
-24 90 CHATGPT SUBSCRIPTION SAN FRANCISCO CA|1.4312
-60 240 B&H PHOTO 800-606-6969 NEW YORK NY|1.4288
+25 120 MEC MOUNTAIN EQUIPMENT CO OTTAWA ON
"""


def rbc_visa(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 900, 1600), date(2025, 2, 12), date(2025, 3, 9), RBC, 18)
    owed, new = -book.opening, -book.closing
    paper = Paper(LETTER, left=40)
    paper.put(40, "RBC Royal Bank", bold=True, size=16, ink="#005DAA")
    paper.put(40, "RBC\xae Avion\xae Visa Infinite\u2021", y=70, size=11)
    paper.put(570, "STATEMENT FROM FEB 11 TO MAR 10, 2025", "r", size=9, bold=True)
    paper.put(570, "1 OF 2", "r", y=64, size=8)
    paper.y = 95
    paper.say("MME CLAIRE THIBODEAU    4510 14** **** 7702", bold=True)
    paper.y += 10
    paper.block(
        420,
        112,
        f"CALCULATING YOUR BALANCE\nPrevious Account Balance   {DOLLAR(owed)}\n"
        f"Payments & credits   -{DOLLAR(book.ins)}\nPurchases & debits   {DOLLAR.bare(book.outs)}\nCash "
        "advances   $0.00\n"
        f"Interest   $0.00\nFees   $0.00\nNEW BALANCE   {DOLLAR(new)}",
        size=8,
        step=13,
    )
    paper.block(
        420,
        240,
        "PAYMENTS & INTEREST RATES\nMinimum payment   $10.00\nPayment due date   APR 04, 2025\n"
        "Credit limit   $15,000.00\nAnnual interest rates:\nPurchases   20.99%\nCash advances   22.99%",
        size=8,
        step=13,
    )
    grid = paper.grid(
        "44 106 152 400r",
        ("TRANSACTION\nDATE", "POSTING\nDATE", "ACTIVITY DESCRIPTION", "AMOUNT ($)"),
        size=7,
        step=11,
        bottom=690,
        rule="",
    )
    grid.head()
    for row in book.shown:
        text, *rate = lines(row)
        posted = min(row.day + timedelta(days=chance.randint(1, 2)), date(2025, 3, 10))
        amount = "-" + DOLLAR(row.amount) if row.amount > 0 else DOLLAR.bare(row.amount)
        grid.row(f"{row.day:%b %d}".upper(), f"{posted:%b %d}".upper(), text, amount, lines=3)
        grid.row("", "", "".join(chance.choice("0123456789") for _ in range(23)))
        if rate:
            usd = (-row.amount / Decimal(rate[0])).quantize(Decimal("0.01"))
            grid.row("", "", f"Foreign Currency-USD {usd}   Exchange rate-{rate[0]}00")
    paper.y += 8
    paper.put(152, "NEW BALANCE", bold=True)
    paper.put(400, DOLLAR(new), "r", bold=True)
    paper.turn(80)
    paper.say(
        "AVION POINTS        Previous points balance  31,204      Points earned this statement  1,117", size=9
    )
    paper.y += 10
    paper.prose(
        "If you make only the minimum payment every month, it is estimated that it will take 17 years and 4 "
        "months to fully "
        "repay the outstanding balance."
    )
    paper.y = 640
    paper.rule()
    paper.block(
        44,
        660,
        f"RBC Royal Bank Visa     NEW BALANCE {DOLLAR(new)}     MINIMUM PAYMENT $10.00     PAYMENT DUE DATE "
        "APR 04, 2025\n"
        "AMOUNT PAID $ ________      4510 14** **** 7702",
        size=8,
        step=16,
    )
    return made(
        "Visa Statement-7702 2025-03-10.pdf",
        paper,
        "CAD",
        "RBC Visa, Canada: US dollars below the rows, a summary column beside the table, a payment slip",
        book,
    )


DESJARDINS = """
+1300 1700 Paie /ATELIER NORDIQUE INC.
*-6 70 Achat /IGA EXTRA #~~~~
*-4 30 Achat /COUCHE-TARD #~~~
*-20 90 Virement Interac a /Marie-Eve
*+15 90 Virement Interac de /Olivier G.
-83 160 Paiement facture - AccesD /HYDRO-QUEBEC
-620 980 Pret /Hypotheque
-2.95 2.95 Frais d'utilisation
"""


def desjardins(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 900, 2600), date(2025, 5, 1), date(2025, 5, 31), DESJARDINS, 18, weekdays=True
    )
    codes = {"Paie ": "DI", "Achat": "ACH", "Virem": "VMW", "Paiem": "PWW", "Pret ": "RPR", "Frais": "FU"}
    paper = Paper(LETTER, left=45)
    paper.put(45, "Desjardins", bold=True, size=19, ink="#00874E")
    paper.block(
        570,
        48,
        "RELEVÉ DE COMPTE\nPériode du 1 mai au 31 mai 2025\nFolio 0482217    Page 1 de 1",
        "r",
        size=9,
    )
    paper.block(
        45,
        90,
        "Caisse Desjardins du Plateau-Mont-Royal\n435, avenue du Mont-Royal Est\nMontréal (Québec)  H2J 1W2",
        size=8,
    )
    paper.y = 150
    paper.say("MADAME JOSIANE PELLETIER", bold=True)
    paper.y += 12
    paper.title("EOP - OPÉRATIONS COURANTES (Profit Jeunesse / folio 0482217-EOP)", "#00874E")
    paper.y += 4
    grid = paper.grid(
        "60r 78 115 330r 410r 490r 566r",
        ("Date", "Code", "Description", "Frais", "Retrait", "Dépôt", "Solde"),
        size=8.5,
    )
    grid.head()
    grid.row("", "", "Solde reporté", "", "", "", SPACED(book.opening))
    for row in book.shown:
        out, into = SPACED.sides(row.amount)
        month = ("JAN", "FEV", "MAR", "AVR", "MAI")[row.day.month - 1]
        grid.row(f"{row.day.day} {month}", codes[row.text[:5]], row.text, "", out, into, SPACED(row.balance))
    paper.y += 10
    paper.say(
        f"Total des retraits : {SPACED.bare(book.outs)} $     Total des dépôts : {SPACED(book.ins)} $     "
        f"Solde au 31 mai 2025 : {SPACED(book.closing)} $",
        bold=True,
    )
    paper.y += 16
    paper.title("SOMMAIRE DES AUTRES PRODUITS", "#00874E")
    paper.say(
        "PR1  Prêt hypothécaire     Taux 4,890 %     Échéance 2027-10-01     Solde du prêt au 31 mai 2025 : "
        "218 402,77 $",
        size=8.5,
    )
    paper.say(
        "CELI  Épargne à terme 3 ans     Taux 3,150 %     Échéance 2026-02-14     Capital : 6 500,00 $",
        size=8.5,
    )
    paper.put(570, f"Imprimé le 2 {ENGLISH[5].lower()} 2025", "r", y=760, size=6)
    return made(
        "Releve_2025-05_EOP.pdf",
        paper,
        "CAD",
        "Desjardins, Canada in French: a fee column that is empty, other products' balances with dates",
        book,
    )


PAPERS = (td_canada, rbc_visa, desjardins)
