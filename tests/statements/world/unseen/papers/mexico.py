"""Statements of Mexico."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal

from tests.statements.world.truth import Made

from .deals import DOLLAR, POINT, drawn, ledger, lines, made, total
from .kit import LETTER, Paper

SPANISH = ("ENE", "FEB", "MAR", "ABR", "MAY", "JUN", "JUL", "AGO", "SEP", "OCT", "NOV", "DIC")
BBVA = """
+14000 18500 T20 SPEI RECIBIDOBANORTE|0190325 PAGO NOMINA QUINCENAL|Ref. 00~~~~~~~~
*-60 900 A15 OXXO SANTA FE|RFC: CCO 8605231N4 {h}:2~ AUT: ~~~~~~|******4471
*-120 1800 A15 WALMART PERISUR|RFC: NWM 9709244W4 {h}:1~ AUT: ~~~~~~|******4471
*-200 1500 T17 SPEI ENVIADO STP|0044711 TANDA|Ref. 00~~~~~~~~
-7800 7800 N06 PAGO CUENTA DE TERCERO|RENTA DEPTO|Ref. ~~~~~~~~~~
-350 890 P14 CFE SUMINISTRADOR DE SERVI|REF: 00~~~~~~~~~~~~|
-500 2000 C07 RETIRO CAJERO AUTOMATICO|FECHA Y HORA {d} {h}:03|
+14000 18500 T20 SPEI RECIBIDOBANORTE|0190325 PAGO NOMINA QUINCENAL|Ref. 00~~~~~~~~
"""


def bbva_mexico(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 3000, 15000),
        date(2025, 3, 7),
        date(2025, 4, 6),
        BBVA,
        22,
        weekdays=True,
        inner="%d/%m/%y",
    )

    def top() -> None:
        paper.y = 40
        paper.put(40, "BBVA", bold=True, size=16, ink="#072146")
        paper.block(
            572,
            40,
            f"Estado de Cuenta\nLibretón Básico Cuenta Digital\nPAGINA {paper.page + 1} / 2\nNo. de Cuenta "
            "1544711093",
            "r",
            size=7.5,
        )
        paper.y = 95

    paper = Paper(LETTER, left=40, flow="words")
    top()
    paper.block(
        330,
        95,
        "Periodo   DEL 07/03/2025 AL 06/04/2025\nFecha de Corte   06/04/2025\nNo. de Cliente   D4471190\n"
        "R.F.C   ROAL880412QX1\n"
        "No. Cuenta CLABE   012 180 01544711093 8",
        size=8,
        step=12,
    )
    paper.say("ALEJANDRA ROMERO ARCE\nAV UNIVERSIDAD 1044 INT 302\nCOL DEL VALLE CP 03100\nCIUDAD DE MEXICO")
    paper.y += 24
    paper.title("Información Financiera", "#004481")
    paper.pairs(
        ("Saldo Anterior", POINT(book.opening)),
        ("Depósitos / Abonos (+)", f"{sum(r.amount > 0 for r in book.rows)}     {POINT(book.ins)}"),
        ("Retiros / Cargos (-)", f"{sum(r.amount < 0 for r in book.rows)}     {POINT.bare(book.outs)}"),
        ("*Saldo Final", POINT(book.closing)),
        ("Saldo Promedio", POINT(((book.opening + book.closing) / 2).quantize(Decimal("0.01")))),
        x=44,
        to=290,
    )
    paper.y += 12
    paper.title("Detalle de Movimientos Realizados", "#004481")
    grid = paper.grid(
        "42 82 122 350r 420r 495r 570r",
        (
            "FECHA\nOPER",
            "\nLIQ",
            "COD. DESCRIPCIÓN\nREFERENCIA",
            "CARGOS",
            "ABONOS",
            "SALDO\nOPERACIÓN",
            "\nLIQUIDACIÓN",
        ),
        size=7.5,
        step=9.5,
        top=95,
        before=top,
        bottom=715,
    )
    grid.head()
    for row in book.shown:
        text = [line.replace("{h}", "13") for line in lines(row) if line]
        out, into = POINT.sides(row.amount)
        both = POINT(row.balance) if book.last_of_day(row) else ""
        settled = min(row.day + timedelta(days=chance.choice((0, 0, 1))), date(2025, 4, 6))
        grid.row(_short(row.day), _short(settled), text[0], out, into, both, both, lines=len(text))
        for line in text[1:]:
            grid.row("", "", line, size=7)
        paper.y += 2
    paper.y += 8
    paper.say("Total de Movimientos", bold=True)
    paper.pairs(
        ("TOTAL IMPORTE CARGOS", POINT.bare(book.outs)),
        ("TOTAL IMPORTE ABONOS", POINT(book.ins)),
        x=44,
        to=290,
    )
    return made(
        "Estado_de_Cuenta_BBVA_abril2025.pdf",
        paper,
        "MXN",
        "BBVA, Mexico: days as 07/MAR, two balance columns, three lines a row",
        book,
    )


SANTANDER = """
+3000 8000 SU PAGO GRACIAS SPEI
*-60 900 SUPERAMA COYOACAN MEX
*-45 380 UBER EATS MEX CIUDAD DE MEX
*-99 700 PEMEX 8841 TLALPAN MEX
-180 480 AMAZON WEB SERVICES SEATTLE|USD|20.1144
>-60 190 INTERES ORDINARIO
>-9 30 IVA POR INTERESES
"""


def santander_mexico(chance: random.Random) -> Made:
    book = ledger(chance, -drawn(chance, 6000, 12000), date(2025, 4, 12), date(2025, 5, 11), SANTANDER, 15)
    months = ledger(
        chance,
        "0",
        date(2025, 5, 11),
        date(2025, 5, 11),
        "-1249.92 1249.92 LIVERPOOL INSURGENTES\n-666.50 666.50 APPLE STORE ANTARA",
    )
    closing = book.closing + months.closing
    # the instalments of the month are part of what is owed, but they are no row: they are owed before
    owed, new = -book.opening - total(months.rows), -closing
    paper = Paper(LETTER, left=42)
    paper.put(42, "Santander", bold=True, size=16, ink="#EC0000")
    paper.block(
        570,
        46,
        "TARJETA LIKEU\nNúmero de cuenta: 5579 07** **** 4471\nFecha de corte: 11-may-2025\nPeriodo: "
        "12-abr-2025 al 11-may-2025\nDías del periodo: 30",
        "r",
        size=8,
    )
    paper.y = 110
    paper.say("JORGE IVAN ZALDIVAR LOPEZ\nCALZ. DE TLALPAN 2104, CDMX 04220", size=8.5)
    paper.y += 10
    paper.band(paper.y - 10, 44, "#EC0000", 42, 290, filled=False)
    paper.pairs(
        ("*FECHA LÍMITE DE PAGO: sábado 31-may-2025", ""),
        ("Pago para no generar intereses:", DOLLAR(new)),
        ("Pago mínimo:", "$1,310.00"),
        x=46,
        to=286,
    )
    paper.y += 16
    paper.title("RESUMEN DE CARGOS Y ABONOS DEL PERIODO", "#5A5A5A")
    paper.pairs(
        ("Adeudo del periodo anterior", "= " + DOLLAR(owed)),
        ("Cargos regulares (no a meses)", "+ " + DOLLAR.bare(book.outs)),
        ("Cargos y compras a meses (capital), incluidos en el adeudo anterior", "$0.00"),
        ("Pagos y abonos", "- " + DOLLAR(book.ins)),
        ("*Saldo deudor total", "= " + DOLLAR(new)),
        x=46,
        to=420,
    )
    paper.y += 14
    paper.title("COMPRAS Y CARGOS DIFERIDOS A MESES SIN INTERESES", "#5A5A5A")
    grid = paper.grid(
        "44 105 300r 375r 450r 515r 568r",
        (
            "Fecha de la\noperación",
            "Descripción",
            "Monto\noriginal",
            "Saldo\npendiente",
            "Pago\nrequerido",
            "Núm. de\npago",
            "Tasa",
        ),
        size=7.5,
        step=11,
    )
    grid.head()
    grid.row(
        "18-nov-2024", "LIVERPOOL INSURGENTES", "$14,999.00", "$7,499.48", "$1,249.92", "6 de 12", "0.00%"
    )
    grid.row("03-feb-2025", "APPLE STORE ANTARA", "$3,999.00", "$1,999.50", "$666.50", "3 de 6", "0.00%")
    paper.y += 12
    paper.title("CARGOS, ABONOS Y COMPRAS REGULARES (NO A MESES)", "#5A5A5A")
    grid = paper.grid(
        "44 120 196 500r 568r",
        ("Fecha de la\noperación", "Fecha\nde cargo", "Descripción del movimiento", "", "Monto"),
        size=7.5,
        step=11,
    )
    grid.head()
    for row in book.shown:
        text, *abroad = lines(row)
        posted = min(row.day + timedelta(days=chance.randint(0, 2)), date(2025, 5, 11))
        grid.row(
            _mexican(row.day),
            _mexican(posted),
            text,
            "-" if row.amount > 0 else "+",
            DOLLAR.bare(row.amount),
            lines=2,
        )
        if abroad:
            usd = (-row.amount / Decimal(abroad[1])).quantize(Decimal("0.01"))
            grid.row("", "", f"{abroad[0]} {DOLLAR(usd)}   TC {abroad[1]}", size=7)
    grid.row("Total cargos", "", "", "+", DOLLAR.bare(book.outs), bold=True)
    grid.row("Total abonos", "", "", "-", DOLLAR(book.ins), bold=True)
    paper.y += 10
    paper.room(60)
    paper.prose(
        "CAT promedio ponderado 61.4% sin IVA. Si solo realiza el pago mínimo, tardará 4 años y 2 meses en "
        "liquidar su deuda. Aclaraciones y "
        "quejas: dentro de los 90 días naturales siguientes a la fecha de corte."
    )
    # what is printed: the debt before, with the months' capital, and the debt now
    shifted = type(book)(
        -owed,
        tuple(
            type(row)(row.day, row.text, row.amount, row.balance + total(months.rows)) for row in book.rows
        ),
    )
    return made(
        "EdoCta_TDC_4471_mayo25.pdf",
        paper,
        "MXN",
        "Santander, Mexico card: a table of instalments with dates that are no rows of this period, the sign "
        "in a "
        "column of its own",
        shifted,
    )


def _short(day: date) -> str:
    return f"{day:%d}/{SPANISH[day.month - 1]}"


def _mexican(day: date) -> str:
    return f"{day:%d}-{SPANISH[day.month - 1].lower()}-{day:%Y}"


PAPERS = (bbva_mexico, santander_mexico)
