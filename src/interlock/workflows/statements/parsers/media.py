"""Says whether a file's name and its first bytes agree; decided before anything is parsed."""

from __future__ import annotations

import re

from .exchange.camt import looks_like_camt
from .exchange.mt940 import looks_like_mt940
from .exchange.qif import looks_like_qif
from .html_tables import is_page
from .text import decoded_head, is_blank

EXPECTED = "pdf, csv, ofx, qfx, qif, xml, sta"
PAGES = ("html", "htm")
TABLES = ("csv", "tsv", "tab", "txt", "xls", *PAGES)
"""Endings of tables as text; banks of several countries name such a table, or a web page with one, .xls."""
OFX = ("ofx", "qfx", "qbo", "xml", "sgml", "sgm")
"""Endings of files that are known by their content: OFX, and CAMT where it is XML."""
MIME_TYPES = {
    "pdf": "application/pdf",
    "ofx": "application/x-ofx",
    "qfx": "application/x-ofx",
    "qbo": "application/x-ofx",
    "sgml": "application/x-ofx",
    "sgm": "application/x-ofx",
    "xml": "application/xml",
    "qif": "application/qif",
    **dict.fromkeys(PAGES, "text/html"),
    **dict.fromkeys(("camt", "c52", "c53"), "application/xml"),
    **dict.fromkeys(("sta", "mt940", "940", "swi", "fin", "mta"), "application/x-mt940"),
}
OTHERS = {
    "qif": "qif",
    **dict.fromkeys(("sta", "mt940", "940", "swi", "fin", "mta"), "mt940"),
    **dict.fromkeys(("camt", "c52", "c53"), "camt"),
}
XML = {"xml": "ofx, qfx, camt"}
_OFX_START = re.compile(r"OFXHEADER\s*[:=]|<\s*OFX\s*>|<ofx\d{0,2}:OFX\b|<\?OFX\b", re.IGNORECASE)
_OTHER_MAGIC = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1f\x8b",
    b"\xd0\xcf\x11\xe0",
    b"7z\xbc\xaf",
    b"Rar!",
    b"BZh",
    b"\xfd7zXZ",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"\x7fELF",
    b"MZ\x90",
)


def looks_like_ofx(head: str) -> bool:
    return _OFX_START.search(head[:8192]) is not None


_LOOKS_LIKE = {
    "ofx": looks_like_ofx,
    "camt": looks_like_camt,
    "qif": looks_like_qif,
    "mt940": looks_like_mt940,
}
_BY_CONTENT = {
    "ofx": "application/x-ofx",
    "camt": "application/xml",
    "qif": "application/qif",
    "mt940": "application/x-mt940",
}


def is_pdf(head: bytes) -> bool:
    """A PDF may have some bytes before its header, but not those of another format: such a file is two things to two readers."""
    return b"%PDF-" in head[:1024] and not head.startswith(_OTHER_MAGIC)


def media_problem(name: str, head: bytes) -> str | None:
    """What was expected of this name, if the bytes are something else; None if they agree, or begin with nothing but blanks."""
    extension = name.rpartition(".")[2].lower() if "." in name else ""
    if extension == "pdf":
        return None if not head or is_pdf(head) else "pdf"
    if extension not in TABLES and extension not in OFX and extension not in OTHERS:
        return EXPECTED
    if is_blank(head):
        return None
    wanted = OTHERS.get(extension) or XML.get(extension) or ("ofx, qfx" if extension in OFX else "csv")
    if b"%PDF-" in head[:1024] or head.startswith(_OTHER_MAGIC):
        return wanted
    text = decoded_head(head)
    if not text:
        return wanted
    if extension in PAGES:
        return None if is_page(head) else "html"
    return None if extension in TABLES or exchange_format(text) else wanted


def exchange_format(text: str) -> str:
    """The format for exchange that a file's beginning shows: ofx, camt, qif or mt940; empty where it is none of them."""
    return next((name for name, looks in _LOOKS_LIKE.items() if looks(text)), "")


def mime_type(name: str, head: bytes) -> str:
    """The media type of a file: by its content where that shows a format for exchange, else by its ending."""
    ending = name.rpartition(".")[2].lower()
    by_content = "" if ending == "pdf" or not head else exchange_format(decoded_head(head) or "")
    return _BY_CONTENT.get(by_content) or MIME_TYPES.get(ending, "text/csv")
