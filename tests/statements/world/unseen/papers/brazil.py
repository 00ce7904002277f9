"""Statements of Brazil."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import COMMA, drawn, ledger, lines, made
from .kit import A4, Paper

PORTUGUESE = ("JAN", "FEV", "MAR", "ABR", "MAI", "JUN", "JUL", "AGO", "SET", "OUT", "NOV", "DEZ")
NUBANK = """
+900 2400 Pagamento em {d}
*-9 180 Mercado Zona Sul
*-12 70 iFood
*-6 48 Uber *Trip
-55 56 Netflix.com
-120 190 Kalunga - Parcela 2/5
-80 140 Decolar - Parcela 4/10
-40 160 Steam Games|USD|5.7021
>-2 9 IOF de "Steam Games"
"""


def nubank(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 900, 2400), date(2025, 2, 27), date(2025, 3, 26), NUBANK, 20)
    paid = book.only("Pagamento")[0]
    named = type(paid)(
        paid.day, f"Pagamento em {paid.day:%d} {PORTUGUESE[paid.day.month - 1]}", paid.amount, paid.balance
    )
    book = type(book)(book.opening, tuple(named if row == paid else row for row in book.rows))
    owed, new = -book.opening, -book.closing
    paper = Paper(A4, left=60, flow="words")
    paper.put(60, "nu", bold=True, size=26, ink="#820AD1")
    paper.put(535, "FATURA 03 ABR 2025", "r", bold=True)
    paper.put(535, "EMISSÃO E ENVIO 27 MAR 2025", "r", y=62, size=8)
    paper.y = 110
    paper.say("Olá, Thiago.\nEsta é a sua fatura de abril, no valor de", size=13)
    paper.y += 8
    paper.say(f"R$ {COMMA(new)}", size=20, bold=True)
    paper.say(
        "Data de vencimento: 03 ABR 2025\nPeríodo vigente: 27 FEV a 27 MAR\nLimite total do cartão de "
        "crédito: R$ 6.000,00",
        size=9,
    )
    paper.y += 16
    paper.say("RESUMO DA FATURA ATUAL", bold=True)
    paper.y += 4
    paper.pairs(
        ("Fatura anterior", "R$ " + COMMA(owed)),
        ("Pagamento recebido", "-R$ " + COMMA(book.ins)),
        ("Total de compras, 27 FEV a 27 MAR", "R$ " + COMMA.bare(book.outs)),
        ("*Total a pagar", "R$ " + COMMA(new)),
        x=60,
        to=535,
        step=15,
    )
    paper.y += 14
    paper.say("PRÓXIMAS FATURAS", bold=True)
    paper.y += 4
    paper.pairs(
        ("Maio - fecha em 27 ABR", "R$ 311,48"), ("Demais faturas", "R$ 604,90"), x=60, to=535, step=15
    )
    paper.y += 20
    paper.say(
        "Opções de parcelamento: 3x de R$ 611,20 (1ª parcela em 03 ABR)   6x de R$ 328,77   12x de R$ 190,05",
        size=8,
    )
    paper.turn(60)
    paper.say("TRANSAÇÕES     DE 27 FEV A 27 MAR", bold=True, size=11)
    paper.y += 8
    grid = paper.grid(
        "60 110 150 535r", ("", "", "Thiago A Figueiredo", "R$ " + COMMA.bare(book.outs)), size=9, step=17
    )
    grid.head()
    for row in book.shown:
        text, *abroad = lines(row)
        value = ("-R$ " if row.amount > 0 else "R$ ") + COMMA.bare(row.amount)
        grid.row(f"{row.day:%d} {PORTUGUESE[row.day.month - 1]}", "", text, value, lines=2)
        if abroad:
            usd = (-row.amount / Decimal(abroad[1])).quantize(Decimal("0.01"))
            grid.row("", "", f"{abroad[0]} {usd}", size=8, step=10)
            grid.row("", "", f"Conversão: USD 1 = R$ {abroad[1].replace('.', ',')}", size=8)
    return made(
        "Nubank_2025-04-03.pdf",
        paper,
        "BRL",
        "Nubank, Brazil card: next bills and payment plans with dates, dollars below a row",
        book,
    )


ITAU = """
+4800 6200 TED RECEBIDA  ALVORADA TEC LTDA
*-12 190 RSCSS-PAO DE ACUCAR  {d}
*-20 260 PIX TRANSF  MARINA {d}
*+30 400 PIX TRANSF  RENATO {d}
-1650 1650 PAG BOLETO IMOBILIARIA PAULO
-90 280 DA  ENEL SP 44711093
-60 130 DA  VIVO FIXO 1104471
>-30 50 TAR PACOTE ITAU  MAR/25
>+0.02 0.4 REND PAGO APLIC AUT MAIS
"""


def itau(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 900, 4000),
        date(2025, 3, 3),
        date(2025, 3, 31),
        ITAU,
        18,
        weekdays=True,
        inner="%d/%m",
    )
    paper = Paper(A4, left=50)
    paper.put(50, "Itaú", bold=True, size=20, ink="#EC7000")
    paper.put(545, "extrato conta / lançamentos", "r", size=12)
    paper.block(
        545,
        70,
        "Vanessa Prado Lacerda\nagência 0447   conta 11093-8\nperíodo de visualização: 01/03/2025 até "
        "31/03/2025\nemitido em: 01/04/2025 09:12:44",
        "r",
        size=8,
    )
    paper.y = 130
    paper.pairs(
        ("saldo em conta", f"R$ {COMMA(book.closing)}"),
        ("limite da conta contratado", "R$ 3.000,00"),
        ("saldo total disponível", f"R$ {COMMA(book.closing + 3000)}"),
        x=50,
        to=290,
        step=14,
    )
    paper.y += 14
    grid = paper.grid(
        "54 130 440r 540r", ("data", "lançamentos", "valor (R$)", "saldo (R$)"), step=12.5, rule="#EC7000"
    )
    grid.head()
    grid.row("28/02/2025", "SALDO ANTERIOR", "", COMMA(book.opening))
    for row in book.shown:
        grid.row(f"{row.day:%d/%m/%Y}", row.text, COMMA(row.amount), "")
        if book.last_of_day(row):
            grid.row(f"{row.day:%d/%m/%Y}", "SALDO DO DIA", "", COMMA(row.balance), bold=True)
    paper.y += 10
    paper.say("lançamentos futuros", bold=True)
    paper.y += 4
    grid = paper.grid("54 130 440r", ("data", "lançamentos", "valor (R$)"), step=12.5)
    grid.head()
    grid.row("07/04/2025", "DA  NET SERVICOS 88140", "-139,90")
    grid.row("10/04/2025", "PAG BOLETO IMOBILIARIA PAULO", "-1.650,00")
    paper.prose(
        "Os saldos acima são baseados nas informações disponíveis até esse instante e poderão ser alterados "
        "a qualquer momento em função de novos lançamentos."
    )
    return made(
        "itau_extrato_032025.pdf",
        paper,
        "BRL",
        "Itaú, Brazil: a dated balance line after every day, future entries with dates below",
        book,
    )


PAPERS = (nubank, itau)
