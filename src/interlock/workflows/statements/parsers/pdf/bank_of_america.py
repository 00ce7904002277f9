"""Bank of America checking and savings, alone or several accounts in one statement."""

from __future__ import annotations

from ...parsed import Parsed
from ..contract import Document
from .opening import opening, says
from .statement import Kind, read_statement

KIND = Kind("bofa_pdf", "1.0.0", "bofa_pdf", card=False, currency="USD")
BANK = r"bank\s?of\s?america|bankofamerica\.com|bofa"
WORDS = (
    r"beginning balance on",
    r"ending balance on",
    r"deposits and other (?:additions|credits)",
    r"withdrawals and other (?:subtractions|debits)|other subtractions",
    "account summary",
)


class BankOfAmerica:
    """Known by the bank's name and by the sections that only its accounts have."""

    parser_id, version, source_type = KIND.parser_id, KIND.version, KIND.source_type

    def confidence(self, document: Document) -> float:
        text = opening(document)
        found = says(text, *WORDS)
        if not says(text, BANK):
            return 0.5 if found >= 4 else 0.0
        return min(0.5 + 0.12 * found, 0.98) if found >= 2 else 0.0

    def parse(self, document: Document) -> Parsed:
        return read_statement(document.content, KIND)
