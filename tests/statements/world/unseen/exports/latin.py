"""Banks and cards in Brazil, Mexico, Colombia, Chile, Argentina, Peru and Uruguay."""

from __future__ import annotations

from decimal import Decimal

from tests.statements.world.truth import Made

from .books import COMMA, ENGLISH, GERMAN, PLAIN, WHOLE_DOTTED, draw, export, running, table


def nubank_card() -> Made:
    book = draw("nubank card", "br", month=1, scale=4, is_card=True, count=12)
    lines = [["date", "title", "amount"]]
    lines += [[f"{row.day}", row.text, str(-row.amount)] for row in book.newest]
    label = "Nubank card, Brazil: three columns, purchases positive, the currency nowhere"
    return export("Nubank_2025-02-08.csv", table(lines, end="\n"), book.newest, "BRL", label)


def nubank() -> Made:
    book = draw("nubank", "br", month=2, scale=4, count=12)
    lines = [["Data", "Valor", "Identificador", "Descrição"]]
    for row in book.rows:
        code = f"{book.letters(8).lower()}-{book.digits(4)}-4{book.digits(3)}-a{book.digits(3)}"
        lines.append([f"{row.day:%d/%m/%Y}", str(row.amount), code, row.text])
    label = "Nubank account, Brazil: decimal points in Portuguese"
    return export("NU_412345678_01FEV2025_28FEV2025.csv", table(lines, end="\n"), book.rows, "BRL", label)


def itau() -> Made:
    book = draw("itau", "br", month=3, scale=4, count=12)
    lines = [[f"{row.day:%d/%m/%Y}", row.text, COMMA.signed(row.amount)] for row in book.rows]
    label = "Itaú, Brazil: no header, semicolons"
    return export("Extrato Conta Corrente-010420250912.txt", table(lines, sep=";"), book.rows, "BRL", label)


def banco_do_brasil() -> Made:
    """The rows of balances have days too: the one before, and S A L D O last."""
    book = draw("bb", "br", month=4, scale=4, count=12)
    lines = [
        ["Data", "Dependencia Origem", "Histórico", "Data do Balancete", "Número do documento", "Valor", ""]
    ]
    lines.append(["31/03/2025", "", "Saldo Anterior", "", "0", str(book.opening), ""])
    lines += [
        [f"{row.day:%d/%m/%Y}", "0000-9", row.text, "", book.digits(9), str(row.amount), ""]
        for row in book.rows
    ]
    lines.append(["30/04/2025", "", "S A L D O", "", "0", str(book.closing), ""])
    label = "Banco do Brasil, Brazil: both balances as dated rows in the amount's column (trap), latin-1"
    text = table(lines, quote="all", end="\n")
    return export("extrato.csv", text, book.rows, "BRL", label, encoding="latin-1", both=True)


def bradesco() -> Made:
    """A balance row first, a total row with a day, and below it a second table of what is to come."""
    book = draw("bradesco", "br", month=5, scale=4, count=12)
    lines: list[list[str]] = [
        ["Extrato de: Agência: 412 Conta: 0123456-7 Movimentação entre: 01/05/2025 e 31/05/2025"],
        [],
        ["Data", "Histórico", "Docto.", "Crédito (R$)", "Débito (R$)", "Saldo (R$)", ""],
        ["30/04/2025", "SALDO ANTERIOR", "", "", "", GERMAN.signed(book.opening), ""],
    ]
    for row in book.rows:
        paid = GERMAN.signed(row.amount) if row.amount < 0 else ""
        money = [GERMAN.came(row.amount), paid, GERMAN.signed(row.balance)]
        lines.append([f"{row.day:%d/%m/%Y}", row.text, book.digits(7), *money, ""])
    lines += [
        [
            "31/05/2025",
            "Total",
            "",
            GERMAN.signed(book.received),
            GERMAN.signed(book.paid),
            GERMAN.signed(book.closing),
            "",
        ],
        [],
        ["Lançamentos Futuros"],
        ["Data", "Histórico", "Valor (R$)", ""],
        ["05/06/2025", "SEGURO RESIDENCIAL", "-89,90", ""],
        ["10/06/2025", "CONTA DE LUZ ENEL", "-212,35", ""],
    ]
    label = "Bradesco, Brazil: a total with a day, a second table of future entries below (trap)"
    text = table(lines, sep=";")
    return export(
        "Bradesco_02062025_091204.csv", text, book.rows, "BRL", label, encoding="latin-1", both=True
    )


def inter() -> Made:
    book = draw("inter", "br", month=6, scale=4, count=12)
    lines: list[list[str]] = [
        [" Extrato Conta Corrente "],
        ["Conta ", "41234567"],
        ["Período ", "01/06/2025 a 30/06/2025"],
        ["Saldo ", GERMAN.signed(book.closing)],
        [],
        ["Data Lançamento", "Histórico", "Descrição", "Valor", "Saldo"],
    ]
    for row in book.newest:
        kind = "Pix recebido " if row.amount > 0 else "Pix enviado "
        lines.append(
            [f"{row.day:%d/%m/%Y}", kind, row.text, GERMAN.signed(row.amount), GERMAN.signed(row.balance)]
        )
    label = "Banco Inter, Brazil: five lines above, newest first"
    text = table(lines, sep=";", end="\n")
    name = "Extrato-01-06-2025-a-30-06-2025-CSV.csv"
    return export(name, text, book.newest, "BRL", label, encoding="utf-8-sig", both=True)


def bbva_mexico() -> Made:
    book = draw("bbva mx", "la", month=7, scale=15, count=12)
    lines: list[list[str]] = [
        ["Detalle de movimientos, cuenta terminación 0412, MXN"],
        ["Día", "Concepto / Referencia", "cargo", "Abono", "Saldo"],
    ]
    for row in book.newest:
        money = [ENGLISH.out(row.amount), ENGLISH.came(row.amount), ENGLISH.signed(row.balance)]
        lines.append([f"{row.day:%d-%m-%Y}", f"{row.text} / {book.digits(10)}", *money])
    label = "BBVA, Mexico: cargo and Abono, decimal points in Spanish"
    return export(
        "descarga.csv", table(lines, end="\n"), book.newest, "MXN", label, encoding="cp1252", both=True
    )


def banorte() -> Made:
    book = draw("banorte", "la", month=8, scale=15, count=12)
    header = (
        "CUENTA,FECHA DE OPERACIÓN,FECHA,REFERENCIA,DESCRIPCIÓN,COD. TRANSAC,SUCURSAL,DEPÓSITOS,RETIROS,SALDO,"
        "MOVIMIENTO,DESCRIPCIÓN DETALLADA"
    )
    lines = [header.split(",")]
    for place, row in enumerate(book.rows, 1):
        money = [
            f"${ENGLISH.came(row.amount)}" if row.amount > 0 else "-",
            f"${ENGLISH.out(row.amount)}" if row.amount < 0 else "-",
        ]
        day = f"{row.day:%d/%m/%Y}"
        lines.append(
            [
                "'0412345678",
                day,
                day,
                book.digits(10),
                row.text,
                "412",
                "5101",
                *money,
                f"${ENGLISH.signed(row.balance)}",
                str(place),
                f"{row.text} HORA {book.clock(row)}",
            ]
        )
    label = "Banorte, Mexico: pesos with dollar signs, a dash in the empty column, deposits first"
    text = table(lines, sep="|")
    return export("CuentaBanorte0412.csv", text, book.rows, "MXN", label, encoding="cp1252", both=True)


def bancolombia() -> Made:
    book = draw("bancolombia", "la", month=9, scale=4000, count=12)
    lines = [["FECHA", "DESCRIPCIÓN", "SUCURSAL", "DCTO.", "VALOR", "SALDO"]]
    for row in book.rows:
        money = [ENGLISH.signed(row.amount), ENGLISH.signed(row.balance)]
        lines.append([f"{row.day:%Y/%m/%d}", row.text, "CANAL CORRESPONSA", "", *money])
    label = "Bancolombia, Colombia: pesos in millions, semicolons around grouped thousands"
    text = table(lines, sep=";")
    return export(
        "Movimientos_412-345678-90_SEP2025.csv", text, book.rows, "COP", label, encoding="latin-1", both=True
    )


def banco_de_chile() -> Made:
    """Pesos have no cents: a dot stands before each three digits."""
    book = draw("banco de chile", "la", month=10, scale=900, places=0, count=12)
    lines: list[list[str]] = [
        ["Cartola histórica cuenta corriente"],
        ["Cuenta:", "00-041-23456-78", "Moneda:", "CLP"],
        [
            "Saldo inicial:",
            WHOLE_DOTTED.signed(book.opening),
            "Saldo final:",
            WHOLE_DOTTED.signed(book.closing),
        ],
        [],
        [
            "Fecha",
            "Detalle de transacción",
            "Canal o sucursal",
            "Cargos (CLP)",
            "Abonos (CLP)",
            "Saldo (CLP)",
        ],
    ]
    for row in book.rows:
        money = [
            WHOLE_DOTTED.out(row.amount),
            WHOLE_DOTTED.came(row.amount),
            WHOLE_DOTTED.signed(row.balance),
        ]
        lines.append([f"{row.day:%d/%m/%Y}", row.text, "INTERNET", *money])
    label = "Banco de Chile: pesos without cents whose dots are of thousands (trap)"
    text = table(lines, sep=";", end="\n")
    return export("cartola.csv", text, book.rows, "CLP", label, encoding="utf-8-sig", both=True)


def santander_chile_card() -> Made:
    book = draw("santander cl card", "la", month=11, scale=900, places=0, is_card=True, count=12)
    book = book.told(lambda row: "MONTO CANCELADO" if row.amount > 0 else row.text)
    lines = [["Fecha", "Descripción", "Ciudad", "Cuotas", "Monto $"]]
    for row in book.newest:
        money = (
            f"${WHOLE_DOTTED.size(row.amount)}" if row.amount < 0 else f"$-{WHOLE_DOTTED.size(row.amount)}"
        )
        lines.append([f"{row.day:%d-%m-%Y}", row.text, "SANTIAGO", "01/01", money])
    label = "Santander card, Chile: purchases positive, a minus behind the dollar sign, 01/01 is no day"
    text = table(lines, sep=";")
    return export("Movimientos facturados.csv", text, book.newest, "CLP", label, encoding="cp1252")


def mercado_pago() -> Made:
    book = draw("mercado pago", "la", month=12, scale=800, count=12)
    header = "INITIAL_BALANCE;CREDITS;DEBITS;FINAL_BALANCE"
    lines = [
        header,
        ";".join(GERMAN.signed(value) for value in (book.opening, book.received, book.paid, book.closing)),
        "",
        "RELEASE_DATE;TRANSACTION_TYPE;REFERENCE_ID;TRANSACTION_NET_AMOUNT;PARTIAL_BALANCE",
    ]
    for row in book.rows:
        money = f"{GERMAN.signed(row.amount)};{GERMAN.signed(row.balance)}"
        lines.append(f"{row.day:%d-%m-%Y};{row.text};{book.digits(11)};{money}")
    label = "Mercado Pago, Argentina: a table of one row with both balances above that of transactions"
    text = "\n".join(lines) + "\n"
    return export("account_statement-1a2b3c4d.csv", text, book.rows, "ARS", label, both=True)


def galicia() -> Made:
    book = draw("galicia", "la", month=1, scale=800, count=12)
    lines = [["Fecha", "Movimiento", "Débito", "Crédito", "Saldo Parcial", "Comentarios"]]
    for row in book.newest:
        paid = f"-{GERMAN.size(row.amount)}" if row.amount < 0 else "0,00"
        money = [paid, GERMAN.came(row.amount, "0,00"), GERMAN.signed(row.balance)]
        text = f"{row.text}\n{book.digits(11)}\nVarios"
        lines.append([f"{row.day:%d/%m/%Y}", text, *money, ""])
    label = "Banco Galicia, Argentina: quoted newlines in texts, zeros in the empty column"
    text = table(lines, sep=";", end="\r\n")
    return export("Extracto_CA_0412345.csv", text, book.newest, "ARS", label, encoding="utf-8-sig", both=True)


def bcp_peru() -> Made:
    """The bank's tax on each movement is a row of its own."""
    book = draw("bcp", "la", month=2, scale=4, count=10)
    moves = []
    for row in book.rows:
        moves.append((row.day, row.text, row.amount))
        if abs(row.amount) >= 1000:
            moves.append((row.day, "IMPUESTO ITF", -(abs(row.amount) * 5 / 100000).quantize(Decimal("0.01"))))
    book = book.of(running(book.opening, moves))
    header = (
        "Fecha,Fecha valuta,Descripción operación,Monto,Saldo,Sucursal - agencia,Operación - Número,"
        "Operación - Hora,Usuario,UTC,Referencia2"
    )
    lines: list[list[str]] = [
        ["Cuenta", "193-0412345-0-12"],
        ["Moneda", "Soles"],
        ["Tipo de Cuenta", "Ahorros"],
        [],
        header.split(","),
    ]
    for row in book.newest:
        money = [ENGLISH.signed(row.amount), ENGLISH.signed(row.balance)]
        lines.append(
            [
                f"{row.day:%d/%m/%Y}",
                "",
                row.text,
                *money,
                "111-008",
                f"'{book.digits(8)}",
                book.clock(row),
                "TNP0412",
                "0",
                "",
            ]
        )
    label = "BCP, Peru: the currency by name above (Soles), a tax in rows of its own"
    text = table(lines, end="\n")
    return export(
        "Movimientos 193-0412345.csv", text, book.newest, "PEN", label, encoding="cp1252", both=True
    )


def uruguay() -> Made:
    """Trailing minus signs, as the mainframes of banks print them."""
    book = draw("brou", "la", month=3, scale=40, count=12)
    lines = [["Fecha", "Referencia", "Concepto", "Descripción", "Importe", "Moneda"]]
    for row in book.rows:
        money = PLAIN.size(row.amount).replace(".", ",") + ("-" if row.amount < 0 else "")
        lines.append([f"{row.day:%d/%m/%Y}", book.digits(8), "COMPRA", row.text, money, "UYU"])
    label = "BROU, Uruguay: minus signs behind the amounts"
    text = table(lines, sep=";")
    return export("Movimientos_CA_001234567.csv", text, book.rows, "UYU", label, encoding="latin-1")


def files() -> list[Made]:
    return [
        nubank_card(),
        nubank(),
        itau(),
        banco_do_brasil(),
        bradesco(),
        inter(),
        bbva_mexico(),
        banorte(),
        bancolombia(),
        banco_de_chile(),
        santander_chile_card(),
        mercado_pago(),
        galicia(),
        bcp_peru(),
        uruguay(),
    ]
