"""Finds phone numbers, in the international form that every phone dials."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import phonenumbers
from phonenumbers import Leniency, PhoneNumber, PhoneNumberFormat, PhoneNumberMatcher

from ..web.page import Page

MOST = 50
_TEL = re.compile(r"^\s*(?:tel|callto|sms)\s*:", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\btel(?:efono|éfono|efon|ephone|efone|efoon|\.)?|\bt:|\bp:|\bphone|\bcall|\bmobile?|\bmobil|\bhandy|\bhotline|\bcell|\bfon|"
    r"\btlf|\bpuh|\brufnummer|\bring|\bappel|\bllam|☎|📞|✆)[^\d+(]{0,20}$",
    re.IGNORECASE,
)
_FAX = re.compile(r"(?:\b(?:tele)?fax|\bf(?:ax)?\s*[:.]|\btélécopie|\bfaks)[^\d+(]{0,15}$", re.IGNORECASE)
_NOT_A_PHONE = re.compile(
    r"(?:\biban|\bbic|\bvat|\bust|\btax|\bsteuer|\bhrb|\bhra|\bsiret|\bsiren|\bno\.?|\bnr\.?|\border|\binvoice|\bid\b|\bref|\bkonto|\baccount|"
    r"\bblz|\bisbn|\bissn|\bcif|\bnif|\bkvk|\bbtw|\babn|\bacn|\bein|\bduns|#|€|\$|£)[^\d+(]{0,12}$",
    re.IGNORECASE,
)
_COUNTRIES = {
    "uk": "GB",
    "com": "US",
    "org": "US",
    "net": "US",
    "edu": "US",
    "gov": "US",
    "io": "US",
    "eu": "",
}
_OF_LANGUAGE = {
    "de": "DE",
    "fr": "FR",
    "es": "ES",
    "it": "IT",
    "nl": "NL",
    "pl": "PL",
    "pt": "PT",
    "sv": "SE",
    "da": "DK",
    "nb": "NO",
    "no": "NO",
    "fi": "FI",
    "cs": "CZ",
    "hu": "HU",
    "ja": "JP",
    "ko": "KR",
    "tr": "TR",
    "el": "GR",
    "ro": "RO",
    "ru": "RU",
    "uk": "UA",
}


def region_of(page: Page, country: str = "") -> str:
    """The country whose numbers are written without its code on this page: what it says of itself, its address, its language."""
    top = (urlsplit(page.url).hostname or "").rpartition(".")[2].lower()
    language, _, region = page.language.replace("_", "-").partition("-")
    by_top = _COUNTRIES.get(top, top.upper())
    for one in (
        country,
        region,
        by_top if top not in _COUNTRIES or top == "uk" else "",
        _OF_LANGUAGE.get(language.lower(), ""),
        by_top,
    ):
        if one.upper() in phonenumbers.SUPPORTED_REGIONS:
            return one.upper()
    return "US"


def phones_of(page: Page, country: str = "") -> list[str]:
    """The valid numbers on a page as E.164, in the order they are seen; faxes are left out."""
    region = region_of(page, country)
    faxes: set[str] = set()
    found: dict[str, None] = {}
    for link in page.links:
        if _TEL.match(link.href):
            number = _parsed(unquote(_TEL.sub("", link.href)).split(";")[0].split("?")[0], region)
            if number:
                found.setdefault(number)
    for line in page.lines:
        for number, is_fax in in_text(line, region):
            (faxes.add if is_fax else found.setdefault)(number)
    return [one for one in found if one not in faxes][:MOST]


def in_text(line: str, region: str) -> Iterator[tuple[str, bool]]:
    """(number, whether it is a fax) for each number in a line."""
    if not any(letter.isdigit() for letter in line) or len(line) > 20_000:
        return
    for match in PhoneNumberMatcher(line, region, leniency=Leniency.VALID, max_tries=200):
        before = line[max(0, match.start - 40) : match.start]
        is_fax = bool(_FAX.search(before)) and not re.search(
            r"tel", before[-25:].split("ax")[-1], re.IGNORECASE
        )
        if is_fax or _is_believable(match.raw_string, before, match.number, line[match.end : match.end + 3]):
            yield phonenumbers.format_number(match.number, PhoneNumberFormat.E164), is_fax


def _is_believable(raw: str, before: str, number: PhoneNumber, behind: str) -> bool:
    """Digits are a phone number when they say so: by a plus, a label, or how they are grouped; dates and account numbers are not."""
    if raw.lstrip("( ").startswith(("+", "00")) or _LABEL.search(before):
        return not re.search(r"(?:\biban|\bvat|\bust-?id)[^\d+(]{0,12}$", before, re.IGNORECASE)
    if _NOT_A_PHONE.search(before) or re.match(r"\s?(?:€|%|kg|km|px|eur|usd)", behind, re.IGNORECASE):
        return False
    groups = re.findall(r"\d+", raw)
    if len(groups) < 2 or re.fullmatch(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}", raw.strip()):
        return False
    return raw.lstrip().startswith(("(", "0")) or (number.country_code == 1 and len(groups) >= 3)


def _parsed(text: str, region: str) -> str:
    try:
        number = phonenumbers.parse(text.strip(), region)
    except phonenumbers.NumberParseException:
        return ""
    return (
        phonenumbers.format_number(number, PhoneNumberFormat.E164)
        if phonenumbers.is_valid_number(number)
        else ""
    )


def plain_phone(text: str, region: str) -> str:
    """A number that a page states as such, as E.164; empty where it is none."""
    return _parsed(text, region)
