"""What comes before `<OFX>`: the version and the character set that the file claims."""

from __future__ import annotations

import re

_CLAIM = re.compile(rb"(CHARSET|ENCODING)\s*[:=]\s*[\"']?([A-Za-z0-9_\-]+)", re.IGNORECASE)
_START = re.compile(rb"<\s*OFX\s*>", re.IGNORECASE)
_NAMES = {
    "1252": "cp1252",
    "windows-1252": "cp1252",
    "cp1252": "cp1252",
    "iso-8859-1": "latin-1",
    "8859-1": "latin-1",
    "iso8859-1": "latin-1",
    "iso-8859-15": "iso8859-15",
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "1250": "cp1250",
    "1251": "cp1251",
    "1254": "cp1254",
    "iso-8859-2": "iso8859-2",
}


def charset(content: bytes) -> str:
    """A codec's name, or empty if the header says none that is known. It is a claim: many files say 1252 and are UTF-8."""
    head = content[:4096]
    start = _START.search(head)
    claims = {
        found[1].upper(): found[2].decode("ascii").lower()
        for found in _CLAIM.finditer(head[: start.start()] if start else head)
    }
    for key in (b"CHARSET", b"ENCODING"):
        if claims.get(key) in _NAMES:
            return _NAMES[claims[key]]
    return ""
