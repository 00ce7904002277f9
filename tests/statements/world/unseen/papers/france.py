"""Statements of France."""

from __future__ import annotations

import random
from datetime import date, timedelta

from tests.statements.world.truth import Made, Row

from .deals import SPACED, before, drawn, ledger, lines, made
from .kit import A4, Paper

BNP = """
+1900 2400 VIR SEPA RECU /DE ATELIERS GARONNE|/MOTIF PAIE OCTOBRE /REF ~~~~~~
*-5 70 PAIEMENT CB {d} MONOPRIX BORDEAUX|CARTE 4974XXXXXXXX~~~~
*-8 45 PAIEMENT CB {d} SNCF INTERNET|CARTE 4974XXXXXXXX~~~~
-760 760 VIR SEPA EMIS /MOTIF LOYER|/BEN M DUCASSE /REFDO LOYER
-32 90 PRLV SEPA EDF CLIENTS PARTICULIERS|ECH/{d} ID EMETTEUR/FR47EDF001007
*-20 80 RETRAIT DAB {d} BNP PARIBAS BORDEAUX|
*+15 90 VIR SEPA INST RECU /DE MLE A FABRE|
-4 9 * COMMISSIONS COTISATION ESPRIT LIBRE|
"""


def bnp(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 500, 1800),
        date(2025, 10, 6),
        date(2025, 11, 5),
        BNP,
        38,
        weekdays=True,
        inner="%d%m%y",
    )
    paper = Paper(A4, left=45)

    def top() -> None:
        paper.y = 46
        paper.put(45, "BNP PARIBAS", bold=True, size=14, ink="#00965E")
        paper.put(550, f"P. {paper.page + 1}/2", "r", size=8)
        paper.y = 90

    top()
    paper.say("RELEVE DE COMPTE CHEQUES", bold=True, size=13)
    paper.say("du 5 octobre 2025 au 5 novembre 2025", size=10)
    paper.block(330, 130, "M BASTIEN FABRE\n14 RUE SAINTE-COLOMBE\n33000 BORDEAUX")
    paper.block(
        45,
        130,
        "Votre agence : BORDEAUX CHAPEAU ROUGE\nRIB : 30004 00381 00004471902 66\nIBAN : FR76 3000 4003 8100 "
        "0044 7190 266",
        size=8,
    )
    paper.y = 200
    grid = paper.grid(
        "47 95 385r 465r 548r",
        ("Date", "Nature des opérations", "Valeur", "Débit", "Crédit"),
        size=8.5,
        step=11,
        before=top,
        top=90,
    )
    grid.head()
    grid.row("", "SOLDE CREDITEUR AU 05.10.2025", "", "", SPACED(book.opening), bold=True)
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = SPACED.sides(row.amount)
        grid.row(f"{row.day:%d.%m}", text[0], f"{before(chance, row, 1):%d.%m}", out, into, lines=len(text))
        for line in text[1:]:
            grid.row("", line)
    paper.rule()
    paper.y += 12
    grid.row("", "TOTAL DES OPERATIONS", "", SPACED.bare(book.outs), SPACED(book.ins), bold=True)
    grid.row("", "SOLDE CREDITEUR AU 05.11.2025", "", "", SPACED(book.closing), bold=True)
    paper.y += 12
    paper.prose(
        "Montant de votre autorisation de découvert : 800,00 EUR. Taux nominal annuel débiteur au 05.11.2025 "
        ": 15,90 %. TAEG 17,61 %. "
        "Total des frais et cotisations liés à la gestion du compte depuis le 01.01.2025 : 78,40 EUR. BNP "
        "PARIBAS SA au capital de 2 261 621 342 euros."
    )
    return made(
        "RLV_CHQ_300040038100004471902_20251105.pdf",
        paper,
        "EUR",
        "BNP Paribas, France: value day between the columns, days inside the text, total and yearly fees",
        book,
    )


LBP = """
+1350 1600 VIREMENT DE CLINIQUE ST-VINCENT|REFERENCE : PAIE
*-5 60 ACHAT CB CARREFOUR CITY {d}|CARTE NUMERO ~~~
*-10 70 ACHAT CB LECLERC {d}|CARTE NUMERO ~~~
-150 150 VIREMENT POUR LIVRET A|EPARGNE
-410 410 PRELEVEMENT DE FONCIA|LOYER
*-20 70 RETRAIT CB LA POSTE {d}|
"""


def banque_postale(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 400, 1400),
        date(2025, 1, 23),
        date(2025, 2, 20),
        LBP,
        12,
        weekdays=True,
        inner="%d.%m.%y",
    )
    moved = book.only("VIREMENT POUR")[0]
    start, half = drawn(chance, 2000, 7000), drawn(chance, 40, 200)
    middle, end = start - moved.amount, start - moved.amount - half
    livret = type(book)(
        start,
        (
            Row(moved.day, "VIREMENT DE COMPTE COURANT", -moved.amount, middle),
            Row(moved.day + timedelta(days=1), "RETRAIT GUICHET", -half, end),
        ),
    )
    paper = Paper(A4, font="Vera", left=48)
    paper.size = 7.5
    paper.put(48, "LA BANQUE POSTALE", bold=True, size=13, ink="#003DA5")
    paper.block(545, 48, "Relevé n° 2\nle 20/02/2025\nPage 1/1", "r")
    paper.y = 95
    paper.say("MME SOLENE LE GOFF\n3 PLACE DU GUESCLIN\n22000 SAINT-BRIEUC")
    paper.y += 18
    paper.say("Situation de vos comptes au 20 février 2025", bold=True, size=9.5)
    paper.pairs(
        (
            "Compte Courant Postal n° 11 447 82 F 037       Ancien solde au 22/01/2025 "
            f"{SPACED(book.opening)}",
            "+ " + SPACED(book.closing) + " €",
        ),
        (
            f"Livret A n° 0 447 109 332 K       Ancien solde au 22/01/2025 {SPACED(livret.opening)}",
            "+ " + SPACED(livret.closing) + " €",
        ),
        ("Livret de Développement Durable et Solidaire n° 9 011 238 77 M", "+ 1 204,11 €"),
        x=48,
        to=540,
    )
    for name, one in (
        ("Vos opérations : Compte Courant Postal n° 11 447 82 F 037", book),
        ("Vos opérations : Livret A n° 0 447 109 332 K", livret),
    ):
        paper.y += 14
        paper.say(name, bold=True, size=9.5)
        paper.y += 5
        grid = paper.grid("50 95 445r 540r", ("Date", "Opérations", "Débit (€)", "Crédit (€)"), step=10.5)
        grid.head()
        grid.row("", "Ancien solde au 22/01/2025", "", SPACED(one.opening), bold=True)
        for row in one.shown:
            text = [line for line in lines(row) if line]
            out, into = SPACED.sides(row.amount)
            grid.row(f"{row.day:%d/%m}", text[0], out, into, lines=len(text))
            for line in text[1:]:
                grid.row("", line)
        grid.row("", "Total des opérations", SPACED.bare(one.outs), SPACED(one.ins), bold=True)
        grid.row("", "Nouveau solde au 20/02/2025", "", SPACED(one.closing), bold=True)
    paper.y += 10
    paper.prose(
        "Le Livret A est rémunéré à 2,40 % depuis le 1er février 2025. Plafond : 22 950,00 €.", size=6.5
    )
    return made(
        "releve_CCP1144782F037_20250220.pdf",
        paper,
        "EUR",
        "La Banque Postale, France: two accounts with rows, a third with a balance only",
        book,
        livret,
    )


PAPERS = (bnp, banque_postale)
