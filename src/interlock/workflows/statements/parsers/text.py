"""Bytes into text: encodings are recognised, and what is no text is refused; texts of several cells are joined without repeats."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

from ..parsed import ParseFault

HEAD = 65_536
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a")) + b"\x7f"


_NOTHING = b"\x00\x1a \t\r\n\f\v\xef\xbb\xbf\xff\xfe"


def is_blank(content: bytes) -> bool:
    """Whether a file, or its beginning, holds nothing but blanks, line ends, zeros and a byte order mark, in any encoding."""
    return not content.strip(_NOTHING)


def decode(content: bytes, charset: str = "") -> str:
    """The whole file as text, or LAYOUT_MISMATCH if it is binary. A charset is what the file says of itself; its bytes may contradict."""
    if is_blank(content):
        raise ParseFault("EMPTY_FILE", "the file is empty")
    body, encoding = _encoding(content)
    if not encoding and _is_binary(body[:HEAD]):
        raise ParseFault(
            "LAYOUT_MISMATCH", "the file is not text: no delimited table and no OFX can be in it"
        )
    text = body.decode(encoding, "replace") if encoding else _guessed(body, charset)
    return text.rstrip("\x00\x1a").replace("~|~", "|")  # two banks part their cells by three signs


def decoded_head(content: bytes) -> str:
    """The first lines as text, cut at a line's end and so never inside a letter; empty if this is no text."""
    head = content[:HEAD]
    if len(content) > HEAD:
        cut = max(head.rfind(b"\n"), head.rfind(b"\r"))
        head = head[: cut + 1] if cut > 0 and not _encoding(head)[1].startswith("utf-16") else head
    try:
        return decode(head)
    except ParseFault:
        return ""


def _encoding(content: bytes) -> tuple[bytes, str]:
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :], name
    head = content[:4096]
    zeros_even, zeros_odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if half >= 4 and zeros_odd > half * 0.6 and zeros_even < half * 0.1:
        return content, "utf-16-le"  # no byte order mark, yet every second byte is zero
    if half >= 4 and zeros_even > half * 0.6 and zeros_odd < half * 0.1:
        return content, "utf-16-be"
    return content, ""


def _is_binary(head: bytes) -> bool:
    controls = len(head) - len(head.translate(None, _CONTROL))
    return controls > len(head) * 0.01 or b"\x00" in head[:1024].rstrip(b"\x00")


def _guessed(body: bytes, charset: str) -> str:
    """UTF-8 if it is valid, for no other encoding looks like it by chance; else what the file says; else Windows-1252."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        pass
    lenient = body.decode("utf-8", "replace")
    broken = lenient.count("\ufffd")
    if sum(1 for letter in lenient[:HEAD] if letter > "\x7f" and letter != "\ufffd") > broken:
        return lenient  # UTF-8 with a damaged byte
    for name in filter(None, (charset, _encoding_by_characters(body[:HEAD]), "cp1252")):
        try:
            return body.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return body.decode("latin-1")


_POLISH_AS_WESTERN = re.compile(r"[^\W\d_][³¹¿¾¶]|[³¹¿¾¶][^\W\d_]")
"""Signs that stand in no western word: Polish letters that were read as Windows-1252."""


_BY_WORDS = tuple(
    (encoding, re.compile(words, re.IGNORECASE))
    for encoding, words in (
        (
            "cp1250",
            r"\b(?:částk\w|čiastk\w|čísl\w|účtů|zaúčtov\w+|měna|zůstat\w+|počáteční|konečný|příjm\w|příchozí|jóváírás|könyvelés dátuma|"
            r"közlemény\w* ő\w*|početno|završno)\b",
        ),
        ("gb18030", "交易(?:时间|日期|金额)|余额|记账日期|收/支"),
        ("cp949", "거래(?:일|일자|금액)|입금|출금|잔액"),
        ("big5hkscs", "交易(?:日期|金額)|帳務日期|結餘|餘額"),
        ("cp1254", r"\b(?:açıklama|işlem(?: tarihi)?|tutarı?\b.*\bbakiye|hesap hareketleri\b.*ı)\b"),
        ("cp1253", "Ημερομηνία|Ημ/νία|Υπόλοιπο|Περιγραφή|Αιτιολογία|Λογαριασμ"),
        ("cp1255", "תאריך|יתרה|אסמכתא"),
        ("cp1257", r"\b(?:kuupäev|mokėji\w+|sąskait\w+|apmaksas|maksājum\w+)\b"),
        ("cp874", "วันที่|ยอดเงิน|รายการ"),
    )
)
"""What tables of money say in languages of their own encodings; these words come out of no other encoding by chance."""


_JAPANESE_WORD = re.compile(r"[\u3040-\u9fff]{2,}")
"""Two or more together: a western accent and the letter behind it, read as Japanese, make one sign alone."""


def _encoding_by_characters(head: bytes) -> str:
    """The encoding of a country where the letters or the words of a file show it; empty where they are western."""
    high = sum(1 for byte in head if byte >= 0x80)
    if high == 0:
        return ""
    for encoding, words in _BY_WORDS:
        if any(not word.isascii() for word in words.findall(head.decode(encoding, "ignore"))):
            return encoding
    try:
        japanese = head.decode("cp932")
        if sum(map(len, _JAPANESE_WORD.findall(japanese))) > high / 4:
            return "cp932"
    except UnicodeDecodeError:
        pass
    cyrillic = head.decode("cp1251", "replace")
    russian = re.findall(r"[а-яёА-ЯЁ]{3,}", cyrillic)
    if sum(map(len, russian)) > high * 0.7 and any(word.islower() or word.istitle() for word in russian):
        return "cp1251"
    return "cp1250" if len(_POLISH_AS_WESTERN.findall(head.decode("cp1252", "replace"))) > 1 else ""


def joined(parts: Iterable[str]) -> str:
    """Parts in order, spaces collapsed; one that the others already say, word for word, is left out."""
    text = ""
    for raw in parts:
        part = " ".join(raw.split())
        if part and not _has_words(text, part):
            text = part if not text or _has_words(part, text) else f"{text} {part}"
    return text


def _has_words(text: str, part: str) -> bool:
    return f" {part.casefold()} " in f" {text.casefold()} "
