"""The parser of one source type: several layouts of one bank, each a mapping; the first that the file has is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...parsed import Parsed, ParseFault
from ..contract import Document
from ..text import decode
from .mapping import CsvMapping
from .reading import read_table
from .table import find_table, first_rows

MIME = "text/csv"


@dataclass(frozen=True)
class CsvParser:
    """Knows its tables by their headers."""

    source_type: str
    mappings: tuple[CsvMapping, ...]

    @property
    def parser_id(self) -> str:
        return f"csv:{self.source_type}"

    @property
    def version(self) -> str:
        return max(mapping.version for mapping in self.mappings)

    def confidence(self, document: Document) -> float:
        found = (
            mapping.certainty
            for mapping in self.mappings
            if find_table(document.text_head, mapping) is not None
        )
        return max(found, default=0.0) if document.text_head and not document.is_pdf else 0.0

    def parse(self, document: Document) -> Parsed:
        text = decode(document.content)
        for mapping in self.mappings:
            table = find_table(document.text_head, mapping)
            if table is not None:
                return read_table(
                    text, mapping, table, Parsed(self.parser_id, mapping.version, self.source_type, MIME)
                )
        raise ParseFault(
            "LAYOUT_MISMATCH",
            f"no table of {self.source_type} was found: {self._expected()}; the file begins with {beginning(document)}",
        )

    def _expected(self) -> str:
        return " or ".join(
            f"a header with {', '.join(mapping.header)}"
            if mapping.header
            else f"rows of {len(mapping.columns)} cells"
            for mapping in self.mappings
        )


def beginning(document: Document) -> str:
    """The first row, for a message; short."""
    found: Sequence[str] = next((row.cells for row in first_rows(document.text_head, ",")), [])
    text = ", ".join(found)
    return repr(text if len(text) <= 80 else f"{text[:77]}…") if text else "nothing that is text"
