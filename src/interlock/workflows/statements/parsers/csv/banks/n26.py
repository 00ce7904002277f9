"""N26: the present layout with booking dates and partners, and the old one, in English and German."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg

_AMOUNT = "Amount (EUR)|Betrag (EUR)|Montant (EUR)|Importo (EUR)|Cantidad (EUR)|Importe (EUR)"

MAPPINGS = (
    CsvMapping(
        "n26_csv",
        layout="bookings",
        header=("Booking Date", "Partner Name", "Payment Reference", _AMOUNT),
        date="Booking Date|Value Date",
        description=("Partner Name|Type", "Payment Reference"),
        legs=(Leg(_AMOUNT),),
        account="Account Name",
        currency="EUR",
        dates=("ymd", "dmy"),
        decimal="",
    ),
    CsvMapping(
        "n26_csv",
        layout="payees",
        header=(
            "Date|Datum|Fecha",
            "Payee|Empfänger|Beneficiario",
            "Payment reference|Verwendungszweck|Referencia de pago",
            _AMOUNT,
        ),
        date="Date|Datum|Fecha",
        currency="EUR",
        dates=("ymd", "dmy"),
        decimal="",
        legs=(Leg(_AMOUNT),),
        description=(
            "Payee|Empfänger|Beneficiario|Transaction type|Transaktionstyp",
            "Payment reference|Verwendungszweck|Referencia de pago",
        ),
    ),
)
