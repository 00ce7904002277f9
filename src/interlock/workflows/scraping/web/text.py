"""Bytes of the web as text: its declared encoding, or the likeliest one; never a character that a database refuses."""

from __future__ import annotations

import codecs
import html
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
        is_wide = any(one.lower().startswith("utf-16") for one in declared) and "\x00" in text[:4096]
        if not is_wide:
            return clean(text)  # bytes that are UTF-8 are UTF-8, whatever is declared
    except UnicodeDecodeError:
        pass
    for name in declared:
        if name.lower().replace("_", "-") in ("utf-8", "utf8"):
            break
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
    return clean(_mixed(content) if _is_nearly_utf8(content) else content.decode("cp1252", "replace"))


def _mixed(content: bytes) -> str:
    """UTF-8 in which a few bytes are of the older encoding of the West."""
    text = content.decode("utf-8", "surrogateescape")
    return re.sub(
        "[\udc80-\udcff]", lambda match: bytes([ord(match[0]) - 0xDC00]).decode("cp1252", "replace"), text
    )


def _is_nearly_utf8(content: bytes) -> bool:
    """Whether a cut or a single bad byte is all that is wrong with it."""
    text = content[:100_000].decode("utf-8", "replace")
    return text.count("\ufffd") <= 1 + len(text) // 1000


def clean(text: str) -> str:
    """Text without NUL, surrogates and other characters that cannot be kept."""
    return _UNFIT.sub("", text)


def shorten(text: str, most: int) -> str:
    """Text in one line of at most so many characters."""
    line = " ".join(text[: most * 4].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


_LONG_REFERENCE = re.compile(r"&#\d{8,}|&#[xX][0-9a-fA-F]{7,}")


def unescape(text: str) -> str:
    """Text with characters where it has references to them; what names no character is left out."""
    return html.unescape(_LONG_REFERENCE.sub("", text)) if "&" in text else text


_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def drop_invisible(text: str) -> str:
    """Text without characters that nobody sees: soft hyphens, joints and marks of direction."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: " ",
    0xFE52: ".",
    0xFE62: "+",
    0xFE63: "-",
    0xFE6B: "@",
}
"""The wide letters and the small signs of East Asia, and the plain ones that they stand for."""


def plain_width(text: str) -> str:
    """Text with plain letters and signs where it has wide ones."""
    return text if text.isascii() else text.translate(_WIDE)


def plain_digits(text: str) -> str:
    """Text with the digits 0 to 9 where it has those of another script."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.digit(one)) if one.isdigit() and not one.isascii() else one for one in text
    )
