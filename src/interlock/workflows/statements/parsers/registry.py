"""The parsers of a workflow by source type, and `auto`: the one that is surest of a document reads it. An immutable value."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from ..parsed import Parsed, ParseFault
from .camt import CamtParser
from .contract import Document, Parser
from .csv.banks import MAPPINGS
from .csv.generic import GenericCsv
from .csv.parser import CsvParser
from .mt940 import Mt940Parser
from .ofx.parser import OfxParser
from .qif import QifParser
from .strangers import what_it_is

AUTO = "auto"
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
        if not document.content.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
            raise ParseFault("EMPTY_FILE", "the file is empty")
        surest, best = None, 0.0
        for parser in self.by_type.values():
            sure = _confidence(parser, document)
            if sure > best:
                surest, best = parser, sure
        if surest is None:
            raise ParseFault(
                "LAYOUT_MISMATCH",
                f"no parser knows this file: {what_it_is(document)}. Looked at as {', '.join(self.source_types()[1:])}",
            )
        return surest

    def parse(self, document: Document, source_type: str = AUTO) -> Parsed:
        """Read it as the source type that is named, or as what it looks like."""
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
        from .pdf.bank_of_america import BankOfAmerica
        from .pdf.bank_of_america_card import BankOfAmericaCard
        from .pdf.generic import GenericPdf
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "pypdfium2":
            raise
        return []
    return [BankOfAmerica(), BankOfAmericaCard(), GenericPdf()]
