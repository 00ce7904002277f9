"""Statements of Chile and Colombia."""

from __future__ import annotations

import random
from datetime import date

from tests.statements.world.truth import Made

from .deals import POINT, Figures, drawn, ledger, lines, made, total
from .kit import LETTER, Paper

PESOS = Figures(".", ",", 0)
CHILE = """
+900000 1500000 ABONO REMUNERACIONES VIÑA LOS QUILLAYES|SANTIAGO
*-3000 60000 COMPRA JUMBO LOS DOMINICOS|INTERNET
*-1800 22000 COMPRA COPEC AV LAS CONDES|INTERNET
*-9000 90000 TRASPASO A: PEDRO ILLANES|INTERNET
-420000 420000 TRASPASO A: INMOBILIARIA LYON|INTERNET
-18000 60000 PAGO EN LINEA ENEL DISTRIBUCION|INTERNET
*+5000 60000 TRASPASO DE: CAMILA ORTUZAR|INTERNET
-20000 120000 GIRO CAJERO AUTOMATICO|PROVIDENCIA
-8900 12900 COMISION MANTENCION PLAN|CENTRAL
"""


def banco_de_chile(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 150000, 900000, 0),
        date(2025, 5, 2),
        date(2025, 5, 30),
        CHILE,
        16,
        places=0,
        weekdays=True,
    ).less(7)
    paper = Paper(LETTER, left=45)
    paper.put(45, "Banco de Chile", bold=True, size=16, ink="#002464")
    paper.put(570, "ESTADO DE CUENTA CORRIENTE", "r", bold=True, size=11)
    paper.block(
        570,
        68,
        "CARTOLA N° 5     PAGINA 1 DE 1\nDESDE 30/04/2025  HASTA 30/05/2025\nMONEDA: PESOS CHILENOS\nN° DE "
        "CUENTA 00-164-44711-09",
        "r",
        size=8,
    )
    paper.y = 100
    paper.say("SR(A). CAMILA ORTUZAR VIAL\nAPOQUINDO 4447 DEPTO 901\nLAS CONDES")
    paper.y += 24
    grid = paper.grid(
        "47 90 300 400r 485r 568r",
        (
            "FECHA\nDIA/MES",
            "DETALLE DE TRANSACCION",
            "SUCURSAL",
            "MONTO CHEQUES\nO CARGOS",
            "MONTO DEPOSITOS\nO ABONOS",
            "SALDO",
        ),
        size=8,
        step=11.5,
    )
    grid.head()
    grid.row("30/04", "SALDO INICIAL", "", "", "", PESOS(book.opening), bold=True)
    for row in book.shown:
        text, branch = lines(row)
        out, into = PESOS.sides(row.amount)
        grid.row(
            f"{row.day:%d/%m}", text, branch, out, into, PESOS(row.balance) if book.last_of_day(row) else ""
        )
    grid.row("30/05", "SALDO FINAL", "", "", "", PESOS(book.closing), bold=True)
    paper.y += 12
    grid = paper.grid(
        "140r 250r 360r 470r 568r",
        (
            "SALDO INICIAL",
            "TOTAL DEPOSITOS/ABONOS",
            "TOTAL CHEQUES/CARGOS",
            "RETENCION A 1 DIA",
            "SALDO FINAL",
        ),
        size=7.5,
    )
    grid.head()
    grid.row(PESOS(book.opening), PESOS(book.ins), PESOS.bare(book.outs), "0", PESOS(book.closing))
    return made(
        "cartola_cta_cte_201644471109_052025.pdf",
        paper,
        "CLP",
        "Banco de Chile, Chile: pesos without decimals, dated opening and closing rows; one row is missing",
        book,
    )


COLOMBIA = """
+2400000 3100000 PAGO DE NOMI CAFETERA SAS
*-9000 180000 COMPRA EN EXITO LAURELES
*-6000 45000 COMPRA EN TOSTAO MEDELLIN
*-20000 200000 TRANSFERENCIA A NEQUI
-980000 980000 PAGO PSE ARRENDAMIENTOS SUR
-70000 240000 PAGO SV EPM SERVICIOS PUBLI
*+20000 150000 TRANSFERENCIA DESDE NEQUI
-600000 601000 RETIRO CAJERO LAURELES 2
-2900 14900 CUOTA MANEJO TARJETA DEBITO
>-1500 9000 IMPTO GOBIERNO 4X1000
>+1 40 ABONO INTERESES AHORROS
"""


def bancolombia(chance: random.Random) -> Made:
    book = ledger(chance, drawn(chance, 300000, 2500000), date(2024, 12, 31), date(2025, 3, 31), COLOMBIA, 48)

    def top() -> None:
        paper.y = 44
        paper.put(50, "Bancolombia", bold=True, size=15)
        paper.put(560, "ESTADO DE CUENTA  -  CUENTA DE AHORROS  -  NÚMERO 00144711093", "r", size=8)
        paper.y = 80

    paper = Paper(LETTER, left=50, font="Courier")
    paper.size = 8
    top()
    paper.say(
        "LUZ MARINA OSPINA RESTREPO\nCR 76 44 71 AP 502\nMEDELLIN ANTIOQUIA\nDESDE: 2024/12/31    HASTA: "
        "2025/03/31"
    )
    paper.y += 10
    paper.say("RESUMEN", bold=True)
    paper.pairs(
        ("SALDO ANTERIOR", f"$ {POINT(book.opening)}"),
        ("TOTAL ABONOS", f"$ {POINT(book.ins)}"),
        ("TOTAL CARGOS", f"$ {POINT.bare(book.outs)}"),
        ("SALDO ACTUAL", f"$ {POINT(book.closing)}"),
        ("VALOR INTERESES PAGADOS", f"$ {POINT(total(book.only('ABONO INT')))}"),
        ("RETEFUENTE", "$ .00"),
        x=50,
        to=300,
    )
    paper.y += 10
    grid = paper.grid(
        "85r 100 300 470r 560r",
        ("FECHA", "DESCRIPCIÓN", "SUCURSAL", "VALOR", "SALDO"),
        step=11,
        top=80,
        before=top,
        bottom=730,
    )
    grid.head()
    for row in book.shown:
        branch = "LAURELES" if row.text.startswith("RETIRO") else ""
        grid.row(f"{row.day.day}/{row.day:%m}", row.text, branch, POINT(row.amount), POINT(row.balance))
    grid.row("", "FIN ESTADO DE CUENTA", bold=True)
    return made(
        "Extracto_202503_Cuentas_de ahorro_1093.pdf",
        paper,
        "COP",
        "Bancolombia, Colombia: a quarter over New Year with days as 5/01, millions, signed values",
        book,
    )


PAPERS = (banco_de_chile, bancolombia)
