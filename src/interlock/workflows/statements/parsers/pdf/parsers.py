"""The parsers of PDF files: Bank of America's accounts and cards by their words, and any other bank's whose table has dates and amounts."""

from __future__ import annotations

import re
import weakref

from ...parsed import Parsed, ParseFault
from ..contract import Document
from .lines import lines_of
from .statement import Kind, read_statement

PAGES = 2
_last: list[tuple[weakref.ref[Document], str]] = []


def first_pages(document: Document) -> str:
    """The text of the first pages, in lower case; empty if it is no PDF or cannot be read."""
    if not document.is_pdf:
        return ""
    if _last and _last[0][0]() is document:
        return _last[0][1]
    from .words import read_pages  # the PDF library is loaded when the first PDF comes

    try:
        text = "\n".join(line.text for line in lines_of(read_pages(document.content, PAGES))).lower()
    except ParseFault:
        text = ""
    _last[:] = [(weakref.ref(document), text)]
    return text


def count_words(text: str, *words: str) -> int:
    """How many of these patterns the text has."""
    return sum(1 for word in words if re.search(word, text))


ANY_BANK = Kind("pdf", "1.0.0", "pdf")


class GenericPdf:
    """Takes every PDF that no other parser knows; so it also says what is wrong with one that cannot be read."""

    parser_id, version, source_type = ANY_BANK.parser_id, ANY_BANK.version, ANY_BANK.source_type

    def confidence(self, document: Document) -> float:
        if not document.is_pdf:
            return 0.0
        found = count_words(
            first_pages(document),
            r"\bstatement\b",
            r"\bbalance\b|\bsaldo\b|\bsolde\b",
            r"\baccount\b|\bcard\b|\bkonto\b",
            r"\bdate\b|\bdatum\b",
        )
        return 0.3 + 0.05 * found

    def parse(self, document: Document) -> Parsed:
        return read_statement(document.content, ANY_BANK)


ACCOUNT = Kind("bofa_pdf", "1.0.0", "bofa_pdf", card=False, currency="USD")
BANK = r"bank\s?of\s?america|bankofamerica\.com|bofa"
ACCOUNT_WORDS = (
    r"beginning balance on",
    r"ending balance on",
    r"deposits and other (?:additions|credits)",
    r"withdrawals and other (?:subtractions|debits)|other subtractions",
    "account summary",
)


class BankOfAmerica:
    """Known by the bank's name and by the sections that only its accounts have."""

    parser_id, version, source_type = ACCOUNT.parser_id, ACCOUNT.version, ACCOUNT.source_type

    def confidence(self, document: Document) -> float:
        text = first_pages(document)
        found = count_words(text, *ACCOUNT_WORDS)
        if not count_words(text, BANK):
            return 0.5 if found >= 4 else 0.0
        return min(0.5 + 0.12 * found, 0.98) if found >= 2 else 0.0

    def parse(self, document: Document) -> Parsed:
        return read_statement(document.content, ACCOUNT)


CARD = Kind("bofa_card_pdf", "1.0.0", "bofa_card_pdf", card=True, currency="USD")
CARD_WORDS = (
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

    parser_id, version, source_type = CARD.parser_id, CARD.version, CARD.source_type

    def confidence(self, document: Document) -> float:
        text = first_pages(document)
        found = count_words(text, *CARD_WORDS)
        if count_words(text, r"beginning balance on") or found < 2:
            return 0.0
        if not count_words(
            text, BANK
        ):  # the name may be in a picture; these two stand together on no other bank's statements
            return 0.5 if count_words(text, *CARD_WORDS[:2]) == 2 else 0.0
        return min(0.5 + 0.08 * found, 0.98)

    def parse(self, document: Document) -> Parsed:
        return read_statement(document.content, CARD)
