"""The parsers of a workflow by source type, and `auto`: the one that is surest of a document reads it. An immutable value."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from ..parsed import Parsed, ParseFault
from .contract import Document, Parser
from .csv.banks import MAPPINGS
from .csv.generic import GenericCsv
from .csv.parser import CsvParser
from .exchange.camt import CamtParser
from .exchange.mt940 import Mt940Parser
from .exchange.qif import QifParser
from .ofx.parser import OfxParser
from .text import is_blank

_MAGIC = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet (.xlsx); export it as CSV"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet (.xls) or Word file; save it as CSV"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3", "a SQLite database"),
)
_TEXT = (
    (r"(?s).{0,200}:20:.{0,400}:25:", "an MT940 file without balances and entries"),
    (r"\s*[\[{]\s*[\"{\[]", "a JSON file"),
    (r"(?s)\s*<\?xml", "an XML file that is neither OFX nor CAMT"),
    (r"\s*\{\\rtf", "an RTF document"),
)


def what_it_is(document: Document) -> str:
    for magic, name in _MAGIC:
        if document.content.startswith(magic):
            return f"it is {name}"
    if document.is_pdf:
        return "it is a PDF, and reading those needs pip install 'interlock[statements]'"
    head = document.text_head[:4096]
    if not head:
        return "it is not text"
    if document.is_page:
        return f"it looks like a web page {document.page.problem or 'without a table of days and amounts'}"
    return next(
        (f"it looks like {name}" for pattern, name in _TEXT if re.match(pattern, head)),
        "it is text without a table of dates and amounts",
    )


AUTO = "auto"
_KINDS = {
    "csv": "a table (CSV)",
    "pdf": "a PDF",
    "ofx": "OFX",
    "camt": "CAMT",
    "mt940": "MT940",
    "qif": "QIF",
}
_log = logging.getLogger("interlock.statements")


@dataclass(frozen=True, eq=False)
class Parsers:
    """What a workflow can read; `with_own` makes another one, and this stays as it is."""

    by_type: Mapping[str, Parser]

    def __post_init__(self) -> None:
        if AUTO in self.by_type:
            raise ValueError("'auto' is not a source type: it asks all of them")
        object.__setattr__(self, "by_type", MappingProxyType(dict(self.by_type)))

    def with_own(self, parsers: Iterable[Parser]) -> Parsers:
        """These and those; one of the same source type takes the place of ours."""
        return Parsers({**self.by_type, **{parser.source_type: parser for parser in parsers}})

    def source_types(self) -> list[str]:
        """The source types that an upload may name."""
        return [AUTO, *sorted(self.by_type)]

    def parser_for(self, source_type: str) -> Parser:
        try:
            return self.by_type[source_type]
        except KeyError:
            raise LookupError(
                f"no parser for {source_type!r}; there are {', '.join(self.source_types())}"
            ) from None

    def detect(self, document: Document) -> Parser:
        """The surest parser, or LAYOUT_MISMATCH with what was looked at."""
        surest, best = None, 0.0
        for parser in self.by_type.values():
            sure = _confidence(parser, document)
            if sure > best:
                surest, best = parser, sure
        if surest is None:
            raise ParseFault(
                "LAYOUT_MISMATCH",
                f"no parser knows this file: {what_it_is(document)}. Looked at as {self._kinds()}",
            )
        return surest

    def _kinds(self) -> str:
        """What these parsers read, in words: all banks' tables are one kind, and so are all their PDFs."""
        kinds = dict.fromkeys(_kind(source_type) for source_type in self.by_type)
        return ", ".join(sorted(kinds, key=lambda kind: (kind not in _KINDS.values(), kind)))

    def parse(self, document: Document, source_type: str = AUTO) -> Parsed:
        """Read it as the source type that is named, or as what it looks like."""
        if is_blank(document.content):
            raise ParseFault("EMPTY_FILE", "the file is empty")
        if source_type == AUTO:
            return self.detect(document).parse(document)
        if source_type not in self.by_type:
            raise ParseFault(
                "LAYOUT_MISMATCH",
                f"no parser for {source_type!r}; there are {', '.join(self.source_types())}",
            )
        return self.by_type[source_type].parse(document)


@cache
def bundled_parsers() -> Parsers:
    """Those that come with Interlock; made once, and never changed."""
    return Parsers({parser.source_type: parser for parser in _bundled()})


def _confidence(parser: Parser, document: Document) -> float:
    """A parser that fails over a document does not know it; the others are asked all the same."""
    try:
        return parser.confidence(document)
    except Exception:  # noqa: BLE001 whatever a team's own parser raises
        _log.exception("the parser of %s could not say whether a file is its own", parser.source_type)
        return 0.0


def _kind(source_type: str) -> str:
    """A table and a PDF of a bank are named after it: `chase_csv`; a team's own source type is its own kind."""
    return _KINDS.get(source_type.rpartition("_")[2], source_type)


def _bundled() -> Iterator[Parser]:
    for source_type in dict.fromkeys(mapping.source_type for mapping in MAPPINGS):
        yield CsvParser(
            source_type, tuple(mapping for mapping in MAPPINGS if mapping.source_type == source_type)
        )
    yield GenericCsv()
    yield from (OfxParser(), CamtParser(), Mt940Parser(), QifParser())
    yield from _pdf_parsers()


def _pdf_parsers() -> list[Parser]:
    """PDFs need the `statements` extra; without it every other kind is still read."""
    try:
        from .pdf.parsers import BankOfAmerica, BankOfAmericaCard, GenericPdf
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "pypdfium2":
            raise
        return []
    return [BankOfAmerica(), BankOfAmericaCard(), GenericPdf()]
