"""Any bank's PDF whose table has a date, a description and an amount."""

from __future__ import annotations

from ...parsed import Parsed
from ..contract import Document
from .opening import opening, says
from .statement import Kind, read_statement

KIND = Kind("pdf", "1.0.0", "pdf")


class GenericPdf:
    """Takes every PDF that no other parser knows; so it also says what is wrong with one that cannot be read."""

    parser_id, version, source_type = KIND.parser_id, KIND.version, KIND.source_type

    def confidence(self, document: Document) -> float:
        if not document.is_pdf:
            return 0.0
        found = says(
            opening(document),
            r"\bstatement\b",
            r"\bbalance\b|\bsaldo\b|\bsolde\b",
            r"\baccount\b|\bcard\b|\bkonto\b",
            r"\bdate\b|\bdatum\b",
        )
        return 0.3 + 0.05 * found

    def parse(self, document: Document) -> Parsed:
        return read_statement(document.content, KIND)
