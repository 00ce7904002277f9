"""Finds phone numbers, in the international form that every phone dials."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

import phonenumbers
from phonenumbers import Leniency, PhoneNumber, PhoneNumberFormat, PhoneNumberMatcher

from ..web.page import Page
from ..web.text import digits_as_plain, wide_as_plain

MOST = 50
_TEL = re.compile(r"^\s*(?:tel|callto|sms)\s*:", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:\btel(?:efono|éfono|efon|ephone|efone|efoon|efonu|emóvel|emovel|\.)?|\bt:|\bt(?=\s+0)|\bp:|\bm:|\bphone|\bcall|\bmob(?:ile?|il|iel)?\b|"
    r"\bm[óo]vil|\bcel(?:ular|l|\.)?|\bkom\b|\bkom\.|\bgsm\b|\bhandy|\bhotline|\bfon\b|\bsans frais|\btoll[- ]free|\bwhats\s?app|"
    r"\btlf|\bpuh|\brufnummer|\bring|\bappel|\bllam|\bnotfall|\bnotruf|\bdurchwahl|\bzentrale|\btlph|\btfno|\btfn\b|\bs[ií]mi|\btālr|\bzalo|\bviber|"
    r"\bτηλ|\bκιν|\bтел|\bмоб|\bдзвон|\bзвон|電話|电话|手机|手機|固話|전화|휴대|연락처|هاتف|جوال|تلفون|טלפון|נייד|โทร|điện thoại|☎|📞|✆|📱)"
    r"[^\d+(]{0,20}$",
    re.IGNORECASE,
)
_FAX = re.compile(
    r"(?:\b(?:tele)?fax|\bf(?:ax)?\s*[:.]|\btélécopie|\bfaks|\bфакс|\bφαξ|传真|傳真|팩스|فاكس|פקס)[^\d+(]{0,15}$",
    re.IGNORECASE,
)
_FAX_BEHIND = re.compile(r"^[^\d+|/;]{0,25}\b(?:tele)?fax\b(?!\s*[:.]?\s*[\d+(])", re.IGNORECASE)
_NOT_A_PHONE = re.compile(
    r"(?:\biban|\bbic\b|\bvat\b|\bust\b|\bust-|\btax|\bsteuer|\bhrb\b|\bhra\b|\bsiret|\bsiren\b|\bno\b\.?|\w*nr\b\.?|\w*nummer\b|\bnumber\b|"
    r"\bnum[eé]ro\b|\bnúmero\b|\border|\binvoice|\bid\b|\bref\b|\bréf\b|\breferen[cz]|\bkonto|\baccount|\bsort code|"
    r"\bblz|\bisbn|\bissn|\bcif\b|\bnif\b|\bnip\b|\bregon\b|\bico\b|\bičo\b|\bdič\b|\bcvr\b|\borg\b\.?|\bkvk|\bbtw|\babn\b|\bacn\b|\beori|\bduns|"
    r"\bd-u-n-s|\blei\b|\bsku\b|\bpart\b|\blot\b|\bartikel|\bitem\b|\bmodel|\btracking|\bsendung|\bvertrag|\bregist|\blicen[cs]|\blic\b\.?|"
    r"\bticket|\bstand\b|\bhalle\b|\bkennziffer|\bquelle\b|\bsource\b|\bcnpj|\bcpf\b|\brfc\b|\bинн\b|\bогрн\b|\bафм\b|\bαφμ\b|사업자|备案|#|€|\$|£)[^\d+(]{0,12}$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[^\W\d]{3,}[.)]?\s*:\s*$")
"""A word and a colon before a number."""
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
    line = digits_as_plain(wide_as_plain(line))
    for match in PhoneNumberMatcher(line, region, leniency=Leniency.VALID, max_tries=200):
        before = line[max(0, match.start - 40) : match.start]
        behind = line[match.end : match.end + 40]
        is_fax = _is_fax(before, behind)
        if is_fax or _is_believable(match.raw_string, before, match.number, behind):
            yield phonenumbers.format_number(match.number, PhoneNumberFormat.E164), is_fax


def _is_fax(before: str, behind: str) -> bool:
    """Whether the words around a number say that it is a fax; a nearer word for a phone counts more."""
    if _FAX.search(before):
        return not re.search(r"tel", before[-25:].rsplit("ax", maxsplit=1)[-1], re.IGNORECASE)
    return bool(_FAX_BEHIND.match(behind))


def _is_believable(raw: str, before: str, number: PhoneNumber, behind: str) -> bool:
    """Digits are a phone number when they say so: by a plus, a label, or how they are grouped; dates and account numbers are not."""
    if re.search(r"\d\. \d|\d[–—]\d{1,2}[.:]\d\d", raw):
        return False  # the end of a sentence, or times of a day
    if raw.lstrip("( ").startswith("+") or _LABEL.search(before):
        return not re.search(r"(?:\biban|\bvat|\bust-?id)[^\d+(]{0,12}$", before, re.IGNORECASE)
    if _NOT_A_PHONE.search(before) or re.match(
        r"-\w|\s?(?:€|%|kg\b|km\b|px\b|eur\b|usd\b|chf\b|mm\b|cm\b)", behind, re.IGNORECASE
    ):
        return False
    groups = re.findall(r"\d+", raw)
    if raw.lstrip("( ").startswith("00"):
        return True
    if len(groups) < 2 or re.fullmatch(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}", raw.strip()):
        return False
    if raw.lstrip().startswith(("(", "0")):
        return True
    return len(groups) >= 3 and (number.country_code == 1 or bool(_NAMED.search(before)))


def _parsed(text: str, region: str) -> str:
    try:
        number = phonenumbers.parse(digits_as_plain(wide_as_plain(text.strip())), region)
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
