"""Banks in Spain, Portugal and Italy."""

from __future__ import annotations

from tests.statements.world.truth import Made

from .books import COMMA, GERMAN, PLAIN, Style, draw, export, table


def bbva() -> Made:
    book = draw("bbva", "es", month=1, count=13)
    lines: list[list[str]] = [
        [],
        ["", "Últimos movimientos"],
        [],
        [
            "",
            "F.Valor",
            "Fecha",
            "Concepto",
            "Movimiento",
            "Importe",
            "Divisa",
            "Disponible",
            "Divisa",
            "Observaciones",
        ],
    ]
    for row in book.newest:
        kind = "Abono" if row.amount > 0 else "Pago con tarjeta"
        day = f"{row.day:%d/%m/%Y}"
        lines.append(
            [
                "",
                day,
                day,
                row.text,
                kind,
                COMMA.signed(row.amount),
                "EUR",
                COMMA.signed(row.balance),
                "EUR",
                "",
            ]
        )
    label = "BBVA, Spain: saved from a sheet whose first column and rows are empty, two columns Divisa"
    text = table(lines, sep=";")
    return export("Últimos movimientos.csv", text, book.newest, "EUR", label, encoding="cp1252", both=True)


def caixabank() -> Made:
    book = draw("caixabank", "es", month=2, count=12)
    lines = [["Concepto", "Fecha", "Importe", "Saldo"]]
    for row in book.newest:
        money = [f"{GERMAN.signed(row.amount)}EUR", f"{GERMAN.signed(row.balance)}EUR"]
        lines.append([row.text, f"{row.day:%d/%m/%Y}", *money])
    label = "CaixaBank, Spain: the text first, EUR joined to the numbers"
    text = table(lines, sep=";", end="\n")
    return export(
        "Movimientos_cuenta_0412345.csv", text, book.newest, "EUR", label, encoding="latin-1", both=True
    )


def santander() -> Made:
    book = draw("santander es", "es", month=3, count=12)
    style = Style(decimal=",", group=".", minus="\u2212")
    lines: list[list[str]] = [
        ["Cuenta", "ES21 0049 0412 3412 3456 7890"],
        ["Titular", "ALEX MORGAN"],
        ["Saldo", f"{style.signed(book.closing)} EUR"],
        [],
        ["Fecha operación", "Fecha valor", "Concepto", "Importe", "Saldo", "Divisa"],
    ]
    for row in book.newest:
        day = f"{row.day:%d/%m/%Y}"
        lines.append([day, day, row.text, style.signed(row.amount), style.signed(row.balance), "EUR"])
    label = "Santander, Spain: the minus sign of typographers, not the hyphen"
    text = table(lines, sep=";", end="\n")
    return export("export20250401.csv", text, book.newest, "EUR", label, both=True)


def ing_es() -> Made:
    book = draw("ing es", "es", month=4, count=12)
    header = "F. VALOR;CATEGORÍA;SUBCATEGORÍA;DESCRIPCIÓN;COMENTARIO;IMAGEN;IMPORTE (€);SALDO (€)"
    lines: list[list[str]] = [
        ["Movimientos de la Cuenta NÓMINA 1465 0100 91 0412345678", *[""] * 7],
        ["Fecha de exportación: 01/05/2025", *[""] * 7],
        [""] * 8,
        header.split(";"),
    ]
    for row in book.newest:
        category = ["Nómina", "Nómina"] if row.amount > 0 else ["Compras", "Supermercados"]
        money = [COMMA.signed(row.amount), COMMA.signed(row.balance)]
        lines.append([f"{row.day:%d/%m/%Y}", *category, row.text, "", "No", *money])
    label = "ING, Spain: the sign of the euro in the headers, categories before texts"
    text = table(lines, sep=";")
    return export("movements-0152025.csv", text, book.newest, "EUR", label, encoding="cp1252", both=True)


def caixa_geral() -> Made:
    book = draw("cgd", "pt", month=5, count=12)
    lines: list[list[str]] = [
        ["Consultar saldos e movimentos à ordem - 01-06-2025 "],
        [],
        ["Conta ", "0412012345630 - EUR - Conta Extracto "],
        ["Data de início ", "01-05-2025"],
        ["Data de fim ", "31-05-2025"],
        [],
        [
            "Data mov. ",
            "Data valor ",
            "Descrição ",
            "Débito ",
            "Crédito ",
            "Saldo contabilístico ",
            "Saldo disponível ",
            "Categoria ",
            "",
        ],
    ]
    for row in book.newest:
        day = f"{row.day:%d-%m-%Y}"
        balance = GERMAN.signed(row.balance)
        money = [GERMAN.out(row.amount), GERMAN.came(row.amount), balance, balance]
        lines.append([day, day, row.text + " ", *money, "Diversos ", ""])
    lines.append([" ", " ", " ", "Saldo contabilístico ", " ", GERMAN.signed(book.closing) + " ", "", "", ""])
    label = "Caixa Geral de Depósitos, Portugal: two balance columns, a balance line last"
    text = table(lines, sep=";", end="\n")
    return export("comprovativo.csv", text, book.newest, "EUR", label, encoding="latin-1", both=True)


def millennium() -> Made:
    book = draw("millennium bcp", "pt", month=6, count=12)
    lines: list[list[str]] = [
        ["Millennium bcp", "", "", "", "", ""],
        ["Conta:", "45612345678", "Moeda:", "EUR", "", ""],
        [],
        ["Data lançamento", "Data valor", "Descrição", "Montante", "Tipo", "Saldo"],
    ]
    for row in book.newest:
        kind = "Crédito" if row.amount > 0 else "Débito"
        day = f"{row.day:%d-%m-%Y}"
        lines.append([day, day, row.text, GERMAN.signed(row.amount), kind, GERMAN.signed(row.balance)])
    label = "Millennium bcp, Portugal: UTF-16, tabs, the kind beside a signed amount"
    text = table(lines, sep="\t")
    return export("movimentos.csv", text, book.newest, "EUR", label, encoding="utf-16", both=True)


def fineco() -> Made:
    book = draw("fineco", "it", month=7, count=12)
    lines: list[list[str]] = [
        ["Conto Corrente: 4123456"],
        ["Intestazione Conto Corrente: MORGAN ALEX"],
        ["Periodo Dal: 01/07/2025 Al: 31/07/2025"],
        [],
        ["Data", "Entrate", "Uscite", "Descrizione", "Descrizione_Completa", "Stato"],
        ["31/07/2025", "", "-54,90", "Visa Debit", "Amazon Marketplace carta 0412", "Autorizzato"],
    ]
    for row in book.newest:
        paid = COMMA.signed(row.amount) if row.amount < 0 else ""
        kind = "Bonifico" if row.amount > 0 else "Pagamento Visa Debit"
        lines.append([f"{row.day:%d/%m/%Y}", COMMA.came(row.amount), paid, kind, row.text, "Contabilizzato"])
    label = "Fineco, Italy: income before negative spending, a row only authorized (trap)"
    text = table(lines, sep=";")
    return export("movements_20250801.csv", text, book.newest, "EUR", label, encoding="utf-8-sig")


def intesa() -> Made:
    book = draw("intesa", "it", month=8, count=12)
    header = "Data;Operazione;Dettagli;Conto o carta;Contabilizzazione;Categoria ;Valuta;Importo"
    lines = [
        ["Lista Operazione", *[""] * 7],
        ["Data estrazione 01.09.2025", *[""] * 7],
        [""] * 8,
        header.split(";"),
    ]
    account = "Conto 1000/00060412"
    for place, row in enumerate(book.newest):
        if place == 0:
            lines.append(
                [
                    f"{row.day:%d.%m.%Y}",
                    "Pagamento Pos",
                    "Decathlon Milano",
                    account,
                    "NON CONTABILIZZATO",
                    "Sport",
                    "EUR",
                    "-79,98",
                ]
            )
        lines.append(
            [
                f"{row.day:%d.%m.%Y}",
                row.text,
                f"{row.text} COD. {book.digits(8)}",
                account,
                "CONTABILIZZATO",
                "Spese varie",
                "EUR",
                GERMAN.signed(row.amount),
            ]
        )
    label = "Intesa Sanpaolo, Italy: a row that is not booked yet (trap)"
    text = table(lines, sep=";")
    return export("lista_completa_01092025.csv", text, book.newest, "EUR", label, encoding="utf-8-sig")


def poste_italiane() -> Made:
    book = draw("poste", "it", month=9, count=12)
    lines: list[list[str]] = [
        ["Lista Movimenti"],
        ["Conto BancoPosta n.", "001041234567"],
        ["Saldo contabile al 30/09/2025", f"{COMMA.signed(book.closing)} Euro"],
        [],
        ["Data Contabile", "Data Valuta", "Addebiti (euro)", "Accrediti (euro)", "Descrizione operazioni"],
    ]
    for row in book.newest:
        day = f"{row.day:%d/%m/%y}"
        lines.append([day, day, COMMA.out(row.amount), COMMA.came(row.amount), row.text])
    label = "Poste Italiane, Italy: charges before credits, two-digit years, the text last"
    text = table(lines, sep=";")
    return export("ListaMovimenti.csv", text, book.newest, "EUR", label, encoding="cp1252")


def nexi() -> Made:
    """A card by way of its bank; months by name in Italian, the parts of a sum not marked."""
    months = ["gen", "feb", "mar", "apr", "mag", "giu", "lug", "ago", "set", "ott", "nov", "dic"]
    book = draw("nexi", "it", month=10, is_card=True, count=12)
    book = book.told(lambda row: "Addebito estratto conto, grazie" if row.amount > 0 else row.text)
    lines = [["Data operazione", "Data registrazione", "Descrizione", "Importo in euro", "Segno"]]
    for row in book.newest:
        days = [f"{day.day} {months[day.month - 1]} {day.year}" for day in (book.before(row.day), row.day)]
        lines.append(
            [*days, row.text, f"€ {PLAIN.size(row.amount)}".replace(".", ","), "A" if row.amount > 0 else "D"]
        )
    label = "Nexi Visa, Italy: two dates with Italian months, A (avere) and D (dare)"
    text = table(lines, sep=";", quote="all", end="\n")
    return export("movimenti_carta_ottobre.csv", text, book.newest, "EUR", label)


def files() -> list[Made]:
    return [
        bbva(),
        caixabank(),
        santander(),
        ing_es(),
        caixa_geral(),
        millennium(),
        fineco(),
        intesa(),
        poste_italiane(),
        nexi(),
    ]
