"""What settles that dates with full stops begin with the day, as they do nearly everywhere: a currency, or words of a language."""

from __future__ import annotations

import re

MONTH_FIRST = frozenset(("USD", "CAD", "PHP"))
"""Currencies of countries where the month may come first, whatever stands between the numbers."""
_WORDS = re.compile(
    r"\b(?:datum|buchung\w*|wertstellung|valuta\w*|betrag|saldo|salden|umsatz\w*|umsätze|kontostand|kontoauszug|konto|soll|haben|empfänger|"
    r"verwendungszweck|auftraggeber|währung|lastschrift|gutschrift|überweisung|zahlung|"
    r"dato|tekst|beløb|beløp|belopp|bokf\w*|forklaring|rentedato|"
    r"kwota|opis|kwoty|waluta|rachunek|operacji|transakcji|importo|descrizione|causale|entrate|uscite|movimenti|"
    r"fecha|importe|concepto|descripción|valor|lançamento|histórico|descrição|montante|"
    r"libellé|montant|solde|débit|crédit|opération|relevé|compte|"
    r"päivä\w*|kirjauspäivä|määrä|summa|selgitus|kuupäev|datums|suma|částka|měna|popis|zůstatek|čiastka|összeg|dátum|egyenleg|"
    r"iznos|stanje|znesek|tarih|tutar|bakiye|açıklama|omschrijving|bedrag|rekening|naam|mededelingen)\b|"
    r"[\u0370-\u03ff]{3,}|[\u0400-\u04ff]{3,}",
    re.IGNORECASE,
)


def foreign_words(text: str) -> set[str]:
    """Words of statements in languages whose countries put the day before the month."""
    return {found.casefold() for found in _WORDS.findall(text)}


def is_of_day_first(currency: str) -> bool:
    """Whether a currency that the file names is that of countries which put the day before the month."""
    return bool(currency) and currency not in MONTH_FIRST
