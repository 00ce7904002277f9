"""Small statements, each with one thing that others print another way: how a period is named, a date glued, a direction said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.statements.pdf.layouts.bank import Made
from tests.statements.pdf.layouts.boa import Row
from tests.statements.pdf.layouts.sheets import Sheet

RIGHT = 570
Cells = tuple[str, ...]


@dataclass(frozen=True)
class Small:
    """A title, figures above the table, a head, and rows; dates at the left, money right-aligned."""

    period: str
    head: Cells
    rows: tuple[Cells, ...]
    figures: tuple[tuple[str, str], ...]
    expected: list[Row]

    def places(self) -> list[tuple[float, str]]:
        money = len(self.head) - 2
        rights = {1: [RIGHT], 2: [460, RIGHT], 3: [400, 480, RIGHT]}[money]
        return [(40.0, "left"), (110.0, "left"), *((float(right), "right") for right in rights)]

    def drawn(self) -> Made:
        sheet = Sheet()
        sheet.row((40, "SOME BANK"), (RIGHT, self.period, "right"), step=20)
        for name, figure in self.figures:
            sheet.row((40, name), (300, figure, "right"))
        sheet.y += 16
        for cells in (self.head, *self.rows):
            sheet.row(
                *((x, text, align) for (x, align), text in zip(self.places(), cells, strict=False) if text)
            )
        return sheet, self.expected


ENDS = (("Beginning balance", "$100.00"), ("Ending balance", "$70.00"))
PLAIN = ("Date", "Description", "Amount")
SMALL: dict[str, Small] = {
    "a month instead of a period": Small(
        "January 2024 Statement",
        PLAIN,
        (("01/05", "A", "-20.00"), ("01/31", "B", "-10.00")),
        ENDS,
        [("01/05/2024", "A", "-20.00"), ("01/31/2024", "B", "-10.00")],
    ),
    "only the day of the statement, over New Year": Small(
        "Statement date: 15 January 2024",
        PLAIN,
        (("20 Dec", "A", "-20.00"), ("14 Jan", "B", "-10.00")),
        ENDS,
        [("20 Dec 2023", "A", "-20.00"), ("14 Jan 2024", "B", "-10.00")],
    ),
    "day and month glued": Small(
        "Period 20DEC23 to 19JAN24",
        ("Date", "Details", "Debit", "Credit", "Balance"),
        (
            ("20DEC", "Balance brought forward", "", "", "100.00"),
            ("28DEC", "ATM 27DEC 100", "40.00", "", "60.00"),
            ("05JAN", "PAY", "", "10.00", "70.00"),
        ),
        (),
        [("28DEC 2023", "ATM 27DEC 100", "-40.00"), ("05JAN 2024", "PAY", "10.00")],
    ),
    "the currency's code before balances and behind amounts": Small(
        "01/01/2024 - 31/01/2024",
        PLAIN,
        (("15/01/2024", "A", "-40.00 GBP"), ("16/01/2024", "B", "10.00 GBP")),
        (("Opening balance", "GBP 100.00"), ("Closing balance", "GBP 70.00")),
        [("15/01/2024", "A", "-40.00"), ("16/01/2024", "B", "10.00")],
    ),
    "one letter for each direction": Small(
        "01/01/2024 a 31/01/2024",
        ("Data", "Descrição", "Amount (R$)", "Saldo (R$)"),
        (
            ("01/01/2024", "SALDO ANTERIOR", "", "1.000,00 C"),
            ("15/01/2024", "PIX ENVIADO", "1.200,50 D", "200,50 D"),
            ("16/01/2024", "TED RECEBIDA", "300,50 C", "100,00 C"),
        ),
        (),
        [("15/01/2024", "PIX ENVIADO", "-1200.50"), ("16/01/2024", "TED RECEBIDA", "300.50")],
    ),
    "euros behind, in Spanish": Small(
        "Del 01/01/2024 al 31/01/2024",
        ("Fecha", "Concepto", "Importe", "Saldo"),
        (
            ("15/01/2024", "RECIBO LUZ", "-120,50 €", "879,50 €"),
            ("16/01/2024", "NOMINA", "1.300,50 €", "2.180,00 €"),
        ),
        (),
        [("15/01/2024", "RECIBO LUZ", "-120.50"), ("16/01/2024", "NOMINA", "1300.50")],
    ),
    "one head for all sections": Small(
        "Statement period 01/01/2024 through 01/31/2024",
        PLAIN,
        (
            ("Deposits",),
            ("01/05", "A", "20.00"),
            ("Withdrawals",),
            ("01/06", "B", "15.00"),
            ("Checks",),
            ("01/07", "1001", "34.00"),
            ("Fees",),
            ("01/08", "FEE", "1.00"),
        ),
        ENDS,
        [
            ("01/05/2024", "A", "20.00"),
            ("01/06/2024", "B", "-15.00"),
            ("01/07/2024", "Check 1001", "-34.00"),
            ("01/08/2024", "FEE", "-1.00"),
        ],
    ),
    "the newest first, over New Year": Small(
        "Statement period Dec 15, 2023 - Jan 14, 2024",
        ("Date", "Description", "Amount", "Balance"),
        (
            ("Jan 10", "C", "-5.00", "65.00"),
            ("Jan 2", "B", "10.00", "70.00"),
            ("Dec 20", "A", "-40.00", "60.00"),
        ),
        (),
        [("Jan 10, 2024", "C", "-5.00"), ("Jan 2, 2024", "B", "10.00"), ("Dec 20, 2023", "A", "-40.00")],
    ),
    "no sign at all, but a balance that goes below zero": Small(
        "01 Jan 2024 to 31 Jan 2024",
        ("Date", "Particulars", "Amount", "Balance"),
        (
            ("05 Jan", "A", "40.00", "60.00"),
            ("06 Jan", "B", "10.00", "70.00"),
            ("07 Jan", "C", "80.00", "-10.00"),
        ),
        (("Balance brought forward", "100.00"),),
        [("05 Jan 2024", "A", "-40.00"), ("06 Jan 2024", "B", "10.00"), ("07 Jan 2024", "C", "-80.00")],
    ),
    "the amount on the last line": Small(
        "01/01/2024 to 01/31/2024",
        PLAIN,
        (
            ("01/05", "POS PURCHASE 01/04"),
            ("", "GROCER 412 MAIN ST"),
            ("", "CARD 1234", "-20.00"),
            ("01/06", "POS PURCHASE 01/05"),
            ("", "FUEL", "-10.00"),
        ),
        ENDS,
        [
            ("01/05/2024", "POS PURCHASE 01/04 GROCER 412 MAIN ST CARD 1234", "-20.00"),
            ("01/06/2024", "POS PURCHASE 01/05 FUEL", "-10.00"),
        ],
    ),
    "a section whose only row goes the other way": Small(
        "Statement period 01/01/2024 through 01/31/2024",
        PLAIN,
        (("Withdrawals",), ("01/06", "B", "-35.00"), ("Fees",), ("01/08", "FEE REFUND", "5.00")),
        ENDS,
        [("01/06/2024", "B", "-35.00"), ("01/08/2024", "FEE REFUND", "5.00")],
    ),
}


def _layout(name: str, small: Small) -> Callable[[], Made]:
    def drawn() -> Made:
        return small.drawn()

    drawn.__name__ = name
    return drawn


LAYOUTS = [_layout(name, small) for name, small in SMALL.items()]
