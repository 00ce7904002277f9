"""PayPal: the net is read, for the balance moves by gross less fee; holds, authorisations and what did not complete moved nothing."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

_NET = "Net|Netto|Net Amount|Total|Neto|Avant commission et taxes"
_CURRENCY = "Currency|Währung|Devise|Moneda|Divisa|Valuta"
_TYPE = "Type|Typ|Tipo|Description|Beschreibung"
_STATUS = "Status|État|Estado|Stato"

MAPPINGS = (
    CsvMapping(
        "paypal_csv",
        layout="activity",
        header=(
            "Date|Datum|Fecha|Data",
            "Name|Nom|Nombre|Nome",
            _STATUS,
            _CURRENCY,
            "Gross|Brutto|Amount|Bruto|Lordo",
            "Fee|Fees|Gebühr|Tarifa|Tariffa",
            _NET,
        ),
        date="Date|Datum|Fecha|Data",
        description=(f"Name|Nom|Nombre|Nome|{_TYPE}",),
        legs=(Leg(_NET),),
        currency_column=_CURRENCY,
        dates=("mdy", "dmy", "ymd"),
        decimal="",
        skip=(
            When(
                _STATUS,
                "pending|denied|cancell?ed|expired|removed|placed|active|unclaimed|held|created|failed|processing|ausstehend|"
                "abgelehnt|storniert|offen",
            ),
            When("Balance Impact|Auswirkung auf Guthaben", "memo"),
            When(
                _TYPE,
                ".*(?:authori[sz]ation|account hold|temporary hold|hold on|payment hold|payment review hold|hold release|"
                "order$|autorisierung|einbehalt).*",
            ),
        ),
    ),
)
