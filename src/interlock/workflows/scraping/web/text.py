"""Bytes of the web as text: its declared encoding, or the likeliest one; never a character that a database refuses."""

from __future__ import annotations

import codecs
import re
import unicodedata

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]{2,40})""", re.IGNORECASE)
_XML = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([a-zA-Z0-9_:.-]{2,40})""")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([a-zA-Z0-9_:.-]{2,40})""", re.IGNORECASE)
_UNFIT = re.compile(r"[\x00\ud800-\udfff\x01-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_WEB_NAMES = {
    "iso-8859-1": "cp1252",
    "latin-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
}
"""What browsers read under these names."""


def decode(content: bytes, content_type: str = "") -> str:
    """The text of a body; characters that no database takes are left out."""
    for mark, name in _BOMS:
        if content.startswith(mark):
            return clean(content.decode(name, "replace").lstrip("\ufeff"))
    head = content[:4096]
    named = _CHARSET.search(content_type)
    declared = [
        named[1] if named else "",
        *(match[1].decode("ascii") for match in (_XML.search(head), _DECLARED.search(head)) if match),
    ]
    try:
        text = content.decode("utf-8")
        if not any(declared) or all(
            one.lower().replace("_", "-") not in ("utf-16", "utf-7") for one in declared
        ):
            return clean(text)  # bytes that are UTF-8 are UTF-8, whatever is declared
    except UnicodeDecodeError:
        pass
    for name in declared:
        chosen = _WEB_NAMES.get(name.lower(), name)
        try:
            if (
                chosen
                and codecs.lookup(chosen)._is_text_encoding
                and chosen.lower() not in ("utf-7", "idna", "punycode")
            ):
                return clean(content.decode(chosen, "replace"))
        except (LookupError, UnicodeError):
            continue
    return clean(
        content.decode("utf-8", "replace")
        if _is_nearly_utf8(content)
        else content.decode("cp1252", "replace")
    )


def _is_nearly_utf8(content: bytes) -> bool:
    """Whether a cut or a single bad byte is all that is wrong with it."""
    text = content[:100_000].decode("utf-8", "replace")
    return text.count("\ufffd") <= 1 + len(text) // 1000


def clean(text: str) -> str:
    """Text without NUL, surrogates and other characters that cannot be kept."""
    return _UNFIT.sub("", text)


def shortened(text: str, most: int) -> str:
    """Text in one line of at most so many characters."""
    line = " ".join(text[: most * 4].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
"""The wide letters and signs of East Asia, and the plain ones that they stand for."""


def wide_as_plain(text: str) -> str:
    """Text with plain letters and signs where it has wide ones."""
    return text if text.isascii() else text.translate(_WIDE)


def digits_as_plain(text: str) -> str:
    """Text with the digits 0 to 9 where it has those of another script."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.digit(one)) if one.isdigit() and not one.isascii() else one for one in text
    )
