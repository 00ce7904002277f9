"""Papers of banks in Latin America."""

from __future__ import annotations

from decimal import Decimal

from ...institutions.ledgers import de, into, out, us
from ...truth import Made
from ..books import SPANISH, book, card, whole
from ..sheets import Sheet
from .paper import TURN, paper


def bancolombia(seed: int) -> Made:
    """Colombia: days as 4/03 without a year, dots of thousands as commas."""
    held = book("bancolombia", seed, SPANISH, scale=1000, first=TURN)
    sheet = Sheet()
    sheet.lines(
        (40, "BANCOLOMBIA S.A.", -550, "ESTADO DE CUENTA"),
        (40, "CUENTA DE AHORROS 231-123456-78", -550, "DESDE: 2023/12/13 HASTA: 2024/01/12"),
        (40, "RESUMEN"),
        (
            40,
            "SALDO ANTERIOR",
            -250,
            f"$ {us(held.opening)}",
            300,
            "TOTAL CARGOS",
            -500,
            f"$ {us(held.paid_out)}",
        ),
        (
            40,
            "TOTAL ABONOS",
            -250,
            f"$ {us(held.paid_in)}",
            300,
            "SALDO ACTUAL",
            -500,
            f"$ {us(held.closing)}",
        ),
        (40, "FECHA", 90, "DESCRIPCIÓN", 280, "SUCURSAL", 350, "DCTO.", -460, "VALOR", -550, "SALDO"),
    )
    for row in held.rows:
        sheet.line(
            40, f"{row.day.day}/{row.day:%m}", 90, row.text, -460, us(row.amount), -550, us(row.balance)
        )
    sheet.line(90, "FIN ESTADO DE CUENTA")
    return paper("bancolombia over new year", sheet, held, "COP")


def banco_chile(seed: int) -> Made:
    """Chile: pesos without cents, cargos and abonos, a balance only at times."""
    held = book("banco chile", seed, SPANISH, places=0, scale=100)
    sheet = Sheet()
    sheet.lines(
        (40, "BANCO DE CHILE", -550, "CARTOLA CUENTA CORRIENTE"),
        (40, "N° de Cuenta: 00-123-45678-90", -550, "Moneda: PESOS CHILENOS"),
        (40, "DESDE 04/03/2024 HASTA 02/04/2024"),
        (
            40,
            "FECHA",
            90,
            "DETALLE DE TRANSACCION",
            280,
            "SUCURSAL",
            -400,
            "CHEQUES O CARGOS",
            -480,
            "DEPOSITOS O ABONOS",
            -550,
            "SALDO",
        ),
        (40, "04/03", 90, "SALDO INICIAL", -550, whole(held.opening)),
    )
    for day, rows in held.by_day():
        for row in rows:
            sheet.line(
                40,
                f"{day:%d/%m}",
                90,
                row.text,
                280,
                "CENTRAL",
                -400,
                whole(-row.amount) if row.amount < 0 else "",
                -480,
                whole(row.amount) if row.amount > 0 else "",
                -550,
                whole(row.balance) if row is rows[-1] else "",
            )
    sheet.line(40, "02/04", 90, "SALDO FINAL", -550, whole(held.closing))
    return paper("banco de chile in pesos", sheet, held, "CLP")


def interbank_card(seed: int) -> Made:
    """Peru: a card in two currencies, each with its own column."""
    held = card("interbank", seed, SPANISH)
    dollars = held.rows[3::4]
    rows = tuple(row for row in held.rows if row not in dollars)
    soles = Decimal("812.40")
    owed = Decimal("55.10")
    sheet = Sheet()
    sheet.lines(
        (40, "INTERBANK", -550, "ESTADO DE CUENTA TARJETA VISA"),
        (40, "Nro. de tarjeta 4213-55XX-XXXX-1290", -550, "Periodo de facturacion 04/03/2024 - 02/04/2024"),
        (-450, "SOLES S/", -550, "DOLARES US$"),
        (40, "Saldo anterior", -450, us(soles), -550, us(owed)),
        (40, "Fecha", 100, "Descripcion", -450, "Soles S/", -550, "Dolares US$"),
    )
    for row in held.rows:
        value = us(-row.amount)
        sheet.line(
            40,
            f"{row.day:%d/%m/%Y}",
            100,
            row.text,
            -450,
            "" if row in dollars else value,
            -550,
            value if row in dollars else "",
        )
    sheet.line(
        40,
        "Saldo actual",
        -450,
        us(soles - sum(row.amount for row in rows)),
        -550,
        us(owed - sum(row.amount for row in dollars)),
    )
    content = sheet.done()
    currencies = tuple("USD" if row in dollars else "PEN" for row in held.rows)
    return Made(
        "statement.pdf",
        content,
        held.rows,
        "PEN",
        "paper interbank in two currencies",
        True,
        currencies=currencies,
    )


def banamex(seed: int) -> Made:
    """Mexico: days as 04 MAR, wrapped descriptions whose amount stands on the last line."""
    held = book("banamex", seed, SPANISH)
    months = {3: "MAR", 4: "ABR"}
    sheet = Sheet()
    sheet.lines(
        (40, "Citibanamex", -550, "ESTADO DE CUENTA AL 2 DE ABRIL DE 2024"),
        (40, "CLABE Interbancaria 002180012345678901", -550, "CUENTA PRIORITY 123 4567890"),
        (40, "Saldo Anterior", -300, f"${us(held.opening)}"),
        (40, f"({len(held.credits())}) Depósitos", -300, f"${us(held.paid_in)}"),
        (40, f"({len(held.debits())}) Retiros", -300, f"${us(held.paid_out)}"),
        (40, "SALDO AL 2 DE ABRIL DE 2024", -300, f"${us(held.closing)}"),
        (40, "DETALLE DE OPERACIONES"),
        (40, "FECHA", 90, "CONCEPTO", -390, "RETIROS", -470, "DEPOSITOS", -550, "SALDO"),
        (90, "SALDO ANTERIOR", -550, us(held.opening)),
    )
    for row in held.rows:
        sheet.line(40, f"{row.day:%d} {months[row.day.month]}", 90, row.text)
        sheet.line(
            90, "RFC XAXX010101000 AUT. 012345", -390, out(row), -470, into(row), -550, us(row.balance)
        )
    return paper("banamex, amounts below the day", sheet, held, "MXN")


def nubank(seed: int) -> Made:
    """Brazil: a card; days as 04 MAR, payments with a minus."""
    held = card("nubank", seed, SPANISH)
    months = {3: "MAR", 4: "ABR"}
    sheet = Sheet()
    sheet.lines(
        (40, "Nu Pagamentos S.A.", -550, "FATURA 09 ABR 2024"),
        (40, "EMISSÃO E ENVIO 02 ABR 2024"),
        (40, "RESUMO DA FATURA ATUAL"),
        (40, "Fatura anterior", -300, f"R$ {de(-held.opening)}"),
        (40, "Pagamento recebido", -300, f"-R$ {de(held.paid_in)}"),
        (40, "Total de compras de todos os cartões", -300, f"R$ {de(held.paid_out)}"),
        (40, "Total a pagar", -300, f"R$ {de(-held.closing)}"),
        (40, "TRANSAÇÕES", 200, "DE 04 MAR A 02 ABR", -550, "VALORES EM R$"),
    )
    for row in held.rows:
        sheet.line(
            40,
            f"{row.day:%d} {months[row.day.month]}",
            110,
            row.text,
            -550,
            f"{'-' if row.amount > 0 else ''}{de(abs(row.amount))}",
        )
    return paper("nubank card", sheet, held, "BRL")
