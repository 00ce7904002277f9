"""Revolut: the fee is not in the amount and leaves the balance too, so it is a row of its own; reverted lines never happened."""

from __future__ import annotations

from ..mapping import CsvMapping, Leg, When

_STARTED = (
    "Started Date|Fecha de inicio|Datum des Beginns|"
    "Beginndatum|Date de début|Data di inizio|Data rozpoczęcia|Startdatum|Data de início"
)
_COMPLETED = (
    "Completed Date|Fecha de finalización|Datum des Abschlusses|Abschlussdatum|Date de fin|Data di completamento|"
    "Data zrealizowania|Voltooiingsdatum"
    "|Data de Conclusão"
)
_AMOUNT = "Amount|Importe|Betrag|Montant|Importo|Kwota|Bedrag|Montante"
_FEE = "Fee|Comisión|Gebühr|Frais|Costo|Opłata|Kosten|Comissão"
_CURRENCY = "Currency|Divisa|Währung|Devise|Valuta|Waluta|Moeda"
_STATE = "State|Estado|Status|État|Stato|Stan"
_PRODUCT = "Product|Producto|Produkt|Produit|Prodotto|Produto"

MAPPINGS = (
    CsvMapping(
        "revolut_csv",
        layout="account",
        header=(_STARTED, _COMPLETED, _AMOUNT, _FEE, _CURRENCY),
        date=f"{_COMPLETED}|{_STARTED}",
        description=("Description|Descripción|Beschreibung|Descrizione|Opis|Omschrijving|Descrição",),
        legs=(Leg(_AMOUNT), Leg(_FEE, "out", note="(fee)", only_if_not_zero=True)),
        currency_column=_CURRENCY,
        balance="Balance|Saldo|Kontostand|Guthaben|Solde",
        balance_by=(_PRODUCT, _CURRENCY),
        dates=("ymd", "dmy"),
        decimal="",
        skip=(
            When(
                _STATE,
                "reverted|pending|declined|failed|cancell?ed|created|rückgängig.*|ausstehend|revertid[oa]|pendiente|annulé.*|en attente",
            ),
        ),
    ),
)
