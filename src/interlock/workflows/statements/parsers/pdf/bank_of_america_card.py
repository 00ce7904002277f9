"""Bank of America credit cards: dates without a year, and charges printed as positive amounts."""

from __future__ import annotations

from ...parsed import Parsed
from ..contract import Document
from .bank_of_america import BANK
from .opening import opening, says
from .statement import Kind, read_statement

KIND = Kind("bofa_card_pdf", "1.0.0", "bofa_card_pdf", card=True, currency="USD")
WORDS = (
    r"new balance total",
    r"purchases and adjustments",
    r"payments and other credits",
    r"statement closing date",
    r"total credit line|credit line",
    r"minimum payment",
    r"payment due date",
)


class BankOfAmericaCard:
    """Known by the bank's name and by the words of a card's account summary."""

    parser_id, version, source_type = KIND.parser_id, KIND.version, KIND.source_type

    def confidence(self, document: Document) -> float:
        text = opening(document)
        found = says(text, *WORDS)
        if says(text, r"beginning balance on") or found < 2:
            return 0.0
        if not says(
            text, BANK
        ):  # the name may be in a picture; these two stand together on no other bank's statements
            return 0.5 if says(text, *WORDS[:2]) == 2 else 0.0
        return min(0.5 + 0.08 * found, 0.98)

    def parse(self, document: Document) -> Parsed:
        return read_statement(document.content, KIND)
