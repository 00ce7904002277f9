"""Statements of Spain, Portugal and Italy."""

from __future__ import annotations

import random
from datetime import date, timedelta

from tests.statements.world.truth import Made

from .deals import COMMA, before, drawn, ledger, lines, made, total
from .kit import A4, WIDE_A4, Paper

CAIXA = """
+1500 1900 NOMINA TALLERES ORBEA SL|Ordenante: TALLERES ORBEA SL
*-3 60 TARJ. :*471102 MERCADONA|{d} BILBAO
*-2 25 BIZUM ENVIADO|Ane - cena
*+5 60 BIZUM RECIBIDO|Iker - gasolina
-690 690 TRANSF. PERIODICA|Alquiler piso
-38 110 RECIBO IBERDROLA CLIENTES|N. 0044~~~~~~
-50 150 REINT. CAJERO|Oficina 0412
-12 20 RECIBO DIGI SPAIN TELECOM|N. 91~~~~~~
"""


def caixabank(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 300, 1500),
        date(2025, 4, 1),
        date(2025, 4, 30),
        CAIXA,
        14,
        weekdays=True,
        inner="%d.%m",
    )
    paper = Paper(A4, left=48)
    paper.put(48, "CaixaBank", bold=True, size=17, ink="#007EAE")
    paper.block(
        548,
        48,
        "EXTRACTO DE CUENTA\nIBAN ES21 2100 0412 8802 0044 7113\nPeríodo: 01-04-2025 / 30-04-2025\nMoneda: "
        "EUR    Hoja 1/1",
        "r",
        size=8.5,
    )
    paper.y = 110
    paper.say("Titular: AMAIA ECHEVARRIA LARREA\nC/ Licenciado Poza 31, 4 dcha.   48011 BILBAO")
    paper.y += 16
    grid = paper.grid("50 105 158 440r 545r", ("Fecha", "F. valor", "Concepto", "Importe", "Saldo"), step=11)
    grid.head()
    grid.row("", "", "SALDO ANTERIOR", "", COMMA(book.opening), bold=True)
    for row in book.shown:
        text = lines(row)
        grid.row(
            f"{row.day:%d-%m-%y}",
            f"{before(chance, row, 1):%d-%m-%y}",
            text[0],
            COMMA.signed(row.amount),
            COMMA(row.balance),
            lines=2,
        )
        grid.row("", "", text[1], size=7.5)
    grid.row("", "", "SALDO A 30-04-2025", "", COMMA(book.closing), bold=True)
    paper.y += 8
    paper.say(
        f"Total cargos: {COMMA(book.outs)} EUR      Total abonos: {COMMA(book.ins)} EUR      Equivalencia: 1 "
        "euro = 166,386 pesetas",
        size=8,
    )
    return made(
        "Extracto_ES2121000412880200447113_202504.pdf",
        paper,
        "EUR",
        "CaixaBank, Spain: signed amounts, concept on two lines, an exchange rate note",
        book,
    )


INTESA = """
+1600 2000 STIPENDIO O PENSIONE|BONIFICO DA COMUNE DI TRIESTE MITT. TESORERIA
*-4 70 PAGAMENTO POS|EFFETTUATO IL {d} CARTA 4471 ESSELUNGA TRIESTE
*-2 20 PAGAMENTO CONTACTLESS|BAR STELLA POLARE TRIESTE CARTA 4471 DEL {d}
-450 650 ADDEBITO RATA MUTUO|N. 0447119 SCADENZA {d}
-40 120 ADDEBITO DIRETTO SDD|ENEL ENERGIA SPA MANDATO 0447~~~~~~
-100 250 PRELIEVO SPORTELLO AUTOMATICO|TRIESTE CORSO ITALIA DEL {d}
*+20 150 ACCREDITO BONIFICO ISTANTANEO|DISPOSTO DA COSSUTTA ELENA
>-5 8 CANONE MENSILE CONTO XME|
>-8.55 8.55 IMPOSTA DI BOLLO E/C E RENDICONTO|
"""


def intesa(chance: random.Random) -> Made:
    book = ledger(
        chance,
        drawn(chance, 900, 2500),
        date(2025, 7, 1),
        date(2025, 9, 30),
        INTESA,
        38,
        weekdays=True,
        inner="%d/%m/%y",
    )

    def top() -> None:
        paper.y = 46
        paper.put(45, "INTESA SANPAOLO", bold=True, size=14, ink="#258900")
        paper.put(550, "Estratto conto n. 003/2025", "r", size=9)
        paper.y = 80

    paper = Paper(A4, left=45)
    top()
    paper.say(
        "Conto corrente 1000/00004471     Filiale di Trieste     IBAN IT66 K030 6902 2331 0000 0004 471",
        size=8.5,
    )
    paper.say("Intestato a: DARIO COSSUTTA          Periodo dal 01.07.2025 al 30.09.2025", size=8.5)
    paper.y += 12
    paper.title("Il riepilogo del suo conto", "#E3F1DD", on="#000000")
    paper.pairs(
        ("Saldo iniziale al 30.06.2025", COMMA(book.opening) + " €"),
        ("Totale accrediti", COMMA(book.ins) + " €"),
        ("Totale addebiti", COMMA(book.outs) + " €"),
        ("*Saldo finale al 30.09.2025", COMMA(book.closing) + " €"),
        x=49,
        to=330,
    )
    paper.y += 12
    paper.title("Dettaglio movimenti", "#258900")
    grid = paper.grid(
        "47 105 163 455r 548r",
        ("Data\noperazione", "Data\nvaluta", "Descrizione", "Addebiti", "Accrediti"),
        size=8,
        step=10.5,
        top=80,
        before=top,
    )
    grid.head()
    grid.row("30.06.2025", "", "Saldo iniziale", "", COMMA(book.opening), bold=True)
    for row in book.shown:
        text = [line for line in lines(row) if line]
        out, into = COMMA.sides(row.amount)
        grid.row(
            f"{row.day:%d.%m.%Y}", f"{before(chance, row, 1):%d.%m.%Y}", text[0], out, into, lines=len(text)
        )
        for line in text[1:]:
            grid.row("", "", line, size=7)
    grid.row("", "", "Totali", COMMA.bare(book.outs), COMMA(book.ins), bold=True)
    grid.row("30.09.2025", "", "Saldo finale", "", COMMA(book.closing), bold=True)
    paper.y += 14
    paper.room(120, top=80)
    paper.title("Competenze - conteggio interessi", "#E3F1DD", on="#000000")
    grid = paper.grid(
        "47 105 240r 340r 440r 548r", ("Dal", "Al", "Saldo medio", "Numeri", "Tasso %", "Interessi"), size=8
    )
    grid.head()
    grid.row("01.07.2025", "31.08.2025", "1.844,20", "114.340", "0,0000", "0,00")
    grid.row("01.09.2025", "30.09.2025", "2.010,77", "60.323", "0,0000", "0,00")
    paper.foot = lambda page, pages: paper.put(550, f"Pagina {page} di {pages}", "r", y=820, size=7)
    return made(
        "EstrattoConto_1000_00004471_30092025.pdf",
        paper,
        "EUR",
        "Intesa Sanpaolo, Italy: a quarter over pages, dated balances in the credit column, "
        "interest table with two days",
        book,
    )


CGD = """
+1200 1500 TRF CREDITO SEPA+ FARMACIA BAIRRAL
*-3 60 COMPRA PINGO DOCE ~~~
*-1 12 COMPRA PASTELARIA ALIANCA
*-10 60 MB WAY ENVIADO P/ 91~~~~~~~
-20 100 LEVANTAMENTO MB COIMBRA
-380 380 TRF P/ HENRIQUE SOUSA RENDA
-25 70 PAG.SERV. 10095/~~~~~~~~~ EDP
>-3 6 COMISSAO CONTA CAIXA M
>-0.1 0.3 IMPOSTO SELO
"""


def caixa_geral(chance: random.Random) -> Made:
    book = ledger(
        chance, drawn(chance, 200, 900), date(2024, 12, 2), date(2025, 1, 2), CGD, 17, weekdays=True
    )
    paper = Paper(WIDE_A4, left=50)
    paper.put(50, "Caixa Geral de Depósitos", bold=True, size=14, ink="#0A5CAA")
    paper.put(790, "Extrato consolidado  Nº 012/2024", "r", size=10)
    paper.y = 80
    paper.say(
        "BEATRIZ NOGUEIRA SOUSA     Conta 0255 044711 330     NIB 0035 0255 0004 4711 330 07     IBAN PT50 "
        "0035 0255 0004 4711 3300 7"
    )
    paper.y += 10
    paper.say("Património Financeiro em 2025-01-02", bold=True)
    paper.pairs(
        ("Depósitos à ordem", COMMA(book.closing)),
        ("Depósitos a prazo - venc. 2025-06-14", "3.500,00"),
        ("Total ativos", COMMA(book.closing + 3500)),
        x=50,
        to=330,
    )
    paper.y += 8
    paper.title("Conta à ordem - Movimentos", "#0A5CAA")
    grid = paper.grid(
        "54 130 206 500r 600r 700r 788r",
        (
            "Data mov.",
            "Data valor",
            "Descrição",
            "Débito",
            "Crédito",
            "Saldo contabilístico",
            "Saldo disponível",
        ),
        size=8,
        step=11,
        bottom=545,
    )
    grid.head()
    grid.row("", "", "Saldo anterior", "", "", COMMA(book.opening), COMMA(book.opening), bold=True)
    for row in book.shown:
        out, into = COMMA.sides(row.amount)
        grid.row(
            f"{row.day}",
            f"{row.day - timedelta(days=chance.randint(0, 2))}",
            row.text,
            out,
            into,
            COMMA(row.balance),
            COMMA(row.balance - (80 if row.amount < -40 else 0)),
        )
    grid.row("", "", "Saldo final", "", "", COMMA(book.closing), "", bold=True)
    fees = total(book.only("COMISSAO", "IMPOSTO"))
    paper.say(f"Total de comissões e impostos no período: {COMMA.bare(fees)} EUR", size=7.5)
    return made(
        "Extrato_CGD_0255044711330_2024_12.pdf",
        paper,
        "EUR",
        "Caixa Geral de Depósitos, Portugal: landscape, booked and available balances beside each "
        "other, over New Year",
        book,
    )


PAPERS = (caixabank, intesa, caixa_geral)
