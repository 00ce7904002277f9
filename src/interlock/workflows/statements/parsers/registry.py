"""The parsers by source type, and `auto`: the one that is surest of a document reads it."""

from __future__ import annotations

import logging
from pathlib import Path

from ..parsed import Parsed, ParseFault
from .contract import Document, Parser
from .csv.banks import MAPPINGS
from .csv.configured import load_mappings
from .csv.generic import GenericCsv
from .csv.parser import CsvParser
from .media import media_problem
from .ofx.parser import OfxParser
from .strangers import what_it_is

AUTO = "auto"
_parsers: dict[str, Parser] = {}
_log = logging.getLogger("interlock.statements")

__all__ = [
    "AUTO",
    "detect",
    "media_problem",
    "parse",
    "parser_for",
    "register",
    "register_mappings",
    "source_types",
]


def register(parser: Parser) -> None:
    """Make a parser known under its source type; a later one replaces an earlier, so a team can have its own."""
    if parser.source_type == AUTO:
        raise ValueError("'auto' is not a source type: it asks all of them")
    _parsers[parser.source_type] = parser


def register_mappings(path: Path) -> list[str]:
    """Make the banks of a TOML file known; answers their source types, or raises MappingInvalid."""
    parsers = load_mappings(path)
    for parser in parsers:
        register(parser)
    return [parser.source_type for parser in parsers]


def source_types() -> list[str]:
    """What an upload may say it is."""
    return [AUTO, *sorted(_parsers)]


def parser_for(source_type: str) -> Parser:
    try:
        return _parsers[source_type]
    except KeyError:
        raise LookupError(f"no parser for {source_type!r}; there are {', '.join(source_types())}") from None


def detect(document: Document) -> Parser:
    """The surest parser, or LAYOUT_MISMATCH with what was looked at."""
    if not document.content.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise ParseFault("EMPTY_FILE", "the file is empty")
    surest, best = None, 0.0
    for parser in _parsers.values():
        sure = _confidence(parser, document)
        if sure > best:
            surest, best = parser, sure
    if surest is None:
        raise ParseFault(
            "LAYOUT_MISMATCH",
            f"no parser knows this file: {what_it_is(document)}. Looked at as {', '.join(source_types()[1:])}",
        )
    return surest


def _confidence(parser: Parser, document: Document) -> float:
    """A parser that fails over a document does not know it; the others are asked all the same."""
    try:
        return parser.confidence(document)
    except Exception:  # noqa: BLE001 whatever a team's own parser raises
        _log.exception("the parser of %s could not say whether a file is its own", parser.source_type)
        return 0.0


def parse(document: Document, source_type: str = AUTO) -> Parsed:
    """Read it as what it is said to be, or as what it looks like."""
    if source_type == AUTO:
        return detect(document).parse(document)
    if source_type not in _parsers:
        raise ParseFault(
            "LAYOUT_MISMATCH", f"no parser for {source_type!r}; there are {', '.join(source_types())}"
        )
    return _parsers[source_type].parse(document)


def _register_bundled() -> None:
    for source_type in dict.fromkeys(mapping.source_type for mapping in MAPPINGS):
        register(
            CsvParser(
                source_type, tuple(mapping for mapping in MAPPINGS if mapping.source_type == source_type)
            )
        )
    register(GenericCsv())
    register(OfxParser())
    _register_pdf()


def _register_pdf() -> None:
    """PDFs need the `statements` extra; without it every other kind is still read."""
    try:
        from .pdf.bank_of_america import BankOfAmerica
        from .pdf.bank_of_america_card import BankOfAmericaCard
        from .pdf.generic import GenericPdf
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "pypdfium2":
            raise
        return
    for parser in (BankOfAmerica(), BankOfAmericaCard(), GenericPdf()):
        register(parser)


_register_bundled()
